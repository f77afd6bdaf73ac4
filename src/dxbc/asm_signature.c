/* SPDX-License-Identifier: MIT
 *
 * Reads signature elements (dxbc/signature_text.h).
 */
#include <ctype.h>
#include <string.h>

#include "dxbc/asm.h"
#include "dxbc/operand_info.h"
#include "dxbc/signature.h"
#include "dxbc/signature_text.h"

/* ---- Names -------------------------------------------------------------------------------------------- */

/* Reads a semantic name without quotes; digits at the end are its index. */
static bool read_plain_name(struct ag_asm *assembler, struct agpu_signature_element *element)
{
    const char *word;
    size_t length = ag_asm_word(assembler, &word);
    const size_t whole = length;
    while (length > 0 && isdigit((unsigned char)word[length - 1]))
        length--;
    if (length == 0) {
        assembler->at -= whole;
        return ag_asm_expected(assembler, "a semantic name");
    }
    assembler->at -= whole - length;
    element->semantic_name = ag_arena_strndup(&assembler->names, word, length);
    return element->semantic_name != NULL || ag_asm_no_memory(assembler);
}

static bool read_semantic(struct ag_asm *assembler, struct agpu_signature_element *element)
{
    ag_asm_skip_blanks(assembler);
    if (ag_asm_peek(assembler) == '"' ? !ag_asm_string(assembler, &element->semantic_name)
                                      : !read_plain_name(assembler, element))
        return false;
    if (!isdigit((unsigned char)ag_asm_peek(assembler)))
        return true;
    return ag_asm_register_number(assembler, &element->semantic_index);
}

/* ---- Registers ---------------------------------------------------------------------------------------- */

static bool is_register_file(const char *word, size_t length)
{
    static const char *const files[] = {"v", "o", "vpc"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        if (strlen(files[i]) == length && memcmp(files[i], word, length) == 0)
            return true;
    return false;
}

static bool is_special_register(const char *word, size_t length)
{
    static const uint8_t types[] = {
        AGPU_OPERAND_OUTPUT_DEPTH,
        AGPU_OPERAND_OUTPUT_DEPTH_GREATER_EQUAL,
        AGPU_OPERAND_OUTPUT_DEPTH_LESS_EQUAL,
        AGPU_OPERAND_OUTPUT_COVERAGE_MASK,
        AGPU_OPERAND_OUTPUT_STENCIL_REF,
        AGPU_OPERAND_INPUT_PRIMITIVE_ID,
    };
    for (size_t i = 0; i < sizeof types; i++) {
        const char *text = ag_operand_info(types[i])->text;
        if (strlen(text) == length && memcmp(text, word, length) == 0)
            return true;
    }
    return length == 4 && memcmp(word, "NONE", 4) == 0;
}

static bool read_element_register(struct ag_asm *assembler, struct agpu_signature_element *element)
{
    ag_asm_skip_blanks(assembler);
    const size_t start = assembler->at;
    const char *word = assembler->text + start;
    while (isalpha((unsigned char)ag_asm_peek(assembler)))
        assembler->at++;
    const size_t length = assembler->at - start;
    if (is_register_file(word, length))
        return ag_asm_register_number(assembler, &element->register_index);
    element->register_index = AGPU_REGISTER_NONE;
    if (is_special_register(word, length))
        return true;
    assembler->at = start;
    return ag_asm_expected(assembler, "a register such as v0, o0, vpc0 or oDepth");
}

static bool read_element_mask(struct ag_asm *assembler, struct agpu_signature_element *element)
{
    if (!ag_asm_accept(assembler, "."))
        return true;
    for (const char *letters = "xyzw";;) {
        const char c = ag_asm_peek(assembler);
        const char *found = c == '\0' ? NULL : strchr(letters, c);
        if (found == NULL)
            break;
        element->mask |= (uint8_t)(1u << (found - letters));
        assembler->at++;
    }
    return element->mask != 0 || ag_asm_expected(assembler, "components");
}

/* ---- The rest of the line ----------------------------------------------------------------------------- */

static bool read_mask_value(struct ag_asm *assembler, uint8_t *mask)
{
    uint32_t value;
    if (!ag_asm_number(assembler, &value))
        return false;
    if (value > 0xf)
        return ag_asm_error(assembler, AGPU_DIAG_DXBC_VALUE, "a component mask has four bits");
    *mask = (uint8_t)value;
    return true;
}

static bool read_option(struct ag_asm *assembler, struct agpu_signature_element *element, bool outputs)
{
    if (ag_asm_accept(assembler, outputs ? "unwritten=" : "read="))
        return read_mask_value(assembler, &element->rw_mask);
    if (ag_asm_accept(assembler, "stream="))
        return ag_asm_number(assembler, &element->stream);
    if (ag_asm_accept(assembler, "precision="))
        return ag_asm_name(assembler, &ag_names_min_precision, &element->min_precision);
    return ag_asm_name(assembler, &ag_names_system_value, &element->system_value);
}

bool ag_asm_signature_element(struct ag_asm *assembler, ag_element_vec *elements, bool outputs)
{
    struct agpu_signature_element element = {0};
    if (!read_semantic(assembler, &element) || !read_element_register(assembler, &element) ||
        !read_element_mask(assembler, &element) ||
        !ag_asm_name(assembler, &ag_names_component_type, &element.component_type))
        return false;
    if (strlen(element.semantic_name) > AG_SIGNATURE_LONGEST_NAME)
        return ag_asm_error(assembler, AGPU_DIAG_DXBC_LIMIT, "a semantic name is longer than %d bytes",
                            AG_SIGNATURE_LONGEST_NAME);
    element.rw_mask = ag_signature_default_rw_mask(element.mask, outputs);
    while (!ag_asm_at_line_end(assembler))
        if (!read_option(assembler, &element, outputs))
            return false;
    if (elements->count == AG_SIGNATURE_MAX_ELEMENTS)
        return ag_asm_error(assembler, AGPU_DIAG_DXBC_LIMIT, "a signature has at most %d elements",
                            AG_SIGNATURE_MAX_ELEMENTS);
    return ag_vec_push(elements, element) || ag_asm_no_memory(assembler);
}
