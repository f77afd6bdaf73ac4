/* SPDX-License-Identifier: MIT
 *
 * Operands: a source becomes an expression, a destination becomes an assignment.
 */

#include "ir/build.h"

struct ag_ir_stmt *ag_ir_emit(struct ag_ir_builder *builder, enum ag_ir_stmt_kind kind, uint32_t offset)
{
    return ag_ir_append(builder->program, builder->block, kind, offset);
}

struct ag_ir_access *ag_ir_access_new(struct ag_ir_builder *builder, uint32_t resource)
{
    struct ag_ir_access *access = AG_ARENA_NEW(builder->program->arena, struct ag_ir_access);
    if (access == NULL) {
        ag_ir_no_memory(builder->program);
        return NULL;
    }
    access->resource = resource;
    access->sampler = AG_IR_NONE;
    return access;
}

/* ---- Resources ---------------------------------------------------------------------------------------- */

enum agpu_binding_space ag_ir_space_of(enum agpu_operand_type type)
{
    switch (type) {
    case AGPU_OPERAND_CONSTANT_BUFFER:
        return AGPU_SPACE_CBUFFER;
    case AGPU_OPERAND_SAMPLER:
        return AGPU_SPACE_SAMPLER;
    case AGPU_OPERAND_UNORDERED_ACCESS_VIEW:
        return AGPU_SPACE_UAV;
    case AGPU_OPERAND_THREAD_GROUP_SHARED_MEMORY:
        return AGPU_SPACE_INTERNAL;
    default:
        return AGPU_SPACE_RESOURCE;
    }
}

uint32_t ag_ir_resource_of(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                           uint32_t operand)
{
    struct ag_ir_program *program = builder->program;
    const struct agpu_operand *o = &insn->operands[operand];
    bool model_5_1 = program->major == 5 && program->minor >= 1;
    bool is_resource = o->type == AGPU_OPERAND_CONSTANT_BUFFER || o->type == AGPU_OPERAND_SAMPLER ||
                       o->type == AGPU_OPERAND_RESOURCE || o->type == AGPU_OPERAND_UNORDERED_ACCESS_VIEW ||
                       o->type == AGPU_OPERAND_THREAD_GROUP_SHARED_MEMORY;
    if (!is_resource || o->index_count == 0) {
        ag_ir_refuse(program, AGPU_DIAG_TRANSLATE_OPERAND, insn->offset,
                     "operand %u of %s is not a resource that can be bound", operand,
                     agpu_opcode_info(insn->opcode)->mnemonic);
        return AG_IR_NONE;
    }
    bool ranged = model_5_1 && o->type != AGPU_OPERAND_THREAD_GROUP_SHARED_MEMORY && o->index_count > 1;
    if (o->index[0].relative != NULL || (ranged && o->index[1].relative != NULL)) {
        ag_ir_refuse(program, AGPU_DIAG_TRANSLATE_RESOURCE, insn->offset,
                     "resources chosen by a run-time index are not supported");
        return AG_IR_NONE;
    }
    enum agpu_binding_space space = ag_ir_space_of((enum agpu_operand_type)o->type);
    for (size_t i = 0; i < program->resources.count; i++) {
        struct ag_ir_resource *resource = &program->resources.data[i];
        if (resource->space != space || resource->id != (uint32_t)o->index[0].immediate)
            continue;
        if (ranged && resource->slot != (uint32_t)o->index[1].immediate)
            continue;
        resource->used = true;
        return (uint32_t)i;
    }
    ag_ir_refuse(program, AGPU_DIAG_TRANSLATE_RESOURCE, insn->offset, "%s uses a resource nobody declared",
                 agpu_opcode_info(insn->opcode)->mnemonic);
    return AG_IR_NONE;
}

/* ---- Sources ------------------------------------------------------------------------------------------ */

static struct ag_ir_expr *build_value(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                                      const struct agpu_operand *operand, uint32_t mask);

