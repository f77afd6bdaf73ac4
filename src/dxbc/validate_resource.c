/* SPDX-License-Identifier: MIT
 *
 * Checks the resources and samplers that instructions use.
 */
#include <inttypes.h>

#include "base/bytes.h"
#include "dxbc/declaration.h"
#include "dxbc/feature_bits.h"
#include "dxbc/operand_info.h"
#include "dxbc/validate.h"

/* Kinds of resources as a bit set: the dimensions of typed resources, and other kinds. */
#define KIND(name) (1u << AGPU_DIMENSION_##name)
#define KIND_SHARED_RAW (1u << 16)
#define KIND_SHARED_STRUCTURED (1u << 17)
#define KIND_RASTERIZER (1u << 18)
#define KINDS_FILTERED                                                                                       \
    (KIND(TEXTURE1D) | KIND(TEXTURE2D) | KIND(TEXTURE3D) | KIND(TEXTURECUBE) | KIND(TEXTURE1DARRAY) |        \
     KIND(TEXTURE2DARRAY) | KIND(TEXTURECUBEARRAY))
#define KINDS_MULTISAMPLED (KIND(TEXTURE2DMS) | KIND(TEXTURE2DMSARRAY))
#define KINDS_GATHERED (KIND(TEXTURE2D) | KIND(TEXTURE2DARRAY) | KIND(TEXTURECUBE) | KIND(TEXTURECUBEARRAY))
#define KINDS_UAV                                                                                            \
    (KIND(BUFFER) | KIND(TEXTURE1D) | KIND(TEXTURE2D) | KIND(TEXTURE3D) | KIND(TEXTURE1DARRAY) |             \
     KIND(TEXTURE2DARRAY))
#define KINDS_RAW (KIND(RAW_BUFFER) | KIND_SHARED_RAW)
#define KINDS_STRUCTURED (KIND(STRUCTURED_BUFFER) | KIND_SHARED_STRUCTURED)
#define KINDS_COMPARED (KINDS_FILTERED & ~KIND(TEXTURE3D))
#define KINDS_FLAT (KIND(TEXTURE2D) | KIND(TEXTURE2DARRAY))
#define KINDS_TEXTURE (KINDS_FILTERED | KINDS_MULTISAMPLED)
#define KINDS_LOADED ((KINDS_FILTERED | KIND(BUFFER)) & ~(KIND(TEXTURECUBE) | KIND(TEXTURECUBEARRAY)))
#define KINDS_BUFFER (KIND(BUFFER) | KIND(RAW_BUFFER) | KIND(STRUCTURED_BUFFER))
#define KINDS_SAMPLES (KINDS_MULTISAMPLED | KIND_RASTERIZER)
#define KINDS_ATOMIC (KINDS_UAV | KINDS_RAW | KINDS_STRUCTURED)

enum sampler_rule {
    SAMPLER_NONE,
    SAMPLER_PLAIN,
    SAMPLER_COMPARISON,
};

struct rule {
    uint32_t kinds;  /* 0: the instruction uses no resource */
    uint8_t sampler; /* enum sampler_rule */
    bool unordered;  /* only u# and g# registers are allowed */
};

