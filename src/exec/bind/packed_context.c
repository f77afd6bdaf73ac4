/* SPDX-License-Identifier: MIT
 *
 * Words that differ are runs: the first word's number, how many there are, the words. A run of no words ends
 * a block. The first block is struct ag_context, those that follow are its arrays of constants and class
 * instances, which are compared with zeros.
 */
#include "exec/bind/packed_context.h"

#include <stdlib.h>
#include <string.h>

#include "aerogpu/dxbc.h"
#include "base/bytes.h"
#include "base/map.h"
#include "exec/bind/context.h"
#include "exec/object/buffer.h"
#include "exec/object/texture.h"
#include "exec/object/view.h"
#include "exec/state/slots.h"

#define CONTEXT_WORDS (sizeof(struct ag_context) / 4)
#define REGISTER_BYTES ((size_t)AG_CONSTANT_REGISTERS * 16)
#define INSTANCE_BYTES sizeof(struct ag_class_instances)

/* Two words of a run say where its words belong, so that a gap of two is not worth a new run. */
#define RUN_HEAD 2

_Static_assert(sizeof(struct ag_context) % 4 == 0 && INSTANCE_BYTES % 4 == 0, "blocks are whole words");

/* ---- Arrays that a context owns ----------------------------------------------------------------------- */

enum { FLOATS, INTEGERS, BOOLS, INSTANCES, ARRAYS_OF_STAGE };
#define ARRAY_COUNT (AGPU_STAGE_COUNT * ARRAYS_OF_STAGE)

_Static_assert(ARRAY_COUNT <= 32, "ag_packed_context.owned has a bit for each");

static size_t array_bytes(uint32_t array)
{
    return array % ARRAYS_OF_STAGE == INSTANCES ? INSTANCE_BYTES : REGISTER_BYTES;
}

static void *array_of(const struct ag_context *context, uint32_t array)
{
    const struct ag_stage_bindings *stage = &context->stages[array / ARRAYS_OF_STAGE];
    switch (array % ARRAYS_OF_STAGE) {
    case FLOATS:
        return stage->constants.floats;
    case INTEGERS:
        return stage->constants.integers;
    case BOOLS:
        return stage->constants.bools;
    default:
        return stage->instances;
    }
}

static void set_array(struct ag_context *context, uint32_t array, void *bytes)
{
    struct ag_stage_bindings *stage = &context->stages[array / ARRAYS_OF_STAGE];
    switch (array % ARRAYS_OF_STAGE) {
    case FLOATS:
        stage->constants.floats = bytes;
        break;
    case INTEGERS:
        stage->constants.integers = bytes;
        break;
    case BOOLS:
        stage->constants.bools = bytes;
        break;
    default:
        stage->instances = bytes;
        break;
    }
}

/* What of a context is its state: neither its number, nor when it was used, nor a result that is kept, nor
 * where its arrays are. */
static void take_image(struct ag_context *image, const struct ag_context *context)
{
    memcpy(image, context, sizeof *image);
    image->id = 0;
    image->used = 0;
    memset(&image->match, 0, sizeof image->match);
    for (uint32_t array = 0; array < ARRAY_COUNT; array++)
        set_array(image, array, NULL);
}

/* ---- Blocks ------------------------------------------------------------------------------------------- */

/* Words are written when `to` is not null; else they are counted. */
struct sink {
    uint32_t *to;
    size_t count;
};

static void put(struct sink *sink, uint32_t word)
{
    if (sink->to)
        sink->to[sink->count] = word;
    sink->count++;
}

static uint32_t word_at(const void *bytes, size_t index)
{
    return bytes ? ag_load_u32((const uint8_t *)bytes + index * 4) : 0;
}

/* `base` may be null: zeros. */
static void pack_block(struct sink *sink, const void *bytes, const void *base, size_t words)
{
    for (size_t i = 0; i < words;) {
        size_t first, end;
        for (first = i; first < words && word_at(bytes, first) == word_at(base, first); first++)
            continue;
        if (first == words)
            break;
        end = first + 1;
        for (i = end; i < words && i - end <= RUN_HEAD; i++)
            if (word_at(bytes, i) != word_at(base, i))
                end = i + 1;
        put(sink, (uint32_t)first);
        put(sink, (uint32_t)(end - first));
        for (size_t word = first; word < end; word++)
            put(sink, word_at(bytes, word));
        i = end;
    }
    put(sink, 0);
    put(sink, 0);
}

/* Stores the runs over `bytes`; returns where the next block begins. */
static const uint32_t *unpack_block(const uint32_t *from, void *bytes)
{
    while (from[1] != 0) {
        memcpy((uint8_t *)bytes + (size_t)from[0] * 4, from + RUN_HEAD, (size_t)from[1] * 4);
        from += RUN_HEAD + from[1];
    }
    return from + RUN_HEAD;
}

/* ---- Objects ------------------------------------------------------------------------------------------ */

uint64_t ag_packed_context_bit(uint64_t key)
{
    return UINT64_C(1) << (ag_hash_combine(0, key) & 63);
}

static uint64_t bit_of(const void *object)
{
    return object ? ag_packed_context_bit((uintptr_t)object) : 0;
}

