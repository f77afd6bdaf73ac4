/* SPDX-License-Identifier: MIT
 *
 * Class linkage: `fcall` becomes a switch over the function tables that an interface lists, with the body of
 * each inlined. Which table an interface slot has is known when the draw is made (decision L4).
 */
#include "ir/build.h"

#define MAX_SLOTS 4096

/* Interface declarations have: first slot, call sites, tables and array length, the tables. */
static uint32_t table_count(const struct agpu_instruction *dcl)
{
    uint32_t count = dcl->data_count > 2 ? dcl->data[2] & 0xffff : 0;
    return count < dcl->data_count - 3 ? count : dcl->data_count - 3;
}

void agpu_ir_declare_interface(struct agpu_ir_builder *builder, const struct agpu_instruction *dcl)
{
    uint64_t end = dcl->data_count < 3 ? UINT64_MAX : (uint64_t)dcl->data[0] + (dcl->data[2] >> 16);
    if (end > MAX_SLOTS) {
        agpu_ir_refuse(builder->program, AGPU_DIAG_TRANSLATE_LIMIT, dcl->offset,
                       "an interface beyond slot %d", MAX_SLOTS);
        return;
    }
    if (end > builder->program->instance_slots)
        builder->program->instance_slots = (uint32_t)end;
}

static const struct agpu_instruction *find_declaration(const struct agpu_ir_builder *builder, uint16_t opcode,
                                                       uint64_t number)
{
    for (uint32_t i = 0; i < builder->source->instruction_count; i++) {
        const struct agpu_instruction *dcl = &builder->source->instructions[i];
        if (dcl->opcode == opcode && dcl->data_count > 2 && dcl->data[0] == number)
            return dcl;
    }
    return NULL;
}

/* One case: the body that a function table has for the call site. */
static struct agpu_ir_case *build_case(struct agpu_ir_builder *builder, const struct agpu_instruction *insn,
                                       uint32_t table)
{
    struct agpu_ir_program *program = builder->program;
    const struct agpu_instruction *dcl = find_declaration(builder, AGPU_OP_DCL_FUNCTION_TABLE, table);
    uint32_t site = insn->data_count > 0 ? insn->data[0] : UINT32_MAX;
    struct agpu_ir_case *c = AGPU_ARENA_NEW(program->arena, struct agpu_ir_case);
    uint32_t *label = AGPU_ARENA_NEW(program->arena, uint32_t);
    if (c == NULL || label == NULL) {
        agpu_ir_no_memory(program);
        return NULL;
    }
    if (dcl == NULL || site >= dcl->data[1] || site >= dcl->data_count - 2) {
        agpu_ir_refuse(program, AGPU_DIAG_TRANSLATE_FLOW, insn->offset,
                       "function table %u has nothing for call site %u", table, site);
        return NULL;
    }
    struct agpu_ir_block *outer = builder->block;
    *label = table;
    c->labels = label;
    c->label_count = 1;
    c->body = agpu_ir_block_new(program, outer);
    builder->block = c->body;
    agpu_ir_build_call(builder, insn, AGPU_IR_FUNCTION_BODY(dcl->data[2 + site]));
    builder->block = outer;
    return c;
}

void agpu_ir_build_fcall(struct agpu_ir_builder *builder, const struct agpu_instruction *insn)
{
    struct agpu_ir_program *program = builder->program;
    const struct agpu_operand *o = &insn->operands[0];
    const struct agpu_instruction *dcl =
        insn->operand_count == 0 || o->index_count < 2
            ? NULL
            : find_declaration(builder, AGPU_OP_DCL_INTERFACE, o->index[0].immediate);
    if (dcl == NULL) {
        agpu_ir_refuse(program, AGPU_DIAG_TRANSLATE_FLOW, insn->offset, "a call of no declared interface");
        return;
    }
    struct agpu_operand_index slot = o->index[1];
    slot.immediate += dcl->data[0];
    struct agpu_ir_stmt *stmt = agpu_ir_emit(builder, AGPU_IR_SWITCH, insn->offset);
    if (stmt == NULL)
        return;
    stmt->value = agpu_ir_unary(program, AGPU_IR_INSTANCE_TABLE, agpu_ir_build_index(builder, insn, &slot));
    struct agpu_ir_case **tail = &stmt->cases;
    for (uint32_t i = 0; i < table_count(dcl) && program->status == AGPU_OK; i++) {
        bool seen = false;
        for (uint32_t k = 0; k < i; k++)
            seen = seen || dcl->data[3 + k] == dcl->data[3 + i];
        struct agpu_ir_case *c = seen ? NULL : build_case(builder, insn, dcl->data[3 + i]);
        if (c == NULL)
            continue;
        *tail = c;
        tail = &c->next;
    }
    agpu_ir_add_empty_default(builder, tail);
    builder->dead = false;
}
