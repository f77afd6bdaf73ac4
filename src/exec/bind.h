/* SPDX-License-Identifier: MIT
 *
 * Bind group layouts made from a module's reflection, and bind groups made from a context's bindings, cached
 * by their contents.
 */
#ifndef AG_EXEC_BIND_H
#define AG_EXEC_BIND_H

#include "exec/context.h"
#include "expand/kernel.h"
#include "wgsl/draw_block.h"
#include "wgsl/expansion.h"

struct ag_exec;

#define AG_MAX_STAGE_BINDINGS 256
#define AG_MAX_DYNAMIC_OFFSETS 8

/* Layout of one group; shared by all modules that need the same. */
struct ag_stage_layout {
    uint64_t id;
    WGPUBindGroupLayout gpu;
    struct ag_layout_key *key; /* private */
    size_t key_size;
    uint32_t dynamic_count; /* the first uniform buffers have dynamic offsets */
};

/* The layout of a module's own group. Null when it was reported: something in it cannot be expressed. */
struct ag_stage_layout *ag_stage_layout_get(struct ag_exec *exec, const struct agpu_module *module);
/* The constant buffers, bit n for slot n, that are more uniform buffers than the device binds in a stage,
 * while it takes them as storage buffers. 0: none. */
uint16_t ag_stage_layout_excess(const struct ag_exec *exec, const struct agpu_module *module);
/* Flavours that run as compute passes in front of a draw. */
bool ag_flavour_expands(enum agpu_flavour flavour);
/* Group 3 of a module of an expansion: its lists and records, the draw block if it uses it (the vertex shader
 * of the draw always: its pixel shader may), and the resources of a geometry, hull or domain shader. Null as
 * above. */
struct ag_stage_layout *ag_expansion_layout_get(struct ag_exec *exec, const struct agpu_module *module);
/* The layout of group 3, which holds the draw block; and the one of a group that nothing uses. */
struct ag_stage_layout *ag_internal_layout_get(struct ag_exec *exec);
struct ag_stage_layout *ag_empty_layout_get(struct ag_exec *exec);
/* One binding of the module as an entry of a layout, without a dynamic offset. */
void ag_binding_layout_entry(const struct agpu_module *module, const struct agpu_binding *binding,
                             WGPUBindGroupLayoutEntry *out);
/* What WebGPU calls a sampler of that kind. */
WGPUSamplerBindingType ag_sampler_binding_type(enum agpu_binding_kind kind, bool filtered);
void ag_stage_layouts_clear(struct ag_exec *exec);

/* What one binding of a group is. */
struct ag_bind_item {
    uint32_t binding;
    uint32_t padding;
    uint64_t id; /* of the object */
    uint64_t offset, size;
    WGPUBuffer buffer;
    WGPUTextureView view;
    WGPUSampler sampler;
};

struct ag_bound_group {
    WGPUBindGroup gpu; /* owned by the cache; alive until the next one is looked up */
    uint32_t offsets[AG_MAX_DYNAMIC_OFFSETS];
    uint32_t offset_count;
};

/* The draw block of a draw, filled in as groups are bound. */
struct ag_draw_block {
    uint8_t bytes[AG_DRAW_BLOCK_BYTES];
};

/* Brings up to date and binds what a stage's module uses; may end the open pass. Fills in the module's part
 * of the draw block's views. False when the draw cannot go on: reported; *failed tells that the stream stops.
 */
bool ag_bind_stage(struct ag_exec *exec, struct ag_context *context, enum agpu_stage stage,
                   const struct ag_shader_variant *variant, const struct ag_shader_program *program,
                   struct ag_draw_block *block, struct ag_bound_group *group, bool *failed);
/* Group 3 of an expansion's variant: `lists` are its lists and records, by binding from AG_BINDING_INTERNAL
 * on. The rest as above; the draw block is bound last, as it then is. */
bool ag_bind_expansion(struct ag_exec *exec, struct ag_context *context, enum agpu_stage stage,
                       const struct ag_shader_variant *variant, const struct ag_shader_program *program,
                       const struct ag_bind_item lists[AG_EXPAND_BINDING_COUNT],
                       struct ag_draw_block *block, struct ag_bound_group *group, bool *failed);
/* Group 3. */
bool ag_bind_draw_block(struct ag_exec *exec, const struct ag_draw_block *block,
                        struct ag_bound_group *group);
WGPUBindGroup ag_bind_empty(struct ag_exec *exec);

/* (uav.c) True when a draw or dispatch with the module has buffers that it may write: a draw then needs a
 * render pass of its own. */
bool ag_uavs_used(const struct agpu_module *module);
/* Before a draw or dispatch: what is bound as unordered access buffer is nothing else (D3D11.3 5.3.9.4). */
void ag_uavs_resolve(struct ag_exec *exec, struct ag_context *context, enum agpu_stage stage);
/* Then: which slots that the program declares are views of one buffer. */
void ag_uavs_alias(const struct ag_context *context, enum agpu_stage stage,
                   const struct ag_shader_program *program, struct ag_uav_aliases *aliases);
/* Whether what is bound is what the shader declares; if not, it is as if nothing were. */
bool ag_uav_fits(const struct agpu_binding *binding, const struct ag_buffer_slot *slot);
/* Whether stores through one slot would be lost behind those through the other: texels of one are bytes of
 * the other, and are packed when the draw is over. */
bool ag_uavs_collide(const struct ag_buffer_slot *a, const struct ag_buffer_slot *b);
/* After binding and before recording, outside of a pass: texels and counters as shaders see them. False when
 * it was reported. And after recording. */
bool ag_uavs_load(struct ag_exec *exec, struct ag_context *context, enum agpu_stage stage,
                  const struct agpu_module *module);
