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
#include "oracle.h"

#define TIMEOUT (120 * SECOND_NS)
#define MAX_BINDINGS 16
#define COUNTER_BYTES 256

/* What the GPU needs for one job. */
struct run {
    struct oracle_job *job;
    bool called;
    WGPUComputePipeline pipeline;
    WGPUBuffer buffers[MAX_BINDINGS]; /* one a binding of the module */
    struct agpu_readback *readback;
    uint64_t offset[ORACLE_SLOTS]; /* of each u slot in the readback */
    uint64_t counter_offset, readback_size;
};

static void keep_first(void *user, const struct agpu_diag *diag)
{
    struct oracle_error *error = user;
    if (diag->severity != AGPU_ERROR || error->code != AGPU_DIAG_CODE_COUNT)
        return;
    error->code = diag->code;
    snprintf(error->message, sizeof error->message, "%s", diag->message);
}

void oracle_error_init(struct oracle_error *error)
{
    *error = (struct oracle_error){.code = AGPU_DIAG_CODE_COUNT};
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
    agpu_webgpu_message(message, run->job->message, sizeof run->job->message);
}

static void translate(struct oracle_job *job)
{
    struct oracle_error error;
    oracle_error_init(&error);
    job->outcome = ORACLE_RAN;
    if (agpu_translate(job->shader, NULL, &error.sink, &job->module) == AGPU_OK)
        return;
    job->outcome = ORACLE_NOT_TRANSLATED;
    job->code = error.code;
    memcpy(job->message, error.message, sizeof job->message);
}

static void request_pipeline(struct agpu_gpu *gpu, struct run *run)
{
    const struct agpu_module *module = run->job->module;
    const WGPUShaderModule shader = agpu_gpu_create_shader(gpu, module->wgsl, module->wgsl_length, NULL);
    const WGPUComputePipelineDescriptor descriptor = {
        .compute = {.module = shader, .entryPoint = agpu_webgpu_string(module->entry_point)},
    };
    const WGPUCreateComputePipelineAsyncCallbackInfo callback = {
        .mode = WGPUCallbackMode_AllowProcessEvents,
        .callback = take_pipeline,
        .userdata1 = run,
    };
    wgpuDeviceCreateComputePipelineAsync(agpu_gpu_device(gpu), &descriptor, callback);
    wgpuShaderModuleRelease(shader);
}

/* ---- Buffers ------------------------------------------------------------------------------------------ */

static WGPUBuffer make_buffer(struct agpu_gpu *gpu, WGPUBufferUsage usage, uint64_t least, const void *data,
                              uint64_t size)
{
    const WGPUBufferDescriptor descriptor = {
        .usage = usage | WGPUBufferUsage_CopyDst | WGPUBufferUsage_CopySrc,
        .size = agpu_align_up(least > size ? least : size, 16),
    };
    const WGPUBuffer buffer = wgpuDeviceCreateBuffer(agpu_gpu_device(gpu), &descriptor);
    if (size != 0)
        wgpuQueueWriteBuffer(agpu_gpu_queue(gpu), buffer, 0, data, (size_t)size);
    return buffer;
}

/* The D3D view behind a binding number of the module, or null for the host's own. */
static const struct agpu_ref_view *find_view(const struct oracle_job *job, uint32_t binding)
{
    const struct agpu_ref_bindings *bindings = job->bindings;
    if (binding >= AGPU_BINDING_TEXTURE && binding - AGPU_BINDING_TEXTURE < bindings->resource_count)
        return &bindings->resources[binding - AGPU_BINDING_TEXTURE];
    if (binding >= AGPU_BINDING_UAV && binding - AGPU_BINDING_UAV < bindings->unordered_count)
        return &bindings->unordered[binding - AGPU_BINDING_UAV];
    return NULL;
}

static void fill_draw_block(const struct oracle_job *job, uint8_t block[AGPU_DRAW_BLOCK_BYTES])
{
    const struct agpu_module *module = job->module;
    memset(block, 0, AGPU_DRAW_BLOCK_BYTES);
    for (uint32_t i = 0; i < module->view_count; i++) {
        uint8_t *entry = block + AGPU_DRAW_BLOCK_VIEWS + (size_t)16 * (module->view_base + i);
        const struct agpu_ref_view *view = find_view(job, module->views[i]);
        if (view != NULL) {
            const uint32_t stride = view->dimension == AGPU_DIMENSION_STRUCTURED_BUFFER ? view->stride
                                    : view->dimension == AGPU_DIMENSION_BUFFER          ? view->format.bytes
                                                                                        : 4;
            agpu_store_u32(entry + 4, (uint32_t)view->size);
            agpu_store_u32(entry + 8, (uint32_t)(view->size / stride));
        } else if (module->views[i] < job->bindings->constant_buffer_count) {
            agpu_store_u32(entry + 4, (uint32_t)job->bindings->constant_buffers[module->views[i]].size);
        }
    }
}

