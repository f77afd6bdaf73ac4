/* SPDX-License-Identifier: MIT
 *
 * The shader IR, which stands between DXBC and WGSL: a tree of structured control flow whose statements
 * compute on vectors of up to four 32-bit lanes.
 *
 * A program is built over untyped registers, as DXBC has them. ag_ir_run_passes() then replaces the registers
 * by typed variables, which is what a typed language such as WGSL needs. All nodes of a program live in one
 * arena. docs/translator.md describes the whole translator.
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
    char signature[8]; /* types of the result and the arguments: see ops.h */
    uint8_t flags;     /* enum ag_ir_op_flag */
    /* The same types, enum ag_ir_type, of the result and then of the arguments; that of a resource is ANY. */
    uint8_t types[7];
};

extern const struct ag_ir_op_info ag_ir_op_infos[AG_IR_OP_COUNT];

enum ag_ir_type {
    /* Untyped bits. No variable has this type once ag_ir_pass_types() has run. */
    AG_IR_ANY,
    AG_IR_F32,
    AG_IR_I32,
    AG_IR_U32,
    AG_IR_BOOL, /* a D3D comparison mask: 0 or ~0 in 32 bits */
    AG_IR_INT,  /* signed or unsigned, as the reader wants; never the type of a variable */
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

/* The operands of an operation with AG_IR_RESOURCE that are not expressions. Its first arguments are the
 * address: one byte address for a raw buffer, element and byte offset for a structured buffer, one element
 * for a typed buffer. */
struct ag_ir_access {
    /* Index in program->resources, or AG_IR_NONE. A CBUFFER that is chosen at run time: the first of its
     * range. */
    uint32_t resource;
    uint32_t sampler;  /* index in program->resources, or AG_IR_NONE */
    uint32_t index;    /* CBUFFER: the constant part of the register number */
    int8_t offsets[3]; /* the immediate offsets of a sample instruction, in texels */
    bool has_offsets;
    uint8_t channel;   /* GATHER: the component that is gathered */
    uint8_t atomic;    /* ATOMIC: enum ag_ir_atomic */
    bool decrement;    /* COUNTER: down instead of up */
    bool is_sample;    /* TEXEL: the second argument is a sample index, not a mip level */
    uint8_t word_mask; /* STORE: the write mask, by 32-bit word */
    bool is_final;     /* SAMPLE_LEVEL: the level already contains the sampler's bias */
};

/* Which record in memory a RECORD operation reads (translate.h explains records and expansion). */
enum ag_ir_record {
    AG_IR_RECORD_INPUT,    /* a vertex or control point of the input primitive */
    AG_IR_RECORD_CONTROL,  /* a control point that the hull shader wrote */
    AG_IR_RECORD_CONSTANT, /* the patch constants; the vertex index is 0 */
    AG_IR_RECORD_COUNT
};

struct ag_ir_expr {
    uint8_t op;    /* enum ag_ir_op */
    uint8_t type;  /* enum ag_ir_type of the result */
    uint8_t width; /* lanes of the result, 1 to 4 */
    uint8_t arg_count;
    /* READ, SWIZZLE, ARRAY, RECORD, CBUFFER, ICB: the component of the source that each lane reads. */
    uint8_t component[4];
    union {
        uint32_t bits[4]; /* CONST: by lane; SPEND: the cost in bits[0] */
        /* READ: the register of each lane, or the variable once program->has_variables. ARRAY: id[0] is the
         * index in program->arrays. RECORD: id[0] is an enum ag_ir_record. */
        uint32_t id[4];
    } u;
    const struct ag_ir_access *access;
    struct ag_ir_expr *args[]; /* each has the width of the result, or one lane that is broadcast */
};

/* ---- Statements --------------------------------------------------------------------------------------- */

enum ag_ir_stmt_kind {
    AG_IR_ASSIGN,   /* evaluate `value` and store its lanes to the targets */
    AG_IR_EVALUATE, /* evaluate `value` for its side effect alone */
    /* Store the lanes of `value` to the components of element `index` of `array`. */
    AG_IR_SET_ELEMENT,
    AG_IR_IF,
    AG_IR_LOOP,
    AG_IR_SWITCH,
    AG_IR_BREAK,
    AG_IR_CONTINUE,
    AG_IR_RETURN,
    AG_IR_EMIT, /* geometry shaders: append a vertex made of the outputs to a stream */
    AG_IR_CUT,  /* geometry shaders: end the strip of a stream */
    AG_IR_DISCARD,
    AG_IR_BARRIER,
    /* Run `body` once for each thread that the invocation stands for; a CONTINUE that no loop in the body
     * takes ends it for the present thread (ag_ir_pass_threads()). */
    AG_IR_THREADS,
};

struct ag_ir_stmt;

struct ag_ir_block {
    struct ag_ir_stmt *first, *last;
    uint32_t id; /* dense, in order of creation */
    struct ag_ir_block *parent;
    struct ag_ir_stmt *owner; /* the statement that contains the block; set by ag_ir_pass_uses() */
    uint32_t depth;           /* nesting depth; 0 is the body of the program */
};

struct ag_ir_case {
    struct ag_ir_case *next;
    const uint32_t *labels;
    uint32_t label_count;
    bool is_default;
    struct ag_ir_block *body;
};

/* What all kinds have stands in front, and fills one line of a cache. */
struct ag_ir_stmt {
    struct ag_ir_stmt *next;
    struct ag_ir_block *block;
    /* ASSIGN, EVALUATE, SET_ELEMENT: the value. IF: the condition. SWITCH: the selector. */
    struct ag_ir_expr *value;
    uint8_t kind;    /* enum ag_ir_stmt_kind */
    uint8_t precise; /* ASSIGN: the components that the instruction marks `precise` */
    /* IF, SWITCH: one thread decides for its group, because a barrier depends on the condition
     * (ag_ir_pass_uniform()). */
    bool is_uniform;
    /* IF, LOOP, SWITCH: all threads of a group go through it together, because of a barrier in it or because
     * it leads around one (ag_ir_pass_uniform()). */
    bool is_shared;
    /* The DXBC instruction it was built from, in dwords from the version token, or AG_IR_NONE. */
    uint32_t offset;
    /* ASSIGN: the register of each lane, or the variable once program->has_variables. AG_IR_NONE discards the
     * lane. */
    uint32_t target[4];
    uint8_t target_component[4];
    uint32_t segment; /* of ag_ir_pass_substitute() */
    /* The list of the variables that are declared in front of the statement, or AG_IR_NONE. */
    uint32_t first_declared;

