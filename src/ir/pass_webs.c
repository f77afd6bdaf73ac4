/* SPDX-License-Identifier: MIT
 *
 * Renames registers into variables: computes the webs of each register component, much as a construction of
 * SSA form with phi nodes would, and makes each web a one-lane variable.
 *
 * A web is a set of definitions that some reads connect: if a read may see two definitions, both belong to
 * one web. The walk follows control flow and keeps the current definition (a node) of each register
 * component. Where paths merge and the definitions differ, a phi node is made. A phi unites its predecessors
 * into one web only once something reads the phi.
 *
 * The cost is that of what is written, not of how many registers there are. A journal of changes restores the
 * state at the start of a branch. Jumps out of a loop or switch, and back to the head of a loop, visit only
 * the components that a log lists as changed since the previous jump to that place.
 */
#include <string.h>

#include "ir/definition.h"
#include "ir/pass.h"

#define NO_NODE UINT32_MAX
#define WORK_LIMIT (UINT64_C(1) << 27)

struct change {
    uint32_t component, node;
};

/* The definitions at the end of one path: what changed since the paths parted. */
struct path {
    struct path *next;
    struct change *changes;
    uint32_t count;
};

/* The phi of a component at the exit or the head of a frame, and the phi of an outer frame that it hides. */
struct frame_phi {
    uint32_t component, phi;
    uint32_t outer_frame, outer_phi;
};
typedef AG_VEC(struct frame_phi) frame_phis;

/* A loop or a switch that is being walked. */
struct frame {
    struct frame *outer;
    bool is_loop, is_left;
    uint32_t number;    /* unique, counted from 1 */
    size_t mark;        /* length of the journal at entry */
    size_t exit_logged; /* length of the log at the last jump to the exit */
    size_t head_logged; /* loops: length of the log at the last jump to the head */
    frame_phis exits, heads;
};

/* The innermost frame in which a component has a phi at the exit (or head), and that phi. */
struct destination {
    uint32_t frame, phi;
};

struct webs {
    struct ag_ir_program *program;
    struct ag_ir_definitions definitions;
    AG_VEC(struct change) journal; /* the previous definitions, to undo changes */
    /* The definitions that changes and undone changes replaced, within the outermost open frame. */
    AG_VEC(struct change) log;
    uint32_t *state, *stamp, *initial; /* by component; state: the current definition */
    struct destination *exit, *head;
    uint32_t generation, frame_count;
    uint32_t written; /* lanes of assignments */
    uint32_t open;    /* branches and frames whose changes may have to be undone */
    struct frame *frame;
    bool reachable;
    uint64_t work;
};

static void work(struct webs *webs, uint64_t amount)
{
    webs->work += amount;
    if (webs->work > WORK_LIMIT && webs->program->status == AGPU_OK)
        ag_ir_refuse(webs->program, AGPU_DIAG_TRANSLATE_LIMIT, AG_IR_NONE,
                     "the program's flow of control is too complex");
}

/* ---- State -------------------------------------------------------------------------------------------- */

static void add_predecessor(struct webs *webs, uint32_t phi, uint32_t node)
{
    work(webs, 1);
    ag_ir_reach(&webs->definitions, phi, node);
}

static void log_change(struct webs *webs, uint32_t component, uint32_t old)
{
    if (webs->frame != NULL && !ag_vec_push(&webs->log, (struct change){component, old}))
        ag_ir_no_memory(webs->program);
}

static void set_state(struct webs *webs, uint32_t component, uint32_t node)
{
    if (webs->open != 0) {
        if (!ag_vec_push(&webs->journal, (struct change){component, webs->state[component]}))
            ag_ir_no_memory(webs->program);
        log_change(webs, component, webs->state[component]);
    }
    webs->state[component] = node;
}

/* The initial zero of a component, made when first needed. */
static uint32_t initial_of(struct webs *webs, uint32_t component)
{
    if (webs->initial[component] == NO_NODE) {
        uint32_t node = ag_ir_define(&webs->definitions, component);
        if (webs->program->status == AGPU_OK)
            webs->definitions.all.data[node].is_initial = true;
        webs->initial[component] = node;
    }
    return webs->initial[component];
}

static uint32_t current(struct webs *webs, uint32_t component)
{
    uint32_t node = webs->state[component];
    return node == NO_NODE ? initial_of(webs, component) : node;
}

/* ---- Paths -------------------------------------------------------------------------------------------- */

