/* SPDX-License-Identifier: MIT
 *
 * What the validator's files share. The validator walks the instructions once, in stream order: declarations
 * fill the state, and other instructions are checked against that state. Each phase of a hull shader declares
 * its own registers and therefore begins with an empty state.
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
    uint8_t indexed[AG_VALIDATE_REGISTERS]; /* the register is inside a declared index range */
    uint32_t vertices;                      /* the first array size; 0 if there is none */
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
    /* Bit set of operand types without a register number that are declared. */
    uint64_t specials;
    uint8_t special_mask[AGPU_OPERAND_TYPE_COUNT];
    uint32_t temps, array_temps;
    struct ag_map arrays; /* number + 1 -> dcl_indexableTemp */
    bool seen_code;       /* an instruction other than a declaration was seen */

    /* Declarations of the program. */
    struct ag_map resources;                          /* ag_validate_key() to the declaration */
    struct ag_map labels, bodies, tables, interfaces; /* number + 1 to the instruction */
    uint32_t declared[AGPU_OPCODE_LIMIT];             /* how often each declaration has occurred */
    uint32_t stream, streams;                         /* the current stream; bit set of declared streams */
    uint32_t shared_bytes;                            /* of thread group shared memory */
    bool has_constant_buffer;                         /* the immediate constant buffer is declared */
    uint32_t input_points;                            /* control points of the input patch */
    /* Vertices of a geometry shader's input primitive; 0 before the declaration. */
    uint32_t vertices;

    enum ag_hull_phase phase;
    AG_VEC(struct ag_flow_level) flow;
    struct ag_map cases; /* offset of the switch and value to the case */
    /* The previous instruction other than custom data; null at the start of a phase. */
    const struct agpu_instruction *previous;
};

/* Reports an error at an instruction, or at the program as a whole when `instruction` is null. */
void ag_invalid(struct ag_validator *validator, const struct agpu_instruction *instruction,
                enum agpu_diag_code code, const char *format, ...) AG_PRINTF(4, 5);

/* The key of a t#, u#, s#, g# or cb# register, in 5.1 of its range's id. */
static inline uint64_t ag_validate_key(uint8_t type, uint64_t number)
{
    return (uint64_t)type << 56 | (number & UINT32_MAX);
}

/* The register file of an operand type, or AG_FILE_COUNT if it is in none. */
enum ag_register_file ag_validate_file(uint8_t type);

/* Whether the stage, and in a hull shader the phase, has operands of this type; reports if not. */
bool ag_validate_operand_stage(struct ag_validator *validator, const struct agpu_instruction *instruction,
                               uint8_t type);

/* Checks a declaration and adds it to the state. */
void ag_validate_declaration(struct ag_validator *validator, const struct agpu_instruction *declaration);

/* Checks, after the last instruction, what a stage must declare. */
void ag_validate_required(struct ag_validator *validator);

/* Checks the operands of an instruction other than a declaration. */
void ag_validate_operands(struct ag_validator *validator, const struct agpu_instruction *instruction);

/* Finds the declaration of a resource, sampler, UAV, constant buffer or shared memory operand. Null after a
 * report when there is none; null without a report when the register is known only at run time. */
const struct agpu_instruction *ag_validate_declared(struct ag_validator *validator,
                                                    const struct agpu_instruction *instruction,
                                                    const struct agpu_operand *operand);

/* ag_validate_resources() checks the resources and samplers of an instruction; ag_validate_features() checks
 * the global flags that an instruction needs. */
void ag_validate_resources(struct ag_validator *validator, const struct agpu_instruction *instruction);
void ag_validate_features(struct ag_validator *validator, const struct agpu_instruction *instruction);

/* Checks nesting, jumps, labels and phases. Called for every instruction, before all other checks. */
void ag_validate_flow(struct ag_validator *validator, const struct agpu_instruction *instruction);
void ag_validate_flow_end(struct ag_validator *validator, const struct agpu_instruction *last);

/* Checks a declared input or output against its signature. */
void ag_validate_signature_use(struct ag_validator *validator, const struct agpu_instruction *declaration);

/* Checks the signatures by themselves. */
void ag_validate_signatures(struct ag_validator *validator);

#endif
