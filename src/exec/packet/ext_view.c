/* SPDX-License-Identifier: MIT
 *
 * The extension's views: CreateShaderResourceView, CreateRenderTargetView, CreateDepthStencilView and
 * CreateUnorderedAccessView in one packet.
 */
#include <assert.h>
#include <inttypes.h>

#include "aerogpu/abi/ext.h"
#include "aerogpu/diag.h"
#include "aerogpu/stream.h"
#include "base/bytes.h"
#include "exec/blit/texels.h"
#include "exec/host/host.h"
#include "exec/host/refused_handle.h"
#include "exec/host/report.h"
#include "exec/object/buffer.h"
#include "exec/object/handle.h"
#include "exec/object/resource.h"
#include "exec/object/texture.h"
#include "exec/object/texture_cast.h"
#include "exec/object/texture_desc.h"
#include "exec/object/view.h"
#include "exec/packet/execution.h"
#include "exec/packet/handlers.h"
#include "exec/transfer/generate_mips.h"
#include "format/format.h"
#include "gpu/webgpu.h"

#define KIND_BIT(kind) (1u << AEROGPU_EXT_VIEW_##kind)
#define RAW_ALIGNMENT_WORDS 4 /* D3D11_RAW_UAV_SRV_BYTE_ALIGNMENT */

typedef const struct aerogpu_cmd_ext_create_view wire_view;

/* The resources and kinds of view that a view dimension allows. */
struct dimension_row {
    uint8_t kinds; /* the kinds of view that may have the dimension */
    bool buffer, array, multisampled, cube;
    enum ag_texture_dimension texture;
};

#define SRV KIND_BIT(SHADER_RESOURCE)
#define RTV KIND_BIT(RENDER_TARGET)
#define DSV KIND_BIT(DEPTH_STENCIL)
#define UAV KIND_BIT(UNORDERED_ACCESS)

/* clang-format off */
static const struct dimension_row dimensions[] = {
    [AEROGPU_EXT_DIMENSION_BUFFER] = {.kinds = SRV | RTV | UAV, .buffer = true},
    [AEROGPU_EXT_DIMENSION_TEXTURE1D] = {.kinds = SRV | RTV | DSV | UAV, .texture = AG_TEXTURE_1D},
    [AEROGPU_EXT_DIMENSION_TEXTURE1DARRAY] = {.kinds = SRV | RTV | DSV | UAV, .array = true, .texture = AG_TEXTURE_1D},
    [AEROGPU_EXT_DIMENSION_TEXTURE2D] = {.kinds = SRV | RTV | DSV | UAV, .texture = AG_TEXTURE_2D},
    [AEROGPU_EXT_DIMENSION_TEXTURE2DARRAY] = {.kinds = SRV | RTV | DSV | UAV, .array = true, .texture = AG_TEXTURE_2D},
    [AEROGPU_EXT_DIMENSION_TEXTURE2DMS] = {.kinds = SRV | RTV | DSV, .multisampled = true, .texture = AG_TEXTURE_2D},
    [AEROGPU_EXT_DIMENSION_TEXTURE2DMSARRAY] = {.kinds = SRV | RTV | DSV, .array = true, .multisampled = true, .texture = AG_TEXTURE_2D},
    [AEROGPU_EXT_DIMENSION_TEXTURE3D] = {.kinds = SRV | RTV | UAV, .texture = AG_TEXTURE_3D},
    [AEROGPU_EXT_DIMENSION_TEXTURECUBE] = {.kinds = SRV, .cube = true, .texture = AG_TEXTURE_2D},
    [AEROGPU_EXT_DIMENSION_TEXTURECUBEARRAY] = {.kinds = SRV, .array = true, .cube = true, .texture = AG_TEXTURE_2D},
};

/* clang-format on */

