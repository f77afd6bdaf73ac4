/* SPDX-License-Identifier: MIT
 *
 * What the files of this layer share. They write the typed IR as WGSL text and describe the module
 * (reflection). Analysis and rewriting of the program belong to the IR's passes.
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

/* Helper functions that are written for one resource. */
enum ag_wgsl_resource_helper {
    AG_WGSL_CBUFFER_LOAD,
    AG_WGSL_CBUFFER_CHOICE, /* of the first resource of a range */
    AG_WGSL_ADDRESS,        /* byte address of an element and a byte offset */
    AG_WGSL_LOAD_1,         /* of one word; the next ones are of two, three and four */
    AG_WGSL_LOAD_2,
    AG_WGSL_LOAD_3,
    AG_WGSL_LOAD_4,
    AG_WGSL_STORE_1,
    AG_WGSL_STORE_2,
    AG_WGSL_STORE_3,
    AG_WGSL_STORE_4,
    AG_WGSL_TEXEL,
    AG_WGSL_STORAGE_TEXEL,
    AG_WGSL_INFO,
    AG_WGSL_LOD_OF_QUAD,
    AG_WGSL_LOD_OF_GRADIENTS,
    AG_WGSL_LOD_CLAMPED,
    AG_WGSL_WITHIN,
    AG_WGSL_TAP, /* TAP, SAMPLED and GATHERED: emulated samplers (sampler.c) */
    AG_WGSL_SAMPLED,
    AG_WGSL_GATHERED,
    AG_WGSL_COUNT_UP, /* where writes are guarded */
    AG_WGSL_COUNT_DOWN,
    AG_WGSL_ATOMIC_FIRST, /* plus enum ag_ir_atomic */
    AG_WGSL_RESOURCE_HELPER_COUNT = AG_WGSL_ATOMIC_FIRST + AG_IR_ATOMIC_COMPARE_EXCHANGE + 1,
};

/* One for each slot of the stage, and more than the draw block has: who translates with options.overflow
 * translates again, with fewer. */
#define AG_WGSL_MAX_VIEWS 256

struct ag_wgsl_resource {
    const char *name;
    uint64_t helpers; /* bit set of enum ag_wgsl_resource_helper: already written */
    uint32_t view;    /* index in the draw block's views, or AG_IR_NONE */
    /* The index of the resource whose WGSL variable is used: its own, except for aliased UAVs. */
    uint32_t variable;
    bool bound; /* the text mentions the variable */
    /* Textures declared as depth: the text mentions the second variable, a texture_2d<f32> or the like
     * (texture.c). */
    bool plain_bound;
    /* Samplers: the text mentions the second variable, a sampler that does not filter (texture.c). */
    bool point_bound;
};

/* A member of the entry function's input or output structure. */
struct ag_wgsl_member {
    const char *name;
    const char *attributes;
    const char *type; /* type in WGSL */
    uint32_t index;   /* index in program->inputs or program->outputs, or AG_IR_NONE */
    struct agpu_stage_value value;
    uint8_t first_distance, distance_count; /* clip distances: which of all; otherwise 0 */
    bool used;
    bool is_drawn_depth; /* the rasterizer's depth, with bias and rounded */
    bool is_plane;       /* the plane `plane` of the samples of the target that is the output `index` */
    uint8_t plane;
    bool is_alpha_mask; /* the coverage that the alpha of the output `index` comes to */
};

struct ag_wgsl_emitter {
    struct ag_ir_program *program;
    const struct agpu_shader *shader;
    const struct ag_translate_options *options;
    bool is_terse; /* the option; not where people read the text */

    struct ag_strbuf body;       /* text of the entry function */
    struct ag_strbuf functions;  /* text of the helper functions */
    AG_VEC(uint32_t) body_lines; /* by finished line of the body: the token offset of its instruction */
    uint32_t indent;
    uint32_t nesting; /* nesting of blocks as Dawn's parser counts: two for a block, three for a switch */
    uint32_t offset;  /* of the instruction whose statement is being written */
    uint64_t cost;    /* estimated, of compiling the module (cost.c) */
    uint32_t states;  /* of machines (ir/build_machine.c) */
    uint64_t private_bytes; /* of variables that the threads of a workgroup have of their own (cost.c) */
    /* How many temporary names have been used, and how many short ones. */
    uint32_t temporaries, short_names;

