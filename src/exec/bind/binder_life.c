/* SPDX-License-Identifier: MIT */
#include "exec/bind/binder_life.h"

#include <string.h>

#include "base/map.h"
#include "exec/bind/binder.h"
#include "exec/bind/compute_pipeline.h"
#include "exec/bind/context.h"
#include "exec/bind/pipeline.h"
#include "exec/bind/shader_program.h"
#include "exec/bind/target_copy.h"
#include "exec/bind/texture_array.h"
#include "exec/bind/uav_arena.h"
#include "exec/object/objects.h"
#include "exec/object/observer.h"
#include "exec/object/resource.h"
#include "exec/object/view.h"
#include "exec/record/resident_block.h"
#include "exec/transfer/copier.h"
#include "gpu/webgpu.h"

static void forget_gpu_object(void *user, uint64_t id)
{
    ag_texture_arrays_forget(user, id);
}

static bool forget_resource(void *user, const struct ag_resource *resource, uint64_t *done)
{
    return ag_contexts_forget_resource(user, resource, done);
}

static bool forget_view(void *user, const struct ag_view *view, uint64_t *done)
{
    return ag_contexts_forget_view(user, view, done);
}

void ag_binder_init(struct ag_binder *binder, struct ag_copier *copier)
{
    *binder = (struct ag_binder){
        .host = copier->host,
        .objects = copier->objects,
        .recorder = copier->recorder,
        .blitter = copier->blitter,
        .copier = copier,
        .idle.kind = AG_SHARED_IDLE_PROGRAMS,
        .recent_pipelines.kind = AG_SHARED_RENDER_PIPELINES,
        .recent_compute.kind = AG_SHARED_COMPUTE_PIPELINES,
    };
    const struct ag_object_observer observer = {
        .user = binder,
        .gpu_object_dies = forget_gpu_object,
        .resource_dies = forget_resource,
        .view_dies = forget_view,
    };
    ag_objects_observe(binder->objects, &observer);
}

/* Takes the next value out of the map. Null when none is left; the map is freed then. */
static void *take_next(struct ag_map *map, size_t *cursor)
{
    uint64_t key;
    void *value;
    if (ag_map_next(map, cursor, &key, &value)) {
        --*cursor; /* removing may move another entry to this place */
        return ag_map_remove(map, key);
    }
    ag_map_fini(map);
    *cursor = 0;
    return NULL;
}

bool ag_binder_clear_part(struct ag_binder *binder, size_t *cursor)
{
    /* Maps without entries have no places, so that the cursor is of the first that has some. */
    if (binder->pipelines.capacity != 0) {
        struct ag_pipeline *const pipeline = take_next(&binder->pipelines, cursor);
        if (pipeline)
            ag_pipeline_destroy(binder, pipeline);
        return true;
    }
    if (binder->compute_pipelines.capacity != 0) {
        struct ag_compute_pipeline *const pipeline = take_next(&binder->compute_pipelines, cursor);
        if (pipeline)
            ag_compute_pipeline_destroy(binder, pipeline);
        return true;
    }
    if (ag_shaders_clear_part(binder, cursor))
        return true;
    ag_arena_fini(&binder->translation);
    return false;
}

void ag_binder_drop_device_objects(struct ag_binder *binder)
{
    ag_target_copies_clear(binder);
    if (binder->uav_counters)
        wgpuBufferRelease(binder->uav_counters);
    binder->uav_counters = NULL;
    ag_uav_arena_fini(binder);
    ag_texture_arrays_clear(binder);
    /* Cached constants are slices of the upload ring, which goes with the device. */
    memset(binder->constants, 0, sizeof binder->constants);
    ag_resident_block_fini(&binder->last_block);
}
