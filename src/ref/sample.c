/* SPDX-License-Identifier: MIT
 *
 * Instructions that use a sampler: sections 22.4.2 to 22.4.5, 22.4.15 to 22.4.20 and 22.5.6.
 */
#include <float.h>

#include "ref/number.h"
#include "ref/texture.h"

enum lod_source {
    LOD_NONE, /* not an instruction of this file */
    LOD_IMPLICIT,
    LOD_BIASED,
    LOD_GIVEN,
    LOD_ZERO,
    LOD_DERIVATIVES,
    LOD_GATHER,
};

struct sample_info {
    uint8_t lod; /* enum lod_source */
    bool compares;
    bool clamps;             /* the last operand is a minimum level of detail */
    bool has_offset_operand; /* gather4_po */
};

/* clang-format off */
static const struct sample_info info_table[AGPU_OPCODE_LIMIT] = {
    [AGPU_OP_SAMPLE] = {.lod = LOD_IMPLICIT},
    [AGPU_OP_SAMPLE_CL_S] = {.lod = LOD_IMPLICIT, .clamps = true},
    [AGPU_OP_SAMPLE_B] = {.lod = LOD_BIASED},
    [AGPU_OP_SAMPLE_B_CL_S] = {.lod = LOD_BIASED, .clamps = true},
    [AGPU_OP_SAMPLE_L] = {.lod = LOD_GIVEN},
    [AGPU_OP_SAMPLE_L_S] = {.lod = LOD_GIVEN},
    [AGPU_OP_SAMPLE_D] = {.lod = LOD_DERIVATIVES},
    [AGPU_OP_SAMPLE_D_CL_S] = {.lod = LOD_DERIVATIVES, .clamps = true},
    [AGPU_OP_SAMPLE_C] = {.lod = LOD_IMPLICIT, .compares = true},
    [AGPU_OP_SAMPLE_C_CL_S] = {.lod = LOD_IMPLICIT, .compares = true, .clamps = true},
    [AGPU_OP_SAMPLE_C_LZ] = {.lod = LOD_ZERO, .compares = true},
    [AGPU_OP_SAMPLE_C_LZ_S] = {.lod = LOD_ZERO, .compares = true},
    [AGPU_OP_LOD] = {.lod = LOD_IMPLICIT},
    [AGPU_OP_GATHER4] = {.lod = LOD_GATHER},
    [AGPU_OP_GATHER4_S] = {.lod = LOD_GATHER},
    [AGPU_OP_GATHER4_C] = {.lod = LOD_GATHER, .compares = true},
    [AGPU_OP_GATHER4_C_S] = {.lod = LOD_GATHER, .compares = true},
    [AGPU_OP_GATHER4_PO] = {.lod = LOD_GATHER, .has_offset_operand = true},
    [AGPU_OP_GATHER4_PO_S] = {.lod = LOD_GATHER, .has_offset_operand = true},
    [AGPU_OP_GATHER4_PO_C] = {.lod = LOD_GATHER, .compares = true, .has_offset_operand = true},
    [AGPU_OP_GATHER4_PO_C_S] = {.lod = LOD_GATHER, .compares = true, .has_offset_operand = true},
};
/* clang-format on */

/* Direct3D's default sampler state, for empty slots. */
static const struct ag_ref_sampler default_sampler = {
    .filter = AG_REF_FILTER_MIP_LINEAR | AG_REF_FILTER_MAG_LINEAR | AG_REF_FILTER_MIN_LINEAR,
    .address = {AG_REF_CLAMP, AG_REF_CLAMP, AG_REF_CLAMP},
    .max_anisotropy = 1,
    .comparison = AG_REF_NEVER,
    .border_color = { 1.0f,        1.0f,         1.0f,         1.0f},
    .min_lod = -FLT_MAX,
    .max_lod = FLT_MAX,
};

/* The operands of one instruction. */
struct request {
    const struct agpu_operand *resource, *sampler;
    struct ag_ref_sampling sampling;
    float dx[4], dy[4];
};

static void read_floats(const struct ag_ref_thread *thread, const struct agpu_operand *operand,
                        float value[4])
{
    uint32_t bits[4];
    ag_ref_read(thread, operand, 'f', bits);
    for (uint32_t i = 0; i < 4; i++)
        value[i] = ag_float_from_bits(bits[i]);
}

static float read_float(const struct ag_ref_thread *thread, const struct agpu_operand *operand)
{
    return ag_float_from_bits(ag_ref_read_scalar(thread, operand, 'f'));
}

static void read_offsets(const struct ag_ref_thread *thread, const struct ag_ref_code *code,
                         const struct agpu_operand *operand, int32_t offset[3])
{
    for (uint32_t i = 0; i < 3; i++)
        offset[i] = code->instruction->offsets[i];
    if (operand == NULL)
        return;
    uint32_t value[4];
    ag_ref_read(thread, operand, 'i', value);
    for (uint32_t i = 0; i < 2; i++)
        offset[i] = ag_ref_sign_extend(value[i], 6);
}

/* Reads those of reference, level, bias, derivatives and minimum level that the opcode has; they come in this
 * order. */
