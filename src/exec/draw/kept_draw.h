/* SPDX-License-Identifier: MIT
 *
 * The kept draw: what the last plain draw was prepared into, so that the next draw prepares only what
 * changed.
 *
 * - A draw is kept when nothing in it is of use once: it is recorded in the open pass, with one vertex and
 *   perhaps one pixel shader, with indices out of the guest's own buffer, vertices from there or pulled, and
 * it writes nothing but the targets. The open pass has all of its state then. It does not outlive that pass,
 * nor do pulled vertices.
 * - Every packet says what it changes (ag_packet_changes()). What a packet does not say, or what is not
 *   listed in kept_draw.c, ends the kept draw, and the next draw is prepared in whole.
 * - The next draw prepares anew the groups of state that changed. Its pipeline is the kept one or one that a
 *   draw in the same state had (bind/pipeline_memo.h); contents of buffers are compared by their versions.
 * - Whether vertices have to be pulled depends on how many a draw reads: the kept draw has bounds, and what
 * is outside is prepared in whole. So is a draw of other vertices than were pulled, of other contents of
 * their buffers, of other buffers, another layout or shader where vertices are pulled. So is a draw whose
 * indices have cut values, or are not known.
 * - Preparing may end the pass or destroy a bind group, as a buffer gets new contents: the draw is prepared
 * in whole then.
 */
#ifndef AG_EXEC_DRAW_KEPT_DRAW_H
#define AG_EXEC_DRAW_KEPT_DRAW_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/packet_effect.h"
#include "exec/bind/group_recipe.h"
#include "exec/bind/pipeline_memo.h"
#include "exec/bind/vertex_state.h"
#include "exec/draw/drawer.h"
#include "exec/draw/plain_draw.h"
#include "exec/host/host.h"
#include "exec/record/recorder.h"
#include "exec/record/throttle.h"

struct ag_buffer;
struct ag_context;

/* The bind groups of stages: vertex, pixel. */
#define AG_KEPT_GROUPS 2

struct ag_kept_stage {
    const struct ag_shader_variant *variant; /* null: the stage has no bindings */
    bool has_buffers;                        /* buffers that are no constant buffers */
    bool moves_simply; /* each constant buffer has a dynamic offset, and nothing else has */
    uint32_t count;
    struct ag_group_constants constants[AG_CBUFFER_SLOTS];
};

/* How many elements of `stride` bytes are in `size` bytes, where the last one has to have `last_bytes`. */
struct ag_kept_elements {
    uint64_t size;
    uint32_t stride, last_bytes;
    uint64_t count;
};

/* What a buffer had in it. */
struct ag_kept_contents {
    const struct ag_buffer *buffer;
    uint64_t version;
};

struct ag_kept_draw {
    bool is_off; /* nothing is kept: for tests, which compare both ways */
    bool is_kept;
    /* Kept, and draws bring nothing of their own: neither a strip's indices nor another draw block, nor a
     * first instance that has to be looked at. */
    bool is_ready;
    bool has_block;    /* ready, with a draw block, which tells of one place of the vertices alone */
    uint32_t followed; /* ready: what may have changed for that to stay so, of `changed` */
    uint64_t uses;     /* counts draws that were not prepared in whole */

    /* What packets changed since the draw: AG_STATE_BIT() and AG_CHANGES_CONTENTS, and the stages for which
     * they changed bindings, a bit for each. */
    uint32_t changed, stages;

    const struct ag_context *context;
    uint64_t pass_number;
    struct ag_prepared_draw prepared;
    struct ag_pipeline_inputs inputs;
    struct ag_kept_stage kept_stages[AG_KEPT_GROUPS];
    bool has_plain_attachments; /* the targets alone decide on them: see has_plain_attachments() */
    struct ag_kept_contents vertex_contents[AG_VERTEX_BUFFER_SLOTS]; /* of what vertices come from */
    uint32_t vertex_contents_count;
    struct ag_kept_elements elements[AG_MAX_VERTEX_BUFFERS]; /* of vertex buffers */
    bool has_indices; /* the prepared indices are those of the context's index buffer */
    uint64_t index_version;
    /* Kept and ready, and draws with indices may be repeated: so many indices are there, none is a cut value
     * or above `last_index`. 0: nothing is known of them. */
    uint64_t known_indices;
    uint32_t last_index;

    /* The draws that read no vertex outside its buffer, or outside of those that were pulled. */
    uint32_t first_vertex, first_instance; /* of pulled ones; else 0 */
    uint64_t vertices, instances;          /* how many there are from there on */
    bool reads_vertices, reads_instances;
    bool needs_first_instance_0;
};

/* Notes what a packet is about to change; `stage` is the packet's. */
static inline void ag_kept_draw_note(struct ag_kept_draw *kept, uint32_t changes, uint32_t stage)
{
    const uint32_t staged = AG_STATE_BIT(AG_STATE_SHADER_RESOURCES) | AG_STATE_BIT(AG_STATE_SAMPLERS) |
                            AG_STATE_BIT(AG_STATE_CONSTANT_BUFFERS);
    /* What becomes an output of one stage leaves the inputs of all. */
    const bool is_of_stage = stage < AGPU_STAGE_COUNT && !(changes & AG_STATE_BIT(AG_STATE_UNORDERED_ACCESS));
    kept->changed |= changes;
    if (changes & staged)
        kept->stages |= is_of_stage ? UINT32_C(1) << stage : UINT32_MAX;
}

