/* SPDX-License-Identifier: MIT
 *
 * Views: subresources of a texture in a format, and elements of a buffer. The guest's handles own views, a
 * texture owns the view of the whole texture, and some callers have views on the stack.
 */
#ifndef AG_EXEC_OBJECT_VIEW_H
#define AG_EXEC_OBJECT_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "aerogpu/abi/ext.h"
#include "exec/object/uav_counter.h"
#include "format/format.h"
#include "gpu/webgpu.h"

struct ag_buffer;
struct ag_creation;
struct ag_host_format;
struct ag_objects;
struct ag_resource;
struct ag_texture;
struct ag_texture_cast;

/* The dimension of a WebGPU view that is made of a view of the guest. */
enum ag_view_dimension {
    AG_VIEW_DIMENSION_TARGET, /* an attachment: the first mip, the first layer, all aspects */
    AG_VIEW_DIMENSION_2D,
    AG_VIEW_DIMENSION_2D_ARRAY,
    AG_VIEW_DIMENSION_CUBE,
    AG_VIEW_DIMENSION_CUBE_ARRAY,
    AG_VIEW_DIMENSION_3D,
    AG_VIEW_DIMENSION_PLANE, /* the attachment of the second plane of samples, and those of more planes */
    AG_VIEW_DIMENSION_COUNT = AG_VIEW_DIMENSION_PLANE + AG_MAX_SAMPLE_PLANES - 1
};

/* Subresources of a texture in a format. Layers of a volume are slices: a view for shaders has all slices
 * of its first mip, a view for attachments has a range of slices. */
struct ag_texture_view {
    struct ag_texture *texture;
    /* The WebGPU views, each made on its first use. */
    struct {
        WGPUTextureView gpu;
        uint64_t id;
    } gpu_views[AG_VIEW_DIMENSION_COUNT];
    uint32_t handle;              /* for labels; 0 when the view has none */
    struct ag_texture_cast *cast; /* the cast that is viewed; null when the texture's own WebGPU texture is */
    uint32_t dxgi;
    const struct ag_host_format *format;
    uint32_t base_mip, mip_count, base_layer, layer_count;
    uint8_t dimension; /* enum aerogpu_ext_view_dimension; 0 in views of CREATE_TEXTURE_VIEW */
    uint8_t flags;     /* enum aerogpu_ext_view_flags */
    /* Bound as a target, the view has all its layers; a view of CREATE_TEXTURE_VIEW has only the first
     * one. */
    bool all_layers;
};

/* Elements of a buffer. */
struct ag_buffer_view {
    struct ag_buffer *buffer;
    /* The format of a typed view; 0 and null when the view is raw or structured. */
    uint32_t dxgi;
    const struct ag_host_format *format;
    uint32_t stride;       /* bytes of an element: a texel, a structure, or a word */
    uint32_t first, count; /* elements */
    uint64_t offset, size; /* bytes; the buffer has all of them */
    uint32_t flags;        /* enum aerogpu_ext_view_flags */
    /* The elements as four words each, for formats that shaders cannot load themselves; null before the
     * first use. `version` is that of the buffer's contents that were converted. */
    struct {
        WGPUBuffer gpu;
        uint64_t id, version;
        struct ag_account *account; /* of the context whose draw needed the copy */
    } widened;
};

/* The bytes of `widened`. */
static inline uint64_t ag_buffer_view_widened_bytes(const struct ag_buffer_view *view)
{
    return view->count * UINT64_C(16);
}

/* The kind of a view made by CREATE_TEXTURE_VIEW, which may be bound as a shader resource and as a target. */
#define AG_VIEW_PLAIN UINT32_MAX

