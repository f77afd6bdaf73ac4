/* SPDX-License-Identifier: MIT
 *
 * What a Direct3D 11 device context holds: bindings and state, one set for each context id of the guest.
 *
 * A slot keeps the handle it was bound with and, once that names something, the object. A handle that names
 * nothing is not an error until a draw needs the slot (spec: ABI 12.1 E9).
 */
#ifndef AGPU_EXEC_CONTEXT_H
#define AGPU_EXEC_CONTEXT_H

#include "aerogpu/abi/ext.h"
#include "aerogpu/stream.h"
#include "exec/object.h"
#include "exec/stream_output.h"

#define AGPU_VERTEX_BUFFER_SLOTS 32
#define AGPU_RESOURCE_SLOTS 128
#define AGPU_SAMPLER_SLOTS 16
#define AGPU_CBUFFER_SLOTS 14
#define AGPU_UAV_SLOTS 64
#define AGPU_VIEWPORT_SLOTS 16
#define AGPU_CONSTANT_REGISTERS 4096
#define AGPU_MAX_CONTEXTS 1024
#define AGPU_D3D9_RENDER_STATES 256
#define AGPU_D3D9_SAMPLER_STATES 16

struct agpu_resource_slot {
    uint32_t handle;
    struct agpu_texture_view *view; /* a texture, or */
    struct agpu_buffer *buffer;     /* a buffer's bytes */
    uint32_t offset, size;          /* size 0: to the end, unless `bound` tells */
    struct agpu_view *bound;        /* the extension's view that is bound; else null */
};

struct agpu_sampler_slot {
    uint32_t handle;
    struct agpu_sampler *sampler;
};

struct agpu_buffer_slot { /* constant buffers, UAVs */
    uint32_t handle;
    struct agpu_buffer *buffer;
    uint32_t offset, size; /* size 0: to the end, unless `bound` tells */
    uint32_t initial_count;
    struct agpu_view *bound; /* UAVs: the extension's view that is bound; else null */
};

/* SET_SHADER_CONSTANTS: float, integer and bool registers. */
struct agpu_constant_registers {
    uint8_t *floats; /* AGPU_CONSTANT_REGISTERS * 16 bytes once set; they stand in for an unbound b0 */
    uint8_t *integers, *bools;
    uint64_t version;
};

#define AGPU_MAX_CLASS_INSTANCES 253 /* D3D11_SHADER_MAX_INTERFACES */

/* EXT_SET_CLASS_INSTANCES */
struct agpu_class_instances {
    uint32_t count;
    struct aerogpu_ext_class_instance slots[AGPU_MAX_CLASS_INSTANCES];
};

struct agpu_stage_bindings {
    struct agpu_resource_slot resources[AGPU_RESOURCE_SLOTS];
    struct agpu_sampler_slot samplers[AGPU_SAMPLER_SLOTS];
    struct agpu_buffer_slot cbuffers[AGPU_CBUFFER_SLOTS];
    struct agpu_buffer_slot uavs[AGPU_UAV_SLOTS];
    struct agpu_constant_registers constants;
    struct agpu_class_instances *instances; /* null: none */
};

struct agpu_vertex_buffer_slot {
    uint32_t handle;
    struct agpu_buffer *buffer;
    uint32_t stride, offset;
};

struct agpu_target_slot {
    uint32_t handle;
    struct agpu_texture_view *view;
};

struct agpu_viewport {
    float x, y, width, height, min_depth, max_depth;
};

/* Right and bottom are exclusive; a rectangle may be empty. */
struct agpu_scissor {
    int64_t left, top, right, bottom;
};

struct agpu_stream_output_target {
    uint32_t handle;
    struct agpu_buffer *buffer;
};

