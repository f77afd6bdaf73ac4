/* SPDX-License-Identifier: MIT
 *
 * How much of an expanded draw is done at a time. Records and lists of a draw may be of any size, so it is
 * cut into parts whose buffers, at their largest, keep to a budget; parts are done one after another, in
 * order.
 */
#ifndef AG_EXPAND_PLAN_H
#define AG_EXPAND_PLAN_H

#include "expand/assembly.h"
#include "expand/emission.h"
#include "expand/tessellator.h"
#include "wgsl/expansion.h"

/* Bytes of all buffers of a part together, unless a single primitive (or, with tessellation, a single patch
 * and a single primitive of it) takes more. */
#define AG_EXPAND_BUDGET (UINT64_C(64) << 20)

enum ag_expand_buffer {
    AG_EXPAND_BUFFER_RUNS,           /* scratch of input assembly */
    AG_EXPAND_BUFFER_VERTICES,       /* list */
    AG_EXPAND_BUFFER_PRIMITIVES,     /* list: primitives or patches of the draw */
    AG_EXPAND_BUFFER_INPUTS,         /* records: what the vertex shader reads */
    AG_EXPAND_BUFFER_VERTEX_RECORDS, /* what it writes */
    AG_EXPAND_BUFFER_CONTROL_POINTS, /* records of the hull shader */
    AG_EXPAND_BUFFER_PATCHES,
    AG_EXPAND_BUFFER_FACTORS,
    AG_EXPAND_BUFFER_STARTS,      /* scratch of the tessellator */
    AG_EXPAND_BUFFER_POINTS,      /* list */
    AG_EXPAND_BUFFER_TESSELLATED, /* list: primitives of the patches */
    AG_EXPAND_BUFFER_DOMAIN_RECORDS,
    AG_EXPAND_BUFFER_GEOMETRY_INPUTS, /* list: the part of TESSELLATED that the geometry shader takes at a
                                           time */
    AG_EXPAND_BUFFER_GEOMETRY_RECORDS,
    AG_EXPAND_BUFFER_EMITS,
    AG_EXPAND_BUFFER_COUNTS,    /* scratch */
    AG_EXPAND_BUFFER_EMITTED,   /* list: primitives of the geometry shader */
    AG_EXPAND_BUFFER_ARGUMENTS, /* of the indirect draw */
    AG_EXPAND_BUFFER_COUNT
};

/* What the sizes depend on. Zero is the default of what is not there. */
struct ag_expand_shape {
    struct ag_assembly assembly;
    uint32_t vertices, instances; /* of the draw */
    bool restarts;
    uint32_t input_registers, vertex_registers; /* of the vertex shader's records */

    bool tessellates;
    uint32_t control_points, control_point_registers, patch_registers, domain_registers;
    struct ag_tessellation_capacity tessellated; /* of one patch */

    bool has_geometry;
    struct ag_emission emission;
    uint32_t geometry_registers;
};

struct ag_expand_limits {
    uint64_t budget;  /* bytes */
    uint64_t binding; /* the largest buffer that the device binds */
};

struct ag_expand_plan {
    uint64_t bytes[AG_EXPAND_BUFFER_COUNT]; /* 0: not needed */
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
bool ag_expand_plan_init(const struct ag_expand_shape *shape, const struct ag_expand_limits *limits,
                         struct ag_expand_plan *plan);

/* The next part; the first one when *part is all zeros. False at the end, where *part is done. */
bool ag_expand_plan_next(const struct ag_expand_plan *plan, struct ag_assembly_part *part);

#endif
