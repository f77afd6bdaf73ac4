/* SPDX-License-Identifier: MIT
 *
 * The meaning of values in the text form (numbers, floats, names, scalar types), and how numbers are printed.
 * The functions that read a value return false when it is something else; they do not report.
 */
#ifndef AG_ABI_TEXT_VALUE_H
#define AG_ABI_TEXT_VALUE_H

#include "abi/packet.h"
#include "abi/text_lexer.h"
#include "base/strbuf.h"

/* Reads a non-negative integer up to `limit`: decimal, or 0xHEX. */
bool ag_text_unsigned(const struct ag_text_value *value, uint64_t limit, uint64_t *number);

/* Reads the bits of a float: a decimal number in the range of f32, an integer, or f32:HEX. */
bool ag_text_float(const struct ag_text_value *value, uint32_t *bits);

/* Reads a decimal number or f32:HEX as a double. */
bool ag_text_double(const struct ag_text_value *value, double *number);

/* Reads the 32-bit value of NAME{|NAME} in a set. Numbers may stand for names; several parts are allowed in
 * flags only. */
bool ag_text_names(const struct ag_text_value *value, const struct ag_name_set *set, uint32_t *number);

/* The scalar types of data and of expectations. */
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

/* Reads a value as the little-endian bits of a scalar; false when it does not fit the type. */
bool ag_text_scalar_bits(enum ag_text_scalar scalar, const struct ag_text_value *value, uint32_t *bits);

/* Conversion between IEEE half and single; to half it rounds to nearest even. */
uint16_t ag_text_half_from_float(float value);
float ag_text_float_from_half(uint16_t half);

/* Reads hexadecimal bytes, two digits each, as written in a number or word (a leading "hex" is allowed), and
 * appends them to `bytes`. */
bool ag_text_hex_bytes(const struct ag_text_value *value, struct ag_strbuf *bytes);

/* Printing. */
void ag_text_print_float(struct ag_strbuf *out, uint32_t bits);
void ag_text_print_names(struct ag_strbuf *out, const struct ag_name_set *set, uint32_t value);
void ag_text_print_string(struct ag_strbuf *out, const uint8_t *text, size_t length);
void ag_text_print_hex(struct ag_strbuf *out, const uint8_t *bytes, size_t size);

#endif
