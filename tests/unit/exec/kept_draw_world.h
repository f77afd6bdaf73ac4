/* SPDX-License-Identifier: MIT
 *
 * Random streams for test_kept_draws.c: a few objects, changes of everything that a draw depends on, and
 * after each change a draw into a cell of the target that no other draw touches.
 */
#ifndef AG_TESTS_EXEC_KEPT_DRAW_WORLD_H
#define AG_TESTS_EXEC_KEPT_DRAW_WORLD_H

#include <stdint.h>

#include "aerogpu/stream_writer.h"

#define WORLD_ALLOCATION 1

struct kept_draw_world {
    uint64_t random;
    struct agpu_writer *writer;
    uint8_t *guest;    /* memory that backs buffers */
    uint32_t cell;     /* of the next draw */
    uint32_t topology; /* that is set */
    uint32_t next_object;
    uint32_t query; /* that counts, or 0 */
    uint32_t results, presents;
};

/* Writes the objects and the first state. */
void world_open(struct kept_draw_world *world, uint64_t seed, struct agpu_writer *writer, uint8_t *guest);
/* Writes one change and a draw or two. */
void world_step(struct kept_draw_world *world);
/* Writes new constants and a draw. */
void world_step_of_constants(struct kept_draw_world *world);
/* The same, of a pixel shader that reads several constant buffers. */
void world_step_of_packed_constants(struct kept_draw_world *world);
/* The same, with another buffer in the place of one of them each time. */
void world_step_of_bound_constants(struct kept_draw_world *world);
void world_close(struct kept_draw_world *world);

#endif
