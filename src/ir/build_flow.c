/* SPDX-License-Identifier: MIT
 *
 * Structured control flow: turns the flat list of instructions into a tree of blocks, and inlines
 * subroutines.
 *
 * An inlined subroutine is a loop that runs once, so that its `ret` can be a `break`.
 */

#include "ir/build.h"

#define NO_CALL UINT32_MAX

static const char *mnemonic(const struct agpu_instruction *insn)
{
    return ag_opcode_info(insn->opcode)->mnemonic;
}

bool ag_ir_flow_error(struct ag_ir_builder *builder, uint32_t offset, const char *problem)
{
    ag_ir_refuse(builder->program, AGPU_DIAG_TRANSLATE_FLOW, offset, "%s", problem);
    return false;
}

/* ---- Pairing ------------------------------------------------------------------------------------------ */

static bool opens(uint16_t opcode)
{
    return opcode == AGPU_OP_IF || opcode == AGPU_OP_LOOP || opcode == AGPU_OP_SWITCH;
}

static bool continues(uint16_t opcode)
{
    return opcode == AGPU_OP_ELSE || opcode == AGPU_OP_CASE || opcode == AGPU_OP_DEFAULT;
}

static bool closes(uint16_t opcode)
{
    return opcode == AGPU_OP_ENDIF || opcode == AGPU_OP_ENDLOOP || opcode == AGPU_OP_ENDSWITCH;
}

static bool fits(uint16_t opener, uint16_t opcode)
{
    switch (opener) {
    case AGPU_OP_IF:
        return opcode == AGPU_OP_ELSE || opcode == AGPU_OP_ENDIF;
    case AGPU_OP_LOOP:
        return opcode == AGPU_OP_ENDLOOP;
    case AGPU_OP_ELSE:
        return opcode == AGPU_OP_ENDIF;
    default:
        return opcode == AGPU_OP_CASE || opcode == AGPU_OP_DEFAULT || opcode == AGPU_OP_ENDSWITCH;
    }
}

bool ag_ir_pair_flow(struct ag_ir_builder *builder)
{
    const struct agpu_program *source = builder->source;
    uint32_t stack[AG_IR_MAX_DEPTH + 1], depth = 0;
    builder->partner = AG_ARENA_ARRAY(builder->program->arena, uint32_t, source->instruction_count);
    if (builder->partner == NULL) {
        ag_ir_no_memory(builder->program);
        return false;
    }
    for (uint32_t i = 0; i < source->instruction_count; i++) {
        const struct agpu_instruction *insn = &source->instructions[i];
        bool end = closes(insn->opcode), middle = continues(insn->opcode);
        if (ag_ir_is_phase(insn->opcode) && depth != 0)
            return ag_ir_flow_error(builder, insn->offset, "a phase begins inside a block");
        if (insn->opcode == AGPU_OP_LABEL) {
            if (depth != 0 || insn->operand_count == 0)
                return ag_ir_flow_error(builder, insn->offset, "a label stands inside a block");
            uint32_t number = (uint32_t)insn->operands[0].index[0].immediate;
            bool is_body = insn->operands[0].type == AGPU_OPERAND_FUNCTION_BODY;
            struct ag_ir_label label = {.number = is_body ? AG_IR_FUNCTION_BODY(number) : number, .at = i};
            if (!ag_vec_push(&builder->labels, label)) {
                ag_ir_no_memory(builder->program);
                return false;
            }
        }
        ag_ir_note_interface(builder, i);
        if (end || middle) {
            if (depth == 0 || !fits(source->instructions[stack[depth - 1]].opcode, insn->opcode)) {
                ag_ir_refuse(builder->program, AGPU_DIAG_TRANSLATE_FLOW, insn->offset,
                             "%s without what it belongs to", mnemonic(insn));
                return false;
            }
            builder->partner[stack[--depth]] = i;
        }
        if (opens(insn->opcode) || middle) {
            if (depth == AG_IR_MAX_DEPTH) {
                ag_ir_refuse(builder->program, AGPU_DIAG_TRANSLATE_LIMIT, insn->offset,
                             "blocks nest deeper than %d", AG_IR_MAX_DEPTH);
                return false;
            }
            stack[depth++] = i;
        }
    }
    if (depth != 0)
        return ag_ir_flow_error(builder, source->instructions[stack[depth - 1]].offset,
                                "a block is never closed");
    ag_ir_sort_interfaces(builder);
    return builder->program->status == AGPU_OK;
}

