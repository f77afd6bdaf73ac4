/* SPDX-License-Identifier: MIT
 *
 * Describes the bindings that declare.c declares, inputs, outputs and what else pipelines need to know of a
 * module.
 */
#include <stdlib.h>

#include "wgsl/binding.h"
#include "wgsl/draw_block.h"
#include "wgsl/emit.h"
#include "wgsl/expansion.h"
#include "wgsl/linkage.h"

static enum agpu_sample_type sample_type(const struct ag_ir_resource *resource)
{
    if (resource->compared)
        return AGPU_SAMPLE_DEPTH;
    switch (resource->return_type) {
    case AGPU_RETURN_SINT:
        return AGPU_SAMPLE_SINT;
    case AGPU_RETURN_UINT:
        return AGPU_SAMPLE_UINT;
    default:
        return ag_wgsl_is_filtered(resource) ? AGPU_SAMPLE_FLOAT : AGPU_SAMPLE_UNFILTERABLE_FLOAT;
    }
}

static uint64_t min_binding_bytes(const struct ag_ir_resource *resource)
{
    switch (ag_wgsl_binding_kind(resource)) {
    case AGPU_BIND_UNIFORM_BUFFER:
        return (uint64_t)resource->registers_used * 16;
    case AGPU_BIND_STORAGE_BUFFER_READ:
    case AGPU_BIND_STORAGE_BUFFER_READ_WRITE:
        return resource->space == AGPU_SPACE_CBUFFER ? 16 : 4;
    case AGPU_BIND_SAMPLED_TEXTURE:
    case AGPU_BIND_STORAGE_TEXTURE:
    case AGPU_BIND_SAMPLER:
    case AGPU_BIND_COMPARISON_SAMPLER:
        break;
    }
    return 0;
}

static int compare_bindings(const void *a, const void *b)
{
    const struct agpu_binding *x = a, *y = b;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    return (x->binding > y->binding) - (x->binding < y->binding);
}

/* A storage texture, or a buffer of one word a texel in its place. */
static bool has_storage_format(const struct ag_ir_resource *resource)
{
    return resource->space == AGPU_SPACE_UAV && ag_wgsl_is_texture(resource) && !resource->wide;
}

static struct agpu_binding reflect_resource(const struct ag_wgsl_emitter *emitter,
                                            const struct ag_ir_resource *resource)
{
    enum agpu_binding_kind kind = ag_wgsl_binding_kind(resource);
    const bool multisampled = resource->dimension == AGPU_DIMENSION_TEXTURE2DMS;
    const bool in_layers = multisampled && resource->facts & AG_TEXTURE_LAYERS;
    return (struct agpu_binding){
        .group = (uint8_t)ag_wgsl_group(emitter),
        .binding = (uint16_t)ag_wgsl_binding(resource),
        .kind = (uint8_t)kind,
        .space = resource->space,
        .slot = (uint16_t)resource->slot,
        .bytes = min_binding_bytes(resource),
        .structure_stride = resource->stride,
        .dimension = in_layers ? AGPU_DIMENSION_TEXTURE2DMSARRAY : resource->dimension,
        .sample_type = (uint8_t)(kind == AGPU_BIND_SAMPLED_TEXTURE ? sample_type(resource) : 0),
        .return_type = resource->return_type,
        .multisampled = multisampled && !in_layers && (resource->facts & AG_TEXTURE_ONE_SAMPLE) == 0,
        .faces = ag_wgsl_has_faces(resource),
        .filtered = kind == AGPU_BIND_SAMPLER ? resource->filters : ag_wgsl_is_filtered(resource),
        .storage_format = has_storage_format(resource) ? ag_wgsl_storage_format(emitter, resource) : 0,
        .storage_access = (uint8_t)(kind == AGPU_BIND_STORAGE_TEXTURE ? ag_wgsl_storage_access(resource) : 0),
    };
}

/* Bindings without a WGSL variable of their own: only their draw block entry is read, or they alias another
 * UAV. */
