/* SPDX-License-Identifier: MIT
 *
 * What draws of a batch (expansion_batch.h) have in common: shaders, vertices, indices and constants in front
 * of the rasterizer.
 */
#ifndef AG_EXEC_EXPAND_BATCH_INPUTS_H
#define AG_EXEC_EXPAND_BATCH_INPUTS_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/packet_effect.h"
#include "exec/expand/expansion_batch.h"

struct ag_context;
struct ag_draw;
struct ag_expander;

/* States that the inputs depend on. */
#define AG_BATCH_BINDINGS                                                                                    \
    (AG_STATE_BIT(AG_STATE_SHADER_RESOURCES) | AG_STATE_BIT(AG_STATE_SAMPLERS) |                             \
     AG_STATE_BIT(AG_STATE_CONSTANT_BUFFERS))
#define AG_BATCH_INPUTS                                                                                      \
    (AG_STATE_BIT(AG_STATE_VERTEX_BUFFERS) | AG_STATE_BIT(AG_STATE_INPUT_LAYOUT) |                           \
     AG_STATE_BIT(AG_STATE_TOPOLOGY) | AG_STATE_BIT(AG_STATE_SHADERS))
#define AG_BATCH_VALUES (AG_STATE_BIT(AG_STATE_CONSTANTS) | AG_CHANGES_CONTENTS)

/* How many primitives of the guest the batch has. */
static inline uint32_t ag_batch_units(const struct ag_expansion_batch *batch)
{
    return batch->guest.count / batch->draw.stages.shape.assembly.list_vertices;
}

/* Notes the inputs of the draw that opens the batch. */
void ag_batch_note_inputs(struct ag_expander *expander, struct ag_context *context);

/* Whether the stages in front of the rasterizer have the shaders and inputs of the batch. `changed` has the
 * states that changed since the last draw, `stages` a bit for each stage whose bindings did. */
bool ag_batch_has_inputs(struct ag_expander *expander, struct ag_context *context, uint32_t changed,
                         uint32_t stages);

/* Whether the draw has indices behind those of the batch, in the same contents of a buffer, and none of them
 * is a cut value; or both have no indices. */
bool ag_batch_has_indices(const struct ag_expansion_batch *batch, const struct ag_context *context,
                          const struct ag_draw *draw);

/* Notes, at the end of a batch, whether its stages need sets of constants. */
void ag_batch_count_sets(const struct ag_expansion_batch *batch);

#endif
