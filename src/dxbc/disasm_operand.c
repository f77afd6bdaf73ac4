/* SPDX-License-Identifier: MIT
 *
 * Lists operands and numbers.
 */
#include <inttypes.h>
#include <math.h>

#include "base/bytes.h"
#include "dxbc/declaration.h"
#include "dxbc/disasm.h"
#include "dxbc/operand_info.h"

#define LARGEST_DECIMAL 10000
#define FLOAT_EXPONENT 0x7f800000u
#define FLOAT_MANTISSA 0x007fffffu
#define FLOAT_SIGN 0x80000000u

/* ---- Numbers ------------------------------------------------------------------------------------------ */

static void list_integer(struct ag_strbuf *out, uint32_t bits)
{
    const int32_t value = (int32_t)bits;
    if (value >= -LARGEST_DECIMAL && value <= LARGEST_DECIMAL)
        ag_strbuf_printf(out, "%" PRId32, value);
    else
        ag_strbuf_printf(out, "0x%08" PRIx32, bits);
}

static void list_float(struct ag_strbuf *out, uint32_t bits)
{
    const bool denormal = (bits & FLOAT_EXPONENT) == 0 && (bits & FLOAT_MANTISSA) != 0;
    if (denormal || (bits & FLOAT_EXPONENT) == FLOAT_EXPONENT)
        ag_strbuf_printf(out, "0x%08" PRIx32, bits);
    else
        ag_strbuf_append_float(out, ag_float_from_bits(bits));
}

/* A moved value has no type, so a value that is not a plausible float is listed as an integer. */
static bool looks_like_float(uint32_t bits)
{
    const uint32_t exponent = bits & FLOAT_EXPONENT;
    return bits == FLOAT_SIGN || (exponent != 0 && exponent != FLOAT_EXPONENT);
}

void ag_list_number(struct ag_strbuf *out, uint32_t bits, char kind)
{
    if (kind == 'f' || (kind == 'b' && looks_like_float(bits)))
        list_float(out, bits);
    else
        list_integer(out, bits);
}

static void list_double(struct ag_strbuf *out, uint32_t low, uint32_t high)
{
    const uint64_t bits = (uint64_t)high << 32 | low;
    double value;
    memcpy(&value, &bits, sizeof value);
    if (isnormal(value) || value == 0)
        ag_strbuf_append_double(out, value);
    else
        ag_strbuf_printf(out, "0x%016" PRIx64, bits);
    ag_strbuf_append_char(out, 'l');
}

static void list_immediate(struct ag_strbuf *out, const struct agpu_operand *operand, char kind)
{
    const bool wide = operand->type == AGPU_OPERAND_IMMEDIATE64;
    const uint32_t count = wide && operand->component_count == 4 ? 2 : operand->component_count;
    ag_strbuf_append(out, wide ? "d(" : "l(");
    for (uint32_t i = 0; i < count; i++) {
        if (i != 0)
            ag_strbuf_append(out, kind == 'b' ? "," : ", ");
        if (wide)
            list_double(out, operand->immediate[(size_t)2 * i], operand->immediate[(size_t)2 * i + 1]);
        else
            ag_list_number(out, operand->immediate[i], kind);
    }
    ag_strbuf_append_char(out, ')');
}

/* ---- Registers ---------------------------------------------------------------------------------------- */

static const char component_letters[] = "xyzw";

void ag_list_mask(struct ag_strbuf *out, uint32_t mask)
{
    for (uint32_t i = 0; i < 4; i++)
        if (mask >> i & 1)
            ag_strbuf_append_char(out, component_letters[i]);
}

static void list_components(struct ag_strbuf *out, const struct agpu_operand *operand)
{
    if (operand->component_count != 4 || (operand->selection == AGPU_SELECT_MASK && operand->mask == 0))
        return;
    ag_strbuf_append_char(out, '.');
    switch ((enum agpu_selection)operand->selection) {
    case AGPU_SELECT_MASK:
        ag_list_mask(out, operand->mask);
        break;
    case AGPU_SELECT_SWIZZLE:
        for (uint32_t i = 0; i < 4; i++)
            ag_strbuf_append_char(out, component_letters[operand->swizzle[i]]);
        break;
    case AGPU_SELECT_ONE:
        ag_strbuf_append_char(out, component_letters[operand->swizzle[0]]);
        break;
    }
}

static void list_register(struct ag_strbuf *out, const struct agpu_program *program,
                          const struct agpu_operand *operand);

static void list_index(struct ag_strbuf *out, const struct agpu_program *program,
                       const struct agpu_operand_index *index)
{
    ag_strbuf_append_char(out, '[');
    if (index->relative != NULL) {
        list_register(out, program, index->relative);
        list_components(out, index->relative);
        ag_strbuf_append(out, " + ");
    }
    ag_strbuf_printf(out, "%" PRIu64 "]", index->immediate);
}