    uint8_t helper_widths[AG_WGSL_HELPER_COUNT]; /* bit set by helper: the widths already written */
    struct ag_wgsl_resource *resources;          /* by program->resources */
    uint16_t views[AG_WGSL_MAX_VIEWS];
    uint32_t view_count;
    bool *arrays_written; /* by index in program->arrays: the load function is written */
    bool uses_draw_block, uses_opaque_zero, uses_counters, uses_icb;
    bool uses_sampler_states;
    bool uses_overflow, uses_arena, uses_uav_arena; /* bindings of overflow.h that the text mentions */
    uint8_t uses_texture_arrays;                    /* bit n: array n */
    uint32_t overflow_rows;
    bool uses_logic;
    bool uses_alpha_mask;
    bool uses_halves, uses_packed;
    bool has_source1;     /* merged1 is the second blend source of planes */
    bool uses_normalized; /* the function that rounds to UNORM and SNORM values is written */
    uint8_t destinations; /* bit n: the present contents of render target n are read */
    bool uses_instances, uses_instance_tables;
    bool uses_depth_bias, uses_drawn_depth;
    bool array_functions;
    /* Discarded invocations may run on: a variable of ours stands in front of what they write to memory. */
    bool guards_writes;
    /* Variables are at module scope rather than in the entry function: see wants_private_variables(). */
    bool private_variables;
    bool borrows_decision;    /* the function is written that keeps the decision in group shared memory */
    bool in_threads;          /* inside of a loop over the threads of the invocation */
    uint32_t expand_bindings; /* bit set of enum ag_expand_binding: bindings that the text mentions */
    uint32_t record_loads;    /* bit set of enum ag_ir_record: load functions already written */

    AG_VEC(struct ag_wgsl_member) inputs;
    AG_VEC(struct ag_wgsl_member) outputs;
    uint32_t needs;
    uint32_t clip_distances;
    bool per_sample;
    /* Text of whether the face is a front face, for stencil tests in front of the shader. */
    const char *face;
    /* Text of the sample's index or of the coverage, if the shader's position is at the sample or centroid.
     */
    const char *place;
    /* Text of the thread's index in its group, if one thread evaluates conditions for all. */
    const char *invocation;
};

struct agpu_module_memory {
    struct ag_arena arena;
};

/* translate.c: an empty module with its memory; null when memory runs out. */
struct agpu_module *ag_wgsl_module_new(void);
uint32_t ag_wgsl_count_lines(const struct ag_strbuf *text);

/* emit.c: writes lines of the entry function and records their instructions. ag_wgsl_text() makes a piece of
 * text that lives as long as the program; the text is empty when memory is exhausted (noted in the program).
 */
const char *ag_wgsl_text(struct ag_wgsl_emitter *emitter, const char *format, ...) AG_PRINTF(2, 3);
void ag_wgsl_line_start(struct ag_wgsl_emitter *emitter);
void ag_wgsl_line_end(struct ag_wgsl_emitter *emitter);
void ag_wgsl_line(struct ag_wgsl_emitter *emitter, const char *format, ...) AG_PRINTF(2, 3);
void ag_wgsl_open(struct ag_wgsl_emitter *emitter, const char *format, ...) AG_PRINTF(2, 3);
void ag_wgsl_close(struct ag_wgsl_emitter *emitter);
/* Copies declarations and functions without spaces that separate nothing, zeros that say nothing and empty
 * lines; returns the end of the copy, which is not terminated. */
char *ag_wgsl_append_terse(char *to, const struct ag_strbuf *text);
/* The same of the entry function's body, which is written without most of these, and keeps its lines. */
char *ag_wgsl_append_terse_body(char *to, const struct ag_strbuf *text);
/* Append to the body what stands between arguments, and between a variable and its value. */
static inline void ag_wgsl_comma(struct ag_wgsl_emitter *emitter)
{
    ag_strbuf_append_bytes(&emitter->body, ", ", emitter->is_terse ? 1 : 2);
}
static inline void ag_wgsl_equals(struct ag_wgsl_emitter *emitter)
{
    if (emitter->is_terse)
        ag_strbuf_append_char(&emitter->body, '=');
    else
        ag_strbuf_append(&emitter->body, " = ");
}
uint32_t ag_wgsl_group(const struct ag_wgsl_emitter *emitter);
uint32_t ag_wgsl_binding(const struct ag_ir_resource *resource);

