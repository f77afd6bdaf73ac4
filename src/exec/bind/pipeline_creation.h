/* SPDX-License-Identifier: MIT
 *
 * Render pipelines made: checked against the device, translated, and begun to be compiled.
 */
#ifndef AG_EXEC_BIND_PIPELINE_CREATION_H
#define AG_EXEC_BIND_PIPELINE_CREATION_H

#include "exec/host/outcome.h"

struct ag_binder;
struct ag_inlined_parts;
struct ag_label;
struct ag_pipeline;
struct ag_pipeline_key;
struct ag_shader_program;

/* A refused pipeline is made all the same and keeps its refusal. A shortage makes no pipeline, nor does what
 * is not translated yet. The caller owns what is made. */
enum ag_outcome ag_pipeline_create(struct ag_binder *binder, const struct ag_pipeline_key *key,
                                   struct ag_shader_program *vertex, struct ag_shader_program *pixel,
                                   const struct ag_inlined_parts *parts, struct ag_pipeline **created);

/* "pipeline vs 2 ps 4": the last stage in front of pixels, and the pixel shader. */
void ag_pipeline_label(const struct ag_pipeline *pipeline, struct ag_label *label);

#endif
