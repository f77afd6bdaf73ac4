/* SPDX-License-Identifier: MIT */
#include "exec/object/share.h"

#include <inttypes.h>
#include <stdlib.h>

#include "aerogpu/diag.h"
#include "base/map.h"
#include "exec/host/host.h"
#include "exec/host/host_memory.h"
#include "exec/host/report.h"
#include "exec/object/handle.h"
#include "exec/object/objects.h"
#include "exec/object/resource.h"
#include "exec/object/token_set.h"

/* A token, in the list of the tokens of its resource. */
struct ag_share_token {
    uint64_t token;
    struct ag_resource *resource;
    struct ag_share_token *next, *previous;
};

struct ag_resource *ag_share_resource(const struct ag_objects *objects, uint64_t token)
{
    const struct ag_share_token *known = ag_map_get(&objects->share_tokens, token);
    return known ? known->resource : NULL;
}

static bool add(struct ag_objects *objects, uint64_t token, struct ag_resource *resource)
{
    struct ag_share_token *added = malloc(sizeof *added);
    if (!added || !ag_map_put(&objects->share_tokens, token, added)) {
        free(added);
        return false;
    }
    *added = (struct ag_share_token){token, resource, resource->share_tokens, NULL};
    if (added->next)
        added->next->previous = added;
    resource->share_tokens = added;
    return true;
}

enum agpu_status ag_share_export(struct ag_objects *objects, uint32_t handle, uint64_t token)
{
    struct ag_handle *entry = ag_handle_find(objects, handle);
    if (!entry || (entry->kind != AG_HANDLE_RESOURCE && entry->kind != AG_HANDLE_ALIAS))
        return ag_host_malformed(objects->host, AGPU_DIAG_EXEC_HANDLE,
                                 "handle %" PRIu32 " names no live resource", handle);
    struct ag_resource *known = ag_share_resource(objects, token);
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
        !add(objects, token, entry->resource))
        return ag_host_no_memory(objects->host);
    return AGPU_OK;
}

static void retire(struct ag_objects *objects, uint64_t token)
{
    struct ag_share_token *retired = ag_map_remove(&objects->share_tokens, token);
    if (!retired)
        return;
    if (retired->next)
        retired->next->previous = retired->previous;
    if (retired->previous)
        retired->previous->next = retired->next;
    else
        retired->resource->share_tokens = retired->next;
    free(retired);
    ag_token_set_add(&objects->retired_tokens, token);
}

enum agpu_status ag_share_import(struct ag_objects *objects, uint32_t handle, uint64_t token)
{
    struct ag_resource *resource = token ? ag_share_resource(objects, token) : NULL;
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
    const enum agpu_status status = ag_host_memory_charge(objects->host, AG_HOST_ALIAS_BYTES);
    if (status != AGPU_OK)
        return status;
    if (!ag_handle_add(objects, handle, AG_HANDLE_ALIAS, resource, NULL)) {
        ag_host_memory_give(objects->host, objects->host->accounts.current, AG_HOST_ALIAS_BYTES);
        return ag_host_no_memory(objects->host);
    }
    resource->references++;
    return AGPU_OK;
}

enum agpu_status ag_share_release(struct ag_objects *objects, uint64_t token)
{
    retire(objects, token);
    return AGPU_OK;
}

bool ag_share_has_more(const struct ag_resource *resource, uint32_t count)
{
    const struct ag_share_token *token = resource->share_tokens;
    while (token && count-- > 0)
        token = token->next;
    return token != NULL;
}

void ag_share_retire_newest(struct ag_objects *objects, const struct ag_resource *resource)
{
    retire(objects, resource->share_tokens->token);
}

void ag_share_retire_resource(struct ag_objects *objects, const struct ag_resource *resource)
{
    while (resource->share_tokens)
        ag_share_retire_newest(objects, resource);
}