static const uint32_t bind_flags[] = {
    [AEROGPU_EXT_VIEW_SHADER_RESOURCE] = AEROGPU_EXT_BIND_SHADER_RESOURCE,
    [AEROGPU_EXT_VIEW_RENDER_TARGET] = AEROGPU_EXT_BIND_RENDER_TARGET,
    [AEROGPU_EXT_VIEW_DEPTH_STENCIL] = AEROGPU_EXT_BIND_DEPTH_STENCIL,
    [AEROGPU_EXT_VIEW_UNORDERED_ACCESS] = AEROGPU_EXT_BIND_UNORDERED_ACCESS,
};

static enum agpu_status refuse(struct ag_execution *execution, const char *what)
{
    return ag_host_fail(execution->host, AGPU_DIAG_EXEC_ARGUMENT, "%s", what);
}

/* ---- Kinds and dimensions ----------------------------------------------------------------------------- */

/* The resource of a view to be; null after a report. */
static struct ag_resource *check_handles(struct ag_execution *execution, wire_view *wire)
{
    struct ag_buffer *buffer = ag_handle_buffer(execution->objects, wire->resource_handle);
    struct ag_texture *texture = ag_handle_texture(execution->objects, wire->resource_handle);
    if (wire->view_handle == 0 || ag_handle_find(execution->objects, wire->view_handle)) {
        ag_host_malformed(execution->host, AGPU_DIAG_EXEC_HANDLE, "handle %" PRIu32 " %s", wire->view_handle,
                          wire->view_handle ? "is taken" : "cannot name an object");
        return NULL;
    }
    if (!buffer && !texture) {
        ag_host_malformed(execution->host, AGPU_DIAG_EXEC_HANDLE,
                          "handle %" PRIu32 " names no buffer or texture", wire->resource_handle);
        return NULL;
    }
    return buffer ? &buffer->resource : &texture->resource;
}

static enum agpu_status check_kind(struct ag_execution *execution, wire_view *wire,
                                   const struct ag_resource *resource)
{
    if (wire->kind >= AG_COUNT_OF(bind_flags))
        return ag_host_malformed(execution->host, AGPU_DIAG_EXEC_ARGUMENT, "unknown kind of view %" PRIu32,
                                 wire->kind);
    if (wire->dimension >= AG_COUNT_OF(dimensions) || !(dimensions[wire->dimension].kinds >> wire->kind & 1))
        return ag_host_fail(execution->host, AGPU_DIAG_EXEC_ARGUMENT, "a %s view has no dimension %" PRIu32,
                            ag_view_kind_name(wire->kind), wire->dimension);
    if (!(resource->bind & bind_flags[wire->kind]))
        return ag_host_fail(execution->host, AGPU_DIAG_EXEC_ARGUMENT,
                            "resource %" PRIu32 " has no %s views by its bind flags", wire->resource_handle,
                            ag_view_kind_name(wire->kind));
    if (dimensions[wire->dimension].buffer != (resource->kind == AG_RESOURCE_BUFFER))
        return refuse(execution, "the view's dimension is not that of its resource");
    return AGPU_OK;
}

static enum agpu_status check_flags(struct ag_execution *execution, wire_view *wire)
{
    static const uint32_t allowed[] = {
        [AEROGPU_EXT_VIEW_SHADER_RESOURCE] = AEROGPU_EXT_VIEW_FLAG_RAW,
        [AEROGPU_EXT_VIEW_RENDER_TARGET] = 0,
        [AEROGPU_EXT_VIEW_DEPTH_STENCIL] =
            AEROGPU_EXT_VIEW_FLAG_READ_ONLY_DEPTH | AEROGPU_EXT_VIEW_FLAG_READ_ONLY_STENCIL,
        [AEROGPU_EXT_VIEW_UNORDERED_ACCESS] =
            AEROGPU_EXT_VIEW_FLAG_RAW | AEROGPU_EXT_VIEW_FLAG_APPEND | AEROGPU_EXT_VIEW_FLAG_COUNTER,
    };
    uint32_t of_buffers =
        AEROGPU_EXT_VIEW_FLAG_RAW | AEROGPU_EXT_VIEW_FLAG_APPEND | AEROGPU_EXT_VIEW_FLAG_COUNTER;
    if (wire->flags & ~allowed[wire->kind] ||
        (wire->flags & of_buffers && !dimensions[wire->dimension].buffer))
        return ag_host_fail(execution->host, AGPU_DIAG_EXEC_ARGUMENT, "a %s view has no flags 0x%" PRIx32,
                            ag_view_kind_name(wire->kind), wire->flags);
    return AGPU_OK;
}

