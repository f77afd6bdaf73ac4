/* SPDX-License-Identifier: MIT
 *
 * What the build_*.c files share. They turn decoded DXBC instructions into IR over registers.
 */
#ifndef AG_IR_BUILD_H
#define AG_IR_BUILD_H

#include "dxbc/opcode.h"
#include "ir/ir.h"
#include "wgsl/options.h"

#define AG_IR_MAX_TEMPS 4096
#define AG_IR_MAX_ARRAYS 4096
#define AG_IR_MAX_STREAMS 4
#define AG_IR_MAX_DEPTH 64 /* the limit of D3D11.3 22.7.1; emitters may support less */

/* Outputs outside the o# register file. */
enum ag_ir_special_output { AG_IR_SPECIAL_DEPTH, AG_IR_SPECIAL_COVERAGE, AG_IR_SPECIAL_OUTPUT_COUNT };

enum ag_ir_emission { AG_IR_EMITS = 1, AG_IR_CUTS = 2 };

enum ag_ir_evaluation { AG_IR_EVAL_CENTROID, AG_IR_EVAL_SAMPLE_INDEX, AG_IR_EVAL_SNAPPED };

/* A subroutine: `label l#`, or the function body of a class method. */
struct ag_ir_label {
    /* The label's number, or AG_IR_FUNCTION_BODY(number), and the index of the label instruction. */
    uint32_t number, at;
    /* Set by build_plan.c. */
    /* The round in which the subroutine was last measured. */
    uint8_t round;
    bool is_open;
    bool out_of_line, syncs;
    uint32_t calls; /* call instructions in the program text */
    /* height: nesting inside, in the units of build_plan.c; calls_deep: levels of calls below the
     * subroutine. */
    uint32_t height, calls_deep;
    uint64_t size, cost;
    /* Subroutines that are not inlined: the machine in which they have states, their first state there, and
     * the register that holds the state to return to. */
    const struct ag_ir_machine *machine;
    uint32_t state, return_state;
};

/* What an if, loop or switch contains, or a shared operation is. */
struct ag_ir_extent {
    uint16_t height; /* nesting depth as Dawn's parser counts, inlined subroutines included */
    /* calls: subroutines that are not inlined, or shared operations; syncs: barriers */
    bool calls, syncs;
};

/* A declaration that an interface call (fcall) needs: an interface, or a function table. */
struct ag_ir_interface {
    /* opcode << 32 | number of the interface or the table */
    uint64_t key;
    uint32_t at;
    uint32_t fcall; /* the last fcall that has a case for the table */
};

struct ag_ir_builder {
    const struct agpu_shader *shader;
    const struct agpu_program *source;
    const struct ag_translate_options *options;
    struct ag_ir_program *program;
    struct ag_ir_block *block; /* the block that statements are appended to */
    bool dead;                 /* the rest of the block is unreachable */

    uint32_t temp_base, temp_count;
    uint32_t input_register[AGPU_MAX_REGISTERS];
    uint32_t output_register[AGPU_MAX_REGISTERS];
    uint32_t special_input[AGPU_OPERAND_TYPE_COUNT]; /* registers of inputs outside the v# file */
    uint32_t special_output[AG_IR_SPECIAL_OUTPUT_COUNT];
    uint32_t *indexable;     /* x# to the index in program->arrays; null before the first declaration */
    uint32_t next_indexable; /* hull shaders: the number that the next array gets */
    uint32_t input_array[AGPU_MAX_REGISTERS], output_array[AGPU_MAX_REGISTERS];

    /* if, else, loop, switch, case, default: the index of the instruction that ends their block. */
    uint32_t *partner;
    uint32_t depth;
    uint32_t loop_depth;   /* loops around the instruction, within the current subroutine */
    uint32_t switch_depth; /* switches around the instruction, within the innermost loop */
    /* The value of loop_depth + switch_depth at which a `break` leaves the inlined subroutine. */
    uint32_t call_break;
    /* A register that is true once a `ret` has run inside a loop or switch of the inlined subroutine. */
    uint32_t returned;
    bool return_pending;                       /* what is built next must test `returned` */
    AG_VEC(struct ag_ir_label) labels;         /* sorted by number */
    AG_VEC(struct ag_ir_interface) interfaces; /* sorted by key */
    uint32_t fcalls;                           /* how many fcalls have been built */
    uint32_t copies;                           /* of instructions, in cases that choose a resource */
    struct ag_ir_extent *extents;              /* by index of the instruction */
    /* Costly operations are states of the machine, each kind once. Where derivatives are taken only those
     * outside of all blocks are, so that the pixels of a quad stay together. */
    bool shares_operations, shares_at_top;
    /* The heights up to which control flow stays structured: see build_plan.c. */
    uint32_t max_height, max_state_height, max_inlined_height;
    /* The machine whose states are being built; null inside inlined subroutines. */
    struct ag_ir_machine *machine;
    bool syncs; /* the program has barriers */

