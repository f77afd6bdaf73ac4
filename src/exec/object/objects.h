/* SPDX-License-Identifier: MIT
 *
 * The objects that the guest's handles name: resources, views, samplers, input layouts and the other objects
 * of the extension. The executor owns the only struct ag_objects; objects are global to the device and shared
 * by all contexts. All calls come from the executor's thread.
 *
 * Rooms above keep pointers to objects and to their WebGPU objects: in bindings, in cached bind groups, in
 * the open render pass. Those rooms observe the objects and are told before an object is destroyed.
 */
#ifndef AG_EXEC_OBJECT_OBJECTS_H
#define AG_EXEC_OBJECT_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "exec/object/token_set.h"

struct ag_host;
struct ag_resource;
struct ag_texture_view;
struct ag_view;

/* Callbacks of a room that keeps pointers to objects. Every callback may be null. */
struct ag_object_observer {
    void *user;
    /* The WebGPU object with this id is about to be released. */
    void (*gpu_object_dies)(void *user, uint64_t id);
    /* The view of a texture is about to lose its WebGPU views. */
    void (*texture_view_dies)(void *user, const struct ag_texture_view *view);
    /* The guest destroys the last handle of the resource. One observer at most has this and the next: *done
     * is its own, 0 at first, and says how far it has come where it returns true, and is called again. */
    bool (*resource_dies)(void *user, const struct ag_resource *resource, uint64_t *done);
    /* The guest destroys the handle of the view. */
    bool (*view_dies)(void *user, const struct ag_view *view, uint64_t *done);
};

#define AG_MAX_SHARE_TOKENS (1 << 18)
#define AG_OBJECT_OBSERVERS 2 /* the recorder and the binder */

/* What a handle was found to name lately, of what draws bind. */
enum ag_recent_kind {
    AG_RECENT_OTHER,
    AG_RECENT_BUFFER,       /* under the handle that created it: struct ag_buffer */
    AG_RECENT_TEXTURE_VIEW, /* by a handle of its own, or that of the texture: struct ag_texture_view */
};

/* A handle that was found lately, at its number modulo how many there are. */
#define AG_RECENT_HANDLES 1024
struct ag_recent_handle {
    uint32_t handle;
    enum ag_recent_kind kind;
    void *object;
    struct ag_handle *entry; /* or null */
};

/* What a guest that has reset had; nothing finds it any more (objects_life.h). */
struct ag_left_objects {
    struct ag_map handles, share_tokens, samplers, input_layouts, ext_objects;
    size_t cursor; /* in the first of the maps that is not empty */
};

struct ag_objects {
    struct ag_host *host;
    struct ag_object_observer observers[AG_OBJECT_OBSERVERS];
    uint32_t observer_count;

    /* Objects by the guest's handles. */
    struct ag_map handles; /* struct ag_handle: resources, aliases and views */
    struct ag_recent_handle recent_handles[AG_RECENT_HANDLES];
    struct ag_map samplers;      /* struct ag_sampler */
    struct ag_map input_layouts; /* struct ag_input_layout_object */
    struct ag_map ext_objects;   /* struct ag_ext_object */

    /* struct ag_share_token by their tokens, and the tokens that name nothing any more. Together at most
     * AG_MAX_SHARE_TOKENS; the latter always have room for the former. */
    struct ag_map share_tokens;
    struct ag_token_set retired_tokens;

    struct ag_left_objects left;

    /* SetResourceMinLOD was called for some texture; until then, samplers need not look for such textures. */
    bool has_level_floors;
};

/* What was found for a handle lately; null when that is not known any more. */
static inline struct ag_handle *ag_recent_handle_get(const struct ag_objects *objects, uint32_t handle)
{
    const struct ag_recent_handle *recent = &objects->recent_handles[handle % AG_RECENT_HANDLES];
    return recent->handle == handle ? recent->entry : NULL;
}

/* The object of a kind that was found for a handle lately; null when that is not known any more. */
static inline void *ag_recent_object_get(const struct ag_objects *objects, uint32_t handle,
                                         enum ag_recent_kind kind)
{
    const struct ag_recent_handle *recent = &objects->recent_handles[handle % AG_RECENT_HANDLES];
    return recent->handle == handle && recent->kind == kind ? recent->object : NULL;
}

#endif
