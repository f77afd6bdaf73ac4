/* SPDX-License-Identifier: MIT
 *
 * Translated compute programs on a device, from nothing but the module's reflection data.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/bytes.h"
#include "base/vec.h"
#include "gpu/readback.h"
#include "gpu/wait.h"
#include "gpu_bind.h"
#include "support/module_size.h"
#include "wgsl/binding.h"
#include "wgsl/expansion.h"
#include "wgsl/options.h"

#define TIMEOUT (120 * SECOND_NS)

/* What the GPU needs for one job. */
struct run {
    struct oracle_job *job;
    bool called;
    WGPUComputePipeline pipeline;
    struct gpu_bound bound[GPU_MAX_BINDINGS]; /* one a binding of the module */
    struct ag_readback *readback;
    uint64_t offset[ORACLE_SLOTS]; /* of each u slot in the readback */
    uint64_t counter_offset, record_offset, readback_size;
};

static void keep_first(void *user, const struct agpu_diag *diag)
{
    struct oracle_error *error = user;
    if (diag->severity != AGPU_ERROR || error->code != AGPU_DIAG_NONE)
        return;
    error->code = diag->code;
    snprintf(error->message, sizeof error->message, "%s", diag->message);
}

void oracle_error_init(struct oracle_error *error)
{
    *error = (struct oracle_error){.code = AGPU_DIAG_NONE};
    error->sink = (struct agpu_diag_sink){.report = keep_first, .user = error};
}

struct agpu_shader *oracle_assemble(const char *text, size_t length, const struct agpu_diag_sink *sink)
{
    uint8_t *bytes;
    size_t size;
    struct agpu_shader *shader = NULL;
    if (agpu_assemble(text, length, sink, &bytes, &size) != AGPU_OK)
        return NULL;
    agpu_shader_parse(bytes, size, AGPU_PARSE_DEFAULT, sink, &shader);
    agpu_free(bytes);
    return shader;
}

/* ---- Pipelines ---------------------------------------------------------------------------------------- */

static void take_pipeline(WGPUCreatePipelineAsyncStatus status, WGPUComputePipeline pipeline,
                          WGPUStringView message, void *userdata1, void *userdata2)
{
    struct run *run = userdata1;
    (void)userdata2;
    run->called = true;
    run->pipeline = pipeline;
    if (status == WGPUCreatePipelineAsyncStatus_Success)
        return;
    run->job->outcome = ORACLE_NOT_COMPILED;
    ag_webgpu_message(message, run->job->message, sizeof run->job->message);
}

static void translate(struct oracle_job *job)
{
    struct oracle_error error;
    oracle_error_init(&error);
    const struct ag_translate_options options = {.is_terse = true,
                                                 .uav_formats = job->uav_formats,
                                                 .most_nesting = job->most_nesting,
                                                 .most_operation_cost = job->most_nesting,
                                                 .workgroup.invocations = job->most_invocations};
    job->outcome = ORACLE_RAN;
    const bool translated =
        job->module != NULL || ag_translate(job->shader, &options, &error.sink, &job->module) == AGPU_OK;
    if (translated && module_is_bounded(job->shader, job->module))
        return;
    job->outcome = ORACLE_NOT_TRANSLATED;
    if (translated) {
        snprintf(job->message, sizeof job->message, "%zu bytes of WGSL for %u tokens",
                 job->module->wgsl_length, job->shader->program.token_count);
        return;
    }
    job->code = error.code;
    memcpy(job->message, error.message, sizeof job->message);
}

static void request_pipeline(struct agpu_gpu *gpu, struct run *run)
{
    const struct agpu_module *module = run->job->module;
    const WGPUShaderModule shader = ag_gpu_create_shader(gpu, module->wgsl, module->wgsl_length, NULL);
    const WGPUPipelineLayout layout = gpu_pipeline_layout(gpu, module);
    const WGPUComputePipelineDescriptor descriptor = {
        .layout = layout,
        .compute = {.module = shader, .entryPoint = ag_webgpu_string(module->entry_point)},
    };
    const WGPUCreateComputePipelineAsyncCallbackInfo callback = {
        .mode = WGPUCallbackMode_AllowProcessEvents,
        .callback = take_pipeline,
        .userdata1 = run,
    };
    wgpuDeviceCreateComputePipelineAsync(ag_gpu_device(gpu), &descriptor, callback);
    wgpuPipelineLayoutRelease(layout);
    wgpuShaderModuleRelease(shader);
}

