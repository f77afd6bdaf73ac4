/* SPDX-License-Identifier: MIT */
#include "exec/snapshot/shaders.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "aerogpu/abi/ext.h"
#include "aerogpu/diag.h"
#include "aerogpu/dxbc.h"
#include "base/archive.h"
#include "base/bytes.h"
#include "base/map.h"
#include "base/vec.h"
#include "exec/bind/binder.h"
#include "exec/bind/shader.h"
#include "exec/bind/shader_program.h"
#include "exec/bind/shader_source.h"
#include "exec/host/account.h"
#include "exec/host/host.h"
#include "exec/object/stream_output_declaration.h"
#include "exec/packet/execution.h"
#include "exec/snapshot/objects.h"
#include "exec/snapshot/sections.h"
#include "kernel/stream_output.h"

#define MOST_ELEMENTS 128 /* of a signature */
#define MOST_STRIDE 2048

/* ---- Parts of a source ------------------------------------------------------------------------------- */

static const struct ag_field element_fields[] = {
    AG_FIELD(struct agpu_driver_element, system_value, UINT32_MAX),
    AG_FIELD(struct agpu_driver_element, register_index, UINT32_MAX),
    AG_FIELD(struct agpu_driver_element, mask, 0xF),
    AG_FIELD(struct agpu_driver_element, stream, AG_MAX_STREAM),
    AG_FIELD(struct agpu_driver_element, component_type, UINT32_MAX),
    AG_FIELD(struct agpu_driver_element, min_precision, UINT32_MAX),
};

static const struct ag_field declaration_fields[] = {
    AG_FIELD(struct ag_stream_output_declaration, rasterized_stream, UINT32_MAX),
    AG_FIELD_ARRAY(struct ag_stream_output_declaration, strides, strides[0], MOST_STRIDE),
    AG_FIELD(struct ag_stream_output_declaration, streams, 0xF),
    AG_FIELD_ARRAY(struct ag_stream_output_declaration, stream_slots, stream_slots[0], 0xF),
    AG_FIELD(struct ag_stream_output_declaration, place_count, AG_STREAM_OUTPUT_COMPONENTS),
};

static const struct ag_field place_fields[] = {
    AG_FIELD(struct ag_stream_output_place, stream, AG_MAX_STREAM),
    AG_FIELD(struct ag_stream_output_place, source, UINT8_MAX),
    AG_FIELD(struct ag_stream_output_place, slot, AG_STREAM_OUTPUT_SLOTS - 1),
    AG_FIELD(struct ag_stream_output_place, offset, MOST_STRIDE - 4),
};

static bool is_declaration(const struct ag_stream_output_declaration *declaration)
{
    if (declaration->rasterized_stream > AG_MAX_STREAM &&
        declaration->rasterized_stream != AEROGPU_EXT_STREAM_OUTPUT_NOT_RASTERIZED)
        return false;
    for (uint32_t i = 0; i < AG_STREAM_OUTPUT_SLOTS; i++)
        if (declaration->strides[i] % 4 != 0)
            return false;
    for (uint32_t i = 0; i < declaration->place_count; i++) {
        const struct ag_stream_output_place *place = &declaration->places[i];
        if (place->offset % 4 != 0 || place->offset + 4 > declaration->strides[place->slot] ||
            place->source / 4 >= AGPU_MAX_REGISTERS ||
            !(declaration->stream_slots[place->stream] >> place->slot & 1))
            return false;
    }
    return true;
}

static void archive_declaration(struct ag_archive *archive, struct ag_stream_output_declaration *declaration)
{
    ag_archive_fields(archive, declaration_fields, AG_COUNT_OF(declaration_fields), declaration);
    for (uint32_t i = 0; i < declaration->place_count; i++)
        ag_archive_fields(archive, place_fields, AG_COUNT_OF(place_fields), &declaration->places[i]);
    if (archive->loads && ag_archive_is_ok(archive) && !is_declaration(declaration))
        ag_archive_refuse(archive, AGPU_DIAG_SNAPSHOT_FORMAT, "a stream-output declaration is impossible");
}

static void archive_elements(struct ag_archive *archive, struct agpu_driver_element *elements, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        ag_archive_fields(archive, element_fields, AG_COUNT_OF(element_fields), &elements[i]);
}

