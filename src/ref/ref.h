/* SPDX-License-Identifier: MIT
 *
 * The reference interpreter: runs decoded SM4/SM5 programs on the CPU, instruction by instruction, by the
 * rules of the Direct3D 11.3 functional specification. Tests compare the translator with it, so it shares
 * nothing with ir and wgsl, and nothing in it is tuned for speed.
 *
 * Registers are 32-bit patterns. Where the specification leaves a choice, the project's decision (docs:
 * "D3D11 on WebGPU", the decisions D1 to D21) is taken, and where two results are allowed an option selects
 * one, so that a test can compute both.
 *
 * What it runs: vertex, pixel and compute shaders. Everything else, and what the caller did not provide
 * (class instances), is a diagnostic.
 *
 * Threads: a program is immutable and may be run by any number of threads; the memory that the bindings
 * point to is read and written without locks.
 */
#ifndef AG_REF_REF_H
#define AG_REF_REF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "aerogpu/diag.h"
#include "aerogpu/dxbc.h"

/* ---- Programs ----------------------------------------------------------------------------------------- */

struct ag_ref_program;

/* Prepares a shader for running: finds its declarations, joins up its control flow, checks its operands. On
 * AGPU_OK the caller owns *program; `shader` must outlive it. AGPU_REFUSED: the stage, an opcode or the
 * control flow cannot be run (ref.stage, ref.opcode, ref.operand, ref.flow, ref.limit), or AGPU_NO_MEMORY;
 * *program is then null. Offsets in diagnostics are bytes from the version token. */
enum agpu_status ag_ref_program_create(const struct agpu_shader *shader, const struct agpu_diag_sink *sink,
                                       struct ag_ref_program **program);

/* Accepts null. */
void ag_ref_program_destroy(struct ag_ref_program *program);

/* Threads in a group of a compute shader, from dcl_thread_group; 0 0 0 for other stages. */
void ag_ref_program_thread_group(const struct ag_ref_program *program, uint32_t size[3]);

/* ---- Formats ------------------------------------------------------------------------------------------ */

enum ag_ref_format_kind {
    AG_REF_TYPELESS = 0, /* bits are copied; channels have up to 32 bits */
    AG_REF_UNORM,
    AG_REF_UNORM_SRGB, /* alpha stays linear */
    AG_REF_SNORM,
    AG_REF_UINT,
    AG_REF_SINT,
    AG_REF_FLOAT,      /* 32, 16, or without a sign 11 or 10 bits */
    AG_REF_SHARED_EXP, /* R9G9B9E5 */
};

/* One bit field of a texel. 0 bits: the format lacks the component; it reads 0, or 1 for alpha. */
struct ag_ref_channel {
    uint8_t offset, bits;
};

/* A texel in memory: little-endian, `bytes` long (1 to 16), channels red, green, blue, alpha. Block
 * compressed formats are the caller's business: hand in decompressed texels. */
struct ag_ref_format {
    uint8_t kind; /* enum ag_ref_format_kind */
    uint8_t bytes;
    struct ag_ref_channel channel[4];
};

/* A format whose `count` channels have `bits` bits each, packed from bit 0: (FLOAT, 32, 4) is
 * R32G32B32A32_FLOAT. */
struct ag_ref_format ag_ref_format_make(enum ag_ref_format_kind kind, uint32_t bits, uint32_t count);

/* One texel as the four registers that a load returns, with 0 0 0 1 for what the format lacks, and back, by
 * the conversion rules of sections 3.1 and 3.2: float narrowing rounds to zero, integers clamp. */
void ag_ref_format_load(const struct ag_ref_format *format, const void *texel, uint32_t value[4]);
void ag_ref_format_store(const struct ag_ref_format *format, const uint32_t value[4], void *texel);

/* ---- What a shader sees ------------------------------------------------------------------------------- */

/* A constant buffer's bound range; each component beyond it reads 0. */
struct ag_ref_constant_buffer {
    const void *data;
    uint64_t size; /* bytes */
};

/* A view: what is bound to a t or u register. `dimension` UNKNOWN is an empty slot.
 *
 * Buffers: `data` and `size` are the range of the view. Structured ones have a stride, typed ones a format.
 *
 * Textures: `data` holds the view's texels without gaps, ordered from the slowest: layer, mip, z, y, x,
 * sample; ag_ref_texture_size() says how many bytes that is. Cube maps have six layers a cube, in the
 * order +X -X +Y -Y +Z -Z. Sizes are those of mip 0 of the view. A depth view is a one-channel format. */
