/* SPDX-License-Identifier: MIT */
#include "bench/compare/rig.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "aerogpu/dxbc.h"
#include "aerogpu/gpu.h"
#include "cli/driver.h"
#include "gpu/gpu.h"
#include "gpu/wait.h"

#define FOREVER_NS UINT64_MAX
/* As gpu/wait.h waits for what is done by hand. */
#define SHORTEST_PAUSE_NS 20000
#define LONGEST_PAUSE_NS 1000000

static double seconds(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

double rig_thread_seconds(void)
{
    return seconds(CLOCK_THREAD_CPUTIME_ID);
}

double rig_wall_seconds(void)
{
    return seconds(CLOCK_MONOTONIC);
}

/* ---- The executor's owner ------------------------------------------------------------------------------ */

static bool read_guest(void *user, uint64_t gpa, void *to, size_t size)
{
    const struct rig *const rig = user;
    if (gpa > rig->guest_bytes || size > rig->guest_bytes - gpa)
        return false;
    memcpy(to, rig->guest + gpa, size);
    return true;
}

static bool write_guest(void *user, uint64_t gpa, const void *from, size_t size)
{
    struct rig *const rig = user;
    if (gpa > rig->guest_bytes || size > rig->guest_bytes - gpa)
        return false;
    memcpy(rig->guest + gpa, from, size);
    return true;
}

static const void *map_guest(void *user, uint64_t gpa, size_t size)
{
    const struct rig *const rig = user;
    return gpa <= rig->guest_bytes && size <= rig->guest_bytes - gpa ? rig->guest + gpa : NULL;
}

static void on_presented(void *user, const struct agpu_present *present)
{
    struct rig *const rig = user;
    const size_t row_bytes = (size_t)present->width * 4, size = row_bytes * present->height;
    rig->shown_order = (enum agpu_pixel_order)present->order;
    if (size != rig->shown_bytes) {
        free(rig->shown);
        rig->shown = malloc(size);
        rig->shown_bytes = rig->shown != NULL ? size : 0;
    }
    if (rig->shown == NULL)
        return;
    if (present->pitch_bytes == row_bytes)
        memcpy(rig->shown, present->pixels, size);
    else
        for (uint32_t y = 0; y < present->height; y++)
            memcpy(rig->shown + y * row_bytes, present->pixels + (size_t)y * present->pitch_bytes, row_bytes);
}

static void on_completed(void *user, uint32_t submission, uint32_t error)
{
    struct rig *const rig = user;
    (void)submission;
    rig->errors += error != AEROGPU_ERROR_NONE;
}

static void on_diag(void *user, const struct agpu_diag *diag)
{
    struct rig *const rig = user;
    if (diag->severity == AGPU_NOTE)
        return;
    rig->errors++;
    fprintf(stderr, "%s: %s\n", agpu_diag_slug(diag->code), diag->message);
}

bool rig_open(struct rig *rig, const char *driver_name, size_t guest_bytes,
              const struct agpu_executor_options *executor_options)
{
    *rig = (struct rig){.guest = calloc(1, guest_bytes), .guest_bytes = guest_bytes};
    const struct agpu_diag_sink sink = {on_diag, rig};
    struct agpu_gpu_options options = {.size = sizeof options};
    if (rig->guest == NULL || !agpu_driver_from_name(driver_name, &options.driver) ||
        cli_driver_open(&options, &sink, &rig->gpu) != AGPU_OK ||
        agpu_webgpu_executor_create(rig->gpu, executor_options, &sink, &rig->executor) != AGPU_OK) {
        fprintf(stderr, "bench: there is no device on %s\n", driver_name);
        return false;
    }
    rig->allocation = (struct aerogpu_alloc_entry){.alloc_id = 1, .size_bytes = guest_bytes};
    rig->device = ag_gpu_device(rig->gpu);
    rig->queue = ag_gpu_queue(rig->gpu);
    const struct agpu_executor_events events = {
        .size = sizeof events,
        .presented = on_presented,
        .completed = on_completed,
        .diagnostics = sink,
        .user = rig,
        .takes_any_layout = true,
    };
    const struct agpu_guest_memory memory = {
        .read = read_guest, .write = write_guest, .user = rig, .map = map_guest};
    rig->executor->attach(rig->executor, &events, &memory);
    return true;
}

void rig_close(struct rig *rig)
{
    agpu_executor_destroy(rig->executor);
    agpu_gpu_destroy(rig->gpu);
    free(rig->guest);
    free(rig->shown);
}

static void pause_for(long ns)
{
    const struct timespec pause = {0, ns};
    nanosleep(&pause, NULL);
}

void rig_submit(struct rig *rig, const struct agpu_writer *writer)
{
    const struct agpu_submission submission = {
        .number = rig->submissions++,
        .context_id = 1,
        .fence = rig->submissions,
        .stream = writer->data,
        .stream_size = (uint32_t)writer->size,
        .allocations = &rig->allocation,
        .allocation_count = 1,
        .has_allocation_table = true,
    };
    rig->executor->submit(rig->executor, &submission);
}

void rig_wait(struct rig *rig)
{
    long pause_ns = SHORTEST_PAUSE_NS;
    while (rig->executor->poll(rig->executor)) {
        if (agpu_executor_has_more(rig->executor))
            continue;
        pause_for(pause_ns);
        if (pause_ns < LONGEST_PAUSE_NS)
            pause_ns *= 2;
    }
}

struct cost rig_run(struct rig *rig, struct agpu_writer *writer)
{
    if (agpu_writer_finish(writer) != AGPU_OK)
        rig->errors++;
    const double wall = rig_wall_seconds(), cpu = rig_thread_seconds();
    rig_submit(rig, writer);
    struct cost cost = {.cpu = rig_thread_seconds() - cpu};
    rig_wait(rig);
    cost.wall = rig_wall_seconds() - wall;
    agpu_writer_reset(writer);
    return cost;
}

void rig_write_shader(struct agpu_writer *writer, uint32_t handle, enum agpu_stream_stage stage,
                      const char *listing)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    if (agpu_assemble(listing, strlen(listing), NULL, &bytes, &size) == AGPU_OK)
        agpu_write_create_shader_dxbc(writer, handle, stage, bytes, (uint32_t)size);
    agpu_free(bytes);
}

