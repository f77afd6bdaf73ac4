/* SPDX-License-Identifier: MIT
 *
 * Writing WGSL: what the files of this layer share. Nothing is decided here that the IR could have decided.
 */
#ifndef AG_WGSL_EMIT_H
#define AG_WGSL_EMIT_H

#include "base/strbuf.h"
#include "ir/ir.h"
#include "wgsl/draw_block.h"
#include "wgsl/expansion.h"
#include "wgsl/helpers.h"
#include "wgsl/linkage.h"
#include "wgsl/options.h"

/* Helper functions that belong to one resource. */
enum ag_wgsl_resource_helper {
    AG_WGSL_CBUFFER_LOAD,
    AG_WGSL_ADDRESS, /* element and offset to byte address */
    AG_WGSL_WORD,
    AG_WGSL_LOAD_1,
    AG_WGSL_LOAD_2,
    AG_WGSL_LOAD_3,
    AG_WGSL_LOAD_4,
    AG_WGSL_SET_WORD,
    AG_WGSL_TEXEL,
    AG_WGSL_STORAGE_TEXEL,
    AG_WGSL_INFO,
    AG_WGSL_LOD_OF_QUAD,
    AG_WGSL_LOD_OF_GRADIENTS,
    AG_WGSL_LOD_CLAMPED,
    AG_WGSL_WITHIN,
    AG_WGSL_TAP, /* of emulated samplers */
    AG_WGSL_SAMPLED,
    AG_WGSL_GATHERED,
    AG_WGSL_ATOMIC_FIRST, /* + enum ag_ir_atomic */
    AG_WGSL_RESOURCE_HELPER_COUNT = AG_WGSL_ATOMIC_FIRST + AG_IR_ATOMIC_COMPARE_EXCHANGE + 1,
};

struct ag_wgsl_resource {
    const char *name;
    uint32_t helpers;  /* bits of enum ag_wgsl_resource_helper already written */
    uint32_t view;     /* entry of the draw block's views, or AG_IR_NONE */
    uint32_t variable; /* the resource whose variable it uses: itself, but for aliased UAVs */
    bool bound;        /* the text mentions its variable */
    bool plain_bound;  /* textures that are compared with: the text mentions their twin of floats */
    bool twin_bound;   /* samplers: the text mentions its non-filtering twin */
};

/* One value that crosses the border of the entry point. */
struct ag_wgsl_member {
    const char *name;
    const char *attributes;
    const char *type; /* WGSL */
    uint32_t index;   /* of program->inputs or ->outputs, or AG_IR_NONE */
    struct agpu_stage_value value;
    uint8_t first_distance, distance_count; /* clip distances: which of them; else 0 */
    bool used;
};

struct ag_wgsl_emitter {
    struct ag_ir_program *program;
    const struct agpu_shader *shader;
    const struct ag_translate_options *options;

    struct ag_strbuf body;       /* the entry function */
    struct ag_strbuf functions;  /* helpers */
    AG_VEC(uint32_t) body_lines; /* token offset of each finished line of the body */
    uint32_t indent;
    uint32_t nesting; /* of blocks as Dawn's parser counts them: two for a block, three for a switch */
    uint32_t offset;  /* of the statement being written */
    uint32_t temporaries;

    uint8_t helper_widths[AG_WGSL_HELPER_COUNT]; /* bits: widths already written */
    struct ag_wgsl_resource *resources;          /* by program->resources */
    uint16_t views[AG_DRAW_BLOCK_VIEW_COUNT];
    uint32_t view_count;
    bool *arrays_written; /* by program->arrays: its helper functions exist */
    bool uses_draw_block, uses_opaque_zero, uses_counters, uses_icb;
    bool uses_sampler_states;
    bool uses_logic;
    bool uses_normalized; /* the function that rounds to UNORM and SNORM targets */
    uint8_t destinations; /* bit n: what target n holds is read */
    bool uses_instances, uses_instance_tables;
    bool uses_depth_bias;
    bool array_functions;
    bool private_variables;   /* variables are the module's, not the entry function's: see entry.c */
    uint32_t expand_bindings; /* bits: bindings of an expansion that the text mentions */
    uint32_t record_loads;    /* bits of enum ag_ir_record: load functions already written */

