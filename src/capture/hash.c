/* SPDX-License-Identifier: MIT
 *
 * The hashes of chunks and of bytes of guest memory.
 */
#include "capture/hash.h"

#include <stddef.h>
#include <xxhash.h>

#define HASHED_HEADER_BYTES offsetof(struct ag_capture_chunk, hash)

uint64_t ag_capture_chunk_hash(const struct ag_capture_chunk *chunk, const void *stored)
{
    const uint64_t head = XXH3_64bits(chunk, HASHED_HEADER_BYTES);
    return XXH3_64bits_withSeed(stored, (size_t)chunk->stored_bytes, head);
}

uint64_t ag_capture_join_hash(uint64_t before, uint64_t hash)
{
    const uint64_t both[2] = {before, hash};
    return XXH3_64bits(both, sizeof both);
}

void ag_capture_hash_bytes(struct ag_capture_access *access, const void *bytes)
{
    const XXH128_hash_t hash = XXH3_128bits(bytes, (size_t)access->size);
    access->hash_low = hash.low64;
    access->hash_high = hash.high64;
}
