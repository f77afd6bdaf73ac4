/* SPDX-License-Identifier: MIT
 *
 * Copies between textures, with or without a write-back into guest memory (spec: ABI 8.6, 8.7): the packet of
 * ABI 1.4 as a whole, and the parts that the extension's copies have in common with it.
 */
#ifndef AG_EXEC_TRANSFER_COPY_H
#define AG_EXEC_TRANSFER_COPY_H

#include <stdint.h>

#include "aerogpu/diag.h"

struct aerogpu_cmd_copy_texture2d;
struct ag_copier;
struct ag_progress;
struct ag_resource;
struct ag_texture;

/* ---- The packet of ABI 1.4 ---------------------------------------------------------------------------- */

/* Checks and records a copy, and its write-back when the packet asks for one. Reported when not AGPU_OK; the
 * packet had no effect then, except when memory is exhausted. */
enum agpu_status ag_copy_texture(struct ag_copier *copier, const struct aerogpu_cmd_copy_texture2d *copy,
                                 struct ag_progress *progress);

/* ---- Parts of copies ---------------------------------------------------------------------------------- */

/* One side of a copy between textures: a subresource and the corner of a rectangle, in texels. */
struct ag_copy_side {
    struct ag_texture *texture;
    uint32_t mip, slice, x, y;
};

/* The copy of a checked rectangle, of `width` x `height` texels of the source, between textures that are in
 * use. Texels or blocks have the same number of bytes on both sides. It is recorded in strips of whole rows:
 * more than one where the processor copies or decodes blocks, which takes long. AGPU_NO_MEMORY is reported.
 */
uint32_t ag_copy_strips(const struct ag_copy_side *source, const struct ag_copy_side *destination,
                        uint32_t width, uint32_t height);
enum agpu_status ag_copy_strip(struct ag_copier *copier, const struct ag_copy_side *destination,
                               const struct ag_copy_side *source, uint32_t width, uint32_t height,
                               uint32_t number);

/* Texels of a texture on their way to the guest: a rectangle in slices that follow each other. */
struct ag_copy_reading {
    struct ag_copy_side side;
    uint32_t width, height; /* texels */
    uint32_t slices;
    /* Where in guest memory, and the bytes there from row to row and from slice to slice. */
    uint64_t gpa, pitch, slice_pitch;
};

/* Record the write-back of texels that are in use to a guest-physical address.
 * AGPU_NO_MEMORY is reported. */
enum agpu_status ag_copy_read_texels(struct ag_copier *copier, const struct ag_copy_reading *reading);

/* Refuses unknown flags of a copy (reported). */
enum agpu_status ag_copy_check_flags(struct ag_copier *copier, uint32_t flags);

/* How many rows of texels or blocks of one slice may be read at once, and how many slices when all rows may:
 * about AG_PART_BYTES. Depth is read in whole slices. */
uint32_t ag_copy_rows_at_once(const struct ag_texture *texture, uint32_t width, uint32_t rows);
uint32_t ag_copy_slices_at_once(const struct ag_texture *texture, uint32_t width, uint32_t rows);

/* Find where the write-back of bytes of a resource, or of a rectangle of a texture, goes in the guest
 * memory that backs the destination. Refused when no writable guest memory is there (reported). */
enum agpu_status ag_copy_check_write_back(struct ag_copier *copier, const struct ag_resource *destination,
                                          uint64_t offset, uint64_t size, uint64_t *gpa);
enum agpu_status ag_copy_check_rect(struct ag_copier *copier, const struct ag_copy_side *side, uint32_t width,
                                    uint32_t height, uint64_t *gpa);

#endif
