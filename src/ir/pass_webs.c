/* SPDX-License-Identifier: MIT
 *
 * Registers become one-lane variables.
 *
 * The walk follows control flow with one current node for each register component. Where paths meet, a
 * component that differs gets a node that joins them, but joining counts only once somebody reads it. What
 * reads connect is one web, hence one variable. Each block costs what it writes, not how many registers
 * there are: a journal takes changes back. Jumps out of a loop or switch, and to the start of a loop, cost
 * what has changed since the one before them: a log remembers which components did.
 */
#include <string.h>

#include "ir/pass.h"

#define NO_NODE UINT32_MAX
#define WORK_LIMIT (UINT64_C(1) << 27)

struct predecessor {
    struct predecessor *next;
    uint32_t node;
};

struct node {
    uint32_t parent;    /* union-find */
    uint32_t component; /* register * 4 + component */
    bool is_join, active, is_start;
    struct predecessor *predecessors;
    uint32_t variable; /* of roots */
};

struct change {
    uint32_t component, node;
};

struct way_out {
    struct way_out *next;
    struct change *changes;
    uint32_t count;
};

/* The join of a component at the exit or the head of a frame, and what stood in its place. */
struct frame_join {
    uint32_t component, join;
    uint32_t outer_frame, outer_join;
};
typedef AG_VEC(struct frame_join) frame_joins;

/* A loop or switch: what `break` leaves. */
struct frame {
    struct frame *outer;
    bool is_loop, is_left;
    uint32_t number;    /* from 1 */
    size_t mark;        /* journal length at entry */
    size_t exit_logged; /* length of the log at the last jump out */
    size_t head_logged; /* loops: at the last jump to the start */
    frame_joins exits, heads;
};

/* Where a component's value goes in the innermost frame that has a join for it. */
struct destination {
    uint32_t frame, join;
};