static void roll_back(struct webs *webs, size_t mark)
{
    while (webs->journal.count > mark) {
        struct change old = webs->journal.data[--webs->journal.count];
        log_change(webs, old.component, webs->state[old.component]);
        webs->state[old.component] = old.node;
    }
}

/* Collects the components that have changed since `mark`, with their current definitions. */
static struct path *collect_path(struct webs *webs, size_t mark, struct path *next)
{
    struct ag_arena *arena = webs->program->arena;
    struct path *path = AG_ARENA_NEW(arena, struct path);
    size_t most = webs->journal.count - mark;
    work(webs, most);
    if (path != NULL)
        path->changes = AG_ARENA_ARRAY(arena, struct change, most);
    if (path == NULL || path->changes == NULL) {
        ag_ir_no_memory(webs->program);
        return next;
    }
    webs->generation++;
    for (size_t i = mark; i < webs->journal.count; i++) {
        uint32_t component = webs->journal.data[i].component;
        if (webs->stamp[component] == webs->generation)
            continue;
        webs->stamp[component] = webs->generation;
        path->changes[path->count++] = (struct change){component, webs->state[component]};
    }
    path->next = next;
    return path;
}

/* Continues where all paths merge. The state must be what it was before the paths parted. */
static void merge_paths(struct webs *webs, const struct path *paths)
{
    webs->reachable = paths != NULL;
    if (paths == NULL)
        return;
    if (paths->next == NULL) {
        for (uint32_t i = 0; i < paths->count; i++)
            set_state(webs, paths->changes[i].component, paths->changes[i].node);
        return;
    }
    AG_VEC(struct change) phis = {0};
    uint32_t generation = ++webs->generation, path_count = 0;
    for (const struct path *path = paths; path != NULL; path = path->next, path_count++) {
        for (uint32_t i = 0; i < path->count; i++) {
            uint32_t component = path->changes[i].component;
            if (webs->stamp[component] == generation)
                continue;
            webs->stamp[component] = generation;
            uint32_t phi = ag_ir_define_phi(&webs->definitions, component);
            if (!ag_vec_push(&phis, (struct change){component, phi}))
                ag_ir_no_memory(webs->program);
        }
    }
    for (const struct path *path = paths; path != NULL && webs->program->status == AGPU_OK;
         path = path->next) {
        size_t mark = webs->journal.count;
        webs->open++;
        for (uint32_t i = 0; i < path->count; i++)
            set_state(webs, path->changes[i].component, path->changes[i].node);
        for (size_t i = 0; i < phis.count; i++)
            add_predecessor(webs, phis.data[i].node, current(webs, phis.data[i].component));
        roll_back(webs, mark);
        webs->open--;
    }
    for (size_t i = 0; i < phis.count; i++)
        set_state(webs, phis.data[i].component, phis.data[i].node);
    ag_vec_fini(&phis);
}

/* ---- Statements --------------------------------------------------------------------------------------- */

static void resolve_read(struct webs *webs, struct ag_ir_expr *expr)
{
    if (!ag_vec_push(&webs->program->reads, expr))
        ag_ir_no_memory(webs->program);
    for (uint32_t i = 0; i < expr->width; i++) {
        if (expr->u.id[i] == AG_IR_NONE)
            continue;
        if (webs->program->registers.data[expr->u.id[i]].kind == AG_IR_REGISTER_INPUT)
            continue;
        uint32_t node = current(webs, expr->u.id[i] * 4 + expr->component[i]);
        if (webs->program->status == AGPU_OK && webs->definitions.all.data[node].is_phi)
            ag_ir_activate(&webs->definitions, node);
        expr->u.id[i] = node;
        expr->component[i] = 4; /* above 3: id is a node, no longer a register */
    }
}

static void resolve_reads(struct webs *webs, struct ag_ir_expr *expr)
{
    if (expr->op == AG_IR_READ)
        resolve_read(webs, expr);
    for (uint32_t i = 0; i < expr->arg_count; i++) {
        struct ag_ir_expr *const arg = expr->args[i];
        if (arg->op == AG_IR_READ)
            resolve_read(webs, arg);
        else if (arg->arg_count != 0)
            resolve_reads(webs, arg);
    }
}

static void visit_root(void *user, struct ag_ir_stmt *stmt, struct ag_ir_expr **expr)
{
    (void)stmt;
    resolve_reads(user, *expr);
}

static void walk_block(struct webs *webs, struct ag_ir_block *block);

