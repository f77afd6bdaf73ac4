/* SPDX-License-Identifier: MIT
 *
 * Which registers cross from one stage to the next (D3D11.3 4.4.3.2: by number and mask, never by name).
 */
#include <string.h>

#include "aerogpu/translate.h"
#include "base/diag.h"

/* Values that WebGPU hands to the pixel stage by itself. */
static bool comes_by_itself(uint32_t name)
{
    return name == AGPU_NAME_POSITION || name == AGPU_NAME_IS_FRONT_FACE || name == AGPU_NAME_SAMPLE_INDEX ||
           name == AGPU_NAME_PRIMITIVE_ID;
}

static uint32_t register_of(const struct agpu_instruction *dcl, enum agpu_operand_type type)
{
    if (dcl->operand_count == 0 || dcl->operands[0].type != type || dcl->operands[0].index_count == 0)
        return AGPU_REGISTER_NONE;
    uint64_t number = dcl->operands[0].index[dcl->operands[0].index_count - 1].immediate;
    return number < AGPU_MAX_REGISTERS ? (uint32_t)number : AGPU_REGISTER_NONE;
}

static void find_written(const struct agpu_program *program, uint8_t written[AGPU_MAX_REGISTERS])
{
    for (uint32_t i = 0; i < program->instruction_count; i++) {
        const struct agpu_instruction *dcl = &program->instructions[i];
        bool with_name = dcl->opcode == AGPU_OP_DCL_OUTPUT_SIV || dcl->opcode == AGPU_OP_DCL_OUTPUT_SGV;
        if (dcl->opcode != AGPU_OP_DCL_OUTPUT && !with_name)
            continue;
        uint32_t r = register_of(dcl, AGPU_OPERAND_OUTPUT);
        bool position = with_name && dcl->data_count > 0 && dcl->data[0] == AGPU_NAME_POSITION;
        if (r != AGPU_REGISTER_NONE && !position)
            written[r] |= dcl->operands[0].mask & 15;
    }
}

static bool is_integer(const struct agpu_signature *signature, uint32_t number, uint32_t mask)
{
    for (uint32_t i = 0; i < signature->count; i++) {
        const struct agpu_signature_element *element = &signature->elements[i];
        if (element->register_index == number && (element->mask & mask) &&
            (element->component_type == AGPU_COMPONENT_UINT ||
             element->component_type == AGPU_COMPONENT_SINT))
            return true;
    }
    return false;
}

static void read_declaration(const struct agpu_shader *pixel, const struct agpu_instruction *dcl,
                             const uint8_t written[AGPU_MAX_REGISTERS], struct agpu_linkage *linkage)
{
    bool with_name = dcl->opcode == AGPU_OP_DCL_INPUT_PS_SIV || dcl->opcode == AGPU_OP_DCL_INPUT_PS_SGV;
    uint32_t r = register_of(dcl, AGPU_OPERAND_INPUT);
    if ((dcl->opcode != AGPU_OP_DCL_INPUT_PS && !with_name) || r == AGPU_REGISTER_NONE)
        return;
    if (with_name && dcl->data_count > 0 && comes_by_itself(dcl->data[0]))
        return;
    uint8_t mask = dcl->operands[0].mask & written[r];
    if (mask == 0)
        return;
    enum agpu_interpolation interpolation = agpu_dcl_interpolation(dcl);
    if (interpolation == AGPU_INTERPOLATE_UNDEFINED ||
        interpolation > AGPU_INTERPOLATE_LINEAR_NOPERSPECTIVE_SAMPLE)
        interpolation = AGPU_INTERPOLATE_LINEAR;
    linkage->registers[r].mask |= mask;
    linkage->registers[r].interpolation = (uint8_t)interpolation;
    if (interpolation == AGPU_INTERPOLATE_CONSTANT || is_integer(&pixel->input, r, mask))
        linkage->registers[r].flat_uint = true;
}

enum agpu_status agpu_link(const struct agpu_shader *producer, const struct agpu_shader *pixel,
                           uint32_t max_locations, const struct agpu_diag_sink *sink,
                           struct agpu_linkage *linkage)
{
    memset(linkage, 0, sizeof *linkage);
    if (pixel == NULL)
        return AGPU_OK;
    uint8_t written[AGPU_MAX_REGISTERS] = {0};
    find_written(&producer->program, written);
    for (uint32_t i = 0; i < pixel->program.instruction_count; i++)
        read_declaration(pixel, &pixel->program.instructions[i], written, linkage);
    for (uint32_t r = 0; r < AGPU_MAX_REGISTERS; r++)
        if (linkage->registers[r].interpolation != 0)
            linkage->registers[r].location = linkage->location_count++;
    if (linkage->location_count <= max_locations)
        return AGPU_OK;
    agpu_report(sink, AGPU_DIAG_TRANSLATE_LIMIT, AGPU_ERROR, agpu_place_none(),
                "%u registers cross between the stages, the device has room for %u", linkage->location_count,
                max_locations);
    memset(linkage, 0, sizeof *linkage);
    return AGPU_REFUSED;
}
