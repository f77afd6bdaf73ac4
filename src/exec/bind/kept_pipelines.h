/* SPDX-License-Identifier: MIT
 *
 * Which render pipelines were made of a program, in the persistent cache. When the program is created again
 * in a later run, they are begun before a draw needs them, one after the other, as time permits. A draw finds
 * such a pipeline as if the draw had made it.
 */
#ifndef AG_EXEC_BIND_KEPT_PIPELINES_H
#define AG_EXEC_BIND_KEPT_PIPELINES_H

#include <stdbool.h>
#include <stdint.h>

struct ag_binder;
struct ag_pipeline;
struct ag_shader_program;

/* A pipeline was made for a draw. */
void ag_kept_pipelines_note(struct ag_binder *binder, const struct ag_pipeline *pipeline);

/* A program is there: what is known of it, and of programs that are there already, will be begun. */
void ag_kept_pipelines_expect(struct ag_binder *binder, struct ag_shader_program *program);
/* The program dies. */
void ag_kept_pipelines_forget(struct ag_binder *binder, const struct ag_shader_program *program);

/* Begins the next pipeline. Returns whether there are more. */
bool ag_kept_pipelines_step(struct ag_binder *binder);

#endif