struct ag_ir_expr *ag_ir_lanes_of(struct ag_ir_builder *builder, enum ag_ir_op op,
                                  const struct agpu_operand *operand, uint32_t mask, uint32_t arg_count)
{
    struct ag_ir_expr *expr = ag_ir_expr_new(builder->program, op, ag_ir_lane_count(mask), arg_count);
    uint32_t lane = 0;
    for (uint32_t c = 0; c < 4; c++)
        if (mask >> c & 1)
            expr->component[lane++] = operand->component_count == 4 ? operand->swizzle[c] : 0;
    return expr;
}

struct ag_ir_expr *ag_ir_read_register(struct ag_ir_builder *builder, const struct agpu_operand *operand,
                                       uint32_t mask, uint32_t id)
{
    struct ag_ir_expr *expr = ag_ir_lanes_of(builder, AG_IR_READ, operand, mask, 0);
    for (uint32_t i = 0; i < expr->width; i++)
        expr->u.id[i] = id;
    return expr;
}

struct ag_ir_expr *ag_ir_build_index(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                                     const struct agpu_operand_index *index)
{
    struct ag_ir_program *program = builder->program;
    uint32_t immediate = (uint32_t)index->immediate;
    if (index->relative == NULL)
        return ag_ir_const(program, 1, immediate);
    struct ag_ir_expr *relative = build_value(builder, insn, index->relative, 1);
    if (immediate == 0)
        return relative;
    return ag_ir_binary(program, AG_IR_IADD, relative, ag_ir_const(program, 1, immediate));
}

struct ag_ir_expr *ag_ir_read_array(struct ag_ir_builder *builder, const struct agpu_operand *operand,
                                    uint32_t mask, uint32_t array, struct ag_ir_expr *index)
{
    struct ag_ir_expr *expr = ag_ir_lanes_of(builder, AG_IR_ARRAY, operand, mask, 1);
    expr->u.id[0] = array;
    expr->args[0] = index;
    builder->program->arrays.data[array].used = true;
    return expr;
}

static struct ag_ir_expr *refused(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                                  const struct agpu_operand *operand, uint32_t mask, const char *why)
{
    ag_ir_refuse(builder->program, AGPU_DIAG_TRANSLATE_OPERAND, insn->offset, "operand of type %u in %s %s",
                 operand->type, agpu_opcode_info(insn->opcode)->mnemonic, why);
    return ag_ir_const(builder->program, ag_ir_lane_count(mask), 0);
}

static struct ag_ir_expr *read_input(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                                     const struct agpu_operand *operand, uint32_t mask)
{
    const struct agpu_operand_index *index = &operand->index[0];
    uint32_t number = (uint32_t)index->immediate;
    if (operand->index_count != 1)
        return refused(builder, insn, operand, mask, "has the wrong number of indices");
    if (index->relative != NULL) {
        if (number >= AGPU_MAX_REGISTERS || builder->input_array[number] == AG_IR_NONE)
            return refused(builder, insn, operand, mask, "is indexed outside of every index range");
        uint32_t array = builder->input_array[number];
        struct agpu_operand_index inside = *index;
        inside.immediate = number - builder->program->arrays.data[array].number;
        return ag_ir_read_array(builder, operand, mask, array, ag_ir_build_index(builder, insn, &inside));
    }
    if (number >= AGPU_MAX_REGISTERS || builder->input_register[number] == AG_IR_NONE)
        return refused(builder, insn, operand, mask, "names an input register nobody declared");
    return ag_ir_read_register(builder, operand, mask, builder->input_register[number]);
}

static struct ag_ir_expr *read_temp(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                                    const struct agpu_operand *operand, uint32_t mask)
{
    uint64_t number = operand->index[0].immediate;
    if (operand->index_count != 1 || operand->index[0].relative != NULL || number >= builder->temp_count)
        return refused(builder, insn, operand, mask, "is beyond the declared temporaries");
    return ag_ir_read_register(builder, operand, mask, builder->temp_base + (uint32_t)number);
}

static struct ag_ir_expr *read_indexable(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                                         const struct agpu_operand *operand, uint32_t mask)
{
    uint32_t array = ag_ir_indexable_array(builder, operand->index[0].immediate);
    if (operand->index_count != 2 || operand->index[0].relative != NULL || array == AG_IR_NONE)
        return refused(builder, insn, operand, mask, "names an indexable temporary nobody declared");
    return ag_ir_read_array(builder, operand, mask, array,
                            ag_ir_build_index(builder, insn, &operand->index[1]));
}

