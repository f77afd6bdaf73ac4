/* SPDX-License-Identifier: MIT
 *
 * What values of the text form mean: numbers, floats, names, scalar types; and how numbers are printed.
 */
#ifndef AG_ABI_TEXT_VALUE_H
#define AG_ABI_TEXT_VALUE_H

#include "abi/packet.h"
#include "abi/text_lexer.h"
#include "base/strbuf.h"

/* A non-negative integer up to `limit` of a number value: decimal, or 0xHEX. False when the value is anything
 * else; nothing is reported, here and below. */
bool ag_text_unsigned(const struct ag_text_value *value, uint64_t limit, uint64_t *number);

/* The bits of a float: a decimal number that a single can hold, an integer, or f32:HEX. */
bool ag_text_float(const struct ag_text_value *value, uint32_t *bits);

/* A decimal number as a double; f32:HEX too. */
bool ag_text_double(const struct ag_text_value *value, double *number);

/* The 32-bit value of NAME{|NAME} in a set; numbers are accepted as parts, several parts only in flags. */
bool ag_text_names(const struct ag_text_value *value, const struct ag_name_set *set, uint32_t *number);

/* The types of data and of expectations. */
enum ag_text_scalar {
    AG_TEXT_U8,
    AG_TEXT_U16,
    AG_TEXT_U32,
    AG_TEXT_I32,
    AG_TEXT_F16,
    AG_TEXT_F32,
    AG_TEXT_SCALAR_COUNT
};

/* The scalar that a word names, or AG_TEXT_SCALAR_COUNT. */
enum ag_text_scalar ag_text_scalar_from_word(const struct ag_text_item *item);
const char *ag_text_scalar_name(enum ag_text_scalar scalar);
size_t ag_text_scalar_bytes(enum ag_text_scalar scalar);

/* The little-endian bits of a value as a scalar; false when it does not fit the type. */
bool ag_text_scalar_bits(enum ag_text_scalar scalar, const struct ag_text_value *value, uint32_t *bits);

/* Hexadecimal bytes, two digits each, of a number or word as written (a leading "hex" is allowed); they are
 * appended to `bytes`. False for anything else. */
bool ag_text_hex_bytes(const struct ag_text_value *value, struct ag_strbuf *bytes);

/* Printing. */
void ag_text_print_float(struct ag_strbuf *out, uint32_t bits);
void ag_text_print_names(struct ag_strbuf *out, const struct ag_name_set *set, uint32_t value);
void ag_text_print_string(struct ag_strbuf *out, const uint8_t *text, size_t length);
void ag_text_print_hex(struct ag_strbuf *out, const uint8_t *bytes, size_t size);

#endif
