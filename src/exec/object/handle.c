/* SPDX-License-Identifier: MIT */
#include "exec/object/handle.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "aerogpu/abi/ext.h"
#include "aerogpu/diag.h"
#include "base/map.h"
#include "exec/host/host.h"
#include "exec/host/host_memory.h"
#include "exec/host/progress.h"
#include "exec/host/refused_handle.h"
#include "exec/host/report.h"
#include "exec/object/buffer.h"
#include "exec/object/objects.h"
#include "exec/object/observer.h"
#include "exec/object/resource.h"
#include "exec/object/share.h"
#include "exec/object/texture.h"
#include "exec/object/view.h"

/* ---- Finding ------------------------------------------------------------------------------------------ */

/* What draws bind by the handle. */
static void find_object(struct ag_recent_handle *recent)
{
    const struct ag_handle *entry = recent->entry;
    if (!entry || (entry->kind != AG_HANDLE_RESOURCE && entry->kind != AG_HANDLE_VIEW))
        return;
    if (entry->resource->kind == AG_RESOURCE_TEXTURE) {
        struct ag_texture *texture = (struct ag_texture *)entry->resource;
        recent->kind = AG_RECENT_TEXTURE_VIEW;
        recent->object = entry->kind == AG_HANDLE_VIEW ? &entry->view->texture : &texture->whole;
    } else if (entry->kind == AG_HANDLE_RESOURCE) {
        recent->kind = AG_RECENT_BUFFER;
        recent->object = entry->resource;
    }
}

struct ag_handle *ag_handle_find(struct ag_objects *objects, uint32_t handle)
{
    struct ag_handle *entry = ag_recent_handle_get(objects, handle);
    if (entry)
        return entry;
    struct ag_recent_handle *recent = &objects->recent_handles[handle % AG_RECENT_HANDLES];
    entry = ag_map_get(&objects->handles, handle);
    *recent = (struct ag_recent_handle){.handle = handle, .entry = entry};
    find_object(recent);
    return entry;
}

/* What the handle names changes. */
static void forget_recent(struct ag_objects *objects, uint32_t handle)
{
    objects->recent_handles[handle % AG_RECENT_HANDLES] = (struct ag_recent_handle){0};
}

static struct ag_resource *resource_of(const struct ag_handle *entry)
{
    return entry && (entry->kind == AG_HANDLE_RESOURCE || entry->kind == AG_HANDLE_ALIAS) ? entry->resource
                                                                                          : NULL;
}

struct ag_resource *ag_handle_resource(struct ag_objects *objects, uint32_t handle)
{
    return resource_of(ag_handle_find(objects, handle));
}

static struct ag_resource *find_resource(struct ag_objects *objects, uint32_t handle,
                                         enum ag_resource_kind kind)
{
    struct ag_resource *resource = ag_handle_resource(objects, handle);
    return resource && resource->kind == kind ? resource : NULL;
}

struct ag_buffer *ag_handle_buffer(struct ag_objects *objects, uint32_t handle)
{
    return (struct ag_buffer *)find_resource(objects, handle, AG_RESOURCE_BUFFER);
}

struct ag_texture *ag_handle_texture(struct ag_objects *objects, uint32_t handle)
{
    return (struct ag_texture *)find_resource(objects, handle, AG_RESOURCE_TEXTURE);
}

struct ag_texture_view *ag_handle_view(struct ag_objects *objects, uint32_t handle)
{
    struct ag_handle *entry = ag_handle_find(objects, handle);
    if (entry && entry->kind == AG_HANDLE_VIEW)
        return entry->resource->kind == AG_RESOURCE_TEXTURE ? &entry->view->texture : NULL;
    struct ag_resource *resource = resource_of(entry);
    return resource && resource->kind == AG_RESOURCE_TEXTURE ? &((struct ag_texture *)resource)->whole : NULL;
}

