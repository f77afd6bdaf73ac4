/* SPDX-License-Identifier: MIT
 *
 * The files of a cache's folder. An entry is a file whose name is the hexadecimal name of the entry; other
 * files are not the cache's, and are left alone, except what a process that ended early was writing.
 */
#ifndef AG_CACHE_FOLDER_CONTENTS_H
#define AG_CACHE_FOLDER_CONTENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "aerogpu/cache.h"

#define AG_CACHE_FILE_NAME_SIZE (2 * AGPU_CACHE_NAME_BYTES + sizeof ".entry")

void ag_cache_file_name(const uint8_t name[AGPU_CACHE_NAME_BYTES], char file[AG_CACHE_FILE_NAME_SIZE]);

/* The name under which the entry is written before it gets its own. */
#define AG_CACHE_TEMPORARY_PREFIX "writing-"

/* What a file takes of the folder's bound: whole blocks, so that many small entries are bounded, too. */
#define AG_CACHE_BLOCK_BYTES 4096

static inline uint64_t ag_cache_file_bytes(uint64_t size)
{
    return size / AG_CACHE_BLOCK_BYTES * AG_CACHE_BLOCK_BYTES +
           (size % AG_CACHE_BLOCK_BYTES != 0 ? AG_CACHE_BLOCK_BYTES : 0);
}

/* Counts the entries, and removes old temporary files. False when the folder cannot be read. */
bool ag_cache_folder_count(int folder, struct agpu_cache_folder_info *info);

/* Removes the entries that were used the longest time ago, until at most `bytes` are left; *left is what
 * there is then, and *removed what went. False when the folder cannot be read or memory is exhausted. */
bool ag_cache_folder_shrink(int folder, uint64_t bytes, struct agpu_cache_folder_info *left,
                            struct agpu_cache_folder_info *removed);

#endif
