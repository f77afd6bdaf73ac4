/* SPDX-License-Identifier: MIT
 *
 * Bytes that come back from the GPU: pictures for the display, and write-backs into guest memory. They are
 * stored in the order of their packets, when the submission is done.
 */
#ifndef AG_EXEC_TRANSFER_WRITE_BACK_H
#define AG_EXEC_TRANSFER_WRITE_BACK_H

#include <stdbool.h>
#include <stdint.h>

#include "aerogpu/diag.h"
#include "base/vec.h"

struct ag_copier;
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
    struct ag_readback *readback; /* null: QUERY */
    uint64_t size;
    struct agpu_place place; /* of the packet */
    const char *packet_name;

    const struct ag_host_format *format; /* PRESENT, TEXTURE */
    uint32_t width, height;              /* texels; TEXTURE: texels or blocks */
    uint32_t host_pitch;
    uint64_t gpa, guest_pitch; /* all but PRESENT: where the first byte goes */
    uint64_t skipped;          /* BUFFER, TEXTURE: bytes of the read-back in front of the guest's */
    uint64_t stencil_offset;   /* TEXTURE of depth with stencil: where that plane begins, a byte a texel */
    uint32_t stencil_pitch;
    struct ag_query_run *query;                     /* QUERY: a reference */
    uint32_t scanout_id, present_flags, abi_format; /* PRESENT */
};

/* Those of one submission. */
struct ag_write_backs {
    AG_VEC(struct ag_write_back *) list; /* in packet order */
    bool reach_guest;                    /* some of them go to guest memory */
};

/* Adds one of `size` bytes to the submission being executed; null when memory is exhausted (reported). */
struct ag_write_back *ag_write_back_add(struct ag_copier *copier, enum ag_write_back_kind kind,
                                        uint64_t size);
/* Stores `data`, the bytes read back, in guest memory; not of PRESENT. What fails is reported. */
void ag_write_back_store(struct ag_copier *copier, const struct ag_write_back *write_back,
                         const uint8_t *data);

/* Asks for the bytes of all, once what fills them is submitted. */
void ag_write_backs_begin(const struct ag_write_backs *write_backs);
/* Whether all bytes have come, or never will since the device is lost. */
bool ag_write_backs_are_ready(const struct ag_copier *copier, const struct ag_write_backs *write_backs);
void ag_write_backs_fini(struct ag_copier *copier, struct ag_write_backs *write_backs);

#endif
