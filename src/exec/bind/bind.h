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

/* Brings up to date and binds what a stage's module uses; may end the open pass. Fills in the module's part
 * of the draw block's views. */
enum ag_outcome ag_bind_stage(struct ag_binder *binder, struct ag_context *context, enum agpu_stage stage,
                              const struct ag_shader_variant *variant,
                              const struct ag_shader_program *program, struct ag_draw_block *block,
                              struct ag_bound_group *group);
/* Group 3 of an expansion's variant: `lists` are its lists and records, by binding from AG_BINDING_INTERNAL
 * on. The rest as above; the draw block is bound last, as it then is. */
enum ag_outcome ag_bind_expansion(struct ag_binder *binder, struct ag_context *context, enum agpu_stage stage,
                                  const struct ag_shader_variant *variant,
                                  const struct ag_shader_program *program,
                                  const struct ag_bind_item lists[AG_EXPAND_BINDING_COUNT],
                                  struct ag_draw_block *block, struct ag_bound_group *group);
/* Group 3. */
enum ag_outcome ag_bind_draw_block(struct ag_binder *binder, const struct ag_draw_block *block,
                                   struct ag_bound_group *group);

#endif