void rig_write_texture(struct agpu_writer *writer, uint32_t handle, uint32_t usage, uint32_t format,
                       uint32_t width, uint32_t height)
{
    const struct aerogpu_cmd_create_texture2d texture = {
        .texture_handle = handle,
        .usage_flags = usage,
        .format = format,
        .width = width,
        .height = height,
        .mip_levels = 1,
        .array_layers = 1,
    };
    agpu_write_create_texture2d(writer, &texture);
}

uint8_t *rig_show(struct rig *rig, uint32_t texture, size_t bytes)
{
    struct agpu_writer writer;
    agpu_writer_init_growing(&writer, NULL);
    agpu_write_set_render_targets(&writer, 1, &texture, 0);
    agpu_write_present(&writer, 0, AEROGPU_PRESENT_FLAG_NONE);
    rig_run(rig, &writer);
    agpu_writer_fini(&writer);
    return rig->shown_bytes == bytes ? rig->shown : NULL;
}

/* ---- WebGPU by hand ------------------------------------------------------------------------------------ */

WGPUBuffer raw_buffer(struct rig *rig, uint64_t size, WGPUBufferUsage usage, const void *contents)
{
    const WGPUBufferDescriptor descriptor = {.usage = usage | WGPUBufferUsage_CopyDst, .size = size};
    const WGPUBuffer buffer = wgpuDeviceCreateBuffer(rig->device, &descriptor);
    if (contents != NULL)
        wgpuQueueWriteBuffer(rig->queue, buffer, 0, contents, (size_t)size);
    return buffer;
}

WGPUTexture raw_texture(struct rig *rig, uint32_t width, uint32_t height, WGPUTextureFormat format,
                        WGPUTextureUsage usage)
{
    const WGPUTextureDescriptor descriptor = {
        .usage = usage,
        .dimension = WGPUTextureDimension_2D,
        .size = {width, height, 1},
        .format = format,
        .mipLevelCount = 1,
        .sampleCount = 1,
    };
    return wgpuDeviceCreateTexture(rig->device, &descriptor);
}

WGPURenderPassEncoder raw_pass(WGPUCommandEncoder encoder, WGPUTextureView target)
{
    const WGPURenderPassColorAttachment attachment = {
        .view = target,
        .depthSlice = WGPU_DEPTH_SLICE_UNDEFINED,
        .loadOp = WGPULoadOp_Clear,
        .storeOp = WGPUStoreOp_Store,
        .clearValue = {0, 0, 0, 1},
    };
    const WGPURenderPassDescriptor descriptor = {.colorAttachmentCount = 1, .colorAttachments = &attachment};
    return wgpuCommandEncoderBeginRenderPass(encoder, &descriptor);
}

void raw_pass_end(WGPURenderPassEncoder pass)
{
    wgpuRenderPassEncoderEnd(pass);
    wgpuRenderPassEncoderRelease(pass);
}

