/* SPDX-License-Identifier: MIT
 *
 * The builder's table, which says for each opcode how it becomes IR, and ag_ir_build(), which builds a whole
 * program.
 */
#include <string.h>

#include "base/diag.h"
#include "ir/build.h"
#include "wgsl/options.h"

/* clang-format off */
#define ALU(op) {ag_ir_build_alu, AG_IR_##op, 0, 0, false}
#define DERIVATIVE(op) {ag_ir_build_alu, AG_IR_##op, 0, 1, false}
#define PAIR(op, op2) {ag_ir_build_pair, AG_IR_##op, AG_IR_##op2, 0, false}
#define DOT(lanes) {ag_ir_build_dot, AG_IR_DOT, 0, lanes, false}
#define SAMPLE(op) {ag_ir_build_sample, AG_IR_##op, 0, 1, false}
#define SAMPLE_PO(op) {ag_ir_build_sample, AG_IR_##op, 0, 2, false}
#define MEMORY(handler, detail) {ag_ir_build_##handler, 0, 0, detail, false}
#define ATOMIC(kind) {ag_ir_build_atomic, AG_IR_ATOMIC, AG_IR_CONST, AG_IR_ATOMIC_##kind, false}
#define IMM_ATOMIC(kind) {ag_ir_build_atomic, AG_IR_ATOMIC, AG_IR_ATOMIC, AG_IR_ATOMIC_##kind, false}
#define DOUBLE(op) {ag_ir_build_double, AG_IR_##op, 0, 0, false}
#define FEEDBACK(base) {ag_ir_build_feedback, AGPU_OP_##base, 0, 0, false}
#define FEEDBACK_CLAMPED(base) {ag_ir_build_feedback, AGPU_OP_##base, 1, 0, false}
#define FLOW {NULL, 0, 0, 0, true}

