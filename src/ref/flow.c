/* SPDX-License-Identifier: MIT
 *
 * Control flow, section 22.7: links the parts of constructs before a program runs, and runs the instructions.
 */
#include "ref/machine.h"

/* ---- Joining up --------------------------------------------------------------------------------------- */

struct open_construct {
    uint32_t start; /* the if, loop or switch instruction */
    uint32_t link;  /* the instruction whose target is the next else, case, default or end */
};

struct joiner {
    struct ag_ref_program *program;
    struct open_construct *open;
    uint32_t depth;
};

static uint32_t opcode_at(const struct joiner *joiner, uint32_t position)
{
    return joiner->program->code[position].instruction->opcode;
}

/* The innermost open loop, or loop or switch; null when there is none. */
static const struct open_construct *enclosing(const struct joiner *joiner, bool loops_only)
{
    for (uint32_t i = joiner->depth; i-- > 0;) {
        const uint32_t opcode = opcode_at(joiner, joiner->open[i].start);
        if (opcode == AGPU_OP_LOOP || (opcode == AGPU_OP_SWITCH && !loops_only))
            return &joiner->open[i];
    }
    return NULL;
}

/* Whether the innermost construct was opened by `start_opcode`. */
static bool inside(const struct joiner *joiner, uint32_t start_opcode)
{
    return joiner->depth > 0 && opcode_at(joiner, joiner->open[joiner->depth - 1].start) == start_opcode;
}

/* Links else, case and default into the chain that starts at the construct's first instruction. */
static bool join_middle(struct joiner *joiner, uint32_t position, uint32_t start_opcode)
{
    if (!inside(joiner, start_opcode))
        return false;
    struct open_construct *construct = &joiner->open[joiner->depth - 1];
    if (start_opcode == AGPU_OP_IF && opcode_at(joiner, construct->link) == AGPU_OP_ELSE)
        return false;
    joiner->program->code[construct->link].target = position;
    construct->link = position;
    return true;
}

static bool join_end(struct joiner *joiner, uint32_t position, uint32_t start_opcode)
{
    if (!inside(joiner, start_opcode))
        return false;
    const struct open_construct *construct = &joiner->open[--joiner->depth];
    joiner->program->code[construct->link].target = position;
    joiner->program->code[construct->start].end = position;
    joiner->program->code[position].target = construct->start;
    return true;
}

/* Links break and continue to their construct; finish() replaces that by the construct's end. */
static bool join_leave(struct joiner *joiner, uint32_t position, bool is_continue)
{
    const struct open_construct *construct = enclosing(joiner, is_continue);
    if (construct == NULL)
        return false;
    joiner->program->code[position].target = construct->start;
    return true;
}

static bool join(struct joiner *joiner, uint32_t position)
{
    switch (opcode_at(joiner, position)) {
    case AGPU_OP_IF:
    case AGPU_OP_LOOP:
    case AGPU_OP_SWITCH:
        joiner->open[joiner->depth++] = (struct open_construct){.start = position, .link = position};
        return true;
    case AGPU_OP_ELSE:
        return join_middle(joiner, position, AGPU_OP_IF);
    case AGPU_OP_CASE:
    case AGPU_OP_DEFAULT:
        return join_middle(joiner, position, AGPU_OP_SWITCH);
    case AGPU_OP_ENDIF:
        return join_end(joiner, position, AGPU_OP_IF);
    case AGPU_OP_ENDLOOP:
        return join_end(joiner, position, AGPU_OP_LOOP);
    case AGPU_OP_ENDSWITCH:
        return join_end(joiner, position, AGPU_OP_SWITCH);
    case AGPU_OP_BREAK:
    case AGPU_OP_BREAKC:
        return join_leave(joiner, position, false);
    case AGPU_OP_CONTINUE:
    case AGPU_OP_CONTINUEC:
        return join_leave(joiner, position, true);
    case AGPU_OP_LABEL:
        return joiner->depth == 0;
    default:
        return true;
    }
}

static void finish(struct ag_ref_program *program)
{
    for (uint32_t i = 0; i < program->code_count; i++) {
        struct ag_ref_code *code = &program->code[i];
        const uint32_t opcode = code->instruction->opcode;
        if (opcode == AGPU_OP_BREAK || opcode == AGPU_OP_BREAKC)
            code->target = program->code[code->target].end;
    }
}

