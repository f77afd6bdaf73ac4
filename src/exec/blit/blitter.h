/* SPDX-License-Identifier: MIT
 *
 * The blitter: the host's own draws and compute kernels, which do what WebGPU's copies and views cannot:
 * convert texels between formats, copy bytes inside a word, write depth, make mips, and read single samples
 * or planes of depth textures. The executor owns the only struct ag_blitter; transfer, bind, draw and expand
 * call its functions. Each kernel, layout and pipeline is made on its first use and belongs to the WebGPU
 * device.
 */
#ifndef AG_EXEC_BLIT_BLITTER_H
#define AG_EXEC_BLIT_BLITTER_H

#include "base/map.h"
#include "exec/blit/texel_arena.h"
#include "exec/blit/texture_convert.h"
#include "gpu/webgpu.h"
#include "kernel/kernel.h"

struct ag_host;
struct ag_objects;
struct ag_recorder;

/* What a blit computes for each texel. */
enum ag_blit_kind {
    AG_BLIT_MIP,             /* the mean of 2x2 texels of the mip above */
    AG_BLIT_MIP_OF_VOLUME,   /* the mean of 2x2x2 texels of the mip above; the parameter is the slice */
    AG_BLIT_SAMPLE_FLOAT,    /* one sample, of floats or depth; the parameter is the sample index */
    AG_BLIT_SAMPLE_UINT,     /* one sample; the parameter is the sample index */
    AG_BLIT_SAMPLE_SINT,     /* one sample; the parameter is the sample index */
    AG_BLIT_DEPTH,           /* one texel, of depth */
    AG_BLIT_MEAN_OF_SAMPLES, /* the mean of all samples of the host */
    AG_BLIT_PLANE_FLOAT,     /* one sample of a plane (struct ag_sample_planes); the parameter is its index */
    AG_BLIT_PLANE_UINT,      /* the same of the halves of UINT components */
    AG_BLIT_PLANE_SINT,      /* the same of the halves of SINT components */
    AG_BLIT_MEAN_OF_PLANE,   /* the mean of all samples of a plane of floats */
    AG_BLIT_BLOCKS,          /* a texel of an array of blocks, for its side effect (decoded_blocks.h) */
    AG_BLIT_COUNT,
};

/* Blits (blit.h). */
struct ag_blits {
    WGPUBindGroupLayout layouts[AG_BLIT_COUNT];
    struct ag_map pipelines; /* WGPURenderPipeline by format and kind */
    WGPUTexture nowhere;     /* the target of AG_BLIT_BLOCKS; null before the first use */
};

/* Draws that write depth and stencil (depth_write.h). */
struct ag_depth_writer {
    WGPUShaderModule module;
    WGPUBindGroupLayout layout;
    struct ag_map pipelines; /* WGPURenderPipeline by format, depth or not, and stencil mask */
};

struct ag_blitter {
    struct ag_host *host;
    struct ag_objects *objects;
    struct ag_recorder *recorder;

    /* Compute kernels, each of the header named here. */
    struct ag_kernel byte_copier;     /* byte_copy.h */
    struct ag_kernel element_fetcher; /* element_fetch.h */
    struct ag_kernel texel_merger;    /* partial_upload.h */
    struct ag_kernel texel_codec;     /* texel_codec.h */
    struct ag_kernel texels;          /* texels.h */
    struct ag_kernel plane_reader;    /* texture_plane.h */

    struct ag_texel_arena texel_arena; /* texel_arena.h */
    struct ag_texel_converter texel_converter;

    /* Draws. */
    struct ag_blits blits;
    struct ag_depth_writer depth_writer;
};

#endif
