/* SPDX-License-Identifier: MIT
 *
 * The shader IR: a structured tree of statements over vectors of up to four 32-bit lanes.
 *
 * It starts out with registers, as the DXBC program has them. agpu_ir_run_passes() turns the registers into
 * typed variables, after which every value can be written down in a typed language. Everything lives in one
 * arena. docs/translator.md tells the story from the start.
 */
#ifndef AGPU_IR_IR_H
#define AGPU_IR_IR_H

#include "aerogpu/translate.h"
#include "base/arena.h"
#include "base/vec.h"
#include "ir/ops.h"

enum agpu_ir_op {
#define AGPU_IR_OP_ENUM(name, signature, flags) AGPU_IR_##name,
    AGPU_IR_OPS(AGPU_IR_OP_ENUM)
#undef AGPU_IR_OP_ENUM
        AGPU_IR_OP_COUNT
};

struct agpu_ir_op_info {
    const char *name;
    char signature[8]; /* see ops.h */
    uint8_t flags;     /* enum agpu_ir_op_flag */
};

extern const struct agpu_ir_op_info agpu_ir_op_infos[AGPU_IR_OP_COUNT];

enum agpu_ir_type {
    AGPU_IR_ANY, /* bits whose meaning nobody knows yet; never the type of a variable once typed */
    AGPU_IR_F32,
    AGPU_IR_I32,
    AGPU_IR_U32,
    AGPU_IR_BOOL, /* as 32 bits: 0 or ~0 */
    AGPU_IR_INT,  /* either integer type; never the type of a variable */
};

#define AGPU_IR_NONE UINT32_MAX

/* ---- Expressions -------------------------------------------------------------------------------------- */

enum agpu_ir_atomic {
    AGPU_IR_ATOMIC_AND,
    AGPU_IR_ATOMIC_OR,
    AGPU_IR_ATOMIC_XOR,
    AGPU_IR_ATOMIC_ADD,
    AGPU_IR_ATOMIC_IMAX,
    AGPU_IR_ATOMIC_IMIN,
    AGPU_IR_ATOMIC_UMAX,
    AGPU_IR_ATOMIC_UMIN,
    AGPU_IR_ATOMIC_EXCHANGE,
    AGPU_IR_ATOMIC_COMPARE_EXCHANGE,
};

/* What a RESOURCE operation works on. How many of the leading arguments are an address depends on the
 * resource: byte address (raw), element and byte offset (structured), element (typed buffer). */
struct agpu_ir_access {
    uint32_t resource; /* of program->resources, or AGPU_IR_NONE */
    uint32_t sampler;  /* likewise */
    uint32_t index;    /* CBUFFER: the register */
    int8_t offsets[3]; /* texels */
    bool has_offsets;
    uint8_t channel;   /* GATHER: which component */
    uint8_t atomic;    /* ATOMIC: enum agpu_ir_atomic */
    bool decrement;    /* COUNTER */
    bool is_sample;    /* TEXEL: the second argument is a sample, not a level */
    uint8_t word_mask; /* STORE: which words */
    bool is_final;     /* SAMPLE_LEVEL: the sampler's bias is no part of the level any more */
};

/* What a RECORD operation reads (translate.h, expansion). */
enum agpu_ir_record {
    AGPU_IR_RECORD_INPUT,    /* of a vertex or control point that the invocation is given */
    AGPU_IR_RECORD_CONTROL,  /* of a control point that the hull shader made */
    AGPU_IR_RECORD_CONSTANT, /* of the patch; the vertex is 0 */
    AGPU_IR_RECORD_COUNT
};

