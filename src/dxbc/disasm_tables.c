/* SPDX-License-Identifier: MIT
 *
 * Buffers and bindings as comments, in the wording of the compiler's own listings.
 */
#include <inttypes.h>
#include <string.h>

#include "base/bytes.h"
#include "base/format.h"
#include "dxbc/disasm.h"
#include "dxbc/rdef_text.h"

#define LONGEST_NAME 255
/* A limit, because structures of a hostile chunk may contain one another exponentially often. */
#define MOST_ROWS 4096
#define TEXT_COLUMN 40 /* the column of "// Offset:" */
#define CLASS_MATRIX_ROWS 2
#define CLASS_MATRIX_COLUMNS 3
#define CLASS_STRUCT 5

struct tables {
    struct ag_strbuf *out;
    uint32_t rows;
    bool ids; /* shader model 5.1: registers are ranges with an id and a space */
};

void ag_list_text(struct ag_strbuf *out, const char *text)
{
    for (size_t i = 0; i < LONGEST_NAME && text[i] != '\0'; i++)
        ag_strbuf_append_char(out, text[i] >= ' ' && text[i] <= '~' ? text[i] : '?');
}

static void list_indent(struct ag_strbuf *out, uint32_t indent)
{
    ag_strbuf_append(out, "//");
    ag_strbuf_append_repeat(out, ' ', indent);
}

/* ---- Buffers ------------------------------------------------------------------------------------------ */

void ag_list_rdef_type(struct ag_strbuf *out, const struct agpu_rdef_type *type)
{
    if (type->type_class >= CLASS_STRUCT && type->name != NULL) {
        ag_list_text(out, type->name);
        return;
    }
    if (type->type_class == CLASS_MATRIX_ROWS)
        ag_strbuf_append(out, "row_major ");
    ag_list_name(out, &ag_names_rdef_base_type, type->base_type);
    if (type->type_class == CLASS_MATRIX_ROWS || type->type_class == CLASS_MATRIX_COLUMNS)
        ag_strbuf_printf(out, "%ux%u", type->rows, type->columns);
    else if (type->columns > 1)
        ag_strbuf_printf(out, "%u", type->columns);
}

/* Lists "name[4];" and the comment behind. Size 0 means a member, for which no size is listed. */
static void list_declarator(struct ag_strbuf *out, size_t line, const char *name,
                            const struct agpu_rdef_type *type, uint64_t offset, uint32_t size)
{
    ag_list_text(out, name);
    if (type->element_count != 0)
        ag_strbuf_printf(out, "[%u]", type->element_count);
    ag_strbuf_append_char(out, ';');
    const size_t used = out->length - line;
    ag_strbuf_append_repeat(out, ' ', used < TEXT_COLUMN ? TEXT_COLUMN - used : 1);
    ag_strbuf_printf(out, "// Offset: %4" PRIu64, offset);
    if (size != 0)
        ag_strbuf_printf(out, " Size: %5" PRIu32, size);
}

static void list_field(struct tables *tables, const char *name, const struct agpu_rdef_type *type,
                       uint64_t offset, uint32_t size, uint32_t indent);

static void list_structure(struct tables *tables, const struct agpu_rdef_type *type, uint64_t offset,
                           uint32_t indent)
{
    struct ag_strbuf *out = tables->out;
    list_indent(out, indent);
    ag_strbuf_append(out, "struct");
    if (type->name != NULL) {
        ag_strbuf_append_char(out, ' ');
        ag_list_text(out, type->name);
    }
    ag_strbuf_append_char(out, '\n');
    list_indent(out, indent);
    ag_strbuf_append(out, "{\n");
    list_indent(out, indent + 4);
    ag_strbuf_append_char(out, '\n');
    for (uint32_t i = 0; i < type->member_count && tables->rows < MOST_ROWS; i++) {
        list_field(tables, type->members[i].name, type->members[i].type, offset + type->members[i].offset, 0,
                   indent + 4);
        ag_strbuf_append_char(out, '\n');
    }
    ag_strbuf_append(out, "//\n");
}

