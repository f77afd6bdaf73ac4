/* SPDX-License-Identifier: MIT
 *
 * Reads instructions: mnemonic, suffixes, texel offsets and operands.
 */
#include <ctype.h>
#include <string.h>

#include "dxbc/asm.h"
#include "dxbc/program.h"

#define ROW_DWORDS 4

/* ---- Mnemonics ---------------------------------------------------------------------------------------- */

/* Finds the opcode of a mnemonic: the longest that equals `word`, or that `word` begins with before a '_'. */
static uint32_t find_opcode(const char *word, size_t length, size_t *used)
{
    uint32_t best = AGPU_OPCODE_LIMIT;
    *used = 0;
    for (uint32_t opcode = 0; opcode < AGPU_OPCODE_LIMIT; opcode++) {
        const struct agpu_opcode_info *info = agpu_opcode_info(opcode);
        const size_t size = info == NULL ? 0 : strlen(info->mnemonic);
        if (size > *used && size <= length && memcmp(word, info->mnemonic, size) == 0 &&
            (size == length || word[size] == '_')) {
            best = opcode;
            *used = size;
        }
    }
    return best;
}

static bool is_word(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && memcmp(text, word, length) == 0;
}

static bool apply_test(const struct agpu_opcode_info *info, const char *word, size_t length,
                       struct agpu_instruction *instruction)
{
    if ((info->flags & AGPU_OPF_TEST) == 0)
        return false;
    if (is_word(word, length, "nz"))
        instruction->controls |= AG_CONTROL_TEST_NONZERO;
    return is_word(word, length, "nz") || is_word(word, length, "z");
}

/* For `sync`, "_sat" is the third flag: the compiler's listing prints one bit in both ways. */
static bool apply_sync(const char *word, size_t length, struct agpu_instruction *instruction)
{
    uint32_t bit;
    if (instruction->opcode != AGPU_OP_SYNC)
        return false;
    if (is_word(word, length, "sat"))
        bit = 2;
    else if (!ag_value_of(&ag_names_sync_flag, word, length, &bit))
        return false;
    instruction->controls |= UINT32_C(1) << bit;
    return true;
}

static bool apply_result_type(const char *word, size_t length, struct agpu_instruction *instruction)
{
    uint32_t type;
    if (instruction->opcode == AGPU_OP_SAMPLEINFO && is_word(word, length, "uint"))
        type = 1;
    else if (instruction->opcode != AGPU_OP_RESINFO ||
             !ag_value_of(&ag_names_resinfo_type, word, length, &type))
        return false;
    instruction->controls |= type;
    return true;
}

static bool apply_suffix(const struct agpu_opcode_info *info, const char *word, size_t length,
                         struct agpu_instruction *instruction)
{
    if ((info->flags & AGPU_OPF_SATURATE) && is_word(word, length, "sat")) {
        instruction->controls |= AG_CONTROL_SATURATE;
        return true;
    }
    if ((info->flags & AGPU_OPF_OFFSETS) && is_word(word, length, "aoffimmi")) {
        instruction->has_offsets = true;
        return true;
    }
    if ((info->flags & AGPU_OPF_EXTENDED) && is_word(word, length, "indexable")) {
        instruction->has_dimension = true;
        return true;
    }
    return apply_test(info, word, length, instruction) || apply_sync(word, length, instruction) ||
           apply_result_type(word, length, instruction);
}

static bool read_suffixes(struct ag_asm *assembler, const struct agpu_opcode_info *info, const char *suffix,
                          size_t length, struct agpu_instruction *instruction)
{
    while (length != 0) {
        size_t word = 1;
        while (word < length && suffix[word] != '_')
            word++;
        if (!apply_suffix(info, suffix + 1, word - 1, instruction))
            return ag_asm_error_at(assembler, (size_t)(suffix - assembler->text), AGPU_DIAG_DXBC_NAME,
                                   "'%.*s' does not belong to %s", word > 32 ? 32 : (int)word, suffix,
                                   info->mnemonic);
        suffix += word;
        length -= word;
    }
    return true;
}

/* ---- Between mnemonic and operands -------------------------------------------------------------------- */