/* names.c */
void ag_wgsl_name_everything(struct ag_wgsl_emitter *emitter);
/* A name of one capital letter and up to five letters and digits, which no other name looks like. */
const char *ag_wgsl_short_name(struct ag_wgsl_emitter *emitter);
const char *ag_wgsl_type(enum ag_ir_type type, uint32_t width);
/* Appends a type and an opening parenthesis. */
void ag_wgsl_open_type(struct ag_strbuf *out, enum ag_ir_type type, uint32_t width);
/* Reduces a name to letters, digits and single underscores, at most 40 of them. The result may be empty. */
const char *ag_wgsl_sanitise(struct ag_arena *arena, const char *name);

/* expr.c: appends an expression in the type `want`. `primary` asks for parentheses around operators, because
 * the text becomes an operand. */
void ag_wgsl_expr(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr, enum ag_ir_type want,
                  bool primary);
/* Appends an expression with `width` lanes; a one-lane expression is broadcast. */
void ag_wgsl_expr_wide(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr, enum ag_ir_type want,
                       uint32_t width, bool primary);
void ag_wgsl_swizzle(struct ag_strbuf *out, const uint8_t *components, uint32_t width, uint32_t source_width);

/* literal.c: appends the constant as a float whose value no driver can know, so that none folds it. */
void ag_wgsl_literal_exact(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr);
void ag_wgsl_literal(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr, enum ag_ir_type type,
                     bool opaque);

/* texture.c, memory.c: append a resource operation, in the natural type of the operation. */
void ag_wgsl_texture(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr);
void ag_wgsl_memory(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr);
void ag_wgsl_store(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr);
void ag_wgsl_discard(struct ag_wgsl_emitter *emitter);
void ag_wgsl_cbuffer(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr);

/* texture.c: writes the functions t#_lod_of and, if `of_quad`, t#_lod. They give the level of detail before
 * the sampler's bias: of given gradients, and of the quad's derivatives. */
void ag_wgsl_write_lod(struct ag_wgsl_emitter *emitter, uint32_t id, bool of_quad);
/* Whether a sample operation uses the second variable of a texture that is declared as depth. */
bool ag_wgsl_uses_plain_texture(const struct ag_ir_resource *texture, enum ag_ir_op op);
/* Whether a cube is an array of its faces in WGSL, because the shader compares by hand (sampler.c). */
bool ag_wgsl_has_faces(const struct ag_ir_resource *texture);
/* Whether an operation needs a sampler that does not filter. */
bool ag_wgsl_never_filters(const struct ag_ir_resource *texture, enum ag_ir_op op);
/* Whether WebGPU filters the texture's own binding. */
bool ag_wgsl_is_filtered(const struct ag_ir_resource *texture);

/* sample.c: appends a sample or gather; appends lanes of a vector as floats; whether an operation compares.
 */
void ag_wgsl_sample(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr);
void ag_wgsl_lanes(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr, uint32_t first,
                   uint32_t count);
bool ag_wgsl_compares(enum ag_ir_op op);
/* sampler.c: samples and gathers that emulate a sampler WebGPU lacks. */
bool ag_wgsl_is_emulated(const struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr);
void ag_wgsl_emulated(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr);

/* storage_texture.c: loads and stores of a texture that is not buffered; its format and access in WGSL. */
void ag_wgsl_load_storage_texel(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr);
void ag_wgsl_store_storage_texel(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr);
enum agpu_storage_format ag_wgsl_storage_format(const struct ag_wgsl_emitter *emitter,
                                                const struct ag_ir_resource *resource);
enum agpu_storage_access ag_wgsl_storage_access(const struct ag_ir_resource *resource);

/* array.c: loads from arrays of registers, of immediate constants and of class instances; what declares them.
 */
void ag_wgsl_array(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr);
void ag_wgsl_icb(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr);
void ag_wgsl_instance(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr);
void ag_wgsl_declare_arrays(const struct ag_wgsl_emitter *emitter, struct ag_strbuf *out);

/* memory.c: whether a writable texture is a buffer in WGSL, because of atomics (decision L7) or
 * options.wide_uavs. */
bool ag_wgsl_is_buffered_texture(const struct ag_ir_resource *resource);
bool ag_wgsl_is_texture(const struct ag_ir_resource *resource);
/* True at the first call for each helper of a resource; the caller then writes the helper. */
bool ag_wgsl_need(struct ag_wgsl_emitter *emitter, uint32_t resource, uint32_t helper);
/* Text of the resource's entry in the draw block. */
const char *ag_wgsl_view(struct ag_wgsl_emitter *emitter, uint32_t resource);
const char *ag_wgsl_resource_name(struct ag_wgsl_emitter *emitter, uint32_t resource);

