/* SPDX-License-Identifier: MIT
 *
 * Conversion of floats to text and back.
 */
#include "base/number.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"

#define FLOAT_DIGITS 9
#define DOUBLE_DIGITS 17
#define PLAIN_DIGITS 7 /* numbers with so many digits before the point are written without an exponent */
#define LONGEST_POINT 8
#define SHORT_NUMBER 64

/* The decimal point of the C library's current locale. It is queried each time, because the embedder may
 * change its locale, and derived from printed text, because localeconv() is not thread-safe. */
static void c_point(char point[LONGEST_POINT])
{
    char half[LONGEST_POINT + 4];
    const int length = snprintf(half, sizeof half, "%.1f", 0.5);
    snprintf(point, LONGEST_POINT, ".");
    if (length > 2 && length < LONGEST_POINT + 2) {
        memcpy(point, half + 1, (size_t)length - 2);
        point[length - 2] = '\0';
    }
}

bool ag_number_from_c(const char *from, const char *point, char *to, size_t size)
{
    const char *found = point[0] == '\0' ? NULL : strstr(from, point);
    const size_t before = found == NULL ? strlen(from) : (size_t)(found - from);
    const char *rest = found == NULL ? "" : found + strlen(point);
    const size_t after = strlen(rest);
    if (before + after + 2 > size)
        return false;
    memcpy(to, from, before);
    size_t used = before;
    if (found != NULL)
        to[used++] = '.';
    memcpy(to + used, rest, after + 1);
    return true;
}

bool ag_number_to_c(const char *from, size_t length, const char *point, char *to, size_t size)
{
    const char *dot = memchr(from, '.', length);
    const size_t before = dot == NULL ? length : (size_t)(dot - from);
    const size_t point_bytes = dot == NULL ? 0 : strlen(point);
    const size_t after = dot == NULL ? 0 : length - before - 1;
    if (before + point_bytes + after + 1 > size)
        return false;
    memcpy(to, from, before);
    memcpy(to + before, point, point_bytes);
    if (after != 0)
        memcpy(to + before + point_bytes, dot + 1, after);
    to[before + point_bytes + after] = '\0';
    return true;
}

/* ---- Numbers to text ---------------------------------------------------------------------------------- */

/* The digits of the integer part, at most `most` + 1 of them. */
static int integer_digits(double value, int most)
{
    int digits = 1;
    for (double magnitude = value < 0 ? -value : value; magnitude >= 10 && digits <= most; magnitude /= 10)
        digits++;
    return digits;
}

static size_t finish(double value, int digits, char text[AG_NUMBER_TEXT_BYTES])
{
    const int whole = integer_digits(value, PLAIN_DIGITS);
    char c_text[AG_NUMBER_TEXT_BYTES], point[LONGEST_POINT];
    snprintf(c_text, sizeof c_text, "%.*g", whole <= PLAIN_DIGITS && whole > digits ? whole : digits, value);
    c_point(point);
    if (!ag_number_from_c(c_text, point, text, AG_NUMBER_TEXT_BYTES))
        text[0] = '\0';
    if (strpbrk(text, ".eni") == NULL)
        memcpy(text + strlen(text), ".0", sizeof ".0");
    return strlen(text);
}

/* Rounds halves to the even neighbour, as printf does. */
static uint64_t to_nearest(double value)
{
    const uint64_t whole = (uint64_t)value;
    const double rest = value - (double)whole;
    return whole + (rest > 0.5 || (rest == 0.5 && (whole & 1) != 0));
}

/* The text of a number that few decimals represent exactly; 0 if there is none. The products are exact,
 * because a float has 24 bits and 5 to the power of 12 has 28. The quotients are never so close to the middle
 * between two floats that double rounding matters. */
