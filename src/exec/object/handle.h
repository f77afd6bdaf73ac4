/* SPDX-License-Identifier: MIT
 *
 * The namespace of handles that resources, their aliases and views share (spec: ABI 12.3).
 */
#ifndef AG_EXEC_OBJECT_HANDLE_H
#define AG_EXEC_OBJECT_HANDLE_H

#include <stdbool.h>
#include <stdint.h>

#include "aerogpu/abi/ext.h"

struct ag_buffer;
struct ag_objects;
struct ag_resource;
struct ag_texture;
struct ag_texture_view;
struct ag_view;

/* What a handle of the resource namespace is. */
enum ag_handle_kind {
    AG_HANDLE_RESOURCE,
    AG_HANDLE_ALIAS,
    AG_HANDLE_RESERVED, /* the destroyed original of a resource that aliases keep alive */
    AG_HANDLE_VIEW,
};

struct ag_handle {
    enum ag_handle_kind kind;
    struct ag_resource *resource;
    struct ag_view *view;
};

struct ag_handle *ag_handle_find(struct ag_objects *objects, uint32_t handle);
/* The live buffer or texture that a handle names, or null. */
struct ag_buffer *ag_handle_buffer(struct ag_objects *objects, uint32_t handle);
struct ag_texture *ag_handle_texture(struct ag_objects *objects, uint32_t handle);
/* A texture's whole view, or the view of a texture that the handle names; null for anything else. */
struct ag_texture_view *ag_handle_view(struct ag_objects *objects, uint32_t handle);
/* The view that the handle names, whatever it is of; null for anything else. */
struct ag_view *ag_handle_any_view(struct ag_objects *objects, uint32_t handle);
/* The view of that kind that a handle names, or, where `plain`, of CREATE_TEXTURE_VIEW. Null when it was
 * reported. */
struct ag_view *ag_handle_view_of_kind(struct ag_objects *objects, uint32_t handle,
                                       enum aerogpu_ext_view_kind kind, bool plain);
bool ag_handle_add(struct ag_objects *objects, uint32_t handle, enum ag_handle_kind kind,
                   struct ag_resource *resource, struct ag_view *view);
void ag_handle_destroy_resource(struct ag_objects *objects, uint32_t handle);
void ag_handle_destroy_view(struct ag_objects *objects, uint32_t handle);
void ag_handles_clear(struct ag_objects *objects);

/* A new view of the resource under the handle. Null when memory is exhausted (not reported). */
struct ag_view *ag_view_create(struct ag_objects *objects, uint32_t handle, struct ag_resource *resource);

#endif
