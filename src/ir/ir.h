/* SPDX-License-Identifier: MIT
 *
 * The shader IR: a structured tree of statements over vectors of up to four 32-bit lanes.
 *
 * It starts out with registers, as the DXBC program has them. ag_ir_run_passes() turns the registers into
 * typed variables, after which every value can be written down in a typed language. Everything lives in one
 * arena. docs/translator.md tells the story from the start.
 */
#ifndef AG_IR_IR_H
#define AG_IR_IR_H

#include "aerogpu/translate.h"
#include "base/arena.h"
#include "base/vec.h"
#include "ir/ops.h"
#include "wgsl/options.h"

enum ag_ir_op {
#define AG_IR_OP_ENUM(name, signature, flags) AG_IR_##name,
    AG_IR_OPS(AG_IR_OP_ENUM)
#undef AG_IR_OP_ENUM
        AG_IR_OP_COUNT
};

struct ag_ir_op_info {
    const char *name;
    char signature[8]; /* see ops.h */
    uint8_t flags;     /* enum ag_ir_op_flag */
};

extern const struct ag_ir_op_info ag_ir_op_infos[AG_IR_OP_COUNT];

enum ag_ir_type {
    AG_IR_ANY, /* bits whose meaning nobody knows yet; never the type of a variable once typed */
    AG_IR_F32,
    AG_IR_I32,
    AG_IR_U32,
    AG_IR_BOOL, /* as 32 bits: 0 or ~0 */
    AG_IR_INT,  /* either integer type; never the type of a variable */
};

#define AG_IR_NONE UINT32_MAX

/* ---- Expressions -------------------------------------------------------------------------------------- */

enum ag_ir_atomic {
    AG_IR_ATOMIC_AND,
    AG_IR_ATOMIC_OR,
    AG_IR_ATOMIC_XOR,
    AG_IR_ATOMIC_ADD,
    AG_IR_ATOMIC_IMAX,
    AG_IR_ATOMIC_IMIN,
    AG_IR_ATOMIC_UMAX,
    AG_IR_ATOMIC_UMIN,
    AG_IR_ATOMIC_EXCHANGE,
    AG_IR_ATOMIC_COMPARE_EXCHANGE,
};

/* What a RESOURCE operation works on. How many of the leading arguments are an address depends on the
 * resource: byte address (raw), element and byte offset (structured), element (typed buffer). */
struct ag_ir_access {
    uint32_t resource; /* of program->resources, or AG_IR_NONE */
    uint32_t sampler;  /* likewise */
    uint32_t index;    /* CBUFFER: the register */
    int8_t offsets[3]; /* texels */
    bool has_offsets;
    uint8_t channel;   /* GATHER: which component */
    uint8_t atomic;    /* ATOMIC: enum ag_ir_atomic */
    bool decrement;    /* COUNTER */
    bool is_sample;    /* TEXEL: the second argument is a sample, not a level */
    uint8_t word_mask; /* STORE: which words */
    bool is_final;     /* SAMPLE_LEVEL: the sampler's bias is no part of the level any more */
};

/* What a RECORD operation reads (translate.h, expansion). */
enum ag_ir_record {
    AG_IR_RECORD_INPUT,    /* of a vertex or control point that the invocation is given */
    AG_IR_RECORD_CONTROL,  /* of a control point that the hull shader made */
    AG_IR_RECORD_CONSTANT, /* of the patch; the vertex is 0 */
    AG_IR_RECORD_COUNT
};

struct ag_ir_expr {
    uint8_t op;    /* enum ag_ir_op */
    uint8_t type;  /* enum ag_ir_type: what the operation gives */
    uint8_t width; /* lanes, 1-4 */
    uint8_t arg_count;
    uint8_t component[4]; /* READ, SWIZZLE, ARRAY, RECORD, CBUFFER, ICB: where each lane comes from */
    union {
        uint32_t bits[4]; /* CONST; SPEND: bits[0] */
        uint32_t id[4];   /* READ: register, later variable, of each lane; ARRAY, RECORD: id[0] */
    } u;
    const struct ag_ir_access *access;
    struct ag_ir_expr *args[]; /* as wide as the result, or one lane that stands for all */
};

