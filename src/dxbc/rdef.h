/* SPDX-License-Identifier: MIT
 *
 * Reflection data: the RDEF chunk (dxbc-format 3.1 to 3.4).
 */
#ifndef AG_DXBC_RDEF_H
#define AG_DXBC_RDEF_H

#include "base/strbuf.h"
#include "dxbc/container.h"

#define AG_RDEF_HEADER_BYTES 28
#define AG_RDEF_HEADER_BYTES_5 60 /* 5.x chunks state the sizes of their records */
#define AG_RDEF_DEEPEST_TYPE 64
#define AG_RDEF_CLASS_INTERFACE 6

/* Bytes of the records as the compiler writes them. */
struct ag_rdef_sizes {
    uint32_t binding, cbuffer, variable, type, member;
};
struct ag_rdef_sizes ag_rdef_sizes(uint8_t major, uint8_t minor);

/* The program type that the header states for a stage. */
uint16_t ag_rdef_program_type(enum agpu_stage stage);

/* Null when the chunk is malformed, which is reported as a warning: programs do not depend on reflection.
 * Names and default values point into the chunk's data, everything else comes from the arena. */
const struct agpu_rdef *ag_rdef_read(struct ag_arena *arena, const struct agpu_dxbc_chunk *chunk,
                                     const struct agpu_diag_sink *sink);

/* Appends the chunk's data, laid out as the compiler does it (dxbc-format 3.4). Types nest at most
 * AG_RDEF_DEEPEST_TYPE deep. False when out of memory. */
bool ag_rdef_write(struct ag_strbuf *out, const struct agpu_rdef *rdef);

#endif
