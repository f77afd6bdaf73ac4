/* SPDX-License-Identifier: MIT
 *
 * Reads and writes the IFCE chunk, and lists it as text.
 */
#include "dxbc/class_linkage.h"

#include <string.h>

#include "base/bytes.h"
#include "dxbc/container.h"

#define FILLER 0xab
#define HEADER_BYTES 36
#define SLOTS_BYTES 16
#define CLASS_BYTES 12
#define INSTANCE_BYTES 16
#define CHOICE_BYTES 6 /* a u16 and a u32, which are in two arrays */

void ag_class_linkage_fini(struct ag_class_linkage *linkage)
{
    ag_vec_fini(&linkage->slots);
    ag_vec_fini(&linkage->choices);
    ag_vec_fini(&linkage->classes);
    ag_vec_fini(&linkage->instances);
}

/* ---- Reading ------------------------------------------------------------------------------------------ */

/* The array of `count` records of `bytes` each whose offset the header has at `at`; null when the array is
 * not inside the chunk. */
static const uint8_t *records(const struct agpu_dxbc_chunk *chunk, uint32_t at, uint32_t count,
                              uint32_t bytes)
{
    const uint32_t offset = ag_load_u32(chunk->data + at);
    return ag_range_fits(offset, (uint64_t)count * bytes, chunk->size) ? chunk->data + offset : NULL;
}

static const char *name_at(const struct agpu_dxbc_chunk *chunk, uint32_t offset)
{
    return offset < ag_dxbc_chunk_text_end(chunk) ? (const char *)chunk->data + offset : NULL;
}

static bool no_memory(struct ag_class_linkage *linkage)
{
    linkage->out_of_memory = true;
    return false;
}

static bool read_choices(const struct agpu_dxbc_chunk *chunk, const uint8_t *record,
                         struct ag_class_linkage *linkage)
{
    const struct ag_linkage_slots slots = {ag_load_u32(record), ag_load_u32(record + 4),
                                           linkage->choices.count};
    /* Arrays that several records share could not be written back anyway. */
    const uint64_t most = chunk->size / CHOICE_BYTES;
    const uint32_t classes = ag_load_u32(record + 8), tables = ag_load_u32(record + 12);
    if (slots.choice_count > most - linkage->choices.count ||
        !ag_range_fits(classes, (uint64_t)slots.choice_count * 2, chunk->size) ||
        !ag_range_fits(tables, (uint64_t)slots.choice_count * 4, chunk->size))
        return false;
    for (uint32_t i = 0; i < slots.choice_count; i++) {
        const struct ag_linkage_choice choice = {
            ag_load_u16(chunk->data + classes + (size_t)i * 2),
            ag_load_u32(chunk->data + tables + (size_t)i * 4),
        };
        if (!ag_vec_push(&linkage->choices, choice))
            return no_memory(linkage);
    }
    return ag_vec_push(&linkage->slots, slots) || no_memory(linkage);
}

static bool read_class(const struct agpu_dxbc_chunk *chunk, const uint8_t *record,
                       struct ag_class_linkage *linkage)
{
    const struct ag_linkage_class entry = {
        .name = name_at(chunk, ag_load_u32(record)),
        .unknown = ag_load_u16(record + 4),
        .stride = ag_load_u16(record + 6),
        .textures = ag_load_u16(record + 8),
        .samplers = ag_load_u16(record + 10),
    };
    return entry.name != NULL && (ag_vec_push(&linkage->classes, entry) || no_memory(linkage));
}

static bool read_instance(const struct agpu_dxbc_chunk *chunk, const uint8_t *record,
                          struct ag_class_linkage *linkage)
{
    const struct ag_linkage_instance entry = {
        .name = name_at(chunk, ag_load_u32(record)),
        .class_number = ag_load_u16(record + 4),
        .elements = ag_load_u16(record + 6),
        .buffer = ag_load_u16(record + 8),
        .offset = ag_load_u16(record + 10),
        .texture = ag_load_u16(record + 12),
        .sampler = ag_load_u16(record + 14),
    };
    return entry.name != NULL && (ag_vec_push(&linkage->instances, entry) || no_memory(linkage));
}

bool ag_class_linkage_read(const struct agpu_dxbc_chunk *chunk, struct ag_class_linkage *linkage)
{
    *linkage = (struct ag_class_linkage){0};
    if (chunk->size < HEADER_BYTES)
        return false;
    const uint32_t instance_count = ag_load_u32(chunk->data);
    const uint32_t class_count = ag_load_u32(chunk->data + 4);
    const uint32_t slots_count = ag_load_u32(chunk->data + 8);
    const uint8_t *instances = records(chunk, 16, instance_count, INSTANCE_BYTES);
    const uint8_t *classes = records(chunk, 20, class_count, CLASS_BYTES);
    const uint8_t *slots = records(chunk, 24, slots_count, SLOTS_BYTES);
    bool good = instances != NULL && classes != NULL && slots != NULL;
    linkage->stray[0] = ag_load_u32(chunk->data + 28);
    linkage->stray[1] = ag_load_u32(chunk->data + 32);
    for (uint32_t i = 0; good && i < slots_count; i++)
        good = read_choices(chunk, slots + (size_t)i * SLOTS_BYTES, linkage);
    for (uint32_t i = 0; good && i < class_count; i++)
        good = read_class(chunk, classes + (size_t)i * CLASS_BYTES, linkage);
    for (uint32_t i = 0; good && i < instance_count; i++)
        good = read_instance(chunk, instances + (size_t)i * INSTANCE_BYTES, linkage);
    return good;
}

