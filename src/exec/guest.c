/* SPDX-License-Identifier: MIT */
#include <inttypes.h>

#include "base/bytes.h"
#include "exec/exec.h"

static const struct aerogpu_alloc_entry *find_allocation(const struct ag_job *job, uint32_t alloc_id)
{
    for (uint32_t i = 0; i < job->allocation_count; i++)
        if (job->allocations[i].alloc_id == alloc_id)
            return &job->allocations[i];
    return NULL;
}

bool ag_guest_resolve(struct ag_exec *exec, uint32_t alloc_id, uint64_t offset, uint64_t size,
                      bool for_writing, uint64_t *gpa)
{
    const struct aerogpu_alloc_entry *entry = find_allocation(exec->job, alloc_id);
    if (!entry) {
        ag_exec_fail(exec, AGPU_DIAG_EXEC_ALLOCATION, "allocation %" PRIu32 " is not in the submission's %s",
                     alloc_id, exec->job->has_allocation_table ? "table" : "table: it has none");
        return false;
    }
    if (!ag_range_fits(offset, size, entry->size_bytes)) {
        ag_exec_fail(exec, AGPU_DIAG_EXEC_ALLOCATION,
                     "%" PRIu64 " bytes at %" PRIu64 " do not fit allocation %" PRIu32 " of %" PRIu64
                     " bytes",
                     size, offset, alloc_id, entry->size_bytes);
        return false;
    }
    if (for_writing && (entry->flags & AEROGPU_ALLOC_FLAG_READONLY)) {
        ag_exec_fail(exec, AGPU_DIAG_EXEC_ALLOCATION, "allocation %" PRIu32 " is read-only", alloc_id);
        return false;
    }
    *gpa = entry->gpa + offset;
    return true;
}

bool ag_guest_read(struct ag_exec *exec, uint64_t gpa, void *to, uint64_t size)
{
    if (exec->memory.read && exec->memory.read(exec->memory.user, gpa, to, (size_t)size))
        return true;
    ag_exec_fail(exec, AGPU_DIAG_EXEC_GUEST_MEMORY,
                 "guest memory at 0x%" PRIx64 " (%" PRIu64 " bytes) is not readable", gpa, size);
    return false;
}

bool ag_guest_write(struct ag_exec *exec, uint64_t gpa, const void *data, uint64_t size)
{
    if (exec->memory.write && exec->memory.write(exec->memory.user, gpa, data, (size_t)size)) {
        exec->counts.writeback_bytes += size;
        return true;
    }
    ag_exec_report(exec, AGPU_DIAG_EXEC_GUEST_MEMORY, AGPU_ERROR,
                   "guest memory at 0x%" PRIx64 " (%" PRIu64 " bytes) is not writable", gpa, size);
    return false;
}
