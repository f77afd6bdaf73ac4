/* SPDX-License-Identifier: MIT
 *
 * Texel addresses, and the instructions that address texels by integers: sections 22.4.6 to 22.4.9.
 */
#include "ref/texture.h"

#include <math.h>

struct dimension_info {
    uint8_t axes;
    bool is_array, is_multisampled;
};

static const struct dimension_info dimension_table[AGPU_DIMENSION_COUNT] = {
    [AGPU_DIMENSION_TEXTURE1D] = {1, false, false},
      [AGPU_DIMENSION_TEXTURE1DARRAY] = {1, true,  false},
    [AGPU_DIMENSION_TEXTURE2D] = {2, false, false},
      [AGPU_DIMENSION_TEXTURE2DARRAY] = {2, true,  false},
    [AGPU_DIMENSION_TEXTURE2DMS] = {2, false, true },
      [AGPU_DIMENSION_TEXTURE2DMSARRAY] = {2, true,  true },
    [AGPU_DIMENSION_TEXTURE3D] = {3, false, false},
      [AGPU_DIMENSION_TEXTURECUBE] = {2, false, false},
    [AGPU_DIMENSION_TEXTURECUBEARRAY] = {2, true,  false},
};

uint32_t ag_ref_axes(const struct ag_ref_view *view)
{
    return (unsigned)view->dimension < AGPU_DIMENSION_COUNT ? dimension_table[view->dimension].axes : 0;
}

bool ag_ref_is_texture(const struct ag_ref_view *view)
{
    return ag_ref_axes(view) != 0;
}

bool ag_ref_is_cube(const struct ag_ref_view *view)
{
    return view->dimension == AGPU_DIMENSION_TEXTURECUBE ||
           view->dimension == AGPU_DIMENSION_TEXTURECUBEARRAY;
}

uint32_t ag_ref_mip_size(const struct ag_ref_view *view, uint32_t mip, uint32_t axis)
{
    const uint32_t size = axis == 0 ? view->width : axis == 1 ? view->height : view->depth;
    const uint32_t shrunk = mip < 32 ? size >> mip : 0;
    return shrunk != 0 ? shrunk : 1;
}

/* The number of texels in one mip of one layer. */
static uint64_t mip_texels(const struct ag_ref_view *view, uint32_t mip)
{
    return (uint64_t)ag_ref_mip_size(view, mip, 0) * ag_ref_mip_size(view, mip, 1) *
           ag_ref_mip_size(view, mip, 2);
}

static uint64_t layer_texels(const struct ag_ref_view *view, uint32_t mips)
{
    uint64_t texels = 0;
    for (uint32_t mip = 0; mip < mips; mip++)
        texels += mip_texels(view, mip);
    return texels;
}

static bool has_sane_size(const struct ag_ref_view *view)
{
    const bool sized = view->width - 1u < 16384 && view->height - 1u < 16384 && view->depth - 1u < 2048;
    return ag_ref_is_texture(view) && sized && view->layers - 1u < 16384 && view->mips - 1u < 15 &&
           view->samples - 1u < 32 && view->format.bytes - 1u < 16;
}

uint64_t ag_ref_texture_size(const struct ag_ref_view *view)
{
    if (!has_sane_size(view))
        return 0;
    return layer_texels(view, view->mips) * view->layers * view->samples * view->format.bytes;
}

uint64_t ag_ref_texel_offset(const struct ag_ref_view *view, uint32_t layer, uint32_t mip, uint32_t x,
                             uint32_t y, uint32_t z, uint32_t sample)
{
    const uint64_t width = ag_ref_mip_size(view, mip, 0), height = ag_ref_mip_size(view, mip, 1);
    const uint64_t before = layer * layer_texels(view, view->mips) + layer_texels(view, mip);
    const uint64_t texel = before + (z * height + y) * width + x;
    return (texel * view->samples + sample) * view->format.bytes;
}

uint8_t *ag_ref_find_texel(const struct ag_ref_view *view, const struct ag_ref_texel *texel)
{
    uint64_t offset;
    if (view->dimension == AGPU_DIMENSION_BUFFER) {
        offset = (uint64_t)texel->x * view->format.bytes;
    } else {
        if (!has_sane_size(view) || texel->mip >= view->mips || texel->layer >= view->layers ||
            texel->sample >= view->samples || texel->x >= ag_ref_mip_size(view, texel->mip, 0) ||
            texel->y >= ag_ref_mip_size(view, texel->mip, 1) ||
            texel->z >= ag_ref_mip_size(view, texel->mip, 2))
            return NULL;
        offset =
            ag_ref_texel_offset(view, texel->layer, texel->mip, texel->x, texel->y, texel->z, texel->sample);
    }
    const bool fits = ag_range_fits(offset, view->format.bytes, view->size);
    return fits && view->data != NULL ? (uint8_t *)view->data + offset : NULL;
}

