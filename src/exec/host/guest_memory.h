/* SPDX-License-Identifier: MIT
 *
 * Guest memory. Packets name it by allocation and offset; the submission's allocation table turns these into
 * guest-physical addresses, and the embedder's callbacks read and write there. Every room may read; guest
 * memory is written only after the GPU has finished the submission (transfer/write_back.h).
 */
#ifndef AG_EXEC_HOST_GUEST_MEMORY_H
#define AG_EXEC_HOST_GUEST_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct aerogpu_alloc_entry;
struct ag_host;
struct ag_spent_memory;
struct agpu_place;

/* Takes write-backs of an executor that is far from guest memory. `post` copies the bytes; whoever stores
 * them reports a failure as exec.guest-memory with this place, before the submission completes. */
struct ag_guest_post {
    void (*post)(void *user, uint64_t gpa, const void *from, size_t size, const struct agpu_place *place,
                 const char *packet_name);
    void *user;
};

/* The allocation table of one submission, which owns the entries. */
struct ag_guest_allocations {
    struct aerogpu_alloc_entry *entries;
    uint32_t count;
    bool has_table;
    /* The ids and places of the entries, sorted in pieces; null before the first look-up. */
    uint64_t *by_id;
    uint32_t sorted; /* entries of pieces that are sorted */
};

/* Frees the entries, at once or as spent memory. */
void ag_guest_allocations_fini(struct ag_guest_allocations *table);
void ag_guest_allocations_spend(struct ag_guest_allocations *table, struct ag_spent_memory *spent);

/* Sorts a part of a very large table, ahead of the first look-up. False: nothing is left to sort. */
bool ag_guest_allocations_sort_ahead(struct ag_guest_allocations *table);

/* Resolves `size` bytes at `offset` inside an allocation of the submission being executed to the
 * guest-physical address *gpa. False when the submission has no table or no such allocation, when the range
 * does not fit, or when a read-only allocation is to be written (reported as exec.allocation). */
bool ag_guest_resolve(struct ag_host *host, uint32_t alloc_id, uint64_t offset, uint64_t size,
                      bool for_writing, uint64_t *gpa);

/* Reads `size` bytes at a guest-physical address. False when the embedder cannot read them (reported as
 * exec.guest-memory). */
bool ag_guest_read(struct ag_host *host, uint64_t gpa, void *to, uint64_t size);

/* The same for the bytes of a resource that a draw, a copy or another call needs. Where they are not there
 * the call is left out and the stream goes on: its handler returns AGPU_REFUSED. Only the first of a
 * submission is reported. */
bool ag_guest_find(struct ag_host *host, uint32_t alloc_id, uint64_t offset, uint64_t size, uint64_t *gpa);
bool ag_guest_pull(struct ag_host *host, uint64_t gpa, void *to, uint64_t size);

enum ag_guest_range {
    AG_GUEST_ABSENT, /* the submission has no such allocation, or it is shorter */
    AG_GUEST_UNREADABLE,
    AG_GUEST_READABLE,
};

/* Whether bytes of an allocation can be read, which nothing reports. */
enum ag_guest_range ag_guest_probe(struct ag_host *host, uint32_t alloc_id, uint64_t offset, uint64_t size);

/* Where the host has `size` bytes at a guest-physical address, until the call of the embedder returns; null
 * where they are to be read. The guest may change them meanwhile: they are copied once, and what depends on
 * their values looks at the copy. */
const uint8_t *ag_guest_map(const struct ag_host *host, uint64_t gpa, uint64_t size);

/* Writes `size` bytes at a guest-physical address, at once. False when the embedder cannot write them
 * (reported as exec.guest-memory). */
bool ag_guest_write(struct ag_host *host, uint64_t gpa, const void *data, uint64_t size);

/* The same for a write-back, whose failure may be noticed later: then the result is true. */
bool ag_guest_write_back(struct ag_host *host, uint64_t gpa, const void *data, uint64_t size);

#endif
