/* SPDX-License-Identifier: MIT
 *
 * Draws whose primitives are made by compute passes: those with geometry, hull and domain shaders, and those
 * that WebGPU's vertex stage cannot express.
 */
#ifndef AGPU_EXEC_EXPAND_DRAW_H
#define AGPU_EXEC_EXPAND_DRAW_H

#include "exec/draw.h"
#include "exec/expand_pool.h"

/* (expand_stage.c) Whether the draw is to be expanded. False when it cannot go on: reported; *failed: the
 * stream stops. */
bool agpu_expansion_decide(struct agpu_exec *exec, struct agpu_context *context, const struct agpu_draw *draw,
                           const struct agpu_attachments *attachments, bool *expanded, bool *failed);
/* True when it was drawn, or drew nothing. */
bool agpu_draw_expanded(struct agpu_exec *exec, struct agpu_context *context, const struct agpu_draw *draw,
                        const struct agpu_attachments *attachments, bool *failed);

/* ---- Stages (expand_stage.c) -------------------------------------------------------------------------- */

/* In the order in which they run. */
enum agpu_expand_stage {
    AGPU_EXPAND_STAGE_VERTEX,
    AGPU_EXPAND_STAGE_CONTROL_POINTS, /* the hull shader's phases */
    AGPU_EXPAND_STAGE_PATCHES,
    AGPU_EXPAND_STAGE_DOMAIN,
    AGPU_EXPAND_STAGE_GEOMETRY,
    AGPU_EXPAND_STAGE_COUNT
};

struct agpu_expand_stages {
    struct {
        struct agpu_shader_program *program; /* null: the stage does not run */
        struct agpu_shader_variant *variant;
        WGPUComputePipeline gpu;
    } stages[AGPU_EXPAND_STAGE_COUNT];
    enum agpu_expand_stage last;                                /* what is drawn is its output */
    const struct agpu_stream_output_declaration *stream_output; /* null: nothing goes to buffers */
    bool rasterizes;                                            /* something is drawn */
    struct agpu_tessellation tessellation;
    struct agpu_expand_shape shape;
    struct agpu_expanded_key drawn;
};

enum agpu_stage agpu_expand_stage_of(enum agpu_expand_stage stage);

/* The programs bound, translated for each other, and the shape of what they make of the draw. False as above.
 */
bool agpu_expand_stages_init(struct agpu_exec *exec, struct agpu_context *context,
                             const struct agpu_draw *draw, struct agpu_expand_stages *stages, bool *failed);

#endif
