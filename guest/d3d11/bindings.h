/* SPDX-License-Identifier: MIT
 *
 * What is bound to a context, as getters answer it. Slots hold their objects by private references;
 * one with an object of another device holds that device, too.
 */
#ifndef RT_D3D11_BINDINGS_H
#define RT_D3D11_BINDINGS_H

#include "guest/d3d11/object.h"
#include "guest/umd/umd.h"

enum {
    RT_UAV_SLOTS = D3D11_1_UAV_SLOT_COUNT,
    RT_CLASS_INSTANCES = 253,
};

struct rt_constants {
    struct rt_object *buffer;
    UINT first, count; /* in constants of 16 bytes */
    bool is_whole;     /* bound without a range */
};

struct rt_stage_bindings {
    struct rt_object *shader;
    struct rt_object *instances[RT_CLASS_INSTANCES];
    UINT instance_count;
    struct rt_constants constants[UMD_CONSTANT_BUFFER_SLOTS];
    struct rt_object *views[UMD_SHADER_RESOURCE_SLOTS];
    UINT view_count; /* slots from here on are empty */
    struct rt_object *samplers[UMD_SAMPLER_SLOTS];
};

struct rt_vertex_buffer {
    struct rt_object *buffer;
    UINT stride, offset;
};

/* Slots of unordered access views: those of the output merger, or of compute shaders. */
struct rt_uav_bindings {
    struct rt_object *views[RT_UAV_SLOTS];
    UINT count; /* slots from here on are empty */
};

struct rt_bindings {
    struct rt_device *device; /* of the context; not counted */
    struct rt_stage_bindings stages[UMD_STAGE_COUNT];
    struct rt_uav_bindings compute_uavs, output_uavs;

    struct rt_object *layout;
    struct rt_vertex_buffer vertex_buffers[UMD_VERTEX_BUFFER_SLOTS];
    struct rt_object *index_buffer;
    DXGI_FORMAT index_format;
    UINT index_offset;
    D3D11_PRIMITIVE_TOPOLOGY topology;

    struct rt_object *targets[UMD_RENDER_TARGET_SLOTS];
    UINT target_count; /* slots from here on are empty */
    struct rt_object *depth_stencil_view;
    struct rt_object *blend;
    FLOAT blend_factor[4];
    UINT sample_mask;
    struct rt_object *depth_stencil;
    UINT stencil_ref;

    struct rt_object *rasterizer;
    D3D11_VIEWPORT viewports[UMD_VIEWPORTS];
    UINT viewport_count;
    D3D11_RECT scissors[UMD_VIEWPORTS];
    UINT scissor_count;

    struct rt_object *stream_output[UMD_STREAM_OUTPUT_SLOTS];

    struct rt_object *predicate;
    BOOL predicate_value;
};

/* Everything as Direct3D's defaults are, in memory that holds nothing yet. */
void rt_bindings_init(struct rt_bindings *bindings, struct rt_device *device);
/* Lets everything go; the memory is as after rt_bindings_init(). */
void rt_bindings_clear(struct rt_bindings *bindings);
/* Empties the slots that have objects of other devices. */
void rt_bindings_clear_foreign(struct rt_bindings *bindings);

/* Puts an object, or NULL, into a slot of the bindings. False if it was there already. */
bool rt_bind(struct rt_bindings *bindings, struct rt_object **slot, struct rt_object *object);

/* Calls a function with each slot that has an object. */
void rt_bindings_visit(struct rt_bindings *bindings, void (*visit)(void *user, struct rt_object **slot),
                       void *user);

#endif
