/* SPDX-License-Identifier: MIT
 *
 * The objects that guest handles name. They are global to the device; contexts only point at them, and an
 * object that dies is taken out of every context. All calls from the executor's thread.
 */
#ifndef AG_EXEC_OBJECT_H
#define AG_EXEC_OBJECT_H

#include "abi/format.h"
#include "abi/input_layout.h"
#include "aerogpu/abi/ext.h"
#include "aerogpu/dxbc.h"
#include "aerogpu/translate.h"
#include "exec/state.h"
#include "wgsl/draw_block.h"
#include "wgsl/linkage.h"

struct ag_context;
struct ag_exec;

/* Why an object cannot be expressed, to be said again when a draw needs it. */
struct ag_refusal {
    enum agpu_diag_code code;
    char message[256];
};

/* ---- Resources ---------------------------------------------------------------------------------------- */

/* Empty when begin == end. */
struct ag_interval {
    uint64_t begin, end;
};

/* Guest memory that mirrors a resource; looked up in the table of each submission anew. */
struct ag_backing {
    uint32_t alloc_id; /* 0: the host owns the bytes */
    uint32_t offset;
};

enum ag_resource_kind {
    AG_RESOURCE_BUFFER,
    AG_RESOURCE_TEXTURE,
};

/* The bind flags of what the ABI's own packets made: they do not restrict views. */
#define AG_BIND_ANY UINT32_MAX

struct ag_resource {
    enum ag_resource_kind kind;
    uint32_t handle;       /* the original one */
    uint32_t references;   /* live handles: the original and its aliases */
    uint32_t usage;        /* AEROGPU_RESOURCE_USAGE_* */
    uint32_t bind;         /* enum aerogpu_ext_bind_flags, or AG_BIND_ANY */
    uint32_t misc;         /* enum aerogpu_ext_misc_flags */
    struct ag_view *views; /* those with handles */
    struct ag_backing backing;
    uint64_t
        used_in; /* number of the encoder that last used it: writes through the queue would come too early */
    uint64_t used_by; /* and the draw: what an open pass does not use may change ahead of it */
};

/* The append or consume counter of a buffer. */
struct ag_uav_counter {
    WGPUBuffer gpu; /* four bytes, or null: 0 */
    uint32_t value;
    bool is_set; /* `value` is newer than `gpu` */
};

/* What a range of indices holds, as found out once for each content. */
struct ag_index_scan {
    uint64_t version, offset, count; /* offset: bytes */
    bool wide, has_bounds, has_cut;  /* has_*: what is known */
    bool cut;
    uint32_t first, last;
};
#define AG_INDEX_SCANS 64

#define AG_COUNTER_KEEP UINT32_MAX /* an initial count that changes nothing */

struct ag_buffer {
    struct ag_resource resource; /* first: a resource pointer is a buffer pointer */
    uint64_t size;
    WGPUBuffer gpu;
    uint64_t id;      /* of `gpu`; changes when the buffer is renamed */
    uint64_t version; /* of the contents */
    uint8_t *shadow;  /* the contents as the CPU wrote them, or null once the GPU wrote into them */
    struct ag_interval guest_dirty; /* guest memory is newer */
    struct ag_interval gpu_stale;   /* the shadow is newer than `gpu` */
    uint64_t cut_version;           /* contents that were searched for index cuts, */
    bool cut_found;                 /* and what was found */
    struct {
        uint64_t version;      /* contents that were searched for the largest index that is no cut, */
        uint32_t narrow, wide; /* and what was found, as 16 and as 32 bits */
    } largest_index;
    struct ag_index_scan *scans; /* AG_INDEX_SCANS of them once needed, of ranges that draws read */
    struct ag_uav_counter counter;
    struct ag_uav_counter filled; /* bytes that stream output wrote */
    uint32_t stride;              /* of structures; 0: it is no structured buffer */
};

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

/* The contents of a texture in another format of the same size, for views that WebGPU does not make of the
 * texture itself (texture_cast.c). */
struct ag_texture_cast {
    struct ag_texture_cast *next;
    uint32_t dxgi;
    const struct ag_host_format *format;
    WGPUTexture gpu;
    uint32_t bit; /* in ag_texture.current */
};

/* A plane of a depth texture as a colour that shaders read (texture_plane.c). */
struct ag_readable {
    struct ag_texture *texture; /* made when first needed */
    uint64_t version;           /* of the contents */
};

