/* SPDX-License-Identifier: MIT
 *
 * Decodes operands.
 */
#include <inttypes.h>

#include "base/bytes.h"
#include "dxbc/operand_info.h"
#include "dxbc/program.h"

struct agpu_place ag_token_place(const struct ag_token_reader *reader, uint32_t position)
{
    return ag_place_offset(reader->base + (uint64_t)position * 4);
}

static enum agpu_status take(struct ag_token_reader *reader, uint32_t *token)
{
    if (reader->position >= reader->end) {
        ag_report(reader->sink, AGPU_DIAG_DXBC_TRUNCATED, AGPU_ERROR,
                  ag_token_place(reader, reader->position),
                  "an operand continues past the end of its instruction");
        return AGPU_REFUSED;
    }
    *token = reader->tokens[reader->position++];
    return AGPU_OK;
}

static enum agpu_status refuse(const struct ag_token_reader *reader, uint32_t position, const char *what,
                               uint32_t value)
{
    ag_report(reader->sink, AGPU_DIAG_DXBC_OPERAND, AGPU_ERROR, ag_token_place(reader, position),
              "%s %" PRIu32, what, value);
    return AGPU_REFUSED;
}

static enum agpu_status read_components(const struct ag_token_reader *reader, uint32_t token,
                                        struct agpu_operand *operand)
{
    static const uint8_t count_of[4] = {0, 1, 4, 0};
    if ((token & 3) == 3)
        return refuse(reader, reader->position - 1, "an operand has component count code", 3);
    operand->component_count = count_of[token & 3];
    operand->selection = AGPU_SELECT_MASK;
    if (operand->component_count == 1) /* the swizzle is x x x x */
        return AGPU_OK;
    memcpy(operand->swizzle, (const uint8_t[4]){0, 1, 2, 3}, sizeof operand->swizzle);
    if (operand->component_count == 0)
        return AGPU_OK;
    operand->selection = token >> 2 & 3;
    switch (operand->selection) {
    case AGPU_SELECT_MASK:
        operand->mask = token >> 4 & 0xf;
        return AGPU_OK;
    case AGPU_SELECT_SWIZZLE:
        for (uint8_t i = 0; i < 4; i++)
            operand->swizzle[i] = token >> (4 + 2 * i) & 3;
        return AGPU_OK;
    case AGPU_SELECT_ONE:
        memset(operand->swizzle, token >> 4 & 3, sizeof operand->swizzle);
        return AGPU_OK;
    default:
        return refuse(reader, reader->position - 1, "an operand has component selection mode", 3);
    }
}

static enum agpu_status read_extended(struct ag_token_reader *reader, struct agpu_operand *operand)
{
    uint32_t token;
    const enum agpu_status status = take(reader, &token);
    if (status != AGPU_OK)
        return status;
    if (token & AG_TOKEN_EXTENDED) {
        ag_report(reader->sink, AGPU_DIAG_DXBC_OPERAND, AGPU_ERROR,
                  ag_token_place(reader, reader->position - 1),
                  "an operand has more than one extended token");
        return AGPU_REFUSED;
    }
    operand->has_extended = true;
    operand->extended = token;
    if ((token & AG_EXTENDED_TYPE_MASK) == AG_EXTENDED_OPERAND_MODIFIER) {
        const uint32_t modifier = token >> 6 & 0xff;
        if (modifier > AGPU_MODIFIER_NEGATE_ABSOLUTE)
            return refuse(reader, reader->position - 1, "an operand has modifier", modifier);
        operand->modifier = (uint8_t)modifier;
        operand->min_precision = token >> 14 & 7;
        operand->non_uniform = (token >> 17 & 1) != 0;
    }
    return AGPU_OK;
}

static enum agpu_status read_immediate(struct ag_token_reader *reader, struct agpu_operand *operand)
{
    uint32_t count = 0;
    if (operand->type == AGPU_OPERAND_IMMEDIATE32)
        count = operand->component_count;
    else if (operand->type == AGPU_OPERAND_IMMEDIATE64)
        count = operand->component_count == 1 ? 2 : operand->component_count;
    enum agpu_status status = AGPU_OK;
    for (uint32_t i = 0; i < count && status == AGPU_OK; i++)
        status = take(reader, &operand->immediate[i]);
    return status;
}

static enum agpu_status read_operand(struct ag_token_reader *reader, struct agpu_operand *operand,
                                     uint32_t depth);

