/* SPDX-License-Identifier: MIT
 *
 * What a module costs the compilers of WebGPU and of the driver, estimated while the module is written, and
 * the bounds of both estimates.
 *
 * The unit is a tenth of a millisecond of lavapipe's compiler for a program with some hundred such
 * operations, which SwiftShader takes about as long for. It tells what is very much work from what is not:
 * compilers take more than twice as long for twice as much, and those of GPUs less.
 */
#include <inttypes.h>

#include "wgsl/emit.h"

#define COST_OF_BRANCH 20
#define COST_OF_LOOP 300
#define COST_OF_STATE 50    /* of a machine (ir/build_machine.c) */
#define COST_OF_STORE 75    /* of a word */
#define COST_OF_ELEMENT 200 /* of an array, at an index that is computed */
#define BYTES_OF_COST 512   /* text that costs one unit */
/* Arrays begin as zeros, which compilers store one by one, and look at each pair of those stores. That is a
 * third of what lavapipe takes: compilers of GPUs take less, and Direct3D's programs may have 1,024 elements.
 */
#define COST_OF_ELEMENTS(count) ((uint64_t)(count) * (count) / 12)

/* For each lane of the result; others cost 1. */
static const uint16_t costs[AG_IR_OP_COUNT] = {
    [AG_IR_CBUFFER] = 1,
    [AG_IR_ICB] = 30,
    [AG_IR_RECORD] = 20,
    [AG_IR_RCP] = 8,
    [AG_IR_RSQ] = 14,
    [AG_IR_SQRT] = 8,
    [AG_IR_DIV] = 4,
    [AG_IR_EXP] = 20,
    [AG_IR_LOG] = 60,
    [AG_IR_SIN] = AG_IR_COST_OF_SIN,
    [AG_IR_COS] = AG_IR_COST_OF_SIN,
    [AG_IR_FRC] = 5,
    [AG_IR_MIN] = 2,
    [AG_IR_MAX] = 2,
    [AG_IR_UDIV] = 36,
    [AG_IR_UMOD] = 36,
    [AG_IR_UMULHI] = 8,
    [AG_IR_IMULHI] = 12,
    [AG_IR_FTOI] = 25,
    [AG_IR_FTOU] = 25,
    [AG_IR_F32TOF16] = 20,
    [AG_IR_F16TOF32] = 15,
    [AG_IR_UBFE] = 4,
    [AG_IR_IBFE] = 8,
    [AG_IR_BFI] = 6,
    [AG_IR_MSAD] = 55,
    [AG_IR_SAMPLE] = 25,
    [AG_IR_SAMPLE_BIAS] = 25,
    [AG_IR_SAMPLE_LEVEL] = 25,
    [AG_IR_SAMPLE_GRAD] = 25,
    [AG_IR_SAMPLE_CMP] = 100,
    [AG_IR_SAMPLE_CMP_LEVEL] = 100,
    [AG_IR_GATHER] = 25,
    [AG_IR_GATHER_CMP] = 25,
    [AG_IR_GATHER_PO] = 100,
    [AG_IR_GATHER_PO_CMP] = 100,
    [AG_IR_LOAD] = 14,
    [AG_IR_LOAD_TEXEL] = 25,
    [AG_IR_ATOMIC] = 250,
    /* each lane is a half of a double, or what is computed of both halves */
    [AG_IR_DADD] = AG_IR_COST_OF_DADD,
    [AG_IR_DMUL] = AG_IR_COST_OF_DMUL,
    [AG_IR_DFMA] = AG_IR_COST_OF_DFMA,
    [AG_IR_DDIV] = AG_IR_COST_OF_DDIV,
    [AG_IR_DRCP] = AG_IR_COST_OF_DRCP,
    [AG_IR_DMIN] = 10,
    [AG_IR_DMAX] = 10,
    [AG_IR_DSATURATE] = 20,
    [AG_IR_DLT] = 20,
    [AG_IR_DGE] = 20,
    [AG_IR_DEQ] = 10,
    [AG_IR_DNE] = 10,
    [AG_IR_DTOF] = 20,
    [AG_IR_FTOD] = 10,
    [AG_IR_DTOI] = 15,
    [AG_IR_DTOU] = 15,
    [AG_IR_ITOD] = 10,
    [AG_IR_UTOD] = 10,
};

