/* SPDX-License-Identifier: MIT
 *
 * Programs of one shape in any length, to see how the time of a translation grows.
 */
#ifndef AG_BENCH_SHAPES_H
#define AG_BENCH_SHAPES_H

#include <stddef.h>

#include "aerogpu/dxbc.h"

struct bench_shape {
    const char *name;
    const char *what;    /* grows */
    const char *profile; /* of the listing: "ps_5_0" or "cs_5_0" */
    const char *declarations, *start, *end;
    const char *unit; /* repeated; each '#' is its number, each '@' that number modulo 16 */
    const char *unit_declaration;
    const char *unit_end; /* repeated behind `end` of what the units opened; may be null */
    unsigned count;
};

extern const struct bench_shape bench_shapes[];
extern const size_t bench_shape_count;

/* The shape's program with `units` units; null when it cannot be made. */
struct agpu_shader *bench_shape_shader(const struct bench_shape *shape, unsigned units);

#endif
