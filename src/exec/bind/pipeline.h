/* SPDX-License-Identifier: MIT
 *
 * Pipelines, cached by everything that WebGPU bakes into them.
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
#include "exec/state/state.h"
#include "gpu/webgpu.h"

struct ag_attachments;
struct ag_binder;
struct ag_context;
struct ag_draw;

/* A draw of what an expansion made: ag_expanded_options. */
struct ag_expanded_key {
    uint16_t layers;  /* of the targets, where primitives name theirs; else 0 */
    uint8_t vertices; /* of a primitive; 0: the vertex shader runs as such */
    uint8_t edges;    /* as lines, of triangles */
    uint8_t culled;   /* enum ag_culled: those of which triangles not */
    uint8_t record_registers;
    uint8_t selects_viewport;
    uint8_t stream; /* of a geometry shader */
};

/* Zeroed before it is filled. */
struct ag_pipeline_key {
    uint64_t vertex_id,
        pixel_id; /* of the programs; pixel 0: none. Expanded: of the last stage in front of pixels */
    struct ag_expanded_key expanded;
    struct ag_vertex_state vertex;
    uint8_t attribute_classes[AGPU_MAX_REGISTERS];
    uint32_t topology;
    uint32_t strip_format; /* WGPUIndexFormat of an indexed strip */
    struct ag_rasterizer_desc rasterizer;
    struct ag_depth_stencil_desc depth_stencil;
    struct ag_blend_target blend[AGPU_MAX_RENDER_TARGETS];
    uint8_t formats[AGPU_MAX_RENDER_TARGETS]; /* DXGI; 0: no target */
    uint8_t depth_format;                     /* DXGI; 0: none */
    uint8_t target_count;
    uint8_t alpha_to_coverage;
    uint8_t sample_count; /* of the targets */
    uint8_t depth_bias;   /* in the vertex shader */
    uint8_t has_faces;    /* its primitives do, hence have a depth bias */
    uint32_t sample_mask;
    struct ag_uav_aliases aliases; /* of the pixel shader */
    struct ag_sampler_bits vertex_samplers, pixel_samplers;
};

struct ag_pipeline {
    struct ag_pipeline_key key;
    WGPURenderPipeline gpu;
    struct ag_shader_program *vertex_program, *pixel_program;
    struct ag_shader_variant *vertex, *pixel; /* pixel may be null; without a program it only clips */
    struct ag_vertex_state vertex_state;      /* the key's, as the module wants it */
    bool uses_draw_block;
    bool refused;
    struct ag_refusal refusal;
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
/* The program bound to a stage; null when none is. */
enum ag_outcome ag_bound_program(struct ag_binder *binder, const struct ag_context *context,
                                 enum agpu_stage stage, struct ag_shader_program **program);
/* Reports that there is no vertex shader, and returns AG_STOPPED. */
enum ag_outcome ag_draw_needs_vertex_shader(struct ag_binder *binder);

struct ag_compute_pipeline {
    uint64_t program_id;
    struct ag_uav_aliases aliases;
    struct ag_sampler_bits samplers;
    WGPUComputePipeline gpu;
    struct ag_shader_program *program;
    struct ag_shader_variant *variant;
};

enum ag_outcome ag_compute_pipeline_get(struct ag_binder *binder, struct ag_shader_program *program,
                                        const struct ag_uav_aliases *aliases,
                                        const struct ag_sampler_bits *samplers,
                                        struct ag_compute_pipeline **pipeline);
/* Drops every pipeline made from a program. */
void ag_pipelines_forget_program(struct ag_binder *binder, const struct ag_shader_program *program);
void ag_pipelines_clear(struct ag_binder *binder);

#endif