static void walk_if(struct webs *webs, struct ag_ir_stmt *stmt)
{
    if (ag_ir_is_always(stmt)) {
        walk_block(webs, stmt->body);
        return;
    }
    size_t mark = webs->journal.count;
    struct path *paths = NULL;
    webs->open++;
    walk_block(webs, stmt->body);
    if (webs->reachable)
        paths = collect_path(webs, mark, paths);
    roll_back(webs, mark);
    webs->reachable = true;
    if (stmt->otherwise != NULL)
        walk_block(webs, stmt->otherwise);
    if (webs->reachable)
        paths = collect_path(webs, mark, paths);
    roll_back(webs, mark);
    webs->open--;
    merge_paths(webs, paths);
}

static void enter_frame(struct webs *webs, struct frame *frame)
{
    frame->outer = webs->frame;
    webs->open++;
    frame->number = ++webs->frame_count;
    frame->exit_logged = frame->head_logged = webs->log.count;
    webs->frame = frame;
}

static void set_destination(struct webs *webs, struct destination *destination, frame_phis *phis,
                            uint32_t frame, uint32_t component, uint32_t phi)
{
    struct frame_phi entry = {component, phi, destination->frame, destination->phi};
    *destination = (struct destination){frame, phi};
    if (!ag_vec_push(phis, entry))
        ag_ir_no_memory(webs->program);
}

/* A jump to the exit of the innermost frame. Components that changed since the last such jump pass their
 * current definitions to the phis at the exit. A component that has no phi there yet was unchanged at all
 * earlier jumps, so the new phi also gets the definition from before the change. */
static void jump_out(struct webs *webs, struct frame *frame)
{
    uint32_t generation = ++webs->generation;
    for (size_t i = frame->exit_logged; i < webs->log.count && webs->program->status == AGPU_OK; i++) {
        struct change change = webs->log.data[i];
        work(webs, 1);
        if (webs->stamp[change.component] == generation)
            continue;
        webs->stamp[change.component] = generation;
        struct destination *exit = &webs->exit[change.component];
        if (exit->frame != frame->number) {
            uint32_t phi = ag_ir_define_phi(&webs->definitions, change.component);
            if (frame->is_left)
                add_predecessor(webs, phi,
                                change.node == NO_NODE ? initial_of(webs, change.component) : change.node);
            set_destination(webs, exit, &frame->exits, frame->number, change.component, phi);
        }
        add_predecessor(webs, exit->phi, current(webs, change.component));
    }
    frame->exit_logged = webs->log.count;
    frame->is_left = true;
}

/* A jump to the head of the innermost loop. walk_loop() has made all phis there. */
static void jump_back(struct webs *webs, struct frame *loop)
{
    uint32_t generation = ++webs->generation;
    for (size_t i = loop->head_logged; i < webs->log.count && webs->program->status == AGPU_OK; i++) {
        uint32_t component = webs->log.data[i].component;
        work(webs, 1);
        if (webs->stamp[component] == generation)
            continue;
        webs->stamp[component] = generation;
        if (webs->head[component].frame == loop->number)
            add_predecessor(webs, webs->head[component].phi, current(webs, component));
    }
    loop->head_logged = webs->log.count;
}

/* Continues behind the frame, which is unreachable unless something jumped to the exit. */
static void leave_frame(struct webs *webs, struct frame *frame)
{
    webs->frame = frame->outer;
    webs->open--;
    roll_back(webs, frame->mark);
    webs->reachable = frame->is_left;
    for (size_t i = 0; i < frame->heads.count; i++) {
        const struct frame_phi *head = &frame->heads.data[i];
        webs->head[head->component] = (struct destination){head->outer_frame, head->outer_phi};
        if (frame->is_left)
            set_state(webs, head->component, head->phi);
    }
    for (size_t i = 0; i < frame->exits.count; i++) {
        const struct frame_phi *exit = &frame->exits.data[i];
        webs->exit[exit->component] = (struct destination){exit->outer_frame, exit->outer_phi};
        set_state(webs, exit->component, exit->phi);
    }
    if (webs->frame == NULL)
        webs->log.count = 0;
    ag_vec_fini(&frame->heads);
    ag_vec_fini(&frame->exits);
}

static void walk_switch(struct webs *webs, struct ag_ir_stmt *stmt)
{
    struct frame frame = {.mark = webs->journal.count};
    enter_frame(webs, &frame);
    for (struct ag_ir_case *c = stmt->cases; c != NULL; c = c->next) {
        webs->reachable = true;
        walk_block(webs, c->body);
        if (webs->reachable)
            jump_out(webs, &frame);
        roll_back(webs, frame.mark);
    }
    leave_frame(webs, &frame);
}

