/* SPDX-License-Identifier: MIT */
#include "exec/expand/counted_draw.h"

#include "base/bytes.h"
#include "exec/bind/binder.h"
#include "exec/bind/draw_call.h"
#include "exec/expand/expander.h"
#include "exec/host/host.h"
#include "exec/host/outcome.h"
#include "exec/host/report.h"
#include "exec/record/encoder.h"
#include "exec/record/flush.h"
#include "exec/record/recorder.h"
#include "gpu/readback.h"
#include "gpu/webgpu.h"
#include "kernel/tessellator.h"

/* More steps than these cost more than the pause. */
#define MOST_UNCOUNTED_STEPS 16

static bool is_same(const struct ag_draw *a, const struct ag_draw *b)
{
    return a->indexed == b->indexed && a->count == b->count && a->instance_count == b->instance_count &&
           a->first == b->first && a->base_vertex == b->base_vertex && a->first_instance == b->first_instance;
}

static void release_steps(struct ag_counted_draw *counted, struct ag_readback_pool *readbacks)
{
    ag_readback_release(readbacks, counted->steps);
    counted->steps = NULL;
}

void ag_counted_draw_forget(struct ag_counted_draw *counted, struct ag_readback_pool *readbacks)
{
    release_steps(counted, readbacks);
    counted->place.goes_on = false;
}

void ag_counted_draw_lose(struct ag_counted_draw *counted, struct ag_readback_pool *readbacks)
{
    release_steps(counted, readbacks);
    counted->place.is_lost = true;
}

/* Takes what was counted for the draw; false when nothing was. */
static bool take_counted(struct ag_expander *expander, const struct ag_draw *draw,
                         struct ag_counted_patches *patches)
{
    struct ag_counted_draw *counted = expander->counted;
    const uint8_t *bytes = ag_readback_data(counted->steps);
    const bool known = bytes && is_same(&counted->draw, draw);
    if (known)
        *patches = (struct ag_counted_patches){
            .steps = ag_load_u32(bytes + AG_TESSELLATOR_STEPS_OFFSET),
            .points = ag_load_u32(bytes),
            .primitives = ag_load_u32(bytes + 4),
        };
    release_steps(counted, expander->host->readbacks);
    return known;
}

enum ag_counting ag_counted_draw_choose(struct ag_expander *expander, const struct ag_draw *draw,
                                        struct ag_counted_patches *patches)
{
    const struct ag_draw_place *place = &expander->counted->place;
    if (place->goes_on) {
        *patches = place->counted;
        return place->counting;
    }
    if (patches->steps <= MOST_UNCOUNTED_STEPS || !expander->binder->may_pause)
        return AG_COUNTING_NONE;
    if (!expander->counted->steps)
        return AG_COUNTING_BEGINS;
    return take_counted(expander, draw, patches) ? AG_COUNTING_DONE : AG_COUNTING_NONE;
}

enum ag_outcome ag_counted_draw_begin(struct ag_expander *expander, const struct ag_draw *draw,
                                      WGPUBuffer buffer)
{
    struct ag_counted_draw *counted = expander->counted;
    const uint64_t bytes = AG_TESSELLATOR_START_HEADER_BYTES;
    counted->steps = ag_readback_take(expander->host->readbacks, bytes);
    if (!counted->steps) {
        ag_host_no_memory(expander->host);
        return AG_OUT_OF_MEMORY;
    }
    wgpuCommandEncoderCopyBufferToBuffer(ag_recorder_encoder(expander->recorder), buffer, 0,
                                         ag_readback_buffer(counted->steps), 0, bytes);
    ag_recorder_flush(expander->recorder);
    ag_readback_begin(counted->steps);
    counted->draw = *draw;
    counted->pauses = true;
    return AG_PENDING;
}
