/* SPDX-License-Identifier: MIT
 *
 * What the files of the reference interpreter share: a prepared program, a thread that runs it, and the
 * functions that the files offer one another.
 */
#ifndef AG_REF_MACHINE_H
#define AG_REF_MACHINE_H

#include "base/arena.h"
#include "base/bytes.h"
#include "ref/ref.h"

#define AG_REF_CALL_DEPTH 32

struct ag_ref_thread;
struct ag_ref_code;

/* The result of one step of a thread. */
enum ag_ref_step {
    AG_REF_STEP_NEXT,     /* go on with the following instruction */
    AG_REF_STEP_JUMPED,   /* the thread's pc is already set */
    AG_REF_STEP_BARRIER,  /* wait for the group, then continue with the following instruction */
    AG_REF_STEP_GRADIENT, /* wait for the quad, then run this instruction again */
    AG_REF_STEP_ENDED,
    AG_REF_STEP_REFUSED, /* the error was reported */
};

typedef enum ag_ref_step (*ag_ref_run_fn)(struct ag_ref_thread *thread, const struct ag_ref_code *code);

/* A prepared instruction. */
struct ag_ref_code {
    const struct agpu_instruction *instruction;
    const struct agpu_opcode_info *info;
    ag_ref_run_fn run;
    /* The instruction to continue with. if: the else or endif; switch, case, default: the next label; others:
     * the target of the jump. */
    uint32_t target;
    uint32_t end; /* if, loop, switch: the end of the construct */
};

struct ag_ref_indexable {
    uint32_t count;      /* registers; 0 when the array is not declared */
    uint32_t components; /* 1 to 4 */
    uint32_t first;      /* the first register in the thread's indexable registers */
};

struct ag_ref_shared {
    uint32_t size;   /* bytes; 0 when the memory is not declared */
    uint32_t stride; /* bytes of a structure, 0 for raw */
    uint32_t first;  /* the first byte in the group's memory */
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
    const struct agpu_instruction *immediate_buffer; /* the customdata instruction, or null */
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

/* A value that a thread provides to its quad, and the derivatives that it gets. */
struct ag_ref_gradient {
    bool ready;
    float value[4]; /* provided by this thread */
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
    struct ag_ref_invocation *invocation; /* null in a compute shader */
    const struct ag_ref_invocation *quad; /* the four pixels of the quad, or null */
    uint32_t lane;                        /* the index in the quad */
    struct ag_ref_gradient gradient;
    uint8_t *shared; /* the memory of the thread group */
    uint32_t thread_id[3], group_id[3], id_in_group[3], flattened_id;
    bool discarded;
};

/* Prepares a zeroed thread. `words` is its register memory, ag_ref_thread_words() words that the caller
 * owns. */
size_t ag_ref_thread_words(const struct ag_ref_program *program);
void ag_ref_thread_init(struct ag_ref_thread *thread, const struct ag_ref_run *run, uint32_t *words);

/* Runs until the thread waits, ends or fails. */
void ag_ref_thread_advance(struct ag_ref_thread *thread);

/* Reports at the instruction and returns AG_REF_STEP_REFUSED. */
enum ag_ref_step ag_ref_refuse(const struct ag_ref_thread *thread, const struct ag_ref_code *code,
                               enum agpu_diag_code diag, const char *problem);

/* Whether the thread must not change memory, because its pixel is a helper or discarded. */
bool ag_ref_is_inactive(const struct ag_ref_thread *thread);

/* ---- Operands (operand.c) ----------------------------------------------------------------------------- */

/* The letter of operand `index` in the opcode table: f i u b c B d R P L M I. */
char ag_ref_operand_kind(const struct agpu_opcode_info *info, uint32_t index);

/* Reads the four lanes of a source after swizzle, absolute and negate; `kind` determines what the modifiers
 * mean. */
void ag_ref_read(const struct ag_ref_thread *thread, const struct agpu_operand *operand, char kind,
                 uint32_t value[4]);
uint32_t ag_ref_read_scalar(const struct ag_ref_thread *thread, const struct agpu_operand *operand,
                            char kind);

/* Writes the lanes of the operand's mask; a null operand is not written. */
void ag_ref_write(struct ag_ref_thread *thread, const struct agpu_operand *operand, const uint32_t value[4]);

/* Writes destination `index` of an instruction, with saturation if the instruction says so. */
void ag_ref_write_result(struct ag_ref_thread *thread, const struct ag_ref_code *code, uint32_t index,
                         const uint32_t value[4]);

/* Value of index `i` of an operand. */
uint64_t ag_ref_operand_index(const struct ag_ref_thread *thread, const struct agpu_operand *operand,
                              uint32_t i);

/* The slot number of a t, s or u operand, whatever the shader model. */
uint64_t ag_ref_slot(const struct ag_ref_thread *thread, const struct agpu_operand *operand);

/* The view that a t# or u# operand names; an empty view when nothing is bound. */
const struct ag_ref_view *ag_ref_resource(const struct ag_ref_thread *thread,
                                          const struct agpu_operand *operand);

/* ---- Instructions ------------------------------------------------------------------------------------- */

/* The functions that run an opcode; null when the file does not implement it. */
ag_ref_run_fn ag_ref_alu_run(uint32_t opcode);
ag_ref_run_fn ag_ref_flow_run(uint32_t opcode);
ag_ref_run_fn ag_ref_buffer_run(uint32_t opcode);
ag_ref_run_fn ag_ref_atomic_run(uint32_t opcode);
ag_ref_run_fn ag_ref_load_run(uint32_t opcode);
ag_ref_run_fn ag_ref_sample_run(uint32_t opcode);
ag_ref_run_fn ag_ref_query_run(uint32_t opcode);

/* ag_ref_may_perturb(): whether results of an opcode are perturbed (perturb.c). ag_ref_perturb(): one
 * perturbed result; `component` counts the components of all destinations. */
struct ag_ref_lane;
bool ag_ref_may_perturb(const struct ag_ref_thread *thread, uint32_t opcode);
uint32_t ag_ref_perturb(const struct ag_ref_thread *thread, uint32_t opcode, const struct ag_ref_lane *lane,
                        uint32_t source[4][4], uint32_t component, uint32_t result);

/* ag_ref_perturb_coordinate(): perturbs coordinates that are not finite, as read. ag_ref_perturb_sampling():
 * perturbs where filters sample. */
void ag_ref_perturb_coordinate(const struct ag_ref_thread *thread, float coordinate[4]);
struct ag_ref_sampling;
void ag_ref_perturb_sampling(const struct ag_ref_thread *thread, struct ag_ref_sampling *sampling);

/* Sets `target` and `end` of every instruction. */
enum agpu_status ag_ref_join_flow(struct ag_ref_program *program, const struct agpu_diag_sink *sink);

/* Operand `index` of an instruction, not counting the status that `_s` opcodes have as second operand. */
const struct agpu_operand *ag_ref_after_status(const struct ag_ref_code *code, uint32_t index);
/* Writes the status that check_access_fully_mapped reads: all resources are resident. */
void ag_ref_write_status(struct ag_ref_thread *thread, const struct ag_ref_code *code);

#endif
