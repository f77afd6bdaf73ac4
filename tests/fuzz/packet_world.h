/* SPDX-License-Identifier: MIT
 *
 * Random packets that are valid: a guest that knows what it created, refers to what is alive, and says what
 * the ABI can say, in an order that makes no sense. Every packet of ABI 1.4 comes up, and the extension's state.
 */
#ifndef AGPU_FUZZ_PACKET_WORLD_H
#define AGPU_FUZZ_PACKET_WORLD_H

#include "aerogpu/dxbc.h"
#include "aerogpu/stream_writer.h"
#include "support/stream_generator.h"

/* The shaders there are to choose from. */
struct packet_shader {
    uint8_t *bytes;
    uint32_t size;
    struct agpu_shader *shader;
};

struct packet_shaders {
    struct packet_shader *all;
    uint32_t count;
};

/* Every shader that parses below a folder, sorted by path. False when there is none for each stage. */
bool packet_shaders_load(struct packet_shaders *shaders, const char *folder);
void packet_shaders_free(struct packet_shaders *shaders);

enum packet_kind {
    PACKET_BUFFER,
    PACKET_TEXTURE,
    PACKET_VIEW,
    PACKET_SHADER,
    PACKET_LAYOUT,
    PACKET_SAMPLER,
    PACKET_ALIAS,
    PACKET_KIND_COUNT
};

#define PACKET_HANDLES 12 /* of each kind */

struct packet_object {
    bool alive, backed;
    uint32_t size; /* of a buffer */
    uint32_t format, width, height, mips, layers, usage;
    uint32_t shader;  /* number in packet_shaders */
    uint32_t texture; /* of a view: index */
    uint64_t token;   /* of a shared texture, or 0 */
};

struct packet_world {
    struct random_source random;
    const struct packet_shaders *shaders;
    struct packet_object objects[PACKET_KIND_COUNT][PACKET_HANDLES];
    uint32_t allocation_count; /* ids 1 to this are in the table */
    uint64_t next_token;
    uint32_t first_handle;   /* of the objects; moves on when the world begins again */
    uint32_t next_state;     /* handle of a state object of the extension */
};

void packet_world_init(struct packet_world *world, uint64_t seed, const struct packet_shaders *shaders,
                       uint32_t allocation_count);

/* Objects, shaders, a layout and targets: draws from now on can draw. To be called again when a stream failed: the
 * host stops at the error, so nobody knows what was created; new objects get new handles. */
void packet_world_begin(struct packet_world *world, struct agpu_writer *writer);

/* One packet, or a few that belong together; none when there is nothing to refer to. */
void packet_world_write(struct packet_world *world, struct agpu_writer *writer);

/* Targets, shaders and a viewport, as packet_world_begin() leaves them. */
void packet_world_bind(struct packet_world *world, struct agpu_writer *writer);
/* (packet_world_state.c) One or some packets about the extension's state. */
void packet_world_write_state(struct packet_world *world, struct agpu_writer *writer);

#endif
