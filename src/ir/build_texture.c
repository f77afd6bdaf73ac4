/* SPDX-License-Identifier: MIT
 *
 * Texture instructions: samples, gathers, loads and queries.
 */

#include "ir/build.h"

/* By dimension: components of a coordinate, array slice included, and how many of them take texel offsets. */
static const struct {
    uint8_t coordinates, offsets;
} dimensions[AGPU_DIMENSION_COUNT] = {
    [AGPU_DIMENSION_BUFFER] = {1, 0},
      [AGPU_DIMENSION_TEXTURE1D] = {1, 1},
    [AGPU_DIMENSION_TEXTURE2D] = {2, 2},
      [AGPU_DIMENSION_TEXTURE2DMS] = {2, 2},
    [AGPU_DIMENSION_TEXTURE3D] = {3, 3},
      [AGPU_DIMENSION_TEXTURECUBE] = {3, 0},
    [AGPU_DIMENSION_TEXTURE1DARRAY] = {2, 1},
      [AGPU_DIMENSION_TEXTURE2DARRAY] = {3, 2},
    [AGPU_DIMENSION_TEXTURE2DMSARRAY] = {3, 2},
      [AGPU_DIMENSION_TEXTURECUBEARRAY] = {4, 0},
};

static struct ag_ir_resource *texture_of(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                                         uint32_t operand, uint32_t *id)
{
    *id = ag_ir_resource_of(builder, insn, operand);
    if (*id == AG_IR_NONE)
        return NULL;
    struct ag_ir_resource *resource = &builder->program->resources.data[*id];
    if (dimensions[resource->dimension].coordinates == 0) {
        ag_ir_refuse(builder->program, AGPU_DIAG_TRANSLATE_RESOURCE, insn->offset,
                     "%s cannot read a resource of dimension %u", agpu_opcode_info(insn->opcode)->mnemonic,
                     resource->dimension);
        return NULL;
    }
    return resource;
}

static void set_offsets(struct ag_ir_access *access, const struct agpu_instruction *insn,
                        const struct ag_ir_resource *resource)
{
    for (uint32_t i = 0; i < dimensions[resource->dimension].offsets; i++) {
        access->offsets[i] = insn->offsets[i];
        access->has_offsets = access->has_offsets || insn->offsets[i] != 0;
    }
}

/* Writes the four components that a texture instruction returns, after the swizzle of its resource
 * operand. */
static void write_texel(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                        uint32_t resource_operand, struct ag_ir_expr *value)
{
    uint32_t mask = ag_ir_destination_mask(&insn->operands[0]);
    if (value->width == 1 || mask == 0) {
        ag_ir_write(builder, insn, 0, value);
        return;
    }
    uint8_t components[4] = {0};
    uint32_t lane = 0;
    for (uint32_t c = 0; c < 4; c++)
        if (mask >> c & 1)
            components[lane++] = insn->operands[resource_operand].swizzle[c];
    ag_ir_write(builder, insn, 0, ag_ir_swizzle(builder->program, value, lane, components));
}

static struct ag_ir_expr *lane_of(struct ag_ir_builder *builder, const struct ag_ir_expr *read, uint8_t lane)
{
    struct ag_ir_expr *expr = ag_ir_expr_new(builder->program, AG_IR_READ, 1, 0);
    expr->u.id[0] = read->u.id[lane];
    expr->component[0] = read->component[lane];
    return expr;
}

/* A vector of four lanes: those of `read`, then zeros. */
static struct ag_ir_expr *with_zeros(struct ag_ir_builder *builder, struct ag_ir_expr *read)
{
    struct ag_ir_expr *joined = ag_ir_expr_new(builder->program, AG_IR_JOIN, 4, 4);
    for (uint8_t i = 0; i < 4; i++)
        joined->args[i] = i < read->width ? lane_of(builder, read, i) : ag_ir_const(builder->program, 1, 0);
    return joined;
}

/* ---- Sampling ----------------------------------------------------------------------------------------- */

static bool is_comparison(enum ag_ir_op op)
{
    return op == AG_IR_SAMPLE_CMP || op == AG_IR_SAMPLE_CMP_LEVEL || op == AG_IR_GATHER_CMP ||
           op == AG_IR_GATHER_PO_CMP;
}

