/* SPDX-License-Identifier: MIT */
#include "exec/pipeline.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "exec/exec.h"
#include "exec/vertex_state.h"

/* ---- Shaders of a draw -------------------------------------------------------------------------------- */

struct agpu_shader_program *agpu_bound_program(struct agpu_exec *exec, const struct agpu_context *context,
                                               enum agpu_stage stage, bool *refused, bool *failed)
{
    uint32_t handle = context->shaders[stage];
    struct agpu_shader_program *program = agpu_shader_at(exec, context, stage);
    if (handle && (!program || program->shader->program.stage != stage)) {
        agpu_exec_fail(exec, AGPU_DIAG_EXEC_HANDLE, "the bound %s, handle %" PRIu32 ", %s",
                       agpu_stage_name(stage), handle,
                       program ? "is a shader of another stage" : "does not exist");
        *failed = *refused = true;
        return NULL;
    }
    if (program && program->refused) {
        agpu_exec_skip_refused(exec, AGPU_DIAG_EXEC_REFUSED_OBJECT, "the bound %s cannot be expressed: %s",
                               agpu_stage_name(stage), program->refusal.message);
        *refused = true;
        return NULL;
    }
    return program;
}

void agpu_draw_needs_vertex_shader(struct agpu_exec *exec, bool *failed)
{
    agpu_exec_fail(exec, AGPU_DIAG_EXEC_ARGUMENT, "a draw needs a vertex shader");
    *failed = true;
}

/* ---- Keys --------------------------------------------------------------------------------------------- */

/* Points and lines have no depth bias, the edges of triangles do. */
static bool has_faces(uint32_t topology)
{
    return topology == AGPU_TOPOLOGY_TRIANGLE_LIST || topology == AGPU_TOPOLOGY_TRIANGLE_STRIP ||
           topology == AGPU_TOPOLOGY_TRIANGLE_FAN || topology == AEROGPU_TOPOLOGY_TRIANGLELIST_ADJ ||
           topology == AEROGPU_TOPOLOGY_TRIANGLESTRIP_ADJ;
}

static void fill_fixed_function(const struct agpu_context *context,
                                const struct agpu_attachments *attachments, struct agpu_pipeline_key *key)
{
    key->rasterizer = context->rasterizer;
    key->rasterizer.scissor = 0; /* not baked in */
    key->sample_count = attachments->sample_count ? (uint8_t)attachments->sample_count : 1;
    key->sample_mask = agpu_samples_host_mask(key->sample_count, context->sample_mask);
    key->alpha_to_coverage = context->blend.alpha_to_coverage && key->sample_count > 1;
    key->target_count = (uint8_t)attachments->color_count;
    for (uint32_t i = 0; i < attachments->color_count; i++) {
        if (!attachments->colors[i])
            continue;
        key->formats[i] = (uint8_t)attachments->colors[i]->dxgi;
        key->blend[i] = *agpu_blend_target_of(&context->blend, i);
    }
    if (attachments->depth) {
        key->depth_format = (uint8_t)attachments->depth->dxgi;
        key->depth_stencil = context->depth_stencil;
        if (attachments->depth->flags & AEROGPU_EXT_VIEW_FLAG_READ_ONLY_DEPTH)
            key->depth_stencil.depth_write = 0;
        if (attachments->depth->flags & AEROGPU_EXT_VIEW_FLAG_READ_ONLY_STENCIL)
            key->depth_stencil.write_mask = 0;
        key->depth_bias =
            key->has_faces && agpu_depth_bias_in_shader(&context->rasterizer, attachments->depth->format);
    }
}

/* ---- Creation ----------------------------------------------------------------------------------------- */

static bool link(struct agpu_exec *exec, const struct agpu_pipeline *pipeline, struct agpu_linkage *linkage)
{
    const struct agpu_shader *producer = pipeline->vertex_program->shader;
    const struct agpu_shader *pixel = pipeline->pixel_program ? pipeline->pixel_program->shader : NULL;
    uint32_t limit = exec->limits.maxInterStageShaderVariables;
    memset(linkage, 0, sizeof *linkage);
    enum agpu_status status =
        pipeline->key.expanded.vertices
            ? agpu_link_expanded(producer, pipeline->key.expanded.stream, pixel, limit, &exec->sink, linkage)
            : agpu_link(producer, pixel, limit, &exec->sink, linkage);
    if (status == AGPU_OK && !agpu_exec_has(exec, AGPU_GPU_FEATURE_CLIP_DISTANCES))
        status = agpu_link_clip_distances(producer, limit, &exec->sink, linkage);
    return status == AGPU_OK;
}

