/* SPDX-License-Identifier: MIT
 *
 * Checks control flow: nesting, jumps, labels and phases.
 */
#include <string.h>

#include "dxbc/validate.h"

#define DEEPEST_NESTING 64

static struct ag_flow_level *top(struct ag_validator *validator)
{
    return validator->flow.count == 0 ? NULL : &ag_vec_last(&validator->flow);
}

static bool is_inside(const struct ag_validator *validator, bool loops_only)
{
    for (size_t i = 0; i < validator->flow.count; i++) {
        const enum ag_flow_kind kind = validator->flow.data[i].kind;
        if (kind == AG_FLOW_LOOP || (kind == AG_FLOW_SWITCH && !loops_only))
            return true;
    }
    return false;
}

/* ---- Blocks ------------------------------------------------------------------------------------------- */

static void open_block(struct ag_validator *validator, const struct agpu_instruction *instruction,
                       enum ag_flow_kind kind)
{
    if (validator->flow.count == DEEPEST_NESTING)
        ag_invalid(validator, instruction, AGPU_DIAG_DXBC_LIMIT, "flow control nests more than %d deep",
                   DEEPEST_NESTING);
    const struct ag_flow_level level = {.kind = kind, .opener = instruction};
    if (!ag_vec_push(&validator->flow, level))
        validator->out_of_memory = true;
}

static void close_block(struct ag_validator *validator, const struct agpu_instruction *instruction,
                        enum ag_flow_kind kind, const char *opener)
{
    struct ag_flow_level *level = top(validator);
    const bool fits =
        level != NULL && (level->kind == kind || (kind == AG_FLOW_IF && level->kind == AG_FLOW_ELSE));
    if (!fits) {
        ag_invalid(validator, instruction, AGPU_DIAG_DXBC_NESTING, "%s does not close an open %s",
                   agpu_opcode_info(instruction->opcode)->mnemonic, opener);
        return;
    }
    validator->flow.count--;
}

static void turn_else(struct ag_validator *validator, const struct agpu_instruction *instruction)
{
    struct ag_flow_level *level = top(validator);
    if (level == NULL || level->kind != AG_FLOW_IF)
        ag_invalid(validator, instruction, AGPU_DIAG_DXBC_NESTING, "else does not follow an open if");
    else
        level->kind = AG_FLOW_ELSE;
}

/* Reports constructs that are still open at the end of a program, subroutine or phase. */
static void close_all(struct ag_validator *validator)
{
    while (validator->flow.count != 0) {
        const struct ag_flow_level *level = &ag_vec_last(&validator->flow);
        ag_invalid(validator, level->opener, AGPU_DIAG_DXBC_NESTING, "%s is never closed",
                   agpu_opcode_info(level->opener->opcode)->mnemonic);
        validator->flow.count--;
    }
}

/* ---- Switches ----------------------------------------------------------------------------------------- */

static void check_case(struct ag_validator *validator, const struct agpu_instruction *instruction)
{
    struct ag_flow_level *level = top(validator);
    const bool is_default = instruction->opcode == AGPU_OP_DEFAULT;
    const char *name = is_default ? "default" : "case";
    if (level == NULL || level->kind != AG_FLOW_SWITCH) {
        ag_invalid(validator, instruction, AGPU_DIAG_DXBC_CASE, "%s does not stand directly in a switch",
                   name);
        return;
    }
    level->has_case = true;
    if (is_default) {
        if (level->has_default)
            ag_invalid(validator, instruction, AGPU_DIAG_DXBC_CASE, "a switch has two defaults");
        level->has_default = true;
        return;
    }
    const struct agpu_operand *label = &instruction->operands[0];
    if (label->type != AGPU_OPERAND_IMMEDIATE32 || label->component_count != 1) {
        ag_invalid(validator, instruction, AGPU_DIAG_DXBC_CASE, "the label of a case is not one literal");
        return;
    }
    const uint64_t key = (uint64_t)level->opener->offset << 32 | label->immediate[0];
    if (ag_map_get(&validator->cases, key) != NULL)
        ag_invalid(validator, instruction, AGPU_DIAG_DXBC_CASE, "a switch has two cases of this value");
    else if (!ag_map_put(&validator->cases, key, (void *)(uintptr_t)instruction))
        validator->out_of_memory = true;
}

/* Instructions between `switch` and its first label are unreachable. */
static void check_switch_body(struct ag_validator *validator, const struct agpu_instruction *instruction)
{
    const struct ag_flow_level *level = top(validator);
    const bool label = instruction->opcode == AGPU_OP_CASE || instruction->opcode == AGPU_OP_DEFAULT ||
                       instruction->opcode == AGPU_OP_ENDSWITCH;
    if (level != NULL && level->kind == AG_FLOW_SWITCH && !level->has_case && !label)
        ag_invalid(validator, instruction, AGPU_DIAG_DXBC_CASE, "%s stands before the first case of a switch",
                   agpu_opcode_info(instruction->opcode)->mnemonic);
}

/* ---- Labels and ends ---------------------------------------------------------------------------------- */

static void check_ended(struct ag_validator *validator, const struct agpu_instruction *instruction)
{
    if (validator->previous == NULL || validator->previous->opcode != AGPU_OP_RET)
        ag_invalid(validator, instruction, AGPU_DIAG_DXBC_RETURN, "what stands before %s does not end in ret",
                   agpu_opcode_info(instruction->opcode)->mnemonic);
}

static void check_call(struct ag_validator *validator, const struct agpu_instruction *instruction)
{
    const struct agpu_operand *label = &instruction->operands[instruction->operand_count - 1];
    if (ag_map_get(&validator->labels, ag_validate_key(label->type, label->index[0].immediate) + 1) == NULL)
        ag_invalid(validator, instruction, AGPU_DIAG_DXBC_LABEL, "there is no label l%u",
                   (unsigned)label->index[0].immediate);
}

