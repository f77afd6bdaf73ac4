/* SPDX-License-Identifier: MIT
 *
 * Joins variables that were components of one register and are written by the same statements into one vector
 * variable.
 *
 * Of variables that several statements write, the set of these is compared by two independent 64-bit hashes.
 * If two different sets ever had equal hashes, the vector would only be written in parts, which is correct
 * code all the same.
 */
#include "ir/pass.h"

/* A hash of the set of statements that write a variable. */
struct writers {
    uint64_t sum, mix;
};

/* Variables of one register with the same writers, which become one vector. */
struct group {
    uint32_t variable[4]; /* by component of the register, or AG_IR_NONE */
    uint32_t first;       /* the variable of the lowest component */
};

struct vectors {
    struct ag_ir_program *program;
    uint32_t *write_counts;  /* by variable: how many statements write it */
    uint32_t written_often;  /* how many variables more than one statement writes */
    struct writers *writers; /* by variable, of those */
    uint32_t *vector;        /* by old variable: the vector that replaces the variable */
    uint8_t *lane;
    uint64_t statement;
    struct group *groups;
    uint32_t group_count;
    uint32_t *slots; /* an open-addressing hash table of group indices plus one; 0 is free */
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

static void count_writes(struct vectors *vectors, const struct ag_ir_stmt *stmt)
{
    for (uint32_t i = 0; i < stmt->value->width; i++) {
        const uint32_t id = stmt->target[i];
        if (id == AG_IR_NONE || ++vectors->write_counts[id] != 2)
            continue;
        vectors->writers[id] = (struct writers){0};
        vectors->written_often++;
    }
}

static void note_writes(struct vectors *vectors, const struct ag_ir_stmt *stmt)
{
    const uint64_t statement = ++vectors->statement;
    for (uint32_t i = 0; i < stmt->value->width; i++) {
        if (stmt->target[i] == AG_IR_NONE || vectors->write_counts[stmt->target[i]] < 2)
            continue;
        struct writers *writers = &vectors->writers[stmt->target[i]];
        writers->sum += scramble(statement * 2);
        writers->mix ^= scramble(statement * 2 + 1);
    }
}

static bool belongs(const struct vectors *vectors, const struct group *group, uint32_t id, uint32_t component)
{
    const struct ag_ir_variable *variables = vectors->program->variables.data;
    const struct writers *mine = &vectors->writers[id], *theirs = &vectors->writers[group->first];
    return variables[group->first].register_id == variables[id].register_id && theirs->sum == mine->sum &&
           theirs->mix == mine->mix && group->variable[component] == AG_IR_NONE;
}

/* The group of variables that a variable fits into; a new group if there is none. */
static struct group *find_group(struct vectors *vectors, uint32_t id, uint32_t component)
{
    const struct writers *writers = &vectors->writers[id];
    uint32_t register_id = vectors->program->variables.data[id].register_id;
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

/* Turns the first variable of a group into the vector that replaces all of them. */
static void join_variables(struct vectors *vectors, const struct group *group)
{
    struct ag_ir_program *program = vectors->program;
    uint32_t into = group->first, width = 0;
    struct ag_ir_variable *variable = &program->variables.data[into];
    for (uint32_t c = 0; c < 4; c++) {
        uint32_t part = group->variable[c];
        if (part == AG_IR_NONE)
            continue;
        vectors->vector[part] = into;
        vectors->lane[part] = (uint8_t)width;
        variable->register_component[width++] = (uint8_t)c;
        variable->needs_zero = variable->needs_zero || program->variables.data[part].needs_zero;
    }
    variable->width = (uint8_t)width;
}

static void add_variable(struct vectors *vectors, uint32_t id)
{
    const struct ag_ir_variable *variables = vectors->program->variables.data;
    uint32_t component = variables[id].register_component[0];
    struct group *group = find_group(vectors, id, component);
    if (component < variables[group->first].register_component[0])
        group->first = id;
    group->variable[component] = id;
}

static void make_vectors(struct vectors *vectors, size_t count)
{
    struct ag_ir_program *program = vectors->program;
    size_t slots = 16;
    while (slots < (size_t)vectors->written_often * 2)
        slots *= 2;
    vectors->groups = ag_arena_alloc_raw(program->arena, vectors->written_often * sizeof *vectors->groups,
                                         alignof(struct group));
    vectors->slots = AG_ARENA_ARRAY(program->arena, uint32_t, slots);
    vectors->slot_mask = slots - 1;
    if (vectors->groups == NULL || vectors->slots == NULL) {
        ag_ir_no_memory(program);
        return;
    }
    for (size_t i = 0; i < count; i++)
        if (vectors->write_counts[i] > 1 && !program->variables.data[i].is_input)
            add_variable(vectors, (uint32_t)i);
    for (uint32_t i = 0; i < vectors->group_count; i++)
        join_variables(vectors, &vectors->groups[i]);
}

/* Joins what this statement alone writes. */
static void join_targets(struct vectors *vectors, const struct ag_ir_stmt *stmt)
{
    const struct ag_ir_variable *variables = vectors->program->variables.data;
    const uint32_t width = stmt->value->width;
    uint32_t joined = 0;
    for (uint32_t i = 0; width > 1 && i < width; i++) {
        const uint32_t first = stmt->target[i];
        if (joined >> i & 1 || first == AG_IR_NONE || vectors->write_counts[first] != 1)
            continue;
        struct group group = {
            {AG_IR_NONE, AG_IR_NONE, AG_IR_NONE, AG_IR_NONE},
            first
        };
        for (uint32_t k = i; k < width; k++) {
            const uint32_t id = stmt->target[k];
            if (id == AG_IR_NONE || vectors->write_counts[id] != 1 ||
                variables[id].register_id != variables[first].register_id)
                continue;
            const uint32_t component = variables[id].register_component[0];
            if (component < variables[group.first].register_component[0])
                group.first = id;
            group.variable[component] = id;
            joined |= 1u << k;
        }
        join_variables(vectors, &group);
    }
}

static void rename_read(const struct vectors *vectors, struct ag_ir_expr *read)
{
    for (uint32_t i = 0; read->op == AG_IR_READ && i < read->width; i++) {
        const uint32_t id = read->u.id[i];
        if (id == AG_IR_NONE || vectors->program->variables.data[id].is_input)
            continue;
        read->u.id[i] = vectors->vector[id];
        read->component[i] = vectors->lane[id];
    }
}

static void rename_targets(const struct vectors *vectors, struct ag_ir_stmt *stmt)
{
    for (uint32_t i = 0; i < stmt->value->width; i++) {
        if (stmt->target[i] == AG_IR_NONE)
            continue;
        stmt->target_component[i] = vectors->lane[stmt->target[i]];
        stmt->target[i] = vectors->vector[stmt->target[i]];
    }
}

void ag_ir_pass_vectors(struct ag_ir_program *program)
{
    size_t count = program->variables.count;
    struct vectors vectors = {.program = program};
    vectors.write_counts = AG_ARENA_ARRAY(program->arena, uint32_t, count);
    vectors.writers =
        ag_arena_alloc_raw(program->arena, count * sizeof *vectors.writers, alignof(struct writers));
    vectors.vector = ag_arena_alloc_raw(program->arena, count * sizeof *vectors.vector, alignof(uint32_t));
    vectors.lane = AG_ARENA_ARRAY(program->arena, uint8_t, count);
    if (vectors.write_counts == NULL || vectors.writers == NULL || vectors.vector == NULL ||
        vectors.lane == NULL) {
        ag_ir_no_memory(program);
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        vectors.vector[i] = i;
    for (size_t i = 0; i < program->assigns.count; i++)
        count_writes(&vectors, program->assigns.data[i]);
    for (size_t i = 0; vectors.written_often != 0 && i < program->assigns.count; i++)
        note_writes(&vectors, program->assigns.data[i]);
    make_vectors(&vectors, count);
    if (program->status != AGPU_OK)
        return;
    for (size_t i = 0; i < program->assigns.count; i++)
        join_targets(&vectors, program->assigns.data[i]);
    for (size_t i = 0; i < program->assigns.count; i++)
        rename_targets(&vectors, program->assigns.data[i]);
    for (size_t i = 0; i < program->reads.count; i++)
        rename_read(&vectors, program->reads.data[i]);
    program->lists_reads = false;
}