static void fill_vertex_variant(const struct agpu_pipeline_key *key, struct agpu_variant_key *variant)
{
    variant->depth_bias = key->depth_bias;
    if (key->expanded.vertices) {
        variant->drawn_vertices = key->expanded.vertices;
        variant->drawn_edges = key->expanded.edges;
        variant->drawn_culled = key->expanded.culled;
        variant->input_registers = key->expanded.record_registers;
        variant->selects_layer = key->expanded.selects_layer;
        variant->selects_viewport = key->expanded.selects_viewport;
        return;
    }
    variant->samplers = key->vertex_samplers;
    variant->has_attributes = 1;
    memcpy(variant->attribute_classes, key->attribute_classes, sizeof variant->attribute_classes);
}

/* Nothing but clipping, where the pixel stage has to do it: a variant of the shader in front. */
static bool make_clip_pixel(struct agpu_exec *exec, struct agpu_pipeline *pipeline,
                            const struct agpu_linkage *linkage)
{
    struct agpu_variant_key variant;
    if (linkage->clip_count == 0)
        return true;
    memset(&variant, 0, sizeof variant);
    memcpy(&variant.linkage, linkage, sizeof *linkage);
    variant.has_linkage = 1;
    variant.flavour = AGPU_FLAVOUR_PIXEL;
    pipeline->pixel = agpu_shader_variant(exec, pipeline->vertex_program, &variant);
    return pipeline->pixel != NULL;
}

/* Targets share a logic operation. */
static uint8_t logic_of(const struct agpu_pipeline_key *key)
{
    for (uint32_t i = 0; i < key->target_count; i++)
        if (key->formats[i])
            return agpu_blend_logic(&key->blend[i]);
    return 0;
}

static bool make_variants(struct agpu_exec *exec, struct agpu_pipeline *pipeline)
{
    const struct agpu_pipeline_key *key = &pipeline->key;
    struct agpu_variant_key variant;
    struct agpu_linkage linkage;
    const struct agpu_shader *pixel = pipeline->pixel_program ? pipeline->pixel_program->shader : NULL;
    if (!link(exec, pipeline, &linkage))
        return false;
    memset(&variant, 0, sizeof variant);
    memcpy(&variant.linkage, &linkage, sizeof linkage);
    variant.has_linkage = 1;
    fill_vertex_variant(key, &variant);
    pipeline->vertex = agpu_shader_variant(exec, pipeline->vertex_program, &variant);
    if (!pipeline->vertex)
        return false;
    pipeline->uses_draw_block = pipeline->vertex->module->uses_draw_block || key->expanded.vertices;
    if (!pixel)
        return make_clip_pixel(exec, pipeline, &linkage);
    memset(&variant, 0, sizeof variant);
    memcpy(&variant.linkage, &linkage, sizeof linkage);
    variant.has_linkage = 1;
    variant.view_base = (uint8_t)pipeline->vertex->module->view_count;
    for (uint32_t i = 0; i < key->target_count; i++) {
        if (!key->formats[i])
            continue;
        const struct agpu_host_format *format = agpu_host_format(key->formats[i]);
        variant.target_mask |= (uint8_t)(1u << i);
        variant.target_classes[i] = format->class == AGPU_CLASS_UINT   ? AGPU_TARGET_UINT
                                    : format->class == AGPU_CLASS_SINT ? AGPU_TARGET_SINT
                                                                       : AGPU_TARGET_FLOAT;
        if (format->conversion == AGPU_CONVERT_FLOATS) {
            /* What is blended is clamped, and rounded only when it leaves for the guest. */
            variant.target_bits[i] = key->blend[i].enable ? 24 : format->vertex_bits;
            variant.target_snorm |= (uint8_t)((format->vertex_number == AGPU_NUMBER_SNORM) << i);
        } else if (variant.target_classes[i] != AGPU_TARGET_FLOAT && format->vertex_bits < 32)
            variant.target_bits[i] = format->vertex_bits; /* textures and vertices have the same integers */
        if (key->formats[i] == AGPU_DXGI_R10G10B10A2_UINT)
            variant.target_alpha_bits[i] = 2;
    }
    variant.logic = logic_of(key);
    variant.dual_source = agpu_blend_uses_source1(&key->blend[0]);
    variant.no_depth_target = pipeline->pixel_program->writes_depth && !key->depth_format;
    variant.aliases = key->aliases;
    variant.samplers = key->pixel_samplers;
    pipeline->pixel = agpu_shader_variant(exec, pipeline->pixel_program, &variant);
    if (pipeline->pixel)
        pipeline->uses_draw_block |= pipeline->pixel->module->uses_draw_block;
    return pipeline->pixel != NULL;
}