/* ---- Saving ------------------------------------------------------------------------------------------ */

static void save_parts(struct ag_archive *archive, const struct ag_shader_source_parts *parts)
{
    bool has_stream_output = parts->stream_output != NULL;
    for (uint32_t i = 0; i < AG_SOURCE_SIGNATURES; i++) {
        uint32_t count = parts->counts[i];
        ag_archive_u32(archive, &count, MOST_ELEMENTS);
        archive_elements(archive, (struct agpu_driver_element *)(uintptr_t)parts->signatures[i], count);
    }
    ag_archive_bool(archive, &has_stream_output);
    if (has_stream_output)
        archive_declaration(archive, (struct ag_stream_output_declaration *)(uintptr_t)parts->stream_output);
}

static void save_source(struct ag_archive *archive, const struct ag_shader_program *program)
{
    const struct ag_shader_source source = {program->bytes, program->size};
    struct ag_shader_source_parts parts = {.program = source.bytes, .size = source.size};
    bool packed = ag_shader_source_unpack(&source, &parts);
    uint8_t *bytes = (uint8_t *)(uintptr_t)parts.program;
    uint64_t size = parts.size;
    ag_archive_bool(archive, &packed);
    if (packed)
        save_parts(archive, &parts);
    ag_archive_block(archive, &bytes, &size);
}

struct named_program {
    const struct ag_shader_program *program;
    uint32_t handle;
};

/* The handles of a program follow each other, the handle of its labels first. */
static int compare(const void *a, const void *b)
{
    const struct named_program *x = a, *y = b;
    const bool first_x = x->handle == x->program->handle, first_y = y->handle == y->program->handle;
    if (x->program->id != y->program->id)
        return x->program->id > y->program->id ? 1 : -1;
    if (first_x != first_y)
        return first_x ? -1 : 1;
    return (x->handle > y->handle) - (x->handle < y->handle);
}

/* A section of a shader begins with them. */
struct shader_head {
    uint32_t stage, context_id;
};

static const struct ag_field head_fields[] = {
    AG_FIELD(struct shader_head, stage, AGPU_STAGE_COUNT - 1),
    AG_FIELD_SINCE(struct shader_head, context_id, 2, UINT32_MAX),
};

static void begin_shader(struct ag_archive *archive, struct shader_head *head)
{
    ag_archive_begin(archive, AG_SECTION_SHADER, 2);
    ag_archive_fields(archive, head_fields, AG_COUNT_OF(head_fields), head);
}

static bool save_program(struct ag_archive *archive, const struct named_program *named, uint32_t count)
{
    const struct ag_account *account = named->program->account;
    struct shader_head head = {named->program->shader->program.stage, account ? account->context_id : 0};
    begin_shader(archive, &head);
    save_source(archive, named->program);
    ag_archive_count(archive, &count, sizeof(uint32_t));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t handle = named[i].handle;
        ag_archive_u32(archive, &handle, UINT32_MAX);
    }
    return ag_archive_end(archive);
}

bool ag_shaders_save(const struct ag_execution *rooms, struct ag_archive *archive)
{
    AG_VEC(struct named_program) programs = {0};
    size_t cursor = 0;
    uint64_t handle;
    void *value;
    while (ag_map_next(&rooms->binder->shaders, &cursor, &handle, &value)) {
        const struct named_program named = {value, (uint32_t)handle};
        if (!ag_vec_push(&programs, named)) {
            ag_vec_fini(&programs);
            return ag_archive_no_memory(archive);
        }
    }
    if (programs.count)
        qsort(programs.data, programs.count, sizeof programs.data[0], compare);
    for (size_t i = 0, next; i < programs.count; i = next) {
        for (next = i + 1; next < programs.count; next++)
            if (programs.data[next].program != programs.data[i].program)
                break;
        if (!save_program(archive, &programs.data[i], (uint32_t)(next - i)))
            break;
    }
    ag_vec_fini(&programs);
    return ag_archive_is_ok(archive);
}

/* ---- Loading ----------------------------------------------------------------------------------------- */

/* The parts of a source as a guest would have given them. */
struct loaded_parts {
    struct ag_signature_object *signatures[AG_SOURCE_SIGNATURES];
    struct ag_stream_output_object *stream_output;
    uint8_t *program;
    uint64_t size;
    bool packed;
};

