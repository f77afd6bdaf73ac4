/* SPDX-License-Identifier: MIT
 *
 * Reads declarations, by the table in declaration.c.
 */
#include <ctype.h>
#include <string.h>

#include "dxbc/asm.h"
#include "dxbc/declaration.h"

#define PACKED_TYPE_BITS 4

/* ---- Suffixes ----------------------------------------------------------------------------------------- */

static bool bad_suffix(const struct ag_asm *assembler, const char *suffix, size_t length)
{
    return ag_asm_error_at(assembler, (size_t)(suffix - assembler->text), AGPU_DIAG_DXBC_NAME,
                           "'%.*s' does not belong to this declaration", length > 32 ? 32 : (int)length,
                           suffix);
}

/* Reads "_texture2d" from the suffix, and the sample count "(4)" behind the mnemonic. */
static bool read_dimension(struct ag_asm *assembler, const char **suffix, size_t *length,
                           struct agpu_instruction *declaration)
{
    size_t word = 1;
    while (word < *length && (*suffix)[word] != '_')
        word++;
    uint32_t dimension;
    if (*length == 0 || !ag_value_of(&ag_names_dimension, *suffix + 1, word - 1, &dimension)) {
        assembler->at = (size_t)(*suffix - assembler->text);
        return ag_asm_expected(assembler, "a resource dimension such as _texture2d");
    }
    *suffix += word;
    *length -= word;
    declaration->controls |= dimension;
    if (dimension != AGPU_DIMENSION_TEXTURE2DMS && dimension != AGPU_DIMENSION_TEXTURE2DMSARRAY)
        return true;
    uint32_t samples = 0;
    if (ag_asm_peek(assembler) == '(') {
        assembler->at++;
        if (!ag_asm_number(assembler, &samples) || !ag_asm_expect(assembler, ")"))
            return false;
    }
    if (samples > 0x7f)
        return ag_asm_error(assembler, AGPU_DIAG_DXBC_VALUE, "a sample count of %u is out of range", samples);
    declaration->controls |= samples << 5;
    return true;
}

static bool read_uav_flags(struct ag_asm *assembler, const char *suffix, size_t length,
                           struct agpu_instruction *declaration)
{
    static const struct {
        const char *word;
        uint32_t control;
    } flags[] = {
        {"_glc", AG_CONTROL_GLOBALLY_COHERENT },
        {"_rov", AG_CONTROL_RASTERIZER_ORDERED},
        {"_opc", AG_CONTROL_HAS_COUNTER       },
    };
    while (length != 0) {
        uint32_t control = 0;
        for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
            if (length >= 4 && memcmp(suffix, flags[i].word, 4) == 0)
                control = flags[i].control;
        if (control == 0)
            return bad_suffix(assembler, suffix, length);
        declaration->controls |= control;
        suffix += 4;
        length -= 4;
    }
    return true;
}

static bool read_suffix(struct ag_asm *assembler, enum ag_declaration_suffix kind, const char *suffix,
                        size_t length, struct agpu_instruction *declaration)
{
    static const char dynamic[] = "_dynamicindexed";
    switch (kind) {
    case AG_SUFFIX_NONE:
        break;
    case AG_SUFFIX_DIMENSION:
        if (!read_dimension(assembler, &suffix, &length, declaration))
            return false;
        break;
    case AG_SUFFIX_DIMENSION_UAV:
        return read_dimension(assembler, &suffix, &length, declaration) &&
               read_uav_flags(assembler, suffix, length, declaration);
    case AG_SUFFIX_UAV:
        return read_uav_flags(assembler, suffix, length, declaration);
    case AG_SUFFIX_DYNAMIC:
        if (length == sizeof dynamic - 1 && memcmp(suffix, dynamic, length) == 0) {
            declaration->controls |= 1;
            return true;
        }
        break;
    }
    return length == 0 || bad_suffix(assembler, suffix, length);
}

/* ---- Fields ------------------------------------------------------------------------------------------- */

static bool put(struct ag_asm *assembler, uint32_t index, uint32_t value)
{
    while (assembler->data.count <= index)
        if (!ag_vec_push(&assembler->data, 0))
            return ag_asm_no_memory(assembler);
    assembler->data.data[index] = value;
    return true;
}

bool ag_asm_return_types(struct ag_asm *assembler, uint8_t types[4])
{
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t type;
        if (!ag_asm_expect(assembler, i == 0 ? "(" : ",") ||
            !ag_asm_name(assembler, &ag_names_return_type, &type))
            return false;
        types[i] = type & 0xf;
    }
    return ag_asm_expect(assembler, ")");
}

static bool read_packed_return_types(struct ag_asm *assembler)
{
    uint8_t types[4];
    if (!ag_asm_return_types(assembler, types))
        return false;
    uint32_t packed = 0;
    for (uint32_t i = 0; i < 4; i++)
        packed |= (uint32_t)types[i] << (PACKED_TYPE_BITS * i);
    return put(assembler, 0, packed);
}

