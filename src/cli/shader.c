/* SPDX-License-Identifier: MIT */
#include "cli/shader.h"

#include <stdlib.h>

#include "base/bytes.h"
#include "cli/shader_parts.h"
#include "dxbc/disasm.h"
#include "dxbc/rdef_text.h"

static const struct {
    const char *key;
    size_t offset;
} signature_kinds[] = {
    {"input",          offsetof(struct agpu_shader, input)         },
    {"output",         offsetof(struct agpu_shader, output)        },
    {"patch_constant", offsetof(struct agpu_shader, patch_constant)},
};

static const struct agpu_signature *signature_at(const struct agpu_shader *shader, size_t kind)
{
    return (const struct agpu_signature *)(const void *)((const char *)shader + signature_kinds[kind].offset);
}

/* ---- JSON --------------------------------------------------------------------------------------------- */

static json_t *element_json(const struct agpu_signature_element *element)
{
    char mask[5], used[5];
    return json_pack(
        "{s:o, s:I, s:I, s:s, s:s, s:o, s:s, s:s}", "name", cli_json_text(element->semantic_name), "index",
        (json_int_t)element->semantic_index, "stream", (json_int_t)element->stream, "system_value",
        cli_system_value_name(element->system_value), "type", cli_component_name(element->component_type),
        "register",
        element->register_index == AGPU_REGISTER_NONE ? json_null() : json_integer(element->register_index),
        "mask", cli_mask_text(element->mask, mask), "rw_mask", cli_mask_text(element->rw_mask, used));
}

static json_t *signatures_json(const struct agpu_shader *shader)
{
    json_t *const signatures = json_object();
    for (size_t kind = 0; kind < AG_COUNT_OF(signature_kinds); kind++) {
        const struct agpu_signature *const signature = signature_at(shader, kind);
        json_t *const elements = json_array();
        for (uint32_t i = 0; i < signature->count; i++)
            json_array_append_new(elements, element_json(&signature->elements[i]));
        json_object_set_new(signatures, signature_kinds[kind].key, elements);
    }
    return signatures;
}

static json_t *variables_json(const struct agpu_shader *shader, const char *cbuffer)
{
    json_t *const variables = json_array();
    const struct agpu_rdef_cbuffer *const found = cli_find_cbuffer(shader, cbuffer);
    for (uint32_t i = 0; found != NULL && i < found->variable_count; i++) {
        const struct agpu_rdef_variable *const variable = &found->variables[i];
        struct ag_strbuf type = {0};
        ag_list_rdef_type(&type, variable->type);
        json_array_append_new(
            variables, json_pack("{s:o, s:o, s:I, s:I, s:I, s:b}", "name", cli_json_text(variable->name),
                                 "type", cli_json_text(ag_strbuf_text(&type)), "elements",
                                 (json_int_t)variable->type->element_count, "offset",
                                 (json_int_t)variable->offset, "size", (json_int_t)variable->size, "used",
                                 (variable->flags & AG_RDEF_VARIABLE_USED) != 0));
        ag_strbuf_fini(&type);
    }
    return variables;
}

static json_t *return_types_json(const struct cli_declaration *declaration)
{
    if (declaration->return_types[0] == NULL)
        return json_null();
    json_t *const types = json_array();
    for (uint32_t i = 0; i < 4; i++)
        json_array_append_new(types, json_string(declaration->return_types[i]));
    return types;
}

static json_t *declaration_json(const struct agpu_shader *shader, const struct cli_declaration *declaration)
{
    const char space[2] = {declaration->letter, '\0'};
    json_t *const object = json_pack("{s:o, s:s, s:s, s:I, s:I}", "name", cli_json_text(declaration->name),
                                     "kind", declaration->kind, "space", space, "slot",
                                     (json_int_t)declaration->slot, "count", (json_int_t)declaration->count);
    if (declaration->letter == 'b') {
        json_object_set_new(object, "bytes", json_integer(declaration->bytes));
        json_object_set_new(object, "dynamic", json_boolean(declaration->dynamic));
        json_object_set_new(object, "variables", variables_json(shader, declaration->name));
    } else if (declaration->letter != 's') {
        json_object_set_new(object, "dimension", cli_json_text(declaration->dimension));
        json_object_set_new(object, "stride", json_integer(declaration->bytes));
        json_object_set_new(object, "return_type", return_types_json(declaration));
        json_object_set_new(object, "samples", json_integer(declaration->samples));
    }
    return object;
}

void cli_shader_stage_json(json_t *object, const struct agpu_shader *shader)
{
    char model[16];
    snprintf(model, sizeof model, "%u_%u", shader->program.major, shader->program.minor);
    json_object_set_new(object, "stage", json_string(agpu_stage_name(shader->program.stage)));
    json_object_set_new(object, "model", json_string(model));
}

static void shader_json(json_t *object, const struct agpu_shader *shader)
{
    cli_shader_stage_json(object, shader);
    json_object_set_new(object, "instructions", json_integer(shader->program.instruction_count));
    json_object_set_new(object, "signatures", signatures_json(shader));
    json_t *const cbuffers = json_array();
    json_t *const resources = json_array();
    for (uint32_t i = 0; i < shader->program.instruction_count; i++) {
        struct cli_declaration declaration;
        if (cli_read_declaration(shader, &shader->program.instructions[i], &declaration))
            json_array_append_new(declaration.letter == 'b' ? cbuffers : resources,
                                  declaration_json(shader, &declaration));
    }
    cli_facts_json(object, shader);
    json_object_set_new(object, "cbuffers", cbuffers);
    json_object_set_new(object, "resources", resources);
}

/* A bare stream with the signatures of a file. */
static enum agpu_status load_with_signatures(struct cli_input *input, const char *path,
                                             struct agpu_shader **shader)
{
    struct cli_diags diags;
    cli_diags_init(&diags, path);
    const struct agpu_diag_sink sink = cli_diags_sink(&diags);
    struct agpu_shader *bare = NULL;
    struct agpu_signature_set *set = NULL;
    uint8_t *text = NULL;
    size_t length = 0;
    enum agpu_status status = agpu_shader_parse_tokens(input->data, input->size, NULL, &input->sink, &bare);
    if (status == AGPU_OK && !cli_read_file(path, &sink, &text, &length))
        status = AGPU_REFUSED;
    if (status == AGPU_OK)
        status = agpu_signature_set_read((const char *)text, length, bare->program.stage, &sink, &set);
    if (status == AGPU_OK)
        status = agpu_shader_parse_tokens(input->data, input->size, set, &input->sink, shader);
    json_array_extend(input->diags.list, diags.list);
    agpu_signature_set_destroy(set);
    agpu_shader_destroy(bare);
    free(text);
    cli_diags_fini(&diags);
    return status;
}

enum agpu_status cli_shader_load(struct cli_input *input, uint32_t flags, struct agpu_shader **shader)
{
    const struct cli_options *const options = &input->arguments->options;
    flags |= options->tokens ? AGPU_PARSE_TOKENS : AGPU_PARSE_DEFAULT;
    const enum agpu_status status =
        options->signatures != NULL
            ? load_with_signatures(input, options->signatures, shader)
            : agpu_shader_parse(input->data, input->size, flags, &input->sink, shader);
    if (input->object != NULL) {
        json_object_set_new(input->object, "ok", json_boolean(status == AGPU_OK));
        if (status == AGPU_OK)
            shader_json(input->object, *shader);
    }
    return status;
}
