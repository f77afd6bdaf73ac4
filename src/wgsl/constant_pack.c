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

void ag_wgsl_choose_pack(struct ag_ir_program *program, const struct ag_translate_options *options)
{
    const struct ag_constant_packing *packing = &options->packing;
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
    if (packed == 1 && first != NULL)
        first->packed = false;
}

bool ag_wgsl_is_in_pack(const struct ag_wgsl_emitter *emitter, size_t resource)
{
    return emitter->program->resources.data[resource].packed && emitter->resources[resource].bound;
}

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
        ag_strbuf_printf(out, "}\n@group(%u) @binding(%d) var<uniform> " AG_WGSL_PACK ": Constants;\n",
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
        .bytes = last->pack_offset + last->bytes,
    };
}
