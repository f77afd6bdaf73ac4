/* SPDX-License-Identifier: MIT */
#include "exec/shader_source.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"

#define PACKED_MAGIC AGPU_FOURCC('T', 'O', 'K', 'S') /* never DXBC */

/* What a packed block begins with; elements and tokens follow. */
struct packed_header {
    uint32_t magic;
    uint32_t counts[AGPU_SOURCE_SIGNATURES];
};

uint8_t *agpu_shader_source_pack(const struct agpu_signature_object *const signatures[AGPU_SOURCE_SIGNATURES],
                                 const uint8_t *tokens, size_t size, size_t *packed_size)
{
    struct packed_header header = {.magic = PACKED_MAGIC};
    size_t total = sizeof header + size;
    for (uint32_t i = 0; i < AGPU_SOURCE_SIGNATURES; i++) {
        header.counts[i] = signatures[i] ? signatures[i]->count : 0;
        total += header.counts[i] * sizeof(struct agpu_driver_element);
    }
    uint8_t *packed = malloc(total);
    if (!packed)
        return NULL;
    uint8_t *to = packed;
    memcpy(to, &header, sizeof header);
    to += sizeof header;
    for (uint32_t i = 0; i < AGPU_SOURCE_SIGNATURES; i++) {
        const size_t bytes = header.counts[i] * sizeof(struct agpu_driver_element);
        if (bytes)
            memcpy(to, signatures[i]->elements, bytes);
        to += bytes;
    }
    if (size)
        memcpy(to, tokens, size);
    *packed_size = total;
    return packed;
}

enum agpu_status agpu_shader_source_parse(const struct agpu_shader_source *source,
                                          const struct agpu_diag_sink *sink, struct agpu_shader **shader)
{
    struct packed_header header;
    if (source->size < sizeof header || agpu_load_u32(source->bytes) != PACKED_MAGIC)
        return agpu_shader_parse(source->bytes, source->size, AGPU_PARSE_IGNORE_CHECKSUM, sink, shader);
    memcpy(&header, source->bytes, sizeof header);
    /* The block came from malloc, and elements lie at multiples of their alignment in it. */
    const struct agpu_driver_element *elements = (const void *)(source->bytes + sizeof header);
    const struct agpu_driver_signatures signatures = {
        .input = elements,
        .output = elements + header.counts[AGPU_SOURCE_INPUT],
        .patch_constant = elements + header.counts[AGPU_SOURCE_INPUT] + header.counts[AGPU_SOURCE_OUTPUT],
        .input_count = header.counts[AGPU_SOURCE_INPUT],
        .output_count = header.counts[AGPU_SOURCE_OUTPUT],
        .patch_constant_count = header.counts[AGPU_SOURCE_PATCH_CONSTANT],
    };
    const uint8_t *tokens =
        (const uint8_t *)(signatures.patch_constant + header.counts[AGPU_SOURCE_PATCH_CONSTANT]);
    const size_t size = source->size - (size_t)(tokens - source->bytes);
    return agpu_shader_parse_driver(tokens, size, &signatures, sink, shader);
}
