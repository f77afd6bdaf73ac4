/* SPDX-License-Identifier: MIT
 *
 * Samplers. The guest's handles own them; the binder binds them.
 */
#ifndef AG_EXEC_OBJECT_SAMPLER_H
#define AG_EXEC_OBJECT_SAMPLER_H

#include <stdint.h>

#include "aerogpu/diag.h"
#include "exec/state/state.h"
#include "gpu/webgpu.h"

struct ag_objects;

struct ag_sampler {
    uint32_t handle;
    struct ag_sampler_desc desc;
    /* Null when WebGPU cannot express the sampler, so that draws that need the sampler are skipped. */
    WGPUSampler gpu;
    uint64_t id;
    /* The sampler with point filters, or null before the first use. */
    WGPUSampler point;
    uint64_t point_id;
};

/* Null when memory is exhausted (not reported). A sampler that WebGPU cannot express is reported and made
 * without `gpu`. */
struct ag_sampler *ag_sampler_create(struct ag_objects *objects, uint32_t handle,
                                     const struct ag_sampler_desc *desc);

void ag_sampler_destroy(struct ag_objects *objects, struct ag_sampler *sampler);

/* Makes a sampler under the handle, in place of an older one. Reported when not AGPU_OK. */
enum agpu_status ag_sampler_define(struct ag_objects *objects, uint32_t handle,
                                   const struct ag_sampler_desc *desc);

/* The sampler with point filters, for textures whose format WebGPU does not filter. */
WGPUSampler ag_sampler_point(struct ag_objects *objects, struct ag_sampler *sampler, uint64_t *id);

#endif
