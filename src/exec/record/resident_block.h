/* SPDX-License-Identifier: MIT
 *
 * A uniform block that is often the same in one submission after the other. It is uploaded with the ring at
 * first; the second submission that needs the same bytes puts them into a buffer, where later ones find them:
 * each submission that writes through the queue takes microseconds for that alone.
 */
#ifndef AG_EXEC_RECORD_RESIDENT_BLOCK_H
#define AG_EXEC_RECORD_RESIDENT_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "exec/record/upload_ring.h"
#include "gpu/webgpu.h"

struct ag_recorder;

#define AG_RESIDENT_BLOCK_BYTES 2048

/* All zeros at first. A block has one size for all of its time. */
struct ag_resident_block {
    uint8_t bytes[AG_RESIDENT_BLOCK_BYTES]; /* that were needed last */
    uint64_t noted_in;                      /* the encoder that needed them first; 0: there are none */
    struct ag_upload_slice slice;           /* where they are; nobody writes there */
    uint64_t epoch;                         /* of the upload ring that has the slice */
    bool is_resident;                       /* the buffer has the slice */
    WGPUBuffer gpu;                         /* null before the first use */
    uint64_t id;
};

/* Finds where the GPU has these bytes, or uploads them. False when memory is exhausted (reported). */
bool ag_resident_block_use(struct ag_recorder *recorder, struct ag_resident_block *block, const void *bytes,
                           uint32_t size, struct ag_upload_slice *slice);

/* With the device's other objects, bind groups among them. */
void ag_resident_block_fini(struct ag_resident_block *block);

#endif
