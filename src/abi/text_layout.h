/* SPDX-License-Identifier: MIT
 *
 * Input layouts in the text form:
 *
 *     : layout POSITION0 R32G32_FLOAT slot=0 offset=0 COLOR0 R8G8B8A8_UNORM slot=1 offset=append
 *
 * NAMEn is a semantic name and its index (0 when there are no digits); the format is a DXGI name or number.
 * The fields are slot, offset ("append": after the slot's previous element), slot_class (0 per vertex, 1 per
 * instance) and step_rate; absent ones are 0. (Spec: ABI 9.1.)
 */
#ifndef AG_ABI_TEXT_LAYOUT_H
#define AG_ABI_TEXT_LAYOUT_H

#include "abi/text_lexer.h"
#include "base/strbuf.h"

/* Appends the ILAY blob that the items (behind the word `layout`) describe. */
bool ag_text_layout(struct ag_text_reader *reader, const struct ag_text_item *items, size_t count,
                    struct ag_strbuf *out);

/* Prints a blob as `layout ...`. False, with nothing printed, when the text would not give the same bytes:
 * the header differs, there are surplus bytes, or a semantic name is not a common one. */
bool ag_text_print_layout(struct ag_strbuf *out, const uint8_t *blob, size_t size);

#endif
