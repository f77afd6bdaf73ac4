/* SPDX-License-Identifier: MIT
 *
 * Writes signature chunks as the compiler does (dxbc-format 2.1).
 */
#ifndef AG_DXBC_SIGNATURE_WRITE_H
#define AG_DXBC_SIGNATURE_WRITE_H

#include "aerogpu/dxbc.h"
#include "base/strbuf.h"

/* Appends a chunk's data. `fourcc` determines the form of elements; fields that the form lacks are omitted.
 * The signature has at most AG_SIGNATURE_MAX_ELEMENTS elements. */
void ag_signature_write(struct ag_strbuf *out, uint32_t fourcc, const struct agpu_signature *signature);

#endif