enum ag_texture_dimension {
    AG_TEXTURE_2D, /* 1D textures, too: of height 1 */
    AG_TEXTURE_1D,
    AG_TEXTURE_3D,
};

struct ag_texture {
    struct ag_resource resource; /* first */
    uint32_t abi_format;
    uint32_t dxgi;                       /* as the guest says, perhaps typeless */
    uint32_t host_dxgi;                  /* what `gpu` holds: typed */
    const struct ag_host_format *format; /* of host_dxgi */
    enum ag_texture_dimension dimension;
    uint32_t width, height, depth, mips, layers, row_pitch, depth_pitch;
    uint32_t sample_count; /* the guest's; samples.h */
    WGPUTexture *slices;   /* with several samples: a texture for each slice, `gpu` is the first; else null */
    float min_lod;         /* SetResourceMinLOD */
    struct ag_texture_layout layout; /* in guest memory and uploads (spec: ABI 8.1) */
    WGPUTexture gpu;
    uint8_t
        *blocks; /* block-compressed, but decoded for WebGPU: the guest's bytes in packed layout; else null */
    bool widened;     /* texels of 16 bits that are floats for WebGPU: exact, but nothing renders to them */
    uint64_t version; /* of the contents */
    bool guest_dirty; /* guest memory is newer */
    struct ag_texture_view whole;
    struct ag_texture_cast *casts;
    uint32_t *
        current; /* of mip + layer * mips: bit 0, `gpu` has the contents; others, casts. Null: all in `gpu` */
    struct ag_readable readable[2]; /* of depth formats: depth, stencil */
    struct ag_texture *unpacked;    /* with several samples: each as a layer, for shaders that read arrays */
    uint64_t unpacked_version;
};

/* What a handle of the resource namespace is. */
enum ag_handle_kind {
    AG_HANDLE_RESOURCE,
    AG_HANDLE_ALIAS,
    AG_HANDLE_RESERVED, /* the destroyed original of a resource that aliases keep alive */
    AG_HANDLE_VIEW,
};

struct ag_handle {
    enum ag_handle_kind kind;
    struct ag_resource *resource;
    struct ag_view *view;
};

/* ---- Everything else ---------------------------------------------------------------------------------- */

/* Distinct sources, parsed once; any number of handles share one. */
struct ag_shader_program {
    uint64_t id;
    uint64_t hash;
    uint8_t *bytes;
    size_t size;
    uint32_t references; /* handles */
    struct agpu_shader *shader;
    uint32_t inputs; /* bit n: input register n is declared, hence read */
    bool writes_depth;
    uint32_t needs; /* enum agpu_module_need of its natural translation */
    struct agpu_shader_facts facts;
    bool has_uavs;          /* declares unordered access views, hence may write memory */
    uint32_t uav_slots;     /* bit n: u# n is declared */
    uint16_t sampler_slots; /* bit n: s# n is declared */
    bool refused;
    struct ag_refusal refusal;
    const struct ag_stream_output_declaration *stream_output; /* in `bytes`, or null */
    bool passes_through; /* a geometry stage without a program: only its stream output counts */
    struct ag_shader_variant *variants; /* list */
};

/* One translation of a program and its WebGPU module. */
struct ag_shader_variant {
    struct ag_shader_variant *next;
    uint64_t id;
    uint64_t key_hash;
    struct ag_variant_key *key;
    bool refused;
    struct ag_refusal refusal;
    struct agpu_module *module;
    WGPUShaderModule gpu;
    struct ag_stage_layout *layout;    /* of the stage's own bind group; owned by the layout cache */
    struct ag_stage_layout *expansion; /* of group 3, where the variant belongs to an expansion */
    WGPUComputePipeline compute;       /* of stages that run as compute passes, made when first needed */
};

struct ag_sampler {
    struct ag_sampler_desc desc;
    WGPUSampler gpu; /* null: refused */
    uint64_t id;
    WGPUSampler point; /* the same without filtering, made when first needed */
    uint64_t point_id;
};

struct ag_input_element {
    uint32_t semantic_hash, semantic_index;
    uint32_t dxgi;
    const struct ag_host_format *format; /* null: no vertex format of this number */
    uint32_t slot, offset;
    bool per_instance;
    uint32_t step_rate;
};

