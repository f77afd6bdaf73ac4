/* SPDX-License-Identifier: MIT */
#include "cli/shader.h"

#include <inttypes.h>
#include <string.h>

#include "base/bytes.h"
#include "dxbc/names.h"

/* One resource declaration of a program, with the name that reflection knows for it. */
struct declaration {
    const char *kind; /* of JSON and text */
    char letter;      /* b, t, s, u */
    uint32_t slot, count;
    uint32_t bytes; /* constant buffers: size; structured ones: stride */
    const char *dimension;
    const char *name; /* null when stripped */
    bool dynamic;     /* a constant buffer that is indexed by registers */
};

static const char *const component_names[] = {
    [AGPU_COMPONENT_UNKNOWN] = "unknown",
    [AGPU_COMPONENT_UINT] = "uint",
    [AGPU_COMPONENT_SINT] = "int",
    [AGPU_COMPONENT_FLOAT] = "float",
};

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

static const char *component_name(uint32_t type)
{
    return type < AGPU_COUNT_OF(component_names) ? component_names[type] : "unknown";
}

static const char *mask_text(uint32_t mask, char text[5])
{
    size_t used = 0;
    for (uint32_t i = 0; i < 4; i++) {
        if (mask >> i & 1)
            text[used++] = "xyzw"[i];
    }
    text[used] = '\0';
    return text;
}

/* ---- Declarations ------------------------------------------------------------------------------------- */

static char binding_letter(uint32_t input_type)
{
    switch (input_type) {
    case 0:
        return 'b';
    case 3:
        return 's';
    case 1:
    case 2:
    case 5:
    case 7:
        return 't';
    default:
        return 'u';
    }
}

static const char *binding_name(const struct agpu_shader *shader, char letter, uint32_t slot)
{
    for (uint32_t i = 0; shader->rdef != NULL && i < shader->rdef->binding_count; i++) {
        const struct agpu_rdef_binding *const binding = &shader->rdef->bindings[i];
        if (binding_letter(binding->input_type) == letter && binding->bind_point <= slot &&
            slot - binding->bind_point < binding->bind_count)
            return binding->name;
    }
    return NULL;
}

static uint32_t declaration_word(const struct agpu_instruction *instruction, uint32_t index)
{
    return index < instruction->data_count ? instruction->data[index] : 0;
}

/* Slot and count of the declared range: two indices in 5.0 and before hold {slot}, three in 5.1 hold
 * {id, first, last}. */
static void declaration_range(const struct agpu_operand *operand, struct declaration *declaration)
{
    const bool ranged = operand->index_count == 3;
    declaration->slot = (uint32_t)operand->index[ranged ? 1 : 0].immediate;
    declaration->count = ranged ? (uint32_t)operand->index[2].immediate - declaration->slot + 1 : 1;
}

