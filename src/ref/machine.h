/* SPDX-License-Identifier: MIT
 *
 * Inside the reference interpreter: a program prepared for running, one thread of it, and what the parts of
 * the interpreter offer each other.
 */
#ifndef AG_REF_MACHINE_H
#define AG_REF_MACHINE_H

#include "base/arena.h"
#include "base/bytes.h"
#include "ref/ref.h"

#define AG_REF_CALL_DEPTH 32

struct ag_ref_thread;
struct ag_ref_code;

/* What one step of a thread came to. */
enum ag_ref_step {
    AG_REF_STEP_NEXT,     /* go on with the following instruction */
    AG_REF_STEP_JUMPED,   /* the thread's pc is already right */
    AG_REF_STEP_BARRIER,  /* wait for the group, then go on with the following instruction */
    AG_REF_STEP_GRADIENT, /* wait for the quad, then run this instruction once more */
    AG_REF_STEP_ENDED,
    AG_REF_STEP_REFUSED, /* reported */
};

typedef enum ag_ref_step (*ag_ref_run_fn)(struct ag_ref_thread *thread, const struct ag_ref_code *code);

/* One instruction, prepared. */
struct ag_ref_code {
    const struct agpu_instruction *instruction;
    const struct agpu_opcode_info *info;
    ag_ref_run_fn run;
    uint32_t target; /* if: its else or endif; switch, case, default: the next one; others: where they lead */
    uint32_t end;    /* if, loop, switch: the end of the construct */
};

struct ag_ref_indexable {
    uint32_t count;      /* registers; 0 when not declared */
    uint32_t components; /* 1 to 4 */
    uint32_t first;      /* in the thread's indexable registers */
};

struct ag_ref_shared {
    uint32_t size;   /* bytes; 0 when not declared */
    uint32_t stride; /* bytes of a structure, 0 for raw */
    uint32_t first;  /* byte in the group's memory */
};

struct ag_ref_label {
    uint32_t type; /* AGPU_OPERAND_LABEL or AGPU_OPERAND_FUNCTION_BODY */
    uint32_t number;
    uint32_t target;
};

struct ag_ref_program {
    const struct agpu_shader *shader;
    struct ag_arena arena;
    struct ag_ref_code *code;
    uint32_t code_count;
    uint32_t temp_count;
    struct ag_ref_indexable *indexables;
    uint32_t indexable_count, indexable_registers;
    struct ag_ref_shared *shared;
    uint32_t shared_count, shared_size;
    struct ag_ref_label *labels;
    uint32_t label_count;
    const struct agpu_instruction *immediate_buffer; /* customdata, or null */
    uint32_t thread_group[3];
    uint8_t interpolation[AG_REF_REGISTERS]; /* enum agpu_interpolation of pixel shader inputs */
};

/* What all threads of one call share. */
struct ag_ref_run {
    const struct ag_ref_program *program;
    const struct ag_ref_bindings *bindings;
    const struct agpu_diag_sink *sink;
    uint32_t flags;
    uint64_t step_budget;
    uint64_t perturb;
    float lod_error, cube_lod_error;
};

enum ag_ref_thread_state {
    AG_REF_READY,
    AG_REF_AT_BARRIER,
    AG_REF_AT_GRADIENT,
    AG_REF_ENDED,
    AG_REF_FAILED,
};

/* Derivatives of the value that a thread announced. */
struct ag_ref_gradient {
    bool ready;
    float value[4]; /* announced by this thread */
    float dx[4], dy[4];
};

struct ag_ref_thread {
    const struct ag_ref_run *run;
    enum ag_ref_thread_state state;
    uint32_t pc;
    uint32_t return_stack[AG_REF_CALL_DEPTH];
    uint32_t return_depth;
    uint64_t steps;
    uint32_t (*temps)[4];
    uint32_t (*indexables)[4];
    struct ag_ref_invocation *invocation; /* null in compute shaders */
    const struct ag_ref_invocation *quad; /* the four pixels, or null */
    uint32_t lane;                        /* in the quad */
    struct ag_ref_gradient gradient;
    uint8_t *shared; /* the group's memory */
    uint32_t thread_id[3], group_id[3], id_in_group[3], flattened_id;
    bool discarded;
};

