/* SPDX-License-Identifier: MIT
 *
 * What a Direct3D 11 device context holds: bindings and state, one set for each context id of the guest.
 *
 * A slot keeps the handle it was bound with and, once that names something, the object. A handle that names
 * nothing is not an error until a draw needs the slot (spec: ABI 12.1 E9).
 */
#ifndef AG_EXEC_BIND_CONTEXT_H
#define AG_EXEC_BIND_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/packet_effect.h"
#include "aerogpu/abi/ext.h"
#include "aerogpu/dxbc.h"
#include "aerogpu/stream.h"
#include "aerogpu/translate.h"
#include "exec/state/rect.h"
#include "exec/state/slots.h"
#include "exec/state/state.h"
#include "kernel/stream_output.h"

struct ag_binder;
struct ag_buffer;
struct ag_input_layout_object;
struct ag_resource;
struct ag_sampler;
struct ag_texture_view;
struct ag_view;

struct ag_resource_slot {
    uint32_t handle;
    struct ag_texture_view *view; /* a texture, or */
    struct ag_buffer *buffer;     /* a buffer's bytes */
    uint32_t offset, size;        /* size 0: to the end, unless `bound` tells */
    struct ag_view *bound;        /* the extension's view that is bound; else null */
};

struct ag_sampler_slot {
    uint32_t handle;
    struct ag_sampler *sampler;
};

struct ag_buffer_slot { /* constant buffers, UAVs */
    uint32_t handle;
    struct ag_buffer *buffer;
    uint32_t offset, size; /* size 0: to the end, unless `bound` tells */
    uint32_t initial_count;
    struct ag_view *bound; /* UAVs: the extension's view that is bound; else null */
};

/* SET_SHADER_CONSTANTS: float, integer and bool registers. */
struct ag_constant_registers {
    uint8_t *floats; /* AG_CONSTANT_REGISTERS * 16 bytes once set; they stand in for an unbound b0 */
    uint8_t *integers, *bools;
    uint64_t version;
};

#define AG_MAX_CLASS_INSTANCES 253 /* D3D11_SHADER_MAX_INTERFACES */

/* EXT_SET_CLASS_INSTANCES */
struct ag_class_instances {
    uint32_t count;
    struct aerogpu_ext_class_instance slots[AG_MAX_CLASS_INSTANCES];
};

struct ag_stage_bindings {
    struct ag_resource_slot resources[AG_RESOURCE_SLOTS];
    struct ag_sampler_slot samplers[AG_SAMPLER_SLOTS];
    struct ag_buffer_slot cbuffers[AG_CBUFFER_SLOTS];
    struct ag_buffer_slot uavs[AG_UAV_SLOTS];
    struct ag_constant_registers constants;
    struct ag_class_instances *instances; /* null: none */
};

struct ag_vertex_buffer_slot {
    uint32_t handle;
    struct ag_buffer *buffer;
    uint32_t stride, offset;
};

struct ag_target_slot {
    uint32_t handle;
    struct ag_texture_view *view;
};

struct ag_stream_output_target {
    uint32_t handle;
    struct ag_buffer *buffer;
};

struct ag_context {
    uint32_t id;
    bool ended;                         /* memory ran out under it: nothing more is executed until a reset */
    uint32_t shaders[AGPU_STAGE_COUNT]; /* handles */
    uint32_t input_layout_handle;
    struct ag_input_layout_object *input_layout;
    struct { /* what the last match of layout and vertex shader came to */
        uint64_t layout_id, program_id;
        int8_t elements[AGPU_MAX_REGISTERS];
    } match;
    struct ag_vertex_buffer_slot vertex_buffers[AG_VERTEX_BUFFER_SLOTS];
    struct {
        uint32_t handle;
        struct ag_buffer *buffer;
        bool wide; /* 32-bit indices */
        uint32_t offset;
    } index_buffer;
    uint32_t topology;

    struct ag_blend_desc blend;
    float blend_factor[4];
    uint32_t sample_mask;
    struct ag_depth_stencil_desc depth_stencil;
    uint32_t stencil_reference;
    struct ag_rasterizer_desc rasterizer;
    struct ag_viewport viewports[AG_VIEWPORT_SLOTS];
    uint32_t viewport_count; /* 0: the whole target; those past it are empty */
    struct ag_scissor scissors[AG_VIEWPORT_SLOTS];
    uint32_t scissor_count; /* 0: none; those past it are empty */

    struct ag_target_slot targets[AGPU_MAX_RENDER_TARGETS];
    uint32_t target_count;
    struct ag_target_slot depth_target;

    struct ag_stream_output_target stream_outputs[AG_STREAM_OUTPUT_SLOTS];

    struct ag_stage_bindings stages[AGPU_STAGE_COUNT];

    uint32_t predicate;   /* handle of the query that decides whether work is done, or 0 */
    bool predicate_skips; /* it is not */

    /* Direct3D 9 state: kept, used by nothing. */
    uint32_t render_states[AG_D3D9_RENDER_STATES];
    uint32_t sampler_states[AGPU_STAGE_COUNT][AG_SAMPLER_SLOTS][AG_D3D9_SAMPLER_STATES];
    bool d3d9_reported;
};

/* The context of an id, made with Direct3D's initial state when new. Null when it was reported. */
struct ag_context *ag_context_get(struct ag_binder *binder, uint32_t id);
void ag_contexts_clear(struct ag_binder *binder);
/* Direct3D's initial state; the id stays. */
void ag_context_clear_state(struct ag_context *context);

/* A context that is not the guest's: the state moves there, and `context` is cleared. Null when the host's
 * memory is exhausted; then nothing changed. Freed by ag_context_destroy(). */
struct ag_context *ag_context_save(struct ag_context *context);
/* Moves the state of `saved` back. */
void ag_context_restore(struct ag_context *context, struct ag_context *saved);
/* Accepts null. */
void ag_context_destroy(struct ag_context *context);

/* Takes a dying object out of every context (spec: ABI 12.3). */
void ag_contexts_forget_resource(struct ag_binder *binder, const struct ag_resource *resource);
void ag_contexts_forget_view(struct ag_binder *binder, const struct ag_view *view);
void ag_contexts_forget_predicate(struct ag_binder *binder, uint32_t query);
void ag_contexts_forget_sampler(struct ag_binder *binder, const struct ag_sampler *sampler);
void ag_contexts_forget_input_layout(struct ag_binder *binder, const struct ag_input_layout_object *layout);
/* Direct3D's hazard rules (D3D11.3 5.3.9.4): what is bound as output cannot become an input, and what becomes
 * an output stops being an input. Textures count by subresource. */
void ag_context_bind_resource(struct ag_context *context, enum agpu_stream_stage stage, uint32_t index,
                              struct ag_resource_slot slot);
/* Whether a view shows what a target writes: its first mip, and the first layer or all of them. `target` may
 * be null. */
bool ag_view_is_target(const struct ag_texture_view *view, const struct ag_texture_view *target);
bool ag_context_writes_view(const struct ag_context *context, const struct ag_texture_view *view);
bool ag_context_writes_buffer(const struct ag_context *context, const struct ag_buffer *buffer);
void ag_context_bound_as_uav(struct ag_context *context, const struct ag_buffer *buffer);
void ag_context_bound_as_target(struct ag_context *context, const struct ag_texture_view *view);

#endif
