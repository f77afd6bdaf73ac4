/* SPDX-License-Identifier: MIT
 *
 * Reads operands.
 */
#include <ctype.h>
#include <string.h>

#include "dxbc/asm.h"
#include "dxbc/declaration.h"
#include "dxbc/operand_info.h"
#include "dxbc/program.h"

/* ---- Immediates --------------------------------------------------------------------------------------- */

static void warn_integer_in_float(const struct ag_asm *assembler, uint32_t bits)
{
    ag_report(assembler->sink, AGPU_DIAG_DXBC_VALUE, AGPU_WARNING,
              ag_place_text(assembler->line, (uint32_t)(assembler->at - assembler->line_start) + 1),
              "%u is taken as the bits of a float; write %u.0 for the number", bits, bits);
}

static bool read_immediate32(struct ag_asm *assembler, char kind, struct agpu_operand *operand)
{
    uint8_t count = 0;
    do {
        bool is_integer;
        if (count == 4)
            return ag_asm_expected(assembler, "one or four values");
        if (!ag_asm_bits(assembler, &operand->immediate[count], &is_integer))
            return false;
        if (kind == 'f' && is_integer && operand->immediate[count] != 0)
            warn_integer_in_float(assembler, operand->immediate[count]);
        count++;
    } while (ag_asm_accept(assembler, ","));
    if (count != 1 && count != 4)
        return ag_asm_error(assembler, AGPU_DIAG_DXBC_SYNTAX, "expected one or four values, found %u", count);
    operand->component_count = count;
    return ag_asm_expect(assembler, ")");
}

static bool read_immediate64(struct ag_asm *assembler, struct agpu_operand *operand)
{
    uint8_t count = 0;
    do {
        uint64_t bits;
        if (count == 2)
            return ag_asm_expected(assembler, "one or two values");
        if (!ag_asm_double_bits(assembler, &bits))
            return false;
        operand->immediate[(size_t)2 * count] = (uint32_t)bits;
        operand->immediate[(size_t)2 * count + 1] = (uint32_t)(bits >> 32);
        count++;
    } while (ag_asm_accept(assembler, ","));
    operand->component_count = count == 1 ? 1 : 4;
    return ag_asm_expect(assembler, ")");
}

/* ---- Registers ---------------------------------------------------------------------------------------- */

static bool name_matches(const struct ag_operand_info *info, const char *name, size_t length)
{
    if (info->text == NULL || strlen(info->text) != length)
        return false;
    for (size_t i = 0; i < length; i++) {
        const char c = info->by_id ? (char)tolower((unsigned char)name[i]) : name[i];
        if (c != info->text[i])
            return false;
    }
    return true;
}

static bool read_register_file(struct ag_asm *assembler, struct agpu_operand *operand)
{
    ag_asm_skip_blanks(assembler);
    const size_t start = assembler->at;
    while (isalpha((unsigned char)ag_asm_peek(assembler)))
        assembler->at++;
    const size_t length = assembler->at - start;
    if (length == 0)
        return ag_asm_expected(assembler, "an operand");
    for (uint32_t type = 0; type < AGPU_OPERAND_TYPE_COUNT; type++) {
        if (type == AGPU_OPERAND_IMMEDIATE32 || type == AGPU_OPERAND_IMMEDIATE64)
            continue;
        if (name_matches(ag_operand_info(type), assembler->text + start, length)) {
            operand->type = (uint8_t)type;
            return true;
        }
    }
    return ag_asm_error_at(assembler, start, AGPU_DIAG_DXBC_NAME, "there is no register file '%.*s'",
                           length > 32 ? 32 : (int)length, assembler->text + start);
}

static bool push_index(struct ag_asm *assembler, struct agpu_operand *operand, uint32_t immediate,
                       const struct agpu_operand *relative)
{
    if (operand->index_count == 3)
        return ag_asm_expected(assembler, "at most three indices");
    operand->index_representation[operand->index_count] = relative == NULL ? AG_INDEX_IMMEDIATE32
                                                          : immediate == 0 ? AG_INDEX_RELATIVE
                                                                           : AG_INDEX_IMMEDIATE32_RELATIVE;
    operand->index[operand->index_count++] = (struct agpu_operand_index){immediate, relative};
    return true;
}

static bool read_register(struct ag_asm *assembler, enum ag_asm_role role, struct agpu_operand *operand,
                          uint32_t depth);

