/* SPDX-License-Identifier: MIT
 *
 * Plans the inputs and outputs of a stage and their types. Runs before the passes, whose type inference
 * starts from these types.
 */
#include <string.h>

#include "wgsl/emit.h"
#include "wgsl/linkage.h"
#include "wgsl/options.h"

static const char *semantic_of(struct ag_wgsl_emitter *emitter, const struct agpu_signature *signature,
                               uint32_t number)
{
    struct ag_arena *arena = emitter->program->arena;
    for (uint32_t i = 0; i < signature->count && !emitter->is_terse; i++) {
        const struct agpu_signature_element *element = &signature->elements[i];
        if (element->register_index != number || element->semantic_name == NULL)
            continue;
        const char *name = ag_wgsl_sanitise(arena, element->semantic_name);
        return *name == '\0' ? "" : ag_wgsl_text(emitter, "_%s%u", name, element->semantic_index);
    }
    return "";
}

static uint32_t width_of_mask(uint32_t mask)
{
    uint32_t width = 1;
    for (uint32_t c = 0; c < 4; c++)
        if (mask >> c & 1)
            width = c + 1;
    return width;
}

static enum ag_ir_type type_of_component(uint32_t component_type)
{
    return component_type == AGPU_COMPONENT_UINT   ? AG_IR_U32
           : component_type == AGPU_COMPONENT_SINT ? AG_IR_I32
                                                   : AG_IR_F32;
}

static uint8_t component_of_type(enum ag_ir_type type)
{
    return type == AG_IR_U32   ? AGPU_COMPONENT_UINT
           : type == AG_IR_I32 ? AGPU_COMPONENT_SINT
                               : AGPU_COMPONENT_FLOAT;
}

static bool is_integer(uint32_t component_type)
{
    return component_type == AGPU_COMPONENT_UINT || component_type == AGPU_COMPONENT_SINT;
}

const char *ag_wgsl_interpolation(uint32_t interpolation)
{
    switch ((enum agpu_interpolation)interpolation) {
    case AGPU_INTERPOLATE_CONSTANT:
        return " @interpolate(flat)";
    case AGPU_INTERPOLATE_LINEAR_CENTROID:
        return " @interpolate(perspective, centroid)";
    case AGPU_INTERPOLATE_LINEAR_NOPERSPECTIVE:
        return " @interpolate(linear)";
    case AGPU_INTERPOLATE_LINEAR_NOPERSPECTIVE_CENTROID:
        return " @interpolate(linear, centroid)";
    case AGPU_INTERPOLATE_LINEAR_SAMPLE:
        return " @interpolate(perspective, sample)";
    case AGPU_INTERPOLATE_LINEAR_NOPERSPECTIVE_SAMPLE:
        return " @interpolate(linear, sample)";
    case AGPU_INTERPOLATE_UNDEFINED:
    case AGPU_INTERPOLATE_LINEAR:
        break;
    }
    return "";
}

static struct ag_wgsl_member *add_member(struct ag_wgsl_emitter *emitter, bool is_input, uint32_t index,
                                         const char *name, const char *attributes, const char *type)
{
    struct ag_wgsl_member member = {
        .name = name,
        .attributes = attributes,
        .type = type,
        .index = index,
        .value = {.register_index = 0xff, .location = 0xff},
        .used = true,
    };
    const struct ag_wgsl_member *others = is_input ? emitter->inputs.data : emitter->outputs.data;
    size_t count = is_input ? emitter->inputs.count : emitter->outputs.count;
    for (size_t i = 0; i < count; i++)
        if (strcmp(others[i].name, name) == 0)
            ag_ir_refuse(emitter->program, AGPU_DIAG_TRANSLATE_SYSTEM_VALUE, AG_IR_NONE,
                         "%s is declared twice", name);
    bool pushed = is_input ? ag_vec_push(&emitter->inputs, member) : ag_vec_push(&emitter->outputs, member);
    if (!pushed) {
        ag_ir_no_memory(emitter->program);
        return NULL;
    }
    return is_input ? &ag_vec_last(&emitter->inputs) : &ag_vec_last(&emitter->outputs);
}