struct ag_layout_object {
    uint64_t id;
    bool by_register; /* elements name input registers, in semantic_index */
    uint32_t count;
    struct ag_input_element elements[AG_INPUT_LAYOUT_MAX_ELEMENTS];
};

/* ---- Buffers (buffer.c) ------------------------------------------------------------------------------- */

struct ag_buffer_desc {
    uint64_t size; /* bytes; the host rounds up to words, what lies behind is not the guest's */
    uint32_t usage, bind, misc, stride;
};

/* Null when the host's memory is exhausted. */
struct ag_buffer *ag_buffer_create(struct ag_exec *exec, const struct ag_buffer_desc *desc);
void ag_buffer_destroy(struct ag_exec *exec, struct ag_buffer *buffer);

/* The CPU writes bytes at this point of the stream. False when memory is exhausted. */
bool ag_buffer_write(struct ag_exec *exec, struct ag_buffer *buffer, uint64_t offset, const void *data,
                     uint64_t size);
/* Brings in what the guest changed. False when it was reported. */
bool ag_buffer_pull(struct ag_exec *exec, struct ag_buffer *buffer);
/* Makes `gpu` hold the contents and marks it as used by the encoder. False when it was reported. */
bool ag_buffer_use(struct ag_exec *exec, struct ag_buffer *buffer);
/* The GPU writes into it at this point: call after ag_buffer_use(). */
void ag_buffer_written(struct ag_buffer *buffer);

/* The same for a copy from another buffer: the shadow stays known when the source's is. */
void ag_buffer_copied(struct ag_exec *exec, struct ag_buffer *buffer, uint64_t offset,
                      const struct ag_buffer *source, uint64_t source_offset, uint64_t size);

/* (buffer_bytes.c) Any bytes from one WebGPU buffer to another. False when memory is exhausted (reported). */
struct ag_byte_place {
    WGPUBuffer buffer;
    uint64_t offset;
};
bool ag_bytes_copy(struct ag_exec *exec, WGPUCommandEncoder encoder, const struct ag_byte_place *to,
                   const struct ag_byte_place *from, uint64_t size);

/* (counter.c) */
void ag_counter_set(struct ag_uav_counter *counter, uint32_t initial_count);
/* Records its value into a buffer's word. False when memory is exhausted (reported). */
bool ag_counter_copy(struct ag_exec *exec, const struct ag_uav_counter *counter, WGPUBuffer to,
                     uint64_t offset);
void ag_counter_fini(struct ag_uav_counter *counter);

/* The union of two intervals; an empty one adds nothing. */
struct ag_interval ag_interval_union(struct ag_interval a, struct ag_interval b);

/* ---- Textures and views (texture.c, view.c) ----------------------------------------------------------- */

struct ag_texture_desc {
    uint32_t abi_format, dxgi, usage;
    uint32_t host_dxgi; /* 0: `dxgi`, which then is no typeless one */
    uint32_t bind, misc;
    enum ag_texture_dimension dimension;
    uint32_t width, height, mips, layers, row_pitch;
    uint32_t depth, depth_pitch; /* volumes; else 0 */
    uint32_t sample_count;       /* 0: 1 */
    struct ag_texture_layout layout;
    bool backed;  /* guest memory will fill it */
    bool decoded; /* block-compressed, but WebGPU gets texels */
};

/* (texture_desc.c) Completes the description of a texture, `dxgi` and sizes of which come from the guest, and
 * checks it. Reported when not AGPU_OK. */
enum agpu_status ag_texture_desc_check(struct ag_exec *exec, struct ag_texture_desc *desc);
bool ag_texture_desc_equals(const struct ag_texture *texture, const struct ag_texture_desc *desc);

/* Null when memory is exhausted. The description was checked. */
struct ag_texture *ag_texture_create(struct ag_exec *exec, const struct ag_texture_desc *desc);
void ag_texture_destroy(struct ag_exec *exec, struct ag_texture *texture);
/* A typeless texture with several samples, which has no contents and no views yet, is kept in that format
 * from now on: WebGPU does not change how samples are seen. */
void ag_texture_retype(struct ag_exec *exec, struct ag_texture *texture, uint32_t dxgi);

/* Bytes in packed layout at this point of the stream. False when it was reported. */
bool ag_texture_write(struct ag_exec *exec, struct ag_texture *texture, uint64_t offset, const uint8_t *data,
                      uint64_t size);