    uint32_t stream; /* the geometry shader stream of the output declarations that follow */
    /* Hull shaders: the index in program->arrays of the patch constants, if a run-time index can reach
     * them. */
    uint32_t constant_array;
};

struct ag_ir_row;
typedef void ag_ir_build_row(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                             const struct ag_ir_row *row);

/* How an opcode becomes IR. `build` is set, or is_flow for flow control, which build_flow.c handles. An
 * opcode with neither cannot be translated. */
struct ag_ir_row {
    ag_ir_build_row *build;
    uint8_t op, op2; /* enum ag_ir_op; which of them a handler uses depends on the handler */
    uint8_t detail;  /* the handler's comment says what */
    bool is_flow;
};

extern const struct ag_ir_row ag_ir_rows[AGPU_OPCODE_LIMIT];

/* build_declare.c: handles the declarations among the instructions [first, end). */
void ag_ir_declare(struct ag_ir_builder *builder, uint32_t first, uint32_t end);
/* Outputs that follow go to the stream; refuses one that is not there. */
void ag_ir_declare_stream(struct ag_ir_builder *builder, const struct agpu_instruction *dcl);
uint32_t ag_ir_add_array(struct ag_ir_builder *builder, enum ag_ir_register_kind kind, uint32_t number,
                         uint32_t length);
/* The index in program->arrays of x#, or AG_IR_NONE. */
uint32_t ag_ir_indexable_array(const struct ag_ir_builder *builder, uint64_t number);
void ag_ir_add_register_output(struct ag_ir_builder *builder, uint32_t number, uint32_t mask,
                               uint32_t offset);

/* build.c: adds registers for the elements of index ranges, once all inputs and outputs are declared. */
void ag_ir_find_range_registers(struct ag_ir_builder *builder);

/* build_record.c */
void ag_ir_measure_records(struct ag_ir_builder *builder);
struct ag_ir_expr *ag_ir_read_record(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                                     const struct agpu_operand *operand, uint32_t mask);
static inline bool ag_ir_is_record_operand(const struct agpu_operand *operand)
{
    return operand->type == AGPU_OPERAND_INPUT_CONTROL_POINT ||
           operand->type == AGPU_OPERAND_OUTPUT_CONTROL_POINT ||
           operand->type == AGPU_OPERAND_INPUT_PATCH_CONSTANT ||
           (operand->type == AGPU_OPERAND_INPUT && operand->index_count == 2);
}

/* build_hull.c: builds the phases that the program's flavour consists of. */
void ag_ir_build_hull(struct ag_ir_builder *builder);
static inline bool ag_ir_is_phase(uint16_t opcode)
{
    return opcode == AGPU_OP_HS_CONTROL_POINT_PHASE || opcode == AGPU_OP_HS_FORK_PHASE ||
           opcode == AGPU_OP_HS_JOIN_PHASE;
}

/* build_resource.c: false when the instruction declares something other than a resource. */
bool ag_ir_declare_resource(struct ag_ir_builder *builder, const struct agpu_instruction *dcl);
void ag_ir_refuse_declaration(struct ag_ir_builder *builder, const struct agpu_instruction *dcl,
                              enum agpu_diag_code code, const char *problem);
/* A dword that follows the operand of a declaration; 0 beyond the last. */
uint32_t ag_ir_data_at(const struct agpu_instruction *dcl, uint32_t index);

/* Reads a built-in value (one lane) that the pipeline provides; declares the input if the shader did not. */
struct ag_ir_expr *ag_ir_read_builtin(struct ag_ir_builder *builder, enum ag_ir_input_kind kind);

/* build_flow.c: builds from instruction `at` to the end of the block, and returns the index of the end. */
uint32_t ag_ir_build_flow(struct ag_ir_builder *builder, uint32_t at);
/* Builds a whole program, phase or subroutine, in the form that build_plan.c has chosen. */
void ag_ir_build_segment(struct ag_ir_builder *builder, uint32_t at);
/* Builds one instruction or one whole if, loop or switch, and returns the index of the next instruction. */
uint32_t ag_ir_build_step(struct ag_ir_builder *builder, uint32_t at);
bool ag_ir_ends_block(const struct ag_ir_builder *builder, uint32_t at);
struct ag_ir_expr *ag_ir_condition(struct ag_ir_builder *builder, const struct agpu_instruction *insn);
/* Leaves the inlined subroutine or the state that is being built. */
void ag_ir_leave_level(struct ag_ir_builder *builder, uint32_t offset);
bool ag_ir_pair_flow(struct ag_ir_builder *builder);

