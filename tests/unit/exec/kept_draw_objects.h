/* SPDX-License-Identifier: MIT
 *
 * The objects of the streams for test_kept_draws.c, and random contents for them.
 */
#ifndef AG_TESTS_EXEC_KEPT_DRAW_OBJECTS_H
#define AG_TESTS_EXEC_KEPT_DRAW_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>

#include "kept_draw_world.h"

enum {
    SIZE = 64, /* texels of a side of the targets */
    CELLS_A_SIDE = 8,
    CELLS = CELLS_A_SIDE * CELLS_A_SIDE,
    CORNERS = 6, /* vertices of a cell: two triangles */
    VERTICES = CELLS * CORNERS,
    VERTEX_BYTES = 16, /* position and texture coordinate */
    COLOR_BYTES = 16,
    CONSTANT_BYTES = 256,
    STORAGE_BYTES = 64,
    BACKED_BYTES = 256, /* of the constants in guest memory */
    BACKED_COLORS_AT = 4096,
    RESULTS_AT = 65536,
    RESULT_BYTES = 96,
    TEXTURE_SIZE = 4,
};

enum handle {
    HANDLE_TARGETS = 1, /* two */
    HANDLE_DEPTH = 3,
    HANDLE_POSITIONS = 10, /* two, which differ */
    HANDLE_COLORS = 12,    /* two, the second one in guest memory */
    HANDLE_INDICES = 14,   /* of 32 bits, and of 16 */
    HANDLE_CONSTANTS = 16, /* three, the last one in guest memory */
    HANDLE_STORAGES = 20,  /* two */
    HANDLE_TEXTURES = 30,  /* four */
    HANDLE_CLEARED_TEXTURE = 34,
    HANDLE_BACKED_TEXTURE = 35, /* the first of the colours in guest memory */
    HANDLE_SAMPLERS = 40,       /* four */
    HANDLE_LAYOUTS = 50,        /* three */
    HANDLE_VERTEX_SHADERS = 60,
    HANDLE_PIXEL_SHADERS = 70,
    HANDLE_COMPUTE_SHADER = 80,
    HANDLE_GEOMETRY_SHADERS = 82, /* two */
    HANDLE_HULL_SHADERS = 84,     /* three */
    HANDLE_DOMAIN_SHADER = 87,
    HANDLE_LATE = 90,      /* named before it exists */
    HANDLE_OBJECTS = 1000, /* of the extension, and numbers that were never used */
};

extern const char *const pixel_shaders[5];

/* A random number below the limit; one of [0, 1). */
uint32_t below(struct kept_draw_world *world, uint32_t limit);
float fraction(struct kept_draw_world *world);

/* New contents. */
void upload_positions(struct kept_draw_world *world, uint32_t handle, float shift);
void upload_floats(struct kept_draw_world *world, uint32_t handle, uint32_t offset, uint32_t count);
void upload_constants(struct kept_draw_world *world, uint32_t handle, uint32_t first, uint32_t count);
void upload_indices(struct kept_draw_world *world, uint32_t handle, bool has_cut);
void upload_texture(struct kept_draw_world *world, uint32_t handle);

/* Objects: one of a kind, and all of them. */
void write_buffer(struct kept_draw_world *world, uint32_t handle, uint32_t size);
void write_colors(struct kept_draw_world *world, uint32_t number);
void write_sampler(struct kept_draw_world *world, uint32_t handle);
void write_objects(struct kept_draw_world *world);
void write_states(struct kept_draw_world *world);

#endif
