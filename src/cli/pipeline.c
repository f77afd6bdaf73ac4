/* SPDX-License-Identifier: MIT */
#include "cli/pipeline.h"

#include <inttypes.h>

#include "base/bytes.h"
#include "base/strbuf.h"
#include "cli/child.h"
#include "cli/driver.h"
#include "cli/output.h"
#include "cli/reflect.h"
#include "exec/record/bind_group_layout.h"
#include "gpu/gpu.h"
#include "gpu/wait.h"
#include "wgsl/binding.h"
#include "wgsl/draw_block.h"

#define PIPELINE_MS 30000

struct attempt {
    const struct agpu_module *module;
    enum agpu_driver driver;
    const char *library;
    /* Of the child. */
    struct agpu_gpu *gpu;
    bool answered;
    char error[512]; /* empty: the pipeline is there */
};

struct component_info {
    const char *wgsl;
    WGPUVertexFormat attribute;
    WGPUTextureFormat target;
};

static const struct component_info components[] = {
    [AGPU_COMPONENT_UNKNOWN] = {"vec4<f32>", WGPUVertexFormat_Float32x4, WGPUTextureFormat_R32Float},
    [AGPU_COMPONENT_UINT] = {"vec4<u32>", WGPUVertexFormat_Uint32x4,  WGPUTextureFormat_R32Uint },
    [AGPU_COMPONENT_SINT] = {"vec4<i32>", WGPUVertexFormat_Sint32x4,  WGPUTextureFormat_R32Sint },
    [AGPU_COMPONENT_FLOAT] = {"vec4<f32>", WGPUVertexFormat_Float32x4, WGPUTextureFormat_R32Float},
};

static const char *const interpolations[] = {
    [AGPU_INTERPOLATE_UNDEFINED] = "perspective",
    [AGPU_INTERPOLATE_CONSTANT] = "flat",
    [AGPU_INTERPOLATE_LINEAR] = "perspective",
    [AGPU_INTERPOLATE_LINEAR_CENTROID] = "perspective, centroid",
    [AGPU_INTERPOLATE_LINEAR_NOPERSPECTIVE] = "linear",
    [AGPU_INTERPOLATE_LINEAR_NOPERSPECTIVE_CENTROID] = "linear, centroid",
    [AGPU_INTERPOLATE_LINEAR_SAMPLE] = "perspective, sample",
    [AGPU_INTERPOLATE_LINEAR_NOPERSPECTIVE_SAMPLE] = "linear, sample",
};

static const struct component_info *component_of(const struct agpu_stage_value *value)
{
    return &components[value->component_type <= AGPU_COMPONENT_FLOAT ? value->component_type : 0];
}

/* Of the values at one location, the first; null when the location is free. */
static const struct agpu_stage_value *at_location(const struct agpu_stage_value *values, uint32_t count,
                                                  uint32_t location)
{
    for (uint32_t i = 0; i < count; i++) {
        if (values[i].location == location)
            return &values[i];
    }
    return NULL;
}

static void take_error(void *user, WGPUErrorType type, const char *message)
{
    struct attempt *const attempt = user;
    attempt->answered = true;
    if (type != WGPUErrorType_NoError)
        snprintf(attempt->error, sizeof attempt->error, "%s", message != NULL ? message : "no reason given");
}

/* ---- Layouts ------------------------------------------------------------------------------------------ */

/* Formats of storage textures that the translator chooses by itself where a shader only stores. */
static const WGPUTextureFormat stored_formats[] = {
    [AGPU_STORAGE_RGBA8_UNORM] = WGPUTextureFormat_RGBA8Unorm,
    [AGPU_STORAGE_RGBA8_SNORM] = WGPUTextureFormat_RGBA8Snorm,
    [AGPU_STORAGE_RGBA32_UINT] = WGPUTextureFormat_RGBA32Uint,
    [AGPU_STORAGE_RGBA32_SINT] = WGPUTextureFormat_RGBA32Sint,
    [AGPU_STORAGE_RGBA32_FLOAT] = WGPUTextureFormat_RGBA32Float,
};

static WGPUTextureFormat stored_format(const struct agpu_binding *binding)
{
    return binding->storage_format < AG_COUNT_OF(stored_formats) ? stored_formats[binding->storage_format]
                                                                 : WGPUTextureFormat_Undefined;
}

