/* SPDX-License-Identifier: MIT
 *
 * Control flow as a state machine, for what build_plan.c does not keep structured: a loop around a switch
 * over the states.
 *
 * Each state runs some statements and sets the next state. A subroutine that is not inlined has states of its
 * own, and one register that holds the state to return to; one is enough, because recursion is not allowed
 * (D3D11.3 22.7). Constructs that fit the limits stay structured inside a state.
 */
#include "ir/build.h"

#define LAST_STATE 0u /* the loop ends */
#define FIRST_STATE 1u
#define GROUP_BITS 9 /* WGSL limits a switch to 1023 values, so a state is chosen by two nested switches */

/* The inner switch over the states whose high bits are `number`. */
struct group {
    uint32_t number;
    struct ag_ir_block *body;
    struct ag_ir_stmt *dispatch;
    struct ag_ir_case **tail;
};

/* A kind of operation, or of two with the same arguments, that has one state, and registers for arguments and
 * results. */
struct operation {
    uint8_t op, second, width; /* enum ag_ir_op; second: AG_IR_CONST without a second one */
    uint32_t arg_count, args[3], results[2];
    uint32_t state, return_state;
};

struct ag_ir_machine {
    struct ag_ir_builder *builder;
    uint32_t state, return_state; /* registers; return_state is AG_IR_NONE in the main program */
    uint32_t next_state;
    /* The targets of break and continue; AG_IR_NONE outside of flattened constructs. */
    uint32_t break_state, continue_state;
    /* The state behind the call that is being built. */
    uint32_t behind_call;
    struct ag_ir_block *body;
    struct ag_ir_stmt *dispatch; /* the outer switch, over groups */
    struct ag_ir_case **tail;
    AG_VEC(struct group) groups;
    AG_VEC(struct ag_ir_label *) called; /* subroutines whose states have yet to be built */
    AG_VEC(struct operation) operations;
    struct ag_ir_block *state_block; /* of the state that is being built */
};

/* ---- States ------------------------------------------------------------------------------------------- */

static void set_scratch(struct ag_ir_builder *builder, uint32_t id, struct ag_ir_expr *value, uint32_t offset)
{
    struct ag_ir_stmt *stmt = ag_ir_emit(builder, AG_IR_ASSIGN, offset);
    if (stmt == NULL)
        return;
    stmt->value = value;
    for (uint32_t i = 0; i < value->width; i++) {
        stmt->target[i] = id;
        stmt->target_component[i] = (uint8_t)i;
    }
}

static uint32_t add_scratch(struct ag_ir_builder *builder)
{
    return ag_ir_add_register(builder->program, AG_IR_REGISTER_SCRATCH,
                              (uint32_t)builder->program->registers.count);
}

static void set_next(struct ag_ir_builder *builder, uint32_t state, uint32_t offset)
{
    set_scratch(builder, builder->machine->state, ag_ir_const(builder->program, 1, state), offset);
}

/* Ends a state, unless its end is unreachable. */
static void end_state(struct ag_ir_builder *builder, uint32_t next, uint32_t offset)
{
    if (!builder->dead)
        set_next(builder, next, offset);
    builder->dead = true;
}

static struct ag_ir_case *add_case(struct ag_ir_builder *builder, struct ag_ir_case ***tail, uint32_t value,
                                   struct ag_ir_block *parent)
{
    struct ag_ir_case *c = AG_ARENA_NEW(builder->program->arena, struct ag_ir_case);
    uint32_t *label = AG_ARENA_NEW(builder->program->arena, uint32_t);
    if (c == NULL || label == NULL) {
        ag_ir_no_memory(builder->program);
        return NULL;
    }
    *label = value;
    c->labels = label;
    c->label_count = 1;
    c->body = ag_ir_block_new(builder->program, parent);
    **tail = c;
    *tail = &c->next;
    return c;
}