    uint32_t array;                /* SET_ELEMENT */
    struct ag_ir_expr *index;      /* SET_ELEMENT: the element */
    struct ag_ir_block *body;      /* IF, LOOP, THREADS */
    struct ag_ir_block *otherwise; /* IF: the else branch, or null */
    struct ag_ir_case *cases;      /* SWITCH: exactly one case is the default */
    /* RETURN, EMIT: one expression for each of program->outputs; null for an output that is not written. */
    struct ag_ir_expr **outputs;
    uint32_t stream; /* EMIT, CUT */
    uint32_t sync;   /* BARRIER: enum agpu_sync_flag */
};

/* Whether there is nothing in a statement but targets and a value. */
inline bool ag_ir_is_simple(const struct ag_ir_stmt *stmt)
{
    return stmt->kind <= AG_IR_EVALUATE;
}

/* ---- Programs ----------------------------------------------------------------------------------------- */

enum ag_ir_register_kind {
    AG_IR_REGISTER_TEMP,
    AG_IR_REGISTER_OUTPUT,
    AG_IR_REGISTER_INPUT,   /* each component is an input variable from the start */
    AG_IR_REGISTER_SCRATCH, /* a temporary of the builder, not of the DXBC program */
};

struct ag_ir_register {
    uint8_t kind;
    uint32_t number; /* r#, o# or v# */
    /* Inputs: the variable and its component behind each component; a component with AG_IR_NONE reads 0. */
    uint32_t variable[4];
    uint8_t component[4];
};

struct ag_ir_variable {
    uint8_t type; /* enum ag_ir_type */
    uint8_t width;
    bool is_input;
    bool needs_zero;  /* some read may come before every write, so it starts at zero */
    bool is_constant; /* one write, whose scope contains every read: a WGSL `let` */
    bool by_thread;   /* one for each thread of the invocation, because it outlives a THREADS */
    uint32_t register_id;
    uint8_t register_component[4];  /* the register component that each component of the variable came from */
    struct ag_ir_stmt *first_write; /* in program order */
    struct ag_ir_block *home;       /* the innermost block that contains all writes and reads */
    struct ag_ir_block *reader;     /* the block of the last read */
    uint32_t write_count;           /* how many statements write the variable */
    uint32_t read_count;            /* how many expressions read it */
    uint32_t next_declared;         /* the next variable in the list of stmt->first_declared */
    const char *name;               /* its name in WGSL; set by the emitter */
};

/* What will be a variable, or a part of one. */
struct ag_ir_web {
    uint32_t register_id;
    uint8_t component;
    bool needs_zero; /* as that of the variable */
};

enum ag_ir_input_kind {
    AG_IR_INPUT_REGISTER, /* v#: a vertex attribute or an interpolated input */
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
    uint8_t component_type; /* enum agpu_component_type of the signature element */
    uint8_t system_value;   /* enum agpu_system_value */
    uint32_t number;        /* v#, or AG_IR_NONE for an input outside the v# file */
    uint32_t variable;
    uint32_t offset; /* of the first declaration */
};

enum ag_ir_output_kind {
    AG_IR_OUTPUT_REGISTER, /* o#: an interpolated output or a render target */
    AG_IR_OUTPUT_POSITION,
    AG_IR_OUTPUT_CLIP_DISTANCE,
    AG_IR_OUTPUT_DEPTH,
    AG_IR_OUTPUT_COVERAGE,
    AG_IR_OUTPUT_TESS_FACTOR, /* one component of a patch constant that is also a REGISTER output */
    AG_IR_OUTPUT_DROPPED,     /* an output that WebGPU has no place for */
};

/* What the shader promises about the depth it writes: SV_DepthGreaterEqual writes at least the rasterizer's
 * depth, SV_DepthLessEqual at most. */
enum ag_ir_depth_bound { AG_IR_DEPTH_ANY, AG_IR_DEPTH_AT_LEAST, AG_IR_DEPTH_AT_MOST };

struct ag_ir_output {
    uint8_t kind; /* enum ag_ir_output_kind */
    uint8_t mask; /* declared components */
    uint8_t component_type;
    uint8_t system_value;
    uint32_t number; /* o#, or AG_IR_NONE for an output outside the o# file */
    uint32_t register_id;
    uint8_t stream; /* geometry shaders: the stream, 0 to 3 */
    uint8_t factor; /* TESS_FACTOR: which word of the patch's factors (translate.h) */
    uint8_t bound;  /* DEPTH: enum ag_ir_depth_bound */
    bool used;      /* the next stage reads the output; set before the passes run */
    uint8_t type;   /* enum ag_ir_type that the next stage reads; set before the passes run */
    uint32_t offset;
};

struct ag_ir_array {
    uint32_t length;
    uint8_t kind;    /* enum ag_ir_register_kind: TEMP for x#, otherwise an index range */
    uint32_t number; /* x#, or the first register of an index range */
    /* Index ranges: the register that starts out as element 0; those of the other elements follow. */
    uint32_t register_id;
    bool used;
};

struct ag_ir_resource {
    uint8_t space;     /* enum agpu_binding_space; AGPU_SPACE_INTERNAL is group shared memory g# */
    uint8_t dimension; /* enum agpu_resource_dimension */
    uint8_t return_type;
    uint8_t sample_count;
    /* The operand's first index: the slot, or the range's number in shader model 5.1. */
    uint32_t id;
    uint32_t slot; /* the D3D11 slot: t#, u#, s# or cb# */
    /* Structured buffers: bytes of a structure; group shared memory: bytes of an element. */
    uint32_t stride;
    uint32_t count;        /* constant buffers: declared registers; group shared memory: elements, or bytes */
    bool is_comparison;    /* samplers: declared for comparison */
    bool dynamic_declared; /* constant buffers: declared dynamicIndexed */
    uint32_t offset;       /* of the declaration */
    const char *name;      /* the name in the RDEF chunk, or null */

