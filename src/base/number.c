/* SPDX-License-Identifier: MIT
 *
 * Conversion of floats to text and back.
 */
#include "base/number.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/decimal.h"
#include "base/format.h"

/* Numbers with so many digits before the point, or zeros behind it, have no exponent. */
#define PLAIN_DIGITS 7
#define PLAIN_ZEROS 3
#define EXPONENT_END 1000000000000000 /* more than any text has digits */

/* ---- Numbers to text ---------------------------------------------------------------------------------- */

static size_t put(char *text, size_t length, const char *more, size_t count)
{
    memcpy(text + length, more, count);
    return length + count;
}

static size_t put_zeros(char *text, size_t length, int count)
{
    for (; count > 0; count--)
        text[length++] = '0';
    return length;
}

static size_t put_exponent(char *text, size_t length, int exponent)
{
    return length + ag_text_format(text + length, AG_NUMBER_TEXT_BYTES - length, "e%c%02d",
                                   exponent < 0 ? '-' : '+', exponent < 0 ? -exponent : exponent);
}

/* Digits with a point behind the first `whole` of them. */
static size_t put_digits(char *text, size_t length, const struct ag_decimal *decimal, int whole)
{
    const int before = whole < decimal->count ? whole : decimal->count;
    length = put(text, length, decimal->digits, (size_t)before);
    length = put_zeros(text, length, whole - before);
    if (before == decimal->count)
        return length;
    text[length++] = '.';
    return put(text, length, decimal->digits + before, (size_t)(decimal->count - before));
}

static size_t put_decimal(char *text, size_t length, const struct ag_decimal *decimal)
{
    const int point = decimal->point;
    if (point < -PLAIN_ZEROS || (point > PLAIN_DIGITS && point > decimal->count)) {
        length = put_digits(text, length, decimal, 1);
        return put_exponent(text, length, point - 1);
    }
    if (point <= 0) {
        length = put_zeros(text, put(text, length, "0.", 2), -point);
        return put(text, length, decimal->digits, (size_t)decimal->count);
    }
    length = put_digits(text, length, decimal, point);
    return point < decimal->count ? length : put(text, length, ".0", 2);
}

static size_t number_text(double value, struct ag_float_format format, char text[AG_NUMBER_TEXT_BYTES])
{
    size_t length = 0;
    if (signbit(value))
        text[length++] = '-';
    if (isnan(value)) {
        length = put(text, length, "nan", 3);
    } else if (isinf(value)) {
        length = put(text, length, "inf", 3);
    } else if (value == 0) {
        length = put(text, length, "0.0", 3);
    } else {
        struct ag_decimal decimal;
        ag_decimal_shortest(fabs(value), format, &decimal);
        length = put_decimal(text, length, &decimal);
    }
    text[length] = '\0';
    return length;
}

size_t ag_float_text(float value, char text[AG_NUMBER_TEXT_BYTES])
{
    return number_text((double)value, AG_FLOAT_FORMAT, text);
}

size_t ag_double_text(double value, char text[AG_NUMBER_TEXT_BYTES])
{
    return number_text(value, AG_DOUBLE_FORMAT, text);
}

size_t ag_fixed_text(double value, uint32_t decimals, char text[AG_NUMBER_TEXT_BYTES])
{
    const double magnitude = fabs(value);
    if (!(magnitude < 1e9))
        return ag_double_text(value, text);
    uint32_t scale = 1;
    for (uint32_t i = 0; i < decimals; i++)
        scale *= 10;
    const uint64_t scaled = (uint64_t)(magnitude * scale + 0.5);
    return ag_text_format(text, AG_NUMBER_TEXT_BYTES, "%s%" PRIu64 ".%0*" PRIu64, signbit(value) ? "-" : "",
                          scaled / scale, (int)decimals, scaled % scale);
}

/* ---- Text to numbers ---------------------------------------------------------------------------------- */

static size_t skip_digits(const char *text, size_t length, size_t at)
{
    while (at < length && text[at] >= '0' && text[at] <= '9')
        at++;
    return at;
}

/* [sign] digits, and no more; numbers beyond EXPONENT_END count as it does. */
static bool read_exponent(const char *text, size_t length, int64_t *exponent)
{
    size_t at = length > 0 && (text[0] == '-' || text[0] == '+') ? 1 : 0;
    const bool is_negative = at == 1 && text[0] == '-';
    if (at == length || skip_digits(text, length, at) != length)
        return false;
    for (*exponent = 0; at < length && *exponent < EXPONENT_END; at++)
        *exponent = *exponent * 10 + (text[at] - '0');
    if (is_negative)
        *exponent = -*exponent;
    return true;
}

static bool read_number(const char *text, size_t length, struct ag_float_format format, double *value)
{
    const size_t start = length > 0 && (text[0] == '-' || text[0] == '+') ? 1 : 0;
    size_t end = skip_digits(text, length, start), digits = end - start;
    if (end < length && text[end] == '.') {
        const size_t fraction = end + 1;
        end = skip_digits(text, length, fraction);
        digits += end - fraction;
    }
    int64_t exponent = 0;
    if (digits == 0)
        return false;
    if (end < length && text[end] != 'e' && text[end] != 'E')
        return false;
    if (end < length && !read_exponent(text + end + 1, length - end - 1, &exponent))
        return false;
    const double magnitude = ag_decimal_value(text + start, end - start, exponent, format);
    *value = text[0] == '-' ? -magnitude : magnitude;
    return true;
}

bool ag_float_from_text(const char *text, size_t length, float *value)
{
    double number;
    if (!read_number(text, length, AG_FLOAT_FORMAT, &number))
        return false;
    *value = (float)number;
    return true;
}

bool ag_double_from_text(const char *text, size_t length, double *value)
{
    return read_number(text, length, AG_DOUBLE_FORMAT, value);
}
