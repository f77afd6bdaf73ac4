/* SPDX-License-Identifier: MIT
 *
 * Queries of resources, and inputs evaluated elsewhere in the pixel: sections 22.4.1, 22.4.14 and 22.4.21 to
 * 22.4.25.
 */
#include "ref/number.h"
#include "ref/texture.h"

static void write_swizzled(struct ag_ref_thread *thread, const struct ag_ref_code *code,
                           const struct agpu_operand *resource, const uint32_t value[4])
{
    uint32_t result[4];
    for (uint32_t i = 0; i < 4; i++)
        result[i] = value[resource->swizzle[i] & 3];
    ag_ref_write_result(thread, code, 0, result);
}

/* ---- Sizes -------------------------------------------------------------------------------------------- */

/* What resinfo returns in x, y and z for a dimension. */
enum size_kind { SIZE_ZERO, SIZE_WIDTH, SIZE_HEIGHT, SIZE_DEPTH, SIZE_LAYERS, SIZE_CUBES };

static const uint8_t size_table[AGPU_DIMENSION_COUNT][3] = {
    [AGPU_DIMENSION_TEXTURE1D] = {SIZE_WIDTH, SIZE_ZERO,   SIZE_ZERO  },
    [AGPU_DIMENSION_TEXTURE1DARRAY] = {SIZE_WIDTH, SIZE_LAYERS, SIZE_ZERO  },
    [AGPU_DIMENSION_TEXTURE2D] = {SIZE_WIDTH, SIZE_HEIGHT, SIZE_ZERO  },
    [AGPU_DIMENSION_TEXTURE2DMS] = {SIZE_WIDTH, SIZE_HEIGHT, SIZE_ZERO  },
    [AGPU_DIMENSION_TEXTURE2DARRAY] = {SIZE_WIDTH, SIZE_HEIGHT, SIZE_LAYERS},
    [AGPU_DIMENSION_TEXTURE2DMSARRAY] = {SIZE_WIDTH, SIZE_HEIGHT, SIZE_LAYERS},
    [AGPU_DIMENSION_TEXTURE3D] = {SIZE_WIDTH, SIZE_HEIGHT, SIZE_DEPTH },
    [AGPU_DIMENSION_TEXTURECUBE] = {SIZE_WIDTH, SIZE_HEIGHT, SIZE_ZERO  },
    [AGPU_DIMENSION_TEXTURECUBEARRAY] = {SIZE_WIDTH, SIZE_HEIGHT, SIZE_CUBES },
};

static uint32_t size_of(const struct ag_ref_view *view, enum size_kind kind, uint32_t mip)
{
    switch (kind) {
    case SIZE_ZERO:
        return 0;
    case SIZE_WIDTH:
        return ag_ref_mip_size(view, mip, 0);
    case SIZE_HEIGHT:
        return ag_ref_mip_size(view, mip, 1);
    case SIZE_DEPTH:
        return ag_ref_mip_size(view, mip, 2);
    case SIZE_LAYERS:
        return view->layers;
    case SIZE_CUBES:
        return view->layers / 6;
    }
    return 0;
}

/* The dimension that the shader declares, for slots without a resource. */
static enum agpu_resource_dimension declared_dimension(const struct ag_ref_thread *thread,
                                                       const struct agpu_operand *resource)
{
    const struct agpu_program *program = &thread->run->program->shader->program;
    for (uint32_t i = 0; i < program->instruction_count; i++) {
        const struct agpu_instruction *dcl = &program->instructions[i];
        const bool is_view = dcl->opcode == AGPU_OP_DCL_RESOURCE || dcl->opcode == AGPU_OP_DCL_UAV_TYPED;
        if (is_view && dcl->operand_count > 0 && dcl->operands[0].type == resource->type &&
            dcl->operands[0].index[0].immediate == resource->index[0].immediate)
            return agpu_dcl_dimension(dcl);
    }
    return AGPU_DIMENSION_UNKNOWN;
}

enum { RESINFO_FLOAT = 0, RESINFO_RECIPROCAL = 1, RESINFO_UINT = 2 };

static uint32_t convert_size(uint32_t size, bool is_length, uint32_t type)
{
    if (type == RESINFO_UINT)
        return size;
    const float value = (float)size;
    return ag_bits_from_float(type == RESINFO_RECIPROCAL && is_length ? 1.0f / value : value);
}

