/* SPDX-License-Identifier: MIT */
#include "exec/object/share.h"

#include <inttypes.h>

#include "aerogpu/diag.h"
#include "base/map.h"
#include "exec/host/report.h"
#include "exec/object/handle.h"
#include "exec/object/objects.h"
#include "exec/object/resource.h"
#include "exec/object/token_set.h"

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
    if (ag_token_set_has(&objects->retired_tokens, token))
        return ag_host_drop(objects->host, AGPU_DIAG_EXEC_SHARED_SURFACE,
                            "share token 0x%" PRIx64 " is retired", token);
    if (known && known != entry->resource)
        return ag_host_drop(objects->host, AGPU_DIAG_EXEC_SHARED_SURFACE,
                            "share token 0x%" PRIx64 " names another resource", token);
    if (known)
        return AGPU_OK;
    const size_t tokens = objects->share_tokens.count + objects->retired_tokens.ranges.count;
    if (tokens >= AG_MAX_SHARE_TOKENS)
        return ag_host_drop(objects->host, AGPU_DIAG_GPU_LIMIT,
                            "share token 0x%" PRIx64 " is one more than the %d that there may be, those that "
                            "are retired and follow each other counted as one",
                            token, AG_MAX_SHARE_TOKENS);
    /* Room for the day when the tokens are retired, which cannot fail. */
    if (!ag_token_set_reserve(&objects->retired_tokens, objects->share_tokens.count + 1) ||
        !ag_map_put(&objects->share_tokens, token, entry->resource))
        return ag_host_no_memory(objects->host);
    entry->resource->share_tokens++;
    return AGPU_OK;
}

static void retire(struct ag_objects *objects, uint64_t token)
{
    struct ag_resource *resource = ag_map_remove(&objects->share_tokens, token);
    if (!resource)
        return;
    resource->share_tokens--;
    ag_token_set_add(&objects->retired_tokens, token);
}

enum agpu_status ag_share_import(struct ag_objects *objects, uint32_t handle, uint64_t token)
{
    struct ag_resource *resource = token ? ag_map_get(&objects->share_tokens, token) : NULL;
    struct ag_handle *entry = ag_handle_find(objects, handle);
    if (!resource)
        return ag_host_fail(objects->host, AGPU_DIAG_EXEC_SHARED_SURFACE, "share token 0x%" PRIx64 " is %s",
                            token, ag_token_set_has(&objects->retired_tokens, token) ? "retired" : "unknown");
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
    retire(objects, token);
    return AGPU_OK;
}

void ag_share_retire_resource(struct ag_objects *objects, const struct ag_resource *resource)
{
    size_t cursor = 0;
    uint64_t token;
    void *value;
    while (resource->share_tokens && ag_map_next(&objects->share_tokens, &cursor, &token, &value)) {
        if (value != resource)
            continue;
        retire(objects, token);
        cursor--; /* another entry may have taken the place */
    }
}
