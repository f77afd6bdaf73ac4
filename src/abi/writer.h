/* SPDX-License-Identifier: MIT
 *
 * What the packet functions of the writer share.
 */
#ifndef AG_ABI_WRITER_H
#define AG_ABI_WRITER_H

#include "aerogpu/stream_writer.h"

/* Appends a packet: its fixed structure, whose header is filled in, and `payload_size` zero bytes padded to a
 * multiple of 4. Returns the payload, or null after an error (now or before). */
uint8_t *ag_writer_reserve(struct agpu_writer *writer, uint32_t opcode, const void *fixed, size_t fixed_size,
                           uint64_t payload_size);

/* Appends a packet with the payload's bytes. */
void ag_writer_append(struct agpu_writer *writer, uint32_t opcode, const void *fixed, size_t fixed_size,
                      const void *payload, uint64_t payload_size);

/* Records and reports the writer's first error. */
void ag_writer_refuse(struct agpu_writer *writer, enum agpu_diag_code code, const char *message);

#endif