static void note_register(struct ag_ir_resource *resource, const struct agpu_operand_index *index)
{
    if (index->relative != NULL)
        resource->dynamic = true;
    else if ((uint32_t)index->immediate >= resource->registers_used)
        resource->registers_used = (uint32_t)index->immediate + 1;
}

/* A register of a buffer that is known only at run time: of any of its range in 5.1, otherwise of all that
 * are declared. */
static struct ag_ir_expr *read_chosen(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                                      const struct agpu_operand *operand, uint32_t mask, uint32_t which)
{
    struct ag_ir_program *program = builder->program;
    const struct agpu_operand_index *index = &operand->index[operand->index_count - 1];
    const struct ag_ir_resource range = {.space = AGPU_SPACE_CBUFFER,
                                         .id = (uint32_t)operand->index[0].immediate};
    uint32_t first = AG_IR_NONE;
    for (uint32_t i = (uint32_t)program->resources.count; i-- > 0;) {
        struct ag_ir_resource *resource = &program->resources.data[i];
        if (!ag_ir_share_range(program, resource, &range))
            continue;
        resource->used = true;
        note_register(resource, index);
        first = i;
    }
    if (first == AG_IR_NONE) {
        ag_ir_warn(program, AGPU_DIAG_TRANSLATE_IGNORED, insn->offset,
                   "%s chooses a constant buffer at run time, but none that fits is declared: it reads 0",
                   agpu_opcode_info(insn->opcode)->mnemonic);
        return ag_ir_const(program, ag_ir_lane_count(mask), 0);
    }
    struct ag_ir_access *access = ag_ir_access_new(builder, first);
    struct ag_ir_expr *expr = ag_ir_lanes_of(builder, AG_IR_CBUFFER, operand, mask, 2);
    if (access == NULL)
        return expr;
    access->index = (uint32_t)index->immediate;
    expr->access = access;
    expr->args[0] =
        index->relative == NULL ? ag_ir_const(program, 1, 0) : build_value(builder, insn, index->relative, 1);
    expr->args[1] = ag_ir_build_index(builder, insn, &operand->index[which]);
    return expr;
}

static bool is_source_of(const struct agpu_instruction *insn, const struct agpu_operand *operand,
                         uint32_t *which)
{
    for (*which = 0; *which < insn->operand_count; ++*which)
        if (&insn->operands[*which] == operand)
            return true;
    return false;
}

static struct ag_ir_expr *read_cbuffer(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                                       const struct agpu_operand *operand, uint32_t mask)
{
    const bool model_5_1 = builder->program->major == 5 && builder->program->minor >= 1;
    const uint32_t last = model_5_1 ? 2 : 1;
    uint32_t which;
    if (!is_source_of(insn, operand, &which))
        return refused(builder, insn, operand, mask, "cannot be part of an index");
    if (operand->index_count != last + 1)
        return refused(builder, insn, operand, mask, "has the wrong number of indices");
    const struct agpu_operand_index *index = &operand->index[last];
    if (index->relative == NULL && index->immediate >= 4096)
        return ag_ir_const(builder->program, ag_ir_lane_count(mask), 0);
    if (operand->index[last - 1].relative != NULL)
        return read_chosen(builder, insn, operand, mask, last - 1);
    uint32_t resource_id = ag_ir_resource_of(builder, insn, which);
    struct ag_ir_access *access = ag_ir_access_new(builder, resource_id);
    if (resource_id == AG_IR_NONE || access == NULL)
        return ag_ir_const(builder->program, ag_ir_lane_count(mask), 0);
    access->index = (uint32_t)index->immediate;
    struct ag_ir_expr *expr =
        ag_ir_lanes_of(builder, AG_IR_CBUFFER, operand, mask, index->relative == NULL ? 0 : 1);
    expr->access = access;
    if (index->relative != NULL)
        expr->args[0] = build_value(builder, insn, index->relative, 1);
    note_register(&builder->program->resources.data[resource_id], index);
    return expr;
}

