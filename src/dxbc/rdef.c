/* SPDX-License-Identifier: MIT
 *
 * Reads the RDEF chunk.
 */
#include "dxbc/rdef.h"

#include "base/bytes.h"
#include "base/map.h"

#define LARGEST_RECORD_BYTES 1024

struct ag_rdef_sizes ag_rdef_sizes(uint8_t major, uint8_t minor)
{
    struct ag_rdef_sizes sizes = {.binding = 32, .cbuffer = 24, .variable = 24, .type = 16, .member = 12};
    if (major >= 5) {
        sizes.variable = 40;
        sizes.type = 36;
        sizes.binding = minor == 0 ? 32 : 40;
    }
    return sizes;
}

/* A type and whether it is complete; a type that contains itself is found while it is still being read. */
struct type_entry {
    struct agpu_rdef_type type;
    bool complete;
};

struct reader {
    const struct agpu_dxbc_chunk *chunk;
    struct ag_arena *arena;
    const struct agpu_diag_sink *sink;
    struct ag_rdef_sizes sizes;
    bool is_5;
    uint32_t text_end;
    bool starved;          /* the host had no memory */
    struct ag_map types;   /* offset + 1 to struct type_entry */
    struct ag_map members; /* offset and count to the array of members */
};

static bool refuse(const struct reader *reader, uint64_t at, const char *problem)
{
    ag_report(reader->sink, AGPU_DIAG_DXBC_REFLECTION, AGPU_WARNING,
              ag_place_offset(reader->chunk->offset + at), "reflection data is ignored: %s", problem);
    return false;
}

static bool no_memory(struct reader *reader)
{
    if (reader->arena->reached_limit)
        return refuse(reader, 0, "it needs more memory than its size allows for");
    reader->starved = true;
    return false;
}

static uint32_t field(const struct reader *reader, uint64_t at)
{
    return ag_load_u32(reader->chunk->data + at);
}

static bool check_records(const struct reader *reader, uint64_t from, uint32_t offset, uint64_t count,
                          uint32_t record_bytes)
{
    if (!ag_range_fits(offset, count * record_bytes, reader->chunk->size))
        return refuse(reader, from, "a table ends outside the chunk");
    return true;
}

static bool read_name(const struct reader *reader, uint64_t at, const char **name)
{
    const uint32_t offset = field(reader, at);
    if (offset >= reader->text_end)
        return refuse(reader, at, "a name does not end inside the chunk");
    *name = (const char *)reader->chunk->data + offset;
    return true;
}

/* ---- Types -------------------------------------------------------------------------------------------- */

static bool read_type(struct reader *reader, uint64_t from, uint32_t offset, uint32_t depth,
                      const struct agpu_rdef_type **type);

static bool read_members(struct reader *reader, uint32_t offset, uint32_t count, uint32_t depth,
                         const struct agpu_rdef_member **result)
{
    const uint64_t key = (uint64_t)count << 32 | offset;
    struct agpu_rdef_member *members = ag_map_get(&reader->members, key);
    *result = members;
    if (members != NULL)
        return true;
    members = AG_ARENA_ARRAY(reader->arena, struct agpu_rdef_member, count);
    if (members == NULL || !ag_map_put(&reader->members, key, members))
        return no_memory(reader);
    *result = members;
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t at = offset + (uint64_t)i * reader->sizes.member;
        if (!read_name(reader, at, &members[i].name) ||
            !read_type(reader, at + 4, field(reader, at + 4), depth + 1, &members[i].type))
            return false;
        members[i].offset = field(reader, at + 8);
    }
    return true;
}

static bool read_interfaces(struct reader *reader, uint32_t offset, uint32_t depth,
                            struct agpu_rdef_type *type)
{
    const uint32_t count = field(reader, offset + 24u);
    const uint32_t first = field(reader, offset + 28u);
    if (count == 0)
        return true;
    if (!check_records(reader, offset + 28u, first, count, 4))
        return false;
    const struct agpu_rdef_type **interfaces =
        AG_ARENA_ARRAY(reader->arena, const struct agpu_rdef_type *, count);
    if (interfaces == NULL)
        return no_memory(reader);
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t at = first + (uint64_t)i * 4;
        if (!read_type(reader, at, field(reader, at), depth + 1, &interfaces[i]))
            return false;
    }
    type->interfaces = interfaces;
    type->interface_count = count;
    return true;
}

/* Reads the class and interface fields that types have since 5.0. */
static bool read_classes(struct reader *reader, uint32_t offset, uint32_t depth, struct agpu_rdef_type *type)
{
    const uint32_t pointed = field(reader, offset + 16u);
    const uint32_t base = field(reader, offset + 20u);
    if (pointed != 0 && !read_type(reader, offset + 16u, pointed, depth + 1, &type->interface_class))
        return false;
    if (base != 0 && !read_type(reader, offset + 20u, base, depth + 1, &type->base_class))
        return false;
    return read_interfaces(reader, offset, depth, type);
}

