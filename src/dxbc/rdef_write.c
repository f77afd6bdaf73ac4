/* SPDX-License-Identifier: MIT
 *
 * Writes the RDEF chunk.
 */
#include <string.h>

#include "base/bytes.h"
#include "base/map.h"
#include "dxbc/rdef.h"

#define FILLER 0xab
#define MARKER_5_0 AGPU_FOURCC('R', 'D', '1', '1')
#define MARKER_5_1 0x25441313u

/* One pass over the reflection data. The maps lead from shared data to offset + 1 in the chunk, stored as a
 * pointer. */
struct writer {
    struct ag_strbuf *out;
    size_t start; /* where the chunk's data starts in `out` */
    struct ag_rdef_sizes sizes;
    bool is_5;
    bool failed;
    struct ag_map texts, values, interfaces; /* keys are hashes */
    struct ag_map types, members;            /* keys are addresses */
};

static uint32_t here(const struct writer *writer)
{
    return (uint32_t)(writer->out->length - writer->start);
}

static bool is_good(const struct writer *writer)
{
    return !writer->failed && !writer->out->failed;
}

static void align(struct writer *writer)
{
    while (is_good(writer) && here(writer) % 4 != 0)
        ag_strbuf_append_char(writer->out, (char)FILLER);
}

/* Appends zeroed space for a table or a record. */
static uint32_t reserve(struct writer *writer, uint64_t bytes)
{
    align(writer);
    const uint32_t at = here(writer);
    if (bytes > UINT32_MAX)
        writer->failed = true;
    else
        ag_strbuf_append_repeat(writer->out, '\0', (size_t)bytes);
    return at;
}

static void put_u32(const struct writer *writer, uint32_t at, uint32_t value)
{
    if (is_good(writer))
        ag_store_u32(writer->out->data + writer->start + at, value);
}

static void put_u16(const struct writer *writer, uint32_t at, uint16_t value)
{
    if (is_good(writer))
        ag_store_u16(writer->out->data + writer->start + at, value);
}

/* ---- What is shared ----------------------------------------------------------------------------------- */

static bool find(const struct ag_map *map, uint64_t key, uint32_t *at)
{
    const uintptr_t value = (uintptr_t)ag_map_get(map, key);
    *at = (uint32_t)(value - 1);
    return value != 0;
}

static void remember(struct writer *writer, struct ag_map *map, uint64_t key, uint32_t at)
{
    if (!ag_map_put(map, key, (void *)((uintptr_t)at + 1)))
        writer->out->failed = true;
}

static uint64_t address(const void *pointer)
{
    return (uint64_t)(uintptr_t)pointer;
}

/* Writes equal bytes once; bytes whose hashes merely collide are written separately. */
static uint32_t put_shared(struct writer *writer, struct ag_map *map, const void *bytes, size_t size,
                           bool aligned)
{
    const uint64_t key = ag_hash_combine(ag_hash_bytes(bytes, size), size);
    uint32_t at;
    if (find(map, key, &at) && is_good(writer) && ag_range_fits(at, size, here(writer)) &&
        memcmp(writer->out->data + writer->start + at, bytes, size) == 0)
        return at;
    if (aligned)
        align(writer);
    at = here(writer);
    ag_strbuf_append_bytes(writer->out, bytes, size);
    remember(writer, map, key, at);
    return at;
}

static uint32_t put_text(struct writer *writer, const char *text)
{
    return put_shared(writer, &writer->texts, text, strlen(text) + 1, false);
}

/* ---- Types -------------------------------------------------------------------------------------------- */

static uint32_t put_type(struct writer *writer, const struct agpu_rdef_type *type);

/* Writes names and types of the members, then the array. */
static uint32_t put_members(struct writer *writer, const struct agpu_rdef_type *type)
{
    uint32_t at;
    /* All empty arrays have address 0 and share one place. */
    if (find(&writer->members, address(type->members), &at))
        return at;
    for (uint32_t i = 0; i < type->member_count && is_good(writer); i++) {
        put_text(writer, type->members[i].name);
        put_type(writer, type->members[i].type);
    }
    at = reserve(writer, (uint64_t)type->member_count * writer->sizes.member);
    for (uint32_t i = 0; i < type->member_count && is_good(writer); i++) {
        const uint32_t record = at + i * writer->sizes.member;
        put_u32(writer, record, put_text(writer, type->members[i].name));
        put_u32(writer, record + 4, put_type(writer, type->members[i].type));
        put_u32(writer, record + 8, type->members[i].offset);
    }
    remember(writer, &writer->members, address(type->members), at);
    return at;
}

