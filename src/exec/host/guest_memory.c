/* SPDX-License-Identifier: MIT */
#include "exec/host/guest_memory.h"

#include <inttypes.h>
#include <stdlib.h>

#include "aerogpu/abi/ring.h"
#include "aerogpu/diag.h"
#include "base/bytes.h"
#include "base/sort.h"
#include "exec/host/host.h"
#include "exec/host/report.h"
#include "exec/host/spent_memory.h"

/* Entries that are sorted at a time. Tables of guests that mean no harm have fewer. */
#define SORTED_AT_ONCE (UINT32_C(1) << 16)

static uint32_t piece_at(const struct ag_guest_allocations *table, uint32_t begin)
{
    return table->count - begin < SORTED_AT_ONCE ? table->count - begin : SORTED_AT_ONCE;
}

/* Sorts the next piece of the table. False: no memory. */
static bool sort_piece(struct ag_guest_allocations *table)
{
    const uint32_t begin = table->sorted, count = piece_at(table, begin);
    if (!table->by_id)
        table->by_id = malloc(table->count * sizeof *table->by_id);
    if (!table->by_id)
        return false;
    for (uint32_t i = begin; i < begin + count; i++)
        table->by_id[i] = ag_keyed(table->entries[i].alloc_id, i);
    if (!ag_sort_keyed(table->by_id + begin, count))
        return false;
    table->sorted += count;
    return true;
}

bool ag_guest_allocations_sort_ahead(struct ag_guest_allocations *table)
{
    return table->count > SORTED_AT_ONCE && table->sorted < table->count && sort_piece(table);
}

void ag_guest_allocations_fini(struct ag_guest_allocations *table)
{
    free(table->entries);
    free(table->by_id);
    *table = (struct ag_guest_allocations){0};
}

void ag_guest_allocations_spend(struct ag_guest_allocations *table, struct ag_spent_memory *spent)
{
    ag_spent_memory_add(spent, table->entries, table->count * sizeof *table->entries);
    ag_spent_memory_add(spent, table->by_id, table->count * sizeof *table->by_id);
    *table = (struct ag_guest_allocations){0};
}

static const struct aerogpu_alloc_entry *walk(const struct ag_guest_allocations *table, uint32_t begin,
                                              uint32_t alloc_id)
{
    for (uint32_t i = begin; i < table->count; i++)
        if (table->entries[i].alloc_id == alloc_id)
            return &table->entries[i];
    return NULL;
}

/* The first entry of an id counts. */
static const struct aerogpu_alloc_entry *find_allocation(struct ag_guest_allocations *table,
                                                         uint32_t alloc_id)
{
    const uint64_t wanted = ag_keyed(alloc_id, 0);
    for (uint32_t begin = 0; begin < table->count; begin += SORTED_AT_ONCE) {
        if (begin == table->sorted && !sort_piece(table)) /* without memory, a walk finds the same */
            return walk(table, begin, alloc_id);
        const uint64_t *const index = table->by_id;
        const uint32_t all = begin + piece_at(table, begin);
        uint32_t first = begin, end = all;
        while (first < end) {
            const uint32_t middle = first + (end - first) / 2;
            if (index[middle] < wanted)
                first = middle + 1;
            else
                end = middle;
        }
        if (first < all && index[first] >> 32 == alloc_id)
            return &table->entries[(uint32_t)index[first]];
    }
    return NULL;
}

/* Resolves a range of an allocation, or says in *problem why there is none. */
static bool find_range(struct ag_guest_allocations *table, uint32_t alloc_id, uint64_t offset, uint64_t size,
                       bool for_writing, uint64_t *gpa, struct ag_refusal *problem)
{
    const struct aerogpu_alloc_entry *entry = find_allocation(table, alloc_id);
    if (!entry) {
        ag_refusal_set(problem, AGPU_DIAG_EXEC_ALLOCATION,
                       "allocation %" PRIu32 " is not in the submission's %s", alloc_id,
                       table->has_table ? "table" : "table: it has none");
        return false;
    }
    if (!ag_range_fits(offset, size, entry->size_bytes)) {
        ag_refusal_set(problem, AGPU_DIAG_EXEC_ALLOCATION,
                       "%" PRIu64 " bytes at %" PRIu64 " do not fit allocation %" PRIu32 " of %" PRIu64
                       " bytes",
                       size, offset, alloc_id, entry->size_bytes);
        return false;
    }
    if (for_writing && (entry->flags & AEROGPU_ALLOC_FLAG_READONLY)) {
        ag_refusal_set(problem, AGPU_DIAG_EXEC_ALLOCATION, "allocation %" PRIu32 " is read-only", alloc_id);
        return false;
    }
    *gpa = entry->gpa + offset;
    return true;
}