static const struct {
    uint32_t need; /* enum agpu_module_need */
    enum agpu_gpu_feature feature;
    const char *what;
} needs[] = {
    {AGPU_NEED_CLIP_DISTANCES,       AGPU_GPU_FEATURE_CLIP_DISTANCES,       "clip distances"                            },
    {AGPU_NEED_DUAL_SOURCE_BLENDING, AGPU_GPU_FEATURE_DUAL_SOURCE_BLENDING, "two blend sources"                         },
    {AGPU_NEED_PRIMITIVE_INDEX,      AGPU_GPU_FEATURE_COUNT,                "the primitive's number in the pixel shader"},
    {AGPU_NEED_DRAW_EXPANSION,       AGPU_GPU_FEATURE_COUNT,                "the expansion of draws in compute"         },
};

static bool check_needs(struct agpu_exec *exec, const struct agpu_module *module)
{
    for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++) {
        if (!(module->needs & needs[i].need))
            continue;
        if (needs[i].feature != AGPU_GPU_FEATURE_COUNT && agpu_exec_has(exec, needs[i].feature))
            continue;
        agpu_exec_skip_refused(exec, AGPU_DIAG_EXEC_UNSUPPORTED,
                               "a draw needs %s, which is not supported here", needs[i].what);
        return false;
    }
    return true;
}

static bool writes_target(const struct agpu_module *pixel, uint32_t target)
{
    for (uint32_t i = 0; i < pixel->output_count; i++)
        if (pixel->outputs[i].register_index != 0xFF && pixel->outputs[i].location == target)
            return true;
    return false;
}

static bool uses_source1(const struct agpu_pipeline_key *key)
{
    for (uint32_t i = 0; i < key->target_count; i++)
        if (key->formats[i] && agpu_blend_uses_source1(&key->blend[i]))
            return true;
    return false;
}

/* What a draw's state asks of the device. */
static bool check_state(struct agpu_exec *exec, const struct agpu_pipeline_key *key)
{
    uint32_t bytes = 0;
    const char *missing = NULL;
    for (uint32_t i = 0; i < key->target_count; i++) {
        const struct agpu_host_format *format = key->formats[i] ? agpu_host_format(key->formats[i]) : NULL;
        if (!format)
            continue;
        bytes += format->sample_bytes;
        if (key->blend[i].logic_enable && format->class != AGPU_CLASS_UINT)
            missing = "a logic operation on a target that is not UINT";
        if (key->blend[i].enable && !agpu_host_format_has(format, AGPU_FORMAT_BLENDABLE) &&
            !(format->class == AGPU_CLASS_FLOAT && agpu_exec_has(exec, AGPU_GPU_FEATURE_FLOAT32_BLENDABLE)))
            missing = "blending into that format";
    }
    if (bytes > exec->limits.maxColorAttachmentBytesPerSample)
        missing = "that many bytes in colour targets";
    if (key->target_count > exec->limits.maxColorAttachments)
        missing = "that many colour targets";
    if (uses_source1(key) &&
        (key->target_count > 1 || !agpu_exec_has(exec, AGPU_GPU_FEATURE_DUAL_SOURCE_BLENDING)))
        missing = "two blend sources";
    if (key->rasterizer.forced_samples > 1)
        missing = "a forced sample count";
    if (!key->rasterizer.depth_clip && !agpu_exec_has(exec, AGPU_GPU_FEATURE_DEPTH_CLIP_CONTROL))
        missing = "depth without clipping";
    if (missing)
        agpu_exec_skip_refused(exec, AGPU_DIAG_EXEC_UNSUPPORTED,
                               "a draw needs %s, which is not supported here", missing);
    if (key->rasterizer.antialiased_line && !key->rasterizer.multisample &&
        (key->topology == AGPU_TOPOLOGY_LINE_LIST || key->topology == AGPU_TOPOLOGY_LINE_STRIP))
        agpu_exec_warn_once(exec, AGPU_WARNING_LINES, "lines are drawn without antialiasing");
    return missing == NULL;
}

