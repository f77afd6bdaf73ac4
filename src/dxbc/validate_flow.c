/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "dxbc/validate.h"

#define DEEPEST_NESTING 64

static struct agpu_flow_level *top(struct agpu_validator *validator)
{
    return validator->flow.count == 0 ? NULL : &agpu_vec_last(&validator->flow);
}

static bool is_inside(const struct agpu_validator *validator, bool loops_only)
{
    for (size_t i = 0; i < validator->flow.count; i++) {
        const enum agpu_flow_kind kind = validator->flow.data[i].kind;
        if (kind == AGPU_FLOW_LOOP || (kind == AGPU_FLOW_SWITCH && !loops_only))
            return true;
    }
    return false;
}

/* ---- Blocks ------------------------------------------------------------------------------------------- */

static void open_block(struct agpu_validator *validator, const struct agpu_instruction *instruction,
                       enum agpu_flow_kind kind)
{
    if (validator->flow.count == DEEPEST_NESTING)
        agpu_invalid(validator, instruction, AGPU_DIAG_DXBC_LIMIT, "flow control nests more than %d deep",
                     DEEPEST_NESTING);
    const struct agpu_flow_level level = {.kind = kind, .opener = instruction};
    if (!agpu_vec_push(&validator->flow, level))
        validator->out_of_memory = true;
}

static void close_block(struct agpu_validator *validator, const struct agpu_instruction *instruction,
                        enum agpu_flow_kind kind, const char *opener)
{
    struct agpu_flow_level *level = top(validator);
    const bool fits =
        level != NULL && (level->kind == kind || (kind == AGPU_FLOW_IF && level->kind == AGPU_FLOW_ELSE));
    if (!fits) {
        agpu_invalid(validator, instruction, AGPU_DIAG_DXBC_NESTING, "%s does not close an open %s",
                     agpu_opcode_info(instruction->opcode)->mnemonic, opener);
        return;
    }
    validator->flow.count--;
}

static void turn_else(struct agpu_validator *validator, const struct agpu_instruction *instruction)
{
    struct agpu_flow_level *level = top(validator);
    if (level == NULL || level->kind != AGPU_FLOW_IF)
        agpu_invalid(validator, instruction, AGPU_DIAG_DXBC_NESTING, "else does not follow an open if");
    else
        level->kind = AGPU_FLOW_ELSE;
}

/* What is still open where a program, subroutine or phase ends. */
static void close_all(struct agpu_validator *validator)
{
    while (validator->flow.count != 0) {
        const struct agpu_flow_level *level = &agpu_vec_last(&validator->flow);
        agpu_invalid(validator, level->opener, AGPU_DIAG_DXBC_NESTING, "%s is never closed",
                     agpu_opcode_info(level->opener->opcode)->mnemonic);
        validator->flow.count--;
    }
}

/* ---- Switches ----------------------------------------------------------------------------------------- */

static void check_case(struct agpu_validator *validator, const struct agpu_instruction *instruction)
{
    struct agpu_flow_level *level = top(validator);
    const bool is_default = instruction->opcode == AGPU_OP_DEFAULT;
    const char *name = is_default ? "default" : "case";
    if (level == NULL || level->kind != AGPU_FLOW_SWITCH) {
        agpu_invalid(validator, instruction, AGPU_DIAG_DXBC_CASE, "%s does not stand directly in a switch",
                     name);
        return;
    }
    level->has_case = true;
    if (is_default) {
        if (level->has_default)
            agpu_invalid(validator, instruction, AGPU_DIAG_DXBC_CASE, "a switch has two defaults");
        level->has_default = true;
        return;
    }
    const struct agpu_operand *label = &instruction->operands[0];
    if (label->type != AGPU_OPERAND_IMMEDIATE32 || label->component_count != 1) {
        agpu_invalid(validator, instruction, AGPU_DIAG_DXBC_CASE, "the label of a case is not one literal");
        return;
    }
    const uint64_t key = (uint64_t)level->opener->offset << 32 | label->immediate[0];
    if (agpu_map_get(&validator->cases, key) != NULL)
        agpu_invalid(validator, instruction, AGPU_DIAG_DXBC_CASE, "a switch has two cases of this value");
    else if (!agpu_map_put(&validator->cases, key, (void *)(uintptr_t)instruction))
        validator->out_of_memory = true;
}