struct agpu_ir_expr {
    uint8_t op;    /* enum agpu_ir_op */
    uint8_t type;  /* enum agpu_ir_type: what the operation gives */
    uint8_t width; /* lanes, 1-4 */
    uint8_t arg_count;
    uint8_t component[4]; /* READ, SWIZZLE, ARRAY, RECORD, CBUFFER, ICB: where each lane comes from */
    union {
        uint32_t bits[4]; /* CONST; SPEND: bits[0] */
        uint32_t id[4];   /* READ: register, later variable, of each lane; ARRAY, RECORD: id[0] */
    } u;
    const struct agpu_ir_access *access;
    struct agpu_ir_expr *args[]; /* as wide as the result, or one lane that stands for all */
};

/* ---- Statements --------------------------------------------------------------------------------------- */

enum agpu_ir_stmt_kind {
    AGPU_IR_ASSIGN,      /* evaluate `value`, then give its lanes to the targets */
    AGPU_IR_EVALUATE,    /* for the effect alone */
    AGPU_IR_SET_ELEMENT, /* array element: `index`, `value`, lanes to the components of target_component */
    AGPU_IR_IF,
    AGPU_IR_LOOP,
    AGPU_IR_SWITCH,
    AGPU_IR_BREAK,
    AGPU_IR_CONTINUE,
    AGPU_IR_RETURN,
    AGPU_IR_EMIT, /* geometry: the outputs of a stream become a vertex */
    AGPU_IR_CUT,  /* geometry: the next vertex of a stream begins a strip */
    AGPU_IR_DISCARD,
    AGPU_IR_BARRIER,
};

struct agpu_ir_stmt;

struct agpu_ir_block {
    struct agpu_ir_stmt *first, *last;
    uint32_t id; /* dense, in order of creation */
    struct agpu_ir_block *parent;
    struct agpu_ir_stmt *owner; /* the statement it is part of; set by pass_scopes */
    uint32_t depth;             /* 0: the body of the program */
};

struct agpu_ir_case {
    struct agpu_ir_case *next;
    const uint32_t *labels;
    uint32_t label_count;
    bool is_default;
    struct agpu_ir_block *body;
};

struct agpu_ir_stmt {
    struct agpu_ir_stmt *next;
    struct agpu_ir_block *block;
    uint8_t kind;    /* enum agpu_ir_stmt_kind */
    uint8_t precise; /* ASSIGN: the instruction's mask */
    uint32_t offset; /* of the instruction, in dwords from the version token; AGPU_IR_NONE */

    struct agpu_ir_expr *value; /* ASSIGN, EVALUATE, SET_ELEMENT; condition of IF; selector of SWITCH */
    uint32_t target[4];         /* ASSIGN: register, later variable, of each lane; AGPU_IR_NONE drops it */
    uint8_t target_component[4];
    struct agpu_ir_expr *index; /* SET_ELEMENT */
    uint32_t array;

    struct agpu_ir_block *body;      /* IF, LOOP */
    struct agpu_ir_block *otherwise; /* IF; null without else */
    struct agpu_ir_case *cases;      /* SWITCH; exactly one is the default */
    struct agpu_ir_expr **outputs;   /* RETURN, EMIT: one expression for each of program->outputs, or null */
    uint32_t stream;                 /* EMIT, CUT */
    bool is_uniform;                 /* IF, SWITCH: one thread decides for its group (pass_uniform) */
    uint32_t sync;                   /* BARRIER: enum agpu_sync_flag */
    uint32_t first_declared;         /* variables to declare in front of it; AGPU_IR_NONE */
};

/* ---- Programs ----------------------------------------------------------------------------------------- */

enum agpu_ir_register_kind {
    AGPU_IR_REGISTER_TEMP,
    AGPU_IR_REGISTER_OUTPUT,
    AGPU_IR_REGISTER_INPUT, /* its components are variables from the start */
    AGPU_IR_REGISTER_SCRATCH,
};

struct agpu_ir_register {
    uint8_t kind;
    uint32_t number;      /* r#, o#, v# */
    uint32_t variable[4]; /* inputs: the variable behind each component, AGPU_IR_NONE reads 0 */
    uint8_t component[4];
};