struct webs {
    struct ag_ir_program *program;
    AG_VEC(struct node) nodes;
    AG_VEC(struct change) journal; /* old values */
    AG_VEC(struct change) log;     /* the same, and what was taken back; of the present frames */
    AG_VEC(uint32_t) stack;
    AG_VEC(struct ag_ir_expr *) reads;   /* in the order they were walked */
    AG_VEC(struct ag_ir_stmt *) assigns; /* likewise */
    uint32_t *state, *stamp, *start;     /* by component */
    struct destination *exit, *head;
    uint32_t generation, frame_count;
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

/* ---- Nodes -------------------------------------------------------------------------------------------- */

static uint32_t add_node(struct webs *webs, uint32_t component)
{
    struct node node = {.parent = (uint32_t)webs->nodes.count, .component = component};
    if (!ag_vec_push(&webs->nodes, node)) {
        ag_ir_no_memory(webs->program);
        return 0;
    }
    return node.parent;
}

static uint32_t find(struct webs *webs, uint32_t node)
{
    struct node *nodes = webs->nodes.data;
    while (nodes[node].parent != node) {
        nodes[node].parent = nodes[nodes[node].parent].parent;
        node = nodes[node].parent;
    }
    return node;
}

static void unite(struct webs *webs, uint32_t a, uint32_t b)
{
    a = find(webs, a);
    b = find(webs, b);
    if (a == b)
        return;
    uint32_t low = a < b ? a : b, high = a < b ? b : a;
    webs->nodes.data[high].parent = low;
    webs->nodes.data[low].is_start = webs->nodes.data[low].is_start || webs->nodes.data[high].is_start;
}

/* Somebody reads the node: what it joins is one web, all the way back. */
static void activate(struct webs *webs, uint32_t node)
{
    if (webs->program->status != AGPU_OK || !webs->nodes.data[node].is_join || webs->nodes.data[node].active)
        return;
    if (!ag_vec_push(&webs->stack, node))
        ag_ir_no_memory(webs->program);
    while (webs->stack.count > 0) {
        uint32_t at = webs->stack.data[--webs->stack.count];
        struct node *n = &webs->nodes.data[at];
        if (!n->is_join || n->active)
            continue;
        n->active = true;
        for (const struct predecessor *p = n->predecessors; p != NULL; p = p->next) {
            unite(webs, at, p->node);
            if (!ag_vec_push(&webs->stack, p->node))
                ag_ir_no_memory(webs->program);
        }
    }
}

static void add_predecessor(struct webs *webs, uint32_t join, uint32_t node)
{
    work(webs, 1);
    if (join == node)
        return;
    struct predecessor *p = AG_ARENA_NEW(webs->program->arena, struct predecessor);
    if (p == NULL) {
        ag_ir_no_memory(webs->program);
        return;
    }
    p->node = node;
    p->next = webs->nodes.data[join].predecessors;
    webs->nodes.data[join].predecessors = p;
    if (webs->nodes.data[join].active) {
        unite(webs, join, node);
        activate(webs, node);
    }
}

static void log_change(struct webs *webs, uint32_t component, uint32_t old)
{
    if (webs->frame != NULL && !ag_vec_push(&webs->log, (struct change){component, old}))
        ag_ir_no_memory(webs->program);
}

static void set_state(struct webs *webs, uint32_t component, uint32_t node)
{
    if (!ag_vec_push(&webs->journal, (struct change){component, webs->state[component]}))
        ag_ir_no_memory(webs->program);
    log_change(webs, component, webs->state[component]);
    webs->state[component] = node;
}

/* The node of a component that nobody wrote yet is made on demand: it stands for zero. */
static uint32_t start_of(struct webs *webs, uint32_t component)
{
    if (webs->start[component] == NO_NODE) {
        uint32_t node = add_node(webs, component);
        if (webs->program->status == AGPU_OK)
            webs->nodes.data[node].is_start = true;
        webs->start[component] = node;
    }
    return webs->start[component];
}

static uint32_t current(struct webs *webs, uint32_t component)
{
    uint32_t node = webs->state[component];
    return node == NO_NODE ? start_of(webs, component) : node;
}

static uint32_t add_join(struct webs *webs, uint32_t component)
{
    uint32_t join = add_node(webs, component);
    if (webs->program->status == AGPU_OK)
        webs->nodes.data[join].is_join = true;
    return join;
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

/* The components changed since `mark`, with their present nodes. */
static struct way_out *leave_by(struct webs *webs, size_t mark, struct way_out *next)
{
    struct ag_arena *arena = webs->program->arena;
    struct way_out *way = AG_ARENA_NEW(arena, struct way_out);
    size_t most = webs->journal.count - mark;
    work(webs, most);
    if (way != NULL)
        way->changes = AG_ARENA_ARRAY(arena, struct change, most);
    if (way == NULL || way->changes == NULL) {
        ag_ir_no_memory(webs->program);
        return next;
    }
    webs->generation++;
    for (size_t i = mark; i < webs->journal.count; i++) {
        uint32_t component = webs->journal.data[i].component;
        if (webs->stamp[component] == webs->generation)
            continue;
        webs->stamp[component] = webs->generation;
        way->changes[way->count++] = (struct change){component, webs->state[component]};
    }
    way->next = next;
    return way;
}

/* Goes on where all ways meet; the state is that before any of them. */
static void meet(struct webs *webs, const struct way_out *ways)
{
    webs->reachable = ways != NULL;
    if (ways == NULL)
        return;
    if (ways->next == NULL) {
        for (uint32_t i = 0; i < ways->count; i++)
            set_state(webs, ways->changes[i].component, ways->changes[i].node);
        return;
    }
    AG_VEC(struct change) joins = {0};
    uint32_t generation = ++webs->generation, way_count = 0;
    for (const struct way_out *way = ways; way != NULL; way = way->next, way_count++) {
        for (uint32_t i = 0; i < way->count; i++) {
            uint32_t component = way->changes[i].component;
            if (webs->stamp[component] == generation)
                continue;
            webs->stamp[component] = generation;
            uint32_t join = add_join(webs, component);
            if (!ag_vec_push(&joins, (struct change){component, join}))
                ag_ir_no_memory(webs->program);
        }
    }
    for (const struct way_out *way = ways; way != NULL && webs->program->status == AGPU_OK; way = way->next) {
        size_t mark = webs->journal.count;
        for (uint32_t i = 0; i < way->count; i++)
            set_state(webs, way->changes[i].component, way->changes[i].node);
        for (size_t i = 0; i < joins.count; i++)
            add_predecessor(webs, joins.data[i].node, current(webs, joins.data[i].component));
        roll_back(webs, mark);
    }
    for (size_t i = 0; i < joins.count; i++)
        set_state(webs, joins.data[i].component, joins.data[i].node);
    ag_vec_fini(&joins);
}

/* ---- Statements --------------------------------------------------------------------------------------- */

static void resolve_reads(struct webs *webs, struct ag_ir_expr *expr)
{
    for (uint32_t i = 0; i < expr->arg_count; i++)
        resolve_reads(webs, expr->args[i]);
    if (expr->op != AG_IR_READ)
        return;
    if (!ag_vec_push(&webs->reads, expr))
        ag_ir_no_memory(webs->program);
    for (uint32_t i = 0; i < expr->width; i++) {
        if (expr->u.id[i] == AG_IR_NONE)
            continue;
        if (webs->program->registers.data[expr->u.id[i]].kind == AG_IR_REGISTER_INPUT)
            continue;
        uint32_t node = current(webs, expr->u.id[i] * 4 + expr->component[i]);
        activate(webs, node);
        expr->u.id[i] = node;
        expr->component[i] = 4; /* resolved: a node, not a register */
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
    size_t mark = webs->journal.count;
    struct way_out *ways = NULL;
    walk_block(webs, stmt->body);
    if (ag_ir_is_always(stmt))
        return;
    if (webs->reachable)
        ways = leave_by(webs, mark, ways);
    roll_back(webs, mark);
    webs->reachable = true;
    if (stmt->otherwise != NULL)
        walk_block(webs, stmt->otherwise);
    if (webs->reachable)
        ways = leave_by(webs, mark, ways);
    roll_back(webs, mark);
    meet(webs, ways);
}

static void enter_frame(struct webs *webs, struct frame *frame)
{
    frame->outer = webs->frame;
    frame->number = ++webs->frame_count;
    frame->exit_logged = frame->head_logged = webs->log.count;
    webs->frame = frame;
}

static void set_destination(struct webs *webs, struct destination *destination, frame_joins *joins,
                            uint32_t frame, uint32_t component, uint32_t join)
{
    struct frame_join entry = {component, join, destination->frame, destination->join};
    *destination = (struct destination){frame, join};
    if (!ag_vec_push(joins, entry))
        ag_ir_no_memory(webs->program);
}

/* One way out of the innermost frame: what has changed since the last one goes to the joins at the exit. A
 * component that gets its join only now was, at all ways before, what it was at the start. */
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
            uint32_t join = add_join(webs, change.component);
            if (frame->is_left)
                add_predecessor(webs, join,
                                change.node == NO_NODE ? start_of(webs, change.component) : change.node);
            set_destination(webs, exit, &frame->exits, frame->number, change.component, join);
        }
        add_predecessor(webs, exit->join, current(webs, change.component));
    }
    frame->exit_logged = webs->log.count;
    frame->is_left = true;
}

