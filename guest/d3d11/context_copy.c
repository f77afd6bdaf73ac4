/* SPDX-License-Identifier: MIT
 *
 * Copies, updates, resolves, and what is done to whole resources.
 */
#include "guest/d3d11/context.h"
#include "guest/d3d11/format.h"
#include "guest/d3d11/view.h"

/* The size of a subresource in texels, or bytes of a buffer. */
static void subresource_size(const struct rt_resource *resource, UINT subresource, UINT *width, UINT *height,
                             UINT *depth)
{
    const UINT mip = subresource % resource->mips;
    *width = rt_mip_size(resource->width, mip);
    *height = rt_mip_size(resource->height, mip);
    *depth = rt_mip_size(resource->depth, mip);
}

static bool is_box_empty(const D3D11_BOX *box)
{
    return box->left >= box->right || box->top >= box->bottom || box->front >= box->back;
}

static UINT round_up(UINT value, UINT unit)
{
    return (value + unit - 1) / unit * unit;
}

/* Inside the subresource, in whole blocks; the last block of a small mip may reach beyond its edge. */
static bool is_box_inside(const struct rt_resource *resource, UINT subresource, const D3D11_BOX *box)
{
    const UINT across = rt_format_block_width(resource->format),
               down = rt_format_block_height(resource->format);
    UINT width, height, depth;
    subresource_size(resource, subresource, &width, &height, &depth);
    if (box->right > round_up(width, across) || box->bottom > round_up(height, down) || box->back > depth)
        return false;
    return box->left % across == 0 && box->top % down == 0 &&
           (box->right % across == 0 || box->right == width) &&
           (box->bottom % down == 0 || box->bottom == height);
}

static const struct aerogpu_ext_box *packet_box(const D3D11_BOX *box, struct aerogpu_ext_box *made)
{
    if (!box)
        return NULL;
    *made = (struct aerogpu_ext_box){box->left, box->top, box->front, box->right, box->bottom, box->back};
    return made;
}

/* Families whose texels are as large as compressed blocks. */
static bool is_copied_with_blocks(DXGI_FORMAT family)
{
    return family == DXGI_FORMAT_R32G32B32A32_TYPELESS || family == DXGI_FORMAT_R16G16B16A16_TYPELESS ||
           family == DXGI_FORMAT_R32G32_TYPELESS;
}

/* Depth that is drawn to is written by copies from feature level 10_1 on, below by those of depth alone. */
static bool is_depth_written(const struct rt_resource *to, const struct rt_resource *from)
{
    return to->object.device->level >= D3D_FEATURE_LEVEL_10_1 ||
           !(to->bind_flags & D3D11_BIND_DEPTH_STENCIL) || (from->bind_flags & D3D11_BIND_DEPTH_STENCIL);
}

/* Copies are between formats of one family, and from feature level 10_1 on between blocks and texels of their
 * size, and from shared exponents to 32 bits. */
static bool are_formats_copied(const struct rt_resource *to, const struct rt_resource *from)
{
    const DXGI_FORMAT family = rt_format(to->format)->family, other = rt_format(from->format)->family;
    const UINT across = rt_format_block_height(to->format),
               from_across = rt_format_block_height(from->format);
    if (to->dimension == D3D11_RESOURCE_DIMENSION_BUFFER || family == other)
        return is_depth_written(to, from);
    if (to->object.device->level < D3D_FEATURE_LEVEL_10_1)
        return false;
    if (across == from_across)
        return from->format == DXGI_FORMAT_R9G9B9E5_SHAREDEXP && family == DXGI_FORMAT_R32_TYPELESS;
    return rt_format_block_bytes(to->format) == rt_format_block_bytes(from->format) &&
           is_copied_with_blocks(across == 1 ? family : other);
}

static bool is_destination(const struct rt_resource *resource)
{
    return resource && resource->usage != D3D11_USAGE_IMMUTABLE;
}

