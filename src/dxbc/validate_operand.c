/* SPDX-License-Identifier: MIT
 *
 * Checks the operands of instructions.
 */
#include <inttypes.h>

#include "base/bytes.h"
#include "dxbc/declaration.h"
#include "dxbc/operand_info.h"
#include "dxbc/validate.h"

#define BIT(type) (UINT64_C(1) << (type))

struct use {
    struct ag_validator *validator;
    const struct agpu_instruction *instruction;
    const struct agpu_opcode_info *info;
};

static const char *register_text(const struct agpu_operand *operand)
{
    const char *text = ag_operand_info(operand->type)->text;
    return text != NULL ? text : "?";
}

/* ---- Which types stand where -------------------------------------------------------------------------- */

#define OUTPUT_TYPES                                                                                         \
    (BIT(AGPU_OPERAND_OUTPUT) | BIT(AGPU_OPERAND_OUTPUT_DEPTH) |                                             \
     BIT(AGPU_OPERAND_OUTPUT_DEPTH_GREATER_EQUAL) | BIT(AGPU_OPERAND_OUTPUT_DEPTH_LESS_EQUAL) |              \
     BIT(AGPU_OPERAND_OUTPUT_COVERAGE_MASK) | BIT(AGPU_OPERAND_OUTPUT_STENCIL_REF))
#define RESOURCE_TYPES                                                                                       \
    (BIT(AGPU_OPERAND_RESOURCE) | BIT(AGPU_OPERAND_SAMPLER) | BIT(AGPU_OPERAND_UNORDERED_ACCESS_VIEW) |      \
     BIT(AGPU_OPERAND_THREAD_GROUP_SHARED_MEMORY) | BIT(AGPU_OPERAND_RASTERIZER))
#define CODE_TYPES                                                                                           \
    (BIT(AGPU_OPERAND_LABEL) | BIT(AGPU_OPERAND_STREAM) | BIT(AGPU_OPERAND_FUNCTION_BODY) |                  \
     BIT(AGPU_OPERAND_FUNCTION_TABLE) | BIT(AGPU_OPERAND_INTERFACE))

/* Operand types that have no value to read or write. */
#define NO_VALUE_TYPES (RESOURCE_TYPES | CODE_TYPES)

/* Special inputs: declared registers without a number. */
#define SPECIAL_TYPES                                                                                        \
    (BIT(AGPU_OPERAND_INPUT_PRIMITIVE_ID) | BIT(AGPU_OPERAND_OUTPUT_CONTROL_POINT_ID) |                      \
     BIT(AGPU_OPERAND_INPUT_FORK_INSTANCE_ID) | BIT(AGPU_OPERAND_INPUT_JOIN_INSTANCE_ID) |                   \
     BIT(AGPU_OPERAND_INPUT_DOMAIN_POINT) | BIT(AGPU_OPERAND_INPUT_THREAD_ID) |                              \
     BIT(AGPU_OPERAND_INPUT_THREAD_GROUP_ID) | BIT(AGPU_OPERAND_INPUT_THREAD_ID_IN_GROUP) |                  \
     BIT(AGPU_OPERAND_INPUT_COVERAGE_MASK) | BIT(AGPU_OPERAND_INPUT_INNER_COVERAGE) |                        \
     BIT(AGPU_OPERAND_INPUT_THREAD_ID_IN_GROUP_FLATTENED) | BIT(AGPU_OPERAND_INPUT_GS_INSTANCE_ID) |         \
     BIT(AGPU_OPERAND_CYCLE_COUNTER))

static bool is_one_of(uint8_t type, uint64_t types)
{
    return (types >> type & 1) != 0;
}

/* ---- Registers ---------------------------------------------------------------------------------------- */

static void undeclared(const struct use *use, const struct agpu_operand *operand, uint64_t number)
{
    ag_invalid(use->validator, use->instruction, AGPU_DIAG_DXBC_UNDECLARED,
               "%s uses %s%" PRIu64 ", which is not declared", use->info->mnemonic, register_text(operand),
               number);
}

static void check_temp(const struct use *use, const struct agpu_operand *operand)
{
    if (operand->index[0].relative != NULL)
        ag_invalid(use->validator, use->instruction, AGPU_DIAG_DXBC_INDEX,
                   "temporary registers cannot be indexed at run time");
    else if (operand->index[0].immediate >= use->validator->temps)
        undeclared(use, operand, operand->index[0].immediate);
}

