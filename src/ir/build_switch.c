/* SPDX-License-Identifier: MIT
 *
 * Switches. WGSL has no fall through. Cases that fall into one another are merged into one case, in which
 * every body is guarded by a test of whether control entered at or before the body.
 */
#include <stdlib.h>
#include <string.h>

#include "ir/build.h"

static bool is_label(uint16_t opcode)
{
    return opcode == AGPU_OP_CASE || opcode == AGPU_OP_DEFAULT;
}

uint32_t ag_ir_read_labels(struct ag_ir_builder *builder, uint32_t at, struct ag_ir_case *c,
                           bool *has_default)
{
    const struct agpu_instruction *insns = builder->source->instructions;
    uint32_t end = at, count = 0;
    for (; is_label(insns[end].opcode); end++) {
        count += insns[end].opcode == AGPU_OP_CASE;
        if (insns[end].opcode != AGPU_OP_DEFAULT)
            continue;
        if (*has_default)
            ag_ir_flow_error(builder, insns[end].offset, "a switch has two defaults");
        *has_default = c->is_default = true;
    }
    uint32_t *labels = AG_ARENA_ARRAY(builder->program->arena, uint32_t, count);
    if (labels == NULL) {
        ag_ir_no_memory(builder->program);
        return end;
    }
    for (uint32_t i = at; i < end; i++) {
        if (insns[i].opcode != AGPU_OP_CASE)
            continue;
        if (insns[i].operand_count == 0 || insns[i].operands[0].type != AGPU_OPERAND_IMMEDIATE32)
            ag_ir_flow_error(builder, insns[i].offset, "a case label is not a literal");
        else
            labels[c->label_count++] = insns[i].operands[0].immediate[0];
    }
    c->labels = labels;
    return end;
}

/* Builds the body of one case. `falls`: control may fall through into the next case. */
static struct ag_ir_block *build_case(struct ag_ir_builder *builder, uint32_t at, bool *falls)
{
    struct ag_ir_block *outer = builder->block;
    struct ag_ir_block *block = ag_ir_block_new(builder->program, outer);
    builder->block = block;
    builder->dead = false;
    at = ag_ir_build_flow(builder, at);
    *falls = !builder->dead && builder->source->instructions[at].opcode != AGPU_OP_ENDSWITCH;
    builder->block = outer;
    return block;
}

bool ag_ir_add_empty_default(struct ag_ir_builder *builder, struct ag_ir_case **tail)
{
    struct ag_ir_case *c = AG_ARENA_NEW(builder->program->arena, struct ag_ir_case);
    if (c == NULL) {
        ag_ir_no_memory(builder->program);
        return false;
    }
    c->is_default = true;
    c->body = ag_ir_block_new(builder->program, builder->block);
    *tail = c;
    return true;
}