static struct group *group_of(struct ag_ir_machine *machine, uint32_t number)
{
    struct ag_ir_builder *builder = machine->builder;
    struct ag_ir_program *program = builder->program;
    for (size_t i = machine->groups.count; i-- > 0;)
        if (machine->groups.data[i].number == number)
            return &machine->groups.data[i];
    struct ag_ir_case *c = add_case(builder, &machine->tail, number, machine->body);
    struct group group = {.number = number, .body = c == NULL ? NULL : c->body};
    if (c == NULL)
        return NULL;
    builder->block = c->body;
    group.dispatch = ag_ir_emit(builder, AG_IR_SWITCH, AG_IR_NONE);
    if (group.dispatch == NULL)
        return NULL;
    group.dispatch->value = ag_ir_binary(program, AG_IR_AND, ag_ir_read(program, machine->state, 1),
                                         ag_ir_const(program, 1, (1u << GROUP_BITS) - 1));
    group.tail = &group.dispatch->cases;
    if (!ag_vec_push(&machine->groups, group)) {
        ag_ir_no_memory(program);
        return NULL;
    }
    return &ag_vec_last(&machine->groups);
}

static void begin_state(struct ag_ir_builder *builder, uint32_t state)
{
    struct group *group = group_of(builder->machine, state >> GROUP_BITS);
    struct ag_ir_case *c =
        group == NULL ? NULL : add_case(builder, &group->tail, state & ((1u << GROUP_BITS) - 1), group->body);
    if (c != NULL)
        builder->block = builder->machine->state_block = c->body;
    builder->dead = false;
}

static uint32_t new_state(struct ag_ir_builder *builder)
{
    return builder->machine->next_state++;
}

/* ---- Jumps -------------------------------------------------------------------------------------------- */

bool ag_ir_jump_in_machine(struct ag_ir_builder *builder, uint32_t offset, bool continues)
{
    const struct ag_ir_machine *machine = builder->machine;
    uint32_t target = machine == NULL ? AG_IR_NONE
                      : continues     ? machine->continue_state
                                      : machine->break_state;
    if (target == AG_IR_NONE)
        return false;
    set_next(builder, target, offset);
    ag_ir_leave_level(builder, offset);
    return true;
}

void ag_ir_return_in_machine(struct ag_ir_builder *builder, uint32_t offset)
{
    const struct ag_ir_machine *machine = builder->machine;
    if (machine->return_state == AG_IR_NONE)
        set_next(builder, LAST_STATE, offset);
    else
        set_scratch(builder, machine->state, ag_ir_read(builder->program, machine->return_state, 1), offset);
    ag_ir_leave_level(builder, offset);
}

/* The caller has set the state behind the call as the next state; a call that is made replaces that. */
void ag_ir_call_in_machine(struct ag_ir_builder *builder, uint32_t offset, struct ag_ir_label *label)
{
    struct ag_ir_machine *machine = builder->machine;
    if (label->machine != machine) {
        label->machine = machine;
        label->state = new_state(builder);
        label->return_state = add_scratch(builder);
        if (!ag_vec_push(&machine->called, label))
            ag_ir_no_memory(builder->program);
    }
    set_scratch(builder, label->return_state, ag_ir_const(builder->program, 1, machine->behind_call), offset);
    set_next(builder, label->state, offset);
}

/* ---- Operations --------------------------------------------------------------------------------------- */

static struct operation *operation_of(struct ag_ir_builder *builder, const struct ag_ir_expr *expr,
                                      const struct ag_ir_expr *second)
{
    struct ag_ir_machine *machine = builder->machine;
    const uint8_t other = second == NULL ? AG_IR_CONST : second->op;
    for (size_t i = 0; i < machine->operations.count; i++)
        if (machine->operations.data[i].op == expr->op && machine->operations.data[i].second == other)
            return &machine->operations.data[i];
    struct operation operation = {
        .op = expr->op,
        .second = other,
        .width = expr->width,
        .arg_count = expr->arg_count,
        .results = {add_scratch(builder), second == NULL ? AG_IR_NONE : add_scratch(builder)},
        .state = new_state(builder),
        .return_state = add_scratch(builder),
    };
    for (uint32_t i = 0; i < operation.arg_count; i++)
        operation.args[i] = add_scratch(builder);
    if (!ag_vec_push(&machine->operations, operation)) {
        ag_ir_no_memory(builder->program);
        return NULL;
    }
    return &ag_vec_last(&machine->operations);
}

