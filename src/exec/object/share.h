/* SPDX-License-Identifier: MIT
 *
 * Shared surfaces: share tokens, which name resources across the guest's processes (spec: ABI 12.4, T1-T7).
 * The packet handlers export, import and release them.
 */
#ifndef AG_EXEC_OBJECT_SHARE_H
#define AG_EXEC_OBJECT_SHARE_H

#include <stdbool.h>
#include <stdint.h>

#include "aerogpu/diag.h"

struct ag_objects;
struct ag_resource;

/* Gives the resource that the handle names a token. A token that is 0, retired or another resource's is left
 * alone with a warning. Reported when not AGPU_OK. */
enum agpu_status ag_share_export(struct ag_objects *objects, uint32_t handle, uint64_t token);

/* Makes the handle an alias of the resource that has the token. Reported when not AGPU_OK. */
enum agpu_status ag_share_import(struct ag_objects *objects, uint32_t handle, uint64_t token);

/* The resource that has the token. Null when none has. */
struct ag_resource *ag_share_resource(const struct ag_objects *objects, uint64_t token);

/* Retires the token for ever. A token that was never exported is left alone. */
enum agpu_status ag_share_release(struct ag_objects *objects, uint64_t token);

/* Whether a resource has more tokens than `count`. */
bool ag_share_has_more(const struct ag_resource *resource, uint32_t count);

/* Retires one token of a resource that has some. */
void ag_share_retire_newest(struct ag_objects *objects, const struct ag_resource *resource);

/* Retires every token of a resource, before the resource is destroyed. */
void ag_share_retire_resource(struct ag_objects *objects, const struct ag_resource *resource);

#endif
