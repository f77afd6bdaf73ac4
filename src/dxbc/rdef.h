/* SPDX-License-Identifier: MIT
 *
 * Reflection data: the RDEF chunk (dxbc-format 3.1 to 3.4).
 */
#ifndef AG_DXBC_RDEF_H
#define AG_DXBC_RDEF_H

#include "base/strbuf.h"
#include "dxbc/container.h"

#define AG_RDEF_HEADER_BYTES 28
#define AG_RDEF_HEADER_BYTES_5 60 /* since 5.0 the chunk states the sizes of its records */
#define AG_RDEF_DEEPEST_TYPE 64
#define AG_RDEF_CLASS_INTERFACE 6

/* Bytes of each kind of record, as the compiler writes them. */
struct ag_rdef_sizes {
    uint32_t binding, cbuffer, variable, type, member;
};
struct ag_rdef_sizes ag_rdef_sizes(uint8_t major, uint8_t minor);

/* The program type in the header of a stage's chunk. */
uint16_t ag_rdef_program_type(enum agpu_stage stage);

/* Reads a chunk. *rdef is null when the chunk is malformed, which is reported as a warning, because programs
 * do not need reflection data. AGPU_OK or AGPU_NO_MEMORY. Names and default values point into the chunk's
 * data; the rest comes from the arena. */
enum agpu_status ag_rdef_read(struct ag_arena *arena, const struct agpu_dxbc_chunk *chunk,
                              const struct agpu_diag_sink *sink, const struct agpu_rdef **rdef);

/* Appends a chunk's data in the order that the compiler uses (dxbc-format 3.4). Types may nest
 * AG_RDEF_DEEPEST_TYPE deep. False when memory runs out. */
bool ag_rdef_write(struct ag_strbuf *out, const struct agpu_rdef *rdef);

#endif