bool ag_ir_operate_in_machine(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                              struct ag_ir_expr *values[2])
{
    if (builder->block != builder->machine->state_block)
        return false;
    const struct ag_ir_expr *expr = values[0];
    struct operation *operation = operation_of(builder, expr, values[1]);
    const uint32_t behind = new_state(builder);
    if (operation == NULL)
        return false;
    if (operation->width < expr->width)
        operation->width = expr->width;
    for (uint32_t i = 0; i < operation->arg_count && i < expr->arg_count; i++)
        ag_ir_assign(builder, insn, operation->args[i], (1u << expr->args[i]->width) - 1, expr->args[i]);
    set_scratch(builder, operation->return_state, ag_ir_const(builder->program, 1, behind), insn->offset);
    const struct operation done = *operation;
    end_state(builder, done.state, insn->offset);
    begin_state(builder, behind);
    for (uint32_t i = 0; i < 2 && values[i] != NULL; i++)
        values[i] = ag_ir_read(builder->program, done.results[i], expr->width);
    return true;
}

static void build_operation(struct ag_ir_builder *builder, const struct operation *operation)
{
    begin_state(builder, operation->state);
    for (uint32_t k = 0; k < 2 && operation->results[k] != AG_IR_NONE; k++) {
        struct ag_ir_expr *expr =
            ag_ir_expr_new(builder->program, (enum ag_ir_op)(k == 0 ? operation->op : operation->second),
                           operation->width, operation->arg_count);
        for (uint32_t i = 0; i < expr->arg_count; i++)
            expr->args[i] = ag_ir_read(builder->program, operation->args[i], operation->width);
        set_scratch(builder, operation->results[k], expr, AG_IR_NONE);
    }
    set_scratch(builder, builder->machine->state, ag_ir_read(builder->program, operation->return_state, 1),
                AG_IR_NONE);
}

/* ---- Constructs --------------------------------------------------------------------------------------- */

static void flatten(struct ag_ir_builder *builder, uint32_t at);

static uint32_t flatten_if(struct ag_ir_builder *builder, uint32_t at)
{
    const struct agpu_instruction *insns = builder->source->instructions;
    uint32_t offset = insns[at].offset, middle = builder->partner[at];
    bool has_else = insns[middle].opcode == AGPU_OP_ELSE;
    uint32_t yes = new_state(builder), behind = new_state(builder),
             no = has_else ? new_state(builder) : behind;
    struct ag_ir_block *outer = builder->block;
    struct ag_ir_stmt *stmt = ag_ir_emit(builder, AG_IR_IF, offset);
    if (stmt == NULL)
        return builder->source->instruction_count;
    stmt->value = ag_ir_condition(builder, &insns[at]);
    stmt->body = builder->block = ag_ir_block_new(builder->program, outer);
    set_next(builder, yes, offset);
    stmt->otherwise = builder->block = ag_ir_block_new(builder->program, outer);
    set_next(builder, no, offset);
    begin_state(builder, yes);
    flatten(builder, at + 1);
    end_state(builder, behind, offset);
    if (has_else) {
        begin_state(builder, no);
        flatten(builder, middle + 1);
        end_state(builder, behind, offset);
    }
    begin_state(builder, behind);
    return (has_else ? builder->partner[middle] : middle) + 1;
}

static uint32_t flatten_loop(struct ag_ir_builder *builder, uint32_t at)
{
    struct ag_ir_machine *machine = builder->machine;
    uint32_t offset = builder->source->instructions[at].offset;
    uint32_t head = new_state(builder), behind = new_state(builder);
    uint32_t breaks = machine->break_state, continues = machine->continue_state;
    end_state(builder, head, offset);
    begin_state(builder, head);
    machine->break_state = behind;
    machine->continue_state = head;
    flatten(builder, at + 1);
    end_state(builder, head, offset);
    machine->break_state = breaks;
    machine->continue_state = continues;
    begin_state(builder, behind);
    return builder->partner[at] + 1;
}

