/* SPDX-License-Identifier: MIT
 *
 * The objects that guest handles name. They are global to the device; contexts only point at them, and an
 * object that dies is taken out of every context. All calls from the executor's thread.
 */
#ifndef AG_EXEC_OBJECT_RESOURCE_H
#define AG_EXEC_OBJECT_RESOURCE_H

#include <stdbool.h>
#include <stdint.h>

struct ag_view;

/* Empty when begin == end. */
struct ag_interval {
    uint64_t begin, end;
};

static inline bool ag_interval_is_empty(struct ag_interval interval)
{
    return interval.begin >= interval.end;
}

/* Guest memory that mirrors a resource; looked up in the table of each submission anew. */
struct ag_backing {
    uint32_t alloc_id; /* 0: the host owns the bytes */
    uint32_t offset;
};

enum ag_resource_kind {
    AG_RESOURCE_BUFFER,
    AG_RESOURCE_TEXTURE,
};

/* The bind flags of what the ABI's own packets made: they do not restrict views. */
#define AG_BIND_ANY UINT32_MAX

struct ag_resource {
    enum ag_resource_kind kind;
    uint32_t handle;       /* the original one */
    uint32_t references;   /* live handles: the original and its aliases */
    uint32_t usage;        /* AEROGPU_RESOURCE_USAGE_* */
    uint32_t bind;         /* enum aerogpu_ext_bind_flags, or AG_BIND_ANY */
    uint32_t misc;         /* enum aerogpu_ext_misc_flags */
    struct ag_view *views; /* those with handles */
    struct ag_backing backing;
    uint64_t
        used_in; /* number of the encoder that last used it: writes through the queue would come too early */
    uint64_t used_by; /* and the draw: what an open pass does not use may change ahead of it */
};

#endif
