/* SPDX-License-Identifier: MIT
 *
 * The open render pass, and pending clears: clears of views that wait for a pass on the same view, where they
 * become load operations. Draws with the attachments of the open pass go on in that pass.
 */
#ifndef AG_EXEC_RECORD_PASS_H
#define AG_EXEC_RECORD_PASS_H

#include "gpu/webgpu.h"

struct ag_attachments;
struct ag_pending_clear;
struct ag_recorder;
struct ag_texture;
struct ag_texture_view;

/* The render pass with these attachments: the open pass when its attachments are equal, else a new pass
 * that begins with the pending clears of the attachments as load operations. */
WGPURenderPassEncoder ag_pass_begin(struct ag_recorder *recorder, const struct ag_attachments *attachments);

/* Ends the open pass, if there is one. */
void ag_pass_end(struct ag_recorder *recorder);

/* Clears one mip and layer: the clear becomes pending, or joins a pending clear of the same view. The open
 * pass is ended when the texture is one of its attachments. */
void ag_pass_clear(struct ag_recorder *recorder, const struct ag_pending_clear *value);

/* Performs the pending clears of a texture, before commands other than draws use the texture. The open
 * pass is ended when it writes to the texture. */
void ag_pass_settle(struct ag_recorder *recorder, const struct ag_texture *texture);

/* Performs all pending clears. */
void ag_pass_settle_all(struct ag_recorder *recorder);

/* Called before a view loses its WebGPU views: ends the open pass when the view is one of its attachments,
 * and performs the pending clears of the view. Clears of the view of a whole texture are dropped, since
 * the texture is destroyed along with that view. */
void ag_pass_forget_view(struct ag_recorder *recorder, const struct ag_texture_view *view);

#endif
