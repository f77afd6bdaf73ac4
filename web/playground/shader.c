/* SPDX-License-Identifier: MIT
 *
 * One shader for the page: its listing, its translation, signatures and bindings.
 */
#include <stdlib.h>
#include <string.h>

#include "aerogpu/translate.h"
#include "base/diag.h"
#include "json.h"

#define EXPORT(name) __attribute__((export_name(#name)))

/* What the page looked at last. */
static struct {
    uint8_t *container; /* assembled; null: what the page gave */
    struct ag_strbuf json, log;
} last;

static const struct agpu_diag_sink sink = {json_note, &last.log};

static void add_signature(const char *key, const struct agpu_signature *signature)
{
    static const char *const types[] = {"?", "uint", "int", "float"};
    json_key(&last.json, key);
    json_open(&last.json, '[');
    for (uint32_t i = 0; i < signature->count; i++) {
        const struct agpu_signature_element *const element = &signature->elements[i];
        char mask[5];
        size_t length = 0;
        for (uint32_t c = 0; c < 4; c++)
            if (element->mask >> c & 1)
                mask[length++] = "xyzw"[c];
        json_open(&last.json, '[');
        json_word(&last.json, element->semantic_name);
        json_number(&last.json, element->semantic_index);
        json_text(&last.json, mask, length);
        json_number(&last.json, element->register_index);
        json_word(&last.json, element->component_type < 4 ? types[element->component_type] : "?");
        json_close(&last.json, ']');
    }
    json_close(&last.json, ']');
}

static void add_bindings(const struct agpu_module *module)
{
    static const char *const kinds[] = {
        [AGPU_BIND_UNIFORM_BUFFER] = "uniform buffer",
        [AGPU_BIND_STORAGE_BUFFER_READ] = "storage buffer, read",
        [AGPU_BIND_STORAGE_BUFFER_READ_WRITE] = "storage buffer",
        [AGPU_BIND_SAMPLED_TEXTURE] = "texture",
        [AGPU_BIND_STORAGE_TEXTURE] = "storage texture",
        [AGPU_BIND_SAMPLER] = "sampler",
        [AGPU_BIND_COMPARISON_SAMPLER] = "comparison sampler",
    };
    json_key(&last.json, "bindings");
    json_open(&last.json, '[');
    for (uint32_t i = 0; i < module->binding_count; i++) {
        const struct agpu_binding *const binding = &module->bindings[i];
        json_open(&last.json, '[');
        json_text(&last.json, &"btsui"[binding->space], 1);
        json_number(&last.json, binding->slot);
        json_word(&last.json, kinds[binding->kind]);
        json_number(&last.json, binding->group);
        json_number(&last.json, binding->binding);
        json_number(&last.json, binding->bytes);
        json_close(&last.json, ']');
    }
    json_close(&last.json, ']');
}

static void add_shader(const struct agpu_shader *shader)
{
    char *listing;
    size_t length;
    struct agpu_module *module;
    json_key(&last.json, "stage");
    json_word(&last.json, agpu_stage_name(shader->program.stage));
    add_signature("inputs", &shader->input);
    add_signature("outputs", &shader->output);
    add_signature("patch", &shader->patch_constant);
    agpu_validate(shader, &sink);
    if (agpu_disassemble(shader, AGPU_DISASM_DEFAULT, &sink, &listing, &length) == AGPU_OK) {
        json_key(&last.json, "listing");
        json_text(&last.json, listing, length);
        agpu_free(listing);
    }
    if (agpu_translate(shader, NULL, &sink, &module) == AGPU_OK) {
        json_key(&last.json, "wgsl");
        json_text(&last.json, module->wgsl, module->wgsl_length);
        add_bindings(module);
        agpu_module_destroy(module);
    }
}

/* `data` is a container, a bare token stream or, with `is_listing`, text. The answer stays until the next
 * call. */
EXPORT(shader_read) const char *shader_read(const void *data, size_t size, bool is_listing)
{
    struct agpu_shader *shader = NULL;
    const void *container = data;
    agpu_free(last.container);
    last.container = NULL;
    ag_strbuf_clear(&last.json);
    ag_strbuf_clear(&last.log);
    json_open(&last.json, '{');
    if (is_listing) {
        agpu_assemble(data, size, &sink, &last.container, &size);
        container = last.container;
    }
    if (container != NULL &&
        agpu_shader_parse(container, size, AGPU_PARSE_IGNORE_CHECKSUM, &sink, &shader) == AGPU_OK)
        add_shader(shader);
    agpu_shader_destroy(shader);
    json_key(&last.json, "at");
    json_number(&last.json, (uintptr_t)container);
    json_key(&last.json, "size");
    json_number(&last.json, container != NULL ? size : 0);
    json_key(&last.json, "log");
    json_text(&last.json, ag_strbuf_text(&last.log), last.log.length);
    json_close(&last.json, '}');
    return ag_strbuf_text(&last.json);
}
