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
#ifndef AG_EXPAND_TESSELLATOR_H
#define AG_EXPAND_TESSELLATOR_H

#include "expand/kernel.h"
#include "wgsl/expansion.h"

/* Numbers as the shaders' declarations have them. */
enum ag_tessellator_domain {
    AG_DOMAIN_ISOLINE = 1,
    AG_DOMAIN_TRI = 2,
    AG_DOMAIN_QUAD = 3,
};

enum ag_tessellator_partitioning {
    AG_PARTITIONING_INTEGER = 1,
    AG_PARTITIONING_POW2 = 2, /* as INTEGER: shaders round (11.7.5) */
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
    float max_factor; /* what the hull shader declares, 0: nothing. Larger factors are taken for it */
    uint32_t
        control_points; /* of the hull shader's input: record numbers in an entry of the list of patches */
};

/* False when the output is none of the domain: lines of anything but isolines, triangles of isolines. */
bool ag_tessellation_valid(const struct ag_tessellation *tessellation);

/* The most that one patch makes, and the shape of an entry in the list of primitives. */
struct ag_tessellation_capacity {
    uint64_t points, primitives;
    uint32_t vertices; /* of a primitive: 1, 2 or 3 */
};

void ag_tessellation_capacity(const struct ag_tessellation *tessellation,
                              struct ag_tessellation_capacity *capacity);

/* What the kernels want to know, for a uniform buffer. */
#define AG_TESSELLATION_BLOCK_BYTES 32
void ag_tessellation_block(const struct ag_tessellation *tessellation,
                           uint8_t block[AG_TESSELLATION_BLOCK_BYTES]);

/* The pipelines, for one device. */
struct ag_tessellator {
    struct ag_kernel kernel;
};

/* Compiles the kernels. `gpu` is borrowed. */
void ag_tessellator_init(struct ag_tessellator *tessellator, struct agpu_gpu *gpu);
/* Accepts what is all zeros. Work in flight keeps what it uses. */
void ag_tessellator_fini(struct ag_tessellator *tessellator);

/* Patches and factors are bound read-only, so their buffers are none of those that are written; what is
 * written may share one buffer. */
struct ag_tessellator_buffers {
    struct ag_buffer_range block;   /* ag_tessellation_block(), uniform */
    struct ag_buffer_range patches; /* list of the hull shader's input patches, as AG_EXPAND_PRIMITIVES */
    struct ag_buffer_range factors; /* as AG_EXPAND_FACTORS */
    struct ag_buffer_range starts;  /* scratch: 8 bytes a patch */
    struct ag_buffer_range points;  /* written: list, as AG_EXPAND_POINTS */
    struct ag_buffer_range primitives; /* written: list, as AG_EXPAND_PRIMITIVES; records are the points */
};

#define AG_TESSELLATOR_START_BYTES 8 /* of scratch for a patch */

/* Records the dispatches. The list of patches tells how many there are; those past `patch_limit` are left
 * out. The ranges have room for that many patches, the written lists for the capacity of each. Words 1 to 3
 * of the headers of both written lists are the workgroups of a dispatch that has an invocation for each
 * entry, so that later stages may be dispatched indirectly. Changes the pass's pipeline and group 0. */
void ag_tessellator_record(const struct ag_tessellator *tessellator, WGPUComputePassEncoder pass,
                           const struct ag_tessellator_buffers *buffers, uint32_t patch_limit);

#endif