static uint32_t reflect_unbound(const struct ag_wgsl_emitter *emitter, struct agpu_binding *bindings)
{
    const struct ag_ir_program *program = emitter->program;
    uint32_t count = 0;
    for (size_t i = 0; i < program->resources.count; i++) {
        const struct ag_wgsl_resource *written = &emitter->resources[i];
        bool viewed = written->view != AG_IR_NONE && !written->bound;
        if (program->resources.data[i].space != AGPU_SPACE_INTERNAL &&
            !program->resources.data[i].overflows && (viewed || written->variable != i))
            bindings[count++] = reflect_resource(emitter, &program->resources.data[i]);
    }
    qsort(bindings, count, sizeof bindings[0], compare_bindings);
    return count;
}

/* Constant buffers in the pack, in the order of its members. */
static uint32_t reflect_packed(const struct ag_wgsl_emitter *emitter, struct agpu_binding *bindings)
{
    const struct ag_ir_program *program = emitter->program;
    uint32_t count = 0, offset = 0;
    for (size_t i = 0; i < program->resources.count; i++) {
        if (!ag_wgsl_is_in_pack(emitter, i))
            continue;
        bindings[count] = reflect_resource(emitter, &program->resources.data[i]);
        bindings[count].pack_offset = offset;
        offset += (uint32_t)bindings[count++].bytes;
    }
    return count;
}

/* Resources in the overflow block. */
static uint32_t reflect_overflow(const struct ag_wgsl_emitter *emitter, struct agpu_binding *bindings)
{
    const struct ag_ir_program *program = emitter->program;
    uint32_t count = 0;
    for (size_t i = 0; i < program->resources.count; i++) {
        const struct ag_ir_resource *resource = &program->resources.data[i];
        const struct ag_wgsl_resource *written = &emitter->resources[i];
        if (!resource->overflows || (!written->bound && written->view == AG_IR_NONE))
            continue;
        bindings[count] = reflect_resource(emitter, resource);
        bindings[count].texture_array =
            (uint8_t)(ag_wgsl_is_texture(resource) ? ag_wgsl_array_of(resource) : 0);
        bindings[count++].overflow_row = (uint16_t)resource->overflow_row;
    }
    qsort(bindings, count, sizeof bindings[0], compare_bindings);
    return count;
}

/* A buffer that is no resource of the guest's. */
static struct agpu_binding internal_buffer(uint32_t group, uint32_t binding, enum agpu_binding_kind kind,
                                           uint64_t bytes)
{
    return (struct agpu_binding){
        .group = (uint8_t)group,
        .binding = (uint16_t)binding,
        .kind = (uint8_t)kind,
        .space = AGPU_SPACE_INTERNAL,
        .bytes = bytes,
    };
}

static struct agpu_binding internal_texture(const struct ag_wgsl_emitter *emitter, uint32_t binding,
                                            uint32_t slot, enum agpu_sample_type type)
{
    return (struct agpu_binding){
        .group = (uint8_t)ag_wgsl_group(emitter),
        .binding = (uint16_t)binding,
        .kind = AGPU_BIND_SAMPLED_TEXTURE,
        .space = AGPU_SPACE_INTERNAL,
        .slot = (uint16_t)slot,
        .dimension = AGPU_DIMENSION_TEXTURE2D,
        .sample_type = (uint8_t)type,
        .return_type = type == AGPU_SAMPLE_DEPTH ? AGPU_RETURN_FLOAT : AGPU_RETURN_UINT,
    };
}

/* The resource's variables, as declare.c has them; returns how many. */
static uint32_t reflect_variables(const struct ag_wgsl_emitter *emitter, size_t index,
                                  struct agpu_binding *bindings)
{
    const struct ag_ir_resource *resource = &emitter->program->resources.data[index];
    const struct ag_wgsl_resource *written = &emitter->resources[index];
    uint32_t count = 0;
    if (written->point_bound)
        bindings[count++] = (struct agpu_binding){
            .group = (uint8_t)ag_wgsl_group(emitter),
            .binding = (uint16_t)(AG_BINDING_POINT_SAMPLERS + resource->slot),
            .kind = AGPU_BIND_SAMPLER,
            .space = AGPU_SPACE_SAMPLER,
            .slot = (uint16_t)resource->slot,
        };
    if (written->plain_bound)
        bindings[count++] = (struct agpu_binding){
            .group = (uint8_t)ag_wgsl_group(emitter),
            .binding = (uint16_t)(AG_BINDING_PLAIN_TEXTURES + resource->slot),
            .kind = AGPU_BIND_SAMPLED_TEXTURE,
            .space = AGPU_SPACE_RESOURCE,
            .slot = (uint16_t)resource->slot,
            .dimension = resource->dimension,
            .sample_type = AGPU_SAMPLE_FLOAT,
            .return_type = resource->return_type,
            .filtered = true,
        };
    if (written->bound && written->variable == index && resource->space != AGPU_SPACE_INTERNAL &&
        !resource->overflows && !resource->packed)
        bindings[count++] = reflect_resource(emitter, resource);
    return count;
}