static bool is_gather(enum ag_ir_op op)
{
    return op == AG_IR_GATHER || op == AG_IR_GATHER_CMP || op == AG_IR_GATHER_PO || op == AG_IR_GATHER_PO_CMP;
}

static bool is_multisampled(const struct ag_ir_resource *resource)
{
    return resource->dimension == AGPU_DIMENSION_TEXTURE2DMS ||
           resource->dimension == AGPU_DIMENSION_TEXTURE2DMSARRAY;
}

/* The components of a coordinate without the array slice, as a mask. */
static uint32_t position_mask(uint32_t dimension)
{
    bool is_array = dimension >= AGPU_DIMENSION_TEXTURE1DARRAY;
    return (1u << (dimensions[dimension].coordinates - is_array)) - 1;
}

static bool check_sampled(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                          const struct ag_ir_resource *texture, const struct ag_ir_resource *sampler,
                          enum ag_ir_op op)
{
    const char *problem = NULL;
    bool is_float = ag_ir_resource_type(texture) == AG_IR_F32;
    if (texture->dimension == AGPU_DIMENSION_BUFFER || is_multisampled(texture))
        problem = "samples a buffer or a multisampled texture";
    else if (!is_float && op != AG_IR_GATHER && op != AG_IR_GATHER_PO)
        problem = "filters a texture of integers";
    else if (is_comparison(op) && texture->dimension == AGPU_DIMENSION_TEXTURE3D)
        problem = "compares with a volume texture";
    else if (is_comparison(op) != sampler->is_comparison)
        problem = is_comparison(op) ? "compares with a sampler that is not declared for it"
                                    : "uses a comparison sampler without comparing";
    if (problem == NULL)
        return true;
    ag_ir_refuse(builder->program, AGPU_DIAG_TRANSLATE_RESOURCE, insn->offset, "%s %s",
                 agpu_opcode_info(insn->opcode)->mnemonic, problem);
    return false;
}

/* Where the view has integers and the shader declares floats, nothing is filtered: the result is 0. */
static bool is_unfilterable_view(const struct ag_ir_resource *texture, enum ag_ir_op op)
{
    return (texture->facts & AG_TEXTURE_CLASS) != 0 && ag_ir_resource_type(texture) != AG_IR_F32 &&
           op != AG_IR_GATHER && op != AG_IR_GATHER_PO;
}

/* The operation, with the first `extra` of the sources that follow the sampler. */
static struct ag_ir_expr *make_sample(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                                      const struct ag_ir_row *row, const struct ag_ir_access *access,
                                      uint32_t extra)
{
    enum ag_ir_op op = (enum ag_ir_op)row->op;
    uint32_t dimension = builder->program->resources.data[access->resource].dimension;
    uint32_t coordinates = dimensions[dimension].coordinates, first = row->detail + 3u;
    uint32_t width = op == AG_IR_SAMPLE_CMP || op == AG_IR_SAMPLE_CMP_LEVEL ? 1 : 4;
    struct ag_ir_expr *expr = ag_ir_expr_new(builder->program, op, width, row->detail + extra);
    expr->access = access;
    expr->args[0] = ag_ir_source(builder, insn, 1, 'f', (1u << coordinates) - 1);
    if (row->detail == 2)
        expr->args[1] = ag_ir_source(builder, insn, 2, 'i', 3);
    uint32_t extra_mask = op == AG_IR_SAMPLE_GRAD ? position_mask(dimension) : 1;
    for (uint32_t i = 0; i < extra; i++)
        expr->args[row->detail + i] = ag_ir_source(builder, insn, first + i, 'f', extra_mask);
    return expr;
}

/* Two lanes: the level of detail clamped to the sampler and the view, and the unclamped level. The
 * derivatives are those of the quad, or the sources `gradients` and `gradients + 1` if that is not 0. */
static struct ag_ir_expr *make_lod(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                                   const struct ag_ir_access *access, uint32_t gradients)
{
    uint32_t mask = position_mask(builder->program->resources.data[access->resource].dimension);
    struct ag_ir_expr *lod = ag_ir_expr_new(builder->program, AG_IR_LOD, 2, gradients == 0 ? 1 : 3);
    lod->access = access;
    lod->args[0] = ag_ir_source(builder, insn, 1, 'f', mask);
    for (uint32_t i = 1; i < lod->arg_count; i++)
        lod->args[i] = ag_ir_source(builder, insn, gradients + i - 1, 'f', mask);
    if (gradients == 0)
        builder->program->derivatives = true;
    return lod;
}