struct agpu_context {
    uint32_t id;
    bool ended;                         /* memory ran out under it: nothing more is executed until a reset */
    uint32_t shaders[AGPU_STAGE_COUNT]; /* handles */
    uint32_t input_layout_handle;
    struct agpu_layout_object *input_layout;
    struct { /* what the last match of layout and vertex shader came to */
        uint64_t layout_id, program_id;
        int8_t elements[AGPU_MAX_REGISTERS];
    } match;
    struct agpu_vertex_buffer_slot vertex_buffers[AGPU_VERTEX_BUFFER_SLOTS];
    struct {
        uint32_t handle;
        struct agpu_buffer *buffer;
        bool wide; /* 32-bit indices */
        uint32_t offset;
    } index_buffer;
    uint32_t topology;

    struct agpu_blend_desc blend;
    float blend_factor[4];
    uint32_t sample_mask;
    struct agpu_depth_stencil_desc depth_stencil;
    uint32_t stencil_reference;
    struct agpu_rasterizer_desc rasterizer;
    struct agpu_viewport viewports[AGPU_VIEWPORT_SLOTS];
    uint32_t viewport_count; /* 0: the whole target; those past it are empty */
    struct agpu_scissor scissors[AGPU_VIEWPORT_SLOTS];
    uint32_t scissor_count; /* 0: none; those past it are empty */

    struct agpu_target_slot targets[AGPU_MAX_RENDER_TARGETS];
    uint32_t target_count;
    struct agpu_target_slot depth_target;

    struct agpu_stream_output_target stream_outputs[AGPU_STREAM_OUTPUT_SLOTS];

    struct agpu_stage_bindings stages[AGPU_STAGE_COUNT];

    uint32_t predicate;   /* handle of the query that decides whether work is done, or 0 */
    bool predicate_skips; /* it is not */

    /* Direct3D 9 state: kept, used by nothing. */
    uint32_t render_states[AGPU_D3D9_RENDER_STATES];
    uint32_t sampler_states[AGPU_STAGE_COUNT][AGPU_SAMPLER_SLOTS][AGPU_D3D9_SAMPLER_STATES];
    bool d3d9_reported;
};

/* The context of an id, made with Direct3D's initial state when new. Null when it was reported. */
struct agpu_context *agpu_context_get(struct agpu_exec *exec, uint32_t id);
void agpu_contexts_clear(struct agpu_exec *exec);

/* Direct3D's initial state; the id stays. */
void agpu_context_clear_state(struct agpu_context *context);
/* Moves the state into *saved, which the context then has no part of, and clears it; and brings it back. */
void agpu_context_save(struct agpu_context *context, struct agpu_context *saved);
void agpu_context_restore(struct agpu_context *context, const struct agpu_context *saved);

/* Takes a dying object out of every context (spec: ABI 12.3). */
void agpu_contexts_forget_resource(struct agpu_exec *exec, const struct agpu_resource *resource);
void agpu_contexts_forget_view(struct agpu_exec *exec, const struct agpu_view *view);
void agpu_contexts_forget_sampler(struct agpu_exec *exec, const struct agpu_sampler *sampler);
void agpu_contexts_forget_input_layout(struct agpu_exec *exec, const struct agpu_layout_object *layout);

/* Direct3D's hazard rules (D3D11.3 5.3.9.4): what is bound as output cannot become an input, and what becomes
 * an output stops being an input. Textures count by subresource. */
void agpu_context_bind_resource(struct agpu_context *context, enum agpu_stream_stage stage, uint32_t index,
                                struct agpu_resource_slot slot);
/* Whether a view shows what a target writes: its first mip, and the first layer or all of them. `target` may
 * be null. */
bool agpu_view_is_target(const struct agpu_texture_view *view, const struct agpu_texture_view *target);
bool agpu_context_writes_view(const struct agpu_context *context, const struct agpu_texture_view *view);
bool agpu_context_writes_buffer(const struct agpu_context *context, const struct agpu_buffer *buffer);
/* (uav.c) Whether the buffer, which may be null, is an unordered access buffer of draws. */
bool agpu_context_pixels_write(const struct agpu_context *context, const struct agpu_buffer *buffer);
void agpu_context_bound_as_uav(struct agpu_context *context, const struct agpu_buffer *buffer);
void agpu_context_bound_as_target(struct agpu_context *context, const struct agpu_texture_view *view);

#endif