static void check_array(const struct use *use, const struct agpu_operand *operand, uint8_t components)
{
    const uint64_t number = operand->index[0].immediate;
    const struct agpu_instruction *declaration = ag_map_get(&use->validator->arrays, number + 1);
    if (operand->index[0].relative != NULL) {
        ag_invalid(use->validator, use->instruction, AGPU_DIAG_DXBC_INDEX,
                   "the number of an x register is a literal");
    } else if (declaration == NULL) {
        undeclared(use, operand, number);
    } else if (operand->index[1].relative == NULL && operand->index[1].immediate >= declaration->data[1]) {
        ag_invalid(use->validator, use->instruction, AGPU_DIAG_DXBC_INDEX,
                   "x%" PRIu64 "[%" PRIu64 "] lies outside its %" PRIu32 " elements", number,
                   operand->index[1].immediate, declaration->data[1]);
    } else if (declaration->data[2] < 4 && (components >> declaration->data[2]) != 0) {
        ag_invalid(use->validator, use->instruction, AGPU_DIAG_DXBC_COMPONENTS,
                   "x%" PRIu64 " has %" PRIu32 " components", number, declaration->data[2]);
    }
}

/* Checks v, o, vicp, vocp and vpc. The last index is the register; an index before that is the vertex or
 * control point. */
static void check_file(const struct use *use, const struct agpu_operand *operand, enum ag_register_file file,
                       uint8_t components)
{
    const struct ag_register_state *state = &use->validator->files[file];
    const struct agpu_operand_index *index = &operand->index[operand->index_count - 1];
    const uint64_t number = index->immediate;
    if (number >= AG_VALIDATE_REGISTERS || (state->mask[number] | state->indexed[number]) == 0) {
        undeclared(use, operand, number);
        return;
    }
    if (index->relative != NULL && (state->indexed[number] & components) != components)
        ag_invalid(use->validator, use->instruction, AGPU_DIAG_DXBC_INDEX,
                   "%s%" PRIu64 " is indexed at run time without an index range", register_text(operand),
                   number);
    if (index->relative == NULL && (state->mask[number] & components) != components)
        ag_invalid(use->validator, use->instruction, AGPU_DIAG_DXBC_UNDECLARED,
                   "%s uses components of %s%" PRIu64 " that are not declared", use->info->mnemonic,
                   register_text(operand), number);
    if (operand->index_count == 2 && operand->index[0].relative == NULL && state->vertices != 0 &&
        operand->index[0].immediate >= state->vertices)
        ag_invalid(use->validator, use->instruction, AGPU_DIAG_DXBC_INDEX,
                   "vertex %" PRIu64 " lies outside the %" PRIu32 " declared ones",
                   operand->index[0].immediate, state->vertices);
}

static void check_constant_buffer(const struct use *use, const struct agpu_operand *operand)
{
    const struct agpu_instruction *declaration =
        ag_validate_declared(use->validator, use->instruction, operand);
    if (declaration == NULL)
        return;
    const bool is_5_1 = ag_program_is_5_1(use->validator->program);
    const uint64_t size = is_5_1 ? declaration->data[0] : declaration->operands[0].index[1].immediate;
    const struct agpu_operand_index *index = &operand->index[operand->index_count - 1];
    if (size != 0 && index->relative == NULL && index->immediate >= size)
        ag_invalid(use->validator, use->instruction, AGPU_DIAG_DXBC_INDEX,
                   "%s[%" PRIu64 "] lies outside the %" PRIu64 " declared vectors", register_text(operand),
                   index->immediate, size);
}

static void check_special(const struct use *use, const struct agpu_operand *operand, uint8_t components)
{
    const struct ag_validator *validator = use->validator;
    if ((validator->specials >> operand->type & 1) == 0)
        ag_invalid(use->validator, use->instruction, AGPU_DIAG_DXBC_UNDECLARED,
                   "%s uses %s, which is not declared", use->info->mnemonic, register_text(operand));
    else if (operand->component_count == 4 && (components & ~validator->special_mask[operand->type]) != 0)
        ag_invalid(use->validator, use->instruction, AGPU_DIAG_DXBC_UNDECLARED,
                   "%s uses components of %s that are not declared", use->info->mnemonic,
                   register_text(operand));
}

static void check_indices(const struct use *use, const struct agpu_operand *operand);

/* Checks a register. `components` are those that the instruction certainly reads or writes. */
static void check_register(const struct use *use, const struct agpu_operand *operand, uint8_t components)
{
    if (!ag_validate_operand_stage(use->validator, use->instruction, operand->type))
        return;
    const enum ag_register_file file = ag_validate_file(operand->type);
    if (file != AG_FILE_COUNT)
        check_file(use, operand, file, components);
    else if (operand->type == AGPU_OPERAND_TEMP)
        check_temp(use, operand);
    else if (operand->type == AGPU_OPERAND_INDEXABLE_TEMP)
        check_array(use, operand, components);
    else if (operand->type == AGPU_OPERAND_CONSTANT_BUFFER)
        check_constant_buffer(use, operand);
    else if (operand->type == AGPU_OPERAND_IMMEDIATE_CONSTANT_BUFFER && !use->validator->has_constant_buffer)
        ag_invalid(use->validator, use->instruction, AGPU_DIAG_DXBC_UNDECLARED,
                   "there is no immediate constant buffer");
    else if (is_one_of(operand->type, SPECIAL_TYPES | (OUTPUT_TYPES & ~BIT(AGPU_OPERAND_OUTPUT))))
        check_special(use, operand, components);
    check_indices(use, operand);
}