/* The last source is a minimum level of detail: if the computed level is finer, the minimum is sampled
 * instead. */
static struct ag_ir_expr *apply_minimum_level(struct ag_ir_builder *builder,
                                              const struct agpu_instruction *insn,
                                              const struct ag_ir_access *access, struct ag_ir_expr *sample)
{
    static const uint8_t unclamped = 1;
    struct ag_ir_program *program = builder->program;
    uint32_t last = insn->operand_count - 1u;
    struct ag_ir_access *final = ag_ir_access_new(builder, access->resource);
    if (final == NULL)
        return sample;
    *final = *access;
    final->is_final = true;
    bool has_gradients = sample->op == AG_IR_SAMPLE_GRAD;
    struct ag_ir_expr *lod = make_lod(builder, insn, access, has_gradients ? 4 : 0);
    lod = ag_ir_narrow(program, lod, 1, &unclamped);
    if (sample->op == AG_IR_SAMPLE_BIAS)
        lod = ag_ir_binary(program, AG_IR_ADD, lod, ag_ir_source(builder, insn, 4, 'f', 1));
    struct ag_ir_expr *level = ag_ir_expr_new(program, AG_IR_SAMPLE_LEVEL, 4, 2);
    uint32_t dimension = program->resources.data[access->resource].dimension;
    level->access = final;
    level->args[0] = ag_ir_source(builder, insn, 1, 'f', (1u << dimensions[dimension].coordinates) - 1);
    level->args[1] = ag_ir_source(builder, insn, last, 'f', 1);
    struct ag_ir_expr *chosen = ag_ir_expr_new(program, AG_IR_SELECT, 4, 3);
    chosen->args[0] = ag_ir_binary(program, AG_IR_LT, lod, ag_ir_source(builder, insn, last, 'f', 1));
    chosen->args[1] = level;
    chosen->args[2] = sample;
    return chosen;
}

/* A minimum level beyond all levels of the view, or beyond the sampler's range, reads nothing (D3D11.3
 * 5.9.4.5.4). */
static struct ag_ir_expr *clamp_level(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                                      const struct ag_ir_access *access, struct ag_ir_expr *sample)
{
    struct ag_ir_program *program = builder->program;
    if (is_comparison((enum ag_ir_op)sample->op))
        ag_ir_warn(program, AGPU_DIAG_TRANSLATE_IGNORED, insn->offset,
                   "%s: WebGPU compares at the level it computes, the clamp only tells whether there is one",
                   agpu_opcode_info(insn->opcode)->mnemonic);
    else
        sample = apply_minimum_level(builder, insn, access, sample);
    struct ag_ir_expr *within = ag_ir_expr_new(program, AG_IR_WITHIN, sample->width, 2);
    within->access = access;
    within->args[0] = sample;
    within->args[1] = ag_ir_source(builder, insn, insn->operand_count - 1u, 'f', 1);
    return within;
}

/* row->detail: how many sources precede the resource, 1, or 2 with run-time offsets. row->op2: 1 when the
 * last source is a minimum level of detail. */
void ag_ir_build_sample(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                        const struct ag_ir_row *row)
{
    enum ag_ir_op op = (enum ag_ir_op)row->op;
    uint32_t texture_operand = 1u + row->detail, sampler_operand = texture_operand + 1;
    uint32_t texture_id, sampler_id = ag_ir_resource_of(builder, insn, sampler_operand);
    struct ag_ir_resource *texture = texture_of(builder, insn, texture_operand, &texture_id);
    struct ag_ir_access *access = ag_ir_access_new(builder, texture_id);
    if (texture != NULL && is_unfilterable_view(texture, op)) {
        write_texel(builder, insn, texture_operand, ag_ir_const(builder->program, 4, 0));
        return;
    }
    if (texture == NULL || sampler_id == AG_IR_NONE || access == NULL ||
        !check_sampled(builder, insn, texture, &builder->program->resources.data[sampler_id], op))
        return;
    access->sampler = sampler_id;
    set_offsets(access, insn, texture);
    if (is_comparison(op) && (texture->facts & AG_TEXTURE_COLOR) != 0)
        texture->compared_by_hand = true;
    else if (is_comparison(op))
        texture->compared = true;
    else
        texture->filtered = true;
    if (is_gather(op))
        access->channel = insn->operands[sampler_operand].swizzle[0];
    uint32_t extra = insn->operand_count - sampler_operand - 1u - row->op2;
    struct ag_ir_expr *expr = make_sample(builder, insn, row, access, extra > 2 ? 2 : extra);
    if (row->op2 != 0)
        expr = clamp_level(builder, insn, access, expr);
    write_texel(builder, insn, texture_operand, expr);
}