/* The array that the texture is a layer of; 0: none. */
static inline uint32_t ag_wgsl_array_of(const struct ag_ir_resource *texture)
{
    return (uint32_t)texture->facts >> AG_TEXTURE_ARRAY_SHIFT;
}

/* Whether the texture's texels are in the arena. */
static inline bool ag_wgsl_in_arena(const struct ag_ir_resource *texture)
{
    return texture->overflows && ag_wgsl_array_of(texture) == 0;
}

/* arena.c: resources of the overflow block (overflow.h). ag_wgsl_choose_overflow() gives each a record and
 * returns how many rows these have. */
uint32_t ag_wgsl_choose_overflow(struct ag_ir_program *program, const struct ag_translate_options *options);
/* A row of a resource's record. */
const char *ag_wgsl_overflow_row(struct ag_wgsl_emitter *emitter, uint32_t resource, uint32_t row);
/* Width, height and depth of a texture's most detailed level, as vec3u for volumes, else vec2u; the
 * numbers of its levels and of its slices or cubes. */
const char *ag_wgsl_dimensions(struct ag_wgsl_emitter *emitter, uint32_t resource);
const char *ag_wgsl_level_count(struct ag_wgsl_emitter *emitter, uint32_t resource);
const char *ag_wgsl_slice_count(struct ag_wgsl_emitter *emitter, uint32_t resource);
/* The variable of a texture without a comparison: its own, or that of its array. */
const char *ag_wgsl_texture_variable(struct ag_wgsl_emitter *emitter, uint32_t resource);
/* What follows the coordinates of a texture in an array: ", " and the layer; else nothing. */
const char *ag_wgsl_layer(struct ag_wgsl_emitter *emitter, uint32_t resource);
/* The texel at `place`, a vec3u, of a texture in the arena. */
const char *ag_wgsl_arena_texel(struct ag_wgsl_emitter *emitter, uint32_t resource, const char *place,
                                const char *level);
/* Appends the name of the function that samples or gathers a texture in the arena, and the first arguments.
 */
void ag_wgsl_arena_call(struct ag_wgsl_emitter *emitter, uint32_t resource, bool gathers);
void ag_wgsl_declare_overflow(const struct ag_wgsl_emitter *emitter, struct ag_strbuf *out);
uint32_t ag_wgsl_reflect_arenas(const struct ag_wgsl_emitter *emitter, struct agpu_binding *bindings);

/* constant_pack.c: the constant buffers that are members of one variable (struct ag_constant_packing).
 * ag_wgsl_choose_pack() chooses among those that are no storage buffers; ag_wgsl_is_in_pack() asks whether
 * the text mentions the resource. */
#define AG_WGSL_PACK "constants"
/* The text in front of the name of a buffer's variable, "" for a buffer that is in no pack. */
const char *ag_wgsl_pack_of(const struct ag_wgsl_emitter *emitter, const struct ag_ir_resource *resource);
/* Writes the line that finds the set of constants for a number, in modules that have sets. */
void ag_wgsl_find_set(struct ag_wgsl_emitter *emitter, const char *number);
uint32_t ag_wgsl_constant_sets(const struct ag_wgsl_emitter *emitter);
void ag_wgsl_choose_pack(struct ag_ir_program *program, const struct ag_translate_options *options);
bool ag_wgsl_is_in_pack(const struct ag_wgsl_emitter *emitter, size_t resource);
void ag_wgsl_declare_pack(const struct ag_wgsl_emitter *emitter, struct ag_strbuf *out);
struct agpu_binding ag_wgsl_reflect_pack(const struct ag_wgsl_emitter *emitter,
                                         const struct agpu_module *module);

/* constants.c: decides, after the passes, which constant buffers are declared as floats. */
void ag_wgsl_find_float_constants(struct ag_ir_program *program);

/* cost.c: counts an operation, words that are stored, a statement without what it holds; refuses the program
 * if it is estimated to cost more than the options allow, once the text is written. */
void ag_wgsl_count_expr(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr);
void ag_wgsl_count_stores(struct ag_wgsl_emitter *emitter, uint32_t words);
void ag_wgsl_count_statement(struct ag_wgsl_emitter *emitter, const struct ag_ir_stmt *stmt);
void ag_wgsl_check_cost(struct ag_wgsl_emitter *emitter);