static void check_interface_call(struct ag_validator *validator, const struct agpu_instruction *instruction)
{
    const uint64_t number = instruction->operands[0].index[0].immediate;
    if (ag_map_get(&validator->interfaces, number + 1) == NULL)
        ag_invalid(validator, instruction, AGPU_DIAG_DXBC_LABEL, "there is no interface fp%u",
                   (unsigned)number);
}

static void begin_label(struct ag_validator *validator, const struct agpu_instruction *instruction)
{
    close_all(validator);
    check_ended(validator, instruction);
}

/* ---- Phases ------------------------------------------------------------------------------------------- */

static void reset_phase(struct ag_validator *validator)
{
    memset(validator->files, 0, sizeof validator->files);
    memset(validator->special_mask, 0, sizeof validator->special_mask);
    validator->specials = 0;
    validator->temps = 0;
    validator->array_temps = 0;
    validator->seen_code = false;
    ag_map_clear(&validator->arrays);
}

static void begin_phase(struct ag_validator *validator, const struct agpu_instruction *instruction,
                        enum ag_hull_phase phase)
{
    close_all(validator);
    const bool first = validator->phase == AG_PHASE_NONE && validator->previous == NULL;
    if (phase == AG_PHASE_DECLS && !first) {
        ag_invalid(validator, instruction, AGPU_DIAG_DXBC_PHASE,
                   "a hull shader has one hs_decls, at its beginning");
        return;
    }
    if (phase != AG_PHASE_DECLS && validator->phase == AG_PHASE_NONE)
        ag_invalid(validator, instruction, AGPU_DIAG_DXBC_PHASE, "a hull shader begins with hs_decls");
    else if (phase < validator->phase || (phase == AG_PHASE_CONTROL_POINT && phase == validator->phase))
        ag_invalid(validator, instruction, AGPU_DIAG_DXBC_PHASE,
                   "the phases of a hull shader are one control point phase at most, then fork, then join");
    else if (validator->phase > AG_PHASE_DECLS)
        check_ended(validator, instruction);
    validator->phase = phase;
    reset_phase(validator);
}

static void check_in_phase(struct ag_validator *validator, const struct agpu_instruction *instruction)
{
    const bool declaration = (agpu_opcode_info(instruction->opcode)->flags & AGPU_OPF_DECLARATION) != 0;
    if (validator->program->stage != AGPU_STAGE_HULL || validator->phase > AG_PHASE_DECLS ||
        instruction->opcode == AGPU_OP_CUSTOMDATA)
        return;
    if (validator->phase == AG_PHASE_NONE && validator->previous == NULL)
        ag_invalid(validator, instruction, AGPU_DIAG_DXBC_PHASE, "a hull shader begins with hs_decls");
    else if (!declaration)
        ag_invalid(validator, instruction, AGPU_DIAG_DXBC_PHASE,
                   "%s stands outside the phases of a hull shader",
                   agpu_opcode_info(instruction->opcode)->mnemonic);
}

/* ---- Dispatch ----------------------------------------------------------------------------------------- */

static bool phase_of(uint16_t opcode, enum ag_hull_phase *phase)
{
    switch (opcode) {
    case AGPU_OP_HS_DECLS:
        *phase = AG_PHASE_DECLS;
        return true;
    case AGPU_OP_HS_CONTROL_POINT_PHASE:
        *phase = AG_PHASE_CONTROL_POINT;
        return true;
    case AGPU_OP_HS_FORK_PHASE:
        *phase = AG_PHASE_FORK;
        return true;
    case AGPU_OP_HS_JOIN_PHASE:
        *phase = AG_PHASE_JOIN;
        return true;
    default:
        return false;
    }
}

static void check_jump(struct ag_validator *validator, const struct agpu_instruction *instruction,
                       bool loops_only)
{
    if (!is_inside(validator, loops_only))
        ag_invalid(validator, instruction, AGPU_DIAG_DXBC_JUMP, "%s stands outside a loop%s",
                   agpu_opcode_info(instruction->opcode)->mnemonic, loops_only ? "" : " or switch");
}

void ag_validate_flow(struct ag_validator *validator, const struct agpu_instruction *instruction)
{
    enum ag_hull_phase phase;
    if (phase_of(instruction->opcode, &phase)) {
        begin_phase(validator, instruction, phase);
        return;
    }
    check_in_phase(validator, instruction);
    check_switch_body(validator, instruction);
    switch (instruction->opcode) {
    case AGPU_OP_IF:
        open_block(validator, instruction, AG_FLOW_IF);
        break;
    case AGPU_OP_ELSE:
        turn_else(validator, instruction);
        break;
    case AGPU_OP_ENDIF:
        close_block(validator, instruction, AG_FLOW_IF, "if");
        break;
    case AGPU_OP_LOOP:
        open_block(validator, instruction, AG_FLOW_LOOP);
        break;
    case AGPU_OP_ENDLOOP:
        close_block(validator, instruction, AG_FLOW_LOOP, "loop");
        break;
    case AGPU_OP_SWITCH:
        open_block(validator, instruction, AG_FLOW_SWITCH);
        break;
    case AGPU_OP_ENDSWITCH:
        close_block(validator, instruction, AG_FLOW_SWITCH, "switch");
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

void ag_validate_flow_end(struct ag_validator *validator, const struct agpu_instruction *last)
{
    close_all(validator);
    if (validator->errors >= AGPU_VALIDATE_MOST_ERRORS)
        return;
    if (validator->previous == NULL || validator->previous->opcode != AGPU_OP_RET)
        ag_invalid(validator, last, AGPU_DIAG_DXBC_RETURN, "the program does not end in ret");
}
