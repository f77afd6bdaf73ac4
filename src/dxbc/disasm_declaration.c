/* SPDX-License-Identifier: MIT */
#include <inttypes.h>

#include "dxbc/declaration.h"
#include "dxbc/disasm.h"

void agpu_list_name(struct agpu_strbuf *out, const struct agpu_name_list *names, uint32_t value)
{
    const char *name = agpu_name_of(names, value);
    if (name != NULL)
        agpu_strbuf_append(out, name);
    else
        agpu_strbuf_printf(out, "%" PRIu32, value);
}

void agpu_list_return_types(struct agpu_strbuf *out, const uint8_t types[4])
{
    for (uint32_t i = 0; i < 4; i++) {
        agpu_strbuf_append_char(out, i == 0 ? '(' : ',');
        agpu_list_name(out, &agpu_names_return_type, types[i]);
    }
    agpu_strbuf_append_char(out, ')');
}

static void list_packed_return_types(struct agpu_strbuf *out, uint32_t packed)
{
    uint8_t types[4];
    for (uint32_t i = 0; i < 4; i++)
        types[i] = packed >> (4 * i) & 0xf;
    agpu_list_return_types(out, types);
}

/* ---- Suffixes ----------------------------------------------------------------------------------------- */

static void list_dimension(struct agpu_strbuf *out, const struct agpu_instruction *declaration)
{
    const enum agpu_resource_dimension dimension = agpu_dcl_dimension(declaration);
    agpu_strbuf_append_char(out, '_');
    agpu_list_name(out, &agpu_names_dimension, dimension);
    if (declaration->opcode == AGPU_OP_DCL_RESOURCE &&
        (dimension == AGPU_DIMENSION_TEXTURE2DMS || dimension == AGPU_DIMENSION_TEXTURE2DMSARRAY))
        agpu_strbuf_printf(out, "(%" PRIu32 ")", agpu_dcl_sample_count(declaration));
}

static void list_uav_flags(struct agpu_strbuf *out, uint32_t controls)
{
    if (controls & AGPU_CONTROL_GLOBALLY_COHERENT)
        agpu_strbuf_append(out, "_glc");
    if (controls & AGPU_CONTROL_RASTERIZER_ORDERED)
        agpu_strbuf_append(out, "_rov");
    if (controls & AGPU_CONTROL_HAS_COUNTER)
        agpu_strbuf_append(out, "_opc");
}

static void list_suffix(struct agpu_strbuf *out, enum agpu_declaration_suffix suffix,
                        const struct agpu_instruction *declaration)
{
    switch (suffix) {
    case AGPU_SUFFIX_NONE:
        break;
    case AGPU_SUFFIX_DIMENSION:
        list_dimension(out, declaration);
        break;
    case AGPU_SUFFIX_DIMENSION_UAV:
        list_dimension(out, declaration);
        list_uav_flags(out, declaration->controls);
        break;
    case AGPU_SUFFIX_UAV:
        list_uav_flags(out, declaration->controls);
        break;
    case AGPU_SUFFIX_DYNAMIC:
        if (declaration->controls & 1)
            agpu_strbuf_append(out, "_dynamicindexed");
        break;
    }
}

/* ---- Fields ------------------------------------------------------------------------------------------- */

static void list_global_flags(struct agpu_strbuf *out, uint32_t flags)
{
    const char *separator = "";
    for (uint32_t bit = 0; flags >> bit != 0; bit++) {
        if ((flags >> bit & 1) == 0)
            continue;
        agpu_strbuf_append(out, separator);
        if (agpu_name_of(&agpu_names_global_flag, bit) != NULL)
            agpu_strbuf_append(out, agpu_name_of(&agpu_names_global_flag, bit));
        else
            agpu_strbuf_printf(out, "0x%" PRIx32, UINT32_C(1) << bit);
        separator = " | ";
    }
    if (flags == 0)
        agpu_strbuf_append_char(out, '0');
}

static void list_entries(struct agpu_strbuf *out, const struct agpu_instruction *declaration)
{
    const bool bodies = declaration->opcode == AGPU_OP_DCL_FUNCTION_TABLE;
    const uint32_t first = agpu_declaration_info(declaration->opcode).dwords;
    for (uint32_t i = first; i < declaration->data_count; i++)
        agpu_strbuf_printf(out, "%s%s%" PRIu32, i == first ? "" : ", ", bodies ? "fb" : "ft",
                           declaration->data[i]);
}

static void list_space(struct agpu_strbuf *out, const struct agpu_program *program,
                       const struct agpu_instruction *declaration)
{
    if (agpu_program_is_5_1(program))
        agpu_strbuf_printf(out, ", space=%" PRIu32, declaration->data[declaration->data_count - 1]);
}

static void list_field(struct agpu_strbuf *out, const struct agpu_program *program,
                       const struct agpu_instruction *declaration, char letter)
{
    switch (letter) {
    case 'o':
        agpu_list_declared_operand(out, program, declaration);
        break;
    case '0':
    case '1':
    case '2':
        agpu_strbuf_printf(out, "%" PRIu32, declaration->data[letter - '0']);
        break;
    case 'n':
        agpu_list_name(out, &agpu_names_system_name, declaration->data[0]);
        break;
    case 'f':
        agpu_list_number(out, declaration->data[0], 'f');
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
        agpu_strbuf_printf(out, "%" PRIu32, declaration->data[2] >> 16);
        break;
    case 'g':
        list_global_flags(out, declaration->controls);
        break;
    case 'N':
        agpu_strbuf_printf(out, "%" PRIu32, declaration->controls);
        break;
    default:
        agpu_list_name(out, agpu_control_field(letter), declaration->controls);
        break;
    }
}

void agpu_list_declaration(struct agpu_strbuf *out, const struct agpu_program *program,
                           const struct agpu_instruction *declaration)
{
    const struct agpu_declaration_info info = agpu_declaration_info(declaration->opcode);
    list_suffix(out, (enum agpu_declaration_suffix)info.suffix, declaration);
    for (const char *c = info.syntax; c != NULL && *c != '\0'; c++) {
        if (*c == '%')
            list_field(out, program, declaration, *++c);
        else
            agpu_strbuf_append_char(out, *c);
    }
}