/* Reads an index, "r1.x + 4" or "4". */
static bool read_index(struct ag_asm *assembler, struct agpu_operand *operand, uint32_t depth)
{
    uint32_t immediate = 0;
    struct agpu_operand *relative = NULL;
    ag_asm_skip_blanks(assembler);
    if (!isdigit((unsigned char)ag_asm_peek(assembler))) {
        if (depth >= AG_MAX_RELATIVE_DEPTH)
            return ag_asm_expected(assembler, "a number, indices are nested too deeply");
        relative = AG_ARENA_NEW(&assembler->scratch, struct agpu_operand);
        if (relative == NULL)
            return ag_asm_no_memory(assembler);
        if (!read_register(assembler, AG_ASM_SOURCE, relative, depth + 1))
            return false;
        if (ag_asm_accept(assembler, "+") && !ag_asm_number(assembler, &immediate))
            return false;
    } else if (!ag_asm_number(assembler, &immediate)) {
        return false;
    }
    return push_index(assembler, operand, immediate, relative);
}

static bool read_bound(struct ag_asm *assembler, struct agpu_operand *operand)
{
    uint32_t bound = UINT32_MAX;
    if (!ag_asm_accept(assembler, "*") && !ag_asm_number(assembler, &bound))
        return false;
    return push_index(assembler, operand, bound, NULL);
}

/* Reads a declared range, "[0:3]", and behind it the size of a constant buffer, "[12]". */
static bool read_declared_range(struct ag_asm *assembler, struct agpu_operand *operand)
{
    if (!ag_asm_expect(assembler, "[") || !read_bound(assembler, operand) || !ag_asm_expect(assembler, ":") ||
        !read_bound(assembler, operand) || !ag_asm_expect(assembler, "]"))
        return false;
    if (operand->type != AGPU_OPERAND_CONSTANT_BUFFER)
        return true;
    uint32_t count;
    if (!ag_asm_expect(assembler, "[") || !ag_asm_number(assembler, &count))
        return false;
    if (!ag_vec_push(&assembler->data, count))
        return ag_asm_no_memory(assembler);
    return ag_asm_expect(assembler, "]");
}

static bool read_indices(struct ag_asm *assembler, enum ag_asm_role role, struct agpu_operand *operand,
                         uint32_t depth)
{
    const bool by_id = ag_operand_info(operand->type)->by_id && ag_program_is_5_1(&assembler->program);
    if (isdigit((unsigned char)ag_asm_peek(assembler))) {
        uint32_t number;
        if (!ag_asm_register_number(assembler, &number))
            return false;
        if (!push_index(assembler, operand, number, NULL))
            return false;
    }
    if (role == AG_ASM_DECLARED && by_id)
        return read_declared_range(assembler, operand);
    const uint32_t most = operand->type == AGPU_OPERAND_INTERFACE ? 2 : 3;
    while (operand->index_count < most && ag_asm_peek(assembler) == '[') {
        assembler->at++;
        if (!read_index(assembler, operand, depth) || !ag_asm_expect(assembler, "]"))
            return false;
    }
    return true;
}

static bool check_indices(struct ag_asm *assembler, enum ag_asm_role role, size_t start,
                          const struct agpu_operand *operand)
{
    uint32_t least, most;
    ag_operand_index_range(&assembler->program, role == AG_ASM_DECLARED, operand->type, &least, &most);
    if (operand->index_count >= least && operand->index_count <= most)
        return true;
    return ag_asm_error_at(assembler, start, AGPU_DIAG_DXBC_OPERAND, "a %s register has %u %s, not %u",
                           ag_operand_info(operand->type)->text, least, least == 1 ? "index" : "indices",
                           operand->index_count);
}

/* ---- Components --------------------------------------------------------------------------------------- */

static int component_number(char c)
{
    const char *letters = "xyzw";
    const char *found = c == '\0' ? NULL : strchr(letters, c);
    return found == NULL ? -1 : (int)(found - letters);
}

static bool read_mask(struct ag_asm *assembler, struct agpu_operand *operand)
{
    int previous = -1;
    for (int c = component_number(ag_asm_peek(assembler)); c >= 0;
         c = component_number(ag_asm_peek(assembler))) {
        if (c <= previous)
            return ag_asm_expected(assembler, "the components of a mask in the order xyzw");
        operand->mask |= (uint8_t)(1u << c);
        previous = c;
        assembler->at++;
    }
    operand->selection = AGPU_SELECT_MASK;
    return operand->mask != 0 || ag_asm_expected(assembler, "a component mask");
}

static bool read_swizzle(struct ag_asm *assembler, struct agpu_operand *operand)
{
    uint32_t count = 0;
    for (int c = component_number(ag_asm_peek(assembler)); c >= 0 && count < 4;
         c = component_number(ag_asm_peek(assembler))) {
        operand->swizzle[count++] = (uint8_t)c;
        assembler->at++;
    }
    if (count != 1 && count != 4)
        return ag_asm_expected(assembler, "one or four components");
    operand->selection = count == 1 ? AGPU_SELECT_ONE : AGPU_SELECT_SWIZZLE;
    if (count == 1)
        memset(operand->swizzle, operand->swizzle[0], sizeof operand->swizzle);
    return true;
}