struct ag_ref_texel ag_ref_texel_address(const struct ag_ref_view *view, const uint32_t address[4])
{
    const uint32_t axes = ag_ref_axes(view);
    struct ag_ref_texel texel = {.x = address[0]};
    if (axes >= 2)
        texel.y = address[1];
    if (axes >= 3)
        texel.z = address[2];
    if (axes != 0 && (dimension_table[view->dimension].is_array || ag_ref_is_cube(view)))
        texel.layer = address[axes];
    return texel;
}

void ag_ref_load_texel(const struct ag_ref_view *view, const struct ag_ref_texel *texel, uint32_t value[4])
{
    static const uint8_t zeros[16];
    const uint8_t *memory = ag_ref_find_texel(view, texel);
    ag_ref_format_load(&view->format, memory != NULL ? memory : zeros, value);
}

/* ---- Instructions ------------------------------------------------------------------------------------- */

/* Section 5.8.5: a mip that the resource's clamp excludes reads like a mip that does not exist. */
static uint32_t clamp_mip(const struct ag_ref_view *view, uint32_t mip)
{
    const bool empty = view->min_lod > (float)(view->mips - 1);
    return empty || (float)mip < floorf(view->min_lod) ? UINT32_MAX : mip;
}

static enum ag_ref_step run_load(struct ag_ref_thread *thread, const struct ag_ref_code *code)
{
    const uint32_t opcode = code->instruction->opcode;
    const bool is_multisampled = opcode == AGPU_OP_LDMS || opcode == AGPU_OP_LDMS_S;
    const struct agpu_operand *resource = ag_ref_after_status(code, 2);
    const struct ag_ref_view *view = ag_ref_resource(thread, resource);
    uint32_t address[4], value[4] = {0}, result[4];
    ag_ref_read(thread, ag_ref_after_status(code, 1), 'i', address);
    if (view->dimension != AGPU_DIMENSION_UNKNOWN) {
        uint32_t moved[4];
        for (uint32_t i = 0; i < 4; i++) {
            const int32_t offset = i < ag_ref_axes(view) ? code->instruction->offsets[i] : 0;
            moved[i] = address[i] + (uint32_t)offset;
        }
        struct ag_ref_texel texel = ag_ref_texel_address(view, moved);
        if (is_multisampled)
            texel.sample = ag_ref_read_scalar(thread, ag_ref_after_status(code, 3), 'i');
        else if (ag_ref_is_texture(view) && resource->type == AGPU_OPERAND_RESOURCE)
            texel.mip = clamp_mip(view, address[3]);
        ag_ref_load_texel(view, &texel, value);
    }
    for (uint32_t i = 0; i < 4; i++)
        result[i] = value[resource->swizzle[i] & 3];
    ag_ref_write_result(thread, code, 0, result);
    ag_ref_write_status(thread, code);
    return AG_REF_STEP_NEXT;
}

static enum ag_ref_step run_store(struct ag_ref_thread *thread, const struct ag_ref_code *code)
{
    const struct ag_ref_view *view = ag_ref_resource(thread, &code->instruction->operands[0]);
    uint32_t address[4], value[4];
    ag_ref_read(thread, &code->instruction->operands[1], 'i', address);
    ag_ref_read(thread, &code->instruction->operands[2], 'b', value);
    const struct ag_ref_texel texel = ag_ref_texel_address(view, address);
    uint8_t *memory = ag_ref_find_texel(view, &texel);
    if (memory != NULL && !ag_ref_is_inactive(thread))
        ag_ref_format_store(&view->format, value, memory);
    return AG_REF_STEP_NEXT;
}

ag_ref_run_fn ag_ref_load_run(uint32_t opcode)
{
    static const ag_ref_run_fn table[AGPU_OPCODE_LIMIT] = {
        [AGPU_OP_LD] = run_load,
        [AGPU_OP_LD_S] = run_load,
        [AGPU_OP_LDMS] = run_load,
        [AGPU_OP_LDMS_S] = run_load,
        [AGPU_OP_LD_UAV_TYPED] = run_load,
        [AGPU_OP_LD_UAV_TYPED_S] = run_load,
        [AGPU_OP_STORE_UAV_TYPED] = run_store,
    };
    return table[opcode];
}
