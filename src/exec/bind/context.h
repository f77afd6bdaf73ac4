/* SPDX-License-Identifier: MIT
 *
 * Contexts: the bindings and state of a Direct3D 11 device context, one for each context id of the guest. The
 * binder owns them (context_set.h); packet handlers fill the slots, draws and dispatches read them.
 *
 * A slot has the handle that was bound and, once an object has that handle, the object. A handle without an
 * object is an error only when a draw needs the slot (spec: ABI 12.1 E9).
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
struct ag_objects;
struct ag_resource;
struct ag_sampler;
struct ag_texture_view;
struct ag_view;

/* ---- Slots -------------------------------------------------------------------------------------------- */

/* A shader resource. At most one of `view` and `buffer` is not null. */
struct ag_resource_slot {
    uint32_t handle;
    struct ag_texture_view *view;
    struct ag_buffer *buffer;
    uint32_t offset, size; /* bytes of the buffer; size 0: to the end. Not used when `bound` is not null */
    struct ag_view *bound; /* the view of an extension's packet; null for bindings of ABI 1.4 */
};

struct ag_sampler_slot {
    uint32_t handle;
    struct ag_sampler *sampler;
};

/* A constant buffer or an unordered access view. */
struct ag_buffer_slot {
    uint32_t handle;
    struct ag_buffer *buffer;
    uint32_t offset, size; /* bytes; size 0: to the end. Not used when `bound` is not null */
    uint32_t initial_count;
    struct ag_view *bound; /* the view of an extension's packet; else null */
};

/* The registers of SET_SHADER_CONSTANTS: floats, integers and booleans. Each array is null before the
 * first packet. The floats, of AG_CONSTANT_REGISTERS * 16 bytes, are read as constant buffer 0 while slot
 * b0 is empty. */
struct ag_constant_registers {
    uint8_t *floats;
    uint8_t *integers, *bools;
    uint64_t version; /* changes with the floats */
};

#define AG_MAX_CLASS_INSTANCES 253 /* D3D11_SHADER_MAX_INTERFACES */

/* The class instances of EXT_SET_CLASS_INSTANCES. */
struct ag_class_instances {
    uint32_t count;
    struct aerogpu_ext_class_instance slots[AG_MAX_CLASS_INSTANCES];
};

struct ag_stage_bindings {
    struct ag_resource_slot resources[AG_RESOURCE_SLOTS];
    struct ag_sampler_slot samplers[AG_SAMPLER_SLOTS];
    struct ag_buffer_slot cbuffers[AG_CBUFFER_SLOTS];
    struct ag_buffer_slot uavs[AG_UAV_SLOTS];
    uint64_t bound_uavs;     /* bit n: uavs[n] has a handle */
    uint32_t resource_count; /* resources[n] is empty from here on */
    struct ag_constant_registers constants;
    struct ag_class_instances *instances; /* null when none are set */
};

struct ag_vertex_buffer_slot {
    uint32_t handle;
    struct ag_buffer *buffer;
    uint32_t stride, offset;
};

struct ag_index_buffer_slot {
    uint32_t handle;
    struct ag_buffer *buffer;
    bool wide; /* 32-bit indices */
    uint32_t offset;
};

struct ag_target_slot {
    uint32_t handle;
    struct ag_texture_view *view;
};

struct ag_stream_output_target {
    uint32_t handle;
    struct ag_buffer *buffer;
};

/* ---- The context -------------------------------------------------------------------------------------- */

struct ag_context {
    uint32_t id;
    uint64_t used; /* when ag_context_get() last found the context, on the binder's clock */
    bool ended; /* the GPU ran out of memory for an object of the context: its streams fail until a reset */

    /* Shaders and the input assembler. */
    uint32_t shaders[AGPU_STAGE_COUNT]; /* handles */
    uint32_t input_layout_handle;
    struct ag_input_layout_object *input_layout;
    struct { /* the last result of ag_input_layout_object_match() */
        uint64_t layout_id, program_id;
        int8_t elements[AGPU_MAX_REGISTERS];
    } match;
    struct ag_vertex_buffer_slot vertex_buffers[AG_VERTEX_BUFFER_SLOTS];
    struct ag_index_buffer_slot index_buffer;
    uint32_t topology;

    /* Fixed-function state. A count of 0 means that no viewport or scissor was set since ABI 1.4's initial
     * state: the viewport is the whole target and nothing is scissored. Viewports and scissors past the count
     * are empty, as all are in Direct3D's initial state. */
    struct ag_blend_desc blend;
    float blend_factor[4];
    uint32_t sample_mask;
    struct ag_depth_stencil_desc depth_stencil;
    uint32_t stencil_reference;
    struct ag_rasterizer_desc rasterizer;
    struct ag_viewport viewports[AG_VIEWPORT_SLOTS];
    uint32_t viewport_count;
    struct ag_scissor scissors[AG_VIEWPORT_SLOTS];
    uint32_t scissor_count;

    /* Targets and bindings. */
    struct ag_target_slot targets[AGPU_MAX_RENDER_TARGETS];
    uint32_t target_count;
    struct ag_target_slot depth_target;
    struct ag_stream_output_target stream_outputs[AG_STREAM_OUTPUT_SLOTS];
    struct ag_stage_bindings stages[AGPU_STAGE_COUNT];

