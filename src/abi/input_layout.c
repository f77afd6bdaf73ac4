/* SPDX-License-Identifier: MIT
 *
 * Parses and checks input-layout blobs.
 */
#include "abi/input_layout.h"

#include <inttypes.h>

#include "aerogpu/stream.h"
#include "base/bytes.h"

#define HEADER_BYTES sizeof(struct aerogpu_input_layout_blob_header)
#define ELEMENT_BYTES sizeof(struct aerogpu_input_layout_element_dxgi)

static struct agpu_place at(struct agpu_place place, size_t offset)
{
    if (place.offset != AGPU_DIAG_NO_OFFSET)
        place.offset += offset;
    return place;
}

static struct agpu_place at_element(struct agpu_place place, uint32_t index, size_t field)
{
    return at(place, HEADER_BYTES + index * ELEMENT_BYTES + field);
}

#define REFUSE(place, ...)                                                                                   \
    (ag_report(sink, AGPU_DIAG_ABI_INPUT_LAYOUT, AGPU_ERROR, (place), __VA_ARGS__), AGPU_REFUSED)

static enum agpu_status parse_header(struct aerogpu_input_layout_blob_header *header, const void *blob,
                                     size_t size, struct agpu_place place, const struct agpu_diag_sink *sink)
{
    if (size >= sizeof header->magic && ag_load_u32(blob) != AEROGPU_INPUT_LAYOUT_BLOB_MAGIC)
        return REFUSE(place, "the input layout does not start with ILAY: Direct3D 9 vertex declarations and "
                             "other forms are not supported");
    if (size < HEADER_BYTES)
        return REFUSE(place, "%zu bytes are too short for an input-layout blob", size);
    memcpy(header, blob, sizeof *header);
    if (header->version != AEROGPU_INPUT_LAYOUT_BLOB_VERSION)
        return REFUSE(at(place, offsetof(struct aerogpu_input_layout_blob_header, version)),
                      "input-layout blob of version %" PRIu32 ", not 1", header->version);
    if (header->element_count > AG_INPUT_LAYOUT_MAX_ELEMENTS)
        return REFUSE(at(place, offsetof(struct aerogpu_input_layout_blob_header, element_count)),
                      "input layout of %" PRIu32 " elements, more than 32", header->element_count);
    const size_t need = HEADER_BYTES + header->element_count * ELEMENT_BYTES;
    if (size < need)
        return REFUSE(at(place, size), "input layout of %" PRIu32 " elements in %zu bytes, which needs %zu",
                      header->element_count, size, need);
    return AGPU_OK;
}

enum agpu_status ag_input_layout_check(const struct ag_input_layout *layout, struct agpu_place place,
                                       const struct agpu_diag_sink *sink)
{
    uint32_t slots_per_class[2] = {0, 0};
    for (uint32_t i = 0; i < layout->element_count; i++) {
        const struct aerogpu_input_layout_element_dxgi *element = &layout->elements[i];
        if (element->input_slot >= AG_INPUT_LAYOUT_MAX_SLOTS)
            return REFUSE(
                at_element(place, i, offsetof(struct aerogpu_input_layout_element_dxgi, input_slot)),
                "input-layout element %" PRIu32 " is in slot %" PRIu32 ", past 31", i, element->input_slot);
        const struct agpu_place class_place =
            at_element(place, i, offsetof(struct aerogpu_input_layout_element_dxgi, input_slot_class));
        if (element->input_slot_class > AG_INPUT_PER_INSTANCE)
            return REFUSE(class_place, "input-layout element %" PRIu32 " has class %" PRIu32, i,
                          element->input_slot_class);
        const uint32_t slot = UINT32_C(1) << element->input_slot;
        slots_per_class[element->input_slot_class] |= slot;
        if ((slots_per_class[0] & slots_per_class[1]) != 0)
            return REFUSE(class_place, "slot %" PRIu32 " has elements per vertex and per instance",
                          element->input_slot);
    }
    return AGPU_OK;
}

enum agpu_status ag_input_layout_parse(struct ag_input_layout *layout, const void *blob, size_t size,
                                       struct agpu_place place, const struct agpu_diag_sink *sink)
{
    struct aerogpu_input_layout_blob_header header;
    const enum agpu_status status = parse_header(&header, blob, size, place, sink);
    if (status != AGPU_OK)
        return status;
    *layout = (struct ag_input_layout){.element_count = header.element_count};
    memcpy(layout->elements, (const uint8_t *)blob + HEADER_BYTES, header.element_count * ELEMENT_BYTES);
    return ag_input_layout_check(layout, place, sink);
}

/* The alignment of an element is the next power of two of its size, at most 4 (D3D11.3 4.4.6). */
static uint64_t alignment_of(uint32_t element_size)
{
    return element_size > 2 ? 4 : element_size == 2 ? 2 : 1;
}

enum agpu_status ag_input_layout_resolve(struct ag_input_layout *layout, const uint32_t *element_sizes,
                                         struct agpu_place place, const struct agpu_diag_sink *sink)
{
    uint64_t ends[AG_INPUT_LAYOUT_MAX_SLOTS] = {0};
    for (uint32_t i = 0; i < layout->element_count; i++) {
        struct aerogpu_input_layout_element_dxgi *element = &layout->elements[i];
        uint64_t offset = element->aligned_byte_offset;
        if (offset == AG_INPUT_LAYOUT_APPEND)
            offset = ag_align_up(ends[element->input_slot], alignment_of(element_sizes[i]));
        const uint64_t end = offset + element_sizes[i];
        if (end > UINT32_MAX)
            return REFUSE(
                at_element(place, i, offsetof(struct aerogpu_input_layout_element_dxgi, aligned_byte_offset)),
                "input-layout element %" PRIu32 " ends at byte %" PRIu64 ", past 4 GiB", i, end);
        element->aligned_byte_offset = (uint32_t)offset;
        ends[element->input_slot] = end;
    }
    return AGPU_OK;
}

uint32_t agpu_semantic_hash(const char *name, size_t length)
{
    uint32_t hash = UINT32_C(0x811C9DC5);
    for (size_t i = 0; i < length; i++) {
        uint8_t byte = (uint8_t)name[i];
        if (byte >= 'a' && byte <= 'z')
            byte = (uint8_t)(byte - 'a' + 'A');
        hash = (hash ^ byte) * UINT32_C(0x01000193);
    }
    return hash;
}