/* clang-format off */
static const struct rule rules[AGPU_OPCODE_LIMIT] = {
    [AGPU_OP_SAMPLE] = {KINDS_FILTERED, SAMPLER_PLAIN, false},
    [AGPU_OP_SAMPLE_L] = {KINDS_FILTERED, SAMPLER_PLAIN, false},
    [AGPU_OP_SAMPLE_D] = {KINDS_FILTERED, SAMPLER_PLAIN, false},
    [AGPU_OP_SAMPLE_B] = {KINDS_FILTERED, SAMPLER_PLAIN, false},
    [AGPU_OP_SAMPLE_L_S] = {KINDS_FILTERED, SAMPLER_PLAIN, false},
    [AGPU_OP_SAMPLE_CL_S] = {KINDS_FILTERED, SAMPLER_PLAIN, false},
    [AGPU_OP_SAMPLE_B_CL_S] = {KINDS_FILTERED, SAMPLER_PLAIN, false},
    [AGPU_OP_SAMPLE_D_CL_S] = {KINDS_FILTERED, SAMPLER_PLAIN, false},
    [AGPU_OP_SAMPLE_C] = {KINDS_COMPARED, SAMPLER_COMPARISON, false},
    [AGPU_OP_SAMPLE_C_LZ] = {KINDS_COMPARED, SAMPLER_COMPARISON, false},
    [AGPU_OP_SAMPLE_C_LZ_S] = {KINDS_COMPARED, SAMPLER_COMPARISON, false},
    [AGPU_OP_SAMPLE_C_CL_S] = {KINDS_COMPARED, SAMPLER_COMPARISON, false},
    [AGPU_OP_LOD] = {KINDS_FILTERED, SAMPLER_PLAIN, false},
    [AGPU_OP_GATHER4] = {KINDS_GATHERED, SAMPLER_PLAIN, false},
    [AGPU_OP_GATHER4_PO] = {KINDS_FLAT, SAMPLER_PLAIN, false},
    [AGPU_OP_GATHER4_S] = {KINDS_GATHERED, SAMPLER_PLAIN, false},
    [AGPU_OP_GATHER4_PO_S] = {KINDS_FLAT, SAMPLER_PLAIN, false},
    [AGPU_OP_GATHER4_C] = {KINDS_GATHERED, SAMPLER_COMPARISON, false},
    [AGPU_OP_GATHER4_PO_C] = {KINDS_FLAT, SAMPLER_COMPARISON, false},
    [AGPU_OP_GATHER4_C_S] = {KINDS_GATHERED, SAMPLER_COMPARISON, false},
    [AGPU_OP_GATHER4_PO_C_S] = {KINDS_FLAT, SAMPLER_COMPARISON, false},
    [AGPU_OP_LD] = {KINDS_LOADED, SAMPLER_NONE, false},
    [AGPU_OP_LD_S] = {KINDS_LOADED, SAMPLER_NONE, false},
    [AGPU_OP_LDMS] = {KINDS_MULTISAMPLED, SAMPLER_NONE, false},
    [AGPU_OP_LDMS_S] = {KINDS_MULTISAMPLED, SAMPLER_NONE, false},
    [AGPU_OP_RESINFO] = {KINDS_TEXTURE, SAMPLER_NONE, false},
    [AGPU_OP_BUFINFO] = {KINDS_BUFFER, SAMPLER_NONE, false},
    [AGPU_OP_SAMPLEPOS] = {KINDS_SAMPLES, SAMPLER_NONE, false},
    [AGPU_OP_SAMPLEINFO] = {KINDS_SAMPLES, SAMPLER_NONE, false},
    [AGPU_OP_LD_UAV_TYPED] = {KINDS_UAV, SAMPLER_NONE, true},
    [AGPU_OP_LD_UAV_TYPED_S] = {KINDS_UAV, SAMPLER_NONE, true},
    [AGPU_OP_STORE_UAV_TYPED] = {KINDS_UAV, SAMPLER_NONE, true},
    [AGPU_OP_LD_RAW] = {KINDS_RAW, SAMPLER_NONE, false},
    [AGPU_OP_LD_RAW_S] = {KINDS_RAW, SAMPLER_NONE, false},
    [AGPU_OP_STORE_RAW] = {KINDS_RAW, SAMPLER_NONE, true},
    [AGPU_OP_LD_STRUCTURED] = {KINDS_STRUCTURED, SAMPLER_NONE, false},
    [AGPU_OP_LD_STRUCTURED_S] = {KINDS_STRUCTURED, SAMPLER_NONE, false},
    [AGPU_OP_STORE_STRUCTURED] = {KINDS_STRUCTURED, SAMPLER_NONE, true},
    [AGPU_OP_IMM_ATOMIC_ALLOC] = {KIND(STRUCTURED_BUFFER), SAMPLER_NONE, true},
    [AGPU_OP_IMM_ATOMIC_CONSUME] = {KIND(STRUCTURED_BUFFER), SAMPLER_NONE, true},
};
/* clang-format on */

