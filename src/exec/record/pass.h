/* SPDX-License-Identifier: MIT
 *
 * The open render pass, and pending clears: clears of views that wait for a pass on the same view, where they
 * become load operations. Draws with the attachments of the open pass go on in that pass.
 */
#ifndef AG_EXEC_RECORD_PASS_H
#define AG_EXEC_RECORD_PASS_H

#include <stdbool.h>
#include <stdint.h>

#include "exec/object/view.h"
#include "exec/record/recorder.h"
#include "gpu/webgpu.h"

/* The render pass with these attachments: the open pass when its attachments are equal, else a new pass
 * that begins with the pending clears of the attachments as load operations. */
WGPURenderPassEncoder ag_pass_begin(struct ag_recorder *recorder, const struct ag_attachments *attachments);

/* Ends the open pass, if there is one. */
void ag_pass_end(struct ag_recorder *recorder);

/* Clears one mip and layer: the clear becomes pending, or joins a pending clear of the same view. The open
 * pass is ended when the texture is one of its attachments. */
void ag_pass_clear(struct ag_recorder *recorder, const struct ag_pending_clear *value);

/* Whether a texture is no attachment of the open pass, and no clear of any texture is pending. */
static inline bool ag_pass_is_without(const struct ag_recorder *recorder, const struct ag_texture *texture)
{
    const struct ag_pass *pass = &recorder->pass;
    const struct ag_attachments *attachments = &pass->attachments;
    if (pass->pending_count != 0)
        return false;
    if (!pass->encoder)
        return true;
    for (uint32_t i = 0; i < attachments->color_count; i++)
        if (attachments->colors[i] && attachments->colors[i]->texture == texture)
            return false;
    return !attachments->depth || attachments->depth->texture != texture;
}

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
