/* SPDX-License-Identifier: MIT */
#include "exec/object/observer.h"

#include <assert.h>

#include "exec/object/objects.h"
#include "exec/object/resource.h"

void ag_objects_observe(struct ag_objects *objects, const struct ag_object_observer *observer)
{
    assert(objects->observer_count < AG_OBJECT_OBSERVERS);
    objects->observers[objects->observer_count++] = *observer;
}

void ag_objects_gpu_object_dies(struct ag_objects *objects, uint64_t id)
{
    for (uint32_t i = 0; i < objects->observer_count; i++)
        if (objects->observers[i].gpu_object_dies)
            objects->observers[i].gpu_object_dies(objects->observers[i].user, id);
}

void ag_objects_texture_view_dies(struct ag_objects *objects, const struct ag_texture_view *view)
{
    for (uint32_t i = 0; i < objects->observer_count; i++)
        if (objects->observers[i].texture_view_dies)
            objects->observers[i].texture_view_dies(objects->observers[i].user, view);
}

bool ag_objects_resource_dies(struct ag_objects *objects, const struct ag_resource *resource, uint64_t *done)
{
    bool has_more = false;
    for (uint32_t i = 0; i < objects->observer_count; i++)
        if (objects->observers[i].resource_dies)
            has_more |= objects->observers[i].resource_dies(objects->observers[i].user, resource, done);
    return has_more;
}

bool ag_objects_view_dies(struct ag_objects *objects, const struct ag_view *view, uint64_t *done)
{
    bool has_more = false;
    for (uint32_t i = 0; i < objects->observer_count; i++)
        if (objects->observers[i].view_dies)
            has_more |= objects->observers[i].view_dies(objects->observers[i].user, view, done);
    return has_more;
}