/* Checks a register inside an index: one component of a temporary, an array element or an input. */
static void check_indices(const struct use *use, const struct agpu_operand *operand)
{
    for (uint32_t i = 0; i < operand->index_count; i++) {
        const struct agpu_operand *relative = operand->index[i].relative;
        if (relative == NULL)
            continue;
        if (is_one_of(relative->type, NO_VALUE_TYPES | OUTPUT_TYPES | BIT(AGPU_OPERAND_NULL)))
            ag_invalid(use->validator, use->instruction, AGPU_DIAG_DXBC_INDEX,
                       "a %s register cannot be an index", register_text(relative));
        else
            check_register(use, relative, (uint8_t)(1u << relative->swizzle[0]));
    }
}

/* ---- Shapes ------------------------------------------------------------------------------------------- */

/* Whether the operand has the component count that its register needs. */
static bool has_right_count(const struct agpu_operand *operand, char kind)
{
    const uint8_t count = operand->component_count;
    if (operand->type == AGPU_OPERAND_IMMEDIATE32)
        return count == 1 || count == 4;
    if (kind == 'R' || kind == 'P')
        return count == 0 || count == 4;
    return count == ag_operand_info(operand->type)->used_count;
}

static bool is_null_allowed(uint16_t opcode, uint32_t number)
{
    switch (opcode) {
    case AGPU_OP_SINCOS:
    case AGPU_OP_IMUL:
    case AGPU_OP_UMUL:
    case AGPU_OP_UDIV:
        return true;
    case AGPU_OP_UADDC:
    case AGPU_OP_USUBB:
        return number == 1;
    default: /* tiled resource feedback: a value and a status */
        return agpu_opcode_info(opcode)->destination_count == 2 &&
               (agpu_opcode_info(opcode)->flags & AGPU_OPF_TILED) != 0;
    }
}

static void check_destination(const struct use *use, const struct agpu_operand *operand, uint32_t number)
{
    static const uint64_t writable = OUTPUT_TYPES | BIT(AGPU_OPERAND_TEMP) | BIT(AGPU_OPERAND_INDEXABLE_TEMP);
    const char kind = use->info->operands[3 * number + 1];
    if (operand->modifier != AGPU_MODIFIER_NONE)
        ag_invalid(use->validator, use->instruction, AGPU_DIAG_DXBC_MODIFIER,
                   "destination %" PRIu32 " of %s has a modifier", number, use->info->mnemonic);
    if (operand->type == AGPU_OPERAND_NULL) {
        if (!is_null_allowed(use->instruction->opcode, number))
            ag_invalid(use->validator, use->instruction, AGPU_DIAG_DXBC_DESTINATION,
                       "destination %" PRIu32 " of %s cannot be null", number, use->info->mnemonic);
        return;
    }
    if (kind == 'R' || kind == 'M') /* validate_resource.c checks resources */
        return;
    if (!is_one_of(operand->type, writable)) {
        ag_invalid(use->validator, use->instruction, AGPU_DIAG_DXBC_DESTINATION,
                   "%s cannot write a %s register", use->info->mnemonic, register_text(operand));
        return;
    }
    if (!has_right_count(operand, kind) || (operand->component_count == 4 && operand->mask == 0))
        ag_invalid(use->validator, use->instruction, AGPU_DIAG_DXBC_COMPONENTS,
                   "destination %" PRIu32 " of %s has no fitting components", number, use->info->mnemonic);
    if (kind == 'd' && operand->component_count == 4 && operand->mask != 3 && operand->mask != 0xc &&
        operand->mask != 0xf)
        ag_invalid(use->validator, use->instruction, AGPU_DIAG_DXBC_COMPONENTS,
                   "doubles are pairs: the mask of %s is xy, zw or all four", use->info->mnemonic);
    check_register(use, operand, operand->component_count == 4 ? operand->mask : 1);
}

/* Whether a source of this kind accepts a modifier. */
static bool takes_modifier(const struct use *use, char kind, uint8_t modifier)
{
    switch (kind) {
    case 'f':
    case 'd':
        return true;
    case 'b':
        return (use->info->flags & AGPU_OPF_MODIFIERS) != 0;
    case 'i':
        return modifier == AGPU_MODIFIER_NEGATE;
    default:
        return false;
    }
}