void ag_uavs_store(struct ag_exec *exec, struct ag_context *context, enum agpu_stage stage,
                   const struct agpu_module *module);

/* (counter.c) The counters of a stage's slots, as one buffer. Around a draw or dispatch that uses them: after
 * binding and before recording, and after recording. */
void ag_counters_bind(struct ag_exec *exec, struct ag_bind_item *item);
bool ag_counters_load(struct ag_exec *exec, struct ag_context *context, enum agpu_stage stage,
                      const struct agpu_module *module);
void ag_counters_store(struct ag_exec *exec, struct ag_context *context, enum agpu_stage stage,
                       const struct agpu_module *module);

/* The cached or new bind group of these items. */
WGPUBindGroup ag_bind_group_get(struct ag_exec *exec, const struct ag_stage_layout *layout,
                                const struct ag_bind_item *items, uint32_t count);
/* A group that is used once: the caller releases it when it is recorded. */
WGPUBindGroup ag_bind_group_create(struct ag_exec *exec, const WGPUBindGroupDescriptor *descriptor);
/* Makes a kernel when it is first needed. Its groups come from the cache. */
const struct ag_kernel *ag_bind_kernel_make(struct ag_exec *exec, struct ag_kernel *kernel,
                                            const struct ag_kernel_desc *desc);
/* Runs it once, in a pass of its own, for that many invocations. The block is copied; `ranges` are those of
 * the other bindings; ranges[0] is filled in. False when it was reported and nothing runs. */
struct ag_kernel_run {
    const struct ag_kernel *kernel;
    uint32_t entry;
    const void *block;
    size_t block_bytes;
    struct ag_buffer_range ranges[AG_KERNEL_BINDINGS];
    uint64_t invocations;
};
bool ag_bind_kernel_run(struct ag_exec *exec, WGPUCommandEncoder encoder, struct ag_kernel_run *run);
/* The cache for kernels that others made. */
struct ag_kernel_groups ag_bind_kernel_groups(struct ag_exec *exec);
/* Drops the groups that hold a dying object. */
void ag_bind_forget(struct ag_exec *exec, uint64_t id);
/* Drops groups that have not been used for a while when there are many. */
void ag_bind_groups_trim(struct ag_exec *exec);
void ag_bind_groups_clear(struct ag_exec *exec);

/* ---- Constants (cbuffer.c) ---------------------------------------------------------------------------- */

struct ag_bound_range {
    WGPUBuffer buffer;
    uint64_t id, offset;
    uint64_t size;  /* of the binding: at least what the module needs */
    uint64_t bound; /* bytes that the guest bound; zeros follow */
};

/* Constant buffer `slot` of a stage. False as with ag_bind_stage(). */
bool ag_bind_constants(struct ag_exec *exec, struct ag_context *context, enum agpu_stage stage,
                       const struct agpu_binding *binding, struct ag_bound_range *range, bool *failed);
/* Bytes that never change, as a uniform buffer: an immediate constant buffer. */
bool ag_bind_bytes(struct ag_exec *exec, const void *data, uint64_t size, uint64_t need,
                   struct ag_bound_range *range);

/* Where the bytes of a constant went, so that equal ones go there only once. */
#define AG_CONSTANT_CACHE 64
struct ag_constant_entry {
    uint64_t version, offset, bound, need; /* key */
    uint64_t epoch;                        /* of the ring */
    struct ag_bound_range range;
};

/* ---- What targets hold, for logic operations (destination.c) ------------------------------------------ */

/* A copy of one subresource, of which a draw brings the part that it covers up to date. */
struct ag_destination {
    WGPUTexture gpu;
    WGPUTextureView view;
    uint64_t id;
    WGPUTextureFormat format;
    uint32_t width, height;
};

/* Of the copy of target `index`, or null: ag_destinations_reserve() was not called for it. */
WGPUTextureView ag_destination_view(const struct ag_exec *exec, uint32_t index, uint64_t *id);
void ag_destinations_clear(struct ag_exec *exec);

/* ---- Dummies (dummy.c) -------------------------------------------------------------------------------- */

/* Zeros in place of what is not bound. */
WGPUBuffer ag_dummy_zeros(struct ag_exec *exec, uint64_t *id);
WGPUBuffer ag_dummy_sink(struct ag_exec *exec, uint32_t index, uint64_t *id);
WGPUTextureView ag_dummy_texture(struct ag_exec *exec, enum agpu_sample_type type,
                                 WGPUTextureViewDimension dimension, bool multisampled, uint64_t *id);
WGPUSampler ag_dummy_sampler(struct ag_exec *exec, WGPUSamplerBindingType type, uint64_t *id);
/* A colour target of at least that size, whose contents do not matter. Null when it was reported. */
struct ag_texture *ag_dummy_target(struct ag_exec *exec, uint32_t width, uint32_t height);
void ag_dummies_clear(struct ag_exec *exec);

WGPUTextureViewDimension ag_view_dimension(uint8_t resource_dimension);

#define AG_ZERO_BYTES 65536
#define AG_DUMMY_SINK_BYTES 256

struct ag_dummies {
    WGPUBuffer zeros;
    uint64_t zeros_id;
    struct {
        WGPUBuffer gpu;
        uint64_t id;
    } sinks[AG_UAV_SLOTS];
    struct {
        WGPUTexture gpu;
        WGPUTextureView view;
        uint64_t id;
    } textures[4][8][2]; /* sample type, dimension, multisampled */
    struct {
        WGPUSampler gpu;
        uint64_t id;
    } samplers[3]; /* filtering, not filtering, comparing */
    struct ag_texture *target;
};

#endif