/* ---- Statements --------------------------------------------------------------------------------------- */

enum ag_ir_stmt_kind {
    AG_IR_ASSIGN,      /* evaluate `value`, then give its lanes to the targets */
    AG_IR_EVALUATE,    /* for the effect alone */
    AG_IR_SET_ELEMENT, /* array element: `index`, `value`, lanes to the components of target_component */
    AG_IR_IF,
    AG_IR_LOOP,
    AG_IR_SWITCH,
    AG_IR_BREAK,
    AG_IR_CONTINUE,
    AG_IR_RETURN,
    AG_IR_EMIT, /* geometry: the outputs of a stream become a vertex */
    AG_IR_CUT,  /* geometry: the next vertex of a stream begins a strip */
    AG_IR_DISCARD,
    AG_IR_BARRIER,
};

struct ag_ir_stmt;

struct ag_ir_block {
    struct ag_ir_stmt *first, *last;
    uint32_t id; /* dense, in order of creation */
    struct ag_ir_block *parent;
    struct ag_ir_stmt *owner; /* the statement it is part of; set by pass_scopes */
    uint32_t depth;           /* 0: the body of the program */
};

struct ag_ir_case {
    struct ag_ir_case *next;
    const uint32_t *labels;
    uint32_t label_count;
    bool is_default;
    struct ag_ir_block *body;
};

struct ag_ir_stmt {
    struct ag_ir_stmt *next;
    struct ag_ir_block *block;
    uint8_t kind;    /* enum ag_ir_stmt_kind */
    uint8_t precise; /* ASSIGN: the instruction's mask */
    uint32_t offset; /* of the instruction, in dwords from the version token; AG_IR_NONE */

    struct ag_ir_expr *value; /* ASSIGN, EVALUATE, SET_ELEMENT; condition of IF; selector of SWITCH */
    uint32_t target[4];       /* ASSIGN: register, later variable, of each lane; AG_IR_NONE drops it */
    uint8_t target_component[4];
    struct ag_ir_expr *index; /* SET_ELEMENT */
    uint32_t array;

    struct ag_ir_block *body;      /* IF, LOOP */
    struct ag_ir_block *otherwise; /* IF; null without else */
    struct ag_ir_case *cases;      /* SWITCH; exactly one is the default */
    struct ag_ir_expr **outputs;   /* RETURN, EMIT: one expression for each of program->outputs, or null */
    uint32_t stream;               /* EMIT, CUT */
    bool is_uniform;               /* IF, SWITCH: one thread decides for its group (pass_uniform) */
    uint32_t sync;                 /* BARRIER: enum agpu_sync_flag */
    uint32_t first_declared;       /* variables to declare in front of it; AG_IR_NONE */
};

/* ---- Programs ----------------------------------------------------------------------------------------- */

enum ag_ir_register_kind {
    AG_IR_REGISTER_TEMP,
    AG_IR_REGISTER_OUTPUT,
    AG_IR_REGISTER_INPUT, /* its components are variables from the start */
    AG_IR_REGISTER_SCRATCH,
};

struct ag_ir_register {
    uint8_t kind;
    uint32_t number;      /* r#, o#, v# */
    uint32_t variable[4]; /* inputs: the variable behind each component, AG_IR_NONE reads 0 */
    uint8_t component[4];
};

struct ag_ir_variable {
    uint8_t type; /* enum ag_ir_type */
    uint8_t width;
    bool is_input;
    bool needs_zero;  /* some read may come before every write */
    bool is_constant; /* written once, and every read is in scope of that write: WGSL let */
    uint32_t register_id;
    uint8_t register_component[4];  /* which component of the register each of its components was */
    struct ag_ir_stmt *first_write; /* in program order */
    struct ag_ir_block *home;       /* innermost block that holds all writes and reads */
    uint32_t write_count;           /* statements */
    uint32_t next_declared;         /* the next variable of the statement's list */
    const char *name;               /* the emitter's */
};