static bool read_declaration(const struct agpu_shader *shader, const struct agpu_instruction *instruction,
                             struct declaration *declaration)
{
    *declaration = (struct declaration){0};
    if (instruction->operand_count == 0)
        return false;
    const struct agpu_operand *const operand = &instruction->operands[0];
    enum agpu_resource_dimension dimension = AGPU_DIMENSION_UNKNOWN;
    switch (instruction->opcode) {
    case AGPU_OP_DCL_CONSTANTBUFFER:
        declaration->letter = 'b';
        declaration->kind = "cbuffer";
        declaration->dynamic = (instruction->controls & 1) != 0;
        declaration->bytes = 16 * (operand->index_count == 3 ? declaration_word(instruction, 0)
                                                             : (uint32_t)operand->index[1].immediate);
        break;
    case AGPU_OP_DCL_SAMPLER:
        declaration->letter = 's';
        declaration->kind = (instruction->controls & 0xf) == 1 ? "comparison_sampler" : "sampler";
        break;
    case AGPU_OP_DCL_RESOURCE:
    case AGPU_OP_DCL_RESOURCE_RAW:
    case AGPU_OP_DCL_RESOURCE_STRUCTURED:
        declaration->letter = 't';
        declaration->kind = "resource";
        break;
    case AGPU_OP_DCL_UAV_TYPED:
    case AGPU_OP_DCL_UAV_RAW:
    case AGPU_OP_DCL_UAV_STRUCTURED:
        declaration->letter = 'u';
        declaration->kind = "uav";
        break;
    default: /* every other opcode declares no resource */
        return false;
    }
    if (instruction->opcode == AGPU_OP_DCL_RESOURCE || instruction->opcode == AGPU_OP_DCL_UAV_TYPED)
        dimension = agpu_dcl_dimension(instruction);
    if (instruction->opcode == AGPU_OP_DCL_RESOURCE_RAW || instruction->opcode == AGPU_OP_DCL_UAV_RAW)
        dimension = AGPU_DIMENSION_RAW_BUFFER;
    if (instruction->opcode == AGPU_OP_DCL_RESOURCE_STRUCTURED ||
        instruction->opcode == AGPU_OP_DCL_UAV_STRUCTURED) {
        dimension = AGPU_DIMENSION_STRUCTURED_BUFFER;
        declaration->bytes = declaration_word(instruction, 0);
    }
    if (dimension != AGPU_DIMENSION_UNKNOWN && (uint32_t)dimension < agpu_names_dimension.count)
        declaration->dimension = agpu_names_dimension.names[dimension];
    declaration_range(operand, declaration);
    declaration->name = binding_name(shader, declaration->letter, declaration->slot);
    return true;
}

/* ---- JSON --------------------------------------------------------------------------------------------- */

static const char *system_value_name(uint32_t value)
{
    const char *const name =
        value < agpu_names_system_value.count ? agpu_names_system_value.names[value] : NULL;
    return name != NULL ? name : "unknown";
}

static json_t *element_json(const struct agpu_signature_element *element)
{
    char mask[5], used[5];
    return json_pack(
        "{s:o, s:I, s:I, s:s, s:s, s:o, s:s, s:s}", "name", cli_json_text(element->semantic_name), "index",
        (json_int_t)element->semantic_index, "stream", (json_int_t)element->stream, "system_value",
        system_value_name(element->system_value), "type", component_name(element->component_type), "register",
        element->register_index == AGPU_REGISTER_NONE ? json_null() : json_integer(element->register_index),
        "mask", mask_text(element->mask, mask), "rw_mask", mask_text(element->rw_mask, used));
}

static json_t *signatures_json(const struct agpu_shader *shader)
{
    json_t *const signatures = json_object();
    for (size_t kind = 0; kind < AGPU_COUNT_OF(signature_kinds); kind++) {
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
    for (uint32_t i = 0; cbuffer != NULL && i < shader->rdef->cbuffer_count; i++) {
        const struct agpu_rdef_cbuffer *const found = &shader->rdef->cbuffers[i];
        if (found->name == NULL || strcmp(found->name, cbuffer) != 0)
            continue;
        for (uint32_t j = 0; j < found->variable_count; j++)
            json_array_append_new(variables, json_pack("{s:o, s:I, s:I}", "name",
                                                       cli_json_text(found->variables[j].name), "offset",
                                                       (json_int_t)found->variables[j].offset, "size",
                                                       (json_int_t)found->variables[j].size));
        break;
    }
    return variables;
}

static json_t *declaration_json(const struct agpu_shader *shader, const struct declaration *declaration)
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
        struct declaration declaration;
        if (read_declaration(shader, &shader->program.instructions[i], &declaration))
            json_array_append_new(declaration.letter == 'b' ? cbuffers : resources,
                                  declaration_json(shader, &declaration));
    }
    json_object_set_new(object, "cbuffers", cbuffers);
    json_object_set_new(object, "resources", resources);
}

enum agpu_status cli_shader_load(struct cli_input *input, struct agpu_shader **shader)
{
    const uint32_t flags = input->arguments->options.tokens ? AGPU_PARSE_TOKENS : AGPU_PARSE_DEFAULT;
    const enum agpu_status status = agpu_shader_parse(input->data, input->size, flags, &input->sink, shader);
    if (input->object != NULL) {
        json_object_set_new(input->object, "ok", json_boolean(status == AGPU_OK));
        if (status == AGPU_OK)
            shader_json(input->object, *shader);
    }
    return status;
}