    AG_VEC(struct ag_wgsl_member) inputs;
    AG_VEC(struct ag_wgsl_member) outputs;
    uint32_t needs;
    uint32_t clip_distances;
    bool per_sample;
    const char *rasterized; /* text of the position, when the depth is bound by it */
    const char *invocation; /* text of the thread's index in its group, when conditions are shared */
};

struct agpu_module_memory {
    struct ag_arena arena;
};

/* translate.c: an empty module with its memory, or null. */
struct agpu_module *ag_wgsl_module_new(void);
uint32_t ag_wgsl_count_lines(const struct ag_strbuf *text);

/* emit.c: text with lines counted. */
void ag_wgsl_line_start(struct ag_wgsl_emitter *emitter);
void ag_wgsl_line_end(struct ag_wgsl_emitter *emitter);
void ag_wgsl_line(struct ag_wgsl_emitter *emitter, const char *format, ...) AG_PRINTF(2, 3);
void ag_wgsl_open(struct ag_wgsl_emitter *emitter, const char *format, ...) AG_PRINTF(2, 3);
void ag_wgsl_close(struct ag_wgsl_emitter *emitter);
uint32_t ag_wgsl_group(const struct ag_wgsl_emitter *emitter);
uint32_t ag_wgsl_binding(const struct ag_ir_resource *resource);

/* names.c */
void ag_wgsl_name_everything(struct ag_wgsl_emitter *emitter);
const char *ag_wgsl_type(enum ag_ir_type type, uint32_t width);
/* The type and an opening parenthesis. */
void ag_wgsl_open_type(struct ag_strbuf *out, enum ag_ir_type type, uint32_t width);
/* The letters, digits and single underscores of a name, cut to 40; never empty. */
const char *ag_wgsl_sanitise(struct ag_arena *arena, const char *name);

/* expr.c: appends an expression as the wanted type. `primary` asks for parentheses around operators. */
void ag_wgsl_expr(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr, enum ag_ir_type want,
                  bool primary);
/* As wide as asked: one lane is repeated. */
void ag_wgsl_expr_wide(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr, enum ag_ir_type want,
                       uint32_t width, bool primary);
void ag_wgsl_swizzle(struct ag_strbuf *out, const uint8_t *components, uint32_t width, uint32_t source_width);

/* literal.c; exact: as a float that no driver folds anything with */
void ag_wgsl_literal_exact(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr);
void ag_wgsl_literal(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr, enum ag_ir_type type,
                     bool opaque);

/* texture.c, memory.c: resource operations, as the type the operation gives. */
void ag_wgsl_texture(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr);
/* The functions t#_lod_of and, where the quad's gradients count, t#_lod, which give the level before the
 * sampler's bias. */
void ag_wgsl_write_lod(struct ag_wgsl_emitter *emitter, uint32_t id, bool of_quad);
/* (sampler.c) Sampling and gathering with samplers that WebGPU lacks. */
bool ag_wgsl_is_emulated(const struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr);
void ag_wgsl_emulated(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr);
void ag_wgsl_memory(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr);
void ag_wgsl_store(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr);
void ag_wgsl_cbuffer(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr);
void ag_wgsl_array(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr);
void ag_wgsl_icb(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr);
void ag_wgsl_instance(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr);
/* Views of textures that have atomics are buffers (decision L7). */
bool ag_wgsl_is_buffered_texture(const struct ag_ir_resource *resource);
/* Of a storage texture. */
enum agpu_storage_format ag_wgsl_storage_format(const struct ag_wgsl_emitter *emitter,
                                                const struct ag_ir_resource *resource);
/* Plain sampling of a texture that is compared with goes through a second variable. */
bool ag_wgsl_samples_twin(const struct ag_ir_resource *texture, enum ag_ir_op op);
bool ag_wgsl_is_texture(const struct ag_ir_resource *resource);
/* True once for each helper of a resource: the caller then writes it. */
bool ag_wgsl_need(struct ag_wgsl_emitter *emitter, uint32_t resource, uint32_t helper);
/* The text of the resource's entry in the draw block. */
const char *ag_wgsl_view(struct ag_wgsl_emitter *emitter, uint32_t resource);
const char *ag_wgsl_resource_name(struct ag_wgsl_emitter *emitter, uint32_t resource);

