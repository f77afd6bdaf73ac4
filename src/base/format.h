/* SPDX-License-Identifier: MIT
 *
 * A printf for the few directives that generated text needs; several times as fast as the C library's.
 */
#ifndef AG_BASE_FORMAT_H
#define AG_BASE_FORMAT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"

#define AG_FORMAT_FAILED SIZE_MAX
#define AG_UNSIGNED_TEXT_BYTES 10

/* Writes text and a NUL to `out`, which has space for `size` bytes. Returns the length of the text, or
 * AG_FORMAT_FAILED when the format has directives other than %s %c %u %d %08x %%, or the text does not fit;
 * `out` and `arguments` are then undefined. */
size_t ag_format(char *out, size_t size, const char *format, va_list arguments) AG_PRINTF(3, 0);

/* The decimal digits of a number, without a NUL; returns how many. */
size_t ag_unsigned_text(uint32_t value, char text[AG_UNSIGNED_TEXT_BYTES]);

#endif
