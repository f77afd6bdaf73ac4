/* SPDX-License-Identifier: MIT
 *
 * Buffers and bindings as comments, in the wording of the compiler's own listings.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "dxbc/disasm.h"
#include "dxbc/rdef_text.h"

#define LONGEST_NAME 255
#define MOST_ROWS 4096 /* structures may contain each other many times over */
#define TEXT_COLUMN 40 /* where "// Offset:" begins, counted from the start of the line */
#define CLASS_MATRIX_ROWS 2
#define CLASS_MATRIX_COLUMNS 3
#define CLASS_STRUCT 5

struct tables {
    struct agpu_strbuf *out;
    uint32_t rows;
    bool ids; /* shader model 5.1: registers are ranges with an id and a space */
};

/* Names are bytes; a line end in one would end the comment. */
static void list_text(struct agpu_strbuf *out, const char *text)
{
    for (size_t i = 0; text[i] != '\0' && i < LONGEST_NAME; i++)
        agpu_strbuf_append_char(out, text[i] >= ' ' && text[i] <= '~' ? text[i] : '?');
}

static void list_indent(struct agpu_strbuf *out, uint32_t indent)
{
    agpu_strbuf_append(out, "//");
    agpu_strbuf_append_repeat(out, ' ', indent);
}

/* ---- Buffers ------------------------------------------------------------------------------------------ */

void agpu_list_rdef_type(struct agpu_strbuf *out, const struct agpu_rdef_type *type)
{
    if (type->type_class >= CLASS_STRUCT && type->name != NULL) {
        list_text(out, type->name);
        return;
    }
    if (type->type_class == CLASS_MATRIX_ROWS)
        agpu_strbuf_append(out, "row_major ");
    agpu_list_name(out, &agpu_names_rdef_base_type, type->base_type);
    if (type->type_class == CLASS_MATRIX_ROWS || type->type_class == CLASS_MATRIX_COLUMNS)
        agpu_strbuf_printf(out, "%ux%u", type->rows, type->columns);
    else if (type->columns > 1)
        agpu_strbuf_printf(out, "%u", type->columns);
}

/* "name[4];" and the comment behind it. A size of 0 is that of a member, which is not shown. */
static void list_declarator(struct agpu_strbuf *out, size_t line, const char *name,
                            const struct agpu_rdef_type *type, uint64_t offset, uint32_t size)
{
    list_text(out, name);
    if (type->element_count != 0)
        agpu_strbuf_printf(out, "[%u]", type->element_count);
    agpu_strbuf_append_char(out, ';');
    const size_t used = out->length - line;
    agpu_strbuf_append_repeat(out, ' ', used < TEXT_COLUMN ? TEXT_COLUMN - used : 1);
    agpu_strbuf_printf(out, "// Offset: %4" PRIu64, offset);
    if (size != 0)
        agpu_strbuf_printf(out, " Size: %5" PRIu32, size);
}

static void list_field(struct tables *tables, const char *name, const struct agpu_rdef_type *type,
                       uint64_t offset, uint32_t size, uint32_t indent);

static void list_structure(struct tables *tables, const struct agpu_rdef_type *type, uint64_t offset,
                           uint32_t indent)
{
    struct agpu_strbuf *out = tables->out;
    list_indent(out, indent);
    agpu_strbuf_append(out, "struct");
    if (type->name != NULL) {
        agpu_strbuf_append_char(out, ' ');
        list_text(out, type->name);
    }
    agpu_strbuf_append_char(out, '\n');
    list_indent(out, indent);
    agpu_strbuf_append(out, "{\n");
    list_indent(out, indent + 4);
    agpu_strbuf_append_char(out, '\n');
    for (uint32_t i = 0; i < type->member_count && tables->rows < MOST_ROWS; i++) {
        list_field(tables, type->members[i].name, type->members[i].type, offset + type->members[i].offset, 0,
                   indent + 4);
        agpu_strbuf_append_char(out, '\n');
    }
    agpu_strbuf_append(out, "//\n");
}

