/* SPDX-License-Identifier: MIT */
#include "exec/object/share.h"

#include <inttypes.h>

#include "aerogpu/diag.h"
#include "base/map.h"
#include "exec/host/report.h"
#include "exec/object/handle.h"
#include "exec/object/objects.h"
#include "exec/object/resource.h"

enum agpu_status ag_share_export(struct ag_objects *objects, uint32_t handle, uint64_t token)
{
    struct ag_handle *entry = ag_handle_find(objects, handle);
    if (!entry || (entry->kind != AG_HANDLE_RESOURCE && entry->kind != AG_HANDLE_ALIAS))
        return ag_host_malformed(objects->host, AGPU_DIAG_EXEC_HANDLE,
                                 "handle %" PRIu32 " names no live resource", handle);
    struct ag_resource *known = ag_map_get(&objects->share_tokens, token);
    if (token == 0)
        return ag_host_drop(objects->host, AGPU_DIAG_EXEC_SHARED_SURFACE,
                            "share token 0x%" PRIx64 " names nothing", token);
    if (known == &objects->retired_token)
        return ag_host_drop(objects->host, AGPU_DIAG_EXEC_SHARED_SURFACE,
                            "share token 0x%" PRIx64 " is retired", token);
    if (known && known != entry->resource)
        return ag_host_drop(objects->host, AGPU_DIAG_EXEC_SHARED_SURFACE,
                            "share token 0x%" PRIx64 " names another resource", token);
    if (!ag_map_put(&objects->share_tokens, token, entry->resource))
        return ag_host_no_memory(objects->host);
    return AGPU_OK;
}

enum agpu_status ag_share_import(struct ag_objects *objects, uint32_t handle, uint64_t token)
{
    struct ag_resource *resource = token ? ag_map_get(&objects->share_tokens, token) : NULL;
    struct ag_handle *entry = ag_handle_find(objects, handle);
    if (!resource || resource == &objects->retired_token)
        return ag_host_fail(objects->host, AGPU_DIAG_EXEC_SHARED_SURFACE, "share token 0x%" PRIx64 " is %s",
                            token, resource ? "retired" : "unknown");
    if (handle == 0)
        return ag_host_malformed(objects->host, AGPU_DIAG_EXEC_HANDLE, "handle 0 cannot name an object");
    if (entry && entry->kind == AG_HANDLE_ALIAS && entry->resource == resource)
        return AGPU_OK;
    if (entry)
        return ag_host_malformed(objects->host, AGPU_DIAG_EXEC_HANDLE, "handle %" PRIu32 " is taken", handle);
    if (!ag_handle_add(objects, handle, AG_HANDLE_ALIAS, resource, NULL))
        return ag_host_no_memory(objects->host);
    resource->references++;
    return AGPU_OK;
}

enum agpu_status ag_share_release(struct ag_objects *objects, uint64_t token)
{
    if (ag_map_get(&objects->share_tokens, token))
        ag_map_put(&objects->share_tokens, token, &objects->retired_token); /* replacing needs no memory */
    return AGPU_OK;
}

void ag_share_retire_resource(struct ag_objects *objects, const struct ag_resource *resource)
{
    size_t cursor = 0;
    uint64_t token;
    void *value;
    while (ag_map_next(&objects->share_tokens, &cursor, &token, &value)) {
        if (value != resource)
            continue;
        /* Replacing a value moves no entries of the map, so that the cursor stays valid. */
        ag_map_put(&objects->share_tokens, token, &objects->retired_token);
    }
}
