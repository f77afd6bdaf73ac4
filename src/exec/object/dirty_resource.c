/* SPDX-License-Identifier: MIT */
#include "exec/object/dirty_resource.h"

#include <stddef.h>

#include "exec/object/objects.h"
#include "exec/object/resource.h"

void ag_dirty_resource_note(struct ag_objects *objects, struct ag_resource *resource)
{
    if (resource->dirty_link)
        return;
    resource->next_dirty = objects->dirty;
    resource->dirty_link = &objects->dirty;
    if (objects->dirty)
        objects->dirty->dirty_link = &resource->next_dirty;
    objects->dirty = resource;
}

void ag_dirty_resource_forget(struct ag_resource *resource)
{
    if (!resource->dirty_link)
        return;
    *resource->dirty_link = resource->next_dirty;
    if (resource->next_dirty)
        resource->next_dirty->dirty_link = resource->dirty_link;
    resource->next_dirty = NULL;
    resource->dirty_link = NULL;
}