/* One variable or member, without the line end. */
static void list_field(struct tables *tables, const char *name, const struct agpu_rdef_type *type,
                       uint64_t offset, uint32_t size, uint32_t indent)
{
    struct agpu_strbuf *out = tables->out;
    tables->rows++;
    const bool structure = type->type_class == CLASS_STRUCT;
    if (structure)
        list_structure(tables, type, offset, indent);
    const size_t line = out->length;
    list_indent(out, indent);
    if (structure)
        agpu_strbuf_append_char(out, '}');
    else
        agpu_list_rdef_type(out, type);
    agpu_strbuf_append_char(out, ' ');
    list_declarator(out, line, name, type, offset, size);
}

static void list_variable(struct tables *tables, const struct agpu_rdef_variable *variable)
{
    struct agpu_strbuf *out = tables->out;
    list_field(tables, variable->name, variable->type, variable->offset, variable->size, 3);
    agpu_strbuf_append(out, variable->flags & AGPU_RDEF_VARIABLE_USED ? "\n" : " [unused]\n");
    if (variable->default_value == NULL)
        return;
    agpu_strbuf_append(out, "//      = ");
    for (uint32_t i = 0; i + 4 <= variable->size && i < MOST_ROWS; i += 4)
        agpu_strbuf_printf(out, "0x%08" PRIx32 " ", agpu_load_u32(variable->default_value + i));
    agpu_strbuf_append_char(out, '\n');
}

static void list_buffer(struct tables *tables, const struct agpu_rdef_cbuffer *cbuffer)
{
    static const char *const kinds[] = {"cbuffer ", "tbuffer ", "interfaces ", "Resource bind info for "};
    struct agpu_strbuf *out = tables->out;
    agpu_strbuf_append(out, "// ");
    agpu_strbuf_append(out, cbuffer->kind < AGPU_COUNT_OF(kinds) ? kinds[cbuffer->kind] : "");
    list_text(out, cbuffer->name);
    agpu_strbuf_append(out, "\n// {\n//\n");
    for (uint32_t i = 0; i < cbuffer->variable_count && tables->rows < MOST_ROWS; i++)
        list_variable(tables, &cbuffer->variables[i]);
    if (tables->rows >= MOST_ROWS)
        agpu_strbuf_append(out, "//   ...\n");
    agpu_strbuf_append(out, "//\n// }\n//\n");
}

/* ---- Bindings ----------------------------------------------------------------------------------------- */

/* How the table words the kinds of bindings: null where the binding itself says it. */
static const struct {
    const char *type, *format, *dimension;
} binding_words[AGPU_RDEF_INPUT_TYPE_COUNT] = {
    [AGPU_RDEF_CBUFFER] = {"cbuffer", "NA",     "NA"     },
    [AGPU_RDEF_TBUFFER] = {"tbuffer", "NA",     "NA"     },
    [AGPU_RDEF_TEXTURE] = {"texture", NULL,     NULL     },
    [AGPU_RDEF_SAMPLER] = {"sampler", "NA",     "NA"     },
    [AGPU_RDEF_RW_TYPED] = {"UAV",     NULL,     NULL     },
    [AGPU_RDEF_STRUCTURED] = {"texture", "struct", "r/o"    },
    [AGPU_RDEF_RW_STRUCTURED] = {"UAV",     "struct", "r/w"    },
    [AGPU_RDEF_BYTEADDRESS] = {"texture", "byte",   "r/o"    },
    [AGPU_RDEF_RW_BYTEADDRESS] = {"UAV",     "byte",   "r/w"    },
    [AGPU_RDEF_APPEND] = {"UAV",     "struct", "append" },
    [AGPU_RDEF_CONSUME] = {"UAV",     "struct", "consume"},
    [AGPU_RDEF_RW_STRUCTURED_COUNTER] = {"UAV",     "struct", "r/w+cnt"},
};