/* Prepares a zeroed thread whose register memory the caller owns: see ag_ref_thread_words. */
size_t ag_ref_thread_words(const struct ag_ref_program *program);
void ag_ref_thread_init(struct ag_ref_thread *thread, const struct ag_ref_run *run, uint32_t *words);

/* Runs until the thread waits, ends or fails. */
void ag_ref_thread_advance(struct ag_ref_thread *thread);

/* Reports at the instruction and gives AG_REF_STEP_REFUSED. */
enum ag_ref_step ag_ref_refuse(const struct ag_ref_thread *thread, const struct ag_ref_code *code,
                               enum agpu_diag_code diag, const char *problem);

/* True when memory must not change: helper pixels and discarded ones. */
bool ag_ref_is_inactive(const struct ag_ref_thread *thread);

/* ---- Operands (operand.c) ----------------------------------------------------------------------------- */

/* The letter of operand `index` in the opcode table: f i u b c B d R P L M I. */
char ag_ref_operand_kind(const struct agpu_opcode_info *info, uint32_t index);

/* The four lanes of a source after swizzle, absolute and negate; `kind` says what the modifiers mean. */
void ag_ref_read(const struct ag_ref_thread *thread, const struct agpu_operand *operand, char kind,
                 uint32_t value[4]);
uint32_t ag_ref_read_scalar(const struct ag_ref_thread *thread, const struct agpu_operand *operand,
                            char kind);

/* Writes the lanes of the operand's mask. Writes to null vanish. */
void ag_ref_write(struct ag_ref_thread *thread, const struct agpu_operand *operand, const uint32_t value[4]);

/* The same for an instruction's destination `index`, saturating floats when the instruction says so. */
void ag_ref_write_result(struct ag_ref_thread *thread, const struct ag_ref_code *code, uint32_t index,
                         const uint32_t value[4]);

/* Value of index `i` of an operand. */
uint64_t ag_ref_operand_index(const struct ag_ref_thread *thread, const struct agpu_operand *operand,
                              uint32_t i);

/* The slot number of a t, s or u operand, whatever the shader model. */
uint64_t ag_ref_slot(const struct ag_ref_thread *thread, const struct agpu_operand *operand);

/* The views behind a t or u operand; an empty view when nothing is bound. */
const struct ag_ref_view *ag_ref_resource(const struct ag_ref_thread *thread,
                                          const struct agpu_operand *operand);

/* ---- Instructions ------------------------------------------------------------------------------------- */

/* How an instruction runs, or null when the file does not know it. */
ag_ref_run_fn ag_ref_alu_run(uint32_t opcode);
ag_ref_run_fn ag_ref_flow_run(uint32_t opcode);
ag_ref_run_fn ag_ref_buffer_run(uint32_t opcode);
ag_ref_run_fn ag_ref_atomic_run(uint32_t opcode);
ag_ref_run_fn ag_ref_load_run(uint32_t opcode);
ag_ref_run_fn ag_ref_sample_run(uint32_t opcode);
ag_ref_run_fn ag_ref_query_run(uint32_t opcode);

/* Whether results of an opcode are to be moved (perturb.c), and one moved result; `component` counts the
 * components of all destinations. */
struct ag_ref_lane;
bool ag_ref_may_perturb(const struct ag_ref_thread *thread, uint32_t opcode);
uint32_t ag_ref_perturb(const struct ag_ref_thread *thread, uint32_t opcode, const struct ag_ref_lane *lane,
                        uint32_t source[4][4], uint32_t component, uint32_t result);

/* Coordinates that are no numbers, as read; then where filters look. */
void ag_ref_perturb_coordinate(const struct ag_ref_thread *thread, float coordinate[4]);
struct ag_ref_sampling;
void ag_ref_perturb_sampling(const struct ag_ref_thread *thread, struct ag_ref_sampling *sampling);

/* Sets every code's target and end. */
enum agpu_status ag_ref_join_flow(struct ag_ref_program *program, const struct agpu_diag_sink *sink);

/* The operand of an instruction, counted past the status that `_s` opcodes have in second place. */
const struct agpu_operand *ag_ref_after_status(const struct ag_ref_code *code, uint32_t index);
/* Writes what check_access_fully_mapped reads: all resources are resident. */
void ag_ref_write_status(struct ag_ref_thread *thread, const struct ag_ref_code *code);

#endif