struct ag_ref_view {
    enum agpu_resource_dimension dimension;
    void *data; /* written through u registers only */
    uint64_t size;
    struct ag_ref_format format;
    uint32_t stride;                /* bytes of a structure */
    uint32_t counter;               /* counter of an append, consume or counted buffer */
    uint32_t width, height, depth;  /* texels; 1 where the dimension has no such axis */
    uint32_t layers, mips, samples; /* at least 1 */
    float min_lod;                  /* clamp of the resource, in the view's mip numbers; 0 by default */
};

/* Bytes of a texture's texels; 0 when the sizes are out of Direct3D's range (16384, 2048 deep, 15 mips). */
uint64_t ag_ref_texture_size(const struct ag_ref_view *view);

/* The byte offset of one texel. The indices must be in range. */
uint64_t ag_ref_texel_offset(const struct ag_ref_view *view, uint32_t layer, uint32_t mip, uint32_t x,
                             uint32_t y, uint32_t z, uint32_t sample);

/* Values of Direct3D: D3D11_TEXTURE_ADDRESS_MODE. */
enum ag_ref_address {
    AG_REF_WRAP = 1,
    AG_REF_MIRROR = 2,
    AG_REF_CLAMP = 3,
    AG_REF_BORDER = 4,
    AG_REF_MIRROR_ONCE = 5,
};

/* Values of Direct3D: D3D11_COMPARISON_FUNC. */
enum ag_ref_compare {
    AG_REF_NEVER = 1,
    AG_REF_LESS = 2,
    AG_REF_EQUAL = 3,
    AG_REF_LESS_EQUAL = 4,
    AG_REF_GREATER = 5,
    AG_REF_NOT_EQUAL = 6,
    AG_REF_GREATER_EQUAL = 7,
    AG_REF_ALWAYS = 8,
};

/* Bits of D3D11_FILTER. */
enum ag_ref_filter {
    AG_REF_FILTER_POINT = 0,
    AG_REF_FILTER_MIP_LINEAR = 1 << 0,
    AG_REF_FILTER_MAG_LINEAR = 1 << 2,
    AG_REF_FILTER_MIN_LINEAR = 1 << 4,
    AG_REF_FILTER_ANISOTROPIC = 1 << 6,
};

struct ag_ref_sampler {
    uint32_t filter;     /* enum ag_ref_filter; other bits of D3D11_FILTER are ignored */
    uint32_t address[3]; /* enum ag_ref_address of u, v, w; any other value selects texel 0 */
    float mip_lod_bias;
    uint32_t max_anisotropy; /* 0 means 1 */
    uint32_t comparison;     /* enum ag_ref_compare */
    float border_color[4];
    float min_lod, max_lod;
};

/* A class instance behind an interface slot: this[slot] holds `data` (constant buffer slot, first constant,
 * first texture, first sampler) and fcall looks its function up in dcl_function_table `table`. */
struct ag_ref_instance {
    uint32_t table;
    uint32_t data[4];
};

/* Slots beyond a count, and slots with a null pointer, are empty. In shader model 5.1 the registers of all
 * register spaces share these arrays. */
struct ag_ref_bindings {
    const struct ag_ref_constant_buffer *constant_buffers;
    const struct ag_ref_view *resources; /* t# */
    const struct ag_ref_sampler *samplers;
    struct ag_ref_view *unordered; /* u#; their memory and counters are changed */
    const struct ag_ref_instance *instances;
    uint32_t constant_buffer_count, resource_count, sampler_count, unordered_count, instance_count;
    uint32_t rasterizer_samples; /* samples of the render target; 0 means 1 */
};

/* ---- Running ------------------------------------------------------------------------------------------ */

/* Choices that the specification leaves open. By default denormals are flushed, mad and dot products are not
 * fused, and division is exact. */
