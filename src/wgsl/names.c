/* SPDX-License-Identifier: MIT
 *
 * Names of resources and variables. Every name begins with a prefix and a number (r0, cb1, t2, v3), so that
 * none can be a helper, a keyword or a type of WGSL, except u32, which is renamed. The author's name follows
 * if RDEF has one.
 */
#include <string.h>

#include "base/format.h"
#include "wgsl/emit.h"

#define LONGEST_NAME 40

const char *ag_wgsl_type(enum ag_ir_type type, uint32_t width)
{
    static const char *const names[][4] = {
        [AG_IR_ANY] = {"u32",  "vec2u",      "vec3u",      "vec4u"     },
        [AG_IR_F32] = {"f32",  "vec2f",      "vec3f",      "vec4f"     },
        [AG_IR_I32] = {"i32",  "vec2i",      "vec3i",      "vec4i"     },
        [AG_IR_U32] = {"u32",  "vec2u",      "vec3u",      "vec4u"     },
        [AG_IR_BOOL] = {"bool", "vec2<bool>", "vec3<bool>", "vec4<bool>"},
        [AG_IR_INT] = {"u32",  "vec2u",      "vec3u",      "vec4u"     },
    };
    return names[type][width - 1];
}

void ag_wgsl_open_type(struct ag_strbuf *out, enum ag_ir_type type, uint32_t width)
{
    ag_strbuf_append(out, ag_wgsl_type(type, width));
    ag_strbuf_append_char(out, '(');
}

const char *ag_wgsl_sanitise(struct ag_arena *arena, const char *name)
{
    char clean[LONGEST_NAME + 1] = "";
    size_t length = 0;
    for (const char *c = name; *c != '\0' && length < LONGEST_NAME; c++) {
        bool word = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9');
        if (word)
            clean[length++] = *c;
        else if (length > 0 && clean[length - 1] != '_')
            clean[length++] = '_';
    }
    while (length > 0 && clean[length - 1] == '_')
        length--;
    char *copy = ag_arena_strndup(arena, clean, length);
    return copy == NULL ? "" : copy;
}

