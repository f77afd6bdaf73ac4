/* SPDX-License-Identifier: MIT
 *
 * What values of the text form mean: numbers, floats, names, scalar types; and how numbers are printed.
 */
#ifndef AGPU_ABI_TEXT_VALUE_H
#define AGPU_ABI_TEXT_VALUE_H

#include "abi/packet.h"
#include "abi/text_lexer.h"
#include "base/strbuf.h"

/* A non-negative integer up to `limit` of a number value: decimal, or 0xHEX. False when the value is anything
 * else; nothing is reported, here and below. */
bool agpu_text_unsigned(const struct agpu_text_value *value, uint64_t limit, uint64_t *number);

/* The bits of a float: a decimal number that a single can hold, an integer, or f32:HEX. */
bool agpu_text_float(const struct agpu_text_value *value, uint32_t *bits);

/* A decimal number as a double; f32:HEX too. */
bool agpu_text_double(const struct agpu_text_value *value, double *number);

/* The 32-bit value of NAME{|NAME} in a set; numbers are accepted as parts, several parts only in flags. */
bool agpu_text_names(const struct agpu_text_value *value, const struct agpu_name_set *set, uint32_t *number);

/* The types of data and of expectations. */
enum agpu_text_scalar {
    AGPU_TEXT_U8,
    AGPU_TEXT_U16,
    AGPU_TEXT_U32,
    AGPU_TEXT_I32,
    AGPU_TEXT_F16,
    AGPU_TEXT_F32,
    AGPU_TEXT_SCALAR_COUNT
};

/* The scalar that a word names, or AGPU_TEXT_SCALAR_COUNT. */
enum agpu_text_scalar agpu_text_scalar_from_word(const struct agpu_text_item *item);
const char *agpu_text_scalar_name(enum agpu_text_scalar scalar);
size_t agpu_text_scalar_bytes(enum agpu_text_scalar scalar);

/* The little-endian bits of a value as a scalar; false when it does not fit the type. */
bool agpu_text_scalar_bits(enum agpu_text_scalar scalar, const struct agpu_text_value *value, uint32_t *bits);

/* IEEE half from single, to nearest even, and back. */
uint16_t agpu_text_half_from_float(float value);
float agpu_text_float_from_half(uint16_t half);

/* Hexadecimal bytes, two digits each, of a number or word as written (a leading "hex" is allowed); they are
 * appended to `bytes`. False for anything else. */
bool agpu_text_hex_bytes(const struct agpu_text_value *value, struct agpu_strbuf *bytes);

/* Printing. */
void agpu_text_print_float(struct agpu_strbuf *out, uint32_t bits);
void agpu_text_print_names(struct agpu_strbuf *out, const struct agpu_name_set *set, uint32_t value);
void agpu_text_print_string(struct agpu_strbuf *out, const uint8_t *text, size_t length);
void agpu_text_print_hex(struct agpu_strbuf *out, const uint8_t *bytes, size_t size);

#endif