static bool read_precise(struct ag_asm *assembler, struct agpu_instruction *instruction)
{
    if (!ag_asm_accept(assembler, "[precise"))
        return true;
    uint32_t mask = 0xf;
    if (ag_asm_accept(assembler, "(")) {
        mask = 0;
        for (const char *letters = "xyzw";;) {
            const char c = ag_asm_peek(assembler);
            const char *found = c == '\0' ? NULL : strchr(letters, c);
            if (found == NULL)
                break;
            mask |= 1u << (found - letters);
            assembler->at++;
        }
        if (mask == 0)
            return ag_asm_expected(assembler, "components");
        if (!ag_asm_expect(assembler, ")"))
            return false;
    }
    instruction->controls |= mask << AG_CONTROL_PRECISE_SHIFT;
    return ag_asm_expect(assembler, "]");
}

static bool read_offsets(struct ag_asm *assembler, struct agpu_instruction *instruction)
{
    for (uint32_t i = 0; i < 3; i++) {
        int32_t offset;
        if (!ag_asm_expect(assembler, i == 0 ? "(" : ",") || !ag_asm_signed(assembler, -8, 7, &offset))
            return false;
        instruction->offsets[i] = (int8_t)offset;
    }
    instruction->has_offsets = true;
    return ag_asm_expect(assembler, ")");
}

static bool read_dimension(struct ag_asm *assembler, struct agpu_instruction *instruction)
{
    uint32_t dimension, stride = 0;
    if (!ag_asm_expect(assembler, "(") || !ag_asm_name(assembler, &ag_names_dimension, &dimension))
        return false;
    if (ag_asm_accept(assembler, ",") &&
        (!ag_asm_expect(assembler, "stride=") || !ag_asm_number(assembler, &stride)))
        return false;
    if (stride > 0xfff)
        return ag_asm_error(assembler, AGPU_DIAG_DXBC_VALUE, "a stride of %u bytes is out of range", stride);
    instruction->dimension = dimension & 0x1f;
    instruction->structure_stride = (uint16_t)stride;
    return ag_asm_expect(assembler, ")") && ag_asm_return_types(assembler, instruction->return_type);
}

/* Old listings write texel offsets without "_aoffimmi"; the content of the parentheses decides what they
 * are. */
static bool read_parentheses(struct ag_asm *assembler, const struct agpu_opcode_info *info,
                             struct agpu_instruction *instruction)
{
    const char after = assembler->at + 1 < assembler->length ? assembler->text[assembler->at + 1] : '\0';
    const bool numbers = ag_asm_peek(assembler) == '(' && (after == '-' || isdigit((unsigned char)after));
    if (instruction->has_offsets || (numbers && (info->flags & AGPU_OPF_OFFSETS)))
        if (!read_offsets(assembler, instruction))
            return false;
    return !instruction->has_dimension || read_dimension(assembler, instruction);
}

/* Reads "_uint" behind the last parenthesis. */
static bool read_late_suffix(struct ag_asm *assembler, const struct agpu_opcode_info *info,
                             struct agpu_instruction *instruction)
{
    if (ag_asm_peek(assembler) != '_')
        return true;
    const char *word;
    const size_t length = ag_asm_word(assembler, &word);
    return read_suffixes(assembler, info, word, length, instruction);
}

static void put_extended(struct agpu_instruction *instruction)
{
    uint32_t *extended = instruction->extended;
    uint8_t count = 0;
    if (instruction->has_offsets) {
        uint32_t token = AG_EXTENDED_OPCODE_SAMPLE_CONTROLS;
        for (uint32_t i = 0; i < 3; i++)
            token |= ((uint32_t)instruction->offsets[i] & 0xf) << (9 + 4 * i);
        extended[count++] = token;
    }
    if (instruction->has_dimension) {
        uint32_t types = AG_EXTENDED_OPCODE_RETURN_TYPE;
        for (uint32_t i = 0; i < 4; i++)
            types |= (uint32_t)instruction->return_type[i] << (6 + 4 * i);
        extended[count++] = AG_EXTENDED_OPCODE_DIMENSION | (uint32_t)instruction->dimension << 6 |
                            (uint32_t)instruction->structure_stride << 11;
        extended[count++] = types;
    }
    for (uint8_t i = 0; i + 1 < count; i++)
        extended[i] |= AG_TOKEN_EXTENDED;
    instruction->extended_count = count;
}