static struct ag_signature_object *load_signature(struct ag_archive *archive)
{
    uint32_t count = 0;
    ag_archive_u32(archive, &count, MOST_ELEMENTS);
    struct ag_signature_object *signature =
        calloc(1, sizeof *signature + count * sizeof signature->elements[0]);
    if (!signature) {
        ag_archive_no_memory(archive);
        return NULL;
    }
    signature->count = count;
    archive_elements(archive, signature->elements, count);
    return signature;
}

static void load_parts(struct ag_archive *archive, struct loaded_parts *parts)
{
    bool has_stream_output = false;
    ag_archive_bool(archive, &parts->packed);
    for (uint32_t i = 0; parts->packed && i < AG_SOURCE_SIGNATURES; i++)
        parts->signatures[i] = load_signature(archive);
    if (parts->packed)
        ag_archive_bool(archive, &has_stream_output);
    if (has_stream_output) {
        parts->stream_output = calloc(1, sizeof *parts->stream_output);
        if (parts->stream_output)
            archive_declaration(archive, &parts->stream_output->declaration);
        else
            ag_archive_no_memory(archive);
    }
    ag_archive_block(archive, &parts->program, &parts->size);
    if (parts->size == 0 && !parts->stream_output)
        ag_archive_refuse(archive, AGPU_DIAG_SNAPSHOT_FORMAT, "a shader has no program");
    if (!parts->packed && (parts->size < 4 || ag_load_u32(parts->program) != AGPU_FOURCC('D', 'X', 'B', 'C')))
        ag_archive_refuse(archive, AGPU_DIAG_SNAPSHOT_FORMAT, "a shader is no container");
}

static void free_parts(struct loaded_parts *parts)
{
    for (uint32_t i = 0; i < AG_SOURCE_SIGNATURES; i++)
        free(parts->signatures[i]);
    free(parts->stream_output);
    free(parts->program);
}

/* The bytes of the source. Null after a report; freed by the caller where they are not those of the parts. */
static uint8_t *source_of(struct ag_archive *archive, const struct loaded_parts *from, size_t *size)
{
    *size = (size_t)from->size;
    if (!from->packed)
        return from->program;
    const struct ag_shader_parts parts = {
        .signatures = {from->signatures[0], from->signatures[1], from->signatures[2]},
        .stream_output = from->stream_output,
        .program = from->program,
        .size = (size_t)from->size,
    };
    uint8_t *packed = ag_shader_source_pack(&parts, size);
    if (!packed)
        ag_archive_no_memory(archive);
    return packed;
}

/* Names the program by all of its handles. */
static void create(struct ag_execution *rooms, struct ag_archive *archive, enum agpu_stage stage,
                   const struct ag_shader_source *source)
{
    uint32_t count = 0;
    ag_archive_count(archive, &count, sizeof(uint32_t));
    for (uint32_t i = 0; i < count && ag_archive_is_ok(archive); i++) {
        uint32_t handle = 0;
        ag_archive_u32(archive, &handle, UINT32_MAX);
        const enum agpu_status status = ag_shader_create(rooms->binder, handle, stage, source);
        if (status != AGPU_OK)
            ag_archive_fail(archive, status);
    }
}

static bool load_program(struct ag_execution *rooms, struct ag_archive *archive)
{
    struct loaded_parts parts = {0};
    struct ag_shader_source source = {0};
    struct shader_head head = {0};
    uint8_t *bytes = NULL;
    begin_shader(archive, &head);
    load_parts(archive, &parts);
    if (ag_archive_is_ok(archive))
        bytes = source_of(archive, &parts, &source.size);
    source.bytes = bytes;
    if (bytes && ag_loaded_for(rooms->host, archive, head.context_id))
        create(rooms, archive, (enum agpu_stage)head.stage, &source);
    rooms->host->accounts.current = NULL;
    if (bytes != parts.program)
        free(bytes);
    free_parts(&parts);
    return ag_archive_end(archive);
}

bool ag_shaders_load(struct ag_execution *rooms, struct ag_archive *archive)
{
    while (ag_archive_next_is(archive, AG_SECTION_SHADER))
        if (!load_program(rooms, archive))
            return false;
    return ag_archive_is_ok(archive);
}
