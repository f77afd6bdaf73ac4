/* SPDX-License-Identifier: MIT
 *
 * Walking directories of shader containers, for tests that take every file there is.
 */
#ifndef AG_TESTS_CORPUS_H
#define AG_TESTS_CORPUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ag_corpus_file {
    char *path;
    uint8_t *data;
    size_t size;
};

/* Calls `visit` for every regular file below `directory` (or for `directory` itself if it is a file) whose
 * name ends in `suffix`, in the order of their paths. Stops when `visit` returns false. Returns the number of
 * files visited, or -1 when the directory cannot be read. The file is valid during the call only. */
long ag_corpus_walk(const char *directory, const char *suffix,
                    bool (*visit)(void *user, const struct ag_corpus_file *file), void *user);

/* The whole of a file, to be freed with free(); null when it cannot be read. An empty file is not null. */
uint8_t *ag_corpus_read_file(const char *path, size_t *size);

/* Where the shared corpus is: $AGPU_SHARED, else ../shared beside the source directory that the build was
 * made from; null when there is none. The text is static or the environment's. */
const char *ag_corpus_shared(const char *source_root);

#endif
