/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdlib.h>

#include "exec/exec.h"
#include "exec/share.h"

struct agpu_handle *agpu_handle_find(struct agpu_exec *exec, uint32_t handle)
{
    return agpu_map_get(&exec->handles, handle);
}

static struct agpu_resource *find_resource(struct agpu_exec *exec, uint32_t handle,
                                           enum agpu_resource_kind kind)
{
    struct agpu_handle *entry = agpu_handle_find(exec, handle);
    if (!entry || (entry->kind != AGPU_HANDLE_RESOURCE && entry->kind != AGPU_HANDLE_ALIAS) ||
        entry->resource->kind != kind)
        return NULL;
    return entry->resource;
}

struct agpu_buffer *agpu_handle_buffer(struct agpu_exec *exec, uint32_t handle)
{
    return (struct agpu_buffer *)find_resource(exec, handle, AGPU_RESOURCE_BUFFER);
}

struct agpu_texture *agpu_handle_texture(struct agpu_exec *exec, uint32_t handle)
{
    return (struct agpu_texture *)find_resource(exec, handle, AGPU_RESOURCE_TEXTURE);
}

struct agpu_texture_view *agpu_handle_view(struct agpu_exec *exec, uint32_t handle)
{
    struct agpu_handle *entry = agpu_handle_find(exec, handle);
    if (entry && entry->kind == AGPU_HANDLE_VIEW)
        return entry->resource->kind == AGPU_RESOURCE_TEXTURE ? &entry->view->texture : NULL;
    struct agpu_texture *texture = agpu_handle_texture(exec, handle);
    return texture ? &texture->whole : NULL;
}

struct agpu_view *agpu_handle_any_view(struct agpu_exec *exec, uint32_t handle)
{
    struct agpu_handle *entry = agpu_handle_find(exec, handle);
    return entry && entry->kind == AGPU_HANDLE_VIEW ? entry->view : NULL;
}

struct agpu_view *agpu_handle_view_of_kind(struct agpu_exec *exec, uint32_t handle,
                                           enum aerogpu_ext_view_kind kind, bool plain)
{
    struct agpu_view *view = agpu_handle_any_view(exec, handle);
    if (view && (view->kind == kind || (plain && view->kind == AGPU_VIEW_PLAIN)))
        return view;
    agpu_exec_fail(exec, AGPU_DIAG_EXEC_HANDLE, "handle %" PRIu32 " names no %s view", handle,
                   agpu_view_kind_name(kind));
    return NULL;
}

bool agpu_handle_add(struct agpu_exec *exec, uint32_t handle, enum agpu_handle_kind kind,
                     struct agpu_resource *resource, struct agpu_view *view)
{
    struct agpu_handle *entry = calloc(1, sizeof *entry);
    if (!entry)
        return false;
    *entry = (struct agpu_handle){.kind = kind, .resource = resource, .view = view};
    if (!agpu_map_put(&exec->handles, handle, entry)) {
        free(entry);
        return false;
    }
    return true;
}

static void remove_handle(struct agpu_exec *exec, uint32_t handle)
{
    free(agpu_map_remove(&exec->handles, handle));
}

static void destroy_resource(struct agpu_exec *exec, struct agpu_resource *resource)
{
    if (resource->kind == AGPU_RESOURCE_BUFFER)
        agpu_buffer_destroy(exec, (struct agpu_buffer *)resource);
    else
        agpu_texture_destroy(exec, (struct agpu_texture *)resource);
}

/* The last live handle is gone: bindings, views, tokens and the reserved original go with the resource. */
static void last_reference_gone(struct agpu_exec *exec, struct agpu_resource *resource)
{
    struct agpu_handle *original = agpu_handle_find(exec, resource->handle);
    agpu_contexts_forget_resource(exec, resource);
    agpu_share_retire_resource(exec, resource);
    for (struct agpu_view *view = resource->views; view; view = view->next)
        remove_handle(exec, view->handle);
    if (original && original->kind == AGPU_HANDLE_RESERVED && original->resource == resource)
        remove_handle(exec, resource->handle);
    destroy_resource(exec, resource);
}

void agpu_handle_destroy_resource(struct agpu_exec *exec, uint32_t handle)
{
    struct agpu_handle *entry = agpu_handle_find(exec, handle);
    if (!entry || entry->kind == AGPU_HANDLE_VIEW || entry->kind == AGPU_HANDLE_RESERVED)
        return;
    struct agpu_resource *resource = entry->resource;
    if (entry->kind == AGPU_HANDLE_RESOURCE && resource->references > 1) {
        entry->kind = AGPU_HANDLE_RESERVED;
        resource->references--;
        return;
    }
    remove_handle(exec, handle);
    if (--resource->references == 0)
        last_reference_gone(exec, resource);
}

void agpu_handle_destroy_view(struct agpu_exec *exec, uint32_t handle)
{
    struct agpu_handle *entry = agpu_handle_find(exec, handle);
    if (!entry || entry->kind != AGPU_HANDLE_VIEW)
        return;
    struct agpu_view *view = entry->view, **link = &view->resource->views;
    while (*link && *link != view)
        link = &(*link)->next;
    if (*link)
        *link = view->next;
    agpu_contexts_forget_view(exec, view);
    agpu_view_destroy(exec, view);
    remove_handle(exec, handle);
}

void agpu_handles_clear(struct agpu_exec *exec)
{
    size_t cursor = 0;
    uint64_t key;
    void *value;
    /* Each resource once: its original handle, live or reserved, always has an entry. */
    while (agpu_map_next(&exec->handles, &cursor, &key, &value)) {
        struct agpu_handle *entry = value;
        if (entry->kind == AGPU_HANDLE_RESOURCE || entry->kind == AGPU_HANDLE_RESERVED)
            destroy_resource(exec, entry->resource);
    }
    cursor = 0;
    while (agpu_map_next(&exec->handles, &cursor, &key, &value))
        free(value);
    agpu_map_fini(&exec->handles);
}
