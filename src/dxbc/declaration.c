/* SPDX-License-Identifier: MIT */
#include "dxbc/declaration.h"

#include "dxbc/operand_info.h"

static const struct agpu_declaration_info declaration_table[AGPU_OPCODE_LIMIT] = {
    [AGPU_OP_DCL_RESOURCE] = {.dwords = 1,         .extra_dwords = 1},
    [AGPU_OP_DCL_CONSTANTBUFFER] = {.dwords = 0,                   .extra_dwords = 2},
    [AGPU_OP_DCL_SAMPLER] = {.dwords = 0,.extra_dwords = 1},
    [AGPU_OP_DCL_INDEXRANGE] = {.dwords = 1        },
    [AGPU_OP_DCL_MAXOUT] = {.dwords = 1                  },
    [AGPU_OP_DCL_INPUT_SGV] = {.dwords = 1          },
    [AGPU_OP_DCL_INPUT_SIV] = {.dwords = 1},
    [AGPU_OP_DCL_INPUT_PS_SGV] = {.dwords = 1        },
    [AGPU_OP_DCL_INPUT_PS_SIV] = {.dwords = 1                  },
    [AGPU_OP_DCL_OUTPUT_SGV] = {.dwords = 1          },
    [AGPU_OP_DCL_OUTPUT_SIV] = {.dwords = 1},
    [AGPU_OP_DCL_TEMPS] = {.dwords = 1        },
    [AGPU_OP_DCL_INDEXABLETEMP] = {.dwords = 3                  },
    [AGPU_OP_DCL_FUNCTION_BODY] = {.dwords = 1          },
    [AGPU_OP_DCL_FUNCTION_TABLE] = {.dwords = 2, .open_ended = true},
    [AGPU_OP_DCL_INTERFACE] = {.dwords = 3,         .open_ended = true},
    [AGPU_OP_DCL_HS_MAX_TESSFACTOR] = {.dwords = 1},
    [AGPU_OP_DCL_HS_FORK_PHASE_INSTANCE_COUNT] = {.dwords = 1        },
    [AGPU_OP_DCL_HS_JOIN_PHASE_INSTANCE_COUNT] = {.dwords = 1                  },
    [AGPU_OP_DCL_THREAD_GROUP] = {.dwords = 3                  },
    [AGPU_OP_DCL_UAV_TYPED] = {.dwords = 1,           .extra_dwords = 1},
    [AGPU_OP_DCL_UAV_RAW] = {.dwords = 0, .extra_dwords = 1},
    [AGPU_OP_DCL_UAV_STRUCTURED] = {.dwords = 1, .extra_dwords = 1},
    [AGPU_OP_DCL_TGSM_RAW] = {.dwords = 1},
    [AGPU_OP_DCL_TGSM_STRUCTURED] = {.dwords = 2        },
    [AGPU_OP_DCL_RESOURCE_RAW] = {.dwords = 0,                   .extra_dwords = 1},
    [AGPU_OP_DCL_RESOURCE_STRUCTURED] = {.dwords = 1,  .extra_dwords = 1},
    [AGPU_OP_DCL_GSINSTANCES] = {.dwords = 1        },
};

struct agpu_declaration_info agpu_declaration_info(uint32_t opcode)
{
    return declaration_table[opcode];
}

void agpu_operand_index_range(const struct agpu_program *program, bool declaration, uint8_t type,
                              uint32_t *least, uint32_t *most)
{
    const struct agpu_operand_info *info = agpu_operand_info(type);
    *least = info->min_indices;
    *most = info->max_indices;
    if (info->by_id && program->major == 5 && program->minor == 1) {
        *least = declaration ? 3 : info->min_indices + 1u;
        *most = *least;
    }
}
