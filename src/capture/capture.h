/* SPDX-License-Identifier: MIT
 *
 * A capture that has been read: its records in order, with their bytes.
 */
#ifndef AG_CAPTURE_CAPTURE_H
#define AG_CAPTURE_CAPTURE_H

#include "aerogpu/abi/cmd.h"
#include "aerogpu/diag.h"
#include "base/arena.h"
#include "base/vec.h"
#include "capture/format.h"

/* One chunk, or one access of a PAGE or WRIT chunk. */
struct ag_capture_record {
    uint32_t fourcc;
    uint64_t offset;                 /* of the chunk in the file */
    const uint8_t *payload;          /* starts with the chunk's structure, aligned; null for accesses */
    size_t size;                     /* of the payload, at least that of the structure */
    struct ag_capture_access access; /* PAGE, WRIT, PRES */
    const uint8_t *bytes;            /* null for an access without bytes */
};

/* The structure of a record: AG_CAPTURE_AS(record, mmio)->offset. */
#define AG_CAPTURE_AS(record, name) ((const struct ag_capture_##name *)(const void *)(record)->payload)

struct ag_capture {
    struct ag_arena arena;
    AG_VEC(struct ag_capture_record) records; /* INFO first; without unknown chunks and END */
    const struct ag_capture_info *info;
    const char *text; /* who recorded the capture */
    bool complete;    /* the capture has its END chunk */
};

/* Whether bytes begin like a capture. */
bool ag_capture_probe(const void *data, size_t size);

/* Reads a capture of `size` bytes, which are not needed afterwards. A truncated capture is read up to its
 * end, with a warning capture.truncated. Errors: AGPU_REFUSED with capture.format, .version, .checksum,
 * .chunk or .limit at the byte offset of the chunk, or AGPU_NO_MEMORY; *capture is then null. */
enum agpu_status ag_capture_read(const void *data, size_t size, const struct agpu_diag_sink *sink,
                                 struct ag_capture **capture);
/* Accepts null. */
void ag_capture_destroy(struct ag_capture *capture);

/* ---- What is in it: summary.c -------------------------------------------------------------------------- */

struct ag_capture_draw_counts {
    uint64_t packets, draws, dispatches, presents;
};

/* One submission, in the order of the capture. */
struct ag_capture_submission_info {
    struct ag_capture_submission head;
    size_t record;   /* of the SUBM record */
    uint8_t *stream; /* head.stream_size bytes; null when the stream is empty or not in the capture */
    struct ag_capture_draw_counts counts;
    bool completed;
    uint32_t error; /* enum aerogpu_error_code or AG_CAPTURE_ANY_ERROR, when completed */
};

struct ag_capture_summary {
    struct ag_arena arena;
    AG_VEC(struct ag_capture_submission_info) submissions;
    uint64_t writebacks, presents; /* recorded results */
    uint64_t memory_bytes;         /* bytes of guest memory that was read, each counted once */
};

/* A device reads a stream in two parts, the header and the rest. */
#define AG_CAPTURE_STREAM_HEADER_BYTES ((uint32_t)sizeof(struct aerogpu_cmd_stream_header))

/* The limit for all streams of a capture together. */
#define AG_CAPTURE_STREAMS_LIMIT_BYTES (UINT64_C(1) << 30)

/* Lists the submissions. AGPU_REFUSED with capture.limit when their streams exceed
 * AG_CAPTURE_STREAMS_LIMIT_BYTES, or AGPU_NO_MEMORY. *summary must be finished in every case. */
enum agpu_status ag_capture_summarise(const struct ag_capture *capture, const struct agpu_diag_sink *sink,
                                      struct ag_capture_summary *summary);
void ag_capture_summary_fini(struct ag_capture_summary *summary);

/* The newest of the first `count` submissions that has this number, because numbers start again after a reset
 * of the ring. SIZE_MAX when there is none. */
size_t ag_capture_find_submission(const struct ag_capture_summary *summary, size_t count, uint32_t number);

/* Whether a record is a write that resets the ring, which destroys all objects of the guest. */
bool ag_capture_is_reset(const struct ag_capture_record *record);

/* ---- Cutting: trim.c ----------------------------------------------------------------------------------- */

/* Writes a capture of the submissions `from` to `to` (counted from 0 over the whole capture, both included)
 * that can be replayed by itself. Of earlier submissions presents are removed, and those draws, dispatches,
 * clears and copies whose results nothing later needs. Everything after `to` is removed. Results of removed
 * work are no longer expected. AGPU_REFUSED with capture.range when there are no such submissions. */
enum agpu_status ag_capture_trim(const struct ag_capture *capture, uint32_t from, uint32_t to,
                                 bool (*write)(void *user, const void *data, size_t size), void *user,
                                 const struct agpu_diag_sink *sink);

#endif
