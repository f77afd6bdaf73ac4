/* SPDX-License-Identifier: MIT */
#include "exec/ext_object.h"

#include <inttypes.h>
#include <stdlib.h>

#include "exec/exec.h"

static const struct {
    const char *name;
    /* Releases what the object owns besides its own bytes, and whoever points at it; null: nothing. */
    void (*fini)(struct ag_exec *exec, struct ag_ext_object *object);
} kinds[AG_EXT_OBJECT_KIND_COUNT] = {
    [AG_EXT_OBJECT_SIGNATURE] = {"signature",                 NULL         },
    [AG_EXT_OBJECT_STREAM_OUTPUT] = {"stream-output declaration", NULL         },
    [AG_EXT_OBJECT_BLEND_STATE] = {"blend state",               NULL         },
    [AG_EXT_OBJECT_DEPTH_STENCIL_STATE] = {"depth-stencil state",       NULL         },
    [AG_EXT_OBJECT_RASTERIZER_STATE] = {"rasterizer state",          NULL         },
    [AG_EXT_OBJECT_QUERY] = {"query",                     ag_query_fini},
    [AG_EXT_OBJECT_COMMAND_LIST] = {"command list",              NULL         },
};

void *ag_ext_object_create(struct ag_exec *exec, uint32_t handle, enum ag_ext_object_kind kind, size_t size,
                           enum agpu_status *status)
{
    if (handle == 0 || ag_map_get(&exec->ext_objects, handle)) {
        *status = ag_exec_fail(exec, AGPU_DIAG_EXEC_HANDLE, "handle %" PRIu32 " %s %s", handle,
                               handle ? "is taken and cannot name a" : "cannot name a", kinds[kind].name);
        return NULL;
    }
    struct ag_ext_object *object = calloc(1, size);
    if (!object || !ag_map_put(&exec->ext_objects, handle, object)) {
        free(object);
        *status = ag_exec_no_memory(exec);
        return NULL;
    }
    object->kind = kind;
    object->handle = handle;
    *status = AGPU_OK;
    return object;
}

void *ag_ext_object_find(const struct ag_exec *exec, uint32_t handle, enum ag_ext_object_kind kind)
{
    struct ag_ext_object *object = handle ? ag_map_get(&exec->ext_objects, handle) : NULL;
    return object && object->kind == kind ? object : NULL;
}

static void destroy(struct ag_exec *exec, struct ag_ext_object *object)
{
    if (kinds[object->kind].fini)
        kinds[object->kind].fini(exec, object);
    free(object);
}

void ag_ext_object_destroy(struct ag_exec *exec, uint32_t handle)
{
    struct ag_ext_object *object = ag_map_remove(&exec->ext_objects, handle);
    if (object)
        destroy(exec, object);
}

void ag_ext_objects_clear(struct ag_exec *exec)
{
    size_t cursor = 0;
    uint64_t key;
    void *value;
    while (ag_map_next(&exec->ext_objects, &cursor, &key, &value))
        destroy(exec, value);
    ag_map_fini(&exec->ext_objects);
}

const char *ag_ext_object_kind_name(enum ag_ext_object_kind kind)
{
    return kinds[kind].name;
}
