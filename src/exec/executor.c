/* SPDX-License-Identifier: MIT */
#include "aerogpu/executor.h"

#include <stdlib.h>
#include <string.h>

#include "abi/packet.h"
#include "base/table.h"
#include "exec/exec.h"
#include "exec/ext_object.h"
#include "exec/packets.h"
#include "exec/pipeline.h"

#define IDLE_READBACK_BYTES (UINT64_C(64) << 20)

/* ---- The seam ----------------------------------------------------------------------------------------- */

static void submit(struct agpu_executor *executor, const struct agpu_submission *submission)
{
    struct ag_exec *exec = ag_exec_of(executor);
    struct ag_job *job = ag_job_create(exec, submission);
    exec->counts.submissions++;
    if (!job) { /* without memory for the job there is no order to keep it in */
        exec->place.submission = submission->number;
        ag_exec_no_memory(exec);
        exec->place = ag_place_none();
        if (exec->events.completed)
            exec->events.completed(exec->events.user, submission->number, AEROGPU_ERROR_INTERNAL);
        return;
    }
    *exec->jobs_end = job;
    exec->jobs_end = &job->next;
    ag_jobs_advance(exec);
}

static bool poll_work(struct agpu_executor *executor)
{
    struct ag_exec *exec = ag_exec_of(executor);
    ag_gpu_poll(exec->gpu);
    return ag_jobs_advance(exec);
}

static void attach(struct agpu_executor *executor, const struct agpu_executor_events *events,
                   const struct agpu_guest_memory *memory)
{
    struct ag_exec *exec = ag_exec_of(executor);
    ag_table_read(&exec->events, sizeof exec->events, AG_MEMBER_END(struct agpu_executor_events, user), events);
    ag_table_read(&exec->memory, sizeof exec->memory, AG_MEMBER_END(struct agpu_guest_memory, reserved), memory);
}

static void counters(struct agpu_executor *executor, struct agpu_counters *counts)
{
    ag_table_write(counts, sizeof *counts, AG_MEMBER_END(struct agpu_counters, pipeline_ns),
                   &ag_exec_of(executor)->counts);
}

/* ---- Reset -------------------------------------------------------------------------------------------- */

static void abandon_encoder(struct ag_exec *exec)
{
    ag_pass_end(exec);
    exec->pass.pending_count = 0;
    if (exec->before)
        wgpuCommandEncoderRelease(exec->before);
    if (exec->encoder)
        wgpuCommandEncoderRelease(exec->encoder);
    exec->before = exec->encoder = NULL;
    for (size_t i = 0; i < exec->recorded.count; i++)
        wgpuCommandBufferRelease(exec->recorded.data[i]);
    exec->recorded.count = 0;
    for (size_t i = 0; i < exec->kept.count; i++)
        wgpuBufferRelease(exec->kept.data[i]);
    exec->kept.count = 0;
    exec->encoder_number++;
    ag_load_dropped(exec);
}

static void clear_shaders(struct ag_exec *exec)
{
    size_t cursor = 0;
    uint64_t key;
    void *value;
    while (ag_map_next(&exec->shaders, &cursor, &key, &value)) {
        ag_shader_release(exec, (uint32_t)key);
        cursor = 0; /* removing moved entries */
    }
    ag_shader_trim(exec, true);
    ag_map_fini(&exec->shaders);
    ag_map_fini(&exec->programs);
}

static void clear_objects(struct ag_exec *exec)
{
    size_t cursor = 0;
    uint64_t key;
    void *value;
    ag_contexts_clear(exec);
    ag_handles_clear(exec);
    ag_map_fini(&exec->share_tokens);
    clear_shaders(exec);
    while (ag_map_next(&exec->samplers, &cursor, &key, &value))
        ag_sampler_destroy(exec, value);
    ag_map_fini(&exec->samplers);
    cursor = 0;
    while (ag_map_next(&exec->input_layouts, &cursor, &key, &value))
        free(value);
    ag_map_fini(&exec->input_layouts);
    ag_ext_objects_clear(exec);
    ag_queries_clear(exec);
    ag_pipelines_clear(exec);
    ag_bind_groups_clear(exec);
}

/* ---- What belongs to one WebGPU device ---------------------------------------------------------------- */

static bool make_device_objects(struct ag_exec *exec)
{
    exec->device = ag_gpu_device(exec->gpu);
    exec->queue = ag_gpu_queue(exec->gpu);
    exec->limits = *ag_gpu_limits(exec->gpu);
    exec->readbacks = ag_readback_pool_create(exec->gpu, IDLE_READBACK_BYTES);
    return exec->readbacks && ag_ring_init(exec);
}