    bool used, dynamic;      /* dynamic: some index is computed at run time */
    uint32_t registers_used; /* constant buffers: one past the largest constant index */
    bool holds_floats;       /* constant buffers: all readers want floats; set after the passes */
    /* Textures: `compared` makes one a texture of depth in WGSL, `compared_by_hand` is one of a colour format
     * that the shader itself compares with. */
    bool compared, compared_by_hand, filtered, loaded, queried;
    uint8_t facts; /* textures: enum ag_texture_fact; return_type is of the class there */
    bool stored, atomic, counted;
    bool coherent, ordered; /* unordered access views: declared globallycoherent, rasterizer ordered */
    /* Constant buffers: a read-only storage buffer. Set by the emitter. */
    bool in_storage;
    /* Constant buffers: a part of the pack (wgsl/constant_pack.c). Set by the emitter. */
    bool packed;
    /* No binding of its own, but a record in the overflow block from this row on (wgsl/overflow.h). Set by
     * the emitter. */
    bool overflows;
    uint32_t overflow_row;
    /* Writable textures: emulated by a buffer of four words a texel. Set by the emitter. */
    bool wide;
    /* Samplers: used with a texture that may be filtered. */
    bool filters;
};

struct ag_ir_program {
    enum agpu_stage stage;
    enum agpu_flavour flavour; /* never AGPU_FLAVOUR_DEFAULT */
    uint8_t major, minor;
    uint32_t global_flags;
    struct ag_arena *arena;
    const struct agpu_diag_sink *sink;