struct agpu_ir_variable {
    uint8_t type; /* enum agpu_ir_type */
    uint8_t width;
    bool is_input;
    bool needs_zero;  /* some read may come before every write */
    bool is_constant; /* written once, and every read is in scope of that write: WGSL let */
    uint32_t register_id;
    uint8_t register_component[4];    /* which component of the register each of its components was */
    struct agpu_ir_stmt *first_write; /* in program order */
    struct agpu_ir_block *home;       /* innermost block that holds all writes and reads */
    uint32_t write_count;             /* statements */
    uint32_t next_declared;           /* the next variable of the statement's list */
    const char *name;                 /* the emitter's */
};

enum agpu_ir_input_kind {
    AGPU_IR_INPUT_REGISTER, /* v#: an attribute or varying */
    AGPU_IR_INPUT_VERTEX_ID,
    AGPU_IR_INPUT_INSTANCE_ID,
    AGPU_IR_INPUT_POSITION,
    AGPU_IR_INPUT_FRONT_FACE,
    AGPU_IR_INPUT_SAMPLE_INDEX,
    AGPU_IR_INPUT_PRIMITIVE_ID,
    AGPU_IR_INPUT_COVERAGE,
    AGPU_IR_INPUT_THREAD_ID,
    AGPU_IR_INPUT_GROUP_ID,
    AGPU_IR_INPUT_THREAD_ID_IN_GROUP,
    AGPU_IR_INPUT_THREAD_INDEX,
    AGPU_IR_INPUT_GS_INSTANCE_ID,
    AGPU_IR_INPUT_CONTROL_POINT_ID,
    AGPU_IR_INPUT_DOMAIN_POINT,
    AGPU_IR_INPUT_KIND_COUNT
};

struct agpu_ir_input {
    uint8_t kind; /* enum agpu_ir_input_kind */
    uint8_t mask;
    uint8_t interpolation;  /* enum agpu_interpolation */
    uint8_t component_type; /* enum agpu_component_type of the signature */
    uint8_t system_value;   /* enum agpu_system_value */
    uint32_t number;        /* v#; AGPU_IR_NONE */
    uint32_t variable;
    uint32_t offset; /* of its first declaration */
};

enum agpu_ir_output_kind {
    AGPU_IR_OUTPUT_REGISTER, /* o#: a varying, or a render target */
    AGPU_IR_OUTPUT_POSITION,
    AGPU_IR_OUTPUT_CLIP_DISTANCE,
    AGPU_IR_OUTPUT_DEPTH,
    AGPU_IR_OUTPUT_COVERAGE,
    AGPU_IR_OUTPUT_TESS_FACTOR, /* one component of a patch constant, besides its REGISTER */
    AGPU_IR_OUTPUT_DROPPED,     /* WebGPU has no place for it */
};

/* SV_DepthGreaterEqual and SV_DepthLessEqual: the rasterizer's depth is the least, or the most. */
enum agpu_ir_depth_bound { AGPU_IR_DEPTH_ANY, AGPU_IR_DEPTH_AT_LEAST, AGPU_IR_DEPTH_AT_MOST };

struct agpu_ir_output {
    uint8_t kind; /* enum agpu_ir_output_kind */
    uint8_t mask; /* declared components */
    uint8_t component_type;
    uint8_t system_value;
    uint32_t number; /* o#; AGPU_IR_NONE */
    uint32_t register_id;
    uint8_t stream; /* geometry */
    uint8_t factor; /* TESS_FACTOR: word of the patch's factors (translate.h) */
    uint8_t bound;  /* DEPTH: enum agpu_ir_depth_bound */
    bool used;      /* false: nobody wants it. Set before the passes run */
    uint8_t type;   /* enum agpu_ir_type the outside wants. Set before the passes run */
    uint32_t offset;
};