/* stmt.c */
void ag_wgsl_block(struct ag_wgsl_emitter *emitter, const struct ag_ir_block *block);

/* memory.c: words of group shared memory; the bytes that WebGPU counts for them. */
#define AG_WGSL_SHARED_BYTES(words) (((words) + 3) / 4 * 16)
uint32_t ag_wgsl_shared_words(const struct ag_ir_resource *resource);

/* workgroup.c: the function shared_decision(), by which one thread decides for its group; whether that has a
 * variable of its own. */
void ag_wgsl_require_decision(struct ag_wgsl_emitter *emitter);
bool ag_wgsl_has_decision(const struct ag_wgsl_emitter *emitter);
/* workgroup.c: invocations that stand for several threads of a group. The entry function behind its
 * attributes; a THREADS statement; the name of a variable or array, with the place of the present thread's.
 */
void ag_wgsl_open_group(struct ag_wgsl_emitter *emitter);
void ag_wgsl_close_group(struct ag_wgsl_emitter *emitter);
void ag_wgsl_threads(struct ag_wgsl_emitter *emitter, const struct ag_ir_stmt *stmt);
void ag_wgsl_variable(const struct ag_wgsl_emitter *emitter, struct ag_strbuf *out,
                      const struct ag_ir_variable *variable);
/* The place of the present thread's data among those of all threads of the invocation; may be empty. */
const char *ag_wgsl_turn(const struct ag_wgsl_emitter *emitter);

/* interface.c: plans the inputs and outputs of the stage. Runs before the passes, because it decides
 * types. */
void ag_wgsl_plan_interface(struct ag_wgsl_emitter *emitter);
/* Adds an output and returns it; null when memory runs out (noted in the program). */
struct ag_wgsl_member *ag_wgsl_add_output(struct ag_wgsl_emitter *emitter, uint32_t index, const char *name,
                                          const char *attributes, const char *type);
/* merger.c: plans the coverage that alpha comes to, and appends it as an expression of the program's output.
 */
void ag_wgsl_plan_alpha(struct ag_wgsl_emitter *emitter);
/* merger.c: appends a colour rounded to floats of 11, 11 and 10 bits. */
void ag_wgsl_append_packed(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *value);
/* merger.c: plans the outputs that the planes of a target's samples are, and appends the value of one. The
 * value of target n is the variable `merged<n>` then, and the second blend source, if there is one for
 * planes, is `merged1`. */
void ag_wgsl_plan_planes(struct ag_wgsl_emitter *emitter, uint32_t index, enum ag_ir_type type);
void ag_wgsl_append_plane(struct ag_wgsl_emitter *emitter, const struct ag_wgsl_member *member);
bool ag_wgsl_blends_source1(const struct ag_wgsl_emitter *emitter);
/* merger.c: plans the depth that the pixel shader makes of the rasterizer's, computes it at the entry, and
 * appends the beginning of a call that does so with bits of enum ag_pixel_depth. */
void ag_wgsl_plan_depth(struct ag_wgsl_emitter *emitter);
void ag_wgsl_write_drawn_depth(struct ag_wgsl_emitter *emitter);
/* merger.c: tests depth and stencil at the entry, behind ag_wgsl_write_drawn_depth(). */
bool ag_wgsl_tests_early(const struct ag_wgsl_emitter *emitter);
void ag_wgsl_write_early_test(struct ag_wgsl_emitter *emitter);
void ag_wgsl_append_depth_function(struct ag_wgsl_emitter *emitter, uint32_t more);
/* Writes the function `drawn_depth` of the bits, whose arguments are the depth and, with a bias, its slope.
 */
void ag_wgsl_write_depth_function(struct ag_strbuf *out, uint32_t pixel_depth);
void ag_wgsl_append_alpha_mask(struct ag_wgsl_emitter *emitter, struct ag_ir_expr *output);
/* The attribute of an interpolation mode, with a space in front; empty for WGSL's default. */
const char *ag_wgsl_interpolation(uint32_t interpolation);
/* merger.c: writes the functions that add a depth bias to a position, and that compute the bias of a triangle
 * whose edges are drawn. */
