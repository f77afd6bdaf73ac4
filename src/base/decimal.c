/* SPDX-License-Identifier: MIT
 *
 * Conversions between binary and decimal numbers with integers of many words.
 */
#include "base/decimal.h"

#include <math.h>
#include <string.h>

#include "base/bytes.h"

/* Of a decimal number, more digits than these only tell whether it is above a point between two doubles, of
 * which none has so many. */
#define MOST_DIGITS 800
#define LEAST_POINT (-345) /* below half of the smallest double */
#define MOST_POINT 310     /* above the largest double */

/* A decimal number of MOST_DIGITS and one digits, times 10 to a power with which it is no double yet. */
#define WORDS 128

struct big {
    uint32_t words[WORDS]; /* the lowest first */
    uint32_t count;        /* no zero above */
};

static void big_set(struct big *big, uint64_t value)
{
    big->words[0] = (uint32_t)value;
    big->words[1] = (uint32_t)(value >> 32);
    big->count = big->words[1] != 0 ? 2 : big->words[0] != 0;
}

static void big_multiply_add(struct big *big, uint32_t factor, uint32_t more)
{
    uint64_t carry = more;
    for (uint32_t i = 0; i < big->count; i++) {
        carry += (uint64_t)big->words[i] * factor;
        big->words[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry != 0)
        big->words[big->count++] = (uint32_t)carry;
}

static void big_scale(struct big *big, uint32_t power_of_10)
{
    for (; power_of_10 >= 9; power_of_10 -= 9)
        big_multiply_add(big, 1000000000, 0);
    while (power_of_10-- > 0)
        big_multiply_add(big, 10, 0);
}

static void big_shift(struct big *big, uint32_t bits)
{
    big_multiply_add(big, 1u << bits % 32, 0);
    const uint32_t words = big->count != 0 ? bits / 32 : 0;
    memmove(big->words + words, big->words, big->count * sizeof big->words[0]);
    memset(big->words, 0, words * sizeof big->words[0]);
    big->count += words;
}

static uint32_t big_bits(const struct big *big)
{
    uint32_t bits = 32 * big->count;
    if (bits != 0)
        for (uint32_t top = big->words[big->count - 1]; top < 0x80000000u; top <<= 1)
            bits--;
    return bits;
}

static int big_compare(const struct big *a, const struct big *b)
{
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    for (uint32_t i = a->count; i-- > 0;) {
        if (a->words[i] != b->words[i])
            return a->words[i] < b->words[i] ? -1 : 1;
    }
    return 0;
}

/* `a` is not below `b`. */
static void big_subtract(struct big *a, const struct big *b)
{
    int64_t carry = 0;
    for (uint32_t i = 0; i < a->count; i++) {
        carry += (int64_t)a->words[i] - (i < b->count ? b->words[i] : 0);
        a->words[i] = (uint32_t)carry;
        carry = carry < 0 ? -1 : 0;
    }
    while (a->count > 0 && a->words[a->count - 1] == 0)
        a->count--;
}

/* How often `b` is in `a`, at most nine times; `a` becomes the rest. */
static uint32_t big_divide(struct big *a, const struct big *b)
{
    uint32_t quotient = 0;
    for (; big_compare(a, b) >= 0; quotient++)
        big_subtract(a, b);
    return quotient;
}

/* ---- Binary to decimal -------------------------------------------------------------------------------- */

/* What is left of a number behind its digits, in units of the last one: rest / unit. Decimals that are not
 * further than `below` / unit under it and `above` / unit over it read back to it, those at that distance if
 * its significand is even. */
struct digit_source {
    struct big unit, rest, below, above;
    bool is_even;
};

static void next_place(struct digit_source *source)
{
    big_multiply_add(&source->rest, 10, 0);
    big_multiply_add(&source->below, 10, 0);
    big_multiply_add(&source->above, 10, 0);
}

/* Where the decimal point is: the value is from 0.1 on and below 1 times the power of 10 that is returned. */
static int open_source(struct digit_source *source, double value, struct ag_float_format format)
{
    int exponent;
    const double fraction = frexp(value, &exponent);
    exponent -= format.bits;
    if (exponent < format.least)
        exponent = format.least;
    const uint64_t significand = (uint64_t)ldexp(value, -exponent);
    const bool is_power = fraction == 0.5 && exponent > format.least;
    const uint32_t up = exponent > 0 ? (uint32_t)exponent : 0, down = exponent < 0 ? (uint32_t)-exponent : 0;
    source->is_even = significand % 2 == 0;
    big_set(&source->rest, significand);
    big_shift(&source->rest, up + 2);
    big_set(&source->unit, 1);
    big_shift(&source->unit, down + 2);
    big_set(&source->above, 1);
    big_shift(&source->above, up + 1);
    big_set(&source->below, 1);
    big_shift(&source->below, is_power ? up : up + 1);
    int point = 0;
    for (; big_compare(&source->rest, &source->unit) >= 0; point++)
        big_multiply_add(&source->unit, 10, 0);
    for (;; point--) {
        struct big ten_times = source->rest;
        big_multiply_add(&ten_times, 10, 0);
        if (big_compare(&ten_times, &source->unit) >= 0)
            return point;
        next_place(source);
    }
}

/* Whether a decimal at a distance reads back, when `bound` is the farthest. */
static bool reads_back(const struct digit_source *source, const struct big *distance, const struct big *bound)
{
    const int order = big_compare(distance, bound);
    return order < 0 || (order == 0 && source->is_even);
}

/* Adds one to the last digit. */
static void round_up(struct ag_decimal *decimal)
{
    int i = decimal->count - 1;
    while (i >= 0 && decimal->digits[i] == '9')
        decimal->digits[i--] = '0';
    if (i >= 0) {
        decimal->digits[i]++;
    } else {
        decimal->digits[0] = '1';
        decimal->point++;
    }
}

#define QUICK_LEAST 1e-5
#define QUICK_END 1e9
#define QUICK_DIGITS 9
/* Relative to half of the distance between neighbouring floats: many times what rounding to double changes.
 */
#define QUICK_MARGIN 1e-6

static const double powers_of_10[] = {1,   1e1, 1e2,  1e3,  1e4,  1e5,  1e6, 1e7,
                                      1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14};

/* How many digits the number has before its point, or minus the zeros behind it. */
static int quick_point(double value)
{
    int point = -4;
    while (point <= 0 ? value * powers_of_10[-point] >= 1 : value >= powers_of_10[point])
        point++;
    return point;
}

static void set_digits(struct ag_decimal *decimal, uint64_t digits, int count, int point)
{
    decimal->count = count;
    decimal->point = point;
    for (int i = count; i-- > 0; digits /= 10)
        decimal->digits[i] = (char)('0' + digits % 10);
    if (digits != 0) { /* rounded up to a power of 10 */
        decimal->digits[0] = '1';
        decimal->count = 1;
        decimal->point++;
    }
}

/* The shortest decimal of a float, computed in doubles; false where they do not tell. */
static bool find_quickly(double value, struct ag_float_format format, struct ag_decimal *decimal)
{
    if (format.bits > 24 || !(value >= QUICK_LEAST && value < QUICK_END))
        return false;
    int exponent;
    const bool is_power = frexp(value, &exponent) == 0.5;
    const double half = ldexp(1, exponent - format.bits - 1);
    const int point = quick_point(value);
    for (int count = 1; count <= QUICK_DIGITS; count++) {
        const int shift = count - point;
        const double scale = powers_of_10[shift < 0 ? -shift : shift];
        const double scaled = shift < 0 ? value / scale : value * scale;
        const double bound = shift < 0 ? half / scale : half * scale;
        const uint64_t down = (uint64_t)scaled;
        const double rest = scaled - (double)down, margin = bound * QUICK_MARGIN;
        if (fabs(rest - 0.5) <= margin)
            return false;
        const double distance = rest < 0.5 ? rest : 1 - rest;
        if (distance > bound + margin)
            continue;
        if (distance > (is_power ? bound / 2 : bound) - margin)
            return false;
        set_digits(decimal, down + (rest > 0.5), count, point);
        return true;
    }
    return false;
}

void ag_decimal_shortest(double value, struct ag_float_format format, struct ag_decimal *decimal)
{
    if (find_quickly(value, format, decimal))
        return;
    struct digit_source source;
    decimal->point = open_source(&source, value, format);
    for (decimal->count = 0; decimal->count < AG_DECIMAL_DIGITS;) {
        next_place(&source);
        const uint32_t digit = big_divide(&source.rest, &source.unit);
        decimal->digits[decimal->count++] = (char)('0' + digit);
        struct big over = source.unit;
        big_subtract(&over, &source.rest);
        const int order = big_compare(&source.rest, &over);
        const bool is_up = order > 0 || (order == 0 && digit % 2 != 0);
        if (is_up ? reads_back(&source, &over, &source.above)
                  : reads_back(&source, &source.rest, &source.below)) {
            if (is_up)
                round_up(decimal);
            return;
        }
    }
}

/* ---- Decimal to binary -------------------------------------------------------------------------------- */

/* The digits without leading zeros; returns what they have to be multiplied with, as a power of 10. Behind
 * the last one that matters a 1 stands for all others. */
static int64_t read_digits(const char *digits, size_t length, struct big *big, size_t *count)
{
    int64_t exponent = 0;
    bool is_fraction = false, is_more = false;
    *count = 0;
    big_set(big, 0);
    for (size_t i = 0; i < length; i++) {
        if (digits[i] == '.') {
            is_fraction = true;
            continue;
        }
        if (*count < MOST_DIGITS) {
            const uint32_t digit = (uint32_t)(digits[i] - '0');
            if (big->count != 0)
                big_multiply_add(big, 10, digit);
            else
                big_set(big, digit);
            *count += big->count != 0;
            exponent -= is_fraction;
        } else {
            is_more |= digits[i] != '0';
            exponent += !is_fraction;
        }
    }
    if (!is_more)
        return exponent;
    big_multiply_add(big, 10, 1);
    ++*count;
    return exponent - 1;
}

/* The nearest number of the format to (quotient, and a little more if `is_more`) times 2 to the power of
 * `exponent`. The quotient's highest bit is set. */
static double nearest(uint64_t quotient, bool is_more, int exponent, struct ag_float_format format)
{
    int dropped = 64 - format.bits;
    if (exponent + dropped < format.least)
        dropped = format.least - exponent;
    if (dropped > 64)
        return 0;
    const uint64_t kept = dropped < 64 ? quotient >> dropped : 0, half = (uint64_t)1 << (dropped - 1);
    const uint64_t rest = quotient & (half | (half - 1));
    const bool is_up = rest > half || (rest == half && (is_more || kept % 2 != 0));
    const double value = ldexp((double)(kept + is_up), exponent + dropped);
    return value < ldexp(1, format.end) ? value : INFINITY;
}

double ag_decimal_value(const char *digits, size_t length, int64_t exponent, struct ag_float_format format)
{
    struct big number, unit;
    size_t count;
    exponent += read_digits(digits, length, &number, &count);
    const int64_t point = exponent + (int64_t)count;
    if (number.count == 0 || point < LEAST_POINT)
        return 0;
    if (point > MOST_POINT)
        return INFINITY;
    big_set(&unit, 1);
    if (exponent > 0)
        big_scale(&number, (uint32_t)exponent);
    else
        big_scale(&unit, (uint32_t)-exponent);
    /* The quotient of both has 64 bits. */
    int shift = (int)big_bits(&unit) - (int)big_bits(&number);
    if (shift > 0)
        big_shift(&number, (uint32_t)shift);
    else
        big_shift(&unit, (uint32_t)-shift);
    if (big_compare(&number, &unit) < 0) {
        big_shift(&number, 1);
        shift++;
    }
    uint64_t quotient = 0;
    for (int bit = 0; bit < 64; bit++) {
        quotient = quotient << 1 | big_divide(&number, &unit);
        big_shift(&number, 1);
    }
    return nearest(quotient, number.count != 0, -63 - shift, format);
}