const struct ag_ir_row ag_ir_rows[AGPU_OPCODE_LIMIT] = {
    [AGPU_OP_ADD] = ALU(ADD),
    [AGPU_OP_MUL] = ALU(MUL),
    [AGPU_OP_MAD] = ALU(MAD),
    [AGPU_OP_DIV] = ALU(DIV),
    [AGPU_OP_MIN] = ALU(MIN),
    [AGPU_OP_MAX] = ALU(MAX),
    [AGPU_OP_FRC] = ALU(FRC),
    [AGPU_OP_ROUND_NE] = ALU(ROUND_NE),
    [AGPU_OP_ROUND_NI] = ALU(ROUND_NI),
    [AGPU_OP_ROUND_PI] = ALU(ROUND_PI),
    [AGPU_OP_ROUND_Z] = ALU(ROUND_Z),
    [AGPU_OP_RCP] = ALU(RCP),
    [AGPU_OP_RSQ] = ALU(RSQ),
    [AGPU_OP_SQRT] = ALU(SQRT),
    [AGPU_OP_EXP] = ALU(EXP),
    [AGPU_OP_LOG] = ALU(LOG),
    [AGPU_OP_DP2] = DOT(2),
    [AGPU_OP_DP3] = DOT(3),
    [AGPU_OP_DP4] = DOT(4),
    [AGPU_OP_SINCOS] = PAIR(SIN, COS),
    [AGPU_OP_LT] = ALU(LT),
    [AGPU_OP_GE] = ALU(GE),
    [AGPU_OP_EQ] = ALU(EQ),
    [AGPU_OP_NE] = ALU(NE),
    [AGPU_OP_DERIV_RTX] = DERIVATIVE(DDX),
    [AGPU_OP_DERIV_RTY] = DERIVATIVE(DDY),
    [AGPU_OP_DERIV_RTX_COARSE] = DERIVATIVE(DDX_COARSE),
    [AGPU_OP_DERIV_RTY_COARSE] = DERIVATIVE(DDY_COARSE),
    [AGPU_OP_DERIV_RTX_FINE] = DERIVATIVE(DDX_FINE),
    [AGPU_OP_DERIV_RTY_FINE] = DERIVATIVE(DDY_FINE),

    [AGPU_OP_IADD] = ALU(IADD),
    [AGPU_OP_INEG] = ALU(INEG),
    [AGPU_OP_IMUL] = PAIR(IMULHI, IMUL),
    [AGPU_OP_UMUL] = PAIR(UMULHI, IMUL),
    [AGPU_OP_UDIV] = PAIR(UDIV, UMOD),
    [AGPU_OP_UADDC] = PAIR(IADD, CARRY),
    [AGPU_OP_USUBB] = PAIR(ISUB, BORROW),
    [AGPU_OP_IMAD] = ALU(IMAD),
    [AGPU_OP_UMAD] = ALU(IMAD),
    [AGPU_OP_AND] = ALU(AND),
    [AGPU_OP_OR] = ALU(OR),
    [AGPU_OP_XOR] = ALU(XOR),
    [AGPU_OP_NOT] = ALU(NOT),
    [AGPU_OP_ISHL] = ALU(SHL),
    [AGPU_OP_ISHR] = ALU(ISHR),
    [AGPU_OP_USHR] = ALU(USHR),
    [AGPU_OP_IMIN] = ALU(IMIN),
    [AGPU_OP_IMAX] = ALU(IMAX),
    [AGPU_OP_UMIN] = ALU(UMIN),
    [AGPU_OP_UMAX] = ALU(UMAX),
    [AGPU_OP_IEQ] = ALU(IEQ),
    [AGPU_OP_INE] = ALU(INE),
    [AGPU_OP_ILT] = ALU(ILT),
    [AGPU_OP_IGE] = ALU(IGE),
    [AGPU_OP_ULT] = ALU(ULT),
    [AGPU_OP_UGE] = ALU(UGE),
    [AGPU_OP_COUNTBITS] = ALU(COUNTBITS),
    [AGPU_OP_FIRSTBIT_HI] = ALU(FIRSTBIT_HI),
    [AGPU_OP_FIRSTBIT_LO] = ALU(FIRSTBIT_LO),
    [AGPU_OP_FIRSTBIT_SHI] = ALU(FIRSTBIT_SHI),
    [AGPU_OP_UBFE] = ALU(UBFE),
    [AGPU_OP_IBFE] = ALU(IBFE),
    [AGPU_OP_BFI] = ALU(BFI),
    [AGPU_OP_BFREV] = ALU(BFREV),
    [AGPU_OP_MSAD] = ALU(MSAD),

    [AGPU_OP_FTOI] = ALU(FTOI),
    [AGPU_OP_FTOU] = ALU(FTOU),
    [AGPU_OP_ITOF] = ALU(ITOF),
    [AGPU_OP_UTOF] = ALU(UTOF),
    [AGPU_OP_F32TOF16] = ALU(F32TOF16),
    [AGPU_OP_F16TOF32] = ALU(F16TOF32),
    [AGPU_OP_MOV] = ALU(READ),
    [AGPU_OP_MOVC] = ALU(SELECT),
    [AGPU_OP_SWAPC] = {ag_ir_build_swapc, AG_IR_SELECT, 0, 0, false},

    [AGPU_OP_DADD] = DOUBLE(DADD),
    [AGPU_OP_DMUL] = DOUBLE(DMUL),
    [AGPU_OP_DFMA] = DOUBLE(DFMA),
    [AGPU_OP_DDIV] = DOUBLE(DDIV),
    [AGPU_OP_DRCP] = DOUBLE(DRCP),
    [AGPU_OP_DMIN] = DOUBLE(DMIN),
    [AGPU_OP_DMAX] = DOUBLE(DMAX),
    [AGPU_OP_DEQ] = DOUBLE(DEQ),
    [AGPU_OP_DGE] = DOUBLE(DGE),
    [AGPU_OP_DLT] = DOUBLE(DLT),
    [AGPU_OP_DNE] = DOUBLE(DNE),
    [AGPU_OP_DMOV] = DOUBLE(READ),
    [AGPU_OP_DMOVC] = DOUBLE(SELECT),
    [AGPU_OP_DTOF] = DOUBLE(DTOF),
    [AGPU_OP_FTOD] = DOUBLE(FTOD),
    [AGPU_OP_DTOI] = DOUBLE(DTOI),
    [AGPU_OP_DTOU] = DOUBLE(DTOU),
    [AGPU_OP_ITOD] = DOUBLE(ITOD),
    [AGPU_OP_UTOD] = DOUBLE(UTOD),

    [AGPU_OP_SAMPLE] = SAMPLE(SAMPLE),
    [AGPU_OP_SAMPLE_B] = SAMPLE(SAMPLE_BIAS),
    [AGPU_OP_SAMPLE_L] = SAMPLE(SAMPLE_LEVEL),
    [AGPU_OP_SAMPLE_D] = SAMPLE(SAMPLE_GRAD),
    [AGPU_OP_SAMPLE_C] = SAMPLE(SAMPLE_CMP),
    [AGPU_OP_SAMPLE_C_LZ] = SAMPLE(SAMPLE_CMP_LEVEL),
    [AGPU_OP_GATHER4] = SAMPLE(GATHER),
    [AGPU_OP_GATHER4_C] = SAMPLE(GATHER_CMP),
    [AGPU_OP_GATHER4_PO] = SAMPLE_PO(GATHER_PO),
    [AGPU_OP_GATHER4_PO_C] = SAMPLE_PO(GATHER_PO_CMP),
    [AGPU_OP_LD] = MEMORY(ld, 0),
    [AGPU_OP_LDMS] = MEMORY(ld, 1),
    [AGPU_OP_RESINFO] = MEMORY(resinfo, 0),
    [AGPU_OP_SAMPLEINFO] = MEMORY(sampleinfo, 0),
    [AGPU_OP_SAMPLEPOS] = MEMORY(samplepos, 0),

    [AGPU_OP_LD_UAV_TYPED] = MEMORY(load, 0),
    [AGPU_OP_LD_RAW] = MEMORY(load, 1),
    [AGPU_OP_LD_STRUCTURED] = MEMORY(load, 2),
    [AGPU_OP_STORE_UAV_TYPED] = MEMORY(store, 0),
    [AGPU_OP_STORE_RAW] = MEMORY(store, 1),
    [AGPU_OP_STORE_STRUCTURED] = MEMORY(store, 2),
    [AGPU_OP_BUFINFO] = MEMORY(bufinfo, 0),
    [AGPU_OP_SYNC] = MEMORY(sync, 0),
    [AGPU_OP_ATOMIC_AND] = ATOMIC(AND),
    [AGPU_OP_ATOMIC_OR] = ATOMIC(OR),
    [AGPU_OP_ATOMIC_XOR] = ATOMIC(XOR),
    [AGPU_OP_ATOMIC_IADD] = ATOMIC(ADD),
    [AGPU_OP_ATOMIC_IMAX] = ATOMIC(IMAX),
    [AGPU_OP_ATOMIC_IMIN] = ATOMIC(IMIN),
    [AGPU_OP_ATOMIC_UMAX] = ATOMIC(UMAX),
    [AGPU_OP_ATOMIC_UMIN] = ATOMIC(UMIN),
    [AGPU_OP_ATOMIC_CMP_STORE] = ATOMIC(COMPARE_EXCHANGE),
    [AGPU_OP_IMM_ATOMIC_AND] = IMM_ATOMIC(AND),
    [AGPU_OP_IMM_ATOMIC_OR] = IMM_ATOMIC(OR),
    [AGPU_OP_IMM_ATOMIC_XOR] = IMM_ATOMIC(XOR),
    [AGPU_OP_IMM_ATOMIC_IADD] = IMM_ATOMIC(ADD),
    [AGPU_OP_IMM_ATOMIC_IMAX] = IMM_ATOMIC(IMAX),
    [AGPU_OP_IMM_ATOMIC_IMIN] = IMM_ATOMIC(IMIN),
    [AGPU_OP_IMM_ATOMIC_UMAX] = IMM_ATOMIC(UMAX),
    [AGPU_OP_IMM_ATOMIC_UMIN] = IMM_ATOMIC(UMIN),
    [AGPU_OP_IMM_ATOMIC_EXCH] = IMM_ATOMIC(EXCHANGE),
    [AGPU_OP_IMM_ATOMIC_CMP_EXCH] = IMM_ATOMIC(COMPARE_EXCHANGE),
    [AGPU_OP_IMM_ATOMIC_ALLOC] = MEMORY(counter, 0),
    [AGPU_OP_IMM_ATOMIC_CONSUME] = MEMORY(counter, 1),

    [AGPU_OP_LOD] = MEMORY(lod, 0),
    [AGPU_OP_GATHER4_S] = FEEDBACK(GATHER4),
    [AGPU_OP_GATHER4_C_S] = FEEDBACK(GATHER4_C),
    [AGPU_OP_GATHER4_PO_S] = FEEDBACK(GATHER4_PO),
    [AGPU_OP_GATHER4_PO_C_S] = FEEDBACK(GATHER4_PO_C),
    [AGPU_OP_LD_S] = FEEDBACK(LD),
    [AGPU_OP_LDMS_S] = FEEDBACK(LDMS),
    [AGPU_OP_LD_UAV_TYPED_S] = FEEDBACK(LD_UAV_TYPED),
    [AGPU_OP_LD_RAW_S] = FEEDBACK(LD_RAW),
    [AGPU_OP_LD_STRUCTURED_S] = FEEDBACK(LD_STRUCTURED),
    [AGPU_OP_SAMPLE_L_S] = FEEDBACK(SAMPLE_L),
    [AGPU_OP_SAMPLE_C_LZ_S] = FEEDBACK(SAMPLE_C_LZ),
    [AGPU_OP_SAMPLE_CL_S] = FEEDBACK_CLAMPED(SAMPLE),
    [AGPU_OP_SAMPLE_B_CL_S] = FEEDBACK_CLAMPED(SAMPLE_B),
    [AGPU_OP_SAMPLE_D_CL_S] = FEEDBACK_CLAMPED(SAMPLE_D),
    [AGPU_OP_SAMPLE_C_CL_S] = FEEDBACK_CLAMPED(SAMPLE_C),
    [AGPU_OP_CHECK_ACCESS_FULLY_MAPPED] = MEMORY(check_mapped, 0),

    [AGPU_OP_EVAL_CENTROID] = MEMORY(eval, AG_IR_EVAL_CENTROID),
    [AGPU_OP_EVAL_SAMPLE_INDEX] = MEMORY(eval, AG_IR_EVAL_SAMPLE_INDEX),
    [AGPU_OP_EVAL_SNAPPED] = MEMORY(eval, AG_IR_EVAL_SNAPPED),
    [AGPU_OP_EMIT] = MEMORY(emit, AG_IR_EMITS),
    [AGPU_OP_CUT] = MEMORY(emit, AG_IR_CUTS),
    [AGPU_OP_EMIT_THEN_CUT] = MEMORY(emit, AG_IR_EMITS | AG_IR_CUTS),
    [AGPU_OP_EMIT_STREAM] = MEMORY(emit, AG_IR_EMITS),
    [AGPU_OP_CUT_STREAM] = MEMORY(emit, AG_IR_CUTS),
    [AGPU_OP_EMIT_THEN_CUT_STREAM] = MEMORY(emit, AG_IR_EMITS | AG_IR_CUTS),
    [AGPU_OP_ABORT] = MEMORY(ignored, 0),
    [AGPU_OP_DEBUG_BREAK] = MEMORY(ignored, 0),

    [AGPU_OP_IF] = FLOW,
    [AGPU_OP_LOOP] = FLOW,
    [AGPU_OP_SWITCH] = FLOW,
    [AGPU_OP_BREAK] = FLOW,
    [AGPU_OP_BREAKC] = FLOW,
    [AGPU_OP_CONTINUE] = FLOW,
    [AGPU_OP_CONTINUEC] = FLOW,
    [AGPU_OP_RET] = FLOW,
    [AGPU_OP_RETC] = FLOW,
    [AGPU_OP_DISCARD] = FLOW,
    [AGPU_OP_CALL] = FLOW,
    [AGPU_OP_CALLC] = FLOW,
    [AGPU_OP_FCALL] = FLOW,
    [AGPU_OP_NOP] = FLOW,
};
/* clang-format on */

