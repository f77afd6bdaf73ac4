/* SPDX-License-Identifier: MIT
 *
 * Makes variables of webs: those that are components of one register and are written by the same statements
 * become one vector.
 *
 * Of webs that several statements write, the set of these is compared by two independent 64-bit hashes.
 * If two different sets ever had equal hashes, the vector would only be written in parts, which is correct
 * code all the same.
 */
#include <string.h>

#include "ir/pass.h"

/* A hash of the set of statements that write a web. */
struct writers {
    uint64_t sum, mix;
};

/* Webs of one register with the same writers, which become one vector. */
struct group {
    uint32_t web[4]; /* by component of the register, or AG_IR_NONE */
    uint32_t first;  /* the web of the lowest component */
};

struct targets {
    uint32_t id[4];
};

struct vectors {
    struct ag_ir_program *program;
    struct targets *targets; /* of program->assigns, close together */
    /* By the number that reads and targets have for a web: */
    uint32_t *write_counts;  /* how many statements write it */
    struct writers *writers; /* of those that more than one statement writes */
    uint32_t *vector;        /* the web of the lowest component of the vector that it becomes a part of */
    uint8_t *lane;           /* its component there */
    uint32_t *variable;      /* of webs that are the lowest component: the vector's number */
    uint32_t written_often;  /* how many webs more than one statement writes */
    uint64_t statement;
    struct group *groups;
    uint32_t group_count;
    uint32_t *slots; /* an open-addressing hash table of group indices plus one; 0 is free */
    size_t slot_mask;
};

static struct ag_ir_web web_of(const struct vectors *vectors, uint32_t id)
{
    return vectors->program->webs[id - vectors->program->variables.count];
}

static uint64_t scramble(uint64_t x)
{
    x ^= x >> 30;
    x *= UINT64_C(0xbf58476d1ce4e5b9);
    x ^= x >> 27;
    x *= UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static void note_targets(struct vectors *vectors, struct targets *targets, const struct ag_ir_stmt *stmt)
{
    memcpy(targets->id, stmt->target, sizeof targets->id);
    for (uint32_t i = 0; i < 4; i++)
        if (targets->id[i] != AG_IR_NONE && ++vectors->write_counts[targets->id[i]] == 2) {
            vectors->writers[targets->id[i]] = (struct writers){0};
            vectors->written_often++;
        }
}

static void note_writes(struct vectors *vectors, const struct targets *targets)
{
    const uint64_t statement = ++vectors->statement;
    for (uint32_t i = 0; i < 4; i++) {
        if (targets->id[i] == AG_IR_NONE || vectors->write_counts[targets->id[i]] < 2)
            continue;
        struct writers *writers = &vectors->writers[targets->id[i]];
        writers->sum += scramble(statement * 2);
        writers->mix ^= scramble(statement * 2 + 1);
    }
}

static bool belongs(const struct vectors *vectors, const struct group *group, uint32_t id, uint32_t component)
{
    const struct writers *mine = &vectors->writers[id], *theirs = &vectors->writers[group->first];
    return web_of(vectors, group->first).register_id == web_of(vectors, id).register_id &&
           theirs->sum == mine->sum && theirs->mix == mine->mix && group->web[component] == AG_IR_NONE;
}

/* The group of webs that a web fits into; a new group if there is none. */
static struct group *find_group(struct vectors *vectors, uint32_t id, uint32_t component)
{
    const struct writers *writers = &vectors->writers[id];
    const uint32_t register_id = web_of(vectors, id).register_id;
    uint64_t slot = (writers->sum ^ writers->mix ^ scramble(register_id)) & vectors->slot_mask;
    for (;; slot = (slot + 1) & vectors->slot_mask) {
        if (vectors->slots[slot] == 0) {
            struct group *group = &vectors->groups[vectors->group_count++];
            *group = (struct group){
                {AG_IR_NONE, AG_IR_NONE, AG_IR_NONE, AG_IR_NONE},
                id
            };
            vectors->slots[slot] = vectors->group_count;
            return group;
        }
        struct group *group = &vectors->groups[vectors->slots[slot] - 1];
        if (belongs(vectors, group, id, component))
            return group;
    }
}

static void join_webs(struct vectors *vectors, const struct group *group)
{
    uint8_t width = 0;
    for (uint32_t c = 0; c < 4; c++) {
        if (group->web[c] == AG_IR_NONE)
            continue;
        vectors->vector[group->web[c]] = group->first;
        vectors->lane[group->web[c]] = width++;
    }
}

static void add_web(struct vectors *vectors, uint32_t id)
{
    const uint32_t component = web_of(vectors, id).component;
    struct group *group = find_group(vectors, id, component);
    if (component < web_of(vectors, group->first).component)
        group->first = id;
    group->web[component] = id;
}

/* Joins what several statements write. */
static bool join_groups(struct vectors *vectors, uint32_t first, uint32_t end)
{
    struct ag_arena *arena = vectors->program->arena;
    size_t slots = 16;
    while (slots < (size_t)vectors->written_often * 2)
        slots *= 2;
    vectors->groups =
        ag_arena_alloc_raw(arena, vectors->written_often * sizeof *vectors->groups, alignof(struct group));
    vectors->slots = AG_ARENA_ARRAY(arena, uint32_t, slots);
    vectors->slot_mask = slots - 1;
    if (vectors->groups == NULL || vectors->slots == NULL)
        return false;
    for (size_t i = 0; i < vectors->program->assigns.count; i++)
        note_writes(vectors, &vectors->targets[i]);
    for (uint32_t id = first; id < end; id++)
        if (vectors->write_counts[id] > 1)
            add_web(vectors, id);
    for (uint32_t i = 0; i < vectors->group_count; i++)
        join_webs(vectors, &vectors->groups[i]);
    return true;
}

/* Joins what one statement alone writes. */
static void join_targets(struct vectors *vectors, const struct targets *targets)
{
    uint32_t joined = 0;
    if ((targets->id[1] & targets->id[2] & targets->id[3]) == AG_IR_NONE)
        return;
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t first = targets->id[i];
        if (joined >> i & 1 || first == AG_IR_NONE || vectors->write_counts[first] != 1)
            continue;
        struct group group = {
            {AG_IR_NONE, AG_IR_NONE, AG_IR_NONE, AG_IR_NONE},
            first
        };
        for (uint32_t k = i; k < 4; k++) {
            const uint32_t id = targets->id[k];
            if (id == AG_IR_NONE || vectors->write_counts[id] != 1 ||
                web_of(vectors, id).register_id != web_of(vectors, first).register_id)
                continue;
            const uint32_t component = web_of(vectors, id).component;
            if (component < web_of(vectors, group.first).component)
                group.first = id;
            group.web[component] = id;
            joined |= 1u << k;
        }
        join_webs(vectors, &group);
    }
}

