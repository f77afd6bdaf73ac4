/* SPDX-License-Identifier: MIT
 *
 * Thread groups that are larger than the device's workgroups: an invocation then stands for several threads.
 *
 * A program without barriers is simply run once for each of these threads. In one with barriers, the
 * statements between two barriers become a loop over the threads (THREADS), and what outlives such a loop has
 * a value for each of them. All threads go together through what ag_ir_pass_uniform() found to be shared;
 * such control flow stays outside of the loops, and the first thread of the invocation decides.
 */
#include "ir/pass.h"

/* ---- The workgroup ------------------------------------------------------------------------------------ */

static uint32_t least(uint32_t a, uint32_t limit)
{
    return limit != 0 && limit < a ? limit : a;
}

/* As few turns as there can be; up to twice as many if no turn is then idle. */
static uint32_t choose_turns(uint32_t threads, uint32_t invocations)
{
    const uint32_t fewest = (threads + invocations - 1) / invocations;
    for (uint32_t turns = fewest; turns <= fewest * 2; turns++)
        if (threads % turns == 0)
            return turns;
    return fewest;
}

void ag_ir_choose_workgroup(struct ag_ir_program *program, const struct ag_workgroup_limits *limits)
{
    const uint32_t *group = program->thread_group;
    const uint32_t threads = group[0] * group[1] * group[2];
    bool fits = threads == least(threads, limits->invocations);
    for (uint32_t i = 0; i < 3; i++) {
        program->workgroup[i] = group[i];
        fits = fits && group[i] == least(group[i], limits->size[i]);
    }
    if (program->stage != AGPU_STAGE_COMPUTE || threads == 0 || fits)
        return;
    const uint32_t invocations = least(least(threads, limits->invocations), limits->size[0]);
    program->turns = choose_turns(threads, invocations);
    program->workgroup[0] = (threads + program->turns - 1) / program->turns;
    program->workgroup[1] = program->workgroup[2] = 1;
    program->has_idle_turns = program->workgroup[0] * program->turns != threads;
    if (program->loop_budget != 0) /* the threads of an invocation share one */
        program->loop_budget = program->loop_budget <= UINT32_MAX / program->turns
                                   ? program->loop_budget * program->turns
                                   : UINT32_MAX;
}

/* ---- Statements of ours ------------------------------------------------------------------------------- */

static uint32_t new_flag(struct ag_ir_program *program, const char *prefix)
{
    const uint32_t id = ag_ir_add_variable(program, AG_IR_BOOL, 1);
    const char *name = ag_arena_printf(program->arena, "%s%u", prefix, id);
    if (name == NULL)
        ag_ir_no_memory(program);
    if (program->status == AGPU_OK) {
        program->variables.data[id].needs_zero = true;
        program->variables.data[id].name = name;
    }
    return id;
}

static struct ag_ir_expr *read_flag(struct ag_ir_program *program, uint32_t flag)
{
    struct ag_ir_expr *read = ag_ir_read(program, flag, 1);
    read->type = AG_IR_BOOL;
    return read;
}

static void set_flag(struct ag_ir_program *program, struct ag_ir_block *block, uint32_t flag, bool value,
                     uint32_t offset)
{
    struct ag_ir_stmt *assign = ag_ir_append(program, block, AG_IR_ASSIGN, offset);
    if (assign == NULL)
        return;
    assign->value = ag_ir_const(program, 1, value ? UINT32_MAX : 0);
    assign->target[0] = flag;
}

/* Appends: if the flag is set, jump. */
static void jump_if(struct ag_ir_program *program, struct ag_ir_block *block, uint32_t flag,
                    enum ag_ir_stmt_kind jump, uint32_t offset)
{
    struct ag_ir_stmt *test = ag_ir_append(program, block, AG_IR_IF, offset);
    if (test == NULL)
        return;
    test->value = read_flag(program, flag);
    test->body = ag_ir_block_new(program, block);
    ag_ir_append(program, test->body, jump, offset);
}

static struct ag_ir_stmt *take_all(struct ag_ir_block *block)
{
    struct ag_ir_stmt *first = block->first;
    block->first = block->last = NULL;
    return first;
}

