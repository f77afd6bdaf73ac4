/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "base/bytes.h"
#include "cli/shader_parts.h"
#include "dxbc/declaration.h"
#include "dxbc/names.h"

static const char *const component_names[] = {
    [AGPU_COMPONENT_UNKNOWN] = "unknown",
    [AGPU_COMPONENT_UINT] = "uint",
    [AGPU_COMPONENT_SINT] = "int",
    [AGPU_COMPONENT_FLOAT] = "float",
};

const char *cli_component_name(uint32_t type)
{
    return type < AG_COUNT_OF(component_names) ? component_names[type] : "unknown";
}

const char *cli_mask_text(uint32_t mask, char text[5])
{
    size_t used = 0;
    for (uint32_t i = 0; i < 4; i++) {
        if (mask >> i & 1)
            text[used++] = "xyzw"[i];
    }
    text[used] = '\0';
    return text;
}

const char *cli_system_value_name(uint32_t value)
{
    const char *const name = value < ag_names_system_value.count ? ag_names_system_value.names[value] : NULL;
    return name != NULL ? name : "unknown";
}

const struct agpu_rdef_cbuffer *cli_find_cbuffer(const struct agpu_shader *shader, const char *name)
{
    for (uint32_t i = 0; name != NULL && shader->rdef != NULL && i < shader->rdef->cbuffer_count; i++)
        if (strcmp(shader->rdef->cbuffers[i].name, name) == 0)
            return &shader->rdef->cbuffers[i];
    return NULL;
}

/* ---- Declarations ------------------------------------------------------------------------------------- */

static char binding_letter(uint32_t input_type)
{
    switch (input_type) {
    case 0:
        return 'b';
    case 3:
        return 's';
    case 1:
    case 2:
    case 5:
    case 7:
        return 't';
    default:
        return 'u';
    }
}

static const char *binding_name(const struct agpu_shader *shader, char letter, uint32_t slot)
{
    for (uint32_t i = 0; shader->rdef != NULL && i < shader->rdef->binding_count; i++) {
        const struct agpu_rdef_binding *const binding = &shader->rdef->bindings[i];
        if (binding_letter(binding->input_type) == letter && binding->bind_point <= slot &&
            slot - binding->bind_point < binding->bind_count)
            return binding->name;
    }
    return NULL;
}

static uint32_t declaration_word(const struct agpu_instruction *instruction, uint32_t index)
{
    return index < instruction->data_count ? instruction->data[index] : 0;
}

/* Slot and count of the declared range: two indices in 5.0 and before hold {slot}, three in 5.1 hold
 * {id, first, last}. */
static void declaration_range(const struct agpu_operand *operand, struct cli_declaration *declaration)
{
    const bool ranged = operand->index_count == 3;
    declaration->slot = (uint32_t)operand->index[ranged ? 1 : 0].immediate;
    declaration->count = ranged ? (uint32_t)operand->index[2].immediate - declaration->slot + 1 : 1;
}

/* What a declaration of a resource or view says beside its dimension. */
static void read_type(const struct agpu_instruction *instruction, struct cli_declaration *declaration)
{
    const bool typed =
        instruction->opcode == AGPU_OP_DCL_RESOURCE || instruction->opcode == AGPU_OP_DCL_UAV_TYPED;
    for (uint32_t i = 0; typed && i < 4; i++) {
        const char *word =
            ag_name_of(&ag_names_return_type, declaration_word(instruction, 0) >> (4 * i) & 0xf);
        declaration->return_types[i] = word != NULL ? word : "unknown";
    }
    if (instruction->opcode == AGPU_OP_DCL_RESOURCE)
        declaration->samples = agpu_dcl_sample_count(instruction);
    if (declaration->letter != 'u')
        return;
    declaration->coherent = (instruction->controls & AG_CONTROL_GLOBALLY_COHERENT) != 0;
    declaration->ordered = (instruction->controls & AG_CONTROL_RASTERIZER_ORDERED) != 0;
    declaration->counter = instruction->opcode == AGPU_OP_DCL_UAV_STRUCTURED &&
                           (instruction->controls & AG_CONTROL_HAS_COUNTER) != 0;
}

static const struct {
    char letter;
    const char *kind;
    enum agpu_resource_dimension dimension; /* unknown: the declaration says */
} resources[AGPU_OPCODE_LIMIT] = {
    [AGPU_OP_DCL_CONSTANTBUFFER] = {'b', "cbuffer",  AGPU_DIMENSION_UNKNOWN          },
    [AGPU_OP_DCL_SAMPLER] = {'s', "sampler",  AGPU_DIMENSION_UNKNOWN          },
    [AGPU_OP_DCL_RESOURCE] = {'t', "resource", AGPU_DIMENSION_UNKNOWN          },
    [AGPU_OP_DCL_RESOURCE_RAW] = {'t', "resource", AGPU_DIMENSION_RAW_BUFFER       },
    [AGPU_OP_DCL_RESOURCE_STRUCTURED] = {'t', "resource", AGPU_DIMENSION_STRUCTURED_BUFFER},
    [AGPU_OP_DCL_UAV_TYPED] = {'u', "uav",      AGPU_DIMENSION_UNKNOWN          },
    [AGPU_OP_DCL_UAV_RAW] = {'u', "uav",      AGPU_DIMENSION_RAW_BUFFER       },
    [AGPU_OP_DCL_UAV_STRUCTURED] = {'u', "uav",      AGPU_DIMENSION_STRUCTURED_BUFFER},
};

bool cli_read_declaration(const struct agpu_shader *shader, const struct agpu_instruction *instruction,
                          struct cli_declaration *declaration)
{
    *declaration = (struct cli_declaration){.letter = resources[instruction->opcode].letter,
                                            .kind = resources[instruction->opcode].kind};
    if (instruction->operand_count == 0 || declaration->letter == 0)
        return false;
    const struct agpu_operand *const operand = &instruction->operands[0];
    enum agpu_resource_dimension dimension = resources[instruction->opcode].dimension;
    if (instruction->opcode == AGPU_OP_DCL_CONSTANTBUFFER) {
        declaration->dynamic = (instruction->controls & 1) != 0;
        declaration->bytes = 16 * (operand->index_count == 3 ? declaration_word(instruction, 0)
                                                             : (uint32_t)operand->index[1].immediate);
    }
    if (instruction->opcode == AGPU_OP_DCL_SAMPLER && (instruction->controls & 0xf) == 1)
        declaration->kind = "comparison_sampler";
    if (instruction->opcode == AGPU_OP_DCL_RESOURCE || instruction->opcode == AGPU_OP_DCL_UAV_TYPED)
        dimension = agpu_dcl_dimension(instruction);
    else if (dimension == AGPU_DIMENSION_STRUCTURED_BUFFER)
        declaration->bytes = declaration_word(instruction, 0);
    read_type(instruction, declaration);
    if (dimension != AGPU_DIMENSION_UNKNOWN && (uint32_t)dimension < ag_names_dimension.count)
        declaration->dimension = ag_names_dimension.names[dimension];
    declaration_range(operand, declaration);
    declaration->name = binding_name(shader, declaration->letter, declaration->slot);
    return true;
}
