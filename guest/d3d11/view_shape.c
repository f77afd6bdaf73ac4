/* SPDX-License-Identifier: MIT
 *
 * Which views a resource has.
 */
#include "guest/d3d11/format.h"
#include "guest/d3d11/view.h"

#define WORD_BYTES 4u
#define RAW_ALIGNMENT_BYTES 16u
#define MOST_TARGET_ELEMENTS 16384u

enum what {
    ARRAY = 1 << 0,
    SAMPLES = 1 << 1,
    CUBE = 1 << 2,
};

/* By aerogpu_ext_view_dimension. */
static const struct {
    uint8_t resource; /* D3D11_RESOURCE_DIMENSION */
    uint8_t what;
    uint8_t kinds; /* bits of aerogpu_ext_view_kind that have such views */
} dimensions[] = {
    [AEROGPU_EXT_DIMENSION_BUFFER] = {D3D11_RESOURCE_DIMENSION_BUFFER,    0,               0xb},
    [AEROGPU_EXT_DIMENSION_TEXTURE1D] = {D3D11_RESOURCE_DIMENSION_TEXTURE1D, 0,               0xf},
    [AEROGPU_EXT_DIMENSION_TEXTURE1DARRAY] = {D3D11_RESOURCE_DIMENSION_TEXTURE1D, ARRAY,           0xf},
    [AEROGPU_EXT_DIMENSION_TEXTURE2D] = {D3D11_RESOURCE_DIMENSION_TEXTURE2D, 0,               0xf},
    [AEROGPU_EXT_DIMENSION_TEXTURE2DARRAY] = {D3D11_RESOURCE_DIMENSION_TEXTURE2D, ARRAY,           0xf},
    [AEROGPU_EXT_DIMENSION_TEXTURE2DMS] = {D3D11_RESOURCE_DIMENSION_TEXTURE2D, SAMPLES,         0x7},
    [AEROGPU_EXT_DIMENSION_TEXTURE2DMSARRAY] = {D3D11_RESOURCE_DIMENSION_TEXTURE2D, SAMPLES | ARRAY, 0x7},
    [AEROGPU_EXT_DIMENSION_TEXTURE3D] = {D3D11_RESOURCE_DIMENSION_TEXTURE3D, 0,               0xb},
    [AEROGPU_EXT_DIMENSION_TEXTURECUBE] = {D3D11_RESOURCE_DIMENSION_TEXTURE2D, CUBE,            0x1},
    [AEROGPU_EXT_DIMENSION_TEXTURECUBEARRAY] = {D3D11_RESOURCE_DIMENSION_TEXTURE2D, CUBE | ARRAY,    0x1},
};

/* By aerogpu_ext_view_kind. */
static const struct {
    UINT bind;
    UINT support; /* any bit of D3D11_FORMAT_SUPPORT */
} kinds[] = {
    [AEROGPU_EXT_VIEW_SHADER_RESOURCE] = {D3D11_BIND_SHADER_RESOURCE,  D3D11_FORMAT_SUPPORT_SHADER_LOAD |
                                                                          D3D11_FORMAT_SUPPORT_SHADER_SAMPLE},
    [AEROGPU_EXT_VIEW_RENDER_TARGET] = {D3D11_BIND_RENDER_TARGET,    D3D11_FORMAT_SUPPORT_RENDER_TARGET                                                                        },
    [AEROGPU_EXT_VIEW_DEPTH_STENCIL] = {D3D11_BIND_DEPTH_STENCIL,    D3D11_FORMAT_SUPPORT_DEPTH_STENCIL                                                                        },
    [AEROGPU_EXT_VIEW_UNORDERED_ACCESS] = {D3D11_BIND_UNORDERED_ACCESS,
                                          D3D11_FORMAT_SUPPORT_TYPED_UNORDERED_ACCESS_VIEW                                                                                       },
};

static UINT support_of(const struct rt_resource *resource, UINT format)
{
    return rt_device_format_support(resource->object.device, format);
}

/* The offset and count of a range, the count of which may be ~0 for the rest; false if it is not inside. */
static bool complete_range(uint32_t first, uint32_t *count, UINT size)
{
    if (first >= size)
        return false;
    if (*count == AEROGPU_EXT_ALL)
        *count = size - first;
    return *count > 0 && *count <= size - first;
}

/* ---- Buffers ------------------------------------------------------------------------------------------- */