/* ---- Buffers ------------------------------------------------------------------------------------------ */

static enum agpu_status resolve_elements(struct ag_execution *execution, wire_view *wire,
                                         const struct ag_buffer *buffer, struct ag_buffer_view *view)
{
    struct ag_format_name name;
    const bool raw = (wire->flags & AEROGPU_EXT_VIEW_FLAG_RAW) != 0;
    const bool counts = (wire->flags & (AEROGPU_EXT_VIEW_FLAG_APPEND | AEROGPU_EXT_VIEW_FLAG_COUNTER)) != 0;
    const uint32_t dxgi = ag_host_format_from_abi(wire->format);
    const struct ag_host_format *format = ag_host_format(dxgi);
    if (counts && !buffer->stride)
        return refuse(execution, "only structured buffers have append and counter views");
    if (wire->flags & AEROGPU_EXT_VIEW_FLAG_APPEND && wire->flags & AEROGPU_EXT_VIEW_FLAG_COUNTER)
        return refuse(execution, "a view has either APPEND or COUNTER");
    if (raw) {
        if (dxgi != AG_DXGI_R32_TYPELESS || wire->first_element % RAW_ALIGNMENT_WORDS != 0 ||
            (buffer->resource.bind != AG_BIND_ANY &&
             !(buffer->resource.misc & AEROGPU_EXT_MISC_BUFFER_ALLOW_RAW_VIEWS)))
            return refuse(
                execution,
                "a raw view is R32_TYPELESS, begins at a multiple of 16 bytes, and its buffer allows it");
        view->stride = 4;
    } else if (buffer->stride) {
        if (wire->format != 0)
            return refuse(execution, "a view of a structured buffer has no format");
        view->stride = buffer->stride;
    } else {
        if (!format || !format->vertex_bytes || format->class == AG_CLASS_TYPELESS)
            return ag_host_fail(execution->host, AGPU_DIAG_EXEC_FORMAT, "a buffer cannot be seen as %s",
                                ag_format_name_of_abi(wire->format, &name));
        view->dxgi = dxgi;
        view->format = format;
        view->stride = format->bytes;
    }
    return AGPU_OK;
}

static enum agpu_status resolve_buffer(struct ag_execution *execution, wire_view *wire,
                                       struct ag_buffer *buffer, struct ag_buffer_view *view)
{
    *view = (struct ag_buffer_view){.buffer = buffer, .flags = wire->flags};
    if (wire->kind == AEROGPU_EXT_VIEW_RENDER_TARGET)
        return ag_host_fail(execution->host, AGPU_DIAG_EXEC_UNSUPPORTED,
                            "buffers as render targets are not supported");
    enum agpu_status status = resolve_elements(execution, wire, buffer, view);
    if (status != AGPU_OK)
        return status;
    assert(view->stride > 0);
    const uint64_t elements = buffer->size / view->stride;
    view->first = wire->first_element;
    view->count = wire->element_count;
    if (view->count == AEROGPU_EXT_ALL && view->first < elements)
        view->count = (uint32_t)(elements - view->first);
    if (view->count == 0 || !ag_range_fits(view->first, view->count, elements))
        return ag_host_fail(execution->host, AGPU_DIAG_EXEC_RANGE,
                            "elements %" PRIu32 " + %" PRIu32 " are not inside a buffer of %" PRIu64,
                            wire->first_element, wire->element_count, elements);
    view->offset = (uint64_t)view->first * view->stride;
    view->size = (uint64_t)view->count * view->stride;
    return AGPU_OK;
}

