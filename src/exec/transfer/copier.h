/* SPDX-License-Identifier: MIT
 *
 * The copier: bytes on their way between guest memory, the stream, buffers and textures. Its headers are
 * uploads, copies, clears, mips, resolves and write-backs. The executor owns the only struct ag_copier;
 * packet handlers and the rooms above call its functions.
 */
#ifndef AG_EXEC_TRANSFER_COPIER_H
#define AG_EXEC_TRANSFER_COPIER_H

#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "gpu/webgpu.h"

struct ag_blitter;
struct ag_host;
struct ag_objects;
struct ag_recorder;
struct ag_write_backs;

/* Draws that clear rectangles (clear_rects.h). The members are made on their first use. */
struct ag_rect_clearer {
    WGPUShaderModule module;
    WGPUBindGroupLayout layout;
    struct ag_map pipelines; /* WGPURenderPipeline by format, sample count and aspects */
};

/* Memory of a picture that was shown, for the next one. */
struct ag_picture_memory {
    uint8_t *bytes;
    size_t size;
};

struct ag_copier {
    struct ag_host *host;
    struct ag_objects *objects;
    struct ag_recorder *recorder;
    struct ag_blitter *blitter;

    /* The write-backs of the submission being executed; null between two submissions. */
    struct ag_write_backs *write_backs;
    struct ag_rect_clearer rect_clearer;
    struct ag_picture_memory picture;
};

#endif