struct written {
    struct webs *webs;
    AG_VEC(uint32_t) components;
};

static void note_written(void *user, struct ag_ir_stmt *stmt)
{
    struct written *written = user;
    struct webs *webs = written->webs;
    for (uint32_t i = 0; stmt->kind == AG_IR_ASSIGN && i < stmt->value->width; i++) {
        uint32_t component = stmt->target[i] * 4 + stmt->target_component[i];
        if (stmt->target[i] == AG_IR_NONE || webs->stamp[component] == webs->generation)
            continue;
        webs->stamp[component] = webs->generation;
        if (!ag_vec_push(&written->components, component))
            ag_ir_no_memory(webs->program);
    }
}

static void walk_loop(struct webs *webs, struct ag_ir_stmt *stmt)
{
    struct frame frame = {.is_loop = true, .mark = webs->journal.count};
    struct written written = {.webs = webs};
    webs->generation++;
    ag_ir_walk(stmt->body, note_written, &written);
    enter_frame(webs, &frame);
    for (size_t i = 0; i < written.components.count && webs->program->status == AGPU_OK; i++) {
        uint32_t component = written.components.data[i];
        uint32_t phi = ag_ir_define_phi(&webs->definitions, component);
        add_predecessor(webs, phi, current(webs, component));
        set_destination(webs, &webs->head[component], &frame.heads, frame.number, component, phi);
        set_state(webs, component, phi);
    }
    ag_vec_fini(&written.components);
    frame.exit_logged = frame.head_logged = webs->log.count;
    walk_block(webs, stmt->body);
    if (webs->reachable)
        jump_back(webs, &frame);
    leave_frame(webs, &frame);
}

static void walk_jump(struct webs *webs, const struct ag_ir_stmt *stmt)
{
    struct frame *frame = webs->frame;
    while (stmt->kind == AG_IR_CONTINUE && frame != NULL && !frame->is_loop)
        frame = frame->outer;
    webs->reachable = false;
    if (frame == NULL || stmt->kind == AG_IR_RETURN)
        return;
    if (stmt->kind == AG_IR_BREAK)
        jump_out(webs, frame);
    else
        jump_back(webs, frame);
}

static void walk_assign(struct webs *webs, struct ag_ir_stmt *stmt)
{
    for (uint32_t i = 0; i < stmt->value->width; i++) {
        if (stmt->target[i] == AG_IR_NONE)
            continue;
        uint32_t component = stmt->target[i] * 4 + stmt->target_component[i];
        uint32_t node = ag_ir_define(&webs->definitions, component);
        set_state(webs, component, node);
        stmt->target[i] = node;
        webs->written++;
    }
    if (!ag_vec_push(&webs->program->assigns, stmt))
        ag_ir_no_memory(webs->program);
}

static void walk_block(struct webs *webs, struct ag_ir_block *block)
{
    for (struct ag_ir_stmt *stmt = block->first; stmt != NULL && webs->program->status == AGPU_OK;
         stmt = stmt->next) {
        ag_ir_visit_roots(webs->program, stmt, visit_root, webs);
        switch ((enum ag_ir_stmt_kind)stmt->kind) {
        case AG_IR_ASSIGN:
            walk_assign(webs, stmt);
            break;
        case AG_IR_IF:
            walk_if(webs, stmt);
            break;
        case AG_IR_LOOP:
            walk_loop(webs, stmt);
            break;
        case AG_IR_SWITCH:
            walk_switch(webs, stmt);
            break;
        case AG_IR_BREAK:
        case AG_IR_CONTINUE:
        case AG_IR_RETURN:
            walk_jump(webs, stmt);
            break;
        case AG_IR_EMIT:
        case AG_IR_CUT:
        case AG_IR_EVALUATE:
        case AG_IR_SET_ELEMENT:
        case AG_IR_DISCARD:
        case AG_IR_BARRIER:
        case AG_IR_THREADS: /* not yet */
            break;
        }
    }
}

/* ---- From webs to variables --------------------------------------------------------------------------- */

static uint32_t variable_of(struct webs *webs, uint32_t node)
{
    struct ag_ir_program *program = webs->program;
    struct ag_ir_definition *root = ag_ir_web_of(&webs->definitions, node);
    if (root->variable == AG_IR_NONE) {
        root->variable = (uint32_t)program->variables.count + program->web_count;
        program->webs[program->web_count++] = (struct ag_ir_web){
            .register_id = root->component / 4,
            .component = (uint8_t)(root->component % 4),
            .needs_zero = root->is_initial,
        };
    }
    return root->variable;
}