/* False: reflection does not tell how a storage texture is accessed. */
static bool has_explicit_layout(const struct agpu_module *module)
{
    for (uint32_t i = 0; i < module->binding_count; i++) {
        const struct agpu_binding *const binding = &module->bindings[i];
        if (binding->kind == AGPU_BIND_STORAGE_TEXTURE &&
            stored_format(binding) == WGPUTextureFormat_Undefined)
            return false;
    }
    return true;
}

static void layout_entry(const struct agpu_module *module, const struct agpu_binding *binding,
                         WGPUBindGroupLayoutEntry *out)
{
    ag_binding_layout_entry(module, binding, out);
    if (binding->kind == AGPU_BIND_STORAGE_TEXTURE)
        out->storageTexture = (WGPUStorageTextureBindingLayout){
            .access = WGPUStorageTextureAccess_WriteOnly,
            .format = stored_format(binding),
            .viewDimension = ag_binding_view_dimension(binding),
        };
}

static WGPUBindGroupLayout create_group_layout(WGPUDevice device, const struct agpu_module *module,
                                               uint32_t group)
{
    const struct agpu_binding draw_block = {
        .kind = AGPU_BIND_UNIFORM_BUFFER,
        .binding = AG_BINDING_DRAW_BLOCK,
        .bytes = AG_DRAW_BLOCK_BYTES,
    };
    WGPUBindGroupLayoutEntry entries[AG_MAX_STAGE_BINDINGS];
    size_t count = 0;
    for (uint32_t i = 0; i < module->binding_count && count < AG_MAX_STAGE_BINDINGS - 1; i++) {
        const struct agpu_binding *const binding = &module->bindings[i];
        if (binding->group == group && binding->binding != AG_BINDING_DRAW_BLOCK)
            layout_entry(module, binding, &entries[count++]);
    }
    if (group == AG_GROUP_INTERNAL && module->uses_draw_block)
        ag_binding_layout_entry(module, &draw_block, &entries[count++]);
    const WGPUBindGroupLayoutDescriptor descriptor = {.entryCount = count, .entries = entries};
    return wgpuDeviceCreateBindGroupLayout(device, &descriptor);
}

/* The executor's, but for dynamic offsets. WebGPU's automatic layout would have every sampler filter, also
 * beside depth textures; it is what null asks for. */
static WGPUPipelineLayout create_pipeline_layout(struct attempt *attempt)
{
    if (!has_explicit_layout(attempt->module))
        return NULL;
    const WGPUDevice device = ag_gpu_device(attempt->gpu);
    WGPUBindGroupLayout groups[AG_GROUP_INTERNAL + 1];
    for (uint32_t group = 0; group < AG_COUNT_OF(groups); group++)
        groups[group] = create_group_layout(device, attempt->module, group);
    const WGPUPipelineLayoutDescriptor descriptor = {
        .bindGroupLayoutCount = AG_COUNT_OF(groups),
        .bindGroupLayouts = groups,
    };
    const WGPUPipelineLayout layout = wgpuDeviceCreatePipelineLayout(device, &descriptor);
    for (uint32_t group = 0; group < AG_COUNT_OF(groups); group++)
        wgpuBindGroupLayoutRelease(groups[group]);
    return layout;
}

/* ---- Render pipelines --------------------------------------------------------------------------------- */

static uint32_t vertex_attributes(const struct agpu_module *module, WGPUVertexAttribute *attributes)
{
    uint32_t count = 0;
    for (uint32_t location = 0; location < AGPU_MAX_REGISTERS; location++) {
        const struct agpu_stage_value *const value =
            at_location(module->inputs, module->input_count, location);
        if (value != NULL) {
            attributes[count] = (WGPUVertexAttribute){
                .format = component_of(value)->attribute,
                .offset = (uint64_t)16 * count,
                .shaderLocation = location,
            };
            count++;
        }
    }
    return count;
}