static bool read_global_flags(struct ag_asm *assembler, struct agpu_instruction *declaration)
{
    do {
        ag_asm_skip_blanks(assembler);
        const bool number = isdigit((unsigned char)ag_asm_peek(assembler));
        uint32_t value;
        if (!ag_asm_name(assembler, &ag_names_global_flag, &value))
            return false;
        declaration->controls |= number ? value : UINT32_C(1) << value;
    } while (ag_asm_accept(assembler, "|"));
    return true;
}

/* Reads a list of function bodies or tables: "fb0, fb2" or "ft0, ft1". */
static bool read_entries(struct ag_asm *assembler, struct agpu_instruction *declaration)
{
    const bool bodies = declaration->opcode == AGPU_OP_DCL_FUNCTION_TABLE;
    const uint32_t first = ag_declaration_info(declaration->opcode).dwords;
    uint32_t count = 0;
    ag_asm_skip_blanks(assembler);
    if (ag_asm_peek(assembler) != '}') {
        do {
            uint32_t entry;
            if (!ag_asm_expect(assembler, bodies ? "fb" : "ft") || !ag_asm_number(assembler, &entry) ||
                !put(assembler, first + count, entry))
                return false;
            count++;
        } while (ag_asm_accept(assembler, ","));
    }
    if (bodies)
        return put(assembler, 1, count);
    const uint32_t array = assembler->data.count > 2 ? assembler->data.data[2] & 0xffff0000 : 0;
    return put(assembler, 2, array | (count & 0xffff));
}

static bool read_space(struct ag_asm *assembler, struct agpu_instruction *declaration)
{
    if (!ag_program_is_5_1(&assembler->program))
        return true;
    const struct ag_declaration_info info = ag_declaration_info(declaration->opcode);
    uint32_t space;
    return ag_asm_expect(assembler, ",") && ag_asm_expect(assembler, "space=") &&
           ag_asm_number(assembler, &space) &&
           put(assembler, (uint32_t)info.dwords + info.extra_dwords - 1u, space);
}

static bool read_number(struct ag_asm *assembler, uint32_t index, uint32_t shift)
{
    uint32_t value;
    if (!ag_asm_number(assembler, &value))
        return false;
    return put(assembler, index, value << shift);
}

static bool read_control(struct ag_asm *assembler, char letter, struct agpu_instruction *declaration)
{
    uint32_t value;
    if (letter == 'N' ? !ag_asm_number(assembler, &value)
                      : !ag_asm_name(assembler, ag_control_field(letter), &value))
        return false;
    declaration->controls |= value & 0x1fff;
    return true;
}

static bool read_field(struct ag_asm *assembler, char letter, struct agpu_instruction *declaration,
                       struct agpu_operand *operand)
{
    uint32_t value;
    bool is_integer;
    switch (letter) {
    case 'o':
        return ag_asm_operand(assembler, AG_ASM_DECLARED, 'b', operand);
    case '0':
    case '1':
    case '2':
        return read_number(assembler, (uint32_t)(letter - '0'), 0);
    case 'h':
        return read_number(assembler, 2, 16);
    case 'n':
        return ag_asm_name(assembler, &ag_names_system_name, &value) && put(assembler, 0, value);
    case 'f':
        return ag_asm_bits(assembler, &value, &is_integer) && put(assembler, 0, value);
    case 'r':
        return read_packed_return_types(assembler);
    case 's':
        return read_space(assembler, declaration);
    case 'L':
        return read_entries(assembler, declaration);
    case 'g':
        return read_global_flags(assembler, declaration);
    default:
        return read_control(assembler, letter, declaration);
    }
}

/* Old listings omit the interpolation of system-generated values, which is always constant. */
static bool skips_interpolation(struct ag_asm *assembler, char letter,
                                const struct agpu_instruction *declaration)
{
    ag_asm_skip_blanks(assembler);
    return letter == 'i' && declaration->opcode == AGPU_OP_DCL_INPUT_PS_SGV && ag_asm_peek(assembler) == 'v';
}

bool ag_asm_declaration(struct ag_asm *assembler, const char *suffix, size_t suffix_length,
                        struct agpu_instruction *declaration, struct agpu_operand *operand)
{
    const struct ag_declaration_info info = ag_declaration_info(declaration->opcode);
    assembler->data.count = 0;
    if (!read_suffix(assembler, (enum ag_declaration_suffix)info.suffix, suffix, suffix_length, declaration))
        return false;
    for (const char *c = info.syntax; c != NULL && *c != '\0'; c++) {
        char literal[2] = {*c, '\0'};
        if (*c == ' ')
            continue;
        if (*c != '%') {
            if (!ag_asm_expect(assembler, literal))
                return false;
        } else if (skips_interpolation(assembler, *++c, declaration)) {
            declaration->controls |= AGPU_INTERPOLATE_CONSTANT;
        } else if (!read_field(assembler, *c, declaration, operand)) {
            return false;
        }
    }
    declaration->data = assembler->data.data;
    declaration->data_count = (uint32_t)assembler->data.count;
    return true;
}
