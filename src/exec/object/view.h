/* SPDX-License-Identifier: MIT
 *
 * Views: subresources of textures in a format, and elements of buffers.
 */
#ifndef AG_EXEC_OBJECT_VIEW_H
#define AG_EXEC_OBJECT_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "aerogpu/abi/ext.h"
#include "exec/object/uav_counter.h"
#include "gpu/webgpu.h"

struct ag_buffer;
struct ag_host_format;
struct ag_objects;
struct ag_resource;
struct ag_texture;
struct ag_texture_cast;

/* How a shader or a pass looks at a view. */
enum ag_view_shape {
    AG_SHAPE_TARGET, /* one mip, one layer, every aspect */
    AG_SHAPE_2D,
    AG_SHAPE_2D_ARRAY,
    AG_SHAPE_CUBE,
    AG_SHAPE_CUBE_ARRAY,
    AG_SHAPE_3D,
    AG_SHAPE_COUNT
};

/* Subresources of a texture in a format. Layers of a volume are its slices: all those of the first mip for a
 * shader, and a range for a target. */
struct ag_texture_view {
    struct ag_texture *texture;
    uint32_t handle;              /* for labels; 0: it has none */
    struct ag_texture_cast *cast; /* whose texture it is a view of; null: the texture's own */
    uint32_t dxgi;
    const struct ag_host_format *format;
    uint32_t base_mip, mip_count, base_layer, layer_count;
    uint8_t dimension; /* enum aerogpu_ext_view_dimension; 0: whatever fits */
    uint8_t flags;     /* enum aerogpu_ext_view_flags */
    bool all_layers;   /* as a target it is all its layers, not only the first */
    struct {
        WGPUTextureView gpu; /* made when first asked for */
        uint64_t id;
    } shapes[AG_SHAPE_COUNT];
};

/* Elements of a buffer. */
struct ag_buffer_view {
    struct ag_buffer *buffer;
    uint32_t dxgi;                       /* typed views; else 0 */
    const struct ag_host_format *format; /* likewise; else null */
    uint32_t stride;                     /* bytes of an element: a texel, a structure, or a word */
    uint32_t first, count;               /* elements */
    uint64_t offset, size;               /* the same in bytes, all of them in the buffer */
    uint32_t flags;                      /* enum aerogpu_ext_view_flags */
    struct { /* elements as four words each, made when a shader first loads them */
        WGPUBuffer gpu;
        uint64_t id, version; /* of the buffer's contents */
    } widened;
};

/* What CREATE_TEXTURE_VIEW makes: a shader resource or a target, as it comes. */
#define AG_VIEW_PLAIN UINT32_MAX

/* A view that has a handle. */
struct ag_view {
    uint32_t handle;
    uint32_t kind; /* enum aerogpu_ext_view_kind, or AG_VIEW_PLAIN */
    struct ag_resource *resource;
    struct ag_texture_view texture; /* of textures */
    struct ag_buffer_view buffer;   /* of buffers */
    struct ag_view *next;           /* other views of the resource */
    struct ag_uav_counter counter;  /* APPEND and COUNTER views */
    struct { /* four words each, where shaders need them so (texels.h); null until then */
        WGPUBuffer gpu;
        uint64_t id, size;
    } texels;
};

WGPUTexture ag_view_gpu(const struct ag_texture_view *view);
const char *ag_view_kind_name(enum aerogpu_ext_view_kind kind);
/* What a view of either kind of resource is seen as. Null: words. */
const struct ag_host_format *ag_view_format(const struct ag_view *view);
/* Its first mip: texels of it, and its slices; and where that lies in ag_view_gpu(). */
WGPUExtent3D ag_view_extent(const struct ag_texture_view *view);
WGPUTexelCopyTextureInfo ag_view_place(const struct ag_texture_view *view);
/* A depth target that is not written at all. */
bool ag_view_is_read_only(const struct ag_texture_view *view);
/* One that is in no list and under no handle any more. */
void ag_view_destroy(struct ag_objects *objects, struct ag_view *view);
/* Views of a resource that dies. */
void ag_views_destroy(struct ag_objects *objects, struct ag_resource *resource);
/* All of the texture in a typed format that its own WebGPU texture can be viewed in. */
void ag_view_init(struct ag_texture_view *view, struct ag_texture *texture, uint32_t dxgi);
void ag_view_fini(struct ag_objects *objects, struct ag_texture_view *view);
/* A new WebGPU view of one mip and layer of the texture, in the view's format; the caller releases it. Of a
 * volume it is all of a mip: passes choose the slice. */
WGPUTextureView ag_view_subresource(const struct ag_texture_view *view, uint32_t mip, uint32_t layer);
/* The same of the first mip, and of the plane that shaders see of depth formats. */
WGPUTextureView ag_view_plane(const struct ag_texture_view *view, uint32_t layer);
/* The WebGPU view of that shape, or null when the texture cannot be seen so. */
WGPUTextureView ag_view_shape(struct ag_objects *objects, struct ag_texture_view *view,
                              enum ag_view_shape shape, uint64_t *id);
void ag_texels_fini(struct ag_objects *objects, struct ag_view *view);

#endif
