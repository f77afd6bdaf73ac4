/* SPDX-License-Identifier: MIT
 *
 * The validator's parts. It walks the instructions once, in stream order: declarations fill the state, other
 * instructions are checked against it. Hull shader phases declare their own registers, so a phase begins with
 * an empty state.
 */
#ifndef AGPU_DXBC_VALIDATE_H
#define AGPU_DXBC_VALIDATE_H

#include "aerogpu/dxbc.h"
#include "base/diag.h"
#include "base/map.h"
#include "base/vec.h"

#define AGPU_VALIDATE_REGISTERS 32
#define AGPU_VALIDATE_STREAMS 4

/* Register files whose registers are declared one by one, with masks. */
enum agpu_register_file {
    AGPU_FILE_INPUT,         /* v */
    AGPU_FILE_OUTPUT,        /* o */
    AGPU_FILE_CONTROL_POINT, /* vicp */
    AGPU_FILE_OUTPUT_POINT,  /* vocp */
    AGPU_FILE_PATCH,         /* vpc */
    AGPU_FILE_COUNT
};

struct agpu_register_state {
    uint8_t mask[AGPU_VALIDATE_REGISTERS];    /* declared components */
    uint8_t indexed[AGPU_VALIDATE_REGISTERS]; /* inside a declared index range */
    uint32_t vertices;                        /* the first array size, 0 without */
};

enum agpu_hull_phase {
    AGPU_PHASE_NONE, /* not a hull shader, or before hs_decls */
    AGPU_PHASE_DECLS,
    AGPU_PHASE_CONTROL_POINT,
    AGPU_PHASE_FORK,
    AGPU_PHASE_JOIN,
};

enum agpu_flow_kind {
    AGPU_FLOW_IF,
    AGPU_FLOW_ELSE,
    AGPU_FLOW_LOOP,
    AGPU_FLOW_SWITCH,
};

struct agpu_flow_level {
    enum agpu_flow_kind kind;
    const struct agpu_instruction *opener;
    bool has_case, has_default;
};

struct agpu_validator {
    const struct agpu_shader *shader;
    const struct agpu_program *program;
    const struct agpu_diag_sink *sink;
    uint64_t base; /* byte offset of the version token in the input */
    uint32_t errors;
    bool out_of_memory;

    /* Declarations of the phase. */
    struct agpu_register_state files[AGPU_FILE_COUNT];
    uint8_t stream_mask[AGPU_VALIDATE_STREAMS][AGPU_VALIDATE_REGISTERS]; /* outputs by stream */
    uint64_t specials;                                                   /* operand types without registers */
    uint8_t special_mask[AGPU_OPERAND_TYPE_COUNT];
    uint32_t temps, array_temps;
    struct agpu_map arrays; /* number + 1 -> dcl_indexableTemp */
    bool seen_code;         /* an instruction that is no declaration */

    /* Declarations of the program. */
    struct agpu_map resources;                          /* agpu_validate_key() -> declaration */
    struct agpu_map labels, bodies, tables, interfaces; /* number + 1 -> instruction */
    uint32_t declared[AGPU_OPCODE_LIMIT];               /* how often each declaration stands there */
    uint32_t stream, streams;                           /* the current one; bits of those declared */
    uint32_t shared_bytes;                              /* of thread group shared memory */
    bool has_constant_buffer;                           /* the immediate one */
    uint32_t input_points;                              /* control points of the input */
    uint32_t vertices; /* of the geometry shader's input primitive, 0 before its declaration */

    enum agpu_hull_phase phase;
    AGPU_VEC(struct agpu_flow_level) flow;
    struct agpu_map cases;                   /* offset of the switch, value -> case */
    const struct agpu_instruction *previous; /* but custom data; null at the start of a phase */
};

/* Reports an error at an instruction, or without a place inside the program when that is null. */
void agpu_invalid(struct agpu_validator *validator, const struct agpu_instruction *instruction,
                  enum agpu_diag_code code, const char *format, ...) AGPU_PRINTF(4, 5);

/* The key of a t, u, s, g or cb register, or of its id in 5.1. */
static inline uint64_t agpu_validate_key(uint8_t type, uint64_t number)
{
    return (uint64_t)type << 56 | (number & UINT32_MAX);
}

/* The register file of an operand type, or AGPU_FILE_COUNT. */
enum agpu_register_file agpu_validate_file(uint8_t type);

/* True when the stage (in a hull shader the phase) has operands of this type; else reports. */
bool agpu_validate_operand_stage(struct agpu_validator *validator, const struct agpu_instruction *instruction,
                                 uint8_t type);

/* Declarations: checks one and adds it to the state. */
void agpu_validate_declaration(struct agpu_validator *validator, const struct agpu_instruction *declaration);

/* After the last instruction: what a stage must declare. */
void agpu_validate_required(struct agpu_validator *validator);

/* Operands of an instruction that is no declaration. */
void agpu_validate_operands(struct agpu_validator *validator, const struct agpu_instruction *instruction);

/* The declaration of a resource, sampler, UAV, constant buffer or shared memory operand; null, after a
 * report, when there is none. Null without a report when the register is only known at run time. */
const struct agpu_instruction *agpu_validate_declared(struct agpu_validator *validator,
                                                      const struct agpu_instruction *instruction,
                                                      const struct agpu_operand *operand);

/* What instructions ask of their resources and samplers, and of the program's flags. */
void agpu_validate_resources(struct agpu_validator *validator, const struct agpu_instruction *instruction);
void agpu_validate_features(struct agpu_validator *validator, const struct agpu_instruction *instruction);

/* Nesting, jumps, labels, phases. Called for every instruction, before its other checks. */
void agpu_validate_flow(struct agpu_validator *validator, const struct agpu_instruction *instruction);
void agpu_validate_flow_end(struct agpu_validator *validator, const struct agpu_instruction *last);

/* A declared input or output against its signature. */
void agpu_validate_signature_use(struct agpu_validator *validator,
                                 const struct agpu_instruction *declaration);

/* The signatures themselves. */
void agpu_validate_signatures(struct agpu_validator *validator);

#endif
