/* SPDX-License-Identifier: MIT
 *
 * The pack: constant buffers of a stage that share one uniform buffer, a structure with an array of registers
 * for each of them. What changes between draws is uploaded at once then, and is one dynamic offset.
 */
#include "wgsl/binding.h"
#include "wgsl/emit.h"

#define REGISTER_BYTES 16u

static uint64_t bytes_of(const struct ag_ir_resource *resource)
{
    return (uint64_t)resource->registers_used * REGISTER_BYTES;
}

/* Whether a constant buffer can be in the pack. */
static bool fits(const struct ag_ir_resource *resource)
{
    return resource->space == AGPU_SPACE_CBUFFER && resource->used && resource->registers_used != 0 &&
           !resource->in_storage && !resource->overflows && resource->slot < AG_PACK_PARTS;
}

static bool is_apart(const struct ag_translate_options *options, const struct ag_ir_resource *resource)
{
    return (options->packing.apart >> resource->slot & 1) != 0;
}

/* The smallest buffer that may join the pack, or null. */
static struct ag_ir_resource *find_smallest(struct ag_ir_program *program,
                                            const struct ag_translate_options *options)
{
    struct ag_ir_resource *found = NULL;
    for (size_t i = 0; i < program->resources.count; i++) {
        struct ag_ir_resource *resource = &program->resources.data[i];
        if (fits(resource) && !resource->packed && !is_apart(options, resource) &&
            (found == NULL || bytes_of(resource) < bytes_of(found)))
            found = resource;
    }
    return found;
}

/* Packs what the device does not bind. Returns how many buffers are left, and adds up what is packed. */
static uint32_t pack_required(struct ag_ir_program *program, const struct ag_translate_options *options,
                              uint32_t *packed, uint64_t *bytes)
{
    uint32_t left = 0;
    for (size_t i = 0; i < program->resources.count; i++) {
        struct ag_ir_resource *resource = &program->resources.data[i];
        if (!fits(resource))
            continue;
        resource->packed = options->overflow != NULL && (options->overflow->packed >> resource->slot & 1);
        if (resource->packed) {
            *bytes += bytes_of(resource);
            (*packed)++;
        } else {
            left++;
        }
    }
    return left;
}

/* Sets of constants are at least two. */
static const struct ag_constant_packing packing_of_sets = {
    .few_bytes = AG_CONSTANT_SET_BYTES / 2,
    .most_bytes = AG_CONSTANT_SET_BYTES / 2,
};

void ag_wgsl_choose_pack(struct ag_ir_program *program, const struct ag_translate_options *options)
{
    const bool has_sets = options->has_constant_sets;
    const struct ag_constant_packing *packing = has_sets ? &packing_of_sets : &options->packing;
    uint32_t packed = 0;
    uint64_t bytes = 0;
    struct ag_ir_resource *next, *first = NULL;
    uint32_t left = pack_required(program, options, &packed, &bytes);
    while ((next = find_smallest(program, options)) != NULL) {
        bytes += bytes_of(next);
        if (bytes > packing->few_bytes && (bytes > packing->most_bytes || left <= packing->few_buffers))
            break;
        next->packed = true;
        first = packed++ == 0 ? next : first;
        left--;
    }
    if (packed == 1 && first != NULL && !has_sets)
        first->packed = false;
}

bool ag_wgsl_is_in_pack(const struct ag_wgsl_emitter *emitter, size_t resource)
{
    return emitter->program->resources.data[resource].packed && emitter->resources[resource].bound;
}

/* ---- Sets --------------------------------------------------------------------------------------------- */

static uint64_t bytes_of_pack(const struct ag_wgsl_emitter *emitter)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < emitter->program->resources.count; i++)
        if (ag_wgsl_is_in_pack(emitter, i))
            bytes += bytes_of(&emitter->program->resources.data[i]);
    return bytes;
}

uint32_t ag_wgsl_constant_sets(const struct ag_wgsl_emitter *emitter)
{
    const uint64_t bytes = bytes_of_pack(emitter);
    if (!emitter->options->has_constant_sets || bytes == 0)
        return 0;
    const uint64_t sets = AG_CONSTANT_SET_BYTES / bytes;
    return sets == 0 ? 1 : sets < AG_MOST_CONSTANT_SETS ? (uint32_t)sets : AG_MOST_CONSTANT_SETS;
}

