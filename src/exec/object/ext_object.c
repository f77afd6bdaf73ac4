/* SPDX-License-Identifier: MIT */
#include "exec/object/ext_object.h"

#include <inttypes.h>
#include <stdlib.h>

#include "aerogpu/diag.h"
#include "base/map.h"
#include "exec/host/host.h"
#include "exec/host/host_memory.h"
#include "exec/host/report.h"
#include "exec/host/spent_memory.h"
#include "exec/object/creation.h"
#include "exec/object/objects.h"

static const char *const kind_names[AG_EXT_OBJECT_KIND_COUNT] = {
    [AG_EXT_OBJECT_SIGNATURE] = "signature",
    [AG_EXT_OBJECT_STREAM_OUTPUT] = "stream-output declaration",
    [AG_EXT_OBJECT_BLEND_STATE] = "blend state",
    [AG_EXT_OBJECT_DEPTH_STENCIL_STATE] = "depth-stencil state",
    [AG_EXT_OBJECT_RASTERIZER_STATE] = "rasterizer state",
    [AG_EXT_OBJECT_QUERY] = "query",
    [AG_EXT_OBJECT_COMMAND_LIST] = "command list",
};

void *ag_ext_object_create(struct ag_objects *objects, uint32_t handle, enum ag_ext_object_kind kind,
                           size_t size, enum agpu_status *status)
{
    if (handle == 0 || ag_map_get(&objects->ext_objects, handle)) {
        *status =
            ag_host_malformed(objects->host, AGPU_DIAG_EXEC_HANDLE, "handle %" PRIu32 " %s %s", handle,
                              handle ? "is taken and cannot name a" : "cannot name a", kind_names[kind]);
        return NULL;
    }
    const uint64_t bytes = AG_HOST_OBJECT_BYTES + size;
    *status = ag_host_memory_charge(objects->host, bytes);
    if (*status != AGPU_OK)
        return NULL;
    struct ag_ext_object *object = calloc(1, size);
    if (!object || !ag_map_put(&objects->ext_objects, handle, object)) {
        ag_host_memory_give(objects->host, objects->host->accounts.current, bytes);
        free(object);
        *status = ag_host_no_memory(objects->host);
        return NULL;
    }
    object->kind = kind;
    object->handle = handle;
    object->bytes = bytes;
    object->account = objects->host->accounts.current;
    *status = AGPU_OK;
    return object;
}

void *ag_ext_object_find(const struct ag_objects *objects, uint32_t handle, enum ag_ext_object_kind kind)
{
    struct ag_ext_object *object = handle ? ag_map_get(&objects->ext_objects, handle) : NULL;
    return object && object->kind == kind ? object : NULL;
}

void ag_ext_object_free(struct ag_objects *objects, struct ag_ext_object *object)
{
    ag_creation_drop(objects->host, &object->creation);
    ag_host_memory_give(objects->host, object->account, object->bytes);
    if (object->fini)
        object->fini(object);
    ag_spent_memory_add(&objects->host->spent, object, (size_t)(object->bytes - AG_HOST_OBJECT_BYTES));
}

void ag_ext_object_destroy(struct ag_objects *objects, uint32_t handle)
{
    struct ag_ext_object *object = ag_map_remove(&objects->ext_objects, handle);
    if (object)
        ag_ext_object_free(objects, object);
}

const char *ag_ext_object_kind_name(enum ag_ext_object_kind kind)
{
    return kind_names[kind];
}