/* A vertex stage that gives a pixel module all its inputs. */
static void feeding_vertex_stage(const struct agpu_module *pixel, struct ag_strbuf *wgsl)
{
    ag_strbuf_append(wgsl, "struct Out {\n    @builtin(position) position: vec4<f32>,\n");
    for (uint32_t location = 0; location < AGPU_MAX_REGISTERS; location++) {
        const struct agpu_stage_value *const value = at_location(pixel->inputs, pixel->input_count, location);
        if (value == NULL)
            continue;
        const bool whole =
            value->component_type == AGPU_COMPONENT_UINT || value->component_type == AGPU_COMPONENT_SINT;
        const char *const interpolation =
            interpolations[whole ? (int)AGPU_INTERPOLATE_CONSTANT : (value->interpolation & 7)];
        ag_strbuf_printf(wgsl, "    @location(%" PRIu32 ") @interpolate(%s) v%" PRIu32 ": %s,\n", location,
                         interpolation, location, component_of(value)->wgsl);
    }
    ag_strbuf_append(wgsl, "}\n@vertex\nfn main() -> Out {\n    return Out();\n}\n");
}

static uint32_t pixel_targets(const struct agpu_module *module, WGPUColorTargetState *targets)
{
    uint32_t count = 0;
    for (uint32_t location = 0; location < AGPU_MAX_RENDER_TARGETS; location++) {
        const struct agpu_stage_value *const value =
            at_location(module->outputs, module->output_count, location);
        targets[location] = (WGPUColorTargetState){0};
        if (value == NULL)
            continue;
        targets[location].format = component_of(value)->target;
        targets[location].writeMask = WGPUColorWriteMask_All;
        count = location + 1;
    }
    return count;
}

static void create_render_pipeline(struct attempt *attempt, WGPUPipelineLayout pipeline_layout,
                                   WGPUShaderModule shader)
{
    const struct agpu_module *const module = attempt->module;
    const bool pixel = module->stage == AGPU_STAGE_PIXEL;
    WGPUVertexAttribute attributes[AGPU_MAX_REGISTERS];
    WGPUColorTargetState targets[AGPU_MAX_RENDER_TARGETS];
    WGPUVertexBufferLayout layout = {.stepMode = WGPUVertexStepMode_Vertex, .attributes = attributes};
    layout.attributeCount = pixel ? 0 : vertex_attributes(module, attributes);
    layout.arrayStride = 16 * layout.attributeCount;

    struct ag_strbuf feeder = {0};
    WGPUShaderModule vertex = shader;
    if (pixel) {
        feeding_vertex_stage(module, &feeder);
        vertex = ag_gpu_create_shader(attempt->gpu, ag_strbuf_text(&feeder), feeder.length, "feeder");
    }
    const WGPUFragmentState fragment = {
        .module = shader,
        .entryPoint = ag_webgpu_string(module->entry_point),
        .targetCount = pixel ? pixel_targets(module, targets) : 0,
        .targets = targets,
    };
    const WGPUDepthStencilState depth = {
        .format = WGPUTextureFormat_Depth32Float,
        .depthWriteEnabled = WGPUOptionalBool_True,
        .depthCompare = WGPUCompareFunction_Always,
    };
    const WGPURenderPipelineDescriptor descriptor = {
        .layout = pipeline_layout,
        .vertex = {.module = vertex,
                   .entryPoint = ag_webgpu_string(pixel ? "main" : module->entry_point),
                   .bufferCount = layout.attributeCount != 0 ? 1 : 0,
                   .buffers = &layout},
        .primitive = {.topology = WGPUPrimitiveTopology_TriangleList},
        .depthStencil = &depth,
        .multisample = {.count = 1,                  .mask = UINT32_MAX                                                },
        .fragment = pixel ? &fragment : NULL,
    };
    const WGPURenderPipeline pipeline =
        wgpuDeviceCreateRenderPipeline(ag_gpu_maker(attempt->gpu), &descriptor);
    if (pipeline != NULL)
        wgpuRenderPipelineRelease(pipeline);
    if (pixel)
        wgpuShaderModuleRelease(vertex);
    ag_strbuf_fini(&feeder);
}

