/* SPDX-License-Identifier: MIT
 *
 * What the runtime reads of a DXBC container: its program's kind and version, and its signatures. (Spec: DXBC
 * format.)
 */
#ifndef RT_D3D11_BYTECODE_H
#define RT_D3D11_BYTECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rt_bytecode {
    const uint8_t *bytes;
    uint32_t size;
    uint32_t program;      /* as enum umd_stage numbers stages */
    uint32_t major, minor; /* shader model */
};

struct rt_signature_element {
    const char *semantic;
    uint32_t semantic_index;
    uint32_t system_value;
    uint32_t component_type;
    uint32_t register_index;
    uint32_t mask;
    uint32_t stream;
};

enum rt_signature_kind { RT_SIGNATURE_INPUT, RT_SIGNATURE_OUTPUT };

/* False if the bytes are no container with one program. The bytes are borrowed. */
bool rt_bytecode_open(struct rt_bytecode *code, const void *bytes, size_t size);

/* How many elements a signature has; 0 if there is none. */
uint32_t rt_bytecode_element_count(const struct rt_bytecode *code, enum rt_signature_kind kind);
/* False if its bytes lie outside of the chunk. */
bool rt_bytecode_element(const struct rt_bytecode *code, enum rt_signature_kind kind, uint32_t index,
                         struct rt_signature_element *element);

/* The chunk of interfaces and classes; false if there is none. */
bool rt_bytecode_linkage(const struct rt_bytecode *code, const uint8_t **bytes, uint32_t *size);

/* Little-endian numbers of the file. */
uint32_t rt_bytecode_u32(const uint8_t *at);
uint32_t rt_bytecode_u16(const uint8_t *at);

/* Whether semantic names are the same: case does not matter. */
bool rt_semantics_equal(const char *a, const char *b);

#endif
