/* SPDX-License-Identifier: MIT
 *
 * Conversion of values of the text form, and printing of numbers.
 */
#include "abi/text_value.h"

#include <math.h>
#include <string.h>

#include "aerogpu/abi/pci.h"
#include "base/bytes.h"
#include "base/half.h"
#include "base/number.h"
#include "format/format.h"

static bool parse_bits(const char *text, size_t length, uint32_t *bits)
{
    if (length < 5 || length > 12 || memcmp(text, "f32:", 4) != 0)
        return false;
    uint32_t total = 0;
    for (size_t i = 4; i < length; i++) {
        const int digit = ag_text_hex_digit(text[i]);
        if (digit < 0)
            return false;
        total = total << 4 | (uint32_t)digit;
    }
    *bits = total;
    return true;
}

/* Reads a decimal number with a sign, or 0xHEX. `negative` is the sign of `magnitude`. */
static bool read_integer(const struct ag_text_value *value, uint64_t *magnitude, bool *negative)
{
    if (value->kind != AG_TEXT_NUMBER || value->length == 0)
        return false;
    const bool sign = value->text[0] == '-' || value->text[0] == '+';
    *negative = value->text[0] == '-';
    return ag_text_digits(value->text + sign, value->length - sign, magnitude);
}

bool ag_text_unsigned(const struct ag_text_value *value, uint64_t limit, uint64_t *number)
{
    bool negative;
    return read_integer(value, number, &negative) && (!negative || *number == 0) && *number <= limit;
}

bool ag_text_float(const struct ag_text_value *value, uint32_t *bits)
{
    if (value->kind != AG_TEXT_NUMBER)
        return false;
    if (parse_bits(value->text, value->length, bits))
        return true;
    float number;
    uint64_t integer;
    bool negative;
    if (!ag_float_from_text(value->text, value->length, &number)) {
        if (!read_integer(value, &integer, &negative))
            return false;
        number = negative ? -(float)integer : (float)integer;
    }
    *bits = ag_bits_from_float(number);
    return isfinite(number);
}

bool ag_text_double(const struct ag_text_value *value, double *number)
{
    if (value->kind == AG_TEXT_NUMBER && ag_double_from_text(value->text, value->length, number))
        return isfinite(*number);
    uint32_t bits;
    if (!ag_text_float(value, &bits))
        return false;
    *number = (double)ag_float_from_bits(bits);
    return true;
}

#define DXGI_PREFIX "DXGI_"
#define DXGI_PREFIX_LENGTH (sizeof DXGI_PREFIX - 1)

/* DXGI_ and a format of DXGI: a format of the extension. */
static bool ext_format_from_name(const char *text, size_t length, uint32_t *number)
{
    if (length <= DXGI_PREFIX_LENGTH || memcmp(text, DXGI_PREFIX, DXGI_PREFIX_LENGTH) != 0)
        return false;
    const uint32_t format = ag_dxgi_from_name(text + DXGI_PREFIX_LENGTH, length - DXGI_PREFIX_LENGTH);
    *number = AEROGPU_EXT_FORMAT(format);
    return format != AG_DXGI_UNKNOWN;
}

/* A format of the ABI, or of the extension. */
static bool format_from_name(const char *text, size_t length, uint32_t *number)
{
    *number = ag_abi_format_from_name(text, length);
    return *number != AEROGPU_FORMAT_INVALID || ext_format_from_name(text, length, number);
}

/* A format of DXGI by its plain name, or a format of the extension. */
static bool input_format_from_name(const char *text, size_t length, uint32_t *number)
{
    *number = ag_dxgi_from_name(text, length);
    return *number != AG_DXGI_UNKNOWN || ext_format_from_name(text, length, number);
}

static bool print_format(struct ag_strbuf *out, uint32_t value)
{
    const bool is_ext = AEROGPU_EXT_IS_FORMAT(value);
    const struct ag_host_format *format =
        is_ext ? ag_dxgi_format(AEROGPU_EXT_FORMAT_DXGI(value)) : ag_abi_format(value);
    if (format == NULL)
        return false;
    ag_strbuf_printf(out, "%s%s", is_ext ? DXGI_PREFIX : "", is_ext ? format->name : format->abi_name);
    return true;
}

static bool print_input_format(struct ag_strbuf *out, uint32_t value)
{
    if (AEROGPU_EXT_IS_FORMAT(value))
        return print_format(out, value);
    const struct ag_host_format *format = ag_dxgi_format(value);
    /* A name that starts with a digit would be read as a number. */
    if (format == NULL || (format->name[0] >= '0' && format->name[0] <= '9'))
        return false;
    ag_strbuf_append(out, format->name);
    return true;
}

