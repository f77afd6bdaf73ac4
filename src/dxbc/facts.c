/* SPDX-License-Identifier: MIT
 *
 * Counts what a program declares and consists of (agpu_shader_facts()).
 */
#include <stddef.h>
#include <string.h>

#include "base/bytes.h"
#include "dxbc/feature_bits.h"
#include "dxbc/names.h"

static const char *const class_names[AGPU_INSTRUCTION_COUNT] = {
    [AGPU_INSTRUCTION_FLOAT] = "float",     [AGPU_INSTRUCTION_INT] = "int",
    [AGPU_INSTRUCTION_UINT] = "uint",       [AGPU_INSTRUCTION_DOUBLE] = "double",
    [AGPU_INSTRUCTION_CONVERT] = "convert", [AGPU_INSTRUCTION_MOVE] = "move",
    [AGPU_INSTRUCTION_FLOW] = "flow",       [AGPU_INSTRUCTION_SAMPLE] = "sample",
    [AGPU_INSTRUCTION_LOAD] = "load",       [AGPU_INSTRUCTION_STORE] = "store",
    [AGPU_INSTRUCTION_ATOMIC] = "atomic",   [AGPU_INSTRUCTION_BARRIER] = "barrier",
    [AGPU_INSTRUCTION_EMIT] = "emit",       [AGPU_INSTRUCTION_OTHER] = "other",
};

const char *agpu_instruction_class_name(enum agpu_instruction_class instruction_class)
{
    return class_names[instruction_class];
}

const char *agpu_feature_name(uint32_t bit)
{
    return ag_name_of(&ag_names_feature, bit);
}

/* ---- Classes ------------------------------------------------------------------------------------------ */

static bool has_kind(const struct agpu_opcode_info *info, char kind)
{
    for (uint32_t i = 0; i < info->operand_count; i++)
        if (info->operands[3 * i + 1] == kind)
            return true;
    return false;
}

/* The class of opcodes that their operands do not determine. */
static enum agpu_instruction_class class_by_number(uint16_t opcode)
{
    switch (opcode) {
    case AGPU_OP_SYNC:
        return AGPU_INSTRUCTION_BARRIER;
    case AGPU_OP_EMIT:
    case AGPU_OP_CUT:
    case AGPU_OP_EMIT_THEN_CUT:
        return AGPU_INSTRUCTION_EMIT;
    case AGPU_OP_NOP:
    case AGPU_OP_ABORT:
    case AGPU_OP_DEBUG_BREAK:
        return AGPU_INSTRUCTION_OTHER;
    case AGPU_OP_MOV:
    case AGPU_OP_MOVC:
    case AGPU_OP_SWAPC:
    case AGPU_OP_DMOV:
    case AGPU_OP_DMOVC:
        return AGPU_INSTRUCTION_MOVE;
    default:
        return opcode >= AGPU_OP_ATOMIC_AND && opcode <= AGPU_OP_IMM_ATOMIC_UMIN ? AGPU_INSTRUCTION_ATOMIC
                                                                                 : AGPU_INSTRUCTION_COUNT;
    }
}

static bool is_number(char kind)
{
    return kind == 'f' || kind == 'i' || kind == 'u' || kind == 'd';
}

static enum agpu_instruction_class class_of(uint16_t opcode)
{
    const struct agpu_opcode_info *info = agpu_opcode_info(opcode);
    const enum agpu_instruction_class known = class_by_number(opcode);
    if (known != AGPU_INSTRUCTION_COUNT)
        return known;
    if (has_kind(info, 'P'))
        return AGPU_INSTRUCTION_SAMPLE;
    if (has_kind(info, 'R'))
        return info->operands[1] == 'R' ? AGPU_INSTRUCTION_STORE : AGPU_INSTRUCTION_LOAD;
    if (has_kind(info, 'M'))
        return AGPU_INSTRUCTION_EMIT;
    if (info->destination_count == 0)
        return AGPU_INSTRUCTION_FLOW;
    const char result = info->operands[1], source = info->operands[3 * info->destination_count + 1];
    if (info->operand_count == 2 && is_number(result) && is_number(source) && result != source)
        return AGPU_INSTRUCTION_CONVERT;
    if (has_kind(info, 'd'))
        return AGPU_INSTRUCTION_DOUBLE;
    return source == 'f'   ? AGPU_INSTRUCTION_FLOAT
           : source == 'i' ? AGPU_INSTRUCTION_INT
                           : AGPU_INSTRUCTION_UINT;
}

/* ---- Declarations ------------------------------------------------------------------------------------- */

static void add_temps(struct agpu_shader_facts *facts, uint32_t count)
{
    if (count > facts->temps)
        facts->temps = count;
}

