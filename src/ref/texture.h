/* SPDX-License-Identifier: MIT
 *
 * Texels and filters inside the reference interpreter.
 */
#ifndef AG_REF_TEXTURE_H
#define AG_REF_TEXTURE_H

#include "ref/machine.h"

bool ag_ref_is_texture(const struct ag_ref_view *view);
bool ag_ref_is_cube(const struct ag_ref_view *view);

/* The number of axes that filters use: 1, 2 or 3; 2 for cubes, 0 for views without texels. */
uint32_t ag_ref_axes(const struct ag_ref_view *view);

/* Size of a mip along axis 0, 1 or 2. */
uint32_t ag_ref_mip_size(const struct ag_ref_view *view, uint32_t mip, uint32_t axis);

/* A texel's address. */
struct ag_ref_texel {
    uint32_t x, y, z, layer, mip, sample;
};

/* The address in memory of a texel of a texture or an element of a typed buffer; null out of range. */
uint8_t *ag_ref_find_texel(const struct ag_ref_view *view, const struct ag_ref_texel *texel);

/* Converts integer coordinates to a texel by the view's dimension; mip and sample are 0. */
struct ag_ref_texel ag_ref_texel_address(const struct ag_ref_view *view, const uint32_t address[4]);

/* Reads a texel, with defaults for components that the format lacks; 0 out of range. */
void ag_ref_load_texel(const struct ag_ref_view *view, const struct ag_ref_texel *texel, uint32_t value[4]);

/* One request to a sampler. */
struct ag_ref_sampling {
    const struct ag_ref_view *view;
    const struct ag_ref_sampler *sampler;
    float coordinate[4];  /* normalised; the array slice is behind the axes */
    int32_t offset[3];    /* texels */
    const float *dx, *dy; /* derivatives of the coordinates; null: `lod` is given */
    float lod;
    float bias;      /* of the instruction */
    float lod_clamp; /* of the instruction; 0 if there is none */
    bool has_lod_clamp;
    bool compares;
    float reference;
    float
        texel_error[3]; /* added to texel coordinates and to the level of detail: what fixed point may lose */
    float lod_error;
    bool rounds_corners; /* cubes: the average at a corner is rounded to the format */
};

/* A level of detail: with bias but without clamps, and as sampling uses it. */
struct ag_ref_lod {
    float unclamped, clamped;
    uint32_t taps;     /* samples along the line of anisotropy; 1 when isotropic */
    float line[2];     /* that line, in normalised coordinates */
    bool out_of_range; /* the clamps of resource and instruction leave no mip */
};

struct ag_ref_lod ag_ref_find_lod(const struct ag_ref_sampling *sampling);

/* The filtered value. */
void ag_ref_sample(const struct ag_ref_sampling *sampling, uint32_t value[4]);

/* The four texels of gather4, component `channel`, in the order that gather4 returns them. */
void ag_ref_gather(const struct ag_ref_sampling *sampling, uint32_t channel, uint32_t value[4]);

/* Cube maps (cube.c). ag_ref_cube_face(): the face that a direction hits, and the position on the face, 0 to
 * 1. ag_ref_cube_derivative(): projects a derivative onto the face, in units of the face. */
uint32_t ag_ref_cube_face(const float direction[3], float position[2]);
void ag_ref_cube_derivative(const float direction[3], const float derivative[3], float on_face[2]);

/* The texel beyond an edge: x, y, one of which is out of range, are replaced by a texel of the neighbouring
 * face. */
void ag_ref_cube_neighbour(uint32_t size, uint32_t *face, int64_t *x, int64_t *y);

#endif