/* Lists one variable or member, without an end of line. */
static void list_field(struct tables *tables, const char *name, const struct agpu_rdef_type *type,
                       uint64_t offset, uint32_t size, uint32_t indent)
{
    struct ag_strbuf *out = tables->out;
    tables->rows++;
    const bool structure = type->type_class == CLASS_STRUCT;
    if (structure)
        list_structure(tables, type, offset, indent);
    const size_t line = out->length;
    list_indent(out, indent);
    if (structure)
        ag_strbuf_append_char(out, '}');
    else
        ag_list_rdef_type(out, type);
    ag_strbuf_append_char(out, ' ');
    list_declarator(out, line, name, type, offset, size);
}

static void list_variable(struct tables *tables, const struct agpu_rdef_variable *variable)
{
    struct ag_strbuf *out = tables->out;
    list_field(tables, variable->name, variable->type, variable->offset, variable->size, 3);
    ag_strbuf_append(out, variable->flags & AG_RDEF_VARIABLE_USED ? "\n" : " [unused]\n");
    if (variable->default_value == NULL)
        return;
    ag_strbuf_append(out, "//      = ");
    for (uint32_t i = 0; i + 4 <= variable->size && i < MOST_ROWS; i += 4)
        ag_strbuf_printf(out, "0x%08" PRIx32 " ", ag_load_u32(variable->default_value + i));
    ag_strbuf_append_char(out, '\n');
}

static void list_buffer(struct tables *tables, const struct agpu_rdef_cbuffer *cbuffer)
{
    static const char *const kinds[] = {"cbuffer ", "tbuffer ", "interfaces ", "Resource bind info for "};
    struct ag_strbuf *out = tables->out;
    ag_strbuf_append(out, "// ");
    ag_strbuf_append(out, cbuffer->kind < AG_COUNT_OF(kinds) ? kinds[cbuffer->kind] : "");
    ag_list_text(out, cbuffer->name);
    ag_strbuf_append(out, "\n// {\n//\n");
    for (uint32_t i = 0; i < cbuffer->variable_count && tables->rows < MOST_ROWS; i++)
        list_variable(tables, &cbuffer->variables[i]);
    if (tables->rows >= MOST_ROWS)
        ag_strbuf_append(out, "//   ...\n");
    ag_strbuf_append(out, "//\n// }\n//\n");
}

/* ---- Bindings ----------------------------------------------------------------------------------------- */

/* How the table names the kinds of bindings; null where the word depends on the binding. */
static const struct {
    const char *type, *format, *dimension;
} binding_words[AG_RDEF_INPUT_TYPE_COUNT] = {
    [AG_RDEF_CBUFFER] = {"cbuffer", "NA",     "NA"     },
    [AG_RDEF_TBUFFER] = {"tbuffer", "NA",     "NA"     },
    [AG_RDEF_TEXTURE] = {"texture", NULL,     NULL     },
    [AG_RDEF_SAMPLER] = {"sampler", "NA",     "NA"     },
    [AG_RDEF_RW_TYPED] = {"UAV",     NULL,     NULL     },
    [AG_RDEF_STRUCTURED] = {"texture", "struct", "r/o"    },
    [AG_RDEF_RW_STRUCTURED] = {"UAV",     "struct", "r/w"    },
    [AG_RDEF_BYTEADDRESS] = {"texture", "byte",   "r/o"    },
    [AG_RDEF_RW_BYTEADDRESS] = {"UAV",     "byte",   "r/w"    },
    [AG_RDEF_APPEND] = {"UAV",     "struct", "append" },
    [AG_RDEF_CONSUME] = {"UAV",     "struct", "consume"},
    [AG_RDEF_RW_STRUCTURED_COUNTER] = {"UAV",     "struct", "r/w+cnt"},
};