static struct rule rule_of(uint16_t opcode)
{
    const bool atomic = opcode >= AGPU_OP_ATOMIC_AND && opcode <= AGPU_OP_IMM_ATOMIC_UMIN &&
                        opcode != AGPU_OP_IMM_ATOMIC_ALLOC && opcode != AGPU_OP_IMM_ATOMIC_CONSUME;
    return atomic ? (struct rule){KINDS_ATOMIC, SAMPLER_NONE, true} : rules[opcode];
}

const struct agpu_instruction *ag_validate_declared(struct ag_validator *validator,
                                                    const struct agpu_instruction *instruction,
                                                    const struct agpu_operand *operand)
{
    if (operand->index[0].relative != NULL)
        return NULL;
    const uint64_t number = operand->index[0].immediate;
    const struct agpu_instruction *declaration =
        ag_map_get(&validator->resources, ag_validate_key(operand->type, number) + 1);
    if (declaration == NULL)
        ag_invalid(
            validator, instruction, AGPU_DIAG_DXBC_UNDECLARED, "%s uses %s%" PRIu64 ", which is not declared",
            agpu_opcode_info(instruction->opcode)->mnemonic, ag_operand_info(operand->type)->text, number);
    return declaration;
}

static uint32_t declared_kind(const struct agpu_instruction *declaration)
{
    switch (declaration->opcode) {
    case AGPU_OP_DCL_RESOURCE:
    case AGPU_OP_DCL_UAV_TYPED:
        return 1u << agpu_dcl_dimension(declaration);
    case AGPU_OP_DCL_RESOURCE_RAW:
    case AGPU_OP_DCL_UAV_RAW:
        return KIND(RAW_BUFFER);
    case AGPU_OP_DCL_RESOURCE_STRUCTURED:
    case AGPU_OP_DCL_UAV_STRUCTURED:
        return KIND(STRUCTURED_BUFFER);
    case AGPU_OP_DCL_TGSM_RAW:
        return KIND_SHARED_RAW;
    case AGPU_OP_DCL_TGSM_STRUCTURED:
        return KIND_SHARED_STRUCTURED;
    default: /* a constant buffer or a sampler */
        return 0;
    }
}

static void check_resource(struct ag_validator *validator, const struct agpu_instruction *instruction,
                           const struct agpu_operand *operand, struct rule rule)
{
    const char *name = agpu_opcode_info(instruction->opcode)->mnemonic;
    const bool rasterizer = operand->type == AGPU_OPERAND_RASTERIZER;
    const struct agpu_instruction *declaration =
        rasterizer ? NULL : ag_validate_declared(validator, instruction, operand);
    if (declaration == NULL && !rasterizer)
        return;
    const uint32_t kind = rasterizer ? KIND_RASTERIZER : declared_kind(declaration);
    const bool ordered = operand->type == AGPU_OPERAND_RESOURCE || rasterizer;
    if ((rule.kinds & kind) == 0 || (rule.unordered && ordered))
        ag_invalid(validator, instruction, AGPU_DIAG_DXBC_RESOURCE,
                   "%s does not work on what %s%" PRIu64 " is", name, ag_operand_info(operand->type)->text,
                   rasterizer ? 0 : operand->index[0].immediate);
    const uint32_t cubes = KIND(TEXTURECUBE) | KIND(TEXTURECUBEARRAY);
    if (instruction->has_offsets && (kind & (cubes | KIND(BUFFER))) != 0)
        ag_invalid(validator, instruction, AGPU_DIAG_DXBC_RESOURCE,
                   "%s has texel offsets, which %s%" PRIu64 " does not take", name,
                   ag_operand_info(operand->type)->text, operand->index[0].immediate);
}

static void check_sampler(struct ag_validator *validator, const struct agpu_instruction *instruction,
                          const struct agpu_operand *operand, struct rule rule)
{
    const struct agpu_instruction *declaration = ag_validate_declared(validator, instruction, operand);
    if (declaration == NULL || rule.sampler != SAMPLER_COMPARISON)
        return;
    if ((declaration->controls & 0xf) != 1)
        ag_invalid(validator, instruction, AGPU_DIAG_DXBC_RESOURCE,
                   "%s needs a sampler that is declared for comparison",
                   agpu_opcode_info(instruction->opcode)->mnemonic);
}