static bool read_type_fields(struct reader *reader, uint32_t offset, uint32_t depth,
                             struct agpu_rdef_type *type)
{
    const uint8_t *fields = reader->chunk->data + offset;
    type->type_class = ag_load_u16(fields);
    type->base_type = ag_load_u16(fields + 2);
    type->rows = ag_load_u16(fields + 4);
    type->columns = ag_load_u16(fields + 6);
    type->element_count = ag_load_u16(fields + 8);
    type->member_count = ag_load_u16(fields + 10);
    if (reader->is_5 && field(reader, offset + 32u) != 0 && !read_name(reader, offset + 32u, &type->name))
        return false;
    if (reader->is_5 && !read_classes(reader, offset, depth, type))
        return false;
    if (type->member_count == 0)
        return true;
    const uint32_t members = field(reader, offset + 12u);
    return check_records(reader, offset + 12u, members, type->member_count, reader->sizes.member) &&
           read_members(reader, members, type->member_count, depth, &type->members);
}

static bool read_type(struct reader *reader, uint64_t from, uint32_t offset, uint32_t depth,
                      const struct agpu_rdef_type **type)
{
    struct type_entry *entry = ag_map_get(&reader->types, (uint64_t)offset + 1);
    if (entry != NULL && !entry->complete)
        return refuse(reader, from, "a type contains itself");
    if (entry != NULL) {
        *type = &entry->type;
        return true;
    }
    if (depth > AG_RDEF_DEEPEST_TYPE)
        return refuse(reader, from, "types are nested too deeply");
    if (!check_records(reader, from, offset, 1, reader->sizes.type))
        return false;
    entry = AG_ARENA_NEW(reader->arena, struct type_entry);
    if (entry == NULL || !ag_map_put(&reader->types, (uint64_t)offset + 1, entry))
        return no_memory(reader);
    if (!read_type_fields(reader, offset, depth, &entry->type))
        return false;
    entry->complete = true;
    *type = &entry->type;
    return true;
}

/* ---- Constant buffers --------------------------------------------------------------------------------- */

static bool read_variable(struct reader *reader, uint64_t at, struct agpu_rdef_variable *variable)
{
    if (!read_name(reader, at, &variable->name))
        return false;
    variable->offset = field(reader, at + 4);
    variable->size = field(reader, at + 8);
    variable->flags = field(reader, at + 12);
    variable->first_texture = reader->is_5 ? field(reader, at + 24) : AGPU_REGISTER_NONE;
    variable->texture_count = reader->is_5 ? field(reader, at + 28) : 0;
    variable->first_sampler = reader->is_5 ? field(reader, at + 32) : AGPU_REGISTER_NONE;
    variable->sampler_count = reader->is_5 ? field(reader, at + 36) : 0;
    const uint32_t value = field(reader, at + 20);
    if (value != 0) {
        if (!ag_range_fits(value, variable->size, reader->chunk->size))
            return refuse(reader, at + 20, "a default value ends outside the chunk");
        variable->default_value = reader->chunk->data + value;
    }
    return read_type(reader, at + 16, field(reader, at + 16), 0, &variable->type);
}

static bool read_cbuffer(struct reader *reader, uint64_t at, struct agpu_rdef_cbuffer *cbuffer)
{
    const uint32_t count = field(reader, at + 4);
    const uint32_t first = field(reader, at + 8);
    cbuffer->size = field(reader, at + 12);
    cbuffer->flags = field(reader, at + 16);
    cbuffer->kind = field(reader, at + 20);
    if (!read_name(reader, at, &cbuffer->name) ||
        !check_records(reader, at + 8, first, count, reader->sizes.variable))
        return false;
    struct agpu_rdef_variable *variables = AG_ARENA_ARRAY(reader->arena, struct agpu_rdef_variable, count);
    if (variables == NULL)
        return no_memory(reader);
    cbuffer->variables = variables;
    cbuffer->variable_count = count;
    for (uint32_t i = 0; i < count; i++)
        if (!read_variable(reader, first + (uint64_t)i * reader->sizes.variable, &variables[i]))
            return false;
    return true;
}