static bool is_mapped(const struct rt_resource *resource, UINT subresource)
{
    return resource->mapped && resource->mapped[subresource];
}

/* ---- CopyResource -------------------------------------------------------------------------------------- */

static UINT blocks(UINT size, UINT mip, UINT block)
{
    return round_up(rt_mip_size(size, mip), block) / block;
}

/* Texels are as good as blocks of their size, if all mips have as many. */
static bool are_sizes_alike(const struct rt_resource *a, const struct rt_resource *b)
{
    const UINT a_across = rt_format_block_width(a->format), a_down = rt_format_block_height(a->format);
    const UINT b_across = rt_format_block_width(b->format), b_down = rt_format_block_height(b->format);
    if (a->depth != b->depth)
        return false;
    if (a_across == b_across && a_down == b_down)
        return a->width == b->width && a->height == b->height;
    for (UINT mip = 0; mip < a->mips; mip++)
        if (blocks(a->width, mip, a_across) != blocks(b->width, mip, b_across) ||
            blocks(a->height, mip, a_down) != blocks(b->height, mip, b_down))
            return false;
    return true;
}

static bool are_alike(const struct rt_resource *a, const struct rt_resource *b)
{
    return a != b && a->dimension == b->dimension && a->mips == b->mips && a->layers == b->layers &&
           a->samples.Count == b->samples.Count && are_sizes_alike(a, b) && are_formats_copied(a, b);
}

void STDMETHODCALLTYPE rt_context_copy_resource(ID3D11DeviceContext4 *self, ID3D11Resource *to,
                                                ID3D11Resource *from)
{
    struct rt_context *context = rt_enter(self);
    struct rt_resource *destination = rt_own_resource(context, to), *source = rt_own_resource(context, from);
    if (is_destination(destination) && source && are_alike(destination, source)) {
        rt_context_use(context, &destination->object);
        rt_context_use(context, &source->object);
        umd_resource_copy(context->umd, destination->umd, source->umd);
    } else {
        rt_message(&context->object.device->messages, D3D11_MESSAGE_ID_COPYRESOURCE_INVALIDSOURCE);
    }
    rt_leave(context);
}

/* ---- CopySubresourceRegion ----------------------------------------------------------------------------- */

struct region {
    struct rt_resource *destination, *source;
    UINT to, from; /* subresources */
    UINT x, y, z;
    const D3D11_BOX *box;
};

/* Depth-stencil and multisampled textures are copied whole. */
static bool is_copied_whole(const struct rt_resource *resource)
{
    return resource->samples.Count > 1 || (resource->bind_flags & D3D11_BIND_DEPTH_STENCIL) ||
           rt_format_has(resource->format, RT_FORMAT_DEPTH);
}

/* Where the region ends in the destination, in its texels. */
static bool fits_destination(const struct region *r, const D3D11_BOX *box)
{
    const UINT across = rt_format_block_width(r->destination->format);
    const UINT down = rt_format_block_height(r->destination->format);
    const UINT from_across = rt_format_block_width(r->source->format);
    const UINT from_down = rt_format_block_height(r->source->format);
    const UINT64 width = (UINT64)(round_up(box->right - box->left, from_across) / from_across) * across;
    const UINT64 height = (UINT64)(round_up(box->bottom - box->top, from_down) / from_down) * down;
    UINT w, h, d;
    subresource_size(r->destination, r->to, &w, &h, &d);
    return r->x % across == 0 && r->y % down == 0 && r->x + width <= round_up(w, across) &&
           r->y + height <= round_up(h, down) && (UINT64)r->z + (box->back - box->front) <= d;
}

