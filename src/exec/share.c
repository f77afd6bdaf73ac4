/* SPDX-License-Identifier: MIT */
#include "exec/share.h"

#include <inttypes.h>

#include "exec/exec.h"

enum agpu_status agpu_share_export(struct agpu_exec *exec, uint32_t handle, uint64_t token)
{
    struct agpu_handle *entry = agpu_handle_find(exec, handle);
    if (token == 0)
        return agpu_exec_fail(exec, AGPU_DIAG_EXEC_SHARED_SURFACE, "share token 0 names nothing");
    if (!entry || (entry->kind != AGPU_HANDLE_RESOURCE && entry->kind != AGPU_HANDLE_ALIAS))
        return agpu_exec_fail(exec, AGPU_DIAG_EXEC_HANDLE, "handle %" PRIu32 " names no live resource",
                              handle);
    if (entry->resource->kind == AGPU_RESOURCE_TEXTURE) {
        const struct agpu_texture *texture = (const struct agpu_texture *)entry->resource;
        if (texture->mips != 1 || texture->layers != 1)
            return agpu_exec_fail(exec, AGPU_DIAG_EXEC_SHARED_SURFACE,
                                  "a shared surface has one mip and one layer, texture %" PRIu32
                                  " has %" PRIu32 " and %" PRIu32,
                                  handle, texture->mips, texture->layers);
    }
    struct agpu_resource *known = agpu_map_get(&exec->share_tokens, token);
    if (known == &exec->retired_token)
        return agpu_exec_fail(exec, AGPU_DIAG_EXEC_SHARED_SURFACE, "share token 0x%" PRIx64 " is retired",
                              token);
    if (known && known != entry->resource)
        return agpu_exec_fail(exec, AGPU_DIAG_EXEC_SHARED_SURFACE,
                              "share token 0x%" PRIx64 " names another resource", token);
    if (!agpu_map_put(&exec->share_tokens, token, entry->resource))
        return agpu_exec_no_memory(exec);
    return AGPU_OK;
}

enum agpu_status agpu_share_import(struct agpu_exec *exec, uint32_t handle, uint64_t token)
{
    struct agpu_resource *resource = token ? agpu_map_get(&exec->share_tokens, token) : NULL;
    struct agpu_handle *entry = agpu_handle_find(exec, handle);
    if (!resource || resource == &exec->retired_token)
        return agpu_exec_fail(exec, AGPU_DIAG_EXEC_SHARED_SURFACE, "share token 0x%" PRIx64 " is %s", token,
                              resource ? "retired" : "unknown");
    if (handle == 0)
        return agpu_exec_fail(exec, AGPU_DIAG_EXEC_HANDLE, "handle 0 cannot name an object");
    if (entry && entry->kind == AGPU_HANDLE_ALIAS && entry->resource == resource)
        return AGPU_OK;
    if (entry)
        return agpu_exec_fail(exec, AGPU_DIAG_EXEC_HANDLE, "handle %" PRIu32 " is taken", handle);
    if (!agpu_handle_add(exec, handle, AGPU_HANDLE_ALIAS, resource, NULL))
        return agpu_exec_no_memory(exec);
    resource->references++;
    return AGPU_OK;
}

enum agpu_status agpu_share_release(struct agpu_exec *exec, uint64_t token)
{
    if (agpu_map_get(&exec->share_tokens, token))
        agpu_map_put(&exec->share_tokens, token, &exec->retired_token); /* replaces: needs no memory */
    return AGPU_OK;
}

void agpu_share_retire_resource(struct agpu_exec *exec, const struct agpu_resource *resource)
{
    size_t cursor = 0;
    uint64_t token;
    void *value;
    while (agpu_map_next(&exec->share_tokens, &cursor, &token, &value)) {
        if (value != resource)
            continue;
        agpu_map_put(&exec->share_tokens, token,
                     &exec->retired_token); /* replaces: the map keeps its shape */
    }
}
