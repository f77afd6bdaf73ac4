/* SPDX-License-Identifier: MIT
 *
 * Lists declarations, by the table in declaration.c.
 */
#include <inttypes.h>

#include "dxbc/declaration.h"
#include "dxbc/disasm.h"

void ag_list_name(struct ag_strbuf *out, const struct ag_name_list *names, uint32_t value)
{
    const char *name = ag_name_of(names, value);
    if (name != NULL)
        ag_strbuf_append(out, name);
    else
        ag_strbuf_printf(out, "%" PRIu32, value);
}

void ag_list_return_types(struct ag_strbuf *out, const uint8_t types[4])
{
    for (uint32_t i = 0; i < 4; i++) {
        ag_strbuf_append_char(out, i == 0 ? '(' : ',');
        ag_list_name(out, &ag_names_return_type, types[i]);
    }
    ag_strbuf_append_char(out, ')');
}

static void list_packed_return_types(struct ag_strbuf *out, uint32_t packed)
{
    uint8_t types[4];
    for (uint32_t i = 0; i < 4; i++)
        types[i] = packed >> (4 * i) & 0xf;
    ag_list_return_types(out, types);
}

/* ---- Suffixes ----------------------------------------------------------------------------------------- */

static void list_dimension(struct ag_strbuf *out, const struct agpu_instruction *declaration)
{
    const enum agpu_resource_dimension dimension = agpu_dcl_dimension(declaration);
    ag_strbuf_append_char(out, '_');
    ag_list_name(out, &ag_names_dimension, dimension);
    if (declaration->opcode == AGPU_OP_DCL_RESOURCE &&
        (dimension == AGPU_DIMENSION_TEXTURE2DMS || dimension == AGPU_DIMENSION_TEXTURE2DMSARRAY))
        ag_strbuf_printf(out, "(%" PRIu32 ")", agpu_dcl_sample_count(declaration));
}

static void list_uav_flags(struct ag_strbuf *out, uint32_t controls)
{
    if (controls & AG_CONTROL_GLOBALLY_COHERENT)
        ag_strbuf_append(out, "_glc");
    if (controls & AG_CONTROL_RASTERIZER_ORDERED)
        ag_strbuf_append(out, "_rov");
    if (controls & AG_CONTROL_HAS_COUNTER)
        ag_strbuf_append(out, "_opc");
}

static void list_suffix(struct ag_strbuf *out, enum ag_declaration_suffix suffix,
                        const struct agpu_instruction *declaration)
{
    switch (suffix) {
    case AG_SUFFIX_NONE:
        break;
    case AG_SUFFIX_DIMENSION:
        list_dimension(out, declaration);
        break;
    case AG_SUFFIX_DIMENSION_UAV:
        list_dimension(out, declaration);
        list_uav_flags(out, declaration->controls);
        break;
    case AG_SUFFIX_UAV:
        list_uav_flags(out, declaration->controls);
        break;
    case AG_SUFFIX_DYNAMIC:
        if (declaration->controls & 1)
            ag_strbuf_append(out, "_dynamicindexed");
        break;
    }
}

/* ---- Fields ------------------------------------------------------------------------------------------- */

static void list_global_flags(struct ag_strbuf *out, uint32_t flags)
{
    const char *separator = "";
    for (uint32_t bit = 0; flags >> bit != 0; bit++) {
        if ((flags >> bit & 1) == 0)
            continue;
        ag_strbuf_append(out, separator);
        if (ag_name_of(&ag_names_global_flag, bit) != NULL)
            ag_strbuf_append(out, ag_name_of(&ag_names_global_flag, bit));
        else
            ag_strbuf_printf(out, "0x%" PRIx32, UINT32_C(1) << bit);
        separator = " | ";
    }
    if (flags == 0)
        ag_strbuf_append_char(out, '0');
}

static void list_entries(struct ag_strbuf *out, const struct agpu_instruction *declaration)
{
    const bool bodies = declaration->opcode == AGPU_OP_DCL_FUNCTION_TABLE;
    const uint32_t first = ag_declaration_info(declaration->opcode).dwords;
    for (uint32_t i = first; i < declaration->data_count; i++)
        ag_strbuf_printf(out, "%s%s%" PRIu32, i == first ? "" : ", ", bodies ? "fb" : "ft",
                         declaration->data[i]);
}

static void list_space(struct ag_strbuf *out, const struct agpu_program *program,
                       const struct agpu_instruction *declaration)
{
    if (ag_program_is_5_1(program))
        ag_strbuf_printf(out, ", space=%" PRIu32, declaration->data[declaration->data_count - 1]);
}

static void list_field(struct ag_strbuf *out, const struct agpu_program *program,
                       const struct agpu_instruction *declaration, char letter)
{
    switch (letter) {
    case 'o':
        ag_list_declared_operand(out, program, declaration);
        break;
    case '0':
    case '1':
    case '2':
        ag_strbuf_printf(out, "%" PRIu32, declaration->data[letter - '0']);
        break;
    case 'n':
        ag_list_name(out, &ag_names_system_name, declaration->data[0]);
        break;
    case 'f':
        ag_list_number(out, declaration->data[0], 'f');
        break;
    case 'r':
        list_packed_return_types(out, declaration->data[0]);
        break;
    case 's':
        list_space(out, program, declaration);
        break;
    case 'L':
        list_entries(out, declaration);
        break;
    case 'h':
        ag_strbuf_printf(out, "%" PRIu32, declaration->data[2] >> 16);
        break;
    case 'g':
        list_global_flags(out, declaration->controls);
        break;
    case 'N':
        ag_strbuf_printf(out, "%" PRIu32, declaration->controls);
        break;
    default:
        ag_list_name(out, ag_control_field(letter), declaration->controls);
        break;
    }
}

void ag_list_declaration(struct ag_strbuf *out, const struct agpu_program *program,
                         const struct agpu_instruction *declaration)
{
    const struct ag_declaration_info info = ag_declaration_info(declaration->opcode);
    list_suffix(out, (enum ag_declaration_suffix)info.suffix, declaration);
    for (const char *c = info.syntax; c != NULL && *c != '\0'; c++) {
        if (*c == '%')
            list_field(out, program, declaration, *++c);
        else
            ag_strbuf_append_char(out, *c);
    }
}
