/* SPDX-License-Identifier: MIT
 *
 * Objects of the extension that are neither resources nor views nor shaders: they have one namespace of
 * handles, global to the device, and die with EXT_DESTROY_OBJECT.
 */
#ifndef AG_EXEC_OBJECT_EXT_OBJECT_H
#define AG_EXEC_OBJECT_EXT_OBJECT_H

#include <stddef.h>
#include <stdint.h>

#include "aerogpu/diag.h"

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

/* First member of every such object, which malloc made. */
struct ag_ext_object {
    enum ag_ext_object_kind kind;
    uint32_t handle;
    /* Releases what the object owns besides its own bytes, and tells whoever points at it. Null: nothing.
     * Set, with its argument, by the creator. */
    void (*fini)(struct ag_ext_object *object);
    void *user;
};

/* `size` zeroed bytes that begin with the object, under the handle. Null when it was reported: a handle that
 * is 0 or taken, or no memory; *status tells which. */
void *ag_ext_object_create(struct ag_objects *objects, uint32_t handle, enum ag_ext_object_kind kind,
                           size_t size, enum agpu_status *status);
/* The object of that kind, or null: nothing is reported. */
void *ag_ext_object_find(const struct ag_objects *objects, uint32_t handle, enum ag_ext_object_kind kind);
/* Unknown handles are a no-op. */
void ag_ext_object_destroy(struct ag_objects *objects, uint32_t handle);
void ag_ext_objects_clear(struct ag_objects *objects);
/* "blend state" */
const char *ag_ext_object_kind_name(enum ag_ext_object_kind kind);

#endif
