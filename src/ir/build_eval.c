/* SPDX-License-Identifier: MIT
 *
 * Pull-model interpolation (eval_*): an input at another place of the pixel is extrapolated with fine
 * derivatives from the place where the pipeline has evaluated it (sheet 9.4, decision L3). Also instructions
 * that are ignored, because WebGPU has nothing like them.
 */
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

/* `value` plus the derivative of the input in one direction times the distance in that direction. */
static struct ag_ir_expr *step(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                               enum ag_ir_op op, struct ag_ir_expr *distance, uint8_t lane,
                               struct ag_ir_expr *value)
{
    const uint8_t lanes[4] = {lane, lane, lane, lane};
    uint32_t mask = ag_ir_destination_mask(&insn->operands[0]);
    struct ag_ir_expr *sum = ag_ir_expr_new(builder->program, AG_IR_MAD, value->width, 3);
    sum->args[0] = ag_ir_unary(builder->program, op, ag_ir_source(builder, insn, 1, 'f', mask));
    sum->args[1] = ag_ir_swizzle(builder->program, distance, value->width, lanes);
    sum->args[2] = value;
    return sum;
}

/* row->detail: enum ag_ir_evaluation. */
void ag_ir_build_eval(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                      const struct ag_ir_row *row)
{
    struct ag_ir_program *program = builder->program;
    enum ag_ir_evaluation evaluation = (enum ag_ir_evaluation)row->detail;
    uint32_t mask = ag_ir_destination_mask(&insn->operands[0]);
    uint32_t interpolation = interpolation_of(builder, &insn->operands[1]);
    if (mask == 0)
        return;
    struct ag_ir_expr *value = ag_ir_source(builder, insn, 1, 'f', mask);
    if (interpolation == AGPU_INTERPOLATE_CONSTANT ||
        (evaluation == AG_IR_EVAL_CENTROID && is_centroid(interpolation))) {
        ag_ir_write(builder, insn, 0, value);
        return;
    }
    program->derivatives = true;
    struct ag_ir_expr *distance = target_place(builder, insn, evaluation), *from = NULL;
    if (is_centroid(interpolation))
        from = centroid(builder);
    else if (is_sample(interpolation))
        from = place_in_pixel(builder, AG_IR_SAMPLE_POSITION,
                              ag_ir_read_builtin(builder, AG_IR_INPUT_SAMPLE_INDEX));
    if (from != NULL)
        distance = ag_ir_binary(program, AG_IR_ADD, distance, ag_ir_unary(program, AG_IR_NEG, from));
    distance = ag_ir_scratch(builder, insn, distance);
    value = step(builder, insn, AG_IR_DDY_FINE, distance, 1, value);
    ag_ir_write(builder, insn, 0, step(builder, insn, AG_IR_DDX_FINE, distance, 0, value));
}

void ag_ir_build_ignored(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                         const struct ag_ir_row *row)
{
    (void)row;
    ag_ir_warn(builder->program, AGPU_DIAG_TRANSLATE_IGNORED, insn->offset,
               "%s has no counterpart in WebGPU, it is skipped", agpu_opcode_info(insn->opcode)->mnemonic);
}
