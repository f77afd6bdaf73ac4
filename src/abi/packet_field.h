/* SPDX-License-Identifier: MIT
 *
 * Macros for the tables of packets, fields and symbolic values.
 */
#ifndef AG_ABI_PACKET_FIELD_H
#define AG_ABI_PACKET_FIELD_H

#include "abi/packet_names.h"
#include "base/bytes.h"

/* clang-format off */
#define NAME(prefix, suffix) {#suffix, AEROGPU_##prefix##_##suffix}
#define VALUES(array)        {.values = array, .count = AG_COUNT_OF(array), .flags = false}
#define FLAGS(array)         {.values = array, .count = AG_COUNT_OF(array), .flags = true}

/* The module for browsers executes packets and has no text form: its table leaves out the words. */
#ifdef AG_PACKETS_WITHOUT_TEXT
#define WORDS_OF(member, set) NULL, NULL
#else
#define WORDS_OF(member, set) #member, set
#endif
#define FIELD_ROW(type, member, kind, length, set, info, its_role, its_object, its_state)                    \
    {WORDS_OF(member, set), info, offsetof(struct type, member), AG_FIELD_##kind, length,                    \
     AG_ROLE_##its_role, AG_OBJECT_##its_object, AG_STATE_##its_state}

/* Numbers. Handles are none: they have a role, and no row without one compiles. */
#define NUMBER_U8 U8
#define NUMBER_U32 U32
#define NUMBER_I32 I32
#define NUMBER_U64 U64
#define NUMBER_F32 F32
#define NUMBER_ROW(...) FIELD_ROW(__VA_ARGS__)
#define FIELD(type, member, kind)                                                                            \
    NUMBER_ROW(type, member, NUMBER_##kind, 1, NULL, NULL, NONE, NONE, NONE)
#define NAMED(type, member, kind, set)                                                                       \
    NUMBER_ROW(type, member, NUMBER_##kind, 1, &ag_names_##set, NULL, NONE, NONE, NONE)
#define ARRAY(type, member, kind, length)                                                                    \
    NUMBER_ROW(type, member, NUMBER_##kind, length, NULL, NULL, NONE, NONE, NONE)
#define NESTED(type, member, info) FIELD_ROW(type, member, STRUCT, 1, NULL, &info, NONE, NONE, NONE)

/* Numbers that say something about what the packet does. */
#define ROLE(type, member, role) FIELD_ROW(type, member, U32, 1, NULL, NULL, role, NONE, NONE)
#define NAMED_ROLE(type, member, set, role) FIELD_ROW(type, member, U32, 1, &ag_names_##set, NULL, role, NONE, NONE)
#define SLOT(type, member, state) FIELD_ROW(type, member, U32, 1, NULL, NULL, SLOT, NONE, state)
#define COUNT(type, member, state) FIELD_ROW(type, member, U32, 1, NULL, NULL, COUNT, NONE, state)

/* Names of objects. */
#define HANDLE(type, member, role, object) FIELD_ROW(type, member, HANDLE, 1, NULL, NULL, role, object, NONE)
#define BINDS(type, member, object, state) FIELD_ROW(type, member, HANDLE, 1, NULL, NULL, BINDS, object, state)
#define BINDS_ARRAY(type, member, object, state, length)                                                     \
    FIELD_ROW(type, member, HANDLE, length, NULL, NULL, BINDS, object, state)
#define TOKEN(type, member, role) FIELD_ROW(type, member, U64, 1, NULL, NULL, role, TOKEN, NONE)
#define ALLOCATION(type, member, role) FIELD_ROW(type, member, U32, 1, NULL, NULL, role, ALLOCATION, NONE)
#define STRUCT_INFO(type, array) {array, AG_COUNT_OF(array), sizeof(struct type)}
/* clang-format on */

#endif
