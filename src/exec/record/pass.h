/* SPDX-License-Identifier: MIT
 *
 * The open render pass and the clears that wait to become load operations.
 */
#ifndef AG_EXEC_RECORD_PASS_H
#define AG_EXEC_RECORD_PASS_H

#include "gpu/webgpu.h"

struct ag_attachments;
struct ag_pending_clear;
struct ag_recorder;
struct ag_texture;
struct ag_texture_view;

/* A pass with these attachments; opens one, with pending clears as load operations, unless it is open
 * already. Null when a view could not be made (reported). */
WGPURenderPassEncoder ag_pass_begin(struct ag_recorder *recorder, const struct ag_attachments *attachments);
void ag_pass_end(struct ag_recorder *recorder);
/* Clears one mip and layer, now or with the next pass that renders to it. */
void ag_pass_clear(struct ag_recorder *recorder, const struct ag_pending_clear *value);
/* Performs the pending clears of a texture, and ends the pass when it renders to it. */
void ag_pass_settle(struct ag_recorder *recorder, const struct ag_texture *texture);
/* Performs all pending clears. */
void ag_pass_settle_all(struct ag_recorder *recorder);
/* Forgets the pending clears of a view or texture that dies; ends the pass when it uses it. */
void ag_pass_forget_view(struct ag_recorder *recorder, const struct ag_texture_view *view);

#endif