    /* SetPredication: the handle of a query, or 0, and whether its result skips draws, dispatches and
     * copies. */
    uint32_t predicate;
    bool predicate_skips;

    /* State of Direct3D 9's packets, which has no effect and is reported once. */
    uint32_t render_states[AG_D3D9_RENDER_STATES];
    uint32_t sampler_states[AGPU_STAGE_COUNT][AG_SAMPLER_SLOTS][AG_D3D9_SAMPLER_STATES];
    bool d3d9_reported;
};

/* ---- Life --------------------------------------------------------------------------------------------- */

/* Sets Direct3D's initial state; the id stays. */
void ag_context_clear_state(struct ag_context *context);

/* Called by packets of the extension that set state of the rasterizer or output merger: in the contexts that
 * use them, viewports and scissors that were never set are empty, as in Direct3D. */
void ag_context_use_extension(struct ag_context *context);

/* Moves the state into a new context, which ag_context_destroy() frees, and clears the state of `context`.
 * Null when the host's memory is exhausted (not reported); `context` does not change then. */
struct ag_context *ag_context_save(struct ag_context *context);

/* Moves the state of `saved` back into `context`. */
void ag_context_restore(struct ag_context *context, struct ag_context *saved);

/* `context` may be null. */
void ag_context_destroy(struct ag_context *context);

/* ---- Objects that are destroyed ----------------------------------------------------------------------- */

/* Remove an object that is about to be destroyed from every context (spec: ABI 12.3), in parts as
 * ag_contexts_visit() has them: true, when more is left. */
bool ag_contexts_forget_resource(struct ag_binder *binder, const struct ag_resource *resource,
                                 uint64_t *done);
bool ag_contexts_forget_view(struct ag_binder *binder, const struct ag_view *view, uint64_t *done);
bool ag_contexts_forget_sampler(struct ag_binder *binder, const struct ag_sampler *sampler, uint64_t *done);
bool ag_contexts_forget_input_layout(struct ag_binder *binder, const struct ag_input_layout_object *layout,
                                     uint64_t *done);
/* A context whose predicate is destroyed goes on without predication. */
bool ag_contexts_forget_predicate(struct ag_binder *binder, uint32_t query, uint64_t *done);

/* ---- Unordered access views --------------------------------------------------------------------------- */

/* Sets a slot of unordered access views. */
static inline void ag_stage_set_uav(struct ag_stage_bindings *stage, uint32_t index,
                                    struct ag_buffer_slot slot)
{
    const uint64_t bit = UINT64_C(1) << index;
    stage->uavs[index] = slot;
    stage->bound_uavs = slot.handle ? stage->bound_uavs | bit : stage->bound_uavs & ~bit;
}

/* The next slot from `index` on that has a handle; AG_UAV_SLOTS: there is none. */
static inline uint32_t ag_stage_next_uav(const struct ag_stage_bindings *stage, uint32_t index)
{
    while (index < AG_UAV_SLOTS && !(stage->bound_uavs >> index & 1))
        index = stage->bound_uavs >> index ? index + 1 : AG_UAV_SLOTS;
    return index;
}

/* Visits the slots of a stage that have handles. */
#define AG_EACH_UAV(stage, i)                                                                                \
    for (uint32_t i = ag_stage_next_uav((stage), 0); i < AG_UAV_SLOTS; i = ag_stage_next_uav((stage), i + 1))

/* ---- Hazards (D3D11.3 5.3.9.4) ------------------------------------------------------------------------ */

/* A resource that is bound as an output cannot be bound as an input, and a resource that becomes an output
 * is unbound from all inputs. Textures count by subresource. */

/* Whether any unordered access view is bound: nearly all contexts have none. */
static inline bool ag_context_has_uavs(const struct ag_context *context)
{
    uint64_t bound = 0;
    for (uint32_t stage = 0; stage < AGPU_STAGE_COUNT; stage++)
        bound |= context->stages[stage].bound_uavs;
    return bound != 0;
}

/* Binds a shader resource; the slot becomes empty when the resource is bound as an output. Returns whether
 * the slot changes. */
bool ag_context_bind_resource(struct ag_context *context, enum agpu_stream_stage stage, uint32_t index,
                              struct ag_resource_slot slot);

/* Whether a view has a subresource that a target writes. `target` may be null. */
bool ag_view_is_target(const struct ag_texture_view *view, const struct ag_texture_view *target);

/* Whether the context has the view's subresources or the buffer bound as an output. */
bool ag_context_writes_view(const struct ag_context *context, const struct ag_texture_view *view);
bool ag_context_writes_buffer(const struct ag_context *context, const struct ag_buffer *buffer);

/* Unbind inputs of a buffer or subresource that was bound as an output. */
void ag_context_bound_as_uav(struct ag_context *context, const struct ag_buffer *buffer);
void ag_context_bound_as_target(struct ag_context *context, const struct ag_texture_view *view);

/* The view of a slot of the context's targets, whose handle may have got its object after the slot was set.
 * Null, with the slot empty and a warning, when the handle names no target of this kind. */
struct ag_texture_view *ag_context_target(struct ag_objects *objects, struct ag_context *context,
                                          struct ag_target_slot *slot, bool depth);

#endif
