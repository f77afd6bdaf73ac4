/* SPDX-License-Identifier: MIT
 *
 * The open render pass and the clears that wait to become load operations.
 */
#ifndef AG_EXEC_PASS_H
#define AG_EXEC_PASS_H

#include "exec/object.h"

#define AG_MAX_PENDING_CLEARS 16

/* What a draw renders to: one mip and layer each. Zeroed before it is filled. */
struct ag_attachments {
    struct ag_texture_view *colors[AGPU_MAX_RENDER_TARGETS];
    struct ag_texture_view *depth;
    uint32_t color_count;
    uint32_t width, height; /* of the colour targets, else of the depth target */
    uint32_t sample_count;  /* of all targets; 0 without any */
};

enum ag_clear_aspect {
    AG_CLEAR_ASPECT_COLOR = 1 << 0,
    AG_CLEAR_ASPECT_DEPTH = 1 << 1,
    AG_CLEAR_ASPECT_STENCIL = 1 << 2,
};

struct ag_pending_clear {
    struct ag_texture_view *view;
    uint32_t mip, layer; /* of the texture */
    uint32_t aspects;    /* enum ag_clear_aspect */
    WGPUColor color;
    float depth;
    uint32_t stencil;
};

/* WebGPU wants all attachments of one size. Where the depth target is larger, the pass draws into a copy of
 * each colour target with the depth target's size, which is copied back when the pass ends. */
struct ag_stand_in {
    WGPUTexture texture; /* null: the target itself is attached */
    WGPUTextureView view;
};

struct ag_pass {
    WGPURenderPassEncoder encoder; /* null: no pass is open */
    struct ag_attachments attachments;
    uint64_t first_draw; /* number of the draw that opened it */

    struct ag_pending_clear pending[AG_MAX_PENDING_CLEARS];
    uint32_t pending_count;

    struct ag_stand_in stand_ins[AGPU_MAX_RENDER_TARGETS];

    /* What the encoder was last told. */
    const void *pipeline;
    WGPUBindGroup groups[4];
    bool blend_constant_set, stencil_set, viewport_set, scissor_set;
    float blend_constant[4];
    uint32_t stencil_reference;
    float viewport[6];
    uint32_t scissor[4];
};

struct ag_exec;

/* A pass with these attachments; opens one, with pending clears as load operations, unless it is open
 * already. Null when a view could not be made (reported). */
WGPURenderPassEncoder ag_pass_begin(struct ag_exec *exec, const struct ag_attachments *attachments);
void ag_pass_end(struct ag_exec *exec);

/* (stand_in.c) True when the depth target is larger than the colour targets. */
bool ag_stand_ins_needed(const struct ag_attachments *attachments);
/* Copies the colour targets, whose pending clears are done, into stand-ins; and back. Outside of a pass. */
void ag_stand_ins_begin(struct ag_exec *exec, const struct ag_attachments *attachments,
                        struct ag_stand_in stand_ins[AGPU_MAX_RENDER_TARGETS]);
void ag_stand_ins_end(struct ag_exec *exec, const struct ag_attachments *attachments,
                      struct ag_stand_in stand_ins[AGPU_MAX_RENDER_TARGETS]);

/* Clears one mip and layer, now or with the next pass that renders to it. */
void ag_pass_clear(struct ag_exec *exec, const struct ag_pending_clear *value);

/* Performs the pending clears of a texture, and ends the pass when it renders to it. */
void ag_pass_settle(struct ag_exec *exec, const struct ag_texture *texture);
/* Performs all pending clears. */
void ag_pass_settle_all(struct ag_exec *exec);
/* Forgets the pending clears of a view or texture that dies; ends the pass when it uses it. */
void ag_pass_forget_view(struct ag_exec *exec, const struct ag_texture_view *view);

#endif
