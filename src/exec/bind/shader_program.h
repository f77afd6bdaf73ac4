/* SPDX-License-Identifier: MIT
 *
 * Shader programs under handles: created once for the same source, kept for a while when no handle names
 * them, and dropped with their pipelines.
 */
#ifndef AG_EXEC_BIND_SHADER_PROGRAM_H
#define AG_EXEC_BIND_SHADER_PROGRAM_H

#include <stdint.h>

#include "aerogpu/diag.h"
#include "aerogpu/dxbc.h"

struct ag_binder;
struct ag_shader_source;

enum agpu_status ag_shader_create(struct ag_binder *binder, uint32_t handle, enum agpu_stage stage,
                                  const struct ag_shader_source *source);

void ag_shader_release(struct ag_binder *binder, uint32_t handle);

/* Drops one of all handles and programs, from *cursor on, which begins as 0. False when none is left. */
bool ag_shaders_clear_part(struct ag_binder *binder, size_t *cursor);

#endif