/* To the start of the innermost loop, whose joins were all made before. */
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
            add_predecessor(webs, webs->head[component].join, current(webs, component));
    }
    loop->head_logged = webs->log.count;
}

/* Goes on behind the frame, if anything does. */
static void leave_frame(struct webs *webs, struct frame *frame)
{
    webs->frame = frame->outer;
    roll_back(webs, frame->mark);
    webs->reachable = frame->is_left;
    for (size_t i = 0; i < frame->heads.count; i++) {
        const struct frame_join *head = &frame->heads.data[i];
        webs->head[head->component] = (struct destination){head->outer_frame, head->outer_join};
        if (frame->is_left)
            set_state(webs, head->component, head->join);
    }
    for (size_t i = 0; i < frame->exits.count; i++) {
        const struct frame_join *exit = &frame->exits.data[i];
        webs->exit[exit->component] = (struct destination){exit->outer_frame, exit->outer_join};
        set_state(webs, exit->component, exit->join);
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
        uint32_t join = add_join(webs, component);
        add_predecessor(webs, join, current(webs, component));
        set_destination(webs, &webs->head[component], &frame.heads, frame.number, component, join);
        set_state(webs, component, join);
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
        uint32_t node = add_node(webs, component);
        set_state(webs, component, node);
        stmt->target[i] = node;
    }
    if (!ag_vec_push(&webs->assigns, stmt))
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
            break;
        }
    }
}

/* ---- From webs to variables --------------------------------------------------------------------------- */

static uint32_t variable_of(struct webs *webs, uint32_t node)
{
    struct ag_ir_program *program = webs->program;
    struct node *root = &webs->nodes.data[find(webs, node)];
    if (root->variable == AG_IR_NONE) {
        root->variable = ag_ir_add_variable(program, AG_IR_ANY, 1);
        struct ag_ir_variable *variable = &ag_vec_last(&program->variables);
        variable->register_id = root->component / 4;
        variable->register_component[0] = (uint8_t)(root->component % 4);
        variable->needs_zero = root->is_start;
    }
    return root->variable;
}

/* What is known to be zero is a constant: emitters treat constants with care. */
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
            const struct node *node = &webs->nodes.data[find(webs, expr->u.id[i])];
            /* A web that nobody writes is zero wherever it is read. */
            expr->u.id[i] = node->variable;
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

/* What cannot be reached was not walked; it still names registers, so it goes. */
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
    struct webs webs = {.program = program, .reachable = true};
    webs.state = AG_ARENA_ARRAY(program->arena, uint32_t, components);
    webs.stamp = AG_ARENA_ARRAY(program->arena, uint32_t, components);
    webs.start = AG_ARENA_ARRAY(program->arena, uint32_t, components);
    webs.exit = AG_ARENA_ARRAY(program->arena, struct destination, components);
    webs.head = AG_ARENA_ARRAY(program->arena, struct destination, components);
    if (webs.state == NULL || webs.stamp == NULL || webs.start == NULL || webs.exit == NULL ||
        webs.head == NULL) {
        ag_ir_no_memory(program);
        return;
    }
    memset(webs.state, 0xff, components * sizeof webs.state[0]);
    memset(webs.start, 0xff, components * sizeof webs.start[0]);
    ag_ir_walk(program->body, drop_unreached, NULL);
    walk_block(&webs, program->body);
    for (size_t i = 0; i < webs.nodes.count; i++)
        webs.nodes.data[i].variable = AG_IR_NONE;
    for (size_t i = 0; i < webs.assigns.count && program->status == AGPU_OK; i++)
        name_targets(&webs, webs.assigns.data[i]);
    for (size_t i = 0; i < webs.reads.count && program->status == AGPU_OK; i++)
        rename_read(&webs, webs.reads.data[i]);
    program->has_variables = true;
    ag_vec_fini(&webs.nodes);
    ag_vec_fini(&webs.journal);
    ag_vec_fini(&webs.log);
    ag_vec_fini(&webs.stack);
    ag_vec_fini(&webs.reads);
    ag_vec_fini(&webs.assigns);
}
