/* SPDX-License-Identifier: MIT */
#include "guest/d3d11/bindings.h"

#include <string.h>

static void set_defaults(struct rt_bindings *bindings, struct rt_device *device)
{
    memset(bindings, 0, sizeof(*bindings));
    bindings->device = device;
    for (unsigned i = 0; i < 4; i++)
        bindings->blend_factor[i] = 1.0f;
    bindings->sample_mask = D3D11_DEFAULT_SAMPLE_MASK;
}

void rt_bindings_init(struct rt_bindings *bindings, struct rt_device *device)
{
    set_defaults(bindings, device);
}

static void visit_slots(struct rt_object **slots, UINT count,
                        void (*visit)(void *user, struct rt_object **slot), void *user)
{
    for (UINT i = 0; i < count; i++)
        if (slots[i])
            visit(user, &slots[i]);
}

static void visit_stage(struct rt_stage_bindings *stage, void (*visit)(void *user, struct rt_object **slot),
                        void *user)
{
    visit_slots(&stage->shader, 1, visit, user);
    visit_slots(stage->instances, stage->instance_count, visit, user);
    for (UINT i = 0; i < UMD_CONSTANT_BUFFER_SLOTS; i++)
        visit_slots(&stage->constants[i].buffer, 1, visit, user);
    visit_slots(stage->views, stage->view_count, visit, user);
    visit_slots(stage->samplers, UMD_SAMPLER_SLOTS, visit, user);
}

void rt_bindings_visit(struct rt_bindings *bindings, void (*visit)(void *user, struct rt_object **slot),
                       void *user)
{
    for (UINT i = 0; i < UMD_STAGE_COUNT; i++)
        visit_stage(&bindings->stages[i], visit, user);
    visit_slots(bindings->compute_uavs.views, bindings->compute_uavs.count, visit, user);
    visit_slots(bindings->output_uavs.views, bindings->output_uavs.count, visit, user);
    visit_slots(&bindings->layout, 1, visit, user);
    for (UINT i = 0; i < UMD_VERTEX_BUFFER_SLOTS; i++)
        visit_slots(&bindings->vertex_buffers[i].buffer, 1, visit, user);
    visit_slots(&bindings->index_buffer, 1, visit, user);
    visit_slots(bindings->targets, bindings->target_count, visit, user);
    visit_slots(&bindings->depth_stencil_view, 1, visit, user);
    visit_slots(&bindings->blend, 1, visit, user);
    visit_slots(&bindings->depth_stencil, 1, visit, user);
    visit_slots(&bindings->rasterizer, 1, visit, user);
    visit_slots(bindings->stream_output, UMD_STREAM_OUTPUT_SLOTS, visit, user);
    visit_slots(&bindings->predicate, 1, visit, user);
}

static void let_go(void *user, struct rt_object **slot)
{
    struct rt_object *object = *slot;
    *slot = NULL;
    rt_object_let_go_for(user, object);
}

static void let_go_if_foreign(void *user, struct rt_object **slot)
{
    if ((*slot)->device != user)
        let_go(user, slot);
}

void rt_bindings_clear(struct rt_bindings *bindings)
{
    rt_bindings_visit(bindings, let_go, bindings->device);
    set_defaults(bindings, bindings->device);
}

void rt_bindings_clear_foreign(struct rt_bindings *bindings)
{
    rt_bindings_visit(bindings, let_go_if_foreign, bindings->device);
}

bool rt_bind(struct rt_bindings *bindings, struct rt_object **slot, struct rt_object *object)
{
    struct rt_object *before = *slot;
    if (before == object)
        return false;
    if (object)
        rt_object_hold_for(bindings->device, object);
    *slot = object;
    if (before)
        rt_object_let_go_for(bindings->device, before);
    return true;
}
