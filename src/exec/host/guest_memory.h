/* SPDX-License-Identifier: MIT
 *
 * The guest's memory: the allocation table of the submission being executed, and bytes in and out.
 */
#ifndef AG_EXEC_HOST_GUEST_MEMORY_H
#define AG_EXEC_HOST_GUEST_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

struct aerogpu_alloc_entry;
struct ag_host;

/* The allocation table of a submission; its owner is the submission. */
struct ag_guest_allocations {
    struct aerogpu_alloc_entry *entries;
    uint32_t count;
    bool has_table;
};

/* The guest-physical address of [offset, offset + size) inside an allocation of the current submission.
 * Reports exec.allocation (no table, no entry, range, READONLY) and returns false. */
bool ag_guest_resolve(struct ag_host *host, uint32_t alloc_id, uint64_t offset, uint64_t size,
                      bool for_writing, uint64_t *gpa);
/* Reads guest memory; reports exec.guest-memory. */
bool ag_guest_read(struct ag_host *host, uint64_t gpa, void *to, uint64_t size);
/* Writes guest memory now; reports exec.guest-memory. */
bool ag_guest_write(struct ag_host *host, uint64_t gpa, const void *data, uint64_t size);

#endif
