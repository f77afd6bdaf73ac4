/* SPDX-License-Identifier: MIT
 *
 * Writing signature chunks as the compiler does (dxbc-format 2.1).
 */
#ifndef AGPU_DXBC_SIGNATURE_WRITE_H
#define AGPU_DXBC_SIGNATURE_WRITE_H

#include "aerogpu/dxbc.h"
#include "base/strbuf.h"

/* Appends the chunk's data. `fourcc` decides on the layout; fields that it lacks are left out. The signature
 * has at most AGPU_SIGNATURE_MAX_ELEMENTS elements. */
void agpu_signature_write(struct agpu_strbuf *out, uint32_t fourcc, const struct agpu_signature *signature);

#endif