/* Whether the open pass is that of the kept draw, and the bind groups hold what the guest's objects are. */
static inline bool ag_kept_draw_is_in_pass(const struct ag_kept_draw *kept,
                                           const struct ag_recorder *recorder)
{
    return recorder->pass.encoder && recorder->pass_number == kept->pass_number &&
           recorder->groups_destroyed == kept->prepared.groups_destroyed;
}

/* Makes a draw out of the kept one, which is up to date then. False when the draw has to be prepared in
 * whole: nothing is recorded, and nothing is kept. */
bool ag_kept_draw_use(struct ag_drawer *drawer, struct ag_context *context, const struct ag_draw *draw);

/* Keeps the plain draw that was made just now, if it can be kept. */
void ag_kept_draw_keep(struct ag_drawer *drawer, struct ag_context *context, const struct ag_draw *draw);

void ag_kept_draw_drop(struct ag_drawer *drawer);

/* Brings a kept draw that is ready up to date after such changes alone. Where that is not enough, the draw is
 * not ready afterwards. */
void ag_kept_draw_follow(struct ag_drawer *drawer, struct ag_context *context, bool indexed);

/* Whether the kept draw is ready, after what has changed. */
static inline bool ag_kept_draw_is_followed(struct ag_drawer *drawer, struct ag_context *context,
                                            bool indexed)
{
    const struct ag_kept_draw *kept = drawer->kept;
    if (kept->changed && !(kept->changed & ~kept->followed) && kept->is_ready)
        ag_kept_draw_follow(drawer, context, indexed);
    return kept->is_ready && !kept->changed;
}

/* Whether the draw block, if there is one, is that of a draw of this place. */
static inline bool ag_kept_draw_has_place(const struct ag_kept_draw *kept, bool indexed, uint32_t first,
                                          int32_t base_vertex, uint32_t first_instance)
{
    const struct ag_draw *draw = &kept->prepared.draw;
    return !kept->has_block || (draw->indexed == indexed && draw->first == first &&
                                draw->base_vertex == base_vertex && draw->first_instance == first_instance);
}

static inline void ag_kept_draw_count(struct ag_drawer *drawer, uint64_t work)
{
    ag_throttle_add_draw(drawer->recorder, drawer->texels, work);
    drawer->recorder->draw_number++;
    drawer->kept->uses++;
    drawer->host->counts.pipeline_hits++;
    drawer->host->counts.draws++;
}

/* Makes a draw without indices of the stream's context if the kept one is ready for it and the draw is
 * within the budget of work. False: nothing is recorded. */
static inline bool ag_kept_draw_repeat(struct ag_drawer *drawer, struct ag_context *context, uint32_t count,
                                       uint32_t instance_count, uint32_t first, uint32_t first_instance)
{
    const struct ag_kept_draw *kept = drawer->kept;
    const uint64_t work = (uint64_t)count * instance_count;
    if (!ag_kept_draw_is_followed(drawer, context, false) || work - 1 >= drawer->work_budget ||
        !ag_kept_draw_is_in_pass(kept, drawer->recorder) ||
        !ag_kept_draw_has_place(kept, false, first, 0, first_instance) ||
        (uint64_t)first_instance + instance_count > kept->instances ||
        (uint64_t)(first - kept->first_vertex) + count > kept->vertices)
        return false;
    wgpuRenderPassEncoderDraw(drawer->recorder->pass.encoder, count, instance_count,
                              first - kept->first_vertex,
                              kept->inputs.versions.is_pulled ? 0 : first_instance);
    ag_kept_draw_count(drawer, work);
    return true;
}

/* The same with indices. */
static inline bool ag_kept_draw_repeat_indexed(struct ag_drawer *drawer, struct ag_context *context,
                                               uint32_t count, uint32_t instance_count, uint32_t first,
                                               int32_t base_vertex, uint32_t first_instance)
{
    const struct ag_kept_draw *kept = drawer->kept;
    const uint64_t work = (uint64_t)count * instance_count;
    if (!ag_kept_draw_is_followed(drawer, context, true) || work - 1 >= drawer->work_budget ||
        !ag_kept_draw_is_in_pass(kept, drawer->recorder) ||
        !ag_kept_draw_has_place(kept, true, first, base_vertex, first_instance) ||
        (uint64_t)first + count > kept->known_indices || base_vertex < 0 ||
        (uint64_t)first_instance + instance_count > kept->instances ||
        (uint64_t)((uint32_t)base_vertex - kept->first_vertex) + kept->last_index >= kept->vertices)
        return false;
    wgpuRenderPassEncoderDrawIndexed(drawer->recorder->pass.encoder, count, instance_count, first,
                                     (int32_t)((uint32_t)base_vertex - kept->first_vertex),
                                     kept->inputs.versions.is_pulled ? 0 : first_instance);
    ag_kept_draw_count(drawer, work);
    return true;
}

#endif