static void binding_format(const struct agpu_rdef_binding *binding, char text[16])
{
    const char *word = agpu_name_of(&agpu_names_rdef_return_type, binding->return_type);
    const uint32_t more =
        (binding->flags & AGPU_RDEF_BINDING_COMPONENTS) >> AGPU_RDEF_BINDING_COMPONENTS_SHIFT;
    if (word == NULL || binding->return_type == 0)
        snprintf(text, 16, "NA");
    else if (more == 0)
        snprintf(text, 16, "%s", word);
    else
        snprintf(text, 16, "%s%" PRIu32, word, more + 1);
}

static const char *binding_dimension(const struct agpu_rdef_binding *binding)
{
    static const char *const words[] = {"NA",   "buf",       "1d", "1darray", "2d",        "2darray",
                                        "2dMS", "2dMSarray", "3d", "cube",    "cubearray", "buf"};
    return binding->dimension < AGPU_COUNT_OF(words) ? words[binding->dimension] : "?";
}

static void list_binding(struct tables *tables, const struct agpu_rdef_binding *binding)
{
    struct agpu_strbuf *out = tables->out;
    const bool known = binding->input_type < AGPU_RDEF_INPUT_TYPE_COUNT;
    const bool comparison =
        binding->input_type == AGPU_RDEF_SAMPLER && (binding->flags & AGPU_RDEF_BINDING_COMPARISON) != 0;
    const char *type = comparison ? "sampler_c" : known ? binding_words[binding->input_type].type : "?";
    const char *format = known ? binding_words[binding->input_type].format : NULL;
    const char *dimension = known ? binding_words[binding->input_type].dimension : NULL;
    char own_format[16], place[48], id[16] = "", count[16] = "unbounded";
    binding_format(binding, own_format);
    int used = snprintf(place, sizeof place, "%s%" PRIu32, agpu_rdef_register_file(binding->input_type),
                        binding->bind_point);
    if (binding->space != 0)
        snprintf(place + used, sizeof place - (size_t)used, ",space%" PRIu32, binding->space);
    if (binding->bind_count != 0)
        snprintf(count, sizeof count, "%" PRIu32, binding->bind_count);
    if (tables->ids)
        snprintf(id, sizeof id, " %7" PRIu32, binding->id);
    agpu_strbuf_append(out, "// ");
    list_text(out, binding->name);
    const size_t length = strnlen(binding->name, LONGEST_NAME);
    agpu_strbuf_append_repeat(out, ' ', length < 30 ? 30 - length : 0);
    agpu_strbuf_printf(out, " %10s %7s %11s%s %14s %6s \n", type, format != NULL ? format : own_format,
                       dimension != NULL ? dimension : binding_dimension(binding), id, place, count);
}

void agpu_list_rdef_tables(struct agpu_strbuf *out, const struct agpu_rdef *rdef)
{
    struct tables tables = {.out = out, .ids = rdef->major == 5 && rdef->minor >= 1};
    if (rdef->cbuffer_count != 0)
        agpu_strbuf_append(out, "//\n// Buffer Definitions: \n//\n");
    for (uint32_t i = 0; i < rdef->cbuffer_count && i < MOST_ROWS; i++)
        list_buffer(&tables, &rdef->cbuffers[i]);
    if (rdef->binding_count == 0)
        return;
    agpu_strbuf_printf(out,
                       "//\n// Resource Bindings:\n//\n"
                       "// Name                                 Type  Format         Dim%s      HLSL Bind"
                       "  Count\n"
                       "// ------------------------------ ---------- ------- -----------%s --------------"
                       " ------\n",
                       tables.ids ? "      ID" : "", tables.ids ? " -------" : "");
    for (uint32_t i = 0; i < rdef->binding_count && i < MOST_ROWS; i++)
        list_binding(&tables, &rdef->bindings[i]);
    agpu_strbuf_append(out, "//\n");
}
