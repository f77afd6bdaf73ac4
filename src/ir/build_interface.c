/* SPDX-License-Identifier: MIT
 *
 * Class linkage: `fcall` becomes a switch over the function tables that the interface lists, with the method
 * of each table inlined. The draw decides which table an interface slot has (decision L4).
 */
#include <stdlib.h>

#include "ir/build.h"

#define MAX_SLOTS 4096

/* The data of an interface declaration: first slot, number of call sites, table count and array length in one
 * dword, and the tables. */
static uint32_t table_count(const struct agpu_instruction *dcl)
{
    uint32_t count = dcl->data_count > 2 ? dcl->data[2] & 0xffff : 0;
    return count < dcl->data_count - 3 ? count : dcl->data_count - 3;
}

void ag_ir_declare_interface(struct ag_ir_builder *builder, const struct agpu_instruction *dcl)
{
    uint64_t end = dcl->data_count < 3 ? UINT64_MAX : (uint64_t)dcl->data[0] + (dcl->data[2] >> 16);
    if (end > MAX_SLOTS) {
        ag_ir_refuse(builder->program, AGPU_DIAG_TRANSLATE_LIMIT, dcl->offset, "an interface beyond slot %d",
                     MAX_SLOTS);
        return;
    }
    if (end > builder->program->instance_slots)
        builder->program->instance_slots = (uint32_t)end;
}

static uint64_t key_of(uint16_t opcode, uint64_t number)
{
    return (uint64_t)opcode << 32 | (uint32_t)number;
}

void ag_ir_note_interface(struct ag_ir_builder *builder, uint32_t at)
{
    const struct agpu_instruction *dcl = &builder->source->instructions[at];
    bool counts = dcl->opcode == AGPU_OP_DCL_INTERFACE || dcl->opcode == AGPU_OP_DCL_FUNCTION_TABLE;
    if (!counts || dcl->data_count < 3)
        return;
    struct ag_ir_interface row = {key_of(dcl->opcode, dcl->data[0]), at};
    if (!ag_vec_push(&builder->interfaces, row))
        ag_ir_no_memory(builder->program);
}

static int compare_rows(const void *a, const void *b)
{
    const struct ag_ir_interface *x = a, *y = b;
    return x->key != y->key ? (x->key > y->key) - (x->key < y->key) : (x->at > y->at) - (x->at < y->at);
}

void ag_ir_sort_interfaces(struct ag_ir_builder *builder)
{
    if (builder->interfaces.count > 0)
        qsort(builder->interfaces.data, builder->interfaces.count, sizeof builder->interfaces.data[0],
              compare_rows);
}