/* Writes equal lists of interfaces once. */
static uint32_t put_interfaces(struct writer *writer, const struct agpu_rdef_type *type)
{
    struct ag_strbuf list = {0};
    for (uint32_t i = 0; i < type->interface_count && is_good(writer); i++) {
        const uint32_t at = put_type(writer, type->interfaces[i]);
        ag_strbuf_append_bytes(&list, &at, sizeof at);
    }
    uint32_t at = 0;
    if (list.failed)
        writer->out->failed = true;
    else if (list.length != 0)
        at = put_shared(writer, &writer->interfaces, list.data, list.length, true);
    ag_strbuf_fini(&list);
    return at;
}

static uint32_t put_type(struct writer *writer, const struct agpu_rdef_type *type)
{
    uint32_t at;
    if (find(&writer->types, address(type), &at) || !is_good(writer))
        return at;
    const uint32_t name = writer->is_5 && type->name != NULL ? put_text(writer, type->name) : 0;
    const uint32_t base = writer->is_5 && type->base_class != NULL ? put_type(writer, type->base_class) : 0;
    const uint32_t interfaces = writer->is_5 ? put_interfaces(writer, type) : 0;
    const bool has_members = type->member_count != 0 || type->type_class == AG_RDEF_CLASS_INTERFACE;
    const uint32_t members = has_members ? put_members(writer, type) : 0;
    const uint32_t pointed =
        writer->is_5 && type->interface_class != NULL ? put_type(writer, type->interface_class) : 0;
    at = reserve(writer, writer->sizes.type);
    put_u16(writer, at, type->type_class);
    put_u16(writer, at + 2, type->base_type);
    put_u16(writer, at + 4, type->rows);
    put_u16(writer, at + 6, type->columns);
    put_u16(writer, at + 8, type->element_count);
    put_u16(writer, at + 10, type->member_count);
    put_u32(writer, at + 12, members);
    if (writer->is_5) {
        put_u32(writer, at + 16, pointed);
        put_u32(writer, at + 20, base);
        put_u32(writer, at + 24, type->interface_count);
        put_u32(writer, at + 28, interfaces);
        put_u32(writer, at + 32, name);
    }
    remember(writer, &writer->types, address(type), at);
    return at;
}

/* ---- Constant buffers and bindings -------------------------------------------------------------------- */

static void put_variable(struct writer *writer, uint32_t at, const struct agpu_rdef_variable *variable)
{
    put_u32(writer, at, put_text(writer, variable->name));
    put_u32(writer, at + 4, variable->offset);
    put_u32(writer, at + 8, variable->size);
    put_u32(writer, at + 12, variable->flags);
    put_u32(writer, at + 16, put_type(writer, variable->type));
    if (variable->default_value != NULL)
        put_u32(writer, at + 20,
                put_shared(writer, &writer->values, variable->default_value, variable->size, true));
    if (!writer->is_5)
        return;
    put_u32(writer, at + 24, variable->first_texture);
    put_u32(writer, at + 28, variable->texture_count);
    put_u32(writer, at + 32, variable->first_sampler);
    put_u32(writer, at + 36, variable->sampler_count);
}

static void put_cbuffer(struct writer *writer, uint32_t at, const struct agpu_rdef_cbuffer *cbuffer)
{
    put_u32(writer, at, put_text(writer, cbuffer->name));
    put_u32(writer, at + 4, cbuffer->variable_count);
    const uint32_t variables = reserve(writer, (uint64_t)cbuffer->variable_count * writer->sizes.variable);
    put_u32(writer, at + 8, variables);
    put_u32(writer, at + 12, cbuffer->size);
    put_u32(writer, at + 16, cbuffer->flags);
    put_u32(writer, at + 20, cbuffer->kind);
    for (uint32_t i = 0; i < cbuffer->variable_count && is_good(writer); i++)
        put_variable(writer, variables + i * writer->sizes.variable, &cbuffer->variables[i]);
}

