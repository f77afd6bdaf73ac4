/* SPDX-License-Identifier: MIT
 *
 * The one table of packets: what the reader checks, the writer fills, the text form prints, the fuzzer makes,
 * and captures are trimmed by. A row describes the fixed struct field by field, the payload behind it, and
 * what the packet does (packet_effect.h). packet_list.h has the rows.
 */
#ifndef AG_ABI_PACKET_H
#define AG_ABI_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/packet_effect.h"

/* Opcodes of the extension live in their own range; hosts without it skip them. */
#define AG_OPCODE_EXTENSION AEROGPU_EXT_OPCODE_BASE

enum ag_field_type {
    AG_FIELD_U8,
    AG_FIELD_U32,
    AG_FIELD_I32,
    AG_FIELD_U64,
    AG_FIELD_F32,    /* IEEE single bits in a u32 */
    AG_FIELD_HANDLE, /* u32 */
    AG_FIELD_STRUCT, /* nested: `nested` describes it */
};

/* Symbolic values of a field: an enumeration or a set of flags, which has no entry for 0. Names are the ABI's
 * without their common prefix: AEROGPU_FORMAT_B8G8R8A8_UNORM is B8G8R8A8_UNORM. */
struct ag_name_value {
    const char *name;
    uint32_t value;
};
struct ag_name_set {
    const struct ag_name_value *values;
    uint32_t count;
    bool flags;         /* values combine with | */
    bool formats;       /* the format table has more: R8G8B8A8_UNORM, and DXGI_R8_UNORM of the extension */
    bool input_formats; /* R8_UNORM and the like are DXGI's numbers, DXGI_R8_UNORM is the extension's */
};

struct ag_struct_info;

struct ag_field_info {
    const char *name;                    /* as in the ABI header */
    const struct ag_name_set *names;     /* null: plain number */
    const struct ag_struct_info *nested; /* AG_FIELD_STRUCT only */
    uint16_t offset;                     /* from the packet's (or nested struct's) first byte */
    uint8_t type;                        /* enum ag_field_type */
    uint8_t count;                       /* array length; 1 for plain fields */
    uint8_t role;   /* enum ag_role: handles have one, and other fields that name something */
    uint8_t object; /* enum ag_object: what it names */
    uint8_t state;  /* enum ag_state: what it is bound to */
};

struct ag_struct_info {
    const struct ag_field_info *fields;
    uint16_t field_count;
    uint16_t size;
};

enum ag_payload_kind {
    AG_PAYLOAD_NONE,
    AG_PAYLOAD_BYTES, /* `count_offset` holds the byte count (u32, or u64 for uploads); padded to 4 */
    AG_PAYLOAD_ARRAY, /* `count_offset` holds the element count (u32); elements are `element` structs */
    AG_PAYLOAD_WORDS, /* count (u32) * words_per_count plain 32-bit words as `word` says */
    AG_PAYLOAD_TEXT,  /* everything after the header; trailing zeros are padding */
    AG_PAYLOAD_ANY,   /* everything after the header, meaning nothing (NOP) */
};

struct ag_payload_info {
    uint8_t kind; /* enum ag_payload_kind */
    uint8_t words_per_count;
    bool count_is_u64;
    bool packets; /* the bytes are packets: a block in the text form */
    uint16_t count_offset;
    const char *field_name; /* the text form's name of a trailing array: "bindings", "samplers", "data" */
    const struct ag_field_info *word;
    const struct ag_struct_info *element;
};

struct agpu_packet_info {
    uint32_t opcode;
    uint32_t row;     /* of the table */
    const char *name; /* without AEROGPU_CMD_ */
    uint8_t minor;    /* of the ABI version that added it */
    bool immediate;   /* of the device or an immediate context: not in command lists */
    bool predicated;  /* not done while a predicate says so */
    bool at_once;     /* an upload that changes contents when it is executed, not when they are used */
    uint32_t effects; /* set of enum ag_effect, never empty */
    uint32_t sets,
        replaces; /* sets of AG_STATE_BIT(): what it sets; of these, what is unbound where it names nothing */
    const struct ag_kept_states *keeps; /* by the flags in the field with AG_ROLE_KEEPS */
    uint8_t keep_count;
    uint8_t stage_ex_offset;     /* byte offset of the reserved0 word that is a stage_ex, or 0 */
    uint8_t stage_offset;        /* byte offset of the stage word it belongs to, or 0 (DISPATCH has none) */
    struct ag_struct_info fixed; /* fields after the header */
    uint16_t extended_size;      /* BIND_SHADERS: size of the longer form whose extra fields follow */
    const struct ag_struct_info *extended;
    struct ag_payload_info payload;
};

/* Where rows are, by their opcodes: the extension or not, the group of opcodes, the number in the group. */
#define AG_PACKET_GROUPS 8
#define AG_GROUP_PACKETS 128
#define AG_PACKET_PLACE(places, opcode)                                                                      \
    places[(opcode) >= AG_OPCODE_EXTENSION][(opcode) >> 8 & (AG_PACKET_GROUPS - 1)]                          \
          [(opcode) & (AG_GROUP_PACKETS - 1)]
extern const struct agpu_packet_info ag_packet_rows[];
extern const uint8_t ag_packet_places[2][AG_PACKET_GROUPS][AG_GROUP_PACKETS];

/* The row of an opcode, or null when the opcode is unknown. */
static inline const struct agpu_packet_info *ag_packet_info(uint32_t opcode)
{
    const struct agpu_packet_info *info = &ag_packet_rows[AG_PACKET_PLACE(ag_packet_places, opcode)];
    return info->opcode == opcode ? info : NULL;
}

const struct agpu_packet_info *ag_packet_info_by_name(const char *name, size_t length);

/* What a packet changes: AG_STATE_BIT() for states, and AG_CHANGES_CONTENTS. AG_CHANGES_ALL, unless the
 * columns of the packet say that it is less. What a draw itself writes is not told. */
uint32_t ag_packet_changes(const struct agpu_packet_info *info);

/* All rows, ascending by opcode. */
const struct agpu_packet_info *ag_packet_table(size_t *count);

#endif