/* The first declaration with a number. */
static struct ag_ir_interface *find_row(const struct ag_ir_builder *builder, uint16_t opcode, uint64_t number)
{
    size_t low = 0, high = builder->interfaces.count;
    uint64_t key = key_of(opcode, number);
    while (low < high && number <= UINT32_MAX) {
        size_t middle = low + (high - low) / 2;
        if (builder->interfaces.data[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < builder->interfaces.count && builder->interfaces.data[low].key == key;
    return found ? &builder->interfaces.data[low] : NULL;
}

static const struct agpu_instruction *find_declaration(const struct ag_ir_builder *builder, uint16_t opcode,
                                                       uint64_t number)
{
    const struct ag_ir_interface *row = find_row(builder, opcode, number);
    return row == NULL ? NULL : &builder->source->instructions[row->at];
}

static const struct agpu_instruction *called_interface(const struct ag_ir_builder *builder,
                                                       const struct agpu_instruction *insn)
{
    if (insn->operand_count == 0 || insn->operands[0].index_count < 2)
        return NULL;
    return find_declaration(builder, AGPU_OP_DCL_INTERFACE, insn->operands[0].index[0].immediate);
}

uint32_t ag_ir_fcall_tables(const struct ag_ir_builder *builder, const struct agpu_instruction *insn)
{
    const struct agpu_instruction *dcl = called_interface(builder, insn);
    return dcl == NULL ? 0 : table_count(dcl);
}

uint32_t ag_ir_fcall_body(const struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                          uint32_t index)
{
    const struct agpu_instruction *dcl = called_interface(builder, insn);
    const struct agpu_instruction *table =
        find_declaration(builder, AGPU_OP_DCL_FUNCTION_TABLE, dcl->data[3 + index]);
    uint32_t site = insn->data_count > 0 ? insn->data[0] : UINT32_MAX;
    if (table == NULL || site >= table->data[1] || site >= table->data_count - 2)
        return AG_IR_NONE;
    return AG_IR_FUNCTION_BODY(table->data[2 + site]);
}

/* One case of the switch: calls the method that a function table has for this call site. */
static struct ag_ir_case *build_case(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                                     uint32_t table, uint32_t body)
{
    struct ag_ir_program *program = builder->program;
    struct ag_ir_case *c = AG_ARENA_NEW(program->arena, struct ag_ir_case);
    uint32_t *label = AG_ARENA_NEW(program->arena, uint32_t);
    if (c == NULL || label == NULL) {
        ag_ir_no_memory(program);
        return NULL;
    }
    if (body == AG_IR_NONE) {
        ag_ir_refuse(program, AGPU_DIAG_TRANSLATE_FLOW, insn->offset,
                     "function table %u has nothing for call site %u", table,
                     insn->data_count > 0 ? insn->data[0] : UINT32_MAX);
        return NULL;
    }
    struct ag_ir_block *outer = builder->block;
    *label = table;
    c->labels = label;
    c->label_count = 1;
    c->body = ag_ir_block_new(program, outer);
    builder->block = c->body;
    ag_ir_build_call(builder, insn, body);
    builder->block = outer;
    return c;
}

/* The indices of an interface's tables without repetitions; null when memory runs out. */
static uint32_t *distinct_tables(struct ag_ir_builder *builder, const struct agpu_instruction *dcl,
                                 uint32_t *count)
{
    uint32_t *indices = AG_ARENA_ARRAY(builder->program->arena, uint32_t, table_count(dcl));
    *count = 0;
    builder->fcalls++;
    for (uint32_t i = 0; indices != NULL && i < table_count(dcl); i++) {
        struct ag_ir_interface *row = find_row(builder, AGPU_OP_DCL_FUNCTION_TABLE, dcl->data[3 + i]);
        if (row != NULL && row->fcall == builder->fcalls)
            continue;
        if (row != NULL)
            row->fcall = builder->fcalls;
        indices[(*count)++] = i;
    }
    if (indices == NULL)
        ag_ir_no_memory(builder->program);
    return indices;
}

void ag_ir_build_fcall(struct ag_ir_builder *builder, const struct agpu_instruction *insn)
{
    struct ag_ir_program *program = builder->program;
    const struct agpu_operand *o = &insn->operands[0];
    const struct agpu_instruction *dcl = called_interface(builder, insn);
    if (dcl == NULL) {
        ag_ir_refuse(program, AGPU_DIAG_TRANSLATE_FLOW, insn->offset, "a call of no declared interface");
        return;
    }
    struct agpu_operand_index slot = o->index[1];
    slot.immediate += dcl->data[0];
    struct ag_ir_stmt *stmt = ag_ir_emit(builder, AG_IR_SWITCH, insn->offset);
    if (stmt == NULL)
        return;
    stmt->value = ag_ir_unary(program, AG_IR_INSTANCE_TABLE, ag_ir_build_index(builder, insn, &slot));
    struct ag_ir_case **tail = &stmt->cases;
    uint32_t count;
    const uint32_t *tables = distinct_tables(builder, dcl, &count);
    for (uint32_t i = 0; i < count && program->status == AGPU_OK; i++) {
        struct ag_ir_case *c =
            build_case(builder, insn, dcl->data[3 + tables[i]], ag_ir_fcall_body(builder, insn, tables[i]));
        if (c == NULL)
            return;
        *tail = c;
        tail = &c->next;
    }
    ag_ir_add_empty_default(builder, tail);
    builder->dead = false;
}
