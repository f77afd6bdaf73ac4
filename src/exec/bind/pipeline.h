/* SPDX-License-Identifier: MIT
 *
 * Render pipelines, cached by everything that WebGPU fixes in them. The binder owns the caches. A pipeline
 * that WebGPU or the device cannot have is cached as refused, and each draw that needs it is skipped.
 */
#ifndef AG_EXEC_BIND_PIPELINE_H
#define AG_EXEC_BIND_PIPELINE_H

#include <stdbool.h>
#include <stdint.h>

#include "aerogpu/dxbc.h"
#include "aerogpu/translate.h"
#include "exec/bind/shader.h"
#include "exec/bind/vertex_state.h"
#include "exec/host/outcome.h"
#include "exec/host/report.h"
#include "exec/host/shared_cache.h"
#include "exec/state/state.h"
#include "gpu/webgpu.h"

struct ag_attachments;
struct ag_binder;
struct ag_compilation;
struct ag_context;
struct ag_draw;

/* The draw behind the compute passes of an expanded draw (struct ag_expanded_options). All zero in a plain
 * draw. */
struct ag_expanded_key {
    uint16_t layers;          /* layers of the targets, where primitives choose one; else 0 */
    uint8_t vertices;         /* vertices of a primitive; 0 in a plain draw */
    uint8_t edges;            /* only the edges of triangles are drawn, as lines */
    uint8_t culled;           /* enum ag_culled: the triangles whose edges are not drawn */
    uint8_t record_registers; /* registers of a record of a vertex */
    uint8_t selects_viewport;
    uint8_t stream; /* the stream of a geometry shader that is rasterized */
    uint8_t pieces; /* the list may be drawn in pieces */
    uint8_t unused;
};

/* Everything that a render pipeline depends on. Zeroed before it is filled, so that its bytes can be
 * compared. */
struct ag_pipeline_key {
    /* The ids of the programs. Of an expanded draw, vertex_id is the last stage in front of the pixel
     * shader. pixel_id is 0 without a pixel shader. */
    uint64_t vertex_id, pixel_id;
    struct ag_expanded_key expanded;
    struct ag_inlined_key inlined;
    struct ag_vertex_state vertex;
    uint8_t attribute_classes[AGPU_MAX_REGISTERS];
    uint32_t topology;
    uint32_t strip_format; /* WGPUIndexFormat of an indexed strip */
    struct ag_rasterizer_desc rasterizer;
    struct ag_depth_stencil_desc depth_stencil;
    struct ag_blend_target blend[AGPU_MAX_RENDER_TARGETS];
    uint8_t formats[AGPU_MAX_RENDER_TARGETS]; /* DXGI formats; 0: no target in the slot */
    uint8_t depth_format;                     /* a DXGI format; 0: no depth target */
    uint8_t target_count;
    uint8_t alpha_to_coverage;
    uint8_t sample_count;  /* the guest's sample count of the targets */
    uint8_t faces;         /* enum ag_drawn_faces */
    uint8_t depth_bias;    /* enum ag_depth_bias_place */
    uint8_t early;         /* enum ag_early_pass */
    uint8_t depth_rounded; /* ag_depth_is_rounded() */
    uint32_t sample_mask;
    struct ag_uav_aliases aliases; /* of the pixel stage */
    struct ag_sampling vertex_sampling, pixel_sampling;
};

struct ag_pipeline {
    struct ag_pipeline_key key;
    uint64_t hash;          /* of the key */
    WGPURenderPipeline gpu; /* null until the compilation is done */
    struct ag_compilation *compilation;
    struct ag_shader_program *vertex_program, *pixel_program;
    /* The translations. `pixel` may be null. A `pixel` without pixel_program clips, or
     * makes depth (make_pixel()). */
    struct ag_shader_variant *vertex, *pixel;
    struct ag_inlined_parts parts;       /* of `vertex`; null: it has none */
    struct ag_vertex_state vertex_state; /* the key's, after ag_vertex_state_place() */
    uint8_t blend_constants; /* enum ag_blend_part: what is the guest's blend factor. The rest is 0 */
    bool uses_draw_block;
    bool is_ahead; /* no draw has needed the pipeline yet (kept_pipelines.h) */
    bool refused;
    struct ag_refusal refusal;
    struct ag_shared_member recent; /* in ag_binder.recent_pipelines */
};

/* The pipeline of a draw with the context's state. `indexed_strip` is the index format when a strip is drawn
 * with indices. */
enum ag_outcome ag_pipeline_get(struct ag_binder *binder, struct ag_context *context,
                                const struct ag_draw *draw, const struct ag_attachments *attachments,
                                uint32_t topology, WGPUIndexFormat indexed_strip,
                                struct ag_pipeline **pipeline);
/* The pipeline that draws what `producer` made as `expanded` says. */
enum ag_outcome ag_expanded_pipeline_get(struct ag_binder *binder, struct ag_context *context,
                                         const struct ag_attachments *attachments,
                                         struct ag_shader_program *producer,
                                         const struct ag_expanded_key *expanded,
                                         struct ag_pipeline **pipeline);
/* The same where the stages run in the vertex shader. */
enum ag_outcome ag_inlined_pipeline_get(struct ag_binder *binder, struct ag_context *context,
                                        const struct ag_attachments *attachments,
                                        const struct ag_inlined_parts *parts,
                                        const struct ag_expanded_key *expanded,
                                        const struct ag_inlined_key *inlined, struct ag_pipeline **pipeline);
/* Begins a pipeline that no draw needs yet, if there is room for it. A draw that needs the pipeline later
 * finds and counts it. False: its modules are not made yet, and a later call goes on. */
bool ag_pipeline_begin_ahead(struct ag_binder *binder, const struct ag_pipeline_key *key,
                             struct ag_shader_program *vertex, struct ag_shader_program *pixel);
/* The program bound to a stage; null when none is. */
enum ag_outcome ag_bound_program(struct ag_binder *binder, const struct ag_context *context,
                                 enum agpu_stage stage, struct ag_shader_program **program);
/* Reports that there is no vertex shader, and returns AG_SKIPPED. */
enum ag_outcome ag_draw_needs_vertex_shader(struct ag_binder *binder);

/* The depth and stencil state that applies to the attachments. All zero without a depth target. */
void ag_depth_stencil_drawn(const struct ag_context *context, const struct ag_attachments *attachments,
                            struct ag_depth_stencil_desc *desc);

/* Drops every pipeline that was made of a program. */
void ag_pipelines_forget_program(struct ag_binder *binder, const struct ag_shader_program *program);
/* Of a pipeline that is out of the map. */
void ag_pipeline_destroy(struct ag_binder *binder, struct ag_pipeline *pipeline);

#endif
