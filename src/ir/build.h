/* SPDX-License-Identifier: MIT
 *
 * From decoded instructions to IR over registers: what the build_*.c files share.
 */
#ifndef AG_IR_BUILD_H
#define AG_IR_BUILD_H

#include "ir/ir.h"
#include "wgsl/options.h"

#define AG_IR_MAX_TEMPS 4096
#define AG_IR_MAX_ARRAYS 4096
#define AG_IR_MAX_STREAMS 4
#define AG_IR_MAX_DEPTH 64 /* D3D11.3 22.7.1; emitters may take less */

/* Outputs that are not in the o# file. */
enum ag_ir_special_output { AG_IR_SPECIAL_DEPTH, AG_IR_SPECIAL_COVERAGE, AG_IR_SPECIAL_OUTPUT_COUNT };

enum ag_ir_emission { AG_IR_EMITS = 1, AG_IR_CUTS = 2 };

enum ag_ir_evaluation { AG_IR_EVAL_CENTROID, AG_IR_EVAL_SAMPLE_INDEX, AG_IR_EVAL_SNAPPED };

/* A subroutine. */
struct ag_ir_label {
    uint32_t number, at; /* its label: a number or AG_IR_FUNCTION_BODY(number), and where it stands */
    /* The plan (build_plan.c). */
    uint8_t round;
    bool is_open;
    bool out_of_line, syncs;
    uint32_t calls; /* in the text */
    uint32_t height, calls_deep;
    uint64_t size;
    /* Of what is not inlined, in the present machine: its first state, the register of the state behind the
     * call. */
    const struct ag_ir_machine *machine;
    uint32_t state, return_state;
};

/* What is inside an if, loop or switch. */
struct ag_ir_extent {
    uint16_t height;   /* as Dawn's parser counts nesting, with what is inlined */
    bool calls, syncs; /* subroutines that are not inlined; barriers */
};

/* A declaration that calls of interfaces look for. */
struct ag_ir_interface {
    uint64_t key; /* opcode << 32 | number */
    uint32_t at;
    uint32_t fcall; /* the last one that has a case for it */
};

struct ag_ir_builder {
    const struct agpu_shader *shader;
    const struct agpu_program *source;
    const struct ag_translate_options *options;
    struct ag_ir_program *program;
    struct ag_ir_block *block; /* where statements go */
    bool dead;                 /* the rest of the block cannot be reached */

    uint32_t temp_base, temp_count;
    uint32_t input_register[AGPU_MAX_REGISTERS];
    uint32_t output_register[AGPU_MAX_REGISTERS];
    uint32_t special_input[AGPU_OPERAND_TYPE_COUNT]; /* registers of inputs outside the v# file */
    uint32_t special_output[AG_IR_SPECIAL_OUTPUT_COUNT];
    uint32_t *indexable;     /* x# to program->arrays; null before the first */
    uint32_t next_indexable; /* hull shaders: the number of the next array */
    uint32_t input_array[AGPU_MAX_REGISTERS], output_array[AGPU_MAX_REGISTERS];

    /* Flow: for if, else, loop, switch, case, default the instruction that ends their part. */
    uint32_t *partner;
    uint32_t depth;
    uint32_t loop_depth;   /* loops around the instruction within the current subroutine */
    uint32_t switch_depth; /* switches around it within the innermost loop */
    uint32_t call_break;   /* loop_depth + switch_depth at which `ret` may leave the inlined subroutine */
    uint32_t returned;     /* register: `ret` was inside a loop or switch of the inlined subroutine */
    bool returns_deep;     /* ... and what is being built must pass it on */
    AG_VEC(struct ag_ir_label) labels;         /* by number */
    AG_VEC(struct ag_ir_interface) interfaces; /* by key */
    uint32_t fcalls;                           /* built so far */
    struct ag_ir_extent *extents;              /* by instruction, of if, loop and switch */
    uint32_t room, machine_room, label_room;   /* height of what keeps its shape: see build_plan.c */
    struct ag_ir_machine *machine;             /* whose states are built; null in what is inlined */
    bool syncs;                                /* the program has barriers */

    uint32_t stream;         /* of the output declarations that follow */
    uint32_t constant_array; /* of program->arrays: patch constants, when some index reaches them */
};

struct ag_ir_row;
typedef void ag_ir_build_row(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                             const struct ag_ir_row *row);

/* How one opcode becomes IR. Exactly one of `build` and `flow` is set; a row with neither is an opcode that
 * is not translated. */
struct ag_ir_row {
    ag_ir_build_row *build;
    uint8_t op, op2; /* enum ag_ir_op, for the handlers that want one or two */
    uint8_t detail;  /* what the handler says it is */
    bool is_flow;
};

