/* SPDX-License-Identifier: MIT
 *
 * Inputs evaluated elsewhere in the pixel: extrapolated with fine derivatives from where the pipeline has
 * evaluated them (sheet 9.4, decision L3). And instructions that nothing can be done about.
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

static uint32_t interpolation_of(const struct agpu_ir_builder *builder, const struct agpu_operand *o)
{
    for (size_t i = 0; i < builder->program->inputs.count; i++)
        if (o->type == AGPU_OPERAND_INPUT && o->index_count == 1 &&
            builder->program->inputs.data[i].number == (uint32_t)o->index[0].immediate)
            return builder->program->inputs.data[i].interpolation;
    return AGPU_INTERPOLATE_UNDEFINED;
}

/* Where the centroid is, or a sample: from the centre of the pixel. */
static struct agpu_ir_expr *place_in_pixel(struct agpu_ir_builder *builder, enum agpu_ir_op op,
                                           struct agpu_ir_expr *of)
{
    struct agpu_ir_expr *place = agpu_ir_expr_new(builder->program, op, 2, 1);
    place->access = agpu_ir_access_new(builder, AGPU_IR_NONE);
    place->args[0] = of;
    return place;
}

static struct agpu_ir_expr *centroid(struct agpu_ir_builder *builder)
{
    return place_in_pixel(builder, AGPU_IR_CENTROID, agpu_ir_read_builtin(builder, AGPU_IR_INPUT_COVERAGE));
}

/* Sign-extended low four bits in sixteenths of a pixel. */
static struct agpu_ir_expr *snapped(struct agpu_ir_builder *builder, const struct agpu_instruction *insn)
{
    struct agpu_ir_program *program = builder->program;
    struct agpu_ir_expr *field = agpu_ir_expr_new(program, AGPU_IR_IBFE, 2, 3);
    field->args[0] = agpu_ir_const(program, 2, 4);
    field->args[1] = agpu_ir_const(program, 2, 0);
    field->args[2] = agpu_ir_source(builder, insn, 2, 'i', 3);
    const uint32_t sixteenth = 0x3d800000;
    return agpu_ir_binary(program, AGPU_IR_MUL, agpu_ir_unary(program, AGPU_IR_ITOF, field),
                          agpu_ir_const(program, 2, sixteenth));
}

static struct agpu_ir_expr *target_place(struct agpu_ir_builder *builder, const struct agpu_instruction *insn,
                                         enum agpu_ir_evaluation evaluation)
{
    switch (evaluation) {
    case AGPU_IR_EVAL_CENTROID:
        break;
    case AGPU_IR_EVAL_SAMPLE_INDEX:
        return place_in_pixel(builder, AGPU_IR_SAMPLE_POSITION, agpu_ir_source(builder, insn, 2, 'i', 1));
    case AGPU_IR_EVAL_SNAPPED:
        return snapped(builder, insn);
    }
    return centroid(builder);
}

/* `value` plus the derivative `op` of the input times one lane of the way. */
static struct agpu_ir_expr *step(struct agpu_ir_builder *builder, const struct agpu_instruction *insn,
                                 enum agpu_ir_op op, struct agpu_ir_expr *way, uint8_t lane,
                                 struct agpu_ir_expr *value)
{
    const uint8_t lanes[4] = {lane, lane, lane, lane};
    uint32_t mask = agpu_ir_destination_mask(&insn->operands[0]);
    struct agpu_ir_expr *sum = agpu_ir_expr_new(builder->program, AGPU_IR_MAD, value->width, 3);
    sum->args[0] = agpu_ir_unary(builder->program, op, agpu_ir_source(builder, insn, 1, 'f', mask));
    sum->args[1] = agpu_ir_swizzle(builder->program, way, value->width, lanes);
    sum->args[2] = value;
    return sum;
}

/* detail: enum agpu_ir_evaluation. */
void agpu_ir_build_eval(struct agpu_ir_builder *builder, const struct agpu_instruction *insn,
                        const struct agpu_ir_row *row)
{
    struct agpu_ir_program *program = builder->program;
    enum agpu_ir_evaluation evaluation = (enum agpu_ir_evaluation)row->detail;
    uint32_t mask = agpu_ir_destination_mask(&insn->operands[0]);
    uint32_t interpolation = interpolation_of(builder, &insn->operands[1]);
    if (mask == 0)
        return;
    struct agpu_ir_expr *value = agpu_ir_source(builder, insn, 1, 'f', mask);
    if (interpolation == AGPU_INTERPOLATE_CONSTANT ||
        (evaluation == AGPU_IR_EVAL_CENTROID && is_centroid(interpolation))) {
        agpu_ir_write(builder, insn, 0, value);
        return;
    }
    program->derivatives = true;
    struct agpu_ir_expr *way = target_place(builder, insn, evaluation), *from = NULL;
    if (is_centroid(interpolation))
        from = centroid(builder);
    else if (is_sample(interpolation))
        from = place_in_pixel(builder, AGPU_IR_SAMPLE_POSITION,
                              agpu_ir_read_builtin(builder, AGPU_IR_INPUT_SAMPLE_INDEX));
    if (from != NULL)
        way = agpu_ir_binary(program, AGPU_IR_ADD, way, agpu_ir_unary(program, AGPU_IR_NEG, from));
    way = agpu_ir_scratch(builder, insn, way);
    value = step(builder, insn, AGPU_IR_DDY_FINE, way, 1, value);
    agpu_ir_write(builder, insn, 0, step(builder, insn, AGPU_IR_DDX_FINE, way, 0, value));
}

void agpu_ir_build_ignored(struct agpu_ir_builder *builder, const struct agpu_instruction *insn,
                           const struct agpu_ir_row *row)
{
    (void)row;
    agpu_ir_warn(builder->program, AGPU_DIAG_TRANSLATE_IGNORED, insn->offset,
                 "%s has no counterpart in WebGPU, it is skipped", agpu_opcode_info(insn->opcode)->mnemonic);
}