struct ag_wgsl_member *ag_wgsl_add_output(struct ag_wgsl_emitter *emitter, uint32_t index, const char *name,
                                          const char *attributes, const char *type)
{
    return add_member(emitter, false, index, name, attributes, type);
}

/* ---- Inputs ------------------------------------------------------------------------------------------- */

/* Components that the previous stage does not provide read 0. */
static void drop_components(struct ag_ir_program *program, const struct ag_ir_input *input, uint32_t mask)
{
    for (size_t i = 0; i < program->registers.count; i++)
        for (uint32_t c = 0; c < 4; c++)
            if (program->registers.data[i].variable[c] == input->variable && !(mask >> c & 1))
                program->registers.data[i].variable[c] = AG_IR_NONE;
}

static void add_register_input(struct ag_wgsl_emitter *emitter, uint32_t index, enum ag_ir_type type,
                               uint32_t mask, uint32_t location, uint32_t interpolation)
{
    struct ag_ir_program *program = emitter->program;
    struct ag_ir_input *input = &program->inputs.data[index];
    struct ag_ir_variable *variable = &program->variables.data[input->variable];
    uint32_t width = width_of_mask(mask);
    variable->type = (uint8_t)type;
    variable->width = (uint8_t)width;
    const char *name = ag_wgsl_text(emitter, "v%u%s", input->number,
                                    semantic_of(emitter, &emitter->shader->input, input->number));
    const char *attributes =
        ag_wgsl_text(emitter, "@location(%u)%s", location, ag_wgsl_interpolation(interpolation));
    variable->name = name;
    struct ag_wgsl_member *member =
        add_member(emitter, true, index, name, attributes, ag_wgsl_type(type, width));
    if (member == NULL)
        return;
    member->value = (struct agpu_stage_value){
        .register_index = (uint8_t)input->number,
        .mask = (uint8_t)mask,
        .location = (uint8_t)location,
        .component_type = component_of_type(type),
        .system_value = input->system_value,
        .interpolation = (uint8_t)interpolation,
    };
}

/* Attributes a vertex shader may have on every device. */
#define PROMISED_ATTRIBUTES 16

static bool is_attribute(const struct ag_wgsl_emitter *emitter, const struct ag_ir_input *input)
{
    const uint8_t *classes = emitter->options->attribute_classes;
    return input->kind == AG_IR_INPUT_REGISTER &&
           (classes == NULL || classes[input->number] != AGPU_ATTRIBUTE_ABSENT);
}

/* The location of an attribute: the register's number, or, where registers have numbers that a device may not
 * have as locations, how many attributes have lower ones. */
static uint32_t location_of_attribute(const struct ag_wgsl_emitter *emitter, uint32_t number)
{
    uint32_t lower = 0, highest = 0;
    for (size_t i = 0; i < emitter->program->inputs.count; i++) {
        const struct ag_ir_input *input = &emitter->program->inputs.data[i];
        if (!is_attribute(emitter, input))
            continue;
        lower += input->number < number;
        highest = input->number > highest ? input->number : highest;
    }
    return highest < PROMISED_ATTRIBUTES ? number : lower;
}

static void plan_attribute(struct ag_wgsl_emitter *emitter, uint32_t index)
{
    struct ag_ir_input *input = &emitter->program->inputs.data[index];
    const uint8_t *classes = emitter->options->attribute_classes;
    enum ag_ir_type type = type_of_component(input->component_type);
    if (classes != NULL) {
        switch ((enum agpu_attribute_class)classes[input->number]) {
        case AGPU_ATTRIBUTE_FLOAT:
            type = AG_IR_F32;
            break;
        case AGPU_ATTRIBUTE_UINT:
            type = AG_IR_U32;
            break;
        case AGPU_ATTRIBUTE_SINT:
            type = AG_IR_I32;
            break;
        case AGPU_ATTRIBUTE_ABSENT:
            drop_components(emitter->program, input, 0);
            return;
        }
    }
    add_register_input(emitter, index, type, 15, location_of_attribute(emitter, input->number),
                       AGPU_INTERPOLATE_UNDEFINED);
}

