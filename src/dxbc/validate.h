/* SPDX-License-Identifier: MIT
 *
 * The validator's parts. It walks the instructions once, in stream order: declarations fill the state, other
 * instructions are checked against it. Hull shader phases declare their own registers, so a phase begins with
 * an empty state.
 */
#ifndef AG_DXBC_VALIDATE_H
#define AG_DXBC_VALIDATE_H

#include "aerogpu/dxbc.h"
#include "base/diag.h"
#include "base/map.h"
#include "base/vec.h"

#define AG_VALIDATE_REGISTERS 32
#define AG_VALIDATE_STREAMS 4

/* Register files whose registers are declared one by one, with masks. */
enum ag_register_file {
    AG_FILE_INPUT,         /* v */
    AG_FILE_OUTPUT,        /* o */
    AG_FILE_CONTROL_POINT, /* vicp */
    AG_FILE_OUTPUT_POINT,  /* vocp */
    AG_FILE_PATCH,         /* vpc */
    AG_FILE_COUNT
};

struct ag_register_state {
    uint8_t mask[AG_VALIDATE_REGISTERS];    /* declared components */
    uint8_t indexed[AG_VALIDATE_REGISTERS]; /* inside a declared index range */
    uint32_t vertices;                      /* the first array size, 0 without */
};

enum ag_hull_phase {
    AG_PHASE_NONE, /* not a hull shader, or before hs_decls */
    AG_PHASE_DECLS,
    AG_PHASE_CONTROL_POINT,
    AG_PHASE_FORK,
    AG_PHASE_JOIN,
};

enum ag_flow_kind {
    AG_FLOW_IF,
    AG_FLOW_ELSE,
    AG_FLOW_LOOP,
    AG_FLOW_SWITCH,
};

struct ag_flow_level {
    enum ag_flow_kind kind;
    const struct agpu_instruction *opener;
    bool has_case, has_default;
};

struct ag_validator {
    const struct agpu_shader *shader;
    const struct agpu_program *program;
    const struct agpu_diag_sink *sink;
    uint64_t base; /* byte offset of the version token in the input */
    uint32_t errors;
    bool out_of_memory;

    /* Declarations of the phase. */
    struct ag_register_state files[AG_FILE_COUNT];
    uint8_t stream_mask[AG_VALIDATE_STREAMS][AG_VALIDATE_REGISTERS]; /* outputs by stream */
    uint64_t specials;                                               /* operand types without registers */
    uint8_t special_mask[AGPU_OPERAND_TYPE_COUNT];
    uint32_t temps, array_temps;
    struct ag_map arrays; /* number + 1 -> dcl_indexableTemp */
    bool seen_code;       /* an instruction that is no declaration */

    /* Declarations of the program. */
    struct ag_map resources;                          /* ag_validate_key() -> declaration */
    struct ag_map labels, bodies, tables, interfaces; /* number + 1 -> instruction */
    uint32_t declared[AGPU_OPCODE_LIMIT];             /* how often each declaration stands there */
    uint32_t stream, streams;                         /* the current one; bits of those declared */
    uint32_t shared_bytes;                            /* of thread group shared memory */
    bool has_constant_buffer;                         /* the immediate one */
    uint32_t input_points;                            /* control points of the input */
    uint32_t vertices; /* of the geometry shader's input primitive, 0 before its declaration */

    enum ag_hull_phase phase;
    AG_VEC(struct ag_flow_level) flow;
    struct ag_map cases;                     /* offset of the switch, value -> case */
    const struct agpu_instruction *previous; /* but custom data; null at the start of a phase */
};

/* Reports an error at an instruction, or without a place inside the program when that is null. */
void ag_invalid(struct ag_validator *validator, const struct agpu_instruction *instruction,
                enum agpu_diag_code code, const char *format, ...) AG_PRINTF(4, 5);

/* The key of a t, u, s, g or cb register, or of its id in 5.1. */
static inline uint64_t ag_validate_key(uint8_t type, uint64_t number)
{
    return (uint64_t)type << 56 | (number & UINT32_MAX);
}

/* The register file of an operand type, or AG_FILE_COUNT. */
enum ag_register_file ag_validate_file(uint8_t type);

/* True when the stage (in a hull shader the phase) has operands of this type; else reports. */
bool ag_validate_operand_stage(struct ag_validator *validator, const struct agpu_instruction *instruction,
                               uint8_t type);

/* Declarations: checks one and adds it to the state. */
void ag_validate_declaration(struct ag_validator *validator, const struct agpu_instruction *declaration);

/* After the last instruction: what a stage must declare. */
void ag_validate_required(struct ag_validator *validator);

/* Operands of an instruction that is no declaration. */
void ag_validate_operands(struct ag_validator *validator, const struct agpu_instruction *instruction);

/* The declaration of a resource, sampler, UAV, constant buffer or shared memory operand; null, after a
 * report, when there is none. Null without a report when the register is only known at run time. */
const struct agpu_instruction *ag_validate_declared(struct ag_validator *validator,
                                                    const struct agpu_instruction *instruction,
                                                    const struct agpu_operand *operand);

/* What instructions ask of their resources and samplers, and of the program's flags. */
void ag_validate_resources(struct ag_validator *validator, const struct agpu_instruction *instruction);
void ag_validate_features(struct ag_validator *validator, const struct agpu_instruction *instruction);

/* Nesting, jumps, labels, phases. Called for every instruction, before its other checks. */
void ag_validate_flow(struct ag_validator *validator, const struct agpu_instruction *instruction);
void ag_validate_flow_end(struct ag_validator *validator, const struct agpu_instruction *last);

/* A declared input or output against its signature. */
void ag_validate_signature_use(struct ag_validator *validator, const struct agpu_instruction *declaration);

/* The signatures themselves. */
void ag_validate_signatures(struct ag_validator *validator);

#endif
