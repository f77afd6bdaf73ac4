/* SPDX-License-Identifier: MIT
 *
 * Shader programs, which the guest's handles name, and their variants: translations, one for each way in
 * which pipelines use a program. The binder owns programs, and a program owns its variants.
 */
#ifndef AG_EXEC_BIND_SHADER_H
#define AG_EXEC_BIND_SHADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "aerogpu/dxbc.h"
#include "aerogpu/translate.h"
#include "base/map.h"
#include "exec/host/outcome.h"
#include "exec/host/report.h"
#include "exec/host/shared_cache.h"
#include "exec/state/slots.h"
#include "gpu/webgpu.h"
#include "wgsl/linkage.h"
#include "wgsl/options.h"
#include "wgsl/overflow.h"

struct ag_bind_group_layout;
struct ag_binder;
struct ag_constant_pack;
struct ag_context;
struct ag_group_recipe;
struct ag_label;
struct ag_overflow_arena;
struct ag_compilation;
struct ag_shader_text;
struct ag_stream_output_declaration;
struct ag_texture_sharing;

/* A texture that a program declares. */
struct ag_declared_texture {
    uint8_t slot;
    uint8_t class;    /* enum ag_texture_fact */
    bool has_samples; /* Texture2DMS or an array of them */
    bool compared;    /* some instruction compares with it */
    bool sampled;     /* some instruction samples or gathers it without a comparison */
    bool is_plain;    /* Texture1D or Texture2D */
};

/* The slots whose textures may be bound as storage textures: of WebGPU's devices none has more for a stage.
 */
#define AG_STORAGE_TEXTURE_SLOTS 8

/* A texture that a program declares for unordered access. */
struct ag_writable_texture {
    uint8_t dimension;   /* enum agpu_resource_dimension; 0: none is declared in the slot */
    uint8_t return_type; /* enum agpu_return_type */
    bool loaded, has_atomics;
    uint32_t range; /* what instructions call it: the slot, or in shader model 5.1 the number of the range */
};

/* A program. All handles that were created with equal sources share one. */
struct ag_shader_program {
    uint64_t id;
    uint64_t hash;               /* of the source */
    struct ag_shader_text *text; /* owns the next three, with translations of the program */
    const uint8_t *bytes;        /* the source (shader_source.h) */
    size_t size;                 /* bytes of the source */
    const struct agpu_shader *shader;
    uint64_t host_bytes;        /* counted in the budget of host memory */
    struct ag_account *account; /* of the context that made the program first, which is charged for it */
    uint32_t references;        /* how many handles name the program */
    uint32_t handle;            /* for labels: the first of these handles */

    /* What the shader declares. */
    uint32_t inputs; /* bit n: input register n */
    uint8_t input_count;
    bool writes_depth, writes_sample_mask, discards;
    bool tests_early; /* declared with forceEarlyDepthStencil */
    uint32_t needs;   /* enum agpu_module_need of a translation with default options */
    struct agpu_shader_facts facts;
    bool has_uavs;      /* some unordered access view, so that the shader may write memory */
    uint64_t uav_slots; /* bit n: u# n */
    uint8_t uav_count;
    struct ag_writable_texture writable[AG_STORAGE_TEXTURE_SLOTS];
    uint32_t buffer_count;  /* buffers that are read */
    uint16_t sampler_slots; /* bit n: s# n */
    struct ag_declared_texture textures[AG_MAX_TEXTURES];
    uint32_t texture_count;
    uint32_t texture_bindings;           /* that the textures take when none shares one */
    struct ag_texture_sharing *sharings; /* AG_MAX_SHARINGS of them (texture_sharing.h), or null; owned */
    uint32_t sharing_count;
    /* Registers that constant buffers with computed indices declare; 0: there are none */
    uint16_t indexed_registers[AG_CBUFFER_SLOTS];
    bool has_indexed_registers;
    uint16_t cbuffer_slots; /* bit n: b# n */
    /* Not 0: draws that share passes otherwise were seen to have constants of their own, so that translations
     * for passes have sets of them; goes down with each batch that does not need them (expansion_batch.h). */
    uint8_t wants_constant_sets;

    /* The program cannot be translated at all. */
    bool refused;
    struct ag_refusal refusal;
    struct ag_compilation *translation; /* the one that it is judged by, until it is judged; else null */

    const struct ag_stream_output_declaration *stream_output; /* inside `bytes`, or null */
    bool passes_through; /* a geometry stage with a stream-output declaration and no geometry shader */
    struct ag_shader_variant *variants; /* a list */
    struct ag_map variants_by_key;      /* by the hashes of their keys; of equal hashes the newest */
    struct ag_shared_member idle;       /* while no handle names the program */
};

