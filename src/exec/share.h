/* SPDX-License-Identifier: MIT
 *
 * Shared surfaces: tokens that name resources across guest processes (spec: ABI 12.4, T1-T7).
 */
#ifndef AGPU_EXEC_SHARE_H
#define AGPU_EXEC_SHARE_H

#include "aerogpu/diag.h"

struct agpu_exec;
struct agpu_resource;

enum agpu_status agpu_share_export(struct agpu_exec *exec, uint32_t handle, uint64_t token);
enum agpu_status agpu_share_import(struct agpu_exec *exec, uint32_t handle, uint64_t token);
/* Retires the token for ever; an unknown one is left alone. */
enum agpu_status agpu_share_release(struct agpu_exec *exec, uint64_t token);

/* Retires every token of a resource that dies. */
void agpu_share_retire_resource(struct agpu_exec *exec, const struct agpu_resource *resource);

#endif