/* The result is (clamped level, unclamped level, 0, 0): sheet 6.4. */
void ag_ir_build_lod(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                     const struct ag_ir_row *row)
{
    (void)row;
    uint32_t id, sampler_id = ag_ir_resource_of(builder, insn, 3);
    struct ag_ir_resource *texture = texture_of(builder, insn, 2, &id);
    struct ag_ir_access *access = ag_ir_access_new(builder, id);
    if (texture == NULL || sampler_id == AG_IR_NONE || access == NULL)
        return;
    access->sampler = sampler_id;
    if (texture->dimension == AGPU_DIMENSION_BUFFER || is_multisampled(texture)) {
        ag_ir_refuse(builder->program, AGPU_DIAG_TRANSLATE_RESOURCE, insn->offset,
                     "lod of a buffer or a multisampled texture");
        return;
    }
    texture->queried = true;
    struct ag_ir_expr *lod = make_lod(builder, insn, access, 0);
    write_texel(builder, insn, 2, with_zeros(builder, ag_ir_scratch(builder, insn, lod)));
}

/* ---- Loads -------------------------------------------------------------------------------------------- */

/* row->detail: 1 when the last operand is a sample index. */
void ag_ir_build_ld(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                    const struct ag_ir_row *row)
{
    uint32_t id;
    struct ag_ir_resource *resource = texture_of(builder, insn, 2, &id);
    struct ag_ir_access *access = ag_ir_access_new(builder, id);
    if (resource == NULL || access == NULL)
        return;
    resource->loaded = true;
    if (resource->dimension == AGPU_DIMENSION_BUFFER) {
        struct ag_ir_expr *load = ag_ir_expr_new(builder->program, AG_IR_LOAD, 4, 1);
        load->access = access;
        load->args[0] = ag_ir_source(builder, insn, 1, 'i', 1);
        write_texel(builder, insn, 2, load);
        return;
    }
    bool multisampled = is_multisampled(resource);
    if (multisampled != (row->detail == 1) || resource->dimension == AGPU_DIMENSION_TEXTURECUBE ||
        resource->dimension == AGPU_DIMENSION_TEXTURECUBEARRAY) {
        ag_ir_refuse(builder->program, AGPU_DIAG_TRANSLATE_RESOURCE, insn->offset,
                     "%s cannot load from a texture of dimension %u",
                     agpu_opcode_info(insn->opcode)->mnemonic, resource->dimension);
        return;
    }
    set_offsets(access, insn, resource);
    access->is_sample = multisampled;
    struct ag_ir_expr *texel = ag_ir_expr_new(builder->program, AG_IR_TEXEL, 4, 2);
    texel->access = access;
    uint32_t coordinates = dimensions[resource->dimension].coordinates;
    texel->args[0] = ag_ir_source(builder, insn, 1, 'i', (1u << coordinates) - 1);
    if (multisampled) {
        texel->args[1] = ag_ir_source(builder, insn, 3, 'i', 1);
    } else {
        static const uint8_t level = 3;
        struct ag_ir_expr *all = ag_ir_source(builder, insn, 1, 'i', 15);
        texel->args[1] = ag_ir_narrow(builder->program, all, 1, &level);
    }
    write_texel(builder, insn, 2, texel);
}

/* ---- Queries ------------------------------------------------------------------------------------------ */

enum { RETURN_FLOAT, RETURN_RECIPROCAL, RETURN_UINT };