/* The components of an operand written without letters. Most operand types then have no components. Declared
 * constant buffers, and in 5.1 all operands with an id, have the identity swizzle. */
static bool default_components(struct ag_asm *assembler, enum ag_asm_role role, struct agpu_operand *operand)
{
    const struct ag_operand_info *info = ag_operand_info(operand->type);
    if (role == AG_ASM_DECLARED) {
        operand->component_count = info->declared_count;
        if (operand->type == AGPU_OPERAND_CONSTANT_BUFFER ||
            (info->by_id && ag_program_is_5_1(&assembler->program))) {
            operand->component_count = 4;
            operand->selection = AGPU_SELECT_SWIZZLE;
        }
        return true;
    }
    if (info->used_count == 4 && operand->type != AGPU_OPERAND_UNORDERED_ACCESS_VIEW &&
        operand->type != AGPU_OPERAND_THREAD_GROUP_SHARED_MEMORY)
        return ag_asm_expected(assembler, role == AG_ASM_DESTINATION ? "'.' and a component mask"
                                                                     : "'.' and one or four components");
    operand->component_count = info->used_count == 1;
    return true;
}

static bool read_components(struct ag_asm *assembler, enum ag_asm_role role, struct agpu_operand *operand)
{
    for (uint8_t i = 0; i < 4; i++)
        operand->swizzle[i] = i;
    if (ag_asm_peek(assembler) != '.')
        return default_components(assembler, role, operand);
    assembler->at++;
    operand->component_count = 4;
    return role == AG_ASM_SOURCE ? read_swizzle(assembler, operand) : read_mask(assembler, operand);
}

static bool read_register(struct ag_asm *assembler, enum ag_asm_role role, struct agpu_operand *operand,
                          uint32_t depth)
{
    ag_asm_skip_blanks(assembler);
    const size_t start = assembler->at;
    return read_register_file(assembler, operand) && read_indices(assembler, role, operand, depth) &&
           check_indices(assembler, role, start, operand) && read_components(assembler, role, operand);
}

/* ---- Whole operands ----------------------------------------------------------------------------------- */

/* Reads annotations: "{min16f}", "{def32 as min16f}", "{ nonuniform }". */
static bool read_annotations(struct ag_asm *assembler, struct agpu_operand *operand)
{
    while (ag_asm_accept(assembler, "{")) {
        if (ag_asm_accept(assembler, "nonuniform")) {
            operand->non_uniform = true;
        } else {
            uint32_t own, shown;
            if (!ag_asm_name(assembler, &ag_names_min_precision, &own))
                return false;
            if (ag_asm_accept(assembler, "as") && !ag_asm_name(assembler, &ag_names_min_precision, &shown))
                return false;
            operand->min_precision = own & 7;
        }
        if (!ag_asm_expect(assembler, "}"))
            return false;
    }
    return true;
}

static bool starts_immediate(const struct ag_asm *assembler, char letter)
{
    return assembler->at + 1 < assembler->length && assembler->text[assembler->at] == letter &&
           assembler->text[assembler->at + 1] == '(';
}

static bool read_value(struct ag_asm *assembler, enum ag_asm_role role, char kind,
                       struct agpu_operand *operand)
{
    ag_asm_skip_blanks(assembler);
    if (role == AG_ASM_SOURCE && starts_immediate(assembler, 'l')) {
        assembler->at += 2;
        operand->type = AGPU_OPERAND_IMMEDIATE32;
        return read_immediate32(assembler, kind, operand);
    }
    if (role == AG_ASM_SOURCE && starts_immediate(assembler, 'd')) {
        assembler->at += 2;
        operand->type = AGPU_OPERAND_IMMEDIATE64;
        return read_immediate64(assembler, operand);
    }
    if (role != AG_ASM_SOURCE && (starts_immediate(assembler, 'l') || starts_immediate(assembler, 'd')))
        return ag_asm_expected(assembler, "a register");
    return read_register(assembler, role, operand, 0);
}

bool ag_asm_operand(struct ag_asm *assembler, enum ag_asm_role role, char kind, struct agpu_operand *operand)
{
    *operand = (struct agpu_operand){0};
    const bool source = role == AG_ASM_SOURCE;
    if (source && ag_asm_accept(assembler, "-"))
        operand->modifier |= AGPU_MODIFIER_NEGATE;
    const bool absolute = source && ag_asm_accept(assembler, "|");
    if (absolute)
        operand->modifier |= AGPU_MODIFIER_ABSOLUTE;
    if (!read_value(assembler, role, kind, operand) || !read_annotations(assembler, operand) ||
        (absolute && !ag_asm_expect(assembler, "|")) || !read_annotations(assembler, operand))
        return false;
    operand->has_extended = operand->modifier != 0 || operand->min_precision != 0 || operand->non_uniform;
    operand->extended = operand->has_extended ? ag_operand_modifier_token(operand) : 0;
    return true;
}
