/* SPDX-License-Identifier: MIT
 *
 * A persistent cache: translations of shaders, the pipelines that were made of them, and what the WebGPU
 * library keeps of its own compiler, so that a later run need not make them again. The cache is given to
 * executors (aerogpu/executor.h) and gpus (aerogpu/gpu.h) as an option. Without one nothing is kept.
 *
 * Where entries are kept is a folder of this library, or the embedder's own store. An entry is checked
 * whenever it is read: damaged ones, and those of other versions, are as if they were not there, and are
 * written anew. Whoever may write to the store can change what guests see; see docs/security.md. Results are
 * the same with a cache and without, whatever is in it.
 */
#ifndef AEROGPU_CACHE_H
#define AEROGPU_CACHE_H

#include "aerogpu/api.h"
#include "aerogpu/diag.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AGPU_CACHE_NAME_BYTES 16

/* The embedder's store: bytes by names. Both calls may come from threads of the WebGPU library, several at a
 * time, unless the cache is given to executors alone, which call on the thread that calls them. They are
 * never made after the cache, the executors and the gpus that have it are destroyed. */
struct agpu_cache_store {
    uint32_t size; /* sizeof of this structure, or 0 (see aerogpu/diag.h) */
    /* Calls `take` once with the bytes that were stored under the name, or not at all when there are none.
     * The bytes are only looked at during that call. */
    void (*load)(void *user, const uint8_t name[AGPU_CACHE_NAME_BYTES],
                 void (*take)(void *taker, const void *bytes, size_t size), void *taker);
    /* Keeps a copy of the bytes, in place of what was stored under the name; or does nothing. */
    void (*store)(void *user, const uint8_t name[AGPU_CACHE_NAME_BYTES], const void *bytes, size_t size);
    void *user;
};

struct agpu_cache;

/* `store` is copied. AGPU_NO_MEMORY: *cache is null. Since 0.2 */
AGPU_API enum agpu_status agpu_cache_create(const struct agpu_cache_store *store,
                                            const struct agpu_diag_sink *sink, struct agpu_cache **cache);

#define AGPU_DEFAULT_CACHE_BYTES (UINT64_C(256) << 20)

/* A cache in a folder, which is made when it is not there. Several processes may use one folder. When its
 * entries take more than about `most_bytes` (0: AGPU_DEFAULT_CACHE_BYTES) in whole blocks of 4,096, those
 * that were not used for the longest time are removed. A folder that cannot be written to is only read, a
 * full disk keeps what there is. AGPU_REFUSED (cache.folder): the folder is not there and cannot be made, or
 * `path` is empty. Not in browsers. Since 0.2 */
AGPU_API enum agpu_status agpu_cache_create_folder(const char *path, uint64_t most_bytes,
                                                   const struct agpu_diag_sink *sink,
                                                   struct agpu_cache **cache);

/* What is given the cache has to be gone. Accepts null. Since 0.2 */
AGPU_API void agpu_cache_destroy(struct agpu_cache *cache);

struct agpu_cache_counts {
    uint64_t loads;  /* questions for an entry */
    uint64_t hits;   /* ... that found it */
    uint64_t stores; /* entries written */
};

struct agpu_cache_statistics {
    uint32_t size;                      /* sizeof of this structure, or 0 (see aerogpu/diag.h) */
    struct agpu_cache_counts modules;   /* translations of shaders */
    struct agpu_cache_counts pipelines; /* lists of the pipelines of a shader */
    struct agpu_cache_counts blobs;     /* the WebGPU library's */
    uint64_t refused;                   /* entries that were damaged, or of something else */
};

/* Since the cache was created. Fills in what the table of the caller holds: see its size. Since 0.2 */
AGPU_API void agpu_cache_statistics(const struct agpu_cache *cache, struct agpu_cache_statistics *statistics);

struct agpu_cache_folder_info {
    uint32_t size;    /* sizeof of this structure, or 0 (see aerogpu/diag.h) */
    uint64_t entries; /* files */
    uint64_t bytes;   /* of them, each in whole blocks of 4,096 bytes */
};

/* What is in a folder; a folder that is not there has nothing. AGPU_REFUSED (cache.folder): it cannot be
 * read. Not in browsers. Since 0.2 */
AGPU_API enum agpu_status agpu_cache_folder_inspect(const char *path, const struct agpu_diag_sink *sink,
                                                    struct agpu_cache_folder_info *info);
/* Removes every entry, and nothing else that may be in the folder; also while others use it. `info` is what
 * was removed. Not in browsers. Since 0.2 */
AGPU_API enum agpu_status agpu_cache_folder_clear(const char *path, const struct agpu_diag_sink *sink,
                                                  struct agpu_cache_folder_info *info);

#ifdef __cplusplus
}
#endif

#endif