static enum ag_ref_step run_resinfo(struct ag_ref_thread *thread, const struct ag_ref_code *code)
{
    const struct agpu_operand *resource = &code->instruction->operands[2];
    const struct ag_ref_view *view = ag_ref_resource(thread, resource);
    const uint32_t type = code->instruction->controls & 3;
    const uint32_t mip = ag_ref_read_scalar(thread, &code->instruction->operands[1], 'i');
    const bool is_bound = ag_ref_is_texture(view);
    const bool is_unordered = resource->type == AGPU_OPERAND_UNORDERED_ACCESS_VIEW;
    const uint32_t mips = !is_bound ? 0 : is_unordered ? 1 : view->mips;
    const enum agpu_resource_dimension dimension =
        is_bound ? view->dimension : declared_dimension(thread, resource);
    uint32_t value[4] = {0};
    for (uint32_t i = 0; i < 3 && (unsigned)dimension < AGPU_DIMENSION_COUNT; i++) {
        const enum size_kind kind = (enum size_kind)size_table[dimension][i];
        const bool is_length = kind == SIZE_WIDTH || kind == SIZE_HEIGHT || kind == SIZE_DEPTH;
        value[i] = convert_size(mip < mips ? size_of(view, kind, mip) : 0, is_length, type);
    }
    value[3] = convert_size(mips, false, type);
    write_swizzled(thread, code, resource, value);
    return AG_REF_STEP_NEXT;
}

static enum ag_ref_step run_bufinfo(struct ag_ref_thread *thread, const struct ag_ref_code *code)
{
    const struct agpu_operand *resource = &code->instruction->operands[1];
    const struct ag_ref_view *view = ag_ref_resource(thread, resource);
    uint64_t unit = 1;
    if (view->dimension == AGPU_DIMENSION_BUFFER)
        unit = view->format.bytes;
    else if (view->dimension == AGPU_DIMENSION_STRUCTURED_BUFFER)
        unit = view->stride;
    const uint32_t count = unit != 0 ? (uint32_t)(view->size / unit) : 0;
    const uint32_t value[4] = {count, count, count, count};
    write_swizzled(thread, code, resource, value);
    return AG_REF_STEP_NEXT;
}

/* ---- Samples ------------------------------------------------------------------------------------------ */

/* Standard sample patterns in sixteenths of a pixel from the centre: x and y of each sample. */
static const int8_t pattern_1[] = {0, 0};
static const int8_t pattern_2[] = {4, 4, -4, -4};
static const int8_t pattern_4[] = {-2, -6, 6, -2, -6, 2, 2, 6};
static const int8_t pattern_8[] = {1, -3, -1, 3, 5, 1, -3, -5, -5, 5, -7, -1, 3, 7, 7, -7};
static const int8_t pattern_16[] = {1,  1, -1, -3, -3, 2,  4,  -1, -5, -2, 2, 5,  5, 3, 3,  -5,
                                    -2, 6, 0,  -7, -4, -6, -6, 4,  -8, 0,  7, -4, 6, 7, -7, -8};

static const int8_t *find_pattern(uint32_t count)
{
    switch (count) {
    case 2:
        return pattern_2;
    case 4:
        return pattern_4;
    case 8:
        return pattern_8;
    case 16:
        return pattern_16;
    default:
        return pattern_1;
    }
}

static void sample_position(uint32_t count, uint32_t index, float position[2])
{
    const int8_t *pattern = find_pattern(count);
    const bool is_known = index < (pattern == pattern_1 ? 1 : count);
    position[0] = is_known ? (float)pattern[(size_t)2 * index] / 16.0f : 0.0f;
    position[1] = is_known ? (float)pattern[(size_t)2 * index + 1] / 16.0f : 0.0f;
}

static uint32_t rasterizer_samples(const struct ag_ref_thread *thread)
{
    const uint32_t samples = thread->run->bindings->rasterizer_samples;
    return samples != 0 ? samples : 1;
}

static uint32_t sample_count(const struct ag_ref_thread *thread, const struct agpu_operand *resource)
{
    if (resource->type == AGPU_OPERAND_RASTERIZER)
        return rasterizer_samples(thread);
    const struct ag_ref_view *view = ag_ref_resource(thread, resource);
    return ag_ref_is_texture(view) ? view->samples : 0;
}

static enum ag_ref_step run_sampleinfo(struct ag_ref_thread *thread, const struct ag_ref_code *code)
{
    const struct agpu_operand *resource = &code->instruction->operands[1];
    const uint32_t count = sample_count(thread, resource);
    const bool is_uint = code->instruction->controls & 1;
    const uint32_t value[4] = {is_uint ? count : ag_bits_from_float((float)count)};
    write_swizzled(thread, code, resource, value);
    return AG_REF_STEP_NEXT;
}