static bool start(struct ag_ir_builder *builder)
{
    struct ag_ir_program *program = builder->program;
    memset(builder->input_register, 0xff, sizeof builder->input_register);
    memset(builder->output_register, 0xff, sizeof builder->output_register);
    memset(builder->special_input, 0xff, sizeof builder->special_input);
    memset(builder->special_output, 0xff, sizeof builder->special_output);
    memset(builder->input_array, 0xff, sizeof builder->input_array);
    memset(builder->output_array, 0xff, sizeof builder->output_array);
    builder->call_break = UINT32_MAX;
    builder->constant_array = AG_IR_NONE;
    program->body = ag_ir_block_new(program, NULL);
    builder->block = program->body;
    if (program->body == NULL)
        ag_ir_no_memory(program);
    return program->body != NULL;
}

/* Consecutive registers for the elements of each index range; those of inputs are copies of the declared
 * ones. */
void ag_ir_find_range_registers(struct ag_ir_builder *builder)
{
    struct ag_ir_program *program = builder->program;
    for (size_t i = 0; i < program->arrays.count; i++) {
        struct ag_ir_array *array = &program->arrays.data[i];
        if (array->kind == AG_IR_REGISTER_TEMP)
            continue;
        array->register_id = (uint32_t)program->registers.count;
        const uint32_t *ids =
            array->kind == AG_IR_REGISTER_INPUT ? builder->input_register : builder->output_register;
        for (uint32_t r = array->number; r < array->number + array->length; r++) {
            uint32_t id = ag_ir_add_register(program, (enum ag_ir_register_kind)array->kind, r);
            if (ids[r] != AG_IR_NONE && program->status == AGPU_OK)
                program->registers.data[id] = program->registers.data[ids[r]];
        }
    }
}