static void move(struct ag_ir_stmt *stmt, struct ag_ir_block *block)
{
    stmt->block = block;
    stmt->next = NULL;
    if (block->last == NULL)
        block->first = stmt;
    else
        block->last->next = stmt;
    block->last = stmt;
    if (stmt->body != NULL)
        stmt->body->parent = block;
    if (stmt->otherwise != NULL)
        stmt->otherwise->parent = block;
    for (struct ag_ir_case *c = stmt->cases; c != NULL; c = c->next)
        c->body->parent = block;
}

/* ---- Jumps out of the loop over the threads ------------------------------------------------------------ */

struct threads {
    struct ag_ir_program *program;
    uint32_t returned; /* a truth value: the thread has returned. AG_IR_NONE: none has so far */
    uint32_t left;     /* the same of the switch around, which all threads run together */
};

/* Where a jump stands. */
struct place {
    bool in_loop;   /* in a loop of a single thread, out of which no CONTINUE leads to the next thread */
    bool in_switch; /* in a switch of a single thread, which takes its breaks */
};

static bool has_returns(const struct ag_ir_stmt *stmt)
{
    return ag_ir_stmt_jumps(stmt, (struct ag_ir_jumps){.returns = true});
}

static void lower_jumps(struct threads *threads, struct ag_ir_block *block, struct place place);

/* What leaves the loop over the threads ends it for the present thread, with a flag for what is behind. */
static void lower_jump(struct threads *threads, struct ag_ir_stmt *stmt, struct ag_ir_block *block,
                       struct place place)
{
    struct ag_ir_program *program = threads->program;
    const bool leaves_switch = stmt->kind == AG_IR_BREAK && !place.in_loop && !place.in_switch;
    if (stmt->kind != AG_IR_RETURN && !leaves_switch) {
        move(stmt, block);
        return;
    }
    uint32_t *flag = leaves_switch ? &threads->left : &threads->returned;
    if (*flag == AG_IR_NONE)
        *flag = new_flag(program, leaves_switch ? "left" : "returned");
    set_flag(program, block, *flag, true, stmt->offset);
    ag_ir_append(program, block, place.in_loop ? AG_IR_BREAK : AG_IR_CONTINUE, stmt->offset);
}

static void lower_construct(struct threads *threads, struct ag_ir_stmt *stmt, struct ag_ir_block *block,
                            struct place place)
{
    struct place inner = place;
    const bool is_left = stmt->kind == AG_IR_LOOP || (stmt->kind == AG_IR_SWITCH && place.in_loop);
    const bool returns = is_left && has_returns(stmt);
    inner.in_loop = place.in_loop || stmt->kind == AG_IR_LOOP;
    inner.in_switch = place.in_switch || stmt->kind == AG_IR_SWITCH;
    move(stmt, block);
    if (stmt->body != NULL)
        lower_jumps(threads, stmt->body, inner);
    if (stmt->otherwise != NULL)
        lower_jumps(threads, stmt->otherwise, inner);
    for (struct ag_ir_case *c = stmt->cases; c != NULL; c = c->next)
        lower_jumps(threads, c->body, inner);
    if (returns)
        jump_if(threads->program, block, threads->returned, place.in_loop ? AG_IR_BREAK : AG_IR_CONTINUE,
                stmt->offset);
}

static void lower_jumps(struct threads *threads, struct ag_ir_block *block, struct place place)
{
    struct ag_ir_stmt *next, *stmt = take_all(block);
    for (; stmt != NULL && threads->program->status == AGPU_OK; stmt = next) {
        next = stmt->next;
        if (stmt->body != NULL || stmt->cases != NULL)
            lower_construct(threads, stmt, block, place);
        else
            lower_jump(threads, stmt, block, place);
    }
}

/* ---- Loops over the threads ---------------------------------------------------------------------------- */

/* Whether the statement stands outside of the loops. */
static bool stays_outside(const struct ag_ir_stmt *stmt)
{
    switch ((enum ag_ir_stmt_kind)stmt->kind) {
    case AG_IR_BARRIER:
        return stmt->sync & AGPU_SYNC_THREADS_IN_GROUP;
    case AG_IR_BREAK:
    case AG_IR_CONTINUE:
    case AG_IR_RETURN:
        return true;
    default:
        return stmt->is_shared;
    }
}