static uint64_t bit_of_view(const struct ag_texture_view *view)
{
    return view ? bit_of(&view->texture->resource) : 0;
}

static uint64_t bit_of_buffer(const struct ag_buffer *buffer)
{
    return buffer ? bit_of(&buffer->resource) : 0;
}

static uint64_t bits_of_slot(const struct ag_buffer_slot *slot)
{
    return bit_of_buffer(slot->buffer) | (slot->bound ? bit_of(slot->bound->resource) : 0);
}

static uint64_t bits_of_stage(const struct ag_stage_bindings *stage)
{
    uint64_t bits = 0;
    for (uint32_t i = 0; i < AG_RESOURCE_SLOTS; i++)
        bits |= bit_of_buffer(stage->resources[i].buffer) | bit_of_view(stage->resources[i].view);
    for (uint32_t i = 0; i < AG_SAMPLER_SLOTS; i++)
        bits |= bit_of(stage->samplers[i].sampler);
    for (uint32_t i = 0; i < AG_CBUFFER_SLOTS; i++)
        bits |= bits_of_slot(&stage->cbuffers[i]);
    for (uint32_t i = 0; i < AG_UAV_SLOTS; i++)
        bits |= bits_of_slot(&stage->uavs[i]);
    return bits;
}

static uint64_t bits_of(const struct ag_context *context)
{
    uint64_t bits = bit_of(context->input_layout) | bit_of_buffer(context->index_buffer.buffer) |
                    bit_of_view(context->depth_target.view);
    if (context->predicate)
        bits |= ag_packed_context_bit(context->predicate);
    for (uint32_t i = 0; i < AG_VERTEX_BUFFER_SLOTS; i++)
        bits |= bit_of_buffer(context->vertex_buffers[i].buffer);
    for (uint32_t i = 0; i < context->target_count; i++)
        bits |= bit_of_view(context->targets[i].view);
    for (uint32_t i = 0; i < AG_STREAM_OUTPUT_SLOTS; i++)
        bits |= bit_of_buffer(context->stream_outputs[i].buffer);
    for (uint32_t stage = 0; stage < AGPU_STAGE_COUNT; stage++)
        bits |= bits_of_stage(&context->stages[stage]);
    return bits;
}

/* ---- Contexts ----------------------------------------------------------------------------------------- */

static uint32_t owned_arrays(const struct ag_context *context)
{
    uint32_t owned = 0;
    for (uint32_t array = 0; array < ARRAY_COUNT; array++)
        if (array_of(context, array))
            owned |= UINT32_C(1) << array;
    return owned;
}

bool ag_context_is_new(const struct ag_context *context, const struct ag_context *fresh,
                       struct ag_context *image)
{
    if (owned_arrays(context))
        return false;
    take_image(image, context);
    return memcmp(image, fresh, sizeof *image) == 0;
}

static void pack_blocks(struct sink *sink, const struct ag_context *context, const struct ag_context *image,
                        const struct ag_context *fresh)
{
    pack_block(sink, image, fresh, CONTEXT_WORDS);
    for (uint32_t array = 0; array < ARRAY_COUNT; array++)
        if (array_of(context, array))
            pack_block(sink, array_of(context, array), NULL, array_bytes(array) / 4);
}

struct ag_packed_context *ag_context_pack(const struct ag_context *context, const struct ag_context *fresh,
                                          struct ag_context *image)
{
    struct sink sink = {0};
    take_image(image, context);
    pack_blocks(&sink, context, image, fresh);
    const size_t size = sizeof(struct ag_packed_context) + sink.count * sizeof(uint32_t);
    struct ag_packed_context *packed = malloc(size);
    if (!packed)
        return NULL;
    *packed =
        (struct ag_packed_context){.objects = bits_of(context), .size = size, .owned = owned_arrays(context)};
    sink = (struct sink){.to = packed->words};
    pack_blocks(&sink, context, image, fresh);
    return packed;
}

struct ag_context *ag_context_unpack(const struct ag_packed_context *packed, const struct ag_context *fresh,
                                     uint32_t id)
{
    struct ag_context *context = malloc(sizeof *context);
    if (!context)
        return NULL;
    memcpy(context, fresh, sizeof *context);
    const uint32_t *from = unpack_block(packed->words, context);
    context->id = id;
    for (uint32_t array = 0; array < ARRAY_COUNT; array++) {
        if (!(packed->owned >> array & 1))
            continue;
        void *bytes = calloc(1, array_bytes(array));
        if (!bytes) {
            ag_context_destroy(context);
            return NULL;
        }
        set_array(context, array, bytes);
        from = unpack_block(from, bytes);
    }
    return context;
}

void ag_packed_context_visit(struct ag_packed_context *packed, const struct ag_context *fresh,
                             struct ag_context *image,
                             void (*forget)(struct ag_context *context, const void *object),
                             const void *object)
{
    memcpy(image, fresh, sizeof *image);
    unpack_block(packed->words, image);
    forget(image, object);
    for (uint32_t *run = packed->words; run[1] != 0; run += RUN_HEAD + run[1])
        memcpy(run + RUN_HEAD, (const uint8_t *)image + (size_t)run[0] * 4, (size_t)run[1] * 4);
}
