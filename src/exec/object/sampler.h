/* SPDX-License-Identifier: MIT
 *
 * Samplers.
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
    WGPUSampler gpu; /* null: refused */
    uint64_t id;
    WGPUSampler point; /* the same without filtering, made when first needed */
    uint64_t point_id;
};

struct ag_sampler *ag_sampler_create(struct ag_objects *objects, uint32_t handle,
                                     const struct ag_sampler_desc *desc);
/* Makes one under a handle, in place of the one that it names. */
enum agpu_status ag_sampler_define(struct ag_objects *objects, uint32_t handle,
                                   const struct ag_sampler_desc *desc);
/* For textures that may not be filtered. */
WGPUSampler ag_sampler_point(struct ag_objects *objects, struct ag_sampler *sampler, uint64_t *id);
void ag_sampler_destroy(struct ag_objects *objects, struct ag_sampler *sampler);

#endif
