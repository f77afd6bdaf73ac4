/* SPDX-License-Identifier: MIT
 *
 * What readers of captures use of libzstd. In a browser, JavaScript unpacks (web/playground/zstd.js).
 */
#ifndef AG_WEB_ZSTD_H
#define AG_WEB_ZSTD_H

#include <stddef.h>

/* Unpacks one frame. Returns the number of bytes, or a larger number than `to_size` for an error. */
__attribute__((import_module("env"), import_name("ZSTD_decompress"))) size_t
ZSTD_decompress(void *to, size_t to_size, const void *from, size_t from_size);

#endif
