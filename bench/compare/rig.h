/* SPDX-License-Identifier: MIT
 *
 * One GPU with both sides on it: an executor that is fed with streams, and WebGPU called by hand.
 */
#ifndef AG_BENCH_COMPARE_RIG_H
#define AG_BENCH_COMPARE_RIG_H

#include <stdbool.h>
#include <stdint.h>

#include "aerogpu/executor.h"
#include "aerogpu/stream_writer.h"
#include "gpu/webgpu.h"

#define TARGET_WIDTH 64u

/* What a frame cost: time of this thread in the calls that record and submit, and on the clock until the GPU
 * was done. Seconds. */
struct cost {
    double cpu, wall;
};

struct rig {
    struct agpu_gpu *gpu;
    struct agpu_executor *executor;
    WGPUDevice device;
    WGPUQueue queue;
    uint8_t *guest; /* guest memory from address 0 */
    size_t guest_bytes;
    struct aerogpu_alloc_entry allocation; /* of all guest memory, id 1 */
    uint32_t submissions, errors;
    uint8_t *shown; /* the last present, rows without padding */
    size_t shown_bytes;
    enum agpu_pixel_order shown_order;
};

/* False with a message on standard error. */
bool rig_open(struct rig *rig, const char *driver_name, size_t guest_bytes,
              const struct agpu_executor_options *executor_options);
void rig_close(struct rig *rig);

/* ---- Streams ------------------------------------------------------------------------------------------- */

/* Submits what the writer holds, waits until it is done, and starts the writer over. */
struct cost rig_run(struct rig *rig, struct agpu_writer *writer);
/* Submits what a finished writer holds. */
void rig_submit(struct rig *rig, const struct agpu_writer *writer);
/* Polls until nothing is in flight. */
void rig_wait(struct rig *rig);
/* Writes the packet that creates a shader from a listing. */
void rig_write_shader(struct agpu_writer *writer, uint32_t handle, enum agpu_stream_stage stage,
                      const char *listing);
void rig_write_texture(struct agpu_writer *writer, uint32_t handle, uint32_t usage, uint32_t format,
                       uint32_t width, uint32_t height);
/* Presents a colour texture: its texels as RGBA8, valid until the next call. Null: they are not so many
 * bytes. */
uint8_t *rig_show(struct rig *rig, uint32_t texture, size_t bytes);

/* ---- WebGPU by hand ---------------------------------------------------------------------------------- */

WGPUBuffer raw_buffer(struct rig *rig, uint64_t size, WGPUBufferUsage usage, const void *contents);
WGPUTexture raw_texture(struct rig *rig, uint32_t width, uint32_t height, WGPUTextureFormat format,
                        WGPUTextureUsage usage);
/* A pass that clears the target. */
WGPURenderPassEncoder raw_pass(WGPUCommandEncoder encoder, WGPUTextureView target);
void raw_pass_end(WGPURenderPassEncoder pass);
/* A texture of 2x2 texels, RGBA8. */
WGPUTexture raw_texels(struct rig *rig, const uint32_t texels[4]);
/* Clamps, and filters nothing. */
WGPUSampler raw_nearest_sampler(struct rig *rig);
/* Texture at binding 0, sampler at 1. */
WGPUBindGroup raw_texture_group(struct rig *rig, WGPUBindGroupLayout layout, WGPUTexture texture,
                                WGPUSampler sampler);
/* Submits, and ends the clock of the calling thread. */
void raw_submit(struct rig *rig, WGPUCommandEncoder encoder);
/* Waits for all that was submitted. */
void raw_wait(struct rig *rig);
/* The texels of an RGBA8 texture into `rows`, 4 * width bytes each. */
bool raw_read(struct rig *rig, WGPUTexture texture, uint32_t width, uint32_t height, uint8_t *rows);

double rig_thread_seconds(void);
double rig_wall_seconds(void);

#endif
