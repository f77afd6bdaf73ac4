/* SPDX-License-Identifier: MIT
 *
 * Stages that run as compute passes in front of a draw: records, lists, and the draw of what they made.
 */
#ifndef AG_WGSL_EXPANSION_H
#define AG_WGSL_EXPANSION_H

#include "wgsl/binding.h"
#include "wgsl/linkage.h"

struct ag_inlined_options;

/* Stages that WebGPU does not have run as compute passes in front of a draw; so does a vertex shader before
 * them. They hand values on as records: one vec4<u32> for each register number, from register 0 to the
 * highest that the producing shader declares (module->record_registers tells how many). Register r of record
 * n is element n * record_registers + r; components that nobody wrote are 0.
 *
 * Besides records there are lists. A list is array<u32>: four words of header, of which the first is the
 * count of entries, then the entries. Every kernel ends at once where its number is not below what the count
 * asks for, so that counts may be made on the GPU and a dispatch may be larger than the work.
 *
 * All bindings are in group 3; the resources of a geometry, hull or domain shader are in group 3 too, at the
 * usual bases, those of a vertex shader stay in group 0. A module's bindings name those it uses. The number
 * of an invocation is x + y * (64 * workgroups in x), the workgroup 64 by 1 by 1. */
enum ag_expand_binding {
    /* list, read: {SV_VertexID, SV_InstanceID} of each vertex */
    AG_EXPAND_VERTICES = AG_BINDING_INTERNAL,
    AG_EXPAND_PRIMITIVES, /* list, read: {SV_PrimitiveID, record number of each vertex or control point} */
    /* list, read: {u, v as float bits, patch number, SV_PrimitiveID} of each domain point */
    AG_EXPAND_POINTS,
    AG_EXPAND_INPUTS,  /* records, read: see below */
    AG_EXPAND_OUTPUTS, /* records, written */
    /* records of patch constants: written by the hull shader, read by both phases and domain */
    AG_EXPAND_PATCHES,
    /* written: 8 words a patch: four edge factors, two inside factors (0 where the domain has none) as float
     * bits in the order of D3D's SV_TessFactor, and two unused */
    AG_EXPAND_FACTORS,
    AG_EXPAND_EMITS, /* written by geometry shaders: one word for each output record: see below */
    /* Of draws whose vertex shader does all stages (inlined.h): the block, indices, vertex buffers */
    AG_EXPAND_ASSEMBLY,
    AG_EXPAND_INDICES,
    AG_EXPAND_ARGUMENTS, /* read by draws of pieces of a list: see ag_expanded_options.pieces */
    AG_EXPAND_STREAM,    /* and the next three */
};

#define AG_EXPAND_BINDING_COUNT (AG_EXPAND_STREAM + 4 - AG_BINDING_INTERNAL)
#define AG_LIST_HEADER_WORDS 4
#define AG_EXPAND_WORKGROUP 64
#define AG_PIECE_SHIFT 20
#define AG_PIECE_WORDS 4
#define AG_MOST_PIECES 256

/* A word of EMITS: 0 ends what the invocation emitted (absent when it emitted its full count). */
#define AG_EMIT_VERTEX 1u      /* the record holds a vertex */
#define AG_EMIT_STRIP 2u       /* it begins a strip */
#define AG_EMIT_STREAM_SHIFT 2 /* two bits: the stream */

