/* SPDX-License-Identifier: MIT
 *
 * Textures, buffers, views and samplers that are indexed at run time. WGSL has no arrays of resources, so the
 * instruction is repeated in the cases of a switch, once for each resource that the operand can mean
 * (decision L5). An index out of range reads 0 and writes nothing. Constant buffers are chosen by a function
 * of the module: an instruction may read several, and its copies would multiply.
 */
#include "ir/build.h"

#define MAX_CHOICES 128
/* Copies of instructions in a program. A texture and a sampler chosen by one instruction multiply. */
#define MAX_COPIES 8192

/* Which index of a resource operand is the register; in shader model 5.1 the range's number comes first. */
static uint32_t register_index_of(const struct ag_ir_builder *builder)
{
    return builder->program->major == 5 && builder->program->minor >= 1 ? 1 : 0;
}

static bool is_dynamic(const struct ag_ir_builder *builder, const struct agpu_operand *o)
{
    uint32_t which = register_index_of(builder);
    bool is_resource = o->type == AGPU_OPERAND_SAMPLER || o->type == AGPU_OPERAND_RESOURCE ||
                       o->type == AGPU_OPERAND_UNORDERED_ACCESS_VIEW;
    return is_resource && o->index_count > which && o->index[which].relative != NULL;
}

static bool compares(const struct ag_ir_row *row)
{
    enum ag_ir_op op = (enum ag_ir_op)(row->build == ag_ir_build_feedback ? ag_ir_rows[row->op].op : row->op);
    return op == AG_IR_SAMPLE_CMP || op == AG_IR_SAMPLE_CMP_LEVEL || op == AG_IR_GATHER_CMP ||
           op == AG_IR_GATHER_PO_CMP;
}

/* Whether the operand can mean a declared resource: in 5.1 one of its range, otherwise one of its kind. */
static bool can_mean(const struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                     const struct ag_ir_row *row, const struct agpu_operand *o,
                     const struct ag_ir_resource *resource)
{
    if (resource->space != (uint8_t)ag_ir_space_of((enum agpu_operand_type)o->type))
        return false;
    if (register_index_of(builder) == 1)
        return resource->id == (uint32_t)o->index[0].immediate;
    if (o->type == AGPU_OPERAND_SAMPLER)
        return resource->is_comparison == compares(row);
    return !insn->has_dimension || insn->dimension == resource->dimension;
}

/* A copy of the instruction with one operand replaced; null when memory runs out. */
static struct agpu_instruction *replace(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                                        uint32_t operand, const struct agpu_operand *by)
{
    struct agpu_instruction *copy =
        ag_arena_memdup(builder->program->arena, insn, sizeof *insn, alignof(struct agpu_instruction));
    struct agpu_operand *operands =
        ag_arena_memdup(builder->program->arena, insn->operands,
                        insn->operand_count * sizeof insn->operands[0], alignof(struct agpu_operand));
    if (copy == NULL || operands == NULL) {
        ag_ir_no_memory(builder->program);
        return NULL;
    }
    operands[operand] = *by;
    copy->operands = operands;
    return copy;
}

/* The default case, for an index out of range. */
static void write_zeros(struct ag_ir_builder *builder, const struct agpu_instruction *insn)
{
    const char *kinds = agpu_opcode_info(insn->opcode)->operands;
    for (uint32_t i = 0; i < insn->operand_count && kinds[0] == 'D'; i++, kinds += 3) {
        uint32_t mask = ag_ir_destination_mask(&insn->operands[i]);
        if (kinds[1] != 'R' && mask != 0)
            ag_ir_write(builder, insn, i, ag_ir_const(builder->program, ag_ir_lane_count(mask), 0));
        if (kinds[2] == '\0')
            break;
    }
}

static struct ag_ir_case *add_case(struct ag_ir_builder *builder, struct ag_ir_case ***tail,
                                   const struct ag_ir_resource *resource)
{
    struct ag_arena *arena = builder->program->arena;
    struct ag_ir_case *c = AG_ARENA_NEW(arena, struct ag_ir_case);
    uint32_t *label = AG_ARENA_NEW(arena, uint32_t);
    if (c == NULL || label == NULL) {
        ag_ir_no_memory(builder->program);
        return NULL;
    }
    c->is_default = resource == NULL;
    c->label_count = resource == NULL ? 0 : 1;
    *label = resource == NULL ? 0 : resource->slot;
    c->labels = label;
    c->body = ag_ir_block_new(builder->program, builder->block);
    **tail = c;
    *tail = &c->next;
    return c;
}

static bool count_choice(struct ag_ir_builder *builder, const struct agpu_instruction *insn, uint32_t choices)
{
    if (choices <= MAX_CHOICES && ++builder->copies <= MAX_COPIES)
        return true;
    ag_ir_refuse(builder->program, AGPU_DIAG_TRANSLATE_LIMIT, insn->offset,
                 "%s chooses among more than %d resources, or the program among more than %d",
                 agpu_opcode_info(insn->opcode)->mnemonic, MAX_CHOICES, MAX_COPIES);
    return false;
}

static void build_choice(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                         const struct ag_ir_row *row, uint32_t operand)
{
    struct ag_ir_program *program = builder->program;
    struct ag_ir_block *outer = builder->block;
    const struct agpu_operand *o = &insn->operands[operand];
    uint32_t which = register_index_of(builder), choices = 0;
    struct ag_ir_stmt *stmt = ag_ir_emit(builder, AG_IR_SWITCH, insn->offset);
    if (stmt == NULL)
        return;
    stmt->value = ag_ir_build_index(builder, insn, &o->index[which]);
    struct ag_ir_case **tail = &stmt->cases;
    for (size_t i = 0; i < program->resources.count && program->status == AGPU_OK; i++) {
        if (!can_mean(builder, insn, row, o, &program->resources.data[i]))
            continue;
        struct agpu_operand fixed = *o;
        fixed.index[which].relative = NULL;
        fixed.index[which].immediate = program->resources.data[i].slot;
        const struct agpu_instruction *with = replace(builder, insn, operand, &fixed);
        struct ag_ir_case *c = add_case(builder, &tail, &program->resources.data[i]);
        if (with == NULL || c == NULL)
            return;
        if (!count_choice(builder, insn, ++choices))
            return;
        builder->block = c->body;
        ag_ir_build_instruction(builder, with, row);
        builder->block = outer;
    }
    struct ag_ir_case *c = add_case(builder, &tail, NULL);
    if (c == NULL)
        return;
    builder->block = c->body;
    write_zeros(builder, insn);
    builder->block = outer;
    if (choices == 0)
        ag_ir_warn(program, AGPU_DIAG_TRANSLATE_IGNORED, insn->offset,
                   "%s chooses a resource at run time, but none that fits is declared: it reads 0",
                   agpu_opcode_info(insn->opcode)->mnemonic);
}

void ag_ir_build_instruction(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                             const struct ag_ir_row *row)
{
    for (uint32_t i = 0; i < insn->operand_count; i++) {
        if (is_dynamic(builder, &insn->operands[i])) {
            build_choice(builder, insn, row, i);
            return;
        }
    }
    row->build(builder, insn, row);
}