static void plan_varying(struct ag_wgsl_emitter *emitter, uint32_t index)
{
    struct ag_ir_input *input = &emitter->program->inputs.data[index];
    const struct ag_linkage *linkage = emitter->options->linkage;
    if (linkage == NULL) {
        bool flat = is_integer(input->component_type) || input->interpolation == AGPU_INTERPOLATE_CONSTANT;
        add_register_input(emitter, index, flat ? AG_IR_U32 : AG_IR_F32, 15, input->number,
                           flat ? AGPU_INTERPOLATE_CONSTANT : input->interpolation);
        return;
    }
    if (linkage->registers[input->number].interpolation == 0) {
        drop_components(emitter->program, input, 0);
        return;
    }
    uint32_t mask = linkage->registers[input->number].mask;
    bool flat = linkage->registers[input->number].flat_uint;
    drop_components(emitter->program, input, mask);
    add_register_input(emitter, index, flat ? AG_IR_U32 : AG_IR_F32, mask,
                       linkage->registers[input->number].location,
                       flat ? AGPU_INTERPOLATE_CONSTANT : linkage->registers[input->number].interpolation);
}

static const struct {
    const char *name, *attributes, *type;
    const char *variable; /* the name in the body; write_prologue() in entry.c declares it where needed */
} builtins[AG_IR_INPUT_KIND_COUNT] = {
    [AG_IR_INPUT_VERTEX_ID] = {"vertex_index",       "@builtin(vertex_index)",           "u32",   "vertex_id"      },
    [AG_IR_INPUT_INSTANCE_ID] = {"instance_index",     "@builtin(instance_index)",         "u32",   "instance_id"    },
    [AG_IR_INPUT_POSITION] = {"rasterized",         "@builtin(position)",               "vec4f", "position"       },
    [AG_IR_INPUT_FRONT_FACE] = {"front_facing",       "@builtin(front_facing)",           "bool",  "front_facing"   },
    [AG_IR_INPUT_SAMPLE_INDEX] = {"rasterized_sample",  "@builtin(sample_index)",           "u32",   "sample_index"   },
    [AG_IR_INPUT_PRIMITIVE_ID] = {"primitive_index",    "@builtin(primitive_index)",        "u32",   "primitive_index"},
    [AG_IR_INPUT_COVERAGE] = {"rasterized_mask",    "@builtin(sample_mask)",            "u32",   "coverage"       },
    [AG_IR_INPUT_THREAD_ID] = {"thread_id",          "@builtin(global_invocation_id)",   "vec3u", "thread_id"      },
    [AG_IR_INPUT_GROUP_ID] = {"group_id",           "@builtin(workgroup_id)",           "vec3u", "group_id"       },
    [AG_IR_INPUT_THREAD_ID_IN_GROUP] = {"thread_id_in_group", "@builtin(local_invocation_id)",    "vec3u",
                               "thread_id_in_group"                                                                },
    [AG_IR_INPUT_THREAD_INDEX] = {"thread_index",       "@builtin(local_invocation_index)", "u32",   "thread_index"   },
};

