/* SPDX-License-Identifier: MIT
 *
 * The compute passes of an expanded draw: what is recorded for each of its steps in front of the draw.
 */
#ifndef AG_EXEC_EXPAND_EXPANDED_PASSES_H
#define AG_EXEC_EXPAND_EXPANDED_PASSES_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu/webgpu.h"
#include "kernel/assembly.h"
#include "kernel/kernel.h"
#include "kernel/plan.h"
#include "kernel/tessellator.h"

struct ag_prepared_expansion;

/* A piece of a part that is drawn at a time. */
struct ag_expansion_step {
    const struct ag_assembly_part *part;
    struct ag_tessellator_part patches; /* with tessellation */
    uint32_t number;                    /* of the tessellator's step */
    /* Of the primitives in the list that the tessellator wrote, or input assembly: the first, and the most.
     */
    uint64_t first, limit;
};

/* Whether the step is the first of its part, or the first of its patches. */
static inline bool ag_expansion_begins_part(const struct ag_expansion_step *step)
{
    return step->number == 0 && step->first == 0;
}

/* A buffer of the draw, as a whole. */
struct ag_buffer_range ag_prepared_range(const struct ag_prepared_expansion *draw,
                                         enum ag_expand_buffer buffer);

/* Whether the processor knows how many primitives a step makes. */
bool ag_expansion_has_known_count(const struct ag_prepared_expansion *draw);

/* Whether at most `vertices` vertices are drawn by their number, and not as the GPU's arguments say. */
bool ag_expansion_is_direct(const struct ag_prepared_expansion *draw, uint64_t vertices);

/* Records what a part begins with: its patches, and what they yield. False when memory is exhausted
 * (reported), here and below. */
bool ag_expansion_record_beginning(struct ag_prepared_expansion *draw, WGPUComputePassEncoder pass,
                                   const struct ag_expansion_step *step);

/* Records again what a step finds that others of its part have made, whose buffers are gone: the patches, and
 * where it goes on with primitives of the tessellator's, these. */
bool ag_expansion_record_lost(struct ag_prepared_expansion *draw, WGPUComputePassEncoder pass,
                              const struct ag_expansion_step *step);

/* Records all of a step, whose primitives are `most` at most. */
bool ag_expansion_record(struct ag_prepared_expansion *draw, WGPUComputePassEncoder pass,
                         const struct ag_expansion_step *step, uint64_t most);

#endif
