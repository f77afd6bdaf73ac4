/* SPDX-License-Identifier: MIT
 *
 * Inlined stages: a vertex and a geometry shader that run inside of the vertex shader of the draw, so that no
 * compute pass comes before. Each invocation makes one corner of one primitive: it runs the vertex shader for
 * each vertex of the input primitive, and the geometry shader up to the primitive that it is asked for. That
 * is worth while where geometry shaders make few vertices.
 *
 * So may a vertex, a hull and a domain shader, where the tessellator divides no patch: a patch is one
 * triangle or two, whose corners are its domain's. The hull shader's control points are those of the input
 * patch.
 *
 * All are translated with options.is_inlined, into parts: their text has no entry function, and uses what
 * the vertex shader of the draw declares. Input assembly is arithmetic, and vertices are fetched from the
 * guest's buffers.
 */
#ifndef AG_WGSL_INLINED_H
#define AG_WGSL_INLINED_H

#include <stdbool.h>
#include <stdint.h>

#include "aerogpu/translate.h"

struct ag_strbuf;

/* The function of a part; what comes before each call of the vertex shader's; and what parts use: the fetch
 * of an input register, by its number; the place in a strip of a corner of its primitive; the record and the
 * existence of the corner that is asked for. */
#define AG_INLINED_FUNCTION "shade"
#define AG_INLINED_REFILL "refill"
#define AG_INLINED_FETCH "fetch"
#define AG_INLINED_PLACE "place_in_strip"
#define AG_INLINED_CORNERS "corners_made"
#define AG_INLINED_MADE "made"
#define AG_INLINED_EXISTS "exists"

#define AG_INLINED_STREAMS 4 /* the most vertex buffers */

enum ag_inlined_number {
    AG_INLINED_NOTHING, /* no such component: 0, or 1 of the fourth */
    AG_INLINED_BITS,    /* 32 bits as they are */
    AG_INLINED_UINT,
    AG_INLINED_SINT,
    AG_INLINED_UNORM,
    AG_INLINED_SNORM,
    AG_INLINED_HALF,
};

/* How an input register is fetched. */
struct ag_inlined_register {
    uint8_t stream, bytes; /* bytes of an element; 0: no element feeds the register, which is 0 */
    uint8_t number;        /* enum ag_inlined_number */
    bool is_float;
    uint8_t shift[4], bits[4]; /* of the components; 0 bits: there is none */
};

/* A uniform block of the draw. */
#define AG_INLINED_FIRST 0       /* u32: first vertex or index, where draws have several instances */
#define AG_INLINED_INSTANCED 4   /* u32: 1 with several instances; else the instance's number is `first` */
#define AG_INLINED_BASE 8        /* i32: what is added to an index */
#define AG_INLINED_INDEX_BASE 12 /* u32: byte of the index buffer's first index */
#define AG_INLINED_INDEX_LIMIT 16
/* By register {first byte, stride, bytes of the buffer from the slot's offset on, that offset}. */
#define AG_INLINED_STREAM_TABLE 32
#define AG_INLINED_BLOCK_BYTES (AG_INLINED_STREAM_TABLE + 16 * AGPU_MAX_REGISTERS)

struct ag_inlined_options {
    const struct agpu_module *vertex, *producer; /* the parts; the second is a geometry or a domain shader */
    const struct agpu_module *hull;              /* with a domain shader: the part of its patch constants */
    uint8_t sides;                               /* ... of a patch: 3 or 4 */
    bool is_counter_clockwise;                   /* ... the triangles of the tessellator */
    uint8_t list_vertices;                       /* of an input primitive; 0: strips */
    uint8_t index_bytes;                         /* 2, 4; 0: no indices */
    bool is_aligned;                             /* elements begin at words */
    struct ag_inlined_register registers[AGPU_MAX_REGISTERS];
};

/* Writes what comes in front of the entry function, apart from the draw block; then the statements that make
 * the corner of the `vertices`-cornered primitive which vertex_index and instance_index name. */
void ag_wgsl_write_inlined(const struct ag_inlined_options *options, uint32_t vertices,
                           struct ag_strbuf *out);
void ag_wgsl_call_inlined(const struct ag_inlined_options *options, uint32_t vertices, struct ag_strbuf *out);

/* How many primitives an invocation of the geometry shader makes at most. */
uint32_t ag_inlined_primitives(const struct agpu_module *geometry, uint32_t vertices);

/* How many vertices the input primitive has. */
uint32_t ag_inlined_vertices(const struct ag_inlined_options *options);

/* Writes the module's bindings in order: those of the producer and those of the draw, of which there
 * is room for AG_INLINED_STREAMS + 2 more. Returns how many there are. */
uint32_t ag_wgsl_reflect_inlined(const struct ag_inlined_options *options, struct agpu_binding *bindings);

#endif