enum ag_ref_flag {
    AG_REF_DEFAULT = 0,
    AG_REF_KEEP_DENORMALS = 1 << 0,       /* arithmetic and comparisons preserve denormals (D4) */
    AG_REF_FUSE_MAD = 1 << 1,             /* mad rounds once (D2) */
    AG_REF_FUSE_DOT = 1 << 2,             /* each step of dp2, dp3, dp4 after the first rounds once */
    AG_REF_DIVIDE_BY_RECIPROCAL = 1 << 3, /* div is a * (1 / b), which section 22.10.2 allows */
    AG_REF_LOWER_ROW = 1 << 4,            /* coarse derivatives are those of the lower row */
    AG_REF_RIGHT_COLUMN = 1 << 5,         /* coarse derivatives are also those of the right column */
    AG_REF_FINE_DERIVATIVES = 1 << 6,     /* deriv_rtx, deriv_rty and levels of detail use fine derivatives */
    /* Groups, and the threads of a group, run in reverse order. */
    AG_REF_BACKWARDS = 1 << 7,
};

#define AG_REF_STEP_BUDGET 1000000u

struct ag_ref_options {
    uint32_t flags;       /* enum ag_ref_flag */
    uint64_t step_budget; /* instructions that one invocation may run; 0 means AG_REF_STEP_BUDGET */
    /* If not 0, the seed of perturbation: inexact results of arithmetic are moved by up to what the
     * specification allows, each in a different way. Several runs show how far the results may differ. */
    uint64_t perturb;
    /* With `perturb`: the error of levels of detail from derivatives, and of those for cube maps; at least
     * 2^-8, which the specification allows for all levels. */
    float lod_error, cube_lod_error;
};

#define AG_REF_REGISTERS 32

/* Output registers without a number. */
enum ag_ref_special {
    AG_REF_OUTPUT_DEPTH = 0, /* oDepth, oDepthGE or oDepthLE */
    AG_REF_OUTPUT_COVERAGE,
    AG_REF_OUTPUT_STENCIL,
    AG_REF_SPECIAL_COUNT
};

/* One vertex or pixel. The caller fills the inputs: registers by number, system values where the program
 * declares them. Outputs that are never written stay 0 (D6). */
struct ag_ref_invocation {
    uint32_t input[AG_REF_REGISTERS][4];
    uint32_t primitive_id;   /* vPrim */
    uint32_t coverage;       /* vCoverage; determines the centroid, too */
    uint32_t inner_coverage; /* vInnerCoverage */
    bool helper;             /* pixels: exists for derivatives only and never writes memory */

    uint32_t output[AG_REF_REGISTERS][4];
    uint8_t written[AG_REF_REGISTERS]; /* bit set of components that were written: x 1, y 2, z 4, w 8 */
    uint32_t special[AG_REF_SPECIAL_COUNT];
    bool special_written[AG_REF_SPECIAL_COUNT];
    bool discarded; /* the outputs are not valid */
    uint64_t steps; /* instructions that were run */
};

/* Runs a vertex shader. AGPU_REFUSED: the step budget was exceeded (ref.budget), or the program needs
 * something that was not provided; results and memory are then as they were at that instruction. */
enum agpu_status ag_ref_run_vertex(const struct ag_ref_program *program,
                                   const struct ag_ref_bindings *bindings,
                                   const struct ag_ref_options *options, const struct agpu_diag_sink *sink,
                                   struct ag_ref_invocation *vertex);

/* Runs a pixel shader on a 2x2 quad: upper left, upper right, lower left, lower right. The four run one after
 * the other from one instruction that needs derivatives to the next. Coarse derivatives are those of the
 * upper row and left column. Where flow control has parted the pixels, a derivative, undefined by section
 * 16.8, is taken from the pixels that are there and 0 without a neighbour. */
enum agpu_status ag_ref_run_quad(const struct ag_ref_program *program, const struct ag_ref_bindings *bindings,
                                 const struct ag_ref_options *options, const struct agpu_diag_sink *sink,
                                 struct ag_ref_invocation pixels[4]);

/* Runs a compute shader over groups[0] x groups[1] x groups[2] thread groups one after another, x fastest.
 * Within a group the threads run in order of their flattened index, each up to the next barrier. Threads that
 * wait at different barriers, or while others have ended, are reported once as a warning (ref.barrier) and
 * continue as if they had met. */
enum agpu_status ag_ref_dispatch(const struct ag_ref_program *program, const struct ag_ref_bindings *bindings,
                                 const struct ag_ref_options *options, const struct agpu_diag_sink *sink,
                                 const uint32_t groups[3]);

#endif