const char *ag_wgsl_pack_of(const struct ag_wgsl_emitter *emitter, const struct ag_ir_resource *resource)
{
    if (!resource->packed)
        return "";
    return emitter->options->has_constant_sets ? AG_WGSL_PACK ".sets[constant_set]." : AG_WGSL_PACK ".";
}

void ag_wgsl_find_set(struct ag_wgsl_emitter *emitter, const char *number)
{
    if (emitter->options->has_constant_sets)
        ag_wgsl_line(emitter, "constant_set = find_set(%s);", number);
}

/* The last set whose first number is not above the number. */
static void declare_sets(const struct ag_wgsl_emitter *emitter, uint32_t sets, struct ag_strbuf *out)
{
    ag_strbuf_append(out, "var<private> constant_set: u32;\n");
    if (sets == 0) {
        ag_strbuf_append(out, "fn find_set(number: u32) -> u32 {\n\treturn 0u;\n}\n");
        return;
    }
    ag_strbuf_printf(out,
                     "struct Sets {\n\tfirst: array<vec4u, %u>,\n\tsets: array<Constants, %u>,\n}\n"
                     "@group(%u) @binding(%d) var<uniform> " AG_WGSL_PACK ": Sets;\n"
                     "fn find_set(number: u32) -> u32 {\n"
                     "\tvar found = 0u;\n"
                     "\tvar end = %uu;\n"
                     "\twhile (end - found > 1u) {\n"
                     "\t\tlet middle = (found + end) / 2u;\n"
                     "\t\tif (" AG_WGSL_PACK ".first[middle / 4u][middle %% 4u] <= number) {\n"
                     "\t\t\tfound = middle;\n"
                     "\t\t} else {\n"
                     "\t\t\tend = middle;\n"
                     "\t\t}\n"
                     "\t}\n"
                     "\treturn found;\n"
                     "}\n",
                     ag_constant_sets_offset(sets) / 16, sets, ag_wgsl_group(emitter),
                     AG_BINDING_CONSTANT_PACK, sets);
}

/* ---- Declarations ------------------------------------------------------------------------------------- */

void ag_wgsl_declare_pack(const struct ag_wgsl_emitter *emitter, struct ag_strbuf *out)
{
    const struct ag_ir_program *program = emitter->program;
    bool any = false;
    for (size_t i = 0; i < program->resources.count; i++) {
        const struct ag_ir_resource *resource = &program->resources.data[i];
        if (!ag_wgsl_is_in_pack(emitter, i))
            continue;
        ag_strbuf_printf(
            out, "%s\t%s: array<%s, %u>,\n", any ? "" : "struct Constants {\n", emitter->resources[i].name,
            ag_wgsl_type(resource->holds_floats ? AG_IR_F32 : AG_IR_U32, 4), resource->registers_used);
        any = true;
    }
    if (any)
        ag_strbuf_append(out, "}\n");
    if (emitter->options->has_constant_sets)
        declare_sets(emitter, ag_wgsl_constant_sets(emitter), out);
    else if (any)
        ag_strbuf_printf(out, "@group(%u) @binding(%d) var<uniform> " AG_WGSL_PACK ": Constants;\n",
                         ag_wgsl_group(emitter), AG_BINDING_CONSTANT_PACK);
}

struct agpu_binding ag_wgsl_reflect_pack(const struct ag_wgsl_emitter *emitter,
                                         const struct agpu_module *module)
{
    const struct agpu_binding *last = &module->packed[module->packed_count - 1];
    return (struct agpu_binding){
        .group = (uint8_t)ag_wgsl_group(emitter),
        .binding = AG_BINDING_CONSTANT_PACK,
        .kind = AGPU_BIND_UNIFORM_BUFFER,
        .space = AGPU_SPACE_INTERNAL,
        .bytes = ag_constant_pack_bytes(module->constant_sets, last->pack_offset + last->bytes),
    };
}
