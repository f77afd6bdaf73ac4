/* SPDX-License-Identifier: MIT
 *
 * Attachments of different sizes. WebGPU requires one size of all attachments of a pass. When the depth
 * target is larger than the colour targets, the pass draws into resized copies of the colour targets, which
 * have the depth target's size; the part inside a colour target is copied back when the pass ends. pass.c
 * calls these functions.
 */
#ifndef AG_EXEC_RECORD_ATTACHMENT_RESIZING_H
#define AG_EXEC_RECORD_ATTACHMENT_RESIZING_H

#include <stdbool.h>

#include "aerogpu/translate.h"
#include "exec/record/recorder.h"

/* Whether the depth target has another size than the colour targets. */
bool ag_attachments_need_resizing(const struct ag_attachments *attachments);

/* Begin makes a resized copy of each colour target, whose pending clears were performed before. End copies
 * the texels back and releases the copies; without resized copies, end does nothing. Both are called
 * outside a pass. */
void ag_resized_attachments_begin(struct ag_recorder *recorder, const struct ag_attachments *attachments,
                                  struct ag_resized_attachment resized[AGPU_MAX_RENDER_TARGETS]);
void ag_resized_attachments_end(struct ag_recorder *recorder, const struct ag_attachments *attachments,
                                struct ag_resized_attachment resized[AGPU_MAX_RENDER_TARGETS]);

#endif