struct agpu_ir_array {
    uint32_t length;
    uint8_t kind;         /* enum agpu_ir_register_kind: TEMP is x#, the others are index ranges */
    uint32_t number;      /* x#, or the first register of a range */
    uint32_t register_id; /* ranges: of the first register; the others follow */
    bool used;
};

struct agpu_ir_resource {
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

struct agpu_ir_program {
    enum agpu_stage stage;
    enum agpu_flavour flavour; /* never the default */
    uint8_t major, minor;
    uint32_t global_flags;
    struct agpu_arena *arena;
    const struct agpu_diag_sink *sink;

    AGPU_VEC(struct agpu_ir_register) registers;
    AGPU_VEC(struct agpu_ir_variable) variables;
    AGPU_VEC(struct agpu_ir_input) inputs;
    AGPU_VEC(struct agpu_ir_output) outputs;
    AGPU_VEC(struct agpu_ir_array) arrays;
    AGPU_VEC(struct agpu_ir_resource) resources;

    const uint32_t *icb; /* rows of four */
    uint32_t icb_rows;
    uint32_t thread_group[3];
    uint32_t instance_slots; /* one past the last interface slot */
    struct agpu_expansion expansion;

    struct agpu_ir_block *body;
    uint32_t block_count;
    uint32_t expr_count;
    bool has_variables; /* registers are gone */
    bool discards, derivatives, reads_sample_index;
    bool shares_conditions; /* some statement is_uniform */
    uint32_t loop_budget;   /* iterations (translate.h); 0: any number */

