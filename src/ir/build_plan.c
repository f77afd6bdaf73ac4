/* SPDX-License-Identifier: MIT
 *
 * Decides the form of flow control before any is built: which subroutines are inlined, and which ifs, loops
 * and switches stay structured.
 *
 * Two limits make this necessary. WGSL parsers bound the nesting of blocks. And inlining a subroutine at each
 * call may double the program with every level of calls. What nests too deep or grows too much becomes states
 * of a machine (build_machine.c).
 */
#include <stdlib.h>

#include "ir/build.h"

#define MAX_CALL_DEPTH 32
#define MAX_TINY_SUBROUTINE 16 /* a subroutine of so few instructions is inlined at any number of calls */
/* Everything is inlined if the result has at most SMALL_PROGRAM instructions, or at most GROWTH times as many
 * as the program had. */
#define SMALL_PROGRAM (1u << 14)
#define GROWTH 4
#define MAX_INSTRUCTIONS (1u << 20)

/* Heights are nesting depths in the units of Dawn's parser, which counts two for a block and three for a
 * switch, and refuses some 125. These limits leave space for the loops around a hull shader's phases, for the
 * loop and switches of a machine, and for blocks that single instructions add. */
#define MAX_HEIGHT 104        /* limit for structured control flow */
#define MAX_STATE_HEIGHT 96   /* limit inside a state */
#define MAX_INLINED_HEIGHT 42 /* limit for a subroutine that is inlined */
#define BLOCK 2
#define SWITCH 5 /* a switch, and the block that a fall through adds */
#define CALL 2   /* the body of an inlined subroutine is a block */

/* An if, loop or switch whose end has not been reached. */
struct open_construct {
    uint32_t at, base, highest; /* at: its instruction; base: the height around it; highest: inside */
    bool calls, syncs;
};

/* Measurements of a program, phase or subroutine, or of a part. */
struct segment {
    uint64_t size;
    uint32_t height, calls_deep; /* calls_deep: levels of calls below */
    bool calls, syncs;           /* calls: of subroutines that are not inlined, or shared operations */
    uint64_t cost;               /* of costly operations (build_operation.c) */
};

struct plan {
    struct ag_ir_builder *builder;
    uint8_t round;    /* 1: measures as if everything were inlined; 2: decides */
    bool may_inline;  /* round 2: the program stays small enough if everything is inlined */
    uint32_t calls;   /* how many calls have been measured */
    uint64_t written; /* instructions of the subroutines that are not inlined */
};

/* ---- Labels ------------------------------------------------------------------------------------------- */

static int compare_labels(const void *a, const void *b)
{
    const struct ag_ir_label *x = a, *y = b;
    return x->number != y->number ? (x->number > y->number) - (x->number < y->number)
                                  : (x->at > y->at) - (x->at < y->at);
}

