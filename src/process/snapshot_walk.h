/* SPDX-License-Identifier: MIT
 *
 * Follows the sections of an executor's part of a snapshot while its bytes pass between an embedder and a
 * GPU process, so that no more of them pass than belong to it. What the sections hold is checked where they
 * are loaded.
 */
#ifndef AG_PROCESS_SNAPSHOT_WALK_H
#define AG_PROCESS_SNAPSHOT_WALK_H

#include "base/archive.h"
#include "base/vec.h"

struct ag_snapshot_walk {
    struct ag_archive archive; /* holds the first problem, and where it is reported */
    uint64_t most, passed;     /* bytes */
    uint8_t header[AG_ARCHIVE_HEADER_BYTES];
    uint32_t header_filled, tag;
    uint64_t size, done;          /* of the section: the bytes behind its header */
    bool begun, ended;            /* the first section has passed, and the last one has */
    AG_VEC(uint32_t) submissions; /* numbers of those that wait in the snapshot */
};

/* `most` bytes may pass. `sink` may be null. Ended by ag_snapshot_walk_fini(). */
void ag_snapshot_walk_init(struct ag_snapshot_walk *walk, uint64_t most, const struct agpu_diag_sink *sink);
void ag_snapshot_walk_fini(struct ag_snapshot_walk *walk);

/* How many bytes may come next without passing a section's end; 0 behind the last section. */
uint64_t ag_snapshot_walk_next(const struct ag_snapshot_walk *walk);

/* Bytes pass, any number of them. False when they do not belong to an executor's snapshot (reported). */
bool ag_snapshot_walk_pass(struct ag_snapshot_walk *walk, const uint8_t *bytes, size_t size);

#endif