static bool read_cbuffers(struct reader *reader, struct agpu_rdef *rdef)
{
    const uint32_t count = field(reader, 0);
    const uint32_t first = field(reader, 4);
    if (!check_records(reader, 4, first, count, reader->sizes.cbuffer))
        return false;
    struct agpu_rdef_cbuffer *cbuffers = AG_ARENA_ARRAY(reader->arena, struct agpu_rdef_cbuffer, count);
    if (cbuffers == NULL)
        return no_memory(reader);
    rdef->cbuffers = cbuffers;
    rdef->cbuffer_count = count;
    for (uint32_t i = 0; i < count; i++)
        if (!read_cbuffer(reader, first + (uint64_t)i * reader->sizes.cbuffer, &cbuffers[i]))
            return false;
    return true;
}

/* ---- Bindings ----------------------------------------------------------------------------------------- */

static bool read_binding(const struct reader *reader, uint64_t at, struct agpu_rdef_binding *binding)
{
    binding->input_type = field(reader, at + 4);
    binding->return_type = field(reader, at + 8);
    binding->dimension = field(reader, at + 12);
    binding->sample_count = field(reader, at + 16);
    binding->bind_point = field(reader, at + 20);
    binding->bind_count = field(reader, at + 24);
    binding->flags = field(reader, at + 28);
    if (reader->sizes.binding >= 40) {
        binding->space = field(reader, at + 32);
        binding->id = field(reader, at + 36);
    }
    return read_name(reader, at, &binding->name);
}

static bool read_bindings(struct reader *reader, struct agpu_rdef *rdef)
{
    const uint32_t count = field(reader, 8);
    const uint32_t first = field(reader, 12);
    if (!check_records(reader, 12, first, count, reader->sizes.binding))
        return false;
    struct agpu_rdef_binding *bindings = AG_ARENA_ARRAY(reader->arena, struct agpu_rdef_binding, count);
    if (bindings == NULL)
        return no_memory(reader);
    rdef->bindings = bindings;
    rdef->binding_count = count;
    for (uint32_t i = 0; i < count; i++)
        if (!read_binding(reader, first + (uint64_t)i * reader->sizes.binding, &bindings[i]))
            return false;
    return true;
}

/* ---- The chunk ---------------------------------------------------------------------------------------- */

/* Reads the size of one kind of record, which must be at least that of the fields that are read, and
 * plausible. */
static bool read_size(const struct reader *reader, uint64_t at, uint32_t least, uint32_t *size)
{
    *size = field(reader, at);
    if (*size < least || *size > LARGEST_RECORD_BYTES)
        return refuse(reader, at, "a record size is out of range");
    return true;
}

static bool read_sizes(struct reader *reader)
{
    const uint8_t major = reader->chunk->data[17];
    const struct ag_rdef_sizes least = ag_rdef_sizes(major, 0);
    reader->is_5 = major >= 5;
    reader->sizes = least;
    if (!reader->is_5)
        return true;
    if (reader->chunk->size < AG_RDEF_HEADER_BYTES_5)
        return refuse(reader, AG_RDEF_HEADER_BYTES, "its 5.x header is cut off");
    return read_size(reader, 36, least.cbuffer, &reader->sizes.cbuffer) &&
           read_size(reader, 40, least.binding, &reader->sizes.binding) &&
           read_size(reader, 44, least.variable, &reader->sizes.variable) &&
           read_size(reader, 48, least.type, &reader->sizes.type) &&
           read_size(reader, 52, least.member, &reader->sizes.member);
}

static bool read_chunk(struct reader *reader, struct agpu_rdef *rdef)
{
    if (reader->chunk->size < AG_RDEF_HEADER_BYTES)
        return refuse(reader, 0, "it has no room for its header");
    rdef->minor = reader->chunk->data[16];
    rdef->major = reader->chunk->data[17];
    rdef->program_type = ag_load_u16(reader->chunk->data + 18);
    rdef->compile_flags = field(reader, 20);
    if (!read_sizes(reader))
        return false;
    rdef->interface_slots = reader->is_5 ? field(reader, 56) : 0;
    return read_name(reader, 24, &rdef->creator) && read_bindings(reader, rdef) &&
           read_cbuffers(reader, rdef);
}

enum agpu_status ag_rdef_read(struct ag_arena *arena, const struct agpu_dxbc_chunk *chunk,
                              const struct agpu_diag_sink *sink, const struct agpu_rdef **result)
{
    struct reader reader = {
        .chunk = chunk, .arena = arena, .sink = sink, .text_end = ag_dxbc_chunk_text_end(chunk)};
    struct agpu_rdef *rdef = AG_ARENA_NEW(arena, struct agpu_rdef);
    const bool good = rdef != NULL ? read_chunk(&reader, rdef) : no_memory(&reader);
    ag_map_fini(&reader.types);
    ag_map_fini(&reader.members);
    *result = good ? rdef : NULL;
    return reader.starved ? ag_report_no_memory(sink) : AGPU_OK;
}
