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

#define FIELD(type, member, kind)                                                                            \
    {#member, offsetof(struct type, member), AG_FIELD_##kind, 1, NULL, NULL}
#define NAMED(type, member, kind, set)                                                                       \
    {#member, offsetof(struct type, member), AG_FIELD_##kind, 1, &ag_names_##set, NULL}
#define ARRAY(type, member, kind, length)                                                                    \
    {#member, offsetof(struct type, member), AG_FIELD_##kind, length, NULL, NULL}
#define NESTED(type, member, info)                                                                           \
    {#member, offsetof(struct type, member), AG_FIELD_STRUCT, 1, NULL, &info}
#define STRUCT_INFO(type, array) {array, AG_COUNT_OF(array), sizeof(struct type)}
/* clang-format on */

#endif