static WGPUPipelineLayout create_layout(struct agpu_exec *exec,
                                        const struct agpu_stage_layout *const layouts[4], uint32_t count)
{
    WGPUBindGroupLayout gpu[4];
    for (uint32_t i = 0; i < count; i++)
        gpu[i] = layouts[i]->gpu;
    const WGPUPipelineLayoutDescriptor descriptor = {.bindGroupLayoutCount = count, .bindGroupLayouts = gpu};
    return wgpuDeviceCreatePipelineLayout(exec->device, &descriptor);
}

struct vertex_arrays {
    WGPUVertexBufferLayout buffers[AGPU_MAX_VERTEX_BUFFERS];
    WGPUVertexAttribute attributes[AGPU_MAX_REGISTERS];
};

static void fill_vertex(struct agpu_exec *exec, const struct agpu_pipeline *pipeline,
                        struct vertex_arrays *arrays, WGPUVertexState *vertex)
{
    const struct agpu_vertex_state *state = &pipeline->vertex_state;
    uint32_t used = 0;
    for (uint32_t b = 0; b < state->buffer_count; b++) {
        WGPUVertexBufferLayout *buffer = &arrays->buffers[b];
        *buffer = (WGPUVertexBufferLayout){
            .stepMode =
                state->buffers[b].per_instance ? WGPUVertexStepMode_Instance : WGPUVertexStepMode_Vertex,
            .arrayStride = state->buffers[b].stride,
            .attributes = &arrays->attributes[used],
        };
        for (uint32_t a = 0; a < state->attribute_count; a++) {
            if (state->attributes[a].buffer != b)
                continue;
            arrays->attributes[used++] = (WGPUVertexAttribute){
                .format = (WGPUVertexFormat)state->attributes[a].format,
                .offset = state->attributes[a].offset,
                .shaderLocation = state->attributes[a].location,
            };
            buffer->attributeCount++;
        }
    }
    vertex->module = agpu_shader_variant_gpu(exec, pipeline->vertex);
    vertex->entryPoint = agpu_webgpu_string(pipeline->vertex->module->entry_point);
    vertex->bufferCount = state->buffer_count;
    vertex->buffers = arrays->buffers;
}

static void fill_targets(const struct agpu_pipeline *pipeline, WGPUColorTargetState *targets,
                         WGPUBlendState *blends)
{
    const struct agpu_pipeline_key *key = &pipeline->key;
    for (uint32_t i = 0; i < key->target_count; i++) {
        targets[i] = (WGPUColorTargetState){.format = WGPUTextureFormat_Undefined};
        if (!key->formats[i])
            continue;
        const struct agpu_host_format *format = agpu_host_format(key->formats[i]);
        targets[i].format = format->texture;
        if (agpu_blend_to_webgpu(&key->blend[i], format, &blends[i], &targets[i].writeMask))
            targets[i].blend = &blends[i];
        if (!writes_target(pipeline->pixel->module, i)) {
            targets[i].writeMask = 0; /* an output that is not declared leaves its target alone */
            targets[i].blend = NULL;
        }
    }
}

/* Alpha is no coverage where the shader writes a mask itself (D3D11.3 17.18). */
static bool converts_alpha(const struct agpu_pipeline *pipeline)
{
    return pipeline->key.alpha_to_coverage && pipeline->pixel_program &&
           writes_target(pipeline->pixel->module, 0) && !pipeline->pixel->module->writes_sample_mask;
}