static void check_sync(struct ag_validator *validator, const struct agpu_instruction *instruction)
{
    const uint32_t group =
        AGPU_SYNC_THREADS_IN_GROUP | AGPU_SYNC_GROUP_SHARED_MEMORY | AGPU_SYNC_UAV_MEMORY_GROUP;
    if (instruction->opcode == AGPU_OP_SYNC && validator->program->stage != AGPU_STAGE_COMPUTE &&
        (instruction->controls & group) != 0)
        ag_invalid(validator, instruction, AGPU_DIAG_DXBC_STAGE,
                   "only compute shaders have thread groups to sync");
}

static void check_stream(struct ag_validator *validator, const struct agpu_instruction *instruction,
                         const struct agpu_operand *operand)
{
    const uint64_t stream = operand->index[0].immediate;
    if (stream >= AG_VALIDATE_STREAMS || (validator->streams >> stream & 1) == 0)
        ag_invalid(validator, instruction, AGPU_DIAG_DXBC_UNDECLARED,
                   "%s uses m%" PRIu64 ", which is not declared",
                   agpu_opcode_info(instruction->opcode)->mnemonic, stream);
}

void ag_validate_resources(struct ag_validator *validator, const struct agpu_instruction *instruction)
{
    const struct agpu_opcode_info *info = agpu_opcode_info(instruction->opcode);
    const struct rule rule = rule_of(instruction->opcode);
    check_sync(validator, instruction);
    for (uint32_t i = 0; i < instruction->operand_count; i++) {
        const struct agpu_operand *operand = &instruction->operands[i];
        const char kind = info->operands[3 * i + 1];
        if (kind == 'R' && rule.kinds != 0)
            check_resource(validator, instruction, operand, rule);
        else if (kind == 'P')
            check_sampler(validator, instruction, operand, rule);
        else if (kind == 'M')
            check_stream(validator, instruction, operand);
    }
}

/* ---- Flags of the program ----------------------------------------------------------------------------- */

static void check_flag(struct ag_validator *validator, const struct agpu_instruction *instruction,
                       uint32_t flag, const char *name)
{
    if ((validator->program->global_flags & flag) == 0)
        ag_invalid(validator, instruction, AGPU_DIAG_DXBC_FEATURE, "%s needs the global flag %s",
                   agpu_opcode_info(instruction->opcode)->mnemonic, name);
}

static bool uses_min_precision(const struct agpu_instruction *instruction)
{
    for (uint32_t i = 0; i < instruction->operand_count; i++)
        if (instruction->operands[i].min_precision != 0)
            return true;
    return false;
}

void ag_validate_features(struct ag_validator *validator, const struct agpu_instruction *instruction)
{
    const struct agpu_program *program = validator->program;
    const uint16_t flags = agpu_opcode_info(instruction->opcode)->flags;
    if (flags & AGPU_OPF_DOUBLE)
        check_flag(validator, instruction, AGPU_GLOBAL_ENABLE_DOUBLE_PRECISION,
                   "enableDoublePrecisionFloatOps");
    if (flags & AGPU_OPF_DOUBLE_11_1)
        check_flag(validator, instruction, AGPU_GLOBAL_ENABLE_11_1_DOUBLE_EXTENSIONS,
                   "enable11_1DoubleExtensions");
    if (flags & AGPU_OPF_SHADER_11_1)
        check_flag(validator, instruction, AGPU_GLOBAL_ENABLE_11_1_SHADER_EXTENSIONS,
                   "enable11_1ShaderExtensions");
    if ((flags & AGPU_OPF_RAW_4) && program->major == 4 && program->stage != AGPU_STAGE_COMPUTE)
        check_flag(validator, instruction, AGPU_GLOBAL_ENABLE_RAW_AND_STRUCTURED_BUFFERS,
                   "enableRawAndStructuredBuffers");
    if (uses_min_precision(instruction))
        check_flag(validator, instruction, AGPU_GLOBAL_ENABLE_MINIMUM_PRECISION, "enableMinimumPrecision");
}