static void add_custom_data(struct agpu_shader_facts *facts, const struct agpu_instruction *instruction)
{
    if (instruction->controls == AGPU_CUSTOM_IMMEDIATE_CONSTANT_BUFFER)
        facts->constants = instruction->data_count / 4;
}

static void add_stream(struct agpu_shader_facts *facts, uint64_t stream)
{
    if (stream < 32)
        facts->streams |= 1u << stream;
}

/* Facts that are the bits `mask` of a declaration's controls, or without them its first word. */
static const struct {
    uint16_t opcode;
    uint8_t mask;
    size_t place;
} numbers[] = {
#define PLACE(fact) offsetof(struct agpu_shader_facts, fact)
    {AGPU_OP_DCL_INPUTPRIMITIVE,               0x3f, PLACE(input_primitive)      },
    {AGPU_OP_DCL_OUTPUTTOPOLOGY,               0x7f, PLACE(output_topology)      },
    {AGPU_OP_DCL_MAXOUT,                       0,    PLACE(max_vertices)         },
    {AGPU_OP_DCL_GSINSTANCES,                  0,    PLACE(gs_instances)         },
    {AGPU_OP_DCL_INPUT_CONTROL_POINT_COUNT,    0x3f, PLACE(input_control_points) },
    {AGPU_OP_DCL_OUTPUT_CONTROL_POINT_COUNT,   0x3f, PLACE(output_control_points)},
    {AGPU_OP_DCL_TESSELLATOR_DOMAIN,           0x3,  PLACE(domain)               },
    {AGPU_OP_DCL_TESSELLATOR_PARTITIONING,     0x7,  PLACE(partitioning)         },
    {AGPU_OP_DCL_TESSELLATOR_OUTPUT_PRIMITIVE, 0x7,  PLACE(output_primitive)     },
#undef PLACE
};

static void add_number(struct agpu_shader_facts *facts, const struct agpu_instruction *declaration)
{
    for (size_t i = 0; i < AG_COUNT_OF(numbers); i++) {
        if (numbers[i].opcode != declaration->opcode)
            continue;
        const uint32_t number =
            numbers[i].mask ? declaration->controls & numbers[i].mask : declaration->data[0];
        memcpy((char *)facts + numbers[i].place, &number, sizeof number);
    }
}

static void add_declaration(struct agpu_shader_facts *facts, const struct agpu_instruction *declaration)
{
    const uint32_t *data = declaration->data;
    switch (declaration->opcode) {
    case AGPU_OP_CUSTOMDATA:
        add_custom_data(facts, declaration);
        break;
    case AGPU_OP_DCL_TEMPS:
        add_temps(facts, data[0]);
        break;
    case AGPU_OP_DCL_INDEXABLETEMP:
        facts->array_temps += data[1];
        break;
    case AGPU_OP_DCL_THREAD_GROUP:
        memcpy(facts->thread_group, data, sizeof facts->thread_group);
        break;
    case AGPU_OP_DCL_TGSM_RAW:
        facts->shared_bytes += data[0];
        break;
    case AGPU_OP_DCL_TGSM_STRUCTURED:
        facts->shared_bytes += (uint64_t)data[0] * data[1];
        break;
    case AGPU_OP_DCL_STREAM:
        add_stream(facts, declaration->operands[0].index[0].immediate);
        break;
    case AGPU_OP_DCL_HS_MAX_TESSFACTOR:
        facts->max_tess_factor = ag_float_from_bits(data[0]);
        break;
    case AGPU_OP_HS_CONTROL_POINT_PHASE:
        facts->control_point_phases++;
        break;
    case AGPU_OP_HS_FORK_PHASE:
        facts->fork_phases++;
        break;
    case AGPU_OP_HS_JOIN_PHASE:
        facts->join_phases++;
        break;
    default: /* a number, or counted as an instruction without a fact of its own */
        add_number(facts, declaration);
        break;
    }
}

void agpu_shader_facts(const struct agpu_shader *shader, struct agpu_shader_facts *facts)
{
    const struct agpu_program *program = &shader->program;
    *facts = (struct agpu_shader_facts){0};
    facts->feature_bits = ag_program_feature_bits(program) | shader->feature_bits;
    facts->gs_instances = program->stage == AGPU_STAGE_GEOMETRY ? 1 : 0;
    for (uint32_t i = 0; i < program->instruction_count; i++) {
        const struct agpu_instruction *instruction = &program->instructions[i];
        if (agpu_opcode_info(instruction->opcode)->flags & AGPU_OPF_DECLARATION) {
            facts->declarations++;
            add_declaration(facts, instruction);
        } else if (instruction->opcode != AGPU_OP_LABEL) {
            facts->instructions++;
            facts->classes[class_of(instruction->opcode)]++;
        }
    }
}
