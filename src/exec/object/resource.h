/* SPDX-License-Identifier: MIT
 *
 * What buffers and textures have in common: handles, usage, backing guest memory, and when recorded commands
 * last used the resource.
 */
#ifndef AG_EXEC_OBJECT_RESOURCE_H
#define AG_EXEC_OBJECT_RESOURCE_H

#include <stdbool.h>
#include <stdint.h>

struct ag_account;
struct ag_creation;
struct ag_share_token;
struct ag_view;

/* Bytes from `begin` to before `end`. */
struct ag_interval {
    uint64_t begin, end;
};

static inline bool ag_interval_is_empty(struct ag_interval interval)
{
    return interval.begin >= interval.end;
}

/* The guest memory that backs a resource. The allocation is looked up in the table of each submission,
 * since its address may change between two. */
struct ag_backing {
    uint32_t alloc_id; /* 0: no guest memory backs the resource */
    uint32_t offset;   /* bytes from the start of the allocation */
};

enum ag_resource_kind {
    AG_RESOURCE_BUFFER,
    AG_RESOURCE_TEXTURE,
};

/* The bind flags of a resource made by a packet of ABI 1.4, which has none: every kind of view is allowed. */
#define AG_BIND_ANY UINT32_MAX

struct ag_resource {
    enum ag_resource_kind kind;
    uint32_t handle; /* the handle that created the resource */
    /* The encoder and the draw that last used the resource (record/encoder.h). While that encoder is open,
     * a write through the queue would come before its commands; a resource that no draw of the open pass
     * used can be written ahead of that pass. Beside the kind, since draws look at all three. */
    uint64_t used_in;
    uint64_t used_by;
    uint32_t references;        /* how many live handles and aliases name the resource */
    uint32_t usage;             /* AEROGPU_RESOURCE_USAGE_* */
    uint32_t bind;              /* enum aerogpu_ext_bind_flags, or AG_BIND_ANY */
    uint32_t misc;              /* enum aerogpu_ext_misc_flags */
    uint64_t gpu_bytes;         /* counted in the budget of GPU memory (host/gpu_memory.h) */
    uint64_t host_bytes;        /* counted in the budget of host memory (host/host_memory.h) */
    struct ag_account *account; /* of the context that made the resource, which is charged for both */
    struct ag_backing backing;
    struct ag_resource *next_dirty, **dirty_link; /* of a list (dirty_resource.h); null: in none */
    struct ag_creation *creation;                 /* the packet; null: there was no memory to keep it */
    /* The views of the resource that have handles. */
    struct ag_view *views;
    /* The share tokens of the resource. */
    struct ag_share_token *share_tokens;
};

#endif