static bool is_region_allowed(const struct region *r)
{
    D3D11_BOX whole = {0, 0, 0, 0, 0, 0};
    if (!is_destination(r->destination) || !r->source ||
        (r->destination->dimension == D3D11_RESOURCE_DIMENSION_BUFFER) !=
            (r->source->dimension == D3D11_RESOURCE_DIMENSION_BUFFER) ||
        r->to >= rt_resource_subresources(r->destination) || r->from >= rt_resource_subresources(r->source) ||
        r->destination->samples.Count != r->source->samples.Count ||
        !are_formats_copied(r->destination, r->source))
        return false;
    if (is_mapped(r->destination, r->to) || is_mapped(r->source, r->from))
        return false;
    subresource_size(r->source, r->from, &whole.right, &whole.bottom, &whole.back);
    if ((is_copied_whole(r->destination) || is_copied_whole(r->source)) && (r->box || r->x || r->y || r->z)) {
        /* A box that is all of the subresource is the same as none. */
        if (r->x || r->y || r->z || r->box->left || r->box->top || r->box->front ||
            r->box->right != whole.right || r->box->bottom != whole.bottom || r->box->back != whole.back)
            return false;
    }
    if (r->box && (is_box_empty(r->box) || !is_box_inside(r->source, r->from, r->box)))
        return false;
    return fits_destination(r, r->box ? r->box : &whole);
}

static UINT lesser(UINT a, UINT b)
{
    return a < b ? a : b;
}

/* Without a box as much is copied as the destination has room for, whose last blocks count whole. */
static bool clip(const struct region *r, D3D11_BOX *box)
{
    UINT width, height, depth;
    if (r->box || !r->destination || !r->source || r->to >= rt_resource_subresources(r->destination) ||
        r->from >= rt_resource_subresources(r->source) ||
        rt_format_block_width(r->destination->format) != rt_format_block_width(r->source->format))
        return false;
    subresource_size(r->destination, r->to, &width, &height, &depth);
    width = round_up(width, rt_format_block_width(r->destination->format));
    height = round_up(height, rt_format_block_height(r->destination->format));
    if (r->x >= width || r->y >= height || r->z >= depth)
        return false;
    *box = (D3D11_BOX){0, 0, 0, 0, 0, 0};
    subresource_size(r->source, r->from, &box->right, &box->bottom, &box->back);
    if (box->right <= width - r->x && box->bottom <= height - r->y && box->back <= depth - r->z)
        return false;
    box->right = lesser(box->right, width - r->x);
    box->bottom = lesser(box->bottom, height - r->y);
    box->back = lesser(box->back, depth - r->z);
    return true;
}

static void copy_region(struct rt_context *context, struct region *region)
{
    struct aerogpu_ext_box box;
    D3D11_BOX clipped;
    if (clip(region, &clipped))
        region->box = &clipped;
    if (is_region_allowed(region)) {
        rt_context_use(context, &region->destination->object);
        rt_context_use(context, &region->source->object);
        umd_resource_copy_region(context->umd, region->destination->umd, region->to, region->x, region->y,
                                 region->z, region->source->umd, region->from, packet_box(region->box, &box));
    } else if (!region->box || !is_box_empty(region->box)) {
        rt_message(&context->object.device->messages,
                   D3D11_MESSAGE_ID_COPYSUBRESOURCEREGION_INVALIDSOURCEBOX);
    }
}

void STDMETHODCALLTYPE rt_context_copy_subresource_region(ID3D11DeviceContext4 *self, ID3D11Resource *to,
                                                          UINT to_subresource, UINT x, UINT y, UINT z,
                                                          ID3D11Resource *from, UINT from_subresource,
                                                          const D3D11_BOX *box)
{
    struct rt_context *context = rt_enter(self);
    struct region region = {.destination = rt_own_resource(context, to),
                            .source = rt_own_resource(context, from),
                            .to = to_subresource,
                            .from = from_subresource,
                            .x = x,
                            .y = y,
                            .z = z,
                            .box = box};
    copy_region(context, &region);
    rt_leave(context);
}