static int compare_labels(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* D3D's compiler obeys these rules, but a hostile stream may not. */
bool ag_ir_check_cases(struct ag_ir_builder *builder, const struct ag_ir_stmt *stmt)
{
    uint32_t count = 0;
    for (const struct ag_ir_case *c = stmt->cases; c != NULL; c = c->next)
        count += c->label_count;
    uint32_t *labels = AG_ARENA_ARRAY(builder->program->arena, uint32_t, count);
    if (labels == NULL) {
        ag_ir_no_memory(builder->program);
        return false;
    }
    count = 0;
    for (const struct ag_ir_case *c = stmt->cases; c != NULL; c = c->next)
        for (uint32_t i = 0; i < c->label_count; i++)
            labels[count++] = c->labels[i];
    qsort(labels, count, sizeof labels[0], compare_labels);
    for (uint32_t i = 1; i < count; i++)
        if (labels[i] == labels[i - 1])
            return ag_ir_flow_error(builder, stmt->offset, "a switch has one label twice");
    return count <= 1000 || ag_ir_flow_error(builder, stmt->offset, "a switch has more than 1000 labels");
}

/* ---- Falling through ---------------------------------------------------------------------------------- */

static void set_depth(void *user, struct ag_ir_stmt *stmt)
{
    uint32_t depth = stmt->block->depth + 1;
    (void)user;
    if (stmt->body != NULL)
        stmt->body->depth = depth;
    if (stmt->otherwise != NULL)
        stmt->otherwise->depth = depth;
    for (struct ag_ir_case *c = stmt->cases; c != NULL; c = c->next)
        c->body->depth = depth;
}

static void move_block(struct ag_ir_block *block, struct ag_ir_block *parent)
{
    block->parent = parent;
    block->depth = parent->depth + 1;
    ag_ir_walk(block, set_depth, NULL);
}

static struct ag_ir_stmt *set_entry(struct ag_ir_builder *builder, uint32_t entry, uint32_t value,
                                    uint32_t offset)
{
    struct ag_ir_stmt *stmt = ag_ir_emit(builder, AG_IR_ASSIGN, offset);
    if (stmt == NULL)
        return NULL;
    stmt->value = ag_ir_const(builder->program, 1, value);
    stmt->target[0] = entry;
    return stmt;
}

/* Builds a switch of its own that sets `entry` to the number of the body at which control enters. */
static bool find_entry(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                       const struct ag_ir_case *run, const struct ag_ir_case *end, uint32_t entry)
{
    struct ag_ir_block *outer = builder->block;
    struct ag_ir_expr *selector = ag_ir_source(builder, insn, 0, 'i', 1);
    struct ag_ir_stmt *stmt = ag_ir_emit(builder, AG_IR_SWITCH, insn->offset);
    if (stmt == NULL)
        return false;
    stmt->value = selector;
    struct ag_ir_case **tail = &stmt->cases;
    bool has_default = false, good = true;
    uint32_t number = 0;
    for (const struct ag_ir_case *c = run; good && c != end; c = c->next, number++) {
        struct ag_ir_case *copy = AG_ARENA_NEW(builder->program->arena, struct ag_ir_case);
        if (copy == NULL) {
            ag_ir_no_memory(builder->program);
            return false;
        }
        *copy = *c;
        copy->next = NULL;
        copy->body = builder->block = ag_ir_block_new(builder->program, outer);
        has_default = has_default || c->is_default;
        good = set_entry(builder, entry, number, insn->offset) != NULL;
        *tail = copy;
        tail = &copy->next;
    }
    builder->block = outer;
    return good && (has_default || ag_ir_add_empty_default(builder, tail));
}

/* Wraps a body in `if (number >= entry)`: control entered at this body or before it. */
static void guard_body(struct ag_ir_builder *builder, uint32_t entry, uint32_t number,
                       struct ag_ir_block *body, uint32_t offset)
{
    struct ag_ir_stmt *stmt = ag_ir_emit(builder, AG_IR_IF, offset);
    if (stmt == NULL)
        return;
    stmt->value = ag_ir_binary(builder->program, AG_IR_UGE, ag_ir_const(builder->program, 1, number),
                               ag_ir_read(builder->program, entry, 1));
    stmt->body = body;
    move_block(body, builder->block);
}

/* Merges the cases from `run` up to `end` into one case. */
static void join_cases(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                       struct ag_ir_case *run, struct ag_ir_case *end)
{
    struct ag_ir_program *program = builder->program;
    struct ag_ir_block *outer = builder->block, *block = ag_ir_block_new(program, outer);
    uint32_t entry = ag_ir_add_register(program, AG_IR_REGISTER_SCRATCH, (uint32_t)program->registers.count);
    uint32_t label_count = 0, number = 0;
    for (const struct ag_ir_case *c = run; c != end; c = c->next)
        label_count += c->label_count;
    uint32_t *labels = AG_ARENA_ARRAY(program->arena, uint32_t, label_count);
    builder->block = block;
    if (labels == NULL)
        ag_ir_no_memory(program);
    if (program->status != AGPU_OK || set_entry(builder, entry, 0, insn->offset) == NULL ||
        !find_entry(builder, insn, run, end, entry))
        return;
    label_count = 0;
    for (struct ag_ir_case *c = run; c != end; c = c->next, number++) {
        guard_body(builder, entry, number, c->body, insn->offset);
        if (c->label_count > 0)
            memcpy(labels + label_count, c->labels, c->label_count * sizeof labels[0]);
        label_count += c->label_count;
        run->is_default = run->is_default || c->is_default;
    }
    builder->block = outer;
    run->labels = labels;
    run->label_count = label_count;
    run->body = block;
    run->next = end;
}

/* ---- The whole ---------------------------------------------------------------------------------------- */

/* Builds the cases from instruction `at`, and returns the index of the end of the switch. */
static uint32_t build_cases(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                            struct ag_ir_stmt *stmt, uint32_t at)
{
    const struct agpu_instruction *insns = builder->source->instructions;
    struct ag_ir_case **tail = &stmt->cases, *run = NULL;
    bool has_default = false;
    while (builder->program->status == AGPU_OK && insns[at].opcode != AGPU_OP_ENDSWITCH) {
        struct ag_ir_case *c = AG_ARENA_NEW(builder->program->arena, struct ag_ir_case);
        if (c == NULL) {
            ag_ir_no_memory(builder->program);
            break;
        }
        *tail = c;
        tail = &c->next;
        uint32_t body = ag_ir_read_labels(builder, at, c, &has_default);
        bool falls, fell = run != NULL;
        c->body = build_case(builder, body, &falls);
        at = builder->partner[body - 1];
        if (run == NULL)
            run = c;
        if (falls)
            continue;
        if (fell && builder->program->status == AGPU_OK) {
            join_cases(builder, insn, run, NULL);
            tail = &run->next;
        }
        run = NULL;
    }
    if (!has_default)
        ag_ir_add_empty_default(builder, tail);
    return at;
}

uint32_t ag_ir_build_switch(struct ag_ir_builder *builder, uint32_t at)
{
    const struct agpu_instruction *insns = builder->source->instructions;
    struct ag_ir_stmt *stmt = ag_ir_emit(builder, AG_IR_SWITCH, insns[at].offset);
    if (stmt == NULL)
        return at + 1;
    stmt->value = ag_ir_source(builder, &insns[at], 0, 'i', 1);
    builder->switch_depth++;
    uint32_t end = builder->partner[at];
    if (end != at + 1 && !is_label(insns[at + 1].opcode))
        ag_ir_flow_error(builder, insns[at + 1].offset, "a switch starts without a case");
    end = build_cases(builder, &insns[at], stmt, end);
    builder->switch_depth--;
    builder->dead = false;
    if (builder->program->status == AGPU_OK)
        ag_ir_check_cases(builder, stmt);
    ag_ir_propagate_return(builder, &insns[at]);
    while (insns[end].opcode != AGPU_OP_ENDSWITCH)
        end = builder->partner[end];
    return end + 1;
}
