/* SPDX-License-Identifier: MIT */
#include "dxbc/signature_write.h"

#include <string.h>

#include "base/bytes.h"
#include "dxbc/signature.h"

#define FILLER 0xab

static void put_u32(struct agpu_strbuf *out, uint32_t value)
{
    agpu_strbuf_append_bytes(out, &value, sizeof value);
}

static bool is_first_use(const struct agpu_signature *signature, uint32_t element)
{
    for (uint32_t i = 0; i < element; i++)
        if (strcmp(signature->elements[i].semantic_name, signature->elements[element].semantic_name) == 0)
            return false;
    return true;
}

/* The place of a name in the pool: names are kept once, in order of first use. */
static uint32_t name_offset(const struct agpu_signature *signature, uint32_t element)
{
    const char *name = signature->elements[element].semantic_name;
    size_t offset = 0;
    for (uint32_t i = 0; strcmp(signature->elements[i].semantic_name, name) != 0; i++)
        if (is_first_use(signature, i))
            offset += strlen(signature->elements[i].semantic_name) + 1;
    return (uint32_t)offset;
}

static void put_element(struct agpu_strbuf *out, const struct agpu_signature_layout *layout,
                        const struct agpu_signature_element *element, uint32_t name)
{
    if (layout->has_stream)
        put_u32(out, element->stream);
    put_u32(out, name);
    put_u32(out, element->semantic_index);
    put_u32(out, element->system_value);
    put_u32(out, element->component_type);
    put_u32(out, element->register_index);
    put_u32(out, element->mask | (uint32_t)element->rw_mask << 8);
    if (layout->has_min_precision)
        put_u32(out, element->min_precision);
}

void agpu_signature_write(struct agpu_strbuf *out, uint32_t fourcc, const struct agpu_signature *signature)
{
    const struct agpu_signature_layout *layout = agpu_signature_layout(fourcc);
    const size_t start = out->length;
    const uint32_t pool = AGPU_SIGNATURE_HEADER_BYTES + signature->count * layout->element_bytes;
    put_u32(out, signature->count);
    put_u32(out, AGPU_SIGNATURE_HEADER_BYTES);
    for (uint32_t i = 0; i < signature->count; i++)
        put_element(out, layout, &signature->elements[i], pool + name_offset(signature, i));
    for (uint32_t i = 0; i < signature->count; i++)
        if (is_first_use(signature, i))
            agpu_strbuf_append_bytes(out, signature->elements[i].semantic_name,
                                     strlen(signature->elements[i].semantic_name) + 1);
    while ((out->length - start) % 4 != 0 && !out->failed)
        agpu_strbuf_append_char(out, (char)FILLER);
}