    AG_VEC(struct ag_ir_register) registers;
    AG_VEC(struct ag_ir_variable) variables;
    /* From ag_ir_pass_webs() to ag_ir_pass_vectors(): variables of one lane, whose numbers in reads and
     * targets are those behind program->variables, which then has the inputs alone. */
    struct ag_ir_web *webs;
    uint32_t web_count;
    AG_VEC(struct ag_ir_input) inputs;
    AG_VEC(struct ag_ir_output) outputs;
    AG_VEC(struct ag_ir_array) arrays;
    AG_VEC(struct ag_ir_resource) resources;

    const uint32_t *icb; /* the immediate constant buffer, in rows of four words */
    uint32_t icb_rows;
    uint32_t thread_group[3];
    /* Compute: the workgroup, which is the thread group unless ag_ir_choose_workgroup() finds that the device
     * has none of that size. */
    uint32_t workgroup[3];
    uint32_t turns;      /* threads that an invocation stands for; 0: the workgroup is the thread group */
    bool has_idle_turns; /* invocations times turns are more than the threads */
    bool has_turn_loops; /* there are THREADS statements; otherwise the whole program is run `turns` times */
    uint32_t instance_slots; /* one past the last interface slot that the shader uses */
    struct agpu_expansion expansion;

    /* From ag_ir_pass_webs() on, passes go through these instead of the tree. Up to ag_ir_pass_vectors(),
     * where lists_reads ends: every READ, and some that are no part of the program any more. Up to
     * ag_ir_pass_types(): the statements that are ASSIGN, in program order. */
    AG_VEC(struct ag_ir_expr *) reads;
    AG_VEC(struct ag_ir_stmt *) assigns;
    bool lists_reads;

    struct ag_ir_block *body;
    uint32_t block_count;
    uint32_t expr_count;
    bool has_variables; /* READ and ASSIGN name variables instead of registers */
    bool discards, derivatives, reads_sample_index;
    bool reads_reciprocal_w; /* some RECIPROCAL_W */
    bool makes_booleans;     /* some expression is a truth value */
    bool has_loops;          /* some LOOP */
    bool keeps_statements;   /* each instruction stays a statement of its own, for who reads the text */
    bool shares_conditions;  /* some statement has is_uniform */
    uint32_t loop_budget;    /* iterations (translate.h); 0 means no limit */

