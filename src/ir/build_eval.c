/* SPDX-License-Identifier: MIT
 *
 * Pull-model interpolation (eval_*): an input at another place of the pixel is extrapolated with fine
 * derivatives from the place where the pipeline has evaluated it (sheet 9.4, decision L3). With perspective,
 * not the input is linear on the screen but the input divided by w, and 1 / w. Also instructions that are
 * ignored, because WebGPU has nothing like them.
 */
#include <string.h>

#include "ir/build.h"

static bool is_centroid(uint32_t interpolation)
{
    return interpolation == AGPU_INTERPOLATE_LINEAR_CENTROID ||
           interpolation == AGPU_INTERPOLATE_LINEAR_NOPERSPECTIVE_CENTROID;
}

static bool is_sample(uint32_t interpolation)
{
    return interpolation == AGPU_INTERPOLATE_LINEAR_SAMPLE ||
           interpolation == AGPU_INTERPOLATE_LINEAR_NOPERSPECTIVE_SAMPLE;
}

static uint32_t interpolation_of(const struct ag_ir_builder *builder, const struct agpu_operand *o)
{
    for (size_t i = 0; i < builder->program->inputs.count; i++)
        if (o->type == AGPU_OPERAND_INPUT && o->index_count == 1 &&
            builder->program->inputs.data[i].number == (uint32_t)o->index[0].immediate)
            return builder->program->inputs.data[i].interpolation;
    return AGPU_INTERPOLATE_UNDEFINED;
}

/* The position of the centroid or of a sample, relative to the pixel's centre. */
static struct ag_ir_expr *place_in_pixel(struct ag_ir_builder *builder, enum ag_ir_op op,
                                         struct ag_ir_expr *of)
{
    struct ag_ir_expr *place = ag_ir_expr_new(builder->program, op, 2, 1);
    place->access = ag_ir_access_new(builder, AG_IR_NONE);
    place->args[0] = of;
    return place;
}

static struct ag_ir_expr *centroid(struct ag_ir_builder *builder)
{
    return place_in_pixel(builder, AG_IR_CENTROID, ag_ir_read_builtin(builder, AG_IR_INPUT_COVERAGE));
}

/* The offset of eval_snapped: the sign-extended low four bits, in sixteenths of a pixel. */
static struct ag_ir_expr *snapped(struct ag_ir_builder *builder, const struct agpu_instruction *insn)
{
    struct ag_ir_program *program = builder->program;
    struct ag_ir_expr *field = ag_ir_expr_new(program, AG_IR_IBFE, 2, 3);
    field->args[0] = ag_ir_const(program, 2, 4);
    field->args[1] = ag_ir_const(program, 2, 0);
    field->args[2] = ag_ir_source(builder, insn, 2, 'i', 3);
    const uint32_t sixteenth = 0x3d800000;
    return ag_ir_binary(program, AG_IR_MUL, ag_ir_unary(program, AG_IR_ITOF, field),
                        ag_ir_const(program, 2, sixteenth));
}

static struct ag_ir_expr *target_place(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                                       enum ag_ir_evaluation evaluation)
{
    switch (evaluation) {
    case AG_IR_EVAL_CENTROID:
        break;
    case AG_IR_EVAL_SAMPLE_INDEX:
        return place_in_pixel(builder, AG_IR_SAMPLE_POSITION, ag_ir_source(builder, insn, 2, 'i', 1));
    case AG_IR_EVAL_SNAPPED:
        return snapped(builder, insn);
    }
    return centroid(builder);
}

static bool is_perspective(uint32_t interpolation)
{
    return interpolation == AGPU_INTERPOLATE_LINEAR || interpolation == AGPU_INTERPOLATE_LINEAR_CENTROID ||
           interpolation == AGPU_INTERPOLATE_LINEAR_SAMPLE;
}

/* The index of the invocation's sample is read wherever the shader may run for each sample. */
static bool runs_by_sample(const struct ag_ir_program *program)
{
    for (size_t i = 0; i < program->inputs.count; i++)
        if (is_sample(program->inputs.data[i].interpolation))
            return true;
    return program->reads_sample_index;
}

/* Where a shader runs for each sample, nothing tells the centroid: its coverage is that sample alone, and one
 * driver takes the sample, the other the centre. An input that is evaluated elsewhere is at the centre there.
 */
static void settle_centroid(struct ag_ir_program *program, const struct agpu_operand *o)
{
    for (size_t i = 0; i < program->inputs.count; i++) {
        uint8_t *const interpolation = &program->inputs.data[i].interpolation;
        if (program->inputs.data[i].number == (uint32_t)o->index[0].immediate && is_centroid(*interpolation))
            *interpolation = *interpolation == AGPU_INTERPOLATE_LINEAR_CENTROID
                                 ? AGPU_INTERPOLATE_LINEAR
                                 : AGPU_INTERPOLATE_LINEAR_NOPERSPECTIVE;
    }
}

static struct ag_ir_expr *sample_place(struct ag_ir_builder *builder)
{
    return place_in_pixel(builder, AG_IR_SAMPLE_POSITION,
                          ag_ir_read_builtin(builder, AG_IR_INPUT_SAMPLE_INDEX));
}