/* ---- Formats of textures ------------------------------------------------------------------------------ */

static bool is_own_format(const struct ag_texture *texture, uint32_t dxgi)
{
    const struct ag_host_format *host = ag_host_format(texture->host_dxgi);
    return dxgi == texture->host_dxgi || (host->srgb_counterpart && host->srgb_counterpart == dxgi);
}

static enum agpu_status no_such_view(struct ag_execution *execution, wire_view *wire,
                                     const struct ag_texture *texture)
{
    struct ag_format_name name;
    const struct ag_host_format *declared = ag_host_format(texture->dxgi);
    return ag_host_fail(execution->host, AGPU_DIAG_EXEC_FORMAT, "a %s texture has no %s view of %s",
                        declared->name, ag_view_kind_name(wire->kind),
                        ag_format_name_of_abi(wire->format, &name));
}

/* The host's format for a plane of a depth texture that a shader resource view in this format shows. 0
 * when the format shows none. */
static uint32_t plane_seen(const struct ag_texture *texture, uint32_t dxgi)
{
    uint32_t seen = ag_host_format_has(texture->format, AG_FORMAT_DEPTH) ? ag_format_depth_seen(dxgi) : 0;
    return seen && ag_format_typeless(dxgi) == ag_format_typeless(texture->dxgi) ? seen : 0;
}

static bool fits_kind(wire_view *wire, const struct ag_texture_view *view)
{
    const bool depth = ag_host_format_has(view->format, AG_FORMAT_DEPTH);
    if (wire->kind == AEROGPU_EXT_VIEW_RENDER_TARGET)
        return ag_host_format_has(view->format, AG_FORMAT_RENDERABLE) && !depth;
    if (wire->kind == AEROGPU_EXT_VIEW_DEPTH_STENCIL)
        return ag_host_format_has(view->format, AG_FORMAT_RENDERABLE) && depth &&
               (ag_host_format_has(view->format, AG_FORMAT_STENCIL) ||
                !(wire->flags & AEROGPU_EXT_VIEW_FLAG_READ_ONLY_STENCIL));
    return wire->kind == AEROGPU_EXT_VIEW_SHADER_RESOURCE || ag_texels_can(view->format);
}

/* Whether the view decides the format of a typeless multisampled texture. WebGPU does not view
 * multisampled textures in other formats, so that the first view decides (X42). */
static bool can_retype(const struct ag_texture *texture, uint32_t dxgi)
{
    return texture->sample_count > 1 && texture->version == 1 && !texture->resource.views &&
           ag_format_typeless(texture->dxgi) == texture->dxgi && ag_format_typeless(dxgi) == texture->dxgi &&
           texture->format->class != AG_CLASS_DEPTH &&
           ag_host_format_has(ag_host_format(dxgi), AG_FORMAT_RENDERABLE);
}

/* A typeless texture can be viewed in the formats of its family, a typed texture in its own format and in
 * the format that differs only in sRGB (A14). */
