/* SPDX-License-Identifier: MIT
 *
 * The fixed-function tessellator as compute kernels: from the factors that a hull shader wrote to the points
 * and primitives of its domain (D3D11 functional specification 11.7). Lists and factors are those of
 * translate.h.
 *
 * Patches come out in their order, and the points and primitives of a patch in the order of the
 * specification's reference, so that every run and every device gives the same lists. Coordinates are
 * multiples of 1/65536. Two patches with the same factor at an edge they share have the same points there.
 */
#ifndef AG_KERNEL_TESSELLATOR_H
#define AG_KERNEL_TESSELLATOR_H

#include "kernel/kernel.h"
#include "wgsl/expansion.h"

/* Values of the shader declarations. */
enum ag_tessellator_domain {
    AG_DOMAIN_ISOLINE = 1,
    AG_DOMAIN_TRI = 2,
    AG_DOMAIN_QUAD = 3,
};

enum ag_tessellator_partitioning {
    AG_PARTITIONING_INTEGER = 1,
    AG_PARTITIONING_POW2 = 2, /* like INTEGER, because hull shaders round the factors (11.7.5) */
    AG_PARTITIONING_FRACTIONAL_ODD = 3,
    AG_PARTITIONING_FRACTIONAL_EVEN = 4,
};

enum ag_tessellator_output {
    AG_TESSELLATOR_POINT = 1,
    AG_TESSELLATOR_LINE = 2, /* isolines only */
    AG_TESSELLATOR_TRIANGLE_CW = 3,
    AG_TESSELLATOR_TRIANGLE_CCW = 4,
};

struct ag_tessellation {
    enum ag_tessellator_domain domain;
    enum ag_tessellator_partitioning partitioning;
    enum ag_tessellator_output output;
    /* The maximum that the hull shader declares, 0 for none; larger factors are clamped to it. */
    float max_factor;
    uint32_t
        control_points; /* of the hull shader's input: record numbers in an entry of the list of patches */
    /* Of triangles whose factors cannot be above 1: culled patches have points and primitives, too, which
     * have no area. Nothing has to be counted then. */
    bool has_fixed_places;
};

/* Whether the domain can have the output: isolines give points or lines, other domains points or
 * triangles. */
bool ag_tessellation_valid(const struct ag_tessellation *tessellation);

/* The most points and primitives of one patch, and the vertices of a primitive. */
struct ag_tessellation_capacity {
    uint64_t points, primitives;
    uint32_t vertices; /* of a primitive: 1, 2 or 3 */
};

void ag_tessellation_capacity(const struct ag_tessellation *tessellation,
                              struct ag_tessellation_capacity *capacity);

/* How many patches are tessellated together, and how many of them at a time: points and primitives of a step
 * are written into lists that have room for `points` and `primitives`, which is as much as one patch may
 * yield, at least. The patches of a step are as many as fit, so that most of the steps may turn out to be
 * empty. */
struct ag_tessellator_part {
    uint32_t patches; /* at most */
    uint32_t steps;   /* at most */
    uint32_t points, primitives;
};

/* The kernels' uniform block for a step. `drawn`: the vertices that the indirect draw has for each primitive.
 */
#define AG_TESSELLATION_BLOCK_BYTES 48
void ag_tessellation_block(const struct ag_tessellation *tessellation, const struct ag_tessellator_part *part,
                           uint32_t step, uint32_t drawn, uint8_t block[AG_TESSELLATION_BLOCK_BYTES]);

/* The compute pipelines, for one device. */
struct ag_tessellator {
    struct ag_kernel kernel;
};

/* Makes the kernels. `gpu` is borrowed. */
void ag_tessellator_init(struct ag_tessellator *tessellator, struct agpu_gpu *gpu);
/* How it is known where a part's patches go (tessellator.wgsl). */
enum ag_tessellator_mode {
    AG_TESSELLATOR_FEW, /* at most AG_TESSELLATOR_FEW_PATCHES in one step */
    AG_TESSELLATOR_ADDED,
    AG_TESSELLATOR_PLACED,
    AG_TESSELLATOR_FIXED,
};
#define AG_TESSELLATOR_FEW_PATCHES 64
enum ag_tessellator_mode ag_tessellator_mode_of(const struct ag_tessellation *tessellation, uint64_t patches,
                                                uint64_t steps);

/* Begins to make the pipelines of a mode, which are compiled until ag_tessellator_compilation() is null or
 * done. False when memory is exhausted (not reported). */
bool ag_tessellator_begin(struct ag_tessellator *tessellator, enum ag_tessellator_mode mode);
struct ag_compilation *ag_tessellator_compilation(const struct ag_tessellator *tessellator,
                                                  enum ag_tessellator_mode mode);
/* Whether nobody would have to wait for them. */
bool ag_tessellator_is_ready(const struct ag_tessellator *tessellator, enum ag_tessellator_mode mode);
/* Accepts a zeroed tessellator. Work in flight keeps the objects that it uses. */
void ag_tessellator_fini(struct ag_tessellator *tessellator);

/* Patches and factors are bound read-only, so that their buffers must not be written ones. The written ranges
 * may share one buffer. */
struct ag_tessellator_buffers {
    struct ag_buffer_range block;   /* ag_tessellation_block(), uniform */
    struct ag_buffer_range patches; /* the list of the hull shader's input patches, AG_EXPAND_PRIMITIVES */
    struct ag_buffer_range factors; /* AG_EXPAND_FACTORS */
    /* scratch: AG_TESSELLATOR_START_BYTES for each patch, and AG_TESSELLATOR_START_HEADER_BYTES */
    struct ag_buffer_range starts;
    struct ag_buffer_range points; /* written: a list, AG_EXPAND_POINTS */
    /* written: a list, AG_EXPAND_PRIMITIVES; the records are the points. */
    struct ag_buffer_range primitives;
    /* written: those of a draw of the list, as AG_DRAW_ARGUMENT_BYTES, twice: of the list as a whole and of
     * its first piece (pieces.h) */
    struct ag_buffer_range arguments;
};

#define AG_TESSELLATOR_START_BYTES 24
#define AG_TESSELLATOR_START_HEADER_BYTES 16
#define AG_TESSELLATOR_STEPS_OFFSET 8 /* of the word in there that tells how many steps are not empty */

/* Records the dispatches that count what each patch yields, with the block of any step. The list of patches
 * contains their number; patches beyond part->patches are skipped. Both functions change the pass's pipeline
 * and group 0. False when memory is exhausted. */
bool ag_tessellator_record_counts(struct ag_tessellator *tessellator, WGPUComputePassEncoder pass,
                                  const struct ag_tessellator_buffers *buffers,
                                  const struct ag_tessellation *tessellation,
                                  const struct ag_tessellator_part *part);
/* Records the dispatch that writes the lists and the arguments of the block's step. */
bool ag_tessellator_record_step(struct ag_tessellator *tessellator, WGPUComputePassEncoder pass,
                                const struct ag_tessellator_buffers *buffers,
                                const struct ag_tessellation *tessellation,
                                const struct ag_tessellator_part *part);

#endif