/* Between `switch` and its first label nothing can be reached. */
static void check_switch_body(struct agpu_validator *validator, const struct agpu_instruction *instruction)
{
    const struct agpu_flow_level *level = top(validator);
    const bool label = instruction->opcode == AGPU_OP_CASE || instruction->opcode == AGPU_OP_DEFAULT ||
                       instruction->opcode == AGPU_OP_ENDSWITCH;
    if (level != NULL && level->kind == AGPU_FLOW_SWITCH && !level->has_case && !label)
        agpu_invalid(validator, instruction, AGPU_DIAG_DXBC_CASE,
                     "%s stands before the first case of a switch",
                     agpu_opcode_info(instruction->opcode)->mnemonic);
}

/* ---- Labels and ends ---------------------------------------------------------------------------------- */

static void check_ended(struct agpu_validator *validator, const struct agpu_instruction *instruction)
{
    if (validator->previous == NULL || validator->previous->opcode != AGPU_OP_RET)
        agpu_invalid(validator, instruction, AGPU_DIAG_DXBC_RETURN,
                     "what stands before %s does not end in ret",
                     agpu_opcode_info(instruction->opcode)->mnemonic);
}

static void check_call(struct agpu_validator *validator, const struct agpu_instruction *instruction)
{
    const struct agpu_operand *label = &instruction->operands[instruction->operand_count - 1];
    if (agpu_map_get(&validator->labels, agpu_validate_key(label->type, label->index[0].immediate) + 1) ==
        NULL)
        agpu_invalid(validator, instruction, AGPU_DIAG_DXBC_LABEL, "there is no label l%u",
                     (unsigned)label->index[0].immediate);
}

static void check_interface_call(struct agpu_validator *validator, const struct agpu_instruction *instruction)
{
    const uint64_t number = instruction->operands[0].index[0].immediate;
    if (agpu_map_get(&validator->interfaces, number + 1) == NULL)
        agpu_invalid(validator, instruction, AGPU_DIAG_DXBC_LABEL, "there is no interface fp%u",
                     (unsigned)number);
}

static void begin_label(struct agpu_validator *validator, const struct agpu_instruction *instruction)
{
    close_all(validator);
    check_ended(validator, instruction);
}

/* ---- Phases ------------------------------------------------------------------------------------------- */

static void reset_phase(struct agpu_validator *validator)
{
    memset(validator->files, 0, sizeof validator->files);
    memset(validator->special_mask, 0, sizeof validator->special_mask);
    validator->specials = 0;
    validator->temps = 0;
    validator->array_temps = 0;
    validator->seen_code = false;
    agpu_map_clear(&validator->arrays);
}

static void begin_phase(struct agpu_validator *validator, const struct agpu_instruction *instruction,
                        enum agpu_hull_phase phase)
{
    close_all(validator);
    const bool first = validator->phase == AGPU_PHASE_NONE && validator->previous == NULL;
    if (phase == AGPU_PHASE_DECLS && !first) {
        agpu_invalid(validator, instruction, AGPU_DIAG_DXBC_PHASE,
                     "a hull shader has one hs_decls, at its beginning");
        return;
    }
    if (phase != AGPU_PHASE_DECLS && validator->phase == AGPU_PHASE_NONE)
        agpu_invalid(validator, instruction, AGPU_DIAG_DXBC_PHASE, "a hull shader begins with hs_decls");
    else if (phase < validator->phase || (phase == AGPU_PHASE_CONTROL_POINT && phase == validator->phase))
        agpu_invalid(validator, instruction, AGPU_DIAG_DXBC_PHASE,
                     "the phases of a hull shader are one control point phase at most, then fork, then join");
    else if (validator->phase > AGPU_PHASE_DECLS)
        check_ended(validator, instruction);
    validator->phase = phase;
    reset_phase(validator);
}

