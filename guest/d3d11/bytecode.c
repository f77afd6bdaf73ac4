/* SPDX-License-Identifier: MIT */
#include "guest/d3d11/bytecode.h"

#include <string.h>

#define TAG(a, b, c, d) ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)
#define HEADER_BYTES 32u
#define CHUNK_HEADER_BYTES 8u
#define MOST_CHUNKS 64u

uint32_t rt_bytecode_u16(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8;
}

uint32_t rt_bytecode_u32(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

struct chunk {
    const uint8_t *bytes;
    uint32_t size;
};

static bool find_chunk(const struct rt_bytecode *code, uint32_t tag, struct chunk *chunk)
{
    const uint32_t count = rt_bytecode_u32(code->bytes + 28);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t at = rt_bytecode_u32(code->bytes + HEADER_BYTES + (size_t)i * 4);
        if (at > code->size - CHUNK_HEADER_BYTES || rt_bytecode_u32(code->bytes + at) != tag)
            continue;
        chunk->size = rt_bytecode_u32(code->bytes + at + 4);
        chunk->bytes = code->bytes + at + CHUNK_HEADER_BYTES;
        return chunk->size <= code->size - CHUNK_HEADER_BYTES - at;
    }
    return false;
}

bool rt_bytecode_open(struct rt_bytecode *code, const void *bytes, size_t size)
{
    struct chunk chunk;
    uint32_t version;
    *code = (struct rt_bytecode){.bytes = bytes};
    if (!bytes || size < HEADER_BYTES || size > INT32_MAX ||
        rt_bytecode_u32(code->bytes) != TAG('D', 'X', 'B', 'C'))
        return false;
    code->size = rt_bytecode_u32(code->bytes + 24);
    if (code->size > size || code->size < HEADER_BYTES || rt_bytecode_u32(code->bytes + 28) > MOST_CHUNKS ||
        rt_bytecode_u32(code->bytes + 28) * 4 > code->size - HEADER_BYTES)
        return false;
    if (!find_chunk(code, TAG('S', 'H', 'E', 'X'), &chunk) &&
        !find_chunk(code, TAG('S', 'H', 'D', 'R'), &chunk))
        return false;
    if (chunk.size < 8)
        return false;
    version = rt_bytecode_u32(chunk.bytes);
    code->program = version >> 16;
    code->major = version >> 4 & 0xf;
    code->minor = version & 0xf;
    return code->major == 4 || code->major == 5;
}

/* The chunks that can hold a signature, and the fields of their elements. */
struct signature_form {
    uint32_t tag;
    uint8_t kind;
    uint8_t stride;
    uint8_t stream_at; /* plus 1; 0: no streams */
    uint8_t name_at;   /* where the common fields begin */
};

static const struct signature_form forms[] = {
    {TAG('I', 'S', 'G', 'N'), RT_SIGNATURE_INPUT,  24, 0, 0},
    {TAG('I', 'S', 'G', '1'), RT_SIGNATURE_INPUT,  32, 1, 4},
    {TAG('O', 'S', 'G', 'N'), RT_SIGNATURE_OUTPUT, 24, 0, 0},
    {TAG('O', 'S', 'G', '5'), RT_SIGNATURE_OUTPUT, 28, 1, 4},
    {TAG('O', 'S', 'G', '1'), RT_SIGNATURE_OUTPUT, 32, 1, 4},
};

static const struct signature_form *find_signature(const struct rt_bytecode *code,
                                                   enum rt_signature_kind kind, struct chunk *chunk)
{
    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
        if (forms[i].kind == kind && find_chunk(code, forms[i].tag, chunk) && chunk->size >= 8)
            return &forms[i];
    return NULL;
}

uint32_t rt_bytecode_element_count(const struct rt_bytecode *code, enum rt_signature_kind kind)
{
    struct chunk chunk;
    return find_signature(code, kind, &chunk) ? rt_bytecode_u32(chunk.bytes) : 0;
}

bool rt_bytecode_element(const struct rt_bytecode *code, enum rt_signature_kind kind, uint32_t index,
                         struct rt_signature_element *element)
{
    struct chunk chunk;
    const struct signature_form *form = find_signature(code, kind, &chunk);
    const uint8_t *fields;
    uint64_t at;
    uint32_t name;
    if (!form)
        return false;
    at = rt_bytecode_u32(chunk.bytes + 4) + (uint64_t)index * form->stride;
    if (at + form->stride > chunk.size)
        return false;
    fields = chunk.bytes + at + form->name_at;
    name = rt_bytecode_u32(fields);
    if (name >= chunk.size || !memchr(chunk.bytes + name, 0, chunk.size - name))
        return false;
    *element = (struct rt_signature_element){
        .semantic = (const char *)chunk.bytes + name,
        .semantic_index = rt_bytecode_u32(fields + 4),
        .system_value = rt_bytecode_u32(fields + 8),
        .component_type = rt_bytecode_u32(fields + 12),
        .register_index = rt_bytecode_u32(fields + 16),
        .mask = fields[20],
        .stream = form->stream_at ? rt_bytecode_u32(chunk.bytes + at + form->stream_at - 1) : 0,
    };
    return true;
}

bool rt_bytecode_linkage(const struct rt_bytecode *code, const uint8_t **bytes, uint32_t *size)
{
    struct chunk chunk;
    if (!find_chunk(code, TAG('I', 'F', 'C', 'E'), &chunk))
        return false;
    *bytes = chunk.bytes;
    *size = chunk.size;
    return true;
}

static unsigned char lower(char c)
{
    return (unsigned char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

bool rt_semantics_equal(const char *a, const char *b)
{
    while (*a && lower(*a) == lower(*b)) {
        a++;
        b++;
    }
    return lower(*a) == lower(*b);
}
