/* SPDX-License-Identifier: MIT
 *
 * Shader programs, which handles name, and their variants: one translation for each use that pipelines make
 * of a program.
 */
#ifndef AG_EXEC_BIND_SHADER_H
#define AG_EXEC_BIND_SHADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "aerogpu/diag.h"
#include "aerogpu/dxbc.h"
#include "aerogpu/translate.h"
#include "exec/host/outcome.h"
#include "exec/host/report.h"
#include "exec/state/slots.h"
#include "gpu/webgpu.h"
#include "wgsl/linkage.h"

struct ag_binder;
struct ag_context;
struct ag_label;
struct ag_shader_source;
struct ag_stage_layout;
struct ag_stream_output_declaration;

/* Distinct sources, parsed once; any number of handles share one. */
struct ag_shader_program {
    uint64_t id;
    uint64_t hash;
    uint8_t *bytes;
    size_t size;
    uint32_t references; /* handles */
    uint32_t handle;     /* one of them, the first since there were none; for labels */
    struct agpu_shader *shader;
    uint32_t inputs; /* bit n: input register n is declared, hence read */
    bool writes_depth;
    uint32_t needs; /* enum agpu_module_need of its natural translation */
    struct agpu_shader_facts facts;
    bool has_uavs;          /* declares unordered access views, hence may write memory */
    uint32_t uav_slots;     /* bit n: u# n is declared */
    uint16_t sampler_slots; /* bit n: s# n is declared */
    bool refused;
    struct ag_refusal refusal;
    const struct ag_stream_output_declaration *stream_output; /* in `bytes`, or null */
    bool passes_through; /* a geometry stage without a program: only its stream output counts */
    struct ag_shader_variant *variants; /* list */
};

/* One translation of a program and its WebGPU module. */
struct ag_shader_variant {
    struct ag_shader_variant *next;
    const struct ag_shader_program *program;
    uint64_t id;
    uint64_t key_hash;
    struct ag_variant_key *key;
    bool refused;
    struct ag_refusal refusal;
    struct agpu_module *module;
    WGPUShaderModule gpu;
    struct ag_stage_layout *layout;    /* of the stage's own bind group; owned by the layout cache */
    struct ag_stage_layout *expansion; /* of group 3, where the variant belongs to an expansion */
    WGPUComputePipeline compute;       /* of stages that run as compute passes, made when first needed */
};

enum agpu_status ag_shader_create(struct ag_binder *binder, uint32_t handle, enum agpu_stage stage,
                                  const struct ag_shader_source *source);
void ag_shader_release(struct ag_binder *binder, uint32_t handle);
/* The program bound to a stage, whatever it is; null when none is. */
struct ag_shader_program *ag_shader_at(const struct ag_binder *binder, const struct ag_context *context,
                                       enum agpu_stage stage);
/* Frees programs that no handle names when too many have gathered; all of them when `all`. */
void ag_shader_trim(struct ag_binder *binder, bool all);

struct ag_uav_aliases {
    uint8_t slots[AG_WIRE_UAV_SLOTS];
};

/* Bit n: what the shader does for sampler n. */
struct ag_sampler_bits {
    uint16_t biased;   /* adds its bias of levels */
    uint16_t emulated; /* all of it */
    uint16_t floors;   /* 1: a texture that is bound has a least level */
};

/* Everything that makes a translation differ. Zeroed before it is filled. */
struct ag_variant_key {
    struct ag_linkage linkage;
    uint8_t attribute_classes[AGPU_MAX_REGISTERS];
    uint8_t target_classes[AGPU_MAX_RENDER_TARGETS];
    uint8_t target_bits[AGPU_MAX_RENDER_TARGETS], target_alpha_bits[AGPU_MAX_RENDER_TARGETS];
    uint8_t target_mask, target_snorm, dual_source, view_base, logic;
    uint8_t has_linkage, has_attributes;
    uint8_t depth_bias, no_depth_target;
    struct ag_uav_aliases aliases;
    struct ag_sampler_bits samplers;
    /* Expansion. */
    uint8_t flavour; /* enum agpu_flavour; 0: the stage's own. PIXEL of another stage: see
                        ag_translate_clip_pixel */
    uint8_t input_registers, patch_registers; /* of the records it reads */
    uint8_t drawn_vertices; /* not 0: the vertex shader that draws what this program makes, of primitives with
                             * that many vertices and records of `input_registers` */
    uint8_t drawn_edges, drawn_culled;
    uint8_t selects_viewport;
    uint16_t drawn_layers;
};

/* The translation for a key, made at first use. AG_SKIPPED: it is refused, and *refusal says why, unless it
 * is null. */
enum ag_outcome ag_shader_variant(struct ag_binder *binder, struct ag_shader_program *program,
                                  const struct ag_variant_key *key, struct ag_shader_variant **variant,
                                  struct ag_refusal *refusal);
/* "pixel shader 4" */
const char *ag_program_label(const struct ag_shader_program *program, struct ag_label *label);
/* The variant's module on the device, made at first use: only once the device is known to have what the
 * module needs, since WebGPU objects to WGSL beyond its features. Owned by the variant. */
WGPUShaderModule ag_shader_variant_gpu(struct ag_binder *binder, struct ag_shader_variant *variant);
/* The same for the pipeline of a stage that runs as a compute pass in front of a draw. Null when memory is
 * exhausted (reported). */
WGPUComputePipeline ag_shader_variant_compute(struct ag_binder *binder, struct ag_shader_variant *variant);

#endif
