/* SPDX-License-Identifier: MIT
 *
 * The device that the executor works with. Everything here is called from the gpu's own thread; nothing waits
 * (gpu/wait.h does, for tools and tests). Callbacks come from inside ag_gpu_poll().
 */
#ifndef AG_GPU_GPU_H
#define AG_GPU_GPU_H

#include "aerogpu/gpu.h"
#include "gpu/feature.h"
#include "gpu/webgpu.h"

WGPUInstance ag_gpu_instance(const struct agpu_gpu *gpu);
WGPUDevice ag_gpu_device(const struct agpu_gpu *gpu);
WGPUQueue ag_gpu_queue(const struct agpu_gpu *gpu);
/* As the device says, but for maxBufferSize: rounded down to whole words, which all buffers have. */
const WGPULimits *ag_gpu_limits(const struct agpu_gpu *gpu);
bool ag_gpu_has(const struct agpu_gpu *gpu, enum ag_gpu_feature feature);

/* Bytes that bytesPerRow of a copy between buffer and texture is a multiple of: 256, or less where the device
 * says so. A power of two. */
uint32_t ag_gpu_copy_row_alignment(const struct agpu_gpu *gpu);

/* True once the device is lost and gpu.lost was reported. All work counts as completed from then on. */
bool ag_gpu_is_lost(const struct agpu_gpu *gpu);
/* Makes a new device in place of a lost one, with the same driver; features and limits may differ. Everything
 * made from the old one must be gone. AGPU_OK when there is a device; AGPU_MISSING when none can be had,
 * which an embedder's never can (reported). May take as long as agpu_gpu_create(). */
enum agpu_status ag_gpu_revive(struct agpu_gpu *gpu);

/* Where unexpected errors and the loss of the device go from now on. `sink` is copied. */
void ag_gpu_set_sink(struct agpu_gpu *gpu, const struct agpu_diag_sink *sink);

/* Lets callbacks of finished work happen. */
void ag_gpu_poll(struct agpu_gpu *gpu);

/* The queue's timeline. A signal follows all work submitted so far and returns its number, from 1, rising;
 * completed is the number of the newest signal whose work is done. */
uint64_t ag_gpu_signal(struct agpu_gpu *gpu);
uint64_t ag_gpu_signalled_serial(const struct agpu_gpu *gpu);
uint64_t ag_gpu_completed_serial(const struct agpu_gpu *gpu);

/* Text as a string view, NUL-terminated or null for "not given". */
WGPUStringView ag_webgpu_string(const char *text);

/* A message of the library on one line: line breaks become blanks, source positions of the library go. Writes
 * at most `size` bytes with the NUL; returns `text`. */
#define AG_WEBGPU_MESSAGE_SIZE 1024
const char *ag_webgpu_message(WGPUStringView message, char *text, size_t size);

/* Makes a shader module from WGSL. The module is an error object when it does not compile. */
WGPUShaderModule ag_gpu_create_shader(struct agpu_gpu *gpu, const char *wgsl, size_t length,
                                      const char *label);

/* Error scopes. Push one per filter that is to be watched; each pop hands over its scope's first error later,
 * from ag_gpu_poll(). `type` is WGPUErrorType_NoError and `message` empty when there was none; the device's
 * loss gives WGPUErrorType_Unknown. False when out of memory: the scope is popped, but nothing is called. */
typedef void (*ag_error_scope_callback)(void *user, WGPUErrorType type, const char *message);
void ag_gpu_push_error_scope(struct agpu_gpu *gpu, WGPUErrorFilter filter);
bool ag_gpu_pop_error_scope(struct agpu_gpu *gpu, ag_error_scope_callback callback, void *user);

/* The diagnostic code that belongs to an error of WebGPU. */
enum agpu_diag_code ag_diag_code_of_error(WGPUErrorType type);

#endif