    enum agpu_status status; /* the first failure; what is built after a failure is never used */
    /* The expression that ag_ir_expr_new() gives when memory runs out. */
    struct ag_ir_expr *poison;
};

/* Builds the IR of a shader for one use into `arena`; `program` is zeroed and filled. `options` may be null;
 * the flavour (which must fit the stage), the linkage and the sizes of records are read from `options`. A
 * feature that cannot be translated is reported with the byte offset of its instruction in the token stream,
 * and the result is AGPU_REFUSED. The program keeps pointers into the shader. ag_ir_fini() frees what does
 * not live in the arena. */
enum agpu_status ag_ir_build(const struct agpu_shader *shader, const struct ag_translate_options *options,
                             struct ag_arena *arena, const struct agpu_diag_sink *sink,
                             struct ag_ir_program *program);
/* Whether a shader of this flavour reads and writes records in memory instead of WebGPU's stage inputs and
 * outputs. */
bool ag_ir_uses_records(enum agpu_flavour flavour);
void ag_ir_fini(struct ag_ir_program *program);

/* Makes a workgroup that the device has of the program's thread group; zeros of `limits` are no limits. Comes
 * before the passes. */
void ag_ir_choose_workgroup(struct ag_ir_program *program, const struct ag_workgroup_limits *limits);

/* Turns registers into typed variables. The caller has already decided the types of the input variables and
 * of the outputs, and which outputs are used. */
enum agpu_status ag_ir_run_passes(struct ag_ir_program *program);

/* Checks every invariant that emitters rely on, and reports a broken one as translate.invalid-ir. */
enum agpu_status ag_ir_validate(struct ag_ir_program *program);

/* ---- Making and asking -------------------------------------------------------------------------------- */

/* What operations that may be shared (build_operation.c) cost a driver's compiler for each lane, in tenths of
 * a millisecond of lavapipe's. */
enum ag_ir_operation_cost {
    AG_IR_COST_OF_SIN = 42, /* and of a cosine */
    AG_IR_COST_OF_DADD = 100,
    AG_IR_COST_OF_DMUL = 125,
    AG_IR_COST_OF_DDIV = 150,
    AG_IR_COST_OF_DRCP = 150,
    AG_IR_COST_OF_DFMA = 300,
};

/* Never null: when memory runs out, the result is program->poison and program->status is set. */
struct ag_ir_expr *ag_ir_expr_new(struct ag_ir_program *program, enum ag_ir_op op, uint32_t width,
                                  uint32_t arg_count);
struct ag_ir_expr *ag_ir_const(struct ag_ir_program *program, uint32_t width, uint32_t bits);
/* The first `width` lanes of a register or variable. */
struct ag_ir_expr *ag_ir_read(struct ag_ir_program *program, uint32_t id, uint32_t width);
struct ag_ir_expr *ag_ir_unary(struct ag_ir_program *program, enum ag_ir_op op, struct ag_ir_expr *a);
struct ag_ir_expr *ag_ir_binary(struct ag_ir_program *program, enum ag_ir_op op, struct ag_ir_expr *a,
                                struct ag_ir_expr *b);
/* Whether an expression has arguments and all of them are constants. Emitters hide the first argument of such
 * an expression, so that WGSL's compiler does not fold constants and refuse an overflow. */
bool ag_ir_all_constant(const struct ag_ir_expr *expr);
/* Whether two expressions certainly have the same value. Only registers, constants and operations on them can
 * compare equal. */
bool ag_ir_same(const struct ag_ir_expr *a, const struct ag_ir_expr *b);
/* Selects the lanes `components[0..width)` of a value. The selection goes into constants, reads and swizzles
 * instead of on top of them. */
struct ag_ir_expr *ag_ir_swizzle(struct ag_ir_program *program, struct ag_ir_expr *value, uint32_t width,
                                 const uint8_t *components);
/* Broadcasts a one-lane value to `width` lanes. */
struct ag_ir_expr *ag_ir_splat(struct ag_ir_program *program, struct ag_ir_expr *value, uint32_t width);
/* Recomputes a value for the selected lanes alone. */
struct ag_ir_expr *ag_ir_narrow(struct ag_ir_program *program, struct ag_ir_expr *value, uint32_t width,
                                const uint8_t *lanes);

struct ag_ir_block *ag_ir_block_new(struct ag_ir_program *program, struct ag_ir_block *parent);
struct ag_ir_stmt *ag_ir_append(struct ag_ir_program *program, struct ag_ir_block *block,
                                enum ag_ir_stmt_kind kind, uint32_t offset);

uint32_t ag_ir_add_register(struct ag_ir_program *program, enum ag_ir_register_kind kind, uint32_t number);
uint32_t ag_ir_add_variable(struct ag_ir_program *program, enum ag_ir_type type, uint32_t width);

/* The type in which an expression is computed; reads, selects and swizzles have the type of their sources.
 * ANY means untyped bits. */
enum ag_ir_type ag_ir_natural_type(const struct ag_ir_program *program, const struct ag_ir_expr *expr);
enum ag_ir_type ag_ir_resource_type(const struct ag_ir_resource *resource);
/* The type that argument `index` of an operation must have. */
static inline enum ag_ir_type ag_ir_arg_type(const struct ag_ir_program *program,
                                             const struct ag_ir_expr *expr, uint32_t index)
{
    const struct ag_ir_op_info *const info = &ag_ir_op_infos[expr->op];
    if ((info->flags & AG_IR_RESOURCE) && info->signature[2 + index] == 't')
        return ag_ir_resource_type(&program->resources.data[expr->access->resource]);
    return (enum ag_ir_type)info->types[1 + index];
}
/* Whether the statement is an IF without else whose condition is a nonzero constant, which is a plain block.
 */
bool ag_ir_is_always(const struct ag_ir_stmt *stmt);
/* The jumps that matter: breaks out of the construct around, continues of the loop around, returns. */
struct ag_ir_jumps {
    bool breaks, continues, returns;
};
/* Whether a jump inside a statement that matters leaves it. */
bool ag_ir_stmt_jumps(const struct ag_ir_stmt *stmt, struct ag_ir_jumps jumps);
/* The same of the statements of a block. */
bool ag_ir_block_jumps(const struct ag_ir_block *block, struct ag_ir_jumps jumps);
bool ag_ir_has_effect(const struct ag_ir_expr *expr);
/* Whether a CBUFFER operation chooses its buffer at run time; its second argument is then the buffer's
 * number. */
bool ag_ir_is_chosen_cbuffer(const struct ag_ir_expr *expr);
/* Whether a run-time number can mean both constant buffers: those of a range in 5.1, otherwise all. */
bool ag_ir_share_range(const struct ag_ir_program *program, const struct ag_ir_resource *a,
                       const struct ag_ir_resource *b);

/* Reports an error at an instruction and marks the program as refused. */
void ag_ir_refuse(struct ag_ir_program *program, enum agpu_diag_code code, uint32_t offset,
                  const char *format, ...) AG_PRINTF(4, 5);
/* Reports a warning: the instruction, or a part of it, is ignored. */
void ag_ir_warn(struct ag_ir_program *program, enum agpu_diag_code code, uint32_t offset, const char *format,
                ...) AG_PRINTF(4, 5);
void ag_ir_no_memory(struct ag_ir_program *program);

/* Calls `visit` for each root expression of a statement: neither for the arguments of the root, nor for
 * statements in nested blocks. `visit` may replace *expr. */
typedef void ag_ir_visit(void *user, struct ag_ir_stmt *stmt, struct ag_ir_expr **expr);
inline void ag_ir_visit_roots(const struct ag_ir_program *program, struct ag_ir_stmt *stmt,
                              ag_ir_visit *visit, void *user)
{
    if (ag_ir_is_simple(stmt)) {
        if (stmt->value != NULL)
            visit(user, stmt, &stmt->value);
        return;
    }
    if (stmt->index != NULL)
        visit(user, stmt, &stmt->index);
    if (stmt->value != NULL)
        visit(user, stmt, &stmt->value);
    if (stmt->outputs != NULL)
        for (size_t i = 0; i < program->outputs.count; i++)
            if (stmt->outputs[i] != NULL)
                visit(user, stmt, &stmt->outputs[i]);
}

/* Calls `visit` for every statement of a block and of all nested blocks, in program order. */
typedef void ag_ir_stmt_visit(void *user, struct ag_ir_stmt *stmt);
inline void ag_ir_walk(struct ag_ir_block *block, ag_ir_stmt_visit *visit, void *user)
{
    for (struct ag_ir_stmt *stmt = block->first; stmt != NULL; stmt = stmt->next) {
        visit(user, stmt);
        if (ag_ir_is_simple(stmt))
            continue;
        if (stmt->body != NULL)
            ag_ir_walk(stmt->body, visit, user);
        if (stmt->otherwise != NULL)
            ag_ir_walk(stmt->otherwise, visit, user);
        for (struct ag_ir_case *c = stmt->cases; c != NULL; c = c->next)
            ag_ir_walk(c->body, visit, user);
    }
}

#endif