/* ---- Statements --------------------------------------------------------------------------------------- */

struct ag_ir_expr *ag_ir_condition(struct ag_ir_builder *builder, const struct agpu_instruction *insn)
{
    struct ag_ir_expr *value = ag_ir_source(builder, insn, 0, 'c', 1);
    return insn->test_nonzero ? value : ag_ir_unary(builder->program, AG_IR_BOOL_NOT, value);
}

/* Builds from instruction `at` to the end of its block, into a new block inside the current one. */
static struct ag_ir_block *build_block(struct ag_ir_builder *builder, uint32_t at)
{
    struct ag_ir_block *outer = builder->block;
    bool outer_dead = builder->dead;
    struct ag_ir_block *block = ag_ir_block_new(builder->program, outer);
    builder->block = block;
    builder->dead = false;
    ag_ir_build_flow(builder, at);
    builder->block = outer;
    builder->dead = outer_dead;
    return block;
}

struct ag_ir_expr **ag_ir_collect_outputs(struct ag_ir_builder *builder)
{
    struct ag_ir_program *program = builder->program;
    struct ag_ir_expr **values = AG_ARENA_ARRAY(program->arena, struct ag_ir_expr *, program->outputs.count);
    if (values == NULL) {
        ag_ir_no_memory(program);
        return NULL;
    }
    for (size_t i = 0; i < program->outputs.count; i++) {
        const struct ag_ir_output *output = &program->outputs.data[i];
        uint32_t array = output->number == AG_IR_NONE ? AG_IR_NONE : builder->output_array[output->number];
        uint32_t width = output->number == AG_IR_NONE ? 1 : 4;
        struct ag_ir_expr *value;
        if (array != AG_IR_NONE) {
            value = ag_ir_expr_new(program, AG_IR_ARRAY, width, 1);
            value->u.id[0] = array;
            value->args[0] = ag_ir_const(program, 1, output->number - program->arrays.data[array].number);
        } else {
            value = ag_ir_expr_new(program, AG_IR_READ, width, 0);
        }
        for (uint32_t c = 0; c < width; c++) {
            value->component[c] = (uint8_t)c;
            if (array == AG_IR_NONE)
                value->u.id[c] = output->mask >> c & 1 ? output->register_id : AG_IR_NONE;
        }
        values[i] = value;
    }
    return values;
}

void ag_ir_build_return(struct ag_ir_builder *builder, uint32_t offset)
{
    struct ag_ir_stmt *stmt = ag_ir_emit(builder, AG_IR_RETURN, offset);
    if (stmt == NULL)
        return;
    /* A geometry shader's outputs go to the next stage by EMIT alone. */
    if (builder->program->stage != AGPU_STAGE_GEOMETRY)
        stmt->outputs = ag_ir_collect_outputs(builder);
    builder->dead = true;
}

static void leave(struct ag_ir_builder *builder, enum ag_ir_stmt_kind kind, uint32_t offset)
{
    ag_ir_emit(builder, kind, offset);
    builder->dead = true;
}

static void set_returned(struct ag_ir_builder *builder, uint32_t offset, uint32_t value)
{
    struct ag_ir_stmt *stmt = ag_ir_emit(builder, AG_IR_ASSIGN, offset);
    if (stmt == NULL)
        return;
    stmt->value = ag_ir_const(builder->program, 1, value);
    stmt->target[0] = builder->returned;
}

/* Breaks out of the loop that an inlined subroutine is, or out of the switch over states. */
void ag_ir_leave_level(struct ag_ir_builder *builder, uint32_t offset)
{
    if (builder->loop_depth + builder->switch_depth != builder->call_break) {
        set_returned(builder, offset, UINT32_MAX);
        builder->return_pending = true;
    }
    leave(builder, AG_IR_BREAK, offset);
}

