/* SPDX-License-Identifier: MIT */
#include "exec/blit/blitter_life.h"

#include "exec/blit/blit.h"
#include "exec/blit/blitter.h"
#include "exec/blit/depth_write.h"
#include "exec/blit/texture_convert.h"
#include "exec/record/recorder.h"
#include "kernel/kernel.h"

void ag_blitter_init(struct ag_blitter *blitter, struct ag_recorder *recorder)
{
    *blitter = (struct ag_blitter){
        .host = recorder->host,
        .objects = recorder->objects,
        .recorder = recorder,
    };
}

void ag_blitter_drop_device_objects(struct ag_blitter *blitter)
{
    struct ag_kernel *const kernels[] = {
        &blitter->byte_copier, &blitter->element_fetcher, &blitter->texel_merger,
        &blitter->texel_codec, &blitter->texels,          &blitter->plane_reader,
    };
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
        ag_kernel_fini(kernels[i]);
    ag_texel_converter_fini(&blitter->texel_converter);
    ag_texel_arena_fini(&blitter->texel_arena);
    ag_blits_fini(&blitter->blits);
    ag_depth_writer_fini(&blitter->depth_writer);
}