enum ag_ir_input_kind {
    AG_IR_INPUT_REGISTER, /* v#: an attribute or varying */
    AG_IR_INPUT_VERTEX_ID,
    AG_IR_INPUT_INSTANCE_ID,
    AG_IR_INPUT_POSITION,
    AG_IR_INPUT_FRONT_FACE,
    AG_IR_INPUT_SAMPLE_INDEX,
    AG_IR_INPUT_PRIMITIVE_ID,
    AG_IR_INPUT_COVERAGE,
    AG_IR_INPUT_THREAD_ID,
    AG_IR_INPUT_GROUP_ID,
    AG_IR_INPUT_THREAD_ID_IN_GROUP,
    AG_IR_INPUT_THREAD_INDEX,
    AG_IR_INPUT_GS_INSTANCE_ID,
    AG_IR_INPUT_CONTROL_POINT_ID,
    AG_IR_INPUT_DOMAIN_POINT,
    AG_IR_INPUT_KIND_COUNT
};

struct ag_ir_input {
    uint8_t kind; /* enum ag_ir_input_kind */
    uint8_t mask;
    uint8_t interpolation;  /* enum agpu_interpolation */
    uint8_t component_type; /* enum agpu_component_type of the signature */
    uint8_t system_value;   /* enum agpu_system_value */
    uint32_t number;        /* v#; AG_IR_NONE */
    uint32_t variable;
    uint32_t offset; /* of its first declaration */
};

enum ag_ir_output_kind {
    AG_IR_OUTPUT_REGISTER, /* o#: a varying, or a render target */
    AG_IR_OUTPUT_POSITION,
    AG_IR_OUTPUT_CLIP_DISTANCE,
    AG_IR_OUTPUT_DEPTH,
    AG_IR_OUTPUT_COVERAGE,
    AG_IR_OUTPUT_TESS_FACTOR, /* one component of a patch constant, besides its REGISTER */
    AG_IR_OUTPUT_DROPPED,     /* WebGPU has no place for it */
};

/* SV_DepthGreaterEqual and SV_DepthLessEqual: the rasterizer's depth is the least, or the most. */
enum ag_ir_depth_bound { AG_IR_DEPTH_ANY, AG_IR_DEPTH_AT_LEAST, AG_IR_DEPTH_AT_MOST };

struct ag_ir_output {
    uint8_t kind; /* enum ag_ir_output_kind */
    uint8_t mask; /* declared components */
    uint8_t component_type;
    uint8_t system_value;
    uint32_t number; /* o#; AG_IR_NONE */
    uint32_t register_id;
    uint8_t stream; /* geometry */
    uint8_t factor; /* TESS_FACTOR: word of the patch's factors (translate.h) */
    uint8_t bound;  /* DEPTH: enum ag_ir_depth_bound */
    bool used;      /* false: nobody wants it. Set before the passes run */
    uint8_t type;   /* enum ag_ir_type the outside wants. Set before the passes run */
    uint32_t offset;
};

struct ag_ir_array {
    uint32_t length;
    uint8_t kind;         /* enum ag_ir_register_kind: TEMP is x#, the others are index ranges */
    uint32_t number;      /* x#, or the first register of a range */
    uint32_t register_id; /* ranges: of the first register; the others follow */
    bool used;
};

struct ag_ir_resource {
    uint8_t space;     /* enum agpu_binding_space; AGPU_SPACE_INTERNAL is group shared memory g# */
    uint8_t dimension; /* enum agpu_resource_dimension */
    uint8_t return_type;
    uint8_t sample_count;
    uint32_t id;           /* the operand's first index: the slot, or the range id in 5.1 */
    uint32_t slot;         /* D3D register */
    uint32_t stride;       /* structures: bytes; shared memory: bytes of an element */
    uint32_t count;        /* cbuffer: declared registers; shared memory: elements or bytes */
    bool is_comparison;    /* sampler declared for comparison */
    bool dynamic_declared; /* cbuffer declared dynamicIndexed */
    uint32_t offset;       /* of the declaration */
    const char *name;      /* RDEF's, or null */