static enum agpu_status read_relative(struct ag_token_reader *reader, struct agpu_operand_index *index,
                                      uint32_t depth)
{
    if (depth >= AG_MAX_RELATIVE_DEPTH) {
        ag_report(reader->sink, AGPU_DIAG_DXBC_OPERAND, AGPU_ERROR, ag_token_place(reader, reader->position),
                  "relative indices are nested more than %d deep", AG_MAX_RELATIVE_DEPTH);
        return AGPU_REFUSED;
    }
    struct agpu_operand *relative =
        ag_arena_alloc_raw(reader->arena, sizeof *relative, alignof(struct agpu_operand));
    if (relative == NULL)
        return ag_report_no_memory(reader->sink);
    index->relative = relative;
    return read_operand(reader, relative, depth + 1);
}

static enum agpu_status read_index(struct ag_token_reader *reader, uint32_t representation,
                                   struct agpu_operand_index *index, uint32_t depth)
{
    static const struct {
        uint8_t immediate_dwords;
        bool relative;
    } shapes[AG_INDEX_REPRESENTATION_COUNT] = {
        [AG_INDEX_IMMEDIATE32] = {1, false},
        [AG_INDEX_IMMEDIATE64] = {2, false},
        [AG_INDEX_RELATIVE] = {0, true },
        [AG_INDEX_IMMEDIATE32_RELATIVE] = {1, true },
        [AG_INDEX_IMMEDIATE64_RELATIVE] = {2, true },
    };
    if (representation >= AG_INDEX_REPRESENTATION_COUNT)
        return refuse(reader, reader->position, "an operand has index representation", representation);
    for (uint32_t i = 0; i < shapes[representation].immediate_dwords; i++) {
        uint32_t token;
        const enum agpu_status status = take(reader, &token);
        if (status != AGPU_OK)
            return status;
        index->immediate = index->immediate << 32 | token;
    }
    return shapes[representation].relative ? read_relative(reader, index, depth) : AGPU_OK;
}

/* Four components and one index, which is a number, no extended token: most operands. */
#define PLAIN_MASK (AG_TOKEN_EXTENDED | 3u | 3u << 20 | 7u << 22)
#define PLAIN_TOKEN (2u | 1u << 20 | AG_INDEX_IMMEDIATE32 << 22)

/* Four numbers of two bits as four bytes. */
static uint32_t spread_swizzle(uint32_t bits)
{
    return (bits | bits << 6 | bits << 12 | bits << 18) & 0x03030303;
}

static bool read_plain(struct ag_token_reader *reader, uint32_t token, struct agpu_operand *operand)
{
    const uint32_t selection = token >> 2 & 3, chosen = token >> 4;
    if ((token & PLAIN_MASK) != PLAIN_TOKEN || selection > AGPU_SELECT_ONE || reader->position >= reader->end)
        return false;
    operand->component_count = 4;
    operand->selection = (uint8_t)selection;
    operand->mask = selection == AGPU_SELECT_MASK ? chosen & 0xf : 0;
    ag_store_u32(operand->swizzle, selection == AGPU_SELECT_MASK      ? 0x03020100
                                   : selection == AGPU_SELECT_SWIZZLE ? spread_swizzle(chosen & 0xff)
                                                                      : (chosen & 3) * 0x01010101);
    operand->index_count = 1;
    operand->index[0].immediate = reader->tokens[reader->position++];
    return true;
}

static enum agpu_status read_operand(struct ag_token_reader *reader, struct agpu_operand *operand,
                                     uint32_t depth)
{
    uint32_t token;
    enum agpu_status status = take(reader, &token);
    if (status != AGPU_OK)
        return status;
    *operand = (struct agpu_operand){0};
    const uint32_t type = token >> 12 & 0xff;
    if (ag_operand_info(type) == NULL)
        return refuse(reader, reader->position - 1, "there is no operand type", type);
    operand->type = (uint8_t)type;
    if (type != AGPU_OPERAND_IMMEDIATE32 && type != AGPU_OPERAND_IMMEDIATE64 &&
        read_plain(reader, token, operand))
        return AGPU_OK;
    operand->index_count = token >> 20 & 3;
    status = read_components(reader, token, operand);
    if (status == AGPU_OK && (token & AG_TOKEN_EXTENDED))
        status = read_extended(reader, operand);
    if (status == AGPU_OK)
        status = read_immediate(reader, operand);
    for (uint32_t i = 0; i < operand->index_count && status == AGPU_OK; i++) {
        operand->index_representation[i] = token >> (22 + 3 * i) & 7;
        status = read_index(reader, operand->index_representation[i], &operand->index[i], depth);
    }
    return status;
}

enum agpu_status ag_operand_read(struct ag_token_reader *reader, struct agpu_operand *operand)
{
    return read_operand(reader, operand, 0);
}