static bool check_alpha(struct agpu_exec *exec, const struct agpu_pipeline *pipeline)
{
    const uint8_t first = pipeline->key.formats[0];
    const struct agpu_host_format *format = first ? agpu_host_format(first) : NULL;
    if (!converts_alpha(pipeline) || (format && agpu_host_format_has(format, AGPU_FORMAT_BLENDABLE)))
        return true;
    agpu_exec_skip_refused(exec, AGPU_DIAG_EXEC_UNSUPPORTED,
                           "alpha to coverage without a first colour target that blends is not supported");
    return false;
}

static WGPURenderPipeline create_gpu(struct agpu_exec *exec, const struct agpu_pipeline *pipeline)
{
    const struct agpu_pipeline_key *key = &pipeline->key;
    const struct agpu_stage_layout *layouts[4] = {
        pipeline->vertex->layout,
        pipeline->pixel_program ? pipeline->pixel->layout : agpu_empty_layout_get(exec),
        agpu_empty_layout_get(exec),
        pipeline->vertex->expansion ? pipeline->vertex->expansion : agpu_internal_layout_get(exec)};
    if (!layouts[1] || !layouts[2] || !layouts[3])
        return NULL;
    WGPUPipelineLayout layout = create_layout(exec, layouts, pipeline->uses_draw_block ? 4 : 2);
    struct vertex_arrays arrays;
    WGPUColorTargetState targets[AGPU_MAX_RENDER_TARGETS];
    WGPUBlendState blends[AGPU_MAX_RENDER_TARGETS];
    WGPUFragmentState fragment = {0};
    WGPUDepthStencilState depth_stencil;
    WGPURenderPipelineDescriptor descriptor = {.layout = layout};
    fill_vertex(exec, pipeline, &arrays, &descriptor.vertex);
    agpu_topology_to_webgpu(key->topology, &descriptor.primitive.topology);
    descriptor.primitive.stripIndexFormat = (WGPUIndexFormat)key->strip_format;
    descriptor.primitive.frontFace =
        key->rasterizer.front_counter_clockwise ? WGPUFrontFace_CCW : WGPUFrontFace_CW;
    descriptor.primitive.cullMode = key->rasterizer.cull == AEROGPU_EXT_CULL_FRONT  ? WGPUCullMode_Front
                                    : key->rasterizer.cull == AEROGPU_EXT_CULL_BACK ? WGPUCullMode_Back
                                                                                    : WGPUCullMode_None;
    descriptor.primitive.unclippedDepth = !key->rasterizer.depth_clip;
    descriptor.multisample = (WGPUMultisampleState){
        .count = agpu_samples_host(key->sample_count),
        .mask = key->sample_mask,
        .alphaToCoverageEnabled = converts_alpha(pipeline),
    };
    if (key->depth_format) {
        bool triangles =
            key->topology == AGPU_TOPOLOGY_TRIANGLE_LIST || key->topology == AGPU_TOPOLOGY_TRIANGLE_STRIP;
        agpu_depth_stencil_to_webgpu(&key->depth_stencil, &key->rasterizer, triangles,
                                     agpu_host_format(key->depth_format), &depth_stencil);
        descriptor.depthStencil = &depth_stencil;
    }
    if (pipeline->pixel) {
        fill_targets(pipeline, targets, blends);
        fragment.module = agpu_shader_variant_gpu(exec, pipeline->pixel);
        fragment.entryPoint = agpu_webgpu_string(pipeline->pixel->module->entry_point);
        fragment.targetCount = key->target_count;
        fragment.targets = targets;
        descriptor.fragment = &fragment;
    }
    uint64_t start = agpu_clock_ns();
    WGPURenderPipeline gpu = wgpuDeviceCreateRenderPipeline(exec->device, &descriptor);
    exec->counts.pipeline_ns += agpu_clock_ns() - start;
    exec->counts.pipelines++;
    wgpuPipelineLayoutRelease(layout);
    return gpu;
}