/* ---- Operands ----------------------------------------------------------------------------------------- */

static bool read_operands(struct ag_asm *assembler, const struct agpu_opcode_info *info,
                          struct agpu_instruction *instruction, struct agpu_operand *operands)
{
    for (uint32_t i = 0; i < info->operand_count; i++) {
        const bool destination = i < info->destination_count;
        if (i != 0 && !ag_asm_expect(assembler, ","))
            return false;
        if (!ag_asm_operand(assembler, destination ? AG_ASM_DESTINATION : AG_ASM_SOURCE,
                            info->operands[3 * i + 1], &operands[i]))
            return false;
    }
    if (instruction->opcode != AGPU_OP_FCALL)
        return true;
    uint32_t call_site;
    if (!ag_asm_expect(assembler, "[") || !ag_asm_number(assembler, &call_site) ||
        !ag_asm_expect(assembler, "]"))
        return false;
    if (!ag_vec_push(&assembler->data, call_site))
        return ag_asm_no_memory(assembler);
    instruction->data = assembler->data.data;
    instruction->data_count = 1;
    return true;
}

/* Reads dwords that follow the operands, " [stray 0x00000000]"; they are appended to `data`. */
static bool read_stray(struct ag_asm *assembler, struct agpu_instruction *instruction)
{
    if (!ag_asm_accept(assembler, "[stray"))
        return true;
    const size_t first = assembler->data.count;
    do {
        uint32_t value;
        if (!ag_asm_number(assembler, &value))
            return false;
        if (!ag_vec_push(&assembler->data, value))
            return ag_asm_no_memory(assembler);
    } while (ag_asm_accept(assembler, ","));
    instruction->data = assembler->data.data;
    instruction->stray = assembler->data.data + first;
    instruction->stray_count = (uint32_t)(assembler->data.count - first);
    return ag_asm_expect(assembler, "]");
}

/* Function tables and interfaces need the long form if their length does not fit the short form. */
static void choose_length_form(struct agpu_instruction *instruction)
{
    const bool linkage =
        instruction->opcode == AGPU_OP_DCL_FUNCTION_TABLE || instruction->opcode == AGPU_OP_DCL_INTERFACE;
    if (linkage && instruction->data_count + 1 > AG_OPCODE_LENGTH_MASK)
        instruction->extended_count = 1;
}

static bool read_instruction(struct ag_asm *assembler, const struct agpu_opcode_info *info,
                             const char *suffix, size_t suffix_length, struct agpu_instruction *instruction,
                             struct agpu_operand *operands)
{
    if (info->flags & AGPU_OPF_DECLARATION)
        return ag_asm_declaration(assembler, suffix, suffix_length, instruction, operands);
    if (!read_suffixes(assembler, info, suffix, suffix_length, instruction))
        return false;
    if ((info->flags & AGPU_OPF_TEST) && suffix_length == 0)
        return ag_asm_error(assembler, AGPU_DIAG_DXBC_SYNTAX, "expected '_nz' or '_z' behind %s",
                            info->mnemonic);
    if (!read_precise(assembler, instruction) || !read_parentheses(assembler, info, instruction) ||
        !read_late_suffix(assembler, info, instruction))
        return false;
    put_extended(instruction);
    return read_operands(assembler, info, instruction, operands);
}

/* ---- Data --------------------------------------------------------------------------------------------- */

static bool encode_custom_data(struct ag_asm *assembler, uint32_t class)
{
    const struct agpu_instruction instruction = {
        .opcode = AGPU_OP_CUSTOMDATA,
        .controls = class,
        .data = assembler->data.data,
        .data_count = (uint32_t)assembler->data.count,
    };
    ag_instruction_encode(&assembler->writer, &instruction);
    return true;
}

static bool read_row(struct ag_asm *assembler)
{
    for (uint32_t i = 0; i < ROW_DWORDS; i++) {
        uint32_t bits;
        bool is_integer;
        if (!ag_asm_expect(assembler, i == 0 ? "{" : ",") || !ag_asm_bits(assembler, &bits, &is_integer))
            return false;
        if (!ag_vec_push(&assembler->data, bits))
            return ag_asm_no_memory(assembler);
    }
    return ag_asm_expect(assembler, "}");
}

