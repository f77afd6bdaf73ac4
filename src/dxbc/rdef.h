/* SPDX-License-Identifier: MIT
 *
 * Reflection data: the RDEF chunk (dxbc-format 3.1 to 3.4).
 */
#ifndef AGPU_DXBC_RDEF_H
#define AGPU_DXBC_RDEF_H

#include "base/strbuf.h"
#include "dxbc/container.h"

#define AGPU_RDEF_HEADER_BYTES 28
#define AGPU_RDEF_HEADER_BYTES_5 60 /* 5.x chunks state the sizes of their records */
#define AGPU_RDEF_DEEPEST_TYPE 64
#define AGPU_RDEF_CLASS_INTERFACE 6

/* Bytes of the records as the compiler writes them. */
struct agpu_rdef_sizes {
    uint32_t binding, cbuffer, variable, type, member;
};
struct agpu_rdef_sizes agpu_rdef_sizes(uint8_t major, uint8_t minor);

/* The program type that the header states for a stage. */
uint16_t agpu_rdef_program_type(enum agpu_stage stage);

/* Null when the chunk is malformed, which is reported as a warning: programs do not depend on reflection.
 * Names and default values point into the chunk's data, everything else comes from the arena. */
const struct agpu_rdef *agpu_rdef_read(struct agpu_arena *arena, const struct agpu_dxbc_chunk *chunk,
                                       const struct agpu_diag_sink *sink);

/* Appends the chunk's data, laid out as the compiler does it (dxbc-format 3.4). Types nest at most
 * AGPU_RDEF_DEEPEST_TYPE deep. False when out of memory. */
bool agpu_rdef_write(struct agpu_strbuf *out, const struct agpu_rdef *rdef);

#endif