static struct ag_ir_expr *read_icb(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                                   const struct agpu_operand *operand, uint32_t mask)
{
    if (builder->program->icb_rows == 0 || operand->index_count != 1)
        return refused(builder, insn, operand, mask, "has no immediate constant buffer to read");
    struct ag_ir_expr *expr = ag_ir_lanes_of(builder, AG_IR_ICB, operand, mask, 1);
    expr->args[0] = ag_ir_build_index(builder, insn, &operand->index[0]);
    return expr;
}

static struct ag_ir_expr *read_instance(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                                        const struct agpu_operand *operand, uint32_t mask)
{
    if (operand->index_count != 1 || builder->program->instance_slots == 0)
        return refused(builder, insn, operand, mask, "needs an interface and one index");
    struct ag_ir_expr *expr = ag_ir_lanes_of(builder, AG_IR_INSTANCE, operand, mask, 1);
    expr->args[0] = ag_ir_build_index(builder, insn, &operand->index[0]);
    return expr;
}

static struct ag_ir_expr *build_immediate(struct ag_ir_builder *builder, const struct agpu_operand *operand,
                                          uint32_t mask)
{
    struct ag_ir_expr *expr = ag_ir_lanes_of(builder, AG_IR_CONST, operand, mask, 0);
    for (uint32_t i = 0; i < expr->width; i++)
        expr->u.bits[i] = operand->immediate[expr->component[i] & 3];
    return expr;
}

static struct ag_ir_expr *build_value(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                                      const struct agpu_operand *operand, uint32_t mask)
{
    if (ag_ir_is_record_operand(operand))
        return ag_ir_read_record(builder, insn, operand, mask);
    switch ((enum agpu_operand_type)operand->type) {
    case AGPU_OPERAND_TEMP:
        return read_temp(builder, insn, operand, mask);
    case AGPU_OPERAND_INPUT:
        return read_input(builder, insn, operand, mask);
    case AGPU_OPERAND_INDEXABLE_TEMP:
        return read_indexable(builder, insn, operand, mask);
    case AGPU_OPERAND_IMMEDIATE32:
    case AGPU_OPERAND_IMMEDIATE64:
        return build_immediate(builder, operand, mask);
    case AGPU_OPERAND_CONSTANT_BUFFER:
        return read_cbuffer(builder, insn, operand, mask);
    case AGPU_OPERAND_IMMEDIATE_CONSTANT_BUFFER:
        return read_icb(builder, insn, operand, mask);
    case AGPU_OPERAND_THIS_POINTER:
        return read_instance(builder, insn, operand, mask);
    case AGPU_OPERAND_INPUT_THREAD_ID:
    case AGPU_OPERAND_INPUT_THREAD_GROUP_ID:
    case AGPU_OPERAND_INPUT_THREAD_ID_IN_GROUP:
    case AGPU_OPERAND_INPUT_THREAD_ID_IN_GROUP_FLATTENED:
    case AGPU_OPERAND_INPUT_COVERAGE_MASK:
    case AGPU_OPERAND_INPUT_PRIMITIVE_ID:
    case AGPU_OPERAND_INPUT_GS_INSTANCE_ID:
    case AGPU_OPERAND_OUTPUT_CONTROL_POINT_ID:
    case AGPU_OPERAND_INPUT_FORK_INSTANCE_ID:
    case AGPU_OPERAND_INPUT_JOIN_INSTANCE_ID:
    case AGPU_OPERAND_INPUT_DOMAIN_POINT:
    case AGPU_OPERAND_CYCLE_COUNTER:
        if (builder->special_input[operand->type] == AG_IR_NONE)
            return refused(builder, insn, operand, mask, "is an input nobody declared");
        return ag_ir_read_register(builder, operand, mask, builder->special_input[operand->type]);
    default:
        return refused(builder, insn, operand, mask, "is not supported as a source");
    }
}

