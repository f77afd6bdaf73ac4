/* SPDX-License-Identifier: MIT
 *
 * Decides how much of an expanded draw is done at a time. The records and lists of a draw may be of any size,
 * so a draw is cut into parts, which are done one after another in order, and whose buffers stay within a
 * budget even at their largest.
 */
#ifndef AG_KERNEL_PLAN_H
#define AG_KERNEL_PLAN_H

#include "kernel/assembly.h"
#include "kernel/emission.h"
#include "kernel/tessellator.h"
#include "wgsl/expansion.h"

/* The most bytes of all buffers of a part together. A single primitive may exceed it, and with tessellation a
 * single patch together with one of its primitives. */
#define AG_EXPAND_BUDGET (UINT64_C(64) << 20)
/* With tessellation this is the most of what patches are made of, and as much again is for what they become.
 * Patches mostly become far less than they may, so that more steps are made the smaller this is. */
#define AG_TESSELLATION_BUDGET (UINT64_C(128) << 20)

enum ag_expand_buffer {
    AG_EXPAND_BUFFER_RUNS,           /* scratch of input assembly */
    AG_EXPAND_BUFFER_VERTICES,       /* list */
    AG_EXPAND_BUFFER_PRIMITIVES,     /* list: primitives or patches of the draw */
    AG_EXPAND_BUFFER_INPUTS,         /* records that the vertex shader reads */
    AG_EXPAND_BUFFER_VERTEX_RECORDS, /* records that the vertex shader writes */
    AG_EXPAND_BUFFER_CONTROL_POINTS, /* records of the hull shader */
    AG_EXPAND_BUFFER_PATCHES,
    AG_EXPAND_BUFFER_FACTORS,
    AG_EXPAND_BUFFER_STARTS,      /* scratch of the tessellator */
    AG_EXPAND_BUFFER_POINTS,      /* list */
    AG_EXPAND_BUFFER_TESSELLATED, /* list: primitives of the patches */
    AG_EXPAND_BUFFER_DOMAIN_RECORDS,
    /* A list: those primitives of TESSELLATED that the geometry shader takes at a time. */
    AG_EXPAND_BUFFER_GEOMETRY_INPUTS,
    AG_EXPAND_BUFFER_GEOMETRY_RECORDS,
    AG_EXPAND_BUFFER_EMITS,
    AG_EXPAND_BUFFER_COUNTS,    /* scratch */
    AG_EXPAND_BUFFER_EMITTED,   /* list: primitives of the geometry shader */
    AG_EXPAND_BUFFER_ARGUMENTS, /* of the indirect draw, and of its pieces */
    AG_EXPAND_BUFFER_COUNT
};

/* What the sizes depend on. Stages that a draw does not have are zero. */
struct ag_expand_shape {
    struct ag_assembly assembly;
    uint32_t vertices, instances; /* of the draw */
    bool restarts;
    uint32_t input_registers, vertex_registers; /* of the vertex shader's records */

    bool tessellates;
    uint32_t control_points, control_point_registers, patch_registers, domain_registers;
    bool copies_points; /* the control points are the vertices, whose records serve */
    struct ag_tessellation_capacity tessellated; /* what one patch yields at most */

    bool has_geometry;
    struct ag_emission emission;
    uint32_t geometry_registers;
};

struct ag_expand_limits {
    uint64_t budget;  /* bytes */
    uint64_t binding; /* the largest buffer that the device can bind */
    /* Vertices that are drawn at a time by a draw of AG_EXPAND_WHOLE times as many or more, if primitives
     * become as much as they may; 0: as many as the budget has room for. */
    uint64_t vertices;
};

#define AG_EXPAND_WHOLE 4

struct ag_expand_plan {
    uint64_t bytes[AG_EXPAND_BUFFER_COUNT]; /* 0: the buffer is not needed */
    /* Units of an instance: its primitives; with restarts, the most that there may be. */
    uint64_t unit_count;
    /* Units of a part at most; a part has units of one instance, or all units of several instances. */
    uint32_t part_units;
    uint32_t most_step_units; /* that a step might have, were the draw as long */
    uint32_t unit_positions;  /* with restarts: index positions of a unit */
    uint32_t vertices;
    uint32_t instances;
    /* With tessellation: patches of a part that are tessellated at a time, if each yields as much as it may;
     * what yields less is tessellated together. */
    uint32_t step_patches;
    /* Primitives that the geometry shader takes at a time. With tessellation these may be fewer than one
     * patch yields. */
    uint64_t geometry_limit;
    uint32_t output_vertices; /* vertices of a primitive in the last list */
};

/* False when even the smallest part needs a larger binding than the device has. */
bool ag_expand_plan_init(const struct ag_expand_shape *shape, const struct ag_expand_limits *limits,
                         struct ag_expand_plan *plan);

/* How the tessellator goes through a part of so many patches. */
struct ag_tessellator_part ag_expand_plan_tessellation(const struct ag_expand_plan *plan,
                                                       const struct ag_tessellation_capacity *capacity,
                                                       uint32_t patches);

/* Advances to the next part; a zeroed *part advances to the first. False behind the last part. */
bool ag_expand_plan_next(const struct ag_expand_plan *plan, struct ag_assembly_part *part);

#endif