/* constants.c: after the passes, which constant buffers are declared as floats. */
void ag_wgsl_find_float_constants(struct ag_ir_program *program);

/* stmt.c */
void ag_wgsl_block(struct ag_wgsl_emitter *emitter, const struct ag_ir_block *block);

/* interface.c: what crosses the border. Planning happens before the passes, because it decides types. */
void ag_wgsl_plan_interface(struct ag_wgsl_emitter *emitter);
/* The attribute of an interpolation, with a blank in front; empty where it is WGSL's own. */
const char *ag_wgsl_interpolation(uint32_t interpolation);
/* entry.c: a function that adds the draw block's depth bias to a position, as text. */
void ag_wgsl_write_biased(struct ag_strbuf *out);
/* The entry function, prologue and all; and RETURN inside it. */
void ag_wgsl_entry(struct ag_wgsl_emitter *emitter);
void ag_wgsl_return(struct ag_wgsl_emitter *emitter, const struct ag_ir_stmt *stmt);
void ag_wgsl_structs(struct ag_wgsl_emitter *emitter, struct ag_strbuf *out);

/* record.c: the same for the flavours that read and write records. */
void ag_wgsl_plan_records(struct ag_wgsl_emitter *emitter);
void ag_wgsl_open_records(struct ag_wgsl_emitter *emitter);
void ag_wgsl_record(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr);
void ag_wgsl_return_records(struct ag_wgsl_emitter *emitter, const struct ag_ir_stmt *stmt);
void ag_wgsl_emit_vertex(struct ag_wgsl_emitter *emitter, const struct ag_ir_stmt *stmt);
void ag_wgsl_cut_strip(struct ag_wgsl_emitter *emitter, const struct ag_ir_stmt *stmt);
/* The variable of a binding, which the module then has. */
const char *ag_wgsl_expand_name(struct ag_wgsl_emitter *emitter, enum ag_expand_binding binding);
void ag_wgsl_declare_records(struct ag_wgsl_emitter *emitter, struct ag_strbuf *out);
/* Gives how many bindings it wrote, AG_EXPAND_BINDING_COUNT at most. */
uint32_t ag_wgsl_reflect_records(const struct ag_wgsl_emitter *emitter, struct agpu_binding *bindings);

/* clip.c: clip distances as ordinary values (ag_link_clip_distances). How many locations they have, 0
 * without a linkage; what is at one, as member or parameter; what `is_clipped` is; the condition that
 * something is clipped; reflection. */
#define AG_WGSL_MAX_CLIP_DISTANCES 8
uint32_t ag_wgsl_bits(uint32_t mask); /* how many are set */
uint32_t ag_wgsl_clip_parts(const struct ag_linkage *linkage);
void ag_wgsl_clip_member(const struct ag_linkage *linkage, uint32_t part, struct ag_strbuf *out);
void ag_wgsl_clip_function(struct ag_strbuf *out);
void ag_wgsl_clip_condition(const struct ag_linkage *linkage, struct ag_strbuf *out);
/* How many distances are at the location. */
uint32_t ag_wgsl_clip_width(const struct ag_linkage *linkage, uint32_t part);
struct agpu_stage_value ag_wgsl_clip_value(const struct ag_linkage *linkage, uint32_t part);
/* Of all parts; how many. */
uint32_t ag_wgsl_clip_values(const struct ag_linkage *linkage, struct agpu_stage_value *values);

/* expanded.c: for each line of a text that no line comes from an instruction; null without memory. */
const uint32_t *ag_wgsl_no_offsets(struct ag_arena *arena, const struct ag_strbuf *text, uint32_t *count);

/* declare.c: the draw block, as text. */
void ag_wgsl_write_draw_block(struct ag_strbuf *out);
/* Bindings and module-scope variables, as text and as reflection. */
void ag_wgsl_declarations(struct ag_wgsl_emitter *emitter, struct ag_strbuf *out);
bool ag_wgsl_reflect(struct ag_wgsl_emitter *emitter, struct ag_arena *arena, struct agpu_module *module);

#endif
