/* SPDX-License-Identifier: MIT */
#include "exec/expand/expander_life.h"

#include "exec/draw/drawer.h"
#include "exec/expand/expander.h"
#include "exec/expand/expansion_batch.h"
#include "exec/expand/inlined_draw.h"
#include "exec/expand/pool.h"
#include "exec/record/resident_block.h"

void ag_expander_init(struct ag_expander *expander, struct ag_drawer *drawer,
                      struct ag_expansion_batch *batch)
{
    *expander = (struct ag_expander){
        .host = drawer->host,
        .objects = drawer->objects,
        .recorder = drawer->recorder,
        .blitter = drawer->blitter,
        .copier = drawer->copier,
        .binder = drawer->binder,
        .drawer = drawer,
        .batch = batch,
    };
}

void ag_expander_drop_device_objects(struct ag_expander *expander)
{
    ag_inlined_draw_drop(expander);
    ag_resident_block_fini(&expander->inlined_block);
    ag_expansion_batch_drop(expander);
    ag_expand_pool_fini(expander);
}
