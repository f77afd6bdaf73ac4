/* SPDX-License-Identifier: MIT
 *
 * Binary floating-point numbers and decimal digits, converted exactly and then rounded once.
 */
#ifndef AG_BASE_DECIMAL_H
#define AG_BASE_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define AG_DECIMAL_DIGITS 17

/* A format of IEEE 754: bits of the significand with the leading one; exponents of 2 of the smallest number
 * and of that behind the largest. */
struct ag_float_format {
    int bits, least, end;
};

#define AG_FLOAT_FORMAT ((struct ag_float_format){24, -149, 128})
#define AG_DOUBLE_FORMAT ((struct ag_float_format){53, -1074, 1024})

/* 0.d1 d2 d3 ... times 10 to the power of `point`. */
struct ag_decimal {
    char digits[AG_DECIMAL_DIGITS];
    int count, point;
};

/* The fewest digits whose nearest decimal to `value`, positive and finite, reads back to `value`. */
void ag_decimal_shortest(double value, struct ag_float_format format, struct ag_decimal *decimal);

/* The nearest number of the format to digits, a point among them or not, times 10 to the power of `exponent`;
 * infinity above the largest. Other characters than digits and the point do not occur. */
double ag_decimal_value(const char *digits, size_t length, int64_t exponent, struct ag_float_format format);

#endif
