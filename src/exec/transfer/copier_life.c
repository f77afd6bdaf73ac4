/* SPDX-License-Identifier: MIT */
#include "exec/transfer/copier_life.h"

#include <stdlib.h>

#include "exec/blit/blitter.h"
#include "exec/transfer/clear_rects.h"
#include "exec/transfer/copier.h"

void ag_copier_init(struct ag_copier *copier, struct ag_blitter *blitter)
{
    *copier = (struct ag_copier){
        .host = blitter->host,
        .objects = blitter->objects,
        .recorder = blitter->recorder,
        .blitter = blitter,
    };
}

void ag_copier_drop_device_objects(struct ag_copier *copier)
{
    ag_rect_clearer_fini(&copier->rect_clearer);
}

void ag_copier_forget_picture(struct ag_copier *copier)
{
    free(copier->picture.bytes);
    copier->picture = (struct ag_picture_memory){0};
}
