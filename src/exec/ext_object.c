/* SPDX-License-Identifier: MIT */
#include "exec/ext_object.h"

#include <inttypes.h>
#include <stdlib.h>

#include "exec/exec.h"

static const struct {
    const char *name;
    /* Releases what the object owns besides its own bytes, and whoever points at it; null: nothing. */
    void (*fini)(struct agpu_exec *exec, struct agpu_ext_object *object);
} kinds[AGPU_EXT_OBJECT_KIND_COUNT] = {
    [AGPU_EXT_OBJECT_SIGNATURE] = {"signature",                 NULL           },
    [AGPU_EXT_OBJECT_STREAM_OUTPUT] = {"stream-output declaration", NULL           },
    [AGPU_EXT_OBJECT_BLEND_STATE] = {"blend state",               NULL           },
    [AGPU_EXT_OBJECT_DEPTH_STENCIL_STATE] = {"depth-stencil state",       NULL           },
    [AGPU_EXT_OBJECT_RASTERIZER_STATE] = {"rasterizer state",          NULL           },
    [AGPU_EXT_OBJECT_QUERY] = {"query",                     agpu_query_fini},
    [AGPU_EXT_OBJECT_COMMAND_LIST] = {"command list",              NULL           },
};

void *agpu_ext_object_create(struct agpu_exec *exec, uint32_t handle, enum agpu_ext_object_kind kind,
                             size_t size, enum agpu_status *status)
{
    if (handle == 0 || agpu_map_get(&exec->ext_objects, handle)) {
        *status = agpu_exec_fail(exec, AGPU_DIAG_EXEC_HANDLE, "handle %" PRIu32 " %s %s", handle,
                                 handle ? "is taken and cannot name a" : "cannot name a", kinds[kind].name);
        return NULL;
    }
    struct agpu_ext_object *object = calloc(1, size);
    if (!object || !agpu_map_put(&exec->ext_objects, handle, object)) {
        free(object);
        *status = agpu_exec_no_memory(exec);
        return NULL;
    }
    object->kind = kind;
    object->handle = handle;
    *status = AGPU_OK;
    return object;
}

void *agpu_ext_object_find(const struct agpu_exec *exec, uint32_t handle, enum agpu_ext_object_kind kind)
{
    struct agpu_ext_object *object = handle ? agpu_map_get(&exec->ext_objects, handle) : NULL;
    return object && object->kind == kind ? object : NULL;
}

static void destroy(struct agpu_exec *exec, struct agpu_ext_object *object)
{
    if (kinds[object->kind].fini)
        kinds[object->kind].fini(exec, object);
    free(object);
}

void agpu_ext_object_destroy(struct agpu_exec *exec, uint32_t handle)
{
    struct agpu_ext_object *object = agpu_map_remove(&exec->ext_objects, handle);
    if (object)
        destroy(exec, object);
}

void agpu_ext_objects_clear(struct agpu_exec *exec)
{
    size_t cursor = 0;
    uint64_t key;
    void *value;
    while (agpu_map_next(&exec->ext_objects, &cursor, &key, &value))
        destroy(exec, value);
    agpu_map_fini(&exec->ext_objects);
}

const char *agpu_ext_object_kind_name(enum agpu_ext_object_kind kind)
{
    return kinds[kind].name;
}
