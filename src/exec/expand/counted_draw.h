/* SPDX-License-Identifier: MIT
 *
 * Draws between whose parts a stream waits. Patches that might become so much that very many steps would have
 * to be recorded are made and counted first, the stream pauses until the count is read back, and then the
 * steps that there are are recorded. Steps that are much work are recorded as far as the throttle has room.
 * Streams run one after the other, so that the patches stay where they are, unless the buffers are renewed
 * after a shortage of memory.
 */
#ifndef AG_EXEC_EXPAND_COUNTED_DRAW_H
#define AG_EXEC_EXPAND_COUNTED_DRAW_H

#include <stdbool.h>
#include <stdint.h>

#include "exec/bind/draw_call.h"
#include "exec/host/outcome.h"
#include "gpu/webgpu.h"
#include "kernel/assembly.h"

struct ag_expander;
struct ag_readback;
struct ag_readback_pool;

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

/* Where a draw goes on that is recorded in several calls: between its steps, the stream waits for room. */
struct ag_draw_place {
    bool goes_on; /* steps are recorded, and others are not */
    bool is_lost; /* the patches of the part are gone with their buffers */
    struct ag_assembly_part part;
    uint32_t number; /* of the tessellator's step */
    uint64_t first;  /* primitive of the step */
    enum ag_counting counting;
    struct ag_counted_patches counted;
};

/* The draw of a stream that was counted, or is recorded in several calls. Of the stream's execution, which
 * releases the read-back in the end. */
struct ag_counted_draw {
    struct ag_readback *steps; /* null: no draw was */
    struct ag_draw draw;
    bool pauses; /* the packet at hand has begun to count, or goes on later */
    struct ag_draw_place place;
};

/* Decides for a draw that may have counted->steps; *counted becomes what there is if that is known. */
enum ag_counting ag_counted_draw_choose(struct ag_expander *expander, const struct ag_draw *draw,
                                        struct ag_counted_patches *counted);

/* Lets the stream pause for what the tessellator counted, which the buffer begins with
 * (AG_TESSELLATOR_START_HEADER_BYTES). AG_PENDING, or AG_OUT_OF_MEMORY. */
enum ag_outcome ag_counted_draw_begin(struct ag_expander *expander, const struct ag_draw *draw,
                                      WGPUBuffer buffer);

/* Notes that the patches are gone, so that a draw makes them anew before it goes on. */
void ag_counted_draw_lose(struct ag_counted_draw *counted, struct ag_readback_pool *readbacks);

/* Forgets the count: the patches are gone, or the packet that was counted is over. */
void ag_counted_draw_forget(struct ag_counted_draw *counted, struct ag_readback_pool *readbacks);

#endif