bool ag_texture_pull(struct ag_exec *exec, struct ag_texture *texture);
/* Brings in guest bytes, performs pending clears and marks the texture as used by the encoder. */
bool ag_texture_use(struct ag_exec *exec, struct ag_texture *texture);
/* The GPU or the CPU wrote into `gpu`. */
void ag_texture_written(struct ag_texture *texture);

/* Rows of units (texels or blocks) of one slice, from the guest's bytes; not of depth formats. Like
 * ag_texture_write(). */
struct ag_unit_rect {
    uint32_t mip, slice;
    uint32_t x, y, width, height;
};
bool ag_texture_write_rect(struct ag_exec *exec, struct ag_texture *texture, const struct ag_unit_rect *rect,
                           const uint8_t *data, uint64_t pitch);

/* (texture_cast.c) The texture in another format of the same bytes, made when first asked for. Null when it
 * was reported. */
struct ag_texture_cast *ag_texture_cast(struct ag_exec *exec, struct ag_texture *texture, uint32_t dxgi);
/* Whether bytes of the texture can be looked at as that typed format, the texture's own excepted. */
bool ag_texture_can_cast(const struct ag_texture *texture, uint32_t dxgi);
/* Brings subresources up to date in the texture's own format, or in a cast's. */
void ag_texture_sync(struct ag_exec *exec, struct ag_texture *texture);
void ag_view_sync(struct ag_exec *exec, const struct ag_texture_view *view);
/* The GPU wrote into the view, which was up to date, as a target: its first mip and all its layers, or one
 * subresource. */
void ag_view_written(const struct ag_texture_view *view);
void ag_view_written_at(const struct ag_texture_view *view, uint32_t mip, uint32_t layer);
void ag_texture_casts_fini(struct ag_texture *texture);

/* Memory for texels on their way into a texture, in the texture's own bytes. Texels take effect at this point
 * of the stream. False when memory is exhausted (reported). */
struct ag_texture_upload {
    uint8_t *bytes;
    uint64_t pitch; /* from row to row */
    bool staged;    /* through the encoder, since it has used the texture */
    WGPUBuffer buffer;
    uint64_t offset;
};
bool ag_texture_upload_begin(struct ag_exec *exec, const struct ag_texture *texture, uint64_t row_bytes,
                             uint32_t rows, struct ag_texture_upload *upload);
void ag_texture_upload_end(struct ag_exec *exec, struct ag_texture *texture, uint32_t mip,
                           const WGPUOrigin3D *origin, const WGPUExtent3D *extent,
                           struct ag_texture_upload *upload);

/* (texture_convert.c) A copy between textures of one format of which one is widened. False when memory is
 * exhausted (reported). */
struct ag_texel_rect {
    struct ag_texture *texture;
    uint32_t mip, layer, x, y;
};
bool ag_texture_convert(struct ag_exec *exec, const struct ag_texel_rect *to,
                        const struct ag_texel_rect *from, uint32_t width, uint32_t height);

/* (texture_merge.c) Bytes [begin, end) of one texel or block, which stays as it is otherwise. */
bool ag_texture_merge(struct ag_exec *exec, struct ag_texture *texture, uint32_t mip,
                      const WGPUOrigin3D *origin, uint32_t begin, uint32_t end, const uint8_t *data);

/* (texture_blocks.c) For textures with `blocks`: new guest bytes, and bytes of `blocks` that changed. */
bool ag_texture_write_blocks(struct ag_exec *exec, struct ag_texture *texture, uint64_t offset,
                             const uint8_t *data, uint64_t size);
bool ag_texture_upload_blocks(struct ag_exec *exec, struct ag_texture *texture, uint64_t offset,
                              uint64_t size);

uint32_t ag_mip_size(uint32_t size, uint32_t mip);
/* Layers, or the slices of a mip of a volume. */
uint32_t ag_texture_slices(const struct ag_texture *texture, uint32_t mip);

/* Brings in guest bytes and marks the texture as used; what the view shows is up to date in its own format.
 */
bool ag_view_use(struct ag_exec *exec, struct ag_texture_view *view);
WGPUTexture ag_view_gpu(const struct ag_texture_view *view);
const char *ag_view_kind_name(enum aerogpu_ext_view_kind kind);
/* What a view of either kind of resource is seen as. Null: words. */
const struct ag_host_format *ag_view_format(const struct ag_view *view);
/* Its first mip: texels of it, and its slices; and where that lies in ag_view_gpu(). */
WGPUExtent3D ag_view_extent(const struct ag_texture_view *view);
WGPUTexelCopyTextureInfo ag_view_place(const struct ag_texture_view *view);
/* A depth target that is not written at all. */
bool ag_view_is_read_only(const struct ag_texture_view *view);

