/* SPDX-License-Identifier: MIT
 *
 * Draws that fill a texture view from another: mips, single samples, means of samples.
 */
#ifndef AGPU_EXEC_FILL_H
#define AGPU_EXEC_FILL_H

#include "base/map.h"
#include "exec/object.h"

enum agpu_fill_kind {
    AGPU_FILL_MIP, /* the mean of 2x2 texels, of volumes 2x2x2 for the slice of the parameter */
    AGPU_FILL_MIP_OF_VOLUME,
    AGPU_FILL_SAMPLE_FLOAT, /* the sample of the parameter; depth is read as floats */
    AGPU_FILL_SAMPLE_UINT,
    AGPU_FILL_SAMPLE_SINT,
    AGPU_FILL_MEAN_OF_SAMPLES,
    AGPU_FILL_COUNT,
};

/* Made when first needed. */
struct agpu_filler {
    WGPUBindGroupLayout layouts[AGPU_FILL_COUNT];
    struct agpu_map pipelines; /* WGPURenderPipeline by format and kind */
};

/* Fills all of `to`, whose format is given; the views are released. False when it was reported. */
bool agpu_fill(struct agpu_exec *exec, enum agpu_fill_kind kind, WGPUTextureView to,
               const struct agpu_host_format *format, WGPUTextureView from, uint32_t parameter);
void agpu_filler_fini(struct agpu_filler *filler);

#endif
