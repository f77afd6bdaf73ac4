/* SPDX-License-Identifier: MIT */
#include "exec/record/recorder_life.h"

#include "base/vec.h"
#include "exec/object/objects.h"
#include "exec/object/observer.h"
#include "exec/object/view.h"
#include "exec/record/bind_group.h"
#include "exec/record/bind_group_layout.h"
#include "exec/record/dummy.h"
#include "exec/record/encoder.h"
#include "exec/record/pass.h"
#include "exec/record/query_set.h"
#include "exec/record/recorder.h"
#include "exec/record/target_range.h"
#include "exec/record/throttle.h"
#include "exec/record/upload_ring.h"
#include "gpu/webgpu.h"

static void forget_gpu_object(void *user, uint64_t id)
{
    ag_bind_groups_forget(user, id);
}

static void forget_texture_view(void *user, const struct ag_texture_view *view)
{
    ag_pass_forget_view(user, view);
}

void ag_recorder_init(struct ag_recorder *recorder, struct ag_objects *objects)
{
    *recorder = (struct ag_recorder){.host = objects->host, .objects = objects, .encoder_number = 1};
    const struct ag_object_observer observer = {
        .user = recorder,
        .gpu_object_dies = forget_gpu_object,
        .texture_view_dies = forget_texture_view,
    };
    recorder->queries.reading_end = &recorder->queries.reading;
    ag_objects_observe(objects, &observer);
}

void ag_recorder_fini(struct ag_recorder *recorder)
{
    ag_vec_fini(&recorder->scratch_buffers);
    ag_vec_fini(&recorder->recorded);
}

bool ag_recorder_make_device_objects(struct ag_recorder *recorder)
{
    return ag_upload_ring_init(recorder);
}

void ag_recorder_drop_device_objects(struct ag_recorder *recorder)
{
    ag_dummies_clear(recorder);
    ag_target_ranges_clear(recorder);
    ag_bind_group_layouts_clear(recorder);
    ag_upload_ring_fini(recorder);
}

void ag_recorder_renew_device_objects(struct ag_recorder *recorder)
{
    for (uint32_t kind = 0; kind < AG_QUERY_SET_KIND_COUNT; kind++)
        ag_query_set_close(recorder, (enum ag_query_set_kind)kind);
    ag_bind_groups_clear(recorder);
    ag_dummies_clear(recorder);
    ag_target_ranges_clear(recorder);
    ag_upload_ring_renew(recorder);
}

static void release_scratch_buffers(struct ag_recorder *recorder)
{
    for (size_t i = 0; i < recorder->scratch_buffers.count; i++)
        wgpuBufferRelease(recorder->scratch_buffers.data[i]);
    recorder->scratch_buffers.count = 0;
}

void ag_recorder_abandon(struct ag_recorder *recorder)
{
    ag_pass_end(recorder);
    recorder->pass.pending_count = 0;
    if (recorder->ahead_pass)
        wgpuComputePassEncoderRelease(recorder->ahead_pass);
    recorder->ahead_pass = NULL;
    if (recorder->compute_pass)
        wgpuComputePassEncoderRelease(recorder->compute_pass);
    recorder->compute_pass = NULL;
    recorder->compute_pipeline = NULL;
    if (recorder->ahead_encoder)
        wgpuCommandEncoderRelease(recorder->ahead_encoder);
    if (recorder->encoder)
        wgpuCommandEncoderRelease(recorder->encoder);
    recorder->ahead_encoder = recorder->encoder = NULL;
    ag_recorder_drop(recorder);
    recorder->buffers_lost++;
    release_scratch_buffers(recorder);
    recorder->encoder_number++;
    ag_throttle_dropped(recorder);
}