static bool read_bytes(const struct ag_host *host, uint64_t gpa, void *to, uint64_t size,
                       struct ag_refusal *problem)
{
    if (host->memory.read && host->memory.read(host->memory.user, gpa, to, (size_t)size))
        return true;
    ag_refusal_set(problem, AGPU_DIAG_EXEC_GUEST_MEMORY,
                   "guest memory at 0x%" PRIx64 " (%" PRIu64 " bytes) is not readable", gpa, size);
    return false;
}

bool ag_guest_resolve(struct ag_host *host, uint32_t alloc_id, uint64_t offset, uint64_t size,
                      bool for_writing, uint64_t *gpa)
{
    struct ag_refusal problem;
    if (find_range(host->allocations, alloc_id, offset, size, for_writing, gpa, &problem))
        return true;
    ag_host_malformed(host, problem.code, "%s", problem.message);
    return false;
}

bool ag_guest_read(struct ag_host *host, uint64_t gpa, void *to, uint64_t size)
{
    struct ag_refusal problem;
    if (read_bytes(host, gpa, to, size, &problem))
        return true;
    ag_host_malformed(host, problem.code, "%s", problem.message);
    return false;
}

/* One report for a submission, whatever is missing. */
static bool leave_out(struct ag_host *host, const struct ag_refusal *problem)
{
    ag_host_leave_out(host, problem->code, "the call is left out: %s", problem->message);
    return false;
}

bool ag_guest_find(struct ag_host *host, uint32_t alloc_id, uint64_t offset, uint64_t size, uint64_t *gpa)
{
    struct ag_refusal problem;
    if (find_range(host->allocations, alloc_id, offset, size, false, gpa, &problem))
        return true;
    return leave_out(host, &problem);
}

bool ag_guest_pull(struct ag_host *host, uint64_t gpa, void *to, uint64_t size)
{
    struct ag_refusal problem;
    if (read_bytes(host, gpa, to, size, &problem))
        return true;
    return leave_out(host, &problem);
}

enum ag_guest_range ag_guest_probe(struct ag_host *host, uint32_t alloc_id, uint64_t offset, uint64_t size)
{
    struct ag_refusal unused;
    uint64_t gpa;
    if (!find_range(host->allocations, alloc_id, offset, size, false, &gpa, &unused))
        return AG_GUEST_ABSENT;
    if (ag_guest_map(host, gpa, size))
        return AG_GUEST_READABLE;
    void *bytes = malloc((size_t)size);
    const bool done = bytes && read_bytes(host, gpa, bytes, size, &unused);
    free(bytes);
    return done ? AG_GUEST_READABLE : AG_GUEST_UNREADABLE;
}

const uint8_t *ag_guest_map(const struct ag_host *host, uint64_t gpa, uint64_t size)
{
    return host->memory.map && size <= SIZE_MAX ? host->memory.map(host->memory.user, gpa, (size_t)size)
                                                : NULL;
}

bool ag_guest_write(struct ag_host *host, uint64_t gpa, const void *data, uint64_t size)
{
    if (host->memory.write && host->memory.write(host->memory.user, gpa, data, (size_t)size)) {
        host->counts.writeback_bytes += size;
        return true;
    }
    ag_host_report(host, AGPU_DIAG_EXEC_GUEST_MEMORY, AGPU_ERROR,
                   "guest memory at 0x%" PRIx64 " (%" PRIu64 " bytes) is not writable", gpa, size);
    return false;
}

bool ag_guest_write_back(struct ag_host *host, uint64_t gpa, const void *data, uint64_t size)
{
    if (!host->guest_post.post)
        return ag_guest_write(host, gpa, data, size);
    host->guest_post.post(host->guest_post.user, gpa, data, (size_t)size, &host->reports.place,
                          host->reports.packet_name);
    host->counts.writeback_bytes += size;
    return true;
}