    bool used, dynamic;      /* dynamic: some index is computed at run time */
    uint32_t registers_used; /* cbuffer: one past the largest static index */
    bool holds_floats;       /* cbuffer: emitters read floats. Set after the passes */
    bool compared, filtered, loaded, queried;
    bool stored, atomic, counted;
    bool wide;                   /* writable textures: a buffer of four words a texel. Set by the emitter */
    bool filters, never_filters; /* samplers: used with textures that may be filtered, that must not be */
};

struct ag_ir_program {
    enum agpu_stage stage;
    enum agpu_flavour flavour; /* never the default */
    uint8_t major, minor;
    uint32_t global_flags;
    struct ag_arena *arena;
    const struct agpu_diag_sink *sink;

    AG_VEC(struct ag_ir_register) registers;
    AG_VEC(struct ag_ir_variable) variables;
    AG_VEC(struct ag_ir_input) inputs;
    AG_VEC(struct ag_ir_output) outputs;
    AG_VEC(struct ag_ir_array) arrays;
    AG_VEC(struct ag_ir_resource) resources;

    const uint32_t *icb; /* rows of four */
    uint32_t icb_rows;
    uint32_t thread_group[3];
    uint32_t instance_slots; /* one past the last interface slot */
    struct agpu_expansion expansion;

    struct ag_ir_block *body;
    uint32_t block_count;
    uint32_t expr_count;
    bool has_variables; /* registers are gone */
    bool discards, derivatives, reads_sample_index;
    bool shares_conditions; /* some statement is_uniform */
    uint32_t loop_budget;   /* iterations (translate.h); 0: any number */

    enum agpu_status status; /* the first failure; building goes on harmlessly after it */
    struct ag_ir_expr *poison;
};

/* Builds the IR of a shader for one use into `arena`; `program` is zeroed and filled. Of the options, which
 * may be null, the flavour (one that fits the stage), the linkage and the sizes of records count. Everything
 * that cannot be expressed is reported with the byte offset of its instruction in the token stream, and the
 * result is AGPU_REFUSED. The program refers to the shader. ag_ir_fini() frees what the arena does not
 * hold. */
enum agpu_status ag_ir_build(const struct agpu_shader *shader, const struct ag_translate_options *options,
                             struct ag_arena *arena, const struct agpu_diag_sink *sink,
                             struct ag_ir_program *program);
/* What AGPU_FLAVOUR_DEFAULT stands for. */
enum agpu_flavour ag_ir_default_flavour(enum agpu_stage stage);
/* Whether a use reads and writes records rather than what WebGPU's stages hand on. */
bool ag_ir_uses_records(enum agpu_flavour flavour);
void ag_ir_fini(struct ag_ir_program *program);

/* From registers to typed variables. The types of inputs (their variables) and outputs, and which outputs are
 * used, have been decided by the caller. */
enum agpu_status ag_ir_run_passes(struct ag_ir_program *program);

/* Checks every rule that emitters rely on. Reports translate.invalid-ir. */
enum agpu_status ag_ir_validate(struct ag_ir_program *program);

/* ---- Making and asking -------------------------------------------------------------------------------- */

/* Never null: out of memory gives a harmless expression and sets program->status. */
struct ag_ir_expr *ag_ir_expr_new(struct ag_ir_program *program, enum ag_ir_op op, uint32_t width,
                                  uint32_t arg_count);
struct ag_ir_expr *ag_ir_const(struct ag_ir_program *program, uint32_t width, uint32_t bits);
struct ag_ir_expr *ag_ir_unary(struct ag_ir_program *program, enum ag_ir_op op, struct ag_ir_expr *a);
struct ag_ir_expr *ag_ir_binary(struct ag_ir_program *program, enum ag_ir_op op, struct ag_ir_expr *a,
                                struct ag_ir_expr *b);
/* Whether it has operands and all are constants: the first is then written so that WGSL does not fold them.
 */
bool ag_ir_all_constant(const struct ag_ir_expr *expr);
/* Whether both surely have the same value. Only registers, constants and what is computed from them compare.
 */
