/* SPDX-License-Identifier: MIT */
#include "gpu/blob_cache.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "cache/cache.h"
#include "gpu/gpu.h"

struct ag_blob_cache {
    pthread_mutex_t lock;
    struct agpu_cache *cache; /* null when cut */
    /* The library asks for the size of a value and then for its bytes, on one thread. Of several threads'
     * questions the last is kept. */
    void *key;
    size_t key_size;
    struct ag_cache_value value;
};

static void forget(struct ag_blob_cache *blobs)
{
    free(blobs->key);
    blobs->key = NULL;
    ag_cache_value_fini(&blobs->value);
}

static bool is_kept(const struct ag_blob_cache *blobs, const void *key, size_t key_size)
{
    return blobs->key != NULL && blobs->key_size == key_size && memcmp(blobs->key, key, key_size) == 0;
}

static bool find(struct ag_blob_cache *blobs, const void *key, size_t key_size)
{
    if (is_kept(blobs, key, key_size))
        return true;
    forget(blobs);
    if (blobs->cache == NULL || !ag_cache_load(blobs->cache, AG_CACHE_BLOBS, key, key_size, &blobs->value))
        return false;
    blobs->key = malloc(key_size != 0 ? key_size : 1);
    if (blobs->key == NULL) {
        forget(blobs);
        return false;
    }
    memcpy(blobs->key, key, key_size);
    blobs->key_size = key_size;
    return true;
}

/* Answers with the size of the value, 0 for none; the bytes are copied when there is room for them. */
static size_t load(const void *key, size_t key_size, void *to, size_t room, void *user)
{
    struct ag_blob_cache *const blobs = user;
    size_t size = 0;
    pthread_mutex_lock(&blobs->lock);
    if (find(blobs, key, key_size)) {
        size = blobs->value.size;
        if (to != NULL && room >= size) {
            memcpy(to, blobs->value.data, size);
            forget(blobs);
        }
    }
    pthread_mutex_unlock(&blobs->lock);
    return size;
}

static void store(const void *key, size_t key_size, const void *value, size_t size, void *user)
{
    struct ag_blob_cache *const blobs = user;
    pthread_mutex_lock(&blobs->lock);
    if (blobs->cache != NULL)
        ag_cache_store(blobs->cache, AG_CACHE_BLOBS, key, key_size, value, size);
    pthread_mutex_unlock(&blobs->lock);
}

struct ag_blob_cache *ag_blob_cache_create(struct agpu_cache *cache)
{
    struct ag_blob_cache *const blobs = calloc(1, sizeof *blobs);
    if (blobs == NULL)
        return NULL;
    blobs->cache = cache;
    pthread_mutex_init(&blobs->lock, NULL);
    return blobs;
}

WGPUDawnCacheDeviceDescriptor ag_blob_cache_descriptor(struct ag_blob_cache *blobs)
{
    return (WGPUDawnCacheDeviceDescriptor){
        .chain = {.sType = WGPUSType_DawnCacheDeviceDescriptor},
        .isolationKey = ag_webgpu_string("aerogpu"),
        .loadDataFunction = load,
        .storeDataFunction = store,
        .functionUserdata = blobs,
    };
}

void ag_blob_cache_cut(struct ag_blob_cache *blobs)
{
    if (blobs == NULL)
        return;
    pthread_mutex_lock(&blobs->lock);
    blobs->cache = NULL;
    forget(blobs);
    pthread_mutex_unlock(&blobs->lock);
}

void ag_blob_cache_destroy(struct ag_blob_cache *blobs)
{
    if (blobs == NULL)
        return;
    forget(blobs);
    pthread_mutex_destroy(&blobs->lock);
    free(blobs);
}
