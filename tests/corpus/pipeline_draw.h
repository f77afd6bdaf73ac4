/* SPDX-License-Identifier: MIT
 *
 * One shader in one pipeline, through the executor.
 */
#ifndef AG_CORPUS_PIPELINE_DRAW_H
#define AG_CORPUS_PIPELINE_DRAW_H

#include "aerogpu/dxbc.h"
#include "aerogpu/gpu.h"

enum pipeline_result {
    PIPELINE_DRAWN,
    PIPELINE_REFUSED, /* the executor says what cannot be expressed */
    PIPELINE_FAILED,
};

/* "drawn", "refused", "failed". */
const char *pipeline_result_name(enum pipeline_result result);

/* Whether shaders of this stage can be drawn alone: vertex, pixel, compute. */
bool pipeline_takes(enum agpu_stage stage);

/* Draws one point with a vertex shader and a pixel shader made for its outputs, or with a pixel shader and a
 * vertex shader made for its inputs, or dispatches one group. `why` gets the first error, on one line. */
enum pipeline_result pipeline_draw(struct agpu_gpu *gpu, const uint8_t *bytes, size_t size, char *why,
                                   size_t why_size);

#endif