struct ag_view *ag_handle_any_view(struct ag_objects *objects, uint32_t handle)
{
    struct ag_handle *entry = ag_handle_find(objects, handle);
    return entry && entry->kind == AG_HANDLE_VIEW ? entry->view : NULL;
}

bool ag_handle_view_of_kind(struct ag_objects *objects, uint32_t handle, enum aerogpu_ext_view_kind kind,
                            bool plain, struct ag_view **view)
{
    *view = ag_handle_any_view(objects, handle);
    if (*view && ((*view)->kind == kind || (plain && (*view)->kind == AG_VIEW_PLAIN)))
        return true;
    *view = NULL;
    if (ag_handle_is_refused(objects->host, AG_SPACE_RESOURCES, handle))
        return true;
    ag_host_fail(objects->host, AGPU_DIAG_EXEC_HANDLE, "handle %" PRIu32 " names no %s view", handle,
                 ag_view_kind_name(kind));
    return false;
}

/* ---- Adding and destroying ---------------------------------------------------------------------------- */

bool ag_handle_add(struct ag_objects *objects, uint32_t handle, enum ag_handle_kind kind,
                   struct ag_resource *resource, struct ag_view *view)
{
    struct ag_handle *entry = calloc(1, sizeof *entry);
    if (!entry)
        return false;
    *entry = (struct ag_handle){
        .kind = kind, .resource = resource, .view = view, .account = objects->host->accounts.current};
    if (!ag_map_put(&objects->handles, handle, entry)) {
        free(entry);
        return false;
    }
    return true;
}

struct ag_view *ag_view_create(struct ag_objects *objects, uint32_t handle, struct ag_resource *resource,
                               enum agpu_status *status)
{
    *status = ag_host_memory_charge(objects->host, AG_HOST_OBJECT_BYTES);
    if (*status != AGPU_OK)
        return NULL;
    struct ag_view *view = calloc(1, sizeof *view);
    if (!view || !ag_handle_add(objects, handle, AG_HANDLE_VIEW, resource, view)) {
        ag_host_memory_give(objects->host, objects->host->accounts.current, AG_HOST_OBJECT_BYTES);
        free(view);
        *status = ag_host_no_memory(objects->host);
        return NULL;
    }
    view->handle = handle;
    view->account = objects->host->accounts.current;
    view->resource = resource;
    view->next = resource->views;
    if (view->next)
        view->next->previous = view;
    resource->views = view;
    return view;
}

static void free_handle(struct ag_objects *objects, struct ag_handle *entry)
{
    if (entry && entry->kind == AG_HANDLE_ALIAS)
        ag_host_memory_give(objects->host, entry->account, AG_HOST_ALIAS_BYTES);
    free(entry);
}

static void remove_handle(struct ag_objects *objects, uint32_t handle)
{
    forget_recent(objects, handle);
    free_handle(objects, ag_map_remove(&objects->handles, handle));
}

static void destroy_resource(struct ag_objects *objects, struct ag_resource *resource)
{
    if (resource->kind == AG_RESOURCE_BUFFER)
        ag_buffer_destroy(objects, (struct ag_buffer *)resource);
    else
        ag_texture_destroy(objects, (struct ag_texture *)resource);
}

/* With the last handle, the resource, which nothing has bound any more, is destroyed along with its views,
 * share tokens, and its original handle in case aliases had kept the original reserved. */
static void last_reference_gone(struct ag_objects *objects, struct ag_resource *resource)
{
    struct ag_handle *original = ag_handle_find(objects, resource->handle);
    ag_share_retire_resource(objects, resource);
    for (struct ag_view *view = resource->views; view; view = view->next)
        remove_handle(objects, view->handle);
    if (original && original->kind == AG_HANDLE_RESERVED && original->resource == resource)
        remove_handle(objects, resource->handle);
    destroy_resource(objects, resource);
}

/* Each token may move all that are retired before, 4 MiB at most. */
#define VIEWS_AT_ONCE 1024u
#define TOKENS_AT_ONCE 8u