/* The bodies of the cases are consecutive states, so a fall through just continues with the next state. */
static uint32_t flatten_switch(struct ag_ir_builder *builder, uint32_t at)
{
    struct ag_ir_machine *machine = builder->machine;
    const struct agpu_instruction *insns = builder->source->instructions;
    struct ag_ir_block *outer = builder->block;
    uint32_t offset = insns[at].offset, behind = new_state(builder), breaks = machine->break_state;
    struct ag_ir_stmt *stmt = ag_ir_emit(builder, AG_IR_SWITCH, offset);
    if (stmt == NULL)
        return builder->source->instruction_count;
    stmt->value = ag_ir_source(builder, &insns[at], 0, 'i', 1);
    struct ag_ir_case **tail = &stmt->cases;
    bool has_default = false;
    machine->break_state = behind;
    uint32_t next = builder->partner[at];
    builder->dead = true;
    if (next != at + 1)
        ag_ir_flow_error(builder, insns[at + 1].offset, "a switch starts without a case");
    while (builder->program->status == AGPU_OK && insns[next].opcode != AGPU_OP_ENDSWITCH) {
        struct ag_ir_case *c = AG_ARENA_NEW(builder->program->arena, struct ag_ir_case);
        uint32_t state = new_state(builder);
        if (c == NULL) {
            ag_ir_no_memory(builder->program);
            break;
        }
        *tail = c;
        tail = &c->next;
        end_state(builder, state, offset);
        uint32_t body = ag_ir_read_labels(builder, next, c, &has_default);
        c->body = builder->block = ag_ir_block_new(builder->program, outer);
        set_next(builder, state, offset);
        begin_state(builder, state);
        flatten(builder, body);
        next = builder->partner[body - 1];
    }
    end_state(builder, behind, offset);
    if (!has_default) {
        builder->block = outer;
        if (ag_ir_add_empty_default(builder, tail)) {
            builder->block = (*tail)->body;
            set_next(builder, behind, offset);
        }
    }
    if (builder->program->status == AGPU_OK)
        ag_ir_check_cases(builder, stmt);
    machine->break_state = breaks;
    begin_state(builder, behind);
    return next + 1;
}

static uint32_t flatten_call(struct ag_ir_builder *builder, uint32_t at)
{
    uint32_t offset = builder->source->instructions[at].offset, behind = new_state(builder);
    builder->machine->behind_call = behind;
    set_next(builder, behind, offset);
    ag_ir_build_step(builder, at);
    builder->dead = true;
    begin_state(builder, behind);
    return at + 1;
}

static bool stays_structured(struct ag_ir_builder *builder, uint32_t at)
{
    if (!ag_ir_is_flattened(builder, at, builder->max_state_height))
        return true;
    if (builder->syncs && !builder->extents[at].syncs)
        ag_ir_refuse(builder->program, AGPU_DIAG_TRANSLATE_LIMIT, builder->source->instructions[at].offset,
                     "blocks nest too deep in a program with barriers, and hold none");
    return false;
}

/* Builds from instruction `at` to the end of its block, as states. */
static void flatten(struct ag_ir_builder *builder, uint32_t at)
{
    const struct agpu_program *source = builder->source;
    while (at < source->instruction_count && builder->program->status == AGPU_OK &&
           !ag_ir_ends_block(builder, at)) {
        if (builder->dead) /* unreachable: a state that no other state names */
            begin_state(builder, new_state(builder));
        const struct agpu_instruction *insn = &source->instructions[at];
        if (ag_ir_calls_out_of_line(builder, insn))
            at = flatten_call(builder, at);
        else if (stays_structured(builder, at))
            at = ag_ir_build_step(builder, at);
        else if (insn->opcode == AGPU_OP_IF)
            at = flatten_if(builder, at);
        else if (insn->opcode == AGPU_OP_LOOP)
            at = flatten_loop(builder, at);
        else
            at = flatten_switch(builder, at);
    }
}

/* ---- The machine -------------------------------------------------------------------------------------- */