extern const struct ag_ir_row ag_ir_rows[AGPU_OPCODE_LIMIT];

/* build_declare.c: the declarations in [first, end). */
void ag_ir_declare(struct ag_ir_builder *builder, uint32_t first, uint32_t end);
uint32_t ag_ir_add_array(struct ag_ir_builder *builder, enum ag_ir_register_kind kind, uint32_t number,
                         uint32_t length);
/* Of program->arrays, or AG_IR_NONE. */
uint32_t ag_ir_indexable_array(const struct ag_ir_builder *builder, uint64_t number);
void ag_ir_add_register_output(struct ag_ir_builder *builder, uint32_t number, uint32_t mask,
                               uint32_t offset);

/* build.c: registers behind the arrays of index ranges, once they are declared. */
void ag_ir_find_range_registers(struct ag_ir_builder *builder);

/* build_record.c */
void ag_ir_measure_records(struct ag_ir_builder *builder);
struct ag_ir_expr *ag_ir_read_record(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                                     const struct agpu_operand *operand, uint32_t mask);
bool ag_ir_is_record_operand(const struct agpu_operand *operand);

/* build_hull.c: the phases that the flavour asks for. */
void ag_ir_build_hull(struct ag_ir_builder *builder);
bool ag_ir_is_phase(uint16_t opcode);

/* build_resource.c. False when the declaration is of something else. */
bool ag_ir_declare_resource(struct ag_ir_builder *builder, const struct agpu_instruction *dcl);
void ag_ir_refuse_declaration(struct ag_ir_builder *builder, const struct agpu_instruction *dcl,
                              enum agpu_diag_code code, const char *problem);
/* A dword behind the operand of a declaration, 0 beyond the last. */
uint32_t ag_ir_data_at(const struct agpu_instruction *dcl, uint32_t index);

/* A value that the pipeline gives by itself, declared if the shader did not. One lane. */
struct ag_ir_expr *ag_ir_read_builtin(struct ag_ir_builder *builder, enum ag_ir_input_kind kind);

/* build_flow.c: everything from instruction `at` to the end of its block; gives the end. */
uint32_t ag_ir_build_flow(struct ag_ir_builder *builder, uint32_t at);
/* The same for a whole program or phase, as build_plan.c says. */
void ag_ir_build_segment(struct ag_ir_builder *builder, uint32_t at);
/* One instruction, or one construct; gives the instruction behind it. */
uint32_t ag_ir_build_step(struct ag_ir_builder *builder, uint32_t at);
bool ag_ir_ends_block(const struct ag_ir_builder *builder, uint32_t at);
struct ag_ir_expr *ag_ir_condition(struct ag_ir_builder *builder, const struct agpu_instruction *insn);
/* Leaves the inlined subroutine, or the state, that is being built. */
void ag_ir_leave_level(struct ag_ir_builder *builder, uint32_t offset);
bool ag_ir_pair_flow(struct ag_ir_builder *builder);

/* build_plan.c: decides, once flow is paired. False when the shader is refused. */
bool ag_ir_plan_flow(struct ag_ir_builder *builder);
/* By number; null when there is none. */
struct ag_ir_label *ag_ir_find_label(const struct ag_ir_builder *builder, uint32_t number);
/* Whether a construct becomes states where what is not higher than `room` keeps its shape; whether the
 * instruction calls what is not inlined; whether either is so in the program or phase that starts at `at`. */
bool ag_ir_is_flattened(const struct ag_ir_builder *builder, uint32_t at, uint32_t room);
bool ag_ir_calls_out_of_line(const struct ag_ir_builder *builder, const struct agpu_instruction *insn);
bool ag_ir_needs_machine(const struct ag_ir_builder *builder, uint32_t at);

/* build_machine.c: a whole program or phase. */
void ag_ir_build_machine(struct ag_ir_builder *builder, uint32_t at);
/* Inside of it: a break or continue of a construct that became states, false when there is none; a `ret`; a
 * call. */
bool ag_ir_jump_in_machine(struct ag_ir_builder *builder, uint32_t offset, bool continues);
void ag_ir_return_in_machine(struct ag_ir_builder *builder, uint32_t offset);
void ag_ir_call_in_machine(struct ag_ir_builder *builder, uint32_t offset, struct ag_ir_label *label);
/* Refuses the shader; false, for whoever returns it. */
bool ag_ir_flow_error(struct ag_ir_builder *builder, uint32_t offset, const char *problem);
void ag_ir_build_return(struct ag_ir_builder *builder, uint32_t offset);
/* After a loop or switch that a `ret` of an inlined subroutine may have left: go on leaving. */
void ag_ir_pass_return_on(struct ag_ir_builder *builder, const struct agpu_instruction *insn);

