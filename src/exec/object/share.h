/* SPDX-License-Identifier: MIT
 *
 * Shared surfaces: tokens that name resources across guest processes (spec: ABI 12.4, T1-T7).
 */
#ifndef AG_EXEC_OBJECT_SHARE_H
#define AG_EXEC_OBJECT_SHARE_H

#include <stdint.h>

#include "aerogpu/diag.h"

struct ag_objects;
struct ag_resource;

enum agpu_status ag_share_export(struct ag_objects *objects, uint32_t handle, uint64_t token);
enum agpu_status ag_share_import(struct ag_objects *objects, uint32_t handle, uint64_t token);
/* Retires the token for ever; an unknown one is left alone. */
enum agpu_status ag_share_release(struct ag_objects *objects, uint64_t token);
/* Retires every token of a resource that dies. */
void ag_share_retire_resource(struct ag_objects *objects, const struct ag_resource *resource);

#endif