/* Bindings that are no resources of the guest's; returns how many. */
static uint32_t reflect_internals(const struct ag_wgsl_emitter *emitter, struct agpu_binding *bindings)
{
    const uint32_t group = ag_wgsl_group(emitter);
    uint32_t count = 0;
    if (emitter->uses_counters)
        bindings[count++] =
            internal_buffer(group, AG_BINDING_UAV_COUNTERS, AGPU_BIND_STORAGE_BUFFER_READ_WRITE,
                            (uint64_t)AG_WGSL_COUNTERS * 4);
    if (emitter->uses_instances || emitter->uses_instance_tables)
        bindings[count++] =
            internal_buffer(group, AG_BINDING_CLASS_INSTANCES, AGPU_BIND_UNIFORM_BUFFER,
                            (uint64_t)emitter->program->instance_slots * AG_CLASS_INSTANCE_BYTES);
    if (emitter->uses_sampler_states)
        bindings[count++] = internal_buffer(group, AG_BINDING_SAMPLER_STATES, AGPU_BIND_UNIFORM_BUFFER,
                                            AG_SAMPLER_STATES_BYTES);
    if (emitter->uses_draw_block)
        bindings[count++] = internal_buffer(AG_GROUP_INTERNAL, AG_BINDING_DRAW_BLOCK,
                                            AGPU_BIND_UNIFORM_BUFFER, AG_DRAW_BLOCK_BYTES);
    for (uint32_t i = 0; i < AGPU_MAX_RENDER_TARGETS; i++)
        if (emitter->destinations >> i & 1)
            bindings[count++] = internal_texture(emitter, AG_BINDING_DESTINATIONS + i, i, AGPU_SAMPLE_UINT);
    if (ag_wgsl_tests_early(emitter) && emitter->options->early_test.depth != 0)
        bindings[count++] =
            internal_texture(emitter, AG_BINDING_EARLY_DEPTH, AG_SLOT_EARLY_DEPTH, AGPU_SAMPLE_DEPTH);
    if (ag_wgsl_tests_early(emitter) && emitter->options->early_test.stencil_front != 0)
        bindings[count++] =
            internal_texture(emitter, AG_BINDING_EARLY_STENCIL, AG_SLOT_EARLY_STENCIL, AGPU_SAMPLE_UINT);
    return count;
}

static uint32_t reflect_bindings(const struct ag_wgsl_emitter *emitter, const struct agpu_module *module,
                                 struct agpu_binding *bindings)
{
    uint32_t count = 0;
    for (size_t i = 0; i < emitter->program->resources.count; i++)
        count += reflect_variables(emitter, i, &bindings[count]);
    count += reflect_internals(emitter, &bindings[count]);
    if (module->packed_count != 0)
        bindings[count++] = ag_wgsl_reflect_pack(emitter, module);
    count += ag_wgsl_reflect_arenas(emitter, &bindings[count]);
    count += ag_wgsl_reflect_records(emitter, &bindings[count]);
    qsort(bindings, count, sizeof bindings[0], compare_bindings);
    return count;
}

/* `clips`, which may be null, is a linkage whose clip distances are added to the values. */
static struct agpu_stage_value *reflect_members(struct ag_arena *arena, const struct ag_wgsl_member *members,
                                                size_t member_count, const struct ag_linkage *clips,
                                                uint32_t *count)
{
    struct agpu_stage_value *values =
        AG_ARENA_ARRAY(arena, struct agpu_stage_value, member_count + AG_WGSL_MAX_CLIP_DISTANCES / 4);
    *count = 0;
    for (size_t i = 0; values != NULL && i < member_count; i++)
        if (members[i].used)
            values[(*count)++] = members[i].value;
    if (values != NULL)
        *count += ag_wgsl_clip_values(clips, &values[*count]);
    return values;
}

