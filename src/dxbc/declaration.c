/* SPDX-License-Identifier: MIT
 *
 * The table of declarations.
 */
#include "dxbc/declaration.h"

#include <string.h>

#include "base/bytes.h"
#include "dxbc/operand_info.h"

/* clang-format off */
static const struct ag_declaration_info declaration_table[AGPU_OPCODE_LIMIT] = {
    [AGPU_OP_DCL_RESOURCE] = {1, 1, .suffix = AG_SUFFIX_DIMENSION, .syntax = " %r %o%s"},
    [AGPU_OP_DCL_CONSTANTBUFFER] = {0, 2, .syntax = " %o, %a%s"},
    [AGPU_OP_DCL_SAMPLER] = {0, 1, .syntax = " %o, %m%s"},
    [AGPU_OP_DCL_INDEXRANGE] = {1, 0, .syntax = " %o %0"},
    [AGPU_OP_DCL_OUTPUTTOPOLOGY] = {0, 0, .syntax = " %t"},
    [AGPU_OP_DCL_INPUTPRIMITIVE] = {0, 0, .syntax = " %p"},
    [AGPU_OP_DCL_MAXOUT] = {1, 0, .syntax = " %0"},
    [AGPU_OP_DCL_INPUT] = {0, 0, .syntax = " %o"},
    [AGPU_OP_DCL_INPUT_SGV] = {1, 0, .syntax = " %o, %n"},
    [AGPU_OP_DCL_INPUT_SIV] = {1, 0, .syntax = " %o, %n"},
    [AGPU_OP_DCL_INPUT_PS] = {0, 0, .syntax = " %i %o"},
    [AGPU_OP_DCL_INPUT_PS_SGV] = {1, 0, .syntax = " %i %o, %n"},
    [AGPU_OP_DCL_INPUT_PS_SIV] = {1, 0, .syntax = " %i %o, %n"},
    [AGPU_OP_DCL_OUTPUT] = {0, 0, .syntax = " %o"},
    [AGPU_OP_DCL_OUTPUT_SGV] = {1, 0, .syntax = " %o, %n"},
    [AGPU_OP_DCL_OUTPUT_SIV] = {1, 0, .syntax = " %o, %n"},
    [AGPU_OP_DCL_TEMPS] = {1, 0, .syntax = " %0"},
    [AGPU_OP_DCL_INDEXABLETEMP] = {3, 0, .syntax = " x%0[%1], %2"},
    [AGPU_OP_DCL_GLOBALFLAGS] = {0, 0, .syntax = " %g"},
    [AGPU_OP_DCL_STREAM] = {0, 0, .syntax = " %o"},
    [AGPU_OP_DCL_FUNCTION_BODY] = {1, 0, .syntax = " fb%0"},
    [AGPU_OP_DCL_FUNCTION_TABLE] = {2, 0, .open_ended = true, .syntax = " ft%0 = {%L}"},
    [AGPU_OP_DCL_INTERFACE] = {3, 0, .open_ended = true, .suffix = AG_SUFFIX_DYNAMIC,
                               .syntax = " fp%0[%h][%1] = {%L}"},
    [AGPU_OP_DCL_INPUT_CONTROL_POINT_COUNT] = {0, 0, .syntax = " %N"},
    [AGPU_OP_DCL_OUTPUT_CONTROL_POINT_COUNT] = {0, 0, .syntax = " %N"},
    [AGPU_OP_DCL_TESSELLATOR_DOMAIN] = {0, 0, .syntax = " %D"},
    [AGPU_OP_DCL_TESSELLATOR_PARTITIONING] = {0, 0, .syntax = " %P"},
    [AGPU_OP_DCL_TESSELLATOR_OUTPUT_PRIMITIVE] = {0, 0, .syntax = " %O"},
    [AGPU_OP_DCL_HS_MAX_TESSFACTOR] = {1, 0, .syntax = " l(%f)"},
    [AGPU_OP_DCL_HS_FORK_PHASE_INSTANCE_COUNT] = {1, 0, .syntax = " %0"},
    [AGPU_OP_DCL_HS_JOIN_PHASE_INSTANCE_COUNT] = {1, 0, .syntax = " %0"},
    [AGPU_OP_DCL_THREAD_GROUP] = {3, 0, .syntax = " %0, %1, %2"},
    [AGPU_OP_DCL_UAV_TYPED] = {1, 1, .suffix = AG_SUFFIX_DIMENSION_UAV, .syntax = " %r %o%s"},
    [AGPU_OP_DCL_UAV_RAW] = {0, 1, .suffix = AG_SUFFIX_UAV, .syntax = " %o%s"},
    [AGPU_OP_DCL_UAV_STRUCTURED] = {1, 1, .suffix = AG_SUFFIX_UAV, .syntax = " %o, %0%s"},
    [AGPU_OP_DCL_TGSM_RAW] = {1, 0, .syntax = " %o, %0"},
    [AGPU_OP_DCL_TGSM_STRUCTURED] = {2, 0, .syntax = " %o, %0, %1"},
    [AGPU_OP_DCL_RESOURCE_RAW] = {0, 1, .syntax = " %o%s"},
    [AGPU_OP_DCL_RESOURCE_STRUCTURED] = {1, 1, .syntax = " %o, %0%s"},
    [AGPU_OP_DCL_GSINSTANCES] = {1, 0, .syntax = " %0"},
};
/* clang-format on */

const struct ag_name_list *ag_control_field(char letter)
{
    static const struct {
        char letter;
        const struct ag_name_list *names;
    } fields[] = {
        {'a', &ag_names_access            },
        {'i', &ag_names_interpolation     },
        {'m', &ag_names_sampler_mode      },
        {'p', &ag_names_primitive         },
        {'t', &ag_names_output_topology   },
        {'D', &ag_names_domain            },
        {'P', &ag_names_partitioning      },
        {'O', &ag_names_tessellator_output},
    };
    for (size_t i = 0; i < AG_COUNT_OF(fields); i++)
        if (fields[i].letter == letter)
            return fields[i].names;
    return NULL;
}

struct ag_declaration_info ag_declaration_info(uint32_t opcode)
{
    return declaration_table[opcode];
}

bool ag_declares_system_value(uint32_t opcode)
{
    const char *syntax = ag_declaration_info(opcode).syntax;
    return syntax != NULL && strstr(syntax, "%n") != NULL;
}