static bool name_part(const char *text, size_t length, const struct ag_name_set *set, uint32_t *number)
{
    for (uint32_t i = 0; i < set->count; i++) {
        if (strlen(set->values[i].name) == length && memcmp(set->values[i].name, text, length) == 0) {
            *number = set->values[i].value;
            return true;
        }
    }
    uint64_t magnitude;
    if (set->formats && format_from_name(text, length, number))
        return true;
    if (set->input_formats && input_format_from_name(text, length, number))
        return true;
    if (!ag_text_digits(text, length, &magnitude) || magnitude > UINT32_MAX) {
        /* Flag sets have no name for 0, but the ABI calls an empty set NONE everywhere. */
        *number = 0;
        return set->flags && length == 4 && memcmp(text, "NONE", 4) == 0;
    }
    *number = (uint32_t)magnitude;
    return true;
}

bool ag_text_names(const struct ag_text_value *value, const struct ag_name_set *set, uint32_t *number)
{
    if (value->kind != AG_TEXT_NUMBER && value->kind != AG_TEXT_WORD)
        return false;
    const char *text = value->text, *end = text + value->length;
    uint32_t total = 0;
    for (;;) {
        const char *bar = memchr(text, '|', (size_t)(end - text));
        uint32_t part;
        if ((bar != NULL && !set->flags) ||
            !name_part(text, (size_t)((bar != NULL ? bar : end) - text), set, &part))
            return false;
        total |= part;
        if (bar == NULL)
            break;
        text = bar + 1;
    }
    *number = total;
    return true;
}

/* ---- Scalars ------------------------------------------------------------------------------------------- */

struct scalar_info {
    const char *name;
    uint8_t bytes;
};

/* clang-format off */
static const struct scalar_info scalar_table[AG_TEXT_SCALAR_COUNT] = {
    [AG_TEXT_U8]  = {"u8", 1},
    [AG_TEXT_U16] = {"u16", 2},
    [AG_TEXT_U32] = {"u32", 4},
    [AG_TEXT_I32] = {"i32", 4},
    [AG_TEXT_F16] = {"f16", 2},
    [AG_TEXT_F32] = {"f32", 4},
};
/* clang-format on */

enum ag_text_scalar ag_text_scalar_from_word(const struct ag_text_item *item)
{
    unsigned scalar = 0;
    while (scalar < AG_TEXT_SCALAR_COUNT && !ag_text_is_word(item, scalar_table[scalar].name))
        scalar++;
    return (enum ag_text_scalar)scalar;
}

const char *ag_text_scalar_name(enum ag_text_scalar scalar)
{
    return scalar_table[scalar].name;
}

size_t ag_text_scalar_bytes(enum ag_text_scalar scalar)
{
    return scalar_table[scalar].bytes;
}

static bool signed_bits(const struct ag_text_value *value, uint32_t *bits)
{
    uint64_t magnitude;
    bool negative;
    if (parse_bits(value->text, value->length, bits))
        return true;
    if (!read_integer(value, &magnitude, &negative))
        return false;
    /* A hexadecimal number is a bit pattern: 0xFFFFFFFF is -1. */
    const bool hex = value->length > 2 && (value->text[1] == 'x' || value->text[1] == 'X');
    if (magnitude > (negative ? UINT64_C(0x80000000) : hex ? UINT64_C(0xFFFFFFFF) : UINT64_C(0x7FFFFFFF)))
        return false;
    *bits = negative ? 0 - (uint32_t)magnitude : (uint32_t)magnitude;
    return true;
}

bool ag_text_scalar_bits(enum ag_text_scalar scalar, const struct ag_text_value *value, uint32_t *bits)
{
    uint64_t number;
    if (value->kind != AG_TEXT_NUMBER)
        return false;
    switch (scalar) {
    case AG_TEXT_U8:
    case AG_TEXT_U16:
        if (!ag_text_unsigned(value, scalar == AG_TEXT_U8 ? UINT8_MAX : UINT16_MAX, &number))
            return false;
        *bits = (uint32_t)number;
        return true;
    case AG_TEXT_U32:
        if (parse_bits(value->text, value->length, bits))
            return true;
        if (!ag_text_unsigned(value, UINT32_MAX, &number))
            return false;
        *bits = (uint32_t)number;
        return true;
    case AG_TEXT_I32:
        return signed_bits(value, bits);
    case AG_TEXT_F16:
        if (!ag_text_float(value, bits))
            return false;
        *bits = ag_half_from_float(ag_float_from_bits(*bits));
        return true;
    case AG_TEXT_F32:
        return ag_text_float(value, bits);
    case AG_TEXT_SCALAR_COUNT:
        break;
    }
    return false;
}

