/* SPDX-License-Identifier: MIT
 *
 * Objects that are bound where the guest bound nothing: zeros, one texel, a sampler, memory for stores that
 * go nowhere.
 */
#ifndef AG_EXEC_RECORD_DUMMY_H
#define AG_EXEC_RECORD_DUMMY_H

#include <stdbool.h>
#include <stdint.h>

#include "aerogpu/translate.h"
#include "gpu/webgpu.h"

struct ag_recorder;
struct ag_texture;

/* Zeros in place of what is not bound. */
WGPUBuffer ag_dummy_zeros(struct ag_recorder *recorder, uint64_t *id);
WGPUBuffer ag_dummy_sink(struct ag_recorder *recorder, uint32_t index, uint64_t *id);
WGPUTextureView ag_dummy_texture(struct ag_recorder *recorder, enum agpu_sample_type type,
                                 WGPUTextureViewDimension dimension, bool multisampled, uint64_t *id);
WGPUSampler ag_dummy_sampler(struct ag_recorder *recorder, WGPUSamplerBindingType type, uint64_t *id);
/* A colour target of at least that size, whose contents do not matter. Null when it was reported. */
struct ag_texture *ag_dummy_target(struct ag_recorder *recorder, uint32_t width, uint32_t height);
void ag_dummies_clear(struct ag_recorder *recorder);

#define AG_ZERO_BYTES 65536
#define AG_DUMMY_SINK_BYTES 256

#endif
