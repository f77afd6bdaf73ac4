/* SPDX-License-Identifier: MIT
 *
 * The bytes behind ':' in the text form: numbers, hexadecimal, files, generators, input layouts, blobs.
 *
 *     : u8|u16|u32|i32|f16|f32|hex values         numbers, little-endian; hex: pairs of digits
 *     : @b                                        a blob; @b+N leaves out its first N bytes
 *     : file "path"   : png "path"                a file's bytes; a PNG's pixels as RGBA8
 *     : checker|gradient|noise fields             a generated RGBA8 picture
 *     : layout {NAMEn FORMAT fields}              an ILAY blob (text_layout.h)
 *
 * Generators: width= height= (both needed; noise takes bytes= as well), format=B8G8R8A8_UNORM to swap red and
 * blue. checker: cell= (8), color0=[r g b a], color1=[r g b a] (black and white, 0 to 255). gradient: red
 * grows from left to right, green from top to bottom, blue=, alpha= (0 and 255). noise: seed= (0).
 */
#ifndef AG_ABI_TEXT_DATA_H
#define AG_ABI_TEXT_DATA_H

#include "abi/text_lexer.h"
#include "aerogpu/text.h"
#include "base/strbuf.h"

/* Appends the bytes of a statement's data to `out`. False after an error, which is reported with the item's
 * line and column and noted in the reader's status; `sources` may be null. */
bool ag_text_data(struct ag_text_reader *reader, const struct ag_text_item *items, size_t count,
                  const struct agpu_text_sources *sources, struct ag_strbuf *out);

#endif
