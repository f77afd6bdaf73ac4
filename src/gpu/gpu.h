/* SPDX-License-Identifier: MIT
 *
 * The device that the executor works with. All functions are called from one thread, and none waits
 * (gpu/wait.h does, for tools and tests). Callbacks are called from inside ag_gpu_poll().
 */
#ifndef AG_GPU_GPU_H
#define AG_GPU_GPU_H

#include "aerogpu/gpu.h"
#include "gpu/feature.h"
#include "gpu/webgpu.h"

WGPUInstance ag_gpu_instance(const struct agpu_gpu *gpu);
WGPUDevice ag_gpu_device(const struct agpu_gpu *gpu);
WGPUQueue ag_gpu_queue(const struct agpu_gpu *gpu);
/* The device's limits, except that maxBufferSize is rounded down to whole words. */
const WGPULimits *ag_gpu_limits(const struct agpu_gpu *gpu);
/* The driver of the device, which tells how to get around its faults. */
enum agpu_driver ag_gpu_driver(const struct agpu_gpu *gpu);
/* Writes zeros into a buffer that is about to be used, on the null backend: WebGPU promises them, but that
 * backend shows what the host's memory held. The size is a multiple of 4, and the buffer can be copied to. */
void ag_gpu_clear_new_buffer(struct agpu_gpu *gpu, WGPUBuffer buffer, uint64_t size);
/* Copies between textures and buffers; nothing on the null backend, which copies nothing and refuses every
 * pitch, as it wants multiples of 2^32 - 1. */
void ag_gpu_copy_to_buffer(const struct agpu_gpu *gpu, WGPUCommandEncoder encoder,
                           const WGPUTexelCopyTextureInfo *from, const WGPUTexelCopyBufferInfo *to,
                           const WGPUExtent3D *extent);
void ag_gpu_copy_to_texture(const struct agpu_gpu *gpu, WGPUCommandEncoder encoder,
                            const WGPUTexelCopyBufferInfo *from, const WGPUTexelCopyTextureInfo *to,
                            const WGPUExtent3D *extent);
bool ag_gpu_has(const struct agpu_gpu *gpu, enum ag_gpu_feature feature);

/* Whether the device is lost and gpu.lost was reported. All work then counts as completed. */
bool ag_gpu_is_lost(const struct agpu_gpu *gpu);
/* Replaces a lost device by another one: a new one of the same driver, or what the embedder has given with
 * agpu_gpu_replace_device(). Features and limits may differ. All objects of the old device must have been
 * released. The first call asks for the device, further calls, each after a poll, move on. */
enum ag_gpu_revival {
    AG_GPU_REVIVED, /* the device is there; or was never lost */
    AG_GPU_REVIVING,
    AG_GPU_GONE, /* there is none, which is reported; a call later tries again */
};
enum ag_gpu_revival ag_gpu_revive(struct agpu_gpu *gpu);
/* Whether the embedder has given a device in place of the present one. */
bool ag_gpu_has_replacement(const struct agpu_gpu *gpu);

/* For how long the oldest signal that the GPU has not reached was waited for, in the time that polls cover; 0
 * when the GPU has nothing to do. */
uint64_t ag_gpu_stalled_ns(const struct agpu_gpu *gpu);
/* Takes the device for lost: all work counts as completed, every request fails, nothing is reported. Once its
 * objects are released, ag_gpu_revive() and agpu_gpu_destroy() leave the device to a thread that waits for
 * the GPU. A few may be abandoned at a time; then ag_gpu_revive() makes no other until the GPU is done with
 * one. */
void ag_gpu_abandon(struct agpu_gpu *gpu);
/* How long agpu_gpu_destroy() waits for the GPU before it abandons the device; UINT64_MAX: for ever. Ten
 * seconds at first. */
void ag_gpu_set_patience(struct agpu_gpu *gpu, uint64_t patience_ns);

/* From now on modules and tasks (gpu/compilation.h) are made by a thread of the gpu's, where there are
 * threads.
 */
void ag_gpu_start_worker(struct agpu_gpu *gpu);

/* Whether the GPU has reached every signal, and the library has answered every request. */
bool ag_gpu_has_answered(const struct agpu_gpu *gpu);

/* What callbacks of the device get (gpu/request.h). */
struct ag_device_link *ag_gpu_link(const struct agpu_gpu *gpu);

/* Sets the sink for unexpected errors and for the loss of the device. `sink` is copied. */
void ag_gpu_set_sink(struct agpu_gpu *gpu, const struct agpu_diag_sink *sink);

/* Calls the callbacks of finished work. */
void ag_gpu_poll(struct agpu_gpu *gpu);
/* The same, at most every 200 us where the library owes no answer to the functions of this room. */
void ag_gpu_poll_answers(struct agpu_gpu *gpu);

/* The queue's timeline. ag_gpu_signal() places a signal behind all work submitted so far and returns its
 * serial number; serials start at 1 and rise. ag_gpu_completed_serial() is the newest signal whose work is
 * done. */
uint64_t ag_gpu_signal(struct agpu_gpu *gpu);
uint64_t ag_gpu_signalled_serial(const struct agpu_gpu *gpu);
uint64_t ag_gpu_completed_serial(const struct agpu_gpu *gpu);

/* Text as a string view: NUL-terminated, or null for "not given". */
WGPUStringView ag_webgpu_string(const char *text);

/* Copies a message of the library as one line: line breaks become blanks, and positions in the library's
 * source are removed. Writes at most `size` bytes including the NUL; returns `text`. */
#define AG_WEBGPU_MESSAGE_SIZE 1024
const char *ag_webgpu_message(WGPUStringView message, char *text, size_t size);

/* Creates a shader module from WGSL. If the WGSL does not compile, the module is an error object. */
WGPUShaderModule ag_gpu_create_shader(struct agpu_gpu *gpu, const char *wgsl, size_t length,
                                      const char *label);

/* Error scopes. The caller pushes one scope for each filter. A pop hands over the first error of its scope
 * later, from ag_gpu_poll(): `type` is WGPUErrorType_NoError and `message` is empty when there was none; loss
 * of the device gives WGPUErrorType_Unknown. False when memory runs out: the scope is popped, but the
 * callback is never called. WebGPU runs out of memory or fails by itself where something is made, by the
 * queue's writes, too, which make staging: scopes for other errors than mistakes are opened by ag_gpu_maker()
 * and ag_gpu_writer(), and a pop answers at once where none was. A submission alone that needs staging, to
 * clear a texture that was never written, and gets none is told to the sink of the device alone. */
typedef void (*ag_error_scope_callback)(void *user, WGPUErrorType type, const char *message);
void ag_gpu_push_error_scope(struct agpu_gpu *gpu, WGPUErrorFilter filter);
bool ag_gpu_pop_error_scope(struct agpu_gpu *gpu, ag_error_scope_callback callback, void *user);
/* The device, for calls that make buffers, textures, bind groups, query sets, shader modules and pipelines.
 */
WGPUDevice ag_gpu_maker(struct agpu_gpu *gpu);
/* The queue, for writes into buffers and textures. */
WGPUQueue ag_gpu_writer(struct agpu_gpu *gpu);

/* The diagnostic code for an error of WebGPU. */
enum agpu_diag_code ag_diag_code_of_error(WGPUErrorType type);

#endif