/* ---- Text --------------------------------------------------------------------------------------------- */

static void describe_signature(const struct agpu_signature *signature, const char *title, char letter,
                               struct agpu_strbuf *text)
{
    if (signature->count == 0)
        return;
    agpu_strbuf_printf(text, "  %s\n", title);
    for (uint32_t i = 0; i < signature->count; i++) {
        const struct agpu_signature_element *const element = &signature->elements[i];
        char mask[5], name[64], place[24];
        snprintf(name, sizeof name, "%s%" PRIu32, element->semantic_name, element->semantic_index);
        if (element->register_index == AGPU_REGISTER_NONE)
            snprintf(place, sizeof place, "-");
        else
            snprintf(place, sizeof place, "%c%" PRIu32 ".%s", letter, element->register_index,
                     mask_text(element->mask, mask));
        agpu_strbuf_printf(text, "    %-28s %-10s %s\n", name, place,
                           component_name(element->component_type));
    }
}

static void describe_declaration(const struct declaration *declaration, struct agpu_strbuf *text)
{
    char slot[40];
    if (declaration->count == 1)
        snprintf(slot, sizeof slot, "%c%" PRIu32, declaration->letter, declaration->slot);
    else
        snprintf(slot, sizeof slot, "%c%" PRIu32 "[%" PRIu32 "]", declaration->letter, declaration->slot,
                 declaration->count);
    agpu_strbuf_printf(text, "    %-6s %-18s %s", slot,
                       declaration->dimension != NULL ? declaration->dimension : declaration->kind,
                       declaration->name != NULL ? declaration->name : "");
    if (declaration->bytes != 0)
        agpu_strbuf_printf(text, " (%" PRIu32 " bytes%s)", declaration->bytes,
                           declaration->dynamic ? ", dynamically indexed" : "");
    agpu_strbuf_append_char(text, '\n');
}

static void describe_chunks(const struct agpu_shader *shader, struct agpu_strbuf *text)
{
    if (shader->chunk_count == 0)
        return;
    agpu_strbuf_append(text, "  chunks\n   ");
    for (uint32_t i = 0; i < shader->chunk_count; i++) {
        char name[5] = {0};
        for (uint32_t j = 0; j < 4; j++) {
            const char c = (char)(shader->chunks[i].fourcc >> (8 * j) & 0xff);
            name[j] = c >= ' ' && c <= '~' ? c : '?';
        }
        agpu_strbuf_printf(text, " %s %" PRIu32, name, shader->chunks[i].size);
    }
    agpu_strbuf_append_char(text, '\n');
}

void cli_shader_describe(const struct agpu_shader *shader, const char *file, struct agpu_strbuf *text)
{
    const struct agpu_program *const program = &shader->program;
    agpu_strbuf_printf(text,
                       "%s: %s_%u_%u, %" PRIu32 " instructions, %" PRIu32 " tokens, hash %016" PRIx64 "\n",
                       file, agpu_stage_name(program->stage), program->major, program->minor,
                       program->instruction_count, program->token_count, shader->hash);
    if (shader->rdef != NULL && shader->rdef->creator != NULL)
        agpu_strbuf_printf(text, "  made by %s\n", shader->rdef->creator);
    describe_chunks(shader, text);
    describe_signature(&shader->input, "inputs", 'v', text);
    describe_signature(&shader->output, "outputs", 'o', text);
    describe_signature(&shader->patch_constant, "patch constants", 'o', text);
    bool first = true;
    for (uint32_t i = 0; i < program->instruction_count; i++) {
        struct declaration declaration;
        if (!read_declaration(shader, &program->instructions[i], &declaration))
            continue;
        if (first)
            agpu_strbuf_append(text, "  resources\n");
        first = false;
        describe_declaration(&declaration, text);
    }
}