static enum agpu_status resolve_format(struct ag_execution *execution, wire_view *wire,
                                       struct ag_texture *texture, struct ag_texture_view *view)
{
    uint32_t dxgi = wire->format ? ag_host_format_from_abi(wire->format) : texture->dxgi;
    const struct ag_host_format *format = ag_host_format(dxgi);
    const bool typeless = ag_format_typeless(dxgi) == dxgi;
    if (!format || typeless || format->texture == WGPUTextureFormat_Undefined)
        return no_such_view(execution, wire, texture);
    uint32_t seen = wire->kind == AEROGPU_EXT_VIEW_SHADER_RESOURCE ? plane_seen(texture, dxgi) : 0;
    if (seen && texture->sample_count > 1 && !ag_host_format_has(ag_host_format(seen), AG_FORMAT_DEPTH))
        return ag_host_fail(execution->host, AGPU_DIAG_EXEC_UNSUPPORTED,
                            "shaders that read the stencil of several samples are not supported");
    enum agpu_status status = AGPU_OK;
    const uint32_t rendered = ag_host_rendered(execution->host, dxgi);
    if (rendered != dxgi && texture->dxgi == dxgi &&
        (wire->kind == AEROGPU_EXT_VIEW_RENDER_TARGET || texture->sample_count > 1)) {
        status = ag_view_init_rendered(execution->objects, view, texture, dxgi);
    } else if (seen || is_own_format(texture, dxgi)) {
        ag_view_init(view, texture, seen ? seen : dxgi);
    } else if (ag_texture_can_cast(texture, dxgi)) {
        ag_view_init(view, texture, dxgi);
        status = ag_texture_cast(execution->objects, texture, dxgi, &view->cast);
    } else if (can_retype(texture, dxgi)) {
        status = ag_texture_retype(execution->objects, texture, dxgi);
        ag_view_init(view, texture, dxgi);
    } else {
        return no_such_view(execution, wire, texture);
    }
    if (status == AGPU_REFUSED)
        return ag_host_fail(execution->host, AGPU_DIAG_EXEC_MEMORY,
                            "a view as %s needs a copy of the texture, which exceeds the budget of GPU "
                            "memory",
                            format->name);
    if (status != AGPU_OK)
        return status;
    if (!fits_kind(wire, view))
        return no_such_view(execution, wire, texture);
    return AGPU_OK;
}

/* ---- Ranges of textures ------------------------------------------------------------------------------- */

static enum agpu_status check_dimension(struct ag_execution *execution, wire_view *wire,
                                        const struct ag_texture *texture)
{
    const struct dimension_row *row = &dimensions[wire->dimension];
    if (row->texture != texture->dimension || (texture->sample_count > 1 && !row->multisampled))
        return refuse(execution, "the view's dimension is not that of its texture");
    if (row->cube && texture->resource.bind != AG_BIND_ANY &&
        !(texture->resource.misc & AEROGPU_EXT_MISC_TEXTURECUBE))
        return refuse(execution, "a cube view needs a texture with TEXTURECUBE");
    return AGPU_OK;
}

/* Checks the range [base, base + count) against `total`. A count of AEROGPU_EXT_ALL becomes the rest. */
static bool resolve_range(uint32_t base, uint32_t *count, uint32_t total)
{
    if (*count == AEROGPU_EXT_ALL && base < total)
        *count = total - base;
    return *count != 0 && ag_range_fits(base, *count, total);
}

static bool resolve_mips(wire_view *wire, const struct ag_texture *texture, struct ag_texture_view *view)
{
    if (dimensions[wire->dimension].multisampled) { /* level 0, also of a texture with one sample and mips */
        view->mip_count = 1;
        return true;
    }
    const bool one = wire->kind != AEROGPU_EXT_VIEW_SHADER_RESOURCE;
    view->base_mip = wire->base_mip_level;
    view->mip_count = wire->mip_level_count;
    if (one && wire->mip_level_count != 1 && wire->mip_level_count != AEROGPU_EXT_ALL)
        return false;
    if (one)
        view->mip_count = 1;
    return resolve_range(view->base_mip, &view->mip_count, texture->mips);
}

static bool resolve_layers(wire_view *wire, const struct ag_texture *texture, struct ag_texture_view *view)
{
    const struct dimension_row *row = &dimensions[wire->dimension];
    const bool shader = wire->kind == AEROGPU_EXT_VIEW_SHADER_RESOURCE;
    const bool ranged = row->array || (row->texture == AG_TEXTURE_3D && !shader);
    const uint32_t slices = ag_texture_slices(texture, view->base_mip);
    const uint32_t given = wire->array_layer_count;
    if (!ranged) {
        uint32_t only = row->cube ? 6 : 1;
        view->base_layer = 0;
        view->layer_count = row->texture == AG_TEXTURE_3D ? slices : only;
        return wire->base_array_layer == 0 && (given == 0 || given == only || given == AEROGPU_EXT_ALL) &&
               view->layer_count <= slices;
    }
    view->base_layer = wire->base_array_layer;
    view->layer_count = given;
    if (row->cube && given == AEROGPU_EXT_ALL && view->base_layer < slices)
        view->layer_count = (slices - view->base_layer) / 6 * 6;
    return resolve_range(view->base_layer, &view->layer_count, slices) &&
           (!row->cube || view->layer_count % 6 == 0);
}