void ag_wgsl_write_biased(struct ag_strbuf *out);
void ag_wgsl_write_edge_bias(struct ag_strbuf *out);
/* entry.c: writes the whole entry function. */
void ag_wgsl_entry(struct ag_wgsl_emitter *emitter);
void ag_wgsl_structs(struct ag_wgsl_emitter *emitter, struct ag_strbuf *out);
/* return.c: writes a RETURN. */
void ag_wgsl_return(struct ag_wgsl_emitter *emitter, const struct ag_ir_stmt *stmt);
/* Whether the option `logic` is about an output. */
bool ag_wgsl_is_logical(const struct ag_wgsl_emitter *emitter, const struct ag_ir_output *output);

/* record.c: does what interface.c and entry.c do, for flavours that read and write records. */
void ag_wgsl_plan_records(struct ag_wgsl_emitter *emitter);
void ag_wgsl_open_records(struct ag_wgsl_emitter *emitter);
/* The parameters of a part's function (inlined.h). */
const char *ag_wgsl_inlined_parameters(const struct ag_wgsl_emitter *emitter);
/* Writes the entry function that calls `shade` for all points of the list. */
void ag_wgsl_write_point_loop(struct ag_wgsl_emitter *emitter);
/* Writes the function that gives the next vertex of an invocation its own loop budget. */
void ag_wgsl_write_refill(struct ag_wgsl_emitter *emitter);
void ag_wgsl_record(struct ag_wgsl_emitter *emitter, const struct ag_ir_expr *expr);
void ag_wgsl_return_records(struct ag_wgsl_emitter *emitter, const struct ag_ir_stmt *stmt);
void ag_wgsl_emit_vertex(struct ag_wgsl_emitter *emitter, const struct ag_ir_stmt *stmt);
void ag_wgsl_cut_strip(struct ag_wgsl_emitter *emitter, const struct ag_ir_stmt *stmt);
void ag_wgsl_declare_records(struct ag_wgsl_emitter *emitter, struct ag_strbuf *out);
/* Returns how many bindings it wrote, at most AG_EXPAND_BINDING_COUNT. */
uint32_t ag_wgsl_reflect_records(const struct ag_wgsl_emitter *emitter, struct agpu_binding *bindings);

/* clip.c: clip distances as ordinary interpolated values (ag_link_clip_distances()). ag_wgsl_clip_parts():
 * how many locations they take, 0 without a linkage. ag_wgsl_clip_member(): the declaration of one location,
 * as a member or parameter. ag_wgsl_clip_function() and ag_wgsl_clip_condition(): a function is_clipped() and
 * a condition that calls it. */
#define AG_WGSL_MAX_CLIP_DISTANCES 8
uint32_t ag_wgsl_bits(uint32_t mask); /* population count */
uint32_t ag_wgsl_clip_parts(const struct ag_linkage *linkage);
void ag_wgsl_clip_member(const struct ag_linkage *linkage, uint32_t part, struct ag_strbuf *out);
void ag_wgsl_clip_function(struct ag_strbuf *out);
void ag_wgsl_clip_condition(const struct ag_linkage *linkage, struct ag_strbuf *out);
/* How many distances one location holds. */
uint32_t ag_wgsl_clip_width(const struct ag_linkage *linkage, uint32_t part);
struct agpu_stage_value ag_wgsl_clip_value(const struct ag_linkage *linkage, uint32_t part);
/* Fills the reflection of all locations and returns how many there are. */
uint32_t ag_wgsl_clip_values(const struct ag_linkage *linkage, struct agpu_stage_value *values);

/* expanded.c: line offsets for a text without instructions; null when memory runs out. */
const uint32_t *ag_wgsl_no_offsets(struct ag_arena *arena, const struct ag_strbuf *text, uint32_t *count);

/* declare.c: the declaration of the draw block. */
void ag_wgsl_write_draw_block(struct ag_strbuf *out);
/* Counters of a stage, one for each slot of a UAV; how a resource is bound. */
#define AG_WGSL_COUNTERS (AG_BINDING_STAGE_INTERNAL - AG_BINDING_UAV)
enum agpu_binding_kind ag_wgsl_binding_kind(const struct ag_ir_resource *resource);
/* Bindings and module-scope variables, as text. */
void ag_wgsl_declarations(struct ag_wgsl_emitter *emitter, struct ag_strbuf *out);

/* reflect.c: describes the same bindings, and the rest of the module. */
bool ag_wgsl_reflect(struct ag_wgsl_emitter *emitter, struct ag_arena *arena, struct agpu_module *module);

#endif
