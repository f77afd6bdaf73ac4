/* SPDX-License-Identifier: MIT
 *
 * How much of an expanded draw is done at a time. Records and lists of a draw may be of any size, so it is
 * cut into parts whose buffers, at their largest, keep to a budget; parts are done one after another, in
 * order.
 */
#ifndef AGPU_EXPAND_PLAN_H
#define AGPU_EXPAND_PLAN_H

#include "expand/assembly.h"
#include "expand/emission.h"
#include "expand/tessellator.h"

/* Bytes of all buffers of a part together, unless a single primitive (or, with tessellation, a single patch
 * and a single primitive of it) takes more. */
#define AGPU_EXPAND_BUDGET (UINT64_C(64) << 20)

enum agpu_expand_buffer {
    AGPU_EXPAND_BUFFER_RUNS,           /* scratch of input assembly */
    AGPU_EXPAND_BUFFER_VERTICES,       /* list */
    AGPU_EXPAND_BUFFER_PRIMITIVES,     /* list: primitives or patches of the draw */
    AGPU_EXPAND_BUFFER_INPUTS,         /* records: what the vertex shader reads */
    AGPU_EXPAND_BUFFER_VERTEX_RECORDS, /* what it writes */
    AGPU_EXPAND_BUFFER_CONTROL_POINTS, /* records of the hull shader */
    AGPU_EXPAND_BUFFER_PATCHES,
    AGPU_EXPAND_BUFFER_FACTORS,
    AGPU_EXPAND_BUFFER_STARTS,      /* scratch of the tessellator */
    AGPU_EXPAND_BUFFER_POINTS,      /* list */
    AGPU_EXPAND_BUFFER_TESSELLATED, /* list: primitives of the patches */
    AGPU_EXPAND_BUFFER_DOMAIN_RECORDS,
    AGPU_EXPAND_BUFFER_GEOMETRY_INPUTS, /* list: the part of TESSELLATED that the geometry shader takes at a
                                           time */
    AGPU_EXPAND_BUFFER_GEOMETRY_RECORDS,
    AGPU_EXPAND_BUFFER_EMITS,
    AGPU_EXPAND_BUFFER_COUNTS,    /* scratch */
    AGPU_EXPAND_BUFFER_EMITTED,   /* list: primitives of the geometry shader */
    AGPU_EXPAND_BUFFER_ARGUMENTS, /* of the indirect draw */
    AGPU_EXPAND_BUFFER_COUNT
};

/* What the sizes depend on. Zero is the default of what is not there. */
struct agpu_expand_shape {
    struct agpu_assembly assembly;
    uint32_t vertices, instances; /* of the draw */
    bool restarts;
    uint32_t input_registers, vertex_registers; /* of the vertex shader's records */

    bool tessellates;
    uint32_t control_points, control_point_registers, patch_registers, domain_registers;
    struct agpu_tessellation_capacity tessellated; /* of one patch */

    bool has_geometry;
    struct agpu_emission emission;
    uint32_t geometry_registers;
};

struct agpu_expand_limits {
    uint64_t budget;  /* bytes */
    uint64_t binding; /* the largest buffer that the device binds */
};

struct agpu_expand_plan {
    uint64_t bytes[AGPU_EXPAND_BUFFER_COUNT]; /* 0: not needed */
    uint64_t unit_count;     /* of an instance: primitives, with restarts the most that there may be */
    uint32_t part_units;     /* of a part at most: units of one instance, or all of several */
    uint32_t unit_positions; /* with restarts: positions of a unit */
    uint32_t vertices;
    uint32_t instances;
    /* Primitives that the geometry shader takes at a time; fewer than the part has only with tessellation. */
    uint64_t geometry_limit;
    uint32_t output_vertices; /* of a primitive of the last list */
};

/* False when even the smallest part does not fit what the device binds. */
bool agpu_expand_plan_init(const struct agpu_expand_shape *shape, const struct agpu_expand_limits *limits,
                           struct agpu_expand_plan *plan);

/* The next part; the first one when *part is all zeros. False at the end, where *part is done. */
bool agpu_expand_plan_next(const struct agpu_expand_plan *plan, struct agpu_assembly_part *part);

#endif