/* ---- Work --------------------------------------------------------------------------------------------- */

static void set_group(struct agpu_gpu *gpu, WGPUComputePassEncoder pass, const struct run *run,
                      uint32_t group)
{
    const WGPUBindGroupLayout layout = wgpuComputePipelineGetBindGroupLayout(run->pipeline, group);
    const WGPUBindGroup made = gpu_bind_group(gpu, layout, run->job->module, run->bound, group);
    wgpuComputePassEncoderSetBindGroup(pass, group, made, 0, NULL);
    wgpuBindGroupRelease(made);
    wgpuBindGroupLayoutRelease(layout);
}

static uint64_t record_bytes(const struct oracle_job *job)
{
    return job->records == NULL
               ? 0
               : (uint64_t)job->records->vertex_count * job->module->expansion.record_registers * 16;
}

static void lay_out_readback(struct run *run)
{
    const struct ag_ref_bindings *bindings = run->job->bindings;
    for (uint32_t i = 0; i < bindings->unordered_count; i++) {
        run->offset[i] = run->readback_size;
        run->readback_size += ag_align_up(gpu_readback_bytes(&bindings->unordered[i]), 256);
    }
    run->counter_offset = run->readback_size;
    run->record_offset = run->counter_offset + GPU_COUNTER_BYTES;
    run->readback_size = run->record_offset + record_bytes(run->job);
}

static void encode_copies(const struct run *run, WGPUCommandEncoder encoder)
{
    const struct oracle_job *job = run->job;
    const WGPUBuffer to = ag_readback_buffer(run->readback);
    for (uint32_t i = 0; i < job->module->binding_count; i++) {
        const struct agpu_binding *binding = &job->module->bindings[i];
        if (binding->space == AGPU_SPACE_UAV)
            gpu_copy_view(encoder, &run->bound[i], &job->bindings->unordered[binding->slot], to,
                          run->offset[binding->slot]);
        else if (binding->binding == AG_BINDING_UAV_COUNTERS)
            wgpuCommandEncoderCopyBufferToBuffer(encoder, run->bound[i].buffer, 0, to, run->counter_offset,
                                                 GPU_COUNTER_BYTES);
        else if (binding->binding == AG_EXPAND_OUTPUTS && job->records != NULL)
            wgpuCommandEncoderCopyBufferToBuffer(encoder, run->bound[i].buffer, 0, to, run->record_offset,
                                                 record_bytes(job));
    }
}

static bool encode(struct agpu_gpu *gpu, struct ag_readback_pool *pool, struct run *run,
                   WGPUCommandEncoder encoder)
{
    const struct oracle_job *job = run->job;
    if (job->module->binding_count > GPU_MAX_BINDINGS || job->bindings->unordered_count > ORACLE_SLOTS)
        return false;
    lay_out_readback(run);
    run->readback = ag_readback_take(pool, run->readback_size);
    if (run->readback == NULL)
        return false;
    for (uint32_t i = 0; i < job->module->binding_count; i++)
        if (!gpu_bind(gpu, job, &job->module->bindings[i], &run->bound[i]))
            return false;
    const WGPUComputePassEncoder pass = wgpuCommandEncoderBeginComputePass(encoder, NULL);
    wgpuComputePassEncoderSetPipeline(pass, run->pipeline);
    for (uint32_t group = 0; group < 4; group++)
        set_group(gpu, pass, run, group);
    wgpuComputePassEncoderDispatchWorkgroups(pass, job->groups[0], job->groups[1], job->groups[2]);
    wgpuComputePassEncoderEnd(pass);
    wgpuComputePassEncoderRelease(pass);
    encode_copies(run, encoder);
    return true;
}

/* What a binding of the module became, or null when it does not mention it. */
static const struct gpu_bound *find_bound(const struct run *run, enum agpu_binding_space space,
                                          uint32_t binding)
{
    const struct agpu_module *module = run->job->module;
    for (uint32_t i = 0; i < module->binding_count; i++)
        if (module->bindings[i].space == space && module->bindings[i].binding == binding)
            return &run->bound[i];
    return NULL;
}

