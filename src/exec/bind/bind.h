/* SPDX-License-Identifier: MIT
 *
 * Bind groups of a draw or dispatch, made of a context's bindings: for each binding of a stage's module, the
 * object that the guest bound, or a dummy that reads as Direct3D's empty slots do.
 */
#ifndef AG_EXEC_BIND_BIND_H
#define AG_EXEC_BIND_BIND_H

#include "aerogpu/dxbc.h"
#include "exec/host/outcome.h"
#include "exec/record/bind_group.h"
#include "wgsl/expansion.h"

struct ag_binder;
struct ag_context;
struct ag_draw_block;
struct ag_shader_program;
struct ag_shader_variant;

/* Brings the resources of a stage's module up to date, makes the bind group of the stage, and fills in the
 * module's views in the draw block. May end the open pass. */
enum ag_outcome ag_bind_stage(struct ag_binder *binder, struct ag_context *context, enum agpu_stage stage,
                              const struct ag_shader_variant *variant,
                              const struct ag_shader_program *program, struct ag_draw_block *block,
                              struct ag_bound_group *group);

/* Makes group 3 of a variant of an expanded draw, like ag_bind_stage(). `lists` are the lists and records,
 * by binding from AG_BINDING_INTERNAL on. The draw block is uploaded with the contents that it has in the
 * end. */
enum ag_outcome ag_bind_expansion(struct ag_binder *binder, struct ag_context *context, enum agpu_stage stage,
                                  const struct ag_shader_variant *variant,
                                  const struct ag_shader_program *program,
                                  const struct ag_bind_item lists[AG_EXPAND_BINDING_COUNT],
                                  struct ag_draw_block *block, struct ag_bound_group *group);

/* Makes group 3 of all other pipelines, with the draw block alone. */
enum ag_outcome ag_bind_draw_block(struct ag_binder *binder, const struct ag_draw_block *block,
                                   struct ag_bound_group *group);

#endif
