/* SPDX-License-Identifier: MIT
 *
 * Objects of the extension that are neither resources nor views nor shaders: state objects, queries, command
 * lists and others. They share one namespace of handles, which is global to the device, and
 * EXT_DESTROY_OBJECT destroys them. The packet handlers create and find them.
 */
#ifndef AG_EXEC_OBJECT_EXT_OBJECT_H
#define AG_EXEC_OBJECT_EXT_OBJECT_H

#include <stddef.h>
#include <stdint.h>

#include "aerogpu/diag.h"

struct ag_creation;
struct ag_objects;

enum ag_ext_object_kind {
    AG_EXT_OBJECT_SIGNATURE,
    AG_EXT_OBJECT_STREAM_OUTPUT,
    AG_EXT_OBJECT_BLEND_STATE,
    AG_EXT_OBJECT_DEPTH_STENCIL_STATE,
    AG_EXT_OBJECT_RASTERIZER_STATE,
    AG_EXT_OBJECT_QUERY,
    AG_EXT_OBJECT_COMMAND_LIST,
    AG_EXT_OBJECT_KIND_COUNT
};

/* The first member of every object of the extension. */
struct ag_ext_object {
    enum ag_ext_object_kind kind;
    uint32_t handle;
    uint64_t bytes;               /* counted in the budget of host memory */
    struct ag_account *account;   /* of the context that made the object, which is charged for it */
    struct ag_creation *creation; /* the packet; null: there was no memory to keep it */
    /* Called before the object's bytes are freed: releases what the object owns and removes pointers to the
     * object. May be null. The creator sets the function and its argument. */
    void (*fini)(struct ag_ext_object *object);
    void *user;
};

/* Makes an object of `size` zeroed bytes, which begin with a struct ag_ext_object, under the handle. Null
 * when the handle is 0 or taken, or when memory or its budget is exhausted (reported; *status is for the
 * handler to return). */
void *ag_ext_object_create(struct ag_objects *objects, uint32_t handle, enum ag_ext_object_kind kind,
                           size_t size, enum agpu_status *status);

/* Null when the handle names no object of that kind (not reported). */
void *ag_ext_object_find(const struct ag_objects *objects, uint32_t handle, enum ag_ext_object_kind kind);

/* Does nothing when the handle names no object. */
void ag_ext_object_destroy(struct ag_objects *objects, uint32_t handle);

/* Frees an object that no handle names any more. */
void ag_ext_object_free(struct ag_objects *objects, struct ag_ext_object *object);

/* The kind for messages, such as "blend state". */
const char *ag_ext_object_kind_name(enum ag_ext_object_kind kind);

#endif
