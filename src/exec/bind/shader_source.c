/* SPDX-License-Identifier: MIT */
#include "exec/bind/shader_source.h"

#include <stdlib.h>
#include <string.h>

#include "aerogpu/diag.h"
#include "aerogpu/dxbc.h"
#include "base/bytes.h"
#include "exec/object/stream_output_declaration.h"

#define PACKED_MAGIC AGPU_FOURCC('T', 'O', 'K', 'S') /* a container begins with DXBC */

/* The beginning of a packed block. A stream-output declaration, signature elements and the program follow. */
struct packed_header {
    uint32_t magic;
    uint32_t counts[AG_SOURCE_SIGNATURES];
    uint32_t declarations; /* 0 or 1 */
    uint32_t program_size;
};

#define DECLARATION_BYTES sizeof(struct ag_stream_output_declaration)

/* The tokens of a gs_4_0 of points, with one vertex at most, which stands for a geometry stage without a
 * program. No draw runs these tokens. */
static const uint32_t empty_geometry[] = {0x00020040, 7, 0x0100085D, 0x0100085C, 0x0200005E, 1, 0x0100003E};

static uint8_t *append(uint8_t *to, const void *bytes, size_t size)
{
    if (size)
        memcpy(to, bytes, size);
    return to + size;
}

uint8_t *ag_shader_source_pack(const struct ag_shader_parts *parts, size_t *packed_size)
{
    struct packed_header header = {
        .magic = PACKED_MAGIC,
        .declarations = parts->stream_output != NULL,
        .program_size = (uint32_t)parts->size,
    };
    size_t total = sizeof header + header.declarations * DECLARATION_BYTES + parts->size;
    for (uint32_t i = 0; i < AG_SOURCE_SIGNATURES; i++) {
        header.counts[i] = parts->signatures[i] ? parts->signatures[i]->count : 0;
        total += header.counts[i] * sizeof(struct agpu_driver_element);
    }
    uint8_t *packed = malloc(total), *to = packed;
    if (!packed)
        return NULL;
    to = append(to, &header, sizeof header);
    if (parts->stream_output)
        to = append(to, &parts->stream_output->declaration, DECLARATION_BYTES);
    for (uint32_t i = 0; i < AG_SOURCE_SIGNATURES; i++)
        if (parts->signatures[i])
            to = append(to, parts->signatures[i]->elements,
                        header.counts[i] * sizeof(struct agpu_driver_element));
    append(to, parts->program, parts->size);
    *packed_size = total;
    return packed;
}

static bool read_header(const struct ag_shader_source *source, struct packed_header *header)
{
    if (source->size < sizeof *header || ag_load_u32(source->bytes) != PACKED_MAGIC)
        return false;
    memcpy(header, source->bytes, sizeof *header);
    return true;
}

const struct ag_stream_output_declaration *
ag_shader_source_stream_output(const struct ag_shader_source *source)
{
    struct packed_header header;
    return read_header(source, &header) && header.declarations ? (const void *)(source->bytes + sizeof header)
                                                               : NULL;
}

bool ag_shader_source_passes_through(const struct ag_shader_source *source)
{
    struct packed_header header;
    return read_header(source, &header) && header.program_size == 0;
}

bool ag_shader_source_unpack(const struct ag_shader_source *source, struct ag_shader_source_parts *parts)
{
    struct packed_header header;
    if (!read_header(source, &header))
        return false;
    /* The elements are aligned: malloc made the block, and every part in front of them has whole words. */
    const struct agpu_driver_element *elements =
        (const void *)(source->bytes + sizeof header + header.declarations * DECLARATION_BYTES);
    for (uint32_t i = 0; i < AG_SOURCE_SIGNATURES; i++) {
        parts->signatures[i] = elements;
        parts->counts[i] = header.counts[i];
        elements += header.counts[i];
    }
    parts->stream_output = ag_shader_source_stream_output(source);
    parts->program = (const uint8_t *)elements;
    parts->size = header.program_size;
    return true;
}

static enum agpu_status parse(const struct ag_shader_source *source, const struct agpu_diag_sink *sink,
                              struct agpu_shader **shader)
{
    struct ag_shader_source_parts parts;
    if (!ag_shader_source_unpack(source, &parts))
        return agpu_shader_parse(source->bytes, source->size, AGPU_PARSE_IGNORE_CHECKSUM, sink, shader);
    const struct agpu_driver_signatures signatures = {
        .input = parts.signatures[AG_SOURCE_INPUT],
        .output = parts.signatures[AG_SOURCE_OUTPUT],
        .patch_constant = parts.signatures[AG_SOURCE_PATCH_CONSTANT],
        .input_count = parts.counts[AG_SOURCE_INPUT],
        .output_count = parts.counts[AG_SOURCE_OUTPUT],
        .patch_constant_count = parts.counts[AG_SOURCE_PATCH_CONSTANT],
    };
    if (parts.size == 0)
        return agpu_shader_parse_driver(empty_geometry, sizeof empty_geometry, &signatures, sink, shader);
    if (parts.size >= 4 && ag_load_u32(parts.program) == AGPU_FOURCC('D', 'X', 'B', 'C'))
        return agpu_shader_parse(parts.program, parts.size, AGPU_PARSE_IGNORE_CHECKSUM, sink, shader);
    return agpu_shader_parse_driver(parts.program, parts.size, &signatures, sink, shader);
}

/* What the Direct3D runtime refuses no guest's driver is given; a guest that is not one gets no further. */
enum agpu_status ag_shader_source_parse(const struct ag_shader_source *source,
                                        const struct agpu_diag_sink *sink, struct agpu_shader **shader)
{
    enum agpu_status status = parse(source, sink, shader);
    if (status != AGPU_OK)
        return status;
    status = agpu_validate(*shader, sink);
    if (status == AGPU_OK)
        return AGPU_OK;
    agpu_shader_destroy(*shader);
    *shader = NULL;
    return status;
}
