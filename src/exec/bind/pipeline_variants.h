/* SPDX-License-Identifier: MIT
 *
 * The translations of a pipeline's programs: what its key asks of them.
 */
#ifndef AG_EXEC_BIND_PIPELINE_VARIANTS_H
#define AG_EXEC_BIND_PIPELINE_VARIANTS_H

#include <stdbool.h>
#include <stdint.h>

#include "exec/host/outcome.h"

struct ag_binder;
struct ag_pipeline;
struct ag_pipeline_key;

/* Makes `vertex` and `pixel` of the pipeline, or its refusal. */
enum ag_outcome ag_pipeline_make_variants(struct ag_binder *binder, struct ag_pipeline *pipeline);

/* In how many planes the samples of a target are; 0: in none. */
uint8_t ag_pipeline_key_planes(const struct ag_pipeline_key *key, uint32_t target);
/* Whether both blend sources are those of one WebGPU target. For planes the shader multiplies. */
bool ag_pipeline_key_is_dual_source(const struct ag_pipeline_key *key);

#endif