/* ---- Components that are surely read ------------------------------------------------------------------ */

/* The source lanes that are certainly read: for component-wise instructions the lanes of the destinations;
 * for others the first lane, unless the opcode determines how many. */
static uint8_t lanes_read(const struct use *use)
{
    switch (use->instruction->opcode) {
    case AGPU_OP_DP2:
        return 0x3;
    case AGPU_OP_DP3:
        return 0x7;
    case AGPU_OP_DP4:
        return 0xf;
    case AGPU_OP_EVAL_SNAPPED:
        return 0x1;
    default:
        break;
    }
    uint8_t lanes = 0;
    for (uint32_t i = 0; i < use->info->operand_count; i++) {
        const char kind = use->info->operands[3 * i + 1];
        if (kind == 'R' || kind == 'd' || kind == 'M' || kind == 'I' || kind == 'L')
            return 0x1;
        const struct agpu_operand *operand = &use->instruction->operands[i];
        if (i < use->info->destination_count && operand->type != AGPU_OPERAND_NULL)
            lanes |= operand->component_count == 4 ? operand->mask : 1;
    }
    return lanes == 0 ? 0x1 : lanes;
}

static uint8_t components_read(const struct agpu_operand *operand, uint8_t lanes)
{
    uint8_t components = 0;
    for (uint32_t lane = 0; lane < 4; lane++)
        if (lanes >> lane & 1)
            components |= (uint8_t)(1u << operand->swizzle[lane]);
    return components;
}

static void check_source(const struct use *use, const struct agpu_operand *operand, uint32_t number)
{
    static const uint64_t unreadable = OUTPUT_TYPES | BIT(AGPU_OPERAND_NULL);
    const char kind = use->info->operands[3 * number + 1];
    if (kind == 'L' || kind == 'I' || kind == 'M')
        return;
    if (operand->modifier != AGPU_MODIFIER_NONE && !takes_modifier(use, kind, operand->modifier))
        ag_invalid(use->validator, use->instruction, AGPU_DIAG_DXBC_MODIFIER,
                   "source %" PRIu32 " of %s does not take this modifier", number, use->info->mnemonic);
    if (kind != 'R' && kind != 'P') {
        if (is_one_of(operand->type, unreadable | NO_VALUE_TYPES)) {
            ag_invalid(use->validator, use->instruction, AGPU_DIAG_DXBC_SOURCE,
                       "%s cannot read a %s register", use->info->mnemonic, register_text(operand));
            return;
        }
        const bool wide = operand->type == AGPU_OPERAND_IMMEDIATE64;
        const bool narrow = operand->type == AGPU_OPERAND_IMMEDIATE32;
        if (kind == 'd' ? narrow : wide)
            ag_invalid(use->validator, use->instruction, AGPU_DIAG_DXBC_SOURCE,
                       "source %" PRIu32 " of %s is a literal of the wrong size", number,
                       use->info->mnemonic);
        if (!has_right_count(operand, kind) ||
            (operand->component_count == 4 && operand->selection == AGPU_SELECT_MASK && !narrow && !wide))
            ag_invalid(use->validator, use->instruction, AGPU_DIAG_DXBC_COMPONENTS,
                       "source %" PRIu32 " of %s does not select components", number, use->info->mnemonic);
        check_register(use, operand, components_read(operand, lanes_read(use)));
    }
}

void ag_validate_operands(struct ag_validator *validator, const struct agpu_instruction *instruction)
{
    const struct use use = {validator, instruction, agpu_opcode_info(instruction->opcode)};
    for (uint32_t i = 0; i < instruction->operand_count; i++) {
        const struct agpu_operand *operand = &instruction->operands[i];
        const char kind = use.info->operands[3 * i + 1];
        if (ag_operand_info(operand->type) == NULL || ag_operand_info(operand->type)->text == NULL) {
            ag_invalid(validator, instruction, AGPU_DIAG_DXBC_SOURCE,
                       "operand %" PRIu32 " of %s is no register", i, use.info->mnemonic);
            continue;
        }
        if (kind == 'R' || kind == 'P') {
            if (ag_validate_operand_stage(validator, instruction, operand->type))
                check_indices(&use, operand);
            if (operand->modifier != AGPU_MODIFIER_NONE)
                ag_invalid(validator, instruction, AGPU_DIAG_DXBC_MODIFIER,
                           "operand %" PRIu32 " of %s does not take a modifier", i, use.info->mnemonic);
        } else if (i < use.info->destination_count) {
            check_destination(&use, operand, i);
        } else {
            check_source(&use, operand, i);
        }
    }
}