/* A slot that the module does not mention keeps what it had. */
static bool collect(const struct run *run)
{
    struct oracle_job *job = run->job;
    const uint8_t *data = ag_readback_data(run->readback);
    if (data == NULL)
        return false;
    const bool counted = find_bound(run, AGPU_SPACE_INTERNAL, AG_BINDING_UAV_COUNTERS) != NULL;
    for (uint32_t i = 0; i < job->bindings->unordered_count; i++) {
        const struct ag_ref_view *view = &job->bindings->unordered[i];
        if (view->data == NULL)
            continue;
        const struct gpu_bound *bound = find_bound(run, AGPU_SPACE_UAV, AG_BINDING_UAV + i);
        job->result[i] = malloc((size_t)view->size + 1);
        if (job->result[i] == NULL)
            return false;
        if (bound != NULL)
            gpu_unpack_view(bound, view, data + run->offset[i], job->result[i]);
        else
            memcpy(job->result[i], view->data, (size_t)view->size);
        job->counters[i] = counted ? ag_load_u32(data + run->counter_offset + (size_t)4 * i) : view->counter;
    }
    if (job->records == NULL)
        return true;
    job->records->outputs = malloc((size_t)record_bytes(job) + 1);
    if (job->records->outputs != NULL)
        memcpy(job->records->outputs, data + run->record_offset, (size_t)record_bytes(job));
    return job->records->outputs != NULL;
}

static void release(struct ag_readback_pool *pool, struct run *run)
{
    for (uint32_t i = 0; i < GPU_MAX_BINDINGS; i++)
        gpu_bound_fini(&run->bound[i]);
    if (run->pipeline != NULL)
        wgpuComputePipelineRelease(run->pipeline);
    ag_readback_release(pool, run->readback);
}

static bool submit(struct agpu_gpu *gpu, struct ag_readback_pool *pool, struct run *runs, uint32_t count)
{
    bool good = true;
    const WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(ag_gpu_device(gpu), NULL);
    for (uint32_t i = 0; i < count && good; i++)
        good = runs[i].pipeline == NULL || encode(gpu, pool, &runs[i], encoder);
    const WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
    if (good)
        wgpuQueueSubmit(ag_gpu_queue(gpu), 1, &commands);
    wgpuCommandBufferRelease(commands);
    wgpuCommandEncoderRelease(encoder);
    for (uint32_t i = 0; i < count && good; i++)
        if (runs[i].readback != NULL)
            ag_readback_begin(runs[i].readback);
    return good && ag_gpu_wait_idle(gpu, TIMEOUT);
}

bool oracle_gpu_run(struct agpu_gpu *gpu, struct oracle_job *jobs, uint32_t count)
{
    struct run *runs = calloc(count, sizeof *runs);
    struct ag_readback_pool *pool = ag_readback_pool_create(gpu, 0);
    bool good = runs != NULL && pool != NULL;
    for (uint32_t i = 0; i < count && good; i++) {
        runs[i].job = &jobs[i];
        translate(&jobs[i]);
        if (jobs[i].module != NULL)
            request_pipeline(gpu, &runs[i]);
    }
    for (uint32_t i = 0; i < count && good; i++)
        if (jobs[i].module != NULL)
            good = ag_gpu_wait_flag(gpu, &runs[i].called, TIMEOUT);
    good = good && submit(gpu, pool, runs, count);
    for (uint32_t i = 0; i < count && runs != NULL; i++) {
        if (good && runs[i].readback != NULL)
            good = collect(&runs[i]);
        if (!good && jobs[i].outcome == ORACLE_RAN)
            jobs[i].outcome = ORACLE_LOST;
        if (pool != NULL)
            release(pool, &runs[i]);
    }
    ag_readback_pool_destroy(pool);
    free(runs);
    return good;
}

void oracle_job_fini(struct oracle_job *job)
{
    for (uint32_t i = 0; i < ORACLE_SLOTS; i++)
        free(job->result[i]);
    agpu_module_destroy(job->module);
    *job = (struct oracle_job){0};
}