    enum agpu_status status; /* the first failure; building goes on harmlessly after it */
    struct agpu_ir_expr *poison;
};

/* Builds the IR of a shader for one use into `arena`; `program` is zeroed and filled. Of the options, which
 * may be null, the flavour (one that fits the stage), the linkage and the sizes of records count. Everything
 * that cannot be expressed is reported with the byte offset of its instruction in the token stream, and the
 * result is AGPU_REFUSED. The program refers to the shader. agpu_ir_fini() frees what the arena does not
 * hold. */
enum agpu_status agpu_ir_build(const struct agpu_shader *shader, const struct agpu_translate_options *options,
                               struct agpu_arena *arena, const struct agpu_diag_sink *sink,
                               struct agpu_ir_program *program);
/* What AGPU_FLAVOUR_DEFAULT stands for. */
enum agpu_flavour agpu_ir_default_flavour(enum agpu_stage stage);
/* Whether a use reads and writes records rather than what WebGPU's stages hand on. */
bool agpu_ir_uses_records(enum agpu_flavour flavour);
void agpu_ir_fini(struct agpu_ir_program *program);

/* From registers to typed variables. The types of inputs (their variables) and outputs, and which outputs are
 * used, have been decided by the caller. */
enum agpu_status agpu_ir_run_passes(struct agpu_ir_program *program);

/* Checks every rule that emitters rely on. Reports translate.invalid-ir. */
enum agpu_status agpu_ir_validate(struct agpu_ir_program *program);

/* ---- Making and asking -------------------------------------------------------------------------------- */

/* Never null: out of memory gives a harmless expression and sets program->status. */
struct agpu_ir_expr *agpu_ir_expr_new(struct agpu_ir_program *program, enum agpu_ir_op op, uint32_t width,
                                      uint32_t arg_count);
struct agpu_ir_expr *agpu_ir_const(struct agpu_ir_program *program, uint32_t width, uint32_t bits);
struct agpu_ir_expr *agpu_ir_unary(struct agpu_ir_program *program, enum agpu_ir_op op,
                                   struct agpu_ir_expr *a);
struct agpu_ir_expr *agpu_ir_binary(struct agpu_ir_program *program, enum agpu_ir_op op,
                                    struct agpu_ir_expr *a, struct agpu_ir_expr *b);
/* Whether it has operands and all are constants: the first is then written so that WGSL does not fold them.
 */
bool agpu_ir_all_constant(const struct agpu_ir_expr *expr);
/* Whether both surely have the same value. Only registers, constants and what is computed from them compare.
 */
bool agpu_ir_same(const struct agpu_ir_expr *a, const struct agpu_ir_expr *b);
/* The lanes `components[0..width)` of a value; looks through constants, reads and swizzles. */
struct agpu_ir_expr *agpu_ir_swizzle(struct agpu_ir_program *program, struct agpu_ir_expr *value,
                                     uint32_t width, const uint8_t *components);
/* One lane, repeated. */
struct agpu_ir_expr *agpu_ir_splat(struct agpu_ir_program *program, struct agpu_ir_expr *value,
                                   uint32_t width);
/* The value with only these lanes computed. */
struct agpu_ir_expr *agpu_ir_narrow(struct agpu_ir_program *program, struct agpu_ir_expr *value,
                                    uint32_t width, const uint8_t *lanes);

struct agpu_ir_block *agpu_ir_block_new(struct agpu_ir_program *program, struct agpu_ir_block *parent);
struct agpu_ir_stmt *agpu_ir_append(struct agpu_ir_program *program, struct agpu_ir_block *block,
                                    enum agpu_ir_stmt_kind kind, uint32_t offset);

uint32_t agpu_ir_add_register(struct agpu_ir_program *program, enum agpu_ir_register_kind kind,
                              uint32_t number);
uint32_t agpu_ir_add_variable(struct agpu_ir_program *program, enum agpu_ir_type type, uint32_t width);

/* What argument `index` of an operation must be. */
enum agpu_ir_type agpu_ir_arg_type(const struct agpu_ir_program *program, const struct agpu_ir_expr *expr,
                                   uint32_t index);
/* What an expression naturally is, looking through reads, choices and shapes: ANY for bare bits. */
enum agpu_ir_type agpu_ir_natural_type(const struct agpu_ir_program *program,
                                       const struct agpu_ir_expr *expr);
enum agpu_ir_type agpu_ir_resource_type(const struct agpu_ir_resource *resource);
/* An IF without an alternative whose condition is a constant that is not 0: just a block. */
bool agpu_ir_is_always(const struct agpu_ir_stmt *stmt);
bool agpu_ir_has_effect(const struct agpu_ir_expr *expr);

/* Reports an error at an instruction and marks the program as refused. */
void agpu_ir_refuse(struct agpu_ir_program *program, enum agpu_diag_code code, uint32_t offset,
                    const char *format, ...) AGPU_PRINTF(4, 5);
/* Reports a warning: the program goes on without what the instruction asks for. */
void agpu_ir_warn(struct agpu_ir_program *program, enum agpu_diag_code code, uint32_t offset,
                  const char *format, ...) AGPU_PRINTF(4, 5);
void agpu_ir_no_memory(struct agpu_ir_program *program);

/* Calls `visit` for the expressions of a statement itself, not for those in its blocks nor for arguments; a
 * visit may replace *expr. */
typedef void agpu_ir_visit(void *user, struct agpu_ir_stmt *stmt, struct agpu_ir_expr **expr);
static inline void agpu_ir_visit_roots(const struct agpu_ir_program *program, struct agpu_ir_stmt *stmt,
                                       agpu_ir_visit *visit, void *user)
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
typedef void agpu_ir_stmt_visit(void *user, struct agpu_ir_stmt *stmt);
static inline void agpu_ir_walk(struct agpu_ir_block *block, agpu_ir_stmt_visit *visit, void *user)
{
    for (struct agpu_ir_stmt *stmt = block->first; stmt != NULL; stmt = stmt->next) {
        visit(user, stmt);
        if (stmt->body != NULL)
            agpu_ir_walk(stmt->body, visit, user);
        if (stmt->otherwise != NULL)
            agpu_ir_walk(stmt->otherwise, visit, user);
        for (struct agpu_ir_case *c = stmt->cases; c != NULL; c = c->next)
            agpu_ir_walk(c->body, visit, user);
    }
}

#endif