/* Makes the variables of vectors that somebody writes, in the order of their lowest webs. */
static void make_variables(struct vectors *vectors, uint32_t first, uint32_t end)
{
    struct ag_ir_program *program = vectors->program;
    uint32_t count = first;
    for (uint32_t id = first; id < end; id++)
        if (vectors->write_counts[id] != 0 && vectors->vector[id] == id)
            vectors->variable[id] = count++;
    if (count == first)
        return;
    if (!ag_vec_reserve(&program->variables, count)) {
        ag_ir_no_memory(program);
        return;
    }
    memset(program->variables.data + first, 0, (count - first) * sizeof program->variables.data[0]);
    for (uint32_t id = first; id < end; id++) {
        if (vectors->write_counts[id] == 0)
            continue;
        const struct ag_ir_web web = program->webs[id - first];
        struct ag_ir_variable *variable = &program->variables.data[vectors->variable[vectors->vector[id]]];
        variable->register_id = web.register_id;
        variable->register_component[vectors->lane[id]] = web.component;
        if (variable->width <= vectors->lane[id])
            variable->width = vectors->lane[id] + 1u;
        variable->needs_zero = variable->needs_zero || web.needs_zero;
    }
    program->variables.count = count;
}

static void rename_read(const struct vectors *vectors, struct ag_ir_expr *read, uint32_t first)
{
    for (uint32_t i = 0; read->op == AG_IR_READ && i < read->width; i++) {
        const uint32_t id = read->u.id[i];
        if (id == AG_IR_NONE || id < first)
            continue;
        read->u.id[i] = vectors->variable[vectors->vector[id]];
        read->component[i] = vectors->lane[id];
    }
}

static void rename_targets(const struct vectors *vectors, struct ag_ir_stmt *stmt,
                           const struct targets *targets)
{
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t id = targets->id[i];
        if (id == AG_IR_NONE)
            continue;
        stmt->target_component[i] = vectors->lane[id];
        stmt->target[i] = vectors->variable[vectors->vector[id]];
    }
}

static bool start(struct vectors *vectors, uint32_t count)
{
    struct ag_arena *arena = vectors->program->arena;
    vectors->targets = ag_arena_alloc_raw(arena, vectors->program->assigns.count * sizeof *vectors->targets,
                                          alignof(struct targets));
    vectors->write_counts = AG_ARENA_ARRAY(arena, uint32_t, count);
    vectors->writers = ag_arena_alloc_raw(arena, count * sizeof *vectors->writers, alignof(struct writers));
    vectors->vector = ag_arena_alloc_raw(arena, count * sizeof *vectors->vector, alignof(uint32_t));
    vectors->variable = AG_ARENA_ARRAY(arena, uint32_t, count);
    vectors->lane = AG_ARENA_ARRAY(arena, uint8_t, count);
    return vectors->targets != NULL && vectors->write_counts != NULL && vectors->writers != NULL &&
           vectors->vector != NULL && vectors->variable != NULL && vectors->lane != NULL;
}

void ag_ir_pass_vectors(struct ag_ir_program *program)
{
    const uint32_t first = (uint32_t)program->variables.count, end = first + program->web_count;
    struct vectors vectors = {.program = program};
    if (!start(&vectors, end)) {
        ag_ir_no_memory(program);
        return;
    }
    for (uint32_t i = 0; i < end; i++)
        vectors.vector[i] = i;
    for (size_t i = 0; i < program->assigns.count; i++)
        note_targets(&vectors, &vectors.targets[i], program->assigns.data[i]);
    if (vectors.written_often != 0 && !join_groups(&vectors, first, end)) {
        ag_ir_no_memory(program);
        return;
    }
    for (size_t i = 0; i < program->assigns.count; i++)
        join_targets(&vectors, &vectors.targets[i]);
    make_variables(&vectors, first, end);
    if (program->status != AGPU_OK)
        return;
    for (size_t i = 0; i < program->assigns.count; i++)
        rename_targets(&vectors, program->assigns.data[i], &vectors.targets[i]);
    for (size_t i = 0; i < program->reads.count; i++)
        rename_read(&vectors, program->reads.data[i], first);
    program->lists_reads = false;
    program->webs = NULL;
    program->web_count = 0;
}