bool ag_text_hex_bytes(const struct ag_text_value *value, struct ag_strbuf *bytes)
{
    if (value->kind != AG_TEXT_NUMBER && value->kind != AG_TEXT_WORD)
        return false;
    const bool prefixed = value->length >= 3 && memcmp(value->text, "hex", 3) == 0;
    const char *text = value->text + (prefixed ? 3 : 0);
    const size_t length = value->length - (prefixed ? 3 : 0);
    if (length % 2 != 0)
        return false;
    for (size_t i = 0; i < length; i += 2) {
        const int high = ag_text_hex_digit(text[i]), low = ag_text_hex_digit(text[i + 1]);
        if (high < 0 || low < 0)
            return false;
        ag_strbuf_append_char(bytes, (char)(unsigned char)(high * 16 + low));
    }
    return true;
}

/* ---- Printing ------------------------------------------------------------------------------------------ */

void ag_text_print_float(struct ag_strbuf *out, uint32_t bits)
{
    const float value = ag_float_from_bits(bits);
    if (!isfinite(value))
        ag_strbuf_printf(out, "f32:%08X", (unsigned)bits);
    else if (bits != UINT32_C(0x80000000) && value > -1e6f && value < 1e6f && value == (float)(int32_t)value)
        ag_strbuf_printf(out, "%d", (int)value);
    else
        ag_strbuf_append_float(out, value);
}

static void print_number(struct ag_strbuf *out, uint32_t value)
{
    ag_strbuf_printf(out, value > 0xffff ? "0x%X" : "%u", (unsigned)value);
}

void ag_text_print_names(struct ag_strbuf *out, const struct ag_name_set *set, uint32_t value)
{
    uint32_t rest = value;
    for (uint32_t i = 0; i < set->count; i++) {
        if (set->flags) {
            rest &= ~set->values[i].value;
        } else if (set->values[i].value == value) {
            ag_strbuf_append(out, set->values[i].name);
            return;
        }
    }
    if (set->formats && print_format(out, value))
        return;
    if (set->input_formats && print_input_format(out, value))
        return;
    if (!set->flags || rest != 0 || value == 0) {
        print_number(out, value);
        return;
    }
    const char *separator = "";
    for (uint32_t i = 0; i < set->count; i++) {
        if ((value & set->values[i].value) == 0)
            continue;
        ag_strbuf_printf(out, "%s%s", separator, set->values[i].name);
        separator = "|";
    }
}

/* The length of the UTF-8 sequence at `text`; 0 when there is none. */
static size_t utf8_length(const uint8_t *text, size_t left)
{
    const uint8_t c = text[0];
    const size_t length = c < 0xc2 ? 0 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : c < 0xf5 ? 4 : 0;
    if (length == 0 || length > left)
        return 0;
    for (size_t i = 1; i < length; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    }
    if ((c == 0xe0 && text[1] < 0xa0) || (c == 0xed && text[1] > 0x9f) || (c == 0xf0 && text[1] < 0x90) ||
        (c == 0xf4 && text[1] > 0x8f))
        return 0;
    return length;
}

void ag_text_print_string(struct ag_strbuf *out, const uint8_t *text, size_t length)
{
    ag_strbuf_append_char(out, '"');
    for (size_t i = 0; i < length;) {
        const uint8_t c = text[i];
        const size_t sequence = c < 0x80 ? 0 : utf8_length(text + i, length - i);
        if (sequence != 0) {
            ag_strbuf_append_bytes(out, text + i, sequence);
            i += sequence;
            continue;
        }
        if (c == '"' || c == '\\')
            ag_strbuf_printf(out, "\\%c", c);
        else if (c == '\n')
            ag_strbuf_append(out, "\\n");
        else if (c >= 0x20 && c < 0x7f)
            ag_strbuf_append_char(out, (char)c);
        else
            ag_strbuf_printf(out, "\\x%02X", c);
        i++;
    }
    ag_strbuf_append_char(out, '"');
}

void ag_text_print_hex(struct ag_strbuf *out, const uint8_t *bytes, size_t size)
{
    static const char digits[] = "0123456789ABCDEF";
    char block[128];
    for (size_t at = 0; at < size;) {
        size_t filled = 0;
        for (; at < size && filled < sizeof block; at++) {
            block[filled++] = digits[bytes[at] >> 4];
            block[filled++] = digits[bytes[at] & 15];
        }
        ag_strbuf_append_bytes(out, block, filled);
    }
}
