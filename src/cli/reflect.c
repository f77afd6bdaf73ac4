/* SPDX-License-Identifier: MIT */
#include "cli/reflect.h"

#include <string.h>

#include "base/bytes.h"

const char *const cli_flavour_names[] = {
    [AGPU_FLAVOUR_DEFAULT] = "default",
    [AGPU_FLAVOUR_VERTEX] = "vertex",
    [AGPU_FLAVOUR_PIXEL] = "pixel",
    [AGPU_FLAVOUR_COMPUTE] = "compute",
    [AGPU_FLAVOUR_VERTEX_AS_COMPUTE] = "vertex-as-compute",
    [AGPU_FLAVOUR_GEOMETRY] = "geometry",
    [AGPU_FLAVOUR_HULL_POINTS] = "hull-points",
    [AGPU_FLAVOUR_HULL_PATCH] = "hull-patch",
    [AGPU_FLAVOUR_DOMAIN] = "domain",
    NULL,
};

static const char *const kind_names[] = {
    [AGPU_BIND_UNIFORM_BUFFER] = "uniform",
    [AGPU_BIND_STORAGE_BUFFER_READ] = "read-only-storage",
    [AGPU_BIND_STORAGE_BUFFER_READ_WRITE] = "storage",
    [AGPU_BIND_SAMPLED_TEXTURE] = "texture",
    [AGPU_BIND_STORAGE_TEXTURE] = "storage-texture",
    [AGPU_BIND_SAMPLER] = "sampler",
    [AGPU_BIND_COMPARISON_SAMPLER] = "comparison-sampler",
};

static const char *const space_names[] = {
    [AGPU_SPACE_CBUFFER] = "cbuffer", [AGPU_SPACE_RESOURCE] = "resource", [AGPU_SPACE_SAMPLER] = "sampler",
    [AGPU_SPACE_UAV] = "uav",         [AGPU_SPACE_INTERNAL] = "internal",
};

static const struct {
    uint32_t bit;
    const char *name;
} needs[] = {
    {AGPU_NEED_CLIP_DISTANCES,       "clip-distances"      },
    {AGPU_NEED_DUAL_SOURCE_BLENDING, "dual-source-blending"},
    {AGPU_NEED_PRIMITIVE_INDEX,      "primitive-index"     },
    {AGPU_NEED_DRAW_EXPANSION,       "draw-expansion"      },
};

static bool has_feature(const struct agpu_adapter_info *info, const char *name)
{
    for (uint32_t i = 0; i < info->feature_count; i++) {
        if (strcmp(info->features[i], name) == 0)
            return true;
    }
    return false;
}

const char *cli_missing_need(uint32_t bits, const struct agpu_adapter_info *info)
{
    for (size_t i = 0; i < AG_COUNT_OF(needs); i++) {
        const bool feature =
            needs[i].bit != AGPU_NEED_DRAW_EXPANSION; /* that one is the executor's to serve */
        if (feature && (bits & needs[i].bit) != 0 && !has_feature(info, needs[i].name))
            return needs[i].name;
    }
    return NULL;
}

static json_t *needs_json(uint32_t bits)
{
    json_t *const list = json_array();
    for (size_t i = 0; i < AG_COUNT_OF(needs); i++) {
        if ((bits & needs[i].bit) != 0)
            json_array_append_new(list, json_string(needs[i].name));
    }
    return list;
}

static json_t *bindings_json(const struct agpu_module *module)
{
    json_t *const list = json_array();
    for (uint32_t i = 0; i < module->binding_count; i++) {
        const struct agpu_binding *const binding = &module->bindings[i];
        json_array_append_new(list, json_pack("{s:i, s:i, s:s, s:i, s:s, s:I, s:I, s:b}", "group",
                                              (int)binding->group, "binding", (int)binding->binding, "space",
                                              space_names[binding->space], "slot", (int)binding->slot, "kind",
                                              kind_names[binding->kind], "bytes", (json_int_t)binding->bytes,
                                              "stride", (json_int_t)binding->structure_stride, "multisampled",
                                              (int)binding->multisampled));
    }
    return list;
}

static json_t *byte_or_null(uint8_t value)
{
    return value == 0xff ? json_null() : json_integer(value);
}

static json_t *values_json(const struct agpu_stage_value *values, uint32_t count)
{
    json_t *const list = json_array();
    for (uint32_t i = 0; i < count; i++)
        json_array_append_new(
            list,
            json_pack("{s:o, s:i, s:o, s:i, s:i, s:i}", "register", byte_or_null(values[i].register_index),
                      "mask", (int)values[i].mask, "location", byte_or_null(values[i].location),
                      "component_type", (int)values[i].component_type, "system_value",
                      (int)values[i].system_value, "interpolation", (int)values[i].interpolation));
    return list;
}

static json_t *views_json(const struct agpu_module *module)
{
    json_t *const list = json_array();
    for (uint32_t i = 0; i < module->view_count; i++)
        json_array_append_new(list, json_integer(module->views[i]));
    return list;
}

static json_t *expansion_json(const struct agpu_expansion *expansion)
{
    return json_pack(
        "{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:b, s:b}", "input_registers",
        (json_int_t)expansion->input_registers, "record_registers", (json_int_t)expansion->record_registers,
        "patch_registers", (json_int_t)expansion->patch_registers, "vertices",
        (json_int_t)expansion->vertices, "output_points", (json_int_t)expansion->output_points, "instances",
        (json_int_t)expansion->instances, "max_vertices", (json_int_t)expansion->max_vertices, "writes_layer",
        expansion->writes_layer != 0, "writes_viewport", expansion->writes_viewport != 0);
}

void cli_reflect(json_t *object, const struct agpu_module *module)
{
    json_object_set_new(object, "stage", json_string(agpu_stage_name(module->stage)));
    json_object_set_new(object, "flavour", json_string(cli_flavour_names[module->flavour]));
    json_object_set_new(object, "entry_point", json_string(module->entry_point));
    json_object_set_new(object, "needs", needs_json(module->needs));
    json_object_set_new(object, "bindings", bindings_json(module));
    json_object_set_new(object, "inputs", values_json(module->inputs, module->input_count));
    json_object_set_new(object, "outputs", values_json(module->outputs, module->output_count));
    json_object_set_new(object, "views", views_json(module));
    json_object_set_new(object, "uses_draw_block", json_boolean(module->uses_draw_block));
    json_object_set_new(object, "writes_depth", json_boolean(module->writes_depth));
    json_object_set_new(object, "writes_memory", json_boolean(module->writes_memory));
    json_object_set_new(object, "discards", json_boolean(module->discards));
    if (module->flavour >= AGPU_FLAVOUR_VERTEX_AS_COMPUTE)
        json_object_set_new(object, "expansion", expansion_json(&module->expansion));
    if (module->workgroup_size[0] != 0)
        json_object_set_new(object, "workgroup_size",
                            json_pack("[I, I, I]", (json_int_t)module->workgroup_size[0],
                                      (json_int_t)module->workgroup_size[1],
                                      (json_int_t)module->workgroup_size[2]));
}