/* One translation of a program and its WebGPU module. */
struct ag_shader_variant {
    struct ag_shader_variant *next;
    const struct ag_shader_program *program;
    uint64_t id;
    uint64_t key_hash;
    struct ag_variant_key *key;
    bool is_made;                       /* else the worker translates the program */
    bool has_remarks;                   /* the translator has reported something */
    struct ag_overflow overflow;        /* what has no binding of its own */
    struct ag_compilation *translation; /* until it is made, or null */
    /* The program cannot be translated or bound in this way. */
    bool refused;
    struct ag_refusal refusal;
    struct agpu_module *module;             /* the translation */
    WGPUShaderModule gpu;                   /* null before the first use */
    struct ag_compilation *gpu_compilation; /* that makes it; or null */
    /* Bind group layouts, which the recorder owns: of the stage's own group, and of group 3 when the
     * variant is a part of an expanded draw. */
    struct ag_bind_group_layout *layout;
    struct ag_bind_group_layout *expansion;
    struct ag_group_recipe *recipe; /* of the stage's own group (group_recipe.h); null: none; owned */
    /* The resources that have no binding of their own; owned. */
    struct ag_overflow_arena *arena;
    struct ag_constant_pack *pack; /* null: the module has none; owned */
    /* When the variant runs as a compute pass of an expanded draw; null before the first use. */
    WGPUComputePipeline compute;
    struct ag_compilation *compilation;
    struct ag_refusal compute_refusal; /* code 0: the pipeline is not refused */
};

/* The program whose handle is bound to a stage, refused or not, also a program of another stage. Null when
 * there is none (not reported). */
struct ag_shader_program *ag_shader_in_slot(const struct ag_binder *binder, const struct ag_context *context,
                                            enum agpu_stage stage);

/* The program of a stage that is bound to the stage, refused or not. Null when none is (not reported). */
struct ag_shader_program *ag_shader_at(const struct ag_binder *binder, const struct ag_context *context,
                                       enum agpu_stage stage);

/* Whether a draw has the stage: a program of another stage is none, and a handle that names nothing skips the
 * draw. */
bool ag_stage_is_bound(const struct ag_binder *binder, const struct ag_context *context,
                       enum agpu_stage stage);

/* What the variables of unordered access views are. */
struct ag_uav_aliases {
    /* Slots of views of one buffer share a variable: for each slot 0, or one more than the slot that has the
     * variable. */
    uint8_t slots[AG_UAV_SLOTS];
    /* Of the textures that are bound as storage textures: enum agpu_storage_format. */
    uint8_t formats[AG_STORAGE_TEXTURE_SLOTS];
};

/* What the shader has to do for the samplers and textures that are bound. Of `biased` and `emulated`, bit n
 * is sampler n. Zeroed before it is filled, so that its bytes can be compared. */
struct ag_sampling {
    uint16_t biased;         /* add MipLODBias */
    uint16_t emulated;       /* do all of the sampling (ag_sampler_is_emulated()) */
    uint16_t floors;         /* 1 when a bound texture has a SetResourceMinLOD above 0 */
    uint16_t long_cbuffers;  /* bit n: b# n has computed indices and more registers than it declares */
    uint16_t apart_cbuffers; /* bit n: b# n is not packed (ag_constants_apart()) */
    uint16_t arena_uavs;     /* 1 when all unordered access views are in the arena (ag_uavs_share_arena()) */
    uint8_t textures[AG_MAX_TEXTURES]; /* enum ag_texture_fact */
};

/* Stages that run inside of the draw's vertex shader (inlined.h). All zero where none do. */
struct ag_inlined_key {
    /* Of the parts: in pipelines the ids of variants, in variants the hashes of texts. */
    uint64_t vertex, hull, producer;
    uint8_t list_vertices, index_bytes, is_aligned;
    uint8_t sides, is_counter_clockwise, padding[3]; /* of patches, with a hull shader */
    uint8_t formats[AGPU_MAX_REGISTERS];             /* DXGI formats by input register; 0: no element */
    uint8_t streams[AGPU_MAX_REGISTERS];
};

