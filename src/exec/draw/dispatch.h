/* SPDX-License-Identifier: MIT
 *
 * Dispatches of compute shaders.
 */
#ifndef AG_EXEC_DRAW_DISPATCH_H
#define AG_EXEC_DRAW_DISPATCH_H

#include <stdint.h>

#include "aerogpu/dxbc.h"
#include "exec/host/outcome.h"
#include "gpu/webgpu.h"

struct ag_context;
struct ag_drawer;

#define AG_DISPATCH_ARGUMENT_BYTES 12

struct ag_dispatch {
    uint32_t groups[3];
    WGPUBuffer arguments; /* not null: the groups are there, in a storage buffer that nothing else uses */
};

enum ag_outcome ag_dispatch(struct ag_drawer *drawer, struct ag_context *context, enum agpu_stage stage,
                            const struct ag_dispatch *dispatch);

#endif