/* A `ret` of the main program, of an inlined subroutine or in a state. */
static void build_ret(struct ag_ir_builder *builder, const struct agpu_instruction *insn)
{
    if (builder->machine != NULL)
        ag_ir_return_in_machine(builder, insn->offset);
    else if (builder->call_break == NO_CALL)
        ag_ir_build_return(builder, insn->offset);
    else
        ag_ir_leave_level(builder, insn->offset);
}

void ag_ir_propagate_return(struct ag_ir_builder *builder, const struct agpu_instruction *insn)
{
    if (!builder->return_pending || builder->call_break == NO_CALL)
        return;
    builder->return_pending = false;
    struct ag_ir_block *outer = builder->block;
    struct ag_ir_stmt *stmt = ag_ir_emit(builder, AG_IR_IF, insn->offset);
    if (stmt == NULL)
        return;
    stmt->value = ag_ir_read(builder->program, builder->returned, 1);
    stmt->body = ag_ir_block_new(builder->program, outer);
    builder->block = stmt->body;
    ag_ir_leave_level(builder, insn->offset);
    builder->block = outer;
    builder->dead = false;
}

static void build_jump(struct ag_ir_builder *builder, const struct agpu_instruction *insn, uint16_t opcode)
{
    switch (opcode) {
    case AGPU_OP_BREAK:
    case AGPU_OP_BREAKC:
        if (builder->loop_depth + builder->switch_depth != 0 &&
            builder->loop_depth + builder->switch_depth != builder->call_break)
            leave(builder, AG_IR_BREAK, insn->offset);
        else if (!ag_ir_jump_in_machine(builder, insn->offset, false))
            ag_ir_flow_error(builder, insn->offset, "break outside of loops and switches");
        break;
    case AGPU_OP_CONTINUE:
    case AGPU_OP_CONTINUEC:
        if (builder->loop_depth != 0 &&
            (builder->call_break == NO_CALL || builder->loop_depth > builder->call_break))
            leave(builder, AG_IR_CONTINUE, insn->offset);
        else if (!ag_ir_jump_in_machine(builder, insn->offset, true))
            ag_ir_flow_error(builder, insn->offset, "continue outside of loops");
        break;
    case AGPU_OP_DISCARD:
        builder->program->discards = true;
        ag_ir_emit(builder, AG_IR_DISCARD, insn->offset);
        break;
    default:
        build_ret(builder, insn);
        break;
    }
}

/* breakc, continuec, retc and discard become `if (condition) { jump }`. */
static void build_conditional(struct ag_ir_builder *builder, const struct agpu_instruction *insn)
{
    struct ag_ir_stmt *stmt = ag_ir_emit(builder, AG_IR_IF, insn->offset);
    struct ag_ir_block *outer = builder->block;
    if (stmt == NULL)
        return;
    stmt->value = ag_ir_condition(builder, insn);
    stmt->body = ag_ir_block_new(builder->program, outer);
    builder->block = stmt->body;
    build_jump(builder, insn, insn->opcode);
    builder->block = outer;
    builder->dead = false;
}

static uint32_t build_if(struct ag_ir_builder *builder, uint32_t at)
{
    const struct agpu_instruction *insn = &builder->source->instructions[at];
    struct ag_ir_stmt *stmt = ag_ir_emit(builder, AG_IR_IF, insn->offset);
    uint32_t middle = builder->partner[at];
    bool has_else = builder->source->instructions[middle].opcode == AGPU_OP_ELSE;
    uint32_t end = has_else ? builder->partner[middle] : middle;
    if (stmt != NULL) {
        stmt->value = ag_ir_condition(builder, insn);
        stmt->body = build_block(builder, at + 1);
        if (has_else)
            stmt->otherwise = build_block(builder, middle + 1);
    }
    return end + 1;
}

static uint32_t build_loop(struct ag_ir_builder *builder, uint32_t at)
{
    const struct agpu_instruction *insn = &builder->source->instructions[at];
    struct ag_ir_stmt *stmt = ag_ir_emit(builder, AG_IR_LOOP, insn->offset);
    uint32_t switches = builder->switch_depth;
    builder->loop_depth++;
    if (stmt != NULL)
        stmt->body = build_block(builder, at + 1);
    builder->loop_depth--;
    builder->switch_depth = switches;
    ag_ir_propagate_return(builder, insn);
    return builder->partner[at] + 1;
}

