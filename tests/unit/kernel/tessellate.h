/* SPDX-License-Identifier: MIT
 *
 * Runs the tessellator's kernels on a gpu and brings back what they wrote.
 */
#ifndef AG_TESTS_TESSELLATE_H
#define AG_TESTS_TESSELLATE_H

#include "../gpu/fixture.h"
#include "kernel/tessellator.h"

struct driver {
    struct diag_log log;
    struct agpu_gpu *gpu;
    struct ag_tessellator tessellator;
};

/* For a program whose one argument names the driver. 0, or what main() returns at once. */
int driver_open(int argc, char **argv, struct driver *driver);
void driver_close(struct driver *driver);

#define ARGUMENT_WORDS 4
#define DRAWN_VERTICES 6

struct patch_factors {
    float edges[4], inside[2];
};

struct domain_point {
    float u, v;
    uint32_t patch, primitive_id;
};

struct tessellate_result {
    uint32_t point_header[4], primitive_header[4];
    uint32_t arguments[ARGUMENT_WORDS]; /* of a draw with DRAWN_VERTICES for each primitive */
    uint32_t point_count, primitive_count;
    struct domain_point *points;
    uint32_t *primitives; /* entries of `words` each: SV_PrimitiveID, points */
    uint32_t words;
    struct ag_tessellation_capacity capacity; /* of one patch */
};

/* Patch n has SV_PrimitiveID 100 + n. Asserts that all goes well; the lists have room for the capacity and
 * one more entry, which nothing may write. The list of patches names one patch more than the limit. */
void tessellate(struct driver *driver, const struct ag_tessellation *tessellation,
                const struct patch_factors *factors, uint32_t patches, struct tessellate_result *result);
void tessellate_free(struct tessellate_result *result);

#endif