static void list_register_name(struct ag_strbuf *out, const struct agpu_program *program, uint8_t type)
{
    const struct ag_operand_info *info = ag_operand_info(type);
    if (!info->by_id || !ag_program_is_5_1(program)) {
        ag_strbuf_append(out, info->text);
        return;
    }
    for (const char *c = info->text; *c != '\0'; c++)
        ag_strbuf_append_char(out, (char)(*c - 'a' + 'A'));
}

/* How many leading indices are written without brackets. */
static uint32_t bare_indices(const struct agpu_operand *operand)
{
    switch ((enum ag_operand_index_style)ag_operand_info(operand->type)->index_style) {
    case AG_INDEX_STYLE_NONE:
    case AG_INDEX_STYLE_BRACKETS:
        return 0;
    case AG_INDEX_STYLE_ARRAY:
        return operand->index_count == 1 && operand->index[0].relative == NULL;
    case AG_INDEX_STYLE_NUMBERED:
        return operand->index_count != 0 && operand->index[0].relative == NULL;
    }
    return 0;
}

static void list_register(struct ag_strbuf *out, const struct agpu_program *program,
                          const struct agpu_operand *operand)
{
    list_register_name(out, program, operand->type);
    const uint32_t bare = bare_indices(operand);
    if (bare != 0)
        ag_strbuf_printf(out, "%" PRIu64, operand->index[0].immediate);
    for (uint32_t i = bare; i < operand->index_count; i++)
        list_index(out, program, &operand->index[i]);
}

/* ---- Whole operands ----------------------------------------------------------------------------------- */

static bool shows_precision(uint8_t type)
{
    return type != AGPU_OPERAND_RESOURCE && type != AGPU_OPERAND_SAMPLER &&
           type != AGPU_OPERAND_UNORDERED_ACCESS_VIEW && type != AGPU_OPERAND_THREAD_GROUP_SHARED_MEMORY &&
           type != AGPU_OPERAND_NULL;
}

static void list_precision(struct ag_strbuf *out, const struct agpu_operand *operand,
                           int destination_precision)
{
    const int own = operand->min_precision;
    const int other = destination_precision < 0 ? own : destination_precision;
    if (!shows_precision(operand->type) || (own == 0 && other == 0))
        return;
    ag_strbuf_append(out, " {");
    ag_list_name(out, &ag_names_min_precision, (uint32_t)own);
    if (own != other) {
        ag_strbuf_append(out, " as ");
        ag_list_name(out, &ag_names_min_precision, (uint32_t)other);
    }
    ag_strbuf_append_char(out, '}');
}

void ag_list_operand(struct ag_strbuf *out, const struct agpu_program *program,
                     const struct agpu_operand *operand, char kind, int destination_precision)
{
    const bool immediate =
        operand->type == AGPU_OPERAND_IMMEDIATE32 || operand->type == AGPU_OPERAND_IMMEDIATE64;
    const bool absolute = (operand->modifier & AGPU_MODIFIER_ABSOLUTE) != 0;
    if (operand->modifier & AGPU_MODIFIER_NEGATE)
        ag_strbuf_append_char(out, '-');
    if (absolute)
        ag_strbuf_append_char(out, '|');
    if (immediate) {
        list_immediate(out, operand, kind);
    } else {
        list_register(out, program, operand);
        list_components(out, operand);
    }
    if (!immediate || operand->min_precision != 0)
        list_precision(out, operand, destination_precision);
    if (absolute)
        ag_strbuf_append_char(out, '|');
    if (operand->non_uniform)
        ag_strbuf_append(out, " { nonuniform }");
}

static void list_bound(struct ag_strbuf *out, uint64_t bound)
{
    if (bound == UINT32_MAX)
        ag_strbuf_append_char(out, '*');
    else
        ag_strbuf_printf(out, "%" PRIu64, bound);
}

void ag_list_declared_operand(struct ag_strbuf *out, const struct agpu_program *program,
                              const struct agpu_instruction *declaration)
{
    const struct agpu_operand *operand = &declaration->operands[0];
    const struct ag_operand_info *info = ag_operand_info(operand->type);
    if (operand->type == AGPU_OPERAND_CONSTANT_BUFFER && !ag_program_is_5_1(program)) {
        /* The compiler writes declarations in capital letters since version 10. */
        ag_strbuf_printf(out, "CB%" PRIu64 "[%" PRIu64 "]", operand->index[0].immediate,
                         operand->index[1].immediate);
        return;
    }
    if (info->by_id && ag_program_is_5_1(program)) {
        list_register_name(out, program, operand->type);
        ag_strbuf_printf(out, "%" PRIu64 "[", operand->index[0].immediate);
        list_bound(out, operand->index[1].immediate);
        ag_strbuf_append_char(out, ':');
        list_bound(out, operand->index[2].immediate);
        ag_strbuf_append_char(out, ']');
        if (operand->type == AGPU_OPERAND_CONSTANT_BUFFER)
            ag_strbuf_printf(out, "[%" PRIu32 "]", declaration->data[0]);
        return;
    }
    list_register(out, program, operand);
    if (!info->by_id)
        list_components(out, operand);
    list_precision(out, operand, -1);
}