/* Reads the rows of an immediate constant buffer. */
static bool read_constant_buffer(struct ag_asm *assembler)
{
    assembler->data.count = 0;
    if (!ag_asm_expect(assembler, "{"))
        return false;
    do {
        ag_asm_skip_lines(assembler);
        if (!read_row(assembler))
            return false;
    } while (ag_asm_accept(assembler, ","));
    ag_asm_skip_lines(assembler);
    return ag_asm_expect(assembler, "}") &&
           encode_custom_data(assembler, AGPU_CUSTOM_IMMEDIATE_CONSTANT_BUFFER);
}

bool ag_asm_custom_data(struct ag_asm *assembler)
{
    uint32_t class, value;
    assembler->data.count = 0;
    if (!ag_asm_number(assembler, &class))
        return false;
    while (ag_asm_accept(assembler, ",")) {
        if (!ag_asm_number(assembler, &value))
            return false;
        if (!ag_vec_push(&assembler->data, value))
            return ag_asm_no_memory(assembler);
    }
    return encode_custom_data(assembler, class);
}

bool ag_asm_tokens(struct ag_asm *assembler)
{
    do {
        uint32_t token;
        if (!ag_asm_number(assembler, &token))
            return false;
        ag_token_put(&assembler->writer, token);
    } while (ag_asm_accept(assembler, ","));
    return true;
}

/* ---- Statements --------------------------------------------------------------------------------------- */

static bool read_mnemonic(struct ag_asm *assembler, const char **suffix, size_t *suffix_length,
                          uint32_t *opcode)
{
    const char *word;
    const size_t length = ag_asm_word(assembler, &word);
    if (length == 0)
        return ag_asm_expected(assembler, "an instruction");
    size_t used;
    *opcode = find_opcode(word, length, &used);
    if (*opcode == AGPU_OPCODE_LIMIT || *opcode == AGPU_OP_CUSTOMDATA)
        return ag_asm_error_at(assembler, (size_t)(word - assembler->text), AGPU_DIAG_DXBC_NAME,
                               "there is no instruction '%.*s'", length > 48 ? 48 : (int)length, word);
    *suffix = word + used;
    *suffix_length = length - used;
    const struct agpu_program *program = &assembler->program;
    return ag_opcode_is_available(agpu_opcode_info(*opcode), program) ||
           ag_asm_error_at(assembler, (size_t)(word - assembler->text), AGPU_DIAG_DXBC_MODEL,
                           "there is no %.*s in %s_%u_%u", (int)used, word, agpu_stage_name(program->stage),
                           program->major, program->minor);
}

bool ag_asm_statement(struct ag_asm *assembler)
{
    struct agpu_operand operands[AGPU_MAX_OPERANDS] = {0};
    struct agpu_instruction instruction = {0};
    if (ag_asm_accept(assembler, "dcl_immediateConstantBuffer"))
        return read_constant_buffer(assembler);
    ag_arena_reset(&assembler->scratch);
    assembler->data.count = 0;
    const char *suffix = NULL;
    size_t suffix_length = 0;
    uint32_t opcode = 0;
    const size_t start = assembler->at;
    if (!read_mnemonic(assembler, &suffix, &suffix_length, &opcode))
        return false;
    const struct agpu_opcode_info *info = agpu_opcode_info(opcode);
    instruction.opcode = (uint16_t)opcode;
    instruction.operands = operands;
    instruction.operand_count = info->operand_count;
    if (!read_instruction(assembler, info, suffix, suffix_length, &instruction, operands) ||
        !read_stray(assembler, &instruction))
        return false;
    choose_length_form(&instruction);
    ag_instruction_encode(&assembler->writer, &instruction);
    if (assembler->writer.too_long)
        return ag_asm_error_at(assembler, start, AGPU_DIAG_DXBC_LIMIT,
                               "the instruction is longer than %u dwords", AG_OPCODE_LENGTH_MASK);
    return !assembler->writer.failed || ag_asm_no_memory(assembler);
}
