/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdlib.h>

#include "exec/exec.h"
#include "exec/share.h"
#include "wgsl/draw_block.h"

struct ag_handle *ag_handle_find(struct ag_exec *exec, uint32_t handle)
{
    return ag_map_get(&exec->handles, handle);
}

static struct ag_resource *find_resource(struct ag_exec *exec, uint32_t handle, enum ag_resource_kind kind)
{
    struct ag_handle *entry = ag_handle_find(exec, handle);
    if (!entry || (entry->kind != AG_HANDLE_RESOURCE && entry->kind != AG_HANDLE_ALIAS) ||
        entry->resource->kind != kind)
        return NULL;
    return entry->resource;
}

struct ag_buffer *ag_handle_buffer(struct ag_exec *exec, uint32_t handle)
{
    return (struct ag_buffer *)find_resource(exec, handle, AG_RESOURCE_BUFFER);
}

struct ag_texture *ag_handle_texture(struct ag_exec *exec, uint32_t handle)
{
    return (struct ag_texture *)find_resource(exec, handle, AG_RESOURCE_TEXTURE);
}

struct ag_texture_view *ag_handle_view(struct ag_exec *exec, uint32_t handle)
{
    struct ag_handle *entry = ag_handle_find(exec, handle);
    if (entry && entry->kind == AG_HANDLE_VIEW)
        return entry->resource->kind == AG_RESOURCE_TEXTURE ? &entry->view->texture : NULL;
    struct ag_texture *texture = ag_handle_texture(exec, handle);
    return texture ? &texture->whole : NULL;
}

struct ag_view *ag_handle_any_view(struct ag_exec *exec, uint32_t handle)
{
    struct ag_handle *entry = ag_handle_find(exec, handle);
    return entry && entry->kind == AG_HANDLE_VIEW ? entry->view : NULL;
}

struct ag_view *ag_handle_view_of_kind(struct ag_exec *exec, uint32_t handle, enum aerogpu_ext_view_kind kind,
                                       bool plain)
{
    struct ag_view *view = ag_handle_any_view(exec, handle);
    if (view && (view->kind == kind || (plain && view->kind == AG_VIEW_PLAIN)))
        return view;
    ag_exec_fail(exec, AGPU_DIAG_EXEC_HANDLE, "handle %" PRIu32 " names no %s view", handle,
                 ag_view_kind_name(kind));
    return NULL;
}

bool ag_handle_add(struct ag_exec *exec, uint32_t handle, enum ag_handle_kind kind,
                   struct ag_resource *resource, struct ag_view *view)
{
    struct ag_handle *entry = calloc(1, sizeof *entry);
    if (!entry)
        return false;
    *entry = (struct ag_handle){.kind = kind, .resource = resource, .view = view};
    if (!ag_map_put(&exec->handles, handle, entry)) {
        free(entry);
        return false;
    }
    return true;
}

static void remove_handle(struct ag_exec *exec, uint32_t handle)
{
    free(ag_map_remove(&exec->handles, handle));
}

static void destroy_resource(struct ag_exec *exec, struct ag_resource *resource)
{
    if (resource->kind == AG_RESOURCE_BUFFER)
        ag_buffer_destroy(exec, (struct ag_buffer *)resource);
    else
        ag_texture_destroy(exec, (struct ag_texture *)resource);
}

/* The last live handle is gone: bindings, views, tokens and the reserved original go with the resource. */
static void last_reference_gone(struct ag_exec *exec, struct ag_resource *resource)
{
    struct ag_handle *original = ag_handle_find(exec, resource->handle);
    ag_contexts_forget_resource(exec, resource);
    ag_share_retire_resource(exec, resource);
    for (struct ag_view *view = resource->views; view; view = view->next)
        remove_handle(exec, view->handle);
    if (original && original->kind == AG_HANDLE_RESERVED && original->resource == resource)
        remove_handle(exec, resource->handle);
    destroy_resource(exec, resource);
}

void ag_handle_destroy_resource(struct ag_exec *exec, uint32_t handle)
{
    struct ag_handle *entry = ag_handle_find(exec, handle);
    if (!entry || entry->kind == AG_HANDLE_VIEW || entry->kind == AG_HANDLE_RESERVED)
        return;
    struct ag_resource *resource = entry->resource;
    if (entry->kind == AG_HANDLE_RESOURCE && resource->references > 1) {
        entry->kind = AG_HANDLE_RESERVED;
        resource->references--;
        return;
    }
    remove_handle(exec, handle);
    if (--resource->references == 0)
        last_reference_gone(exec, resource);
}

void ag_handle_destroy_view(struct ag_exec *exec, uint32_t handle)
{
    struct ag_handle *entry = ag_handle_find(exec, handle);
    if (!entry || entry->kind != AG_HANDLE_VIEW)
        return;
    struct ag_view *view = entry->view, **link = &view->resource->views;
    while (*link && *link != view)
        link = &(*link)->next;
    if (*link)
        *link = view->next;
    ag_contexts_forget_view(exec, view);
    ag_view_destroy(exec, view);
    remove_handle(exec, handle);
}

void ag_handles_clear(struct ag_exec *exec)
{
    size_t cursor = 0;
    uint64_t key;
    void *value;
    /* Each resource once: its original handle, live or reserved, always has an entry. */
    while (ag_map_next(&exec->handles, &cursor, &key, &value)) {
        struct ag_handle *entry = value;
        if (entry->kind == AG_HANDLE_RESOURCE || entry->kind == AG_HANDLE_RESERVED)
            destroy_resource(exec, entry->resource);
    }
    cursor = 0;
    while (ag_map_next(&exec->handles, &cursor, &key, &value))
        free(value);
    ag_map_fini(&exec->handles);
}
