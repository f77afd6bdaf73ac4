/* SPDX-License-Identifier: MIT
 *
 * Batches: expanded draws whose vertices or indices follow one another, and whose stages in front of the
 * rasterizer have the same shaders and inputs, share their compute passes, since those cost far more than a
 * draw of few primitives.
 *
 * - The first draw opens the batch, with buffers that have room for more. What it waits for is waited for
 * then.
 * - A draw that follows with nothing in between makes the last piece of the batch longer. Another one begins
 * a piece, with what it is drawn with: viewport, scissor, blend state, pixel shader and so on. A piece waits
 * for draws that make it longer until another draw comes, or the pass ends; then it is drawn, in the open
 * pass.
 * - Where constants of its stages change between draws, the first batch ends; later ones have translations
 * that take them out of sets of constants (wgsl/binding.h), one for the draws of each piece with the same.
 * - The compute passes go ahead of the open pass, and are recorded when that ends, before objects may be
 * destroyed, when another expanded draw needs the buffers, or when the stream's turn ends. What they read was
 * bound by the first draw; contents that change meanwhile have other buffers, or end the pass.
 *
 * Nobody can tell the difference: draws whose shaders read numbers of primitives or vertices, store, or are
 * counted have passes of their own.
 */
#ifndef AG_EXEC_EXPAND_EXPANSION_BATCH_H
#define AG_EXEC_EXPAND_EXPANSION_BATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "exec/bind/draw_call.h"
#include "exec/bind/group_recipe.h"
#include "exec/expand/preparation.h"
#include "gpu/webgpu.h"
#include "kernel/pieces.h"

struct ag_context;
struct ag_expander;
struct ag_input_layout_object;

#define AG_BATCH_CONSTANTS 64

/* A vertex buffer that the batch reads. */
struct ag_batch_stream {
    uint32_t slot, offset, stride;
    const struct ag_buffer *buffer;
    uint64_t version;
};

/* The indices that the batch reads. */
struct ag_batch_indices {
    uint32_t offset;
    bool wide;
    const struct ag_buffer *buffer; /* null: the draws have no indices */
    uint64_t version;
    WGPUBuffer gpu; /* a reference: that of these contents */
};

/* A constant buffer that the stages of the batch read. */
struct ag_batch_constants {
    enum agpu_stage stage;
    struct ag_group_constants bound;
};

struct ag_expansion_batch {
    bool is_off;     /* nothing is joined, and no lists are kept: for tests, which compare both ways */
    bool is_open;    /* the compute passes are not recorded yet */
    bool is_pending; /* the last piece is not drawn yet */
    bool accepts;    /* draws may join */
    uint64_t uses;   /* counts draws that joined */

    struct ag_prepared_expansion
        draw;             /* the last draw that was prepared: that of the batch while it is open */
    struct ag_draw guest; /* all draws of the batch as one */
    /* Of the last piece: the primitives in front of it, state that is no part of the prepared draw, and
     * whether it has bind groups that the pass does not have. */
    uint32_t piece_units;
    float blend_factor[4];
    uint32_t stencil_reference;
    bool has_new_groups;
    struct ag_pieces pieces;

    /* What draws have to have in common. */
    const struct ag_context *context;
    uint64_t pass_number, groups_destroyed;
    uint64_t layout_id;
    uint32_t topology;
    uint32_t stream_count;
    struct ag_batch_stream streams[AGPU_MAX_REGISTERS];
    struct ag_batch_indices indices;
    uint32_t constant_count;
    struct ag_batch_constants constants[AG_BATCH_CONSTANTS];
    bool knows_contents; /* the stages read nothing but these streams and constants */
};

/* Opens a batch with the draw that was prepared, which is not recorded yet. */
void ag_expansion_batch_open(struct ag_expander *expander);

/* True when the draw has joined the batch. Otherwise the batch has all of its draws. */
bool ag_expansion_batch_take(struct ag_expander *expander, struct ag_context *context,
                             const struct ag_draw *draw);

/* Draws the last piece. Called in front of other draws. */
void ag_expansion_batch_settle(struct ag_expander *expander);

/* Records the compute passes. Without memory for them (reported), the draws of the batch draw nothing. */
void ag_expansion_batch_flush(struct ag_expander *expander);

/* Releases everything; nothing may be recorded. */
void ag_expansion_batch_drop(struct ag_expander *expander);

#endif