static void check_in_phase(struct agpu_validator *validator, const struct agpu_instruction *instruction)
{
    const bool declaration = (agpu_opcode_info(instruction->opcode)->flags & AGPU_OPF_DECLARATION) != 0;
    if (validator->program->stage != AGPU_STAGE_HULL || validator->phase > AGPU_PHASE_DECLS ||
        instruction->opcode == AGPU_OP_CUSTOMDATA)
        return;
    if (validator->phase == AGPU_PHASE_NONE && validator->previous == NULL)
        agpu_invalid(validator, instruction, AGPU_DIAG_DXBC_PHASE, "a hull shader begins with hs_decls");
    else if (!declaration)
        agpu_invalid(validator, instruction, AGPU_DIAG_DXBC_PHASE,
                     "%s stands outside the phases of a hull shader",
                     agpu_opcode_info(instruction->opcode)->mnemonic);
}

/* ---- Dispatch ----------------------------------------------------------------------------------------- */

static bool phase_of(uint16_t opcode, enum agpu_hull_phase *phase)
{
    switch (opcode) {
    case AGPU_OP_HS_DECLS:
        *phase = AGPU_PHASE_DECLS;
        return true;
    case AGPU_OP_HS_CONTROL_POINT_PHASE:
        *phase = AGPU_PHASE_CONTROL_POINT;
        return true;
    case AGPU_OP_HS_FORK_PHASE:
        *phase = AGPU_PHASE_FORK;
        return true;
    case AGPU_OP_HS_JOIN_PHASE:
        *phase = AGPU_PHASE_JOIN;
        return true;
    default:
        return false;
    }
}

static void check_jump(struct agpu_validator *validator, const struct agpu_instruction *instruction,
                       bool loops_only)
{
    if (!is_inside(validator, loops_only))
        agpu_invalid(validator, instruction, AGPU_DIAG_DXBC_JUMP, "%s stands outside a loop%s",
                     agpu_opcode_info(instruction->opcode)->mnemonic, loops_only ? "" : " or switch");
}

void agpu_validate_flow(struct agpu_validator *validator, const struct agpu_instruction *instruction)
{
    enum agpu_hull_phase phase;
    if (phase_of(instruction->opcode, &phase)) {
        begin_phase(validator, instruction, phase);
        return;
    }
    check_in_phase(validator, instruction);
    check_switch_body(validator, instruction);
    switch (instruction->opcode) {
    case AGPU_OP_IF:
        open_block(validator, instruction, AGPU_FLOW_IF);
        break;
    case AGPU_OP_ELSE:
        turn_else(validator, instruction);
        break;
    case AGPU_OP_ENDIF:
        close_block(validator, instruction, AGPU_FLOW_IF, "if");
        break;
    case AGPU_OP_LOOP:
        open_block(validator, instruction, AGPU_FLOW_LOOP);
        break;
    case AGPU_OP_ENDLOOP:
        close_block(validator, instruction, AGPU_FLOW_LOOP, "loop");
        break;
    case AGPU_OP_SWITCH:
        open_block(validator, instruction, AGPU_FLOW_SWITCH);
        break;
    case AGPU_OP_ENDSWITCH:
        close_block(validator, instruction, AGPU_FLOW_SWITCH, "switch");
        break;
    case AGPU_OP_CASE:
    case AGPU_OP_DEFAULT:
        check_case(validator, instruction);
        break;
    case AGPU_OP_BREAK:
    case AGPU_OP_BREAKC:
        check_jump(validator, instruction, false);
        break;
    case AGPU_OP_CONTINUE:
    case AGPU_OP_CONTINUEC:
        check_jump(validator, instruction, true);
        break;
    case AGPU_OP_CALL:
    case AGPU_OP_CALLC:
        check_call(validator, instruction);
        break;
    case AGPU_OP_FCALL:
        check_interface_call(validator, instruction);
        break;
    case AGPU_OP_LABEL:
        begin_label(validator, instruction);
        break;
    default: /* straight-line code */
        break;
    }
}

void agpu_validate_flow_end(struct agpu_validator *validator, const struct agpu_instruction *last)
{
    close_all(validator);
    if (validator->errors >= AGPU_VALIDATE_MOST_ERRORS)
        return;
    if (validator->previous == NULL || validator->previous->opcode != AGPU_OP_RET)
        agpu_invalid(validator, last, AGPU_DIAG_DXBC_RETURN, "the program does not end in ret");
}
