/* SPDX-License-Identifier: MIT
 *
 * Bytes on their way between guest memory, the stream, buffers and textures: uploads, copies, clears,
 * write-backs.
 */
#ifndef AG_EXEC_TRANSFER_COPIER_H
#define AG_EXEC_TRANSFER_COPIER_H

#include "base/map.h"
#include "gpu/webgpu.h"

struct ag_blitter;
struct ag_host;
struct ag_objects;
struct ag_recorder;
struct ag_write_backs;

/* What such draws need, made when first needed. */
struct ag_rect_clearer {
    WGPUShaderModule module;
    WGPUBindGroupLayout layout;
    struct ag_map pipelines; /* by format and what is written */
};

struct ag_copier {
    struct ag_host *host;
    struct ag_objects *objects;
    struct ag_recorder *recorder;
    struct ag_blitter *blitter;

    struct ag_write_backs *write_backs;  /* of the submission being executed; null between two */
    struct ag_rect_clearer rect_clearer; /* made when first needed */
};

#endif