static WGPUBuffer make_binding(struct agpu_gpu *gpu, const struct oracle_job *job,
                               const struct agpu_binding *binding)
{
    const struct agpu_ref_bindings *bindings = job->bindings;
    uint8_t block[AGPU_DRAW_BLOCK_BYTES];
    uint32_t counters[COUNTER_BYTES / 4] = {0};
    const struct agpu_ref_view *view = find_view(job, binding->binding);
    if (binding->group == AGPU_GROUP_INTERNAL) {
        fill_draw_block(job, block);
        return make_buffer(gpu, WGPUBufferUsage_Uniform, binding->bytes, block, sizeof block);
    }
    if (binding->space == AGPU_SPACE_CBUFFER && binding->slot < bindings->constant_buffer_count) {
        const struct agpu_ref_constant_buffer *constants = &bindings->constant_buffers[binding->slot];
        return make_buffer(gpu, WGPUBufferUsage_Uniform | WGPUBufferUsage_Storage, binding->bytes,
                           constants->data, constants->size);
    }
    if (view != NULL)
        return make_buffer(gpu, WGPUBufferUsage_Storage, binding->bytes, view->data, view->size);
    for (uint32_t i = 0; i < bindings->unordered_count; i++)
        counters[i] = bindings->unordered[i].counter;
    return make_buffer(gpu, WGPUBufferUsage_Storage, binding->bytes, counters, sizeof counters);
}

/* ---- Work --------------------------------------------------------------------------------------------- */

static void set_group(struct agpu_gpu *gpu, WGPUComputePassEncoder pass, const struct run *run,
                      uint32_t group)
{
    const struct agpu_module *module = run->job->module;
    WGPUBindGroupEntry entries[MAX_BINDINGS];
    size_t count = 0;
    for (uint32_t i = 0; i < module->binding_count; i++) {
        if (module->bindings[i].group == group)
            entries[count++] = (WGPUBindGroupEntry){.binding = module->bindings[i].binding,
                                                    .buffer = run->buffers[i],
                                                    .size = wgpuBufferGetSize(run->buffers[i])};
    }
    const WGPUBindGroupLayout layout = wgpuComputePipelineGetBindGroupLayout(run->pipeline, group);
    const WGPUBindGroupDescriptor descriptor = {.layout = layout, .entryCount = count, .entries = entries};
    const WGPUBindGroup made = wgpuDeviceCreateBindGroup(agpu_gpu_device(gpu), &descriptor);
    wgpuComputePassEncoderSetBindGroup(pass, group, made, 0, NULL);
    wgpuBindGroupRelease(made);
    wgpuBindGroupLayoutRelease(layout);
}

static void lay_out_readback(struct run *run)
{
    const struct agpu_ref_bindings *bindings = run->job->bindings;
    for (uint32_t i = 0; i < bindings->unordered_count; i++) {
        run->offset[i] = run->readback_size;
        run->readback_size += agpu_align_up(bindings->unordered[i].size, 4);
    }
    run->counter_offset = run->readback_size;
    run->readback_size += COUNTER_BYTES;
}

static void encode_copies(const struct run *run, WGPUCommandEncoder encoder)
{
    const struct agpu_module *module = run->job->module;
    const WGPUBuffer to = agpu_readback_buffer(run->readback);
    for (uint32_t i = 0; i < module->binding_count; i++) {
        const struct agpu_binding *binding = &module->bindings[i];
        if (binding->space == AGPU_SPACE_UAV)
            wgpuCommandEncoderCopyBufferToBuffer(encoder, run->buffers[i], 0, to, run->offset[binding->slot],
                                                 run->job->bindings->unordered[binding->slot].size);
        else if (binding->binding == AGPU_BINDING_UAV_COUNTERS)
            wgpuCommandEncoderCopyBufferToBuffer(encoder, run->buffers[i], 0, to, run->counter_offset,
                                                 COUNTER_BYTES);
    }
}

