/* SPDX-License-Identifier: MIT */
#include "process/snapshot_walk.h"

#include <inttypes.h>
#include <string.h>

#include "base/bytes.h"
#include "exec/snapshot/sections.h"

/* More than a device lets out. */
#define MOST_SUBMISSIONS 1024

void ag_snapshot_walk_init(struct ag_snapshot_walk *walk, uint64_t most, const struct agpu_diag_sink *sink)
{
    *walk = (struct ag_snapshot_walk){.most = most};
    ag_archive_init_reader(&walk->archive, NULL, sink);
}

void ag_snapshot_walk_fini(struct ag_snapshot_walk *walk)
{
    ag_vec_fini(&walk->submissions);
    ag_archive_fini(&walk->archive);
}

uint64_t ag_snapshot_walk_next(const struct ag_snapshot_walk *walk)
{
    if (walk->ended)
        return 0;
    if (walk->header_filled < AG_ARCHIVE_HEADER_BYTES)
        return AG_ARCHIVE_HEADER_BYTES - walk->header_filled;
    return walk->size - walk->done;
}

static void end_section(struct ag_snapshot_walk *walk)
{
    walk->begun = true;
    walk->ended = walk->tag == AG_SECTION_END;
    walk->header_filled = 0;
    walk->size = walk->done = 0;
}

static bool begin_section(struct ag_snapshot_walk *walk)
{
    if (!ag_archive_look(&walk->archive, walk->header, &walk->tag, &walk->size))
        return false;
    if ((walk->tag == AG_SECTION_EXECUTOR) == walk->begun)
        return ag_archive_refuse(&walk->archive, AGPU_DIAG_SNAPSHOT_FORMAT,
                                 "section 0x%08" PRIx32 " is out of its place", walk->tag);
    if (walk->size == 0)
        end_section(walk);
    return true;
}

/* A submission begins with its number. */
static bool note_submission(struct ag_snapshot_walk *walk, const uint8_t *bytes, size_t size)
{
    if (walk->tag != AG_SECTION_SUBMISSION || walk->done != 0 || size < sizeof(uint32_t))
        return true;
    if (walk->submissions.count == MOST_SUBMISSIONS)
        return ag_archive_refuse(&walk->archive, AGPU_DIAG_SNAPSHOT_LIMIT, "more than %u submissions wait",
                                 MOST_SUBMISSIONS);
    return ag_vec_push(&walk->submissions, ag_load_u32(bytes)) || ag_archive_no_memory(&walk->archive);
}

/* The part of the bytes that belongs to the header, or to the section, at hand. */
static bool pass_part(struct ag_snapshot_walk *walk, const uint8_t *bytes, size_t size)
{
    if (walk->header_filled < AG_ARCHIVE_HEADER_BYTES) {
        memcpy(walk->header + walk->header_filled, bytes, size);
        walk->header_filled += (uint32_t)size;
        return walk->header_filled < AG_ARCHIVE_HEADER_BYTES || begin_section(walk);
    }
    if (!note_submission(walk, bytes, size))
        return false;
    walk->done += size;
    if (walk->done == walk->size)
        end_section(walk);
    return true;
}

bool ag_snapshot_walk_pass(struct ag_snapshot_walk *walk, const uint8_t *bytes, size_t size)
{
    if (size > walk->most - walk->passed)
        return ag_archive_refuse(&walk->archive, AGPU_DIAG_SNAPSHOT_LIMIT,
                                 "a snapshot has more than %" PRIu64 " bytes", walk->most);
    walk->passed += size;
    while (size != 0) {
        const uint64_t next = ag_snapshot_walk_next(walk);
        const size_t part = next < size ? (size_t)next : size;
        if (part == 0)
            return ag_archive_refuse(&walk->archive, AGPU_DIAG_SNAPSHOT_FORMAT,
                                     "there are bytes behind the last section");
        if (!pass_part(walk, bytes, part))
            return false;
        bytes += part;
        size -= part;
    }
    return true;
}