static void create_compute_pipeline(struct attempt *attempt, WGPUPipelineLayout layout,
                                    WGPUShaderModule shader)
{
    const WGPUComputePipelineDescriptor descriptor = {
        .layout = layout,
        .compute = {.module = shader, .entryPoint = ag_webgpu_string(attempt->module->entry_point)},
    };
    const WGPUComputePipeline pipeline =
        wgpuDeviceCreateComputePipeline(ag_gpu_maker(attempt->gpu), &descriptor);
    if (pipeline != NULL)
        wgpuComputePipelineRelease(pipeline);
}

/* ---- The child ---------------------------------------------------------------------------------------- */

static json_t *attempt_pipeline(void *user)
{
    struct attempt *const attempt = user;
    const struct agpu_module *const module = attempt->module;
    struct cli_diags diags;
    cli_diags_init(&diags, agpu_driver_name(attempt->driver));
    const struct agpu_diag_sink sink = cli_diags_sink(&diags);
    const struct agpu_gpu_options options = {.driver = attempt->driver, .library = attempt->library};
    if (cli_driver_open(&options, &sink, &attempt->gpu) != AGPU_OK)
        return json_pack("{s:b}", "missing", 1);
    struct agpu_adapter_info info = {0};
    agpu_gpu_info(attempt->gpu, &info);
    const char *const missing = cli_missing_need(module->needs, &info);
    if (missing != NULL)
        return json_pack("{s:s}", "feature", missing);

    ag_gpu_push_error_scope(attempt->gpu, WGPUErrorFilter_Internal);
    ag_gpu_push_error_scope(attempt->gpu, WGPUErrorFilter_Validation);
    const WGPUShaderModule shader =
        ag_gpu_create_shader(attempt->gpu, module->wgsl, module->wgsl_length, module->entry_point);
    const WGPUPipelineLayout layout = create_pipeline_layout(attempt);
    if (module->flavour == AGPU_FLAVOUR_VERTEX || module->flavour == AGPU_FLAVOUR_PIXEL)
        create_render_pipeline(attempt, layout, shader);
    else
        create_compute_pipeline(attempt, layout, shader);
    if (layout != NULL)
        wgpuPipelineLayoutRelease(layout);
    wgpuShaderModuleRelease(shader);
    for (int scope = 0; scope < 2 && attempt->error[0] == '\0'; scope++) {
        attempt->answered = false;
        if (ag_gpu_pop_error_scope(attempt->gpu, take_error, attempt))
            ag_gpu_wait_flag(attempt->gpu, &attempt->answered, UINT64_MAX);
    }
    return json_pack("{s:o}", "error", cli_json_text(attempt->error));
}

enum cli_exit cli_pipeline_check(const struct agpu_module *module, enum agpu_driver driver,
                                 const struct cli_options *options, const struct agpu_diag_sink *sink)
{
    struct attempt attempt = {.module = module, .driver = driver, .library = options->library};
    json_t *result;
    int signal_number;
    const uint32_t limit = options->timeout_ms != 0 ? options->timeout_ms : PIPELINE_MS;
    const enum cli_child_result outcome =
        cli_child_run(attempt_pipeline, &attempt, limit, &result, &signal_number);
    if (outcome != CLI_CHILD_DONE || result == NULL) {
        ag_report(sink, AGPU_DIAG_CLI_CHILD, AGPU_ERROR, ag_place_none(),
                  outcome == CLI_CHILD_TIMED_OUT ? "the driver took more than %u ms over the pipeline"
                                                 : "the driver crashed over the pipeline (limit %u ms)",
                  limit);
        return CLI_EXIT_FAULT;
    }
    const char *const error = json_string_value(json_object_get(result, "error"));
    const char *const feature = json_string_value(json_object_get(result, "feature"));
    enum cli_exit exit_status = CLI_EXIT_GOOD;
    if (feature != NULL)
        ag_report(sink, AGPU_DIAG_GPU_FEATURE, AGPU_WARNING, ag_place_none(),
                  "not checked: the module needs the feature %s, which the driver lacks", feature);
    if (error == NULL) {
        exit_status = CLI_EXIT_MISSING;
    } else if (*error != '\0') {
        ag_report(sink, AGPU_DIAG_GPU_VALIDATION, AGPU_ERROR, ag_place_none(), "%s", error);
        exit_status = CLI_EXIT_FAULT;
    }
    json_decref(result);
    return exit_status;
}
