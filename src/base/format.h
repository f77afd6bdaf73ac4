/* SPDX-License-Identifier: MIT
 *
 * printf for the few directives that generated text is made of: several times as fast as the C library's.
 */
#ifndef AGPU_BASE_FORMAT_H
#define AGPU_BASE_FORMAT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"

#define AGPU_FORMAT_FAILED SIZE_MAX
#define AGPU_UNSIGNED_TEXT_BYTES 10

/* Writes text and a NUL to `out`, which has room for `size` bytes. Returns the length of the text, or
 * AGPU_FORMAT_FAILED when the format has other directives than %s %c %u %d %08x %% or the text does not fit:
 * `out` is then undefined, and so is the caller's list of arguments. */
size_t agpu_format(char *out, size_t size, const char *format, va_list arguments) AGPU_PRINTF(3, 0);

/* The decimal digits of a number, without a NUL; returns how many. */
size_t agpu_unsigned_text(uint32_t value, char text[AGPU_UNSIGNED_TEXT_BYTES]);

#endif
