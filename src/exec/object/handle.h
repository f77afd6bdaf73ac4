/* SPDX-License-Identifier: MIT
 *
 * The namespace of handles that resources, their aliases and views share (spec: ABI 12.3). A resource lives
 * as long as one of its handles; a view dies with its handle or its resource. Every room looks handles up;
 * packet handlers and transfer/resource.h add and destroy them.
 */
#ifndef AG_EXEC_OBJECT_HANDLE_H
#define AG_EXEC_OBJECT_HANDLE_H

#include <stdbool.h>
#include <stdint.h>

#include "aerogpu/abi/ext.h"
#include "aerogpu/diag.h"

struct ag_buffer;
struct ag_objects;
struct ag_progress;
struct ag_resource;
struct ag_texture;
struct ag_texture_view;
struct ag_view;

/* What a handle names. */
enum ag_handle_kind {
    AG_HANDLE_RESOURCE, /* a resource, under the handle that created it */
    AG_HANDLE_ALIAS,    /* an imported resource (share.h) */
    AG_HANDLE_RESERVED, /* nothing: the handle was destroyed, but aliases keep its resource alive */
    AG_HANDLE_VIEW,
};

struct ag_handle {
    enum ag_handle_kind kind;
    struct ag_resource *resource; /* of a view: the resource that is viewed */
    struct ag_view *view;         /* null unless the kind is AG_HANDLE_VIEW */
    struct ag_account *account;   /* of the context that has an alias, which is charged for it */
};

/* ---- Finding ------------------------------------------------------------------------------------------ */

/* Null when the handle is free. */
struct ag_handle *ag_handle_find(struct ag_objects *objects, uint32_t handle);

/* The resource that the handle or alias names. Null when the handle names none (not reported). */
struct ag_resource *ag_handle_resource(struct ag_objects *objects, uint32_t handle);

/* The buffer or texture that the handle or alias names. Null when the handle names nothing of that kind (not
 * reported). */
struct ag_buffer *ag_handle_buffer(struct ag_objects *objects, uint32_t handle);
struct ag_texture *ag_handle_texture(struct ag_objects *objects, uint32_t handle);

/* The view of a texture that the handle names, or the view of the whole texture when the handle names a
 * texture. Null for anything else (not reported). */
struct ag_texture_view *ag_handle_view(struct ag_objects *objects, uint32_t handle);

/* The view of a buffer or texture that the handle names. Null for anything else (not reported). */
struct ag_view *ag_handle_any_view(struct ag_objects *objects, uint32_t handle);

/* The view of the given kind that the handle names: null when the handle is refused. `plain`: views of
 * CREATE_TEXTURE_VIEW, which have no kind, are accepted. False when the handle names no such view
 * (reported). */
bool ag_handle_view_of_kind(struct ag_objects *objects, uint32_t handle, enum aerogpu_ext_view_kind kind,
                            bool plain, struct ag_view **view);

/* ---- Adding and destroying ---------------------------------------------------------------------------- */

/* Names a resource or view by a free handle. False when memory is exhausted (not reported). */
bool ag_handle_add(struct ag_objects *objects, uint32_t handle, enum ag_handle_kind kind,
                   struct ag_resource *resource, struct ag_view *view);

/* Makes a view of the resource under a free handle. Null when memory or its budget is exhausted (reported;
 * *status is for the handler to return). */
struct ag_view *ag_view_create(struct ag_objects *objects, uint32_t handle, struct ag_resource *resource,
                               enum agpu_status *status);

/* Destroys the handle or alias, and the resource with its views when this was the last one. Does nothing when
 * the handle names no resource. */
void ag_handle_destroy_resource(struct ag_objects *objects, uint32_t handle);

/* The same a part at a time, for a packet: very many contexts, views and tokens may go with the resource.
 * *progress begins as zeros. True when more is left; the handle lives until then. */
bool ag_handle_destroy_resource_part(struct ag_objects *objects, uint32_t handle,
                                     struct ag_progress *progress);

/* Destroys the view and its handle, likewise; *done begins as 0. Does nothing when the handle names no view.
 */
bool ag_handle_destroy_view_part(struct ag_objects *objects, uint32_t handle, uint64_t *done);

/* Frees an entry that is left (objects_life.h), along with the resource that it was made for, of which some
 * views go in each call. True when there is more. The entry may be of a view that is gone. */
bool ag_handle_free_part(struct ag_objects *objects, struct ag_handle *entry);

/* What was found lately is gone. */
void ag_recent_handles_clear(struct ag_objects *objects);

#endif