/* build_plan.c: decides what is inlined and what becomes states. Needs paired flow. False: the shader is
 * refused. */
bool ag_ir_plan_flow(struct ag_ir_builder *builder);
/* The subroutine with a number, or null. */
struct ag_ir_label *ag_ir_find_label(const struct ag_ir_builder *builder, uint32_t number);
/* ag_ir_is_flattened(): an if, loop or switch becomes states when only what is at most `max_height` high
 * stays structured. ag_ir_calls_out_of_line(): the instruction calls a subroutine that is not inlined.
 * ag_ir_needs_machine(): either occurs in the program, phase or subroutine that starts at `at`. */
bool ag_ir_is_flattened(const struct ag_ir_builder *builder, uint32_t at, uint32_t max_height);
bool ag_ir_calls_out_of_line(const struct ag_ir_builder *builder, const struct agpu_instruction *insn);
bool ag_ir_needs_machine(const struct ag_ir_builder *builder, uint32_t at);

/* build_operation.c: what an instruction costs a driver's compiler beyond others; 0: nothing. The sum above
 * which operations are shared. */
#define AG_IR_MAX_COST 10000
uint32_t ag_ir_operation_cost(const struct agpu_instruction *insn);
/* Whether some instruction takes derivatives, given coordinates without a level included. */
bool ag_ir_has_derivatives(const struct agpu_program *source);
/* What stands for an operation that `insn` is built of, or for two with the same arguments (else values[1] is
 * null): reads of the results of its state, which hold until the same operation is shared again. Leaves
 * operations that are not shared. */
void ag_ir_share(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                 struct ag_ir_expr *values[2]);

/* build_machine.c: builds a whole program, phase or subroutine as a state machine. */
void ag_ir_build_machine(struct ag_ir_builder *builder, uint32_t at);
/* Used while a state is built: a break or continue of a construct that was flattened (false when there is
 * none to leave); a `ret`; a call of a subroutine that is not inlined. */
bool ag_ir_jump_in_machine(struct ag_ir_builder *builder, uint32_t offset, bool continues);
void ag_ir_return_in_machine(struct ag_ir_builder *builder, uint32_t offset);
void ag_ir_call_in_machine(struct ag_ir_builder *builder, uint32_t offset, struct ag_ir_label *label);
/* Goes to the state of an operation, or of two with the same arguments, and replaces them by reads of their
 * results; false inside blocks. */
bool ag_ir_operate_in_machine(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                              struct ag_ir_expr *values[2]);
/* Refuses the shader, and returns false for the caller to return. */
bool ag_ir_flow_error(struct ag_ir_builder *builder, uint32_t offset, const char *problem);
void ag_ir_build_return(struct ag_ir_builder *builder, uint32_t offset);
/* Follows a loop or switch that a `ret` of an inlined subroutine may have left: leaves the next level too. */
void ag_ir_propagate_return(struct ag_ir_builder *builder, const struct agpu_instruction *insn);

/* build_switch.c: builds a switch and returns the index of the instruction behind its end. */
uint32_t ag_ir_build_switch(struct ag_ir_builder *builder, uint32_t at);
/* Reads consecutive case and default labels at `at`, and returns the index of the first instruction behind
 * them. `has_default`: whether the switch has its one default, before and afterwards. */
uint32_t ag_ir_read_labels(struct ag_ir_builder *builder, uint32_t at, struct ag_ir_case *c,
                           bool *has_default);
/* Checks what WGSL demands: distinct labels. False: the shader is refused. */
bool ag_ir_check_cases(struct ag_ir_builder *builder, const struct ag_ir_stmt *stmt);
/* Reads the current values of all outputs, for RETURN and EMIT; null when memory runs out. */
struct ag_ir_expr **ag_ir_collect_outputs(struct ag_ir_builder *builder);

/* Inlines the subroutine whose label instruction is `label_at`. */
#define AG_IR_FUNCTION_BODY(number) ((number) | 0x80000000u)
void ag_ir_inline(struct ag_ir_builder *builder, uint32_t offset, uint32_t label_at);
void ag_ir_build_call(struct ag_ir_builder *builder, const struct agpu_instruction *insn, uint32_t label);
bool ag_ir_add_empty_default(struct ag_ir_builder *builder, struct ag_ir_case **tail);

/* build_interface.c */
void ag_ir_declare_interface(struct ag_ir_builder *builder, const struct agpu_instruction *dcl);
void ag_ir_build_fcall(struct ag_ir_builder *builder, const struct agpu_instruction *insn);
/* Records an interface declaration; all are sorted when the whole program has been read. */
void ag_ir_note_interface(struct ag_ir_builder *builder, uint32_t at);
void ag_ir_sort_interfaces(struct ag_ir_builder *builder);
/* How many function tables an fcall may choose from, and the label of the body in one of them; AG_IR_NONE
 * when the table has no body for this call. */