static bool has_more_views(const struct ag_resource *resource, uint32_t count)
{
    const struct ag_view *view = resource->views;
    while (view && count-- > 0)
        view = view->next;
    return view != NULL;
}

static void unlink_view(struct ag_view *view)
{
    if (view->next)
        view->next->previous = view->previous;
    if (view->previous)
        view->previous->next = view->next;
    else
        view->resource->views = view->next;
}

/* Nothing has the view bound any more. */
static void destroy_newest_view(struct ag_objects *objects, struct ag_resource *resource)
{
    struct ag_view *view = resource->views;
    unlink_view(view);
    remove_handle(objects, view->handle);
    ag_view_destroy(objects, view);
}

/* Of what goes with a resource and would take more than a call's time, some. False when nothing like that is
 * left, and nothing has the resource bound. */
static bool unload(struct ag_objects *objects, struct ag_resource *resource, struct ag_progress *progress)
{
    if (progress->stage == 0) {
        if (ag_objects_resource_dies(objects, resource, &progress->done))
            return true;
        *progress = (struct ag_progress){.stage = 1};
    }
    const bool many_views = has_more_views(resource, VIEWS_AT_ONCE);
    const bool many_tokens = ag_share_has_more(resource, TOKENS_AT_ONCE);
    for (uint32_t i = 0; many_views && i < VIEWS_AT_ONCE; i++)
        destroy_newest_view(objects, resource);
    for (uint32_t i = 0; many_tokens && i < TOKENS_AT_ONCE; i++)
        ag_share_retire_newest(objects, resource);
    return many_views || many_tokens;
}

bool ag_handle_destroy_resource_part(struct ag_objects *objects, uint32_t handle,
                                     struct ag_progress *progress)
{
    struct ag_handle *entry = ag_handle_find(objects, handle);
    if (!entry || entry->kind == AG_HANDLE_VIEW || entry->kind == AG_HANDLE_RESERVED)
        return false;
    struct ag_resource *resource = entry->resource;
    if (entry->kind == AG_HANDLE_RESOURCE && resource->references > 1) {
        forget_recent(objects, handle);
        entry->kind = AG_HANDLE_RESERVED;
        resource->references--;
        return false;
    }
    if (resource->references == 1 && unload(objects, resource, progress))
        return true;
    remove_handle(objects, handle);
    if (--resource->references == 0)
        last_reference_gone(objects, resource);
    return false;
}

void ag_handle_destroy_resource(struct ag_objects *objects, uint32_t handle)
{
    struct ag_progress progress = {0};
    while (ag_handle_destroy_resource_part(objects, handle, &progress))
        continue;
}

bool ag_handle_destroy_view_part(struct ag_objects *objects, uint32_t handle, uint64_t *done)
{
    struct ag_handle *entry = ag_handle_find(objects, handle);
    if (!entry || entry->kind != AG_HANDLE_VIEW)
        return false;
    struct ag_view *view = entry->view;
    if (ag_objects_view_dies(objects, view, done))
        return true;
    unlink_view(view);
    ag_view_destroy(objects, view);
    remove_handle(objects, handle);
    return false;
}

/* Views of a resource that is left. */
#define LEFT_VIEWS_AT_ONCE 16u

bool ag_handle_free_part(struct ag_objects *objects, struct ag_handle *entry)
{
    /* The original handle of every resource, live or reserved, has exactly one entry. */
    if (entry->kind == AG_HANDLE_RESOURCE || entry->kind == AG_HANDLE_RESERVED) {
        struct ag_resource *const resource = entry->resource;
        for (uint32_t i = 0; resource->views && i < LEFT_VIEWS_AT_ONCE; i++) {
            struct ag_view *const view = resource->views;
            unlink_view(view);
            ag_view_destroy(objects, view);
        }
        if (resource->views)
            return true;
        destroy_resource(objects, resource);
    }
    free_handle(objects, entry);
    return false;
}

void ag_recent_handles_clear(struct ag_objects *objects)
{
    memset(objects->recent_handles, 0, sizeof objects->recent_handles);
}