static enum agpu_status resolve_texture(struct ag_execution *execution, wire_view *wire,
                                        struct ag_texture *texture, struct ag_texture_view *view)
{
    enum agpu_status status = check_dimension(execution, wire, texture);
    if (status == AGPU_OK)
        status = resolve_format(execution, wire, texture, view);
    if (status != AGPU_OK)
        return status;
    view->dimension = (uint8_t)wire->dimension;
    view->flags = (uint8_t)wire->flags;
    view->all_layers = true;
    if (resolve_mips(wire, texture, view) && resolve_layers(wire, texture, view))
        return AGPU_OK;
    return ag_host_fail(execution->host, AGPU_DIAG_EXEC_RANGE,
                        "mips %" PRIu32 " + %" PRIu32 " and slices %" PRIu32 " + %" PRIu32
                        " are no range for a %s view of a texture of %" PRIu32 " mips and %" PRIu32 " slices",
                        wire->base_mip_level, wire->mip_level_count, wire->base_array_layer,
                        wire->array_layer_count, ag_view_kind_name(wire->kind), texture->mips,
                        ag_texture_slices(texture, 0));
}

/* ---- Packets ------------------------------------------------------------------------------------------ */

enum agpu_status ag_on_ext_create_view(struct ag_execution *execution, const struct agpu_packet *packet)
{
    wire_view *wire = AGPU_PACKET(packet, ext_create_view);
    struct ag_texture_view texture_view = {0};
    struct ag_buffer_view buffer_view = {0};
    struct ag_resource *resource = check_handles(execution, wire);
    if (!resource)
        return AGPU_REFUSED;
    enum agpu_status status = check_kind(execution, wire, resource);
    if (status == AGPU_OK)
        status = check_flags(execution, wire);
    if (status != AGPU_OK)
        return status;
    if (resource->kind == AG_RESOURCE_BUFFER)
        status = resolve_buffer(execution, wire, (struct ag_buffer *)resource, &buffer_view);
    else
        status = resolve_texture(execution, wire, (struct ag_texture *)resource, &texture_view);
    if (status != AGPU_OK)
        return status;
    struct ag_view *view = ag_view_create(execution->objects, wire->view_handle, resource, &status);
    if (!view)
        return status;
    view->kind = wire->kind;
    view->texture = texture_view;
    view->texture.handle = wire->view_handle;
    view->buffer = buffer_view;
    return AGPU_OK;
}

enum agpu_status ag_on_ext_destroy_view(struct ag_execution *execution, const struct agpu_packet *packet)
{
    execution->progress.more = ag_handle_destroy_view_part(
        execution->objects, AGPU_PACKET(packet, ext_destroy_view)->view_handle, &execution->progress.done);
    return AGPU_OK;
}

enum agpu_status ag_on_ext_generate_mips(struct ag_execution *execution, const struct agpu_packet *packet)
{
    const uint32_t handle = AGPU_PACKET(packet, ext_generate_mips)->view_handle;
    struct ag_view *view = ag_handle_any_view(execution->objects, handle);
    if (!view || view->kind != AEROGPU_EXT_VIEW_SHADER_RESOURCE ||
        view->resource->kind != AG_RESOURCE_TEXTURE)
        return ag_host_drop_handle(execution->host, AG_SPACE_RESOURCES, handle,
                                   "handle %" PRIu32 " names no shader resource view of a texture", handle);
    return ag_generate_mips(execution->copier, &view->texture, &execution->progress);
}
