/* SPDX-License-Identifier: MIT
 *
 * Reads signature chunks.
 */
#include "dxbc/signature.h"

#include <inttypes.h>
#include <string.h>

#include "base/bytes.h"
#include "base/text.h"

/* clang-format off */
static const struct ag_signature_layout layouts[] = {
    {.fourcc = AG_CHUNK_ISGN, .element_bytes = 24},
    {.fourcc = AG_CHUNK_OSGN, .element_bytes = 24},
    {.fourcc = AG_CHUNK_PCSG, .element_bytes = 24},
    {.fourcc = AG_CHUNK_OSG5, .element_bytes = 28, .has_stream = true},
    {.fourcc = AG_CHUNK_ISG1, .element_bytes = 32, .has_stream = true, .has_min_precision = true},
    {.fourcc = AG_CHUNK_OSG1, .element_bytes = 32, .has_stream = true, .has_min_precision = true},
    {.fourcc = AG_CHUNK_PSG1, .element_bytes = 32, .has_stream = true, .has_min_precision = true},
};
/* clang-format on */

const struct ag_signature_layout *ag_signature_layout(uint32_t fourcc)
{
    for (size_t i = 0; i < AG_COUNT_OF(layouts); i++)
        if (layouts[i].fourcc == fourcc)
            return &layouts[i];
    return NULL;
}

static enum agpu_status read_element(const struct agpu_dxbc_chunk *chunk,
                                     const struct ag_signature_layout *layout, uint64_t at, uint32_t text_end,
                                     const struct agpu_diag_sink *sink,
                                     struct agpu_signature_element *element)
{
    const uint8_t *fields = chunk->data + at;
    if (layout->has_stream) {
        element->stream = ag_load_u32(fields);
        fields += 4;
    }
    const uint32_t name = ag_load_u32(fields);
    if (name >= text_end) {
        ag_report(sink, AGPU_DIAG_DXBC_SIGNATURE, AGPU_ERROR, ag_place_offset(chunk->offset + at),
                  "the semantic name at byte %" PRIu32 " does not end inside its chunk", name);
        return AGPU_REFUSED;
    }
    element->semantic_name = (const char *)chunk->data + name;
    if (strnlen(element->semantic_name, AG_SIGNATURE_LONGEST_NAME + 1) > AG_SIGNATURE_LONGEST_NAME) {
        ag_report(sink, AGPU_DIAG_DXBC_LIMIT, AGPU_ERROR, ag_place_offset(chunk->offset + at),
                  "a semantic name is longer than %d bytes", AG_SIGNATURE_LONGEST_NAME);
        return AGPU_REFUSED;
    }
    element->semantic_index = ag_load_u32(fields + 4);
    element->system_value = ag_load_u32(fields + 8);
    element->component_type = ag_load_u32(fields + 12);
    element->register_index = ag_load_u32(fields + 16);
    const uint32_t masks = ag_load_u32(fields + 20);
    element->mask = masks & 0xf;
    element->rw_mask = masks >> 8 & 0xf;
    if (layout->has_min_precision)
        element->min_precision = ag_load_u32(fields + 24);
    return AGPU_OK;
}

enum agpu_status ag_signature_read(struct ag_arena *arena, const struct agpu_dxbc_chunk *chunk,
                                   const struct agpu_diag_sink *sink, struct agpu_signature *signature)
{
    const struct ag_signature_layout *layout = ag_signature_layout(chunk->fourcc);
    if (chunk->size < AG_SIGNATURE_HEADER_BYTES) {
        ag_report(sink, AGPU_DIAG_DXBC_SIGNATURE, AGPU_ERROR, ag_place_offset(chunk->offset),
                  "a signature chunk of %" PRIu32 " bytes has no room for its header", chunk->size);
        return AGPU_REFUSED;
    }
    const uint32_t count = ag_load_u32(chunk->data);
    const uint32_t first = ag_load_u32(chunk->data + 4);
    if (!ag_range_fits(first, (uint64_t)count * layout->element_bytes, chunk->size)) {
        ag_report(sink, AGPU_DIAG_DXBC_SIGNATURE, AGPU_ERROR, ag_place_offset(chunk->offset),
                  "%" PRIu32 " signature elements at byte %" PRIu32 " do not fit a chunk of %" PRIu32
                  " bytes",
                  count, first, chunk->size);
        return AGPU_REFUSED;
    }
    if (count > AG_SIGNATURE_MAX_ELEMENTS) {
        ag_report(sink, AGPU_DIAG_DXBC_SIGNATURE, AGPU_ERROR, ag_place_offset(chunk->offset),
                  "%" PRIu32 " signature elements are more than %d", count, AG_SIGNATURE_MAX_ELEMENTS);
        return AGPU_REFUSED;
    }
    struct agpu_signature_element *elements = AG_ARENA_ARRAY(arena, struct agpu_signature_element, count);
    if (elements == NULL)
        return ag_report_no_memory(sink);
    const uint32_t text_end = ag_dxbc_chunk_text_end(chunk);
    enum agpu_status status = AGPU_OK;
    for (uint32_t i = 0; i < count && status == AGPU_OK; i++)
        status = read_element(chunk, layout, first + (uint64_t)i * layout->element_bytes, text_end, sink,
                              &elements[i]);
    *signature = (struct agpu_signature){.elements = elements, .count = count};
    return status;
}

const struct agpu_signature_element *agpu_signature_find(const struct agpu_signature *signature,
                                                         const char *semantic_name, uint32_t semantic_index)
{
    for (uint32_t i = 0; i < signature->count; i++) {
        const struct agpu_signature_element *element = &signature->elements[i];
        if (element->semantic_index == semantic_index && ag_same_word(element->semantic_name, semantic_name))
            return element;
    }
    return NULL;
}