/* A view that has a handle. */
struct ag_view {
    uint32_t handle;
    uint32_t kind; /* enum aerogpu_ext_view_kind, or AG_VIEW_PLAIN */
    struct ag_resource *resource;
    struct ag_account *account;      /* of the context that made the view, which is charged for it */
    struct ag_creation *creation;    /* the packet; null: there was no memory to keep it */
    struct ag_view *next, *previous; /* in the list of the resource's views */
    struct ag_texture_view texture;  /* when the resource is a texture */
    struct ag_buffer_view buffer;    /* when the resource is a buffer */
    struct ag_uav_counter counter;   /* of APPEND and COUNTER views */
    /* The texels as four words each, for unordered access (blit/texels.h); null before the first use. */
    struct {
        WGPUBuffer gpu;
        uint64_t id, size;
        struct ag_account *account; /* of the context whose draw needed the copy */
    } texels;
};

/* ---- Life --------------------------------------------------------------------------------------------- */

/* Makes a view of the whole texture in a typed format that WebGPU allows for the texture's own WebGPU
 * texture. */
void ag_view_init(struct ag_texture_view *view, struct ag_texture *texture, uint32_t dxgi);

/* Releases the WebGPU views. */
void ag_view_fini(struct ag_objects *objects, struct ag_texture_view *view);

/* Destroys a view that was taken out of its resource's list and has no handle any more. */
void ag_view_destroy(struct ag_objects *objects, struct ag_view *view);

/* Destroys all views in the list of a resource that is being destroyed; their handles are gone. */
void ag_views_destroy(struct ag_objects *objects, struct ag_resource *resource);

/* Releases ag_view.texels. */
void ag_texels_fini(struct ag_objects *objects, struct ag_view *view);

/* ---- What a view is ----------------------------------------------------------------------------------- */

/* The kind for messages, such as "shader resource". */
const char *ag_view_kind_name(enum aerogpu_ext_view_kind kind);

/* The format of the elements or texels. Null when the view is a raw or structured view of a buffer. */
const struct ag_host_format *ag_view_format(const struct ag_view *view);

/* Width and height of the view's first mip, and the number of its layers. */
WGPUExtent3D ag_view_extent(const struct ag_texture_view *view);

/* Whether the view is a depth-stencil view through which nothing is written. */
bool ag_view_is_read_only(const struct ag_texture_view *view);

/* The WebGPU texture that is viewed. */
WGPUTexture ag_view_gpu(const struct ag_texture_view *view);

/* The view's first mip and first layer in ag_view_gpu(), for copies. */
WGPUTexelCopyTextureInfo ag_view_place(const struct ag_texture_view *view);

/* ---- WebGPU views ------------------------------------------------------------------------------------- */

/* The view's own WebGPU view of a dimension. *id may be null. Null when the texture has no view of that
 * dimension (not reported). */
WGPUTextureView ag_view_of_dimension(struct ag_objects *objects, struct ag_texture_view *view,
                                     enum ag_view_dimension dimension, uint64_t *id);

/* The attachment that a plane of samples is (AG_VIEW_DIMENSION_TARGET of the first one). */
WGPUTextureView ag_view_of_plane(struct ag_objects *objects, struct ag_texture_view *view, uint32_t plane);

/* Releases the attachments of a view that nothing else has been made of, such as one on the stack. */
void ag_view_release_attachments(struct ag_texture_view *view);

/* Makes a WebGPU view of one plane of the samples of a layer, which the caller releases. */
WGPUTextureView ag_view_samples_of_plane(const struct ag_texture_view *view, uint32_t layer, uint32_t plane);

/* Makes a WebGPU view of one mip and layer of the texture, with all aspects, which the caller releases.
 * For a volume it has all slices of the mip, and a render pass selects one. */
WGPUTextureView ag_view_subresource(const struct ag_texture_view *view, uint32_t mip, uint32_t layer);

/* Makes a WebGPU view of the first mip and layer of a view of depth, with one aspect, which the caller
 * releases. */
WGPUTextureView ag_view_aspect(const struct ag_texture_view *view, WGPUTextureAspect aspect);

/* Makes a WebGPU view of one mip and layer, with the one aspect that shaders read of depth formats,
 * which the caller releases. */
WGPUTextureView ag_view_plane(const struct ag_texture_view *view, uint32_t mip, uint32_t layer);

#endif