static void modify_constant(struct ag_ir_expr *expr, uint8_t modifier, bool is_float)
{
    for (uint32_t i = 0; i < expr->width; i++) {
        if (!is_float) {
            expr->u.bits[i] = 0 - expr->u.bits[i];
            continue;
        }
        if (modifier & AGPU_MODIFIER_ABSOLUTE)
            expr->u.bits[i] &= 0x7fffffff;
        if (modifier & AGPU_MODIFIER_NEGATE)
            expr->u.bits[i] ^= 0x80000000;
    }
}

/* The sign of a double is the top bit of its second lane, the high word. */
static struct ag_ir_expr *modify_double(struct ag_ir_program *program, struct ag_ir_expr *value,
                                        uint8_t modifier)
{
    struct ag_ir_expr *bits;
    if (modifier & AGPU_MODIFIER_ABSOLUTE) {
        bits = ag_ir_const(program, 2, UINT32_MAX);
        bits->u.bits[1] = 0x7fffffff;
        value = ag_ir_binary(program, AG_IR_AND, value, bits);
    }
    if (modifier & AGPU_MODIFIER_NEGATE) {
        bits = ag_ir_const(program, 2, 0);
        bits->u.bits[1] = 0x80000000;
        value = ag_ir_binary(program, AG_IR_XOR, value, bits);
    }
    return value;
}

struct ag_ir_expr *ag_ir_source(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                                uint32_t operand, char kind, uint32_t mask)
{
    struct ag_ir_program *program = builder->program;
    if (operand >= insn->operand_count) {
        ag_ir_refuse(program, AGPU_DIAG_TRANSLATE_OPERAND, insn->offset, "%s lacks operand %u",
                     agpu_opcode_info(insn->opcode)->mnemonic, operand);
        return ag_ir_const(program, ag_ir_lane_count(mask), 0);
    }
    const struct agpu_operand *o = &insn->operands[operand];
    struct ag_ir_expr *value = build_value(builder, insn, o, mask);
    if (o->modifier == AGPU_MODIFIER_NONE)
        return value;
    if (kind == 'd')
        return modify_double(program, value, o->modifier);
    bool is_float = kind == 'f' || kind == 'b';
    if (!is_float && o->modifier != AGPU_MODIFIER_NEGATE)
        return refused(builder, insn, o, mask, "has an absolute value of an integer");
    if (value->op == AG_IR_CONST) {
        modify_constant(value, o->modifier, is_float);
        return value;
    }
    if (!is_float)
        return ag_ir_unary(program, AG_IR_INEG, value);
    if (o->modifier & AGPU_MODIFIER_ABSOLUTE)
        value = ag_ir_unary(program, AG_IR_ABS, value);
    if (o->modifier & AGPU_MODIFIER_NEGATE)
        value = ag_ir_unary(program, AG_IR_NEG, value);
    return value;
}

/* ---- Destinations ------------------------------------------------------------------------------------- */

void ag_ir_assign(struct ag_ir_builder *builder, const struct agpu_instruction *insn, uint32_t id,
                  uint32_t mask, struct ag_ir_expr *value)
{
    struct ag_ir_stmt *stmt = ag_ir_emit(builder, AG_IR_ASSIGN, insn->offset);
    if (stmt == NULL)
        return;
    stmt->value = value;
    stmt->precise = insn->precise;
    uint32_t lane = 0;
    for (uint32_t c = 0; c < 4; c++) {
        if (mask >> c & 1) {
            stmt->target[lane] = id;
            stmt->target_component[lane++] = (uint8_t)c;
        }
    }
}

static void set_element(struct ag_ir_builder *builder, const struct agpu_instruction *insn, uint32_t array,
                        struct ag_ir_expr *index, uint32_t mask, struct ag_ir_expr *value)
{
    struct ag_ir_stmt *stmt = ag_ir_emit(builder, AG_IR_SET_ELEMENT, insn->offset);
    if (stmt == NULL)
        return;
    stmt->array = array;
    stmt->index = index;
    stmt->value = value;
    builder->program->arrays.data[array].used = true;
    uint32_t lane = 0;
    for (uint32_t c = 0; c < 4; c++)
        if (mask >> c & 1)
            stmt->target_component[lane++] = (uint8_t)c;
}