/* What the flags allow the driver makes no use of: an earlier content that nobody needs is kept. */
void STDMETHODCALLTYPE rt_context_copy_subresource_region1(ID3D11DeviceContext4 *self, ID3D11Resource *to,
                                                           UINT to_subresource, UINT x, UINT y, UINT z,
                                                           ID3D11Resource *from, UINT from_subresource,
                                                           const D3D11_BOX *box, UINT flags)
{
    const UINT both = D3D11_COPY_NO_OVERWRITE | D3D11_COPY_DISCARD;
    if ((flags & ~both) || (flags & both) == both)
        return;
    rt_context_copy_subresource_region(self, to, to_subresource, x, y, z, from, from_subresource, box);
}

/* ---- UpdateSubresource --------------------------------------------------------------------------------- */

static bool is_update_allowed(const struct rt_resource *resource, UINT subresource, const D3D11_BOX *box)
{
    if (!resource || resource->usage != D3D11_USAGE_DEFAULT || resource->samples.Count > 1 ||
        (resource->bind_flags & D3D11_BIND_DEPTH_STENCIL) ||
        subresource >= rt_resource_subresources(resource) || is_mapped(resource, subresource))
        return false;
    return !box || (!is_box_empty(box) && is_box_inside(resource, subresource, box));
}

static void update(ID3D11DeviceContext4 *self, ID3D11Resource *to, UINT subresource, const D3D11_BOX *box,
                   const void *data, UINT row_pitch, UINT depth_pitch, UINT flags)
{
    struct rt_context *context = rt_enter(self);
    struct rt_resource *resource = rt_own_resource(context, to);
    struct aerogpu_ext_box made;
    if (data && is_update_allowed(resource, subresource, box)) {
        rt_context_use(context, &resource->object);
        umd_resource_update_subresource(context->umd, resource->umd, subresource, packet_box(box, &made),
                                        data, row_pitch, depth_pitch, flags);
    } else if (!box || !is_box_empty(box)) {
        rt_message(&context->object.device->messages,
                   D3D11_MESSAGE_ID_UPDATESUBRESOURCE_INVALIDDESTINATIONBOX);
    }
    rt_leave(context);
}

void STDMETHODCALLTYPE rt_context_update_subresource(ID3D11DeviceContext4 *self, ID3D11Resource *to,
                                                     UINT subresource, const D3D11_BOX *box, const void *data,
                                                     UINT row_pitch, UINT depth_pitch)
{
    update(self, to, subresource, box, data, row_pitch, depth_pitch, 0);
}

void STDMETHODCALLTYPE rt_context_update_subresource1(ID3D11DeviceContext4 *self, ID3D11Resource *to,
                                                      UINT subresource, const D3D11_BOX *box,
                                                      const void *data, UINT row_pitch, UINT depth_pitch,
                                                      UINT flags)
{
    const UINT both = D3D11_COPY_NO_OVERWRITE | D3D11_COPY_DISCARD;
    UINT packet_flags = 0;
    if ((flags & ~both) || (flags & both) == both)
        return;
    if (flags & D3D11_COPY_DISCARD)
        packet_flags = AEROGPU_EXT_UPDATE_DISCARD;
    if (flags & D3D11_COPY_NO_OVERWRITE)
        packet_flags = AEROGPU_EXT_UPDATE_NO_OVERWRITE;
    update(self, to, subresource, box, data, row_pitch, depth_pitch, packet_flags);
}

/* ---- The rest ------------------------------------------------------------------------------------------ */

void STDMETHODCALLTYPE rt_context_copy_structure_count(ID3D11DeviceContext4 *self, ID3D11Buffer *to,
                                                       UINT offset, ID3D11UnorderedAccessView *from)
{
    struct rt_context *context = rt_enter(self);
    struct rt_resource *buffer = rt_own_resource(context, to);
    struct rt_view *view = rt_own_view(context, from);
    if (is_destination(buffer) && view && offset % 4 == 0 && buffer->width >= 4 &&
        offset <= buffer->width - 4 &&
        (view->shape.flags & (AEROGPU_EXT_VIEW_FLAG_APPEND | AEROGPU_EXT_VIEW_FLAG_COUNTER))) {
        rt_context_use(context, &buffer->object);
        rt_context_use(context, &view->object);
        umd_copy_structure_count(context->umd, buffer->umd, offset, view->umd);
    }
    rt_leave(context);
}

