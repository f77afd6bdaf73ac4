/* SPDX-License-Identifier: MIT
 *
 * The memo of pipelines: what plain draws were drawn with, by versions of the groups of state that pipelines
 * are made of. Equal contents of a group have equal versions for as long as the memo remembers them, and a
 * version never comes back for other contents. A key of versions is far smaller than a pipeline's own, and
 * only the groups that changed are looked at anew. A pipeline that is destroyed empties the memo.
 */
#ifndef AG_EXEC_BIND_PIPELINE_MEMO_H
#define AG_EXEC_BIND_PIPELINE_MEMO_H

#include <stdbool.h>
#include <stdint.h>

#include "exec/bind/context.h"
#include "exec/bind/pipeline_versions.h"
#include "exec/bind/shader.h"

struct ag_attachments;
struct ag_binder;
struct ag_pipeline;

/* What of a slot of vertex buffers a pipeline depends on. */
struct ag_vertex_slot_facts {
    uint32_t stride;
    uint8_t slot, is_bound, misalignment, unused;
};

/* The versions of a context's state, and what they were made of. */
struct ag_pipeline_inputs {
    uint64_t program_ids[2]; /* of the vertex and the pixel stage; 0: there is none */
    struct ag_state_versions versions;
    uint64_t state; /* the version of `versions`; 0: not known yet */
    bool moved;     /* the last call changed some version or id */
    uint32_t vertex_count;
    struct ag_vertex_slot_facts vertices[AG_VERSIONED_BYTES / sizeof(struct ag_vertex_slot_facts)];
    struct ag_shader_program *programs[2]; /* of the vertex and the pixel stage, or null */
    struct ag_sampling sampling[2];
    bool samples_nothing[2]; /* `sampling` is all zero, whatever is bound */
    uint32_t slots;          /* bit n: the input layout has elements of vertex buffer n */
};

/* Brings the inputs up to date for a draw on the attachments. `changed` has the states of the context that
 * changed since the last call (AG_STATE_BIT()), `staged` a bit for each stage whose bindings did. False when
 * something is bound that the memo does not tell apart: another stage, or a handle that names nothing; the
 * inputs are not valid then. */
bool ag_pipeline_inputs_update(struct ag_binder *binder, struct ag_context *context,
                               const struct ag_attachments *attachments, uint32_t changed, uint32_t staged,
                               struct ag_pipeline_inputs *inputs);

/* Whether the vertex buffers of a context are to a pipeline what they were in the last call. */
static inline bool ag_pipeline_inputs_have_vertices(const struct ag_pipeline_inputs *inputs,
                                                    const struct ag_context *context)
{
    for (uint32_t i = 0; i < inputs->vertex_count; i++) {
        const struct ag_vertex_slot_facts *facts = &inputs->vertices[i];
        const struct ag_vertex_buffer_slot *slot = &context->vertex_buffers[facts->slot];
        if (facts->stride != slot->stride || facts->misalignment != slot->offset % 4 || !slot->buffer ||
            !facts->is_bound)
            return false;
    }
    return true;
}

/* Sets what is not the context's state, but the draw's: the format of an indexed strip, and whether vertices
 * are pulled. */
static inline void ag_pipeline_inputs_set_draw(struct ag_pipeline_inputs *inputs, uint32_t strip_format,
                                               uint32_t is_pulled)
{
    if (inputs->versions.strip_format == strip_format && inputs->versions.is_pulled == is_pulled)
        return;
    inputs->versions.strip_format = strip_format;
    inputs->versions.is_pulled = is_pulled;
    inputs->state = 0;
}

/* The pipeline that a plain draw with these inputs was drawn with. Null when none is remembered. */
struct ag_pipeline *ag_pipeline_memo_find(struct ag_binder *binder, struct ag_pipeline_inputs *inputs);
void ag_pipeline_memo_add(struct ag_binder *binder, struct ag_pipeline_inputs *inputs,
                          struct ag_pipeline *pipeline);
/* Called when a pipeline is destroyed. */
void ag_pipeline_memo_clear(struct ag_binder *binder);

#endif
