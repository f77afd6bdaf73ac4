/* SPDX-License-Identifier: MIT
 *
 * What a draw renders to, and the area of it that viewport and scissor leave.
 */
#ifndef AG_EXEC_DRAW_RASTER_H
#define AG_EXEC_DRAW_RASTER_H

#include <stdbool.h>
#include <stdint.h>

#include "aerogpu/translate.h"
#include "exec/host/outcome.h"
#include "exec/record/recorder.h"
#include "exec/state/rect.h"

struct ag_context;
struct ag_drawer;
struct ag_texture;
struct ag_texture_view;

/* What the context renders to. Nothing at all when the draw has no effect. */
enum ag_outcome ag_attachments_init(struct ag_drawer *drawer, struct ag_context *context,
                                    struct ag_attachments *attachments);
/* Bytes of a sample in all colour targets, as WebGPU counts them. */
uint32_t ag_attachments_bytes(const struct ag_attachments *attachments);
/* Divides the colour targets into parts of at most `limit` bytes; returns how many. */
uint32_t ag_attachments_split(const struct ag_attachments *attachments, uint32_t limit,
                              struct ag_attachments parts[AGPU_MAX_RENDER_TARGETS]);
/* A texture with the depth target's contents at this point. AG_SKIPPED also when those are in guest memory
 * that cannot be read. */
enum ag_outcome ag_attachments_copy_depth(struct ag_drawer *drawer, struct ag_texture_view *depth,
                                          struct ag_texture **copy);

struct ag_raster_area {
    struct ag_viewport viewport;
    uint32_t scissor[4]; /* x, y, width, height, inside the targets */
};

/* Of viewport and scissor `index`. False when nothing can be drawn (spec: ABI 12.7 F6, F7). `max_size` is the
 * device's largest texture. */
bool ag_raster_area_init(const struct ag_context *context, uint32_t index, uint32_t width, uint32_t height,
                         uint32_t max_size, struct ag_raster_area *area);

#endif