static struct agpu_pipeline *create_pipeline(struct agpu_exec *exec, const struct agpu_pipeline_key *key,
                                             struct agpu_shader_program *vertex,
                                             struct agpu_shader_program *pixel)
{
    struct agpu_pipeline *pipeline = calloc(1, sizeof *pipeline);
    if (!pipeline) {
        agpu_exec_no_memory(exec);
        return NULL;
    }
    memcpy(&pipeline->key, key, sizeof *key);
    pipeline->vertex_program = vertex;
    pipeline->pixel_program = pixel;
    pipeline->vertex_state = key->vertex;
    pipeline->refused = !check_state(exec, key) || !make_variants(exec, pipeline) ||
                        !check_needs(exec, pipeline->vertex->module) ||
                        (pixel && !check_needs(exec, pipeline->pixel->module)) ||
                        !check_alpha(exec, pipeline);
    if (pipeline->refused) {
        pipeline->refusal = exec->last_error;
        return pipeline;
    }
    agpu_vertex_state_place(&pipeline->vertex_state, pipeline->vertex->module);
    if (pipeline->vertex_state.attribute_count > exec->limits.maxVertexAttributes) {
        agpu_exec_skip_refused(exec, AGPU_DIAG_EXEC_UNSUPPORTED,
                               "a vertex shader reads %" PRIu32 " attributes",
                               pipeline->vertex_state.attribute_count);
        pipeline->refused = true;
        pipeline->refusal = exec->last_error;
        return pipeline;
    }
    pipeline->gpu = create_gpu(exec, pipeline);
    pipeline->refused = pipeline->gpu == NULL;
    return pipeline;
}

static void destroy_pipeline(struct agpu_pipeline *pipeline)
{
    if (pipeline->gpu)
        wgpuRenderPipelineRelease(pipeline->gpu);
    free(pipeline);
}

/* ---- The cache ---------------------------------------------------------------------------------------- */

static struct agpu_pipeline *look_up(struct agpu_exec *exec, const struct agpu_pipeline_key *key,
                                     struct agpu_shader_program *vertex, struct agpu_shader_program *pixel)
{
    uint64_t hash = agpu_hash_bytes(key, sizeof *key);
    struct agpu_pipeline *pipeline = agpu_map_get(&exec->pipelines, hash);
    if (pipeline && memcmp(&pipeline->key, key, sizeof *key) == 0) {
        exec->counts.pipeline_hits++;
        return pipeline;
    }
    if (pipeline) /* another key with the same hash: the newer one takes its place */
        destroy_pipeline(agpu_map_remove(&exec->pipelines, hash));
    pipeline = create_pipeline(exec, key, vertex, pixel);
    if (pipeline && !agpu_map_put(&exec->pipelines, hash, pipeline)) {
        destroy_pipeline(pipeline);
        agpu_exec_no_memory(exec);
        return NULL;
    }
    return pipeline;
}

static bool find_pixel_shader(struct agpu_exec *exec, struct agpu_context *context,
                              const struct agpu_attachments *attachments, struct agpu_shader_program **pixel,
                              bool *failed)
{
    bool refused = false;
    *pixel = NULL;
    if (context->shaders[AGPU_STAGE_PIXEL] == 0) {
        *failed = !attachments->depth;
        if (*failed)
            agpu_exec_fail(exec, AGPU_DIAG_EXEC_ARGUMENT, "a draw into colour targets needs a pixel shader");
        return !*failed;
    }
    *pixel = agpu_bound_program(exec, context, AGPU_STAGE_PIXEL, &refused, failed);
    return *pixel != NULL;
}

static struct agpu_pipeline *finish(struct agpu_exec *exec, struct agpu_context *context,
                                    const struct agpu_attachments *attachments, struct agpu_pipeline_key *key,
                                    struct agpu_shader_program *vertex, struct agpu_shader_program *pixel)
{
    key->vertex_id = vertex->id;
    key->pixel_id = pixel ? pixel->id : 0;
    fill_fixed_function(context, attachments, key);
    if (pixel)
        agpu_uavs_alias(context, AGPU_STAGE_PIXEL, pixel, &key->aliases);
    if (!key->expanded.vertices)
        key->vertex_samplers = agpu_samplers_bits(exec, context, AGPU_STAGE_VERTEX, vertex);
    key->pixel_samplers = agpu_samplers_bits(exec, context, AGPU_STAGE_PIXEL, pixel);
    struct agpu_pipeline *pipeline = look_up(exec, key, vertex, pixel);
    if (pipeline && pipeline->refused) {
        agpu_exec_skip_refused(exec, pipeline->refusal.code, "%s", pipeline->refusal.message);
        return NULL;
    }
    return pipeline;
}

