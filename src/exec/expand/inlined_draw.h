/* SPDX-License-Identifier: MIT
 *
 * Inlined draws: draws with a geometry shader that makes few vertices, and whose vertex shader runs in the
 * vertex shader of WebGPU's draw, together with the geometry shader (wgsl/inlined.h). They need no compute
 * pass, no list and no record. So are draws of many patches that cannot be divided, whose factors are not
 * above 1; of few patches, several draws share passes (expansion_batch.h). What does not fit is an expanded
 * draw with passes (expanded_draw.h): among others, stream output, wireframe, primitives that choose layers
 * or viewports, strips with cut values, elements for each instance, and counted invocations.
 *
 * The last inlined draw is kept: the next one with the same state is one call of WebGPU, as long as the pass
 * is open. Where only contents and constant buffers changed, the bind groups are made anew and nothing else.
 */
#ifndef AG_EXEC_EXPAND_INLINED_DRAW_H
#define AG_EXEC_EXPAND_INLINED_DRAW_H

#include <stdbool.h>
#include <stdint.h>

#include "exec/bind/binder.h"
#include "exec/bind/pipeline.h"
#include "exec/bind/shader.h"
#include "exec/draw/raster.h"
#include "exec/host/outcome.h"
#include "exec/record/bind_group.h"
#include "exec/record/recorder.h"
#include "kernel/assembly.h"
#include "wgsl/inlined.h"

struct ag_context;
struct ag_draw;
struct ag_expander;

struct ag_inlined_draw {
    bool is_off;            /* for tests, which compare both ways */
    uint32_t least_patches; /* of a draw that is inlined; 0: AG_INLINED_PATCHES */
    bool is_kept;
    uint64_t uses; /* counts inlined draws */

    const struct ag_context *context;
    struct ag_attachments attachments;
    struct ag_raster_area area;
    struct ag_pipeline *pipeline;
    struct ag_shader_program *programs[AGPU_STAGE_COUNT]; /* vertex, and geometry or hull and domain */
    struct ag_inlined_parts parts;
    struct ag_inlined_key key;
    uint8_t elements[AGPU_MAX_REGISTERS]; /* of the input layout, by register, where key.formats says so */
    uint8_t slots[AG_INLINED_STREAMS];    /* of vertex buffers */
    uint32_t stream_count;
    struct ag_assembly assembly;
    struct ag_expanded_key made; /* what the producer makes */
    uint32_t vertices_made;      /* that WebGPU draws for each input primitive */

    bool is_indexed;
    int32_t base_vertex;
    struct ag_bound_group groups[4]; /* references */
    uint64_t pass_number, groups_destroyed;
};

/* Fewer patches may be of draws that join. */
#define AG_INLINED_PATCHES 4096

/* The stage whose primitives are drawn. */
static inline enum agpu_stage ag_inlined_producer(const struct ag_inlined_draw *inlined)
{
    return inlined->parts.hull ? AGPU_STAGE_DOMAIN : AGPU_STAGE_GEOMETRY;
}

/* Makes the draw if it is like the kept one. */
bool ag_inlined_draw_use(struct ag_expander *expander, struct ag_context *context,
                         const struct ag_draw *draw);

/* Makes a draw that ag_expanded_draw_decide() has found to be an expanded one, if it can be inlined: *done.
 */
enum ag_outcome ag_inlined_draw_make(struct ag_expander *expander, struct ag_context *context,
                                     const struct ag_draw *draw, const struct ag_attachments *attachments,
                                     bool *done);

void ag_inlined_draw_drop(struct ag_expander *expander);

#endif
