/* SPDX-License-Identifier: MIT
 *
 * Writes signature chunks.
 */
#include "dxbc/signature_write.h"

#include <string.h>

#include "base/bytes.h"
#include "dxbc/signature.h"

#define FILLER 0xab

static void put_u32(struct ag_strbuf *out, uint32_t value)
{
    ag_strbuf_append_bytes(out, &value, sizeof value);
}

/* The first element with the same name: a name is stored once, in order of first use. */
static uint32_t first_use(const struct agpu_signature *signature, uint32_t element)
{
    uint32_t i = 0;
    while (strcmp(signature->elements[i].semantic_name, signature->elements[element].semantic_name) != 0)
        i++;
    return i;
}

static void put_element(struct ag_strbuf *out, const struct ag_signature_layout *layout,
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

void ag_signature_write(struct ag_strbuf *out, uint32_t fourcc, const struct agpu_signature *signature)
{
    const struct ag_signature_layout *layout = ag_signature_layout(fourcc);
    const size_t start = out->length;
    const uint32_t pool = AG_SIGNATURE_HEADER_BYTES + signature->count * layout->element_bytes;
    put_u32(out, signature->count);
    put_u32(out, AG_SIGNATURE_HEADER_BYTES);
    uint32_t names[AG_SIGNATURE_MAX_ELEMENTS];
    uint32_t next_name = pool;
    for (uint32_t i = 0; i < signature->count; i++) {
        const uint32_t first = first_use(signature, i);
        names[i] = first < i ? names[first] : next_name;
        if (first == i)
            next_name += (uint32_t)strlen(signature->elements[i].semantic_name) + 1;
        put_element(out, layout, &signature->elements[i], names[i]);
    }
    for (uint32_t i = 0; i < signature->count; i++)
        if (first_use(signature, i) == i)
            ag_strbuf_append_bytes(out, signature->elements[i].semantic_name,
                                   strlen(signature->elements[i].semantic_name) + 1);
    while ((out->length - start) % 4 != 0 && !out->failed)
        ag_strbuf_append_char(out, (char)FILLER);
}
