/* SPDX-License-Identifier: MIT
 *
 * The attachments of a draw, and the area of them that viewport and scissor leave.
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
struct ag_host;
struct ag_texture;
struct ag_texture_view;

/* Whether what a draw makes reaches the rasterizer: no stream is rasterized where the stream-output
 * declaration says so, and nothing is without a pixel shader and tests (D3D11.3 14.7, 15.2). */
bool ag_draw_rasterizes(struct ag_drawer *drawer, const struct ag_context *context);

/* Looks up the context's targets and describes them. Without targets that the draw changes, there are no
 * attachments. */
enum ag_outcome ag_attachments_init(struct ag_drawer *drawer, struct ag_context *context,
                                    struct ag_attachments *attachments);

/* Whether floats stand for the numbers of some target (AG_CONVERT_FLOATS). */
bool ag_attachments_hold_norms(const struct ag_attachments *attachments);

/* Whether one pass takes all colour targets: as many attachments, of as many bytes of a sample together. */
bool ag_attachments_fit(const struct ag_host *host, const struct ag_attachments *attachments);

/* Divides the colour targets into parts that fit. Returns how many parts there are. */
uint32_t ag_attachments_split(const struct ag_host *host, const struct ag_attachments *attachments,
                              struct ag_attachments parts[AGPU_MAX_RENDER_TARGETS]);

/* Makes a texture with the depth target's contents at this point of the stream, which the caller destroys.
 * AG_SKIPPED also when guest memory with the contents cannot be read. */
enum ag_outcome ag_attachments_copy_depth(struct ag_drawer *drawer, struct ag_texture_view *depth,
                                          struct ag_texture **copy);

struct ag_raster_area {
    struct ag_viewport viewport;
    uint32_t scissor[4]; /* x, y, width, height; inside the targets */
};

/* The area that viewport and scissor `index` leave of targets of `width` x `height` texels. `max_size`:
 * the device's largest texture. False when the area is empty (spec: ABI 12.7 F6, F7; not reported). */
bool ag_raster_area_init(const struct ag_context *context, uint32_t index, uint32_t width, uint32_t height,
                         uint32_t max_size, struct ag_raster_area *area);
/* The same for an area whose viewport has not changed and is not empty. */
bool ag_raster_scissor_init(const struct ag_context *context, uint32_t index, uint32_t width, uint32_t height,
                            struct ag_raster_area *area);

#endif
