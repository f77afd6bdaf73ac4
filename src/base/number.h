/* SPDX-License-Identifier: MIT
 *
 * Conversion of floats to text and back, which does not depend on the locale: the decimal point is always
 * '.'.
 */
#ifndef AG_BASE_NUMBER_H
#define AG_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

#define AG_NUMBER_TEXT_BYTES 48

/* The shortest decimal text that reads back to the same bits, with a '.' or an exponent: "0.1", "1.0",
 * "1e-10". Returns its length. NaN and infinity have no such text; the caller prints their bits. */
size_t ag_float_text(float value, char text[AG_NUMBER_TEXT_BYTES]);
size_t ag_double_text(double value, char text[AG_NUMBER_TEXT_BYTES]);

/* Reads [sign] digits [. digits] [e [sign] digits], rounded to the nearest value; the whole of `length` bytes
 * must be one number with a digit before or behind the point. Values too large give infinity. Names and
 * hexadecimal forms are refused. */
bool ag_float_from_text(const char *text, size_t length, float *value);
bool ag_double_from_text(const char *text, size_t length, double *value);

/* For tests: ag_number_from_c() replaces the decimal point `point` of the C library by '.', ag_number_to_c()
 * replaces '.' by `point`. `to` has space for `size` bytes; both return false when the text does not fit. */
bool ag_number_from_c(const char *from, const char *point, char *to, size_t size);
bool ag_number_to_c(const char *from, size_t length, const char *point, char *to, size_t size);

#endif