/* The flavours of agpu_translate() that are expansions, all @compute:
 *
 * VERTEX_AS_COMPUTE  entry n of VERTICES: INPUTS record n holds the attributes by input register, already
 *                    converted as the input assembler does; writes OUTPUTS record n
 * GEOMETRY           invocation n: primitive n / instances, SV_GSInstanceID n % instances. Vertices go to
 *                    OUTPUTS records and EMITS words from n * max_vertices on
 * HULL_POINTS        invocation n: patch n / output points, point n % output points; INPUTS by PRIMITIVES;
 *                    writes OUTPUTS record n. A hull shader without such a phase copies its inputs, into
 *                    records that are as long as those of INPUTS
 * HULL_PATCH         invocation n: patch n. All fork phases, then all join phases. INPUTS by PRIMITIVES,
 *                    OUTPUTS read; writes PATCHES record n and FACTORS
 * DOMAIN             entry n of POINTS: INPUTS are the hull shader's points (patch * points + point), PATCHES
 *                    its constants; writes OUTPUTS record n. A row of workgroups, however many, does all */

/* Triangles that are not drawn as edges, as they turn on the target (D3D11.3 15.3); with either of the latter
 * two, those without an area count as counter-clockwise. */
enum ag_culled {
    AG_CULLED_NONE,
    AG_CULLED_CLOCKWISE,
    AG_CULLED_COUNTER_CLOCKWISE,
};

/* How ag_translate_expanded_vertex() shall draw. Zero is the default of what is not said to be needed. */
struct ag_expanded_options {
    const struct ag_linkage *linkage; /* null: only position and clip distances leave */
    uint8_t vertices;                 /* of a primitive: 1, 2 or 3. Needed */
    /* of triangles, as lines: vertices 2 k and 2 k + 1 are the ends of edge k % 3 of triangle k / 3 */
    bool edges;
    uint8_t culled;           /* enum ag_culled: which of those triangles are not drawn */
    uint8_t record_registers; /* of the producer's records. Needed; 0: there are none, all is 0 */
    /* WebGPU cannot send primitives of one draw to several layers or viewports. So the draw is made once for
     * each, with one instance whose instance_index is layer | viewports << 16, and primitives that belong
     * elsewhere end up outside of every clip volume. Bit n of the viewports says that those of viewport n
     * belong there, bit 0 that those of viewport 0 do not, so that viewport 0 alone is 0. What a primitive
     * says is in the record of its first vertex (D3D11: the leading one); a layer that the targets lack is
     * layer 0, a viewport beyond 15 is viewport 0, and so is what a producer does not write
     * (D3D11.3 15.8.1, 15.15). */
    uint16_t layers; /* of the targets, if primitives name theirs; else 0 */
    bool selects_viewport;
    /* The list is drawn in pieces, with arguments of indirect draws for each of them in ARGUMENTS. An
     * indirect draw uses those of its piece. Another draw may have more vertices than the piece: its
     * instance_index is the number of the piece << AG_PIECE_SHIFT, and its vertices are counted from the
     * first of the piece. Piece 0 is the whole list. Not with layers and viewports. */
    bool pieces;
    uint8_t depth_bias; /* enum ag_depth_bias */
    /* Null: primitives come from lists. Else the vertex shader makes them itself; not with edges, layers,
     * viewports or cull distances. */
    const struct ag_inlined_options *inlined;
};

/* Writes the vertex shader that draws what an expansion made: vertex k is vertex k % vertices of entry
 * k / vertices in PRIMITIVES (group 3, as above), or an end of an edge (options->edges); its values are the
 * record in INPUTS that the entry names. They leave as those of `producer` (vertex, domain or geometry, of
 * which the linkage's stream is drawn, 0 without one) would: position, clip distances and what the linkage
 * lets cross. For edges, too, what does not vary over a triangle is its first vertex's. A primitive whose
 * cull distances agree to be below 0 (or NaN) in all its vertices is not drawn. A pixel shader's
 * SV_PrimitiveID is the entry's, unless the producer is a geometry shader, which hands on its own. The count
 * of the list holds here too: past the list's end the position is outside of every clip volume.
 * module->expansion says whether the producer names layers and viewports. */
enum agpu_status ag_translate_expanded_vertex(const struct agpu_shader *producer,
                                              const struct ag_expanded_options *options,
                                              const struct agpu_diag_sink *sink, struct agpu_module **module);

#endif