static void binding_format(const struct agpu_rdef_binding *binding, char text[16])
{
    const char *word = ag_name_of(&ag_names_rdef_return_type, binding->return_type);
    const uint32_t more = (binding->flags & AG_RDEF_BINDING_COMPONENTS) >> AG_RDEF_BINDING_COMPONENTS_SHIFT;
    if (word == NULL || binding->return_type == 0)
        ag_text_format(text, 16, "NA");
    else if (more == 0)
        ag_text_format(text, 16, "%s", word);
    else
        ag_text_format(text, 16, "%s%" PRIu32, word, more + 1);
}

static const char *binding_dimension(const struct agpu_rdef_binding *binding)
{
    static const char *const words[] = {"NA",   "buf",       "1d", "1darray", "2d",        "2darray",
                                        "2dMS", "2dMSarray", "3d", "cube",    "cubearray", "buf"};
    return binding->dimension < AG_COUNT_OF(words) ? words[binding->dimension] : "?";
}

static void list_binding(struct tables *tables, const struct agpu_rdef_binding *binding)
{
    struct ag_strbuf *out = tables->out;
    const bool known = binding->input_type < AG_RDEF_INPUT_TYPE_COUNT;
    const bool comparison =
        binding->input_type == AG_RDEF_SAMPLER && (binding->flags & AG_RDEF_BINDING_COMPARISON) != 0;
    const char *type = comparison ? "sampler_c" : known ? binding_words[binding->input_type].type : "?";
    const char *format = known ? binding_words[binding->input_type].format : NULL;
    const char *dimension = known ? binding_words[binding->input_type].dimension : NULL;
    char own_format[16], place[48], id[16] = "", count[16] = "unbounded";
    binding_format(binding, own_format);
    const size_t used = ag_text_format(place, sizeof place, "%s%" PRIu32,
                                       ag_rdef_register_file(binding->input_type), binding->bind_point);
    if (binding->space != 0)
        ag_text_format(place + used, sizeof place - used, ",space%" PRIu32, binding->space);
    if (binding->bind_count != 0)
        ag_text_format(count, sizeof count, "%" PRIu32, binding->bind_count);
    if (tables->ids)
        ag_text_format(id, sizeof id, " %7" PRIu32, binding->id);
    ag_strbuf_append(out, "// ");
    ag_list_text(out, binding->name);
    const size_t length = strnlen(binding->name, LONGEST_NAME);
    ag_strbuf_append_repeat(out, ' ', length < 30 ? 30 - length : 0);
    ag_strbuf_printf(out, " %10s %7s %11s%s %14s %6s \n", type, format != NULL ? format : own_format,
                     dimension != NULL ? dimension : binding_dimension(binding), id, place, count);
}

void ag_list_rdef_tables(struct ag_strbuf *out, const struct agpu_rdef *rdef)
{
    struct tables tables = {.out = out, .ids = rdef->major == 5 && rdef->minor >= 1};
    if (rdef->cbuffer_count != 0)
        ag_strbuf_append(out, "//\n// Buffer Definitions: \n//\n");
    for (uint32_t i = 0; i < rdef->cbuffer_count && i < MOST_ROWS; i++)
        list_buffer(&tables, &rdef->cbuffers[i]);
    if (rdef->binding_count == 0)
        return;
    ag_strbuf_printf(out,
                     "//\n// Resource Bindings:\n//\n"
                     "// Name                                 Type  Format         Dim%s      HLSL Bind"
                     "  Count\n"
                     "// ------------------------------ ---------- ------- -----------%s --------------"
                     " ------\n",
                     tables.ids ? "      ID" : "", tables.ids ? " -------" : "");
    for (uint32_t i = 0; i < rdef->binding_count && i < MOST_ROWS; i++)
        list_binding(&tables, &rdef->bindings[i]);
    ag_strbuf_append(out, "//\n");
}