static bool is_resolve_allowed(const struct rt_resource *destination, UINT to,
                               const struct rt_resource *source, UINT from, DXGI_FORMAT format)
{
    return is_destination(destination) && source &&
           destination->dimension == D3D11_RESOURCE_DIMENSION_TEXTURE2D &&
           source->dimension == D3D11_RESOURCE_DIMENSION_TEXTURE2D && destination->samples.Count == 1 &&
           to < rt_resource_subresources(destination) && from < rt_resource_subresources(source) &&
           destination->usage == D3D11_USAGE_DEFAULT && !rt_format_has(format, RT_FORMAT_TYPELESS) &&
           rt_format_views_as(destination->format, format) && rt_format_views_as(source->format, format);
}

void STDMETHODCALLTYPE rt_context_resolve_subresource(ID3D11DeviceContext4 *self, ID3D11Resource *to,
                                                      UINT to_subresource, ID3D11Resource *from,
                                                      UINT from_subresource, DXGI_FORMAT format)
{
    struct rt_context *context = rt_enter(self);
    struct rt_resource *destination = rt_own_resource(context, to), *source = rt_own_resource(context, from);
    if (is_resolve_allowed(destination, to_subresource, source, from_subresource, format)) {
        rt_context_use(context, &destination->object);
        rt_context_use(context, &source->object);
        umd_resource_resolve_subresource(context->umd, destination->umd, to_subresource, source->umd,
                                         from_subresource, format);
    } else {
        rt_message(&context->object.device->messages,
                   D3D11_MESSAGE_ID_DEVICE_RESOLVESUBRESOURCE_FORMAT_INVALID);
    }
    rt_leave(context);
}

void STDMETHODCALLTYPE rt_context_generate_mips(ID3D11DeviceContext4 *self, ID3D11ShaderResourceView *given)
{
    struct rt_context *context = rt_enter(self);
    struct rt_view *view = rt_own_view(context, given);
    if (view && (view->resource->misc_flags & D3D11_RESOURCE_MISC_GENERATE_MIPS)) {
        rt_context_use(context, &view->object);
        umd_generate_mips(context->umd, view->umd);
    } else {
        rt_message(&context->object.device->messages, D3D11_MESSAGE_ID_DEVICE_GENERATEMIPS_RESOURCE_INVALID);
    }
    rt_leave(context);
}

void STDMETHODCALLTYPE rt_context_set_min_lod(ID3D11DeviceContext4 *self, ID3D11Resource *given,
                                              FLOAT min_lod)
{
    struct rt_context *context = rt_enter(self);
    struct rt_resource *resource = rt_own_resource(context, given);
    if (resource && (resource->misc_flags & D3D11_RESOURCE_MISC_RESOURCE_CLAMP)) {
        rt_context_use(context, &resource->object);
        resource->min_lod = min_lod;
        umd_set_resource_min_lod(context->umd, resource->umd, min_lod);
    }
    rt_leave(context);
}

FLOAT STDMETHODCALLTYPE rt_context_get_min_lod(ID3D11DeviceContext4 *self, ID3D11Resource *given)
{
    (void)self;
    return given ? rt_resource_of(given)->min_lod : 0.0f;
}

void STDMETHODCALLTYPE rt_context_discard_resource(ID3D11DeviceContext4 *self, ID3D11Resource *given)
{
    struct rt_context *context = rt_enter(self);
    struct rt_resource *resource = rt_own_resource(context, given);
    /* Only what the GPU alone writes can be discarded by it. */
    if (resource && (resource->usage == D3D11_USAGE_DEFAULT)) {
        rt_context_use(context, &resource->object);
        umd_discard_resource(context->umd, resource->umd);
    }
    rt_leave(context);
}
