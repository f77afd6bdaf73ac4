/* SPDX-License-Identifier: MIT
 *
 * Bytes into buffers: uploads, and what the guest changed in memory that backs a buffer.
 */
#ifndef AG_EXEC_TRANSFER_BUFFER_UPLOAD_H
#define AG_EXEC_TRANSFER_BUFFER_UPLOAD_H

#include <stdbool.h>
#include <stdint.h>

struct ag_buffer;
struct ag_copier;

/* The CPU writes bytes at this point of the stream. False when memory is exhausted. */
bool ag_buffer_write(struct ag_copier *copier, struct ag_buffer *buffer, uint64_t offset, const void *data,
                     uint64_t size);
/* Brings in what the guest changed. False when it was reported. */
bool ag_buffer_pull(struct ag_copier *copier, struct ag_buffer *buffer);
/* Makes `gpu` hold the contents and marks it as used by the encoder. False when it was reported. */
bool ag_buffer_use(struct ag_copier *copier, struct ag_buffer *buffer);

#endif