/* ---- Subroutines -------------------------------------------------------------------------------------- */

/* Whether the only `ret` of a subroutine is its last instruction, outside of any block. */
static bool returns_once(const struct ag_ir_builder *builder, uint32_t label)
{
    const struct agpu_instruction *insns = builder->source->instructions;
    uint32_t depth = 0;
    for (uint32_t i = label + 1; i < builder->source->instruction_count; i++) {
        if (insns[i].opcode == AGPU_OP_RETC)
            return false;
        if (insns[i].opcode == AGPU_OP_RET)
            return depth == 0;
        depth += opens(insns[i].opcode);
        depth -= closes(insns[i].opcode);
    }
    return true;
}

/* Builds the body of a subroutine, from behind the label to its last `ret`, as statements of the current
 * block. */
void ag_ir_inline(struct ag_ir_builder *builder, uint32_t offset, uint32_t label_at)
{
    uint32_t returned = builder->returned;
    bool return_pending = builder->return_pending;
    uint32_t loops = builder->loop_depth, switches = builder->switch_depth, leave_at = builder->call_break;
    struct ag_ir_block *outer = builder->block;
    struct ag_ir_machine *machine = builder->machine;
    struct ag_ir_stmt *once = ag_ir_emit(builder, AG_IR_LOOP, offset);
    if (once == NULL)
        return;
    builder->machine = NULL;
    once->body = ag_ir_block_new(builder->program, outer);
    builder->block = once->body;
    builder->loop_depth = 1;
    builder->switch_depth = 0;
    builder->call_break = 1;
    builder->returned = ag_ir_add_register(builder->program, AG_IR_REGISTER_SCRATCH,
                                           (uint32_t)builder->program->registers.count);
    builder->return_pending = false;
    set_returned(builder, offset, 0);
    ag_ir_build_segment(builder, label_at + 1);
    if (!builder->dead)
        ag_ir_emit(builder, AG_IR_BREAK, offset);
    builder->machine = machine;
    builder->loop_depth = loops;
    builder->switch_depth = switches;
    builder->call_break = leave_at;
    builder->returned = returned;
    builder->return_pending = return_pending;
    builder->block = outer;
    builder->dead = false;
    if (!returns_once(builder, label_at))
        return;
    /* Only the end leaves the body, so the loop is not needed: it becomes a plain block, without the final
     * break. */
    struct ag_ir_stmt *stmt = once->body->first;
    once->kind = AG_IR_IF;
    once->value = ag_ir_const(builder->program, 1, UINT32_MAX);
    while (stmt != NULL && stmt->next != NULL && stmt->next->next != NULL)
        stmt = stmt->next;
    if (stmt != NULL && stmt->next != NULL) {
        stmt->next = NULL;
        once->body->last = stmt;
    } else {
        once->body->first = once->body->last = NULL;
    }
}

void ag_ir_build_call(struct ag_ir_builder *builder, const struct agpu_instruction *insn, uint32_t number)
{
    struct ag_ir_label *label = ag_ir_find_label(builder, number);
    if (label == NULL)
        ag_ir_flow_error(builder, insn->offset, "a call to a label that does not exist");
    else if (label->out_of_line)
        ag_ir_call_in_machine(builder, insn->offset, label);
    else
        ag_ir_inline(builder, insn->offset, label->at);
}

static void build_callc(struct ag_ir_builder *builder, const struct agpu_instruction *insn)
{
    struct ag_ir_stmt *stmt = ag_ir_emit(builder, AG_IR_IF, insn->offset);
    struct ag_ir_block *outer = builder->block;
    if (stmt == NULL || insn->operand_count < 2)
        return;
    stmt->value = ag_ir_condition(builder, insn);
    stmt->body = ag_ir_block_new(builder->program, outer);
    builder->block = stmt->body;
    ag_ir_build_call(builder, insn, (uint32_t)insn->operands[1].index[0].immediate);
    builder->block = outer;
    builder->dead = false;
}

