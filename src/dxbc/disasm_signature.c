/* SPDX-License-Identifier: MIT
 *
 * Lists signatures, as the compiler's tables and as directives.
 */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "base/bytes.h"
#include "base/format.h"
#include "base/text.h"
#include "dxbc/disasm.h"
#include "dxbc/signature_text.h"

/* ---- Tables ------------------------------------------------------------------------------------------- */

/* Elements of a pixel shader's output have no system value; the semantic name replaces it. */
static const struct {
    const char *semantic;
    const char *word;
    const char *register_name; /* for registers outside the o# file */
} pixel_outputs[] = {
    {"SV_Target",            "TARGET",     "NONE"       },
    {"SV_Depth",             "DEPTH",      "oDepth"     },
    {"SV_DepthGreaterEqual", "DEPTHGE",    "oDepthGE"   },
    {"SV_DepthLessEqual",    "DEPTHLE",    "oDepthLE"   },
    {"SV_Coverage",          "COVERAGE",   "oMask"      },
    {"SV_StencilRef",        "STENCILREF", "oStencilRef"},
};

static size_t find_pixel_output(const char *semantic)
{
    size_t i = 0;
    while (i < AG_COUNT_OF(pixel_outputs) && !ag_same_word(pixel_outputs[i].semantic, semantic))
        i++;
    return i;
}

/* The word for the register of an element outside the register files. */
static const char *register_word(const struct agpu_signature_element *element)
{
    const size_t i = find_pixel_output(element->semantic_name);
    if (i < AG_COUNT_OF(pixel_outputs))
        return pixel_outputs[i].register_name;
    return element->system_value == AGPU_SV_PRIMITIVE_ID ? "vPrim" : "NONE";
}

static const char *table_system_value(const struct agpu_signature_element *element, bool pixel_output)
{
    if (pixel_output && element->system_value == AGPU_SV_NONE) {
        const size_t i = find_pixel_output(element->semantic_name);
        if (i < AG_COUNT_OF(pixel_outputs))
            return pixel_outputs[i].word;
    }
    const char *word = ag_name_of(&ag_names_sysvalue_table, element->system_value);
    return word != NULL ? word : "?";
}

/* "float", "min16f" and so on, for the compiler's tables. */
static const char *format_word(const struct agpu_signature_element *element)
{
    const char *word = NULL;
    if (element->min_precision != 0)
        word = ag_name_of(&ag_names_min_precision, element->min_precision);
    if (word == NULL)
        word = ag_name_of(&ag_names_component_type, element->component_type);
    return word != NULL ? word : "unknown";
}

/* Writes each component letter in a column of its own. */
static void mask_columns(uint32_t mask, char text[5])
{
    for (uint32_t i = 0; i < 4; i++)
        text[i] = mask >> i & 1 ? "xyzw"[i] : ' ';
    text[4] = '\0';
}

static void list_row(struct ag_strbuf *out, const struct agpu_signature_element *element, bool outputs,
                     bool pixel_outputs_table, bool streams)
{
    const uint32_t used = (outputs ? ~(uint32_t)element->rw_mask : element->rw_mask) & element->mask;
    char mask_text[5], used_text[5], name[512], place[16];
    if (streams)
        ag_text_format(name, sizeof name, "m%" PRIu32 ":%s", element->stream, element->semantic_name);
    else
        ag_text_format(name, sizeof name, "%s", element->semantic_name);
    ag_text_make_plain(name, strlen(name)); /* an end of line would end the comment */
    mask_columns(element->mask, mask_text);
    mask_columns(used, used_text);
    ag_text_format(place, sizeof place, "%" PRIu32, element->register_index);
    const bool special = element->register_index == AGPU_REGISTER_NONE;
    ag_strbuf_printf(out, "// %-20s %5" PRIu32 "   %4s %8s %8s %7s   %4s\n", name, element->semantic_index,
                     special ? "N/A" : mask_text, special ? register_word(element) : place,
                     table_system_value(element, pixel_outputs_table), format_word(element),
                     special ? (used != 0 ? "YES" : "NO") : used_text);
}

