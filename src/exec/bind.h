/* SPDX-License-Identifier: MIT
 *
 * Bind group layouts made from a module's reflection, and bind groups made from a context's bindings, cached
 * by their contents.
 */
#ifndef AGPU_EXEC_BIND_H
#define AGPU_EXEC_BIND_H

#include "exec/context.h"
#include "expand/kernel.h"

struct agpu_exec;

#define AGPU_MAX_STAGE_BINDINGS 256
#define AGPU_MAX_DYNAMIC_OFFSETS 8

/* Layout of one group; shared by all modules that need the same. */
struct agpu_stage_layout {
    uint64_t id;
    WGPUBindGroupLayout gpu;
    struct agpu_layout_key *key; /* private */
    size_t key_size;
    uint32_t dynamic_count; /* the first uniform buffers have dynamic offsets */
};

/* The layout of a module's own group. Null when it was reported: something in it cannot be expressed. */
struct agpu_stage_layout *agpu_stage_layout_get(struct agpu_exec *exec, const struct agpu_module *module);
/* The constant buffers, bit n for slot n, that are more uniform buffers than the device binds in a stage,
 * while it takes them as storage buffers. 0: none. */
uint16_t agpu_stage_layout_excess(const struct agpu_exec *exec, const struct agpu_module *module);
/* Flavours that run as compute passes in front of a draw. */
bool agpu_flavour_expands(enum agpu_flavour flavour);
/* Group 3 of a module of an expansion: its lists and records, the draw block if it uses it (the vertex shader
 * of the draw always: its pixel shader may), and the resources of a geometry, hull or domain shader. Null as
 * above. */
struct agpu_stage_layout *agpu_expansion_layout_get(struct agpu_exec *exec, const struct agpu_module *module);
/* The layout of group 3, which holds the draw block; and the one of a group that nothing uses. */
struct agpu_stage_layout *agpu_internal_layout_get(struct agpu_exec *exec);
struct agpu_stage_layout *agpu_empty_layout_get(struct agpu_exec *exec);
/* One binding of the module as an entry of a layout, without a dynamic offset. */
void agpu_binding_layout_entry(const struct agpu_module *module, const struct agpu_binding *binding,
                               WGPUBindGroupLayoutEntry *out);
/* What WebGPU calls a sampler of that kind. */
WGPUSamplerBindingType agpu_sampler_binding_type(enum agpu_binding_kind kind, bool filtered);
void agpu_stage_layouts_clear(struct agpu_exec *exec);

/* What one binding of a group is. */
struct agpu_bind_item {
    uint32_t binding;
    uint32_t padding;
    uint64_t id; /* of the object */
    uint64_t offset, size;
    WGPUBuffer buffer;
    WGPUTextureView view;
    WGPUSampler sampler;
};

struct agpu_bound_group {
    WGPUBindGroup gpu; /* owned by the cache; alive until the next one is looked up */
    uint32_t offsets[AGPU_MAX_DYNAMIC_OFFSETS];
    uint32_t offset_count;
};

/* The draw block of a draw, filled in as groups are bound. */
struct agpu_draw_block {
    uint8_t bytes[AGPU_DRAW_BLOCK_BYTES];
};

/* Brings up to date and binds what a stage's module uses; may end the open pass. Fills in the module's part
 * of the draw block's views. False when the draw cannot go on: reported; *failed tells that the stream stops.
 */
bool agpu_bind_stage(struct agpu_exec *exec, struct agpu_context *context, enum agpu_stage stage,
                     const struct agpu_shader_variant *variant, const struct agpu_shader_program *program,
                     struct agpu_draw_block *block, struct agpu_bound_group *group, bool *failed);
/* Group 3 of an expansion's variant: `lists` are its lists and records, by binding from AGPU_BINDING_INTERNAL
 * on. The rest as above; the draw block is bound last, as it then is. */