static void reflect_facts(const struct ag_wgsl_emitter *emitter, struct agpu_module *module)
{
    const struct ag_ir_program *program = emitter->program;
    module->stage = program->stage;
    module->flavour = program->flavour;
    module->expansion = program->expansion;
    module->entry_point = "main";
    module->uses_draw_block = emitter->uses_draw_block;
    module->view_count = emitter->view_count;
    module->view_base = emitter->options->view_base;
    module->needs = emitter->needs;
    module->discards |= program->discards;
    module->per_sample = emitter->per_sample;
    module->early_depth_stencil = program->global_flags & AGPU_GLOBAL_FORCE_EARLY_DEPTH_STENCIL;
    for (uint32_t i = 0; i < 3; i++)
        module->workgroup_size[i] = program->workgroup[i];
    for (size_t i = 0; i < program->outputs.count; i++) {
        module->writes_depth |= program->outputs.data[i].kind == AG_IR_OUTPUT_DEPTH;
        module->writes_sample_mask |= program->outputs.data[i].kind == AG_IR_OUTPUT_COVERAGE;
    }
    for (size_t i = 0; i < program->resources.count; i++) {
        const struct ag_ir_resource *resource = &program->resources.data[i];
        bool is_shared = resource->space == AGPU_SPACE_INTERNAL;
        if (is_shared && emitter->resources[i].bound)
            module->workgroup_bytes += AG_WGSL_SHARED_BYTES(ag_wgsl_shared_words(resource));
        module->writes_memory |= !is_shared && (resource->stored || resource->atomic || resource->counted);
        if (resource->counted)
            module->counted |= UINT64_C(1) << resource->slot;
    }
    module->workgroup_bytes += ag_wgsl_has_decision(emitter) ? AG_WGSL_SHARED_BYTES(1) : 0;
}

bool ag_wgsl_reflect(struct ag_wgsl_emitter *emitter, struct ag_arena *arena, struct agpu_module *module)
{
    struct agpu_binding *bindings =
        AG_ARENA_ARRAY(arena, struct agpu_binding,
                       emitter->program->resources.count * 3 + 10 + AG_TEXTURE_ARRAYS +
                           AGPU_MAX_RENDER_TARGETS + AG_EXPAND_BINDING_COUNT);
    struct agpu_binding *unbound =
        AG_ARENA_ARRAY(arena, struct agpu_binding, emitter->program->resources.count);
    struct agpu_binding *overflow =
        AG_ARENA_ARRAY(arena, struct agpu_binding, emitter->program->resources.count);
    struct agpu_binding *packed =
        AG_ARENA_ARRAY(arena, struct agpu_binding, emitter->program->resources.count);
    if (bindings == NULL || unbound == NULL || overflow == NULL || packed == NULL)
        return false;
    module->packed_count = reflect_packed(emitter, packed);
    module->packed = packed;
    module->constant_sets = ag_wgsl_constant_sets(emitter);
    module->binding_count = reflect_bindings(emitter, module, bindings);
    module->bindings = bindings;
    module->unbound_count = reflect_unbound(emitter, unbound);
    module->unbound = unbound;
    module->overflow_count = reflect_overflow(emitter, overflow);
    module->overflow = overflow;
    module->overflow_rows = emitter->overflow_rows;
    const struct ag_linkage *clips =
        emitter->program->stage == AGPU_STAGE_PIXEL ? emitter->options->linkage : NULL;
    module->discards |= ag_wgsl_clip_parts(clips) > 0;
    module->inputs =
        reflect_members(arena, emitter->inputs.data, emitter->inputs.count, clips, &module->input_count);
    module->outputs =
        reflect_members(arena, emitter->outputs.data, emitter->outputs.count, NULL, &module->output_count);
    module->views = ag_arena_memdup(arena, emitter->views, emitter->view_count * sizeof emitter->views[0],
                                    alignof(uint16_t));
    reflect_facts(emitter, module);
    return module->inputs != NULL && module->outputs != NULL && module->views != NULL;
}
