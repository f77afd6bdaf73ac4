/* SPDX-License-Identifier: MIT
 *
 * What the guest's handles name: resources, views, samplers, input layouts and the other objects of the
 * extension. They are global to the device; all calls come from the executor's thread.
 *
 * Rooms above keep pointers to objects and to what was made of them: bindings, cached bind groups, the open
 * pass. Those rooms observe the objects and are told before one dies.
 */
#ifndef AG_EXEC_OBJECT_OBJECTS_H
#define AG_EXEC_OBJECT_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "exec/object/resource.h"

struct ag_host;
struct ag_texture_view;
struct ag_view;

/* Every callback may be null. */
struct ag_object_observer {
    void *user;
    /* The WebGPU object of that number is about to be released. */
    void (*gpu_object_dies)(void *user, uint64_t id);
    /* The subresources that the view names cannot be used through the view any more. */
    void (*texture_view_dies)(void *user, const struct ag_texture_view *view);
    /* The last handle of a resource, or the handle of a view, is gone. */
    void (*resource_dies)(void *user, const struct ag_resource *resource);
    void (*view_dies)(void *user, const struct ag_view *view);
};

#define AG_OBJECT_OBSERVERS 2 /* the recorder and the binder */

struct ag_objects {
    struct ag_host *host;
    struct ag_object_observer observers[AG_OBJECT_OBSERVERS];
    uint32_t observer_count;

    bool has_level_floors;            /* some texture had a least level set */
    struct ag_map handles;            /* struct ag_handle: resources, aliases, views */
    struct ag_map samplers;           /* struct ag_sampler */
    struct ag_map input_layouts;      /* struct ag_input_layout_object */
    struct ag_map ext_objects;        /* struct ag_ext_object */
    struct ag_map share_tokens;       /* struct ag_resource; retired tokens map to retired_token */
    struct ag_resource retired_token; /* names nothing */
};

#endif
