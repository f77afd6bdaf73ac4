/* SPDX-License-Identifier: MIT
 *
 * Dummies: WebGPU objects for bindings that a shader declares and the guest left empty. WebGPU requires an
 * object in every binding. Each dummy is made on its first use; the recorder owns them.
 */
#ifndef AG_EXEC_RECORD_DUMMY_H
#define AG_EXEC_RECORD_DUMMY_H

#include <stdbool.h>
#include <stdint.h>

#include "aerogpu/translate.h"
#include "exec/host/outcome.h"
#include "gpu/webgpu.h"

struct ag_recorder;
struct ag_texture;

#define AG_ZERO_BYTES 65536
#define AG_DUMMY_SINK_BYTES 256

/* A buffer of AG_ZERO_BYTES zeros, for uniform, vertex, index and read-only storage buffers and as a copy
 * source. */
WGPUBuffer ag_dummy_zeros(struct ag_recorder *recorder, uint64_t *id);

/* A buffer of AG_DUMMY_SINK_BYTES for writable storage buffers, whose contents nobody uses. `index`, below
 * AG_UAV_SLOTS, tells apart the buffers of one draw, since WebGPU refuses one writable buffer in two
 * bindings. */
WGPUBuffer ag_dummy_sink(struct ag_recorder *recorder, uint32_t index, uint64_t *id);

/* A texture of one texel of zeros. */
WGPUTextureView ag_dummy_texture(struct ag_recorder *recorder, enum agpu_sample_type type,
                                 WGPUTextureViewDimension dimension, bool multisampled, uint64_t *id);

/* A sampler with Direct3D's default state, as far as `type` allows. */
WGPUSampler ag_dummy_sampler(struct ag_recorder *recorder, WGPUSamplerBindingType type, uint64_t *id);

/* A colour target of at least this size, whose contents nobody uses, for draws that have no target. */
enum ag_outcome ag_dummy_target(struct ag_recorder *recorder, uint32_t width, uint32_t height,
                                struct ag_texture **made);
/* It is made anew when a draw needs it. */
void ag_dummy_target_drop(struct ag_recorder *recorder);

void ag_dummies_clear(struct ag_recorder *recorder);

#endif