struct ag_ir_label *ag_ir_find_label(const struct ag_ir_builder *builder, uint32_t number)
{
    size_t low = 0, high = builder->labels.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (builder->labels.data[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < builder->labels.count && builder->labels.data[low].number == number;
    return found ? &builder->labels.data[low] : NULL;
}

static uint32_t callee_count(const struct ag_ir_builder *builder, const struct agpu_instruction *insn)
{
    switch (insn->opcode) {
    case AGPU_OP_CALL:
        return insn->operand_count > 0 ? 1 : 0;
    case AGPU_OP_CALLC:
        return insn->operand_count > 1 ? 1 : 0;
    case AGPU_OP_FCALL:
        return ag_ir_fcall_tables(builder, insn);
    default:
        return 0;
    }
}

static struct ag_ir_label *callee(const struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                                  uint32_t index)
{
    uint32_t number = insn->opcode == AGPU_OP_FCALL  ? ag_ir_fcall_body(builder, insn, index)
                      : insn->opcode == AGPU_OP_CALL ? (uint32_t)insn->operands[0].index[0].immediate
                                                     : (uint32_t)insn->operands[1].index[0].immediate;
    return ag_ir_find_label(builder, number);
}

static bool refuse_growth(struct ag_ir_builder *builder)
{
    ag_ir_refuse(builder->program, AGPU_DIAG_TRANSLATE_LIMIT, AG_IR_NONE,
                 "subroutines and their calls become more than %u instructions", MAX_INSTRUCTIONS);
    return false;
}

/* ---- Measuring ---------------------------------------------------------------------------------------- */

static bool measure_label(struct plan *plan, const struct agpu_instruction *call, struct ag_ir_label *label,
                          uint32_t depth);

static bool too_deep(struct plan *plan, const struct agpu_instruction *call)
{
    return ag_ir_flow_error(plan->builder, call->offset, "calls nest too deep");
}

/* Measures a call. The callees that are inlined add to the size, and to `*highest`, the height inside. */
static bool measure_call(struct plan *plan, const struct agpu_instruction *insn, struct segment *segment,
                         uint32_t depth, uint32_t *highest)
{
    uint32_t count = callee_count(plan->builder, insn), base = *highest;
    base += insn->opcode == AGPU_OP_CALLC ? BLOCK + CALL : insn->opcode == AGPU_OP_FCALL ? 3 + CALL : CALL;
    for (uint32_t i = 0; i < count; i++) {
        struct ag_ir_label *label = callee(plan->builder, insn, i);
        segment->size++;
        if (++plan->calls > MAX_INSTRUCTIONS)
            return refuse_growth(plan->builder);
        if (label == NULL)
            continue;
        if (!measure_label(plan, insn, label, depth + 1))
            return false;
        segment->syncs |= label->syncs;
        segment->calls |= label->out_of_line;
        if (segment->calls_deep < label->calls_deep + 1)
            segment->calls_deep = label->calls_deep + 1;
        if (label->out_of_line)
            continue;
        segment->size += label->size;
        segment->cost += label->cost;
        if (*highest < base + label->height)
            *highest = base + label->height;
    }
    if (segment->size > UINT32_MAX)
        segment->size = UINT32_MAX; /* saturates, so that sums cannot overflow; any limit refuses it */
    if (segment->cost > UINT32_MAX)
        segment->cost = UINT32_MAX;
    return true;
}

static bool ends_segment(const struct agpu_instruction *insn)
{
    return insn->opcode == AGPU_OP_LABEL || ag_ir_is_phase(insn->opcode);
}

static void raise_construct(struct open_construct *construct, const struct segment *inside, uint32_t highest)
{
    construct->calls |= inside->calls;
    construct->syncs |= inside->syncs;
    if (construct->highest < highest)
        construct->highest = highest;
}

static void close_construct(struct plan *plan, struct open_construct *stack, uint32_t depth,
                            struct segment *all)
{
    const struct open_construct *inner = &stack[depth];
    plan->builder->extents[inner->at] = (struct ag_ir_extent){
        .height = (uint16_t)(inner->highest - inner->base),
        .calls = inner->calls,
        .syncs = inner->syncs,
    };
    const struct segment as_part = {.calls = inner->calls, .syncs = inner->syncs};
    if (depth > 0)
        raise_construct(&stack[depth - 1], &as_part, inner->highest);
    all->calls |= inner->calls;
    all->syncs |= inner->syncs;
    if (all->height < inner->highest)
        all->height = inner->highest;
}

static void open_construct(struct open_construct *construct, uint32_t at, uint16_t opcode, uint32_t base)
{
    *construct = (struct open_construct){
        .at = at, .base = base, .highest = base + (opcode == AGPU_OP_SWITCH ? SWITCH : BLOCK)};
}

/* Whether costly operations inside of so many constructs and subroutines are shared. */
static bool is_shared_at(const struct ag_ir_builder *builder, uint32_t depth)
{
    return builder->shares_operations && (depth == 0 || !builder->shares_at_top);
}

/* Measures the instructions from `at` to the next label, phase or the end of the program. */
static bool measure_segment(struct plan *plan, uint32_t at, uint32_t nesting, struct segment *all)
{
    const struct agpu_program *source = plan->builder->source;
    struct open_construct stack[AG_IR_MAX_DEPTH + 1];
    uint32_t depth = 0;
    *all = (struct segment){0};
    for (; at < source->instruction_count && !ends_segment(&source->instructions[at]); at++) {
        const struct agpu_instruction *insn = &source->instructions[at];
        uint32_t base = 0;
        if (depth > 0)
            base = stack[depth - 1].base +
                   (source->instructions[stack[depth - 1].at].opcode == AGPU_OP_SWITCH ? SWITCH : BLOCK);
        struct segment part = {0};
        uint32_t highest = base;
        switch (insn->opcode) {
        case AGPU_OP_IF:
        case AGPU_OP_LOOP:
        case AGPU_OP_SWITCH:
            open_construct(&stack[depth++], at, insn->opcode, base);
            break;
        case AGPU_OP_ENDIF:
        case AGPU_OP_ENDLOOP:
        case AGPU_OP_ENDSWITCH:
            if (depth > 0)
                close_construct(plan, stack, --depth, all);
            break;
        case AGPU_OP_BREAKC:
        case AGPU_OP_CONTINUEC:
        case AGPU_OP_RETC:
        case AGPU_OP_DISCARD:
            highest += BLOCK;
            break;
        case AGPU_OP_CALL:
        case AGPU_OP_CALLC:
        case AGPU_OP_FCALL:
            if (!measure_call(plan, insn, &part, nesting, &highest))
                return false;
            break;
        case AGPU_OP_SYNC:
            part.syncs = (insn->controls & AGPU_SYNC_THREADS_IN_GROUP) != 0;
            break;
        default:
            part.cost = ag_ir_operation_cost(insn);
            part.calls = part.cost != 0 && is_shared_at(plan->builder, depth + nesting);
            plan->builder->extents[at].calls = part.calls;
            break;
        }
        all->size += part.size + 1;
        all->cost += part.cost;
        all->calls |= part.calls;
        all->syncs |= part.syncs;
        if (all->calls_deep < part.calls_deep)
            all->calls_deep = part.calls_deep;
        if (all->height < highest)
            all->height = highest;
        if (depth > 0)
            raise_construct(&stack[depth - 1], &part, highest);
    }
    return true;
}

static bool measure_label(struct plan *plan, const struct agpu_instruction *call, struct ag_ir_label *label,
                          uint32_t depth)
{
    struct segment segment;
    if (label->round == plan->round) {
        label->calls += plan->round == 1;
        return depth + label->calls_deep <= MAX_CALL_DEPTH || too_deep(plan, call);
    }
    if (label->is_open || depth > MAX_CALL_DEPTH)
        return too_deep(plan, call);
    label->is_open = true;
    if (!measure_segment(plan, label->at + 1, depth, &segment))
        return false;
    label->is_open = false;
    label->round = plan->round;
    label->calls += plan->round == 1;
    label->size = segment.size;
    label->cost = segment.cost;
    label->height = segment.height;
    label->calls_deep = segment.calls_deep;
    label->syncs = segment.syncs;
    if (plan->round == 2) {
        bool grows = !plan->may_inline && label->calls > 1 && segment.size > MAX_TINY_SUBROUTINE;
        label->out_of_line =
            segment.calls || grows || segment.height + CALL > plan->builder->max_inlined_height;
        plan->written += label->out_of_line ? segment.size : 0;
    }
    return true;
}

/* ---- The plan ----------------------------------------------------------------------------------------- */

/* Measures everything outside subroutines: the main program, or each phase of a hull shader. */
static bool measure_all(struct plan *plan, uint64_t *size, struct segment *all)
{
    const struct agpu_program *source = plan->builder->source;
    *size = 0;
    *all = (struct segment){0};
    for (uint32_t at = 0; at < source->instruction_count; at++) {
        bool begins = at == 0 || ag_ir_is_phase(source->instructions[at].opcode);
        struct segment segment;
        if (!begins || source->instructions[at].opcode == AGPU_OP_LABEL)
            continue;
        if (!measure_segment(plan, at + ag_ir_is_phase(source->instructions[at].opcode), 0, &segment))
            return false;
        *size += segment.size;
        all->cost += segment.cost;
        all->calls |= segment.calls;
        all->syncs |= segment.syncs;
    }
    return true;
}

bool ag_ir_plan_flow(struct ag_ir_builder *builder)
{
    const struct agpu_program *source = builder->source;
    struct plan plan = {.builder = builder, .round = 1};
    struct segment all;
    uint64_t size;
    builder->extents =
        AG_ARENA_ARRAY(builder->program->arena, struct ag_ir_extent, source->instruction_count);
    if (builder->extents == NULL) {
        ag_ir_no_memory(builder->program);
        return false;
    }
    if (builder->labels.count > 0)
        qsort(builder->labels.data, builder->labels.count, sizeof builder->labels.data[0], compare_labels);
    if (!measure_all(&plan, &size, &all))
        return false;
    uint64_t grown = (uint64_t)source->instruction_count * GROWTH;
    /* In a program with barriers, threads in different states could not meet at one, so everything is
     * inlined. */
    plan.may_inline = all.syncs || size <= (grown > SMALL_PROGRAM ? grown : SMALL_PROGRAM);
    uint32_t most = builder->options->most_nesting;
    bool bounded = most != 0;
    builder->syncs = all.syncs;
    builder->max_height = bounded && most < MAX_HEIGHT ? most : MAX_HEIGHT;
    builder->max_state_height = bounded && most < MAX_STATE_HEIGHT ? most : MAX_STATE_HEIGHT;
    builder->max_inlined_height =
        bounded && most < MAX_INLINED_HEIGHT && !all.syncs ? most : MAX_INLINED_HEIGHT;
    plan.round = 2;
    const uint32_t most_cost = builder->options->most_operation_cost;
    builder->shares_operations = !all.syncs && all.cost > (most_cost != 0 ? most_cost : AG_IR_MAX_COST);
    builder->shares_at_top = builder->shares_operations && ag_ir_has_derivatives(source);
    /* Without subroutines or shared operations there is nothing to decide. */
    if ((builder->labels.count > 0 || builder->shares_operations) && !measure_all(&plan, &size, &all))
        return false;
    if (plan.written + size > MAX_INSTRUCTIONS && plan.written + size > grown)
        return refuse_growth(builder);
    if (!all.calls || !all.syncs)
        return true;
    ag_ir_refuse(builder->program, AGPU_DIAG_TRANSLATE_LIMIT, AG_IR_NONE,
                 "subroutines of a program with barriers nest deeper than can be inlined");
    return false;
}

bool ag_ir_is_flattened(const struct ag_ir_builder *builder, uint32_t at, uint32_t max_height)
{
    uint16_t opcode = builder->source->instructions[at].opcode;
    if (opcode != AGPU_OP_IF && opcode != AGPU_OP_LOOP && opcode != AGPU_OP_SWITCH)
        return false;
    /* Threads in different states cannot meet at a barrier. A construct that contains a barrier is flattened
     * for all threads of the group alike; a construct without one stays structured up to the highest limit
     * there is. */
    if (builder->syncs && !builder->extents[at].syncs && max_height < MAX_STATE_HEIGHT)
        max_height = MAX_STATE_HEIGHT;
    return builder->extents[at].calls || builder->extents[at].height > max_height;
}

bool ag_ir_calls_out_of_line(const struct ag_ir_builder *builder, const struct agpu_instruction *insn)
{
    for (uint32_t i = 0; i < callee_count(builder, insn); i++) {
        const struct ag_ir_label *label = callee(builder, insn, i);
        if (label != NULL && label->out_of_line)
            return true;
    }
    return false;
}

static bool is_shared_operation(const struct ag_ir_builder *builder, uint32_t at)
{
    return builder->shares_operations && builder->extents[at].calls &&
           ag_ir_operation_cost(&builder->source->instructions[at]) != 0;
}

bool ag_ir_needs_machine(const struct ag_ir_builder *builder, uint32_t at)
{
    const struct agpu_program *source = builder->source;
    for (; at < source->instruction_count && !ends_segment(&source->instructions[at]); at++)
        if (is_shared_operation(builder, at) || ag_ir_is_flattened(builder, at, builder->max_height) ||
            ag_ir_calls_out_of_line(builder, &source->instructions[at]))
            return true;
    return false;
}