/* The place of an input, from the pixel's centre; null: the centre. */
static struct ag_ir_expr *place_of_input(struct ag_ir_builder *builder, uint32_t interpolation)
{
    if (is_centroid(interpolation))
        return centroid(builder);
    return is_sample(interpolation) ? sample_place(builder) : NULL;
}

/* Another read of a value that ag_ir_scratch() keeps. */
static struct ag_ir_expr *again(struct ag_ir_builder *builder, struct ag_ir_expr *kept)
{
    struct ag_ir_expr *read = ag_ir_expr_new(builder->program, AG_IR_READ, kept->width, 0);
    read->u = kept->u;
    memcpy(read->component, kept->component, sizeof read->component);
    return read;
}

/* `value` plus a derivative in one direction times the distance in that direction. */
static struct ag_ir_expr *step(struct ag_ir_builder *builder, enum ag_ir_op op, struct ag_ir_expr *of,
                               struct ag_ir_expr *distance, uint8_t lane, struct ag_ir_expr *value)
{
    const uint8_t lanes[4] = {lane, lane, lane, lane};
    struct ag_ir_expr *sum = ag_ir_expr_new(builder->program, AG_IR_MAD, value->width, 3);
    sum->args[0] = ag_ir_unary(builder->program, op, of);
    sum->args[1] = ag_ir_swizzle(builder->program, distance, value->width, lanes);
    sum->args[2] = value;
    return sum;
}

/* What a kept value, which is linear on the screen, is at a distance that is kept, too. */
static struct ag_ir_expr *moved(struct ag_ir_builder *builder, struct ag_ir_expr *kept,
                                struct ag_ir_expr *distance)
{
    struct ag_ir_expr *value =
        step(builder, AG_IR_DDY_FINE, again(builder, kept), distance, 1, again(builder, kept));
    return step(builder, AG_IR_DDX_FINE, again(builder, kept), distance, 0, value);
}

static struct ag_ir_expr *difference(struct ag_ir_builder *builder, struct ag_ir_expr *to,
                                     struct ag_ir_expr *from)
{
    if (from == NULL)
        return to;
    return ag_ir_binary(builder->program, AG_IR_ADD, to, ag_ir_unary(builder->program, AG_IR_NEG, from));
}

/* 1 / w, which is linear on the screen, where the input has been evaluated: the rasterizer gives it at the
 * pixel's centre, or at the sample for which the shader runs. */
static struct ag_ir_expr *reciprocal_w(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                                       uint32_t interpolation)
{
    struct ag_ir_program *program = builder->program;
    const bool by_sample = runs_by_sample(program);
    struct ag_ir_expr *w = ag_ir_scratch(builder, insn, ag_ir_expr_new(program, AG_IR_RECIPROCAL_W, 1, 0));
    struct ag_ir_expr *place = place_of_input(builder, interpolation);
    program->reads_reciprocal_w = true;
    if (by_sample == is_sample(interpolation) && !is_centroid(interpolation))
        return w;
    if (place == NULL)
        place = ag_ir_const(program, 2, 0);
    place = difference(builder, place, by_sample ? sample_place(builder) : NULL);
    return ag_ir_scratch(builder, insn, moved(builder, w, ag_ir_scratch(builder, insn, place)));
}

/* row->detail: enum ag_ir_evaluation. */
void ag_ir_build_eval(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                      const struct ag_ir_row *row)
{
    static const uint8_t zeros[4];
    struct ag_ir_program *program = builder->program;
    enum ag_ir_evaluation evaluation = (enum ag_ir_evaluation)row->detail;
    uint32_t mask = ag_ir_destination_mask(&insn->operands[0]);
    if (mask == 0)
        return;
    if (is_centroid(interpolation_of(builder, &insn->operands[1])) && runs_by_sample(program))
        settle_centroid(program, &insn->operands[1]);
    uint32_t interpolation = interpolation_of(builder, &insn->operands[1]);
    struct ag_ir_expr *value = ag_ir_source(builder, insn, 1, 'f', mask), *w = NULL;
    if (interpolation == AGPU_INTERPOLATE_CONSTANT ||
        (evaluation == AG_IR_EVAL_CENTROID && is_centroid(interpolation))) {
        ag_ir_write(builder, insn, 0, value);
        return;
    }
    program->derivatives = true;
    struct ag_ir_expr *distance =
        difference(builder, target_place(builder, insn, evaluation), place_of_input(builder, interpolation));
    distance = ag_ir_scratch(builder, insn, distance);
    if (is_perspective(interpolation)) {
        w = reciprocal_w(builder, insn, interpolation);
        value = ag_ir_binary(program, AG_IR_MUL, value,
                             ag_ir_swizzle(program, again(builder, w), value->width, zeros));
    }
    value = moved(builder, ag_ir_scratch(builder, insn, value), distance);
    if (w != NULL)
        value = ag_ir_binary(
            program, AG_IR_DIV, value,
            ag_ir_splat(program, ag_ir_scratch(builder, insn, moved(builder, w, distance)), value->width));
    ag_ir_write(builder, insn, 0, value);
}

void ag_ir_build_ignored(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                         const struct ag_ir_row *row)
{
    (void)row;
    ag_ir_warn(builder->program, AGPU_DIAG_TRANSLATE_IGNORED, insn->offset,
               "%s has no counterpart in WebGPU, it is skipped", agpu_opcode_info(insn->opcode)->mnemonic);
}
