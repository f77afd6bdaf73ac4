/* SPDX-License-Identifier: MIT
 *
 * Copies between buffers, or inside one, of any bytes, with or without a write-back into guest memory (spec:
 * ABI 8.5): the packet of ABI 1.4 as a whole, and what the extension's packets have in common with it.
 */
#ifndef AG_EXEC_TRANSFER_BUFFER_COPY_H
#define AG_EXEC_TRANSFER_BUFFER_COPY_H

#include <stdint.h>

#include "aerogpu/diag.h"

struct aerogpu_cmd_copy_buffer;
struct ag_buffer;
struct ag_copier;
struct ag_progress;

/* Checks and records the next part of a copy, and its write-back when the packet asks for one. Reported when
 * not AGPU_OK; the packet had no effect then, except when memory is exhausted. */
enum agpu_status ag_copy_buffer(struct ag_copier *copier, const struct aerogpu_cmd_copy_buffer *copy,
                                struct ag_progress *progress);

/* Records the next part of a copy of `size` bytes that are inside both buffers, which may be one buffer: what
 * is read then is what was there before the copy. AGPU_REFUSED when guest memory of a buffer is not there;
 * reported. */
enum agpu_status ag_copy_bytes(struct ag_copier *copier, struct ag_buffer *to, uint64_t to_offset,
                               struct ag_buffer *from, uint64_t from_offset, uint64_t size,
                               struct ag_progress *progress);

/* Records the write-back of bytes of a buffer that is in use to a guest-physical address. AGPU_NO_MEMORY is
 * reported. */
enum agpu_status ag_copy_read_buffer(struct ag_copier *copier, const struct ag_buffer *buffer,
                                     uint64_t offset, uint64_t size, uint64_t gpa);

#endif
