/* SPDX-License-Identifier: MIT
 *
 * Contents in a snapshot: the bytes of buffers, the texels of textures as the host has them, and counters,
 * each in parts of about 4 MiB. What is on the GPU is read back while the save is polled; what the CPU has,
 * or what is in guest memory and was not read yet, stays there. Texels go through no conversion: what the
 * host keeps more exactly than the guest's format says is kept so.
 */
#ifndef AG_EXEC_SNAPSHOT_CONTENTS_H
#define AG_EXEC_SNAPSHOT_CONTENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/archive.h"
#include "base/vec.h"
#include "exec/object/resource.h"
#include "gpu/webgpu.h"

struct ag_execution;
struct ag_readback;
struct ag_saved_objects;
struct ag_texture;
struct ag_uav_counter;

/* ---- Parts ------------------------------------------------------------------------------------------- */

enum ag_content_kind {
    AG_CONTENT_BYTES,   /* of a buffer, from `offset` */
    AG_CONTENT_BLOCKS,  /* of a texture whose blocks the host decodes: the guest's, from `offset` */
    AG_CONTENT_TEXELS,  /* rows of a subresource */
    AG_CONTENT_DEPTH,   /* the same of depth as floats, and behind them of stencil as bytes */
    AG_CONTENT_SAMPLES, /* rows of one sample of an image (blit/sample_image.h) */
    AG_CONTENT_VIEW_COUNTER,
    AG_CONTENT_BUFFER_COUNTER,
    AG_CONTENT_FILLED, /* how far stream output has filled a buffer */
    AG_CONTENT_KIND_COUNT
};

struct ag_content {
    uint32_t kind;   /* enum ag_content_kind */
    uint32_t handle; /* of the resource as it was made, or of a view */
    uint32_t mip, slice, image, sample;
    uint32_t row, rows;    /* of texels or blocks */
    uint64_t offset, size; /* bytes; of TEXELS to SAMPLES, `offset` is 0 */
};

#define AG_CONTENT_PART_BYTES (UINT64_C(4) << 20)

/* The fields of a part, in front of its bytes. */
void ag_content_archive(struct ag_archive *archive, struct ag_content *content);

/* Texels, or blocks, of a row of a subresource, and rows. */
struct ag_content_shape {
    uint32_t width, height, unit_bytes;
};
struct ag_content_shape ag_content_shape_of(const struct ag_texture *texture,
                                            const struct ag_content *content);

/* ---- Saving ------------------------------------------------------------------------------------------ */

struct ag_content_read;

/* A save of contents, from its first part to its last. */
struct ag_contents_save {
    struct ag_execution *rooms;
    struct ag_archive *archive;
    const struct ag_saved_objects *objects;
    size_t next;                          /* object */
    AG_VEC(struct ag_content_read) reads; /* of objects up to that one, in order */
    size_t recorded, written;             /* how many of them */
    uint64_t in_flight_bytes;
    WGPUTexture array; /* of the samples that are read next; or null */
};

/* Goes on. True when all is written, or after a report. */
bool ag_contents_save(struct ag_contents_save *save);
void ag_contents_save_fini(struct ag_contents_save *save);

/* ---- Loading ----------------------------------------------------------------------------------------- */

/* False after a report. */
bool ag_contents_load(struct ag_execution *rooms, struct ag_archive *archive);

#endif