bool agpu_bind_expansion(struct agpu_exec *exec, struct agpu_context *context, enum agpu_stage stage,
                         const struct agpu_shader_variant *variant, const struct agpu_shader_program *program,
                         const struct agpu_bind_item lists[AGPU_EXPAND_BINDING_COUNT],
                         struct agpu_draw_block *block, struct agpu_bound_group *group, bool *failed);
/* Group 3. */
bool agpu_bind_draw_block(struct agpu_exec *exec, const struct agpu_draw_block *block,
                          struct agpu_bound_group *group);
WGPUBindGroup agpu_bind_empty(struct agpu_exec *exec);

/* (uav.c) True when a draw or dispatch with the module has buffers that it may write: a draw then needs a
 * render pass of its own. */
bool agpu_uavs_used(const struct agpu_module *module);
/* Before a draw or dispatch: what is bound as unordered access buffer is nothing else (D3D11.3 5.3.9.4). */
void agpu_uavs_resolve(struct agpu_exec *exec, struct agpu_context *context, enum agpu_stage stage);
/* Then: which slots that the program declares are views of one buffer. */
void agpu_uavs_alias(const struct agpu_context *context, enum agpu_stage stage,
                     const struct agpu_shader_program *program, struct agpu_uav_aliases *aliases);
/* Whether what is bound is what the shader declares; if not, it is as if nothing were. */
bool agpu_uav_fits(const struct agpu_binding *binding, const struct agpu_buffer_slot *slot);
/* Whether stores through one slot would be lost behind those through the other: texels of one are bytes of
 * the other, and are packed when the draw is over. */
bool agpu_uavs_collide(const struct agpu_buffer_slot *a, const struct agpu_buffer_slot *b);
/* After binding and before recording, outside of a pass: texels and counters as shaders see them. False when
 * it was reported. And after recording. */
bool agpu_uavs_load(struct agpu_exec *exec, struct agpu_context *context, enum agpu_stage stage,
                    const struct agpu_module *module);
void agpu_uavs_store(struct agpu_exec *exec, struct agpu_context *context, enum agpu_stage stage,
                     const struct agpu_module *module);

/* (counter.c) The counters of a stage's slots, as one buffer. Around a draw or dispatch that uses them: after
 * binding and before recording, and after recording. */
void agpu_counters_bind(struct agpu_exec *exec, struct agpu_bind_item *item);
bool agpu_counters_load(struct agpu_exec *exec, struct agpu_context *context, enum agpu_stage stage,
                        const struct agpu_module *module);
void agpu_counters_store(struct agpu_exec *exec, struct agpu_context *context, enum agpu_stage stage,
                         const struct agpu_module *module);

/* The cached or new bind group of these items. */
WGPUBindGroup agpu_bind_group_get(struct agpu_exec *exec, const struct agpu_stage_layout *layout,
                                  const struct agpu_bind_item *items, uint32_t count);
/* A group that is used once: the caller releases it when it is recorded. */
WGPUBindGroup agpu_bind_group_create(struct agpu_exec *exec, const WGPUBindGroupDescriptor *descriptor);
/* Makes a kernel when it is first needed. Its groups come from the cache. */
const struct agpu_kernel *agpu_bind_kernel_make(struct agpu_exec *exec, struct agpu_kernel *kernel,
                                                const struct agpu_kernel_desc *desc);
/* Runs it once, in a pass of its own, for that many invocations. The block is copied; `ranges` are those of
 * the other bindings; ranges[0] is filled in. False when it was reported and nothing runs. */
