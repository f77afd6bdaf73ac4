/* SPDX-License-Identifier: MIT
 *
 * The stages of an expanded draw: which draws are expanded (those with geometry, hull or domain shaders or
 * stream output, and those that WebGPU's vertex stage cannot draw), the translations of their shaders for
 * each other, and the records and primitives that the stages hand on.
 */
#ifndef AG_EXEC_EXPAND_STAGES_H
#define AG_EXEC_EXPAND_STAGES_H

#include <stdbool.h>

#include "aerogpu/dxbc.h"
#include "exec/bind/pipeline.h"
#include "exec/host/outcome.h"
#include "gpu/webgpu.h"
#include "kernel/plan.h"
#include "kernel/tessellator.h"

struct ag_attachments;
struct ag_context;
struct ag_draw;
struct ag_expander;
struct ag_shader_program;
struct ag_shader_variant;
struct ag_stream_output_declaration;

/* Decides whether the draw is expanded. */
enum ag_outcome ag_expanded_draw_decide(struct ag_expander *expander, struct ag_context *context,
                                        const struct ag_draw *draw, const struct ag_attachments *attachments,
                                        bool *expanded);

/* The compute passes of shaders, in the order in which they run. */
enum ag_expand_stage {
    AG_EXPAND_STAGE_VERTEX,
    AG_EXPAND_STAGE_CONTROL_POINTS, /* the hull shader's control point phase */
    AG_EXPAND_STAGE_PATCHES,        /* the hull shader's fork and join phases */
    AG_EXPAND_STAGE_DOMAIN,
    AG_EXPAND_STAGE_GEOMETRY,
    AG_EXPAND_STAGE_COUNT
};

struct ag_expand_stages {
    struct {
        struct ag_shader_program *program; /* null when the stage does not run */
        struct ag_shader_variant *variant;
        WGPUComputePipeline gpu;
    } stages[AG_EXPAND_STAGE_COUNT];
    enum ag_expand_stage last;                                /* the stage whose primitives are drawn */
    const struct ag_stream_output_declaration *stream_output; /* null when no primitives go to buffers */
    bool rasterizes;                                          /* primitives are drawn */
    bool has_constant_sets; /* stages may have sets of constants, since what is drawn in pieces is known by
                               patch */
    struct ag_tessellation tessellation;
    struct ag_expand_shape shape;
    struct ag_expanded_key drawn;
};

enum agpu_stage ag_expand_stage_of(enum ag_expand_stage stage);

/* What the tessellator does for a hull and a domain shader and patches of so many control points; `written`
 * is the greatest factor that the hull shader was seen to write, or 0. False when the shaders do not agree.
 */
bool ag_expand_tessellation(const struct ag_shader_program *hull, const struct ag_shader_program *domain,
                            uint32_t written, uint32_t control_points, struct ag_tessellation *tessellation);

/* Whether each patch that is not culled is one triangle, or two of a quad. */
bool ag_expand_divides_nothing(const struct ag_tessellation *tessellation);

/* Translates the bound programs for each other and describes the records and primitives that they hand on. */
enum ag_outcome ag_expand_stages_init(struct ag_expander *expander, struct ag_context *context,
                                      const struct ag_draw *draw, struct ag_expand_stages *stages);

/* Describes how the primitives are drawn with the context's state. */
void ag_expand_stages_draw(const struct ag_context *context, struct ag_expand_stages *stages);

#endif
