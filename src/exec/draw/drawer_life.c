/* SPDX-License-Identifier: MIT */
#include "exec/draw/drawer_life.h"

#include "exec/bind/binder.h"
#include "exec/draw/drawer.h"
#include "exec/draw/vertex_pull.h"
#include "exec/host/host.h"
#include "exec/record/bind_group.h"
#include "gpu/webgpu.h"
#include "kernel/assembly.h"
#include "kernel/kernel.h"
#include "kernel/stream_output.h"

void ag_drawer_init(struct ag_drawer *drawer, struct ag_binder *binder, struct ag_kept_draw *kept)
{
    *drawer = (struct ag_drawer){
        .host = binder->host,
        .objects = binder->objects,
        .recorder = binder->recorder,
        .blitter = binder->blitter,
        .copier = binder->copier,
        .binder = binder,
        .kept = kept,
    };
}

void ag_drawer_drop_device_objects(struct ag_drawer *drawer)
{
    ag_kernel_fini(&drawer->work_bounder);
    ag_vertex_arena_fini(&drawer->vertices);
    ag_assembly_kernels_fini(&drawer->assembly);
    ag_stream_output_kernels_fini(&drawer->stream_output);
    if (drawer->stream_output_state)
        wgpuBufferRelease(drawer->stream_output_state);
    drawer->stream_output_state = NULL;
}

struct ag_assembly_kernels *ag_drawer_assembly(struct ag_drawer *drawer)
{
    if (!drawer->assembly.kernel.gpu) {
        ag_assembly_kernels_init(&drawer->assembly, drawer->host->gpu);
        drawer->assembly.kernel.groups = ag_bind_kernel_groups(drawer->recorder);
    }
    return &drawer->assembly;
}
