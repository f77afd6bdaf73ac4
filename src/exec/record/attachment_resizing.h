/* SPDX-License-Identifier: MIT
 *
 * Attachments of different sizes. WebGPU wants all attachments of one size: where the depth target is
 * larger, the pass draws into a copy of each colour target that has the depth target's size, and the part
 * that counts is copied back when the pass ends.
 */
#ifndef AG_EXEC_RECORD_ATTACHMENT_RESIZING_H
#define AG_EXEC_RECORD_ATTACHMENT_RESIZING_H

#include <stdbool.h>

#include "aerogpu/translate.h"
#include "exec/record/recorder.h"

/* True when the depth target is larger than the colour targets. */
bool ag_attachments_need_resizing(const struct ag_attachments *attachments);
/* Copies the colour targets, whose pending clears are done, into stand-ins; and back. Outside of a pass. */
void ag_resized_attachments_begin(struct ag_recorder *recorder, const struct ag_attachments *attachments,
                                  struct ag_resized_attachment stand_ins[AGPU_MAX_RENDER_TARGETS]);
void ag_resized_attachments_end(struct ag_recorder *recorder, const struct ag_attachments *attachments,
                                struct ag_resized_attachment stand_ins[AGPU_MAX_RENDER_TARGETS]);

#endif