bool ag_ir_same(const struct ag_ir_expr *a, const struct ag_ir_expr *b);
/* The lanes `components[0..width)` of a value; looks through constants, reads and swizzles. */
struct ag_ir_expr *ag_ir_swizzle(struct ag_ir_program *program, struct ag_ir_expr *value, uint32_t width,
                                 const uint8_t *components);
/* One lane, repeated. */
struct ag_ir_expr *ag_ir_splat(struct ag_ir_program *program, struct ag_ir_expr *value, uint32_t width);
/* The value with only these lanes computed. */
struct ag_ir_expr *ag_ir_narrow(struct ag_ir_program *program, struct ag_ir_expr *value, uint32_t width,
                                const uint8_t *lanes);

struct ag_ir_block *ag_ir_block_new(struct ag_ir_program *program, struct ag_ir_block *parent);
struct ag_ir_stmt *ag_ir_append(struct ag_ir_program *program, struct ag_ir_block *block,
                                enum ag_ir_stmt_kind kind, uint32_t offset);

uint32_t ag_ir_add_register(struct ag_ir_program *program, enum ag_ir_register_kind kind, uint32_t number);
uint32_t ag_ir_add_variable(struct ag_ir_program *program, enum ag_ir_type type, uint32_t width);

/* What argument `index` of an operation must be. */
enum ag_ir_type ag_ir_arg_type(const struct ag_ir_program *program, const struct ag_ir_expr *expr,
                               uint32_t index);
/* What an expression naturally is, looking through reads, choices and shapes: ANY for bare bits. */
enum ag_ir_type ag_ir_natural_type(const struct ag_ir_program *program, const struct ag_ir_expr *expr);
enum ag_ir_type ag_ir_resource_type(const struct ag_ir_resource *resource);
/* An IF without an alternative whose condition is a constant that is not 0: just a block. */
bool ag_ir_is_always(const struct ag_ir_stmt *stmt);
bool ag_ir_has_effect(const struct ag_ir_expr *expr);

/* Reports an error at an instruction and marks the program as refused. */
void ag_ir_refuse(struct ag_ir_program *program, enum agpu_diag_code code, uint32_t offset,
                  const char *format, ...) AG_PRINTF(4, 5);
/* Reports a warning: the program goes on without what the instruction asks for. */
void ag_ir_warn(struct ag_ir_program *program, enum agpu_diag_code code, uint32_t offset, const char *format,
                ...) AG_PRINTF(4, 5);
void ag_ir_no_memory(struct ag_ir_program *program);

/* Calls `visit` for the expressions of a statement itself, not for those in its blocks nor for arguments; a
 * visit may replace *expr. */
typedef void ag_ir_visit(void *user, struct ag_ir_stmt *stmt, struct ag_ir_expr **expr);
static inline void ag_ir_visit_roots(const struct ag_ir_program *program, struct ag_ir_stmt *stmt,
                                     ag_ir_visit *visit, void *user)
{
    if (stmt->index != NULL)
        visit(user, stmt, &stmt->index);
    if (stmt->value != NULL)
        visit(user, stmt, &stmt->value);
    if (stmt->outputs != NULL)
        for (size_t i = 0; i < program->outputs.count; i++)
            if (stmt->outputs[i] != NULL)
                visit(user, stmt, &stmt->outputs[i]);
}

/* Calls `visit` for every statement of a block and of the blocks inside, in program order. */
typedef void ag_ir_stmt_visit(void *user, struct ag_ir_stmt *stmt);
static inline void ag_ir_walk(struct ag_ir_block *block, ag_ir_stmt_visit *visit, void *user)
{
    for (struct ag_ir_stmt *stmt = block->first; stmt != NULL; stmt = stmt->next) {
        visit(user, stmt);
        if (stmt->body != NULL)
            ag_ir_walk(stmt->body, visit, user);
        if (stmt->otherwise != NULL)
            ag_ir_walk(stmt->otherwise, visit, user);
        for (struct ag_ir_case *c = stmt->cases; c != NULL; c = c->next)
            ag_ir_walk(c->body, visit, user);
    }
}

#endif