static UINT element_bytes(const struct rt_resource *buffer, const struct umd_view_desc *shape)
{
    if (shape->flags & AEROGPU_EXT_VIEW_FLAG_RAW)
        return WORD_BYTES;
    return shape->format ? rt_format_block_bytes((DXGI_FORMAT)shape->format) : buffer->structure_stride;
}

static bool is_buffer_format_allowed(const struct rt_resource *buffer, const struct umd_view_desc *shape)
{
    const bool is_structured = (buffer->misc_flags & D3D11_RESOURCE_MISC_BUFFER_STRUCTURED) != 0;
    const UINT counters = AEROGPU_EXT_VIEW_FLAG_APPEND | AEROGPU_EXT_VIEW_FLAG_COUNTER;
    if (shape->flags & AEROGPU_EXT_VIEW_FLAG_RAW)
        return shape->format == DXGI_FORMAT_R32_TYPELESS && !(shape->flags & counters) &&
               (buffer->misc_flags & D3D11_RESOURCE_MISC_BUFFER_ALLOW_RAW_VIEWS) &&
               shape->first_element * (UINT64)WORD_BYTES % RAW_ALIGNMENT_BYTES == 0;
    if (is_structured && shape->kind != AEROGPU_EXT_VIEW_RENDER_TARGET)
        return shape->format == DXGI_FORMAT_UNKNOWN && (shape->flags & counters) != counters;
    return shape->format != DXGI_FORMAT_UNKNOWN && !(shape->flags & counters) &&
           (support_of(buffer, shape->format) & D3D11_FORMAT_SUPPORT_BUFFER) &&
           (shape->kind == AEROGPU_EXT_VIEW_SHADER_RESOURCE ||
            (support_of(buffer, shape->format) & kinds[shape->kind].support));
}

static HRESULT complete_buffer(const struct rt_resource *buffer, struct umd_view_desc *shape, bool is_whole)
{
    UINT bytes;
    if (is_whole)
        shape->element_count = AEROGPU_EXT_ALL;
    if (!is_buffer_format_allowed(buffer, shape))
        return E_INVALIDARG;
    bytes = element_bytes(buffer, shape);
    if (bytes == 0 || !complete_range(shape->first_element, &shape->element_count, buffer->width / bytes))
        return E_INVALIDARG;
    if (shape->kind == AEROGPU_EXT_VIEW_RENDER_TARGET && shape->element_count > MOST_TARGET_ELEMENTS)
        return E_INVALIDARG;
    return S_OK;
}

/* ---- Textures ------------------------------------------------------------------------------------------ */

/* The dimension of a view of all of a texture. */
static uint32_t whole_dimension(const struct rt_resource *texture, uint32_t kind)
{
    const bool is_array = texture->layers > 1;
    switch (texture->dimension) {
    case D3D11_RESOURCE_DIMENSION_TEXTURE1D:
        return is_array ? AEROGPU_EXT_DIMENSION_TEXTURE1DARRAY : AEROGPU_EXT_DIMENSION_TEXTURE1D;
    case D3D11_RESOURCE_DIMENSION_TEXTURE3D:
        return AEROGPU_EXT_DIMENSION_TEXTURE3D;
    default:
        break;
    }
    if (kind == AEROGPU_EXT_VIEW_SHADER_RESOURCE && (texture->misc_flags & D3D11_RESOURCE_MISC_TEXTURECUBE))
        return texture->layers < 2 * RT_CUBE_FACES ? AEROGPU_EXT_DIMENSION_TEXTURECUBE
                                                   : AEROGPU_EXT_DIMENSION_TEXTURECUBEARRAY;
    if (texture->samples.Count > 1)
        return is_array ? AEROGPU_EXT_DIMENSION_TEXTURE2DMSARRAY : AEROGPU_EXT_DIMENSION_TEXTURE2DMS;
    return is_array ? AEROGPU_EXT_DIMENSION_TEXTURE2DARRAY : AEROGPU_EXT_DIMENSION_TEXTURE2D;
}