/* The flavour that AGPU_FLAVOUR_DEFAULT means for a stage. */
static enum agpu_flavour default_flavour(enum agpu_stage stage)
{
    static const enum agpu_flavour flavours[AGPU_STAGE_COUNT] = {
        [AGPU_STAGE_PIXEL] = AGPU_FLAVOUR_PIXEL,       [AGPU_STAGE_VERTEX] = AGPU_FLAVOUR_VERTEX,
        [AGPU_STAGE_GEOMETRY] = AGPU_FLAVOUR_GEOMETRY, [AGPU_STAGE_HULL] = AGPU_FLAVOUR_HULL_PATCH,
        [AGPU_STAGE_DOMAIN] = AGPU_FLAVOUR_DOMAIN,     [AGPU_STAGE_COMPUTE] = AGPU_FLAVOUR_COMPUTE,
    };
    return flavours[stage];
}

bool ag_ir_uses_records(enum agpu_flavour flavour)
{
    return flavour >= AGPU_FLAVOUR_VERTEX_AS_COMPUTE;
}

static void build_main(struct ag_ir_builder *builder)
{
    ag_ir_declare(builder, 0, builder->source->instruction_count);
    ag_ir_find_range_registers(builder);
    if (builder->program->status != AGPU_OK)
        return;
    ag_ir_build_segment(builder, 0);
    if (!builder->dead && builder->program->status == AGPU_OK)
        ag_ir_build_return(builder, AG_IR_NONE);
}

