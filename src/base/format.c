/* SPDX-License-Identifier: MIT
 *
 * The formatter behind ag_format().
 */
#include "base/format.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#define LONGEST_NUMBER 32 /* with the zeros in front of it */

struct target {
    char *at, *end; /* `end` leaves space for the NUL */
    size_t length;  /* of all the text, with what has no space */
};

/* What stands between the percent sign and the letter of a directive. */
struct directive {
    bool is_left, has_zeros;
    int width, precision; /* precision: negative if there is none */
    char size;            /* 'l' for long, 'L' for long long, 'z' for size_t; 0 for int */
};

/* Writes the digits of a number in front of `end`, and returns where they begin. */
static char *write_decimal(uint64_t value, char *end)
{
    do
        *--end = (char)('0' + value % 10);
    while ((value /= 10) != 0);
    return end;
}

static char *write_hexadecimal(uint64_t value, const char *digits, char *end)
{
    do
        *--end = digits[value & 15];
    while ((value >>= 4) != 0);
    return end;
}

size_t ag_unsigned_text(uint32_t value, char text[AG_UNSIGNED_TEXT_BYTES])
{
    char room[AG_UNSIGNED_TEXT_BYTES], *const end = room + sizeof room;
    const char *const start = write_decimal(value, end);
    const size_t length = (size_t)(end - start);
    memcpy(text, start, length);
    return length;
}

static inline void put(struct target *target, const char *text, size_t length)
{
    const size_t space = (size_t)(target->end - target->at), written = length < space ? length : space;
    memcpy(target->at, text, written);
    target->at += written;
    target->length += length;
}

static void put_repeated(struct target *target, char c, int count)
{
    for (; count > 0; count--)
        put(target, &c, 1);
}

static void put_padded(struct target *target, const struct directive *directive, const char *text,
                       size_t length)
{
    const int padding = (size_t)directive->width > length ? directive->width - (int)length : 0;
    if (!directive->is_left)
        put_repeated(target, ' ', padding);
    put(target, text, length);
    if (directive->is_left)
        put_repeated(target, ' ', padding);
}

static void put_text(struct target *target, const struct directive *directive, const char *text)
{
    const char *const end =
        directive->precision >= 0 ? memchr(text, '\0', (size_t)directive->precision) : NULL;
    const size_t length = end != NULL                 ? (size_t)(end - text)
                          : directive->precision >= 0 ? (size_t)directive->precision
                                                      : strlen(text);
    put_padded(target, directive, text, length);
}

static void put_integer(struct target *target, const struct directive *directive, uint64_t value,
                        bool is_negative, char letter)
{
    char text[LONGEST_NUMBER + 1], *const end = text + sizeof text;
    char *start = letter == 'x'   ? write_hexadecimal(value, "0123456789abcdef", end)
                  : letter == 'X' ? write_hexadecimal(value, "0123456789ABCDEF", end)
                                  : write_decimal(value, end);
    const int digits_width = directive->width - is_negative;
    while (directive->has_zeros && end - start < digits_width && start > text + 1)
        *--start = '0';
    if (is_negative)
        *--start = '-';
    put_padded(target, directive, start, (size_t)(end - start));
}

static int64_t signed_argument(char size, va_list *arguments)
{
    return size == 'L'   ? va_arg(*arguments, long long)
           : size == 'l' ? va_arg(*arguments, long)
           : size == 'z' ? (int64_t)va_arg(*arguments, size_t)
                         : va_arg(*arguments, int);
}

static uint64_t unsigned_argument(char size, va_list *arguments)
{
    return size == 'L'   ? va_arg(*arguments, unsigned long long)
           : size == 'l' ? va_arg(*arguments, unsigned long)
           : size == 'z' ? va_arg(*arguments, size_t)
                         : va_arg(*arguments, unsigned);
}

static int read_number(const char **format, va_list *arguments)
{
    int number = 0;
    if (**format == '*') {
        ++*format;
        return va_arg(*arguments, int);
    }
    for (; **format >= '0' && **format <= '9'; ++*format)
        number = number * 10 + (**format - '0');
    return number;
}

static struct directive read_directive(const char **format, va_list *arguments)
{
    struct directive directive = {.precision = -1};
    for (; **format == '-' || **format == '0'; ++*format) {
        directive.is_left |= **format == '-';
        directive.has_zeros |= **format == '0';
    }
    directive.width = read_number(format, arguments);
    if (**format == '.') {
        ++*format;
        directive.precision = read_number(format, arguments);
    }
    for (; **format == 'l' || **format == 'z'; ++*format)
        directive.size = directive.size == 'l' ? 'L' : **format;
    return directive;
}

static void put_directive(struct target *target, const struct directive *directive, char letter,
                          va_list *arguments)
{
    if (letter == 's') {
        put_text(target, directive, va_arg(*arguments, const char *));
    } else if (letter == 'u' || letter == 'x' || letter == 'X') {
        put_integer(target, directive, unsigned_argument(directive->size, arguments), false, letter);
    } else if (letter == 'd') {
        const int64_t value = signed_argument(directive->size, arguments);
        put_integer(target, directive, value < 0 ? 0 - (uint64_t)value : (uint64_t)value, value < 0, letter);
    } else if (letter == 'c') {
        const char c = (char)va_arg(*arguments, int);
        put_padded(target, directive, &c, 1);
    } else {
        assert(letter == '%');
        put(target, "%", 1);
    }
}

/* Most directives are a letter alone; false when this one is none of those. */
static bool put_plain(struct target *target, char letter, va_list *arguments)
{
    char digits[LONGEST_NUMBER], *const end = digits + sizeof digits;
    if (letter == 's') {
        const char *const text = va_arg(*arguments, const char *);
        put(target, text, strlen(text));
    } else if (letter == 'u') {
        const char *const start = write_decimal(va_arg(*arguments, unsigned), end);
        put(target, start, (size_t)(end - start));
    } else {
        return false;
    }
    return true;
}

size_t ag_format(char *out, size_t size, const char *format, va_list arguments)
{
    char none;
    struct target target =
        size != 0 ? (struct target){out, out + size - 1, 0} : (struct target){&none, &none, 0};
    va_list rest;
    va_copy(rest, arguments);
    for (;;) {
        const char *const plain = format;
        while (*format != '\0' && *format != '%')
            format++;
        put(&target, plain, (size_t)(format - plain));
        if (*format == '\0')
            break;
        format++;
        if (put_plain(&target, *format, &rest)) {
            format++;
            continue;
        }
        const struct directive directive = read_directive(&format, &rest);
        put_directive(&target, &directive, *format++, &rest);
    }
    va_end(rest);
    *target.at = '\0';
    return target.length;
}

size_t ag_text_format(char *out, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const size_t length = ag_format(out, size, format, arguments);
    va_end(arguments);
    return length;
}