struct agpu_pipeline *agpu_pipeline_get(struct agpu_exec *exec, struct agpu_context *context,
                                        const struct agpu_draw *draw,
                                        const struct agpu_attachments *attachments, uint32_t topology,
                                        WGPUIndexFormat indexed_strip, bool *failed)
{
    struct agpu_pipeline_key key;
    struct agpu_shader_program *pixel;
    bool refused = false;
    struct agpu_shader_program *vertex =
        agpu_bound_program(exec, context, AGPU_STAGE_VERTEX, &refused, failed);
    if (!vertex && !refused)
        agpu_draw_needs_vertex_shader(exec, failed);
    if (!vertex || !find_pixel_shader(exec, context, attachments, &pixel, failed))
        return NULL;
    memset(&key, 0, sizeof key);
    key.topology = topology;
    key.strip_format = (uint32_t)indexed_strip;
    if (!agpu_vertex_state_init(exec, context, draw, vertex, &key.vertex, key.attribute_classes, failed))
        return NULL;
    key.has_faces = has_faces(context->topology);
    return finish(exec, context, attachments, &key, vertex, pixel);
}

struct agpu_pipeline *agpu_expanded_pipeline_get(struct agpu_exec *exec, struct agpu_context *context,
                                                 const struct agpu_attachments *attachments,
                                                 struct agpu_shader_program *producer,
                                                 const struct agpu_expanded_key *expanded, bool *failed)
{
    static const uint32_t topologies[] = {0, AGPU_TOPOLOGY_POINT_LIST, AGPU_TOPOLOGY_LINE_LIST,
                                          AGPU_TOPOLOGY_TRIANGLE_LIST};
    struct agpu_pipeline_key key;
    struct agpu_shader_program *pixel;
    if (!find_pixel_shader(exec, context, attachments, &pixel, failed))
        return NULL;
    memset(&key, 0, sizeof key);
    key.expanded = *expanded;
    key.topology = expanded->edges ? AGPU_TOPOLOGY_LINE_LIST : topologies[expanded->vertices];
    key.has_faces = expanded->vertices == 3;
    return finish(exec, context, attachments, &key, producer, pixel);
}

/* ---- Compute ------------------------------------------------------------------------------------------ */

static void destroy_compute(struct agpu_compute_pipeline *pipeline)
{
    wgpuComputePipelineRelease(pipeline->gpu);
    free(pipeline);
}

static bool check_workgroup(struct agpu_exec *exec, const struct agpu_module *module)
{
    const WGPULimits *limits = &exec->limits;
    const uint32_t *size = module->workgroup_size;
    uint64_t threads = (uint64_t)size[0] * size[1] * size[2];
    if (threads <= limits->maxComputeInvocationsPerWorkgroup && size[0] <= limits->maxComputeWorkgroupSizeX &&
        size[1] <= limits->maxComputeWorkgroupSizeY && size[2] <= limits->maxComputeWorkgroupSizeZ &&
        module->workgroup_bytes <= limits->maxComputeWorkgroupStorageSize)
        return true;
    agpu_exec_skip_refused(exec, AGPU_DIAG_GPU_LIMIT,
                           "a group of %" PRIu32 "x%" PRIu32 "x%" PRIu32 " threads with %" PRIu32
                           " shared bytes exceeds the device's limits",
                           size[0], size[1], size[2], module->workgroup_bytes);
    return false;
}

