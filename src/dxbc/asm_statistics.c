/* SPDX-License-Identifier: MIT */
#include <ctype.h>

#include "base/bytes.h"
#include "dxbc/asm.h"

#define LARGEST_STATISTICS 64

/* `.stat 37 instructions=12 temps=3`: the number of dwords, then those that are not 0. */
bool agpu_asm_statistics(struct agpu_asm *assembler)
{
    uint32_t count;
    if (assembler->has_statistics)
        return agpu_asm_error(assembler, AGPU_DIAG_DXBC_SYNTAX, "there is a .stat already");
    if (!agpu_asm_number(assembler, &count))
        return false;
    if (count > LARGEST_STATISTICS)
        return agpu_asm_error(assembler, AGPU_DIAG_DXBC_LIMIT, "%u statistics are more than %d", count,
                              LARGEST_STATISTICS);
    if (!agpu_vec_reserve(&assembler->statistics, LARGEST_STATISTICS))
        return agpu_asm_no_memory(assembler);
    for (uint32_t i = 0; i < count; i++)
        assembler->statistics.data[i] = 0;
    assembler->statistics.count = count;
    assembler->has_statistics = true;
    struct agpu_asm_option options[LARGEST_STATISTICS];
    uint32_t known = 0;
    for (; known < count && known < agpu_names_statistic.count; known++)
        options[known] = (struct agpu_asm_option){agpu_names_statistic.names[known],
                                                  &assembler->statistics.data[known], 0};
    return agpu_asm_options(assembler, options, known);
}

/* `.features doubles tiled_resources 0x8000`: names of bits, and numbers for bits without a name. */
bool agpu_asm_features(struct agpu_asm *assembler)
{
    if (assembler->has_features)
        return agpu_asm_error(assembler, AGPU_DIAG_DXBC_SYNTAX, "there is a .features already");
    assembler->has_features = true;
    while (!agpu_asm_at_line_end(assembler)) {
        uint32_t bit;
        uint64_t bits;
        if (isdigit((unsigned char)agpu_asm_peek(assembler))) {
            if (!agpu_asm_double_bits(assembler, &bits))
                return false;
            assembler->features |= bits;
            continue;
        }
        if (!agpu_asm_name(assembler, &agpu_names_feature, &bit))
            return false;
        assembler->features |= UINT64_C(1) << bit;
    }
    return true;
}
