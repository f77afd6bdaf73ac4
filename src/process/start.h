/* SPDX-License-Identifier: MIT
 *
 * The bytes of the first messages: what a GPU process is to do, and what adapter it found. Structures travel
 * as they are, since owner and process are of one version, which is checked; the texts they name follow, each
 * with its NUL.
 */
#ifndef AG_PROCESS_START_H
#define AG_PROCESS_START_H

#include "aerogpu/process_executor.h"
#include "base/strbuf.h"
#include "process/descriptors.h"

struct ag_start_region {
    uint64_t gpa, size, offset;
};

struct ag_start {
    uint32_t version; /* of the library */
    uint32_t gpu_options_bytes, executor_options_bytes, counters_bytes, context_counters_bytes;
    uint32_t sandbox; /* enum agpu_sandbox */
    uint32_t processor_seconds;
    uint64_t address_space_bytes;
    uint32_t has_library, region_count;
    uint32_t has_cache; /* the owner has a persistent cache */
    struct ag_start_region regions[AG_GUEST_REGIONS];
    struct agpu_gpu_options gpu;
    struct agpu_executor_options executor;
};

/* The bytes of START. Appends; the buffer remembers when memory runs out. */
void ag_start_pack(struct ag_strbuf *bytes, const struct agpu_process_executor_options *options);

/* What START said; the pointers of its options are into `texts` and `names`. */
struct ag_started {
    struct ag_start start;
    char *texts;
    const char **names;
};

/* False when the bytes are not what this version packs, or memory runs out. Freed by ag_started_fini() either
 * way. */
bool ag_start_unpack(struct ag_started *started, const uint8_t *bytes, size_t size);
void ag_started_fini(struct ag_started *started);

/* The bytes of READY. */
void ag_adapter_pack(struct ag_strbuf *bytes, const struct agpu_adapter_info *info);

struct ag_adapter {
    struct agpu_adapter_info info; /* points into what follows */
    char *texts;
    const char **features;
    struct agpu_adapter_limit *limits;
};

bool ag_adapter_unpack(struct ag_adapter *adapter, const uint8_t *bytes, size_t size);
void ag_adapter_fini(struct ag_adapter *adapter);

#endif