static void put_binding(struct writer *writer, uint32_t at, const struct agpu_rdef_binding *binding)
{
    put_u32(writer, at, put_text(writer, binding->name));
    put_u32(writer, at + 4, binding->input_type);
    put_u32(writer, at + 8, binding->return_type);
    put_u32(writer, at + 12, binding->dimension);
    put_u32(writer, at + 16, binding->sample_count);
    put_u32(writer, at + 20, binding->bind_point);
    put_u32(writer, at + 24, binding->bind_count);
    put_u32(writer, at + 28, binding->flags);
    if (writer->sizes.binding < 40)
        return;
    put_u32(writer, at + 32, binding->space);
    put_u32(writer, at + 36, binding->id);
}

/* ---- The chunk ---------------------------------------------------------------------------------------- */

static void put_header(struct writer *writer, const struct agpu_rdef *rdef)
{
    reserve(writer, writer->is_5 ? AG_RDEF_HEADER_BYTES_5 : AG_RDEF_HEADER_BYTES);
    put_u32(writer, 0, rdef->cbuffer_count);
    put_u32(writer, 8, rdef->binding_count);
    put_u32(writer, 16, (uint32_t)rdef->program_type << 16 | (uint32_t)rdef->major << 8 | rdef->minor);
    put_u32(writer, 20, rdef->compile_flags);
    if (!writer->is_5)
        return;
    put_u32(writer, 28, rdef->minor == 0 ? MARKER_5_0 : MARKER_5_1);
    put_u32(writer, 32, AG_RDEF_HEADER_BYTES_5);
    put_u32(writer, 36, writer->sizes.cbuffer);
    put_u32(writer, 40, writer->sizes.binding);
    put_u32(writer, 44, writer->sizes.variable);
    put_u32(writer, 48, writer->sizes.type);
    put_u32(writer, 52, writer->sizes.member);
    put_u32(writer, 56, rdef->interface_slots);
}

static void put_chunk(struct writer *writer, const struct agpu_rdef *rdef)
{
    put_header(writer, rdef);
    const uint32_t bindings = reserve(writer, (uint64_t)rdef->binding_count * writer->sizes.binding);
    put_u32(writer, 12, bindings);
    for (uint32_t i = 0; i < rdef->binding_count && is_good(writer); i++)
        put_binding(writer, bindings + i * writer->sizes.binding, &rdef->bindings[i]);
    if (rdef->cbuffer_count != 0) {
        const uint32_t cbuffers = reserve(writer, (uint64_t)rdef->cbuffer_count * writer->sizes.cbuffer);
        put_u32(writer, 4, cbuffers);
        for (uint32_t i = 0; i < rdef->cbuffer_count && is_good(writer); i++)
            put_cbuffer(writer, cbuffers + i * writer->sizes.cbuffer, &rdef->cbuffers[i]);
    }
    put_u32(writer, 24, put_text(writer, rdef->creator));
    align(writer);
}

uint16_t ag_rdef_program_type(enum agpu_stage stage)
{
    static const uint16_t types[AGPU_STAGE_COUNT] = {
        [AGPU_STAGE_PIXEL] = 0xffff, [AGPU_STAGE_VERTEX] = 0xfffe, [AGPU_STAGE_GEOMETRY] = 0x4753,
        [AGPU_STAGE_HULL] = 0x4853,  [AGPU_STAGE_DOMAIN] = 0x4453, [AGPU_STAGE_COMPUTE] = 0x4353,
    };
    return types[stage];
}

bool ag_rdef_write(struct ag_strbuf *out, const struct agpu_rdef *rdef)
{
    struct writer writer = {.out = out, .start = out->length, .is_5 = rdef->major >= 5};
    writer.sizes = ag_rdef_sizes(rdef->major, rdef->minor);
    put_chunk(&writer, rdef);
    ag_map_fini(&writer.texts);
    ag_map_fini(&writer.values);
    ag_map_fini(&writer.interfaces);
    ag_map_fini(&writer.types);
    ag_map_fini(&writer.members);
    return is_good(&writer);
}
