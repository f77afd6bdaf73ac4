/* SPDX-License-Identifier: MIT
 *
 * Checks signatures, and declarations against signatures.
 */
#include <inttypes.h>

#include "base/bytes.h"
#include "dxbc/declaration.h"
#include "dxbc/driver_signature.h"
#include "dxbc/operand_info.h"
#include "dxbc/validate.h"

/* ---- Declarations against signatures ------------------------------------------------------------------ */

/* The signature that describes a register file in the current stage and phase; null when there is none. */
static const struct agpu_signature *signature_of(const struct ag_validator *validator,
                                                 enum ag_register_file file)
{
    const struct agpu_shader *shader = validator->shader;
    const bool fork_or_join = validator->phase >= AG_PHASE_FORK;
    switch (file) {
    case AG_FILE_INPUT:
    case AG_FILE_CONTROL_POINT:
        return &shader->input;
    case AG_FILE_OUTPUT:
        return fork_or_join ? &shader->patch_constant : &shader->output;
    case AG_FILE_OUTPUT_POINT:
        return &shader->output;
    case AG_FILE_PATCH:
        return &shader->patch_constant;
    case AG_FILE_COUNT:
        break;
    }
    return NULL;
}

/* The components of a register in a signature; of a geometry shader's outputs, those of the current
 * stream. */
static uint8_t signature_components(const struct ag_validator *validator,
                                    const struct agpu_signature *signature, enum ag_register_file file,
                                    uint64_t number)
{
    const bool streams = file == AG_FILE_OUTPUT && validator->program->stage == AGPU_STAGE_GEOMETRY;
    uint8_t components = 0;
    for (uint32_t i = 0; i < signature->count; i++)
        if (signature->elements[i].register_index == number &&
            (!streams || signature->elements[i].stream == validator->stream))
            components |= signature->elements[i].mask;
    return components;
}

/* The system value of the signature element that contains the register's declared components. */
static uint32_t signature_system_value(const struct ag_validator *validator,
                                       const struct agpu_signature *signature, enum ag_register_file file,
                                       uint64_t number, uint8_t mask)
{
    const bool streams = file == AG_FILE_OUTPUT && validator->program->stage == AGPU_STAGE_GEOMETRY;
    for (uint32_t i = 0; i < signature->count; i++) {
        const struct agpu_signature_element *element = &signature->elements[i];
        if (element->register_index == number && (element->mask & mask) != 0 &&
            (!streams || element->stream == validator->stream))
            return element->system_value;
    }
    return AGPU_SV_NONE;
}

/* A bare token stream has no signatures. */
static bool has_signatures(const struct agpu_shader *shader)
{
    return shader->chunk_count != 0 || shader->input.count != 0 || shader->output.count != 0 ||
           shader->patch_constant.count != 0;
}

void ag_validate_signature_use(struct ag_validator *validator, const struct agpu_instruction *declaration)
{
    const struct agpu_operand *operand = &declaration->operands[0];
    const enum ag_register_file file = ag_validate_file(operand->type);
    const struct agpu_signature *signature = signature_of(validator, file);
    if (signature == NULL || !has_signatures(validator->shader))
        return;
    const char *text = ag_operand_info(operand->type)->text;
    const uint64_t number = operand->index[operand->index_count - 1].immediate;
    if ((operand->mask & ~signature_components(validator, signature, file, number)) != 0) {
        ag_invalid(validator, declaration, AGPU_DIAG_DXBC_SIGNATURE_MISMATCH,
                   "the signature has no element for all declared components of %s%" PRIu64, text, number);
        return;
    }
    if (!ag_declares_system_value(declaration->opcode) || declaration->data[0] >= AGPU_NAME_COUNT)
        return;
    const uint32_t declared = ag_system_value_of_name(declaration->data[0]);
    const uint32_t stored = signature_system_value(validator, signature, file, number, operand->mask);
    if (declared != stored)
        ag_invalid(validator, declaration, AGPU_DIAG_DXBC_SIGNATURE_MISMATCH,
                   "%s%" PRIu64 " is declared with another system value than its signature element has", text,
                   number);
}

/* ---- Signatures alone --------------------------------------------------------------------------------- */

static void check_element(struct ag_validator *validator, const struct agpu_signature *signature,
                          uint32_t number, const char *which)
{
    const struct agpu_signature_element *element = &signature->elements[number];
    if (element->register_index == AGPU_REGISTER_NONE)
        return;
    if (element->register_index >= AG_VALIDATE_REGISTERS) {
        ag_invalid(validator, NULL, AGPU_DIAG_DXBC_SIGNATURE,
                   "element %" PRIu32 " of the %s signature lies in register %" PRIu32, number, which,
                   element->register_index);
        return;
    }
    if (element->mask == 0)
        ag_invalid(validator, NULL, AGPU_DIAG_DXBC_SIGNATURE,
                   "element %" PRIu32 " of the %s signature has no components", number, which);
    for (uint32_t i = 0; i < number; i++) {
        const struct agpu_signature_element *other = &signature->elements[i];
        if (other->register_index == element->register_index && other->stream == element->stream &&
            (other->mask & element->mask) != 0) {
            ag_invalid(validator, NULL, AGPU_DIAG_DXBC_SIGNATURE,
                       "elements %" PRIu32 " and %" PRIu32 " of the %s signature share components", i, number,
                       which);
            return;
        }
    }
}

void ag_validate_signatures(struct ag_validator *validator)
{
    const struct agpu_shader *shader = validator->shader;
    const struct {
        const struct agpu_signature *signature;
        const char *which;
    } signatures[] = {
        {&shader->input,          "input"         },
        {&shader->output,         "output"        },
        {&shader->patch_constant, "patch constant"},
    };
    for (size_t i = 0; i < AG_COUNT_OF(signatures); i++)
        for (uint32_t j = 0; j < signatures[i].signature->count; j++)
            check_element(validator, signatures[i].signature, j, signatures[i].which);
}
