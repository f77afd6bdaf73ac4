/* SPDX-License-Identifier: MIT
 *
 * Draws whose patches might become so much that very many steps would have to be recorded. Their patches are
 * made and counted first, the stream pauses until the count is read back, and then the steps that there are
 * are recorded. Streams run one after the other, so that the patches stay where they are, unless the buffers
 * are renewed after a shortage of memory.
 */
#ifndef AG_EXEC_EXPAND_COUNTED_DRAW_H
#define AG_EXEC_EXPAND_COUNTED_DRAW_H

#include <stdbool.h>
#include <stdint.h>

#include "exec/bind/draw_call.h"
#include "exec/host/outcome.h"
#include "gpu/webgpu.h"

struct ag_expander;
struct ag_readback;
struct ag_readback_pool;

/* The draw of a stream that was counted. Of the stream's execution, which releases the read-back in the end.
 */
struct ag_counted_draw {
    struct ag_readback *steps; /* null: no draw was */
    struct ag_draw draw;
    bool pauses; /* the packet at hand has begun to count */
};

/* What the patches of a draw become. */
struct ag_counted_patches {
    uint64_t steps;
    uint32_t points, primitives; /* of all steps */
};

enum ag_counting {
    AG_COUNTING_NONE,   /* all steps that there might be are recorded */
    AG_COUNTING_BEGINS, /* patches are made and counted now */
    AG_COUNTING_DONE,   /* patches are made, and their steps known */
};

/* Decides for a draw that may have counted->steps; *counted becomes what there is if that is known. */
enum ag_counting ag_counted_draw_choose(struct ag_expander *expander, const struct ag_draw *draw,
                                        struct ag_counted_patches *counted);

/* Lets the stream pause for what the tessellator counted, which the buffer begins with
 * (AG_TESSELLATOR_START_HEADER_BYTES). AG_PENDING, or AG_OUT_OF_MEMORY. */
enum ag_outcome ag_counted_draw_begin(struct ag_expander *expander, const struct ag_draw *draw,
                                      WGPUBuffer buffer);

/* Forgets the count: the patches are gone, or the packet that was counted is over. */
void ag_counted_draw_forget(struct ag_counted_draw *counted, struct ag_readback_pool *readbacks);

#endif
