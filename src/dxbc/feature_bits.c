/* SPDX-License-Identifier: MIT
 *
 * Derives the feature bits from a program.
 */
#include "dxbc/feature_bits.h"

#include "base/bytes.h"
#include "dxbc/declaration.h"

#define BASELINE_UAV_SLOTS 8
#define BIT(number) (UINT64_C(1) << (number))

static uint64_t flag_features(const struct agpu_program *program)
{
    static const struct {
        uint32_t flag;
        enum ag_feature_bit bit;
    } pairs[] = {
        {AGPU_GLOBAL_ENABLE_DOUBLE_PRECISION,       AG_FEATURE_DOUBLES      },
        {AGPU_GLOBAL_ENABLE_MINIMUM_PRECISION,      AG_FEATURE_MIN_PRECISION},
        {AGPU_GLOBAL_ENABLE_11_1_DOUBLE_EXTENSIONS, AG_FEATURE_DOUBLE_11_1  },
        {AGPU_GLOBAL_ENABLE_11_1_SHADER_EXTENSIONS, AG_FEATURE_SHADER_11_1  },
    };
    uint64_t bits = 0;
    for (size_t i = 0; i < AG_COUNT_OF(pairs); i++)
        if (program->global_flags & pairs[i].flag)
            bits |= BIT(pairs[i].bit);
    if (program->major == 4 && (program->global_flags & AGPU_GLOBAL_ENABLE_RAW_AND_STRUCTURED_BUFFERS))
        bits |= BIT(AG_FEATURE_RAW_BUFFERS_4);
    return bits;
}

static uint64_t uav_features(const struct agpu_program *program, const struct agpu_instruction *declaration)
{
    /* In 5.1 the first index is the range's id, and the registers follow. */
    const uint32_t last = ag_program_is_5_1(program) ? 2 : 0;
    uint64_t bits = 0;
    if (program->stage != AGPU_STAGE_PIXEL && program->stage != AGPU_STAGE_COMPUTE)
        bits |= BIT(AG_FEATURE_UAV_EVERY_STAGE);
    if (declaration->operands[0].index[last].immediate >= BASELINE_UAV_SLOTS)
        bits |= BIT(AG_FEATURE_64_UAVS);
    if (declaration->controls & AG_CONTROL_RASTERIZER_ORDERED)
        bits |= BIT(AG_FEATURE_RASTERIZER_ORDERED);
    return bits;
}

static uint64_t output_features(const struct agpu_program *program,
                                const struct agpu_instruction *declaration)
{
    const uint32_t name = declaration->data[0];
    const bool index = name == AGPU_NAME_RENDER_TARGET_ARRAY_INDEX || name == AGPU_NAME_VIEWPORT_ARRAY_INDEX;
    const bool early = program->stage == AGPU_STAGE_VERTEX || program->stage == AGPU_STAGE_DOMAIN;
    return index && early ? BIT(AG_FEATURE_ARRAY_INDEX_EVERY_STAGE) : 0;
}

static uint64_t instruction_features(const struct agpu_program *program,
                                     const struct agpu_instruction *instruction)
{
    switch (instruction->opcode) {
    case AGPU_OP_DCL_UAV_TYPED:
    case AGPU_OP_DCL_UAV_RAW:
    case AGPU_OP_DCL_UAV_STRUCTURED:
        return uav_features(program, instruction);
    case AGPU_OP_DCL_OUTPUT_SIV:
        return output_features(program, instruction);
    case AGPU_OP_DCL_OUTPUT:
        return instruction->operands[0].type == AGPU_OPERAND_OUTPUT_STENCIL_REF ? BIT(AG_FEATURE_STENCIL_REF)
                                                                                : 0;
    case AGPU_OP_DCL_INPUT:
        return instruction->operands[0].type == AGPU_OPERAND_INPUT_INNER_COVERAGE
                   ? BIT(AG_FEATURE_INNER_COVERAGE)
                   : 0;
    default:
        return (agpu_opcode_info(instruction->opcode)->flags & AGPU_OPF_TILED) != 0
                   ? BIT(AG_FEATURE_TILED_RESOURCES)
                   : 0;
    }
}

uint64_t ag_program_feature_bits(const struct agpu_program *program)
{
    uint64_t bits = flag_features(program);
    for (uint32_t i = 0; i < program->instruction_count; i++)
        bits |= instruction_features(program, &program->instructions[i]);
    return bits;
}