/* A new view of the resource under the handle. Null when memory is exhausted (not reported). */
struct ag_view *ag_view_create(struct ag_exec *exec, uint32_t handle, struct ag_resource *resource);
/* The elements of a typed view as shaders load them; null when it was reported. */
WGPUBuffer ag_buffer_view_widen(struct ag_exec *exec, struct ag_buffer_view *view, uint64_t *id);
/* One that is in no list and under no handle any more. */
void ag_view_destroy(struct ag_exec *exec, struct ag_view *view);
/* Views of a resource that dies. */
void ag_views_destroy(struct ag_exec *exec, struct ag_resource *resource);
/* All of the texture in a typed format that its own WebGPU texture can be viewed in. */
void ag_view_init(struct ag_texture_view *view, struct ag_texture *texture, uint32_t dxgi);
void ag_view_fini(struct ag_exec *exec, struct ag_texture_view *view);
/* A new WebGPU view of one mip and layer of the texture, in the view's format; the caller releases it. Of a
 * volume it is all of a mip: passes choose the slice. */
WGPUTextureView ag_view_subresource(const struct ag_texture_view *view, uint32_t mip, uint32_t layer);
/* The same of the first mip, and of the plane that shaders see of depth formats. */
WGPUTextureView ag_view_plane(const struct ag_texture_view *view, uint32_t layer);
/* Where WebGPU finds a subresource in the texture's own format. */
WGPUTexelCopyTextureInfo ag_texture_place(const struct ag_texture *texture, uint32_t mip, uint32_t slice);
/* The WebGPU view of that shape, or null when the texture cannot be seen so. */
WGPUTextureView ag_view_shape(struct ag_exec *exec, struct ag_texture_view *view, enum ag_view_shape shape,
                              uint64_t *id);
/* (texture_plane.c) For depth formats seen as colour: the same subresources of a copy of the plane that is up
 * to date. Null when it was reported. */
struct ag_texture_view *ag_view_readable(struct ag_exec *exec, struct ag_texture_view *view);

/* ---- Handles (handle.c) ------------------------------------------------------------------------------- */

struct ag_handle *ag_handle_find(struct ag_exec *exec, uint32_t handle);
/* The live buffer or texture that a handle names, or null. */
struct ag_buffer *ag_handle_buffer(struct ag_exec *exec, uint32_t handle);
struct ag_texture *ag_handle_texture(struct ag_exec *exec, uint32_t handle);
/* A texture's whole view, or the view of a texture that the handle names; null for anything else. */
struct ag_texture_view *ag_handle_view(struct ag_exec *exec, uint32_t handle);
/* The view that the handle names, whatever it is of; null for anything else. */
struct ag_view *ag_handle_any_view(struct ag_exec *exec, uint32_t handle);
/* The view of that kind that a handle names, or, where `plain`, of CREATE_TEXTURE_VIEW. Null when it was
 * reported. */
struct ag_view *ag_handle_view_of_kind(struct ag_exec *exec, uint32_t handle, enum aerogpu_ext_view_kind kind,
                                       bool plain);

bool ag_handle_add(struct ag_exec *exec, uint32_t handle, enum ag_handle_kind kind,
                   struct ag_resource *resource, struct ag_view *view);
void ag_handle_destroy_resource(struct ag_exec *exec, uint32_t handle);
void ag_handle_destroy_view(struct ag_exec *exec, uint32_t handle);
void ag_handles_clear(struct ag_exec *exec);

/* ---- Shaders, samplers, layouts ----------------------------------------------------------------------- */

/* Reported when not AGPU_OK. A refused shader is an AGPU_OK program with `refused` set. */
struct ag_shader_source;
enum agpu_status ag_shader_create(struct ag_exec *exec, uint32_t handle, enum agpu_stage stage,
                                  const struct ag_shader_source *source);
void ag_shader_release(struct ag_exec *exec, uint32_t handle);
/* The program bound to a stage, whatever it is; null when none is. */
struct ag_shader_program *ag_shader_at(const struct ag_exec *exec, const struct ag_context *context,
                                       enum agpu_stage stage);
