/* SPDX-License-Identifier: MIT
 *
 * Assembles and prints input layouts in the text form.
 */
#include "abi/text_layout.h"

#include <string.h>

#include "abi/input_layout.h"
#include "abi/text_value.h"
#include "aerogpu/stream.h"
#include "base/bytes.h"
#include "format/format.h"

/* A blob has only hashes of semantic names, so printing tries these names. */
static const char *const common_semantics[] = {
    "POSITION",    "COLOR", "TEXCOORD",  "NORMAL",   "TANGENT",      "BINORMAL",     "BITANGENT",
    "BLENDWEIGHT", "PSIZE", "POSITIONT", "INSTANCE", "BLENDINDICES", "BLENDWEIGHTS", "MATRIX",
    "TRANSFORM",   "WORLD", "FOG",       "DEPTH",    "ATTRIBUTE",    "ATTRIB",
};

static bool refuse(struct ag_text_reader *reader, const struct ag_text_item *item, const char *what)
{
    ag_text_refuse(reader, AGPU_DIAG_ABI_TEXT_VALUE, item->line, item->column, "%s", what);
    return false;
}

static bool read_semantic(struct ag_text_reader *reader, const struct ag_text_item *item,
                          struct aerogpu_input_layout_element_dxgi *element)
{
    const struct ag_text_value *value = &item->value;
    if (item->name != NULL || value->kind != AG_TEXT_WORD)
        return refuse(reader, item, "a semantic name such as POSITION0 is expected");
    size_t length = value->length;
    while (length > 0 && value->text[length - 1] >= '0' && value->text[length - 1] <= '9')
        length--;
    uint64_t index = 0;
    for (size_t i = length; i < value->length && index <= UINT32_MAX; i++)
        index = index * 10 + (uint64_t)(value->text[i] - '0');
    if (index > UINT32_MAX)
        return refuse(reader, item, "the semantic index does not fit 32 bits");
    element->semantic_name_hash = agpu_semantic_hash(value->text, length);
    element->semantic_index = (uint32_t)index;
    return true;
}

static bool read_format(struct ag_text_reader *reader, const struct ag_text_item *item,
                        struct aerogpu_input_layout_element_dxgi *element)
{
    uint64_t number = 0;
    if (item->name != NULL)
        return refuse(reader, item, "a DXGI format is expected");
    if (item->value.kind == AG_TEXT_WORD) {
        number = ag_dxgi_from_name(item->value.text, item->value.length);
        if (number == 0)
            return refuse(reader, item, "no DXGI format has this name");
    } else if (!ag_text_unsigned(&item->value, UINT32_MAX, &number)) {
        return refuse(reader, item, "a DXGI format is expected");
    }
    element->dxgi_format = (uint32_t)number;
    return true;
}

static bool read_field(struct ag_text_reader *reader, const struct ag_text_item *item,
                       struct aerogpu_input_layout_element_dxgi *element)
{
    uint64_t number;
    const bool append = item->value.kind == AG_TEXT_WORD && item->value.length == 6 &&
                        memcmp(item->value.text, "append", 6) == 0 && ag_text_is_field(item, "offset");
    if (append)
        number = AG_INPUT_LAYOUT_APPEND;
    else if (!ag_text_unsigned(&item->value, UINT32_MAX, &number))
        return refuse(reader, item, "a number up to 32 bits is expected");
    if (ag_text_is_field(item, "slot"))
        element->input_slot = (uint32_t)number;
    else if (ag_text_is_field(item, "offset"))
        element->aligned_byte_offset = (uint32_t)number;
    else if (ag_text_is_field(item, "slot_class"))
        element->input_slot_class = (uint32_t)number;
    else if (ag_text_is_field(item, "step_rate"))
        element->instance_data_step_rate = (uint32_t)number;
    else
        return refuse(reader, item, "the fields of an element are slot, offset, slot_class and step_rate");
    return true;
}

bool ag_text_layout(struct ag_text_reader *reader, const struct ag_text_item *items, size_t count,
                    struct ag_strbuf *out)
{
    struct ag_strbuf elements = {0};
    uint32_t element_count = 0;
    bool good = true;
    for (size_t i = 0; i < count && good;) {
        struct aerogpu_input_layout_element_dxgi element = {0};
        good = read_semantic(reader, &items[i], &element);
        if (good && i + 1 == count)
            good = refuse(reader, &items[i], "a format is missing behind the semantic");
        good = good && read_format(reader, &items[i + 1], &element);
        for (i += 2; good && i < count && items[i].name != NULL; i++)
            good = read_field(reader, &items[i], &element);
        ag_strbuf_append_bytes(&elements, &element, sizeof element);
        element_count++;
    }
    const struct aerogpu_input_layout_blob_header header = {
        .magic = AEROGPU_INPUT_LAYOUT_BLOB_MAGIC,
        .version = AEROGPU_INPUT_LAYOUT_BLOB_VERSION,
        .element_count = element_count,
    };
    if (good) {
        ag_strbuf_append_bytes(out, &header, sizeof header);
        ag_strbuf_append_bytes(out, elements.data, elements.length);
        out->failed |= elements.failed;
    }
    ag_strbuf_fini(&elements);
    return good;
}

static const char *name_of_hash(uint32_t hash)
{
    for (size_t i = 0; i < AG_COUNT_OF(common_semantics); i++) {
        if (agpu_semantic_hash(common_semantics[i], strlen(common_semantics[i])) == hash)
            return common_semantics[i];
    }
    return NULL;
}

bool ag_text_print_layout(struct ag_strbuf *out, const uint8_t *blob, size_t size)
{
    struct aerogpu_input_layout_blob_header header;
    struct aerogpu_input_layout_element_dxgi element;
    if (size < sizeof header)
        return false;
    memcpy(&header, blob, sizeof header);
    if (header.magic != AEROGPU_INPUT_LAYOUT_BLOB_MAGIC ||
        header.version != AEROGPU_INPUT_LAYOUT_BLOB_VERSION || header.reserved0 != 0 ||
        size - sizeof header != (uint64_t)header.element_count * sizeof element)
        return false;
    for (size_t at = sizeof header; at < size; at += sizeof element) {
        memcpy(&element, blob + at, sizeof element);
        if (name_of_hash(element.semantic_name_hash) == NULL)
            return false;
    }
    ag_strbuf_append(out, "layout");
    for (size_t at = sizeof header; at < size; at += sizeof element) {
        memcpy(&element, blob + at, sizeof element);
        const struct ag_host_format *format = ag_dxgi_format(element.dxgi_format);
        ag_strbuf_printf(out, " %s%u ", name_of_hash(element.semantic_name_hash),
                         (unsigned)element.semantic_index);
        /* A format name that starts with a digit would be read as a number. */
        if (format != NULL && !(format->name[0] >= '0' && format->name[0] <= '9'))
            ag_strbuf_append(out, format->name);
        else
            ag_strbuf_printf(out, "%u", (unsigned)element.dxgi_format);
        ag_strbuf_printf(out, " slot=%u", (unsigned)element.input_slot);
        if (element.aligned_byte_offset == AG_INPUT_LAYOUT_APPEND)
            ag_strbuf_append(out, " offset=append");
        else
            ag_strbuf_printf(out, " offset=%u", (unsigned)element.aligned_byte_offset);
        if (element.input_slot_class != 0)
            ag_strbuf_printf(out, " slot_class=%u", (unsigned)element.input_slot_class);
        if (element.instance_data_step_rate != 0)
            ag_strbuf_printf(out, " step_rate=%u", (unsigned)element.instance_data_step_rate);
    }
    return true;
}