static uint8_t system_value_of(enum ag_ir_input_kind kind)
{
    switch (kind) {
    case AG_IR_INPUT_VERTEX_ID:
        return AGPU_SV_VERTEX_ID;
    case AG_IR_INPUT_INSTANCE_ID:
        return AGPU_SV_INSTANCE_ID;
    case AG_IR_INPUT_POSITION:
        return AGPU_SV_POSITION;
    case AG_IR_INPUT_FRONT_FACE:
        return AGPU_SV_IS_FRONT_FACE;
    case AG_IR_INPUT_SAMPLE_INDEX:
        return AGPU_SV_SAMPLE_INDEX;
    case AG_IR_INPUT_PRIMITIVE_ID:
        return AGPU_SV_PRIMITIVE_ID;
    case AG_IR_INPUT_COVERAGE:
        return AGPU_SV_COVERAGE;
    default:
        return AGPU_SV_NONE;
    }
}

static void plan_builtin(struct ag_wgsl_emitter *emitter, uint32_t index)
{
    struct ag_ir_input *input = &emitter->program->inputs.data[index];
    enum ag_ir_input_kind kind = (enum ag_ir_input_kind)input->kind;
    struct ag_ir_variable *variable = &emitter->program->variables.data[input->variable];
    if (builtins[kind].variable == NULL) {
        ag_ir_refuse(emitter->program, AGPU_DIAG_TRANSLATE_SYSTEM_VALUE, input->offset,
                     "%s shaders have no such input", agpu_stage_name(emitter->program->stage));
        return;
    }
    /* Of a group that is no workgroup, the entry function computes them. */
    variable->name = emitter->program->turns > 0 ? builtins[kind].name : builtins[kind].variable;
    struct ag_wgsl_member *member =
        add_member(emitter, true, index, builtins[kind].name, builtins[kind].attributes, builtins[kind].type);
    if (member == NULL)
        return;
    member->value.register_index = (uint8_t)(input->number == AG_IR_NONE ? 0xff : input->number);
    member->value.mask = input->mask;
    member->value.component_type = component_of_type((enum ag_ir_type)variable->type);
    member->value.system_value = system_value_of(kind);
}

/* ---- Outputs ------------------------------------------------------------------------------------------ */

static void add_register_output(struct ag_wgsl_emitter *emitter, uint32_t index, enum ag_ir_type type,
                                uint32_t mask, uint32_t location, const char *more, uint32_t interpolation)
{
    struct ag_ir_program *program = emitter->program;
    struct ag_ir_output *output = &program->outputs.data[index];
    output->type = (uint8_t)type;
    output->used = true;
    const char *name = ag_wgsl_text(emitter, "o%u%s", output->number,
                                    semantic_of(emitter, &emitter->shader->output, output->number));
    const char *attributes = ag_wgsl_text(emitter, "@location(%u)%s", location, more);
    struct ag_wgsl_member *member =
        add_member(emitter, false, index, name, attributes, ag_wgsl_type(type, width_of_mask(mask)));
    if (member == NULL)
        return;
    member->value = (struct agpu_stage_value){
        .register_index = (uint8_t)output->number,
        .mask = (uint8_t)mask,
        .location = (uint8_t)location,
        .component_type = component_of_type(type),
        .system_value = output->system_value,
        .interpolation = (uint8_t)interpolation,
    };
}

static void plan_vertex_output(struct ag_wgsl_emitter *emitter, uint32_t index)
{
    struct ag_ir_output *output = &emitter->program->outputs.data[index];
    const struct ag_linkage *linkage = emitter->options->linkage;
    if (linkage == NULL) {
        bool flat = is_integer(output->component_type);
        add_register_output(emitter, index, flat ? AG_IR_U32 : AG_IR_F32, 15, output->number,
                            flat ? " @interpolate(flat)" : "", flat ? AGPU_INTERPOLATE_CONSTANT : 0);
        return;
    }
    if (linkage->registers[output->number].interpolation == 0)
        return;
    bool flat = linkage->registers[output->number].flat_uint;
    uint32_t interpolation =
        flat ? AGPU_INTERPOLATE_CONSTANT : linkage->registers[output->number].interpolation;
    add_register_output(emitter, index, flat ? AG_IR_U32 : AG_IR_F32, linkage->registers[output->number].mask,
                        linkage->registers[output->number].location, ag_wgsl_interpolation(interpolation),
                        interpolation);
}