struct agpu_kernel_run {
    const struct agpu_kernel *kernel;
    uint32_t entry;
    const void *block;
    size_t block_bytes;
    struct agpu_buffer_range ranges[AGPU_KERNEL_BINDINGS];
    uint64_t invocations;
};
bool agpu_bind_kernel_run(struct agpu_exec *exec, WGPUCommandEncoder encoder, struct agpu_kernel_run *run);
/* The cache for kernels that others made. */
struct agpu_kernel_groups agpu_bind_kernel_groups(struct agpu_exec *exec);
/* Drops the groups that hold a dying object. */
void agpu_bind_forget(struct agpu_exec *exec, uint64_t id);
/* Drops groups that have not been used for a while when there are many. */
void agpu_bind_groups_trim(struct agpu_exec *exec);
void agpu_bind_groups_clear(struct agpu_exec *exec);

/* ---- Constants (cbuffer.c) ---------------------------------------------------------------------------- */

struct agpu_bound_range {
    WGPUBuffer buffer;
    uint64_t id, offset;
    uint64_t size;  /* of the binding: at least what the module needs */
    uint64_t bound; /* bytes that the guest bound; zeros follow */
};

/* Constant buffer `slot` of a stage. False as with agpu_bind_stage(). */
bool agpu_bind_constants(struct agpu_exec *exec, struct agpu_context *context, enum agpu_stage stage,
                         const struct agpu_binding *binding, struct agpu_bound_range *range, bool *failed);
/* Bytes that never change, as a uniform buffer: an immediate constant buffer. */
bool agpu_bind_bytes(struct agpu_exec *exec, const void *data, uint64_t size, uint64_t need,
                     struct agpu_bound_range *range);

/* Where the bytes of a constant went, so that equal ones go there only once. */
#define AGPU_CONSTANT_CACHE 64
struct agpu_constant_entry {
    uint64_t version, offset, bound, need; /* key */
    uint64_t epoch;                        /* of the ring */
    struct agpu_bound_range range;
};

/* ---- What targets hold, for logic operations (destination.c) ------------------------------------------ */

/* A copy of one subresource, of which a draw brings the part that it covers up to date. */
struct agpu_destination {
    WGPUTexture gpu;
    WGPUTextureView view;
    uint64_t id;
    WGPUTextureFormat format;
    uint32_t width, height;
};

/* Of the copy of target `index`, or null: agpu_destinations_reserve() was not called for it. */
WGPUTextureView agpu_destination_view(const struct agpu_exec *exec, uint32_t index, uint64_t *id);
void agpu_destinations_clear(struct agpu_exec *exec);

/* ---- Dummies (dummy.c) -------------------------------------------------------------------------------- */

/* Zeros in place of what is not bound. */
WGPUBuffer agpu_dummy_zeros(struct agpu_exec *exec, uint64_t *id);
WGPUBuffer agpu_dummy_sink(struct agpu_exec *exec, uint32_t index, uint64_t *id);
WGPUTextureView agpu_dummy_texture(struct agpu_exec *exec, enum agpu_sample_type type,
                                   WGPUTextureViewDimension dimension, bool multisampled, uint64_t *id);
WGPUSampler agpu_dummy_sampler(struct agpu_exec *exec, WGPUSamplerBindingType type, uint64_t *id);
/* A colour target of at least that size, whose contents do not matter. Null when it was reported. */
struct agpu_texture *agpu_dummy_target(struct agpu_exec *exec, uint32_t width, uint32_t height);
void agpu_dummies_clear(struct agpu_exec *exec);

WGPUTextureViewDimension agpu_view_dimension(uint8_t resource_dimension);

#define AGPU_ZERO_BYTES 65536
#define AGPU_DUMMY_SINK_BYTES 256

struct agpu_dummies {
    WGPUBuffer zeros;
    uint64_t zeros_id;
    struct {
        WGPUBuffer gpu;
        uint64_t id;
    } sinks[AGPU_UAV_SLOTS];
    struct {
        WGPUTexture gpu;
        WGPUTextureView view;
        uint64_t id;
    } textures[4][8][2]; /* sample type, dimension, multisampled */
    struct {
        WGPUSampler gpu;
        uint64_t id;
    } samplers[3]; /* filtering, not filtering, comparing */
    struct agpu_texture *target;
};

#endif