/* How many leading components of resinfo are sizes in texels; a reciprocal is taken of these, not of slice
 * counts. */
static uint32_t size_components(enum agpu_resource_dimension dimension)
{
    switch (dimension) {
    case AGPU_DIMENSION_TEXTURE1D:
    case AGPU_DIMENSION_TEXTURE1DARRAY:
        return 1;
    case AGPU_DIMENSION_TEXTURE3D:
        return 3;
    default:
        return 2;
    }
}

void ag_ir_build_resinfo(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                         const struct ag_ir_row *row)
{
    (void)row;
    uint32_t id;
    struct ag_ir_resource *resource = texture_of(builder, insn, 2, &id);
    struct ag_ir_access *access = ag_ir_access_new(builder, id);
    if (resource == NULL || access == NULL)
        return;
    if (resource->dimension == AGPU_DIMENSION_BUFFER) {
        ag_ir_refuse(builder->program, AGPU_DIAG_TRANSLATE_RESOURCE, insn->offset,
                     "resinfo does not know buffers");
        return;
    }
    resource->queried = true;
    struct ag_ir_expr *info = ag_ir_expr_new(builder->program, AG_IR_RESINFO, 4, 1);
    info->access = access;
    info->args[0] = ag_ir_source(builder, insn, 1, 'i', 1);
    uint32_t kind = insn->controls & 3;
    if (kind == RETURN_UINT) {
        write_texel(builder, insn, 2, info);
        return;
    }
    if (kind == RETURN_FLOAT) {
        write_texel(builder, insn, 2, ag_ir_unary(builder->program, AG_IR_UTOF, info));
        return;
    }
    uint32_t sizes = size_components((enum agpu_resource_dimension)resource->dimension);
    struct ag_ir_expr *saved = ag_ir_scratch(builder, insn, info);
    struct ag_ir_expr *joined = ag_ir_expr_new(builder->program, AG_IR_JOIN, 4, 4);
    for (uint8_t i = 0; i < 4; i++) {
        struct ag_ir_expr *lane = ag_ir_unary(builder->program, AG_IR_UTOF, lane_of(builder, saved, i));
        joined->args[i] = i < sizes ? ag_ir_unary(builder->program, AG_IR_RCP, lane) : lane;
    }
    write_texel(builder, insn, 2, joined);
}

/* The resource of sampleinfo and samplepos: a texture, or the render target. False after a report. */
static bool sampled_target(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                           struct ag_ir_access **access)
{
    uint32_t id = AG_IR_NONE;
    if (insn->operands[1].type != AGPU_OPERAND_RASTERIZER) {
        struct ag_ir_resource *resource = texture_of(builder, insn, 1, &id);
        if (resource == NULL)
            return false;
        if (!is_multisampled(resource)) {
            ag_ir_refuse(builder->program, AGPU_DIAG_TRANSLATE_RESOURCE, insn->offset,
                         "%s needs a multisampled texture", agpu_opcode_info(insn->opcode)->mnemonic);
            return false;
        }
        resource->queried = true;
    }
    *access = ag_ir_access_new(builder, id);
    return *access != NULL;
}

void ag_ir_build_sampleinfo(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                            const struct ag_ir_row *row)
{
    (void)row;
    struct ag_ir_access *access;
    if (!sampled_target(builder, insn, &access))
        return;
    struct ag_ir_expr *count = ag_ir_expr_new(builder->program, AG_IR_SAMPLE_COUNT, 1, 0);
    count->access = access;
    if ((insn->controls & 1) == 0)
        count = ag_ir_unary(builder->program, AG_IR_UTOF, count);
    write_texel(builder, insn, 1, with_zeros(builder, ag_ir_scratch(builder, insn, count)));
}

void ag_ir_build_samplepos(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                           const struct ag_ir_row *row)
{
    (void)row;
    struct ag_ir_access *access;
    if (!sampled_target(builder, insn, &access))
        return;
    struct ag_ir_expr *position = ag_ir_expr_new(builder->program, AG_IR_SAMPLE_POSITION, 2, 1);
    position->access = access;
    position->args[0] = ag_ir_source(builder, insn, 2, 'i', 1);
    write_texel(builder, insn, 1, with_zeros(builder, ag_ir_scratch(builder, insn, position)));
}