static struct ag_ir_block *open_threads(struct threads *threads, struct ag_ir_block *block, uint32_t offset)
{
    struct ag_ir_program *program = threads->program;
    struct ag_ir_stmt *loop = ag_ir_append(program, block, AG_IR_THREADS, offset);
    if (loop == NULL)
        return NULL;
    loop->body = ag_ir_block_new(program, block);
    if (program->status != AGPU_OK)
        return NULL;
    if (threads->returned != AG_IR_NONE)
        jump_if(program, loop->body, threads->returned, AG_IR_CONTINUE, offset);
    if (threads->left != AG_IR_NONE)
        jump_if(program, loop->body, threads->left, AG_IR_CONTINUE, offset);
    return loop->body;
}

static void split_block(struct threads *threads, struct ag_ir_block *block);

/* A switch that all threads run together. Threads that leave it by themselves have a flag, which is false in
 * front of the switch. */
static void split_switch(struct threads *threads, struct ag_ir_stmt *stmt, struct ag_ir_block *block)
{
    const uint32_t around = threads->left;
    struct ag_ir_block reset = {0};
    uint32_t used = AG_IR_NONE;
    for (struct ag_ir_case *c = stmt->cases; c != NULL; c = c->next) {
        threads->left = AG_IR_NONE;
        split_block(threads, c->body);
        if (threads->left == AG_IR_NONE)
            continue;
        used = threads->left;
        set_flag(threads->program, &reset, used, false, stmt->offset);
    }
    threads->left = around;
    if (used != AG_IR_NONE) {
        struct ag_ir_block *body = open_threads(threads, block, stmt->offset);
        struct ag_ir_stmt *next, *first = take_all(&reset);
        for (; first != NULL && body != NULL; first = next) {
            next = first->next;
            move(first, body);
        }
    }
    move(stmt, block);
}

static void split_construct(struct threads *threads, struct ag_ir_stmt *stmt, struct ag_ir_block *block)
{
    if (stmt->kind == AG_IR_SWITCH) {
        split_switch(threads, stmt, block);
        return;
    }
    const uint32_t around = threads->left;
    if (stmt->kind == AG_IR_LOOP)
        threads->left = AG_IR_NONE;
    move(stmt, block);
    if (stmt->body != NULL)
        split_block(threads, stmt->body);
    if (stmt->otherwise != NULL)
        split_block(threads, stmt->otherwise);
    if (stmt->kind == AG_IR_LOOP)
        threads->left = around;
}

static void split_block(struct threads *threads, struct ag_ir_block *block)
{
    struct ag_ir_block *body = NULL;
    struct ag_ir_stmt *next, *stmt = take_all(block);
    for (; stmt != NULL && threads->program->status == AGPU_OK; stmt = next) {
        next = stmt->next;
        if (stays_outside(stmt)) {
            split_construct(threads, stmt, block);
            body = NULL;
            continue;
        }
        if (body == NULL)
            body = open_threads(threads, block, stmt->offset);
        if (body == NULL)
            return;
        if (stmt->body != NULL || stmt->cases != NULL)
            lower_construct(threads, stmt, body, (struct place){false, false});
        else
            move(stmt, body);
    }
}

static void set_depth(struct ag_ir_block *block, uint32_t depth)
{
    block->depth = depth;
    for (struct ag_ir_stmt *stmt = block->first; stmt != NULL; stmt = stmt->next) {
        if (stmt->body != NULL)
            set_depth(stmt->body, depth + 1);
        if (stmt->otherwise != NULL)
            set_depth(stmt->otherwise, depth + 1);
        for (struct ag_ir_case *c = stmt->cases; c != NULL; c = c->next)
            set_depth(c->body, depth + 1);
    }
}

static void find_barrier(void *user, struct ag_ir_stmt *stmt)
{
    bool *found = user;
    *found = *found || (stmt->kind == AG_IR_BARRIER && (stmt->sync & AGPU_SYNC_THREADS_IN_GROUP));
}

void ag_ir_pass_threads(struct ag_ir_program *program)
{
    struct threads threads = {.program = program, .returned = AG_IR_NONE, .left = AG_IR_NONE};
    if (program->turns <= 1)
        return;
    ag_ir_walk(program->body, find_barrier, &program->has_turn_loops);
    if (!program->has_turn_loops)
        return;
    split_block(&threads, program->body);
    if (program->status == AGPU_OK)
        set_depth(program->body, 0);
}