/* ---- Writing ------------------------------------------------------------------------------------------ */

static void put_u16(struct ag_strbuf *out, uint32_t value)
{
    const uint16_t narrow = (uint16_t)value;
    ag_strbuf_append_bytes(out, &narrow, sizeof narrow);
}

static void put_u32(struct ag_strbuf *out, uint64_t value)
{
    const uint32_t narrow = (uint32_t)value;
    ag_strbuf_append_bytes(out, &narrow, sizeof narrow);
}

static size_t aligned_text(const char *name)
{
    return (size_t)ag_align_up(strlen(name) + 1, 4);
}

static void put_name(struct ag_strbuf *out, const char *name)
{
    const size_t length = strlen(name) + 1;
    ag_strbuf_append_bytes(out, name, length);
    ag_strbuf_append_repeat(out, (char)FILLER, aligned_text(name) - length);
}

static size_t aligned_classes(const struct ag_linkage_slots *slots)
{
    return (size_t)ag_align_up((uint64_t)slots->choice_count * 2, 4);
}

static void put_choices(struct ag_strbuf *out, const struct ag_class_linkage *linkage,
                        const struct ag_linkage_slots *slots)
{
    for (uint32_t i = 0; i < slots->choice_count; i++)
        put_u16(out, linkage->choices.data[slots->first_choice + i].class_number);
    ag_strbuf_append_repeat(out, (char)FILLER, aligned_classes(slots) - (size_t)slots->choice_count * 2);
    for (uint32_t i = 0; i < slots->choice_count; i++)
        put_u32(out, linkage->choices.data[slots->first_choice + i].table);
}

static uint64_t total_slots(const struct ag_class_linkage *linkage)
{
    uint64_t total = 0;
    for (size_t i = 0; i < linkage->slots.count; i++)
        total += linkage->slots.data[i].count;
    return total;
}

/* The order of the chunk: header, slots, classes, instances, choices, names of instances, names of
 * classes. */
void ag_class_linkage_write(struct ag_strbuf *out, const struct ag_class_linkage *linkage)
{
    const uint64_t classes_at = HEADER_BYTES + (uint64_t)linkage->slots.count * SLOTS_BYTES;
    const uint64_t instances_at = classes_at + (uint64_t)linkage->classes.count * CLASS_BYTES;
    uint64_t at = instances_at + (uint64_t)linkage->instances.count * INSTANCE_BYTES;
    put_u32(out, linkage->instances.count);
    put_u32(out, linkage->classes.count);
    put_u32(out, linkage->slots.count);
    put_u32(out, total_slots(linkage));
    put_u32(out, instances_at);
    put_u32(out, classes_at);
    put_u32(out, HEADER_BYTES);
    put_u32(out, linkage->stray[0]);
    put_u32(out, linkage->stray[1]);
    for (size_t i = 0; i < linkage->slots.count; i++) {
        const struct ag_linkage_slots *slots = &linkage->slots.data[i];
        put_u32(out, slots->count);
        put_u32(out, slots->choice_count);
        put_u32(out, at);
        put_u32(out, at + aligned_classes(slots));
        at += aligned_classes(slots) + (uint64_t)slots->choice_count * 4;
    }
    uint64_t instance_names = at;
    for (size_t i = 0; i < linkage->instances.count; i++)
        at += aligned_text(linkage->instances.data[i].name);
    for (size_t i = 0; i < linkage->classes.count; i++) {
        const struct ag_linkage_class *entry = &linkage->classes.data[i];
        put_u32(out, at);
        put_u16(out, entry->unknown);
        put_u16(out, entry->stride);
        put_u16(out, entry->textures);
        put_u16(out, entry->samplers);
        at += aligned_text(entry->name);
    }
    for (size_t i = 0; i < linkage->instances.count; i++) {
        const struct ag_linkage_instance *entry = &linkage->instances.data[i];
        put_u32(out, instance_names);
        put_u16(out, entry->class_number);
        put_u16(out, entry->elements);
        put_u16(out, entry->buffer);
        put_u16(out, entry->offset);
        put_u16(out, entry->texture);
        put_u16(out, entry->sampler);
        instance_names += aligned_text(entry->name);
    }
    for (size_t i = 0; i < linkage->slots.count; i++)
        put_choices(out, linkage, &linkage->slots.data[i]);
    for (size_t i = 0; i < linkage->instances.count; i++)
        put_name(out, linkage->instances.data[i].name);
    for (size_t i = 0; i < linkage->classes.count; i++)
        put_name(out, linkage->classes.data[i].name);
}