WGPUTexture raw_texels(struct rig *rig, const uint32_t texels[4])
{
    const WGPUTexture texture = raw_texture(rig, 2, 2, WGPUTextureFormat_RGBA8Unorm,
                                            WGPUTextureUsage_TextureBinding | WGPUTextureUsage_CopyDst);
    const WGPUTexelCopyTextureInfo to = {.texture = texture, .aspect = WGPUTextureAspect_All};
    const WGPUTexelCopyBufferLayout rows = {.bytesPerRow = 8, .rowsPerImage = 2};
    const WGPUExtent3D extent = {2, 2, 1};
    wgpuQueueWriteTexture(rig->queue, &to, texels, 4 * sizeof *texels, &rows, &extent);
    return texture;
}

WGPUSampler raw_nearest_sampler(struct rig *rig)
{
    const WGPUSamplerDescriptor nearest = {
        .addressModeU = WGPUAddressMode_ClampToEdge,
        .addressModeV = WGPUAddressMode_ClampToEdge,
        .addressModeW = WGPUAddressMode_ClampToEdge,
        .magFilter = WGPUFilterMode_Nearest,
        .minFilter = WGPUFilterMode_Nearest,
        .mipmapFilter = WGPUMipmapFilterMode_Nearest,
        .lodMaxClamp = 32,
        .maxAnisotropy = 1,
    };
    return wgpuDeviceCreateSampler(rig->device, &nearest);
}

WGPUBindGroup raw_texture_group(struct rig *rig, WGPUBindGroupLayout layout, WGPUTexture texture,
                                WGPUSampler sampler)
{
    const WGPUTextureView view = wgpuTextureCreateView(texture, NULL);
    const WGPUBindGroupEntry entries[2] = {
        {.binding = 0, .textureView = view},
        {.binding = 1, .sampler = sampler },
    };
    const WGPUBindGroupDescriptor descriptor = {.layout = layout, .entryCount = 2, .entries = entries};
    const WGPUBindGroup group = wgpuDeviceCreateBindGroup(rig->device, &descriptor);
    wgpuTextureViewRelease(view);
    return group;
}

void raw_submit(struct rig *rig, WGPUCommandEncoder encoder)
{
    const WGPUCommandBuffer commands = wgpuCommandEncoderFinish(encoder, NULL);
    wgpuCommandEncoderRelease(encoder);
    wgpuQueueSubmit(rig->queue, 1, &commands);
    wgpuCommandBufferRelease(commands);
}

void raw_wait(struct rig *rig)
{
    ag_gpu_wait_serial(rig->gpu, ag_gpu_signal(rig->gpu), FOREVER_NS);
}

static void on_mapped(WGPUMapAsyncStatus status, WGPUStringView message, void *user, void *unused)
{
    (void)message;
    (void)unused;
    *(bool *)user = status == WGPUMapAsyncStatus_Success;
}

bool raw_read(struct rig *rig, WGPUTexture texture, uint32_t width, uint32_t height, uint8_t *rows)
{
    const uint32_t pitch = (width * 4 + 255) & ~255u;
    const size_t size = (size_t)pitch * height;
    bool is_mapped = false;
    const WGPUBuffer buffer = raw_buffer(rig, size, WGPUBufferUsage_MapRead, NULL);
    const WGPUTexelCopyTextureInfo from = {.texture = texture, .aspect = WGPUTextureAspect_All};
    const WGPUTexelCopyBufferInfo to = {
        .buffer = buffer, .layout = {.bytesPerRow = pitch, .rowsPerImage = height}
    };
    const WGPUExtent3D extent = {width, height, 1};
    const WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(rig->device, NULL);
    wgpuCommandEncoderCopyTextureToBuffer(encoder, &from, &to, &extent);
    raw_submit(rig, encoder);
    const WGPUBufferMapCallbackInfo callback = {
        .mode = WGPUCallbackMode_AllowProcessEvents, .callback = on_mapped, .userdata1 = &is_mapped};
    wgpuBufferMapAsync(buffer, WGPUMapMode_Read, 0, size, callback);
    raw_wait(rig);
    if (ag_gpu_wait_flag(rig->gpu, &is_mapped, FOREVER_NS)) {
        const uint8_t *const bytes = wgpuBufferGetConstMappedRange(buffer, 0, size);
        for (uint32_t y = 0; y < height && bytes != NULL; y++)
            memcpy(rows + (size_t)y * width * 4, bytes + (size_t)y * pitch, (size_t)width * 4);
    }
    wgpuBufferRelease(buffer);
    return is_mapped;
}