static void read_tail(const struct ag_ref_thread *thread, const struct ag_ref_code *code,
                      const struct sample_info *info, uint32_t next, struct request *request)
{
    struct ag_ref_sampling *sampling = &request->sampling;
    if (info->compares)
        sampling->reference = read_float(thread, ag_ref_after_status(code, next++));
    if (info->lod == LOD_BIASED)
        sampling->bias = read_float(thread, ag_ref_after_status(code, next++));
    if (info->lod == LOD_GIVEN)
        sampling->lod = read_float(thread, ag_ref_after_status(code, next++));
    if (info->lod == LOD_DERIVATIVES) {
        read_floats(thread, ag_ref_after_status(code, next), request->dx);
        read_floats(thread, ag_ref_after_status(code, next + 1), request->dy);
        next += 2;
    }
    const struct agpu_operand *clamp = info->clamps ? ag_ref_after_status(code, next) : NULL;
    sampling->has_lod_clamp = clamp != NULL && clamp->type != AGPU_OPERAND_NULL;
    if (sampling->has_lod_clamp)
        sampling->lod_clamp = read_float(thread, clamp);
}

static void read_request(const struct ag_ref_thread *thread, const struct ag_ref_code *code,
                         struct request *request)
{
    const struct sample_info *info = &info_table[code->instruction->opcode];
    const struct ag_ref_bindings *bindings = thread->run->bindings;
    uint32_t next = 1;
    *request = (struct request){0};
    read_floats(thread, ag_ref_after_status(code, next++), request->sampling.coordinate);
    const struct agpu_operand *offset = info->has_offset_operand ? ag_ref_after_status(code, next++) : NULL;
    read_offsets(thread, code, offset, request->sampling.offset);
    request->resource = ag_ref_after_status(code, next++);
    request->sampler = ag_ref_after_status(code, next++);
    const uint64_t slot = ag_ref_slot(thread, request->sampler);
    request->sampling.view = ag_ref_resource(thread, request->resource);
    ag_ref_perturb_coordinate(thread, request->sampling.coordinate);
    request->sampling.sampler = slot < bindings->sampler_count ? &bindings->samplers[slot] : &default_sampler;
    request->sampling.compares = info->compares;
    read_tail(thread, code, info, next, request);
}

/* Whether the instruction must wait for the quad's derivatives. */
static bool awaits_quad(struct ag_ref_thread *thread, const struct ag_ref_code *code, struct request *request)
{
    const uint32_t source = info_table[code->instruction->opcode].lod;
    if (source == LOD_DERIVATIVES) {
        request->sampling.dx = request->dx;
        request->sampling.dy = request->dy;
    }
    if (source != LOD_IMPLICIT && source != LOD_BIASED)
        return false;
    if (!thread->gradient.ready) {
        memcpy(thread->gradient.value, request->sampling.coordinate, sizeof thread->gradient.value);
        return true;
    }
    thread->gradient.ready = false;
    request->sampling.dx = thread->gradient.dx;
    request->sampling.dy = thread->gradient.dy;
    return false;
}

/* Section 22.5.6: the level is also clamped to the mips that exist; 0 if nothing is bound or the clamps leave
 * no mip. */
static void query_lod(const struct ag_ref_sampling *sampling, uint32_t value[4])
{
    memset(value, 0, 4 * sizeof *value);
    if (!ag_ref_is_texture(sampling->view) || sampling->view->mips == 0)
        return;
    const struct ag_ref_lod lod = ag_ref_find_lod(sampling);
    const float last = (float)(sampling->view->mips - 1);
    const float clamped = lod.clamped < 0.0f ? 0.0f : lod.clamped > last ? last : lod.clamped;
    value[0] = ag_bits_from_float(lod.out_of_range ? 0.0f : clamped);
    value[1] = ag_bits_from_float(lod.unclamped);
}

static enum ag_ref_step run_sample(struct ag_ref_thread *thread, const struct ag_ref_code *code)
{
    struct request request;
    uint32_t value[4], result[4];
    read_request(thread, code, &request);
    if (awaits_quad(thread, code, &request))
        return AG_REF_STEP_GRADIENT;
    ag_ref_perturb_sampling(thread, &request.sampling);
    const struct sample_info *info = &info_table[code->instruction->opcode];
    if (info->lod == LOD_GATHER)
        ag_ref_gather(&request.sampling, info->compares ? 0 : request.sampler->swizzle[0], value);
    else if (code->instruction->opcode == AGPU_OP_LOD)
        query_lod(&request.sampling, value);
    else
        ag_ref_sample(&request.sampling, value);
    const bool is_scalar = info->compares && info->lod != LOD_GATHER;
    for (uint32_t i = 0; i < 4; i++)
        result[i] = is_scalar ? value[0] : value[request.resource->swizzle[i] & 3];
    ag_ref_write_result(thread, code, 0, result);
    ag_ref_write_status(thread, code);
    return AG_REF_STEP_NEXT;
}

ag_ref_run_fn ag_ref_sample_run(uint32_t opcode)
{
    return info_table[opcode].lod != LOD_NONE ? run_sample : NULL;
}
