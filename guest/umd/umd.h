/* SPDX-License-Identifier: MIT
 *
 * The user-mode driver: Direct3D 11's driver interface as a C API. Calls become packets of the command stream
 * (docs/abi-extension.md). The cut and the names are those of the documented D3D10/11 DDI; all numbers are
 * Direct3D's own. The runtime above knows COM, checks parameters, keeps what getters answer, and holds what
 * is bound: the driver checks nothing that the documentation asks of the runtime, and what it is given stays
 * valid while bound, recorded in a command list, or named by a view.
 *
 * Objects: adapter (one for each transport), devices on it, an immediate context for each device and any
 * number of deferred ones. Objects of one device serve its contexts; those of all devices of one adapter can
 * be shared by token.
 *
 * Threads: functions that take a device create and destroy, and may be called from any thread at any time
 * where the bus has locks. Functions that take a context belong to one thread at a time for each context; a
 * resource is mapped by one thread at a time.
 *
 * Creation never fails late: what Direct3D 11's rules and the adapter's limits allow exists, and a creation
 * that the host must refuse all the same (its memory is exhausted) makes an object that reads 0.
 */
#ifndef GUEST_UMD_UMD_H
#define GUEST_UMD_UMD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "aerogpu/abi/ext.h"
#include "guest/core/core.h"