static void list_table(struct ag_strbuf *out, const char *title, const struct agpu_signature *signature,
                       bool outputs, bool pixel)
{
    ag_strbuf_printf(out, "//\n// %s:\n//\n", title);
    ag_strbuf_append(out, "// Name                 Index   Mask Register SysValue  Format   Used\n"
                          "// -------------------- ----- ------ -------- -------- ------- ------\n");
    bool streams = false;
    for (uint32_t i = 0; i < signature->count; i++)
        streams = streams || signature->elements[i].stream != 0;
    for (uint32_t i = 0; i < signature->count; i++)
        list_row(out, &signature->elements[i], outputs, pixel && outputs, streams);
    if (signature->count == 0)
        ag_strbuf_append(out, "// no elements\n");
}

void ag_list_signature_tables(struct ag_strbuf *out, const struct agpu_shader *shader)
{
    const enum agpu_stage stage = shader->program.stage;
    if (shader->patch_constant.count != 0)
        list_table(out, "Patch Constant signature", &shader->patch_constant, stage == AGPU_STAGE_HULL, false);
    list_table(out, "Input signature", &shader->input, false, false);
    list_table(out, "Output signature", &shader->output, true, stage == AGPU_STAGE_PIXEL);
    ag_strbuf_append(out, "//\n");
}

/* ---- Directives --------------------------------------------------------------------------------------- */

static bool plain_name(const char *name)
{
    const size_t length = strlen(name);
    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)name[i]) && name[i] != '_')
            return false;
    return length != 0 && !isdigit((unsigned char)name[length - 1]);
}

void ag_list_quoted(struct ag_strbuf *out, const char *text)
{
    ag_strbuf_append_char(out, '"');
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\' || (unsigned char)*c < ' ' || (unsigned char)*c > '~')
            ag_strbuf_printf(out, "\\x%02x", (unsigned)(unsigned char)*c);
        else
            ag_strbuf_append_char(out, *c);
    }
    ag_strbuf_append_char(out, '"');
}

static void list_semantic(struct ag_strbuf *out, const struct agpu_signature_element *element)
{
    if (plain_name(element->semantic_name)) {
        ag_strbuf_append(out, element->semantic_name);
    } else {
        ag_list_quoted(out, element->semantic_name);
    }
    ag_strbuf_printf(out, "%" PRIu32, element->semantic_index);
}

static void list_element(struct ag_strbuf *out, const char *directive, const char *file,
                         const struct agpu_signature_element *element, bool outputs)
{
    ag_strbuf_printf(out, "%s ", directive);
    list_semantic(out, element);
    ag_strbuf_append_char(out, ' ');
    if (element->register_index == AGPU_REGISTER_NONE)
        ag_strbuf_append(out, register_word(element));
    else
        ag_strbuf_printf(out, "%s%" PRIu32, file, element->register_index);
    if (element->mask != 0) {
        ag_strbuf_append_char(out, '.');
        ag_list_mask(out, element->mask);
    }
    ag_strbuf_append_char(out, ' ');
    ag_list_name(out, &ag_names_component_type, element->component_type);
    if (element->system_value != AGPU_SV_NONE) {
        ag_strbuf_append_char(out, ' ');
        ag_list_name(out, &ag_names_system_value, element->system_value);
    }
    if (element->rw_mask != ag_signature_default_rw_mask(element->mask, outputs))
        ag_strbuf_printf(out, " %s=0x%x", outputs ? "unwritten" : "read", element->rw_mask);
    if (element->stream != 0)
        ag_strbuf_printf(out, " stream=%" PRIu32, element->stream);
    if (element->min_precision != 0) {
        ag_strbuf_append(out, " precision=");
        ag_list_name(out, &ag_names_min_precision, element->min_precision);
    }
    ag_strbuf_append_char(out, '\n');
}

uint8_t ag_signature_default_rw_mask(uint8_t mask, bool outputs)
{
    return outputs ? (uint8_t)(~mask & 0xf) : mask;
}

static void list_directives(struct ag_strbuf *out, const char *directive, const char *file,
                            const struct agpu_signature *signature, bool outputs)
{
    for (uint32_t i = 0; i < signature->count; i++)
        list_element(out, directive, file, &signature->elements[i], outputs);
}

void ag_list_signature_directives(struct ag_strbuf *out, const struct agpu_shader *shader)
{
    const bool hull = shader->program.stage == AGPU_STAGE_HULL;
    list_directives(out, ".in", "v", &shader->input, false);
    list_directives(out, ".out", "o", &shader->output, true);
    list_directives(out, ".patch", hull ? "o" : "vpc", &shader->patch_constant, hull);
}
