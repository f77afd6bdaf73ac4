/* SPDX-License-Identifier: MIT
 *
 * The hashes in a capture.
 */
#ifndef AG_CAPTURE_HASH_H
#define AG_CAPTURE_HASH_H

#include <stdint.h>

#include "capture/format.h"

/* ag_capture_chunk_hash(): the hash that a chunk must have. ag_capture_join_hash(): adds one to the hash over
 * all chunks. */
uint64_t ag_capture_chunk_hash(const struct ag_capture_chunk *chunk, const void *stored);
uint64_t ag_capture_join_hash(uint64_t before, uint64_t hash);

/* Fills hash_low and hash_high of an access. */
void ag_capture_hash_bytes(struct ag_capture_access *access, const void *bytes);

#endif