enum agpu_status ag_ir_build(const struct agpu_shader *shader, const struct ag_translate_options *options,
                             struct ag_arena *arena, const struct agpu_diag_sink *sink,
                             struct ag_ir_program *program)
{
    static const struct ag_translate_options defaults;
    *program = (struct ag_ir_program){
        .stage = shader->program.stage,
        .major = shader->program.major,
        .minor = shader->program.minor,
        .arena = arena,
        .sink = sink,
    };
    struct ag_ir_builder *builder = AG_ARENA_NEW(arena, struct ag_ir_builder);
    if (builder == NULL)
        return ag_report_no_memory(sink);
    builder->shader = shader;
    builder->source = &shader->program;
    builder->program = program;
    builder->options = options == NULL ? &defaults : options;
    program->loop_budget = builder->options->loop_budget;
    program->flavour = builder->options->flavour == AGPU_FLAVOUR_DEFAULT ? default_flavour(program->stage)
                                                                         : builder->options->flavour;
    if (start(builder) && ag_ir_pair_flow(builder) && ag_ir_plan_flow(builder)) {
        if (ag_ir_uses_records(program->flavour))
            ag_ir_measure_records(builder);
        if (program->status == AGPU_OK && program->stage == AGPU_STAGE_HULL)
            ag_ir_build_hull(builder);
        else if (program->status == AGPU_OK)
            build_main(builder);
    }
    ag_vec_fini(&builder->labels);
    ag_vec_fini(&builder->interfaces);
    return program->status;
}