const char *ag_wgsl_short_name(struct ag_wgsl_emitter *emitter)
{
    static const char letters[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    uint32_t number = emitter->short_names++;
    char name[8];
    size_t length = 0;
    name[length++] = (char)('A' + number % 26);
    for (number /= 26; number > 0; number /= sizeof letters - 1)
        name[length++] = letters[--number % (sizeof letters - 1)];
    const char *const copy = ag_arena_strndup(emitter->program->arena, name, length);
    if (copy == NULL)
        ag_ir_no_memory(emitter->program);
    return copy == NULL ? "" : copy;
}

static void name_resources(struct ag_wgsl_emitter *emitter)
{
    static const char *const prefixes[] = {
        [AGPU_SPACE_CBUFFER] = "cb", [AGPU_SPACE_RESOURCE] = "t", [AGPU_SPACE_SAMPLER] = "s",
        [AGPU_SPACE_UAV] = "u",      [AGPU_SPACE_INTERNAL] = "g",
    };
    struct ag_ir_program *program = emitter->program;
    for (size_t i = 0; i < program->resources.count; i++) {
        const struct ag_ir_resource *resource = &program->resources.data[i];
        const bool has_name = resource->name != NULL && !emitter->is_terse;
        const char *name = has_name ? ag_wgsl_sanitise(program->arena, resource->name) : "";
        emitter->resources[i].view = AG_IR_NONE;
        emitter->resources[i].variable = (uint32_t)i;
        emitter->resources[i].name = ag_wgsl_text(emitter, "%s%u%s%s", prefixes[resource->space],
                                                  resource->slot, *name == '\0' ? "" : "_", name);
        if (strcmp(emitter->resources[i].name, "u32") == 0)
            emitter->resources[i].name = "u32_uav";
    }
}

static bool is_buffer_view(const struct ag_ir_resource *resource)
{
    return resource->space == AGPU_SPACE_UAV && !ag_wgsl_is_texture(resource);
}

/* Lets UAVs that alias one buffer share a variable. If any of them is used by atomics, all access it
 * atomically. */
static void alias_views(struct ag_wgsl_emitter *emitter)
{
    const uint8_t *aliases = emitter->options->uav_aliases;
    struct ag_ir_program *program = emitter->program;
    bool again = aliases != NULL;
    for (size_t i = 0; again && i < program->resources.count; i++) {
        const struct ag_ir_resource *resource = &program->resources.data[i];
        for (size_t j = 0; is_buffer_view(resource) && j < program->resources.count; j++)
            if (is_buffer_view(&program->resources.data[j]) && resource->slot < AGPU_MAX_UAVS &&
                program->resources.data[j].slot == aliases[resource->slot])
                emitter->resources[i].variable = (uint32_t)j;
    }
    while (again) {
        again = false;
        for (size_t i = 0; i < program->resources.count; i++) {
            struct ag_ir_resource *one = &program->resources.data[i];
            struct ag_ir_resource *other = &program->resources.data[emitter->resources[i].variable];
            again |= one->atomic != other->atomic;
            one->atomic = other->atomic = one->atomic || other->atomic;
        }
    }
}

/* The letters in front of a register's number. Depth and coverage outputs have no number. */
static const char *register_prefix(const struct ag_ir_program *program, uint32_t id)
{
    const struct ag_ir_register *reg = &program->registers.data[id];
    if (reg->kind == AG_IR_REGISTER_SCRATCH)
        return "tmp";
    if (reg->kind != AG_IR_REGISTER_OUTPUT)
        return "r";
    for (size_t i = 0; reg->number == AG_IR_NONE && i < program->outputs.count; i++)
        if (program->outputs.data[i].register_id == id)
            return program->outputs.data[i].kind == AG_IR_OUTPUT_DEPTH ? "o_depth" : "o_coverage";
    return "o";
}

/* Builds a name such as r0xyz; a second variable of the same components is r0xyz2. */
static const char *variable_name(const struct ag_ir_program *program, const struct ag_ir_variable *variable,
                                 uint32_t use)
{
    const struct ag_ir_register *reg = &program->registers.data[variable->register_id];
    const char *prefix = register_prefix(program, variable->register_id);
    char name[16 + 2 * AG_UNSIGNED_TEXT_BYTES];
    size_t length = strlen(prefix);
    memcpy(name, prefix, length);
    if (reg->number != AG_IR_NONE)
        length += ag_unsigned_text(reg->number, name + length);
    for (uint32_t c = 0; c < variable->width; c++)
        name[length++] = "xyzw"[variable->register_component[c]];
    if (use > 1)
        length += ag_unsigned_text(use, name + length);
    return ag_arena_strndup(program->arena, name, length);
}

static bool is_named_here(const struct ag_ir_variable *variable)
{
    return !variable->is_input && variable->home != NULL && variable->name == NULL;
}

static void name_variables_shortly(struct ag_wgsl_emitter *emitter)
{
    struct ag_ir_program *program = emitter->program;
    for (size_t i = 0; i < program->variables.count; i++)
        if (is_named_here(&program->variables.data[i]))
            program->variables.data[i].name = ag_wgsl_short_name(emitter);
}

static void name_variables(struct ag_wgsl_emitter *emitter)
{
    struct ag_ir_program *program = emitter->program;
    uint32_t *uses = AG_ARENA_ARRAY(program->arena, uint32_t, program->registers.count * 16);
    if (uses == NULL) {
        ag_ir_no_memory(program);
        return;
    }
    for (size_t i = 0; i < program->variables.count; i++) {
        struct ag_ir_variable *variable = &program->variables.data[i];
        if (!is_named_here(variable))
            continue;
        uint32_t mask = 0;
        for (uint32_t c = 0; c < variable->width; c++)
            mask |= 1u << variable->register_component[c];
        variable->name = variable_name(program, variable, ++uses[variable->register_id * 16 + mask]);
        if (variable->name == NULL)
            ag_ir_no_memory(program);
    }
}

void ag_wgsl_name_everything(struct ag_wgsl_emitter *emitter)
{
    name_resources(emitter);
    alias_views(emitter);
    (emitter->is_terse ? name_variables_shortly : name_variables)(emitter);
}
