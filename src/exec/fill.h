/* SPDX-License-Identifier: MIT
 *
 * Draws that fill a texture view from another: mips, single samples, means of samples.
 */
#ifndef AG_EXEC_FILL_H
#define AG_EXEC_FILL_H

#include "base/map.h"
#include "exec/object.h"

enum ag_fill_kind {
    AG_FILL_MIP, /* the mean of 2x2 texels, of volumes 2x2x2 for the slice of the parameter */
    AG_FILL_MIP_OF_VOLUME,
    AG_FILL_SAMPLE_FLOAT, /* the sample of the parameter; depth is read as floats */
    AG_FILL_SAMPLE_UINT,
    AG_FILL_SAMPLE_SINT,
    AG_FILL_MEAN_OF_SAMPLES,
    AG_FILL_COUNT,
};

/* Made when first needed. */
struct ag_filler {
    WGPUBindGroupLayout layouts[AG_FILL_COUNT];
    struct ag_map pipelines; /* WGPURenderPipeline by format and kind */
};

/* Fills all of `to`, whose format is given; the views are released. False when it was reported. */
bool ag_fill(struct ag_exec *exec, enum ag_fill_kind kind, WGPUTextureView to,
             const struct ag_host_format *format, WGPUTextureView from, uint32_t parameter);
void ag_filler_fini(struct ag_filler *filler);

#endif