#ifdef __cplusplus
extern "C" {
#endif

enum umd_status {
    UMD_OK = 0,
    UMD_NO_MEMORY, /* E_OUTOFMEMORY */
    UMD_INVALID,   /* E_INVALIDARG: beyond the adapter's limits, or nothing that the packets can say */
    UMD_WAS_STILL_DRAWING, /* DXGI_ERROR_WAS_STILL_DRAWING; of queries S_FALSE */
    UMD_DEVICE_REMOVED,    /* DXGI_ERROR_DEVICE_REMOVED: umd_device_removed_reason() says why */
    UMD_UNSUPPORTED,       /* no such device, or one without the extension */
};

struct umd_adapter;
struct umd_device;
struct umd_context;
struct umd_resource;
struct umd_view;
struct umd_shader;
struct umd_input_layout;
struct umd_sampler;
struct umd_blend_state;
struct umd_depth_stencil_state;
struct umd_rasterizer_state;
struct umd_query;
struct umd_command_list;

/* The shader stages, as DXBC numbers programs. */
enum umd_stage {
    UMD_STAGE_PIXEL = 0,
    UMD_STAGE_VERTEX = 1,
    UMD_STAGE_GEOMETRY = 2,
    UMD_STAGE_HULL = 3,
    UMD_STAGE_DOMAIN = 4,
    UMD_STAGE_COMPUTE = 5,
    UMD_STAGE_COUNT,
};

/* Direct3D 11's limits. */
#define UMD_VERTEX_BUFFER_SLOTS 32u
#define UMD_CONSTANT_BUFFER_SLOTS 14u
#define UMD_SHADER_RESOURCE_SLOTS 128u
#define UMD_SAMPLER_SLOTS 16u
#define UMD_RENDER_TARGET_SLOTS 8u
#define UMD_STREAM_OUTPUT_SLOTS 4u
#define UMD_VIEWPORTS 16u

/* ---- Adapter ------------------------------------------------------------------------------------------- */

/* Starts the device behind the bus and asks for all of its capabilities, which takes one submission. */
enum umd_status umd_open_adapter(const struct guest_bus *bus, struct umd_adapter **adapter);

/* Its devices are gone by then. Accepts null. */
void umd_close_adapter(struct umd_adapter *adapter);

struct guest_device *umd_adapter_guest(struct umd_adapter *adapter);

/* Limits and features of the host, feature level among them. */
const struct aerogpu_ext_features *umd_adapter_features(const struct umd_adapter *adapter);

/* How many unordered access views a stage may have: 8, or 64 with feature level 11_1. */
uint32_t umd_adapter_uav_slots(const struct umd_adapter *adapter);

/* CheckFormatSupport: D3D11_FORMAT_SUPPORT and D3D11_FORMAT_SUPPORT2 of a DXGI_FORMAT; 0 of unknown ones. */
void umd_check_format_support(const struct umd_adapter *adapter, uint32_t format, uint32_t *support,
                              uint32_t *support2);

/* CheckMultisampleQualityLevels: 0 where there are no such samples. */
uint32_t umd_check_multisample_quality_levels(const struct umd_adapter *adapter, uint32_t format,
                                              uint32_t sample_count);

/* Bytes of one block of texels, and its size: 4x4 or 2x1 of formats that have blocks, else 1x1. 0: no such
 * format, or one of video. */
uint32_t umd_format_bytes(uint32_t format, uint32_t *block_width, uint32_t *block_height);

/* ---- Devices ------------------------------------------------------------------------------------------- */

/* With its immediate context. */
enum umd_status umd_create_device(struct umd_adapter *adapter, struct umd_device **device);

/* Submits what is recorded. All objects and deferred contexts are gone by then. Accepts null. */
void umd_destroy_device(struct umd_device *device);

struct umd_adapter *umd_device_adapter(struct umd_device *device);
struct umd_context *umd_immediate_context(struct umd_device *device);

enum umd_removed_reason {
    UMD_NOT_REMOVED = 0,
    UMD_REMOVED_HUNG, /* DXGI_ERROR_DEVICE_HUNG: the host lost or replaced its GPU, or ended a context */
    UMD_REMOVED_GONE, /* DXGI_ERROR_DEVICE_REMOVED: the transport's other side is gone */
    UMD_REMOVED_INTERNAL_ERROR, /* DXGI_ERROR_DRIVER_INTERNAL_ERROR: no memory left for packets */
};
/* A device that is removed stays so; its functions do nothing any more. Reads registers. After an error,
 * whether the host has ended a context is found out some submissions later, or waited for: `wait`. */
enum umd_removed_reason umd_device_removed_reason(struct umd_device *device, bool wait);

/* From now on the device is removed, for a reason that the caller knows. */
void umd_remove_device(struct umd_device *device, enum umd_removed_reason reason);

/* Calls a function in front of each submission of the immediate context, by the thread that submits; null:
 * none any more. It may use other devices of the adapter. */
void umd_watch_submissions(struct umd_device *device, void (*before)(void *user), void *user);

/* What the host found wrong with streams of this adapter since it was opened: for debug output and tests. */
void umd_device_errors(struct umd_device *device, struct guest_errors *errors);

/* A context that records command lists, from Direct3D's default state on. */
enum umd_status umd_create_deferred_context(struct umd_device *device, struct umd_context **context);
void umd_destroy_deferred_context(struct umd_context *context);
struct umd_device *umd_context_device(struct umd_context *context);
bool umd_context_is_deferred(const struct umd_context *context);

/* ---- Resources ----------------------------------------------------------------------------------------- */

/* D3D11_RESOURCE_DIMENSION */
enum umd_dimension {
    UMD_BUFFER = 1,
    UMD_TEXTURE1D = AEROGPU_EXT_RESOURCE_TEXTURE1D,
    UMD_TEXTURE2D = AEROGPU_EXT_RESOURCE_TEXTURE2D,
    UMD_TEXTURE3D = AEROGPU_EXT_RESOURCE_TEXTURE3D,
};

/* D3D11_USAGE */
enum umd_usage {
    UMD_USAGE_DEFAULT = 0,
    UMD_USAGE_IMMUTABLE = 1,
    UMD_USAGE_DYNAMIC = 2,
    UMD_USAGE_STAGING = 3,
};

/* D3D11_CPU_ACCESS_FLAG */
enum umd_cpu_access {
    UMD_CPU_WRITE = 0x10000,
    UMD_CPU_READ = 0x20000,
};

struct umd_resource_desc {
    uint32_t dimension; /* enum umd_dimension */
    uint32_t format;    /* DXGI_FORMAT; 0 for buffers */
    uint32_t width;     /* texels; bytes of a buffer */
    uint32_t height;    /* 1 for buffers and 1D; fields that a dimension does not have are 1 */
    uint32_t depth;
    uint32_t mip_levels; /* 0 = down to one texel */
    uint32_t array_size; /* cubes: six for each */
    uint32_t sample_count;
    uint32_t sample_quality;   /* or AEROGPU_EXT_QUALITY_* */
    uint32_t usage;            /* enum umd_usage */
    uint32_t bind_flags;       /* D3D11_BIND_FLAG, and AEROGPU_EXT_BIND_SCANOUT for what is presented */
    uint32_t cpu_access;       /* enum umd_cpu_access */
    uint32_t misc_flags;       /* D3D11_RESOURCE_MISC_FLAG */
    uint32_t structure_stride; /* of structured buffers */
};

/* D3D11_SUBRESOURCE_DATA */
struct umd_subresource_data {
    const void *data;
    uint32_t row_pitch;
    uint32_t depth_pitch;
};

/* `initial`: null, or one element for each subresource. */
enum umd_status umd_create_resource(struct umd_device *device, const struct umd_resource_desc *desc,
                                    const struct umd_subresource_data *initial,
                                    struct umd_resource **resource);

/* The driver destroys what packets that are recorded so far still name when they are done. Accepts null, as
 * all destroy functions do. */
void umd_destroy_resource(struct umd_device *device, struct umd_resource *resource);

/* With the number of mips that 0 stands for. */
const struct umd_resource_desc *umd_resource_get_desc(const struct umd_resource *resource);

/* A resource for other devices, of this process or another: the token is the caller's, not 0 and unique over
 * all time. Releasing a token ends its use by those who open it later. */
enum umd_status umd_share_resource(struct umd_device *device, struct umd_resource *resource, uint64_t token);
enum umd_status umd_open_shared_resource(struct umd_device *device, const struct umd_resource_desc *desc,
                                         uint64_t token, struct umd_resource **resource);
void umd_release_share_token(struct umd_device *device, uint64_t token);

/* Whether a device may have written a resource, since it was made or opened there: it was copied to, updated
 * or mapped for that, a target of stream output, or has a view that writes. */
bool umd_resource_is_written(const struct umd_resource *resource);

/* ---- Views --------------------------------------------------------------------------------------------- */

struct umd_view_desc {
    uint32_t kind;          /* enum aerogpu_ext_view_kind */
    uint32_t format;        /* DXGI_FORMAT; 0 = the resource's */
    uint32_t dimension;     /* enum aerogpu_ext_view_dimension (D3D_SRV_DIMENSION, for all kinds) */
    uint32_t flags;         /* enum aerogpu_ext_view_flags */
    uint32_t first_element; /* buffers: in elements of the format, structures, or words of raw views */
    uint32_t element_count;
    uint32_t base_mip_level;
    uint32_t mip_level_count;   /* shader resource views; AEROGPU_EXT_ALL */
    uint32_t base_array_layer;  /* slice, face, or depth slice of a volume's target or UAV */
    uint32_t array_layer_count; /* AEROGPU_EXT_ALL */
};
enum umd_status umd_create_view(struct umd_device *device, struct umd_resource *resource,
                                const struct umd_view_desc *desc, struct umd_view **view);
void umd_destroy_view(struct umd_device *device, struct umd_view *view);

/* ---- Shaders ------------------------------------------------------------------------------------------- */

struct umd_signature {
    const struct aerogpu_ext_signature_element *elements;
    uint32_t count;
};

struct umd_stream_output {
    const struct aerogpu_ext_stream_output_element *elements;
    uint32_t count;
    uint32_t stride_bytes[UMD_STREAM_OUTPUT_SLOTS]; /* 0 = what the declaration needs */
    uint32_t rasterized_stream;                     /* 0 to 3, or AEROGPU_EXT_STREAM_OUTPUT_NOT_RASTERIZED */
};

struct umd_shader_desc {
    uint32_t stage;      /* enum umd_stage */
    const void *code;    /* a DXBC container, or bare tokens; copied */
    uint32_t size_bytes; /* 0: a geometry shader that hands on what the vertex shader made */
    /* Beside bare tokens; ignored with a container. The second also of a geometry shader without code. */
    struct umd_signature input, output, patch_constant;
    const struct umd_stream_output *stream_output; /* geometry shaders; null: none */
};
enum umd_status umd_create_shader(struct umd_device *device, const struct umd_shader_desc *desc,
                                  struct umd_shader **shader);
void umd_destroy_shader(struct umd_device *device, struct umd_shader *shader);

/* ---- State objects ------------------------------------------------------------------------------------- */

/* Elements name input registers: the runtime has matched semantics with the vertex shader's signature. */
enum umd_status umd_create_input_layout(struct umd_device *device,
                                        const struct aerogpu_ext_input_element *elements, uint32_t count,
                                        struct umd_input_layout **layout);
void umd_destroy_input_layout(struct umd_device *device, struct umd_input_layout *layout);

/* D3D11_SAMPLER_DESC */
struct umd_sampler_desc {
    uint32_t filter;
    uint32_t address_u, address_v, address_w;
    float mip_lod_bias;
    uint32_t max_anisotropy;
    uint32_t comparison_func;
    float border_color[4];
    float min_lod, max_lod;
};
enum umd_status umd_create_sampler(struct umd_device *device, const struct umd_sampler_desc *desc,
                                   struct umd_sampler **sampler);
void umd_destroy_sampler(struct umd_device *device, struct umd_sampler *sampler);

/* D3D11_BLEND_DESC1: eight targets; all are those of target 0 without independent blending. */
struct umd_blend_desc {
    uint32_t alpha_to_coverage_enable;
    uint32_t independent_blend_enable;
    struct aerogpu_ext_blend_target targets[UMD_RENDER_TARGET_SLOTS];
};
enum umd_status umd_create_blend_state(struct umd_device *device, const struct umd_blend_desc *desc,
                                       struct umd_blend_state **state);
void umd_destroy_blend_state(struct umd_device *device, struct umd_blend_state *state);

/* D3D11_DEPTH_STENCIL_DESC */
struct umd_depth_stencil_desc {
    uint32_t depth_enable, depth_write_enable, depth_func;
    uint32_t stencil_enable, stencil_read_mask, stencil_write_mask;
    struct aerogpu_ext_stencil_face front_face, back_face;
};
enum umd_status umd_create_depth_stencil_state(struct umd_device *device,
                                               const struct umd_depth_stencil_desc *desc,
                                               struct umd_depth_stencil_state **state);
void umd_destroy_depth_stencil_state(struct umd_device *device, struct umd_depth_stencil_state *state);

/* D3D11_RASTERIZER_DESC1 */
struct umd_rasterizer_desc {
    uint32_t fill_mode, cull_mode, front_counter_clockwise;
    int32_t depth_bias;
    float depth_bias_clamp, slope_scaled_depth_bias;
    uint32_t depth_clip_enable, scissor_enable, multisample_enable, antialiased_line_enable;
    uint32_t forced_sample_count;
};
enum umd_status umd_create_rasterizer_state(struct umd_device *device, const struct umd_rasterizer_desc *desc,
                                            struct umd_rasterizer_state **state);
void umd_destroy_rasterizer_state(struct umd_device *device, struct umd_rasterizer_state *state);

/* ---- Input assembler ----------------------------------------------------------------------------------- */

/* Arrays of objects, here and below: null elements unbind; a null array unbinds `count` slots. */
void umd_ia_set_input_layout(struct umd_context *context, struct umd_input_layout *layout);
void umd_ia_set_vertex_buffers(struct umd_context *context, uint32_t start_slot, uint32_t count,
                               struct umd_resource *const *buffers, const uint32_t *strides,
                               const uint32_t *offsets);
/* `format`: DXGI_FORMAT_R16_UINT or R32_UINT. */
void umd_ia_set_index_buffer(struct umd_context *context, struct umd_resource *buffer, uint32_t format,
                             uint32_t offset);
/* D3D_PRIMITIVE_TOPOLOGY */
void umd_ia_set_topology(struct umd_context *context, uint32_t topology);

/* ---- Shader stages ------------------------------------------------------------------------------------- */

/* `instances`: what stands in the shader's interface slots, in order. */
void umd_set_shader(struct umd_context *context, enum umd_stage stage, struct umd_shader *shader,
                    const struct aerogpu_ext_class_instance *instances, uint32_t instance_count);
/* `first_constants` and `constant_counts` are in constants of 16 bytes, as *SetConstantBuffers1 has them;
 * null: whole buffers. */
void umd_set_constant_buffers(struct umd_context *context, enum umd_stage stage, uint32_t start_slot,
                              uint32_t count, struct umd_resource *const *buffers,
                              const uint32_t *first_constants, const uint32_t *constant_counts);
void umd_set_shader_resources(struct umd_context *context, enum umd_stage stage, uint32_t start_slot,
                              uint32_t count, struct umd_view *const *views);
void umd_set_samplers(struct umd_context *context, enum umd_stage stage, uint32_t start_slot, uint32_t count,
                      struct umd_sampler *const *samplers);
/* `initial_counts`: of append and counter views, AEROGPU_EXT_KEEP_COUNTER keeps them; null keeps all. */
void umd_cs_set_unordered_access_views(struct umd_context *context, uint32_t start_slot, uint32_t count,
                                       struct umd_view *const *views, const uint32_t *initial_counts);
/* Slots from `count` on are unbound. Offsets: AEROGPU_EXT_STREAM_OUTPUT_APPEND goes on. */
void umd_so_set_targets(struct umd_context *context, uint32_t count, struct umd_resource *const *buffers,
                        const uint32_t *offsets);

/* ---- Rasterizer and output merger ---------------------------------------------------------------------- */

/* State objects: null is Direct3D's default. */
void umd_set_rasterizer_state(struct umd_context *context, struct umd_rasterizer_state *state);
void umd_set_viewports(struct umd_context *context, uint32_t count,
                       const struct aerogpu_ext_viewport *viewports);
void umd_set_scissor_rects(struct umd_context *context, uint32_t count, const struct aerogpu_ext_rect *rects);
void umd_set_blend_state(struct umd_context *context, struct umd_blend_state *state, const float factor[4],
                         uint32_t sample_mask);
void umd_set_depth_stencil_state(struct umd_context *context, struct umd_depth_stencil_state *state,
                                 uint32_t stencil_ref);

/* OMSetRenderTargetsAndUnorderedAccessViews. `keep` is enum aerogpu_ext_target_flags: what stays as it is,
 * and whose arguments are not looked at. Pixel shader UAVs outside the range are unbound. */
struct umd_render_targets {
    uint32_t keep;
    uint32_t target_count;
    struct umd_view *const *targets;
    struct umd_view *depth_stencil;
    uint32_t uav_start_slot;
    uint32_t uav_count;
    struct umd_view *const *uavs;
    const uint32_t *initial_counts;
};
void umd_set_render_targets(struct umd_context *context, const struct umd_render_targets *set);

/* ClearState: all bindings and state become Direct3D's defaults. */
void umd_clear_state(struct umd_context *context);

/* ---- Work ---------------------------------------------------------------------------------------------- */

void umd_draw(struct umd_context *context, uint32_t vertex_count, uint32_t instance_count,
              uint32_t first_vertex, uint32_t first_instance);
void umd_draw_indexed(struct umd_context *context, uint32_t index_count, uint32_t instance_count,
                      uint32_t first_index, int32_t base_vertex, uint32_t first_instance);
void umd_draw_instanced_indirect(struct umd_context *context, struct umd_resource *arguments,
                                 uint32_t offset);
void umd_draw_indexed_instanced_indirect(struct umd_context *context, struct umd_resource *arguments,
                                         uint32_t offset);
void umd_draw_auto(struct umd_context *context);
void umd_dispatch(struct umd_context *context, uint32_t x, uint32_t y, uint32_t z);
void umd_dispatch_indirect(struct umd_context *context, struct umd_resource *arguments, uint32_t offset);

/* Clears of views; with rectangles, ClearView. Without: the whole view. */
void umd_clear_render_target_view(struct umd_context *context, struct umd_view *view, const float color[4],
                                  uint32_t rect_count, const struct aerogpu_ext_rect *rects);
/* `flags` is enum aerogpu_ext_clear_flags. */
void umd_clear_depth_stencil_view(struct umd_context *context, struct umd_view *view, uint32_t flags,
                                  float depth, uint32_t stencil, uint32_t rect_count,
                                  const struct aerogpu_ext_rect *rects);
void umd_clear_unordered_access_view_uint(struct umd_context *context, struct umd_view *view,
                                          const uint32_t values[4]);
void umd_clear_unordered_access_view_float(struct umd_context *context, struct umd_view *view,
                                           const float values[4], uint32_t rect_count,
                                           const struct aerogpu_ext_rect *rects);
void umd_generate_mips(struct umd_context *context, struct umd_view *view);

/* ---- Transfers ----------------------------------------------------------------------------------------- */

void umd_resource_copy(struct umd_context *context, struct umd_resource *destination,
                       struct umd_resource *source);
/* `box` null: the whole subresource. */
void umd_resource_copy_region(struct umd_context *context, struct umd_resource *destination,
                              uint32_t destination_subresource, uint32_t x, uint32_t y, uint32_t z,
                              struct umd_resource *source, uint32_t source_subresource,
                              const struct aerogpu_ext_box *box);
/* UpdateSubresource1. The bytes are copied before it returns. `flags`: AEROGPU_EXT_UPDATE_DISCARD or
 * _NO_OVERWRITE. UMD_NO_MEMORY where the heap is too small for them: nothing happened. */
enum umd_status umd_resource_update_subresource(struct umd_context *context, struct umd_resource *resource,
                                                uint32_t subresource, const struct aerogpu_ext_box *box,
                                                const void *data, uint32_t row_pitch, uint32_t depth_pitch,
                                                uint32_t flags);
/* `format`: DXGI_FORMAT. */
void umd_resource_resolve_subresource(struct umd_context *context, struct umd_resource *destination,
                                      uint32_t destination_subresource, struct umd_resource *source,
                                      uint32_t source_subresource, uint32_t format);
void umd_copy_structure_count(struct umd_context *context, struct umd_resource *destination, uint32_t offset,
                              struct umd_view *view);
void umd_set_resource_min_lod(struct umd_context *context, struct umd_resource *resource, float min_lod);
void umd_discard_resource(struct umd_context *context, struct umd_resource *resource);
void umd_discard_view(struct umd_context *context, struct umd_view *view, uint32_t rect_count,
                      const struct aerogpu_ext_rect *rects);

/* D3D11_MAP */
enum umd_map {
    UMD_MAP_READ = 1,
    UMD_MAP_WRITE = 2,
    UMD_MAP_READ_WRITE = 3,
    UMD_MAP_WRITE_DISCARD = 4,
    UMD_MAP_WRITE_NO_OVERWRITE = 5,
};
#define UMD_MAP_FLAG_DO_NOT_WAIT 0x100000u /* D3D11_MAP_FLAG */

struct umd_mapped_subresource {
    void *data;
    uint32_t row_pitch;
    uint32_t depth_pitch;
};

/* Dynamic resources with WRITE_DISCARD (new memory of the heap: never waits for the GPU but where the heap is
 * full) and WRITE_NO_OVERWRITE (the memory of the last WRITE_DISCARD); staging resources, and default ones
 * with CPU access, with the other types, which wait for the GPU where it still has to read or write them.
 * Deferred contexts: WRITE_DISCARD first. UMD_WAS_STILL_DRAWING with DO_NOT_WAIT, UMD_DEVICE_REMOVED,
 * UMD_NO_MEMORY. */
enum umd_status umd_resource_map(struct umd_context *context, struct umd_resource *resource,
                                 uint32_t subresource, enum umd_map type, uint32_t flags,
                                 struct umd_mapped_subresource *mapped);
/* A subresource that is not mapped: nothing happens. */
void umd_resource_unmap(struct umd_context *context, struct umd_resource *resource, uint32_t subresource);

/* ---- Queries ------------------------------------------------------------------------------------------- */

/* `type` is D3D11_QUERY, `flags` is enum aerogpu_ext_query_flags. */
enum umd_status umd_create_query(struct umd_device *device, uint32_t type, uint32_t flags,
                                 struct umd_query **query);
void umd_destroy_query(struct umd_device *device, struct umd_query *query);
void umd_query_begin(struct umd_context *context, struct umd_query *query);
void umd_query_end(struct umd_context *context, struct umd_query *query);

/* Bytes of the query's D3D11_QUERY_DATA_*, or of its BOOL, UINT64. */
uint32_t umd_query_data_bytes(const struct umd_query *query);

/* GetData on the immediate context, in Direct3D's layout; `data` may be null. Flushes what the answer needs
 * unless `do_not_flush`. UMD_WAS_STILL_DRAWING, UMD_DEVICE_REMOVED; UMD_INVALID: never ended. */
enum umd_status umd_query_get_data(struct umd_context *context, struct umd_query *query, void *data,
                                   uint32_t size_bytes, bool do_not_flush);
/* Null ends predication. */
void umd_set_predication(struct umd_context *context, struct umd_query *predicate, bool value);

/* ---- Command lists ------------------------------------------------------------------------------------- */

/* FinishCommandList without RestoreDeferredContextState: the deferred context is as new afterwards. (A
 * runtime that is to restore its state sets it again: it has it for its getters.) */
enum umd_status umd_create_command_list(struct umd_context *deferred, struct umd_command_list **list);
void umd_destroy_command_list(struct umd_device *device, struct umd_command_list *list);
/* ExecuteCommandList: without `restore_state` the context's state is Direct3D's default afterwards. */
void umd_execute_command_list(struct umd_context *context, struct umd_command_list *list, bool restore_state);

/* ---- Submission ---------------------------------------------------------------------------------------- */

/* Hands what is recorded to the device. *fence (may be null) completes when all work of the device so far is
 * done. */
enum umd_status umd_flush(struct umd_context *context, uint64_t *fence);
uint64_t umd_completed_fence(struct umd_device *device);
/* UMD_OK, UMD_WAS_STILL_DRAWING after `timeout_ns` (UINT64_MAX: none), UMD_DEVICE_REMOVED. */
enum umd_status umd_wait_for_fence(struct umd_device *device, uint64_t fence, uint64_t timeout_ns);
enum umd_status umd_wait_idle(struct umd_context *context);

/* A picture that a present has stored for the guest. */
struct umd_picture {
    const uint8_t
        *pixels; /* bytes R, G, B, A, 4 * width a row, top row first; valid once `fence` is complete */
    uint32_t width, height;
    uint64_t fence;
};

struct umd_present {
    struct umd_resource *texture; /* with samples, too */
    uint32_t subresource;
    uint32_t swap_chain;    /* the caller's number of the swap chain, from 1 */
    uint32_t sync_interval; /* 0: at once */
    /* Null: only the other side shows it. Else *picture is what the caller's own window shows, to be
     * released; null where there is no room for a picture. */
    struct umd_picture **picture;
};
/* Shows a texture, and flushes. *fence (may be null) completes when it is shown. Bindings stay. */
enum umd_status umd_present(struct umd_context *context, const struct umd_present *present, uint64_t *fence);
void umd_release_picture(struct umd_device *device, struct umd_picture *picture);
/* Gives each texture the texels of the next one, and those of the first to the last, through a spare one
 * alike. No predicate is asked. */
void umd_rotate_resources(struct umd_context *context, struct umd_resource *const *textures, uint32_t count,
                          struct umd_resource *spare);

/* Text into the stream, for captures. */
void umd_set_marker(struct umd_context *context, const char *text, uint32_t length);

#ifdef __cplusplus
}
#endif

#endif
