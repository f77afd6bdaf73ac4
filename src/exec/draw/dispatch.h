/* SPDX-License-Identifier: MIT
 *
 * Dispatches of compute shaders. Packet handlers call ag_dispatch().
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
    /* Of an indirect dispatch: a scratch buffer with the usages Storage and Indirect that has the group
     * counts, which the dispatch may change. Else null. */
    WGPUBuffer arguments;
};

/* Records a dispatch of the program bound to `stage`, outside a render pass. A skipped dispatch is AGPU_OK
 * (reported). Reported when not AGPU_OK, which stops the stream. */
enum ag_outcome ag_dispatch(struct ag_drawer *drawer, struct ag_context *context, enum agpu_stage stage,
                            const struct ag_dispatch *dispatch);

#endif