/* build_switch.c: gives the instruction behind the end. */
uint32_t ag_ir_build_switch(struct ag_ir_builder *builder, uint32_t at);
/* Reads the run of case and default instructions at `at`; gives the first instruction of the body. */
uint32_t ag_ir_read_labels(struct ag_ir_builder *builder, uint32_t at, struct ag_ir_case *c);
/* WGSL wants every label once and at most one default. False when the shader is refused. */
bool ag_ir_check_cases(struct ag_ir_builder *builder, const struct ag_ir_stmt *stmt);
/* The present values of the outputs, as RETURN and EMIT have them; null without memory. */
struct ag_ir_expr **ag_ir_collect_outputs(struct ag_ir_builder *builder);

/* Inlines a subroutine; its label is a number, or AG_IR_FUNCTION_BODY(number). */
#define AG_IR_FUNCTION_BODY(number) ((number) | 0x80000000u)
void ag_ir_inline(struct ag_ir_builder *builder, uint32_t offset, uint32_t label_at);
void ag_ir_build_call(struct ag_ir_builder *builder, const struct agpu_instruction *insn, uint32_t label);
bool ag_ir_add_empty_default(struct ag_ir_builder *builder, struct ag_ir_case **tail);

/* build_interface.c */
void ag_ir_declare_interface(struct ag_ir_builder *builder, const struct agpu_instruction *dcl);
void ag_ir_build_fcall(struct ag_ir_builder *builder, const struct agpu_instruction *insn);
/* Notes a declaration; sorts them once all are noted. */
void ag_ir_note_interface(struct ag_ir_builder *builder, uint32_t at);
void ag_ir_sort_interfaces(struct ag_ir_builder *builder);
/* How many function tables an fcall may choose, and the label of each one's body; AG_IR_NONE for a body
 * that the table lacks. */
uint32_t ag_ir_fcall_tables(const struct ag_ir_builder *builder, const struct agpu_instruction *insn);
uint32_t ag_ir_fcall_body(const struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                          uint32_t index);

/* build_choice.c: an instruction that is no flow control, by its row. */
void ag_ir_build_instruction(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                             const struct ag_ir_row *row);

/* build_operand.c. `mask` says which components of the destination are wanted: the source's swizzle maps each
 * to a lane. `kind` is the operand's letter in the opcode table; it decides what a minus means. */
struct ag_ir_expr *ag_ir_source(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                                uint32_t operand, char kind, uint32_t mask);
/* The letter of operand `index` in the opcode table: "Df Sf SR" has f, f, R. */
char ag_ir_operand_kind(const struct agpu_instruction *insn, uint32_t index);
/* The mask of a destination; 1 for those without components, 0 for null. */
uint32_t ag_ir_destination_mask(const struct agpu_operand *operand);
/* Writes a value as wide as the destination's mask (or one lane for all), saturated if the instruction says.
 */
void ag_ir_write(struct ag_ir_builder *builder, const struct agpu_instruction *insn, uint32_t operand,
                 struct ag_ir_expr *value);
/* Keeps a value in a register of our own, and reads it back. */
struct ag_ir_expr *ag_ir_scratch(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                                 struct ag_ir_expr *value);
/* immediate + relative, as one unsigned lane. */
struct ag_ir_expr *ag_ir_build_index(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                                     const struct agpu_operand_index *index);
/* An operation over the lanes that a source's swizzle selects; and that for a register, and for an element.
 */
struct ag_ir_expr *ag_ir_lanes_of(struct ag_ir_builder *builder, enum ag_ir_op op,
                                  const struct agpu_operand *operand, uint32_t mask, uint32_t arg_count);
struct ag_ir_expr *ag_ir_read_register(struct ag_ir_builder *builder, const struct agpu_operand *operand,
                                       uint32_t mask, uint32_t id);
struct ag_ir_expr *ag_ir_read_array(struct ag_ir_builder *builder, const struct agpu_operand *operand,
                                    uint32_t mask, uint32_t array, struct ag_ir_expr *index);
/* Assigns to lanes of a register. */
void ag_ir_assign(struct ag_ir_builder *builder, const struct agpu_instruction *insn, uint32_t id,
                  uint32_t mask, struct ag_ir_expr *value);
enum agpu_binding_space ag_ir_space_of(enum agpu_operand_type type);
/* The resource an operand names, marked as used, or AG_IR_NONE after a report. */
uint32_t ag_ir_resource_of(struct ag_ir_builder *builder, const struct agpu_instruction *insn,
                           uint32_t operand);
struct ag_ir_access *ag_ir_access_new(struct ag_ir_builder *builder, uint32_t resource);
uint32_t ag_ir_lane_count(uint32_t mask);
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
