/* SPDX-License-Identifier: MIT
 *
 * Conversion of floats to text and back, which does not depend on the locale: the decimal point is always
 * '.'.
 */
#ifndef AG_BASE_NUMBER_H
#define AG_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define AG_NUMBER_TEXT_BYTES 48

/* The shortest decimal text that reads back to the same bits, with a '.' or an exponent: "0.1", "1.0",
 * "1e-10". Returns its length. NaN and infinity have no such text; the caller prints their bits. */
size_t ag_float_text(float value, char text[AG_NUMBER_TEXT_BYTES]);
size_t ag_double_text(double value, char text[AG_NUMBER_TEXT_BYTES]);

/* For people: `decimals` places behind the point, from 1 to 9, rounded to the nearest. From 1e9 on, and what
 * is not finite, is written as above. */
size_t ag_fixed_text(double value, uint32_t decimals, char text[AG_NUMBER_TEXT_BYTES]);

/* Reads [sign] digits [. digits] [e [sign] digits], rounded to the nearest value; the whole of `length` bytes
 * must be one number with a digit before or behind the point. Values too large give infinity. Names and
 * hexadecimal forms are refused. */
bool ag_float_from_text(const char *text, size_t length, float *value);
bool ag_double_from_text(const char *text, size_t length, double *value);

#endif