enum agpu_status ag_ref_join_flow(struct ag_ref_program *program, const struct agpu_diag_sink *sink)
{
    struct joiner joiner = {.program = program};
    joiner.open = AG_ARENA_ARRAY(&program->arena, struct open_construct, program->code_count);
    if (joiner.open == NULL)
        return ag_report_no_memory(sink);
    for (uint32_t i = 0; i < program->code_count; i++) {
        if (!join(&joiner, i)) {
            const struct ag_ref_code *code = &program->code[i];
            ag_report(sink, AGPU_DIAG_REF_FLOW, AGPU_ERROR,
                      ag_place_offset((uint64_t)code->instruction->offset * 4),
                      "%s is not inside what it belongs to", code->info->mnemonic);
            return AGPU_REFUSED;
        }
    }
    if (joiner.depth > 0) {
        const struct ag_ref_code *code = &program->code[joiner.open[joiner.depth - 1].start];
        ag_report(sink, AGPU_DIAG_REF_FLOW, AGPU_ERROR,
                  ag_place_offset((uint64_t)code->instruction->offset * 4), "%s has no end",
                  code->info->mnemonic);
        return AGPU_REFUSED;
    }
    finish(program);
    return AGPU_OK;
}

/* ---- Instructions ------------------------------------------------------------------------------------- */

static enum ag_ref_step jump(struct ag_ref_thread *thread, uint32_t target)
{
    thread->pc = target;
    return AG_REF_STEP_JUMPED;
}

/* A condition is true if any bit is set, so -0.0 is true. */
static bool holds(const struct ag_ref_thread *thread, const struct ag_ref_code *code)
{
    const uint32_t value = ag_ref_read_scalar(thread, &code->instruction->operands[0], 'c');
    return (value != 0) == code->instruction->test_nonzero;
}

static enum ag_ref_step run_nothing(struct ag_ref_thread *thread, const struct ag_ref_code *code)
{
    (void)thread, (void)code;
    return AG_REF_STEP_NEXT;
}

static enum ag_ref_step run_if(struct ag_ref_thread *thread, const struct ag_ref_code *code)
{
    return holds(thread, code) ? AG_REF_STEP_NEXT : jump(thread, code->target + 1);
}

/* Control reaches `else` at the end of the true branch. */
static enum ag_ref_step run_else(struct ag_ref_thread *thread, const struct ag_ref_code *code)
{
    return jump(thread, code->target);
}

static enum ag_ref_step run_leave(struct ag_ref_thread *thread, const struct ag_ref_code *code)
{
    return jump(thread, code->target + 1);
}

static enum ag_ref_step run_leave_if(struct ag_ref_thread *thread, const struct ag_ref_code *code)
{
    return holds(thread, code) ? jump(thread, code->target + 1) : AG_REF_STEP_NEXT;
}

static enum ag_ref_step run_switch(struct ag_ref_thread *thread, const struct ag_ref_code *code)
{
    const struct ag_ref_code *codes = thread->run->program->code;
    const uint32_t value = ag_ref_read_scalar(thread, &code->instruction->operands[0], 'i');
    uint32_t otherwise = code->end;
    for (uint32_t i = code->target; i != code->end; i = codes[i].target) {
        if (codes[i].instruction->opcode == AGPU_OP_DEFAULT)
            otherwise = i;
        else if (codes[i].instruction->operands[0].immediate[0] == value)
            return jump(thread, i);
    }
    return jump(thread, otherwise);
}

static enum ag_ref_step leave_function(struct ag_ref_thread *thread)
{
    if (thread->return_depth == 0)
        return AG_REF_STEP_ENDED;
    return jump(thread, thread->return_stack[--thread->return_depth]);
}

static enum ag_ref_step run_ret(struct ag_ref_thread *thread, const struct ag_ref_code *code)
{
    (void)code;
    return leave_function(thread);
}

static enum ag_ref_step run_retc(struct ag_ref_thread *thread, const struct ag_ref_code *code)
{
    return holds(thread, code) ? leave_function(thread) : AG_REF_STEP_NEXT;
}

/* A call is skipped when the return stack is full: section 22.7.10. */
static enum ag_ref_step enter_function(struct ag_ref_thread *thread, const struct ag_ref_code *code,
                                       uint32_t type, uint64_t number)
{
    const struct ag_ref_program *program = thread->run->program;
    if (thread->return_depth == AG_REF_CALL_DEPTH)
        return AG_REF_STEP_NEXT;
    for (uint32_t i = 0; i < program->label_count; i++) {
        if (program->labels[i].type == type && program->labels[i].number == number) {
            thread->return_stack[thread->return_depth++] = thread->pc + 1;
            return jump(thread, program->labels[i].target);
        }
    }
    return ag_ref_refuse(thread, code, AGPU_DIAG_REF_FLOW, "names a function that has no label");
}

