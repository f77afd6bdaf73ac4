/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "base/text.h"
#include "cli/shader.h"
#include "cli/shader_parts.h"
#include "dxbc/disasm.h"
#include "dxbc/rdef_text.h"

static void describe_element(const struct agpu_signature_element *element, char letter, bool streams,
                             struct ag_strbuf *text)
{
    char mask[5], name[96], place[24];
    snprintf(name, sizeof name, "%s%" PRIu32, element->semantic_name, element->semantic_index);
    ag_text_make_plain(name, strlen(name));
    if (element->register_index == AGPU_REGISTER_NONE)
        snprintf(place, sizeof place, "-");
    else
        snprintf(place, sizeof place, "%c%" PRIu32 ".%s", letter, element->register_index,
                 cli_mask_text(element->mask, mask));
    ag_strbuf_printf(text, "    %-28s %-10s %-7s", name, place, cli_component_name(element->component_type));
    if (element->system_value != AGPU_SV_NONE)
        ag_strbuf_printf(text, " %s", cli_system_value_name(element->system_value));
    if (streams)
        ag_strbuf_printf(text, " stream %" PRIu32, element->stream);
    ag_strbuf_append_char(text, '\n');
}

static void describe_signature(const struct agpu_signature *signature, const char *title, char letter,
                               struct ag_strbuf *text)
{
    if (signature->count == 0)
        return;
    bool streams = false;
    for (uint32_t i = 0; i < signature->count; i++)
        streams = streams || signature->elements[i].stream != 0;
    ag_strbuf_printf(text, "  %s\n", title);
    for (uint32_t i = 0; i < signature->count; i++)
        describe_element(&signature->elements[i], letter, streams, text);
}

static void describe_variables(const struct agpu_rdef_cbuffer *cbuffer, struct ag_strbuf *text)
{
    for (uint32_t i = 0; i < cbuffer->variable_count; i++) {
        const struct agpu_rdef_variable *const variable = &cbuffer->variables[i];
        ag_strbuf_printf(text, "      +%-5" PRIu32 " ", variable->offset);
        ag_list_rdef_type(text, variable->type);
        ag_strbuf_append_char(text, ' ');
        ag_list_text(text, variable->name);
        if (variable->type->element_count != 0)
            ag_strbuf_printf(text, "[%u]", variable->type->element_count);
        ag_strbuf_printf(text, " (%" PRIu32 " bytes%s)\n", variable->size,
                         variable->flags & AG_RDEF_VARIABLE_USED ? "" : ", unused");
    }
}

static void describe_type(const struct cli_declaration *declaration, struct ag_strbuf *text)
{
    for (uint32_t i = 0; declaration->return_types[0] != NULL && i < 4; i++)
        ag_strbuf_printf(text, "%s%s", i == 0 ? " (" : ",", declaration->return_types[i]);
    if (declaration->return_types[0] != NULL)
        ag_strbuf_append_char(text, ')');
    if (declaration->samples != 0)
        ag_strbuf_printf(text, ", %" PRIu32 " samples", declaration->samples);
    if (declaration->coherent)
        ag_strbuf_append(text, ", globally coherent");
    if (declaration->ordered)
        ag_strbuf_append(text, ", rasterizer ordered");
    if (declaration->counter)
        ag_strbuf_append(text, ", with a counter");
}

static void describe_declaration(const struct cli_declaration *declaration, struct ag_strbuf *text)
{
    char slot[40];
    if (declaration->count == 1)
        snprintf(slot, sizeof slot, "%c%" PRIu32, declaration->letter, declaration->slot);
    else
        snprintf(slot, sizeof slot, "%c%" PRIu32 "[%" PRIu32 "]", declaration->letter, declaration->slot,
                 declaration->count);
    ag_strbuf_printf(text, "    %-6s %-18s ", slot,
                     declaration->dimension != NULL ? declaration->dimension : declaration->kind);
    if (declaration->name != NULL)
        ag_list_text(text, declaration->name);
    if (declaration->bytes != 0)
        ag_strbuf_printf(text, " (%" PRIu32 " bytes%s)", declaration->bytes,
                         declaration->dynamic ? ", dynamically indexed" : "");
    describe_type(declaration, text);
    ag_strbuf_append_char(text, '\n');
}

static void describe_chunks(const struct agpu_shader *shader, struct ag_strbuf *text)
{
    if (shader->chunk_count == 0)
        return;
    ag_strbuf_append(text, "  chunks\n   ");
    for (uint32_t i = 0; i < shader->chunk_count; i++) {
        char name[5] = {0};
        for (uint32_t j = 0; j < 4; j++) {
            const char c = (char)(shader->chunks[i].fourcc >> (8 * j) & 0xff);
            name[j] = c >= ' ' && c <= '~' ? c : '?';
        }
        ag_strbuf_printf(text, " %s %" PRIu32, name, shader->chunks[i].size);
    }
    ag_strbuf_append_char(text, '\n');
}

void cli_shader_describe(const struct agpu_shader *shader, const char *file, struct ag_strbuf *text)
{
    const struct agpu_program *const program = &shader->program;
    ag_strbuf_printf(text,
                     "%s: %s_%u_%u, %" PRIu32 " instructions, %" PRIu32 " tokens, hash %016" PRIx64 "\n",
                     file, agpu_stage_name(program->stage), program->major, program->minor,
                     program->instruction_count, program->token_count, shader->hash);
    if (shader->rdef != NULL && shader->rdef->creator != NULL)
        ag_strbuf_printf(text, "  made by %s\n", shader->rdef->creator);
    describe_chunks(shader, text);
    cli_facts_text(text, shader);
    describe_signature(&shader->input, "inputs", 'v', text);
    describe_signature(&shader->output, "outputs", 'o', text);
    describe_signature(&shader->patch_constant, "patch constants",
                       program->stage == AGPU_STAGE_HULL ? 'o' : 'v', text);
    bool first = true;
    for (uint32_t i = 0; i < program->instruction_count; i++) {
        struct cli_declaration declaration;
        if (!cli_read_declaration(shader, &program->instructions[i], &declaration))
            continue;
        if (first)
            ag_strbuf_append(text, "  resources\n");
        first = false;
        describe_declaration(&declaration, text);
        const struct agpu_rdef_cbuffer *const cbuffer =
            declaration.letter == 'b' ? cli_find_cbuffer(shader, declaration.name) : NULL;
        if (cbuffer != NULL)
            describe_variables(cbuffer, text);
    }
}
