/* SPDX-License-Identifier: MIT
 *
 * Samplers. The guest's handles own them; the binder binds them.
 */
#ifndef AG_EXEC_OBJECT_SAMPLER_H
#define AG_EXEC_OBJECT_SAMPLER_H

#include <stdbool.h>
#include <stdint.h>

#include "aerogpu/diag.h"
#include "exec/state/state.h"
#include "gpu/webgpu.h"

struct ag_creation;
struct ag_objects;

/* A WebGPU sampler with another use of the description; null before the first use. */
struct ag_sampler_variant {
    WGPUSampler gpu;
    uint64_t id;
};

struct ag_sampler {
    uint32_t handle;
    struct ag_account *account;   /* of the context that made the sampler, which is charged for it */
    struct ag_creation *creation; /* the packet; null: there was no memory to keep it */
    struct ag_sampler_desc desc;
    /* Null when WebGPU cannot express the sampler, so that draws that need the sampler are skipped. */
    WGPUSampler gpu;
    uint64_t id;
    /* Samplers that compare nothing, without and with point filters. */
    struct ag_sampler_variant plain, point;
};

void ag_sampler_destroy(struct ag_objects *objects, struct ag_sampler *sampler);

/* Makes a sampler under the handle, in place of an older one. Reported when not AGPU_OK. A sampler that
 * WebGPU cannot express is reported and made without `gpu`. */
enum agpu_status ag_sampler_define(struct ag_objects *objects, uint32_t handle,
                                   const struct ag_sampler_desc *desc);

/* The sampler for instructions that compare nothing: with its own filters and addresses, or, for textures
 * whose format WebGPU does not filter, with point filters. */
WGPUSampler ag_sampler_plain(struct ag_objects *objects, struct ag_sampler *sampler, bool point,
                             uint64_t *id);

#endif
