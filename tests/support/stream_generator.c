/* SPDX-License-Identifier: MIT */
#include "stream_generator.h"

#include <stdlib.h>
#include <string.h>

#include "abi/packet.h"
#include "aerogpu/abi/pci.h"
#include "base/bytes.h"
#include "base/strbuf.h"

struct generator {
    struct random_source random;
    struct stream_generator_options options;
    struct ag_strbuf out;
};

uint64_t random_bits(struct random_source *random)
{
    uint64_t z = random->state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

uint32_t random_below(struct random_source *random, uint32_t limit)
{
    return limit == 0 ? 0 : (uint32_t)((random_bits(random) >> 32) * limit >> 32);
}

bool random_chance(struct random_source *random, uint32_t n)
{
    return random_below(random, n) == 0;
}

static void append_random(struct generator *generator, size_t size, bool zero)
{
    for (size_t i = 0; i < size; i++)
        ag_strbuf_append_char(&generator->out,
                              zero ? '\0' : (char)(unsigned char)random_below(&generator->random, 256));
}

/* Numbers that texts find hard: extremes, floats of every kind, small ones. */
static uint64_t pick_number(struct generator *generator)
{
    static const uint64_t corners[] = {
        0,          1,          0xff,       0x7fffffff, 0x80000000, 0xffffffff,
        0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0x00000001, 0x007fffff,
        0x3f800000, 0x3dcccccd, 0x4b800000, 0xc9742400, UINT64_MAX,
    };
    switch (random_below(&generator->random, 4)) {
    case 0:
        return corners[random_below(&generator->random, AG_COUNT_OF(corners))];
    case 1:
        return random_below(&generator->random, 100);
    default:
        return random_bits(&generator->random);
    }
}

static uint32_t pick_named(struct generator *generator, const struct ag_name_set *names)
{
    /* A set without values of its own names DXGI's formats. */
    if (names->count == 0)
        return random_below(&generator->random, 140);
    uint32_t value = names->values[random_below(&generator->random, names->count)].value;
    if (names->flags && random_chance(&generator->random, 2))
        value |= names->values[random_below(&generator->random, names->count)].value;
    return value;
}

static size_t scalar_bytes(uint8_t type)
{
    return type == AG_FIELD_U8 ? 1 : type == AG_FIELD_U64 ? 8 : 4;
}

static void fill_struct(struct generator *generator, const struct ag_struct_info *info, uint8_t *to);

static void fill_field(struct generator *generator, const struct ag_field_info *field, uint8_t *base)
{
    uint8_t *to = base + field->offset;
    if (field->type == AG_FIELD_STRUCT) {
        fill_struct(generator, field->nested, to);
        return;
    }
    const bool reserved = strncmp(field->name, "reserved", 8) == 0;
    for (unsigned i = 0; i < field->count; i++) {
        uint64_t value = 0;
        if (random_chance(&generator->random, 3) || (reserved && generator->options.plain))
            value = 0;
        else if (field->names != NULL && (generator->options.plain || !random_chance(&generator->random, 4)))
            value = pick_named(generator, field->names);
        else
            value = pick_number(generator);
        memcpy(to + i * scalar_bytes(field->type), &value, scalar_bytes(field->type));
    }
}

static void fill_struct(struct generator *generator, const struct ag_struct_info *info, uint8_t *to)
{
    for (unsigned i = 0; i < info->field_count; i++)
        fill_field(generator, &info->fields[i], to);
}

static void add_elements(struct generator *generator, const struct ag_payload_info *payload, uint32_t count)
{
    uint8_t element[256];
    for (uint32_t i = 0; i < count; i++) {
        memset(element, 0, sizeof element);
        fill_struct(generator, payload->element, element);
        ag_strbuf_append_bytes(&generator->out, element, payload->element->size);
    }
}

static void add_words(struct generator *generator, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t word = (uint32_t)pick_number(generator);
        ag_strbuf_append_bytes(&generator->out, &word, sizeof word);
    }
}

static void add_text(struct generator *generator)
{
    static const char alphabet[] = "ab\"\\\n\t#;{}[]$@ \xc3\xa4\x01";
    const uint32_t length = random_below(&generator->random, 24);
    for (uint32_t i = 0; i < length; i++)
        ag_strbuf_append_char(&generator->out,
                              alphabet[random_below(&generator->random, sizeof alphabet - 1)]);
}

