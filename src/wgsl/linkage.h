/* SPDX-License-Identifier: MIT
 *
 * How the outputs of one stage meet the inputs of the next.
 */
#ifndef AG_WGSL_LINKAGE_H
#define AG_WGSL_LINKAGE_H

#include "aerogpu/translate.h"

/* How the outputs of one stage meet the inputs of the next, by D3D register number. Made by ag_link(). */
struct ag_linkage {
    struct {
        uint8_t mask;          /* components that cross */
        uint8_t interpolation; /* enum agpu_interpolation, from the reader; 0: register does not cross */
        uint8_t location;      /* WGSL @location */
        bool flat_uint;        /* crosses as vec4u with @interpolate(flat) */
        /* components of `mask` that are the id of the primitive, not the producer's output */
        uint8_t primitive_id;
        /* by component: not 0: 1 + 4 * register + component of the producer's output, of the same system
         * value, which compilers may put elsewhere than the pixel shader reads it. Only with `expanded` */
        uint8_t source[4];
    } registers[AGPU_MAX_REGISTERS];
    uint8_t location_count;
    /* Made by ag_link_clip_distances(): not 0, that many clip distances cross as floats, four to a
     * location. */
    uint8_t clip_count, clip_location;
    uint8_t stream; /* of the producer, a geometry shader, that crosses */
    bool expanded;  /* made by ag_link_expanded(): the pixel shader takes SV_PrimitiveID from its register */
};

/* Links the outputs of a vertex (or domain, geometry) shader to the inputs of a pixel shader by register
 * number (D3D11 functional specification 4.4.3.2), but SV_PrimitiveID of a geometry shader,
 * SV_RenderTargetArrayIndex and SV_ViewportArrayIndex by their names, since compilers pack them differently
 * on either side: outputs nobody reads are dropped, inputs nobody writes read 0. `pixel` may be null: nothing
 * but the position then leaves the vertex stage. Reports and returns AGPU_REFUSED when the crossing registers
 * cannot be packed into `max_locations`. What a domain or geometry shader makes is always drawn by
 * ag_translate_expanded_vertex(), so their links are those of ag_link_expanded(). */
enum agpu_status ag_link(const struct agpu_shader *producer, const struct agpu_shader *pixel,
                         uint32_t max_locations, const struct agpu_diag_sink *sink,
                         struct ag_linkage *linkage);

/* The same for draws whose vertex stage is ag_translate_expanded_vertex(): SV_PrimitiveID crosses at a
 * location of its register as well, so the pixel shader needs no primitive_index. `stream` is which of a
 * geometry shader's is drawn; 0 for other producers. */
enum agpu_status ag_link_expanded(const struct agpu_shader *producer, uint32_t stream,
                                  const struct agpu_shader *pixel, uint32_t max_locations,
                                  const struct agpu_diag_sink *sink, struct ag_linkage *linkage);

/* For devices without clip-distances, behind either of them: what the producer declares as clip distances
 * crosses at locations of its own, and the pixel shader discards where any of them is below 0 or NaN, before
 * anything else it does. A module of the linkage then has no AGPU_NEED_CLIP_DISTANCES. At one sample a pixel
 * that is what clipping does; with more, a pixel goes or stays as a whole, by its centre. */
enum agpu_status ag_link_clip_distances(const struct agpu_shader *producer, uint32_t max_locations,
                                        const struct agpu_diag_sink *sink, struct ag_linkage *linkage);

/* The pixel shader of a draw that has none but such a linkage, or depth to be made of the rasterizer's (bits
 * of enum ag_pixel_depth, options.h): it discards, and outputs nothing else than depth. Without either it
 * does nothing. */
enum agpu_status ag_translate_made_pixel(const struct ag_linkage *linkage, uint32_t pixel_depth,
                                         const struct agpu_diag_sink *sink, struct agpu_module **module);

#endif
