/* SPDX-License-Identifier: MIT
 *
 * Write-backs: bytes that are read back from the GPU and handed over in the order of their packets when the
 * submission is done, before its fence: pictures to the display, bytes of buffers, texels and query results
 * to guest memory. A submission owns its write-backs; transfer/copy.h and the packet handlers add them;
 * submit/ begins, stores and ends them.
 */
#ifndef AG_EXEC_TRANSFER_WRITE_BACK_H
#define AG_EXEC_TRANSFER_WRITE_BACK_H

#include <stdbool.h>
#include <stdint.h>

#include "aerogpu/diag.h"
#include "base/vec.h"
#include "exec/transfer/copier.h"

struct ag_host_format;
struct ag_query_run;
struct ag_readback;

enum ag_write_back_kind {
    AG_WRITE_BACK_PRESENT,
    AG_WRITE_BACK_BUFFER,
    AG_WRITE_BACK_TEXTURE,
    AG_WRITE_BACK_QUERY,
};

struct ag_write_back {
    enum ag_write_back_kind kind;
    struct ag_readback *readback; /* null when the kind is QUERY, or nobody looks at a PRESENT */
    uint64_t size;                /* bytes */
    struct agpu_place place;      /* of the packet, for errors */
    const char *packet_name;

    /* PRESENT and TEXTURE: rows of texels (of blocks in a block-compressed TEXTURE), host_pitch bytes
     * apart. */
    const struct ag_host_format *format;
    uint32_t width, height;
    uint32_t slices; /* TEXTURE: slices of `height` rows each, which follow each other; 1 unless it is set */
    uint32_t host_pitch;

    /* The guest-physical address of the first byte, and for TEXTURE the bytes from row to row and from slice
     * to slice. */
    uint64_t gpa, guest_pitch, guest_slice_pitch;
    /* BUFFER and TEXTURE: how many bytes of the read-back come before the first byte for the guest. */
    uint64_t skipped;
    /* TEXTURE of depth with stencil: where the stencil plane begins in the read-back, one byte for each
     * texel. */
    uint64_t stencil_offset;
    uint32_t stencil_pitch;

    struct ag_query_run *query; /* QUERY: a reference */
    /* PRESENT; one that nobody looks at has no read-back, one with `stored` goes to guest memory, too. */
    uint32_t scanout_id, present_flags, abi_format, swap_chain, sync_interval;
    bool stored;
    struct ag_picture_memory picture; /* PRESENT: the picture, while it is converted; owned */

    uint64_t delivered; /* how many rows, or bytes of a BUFFER, were stored or converted so far */
};

/* The write-backs of one submission. */
struct ag_write_backs {
    AG_VEC(struct ag_write_back *) list; /* in the order of the packets */
    bool reach_guest;                    /* the list has some that are stored in guest memory */
};

/* Adds a write-back of `size` bytes to the submission being executed; a size of 0 needs no read-back. Null
 * when memory is exhausted (reported). */
struct ag_write_back *ag_write_back_add(struct ag_copier *copier, enum ag_write_back_kind kind,
                                        uint64_t size);

/* Stores the next part of a ready write-back of any kind but PRESENT in guest memory, about AG_PART_BYTES.
 * `data`: the bytes read back. Returns true when all is stored, or when a failure was reported. */
bool ag_write_back_store(struct ag_copier *copier, struct ag_write_back *write_back, const uint8_t *data);

/* Whether a picture is shown from the bytes read back, in this order; an owner `takes_any_layout` or RGBA8 in
 * rows without padding. */
bool ag_write_back_is_shown_as_it_is(const struct ag_write_back *write_back, bool takes_any_layout,
                                     bool *is_bgra);

/* Converts the next part of a picture, and stores the part in guest memory where the guest wants the picture.
 * Returns true when all is converted, or when a failure was reported; there is no picture then. */
bool ag_write_back_convert(struct ag_copier *copier, struct ag_write_back *write_back, const uint8_t *data);

/* Begins all read-backs, after the commands that copy into them are submitted. */
void ag_write_backs_begin(const struct ag_write_backs *write_backs);

/* Whether all read-backs are done, or will never be because the device is lost. */
bool ag_write_backs_are_ready(const struct ag_copier *copier, const struct ag_write_backs *write_backs);

/* Releases all write-backs; more can be added. */
void ag_write_backs_release(struct ag_copier *copier, struct ag_write_backs *write_backs);

/* Releases all write-backs and the list. */
void ag_write_backs_fini(struct ag_copier *copier, struct ag_write_backs *write_backs);

#endif
