/* SPDX-License-Identifier: MIT
 *
 * A persistent cache in the page's store (cache.js).
 */
#ifndef AG_WEB_CACHE_STORE_H
#define AG_WEB_CACHE_STORE_H

#include "aerogpu/cache.h"
#include "aerogpu/executor.h"

/* Null when memory is exhausted (reported). */
struct agpu_cache *web_cache_create(const struct agpu_diag_sink *sink);

/* For JavaScript: how many translations were needed, and how many of them the cache had. */
struct web_shader_counts {
    uint32_t translated, cached;
};

struct web_shader_counts web_shader_counts_of(struct agpu_executor *executor);

#endif
