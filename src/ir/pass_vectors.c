/* SPDX-License-Identifier: MIT
 *
 * Variables that were components of one register and are written by exactly the same statements become one
 * vector. "Exactly the same" is decided by two independent hashes of the set of statements; two sets that
 * hash alike would make one variable too many of one, which is clumsy but not wrong.
 */
#include <stdlib.h>

#include "ir/pass.h"

struct web {
    uint64_t sum, mix; /* of the writing statements */
    uint32_t register_id, variable;
    uint8_t component;
};

struct vectors {
    struct agpu_ir_program *program;
    struct web *webs; /* by variable */
    uint32_t *vector; /* variable to new variable */
    uint8_t *lane;
    uint64_t statement;
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
    vectors->statement++;
    for (uint32_t i = 0; stmt->kind == AGPU_IR_ASSIGN && i < stmt->value->width; i++) {
        if (stmt->target[i] == AGPU_IR_NONE)
            continue;
        struct web *web = &vectors->webs[stmt->target[i]];
        web->sum += scramble(vectors->statement * 2);
        web->mix ^= scramble(vectors->statement * 2 + 1);
    }
}

static int compare_webs(const void *a, const void *b)
{
    const struct web *x = a, *y = b;
    if (x->register_id != y->register_id)
        return x->register_id < y->register_id ? -1 : 1;
    if (x->sum != y->sum)
        return x->sum < y->sum ? -1 : 1;
    if (x->mix != y->mix)
        return x->mix < y->mix ? -1 : 1;
    if (x->component != y->component)
        return x->component < y->component ? -1 : 1;
    return (x->variable > y->variable) - (x->variable < y->variable);
}

static bool same_writers(const struct web *a, const struct web *b)
{
    return a->register_id == b->register_id && a->sum == b->sum && a->mix == b->mix &&
           a->component < b->component;
}

static void make_vectors(struct vectors *vectors, size_t count)
{
    struct agpu_ir_program *program = vectors->program;
    qsort(vectors->webs, count, sizeof vectors->webs[0], compare_webs);
    for (size_t i = 0, end; i < count && program->status == AGPU_OK; i = end) {
        const struct web *web = &vectors->webs[i];
        for (end = i + 1; end < count && same_writers(&vectors->webs[end - 1], &vectors->webs[end]); end++)
            ;
        uint32_t into = web->variable;
        struct agpu_ir_variable *variable = &program->variables.data[into];
        vectors->vector[into] = into;
        if (variable->is_input)
            continue;
        for (size_t k = i; k < end; k++) {
            const struct web *part = &vectors->webs[k];
            vectors->vector[part->variable] = into;
            vectors->lane[part->variable] = (uint8_t)(k - i);
            variable->register_component[k - i] = part->component;
            variable->needs_zero = variable->needs_zero || program->variables.data[part->variable].needs_zero;
        }
        variable->width = (uint8_t)(end - i);
    }
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