static bool encode(struct agpu_gpu *gpu, struct agpu_readback_pool *pool, struct run *run,
                   WGPUCommandEncoder encoder)
{
    const struct oracle_job *job = run->job;
    if (job->module->binding_count > MAX_BINDINGS || job->bindings->unordered_count > ORACLE_SLOTS)
        return false;
    lay_out_readback(run);
    run->readback = agpu_readback_take(pool, run->readback_size);
    if (run->readback == NULL)
        return false;
    for (uint32_t i = 0; i < job->module->binding_count; i++)
        run->buffers[i] = make_binding(gpu, job, &job->module->bindings[i]);
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

/* A slot that the module does not mention keeps what it had. */
static bool mentions(const struct agpu_module *module, uint32_t binding)
{
    for (uint32_t i = 0; i < module->binding_count; i++)
        if (module->bindings[i].group == AGPU_GROUP_COMPUTE && module->bindings[i].binding == binding)
            return true;
    return false;
}

static bool collect(const struct run *run)
{
    struct oracle_job *job = run->job;
    const uint8_t *data = agpu_readback_data(run->readback);
    if (data == NULL)
        return false;
    const bool counted = mentions(job->module, AGPU_BINDING_UAV_COUNTERS);
    for (uint32_t i = 0; i < job->bindings->unordered_count; i++) {
        const struct agpu_ref_view *view = &job->bindings->unordered[i];
        const bool used = mentions(job->module, AGPU_BINDING_UAV + i);
        job->result[i] = malloc((size_t)view->size + 1);
        if (job->result[i] == NULL)
            return false;
        memcpy(job->result[i], used ? data + run->offset[i] : view->data, (size_t)view->size);
        job->counters[i] = counted ? agpu_load_u32(data + run->counter_offset + 4 * i) : view->counter;
    }
    return true;
}

static void release(struct agpu_readback_pool *pool, struct run *run)
{
    for (uint32_t i = 0; i < MAX_BINDINGS; i++)
        if (run->buffers[i] != NULL)
            wgpuBufferRelease(run->buffers[i]);
    if (run->pipeline != NULL)
        wgpuComputePipelineRelease(run->pipeline);
    agpu_readback_release(pool, run->readback);
}

static bool submit(struct agpu_gpu *gpu, struct agpu_readback_pool *pool, struct run *runs, uint32_t count)
{
    bool good = true;
    const WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(agpu_gpu_device(gpu), NULL);
    for (uint32_t i = 0; i < count && good; i++)
        good = runs[i].pipeline == NULL || encode(gpu, pool, &runs[i], encoder);
    const WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
    if (good)
        wgpuQueueSubmit(agpu_gpu_queue(gpu), 1, &commands);
    wgpuCommandBufferRelease(commands);
    wgpuCommandEncoderRelease(encoder);
    for (uint32_t i = 0; i < count && good; i++)
        if (runs[i].readback != NULL)
            agpu_readback_begin(runs[i].readback);
    return good && agpu_gpu_wait_idle(gpu, TIMEOUT);
}

bool oracle_gpu_run(struct agpu_gpu *gpu, struct oracle_job *jobs, uint32_t count)
{
    struct run *runs = calloc(count, sizeof *runs);
    struct agpu_readback_pool *pool = agpu_readback_pool_create(gpu, 0);
    bool good = runs != NULL && pool != NULL;
    for (uint32_t i = 0; i < count && good; i++) {
        runs[i].job = &jobs[i];
        translate(&jobs[i]);
        if (jobs[i].module != NULL)
            request_pipeline(gpu, &runs[i]);
    }
    for (uint32_t i = 0; i < count && good; i++)
        if (jobs[i].module != NULL)
            good = agpu_gpu_wait_flag(gpu, &runs[i].called, TIMEOUT);
    good = good && submit(gpu, pool, runs, count);
    for (uint32_t i = 0; i < count && runs != NULL; i++) {
        if (good && runs[i].readback != NULL)
            good = collect(&runs[i]);
        if (!good && jobs[i].outcome == ORACLE_RAN)
            jobs[i].outcome = ORACLE_LOST;
        if (pool != NULL)
            release(pool, &runs[i]);
    }
    agpu_readback_pool_destroy(pool);
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