static void add_payload(struct generator *generator, const struct agpu_packet_info *info, size_t start)
{
    const struct ag_payload_info *payload = &info->payload;
    const uint32_t bytes = random_below(&generator->random, generator->options.max_payload_bytes + 1);
    uint64_t count = 0;
    switch ((enum ag_payload_kind)payload->kind) {
    case AG_PAYLOAD_NONE:
        return;
    case AG_PAYLOAD_BYTES:
        count = bytes;
        append_random(generator, bytes, false);
        break;
    case AG_PAYLOAD_ARRAY:
        count = bytes / payload->element->size;
        add_elements(generator, payload, (uint32_t)count);
        break;
    case AG_PAYLOAD_WORDS:
        count = bytes / 4 / payload->words_per_count;
        add_words(generator, (uint32_t)count * payload->words_per_count);
        break;
    case AG_PAYLOAD_TEXT:
        add_text(generator);
        return;
    case AG_PAYLOAD_ANY:
        append_random(generator, bytes, random_chance(&generator->random, 4));
        return;
    }
    if (!generator->out.failed)
        memcpy(generator->out.data + start + payload->count_offset, &count, payload->count_is_u64 ? 8 : 4);
}

static void add_known(struct generator *generator, const struct agpu_packet_info *info, size_t start)
{
    uint8_t fixed[256] = {0};
    const bool plain = generator->options.plain;
    const bool extended = info->extended != NULL && random_chance(&generator->random, 2);
    fill_struct(generator, &info->fixed, fixed);
    if (extended)
        fill_struct(generator, info->extended, fixed);
    ag_strbuf_append_bytes(&generator->out, fixed, extended ? info->extended_size : info->fixed.size);
    add_payload(generator, info, start);
    append_random(generator, (4 - (generator->out.length - start) % 4) % 4,
                  plain || random_chance(&generator->random, 2));
    if (!plain && random_chance(&generator->random, 4))
        append_random(generator, 4 * (size_t)random_below(&generator->random, 8),
                      random_chance(&generator->random, 3));
}

static void add_packet(struct generator *generator)
{
    size_t rows;
    const struct agpu_packet_info *table = ag_packet_table(&rows);
    const struct agpu_packet_info *info = &table[random_below(&generator->random, (uint32_t)rows)];
    const size_t start = generator->out.length;
    uint32_t opcode = info->opcode;
    if (generator->options.plain || !random_chance(&generator->random, 12)) {
        add_known(generator, info, start);
    } else {
        do
            opcode = (uint32_t)random_bits(&generator->random);
        while (ag_packet_info(opcode) != NULL);
        append_random(generator, 8 + 4 * (size_t)random_below(&generator->random, 12), false);
    }
    if (!generator->out.failed) {
        ag_store_u32(generator->out.data + start, opcode);
        ag_store_u32(generator->out.data + start + 4, (uint32_t)(generator->out.length - start));
    }
}

static void add_header(struct generator *generator)
{
    struct aerogpu_cmd_stream_header header = {
        .magic = AEROGPU_CMD_STREAM_MAGIC,
        .abi_version = AEROGPU_ABI_VERSION_U32,
    };
    if (!generator->options.plain && random_chance(&generator->random, 3)) {
        header.abi_version = (uint32_t)AEROGPU_ABI_MAJOR << 16 | random_below(&generator->random, 9);
        header.flags = random_below(&generator->random, 3);
        header.reserved0 = (uint32_t)pick_number(generator);
        header.reserved1 = (uint32_t)pick_number(generator);
    }
    ag_strbuf_append_bytes(&generator->out, &header, sizeof header);
}

uint8_t *generate_stream(uint64_t seed, const struct stream_generator_options *options, size_t *size)
{
    struct generator generator = {.random = {seed}};
    if (options != NULL)
        generator.options = *options;
    if (generator.options.max_packets == 0)
        generator.options.max_packets = 16;
    if (generator.options.max_payload_bytes == 0)
        generator.options.max_payload_bytes = 200;
    add_header(&generator);
    const uint32_t packets = random_below(&generator.random, generator.options.max_packets + 1);
    for (uint32_t i = 0; i < packets; i++)
        add_packet(&generator);
    if (!generator.out.failed)
        ag_store_u32(generator.out.data + offsetof(struct aerogpu_cmd_stream_header, size_bytes),
                     (uint32_t)generator.out.length);
    if (!generator.options.no_trailing && random_chance(&generator.random, 6))
        append_random(&generator, random_below(&generator.random, 40), false);
    *size = generator.out.length;
    return (uint8_t *)ag_strbuf_steal(&generator.out);
}
