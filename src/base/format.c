/* SPDX-License-Identifier: MIT
 *
 * The formatter behind ag_format().
 */
#include "base/format.h"

#include <stdbool.h>
#include <string.h>

struct target {
    char *at, *end; /* `end` leaves space for the NUL */
    bool failed;
};

size_t ag_unsigned_text(uint32_t value, char text[AG_UNSIGNED_TEXT_BYTES])
{
    char digits[AG_UNSIGNED_TEXT_BYTES];
    size_t count = 0;
    do
        digits[count++] = (char)('0' + value % 10);
    while ((value /= 10) != 0);
    for (size_t i = 0; i < count; i++)
        text[i] = digits[count - 1 - i];
    return count;
}

static inline void put(struct target *target, const char *text, size_t length)
{
    if ((size_t)(target->end - target->at) < length) {
        target->failed = true;
        return;
    }
    memcpy(target->at, text, length);
    target->at += length;
}

static void put_unsigned(struct target *target, uint32_t value)
{
    char text[AG_UNSIGNED_TEXT_BYTES];
    put(target, text, ag_unsigned_text(value, text));
}

static void put_hexadecimal(struct target *target, uint32_t value)
{
    char text[8];
    for (uint32_t i = 0; i < sizeof text; i++)
        text[i] = "0123456789abcdef"[value >> (28 - 4 * i) & 15];
    put(target, text, sizeof text);
}

size_t ag_format(char *out, size_t size, const char *format, va_list arguments)
{
    if (size == 0)
        return AG_FORMAT_FAILED;
    struct target target = {out, out + size - 1, false};
    while (*format != '\0' && !target.failed) {
        const char *const plain = format;
        while (*format != '\0' && *format != '%')
            format++;
        put(&target, plain, (size_t)(format - plain));
        if (*format == '\0')
            break;
        format++;
        if (*format == 's') {
            const char *const text = va_arg(arguments, const char *);
            put(&target, text, strlen(text));
        } else if (*format == 'u') {
            put_unsigned(&target, va_arg(arguments, unsigned));
        } else if (*format == 'd') {
            const int value = va_arg(arguments, int);
            if (value < 0)
                put(&target, "-", 1);
            put_unsigned(&target, value < 0 ? 0u - (unsigned)value : (unsigned)value);
        } else if (*format == 'c') {
            const char c = (char)va_arg(arguments, int);
            put(&target, &c, 1);
        } else if (*format == '%') {
            put(&target, "%", 1);
        } else if (strncmp(format, "08x", 3) == 0) {
            put_hexadecimal(&target, va_arg(arguments, unsigned));
            format += 2;
        } else {
            return AG_FORMAT_FAILED;
        }
        format++;
    }
    if (target.failed)
        return AG_FORMAT_FAILED;
    *target.at = '\0';
    return (size_t)(target.at - out);
}