/* Opens the loop: its first statement breaks in LAST_STATE, and the second is the switch over groups. */
static bool open_loop(struct ag_ir_builder *builder, struct ag_ir_machine *machine, uint32_t offset)
{
    struct ag_ir_program *program = builder->program;
    struct ag_ir_stmt *loop = ag_ir_emit(builder, AG_IR_LOOP, offset);
    if (loop == NULL)
        return false;
    loop->body = machine->body = builder->block = ag_ir_block_new(program, builder->block);
    set_scratch(builder, builder->returned, ag_ir_const(program, 1, 0), offset);
    struct ag_ir_stmt *end = ag_ir_emit(builder, AG_IR_IF, offset);
    machine->dispatch = ag_ir_emit(builder, AG_IR_SWITCH, offset);
    if (end == NULL || machine->dispatch == NULL)
        return false;
    end->value = ag_ir_binary(program, AG_IR_IEQ, ag_ir_read(program, machine->state, 1),
                              ag_ir_const(program, 1, LAST_STATE));
    end->body = builder->block = ag_ir_block_new(program, machine->body);
    ag_ir_emit(builder, AG_IR_BREAK, offset);
    machine->dispatch->value = ag_ir_binary(program, AG_IR_USHR, ag_ir_read(program, machine->state, 1),
                                            ag_ir_const(program, 1, GROUP_BITS));
    machine->tail = &machine->dispatch->cases;
    return true;
}

/* Adds the default cases that the IR requires; no state ever reaches them. */
static void close_switches(struct ag_ir_builder *builder, struct ag_ir_machine *machine)
{
    for (size_t i = 0; i < machine->groups.count; i++) {
        builder->block = machine->groups.data[i].body;
        ag_ir_add_empty_default(builder, machine->groups.data[i].tail);
    }
    builder->block = machine->body;
    ag_ir_add_empty_default(builder, machine->tail);
}

static void build_states(struct ag_ir_builder *builder, uint32_t at)
{
    struct ag_ir_machine *machine = builder->machine;
    begin_state(builder, FIRST_STATE);
    flatten(builder, at);
    end_state(builder, LAST_STATE, AG_IR_NONE);
    for (size_t i = 0; i < machine->called.count && builder->program->status == AGPU_OK; i++) {
        const struct ag_ir_label *label = machine->called.data[i];
        machine->return_state = label->return_state;
        begin_state(builder, label->state);
        flatten(builder, label->at + 1);
        if (!builder->dead)
            set_scratch(builder, machine->state, ag_ir_read(builder->program, label->return_state, 1),
                        AG_IR_NONE);
    }
    for (size_t i = 0; i < machine->operations.count && builder->program->status == AGPU_OK; i++)
        build_operation(builder, &machine->operations.data[i]);
    close_switches(builder, machine);
}

void ag_ir_build_machine(struct ag_ir_builder *builder, uint32_t at)
{
    const struct ag_ir_builder outside = *builder;
    struct ag_ir_machine *machine = AG_ARENA_NEW(builder->program->arena, struct ag_ir_machine);
    uint32_t offset = builder->source->instructions[at].offset;
    if (machine == NULL) {
        ag_ir_no_memory(builder->program);
        return;
    }
    *machine = (struct ag_ir_machine){
        .builder = builder,
        .state = add_scratch(builder),
        .return_state = AG_IR_NONE,
        .next_state = FIRST_STATE + 1,
        .break_state = AG_IR_NONE,
        .continue_state = AG_IR_NONE,
    };
    builder->machine = machine;
    builder->returned = add_scratch(builder);
    builder->return_pending = false;
    builder->loop_depth = builder->call_break = 1; /* a `break` of the switch ends a state */
    builder->switch_depth = 0;
    set_scratch(builder, machine->state, ag_ir_const(builder->program, 1, FIRST_STATE), offset);
    if (open_loop(builder, machine, offset))
        build_states(builder, at);
    ag_vec_fini(&machine->groups);
    ag_vec_fini(&machine->called);
    ag_vec_fini(&machine->operations);
    builder->machine = outside.machine;
    builder->returned = outside.returned;
    builder->return_pending = outside.return_pending;
    builder->loop_depth = outside.loop_depth;
    builder->switch_depth = outside.switch_depth;
    builder->call_break = outside.call_break;
    builder->block = outside.block;
    builder->dead = false;
}