static void drop_device_objects(struct ag_exec *exec)
{
    ag_destinations_clear(exec);
    ag_dummies_clear(exec);
    ag_vertex_puller_fini(&exec->puller);
    ag_expand_pool_fini(exec);
    ag_kernel_fini(&exec->texel_merger);
    ag_kernel_fini(&exec->texel_converter);
    ag_kernel_fini(&exec->texels);
    ag_kernel_fini(&exec->work_bounder);
    ag_kernel_fini(&exec->byte_copier);
    ag_kernel_fini(&exec->texel_codec);
    ag_kernel_fini(&exec->plane_reader);
    ag_filler_fini(&exec->filler);
    ag_rect_clearer_fini(&exec->rect_clearer);
    ag_depth_writer_fini(&exec->depth_writer);
    ag_stream_output_kernels_fini(&exec->stream_output);
    if (exec->stream_output_state)
        wgpuBufferRelease(exec->stream_output_state);
    exec->stream_output_state = NULL;
    if (exec->uav_counters)
        wgpuBufferRelease(exec->uav_counters);
    exec->uav_counters = NULL;
    ag_stage_layouts_clear(exec);
    ag_ring_fini(exec);
    ag_readback_pool_destroy(exec->readbacks);
    exec->readbacks = NULL;
    /* Nothing of the old ring may be found again. */
    memset(exec->constants, 0, sizeof exec->constants);
    exec->last_block_epoch = 0;
}

/* A lost device takes all that was made from it along; a reset is what guests answer it with. */
static void revive(struct ag_exec *exec)
{
    drop_device_objects(exec);
    exec->lost = true;
    if (ag_gpu_revive(exec->gpu) != AGPU_OK)
        return;
    if (make_device_objects(exec))
        exec->lost = false;
    else
        ag_exec_no_memory(exec);
}

static void reset(struct agpu_executor *executor)
{
    struct ag_exec *exec = ag_exec_of(executor);
    if (exec->advancing) { /* from a callback: the work under way comes to its end first */
        exec->reset_wanted = true;
        return;
    }
    exec->reset_wanted = false;
    ag_jobs_clear(exec);
    abandon_encoder(exec);
    clear_objects(exec);
    uint64_t live = exec->counts.bind_groups_live;
    exec->counts = (struct agpu_counters){.bind_groups_live = live};
    exec->warned = 0;
    exec->starved = false;
    ag_gpu_poll(exec->gpu); /* may tell of a loss that nobody has noticed */
    if ((exec->lost || ag_gpu_is_lost(exec->gpu)) && !exec->closing)
        revive(exec);
}

/* ---- Life --------------------------------------------------------------------------------------------- */

static void destroy(struct agpu_executor *executor)
{
    struct ag_exec *exec = ag_exec_of(executor);
    exec->advancing = false;
    exec->closing = true;
    reset(executor);
    exec->events = (struct agpu_executor_events){0};
    while (exec->orphan_count && !ag_gpu_is_lost(exec->gpu))
        ag_gpu_poll(exec->gpu);
    drop_device_objects(exec);
    ag_vec_fini(&exec->kept);
    ag_vec_fini(&exec->recorded);
    free(exec);
}

/* Every packet has a handler: a new one cannot be forgotten. */
static bool all_packets_handled(const struct agpu_diag_sink *sink)
{
    size_t count;
    const struct agpu_packet_info *table = ag_packet_table(&count);
    for (size_t i = 0; i < count; i++) {
        if (ag_packet_handler_of(table[i].opcode))
            continue;
        ag_report(sink, AGPU_DIAG_EXEC_UNSUPPORTED, AGPU_ERROR, ag_place_none(), "packet %s has no handler",
                  table[i].name);
        return false;
    }
    return true;
}

enum agpu_status agpu_webgpu_executor_create(struct agpu_gpu *gpu,
                                             const struct agpu_executor_options *given,
                                             const struct agpu_diag_sink *sink,
                                             struct agpu_executor **executor)
{
    struct agpu_executor_options options;
    ag_table_read(&options, sizeof options, AG_MEMBER_END(struct agpu_executor_options, without_count), given);
    *executor = NULL;
    if (!all_packets_handled(sink))
        return AGPU_INTERNAL;
    struct ag_exec *exec = calloc(1, sizeof *exec);
    if (!exec)
        return ag_report_no_memory(sink);
    exec->table = (struct agpu_executor){
        .size = sizeof exec->table,
        .submit = submit,
        .poll = poll_work,
        .reset = reset,
        .destroy = destroy,
        .attach = attach,
        .counters = counters,
        .extension = AEROGPU_EXT_VERSION,
    };
    exec->gpu = gpu;
    exec->check_packets = options.check_packets;
    exec->loop_budget = options.loop_budget ? options.loop_budget : AGPU_DEFAULT_LOOP_BUDGET;
    if (exec->loop_budget == AGPU_NO_LOOP_BUDGET)
        exec->loop_budget = 0;
    exec->work_budget = options.work_budget ? options.work_budget : AGPU_DEFAULT_WORK_BUDGET;
    for (uint32_t i = 0; i < options.without_count; i++)
        exec->without |= ag_feature_named(options.without[i]);
    exec->jobs_end = &exec->jobs;
    exec->encoder_number = 1;
    ag_exec_report_init(exec);
    if (!make_device_objects(exec)) {
        ag_readback_pool_destroy(exec->readbacks);
        free(exec);
        return ag_report_no_memory(sink);
    }
    *executor = &exec->table;
    return AGPU_OK;
}