static struct agpu_compute_pipeline *create_compute(struct agpu_exec *exec,
                                                    struct agpu_shader_program *program,
                                                    const struct agpu_uav_aliases *aliases,
                                                    const struct agpu_sampler_bits *samplers)
{
    const struct agpu_variant_key key = {.aliases = *aliases, .samplers = *samplers};
    struct agpu_shader_variant *variant = agpu_shader_variant(exec, program, &key);
    const struct agpu_stage_layout *empty = agpu_empty_layout_get(exec);
    const struct agpu_stage_layout *internal = agpu_internal_layout_get(exec);
    if (!variant || !empty || !internal || !check_workgroup(exec, variant->module))
        return NULL;
    struct agpu_compute_pipeline *pipeline = calloc(1, sizeof *pipeline);
    if (!pipeline) {
        agpu_exec_no_memory(exec);
        return NULL;
    }
    const struct agpu_stage_layout *layouts[4] = {empty, empty, variant->layout, internal};
    WGPUPipelineLayout layout = create_layout(exec, layouts, variant->module->uses_draw_block ? 4 : 3);
    const WGPUComputePipelineDescriptor descriptor = {
        .layout = layout,
        .compute = {.module = agpu_shader_variant_gpu(exec, variant),
                    .entryPoint = agpu_webgpu_string(variant->module->entry_point)},
    };
    uint64_t start = agpu_clock_ns();
    pipeline->gpu = wgpuDeviceCreateComputePipeline(exec->device, &descriptor);
    exec->counts.pipeline_ns += agpu_clock_ns() - start;
    exec->counts.pipelines++;
    pipeline->program_id = program->id;
    pipeline->aliases = *aliases;
    pipeline->samplers = *samplers;
    pipeline->program = program;
    pipeline->variant = variant;
    wgpuPipelineLayoutRelease(layout);
    return pipeline;
}

struct agpu_compute_pipeline *agpu_compute_pipeline_get(struct agpu_exec *exec,
                                                        struct agpu_shader_program *program,
                                                        const struct agpu_uav_aliases *aliases,
                                                        const struct agpu_sampler_bits *samplers)
{
    uint64_t hash =
        agpu_hash_combine(agpu_hash_combine(program->id, agpu_hash_bytes(aliases, sizeof *aliases)),
                          (uint32_t)samplers->emulated << 16 | samplers->biased);
    struct agpu_compute_pipeline *pipeline = agpu_map_get(&exec->compute_pipelines, hash);
    if (pipeline && pipeline->program_id == program->id &&
        memcmp(&pipeline->aliases, aliases, sizeof *aliases) == 0 &&
        memcmp(&pipeline->samplers, samplers, sizeof *samplers) == 0) {
        exec->counts.pipeline_hits++;
        return pipeline;
    }
    if (pipeline) /* another key with the same hash: the newer one takes its place */
        destroy_compute(agpu_map_remove(&exec->compute_pipelines, hash));
    pipeline = create_compute(exec, program, aliases, samplers);
    if (pipeline && !agpu_map_put(&exec->compute_pipelines, hash, pipeline)) {
        destroy_compute(pipeline);
        agpu_exec_no_memory(exec);
        return NULL;
    }
    return pipeline;
}

/* ---- Forgetting --------------------------------------------------------------------------------------- */

void agpu_pipelines_forget_program(struct agpu_exec *exec, const struct agpu_shader_program *program)
{
    size_t cursor = 0;
    uint64_t key;
    void *value;
    while (agpu_map_next(&exec->pipelines, &cursor, &key, &value)) {
        struct agpu_pipeline *pipeline = value;
        if (pipeline->vertex_program != program && pipeline->pixel_program != program)
            continue;
        agpu_map_remove(&exec->pipelines, key);
        destroy_pipeline(pipeline);
        cursor = 0; /* removing moved entries */
    }
    cursor = 0;
    while (agpu_map_next(&exec->compute_pipelines, &cursor, &key, &value)) {
        if (((struct agpu_compute_pipeline *)value)->program != program)
            continue;
        agpu_map_remove(&exec->compute_pipelines, key);
        destroy_compute(value);
        cursor = 0;
    }
}

void agpu_pipelines_clear(struct agpu_exec *exec)
{
    size_t cursor = 0;
    uint64_t key;
    void *value;
    while (agpu_map_next(&exec->pipelines, &cursor, &key, &value))
        destroy_pipeline(value);
    cursor = 0;
    while (agpu_map_next(&exec->compute_pipelines, &cursor, &key, &value))
        destroy_compute(value);
    agpu_map_fini(&exec->pipelines);
    agpu_map_fini(&exec->compute_pipelines);
}