static size_t short_text(float value, char text[AG_NUMBER_TEXT_BYTES])
{
    static const double powers[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12};
    const bool negative = signbit(value) != 0;
    const double magnitude = negative ? -(double)value : (double)value;
    if (!(magnitude >= 1e-4 && magnitude < 1e7) && magnitude != 0)
        return 0;
    for (size_t decimals = 0; decimals < AG_COUNT_OF(powers); decimals++) {
        uint64_t digits = to_nearest(magnitude * powers[decimals]);
        if ((double)(float)((double)digits / powers[decimals]) != magnitude)
            continue;
        char back[24];
        size_t count = 0, length = 0;
        for (; digits != 0 || count <= decimals; digits /= 10)
            back[count++] = (char)('0' + digits % 10);
        if (negative)
            text[length++] = '-';
        while (count > 0) {
            if (count == decimals)
                text[length++] = '.';
            text[length++] = back[--count];
        }
        if (decimals == 0) {
            text[length++] = '.';
            text[length++] = '0';
        }
        text[length] = '\0';
        return length;
    }
    return 0;
}

/* The text is produced and read back by the same C library, so the decimal point agrees. */
size_t ag_float_text(float value, char text[AG_NUMBER_TEXT_BYTES])
{
    const size_t length = short_text(value, text);
    if (length > 0)
        return length;
    int digits = 1;
    for (; digits < FLOAT_DIGITS; digits++) {
        char c_text[AG_NUMBER_TEXT_BYTES];
        snprintf(c_text, sizeof c_text, "%.*g", digits, (double)value);
        const float back = strtof(c_text, NULL);
        if (memcmp(&back, &value, sizeof value) == 0)
            break;
    }
    return finish((double)value, digits, text);
}

size_t ag_double_text(double value, char text[AG_NUMBER_TEXT_BYTES])
{
    int digits = 1;
    for (; digits < DOUBLE_DIGITS; digits++) {
        char c_text[AG_NUMBER_TEXT_BYTES];
        snprintf(c_text, sizeof c_text, "%.*g", digits, value);
        const double back = strtod(c_text, NULL);
        if (memcmp(&back, &value, sizeof value) == 0)
            break;
    }
    return finish(value, digits, text);
}

/* ---- Text to numbers ---------------------------------------------------------------------------------- */

static size_t skip_digits(const char *text, size_t length, size_t at)
{
    while (at < length && text[at] >= '0' && text[at] <= '9')
        at++;
    return at;
}

static bool is_decimal(const char *text, size_t length)
{
    size_t at = length > 0 && (text[0] == '-' || text[0] == '+') ? 1 : 0;
    const size_t start = at;
    at = skip_digits(text, length, at);
    size_t digits = at - start;
    if (at < length && text[at] == '.') {
        const size_t fraction = ++at;
        at = skip_digits(text, length, at);
        digits += at - fraction;
    }
    if (digits == 0)
        return false;
    if (at < length && (text[at] == 'e' || text[at] == 'E')) {
        at++;
        if (at < length && (text[at] == '-' || text[at] == '+'))
            at++;
        const size_t exponent = at;
        at = skip_digits(text, length, at);
        if (at == exponent)
            return false;
    }
    return at == length;
}

/* The number in the form that the C library reads, in `room` or, if it is long, in memory that the caller
 * frees through *memory. Null when the text is not a number or memory runs out. */
static const char *c_number(const char *text, size_t length, char room[SHORT_NUMBER], char **memory)
{
    *memory = NULL;
    if (!is_decimal(text, length))
        return NULL;
    char point[LONGEST_POINT];
    c_point(point);
    if (ag_number_to_c(text, length, point, room, SHORT_NUMBER))
        return room;
    const size_t size = length + LONGEST_POINT + 1;
    *memory = malloc(size);
    if (*memory != NULL)
        ag_number_to_c(text, length, point, *memory, size);
    return *memory;
}

bool ag_float_from_text(const char *text, size_t length, float *value)
{
    char room[SHORT_NUMBER], *memory;
    const char *number = c_number(text, length, room, &memory);
    if (number != NULL)
        *value = strtof(number, NULL);
    free(memory);
    return number != NULL;
}

bool ag_double_from_text(const char *text, size_t length, double *value)
{
    char room[SHORT_NUMBER], *memory;
    const char *number = c_number(text, length, room, &memory);
    if (number != NULL)
        *value = strtod(number, NULL);
    free(memory);
    return number != NULL;
}