static bool is_texture_format_allowed(const struct rt_resource *texture, const struct umd_view_desc *shape)
{
    const DXGI_FORMAT format = (DXGI_FORMAT)shape->format;
    const bool is_output =
        shape->kind == AEROGPU_EXT_VIEW_RENDER_TARGET || shape->kind == AEROGPU_EXT_VIEW_UNORDERED_ACCESS;
    /* Targets in back buffers may have another format of its family, as sRGB, and so may those in textures
     * whose own format has no targets. Buffers behind the first are read only. */
    const bool is_cast = (texture->usage_of_dxgi & DXGI_USAGE_BACK_BUFFER) != 0 ||
                         !(support_of(texture, texture->format) & D3D11_FORMAT_SUPPORT_RENDER_TARGET);
    if (is_output && (texture->usage_of_dxgi & DXGI_USAGE_READ_ONLY))
        return false;
    if (is_cast && shape->kind == AEROGPU_EXT_VIEW_RENDER_TARGET
            ? rt_format(format)->family != rt_format(texture->format)->family
            : !rt_format_views_as(texture->format, format))
        return false;
    if (rt_format_has(format, RT_FORMAT_TYPELESS))
        return false;
    if (shape->kind != AEROGPU_EXT_VIEW_SHADER_RESOURCE)
        return (support_of(texture, shape->format) & kinds[shape->kind].support) != 0;
    return rt_format_is_plane(format) || (!rt_format_has(format, RT_FORMAT_DEPTH) &&
                                          (support_of(texture, shape->format) & kinds[shape->kind].support));
}

static bool complete_layers(const struct rt_resource *texture, struct umd_view_desc *shape, UINT what)
{
    UINT layers = texture->layers;
    if (texture->dimension == D3D11_RESOURCE_DIMENSION_TEXTURE3D) {
        if (shape->kind == AEROGPU_EXT_VIEW_SHADER_RESOURCE) {
            shape->base_array_layer = 0;
            shape->array_layer_count = 1;
            return true;
        }
        return complete_range(shape->base_array_layer, &shape->array_layer_count,
                              rt_mip_size(texture->depth, shape->base_mip_level));
    }
    if (!(what & ARRAY)) {
        shape->base_array_layer = 0;
        shape->array_layer_count = what & CUBE ? RT_CUBE_FACES : 1;
    } else if ((what & CUBE) && shape->array_layer_count == AEROGPU_EXT_ALL) {
        if (shape->base_array_layer >= layers)
            return false;
        shape->array_layer_count = (layers - shape->base_array_layer) / RT_CUBE_FACES * RT_CUBE_FACES;
    }
    return complete_range(shape->base_array_layer, &shape->array_layer_count, layers);
}

static HRESULT complete_texture(const struct rt_resource *texture, struct umd_view_desc *shape, bool is_whole)
{
    const UINT what = dimensions[shape->dimension].what;
    if (is_whole) {
        shape->mip_level_count = AEROGPU_EXT_ALL;
        shape->array_layer_count = AEROGPU_EXT_ALL;
    }
    if (!shape->format)
        shape->format = texture->format;
    if (!is_texture_format_allowed(texture, shape))
        return E_INVALIDARG;
    if (texture->dimension == D3D11_RESOURCE_DIMENSION_TEXTURE2D && texture->samples.Count > 1 &&
        !(what & SAMPLES))
        return E_INVALIDARG;
    if ((what & CUBE) && !(texture->misc_flags & D3D11_RESOURCE_MISC_TEXTURECUBE))
        return E_INVALIDARG;
    if (what & SAMPLES)
        shape->base_mip_level = 0;
    if ((what & SAMPLES) || shape->kind != AEROGPU_EXT_VIEW_SHADER_RESOURCE)
        shape->mip_level_count = 1;
    if (!complete_range(shape->base_mip_level, &shape->mip_level_count, texture->mips) ||
        !complete_layers(texture, shape, what))
        return E_INVALIDARG;
    return S_OK;
}

HRESULT rt_view_complete(const struct rt_resource *resource, struct umd_view_desc *shape)
{
    const bool is_buffer = resource->dimension == D3D11_RESOURCE_DIMENSION_BUFFER;
    const bool is_whole = shape->dimension == 0;
    if (!(resource->bind_flags & kinds[shape->kind].bind))
        return E_INVALIDARG;
    if (is_whole)
        shape->dimension =
            is_buffer ? (uint32_t)AEROGPU_EXT_DIMENSION_BUFFER : whole_dimension(resource, shape->kind);
    if (shape->dimension >= sizeof(dimensions) / sizeof(dimensions[0]) ||
        dimensions[shape->dimension].resource != (uint8_t)resource->dimension ||
        !(dimensions[shape->dimension].kinds & 1u << shape->kind))
        return E_INVALIDARG;
    return is_buffer ? complete_buffer(resource, shape, is_whole)
                     : complete_texture(resource, shape, is_whole);
}
