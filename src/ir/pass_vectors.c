/* SPDX-License-Identifier: MIT
 *
 * Variables that were components of one register and are written by exactly the same statements become one
 * vector. "Exactly the same" is decided by two independent hashes of the set of statements; two sets that
 * hash alike would make one variable too many of one, which is clumsy but not wrong.
 */
#include "ir/pass.h"

struct web {
    uint64_t sum, mix; /* of the writing statements */
    uint32_t register_id, variable;
    uint8_t component;
};

/* Webs with the same writers, by component. */
struct group {
    const struct web *webs[4];
    uint8_t first;
};

struct vectors {
    struct agpu_ir_program *program;
    struct web *webs; /* by variable */
    uint32_t *vector; /* variable to new variable */
    uint8_t *lane;
    uint64_t statement;
    struct group *groups;
    uint32_t group_count;
    uint32_t *slots; /* a hash table: one more than the number of a group */
    size_t slot_mask;
};

static uint64_t scramble(uint64_t x)
{
    x ^= x >> 30;
    x *= UINT64_C(0xbf58476d1ce4e5b9);
    x ^= x >> 27;
    x *= UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static void note_writes(void *user, struct agpu_ir_stmt *stmt)
{
    struct vectors *vectors = user;
    if (stmt->kind != AGPU_IR_ASSIGN)
        return;
    uint64_t statement = ++vectors->statement;
    uint64_t sum = scramble(statement * 2), mix = scramble(statement * 2 + 1);
    for (uint32_t i = 0; i < stmt->value->width; i++) {
        if (stmt->target[i] == AGPU_IR_NONE)
            continue;
        struct web *web = &vectors->webs[stmt->target[i]];
        web->sum += sum;
        web->mix ^= mix;
    }
}

/* The group that a web belongs to or begins. */
static struct group *find_group(struct vectors *vectors, const struct web *web)
{
    uint64_t slot = (web->sum ^ web->mix ^ scramble(web->register_id)) & vectors->slot_mask;
    for (;; slot = (slot + 1) & vectors->slot_mask) {
        if (vectors->slots[slot] == 0) {
            vectors->slots[slot] = ++vectors->group_count;
            return &vectors->groups[vectors->group_count - 1];
        }
        struct group *group = &vectors->groups[vectors->slots[slot] - 1];
        const struct web *first = group->webs[group->first];
        if (first->register_id == web->register_id && first->sum == web->sum && first->mix == web->mix &&
            group->webs[web->component] == NULL)
            return group;
    }
}

/* The webs of a group, in order of their components, become one variable: that of the first. */
static void join_webs(struct vectors *vectors, const struct group *group)
{
    struct agpu_ir_program *program = vectors->program;
    uint32_t into = group->webs[group->first]->variable, width = 0;
    struct agpu_ir_variable *variable = &program->variables.data[into];
    for (uint32_t c = 0; c < 4; c++) {
        const struct web *part = group->webs[c];
        if (part == NULL)
            continue;
        vectors->vector[part->variable] = into;
        vectors->lane[part->variable] = (uint8_t)width;
        variable->register_component[width++] = (uint8_t)c;
        variable->needs_zero = variable->needs_zero || program->variables.data[part->variable].needs_zero;
    }
    variable->width = (uint8_t)width;
}

static void add_web(struct vectors *vectors, const struct web *web)
{
    struct group *group = find_group(vectors, web);
    if (group->webs[group->first] == NULL || web->component < group->first)
        group->first = web->component;
    group->webs[web->component] = web;
}

static void make_vectors(struct vectors *vectors, size_t count)
{
    struct agpu_ir_program *program = vectors->program;
    size_t slots = 16;
    while (slots < count * 2)
        slots *= 2;
    vectors->groups = AGPU_ARENA_ARRAY(program->arena, struct group, count);
    vectors->slots = AGPU_ARENA_ARRAY(program->arena, uint32_t, slots);
    vectors->slot_mask = slots - 1;
    if (vectors->groups == NULL || vectors->slots == NULL) {
        agpu_ir_no_memory(program);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const struct web *web = &vectors->webs[i];
        bool is_written = (web->sum | web->mix) != 0;
        vectors->vector[i] = (uint32_t)i;
        if (is_written && !program->variables.data[i].is_input)
            add_web(vectors, web);
    }
    for (uint32_t i = 0; i < vectors->group_count; i++)
        join_webs(vectors, &vectors->groups[i]);
}

static void rename_reads(struct vectors *vectors, struct agpu_ir_expr *expr)
{
    for (uint32_t i = 0; i < expr->arg_count; i++)
        rename_reads(vectors, expr->args[i]);
    for (uint32_t i = 0; expr->op == AGPU_IR_READ && i < expr->width; i++) {
        uint32_t id = expr->u.id[i];
        if (id == AGPU_IR_NONE || vectors->program->variables.data[id].is_input)
            continue;
        expr->u.id[i] = vectors->vector[id];
        expr->component[i] = vectors->lane[id];
    }
}

static void rename_root(void *user, struct agpu_ir_stmt *stmt, struct agpu_ir_expr **expr)
{
    (void)stmt;
    rename_reads(user, *expr);
}

static void rename_statement(void *user, struct agpu_ir_stmt *stmt)
{
    struct vectors *vectors = user;
    agpu_ir_visit_roots(vectors->program, stmt, rename_root, vectors);
    for (uint32_t i = 0; stmt->kind == AGPU_IR_ASSIGN && i < stmt->value->width; i++) {
        if (stmt->target[i] == AGPU_IR_NONE)
            continue;
        stmt->target_component[i] = vectors->lane[stmt->target[i]];
        stmt->target[i] = vectors->vector[stmt->target[i]];
    }
}

void agpu_ir_pass_vectors(struct agpu_ir_program *program)
{
    size_t count = program->variables.count;
    struct vectors vectors = {.program = program};
    vectors.webs = AGPU_ARENA_ARRAY(program->arena, struct web, count);
    vectors.vector = AGPU_ARENA_ARRAY(program->arena, uint32_t, count);
    vectors.lane = AGPU_ARENA_ARRAY(program->arena, uint8_t, count);
    if (vectors.webs == NULL || vectors.vector == NULL || vectors.lane == NULL) {
        agpu_ir_no_memory(program);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const struct agpu_ir_variable *variable = &program->variables.data[i];
        vectors.webs[i] = (struct web){
            .register_id = variable->register_id,
            .variable = (uint32_t)i,
            .component = variable->register_component[0],
        };
    }
    agpu_ir_walk(program->body, note_writes, &vectors);
    make_vectors(&vectors, count);
    if (program->status == AGPU_OK)
        agpu_ir_walk(program->body, rename_statement, &vectors);
}
