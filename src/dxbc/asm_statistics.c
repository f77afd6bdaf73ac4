/* SPDX-License-Identifier: MIT
 *
 * Reads the directives of statistics and feature bits.
 */
#include <ctype.h>

#include "base/bytes.h"
#include "dxbc/asm.h"

#define LARGEST_STATISTICS 64

/* Reads `.stat 37 instructions=12 temps=3`: the number of dwords, then the dwords that are not 0. */
bool ag_asm_statistics(struct ag_asm *assembler)
{
    uint32_t count;
    if (assembler->has_statistics)
        return ag_asm_error(assembler, AGPU_DIAG_DXBC_SYNTAX, "there is a .stat already");
    if (!ag_asm_number(assembler, &count))
        return false;
    if (count > LARGEST_STATISTICS)
        return ag_asm_error(assembler, AGPU_DIAG_DXBC_LIMIT, "%u statistics are more than %d", count,
                            LARGEST_STATISTICS);
    if (!ag_vec_reserve(&assembler->statistics, LARGEST_STATISTICS))
        return ag_asm_no_memory(assembler);
    for (uint32_t i = 0; i < count; i++)
        assembler->statistics.data[i] = 0;
    assembler->statistics.count = count;
    assembler->has_statistics = true;
    struct ag_asm_option options[LARGEST_STATISTICS];
    uint32_t known = 0;
    for (; known < count && known < ag_names_statistic.count; known++)
        options[known] =
            (struct ag_asm_option){ag_names_statistic.names[known], &assembler->statistics.data[known], 0};
    return ag_asm_options(assembler, options, known);
}

/* Reads `.features doubles tiled_resources 0x8000`: names of bits, and numbers for bits without a name. */
bool ag_asm_features(struct ag_asm *assembler)
{
    if (assembler->has_features)
        return ag_asm_error(assembler, AGPU_DIAG_DXBC_SYNTAX, "there is a .features already");
    assembler->has_features = true;
    while (!ag_asm_at_line_end(assembler)) {
        uint32_t bit;
        uint64_t bits;
        if (isdigit((unsigned char)ag_asm_peek(assembler))) {
            if (!ag_asm_double_bits(assembler, &bits))
                return false;
            assembler->features |= bits;
            continue;
        }
        if (!ag_asm_name(assembler, &ag_names_feature, &bit))
            return false;
        assembler->features |= UINT64_C(1) << bit;
    }
    return true;
}