void ag_wgsl_count_expr(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr)
{
    const uint32_t cost = costs[expr->op] != 0 ? costs[expr->op] : 1;
    emitter->cost += (uint64_t)cost * expr->width;
    if (expr->op == AG_IR_ARRAY && expr->args[0]->op != AG_IR_CONST)
        emitter->cost += COST_OF_ELEMENT;
}

void ag_wgsl_count_stores(struct ag_wgsl_emitter *emitter, uint32_t words)
{
    emitter->cost += (uint64_t)words * COST_OF_STORE;
}

static void count_case(struct ag_wgsl_emitter *emitter, const struct ag_ir_stmt *stmt)
{
    const bool is_state = stmt->offset == AG_IR_NONE;
    emitter->cost += is_state ? COST_OF_STATE : COST_OF_BRANCH;
    emitter->states += is_state;
}

void ag_wgsl_count_statement(struct ag_wgsl_emitter *emitter, const struct ag_ir_stmt *stmt)
{
    switch ((enum ag_ir_stmt_kind)stmt->kind) {
    case AG_IR_IF:
    case AG_IR_DISCARD:
        emitter->cost += COST_OF_BRANCH;
        break;
    case AG_IR_SET_ELEMENT:
        emitter->cost += stmt->index->op != AG_IR_CONST ? COST_OF_ELEMENT : 0;
        break;
    case AG_IR_LOOP:
    case AG_IR_THREADS:
        emitter->cost += COST_OF_LOOP;
        break;
    case AG_IR_SWITCH:
        for (const struct ag_ir_case *c = stmt->cases; c != NULL; c = c->next)
            count_case(emitter, stmt);
        break;
    default:
        break;
    }
}

/* ---- Variables ---------------------------------------------------------------------------------------- */

/* Bytes of the variables that all threads of a workgroup have of their own, and what arrays cost. */
static void count_variables(struct ag_wgsl_emitter *emitter)
{
    const struct ag_ir_program *program = emitter->program;
    const uint64_t turns = program->has_turn_loops ? program->turns : 1;
    uint64_t elements = 0;
    for (size_t i = 0; i < program->arrays.count; i++) {
        const struct ag_ir_array *array = &program->arrays.data[i];
        if (!array->used)
            continue;
        elements += array->length * turns;
        emitter->cost += COST_OF_ELEMENTS(array->length * turns);
    }
    uint64_t bytes = elements * 16;
    for (size_t i = 0; i < program->variables.count; i++)
        bytes += program->variables.data[i].by_thread ? program->variables.data[i].width * 4 * turns : 0;
    if (program->stage == AGPU_STAGE_COMPUTE)
        bytes *= (uint64_t)program->workgroup[0] * program->workgroup[1] * program->workgroup[2];
    emitter->private_bytes = bytes;
}

void ag_wgsl_check_cost(struct ag_wgsl_emitter *emitter)
{
    const struct ag_translate_options *options = emitter->options;
    count_variables(emitter);
    emitter->cost += (emitter->functions.length + emitter->body.length) / BYTES_OF_COST;
    const uint64_t ms = emitter->cost / 10, bytes = emitter->private_bytes;
    if (options->most_states != 0 && emitter->states > options->most_states)
        ag_ir_refuse(emitter->program, AGPU_DIAG_TRANSLATE_COST, AG_IR_NONE,
                     "the program becomes a machine of %" PRIu32
                     " states, more than the driver takes, %" PRIu32,
                     emitter->states, options->most_states);
    else if (options->most_private_bytes != 0 && bytes > options->most_private_bytes)
        ag_ir_refuse(emitter->program, AGPU_DIAG_TRANSLATE_COST, AG_IR_NONE,
                     "the threads of a workgroup have %" PRIu64 " bytes of variables, more than %" PRIu32,
                     bytes, options->most_private_bytes);
    else if (options->most_compile_ms != 0 && ms > options->most_compile_ms)
        ag_ir_refuse(emitter->program, AGPU_DIAG_TRANSLATE_COST, AG_IR_NONE,
                     "a software driver would compile the program for about %" PRIu64
                     " ms, more than %" PRIu32,
                     ms, options->most_compile_ms);
}