static bool write_output(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                         const struct agpu_operand *o, uint32_t mask, struct ag_ir_expr *value)
{
    uint64_t number = o->index[0].immediate;
    if (o->index_count != 1 || number >= AGPU_MAX_REGISTERS)
        return false;
    uint32_t array = builder->output_array[number];
    if (array != AG_IR_NONE) {
        struct agpu_operand_index inside = o->index[0];
        inside.immediate = number - builder->program->arrays.data[array].number;
        set_element(builder, insn, array, ag_ir_build_index(builder, insn, &inside), mask, value);
        return true;
    }
    if (o->index[0].relative != NULL || builder->output_register[number] == AG_IR_NONE)
        return false;
    ag_ir_assign(builder, insn, builder->output_register[number], mask, value);
    return true;
}

static bool write_to(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                     const struct agpu_operand *o, uint32_t mask, struct ag_ir_expr *value)
{
    uint64_t number = o->index[0].immediate;
    switch ((enum agpu_operand_type)o->type) {
    case AGPU_OPERAND_TEMP:
        if (o->index_count != 1 || o->index[0].relative != NULL || number >= builder->temp_count)
            return false;
        ag_ir_assign(builder, insn, builder->temp_base + (uint32_t)number, mask, value);
        return true;
    case AGPU_OPERAND_OUTPUT:
        return write_output(builder, insn, o, mask, value);
    case AGPU_OPERAND_INDEXABLE_TEMP:
        if (o->index_count != 2 || o->index[0].relative != NULL ||
            ag_ir_indexable_array(builder, number) == AG_IR_NONE)
            return false;
        set_element(builder, insn, ag_ir_indexable_array(builder, number),
                    ag_ir_build_index(builder, insn, &o->index[1]), mask, value);
        return true;
    case AGPU_OPERAND_OUTPUT_DEPTH:
    case AGPU_OPERAND_OUTPUT_DEPTH_GREATER_EQUAL:
    case AGPU_OPERAND_OUTPUT_DEPTH_LESS_EQUAL:
        if (builder->special_output[AG_IR_SPECIAL_DEPTH] == AG_IR_NONE)
            return false;
        ag_ir_assign(builder, insn, builder->special_output[AG_IR_SPECIAL_DEPTH], 1, value);
        return true;
    case AGPU_OPERAND_OUTPUT_COVERAGE_MASK:
        if (builder->special_output[AG_IR_SPECIAL_COVERAGE] == AG_IR_NONE)
            return false;
        ag_ir_assign(builder, insn, builder->special_output[AG_IR_SPECIAL_COVERAGE], 1, value);
        return true;
    default:
        return false;
    }
}

void ag_ir_write(struct ag_ir_builder *builder, const struct agpu_instruction *insn, uint32_t operand,
                 struct ag_ir_expr *value)
{
    if (operand >= insn->operand_count)
        return;
    const struct agpu_operand *o = &insn->operands[operand];
    uint32_t mask = ag_ir_destination_mask(o);
    if (mask == 0)
        return;
    uint32_t width = ag_ir_lane_count(mask);
    if (value->width != width)
        value = ag_ir_splat(builder->program, value, width);
    if (insn->saturate)
        value = ag_ir_unary(builder->program, AG_IR_SATURATE, value);
    if (!write_to(builder, insn, o, mask, value))
        ag_ir_refuse(builder->program, AGPU_DIAG_TRANSLATE_OPERAND, insn->offset,
                     "%s writes to a register of type %u that was not declared or cannot be written",
                     agpu_opcode_info(insn->opcode)->mnemonic, o->type);
}

struct ag_ir_expr *ag_ir_scratch(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                                 struct ag_ir_expr *value)
{
    struct ag_ir_program *program = builder->program;
    uint32_t id = ag_ir_add_register(program, AG_IR_REGISTER_SCRATCH, (uint32_t)program->registers.count);
    ag_ir_assign(builder, insn, id, (1u << value->width) - 1, value);
    return ag_ir_read(program, id, value->width);
}