/* Everything that a translation depends on. Zeroed before it is filled, so that its bytes can be compared. */
struct ag_variant_key {
    struct ag_linkage linkage;
    uint8_t attribute_classes[AGPU_MAX_REGISTERS];
    uint8_t target_classes[AGPU_MAX_RENDER_TARGETS];
    uint8_t target_bits[AGPU_MAX_RENDER_TARGETS], target_green_bits[AGPU_MAX_RENDER_TARGETS];
    uint8_t target_alpha_bits[AGPU_MAX_RENDER_TARGETS];
    uint8_t target_planes[AGPU_MAX_RENDER_TARGETS];
    struct ag_target_factors target_factors[AGPU_MAX_RENDER_TARGETS];
    uint8_t target_mask, target_snorm, target_packed, dual_source, view_base, logic;
    uint8_t has_linkage, has_attributes;
    uint8_t no_depth_target, alpha_to_coverage;
    uint8_t depth_bias;  /* enum ag_depth_bias */
    uint8_t pixel_depth; /* bits of enum ag_pixel_depth */
    struct ag_early_test early_test;
    struct ag_uav_aliases aliases;
    struct ag_sampling sampling;

    /* Expanded draws. */
    uint8_t flavour; /* enum agpu_flavour; 0: the stage's own. PIXEL for another stage:
                        ag_translate_made_pixel() */
    uint8_t input_registers, patch_registers; /* registers of the records that the shader reads */
    /* Not 0: the translation is the vertex shader that draws the program's output, primitives with so many
     * vertices, out of records of `input_registers` registers. */
    uint8_t drawn_vertices;
    uint8_t drawn_edges, drawn_culled;
    uint8_t selects_viewport;
    uint8_t drawn_pieces;
    uint16_t drawn_layers;
    uint8_t is_inlined;        /* the variant is a part of another one */
    uint8_t has_constant_sets; /* the option of the same name */
    struct ag_inlined_key inlined;
};

/* The parts of a variant whose key has ag_inlined_key. */
struct ag_inlined_parts {
    struct ag_shader_variant *vertex, *producer;
    struct ag_shader_variant *hull; /* null: the producer is a geometry shader, else a domain shader */
};

/* The variant of a key, out of the program's list or new. AG_SKIPPED: the variant is refused, and *refusal
 * has the reason, or it is not translated yet and *refusal is as it was (ag_translation_wait()). `refusal`
 * may be null. */
enum ag_outcome ag_shader_variant(struct ag_binder *binder, struct ag_shader_program *program,
                                  const struct ag_variant_key *key, struct ag_shader_variant **variant,
                                  struct ag_refusal *refusal);
/* The same for a variant that is made of parts. */
enum ag_outcome ag_shader_variant_of_parts(struct ag_binder *binder, struct ag_shader_program *program,
                                           const struct ag_variant_key *key,
                                           const struct ag_inlined_parts *parts,
                                           struct ag_shader_variant **variant, struct ag_refusal *refusal);

/* The label of a program, such as "pixel shader 4". */
const char *ag_program_label(const struct ag_shader_program *program, struct ag_label *label);

/* Begins the variant's WebGPU module, which the gpu's worker makes (gpu/worker.h), on the first call. False
 * when memory is exhausted (reported). Call only when the device has all features that the module needs,
 * since WebGPU refuses WGSL that uses others. */
bool ag_shader_variant_begin_gpu(struct ag_binder *binder, struct ag_shader_variant *variant);
/* AG_DONE: variant->gpu is there. AG_SKIPPED: as ag_pipeline_wait(), or *refusal says why there will be none
 * for now (not reported). `what` names the pipeline that needs the module. */
enum ag_outcome ag_shader_variant_await_gpu(struct ag_binder *binder, struct ag_shader_variant *variant,
                                            const char *what, struct ag_refusal *refusal);

/* Begins and counts a compute pipeline of a variant, whose module is there; the caller releases it. Null when
 * memory is exhausted (reported). */
struct ag_compilation *ag_shader_variant_compile(struct ag_binder *binder, struct ag_shader_variant *variant,
                                                 const struct ag_bind_group_layout *const layouts[4],
                                                 uint32_t layout_count, const char *label);

/* Begins the compute pipeline of a variant that runs as a compute pass of an expanded draw, on the first
 * call. AG_SKIPPED: see ag_pipeline_wait_admits(). */
enum ag_outcome ag_shader_variant_begin_compute(struct ag_binder *binder, struct ag_shader_variant *variant);
/* That pipeline, which the variant owns. */
enum ag_outcome ag_shader_variant_compute(struct ag_binder *binder, struct ag_shader_variant *variant,
                                          WGPUComputePipeline *pipeline);

/* The translation with default options that a new program is judged by. AG_SKIPPED: it is refused, and
 * program->refusal says why. AG_PENDING: see ag_translation_wait(). */
enum ag_outcome ag_shader_translate_once(struct ag_binder *binder, struct ag_shader_program *program);

/* For a program that dies. */
void ag_shader_variant_destroy(struct ag_binder *binder, struct ag_shader_variant *variant);

#endif