static enum ag_ir_type target_type(const struct ag_translate_options *options, uint32_t target)
{
    switch ((enum agpu_target_class)options->target_classes[target]) {
    case AGPU_TARGET_UINT:
        return AG_IR_U32;
    case AGPU_TARGET_SINT:
        return AG_IR_I32;
    case AGPU_TARGET_FLOAT:
        break;
    }
    return AG_IR_F32;
}

static void plan_target(struct ag_wgsl_emitter *emitter, uint32_t index)
{
    struct ag_ir_output *output = &emitter->program->outputs.data[index];
    const struct ag_translate_options *options = emitter->options;
    uint32_t n = output->number;
    bool exists = options->target_mask == 0 || (options->target_mask >> n & 1);
    if (n == 1 && ag_wgsl_blends_source1(emitter)) { /* the planes of target 0 make use of the output */
        output->type = AG_IR_F32;
        output->used = true;
        return;
    }
    if (options->dual_source ? n > 1 : !exists)
        return;
    enum ag_ir_type type = target_type(options, options->dual_source ? 0 : n);
    if (n < AGPU_MAX_RENDER_TARGETS && options->target_planes[n] != 0) {
        ag_wgsl_plan_planes(emitter, index, type);
        return;
    }
    const uint32_t location = ag_target_location(options->target_planes, options->target_mask, n);
    const char *more = !options->dual_source ? "" : n == 0 ? " @blend_src(0)" : " @blend_src(1)";
    add_register_output(emitter, index, type, 15, options->dual_source ? 0 : location, more, 0);
}

static void plan_output(struct ag_wgsl_emitter *emitter, uint32_t index)
{
    struct ag_ir_output *output = &emitter->program->outputs.data[index];
    struct ag_wgsl_member *member = NULL;
    output->used = false;
    switch ((enum ag_ir_output_kind)output->kind) {
    case AG_IR_OUTPUT_REGISTER:
        if (emitter->program->stage == AGPU_STAGE_PIXEL)
            plan_target(emitter, index);
        else
            plan_vertex_output(emitter, index);
        return;
    case AG_IR_OUTPUT_POSITION:
        member = add_member(emitter, false, index, "position", "@invariant @builtin(position)", "vec4f");
        break;
    case AG_IR_OUTPUT_CLIP_DISTANCE:
        emitter->clip_distances += ag_wgsl_bits(output->mask);
        output->used = true; /* add_clip_distances() makes one member of all */
        return;
    case AG_IR_OUTPUT_DEPTH:
        /* Tests in front of the shader leave the depth that it writes without effect (D3D11.3 17.11). */
        if (emitter->options->no_depth_target ||
            (emitter->program->global_flags & AGPU_GLOBAL_FORCE_EARLY_DEPTH_STENCIL))
            return;
        member = add_member(emitter, false, index, "depth", "@builtin(frag_depth)", "f32");
        break;
    case AG_IR_OUTPUT_COVERAGE:
        output->type = AG_IR_U32;
        member = add_member(emitter, false, index, "sample_mask", "@builtin(sample_mask)", "u32");
        break;
    case AG_IR_OUTPUT_TESS_FACTOR: /* only hull shaders have them, and those use records */
        return;
    case AG_IR_OUTPUT_DROPPED:
        emitter->needs |= AGPU_NEED_DRAW_EXPANSION;
        return;
    }
    output->used = true;
    if (member == NULL)
        return;
    member->value.register_index = (uint8_t)(output->number == AG_IR_NONE ? 0xff : output->number);
    member->value.mask = output->mask;
    member->value.component_type = component_of_type((enum ag_ir_type)output->type);
    member->value.system_value = output->system_value;
}