static enum ag_ref_step run_call(struct ag_ref_thread *thread, const struct ag_ref_code *code)
{
    const struct agpu_operand *label = &code->instruction->operands[code->info->operand_count - 1];
    if (code->instruction->opcode == AGPU_OP_CALLC && !holds(thread, code))
        return AG_REF_STEP_NEXT;
    return enter_function(thread, code, label->type, ag_ref_operand_index(thread, label, 0));
}

/* Finds the function body of function table `table` at a call site; false when there is none. */
static bool find_body(const struct ag_ref_program *program, uint32_t table, uint32_t call_site,
                      uint32_t *body)
{
    const struct agpu_program *decoded = &program->shader->program;
    for (uint32_t i = 0; i < decoded->instruction_count; i++) {
        const struct agpu_instruction *dcl = &decoded->instructions[i];
        if (dcl->opcode != AGPU_OP_DCL_FUNCTION_TABLE || dcl->data_count < 2 || dcl->data[0] != table)
            continue;
        if (call_site >= dcl->data[1] || call_site >= dcl->data_count - 2)
            return false;
        *body = dcl->data[2 + call_site];
        return true;
    }
    return false;
}

/* fp#[index] uses class instance # + index: section 22.7.19. */
static enum ag_ref_step run_fcall(struct ag_ref_thread *thread, const struct ag_ref_code *code)
{
    const struct ag_ref_bindings *bindings = thread->run->bindings;
    const struct agpu_operand *interface = &code->instruction->operands[0];
    const uint64_t slot =
        ag_ref_operand_index(thread, interface, 0) + ag_ref_operand_index(thread, interface, 1);
    uint32_t body;
    if (slot >= bindings->instance_count)
        return ag_ref_refuse(thread, code, AGPU_DIAG_REF_INSTANCE, "has no class instance to call");
    if (code->instruction->data_count < 1 ||
        !find_body(thread->run->program, bindings->instances[slot].table, code->instruction->data[0], &body))
        return ag_ref_refuse(thread, code, AGPU_DIAG_REF_INSTANCE,
                             "calls what the instance's function table does not hold");
    return enter_function(thread, code, AGPU_OPERAND_FUNCTION_BODY, body);
}

static enum ag_ref_step run_discard(struct ag_ref_thread *thread, const struct ag_ref_code *code)
{
    if (holds(thread, code))
        thread->discarded = true;
    return AG_REF_STEP_NEXT;
}

static enum ag_ref_step run_sync(struct ag_ref_thread *thread, const struct ag_ref_code *code)
{
    const bool waits = code->instruction->controls & AGPU_SYNC_THREADS_IN_GROUP && thread->invocation == NULL;
    return waits ? AG_REF_STEP_BARRIER : AG_REF_STEP_NEXT;
}

static enum ag_ref_step run_abort(struct ag_ref_thread *thread, const struct ag_ref_code *code)
{
    (void)thread, (void)code;
    return AG_REF_STEP_ENDED;
}

ag_ref_run_fn ag_ref_flow_run(uint32_t opcode)
{
    static const ag_ref_run_fn table[AGPU_OPCODE_LIMIT] = {
        [AGPU_OP_NOP] = run_nothing,
        [AGPU_OP_DEBUG_BREAK] = run_nothing,
        [AGPU_OP_IF] = run_if,
        [AGPU_OP_ELSE] = run_else,
        [AGPU_OP_ENDIF] = run_nothing,
        [AGPU_OP_LOOP] = run_nothing,
        [AGPU_OP_ENDLOOP] = run_leave,
        [AGPU_OP_BREAK] = run_leave,
        [AGPU_OP_BREAKC] = run_leave_if,
        [AGPU_OP_CONTINUE] = run_leave,
        [AGPU_OP_CONTINUEC] = run_leave_if,
        [AGPU_OP_SWITCH] = run_switch,
        [AGPU_OP_CASE] = run_nothing,
        [AGPU_OP_DEFAULT] = run_nothing,
        [AGPU_OP_ENDSWITCH] = run_nothing,
        [AGPU_OP_LABEL] = run_nothing,
        [AGPU_OP_CALL] = run_call,
        [AGPU_OP_CALLC] = run_call,
        [AGPU_OP_RET] = run_ret,
        [AGPU_OP_RETC] = run_retc,
        [AGPU_OP_FCALL] = run_fcall,
        [AGPU_OP_DISCARD] = run_discard,
        [AGPU_OP_SYNC] = run_sync,
        [AGPU_OP_ABORT] = run_abort,
    };
    return table[opcode];
}
