/* SPDX-License-Identifier: MIT
 *
 * Objects of the extension that are neither resources nor views nor shaders: they have one namespace of
 * handles, global to the device, and die with EXT_DESTROY_OBJECT.
 */
#ifndef AGPU_EXEC_EXT_OBJECT_H
#define AGPU_EXEC_EXT_OBJECT_H

#include "aerogpu/diag.h"

#include <stdint.h>

struct agpu_exec;

enum agpu_ext_object_kind {
    AGPU_EXT_OBJECT_SIGNATURE,
    AGPU_EXT_OBJECT_STREAM_OUTPUT,
    AGPU_EXT_OBJECT_BLEND_STATE,
    AGPU_EXT_OBJECT_DEPTH_STENCIL_STATE,
    AGPU_EXT_OBJECT_RASTERIZER_STATE,
    AGPU_EXT_OBJECT_QUERY,
    AGPU_EXT_OBJECT_COMMAND_LIST,
    AGPU_EXT_OBJECT_KIND_COUNT
};

/* First member of every such object, which malloc made. */
struct agpu_ext_object {
    enum agpu_ext_object_kind kind;
    uint32_t handle;
};

/* `size` zeroed bytes that begin with the object, under the handle. Null when it was reported: a handle that
 * is 0 or taken, or no memory; *status tells which. */
void *agpu_ext_object_create(struct agpu_exec *exec, uint32_t handle, enum agpu_ext_object_kind kind,
                             size_t size, enum agpu_status *status);

/* The object of that kind, or null: nothing is reported. */
void *agpu_ext_object_find(const struct agpu_exec *exec, uint32_t handle, enum agpu_ext_object_kind kind);

/* Unknown handles are a no-op. */
void agpu_ext_object_destroy(struct agpu_exec *exec, uint32_t handle);
void agpu_ext_objects_clear(struct agpu_exec *exec);

/* "blend state" */
const char *agpu_ext_object_kind_name(enum agpu_ext_object_kind kind);

#endif
