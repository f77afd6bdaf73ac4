/* SPDX-License-Identifier: MIT
 *
 * Random packets that are valid: a guest that knows what it created, refers to what is alive, and says what
 * the ABI can say, in an order that makes no sense. Every packet of ABI 1.4 and of the extension comes up.
 */
#ifndef AG_FUZZ_PACKET_WORLD_H
#define AG_FUZZ_PACKET_WORLD_H

#include "aerogpu/abi/ext.h"
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
    PACKET_EXT_TEXTURE,
    PACKET_EXT_VIEW,
    PACKET_QUERY,
    PACKET_LIST,
    PACKET_KIND_COUNT
};

#define PACKET_CONTEXTS 400 /* numbers of contexts */
#define PACKET_HANDLES 12   /* of each kind */

struct packet_object {
    bool alive, backed;
    uint32_t size; /* of a buffer */
    uint32_t format, width, height, mips, layers, usage;
    uint32_t shader;  /* number in packet_shaders */
    uint32_t texture; /* of a view: index */
    uint64_t token;   /* of a shared texture, or 0 */
    /* Of the extension's. */
    struct aerogpu_cmd_ext_create_texture desc;
    uint32_t bind, misc, stride; /* of a buffer; 0 if ABI 1.4 made it */
    uint32_t kind;               /* of a view or query */
    bool read_only;              /* a view */
    bool begun;                  /* a query */
    uint32_t destroyed;          /* of a list: when it was made */
};

struct packet_world {
    struct random_source random;
    const struct packet_shaders *shaders;
    struct packet_object objects[PACKET_KIND_COUNT][PACKET_HANDLES];
    uint32_t allocation_count; /* ids 1 to this are in the table */
    uint64_t next_token;
    uint32_t first_handle; /* of the objects; moves on when the world begins again */
    uint32_t next_object;  /* of the extension, that is gone at once */
    uint32_t destroyed;    /* objects so far: lists that are older may name them */
    bool listing;          /* what is written goes into a command list */
};

void packet_world_init(struct packet_world *world, uint64_t seed, const struct packet_shaders *shaders,
                       uint32_t allocation_count);

/* Objects, shaders, a layout and targets: draws from now on can draw. To be called again when a stream
 * failed: the host stops at the error, so nobody knows what was created; new objects get new handles. */
void packet_world_begin(struct packet_world *world, struct agpu_writer *writer);

/* One packet, or a few that belong together; none when there is nothing to refer to. */
void packet_world_write(struct packet_world *world, struct agpu_writer *writer);

/* Targets, shaders and a viewport, as packet_world_begin() leaves them. */
void packet_world_bind(struct packet_world *world, struct agpu_writer *writer);

/* One or some packets of the extension: its state; queries, lists and indirect work; shaders and stream
 * output; resources and views; unordered access views and clears. */
void packet_world_write_state(struct packet_world *world, struct agpu_writer *writer);
void packet_world_write_query(struct packet_world *world, struct agpu_writer *writer);
void packet_world_write_shader(struct packet_world *world, struct agpu_writer *writer);
void packet_world_write_resource(struct packet_world *world, struct agpu_writer *writer);
void packet_world_write_view(struct packet_world *world, struct agpu_writer *writer);

/* ---- What these are made with -------------------------------------------------------------------------- */

static inline uint32_t packet_below(struct packet_world *world, uint32_t limit)
{
    return random_below(&world->random, limit);
}

static inline bool packet_chance(struct packet_world *world, uint32_t n)
{
    return random_chance(&world->random, n);
}

#define ONE_OF(world, ...)                                                                                   \
    ((const uint32_t[]){__VA_ARGS__})[packet_below(                                                          \
        (world), (uint32_t)(sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)))]

static inline enum agpu_stream_stage packet_pick_stage(struct packet_world *world)
{
    return (enum agpu_stream_stage)packet_below(world, AGPU_STREAM_STAGE_COUNT);
}

/* Some object that is alive, or some place where none is. False when there is none. */
bool packet_find(struct packet_world *world, enum packet_kind kind, bool alive, uint32_t *index);
uint32_t packet_handle(const struct packet_world *world, enum packet_kind kind, uint32_t index);

/* The handle of a living object, seldom 0; of a shader of the stage, or 0. */
uint32_t packet_pick(struct packet_world *world, enum packet_kind kind);
uint32_t packet_pick_shader(struct packet_world *world, enum agpu_stage stage,
                            const struct packet_object **object);

/* An object of the extension's own namespace: a new handle, and the end of one. */
uint32_t packet_new_object(struct packet_world *world);
void packet_destroy_object(struct agpu_writer *writer, uint32_t handle);

#endif