/* Frees programs that no handle names when too many have gathered; all of them when `all`. */
void ag_shader_trim(struct ag_exec *exec, bool all);

/* (uav.c) Slots whose views are of one buffer share a variable: 0, or one more than the slot that has it. */
#define AG_WIRE_UAV_SLOTS 8 /* what SET_UNORDERED_ACCESS_BUFFERS may name (spec: ABI 14) */
struct ag_uav_aliases {
    uint8_t slots[AG_WIRE_UAV_SLOTS];
};

/* (sampler.c) Bit n: what the shader does for sampler n. */
struct ag_sampler_bits {
    uint16_t biased;   /* adds its bias of levels */
    uint16_t emulated; /* all of it */
    uint16_t floors;   /* 1: a texture that is bound has a least level */
};

/* Everything that makes a translation differ. Zeroed before it is filled. */
struct ag_variant_key {
    struct ag_linkage linkage;
    uint8_t attribute_classes[AGPU_MAX_REGISTERS];
    uint8_t target_classes[AGPU_MAX_RENDER_TARGETS];
    uint8_t target_bits[AGPU_MAX_RENDER_TARGETS], target_alpha_bits[AGPU_MAX_RENDER_TARGETS];
    uint8_t target_mask, target_snorm, dual_source, view_base, logic;
    uint8_t has_linkage, has_attributes;
    uint8_t depth_bias, no_depth_target;
    struct ag_uav_aliases aliases;
    struct ag_sampler_bits samplers;
    /* Expansion. */
    uint8_t flavour; /* enum agpu_flavour; 0: the stage's own. PIXEL of another stage: see
                        ag_translate_clip_pixel */
    uint8_t input_registers, patch_registers; /* of the records it reads */
    uint8_t drawn_vertices; /* not 0: the vertex shader that draws what this program makes, of primitives with
                             * that many vertices and records of `input_registers` */
    uint8_t drawn_edges, drawn_culled;
    uint8_t selects_layer, selects_viewport;
};

/* Null when it was refused or memory is exhausted; reported. */
struct ag_shader_variant *ag_shader_variant(struct ag_exec *exec, struct ag_shader_program *program,
                                            const struct ag_variant_key *key);

/* The variant's module on the device, made at first use: only once the device is known to have what the
 * module needs, since WebGPU objects to WGSL beyond its features. Owned by the variant. */
WGPUShaderModule ag_shader_variant_gpu(struct ag_exec *exec, struct ag_shader_variant *variant);
/* The same for the pipeline of a stage that runs as a compute pass in front of a draw. Null when it was
 * reported. */
WGPUComputePipeline ag_shader_variant_compute(struct ag_exec *exec, struct ag_shader_variant *variant);

struct ag_sampler *ag_sampler_create(struct ag_exec *exec, const struct ag_sampler_desc *desc);
/* Makes one under a handle, in place of the one that it names. */
enum agpu_status ag_sampler_define(struct ag_exec *exec, uint32_t handle, const struct ag_sampler_desc *desc);
/* For textures that may not be filtered. */
WGPUSampler ag_sampler_point(struct ag_exec *exec, struct ag_sampler *sampler, uint64_t *id);
/* What the samplers that a stage has bound where the program has some ask of it; and the bytes of all of
 * them, in AG_BINDING_SAMPLER_STATES. */
struct ag_sampler_bits ag_samplers_bits(struct ag_exec *exec, struct ag_context *context,
                                        enum agpu_stage stage, const struct ag_shader_program *program);
void ag_samplers_states(const struct ag_context *context, enum agpu_stage stage,
                        uint8_t states[AG_SAMPLER_STATES_BYTES]);
void ag_sampler_destroy(struct ag_exec *exec, struct ag_sampler *sampler);

/* Gives the handle an object made of the layout, whose offsets need not be resolved. `by_register`: semantic
 * indices are input registers. Reported when not AGPU_OK. */
enum agpu_status ag_layout_object_add(struct ag_exec *exec, uint32_t handle, struct ag_input_layout *wire,
                                      bool by_register);

/* Which element, if any, feeds each input register of a vertex shader: -1 for none. False when it was
 * reported (two elements for one register). */
bool ag_layout_object_match(struct ag_exec *exec, const struct ag_layout_object *layout,
                            const struct agpu_shader *shader, int8_t elements[AGPU_MAX_REGISTERS]);

#endif