static bool has_output(const struct ag_wgsl_emitter *emitter, enum ag_ir_output_kind kind, uint32_t number)
{
    for (size_t i = 0; i < emitter->program->outputs.count; i++)
        if (emitter->program->outputs.data[i].kind == kind &&
            (number == AG_IR_NONE || emitter->program->outputs.data[i].number == number))
            return true;
    return false;
}

static void add_clip_distances(struct ag_wgsl_emitter *emitter)
{
    const struct ag_linkage *linkage = emitter->options->linkage;
    if (ag_wgsl_clip_parts(linkage) == 0) {
        const char *type = ag_wgsl_text(emitter, "array<f32, %u>", emitter->clip_distances);
        emitter->needs |= AGPU_NEED_CLIP_DISTANCES;
        struct ag_wgsl_member *member =
            add_member(emitter, false, AG_IR_NONE, "clip_distances", "@builtin(clip_distances)", type);
        if (member != NULL)
            member->distance_count = (uint8_t)emitter->clip_distances;
        return;
    }
    for (uint32_t part = 0; part < ag_wgsl_clip_parts(linkage); part++) {
        uint32_t width = ag_wgsl_clip_width(linkage, part);
        const char *name = ag_wgsl_text(emitter, "clip%u", part);
        const char *place = ag_wgsl_text(emitter, "@location(%u)", linkage->clip_location + part);
        struct ag_wgsl_member *member =
            add_member(emitter, false, AG_IR_NONE, name, place, ag_wgsl_type(AG_IR_F32, width));
        if (member == NULL)
            return;
        member->value = ag_wgsl_clip_value(linkage, part);
        member->first_distance = (uint8_t)(part * 4);
        member->distance_count = (uint8_t)width;
    }
}

/* Adds members that WebGPU demands although the shader does not write them; their value is 0. */
static void add_missing(struct ag_wgsl_emitter *emitter)
{
    const struct ag_translate_options *options = emitter->options;
    if (emitter->program->stage == AGPU_STAGE_VERTEX &&
        !has_output(emitter, AG_IR_OUTPUT_POSITION, AG_IR_NONE))
        add_member(emitter, false, AG_IR_NONE, "position", "@invariant @builtin(position)", "vec4f");
    if (emitter->clip_distances > 0)
        add_clip_distances(emitter);
    for (uint32_t n = 0; options->dual_source && n < 2; n++) {
        if (has_output(emitter, AG_IR_OUTPUT_REGISTER, n))
            continue;
        add_member(emitter, false, AG_IR_NONE, n == 0 ? "source0" : "source1",
                   n == 0 ? "@location(0) @blend_src(0)" : "@location(0) @blend_src(1)",
                   ag_wgsl_type(target_type(options, 0), 4));
    }
}

void ag_wgsl_plan_interface(struct ag_wgsl_emitter *emitter)
{
    struct ag_ir_program *program = emitter->program;
    for (uint32_t i = 0; i < program->inputs.count && program->status == AGPU_OK; i++) {
        if (program->inputs.data[i].kind != AG_IR_INPUT_REGISTER)
            plan_builtin(emitter, i);
        else if (program->stage == AGPU_STAGE_VERTEX)
            plan_attribute(emitter, i);
        else
            plan_varying(emitter, i);
    }
    for (uint32_t i = 0; i < program->outputs.count && program->status == AGPU_OK; i++)
        plan_output(emitter, i);
    if (emitter->clip_distances > AG_WGSL_MAX_CLIP_DISTANCES)
        ag_ir_refuse(program, AGPU_DIAG_TRANSLATE_LIMIT, AG_IR_NONE, "more than %d clip distances",
                     AG_WGSL_MAX_CLIP_DISTANCES);
    if (program->stage == AGPU_STAGE_PIXEL && emitter->options->dual_source)
        emitter->needs |= AGPU_NEED_DUAL_SOURCE_BLENDING;
    add_missing(emitter);
    ag_wgsl_plan_alpha(emitter);
    ag_wgsl_plan_depth(emitter);
}