uint32_t ag_ir_fcall_tables(const struct ag_ir_builder *builder, const struct agpu_instruction *insn);
uint32_t ag_ir_fcall_body(const struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                          uint32_t index);

/* build_choice.c: builds an instruction that is not flow control. */
void ag_ir_build_instruction(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                             const struct ag_ir_row *row);

/* build_operand.c. `mask` selects components of the destination, each of which the source's swizzle maps to a
 * lane of the result. `kind` is the operand's letter in the opcode table; floats and integers negate
 * differently. */
struct ag_ir_expr *ag_ir_source(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                                uint32_t operand, char kind, uint32_t mask);
/* The letter of an operand in the opcode table: for "Df Sf SR" the letters are f, f and R. */
static inline char ag_ir_operand_kind(const struct agpu_instruction *insn, uint32_t index)
{
    const struct agpu_opcode_info *info = &ag_opcode_infos[insn->opcode];
    return index < info->operand_count ? info->operands[index * 3 + 1] : 'b';
}
/* The write mask of a destination: 1 for a scalar register, 0 for `null`. */
static inline uint32_t ag_ir_destination_mask(const struct agpu_operand *operand)
{
    if (operand->type == AGPU_OPERAND_NULL)
        return 0;
    return operand->component_count == 4 ? operand->mask & 15u : 1u;
}
/* Writes a value, which is one lane or as wide as the destination's mask, and saturates if the instruction
 * says. */
void ag_ir_write(struct ag_ir_builder *builder, const struct agpu_instruction *insn, uint32_t operand,
                 struct ag_ir_expr *value);
/* Saves a value in a scratch register and returns a read of the register. */
struct ag_ir_expr *ag_ir_scratch(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                                 struct ag_ir_expr *value);
/* An index, immediate + relative, as one unsigned lane. */
struct ag_ir_expr *ag_ir_build_index(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                                     const struct agpu_operand_index *index);
/* A new expression whose lanes are the components that the operand's swizzle selects; then a read of a
 * register and of an array element in this way. */
struct ag_ir_expr *ag_ir_lanes_of(struct ag_ir_builder *builder, enum ag_ir_op op,
                                  const struct agpu_operand *operand, uint32_t mask, uint32_t arg_count);
struct ag_ir_expr *ag_ir_read_register(struct ag_ir_builder *builder, const struct agpu_operand *operand,
                                       uint32_t mask, uint32_t id);
struct ag_ir_expr *ag_ir_read_array(struct ag_ir_builder *builder, const struct agpu_operand *operand,
                                    uint32_t mask, uint32_t array, struct ag_ir_expr *index);
/* Assigns a value to the components `mask` of a register. */
void ag_ir_assign(struct ag_ir_builder *builder, const struct agpu_instruction *insn, uint32_t id,
                  uint32_t mask, struct ag_ir_expr *value);
enum agpu_binding_space ag_ir_space_of(enum agpu_operand_type type);
/* The index in program->resources of an operand's resource, which is marked as used; AG_IR_NONE after a
 * report. */
uint32_t ag_ir_resource_of(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                           uint32_t operand);
struct ag_ir_access *ag_ir_access_new(struct ag_ir_builder *builder, uint32_t resource);
static inline uint32_t ag_ir_lane_count(uint32_t mask)
{
    static const uint8_t counts[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    return counts[mask & 15];
}
struct ag_ir_stmt *ag_ir_emit(struct ag_ir_builder *builder, enum ag_ir_stmt_kind kind, uint32_t offset);

/* Handlers of rows. build_alu.c: */
ag_ir_build_row ag_ir_build_alu, ag_ir_build_pair, ag_ir_build_dot, ag_ir_build_swapc;
/* build_texture.c: */
ag_ir_build_row ag_ir_build_sample, ag_ir_build_lod, ag_ir_build_ld, ag_ir_build_resinfo,
    ag_ir_build_sampleinfo, ag_ir_build_samplepos;
/* build_eval.c: */
ag_ir_build_row ag_ir_build_eval, ag_ir_build_ignored;
/* build_double.c: */
ag_ir_build_row ag_ir_build_double;
/* build_feedback.c: */
ag_ir_build_row ag_ir_build_feedback, ag_ir_build_check_mapped;
/* build_geometry.c: */
ag_ir_build_row ag_ir_build_emit;
/* build_memory.c: */
ag_ir_build_row ag_ir_build_load, ag_ir_build_store, ag_ir_build_bufinfo, ag_ir_build_atomic,
    ag_ir_build_counter, ag_ir_build_sync;

#endif