static enum ag_ref_step run_samplepos(struct ag_ref_thread *thread, const struct ag_ref_code *code)
{
    const struct agpu_operand *resource = &code->instruction->operands[1];
    const uint32_t index = ag_ref_read_scalar(thread, &code->instruction->operands[2], 'i');
    float position[2];
    sample_position(sample_count(thread, resource), index, position);
    const uint32_t value[4] = {ag_bits_from_float(position[0]), ag_bits_from_float(position[1])};
    write_swizzled(thread, code, resource, value);
    return AG_REF_STEP_NEXT;
}

/* ---- Inputs elsewhere in the pixel -------------------------------------------------------------------- */

/* Section 3.5.5: the centre of a fully covered pixel, otherwise the first covered sample. */
static void centroid(const struct ag_ref_thread *thread, float position[2])
{
    const uint32_t count = rasterizer_samples(thread);
    const uint32_t all = count < 32 ? (1u << count) - 1 : UINT32_MAX;
    const uint32_t covered = thread->invocation->coverage & all;
    position[0] = position[1] = 0.0f;
    if (covered == 0 || covered == all)
        return;
    uint32_t first = 0;
    while (!(covered >> first & 1))
        first++;
    sample_position(count, first, position);
}

/* The position that an eval instruction asks for, relative to the pixel's centre. */
static void find_place(const struct ag_ref_thread *thread, const struct ag_ref_code *code, float place[2])
{
    uint32_t value[4];
    if (code->instruction->opcode == AGPU_OP_EVAL_CENTROID) {
        centroid(thread, place);
        return;
    }
    ag_ref_read(thread, &code->instruction->operands[2], 'i', value);
    if (code->instruction->opcode == AGPU_OP_EVAL_SAMPLE_INDEX) {
        sample_position(rasterizer_samples(thread), value[0], place);
        return;
    }
    place[0] = (float)ag_ref_sign_extend(value[0], 4) / 16.0f;
    place[1] = (float)ag_ref_sign_extend(value[1], 4) / 16.0f;
}

/* Section 16.5: extrapolates the input from the pixel's own value with the quad's fine derivatives. */
static void extrapolate(const struct ag_ref_thread *thread, const struct agpu_operand *input,
                        const float place[2], uint32_t value[4])
{
    const uint32_t lane = thread->lane;
    uint32_t corner[4][4];
    struct ag_ref_thread other = *thread;
    for (uint32_t i = 0; i < 4; i++) {
        struct ag_ref_invocation neighbour = thread->quad[i];
        other.invocation = &neighbour;
        ag_ref_read(&other, input, 'f', corner[i]);
    }
    for (uint32_t i = 0; i < 4; i++) {
        const float left = ag_float_from_bits(corner[lane & 2][i]);
        const float right = ag_float_from_bits(corner[lane | 1][i]);
        const float upper = ag_float_from_bits(corner[lane & 1][i]);
        const float lower = ag_float_from_bits(corner[lane | 2][i]);
        const float here = ag_float_from_bits(corner[lane][i]);
        value[i] = ag_bits_from_float(here + (right - left) * place[0] + (lower - upper) * place[1]);
    }
}

static enum ag_ref_step run_eval(struct ag_ref_thread *thread, const struct ag_ref_code *code)
{
    const struct agpu_operand *input = &code->instruction->operands[1];
    const uint64_t number = ag_ref_operand_index(thread, input, 0);
    const bool is_varying = input->type == AGPU_OPERAND_INPUT && number < AG_REF_REGISTERS &&
                            thread->run->program->interpolation[number] != AGPU_INTERPOLATE_CONSTANT;
    uint32_t value[4];
    ag_ref_read(thread, input, 'f', value);
    if (is_varying && thread->quad != NULL) {
        float place[2];
        find_place(thread, code, place);
        extrapolate(thread, input, place, value);
    }
    ag_ref_write_result(thread, code, 0, value);
    return AG_REF_STEP_NEXT;
}

ag_ref_run_fn ag_ref_query_run(uint32_t opcode)
{
    static const ag_ref_run_fn table[AGPU_OPCODE_LIMIT] = {
        [AGPU_OP_RESINFO] = run_resinfo,       [AGPU_OP_BUFINFO] = run_bufinfo,
        [AGPU_OP_SAMPLEINFO] = run_sampleinfo, [AGPU_OP_SAMPLEPOS] = run_samplepos,
        [AGPU_OP_EVAL_SNAPPED] = run_eval,     [AGPU_OP_EVAL_SAMPLE_INDEX] = run_eval,
        [AGPU_OP_EVAL_CENTROID] = run_eval,
    };
    return table[opcode];
}
