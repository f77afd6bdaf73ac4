/* SPDX-License-Identifier: MIT
 *
 * The host's own draws and compute kernels: format conversion, texels, mips, samples, planes of depth.
 */
#ifndef AG_EXEC_BLIT_BLITTER_H
#define AG_EXEC_BLIT_BLITTER_H

#include "base/map.h"
#include "gpu/webgpu.h"
#include "kernel/kernel.h"

struct ag_host;
struct ag_objects;
struct ag_recorder;

enum ag_blit_kind {
    AG_BLIT_MIP, /* the mean of 2x2 texels, of volumes 2x2x2 for the slice of the parameter */
    AG_BLIT_MIP_OF_VOLUME,
    AG_BLIT_SAMPLE_FLOAT, /* the sample of the parameter; depth is read as floats */
    AG_BLIT_SAMPLE_UINT,
    AG_BLIT_SAMPLE_SINT,
    AG_BLIT_MEAN_OF_SAMPLES,
    AG_BLIT_COUNT,
};

/* Made when first needed. */
struct ag_blits {
    WGPUBindGroupLayout layouts[AG_BLIT_COUNT];
    struct ag_map pipelines; /* WGPURenderPipeline by format and kind */
};

/* What such draws need, made when first needed. */
struct ag_depth_writer {
    WGPUShaderModule module;
    WGPUBindGroupLayout layout;
    struct ag_map pipelines; /* by format and what is written */
};

/* Kernels and pipelines are made when they are first needed. */
struct ag_blitter {
    struct ag_host *host;
    struct ag_objects *objects;
    struct ag_recorder *recorder;

    struct ag_kernel byte_copier;     /* byte_copy.c */
    struct ag_kernel element_fetcher; /* element_fetch.c */
    struct ag_kernel texel_merger;    /* partial_upload.c */
    struct ag_kernel texel_codec;
    struct ag_kernel texel_converter; /* texture_convert.c */
    struct ag_kernel texels;
    struct ag_kernel plane_reader; /* texture_plane.c */
    struct ag_blits blits;
    struct ag_depth_writer depth_writer;
};

#endif