/* ---- The walk ----------------------------------------------------------------------------------------- */

static uint32_t build_flow_instruction(struct ag_ir_builder *builder, uint32_t at)
{
    const struct agpu_instruction *insn = &builder->source->instructions[at];
    switch (insn->opcode) {
    case AGPU_OP_IF:
        return build_if(builder, at);
    case AGPU_OP_LOOP:
        return build_loop(builder, at);
    case AGPU_OP_SWITCH:
        return ag_ir_build_switch(builder, at);
    case AGPU_OP_BREAKC:
    case AGPU_OP_CONTINUEC:
    case AGPU_OP_RETC:
    case AGPU_OP_DISCARD:
        build_conditional(builder, insn);
        break;
    case AGPU_OP_CALL:
        if (insn->operand_count > 0)
            ag_ir_build_call(builder, insn, (uint32_t)insn->operands[0].index[0].immediate);
        break;
    case AGPU_OP_CALLC:
        build_callc(builder, insn);
        break;
    case AGPU_OP_FCALL:
        ag_ir_build_fcall(builder, insn);
        break;
    case AGPU_OP_NOP:
        break;
    default:
        build_jump(builder, insn, insn->opcode);
        break;
    }
    return at + 1;
}

/* Whether instruction `at` ends the block that is being built: an end of a construct, a label or a phase, or
 * a `ret` behind another jump. */
bool ag_ir_ends_block(const struct ag_ir_builder *builder, uint32_t at)
{
    uint16_t opcode = builder->source->instructions[at].opcode;
    if (closes(opcode) || continues(opcode) || opcode == AGPU_OP_LABEL || ag_ir_is_phase(opcode))
        return true;
    return opcode == AGPU_OP_RET && builder->dead;
}

static void build_plain(struct ag_ir_builder *builder, const struct agpu_instruction *insn)
{
    const struct ag_ir_row *row = &ag_ir_rows[insn->opcode];
    const struct agpu_opcode_info *info = ag_opcode_info(insn->opcode);
    if (row->build == NULL)
        ag_ir_refuse(builder->program, AGPU_DIAG_TRANSLATE_OPCODE, insn->offset, "%s is not supported",
                     info->mnemonic);
    else if (insn->operand_count < info->operand_count)
        ag_ir_refuse(builder->program, AGPU_DIAG_TRANSLATE_OPERAND, insn->offset, "%s lacks operands",
                     info->mnemonic);
    else
        ag_ir_build_instruction(builder, insn, row);
}

uint32_t ag_ir_build_step(struct ag_ir_builder *builder, uint32_t at)
{
    const struct agpu_instruction *insn = &builder->source->instructions[at];
    if (ag_opcode_info(insn->opcode)->flags & AGPU_OPF_DECLARATION)
        return at + 1;
    if (ag_ir_rows[insn->opcode].is_flow) {
        bool dead = builder->dead;
        at = build_flow_instruction(builder, at);
        builder->dead = builder->dead || dead;
        return at;
    }
    build_plain(builder, insn);
    return at + 1;
}

uint32_t ag_ir_build_flow(struct ag_ir_builder *builder, uint32_t at)
{
    const struct agpu_program *source = builder->source;
    struct ag_ir_program *program = builder->program;
    struct ag_ir_block *block = builder->block;
    while (at < source->instruction_count && program->status == AGPU_OK && !ag_ir_ends_block(builder, at)) {
        bool declares = ag_opcode_info(source->instructions[at].opcode)->flags & AGPU_OPF_DECLARATION;
        /* Unreachable instructions go to a block that is thrown away. They are built all the same, because a
         * construct among them must be skipped as a whole. */
        if (!declares && builder->dead && builder->block == block)
            builder->block = ag_ir_block_new(program, block);
        at = ag_ir_build_step(builder, at);
    }
    builder->block = block;
    return at;
}

void ag_ir_build_segment(struct ag_ir_builder *builder, uint32_t at)
{
    if (ag_ir_needs_machine(builder, at))
        ag_ir_build_machine(builder, at);
    else
        ag_ir_build_flow(builder, at);
}