/* A read that can only see zero becomes a constant, because emitters handle constants with special care. */
static void zero_to_constant(struct ag_ir_expr *expr)
{
    for (uint32_t i = 0; i < expr->width; i++)
        if (expr->u.id[i] != AG_IR_NONE)
            return;
    expr->op = AG_IR_CONST;
    for (uint32_t i = 0; i < expr->width; i++)
        expr->u.bits[i] = 0;
}

static void rename_read(struct webs *webs, struct ag_ir_expr *expr)
{
    const struct ag_ir_program *program = webs->program;
    for (uint32_t i = 0; i < expr->width; i++) {
        if (expr->u.id[i] == AG_IR_NONE)
            continue;
        if (expr->component[i] == 4) {
            const struct ag_ir_definition *web = ag_ir_web_of(&webs->definitions, expr->u.id[i]);
            /* A web without any definition has no variable: its reads give zero. */
            expr->u.id[i] = web->variable;
            expr->component[i] = 0;
        } else {
            const struct ag_ir_register *reg = &program->registers.data[expr->u.id[i]];
            expr->u.id[i] = reg->variable[expr->component[i]];
            expr->component[i] = reg->component[expr->component[i]];
        }
    }
    zero_to_constant(expr);
}

static void name_targets(struct webs *webs, struct ag_ir_stmt *stmt)
{
    for (uint32_t i = 0; i < stmt->value->width; i++) {
        if (stmt->target[i] == AG_IR_NONE || webs->program->status != AGPU_OK)
            continue;
        stmt->target[i] = variable_of(webs, stmt->target[i]);
        stmt->target_component[i] = 0;
    }
}

/* Drops statements behind a jump in one block. The walk does not resolve them, so they would still name
 * registers. */
static void drop_unreached(void *user, struct ag_ir_stmt *stmt)
{
    (void)user;
    bool ends = stmt->kind == AG_IR_BREAK || stmt->kind == AG_IR_CONTINUE || stmt->kind == AG_IR_RETURN;
    if (ends && stmt->next != NULL) {
        stmt->next = NULL;
        stmt->block->last = stmt;
    }
}

void ag_ir_pass_webs(struct ag_ir_program *program)
{
    size_t components = program->registers.count * 4;
    struct webs webs = {.program = program, .definitions.program = program, .reachable = true};
    webs.state = ag_arena_alloc_raw(program->arena, components * sizeof *webs.state, alignof(uint32_t));
    webs.stamp = AG_ARENA_ARRAY(program->arena, uint32_t, components);
    webs.initial = ag_arena_alloc_raw(program->arena, components * sizeof *webs.initial, alignof(uint32_t));
    webs.exit = AG_ARENA_ARRAY(program->arena, struct destination, components);
    webs.head = AG_ARENA_ARRAY(program->arena, struct destination, components);
    if (webs.state == NULL || webs.stamp == NULL || webs.initial == NULL || webs.exit == NULL ||
        webs.head == NULL) {
        ag_ir_no_memory(program);
        return;
    }
    memset(webs.state, 0xff, components * sizeof webs.state[0]);
    memset(webs.initial, 0xff, components * sizeof webs.initial[0]);
    /* Most programs have no more of them; others grow. */
    if (!ag_vec_reserve(&webs.definitions.all, program->expr_count) ||
        !ag_vec_reserve(&program->reads, program->expr_count / 2) ||
        !ag_vec_reserve(&program->assigns, program->expr_count / 2))
        ag_ir_no_memory(program);
    ag_ir_walk(program->body, drop_unreached, NULL);
    walk_block(&webs, program->body);
    program->webs =
        ag_arena_alloc_raw(program->arena, webs.written * sizeof *program->webs, alignof(struct ag_ir_web));
    if (program->webs == NULL)
        ag_ir_no_memory(program);
    for (size_t i = 0; i < program->assigns.count && program->status == AGPU_OK; i++)
        name_targets(&webs, program->assigns.data[i]);
    for (size_t i = 0; i < program->reads.count && program->status == AGPU_OK; i++)
        rename_read(&webs, program->reads.data[i]);
    program->has_variables = program->lists_reads = true;
    ag_ir_definitions_fini(&webs.definitions);
    ag_vec_fini(&webs.journal);
    ag_vec_fini(&webs.log);
}
