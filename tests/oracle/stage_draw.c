/* SPDX-License-Identifier: MIT
 *
 * Pixel shaders on a device: one triangle over a target of quads. What interpolation gave each pixel is read
 * back by a shader of ours with the same inputs, so that the interpreter starts from exactly that.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/submit.h"
#include "base/bytes.h"
#include "gpu/readback.h"
#include "gpu/wait.h"
#include "gpu_bind.h"
#include "stage.h"
#include "wgsl/emit.h"

#define TIMEOUT (120 * SECOND_NS)
#define ROW_BYTES 256u
/* Devices need not take more than 32 bytes a pixel at once: two targets a pass. */
#define SET_TARGETS 2u
#define TARGET_SETS (AGPU_MAX_RENDER_TARGETS / SET_TARGETS)
#define PROBE TARGET_SETS /* the pass of the shader of ours */
#define PROBE_BYTES ((uint64_t)STAGE_PIXELS * AGPU_MAX_REGISTERS * 16)

struct draw {
    struct agpu_gpu *gpu;
    struct oracle_job *job;
    struct ag_strbuf vertex, probe; /* WGSL */
    WGPURenderPipeline pipelines[TARGET_SETS], probe_pipeline;
    struct gpu_bound bound[GPU_MAX_BINDINGS];
    WGPUTexture targets[AGPU_MAX_RENDER_TARGETS], depth, probe_target;
    WGPUTextureView target_views[AGPU_MAX_RENDER_TARGETS], depth_view, probe_target_view;
    WGPUTextureFormat formats[AGPU_MAX_RENDER_TARGETS];
    WGPUBuffer probe_buffer;
    struct ag_readback *readback;
};

/* ---- Shaders of ours ---------------------------------------------------------------------------------- */

/* An input of the pixel shader: a member of both shaders of ours. */
struct member {
    char name[8];
    const char *type, *interpolation;
    uint32_t width, location;
    bool is_float;
};

static bool describe_member(const struct agpu_stage_value *value, struct member *member)
{
    static const char *const types[][4] = {
        {"f32", "vec2f", "vec3f", "vec4f"},
        {"u32", "vec2u", "vec3u", "vec4u"},
        {"i32", "vec2i", "vec3i", "vec4i"},
    };
    if (value->location >= AGPU_MAX_REGISTERS)
        return false;
    const uint32_t kind = value->component_type == AGPU_COMPONENT_UINT   ? 1
                          : value->component_type == AGPU_COMPONENT_SINT ? 2
                                                                         : 0;
    member->width = 1;
    for (uint32_t c = 0; c < 4; c++)
        if (value->mask >> c & 1)
            member->width = c + 1;
    snprintf(member->name, sizeof member->name, "v%u", value->location);
    member->type = types[kind][member->width - 1];
    member->interpolation = ag_wgsl_interpolation(value->interpolation);
    member->location = value->location;
    member->is_float = kind == 0;
    return true;
}

/* Numbers that floats and few digits represent. */
static void append_plane(struct ag_strbuf *text, double corner, double right, double down)
{
    ag_strbuf_append_double(text, corner);
    ag_strbuf_append(text, " + ");
    ag_strbuf_append_double(text, right);
    ag_strbuf_append(text, " * p.x + ");
    ag_strbuf_append_double(text, down);
    ag_strbuf_append(text, " * p.y");
}

static void append_vertex_value(struct draw *draw, struct oracle_random *random, const struct member *member)
{
    ag_strbuf_printf(&draw->vertex, "    v.%s = %s(", member->name, member->type);
    for (uint32_t i = 0; i < member->width; i++) {
        ag_strbuf_append(&draw->vertex, i > 0 ? ", " : "");
        if (member->is_float) {
            const double down = ((double)oracle_below(random, 16) - 6) * 0.125;
            const double right = ((double)oracle_below(random, 16) - 6) * 0.125;
            const double corner = ((double)oracle_below(random, 32) - 12) * 0.125;
            append_plane(&draw->vertex, corner, right, down);
        } else {
            ag_strbuf_printf(&draw->vertex, "%u", oracle_below(random, 5));
        }
    }
    ag_strbuf_append(&draw->vertex, ");\n");
}

static void append_probe_value(struct draw *draw, const struct member *member)
{
    ag_strbuf_printf(&draw->probe, "    probe[at + %uu] = vec4<u32>(", member->location);
    for (uint32_t i = 0; i < 4; i++) {
        ag_strbuf_append(&draw->probe, i > 0 ? ", " : "");
        if (i >= member->width)
            ag_strbuf_append(&draw->probe, "0u");
        else if (member->width == 1)
            ag_strbuf_printf(&draw->probe, "bitcast<u32>(v.%s)", member->name);
        else
            ag_strbuf_printf(&draw->probe, "bitcast<u32>(v.%s.%c)", member->name, "xyzw"[i]);
    }
    ag_strbuf_append(&draw->probe, ");\n");
}

/* Calls for each located input of the module. */
static void each_member(struct draw *draw, void (*visit)(struct draw *, const struct member *, void *),
                        void *user)
{
    const struct agpu_module *const module = draw->job->module;
    struct member member;
    for (uint32_t i = 0; i < module->input_count; i++)
        if (describe_member(&module->inputs[i], &member))
            visit(draw, &member, user);
}

static void declare_member(struct draw *draw, const struct member *member, void *user)
{
    struct ag_strbuf *const texts[] = {&draw->vertex, &draw->probe};
    (void)user;
    for (size_t i = 0; i < AG_COUNT_OF(texts); i++)
        ag_strbuf_printf(texts[i], "    @location(%u)%s %s: %s,\n", member->location, member->interpolation,
                         member->name, member->type);
}

static void use_member(struct draw *draw, const struct member *member, void *user)
{
    append_vertex_value(draw, user, member);
    append_probe_value(draw, member);
}

static void write_shaders(struct draw *draw, uint64_t seed)
{
    struct oracle_random random = {seed ^ 0xd7a3};
    ag_strbuf_append(&draw->vertex, "struct Varyings {\n    @builtin(position) position: vec4<f32>,\n");
    ag_strbuf_append(&draw->probe, "@group(0) @binding(0) var<storage, read_write> probe: array<vec4<u32>>;\n"
                                   "struct Input {\n    @builtin(position) position: vec4<f32>,\n");
    each_member(draw, declare_member, NULL);
    ag_strbuf_append(&draw->vertex,
                     "}\n@vertex fn main(@builtin(vertex_index) i: u32) -> Varyings {\n"
                     "    let p = vec2<f32>(select(-1.0, 3.0, i == 1u), select(-1.0, 3.0, i == 2u));\n"
                     "    var v: Varyings;\n    v.position = vec4<f32>(p, 0.5, 1.0);\n");
    ag_strbuf_printf(&draw->probe,
                     "}\n@fragment fn main(v: Input) {\n"
                     "    let at = (u32(v.position.y) * %uu + u32(v.position.x)) * %uu;\n",
                     STAGE_WIDTH, AGPU_MAX_REGISTERS);
    ag_strbuf_append(&draw->probe, "    probe[at] = vec4<u32>(0u);\n");
    each_member(draw, use_member, &random);
    ag_strbuf_append(&draw->vertex, "    return v;\n}\n");
    ag_strbuf_append(&draw->probe, "}\n");
}

/* ---- Pipelines and targets ---------------------------------------------------------------------------- */

static void make_target(struct draw *draw, WGPUTextureFormat format, WGPUTexture *texture,
                        WGPUTextureView *view)
{
    const WGPUTextureDescriptor descriptor = {
        .usage = WGPUTextureUsage_RenderAttachment | WGPUTextureUsage_CopySrc,
        .dimension = WGPUTextureDimension_2D,
        .size = {STAGE_WIDTH, STAGE_HEIGHT, 1},
        .format = format,
        .mipLevelCount = 1,
        .sampleCount = 1,
    };
    *texture = wgpuDeviceCreateTexture(ag_gpu_device(draw->gpu), &descriptor);
    *view = wgpuTextureCreateView(*texture, NULL);
}

static void make_targets(struct draw *draw)
{
    const struct agpu_module *module = draw->job->module;
    for (uint32_t i = 0; i < module->output_count; i++) {
        const struct agpu_stage_value *output = &module->outputs[i];
        if (output->location >= AGPU_MAX_RENDER_TARGETS)
            continue;
        draw->formats[output->location] =
            output->component_type == AGPU_COMPONENT_UINT   ? WGPUTextureFormat_RGBA32Uint
            : output->component_type == AGPU_COMPONENT_SINT ? WGPUTextureFormat_RGBA32Sint
                                                            : WGPUTextureFormat_RGBA32Float;
        make_target(draw, draw->formats[output->location], &draw->targets[output->location],
                    &draw->target_views[output->location]);
    }
    make_target(draw, WGPUTextureFormat_Depth32Float, &draw->depth, &draw->depth_view);
    make_target(draw, WGPUTextureFormat_RGBA8Unorm, &draw->probe_target, &draw->probe_target_view);
    draw->probe_buffer = gpu_buffer(draw->gpu, WGPUBufferUsage_Storage, PROBE_BYTES, NULL, 0);
}

struct made {
    bool called;
    WGPURenderPipeline pipeline;
    struct oracle_job *job;
};

static void take_pipeline(WGPUCreatePipelineAsyncStatus status, WGPURenderPipeline pipeline,
                          WGPUStringView message, void *userdata1, void *userdata2)
{
    struct made *made = userdata1;
    (void)userdata2;
    made->called = true;
    made->pipeline = pipeline;
    if (status != WGPUCreatePipelineAsyncStatus_Success)
        ag_webgpu_message(message, made->job->message, sizeof made->job->message);
}

/* Targets of a set; gives how many there are from the first on. */
static size_t targets_of(const struct draw *draw, uint32_t set,
                         WGPUColorTargetState targets[AGPU_MAX_RENDER_TARGETS])
{
    size_t count = 0;
    memset(targets, 0, AGPU_MAX_RENDER_TARGETS * sizeof *targets);
    if (set == PROBE) {
        targets[0].format = WGPUTextureFormat_RGBA8Unorm;
        return 1;
    }
    for (size_t i = set * SET_TARGETS; i < (set + 1) * SET_TARGETS; i++) {
        targets[i] = (WGPUColorTargetState){.format = draw->formats[i], .writeMask = WGPUColorWriteMask_All};
        count = draw->formats[i] != WGPUTextureFormat_Undefined ? i + 1 : count;
    }
    return count;
}

static WGPURenderPipeline make_pipeline(struct draw *draw, const char *pixel, size_t length,
                                        const char *entry_point, uint32_t set)
{
    struct made made = {.job = draw->job};
    const WGPUShaderModule vertex =
        ag_gpu_create_shader(draw->gpu, draw->vertex.data, draw->vertex.length, NULL);
    const WGPUShaderModule module = ag_gpu_create_shader(draw->gpu, pixel, length, NULL);
    const WGPUPipelineLayout layout = set == PROBE ? NULL : gpu_pipeline_layout(draw->gpu, draw->job->module);
    WGPUColorTargetState targets[AGPU_MAX_RENDER_TARGETS];
    const size_t count = targets_of(draw, set, targets);
    const WGPUDepthStencilState depth = {
        .format = WGPUTextureFormat_Depth32Float,
        .depthWriteEnabled = set == PROBE ? WGPUOptionalBool_False : WGPUOptionalBool_True,
        .depthCompare = WGPUCompareFunction_Always,
    };
    const WGPUFragmentState fragment = {.module = module,
                                        .entryPoint = ag_webgpu_string(entry_point),
                                        .targetCount = count,
                                        .targets = targets};
    const WGPURenderPipelineDescriptor descriptor = {
        .layout = layout,
        .vertex = {.module = vertex,                               .entryPoint = ag_webgpu_string("main")},
        .primitive = {.topology = WGPUPrimitiveTopology_TriangleList, .frontFace = WGPUFrontFace_CCW        },
        .depthStencil = &depth,
        .multisample = {.count = 1,                                     .mask = UINT32_MAX                    },
        .fragment = &fragment,
    };
    const WGPUCreateRenderPipelineAsyncCallbackInfo callback = {
        .mode = WGPUCallbackMode_AllowProcessEvents, .callback = take_pipeline, .userdata1 = &made};
    wgpuDeviceCreateRenderPipelineAsync(ag_gpu_device(draw->gpu), &descriptor, callback);
    ag_gpu_wait_flag(draw->gpu, &made.called, TIMEOUT);
    if (layout != NULL)
        wgpuPipelineLayoutRelease(layout);
    wgpuShaderModuleRelease(vertex);
    wgpuShaderModuleRelease(module);
    return made.pipeline;
}

/* ---- Passes ------------------------------------------------------------------------------------------- */

static WGPURenderPassEncoder begin_pass(struct draw *draw, WGPUCommandEncoder encoder, uint32_t set)
{
    WGPUColorTargetState targets[AGPU_MAX_RENDER_TARGETS];
    WGPURenderPassColorAttachment attachments[AGPU_MAX_RENDER_TARGETS];
    const size_t count = targets_of(draw, set, targets);
    for (size_t i = 0; i < count; i++) {
        const bool is_float = targets[i].format == WGPUTextureFormat_RGBA32Float;
        const double clear = set == PROBE ? 0
                             : is_float   ? (double)ag_float_from_bits(STAGE_UNTOUCHED)
                                          : (double)STAGE_UNTOUCHED;
        const bool exists = targets[i].format != WGPUTextureFormat_Undefined;
        attachments[i] = (WGPURenderPassColorAttachment){
            .view = set == PROBE ? draw->probe_target_view
                    : exists     ? draw->target_views[i]
                                 : NULL,
            .depthSlice = WGPU_DEPTH_SLICE_UNDEFINED,
            .loadOp = exists ? WGPULoadOp_Clear : WGPULoadOp_Undefined,
            .storeOp = exists ? WGPUStoreOp_Store : WGPUStoreOp_Undefined,
            .clearValue = {clear, clear, clear, clear}
        };
    }
    const WGPURenderPassDepthStencilAttachment depth = {
        .view = draw->depth_view, .depthLoadOp = WGPULoadOp_Clear, .depthStoreOp = WGPUStoreOp_Store};
    const WGPURenderPassDescriptor descriptor = {
        .colorAttachmentCount = count, .colorAttachments = attachments, .depthStencilAttachment = &depth};
    return wgpuCommandEncoderBeginRenderPass(encoder, &descriptor);
}

static void set_probe_group(struct draw *draw, WGPURenderPassEncoder pass)
{
    const WGPUBindGroupLayout layout = wgpuRenderPipelineGetBindGroupLayout(draw->probe_pipeline, 0);
    const WGPUBindGroupEntry entry = {.binding = 0, .buffer = draw->probe_buffer, .size = PROBE_BYTES};
    const WGPUBindGroupDescriptor descriptor = {.layout = layout, .entryCount = 1, .entries = &entry};
    const WGPUBindGroup group = wgpuDeviceCreateBindGroup(ag_gpu_device(draw->gpu), &descriptor);
    wgpuRenderPassEncoderSetBindGroup(pass, 0, group, 0, NULL);
    wgpuBindGroupRelease(group);
    wgpuBindGroupLayoutRelease(layout);
}

static void set_groups(struct draw *draw, WGPURenderPassEncoder pass, uint32_t set)
{
    for (uint32_t i = 0; i < 4; i++) {
        const WGPUBindGroupLayout layout = wgpuRenderPipelineGetBindGroupLayout(draw->pipelines[set], i);
        const WGPUBindGroup group = gpu_bind_group(draw->gpu, layout, draw->job->module, draw->bound, i);
        wgpuRenderPassEncoderSetBindGroup(pass, i, group, 0, NULL);
        wgpuBindGroupRelease(group);
        wgpuBindGroupLayoutRelease(layout);
    }
}

static void encode_pass(struct draw *draw, WGPUCommandEncoder encoder, uint32_t set)
{
    const WGPURenderPassEncoder pass = begin_pass(draw, encoder, set);
    wgpuRenderPassEncoderSetPipeline(pass, set == PROBE ? draw->probe_pipeline : draw->pipelines[set]);
    if (set == PROBE)
        set_probe_group(draw, pass);
    else
        set_groups(draw, pass, set);
    wgpuRenderPassEncoderDraw(pass, 3, 1, 0, 0);
    wgpuRenderPassEncoderEnd(pass);
    wgpuRenderPassEncoderRelease(pass);
}

/* ---- Coming back -------------------------------------------------------------------------------------- */

#define TARGET_BYTES ((uint64_t)ROW_BYTES * STAGE_HEIGHT)
#define READBACK_BYTES (PROBE_BYTES + TARGET_BYTES * (AGPU_MAX_RENDER_TARGETS + 1))

static void copy_target(struct draw *draw, WGPUCommandEncoder encoder, WGPUTexture texture, uint32_t index)
{
    const WGPUTexelCopyTextureInfo from = {.texture = texture, .aspect = WGPUTextureAspect_All};
    const WGPUTexelCopyBufferInfo to = {
        .layout = {.offset = PROBE_BYTES + TARGET_BYTES * index,
                   .bytesPerRow = ROW_BYTES,
                   .rowsPerImage = STAGE_HEIGHT},
        .buffer = ag_readback_buffer(draw->readback),
    };
    const WGPUExtent3D size = {STAGE_WIDTH, STAGE_HEIGHT, 1};
    if (texture != NULL)
        wgpuCommandEncoderCopyTextureToBuffer(encoder, &from, &to, &size);
}

static bool submit(struct draw *draw)
{
    const WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(ag_gpu_device(draw->gpu), NULL);
    encode_pass(draw, encoder, PROBE);
    for (uint32_t set = 0; set < TARGET_SETS; set++)
        if (draw->pipelines[set] != NULL)
            encode_pass(draw, encoder, set);
    wgpuCommandEncoderCopyBufferToBuffer(encoder, draw->probe_buffer, 0, ag_readback_buffer(draw->readback),
                                         0, PROBE_BYTES);
    for (uint32_t i = 0; i < AGPU_MAX_RENDER_TARGETS; i++)
        copy_target(draw, encoder, draw->targets[i], i);
    copy_target(draw, encoder, draw->depth, AGPU_MAX_RENDER_TARGETS);
    submit_encoder(draw->gpu, encoder);
    ag_readback_begin(draw->readback);
    return ag_gpu_wait_idle(draw->gpu, TIMEOUT) && ag_readback_data(draw->readback) != NULL;
}

static void take_pixels(const struct draw *draw, struct stage_pixels *pixels)
{
    const uint8_t *data = ag_readback_data(draw->readback);
    memcpy(pixels->input, data, sizeof pixels->input);
    data += PROBE_BYTES;
    memcpy(pixels->target, data, sizeof pixels->target);
    data += TARGET_BYTES * AGPU_MAX_RENDER_TARGETS;
    for (uint32_t i = 0; i < STAGE_PIXELS; i++)
        pixels->depth[i] = ag_float_from_bits(
            ag_load_u32(data + (size_t)ROW_BYTES * (i / STAGE_WIDTH) + 4u * (i % STAGE_WIDTH)));
}

static void release(struct draw *draw)
{
    for (uint32_t i = 0; i < GPU_MAX_BINDINGS; i++)
        gpu_bound_fini(&draw->bound[i]);
    for (uint32_t i = 0; i < AGPU_MAX_RENDER_TARGETS; i++) {
        if (draw->targets[i] == NULL)
            continue;
        wgpuTextureViewRelease(draw->target_views[i]);
        wgpuTextureRelease(draw->targets[i]);
    }
    wgpuTextureViewRelease(draw->depth_view);
    wgpuTextureRelease(draw->depth);
    wgpuTextureViewRelease(draw->probe_target_view);
    wgpuTextureRelease(draw->probe_target);
    wgpuBufferRelease(draw->probe_buffer);
    for (uint32_t set = 0; set < TARGET_SETS; set++)
        if (draw->pipelines[set] != NULL)
            wgpuRenderPipelineRelease(draw->pipelines[set]);
    if (draw->probe_pipeline != NULL)
        wgpuRenderPipelineRelease(draw->probe_pipeline);
    ag_strbuf_fini(&draw->vertex);
    ag_strbuf_fini(&draw->probe);
}

/* A pipeline for every set that has a target, and one at least. */
static bool make_pipelines(struct draw *draw)
{
    const struct agpu_module *module = draw->job->module;
    WGPUColorTargetState targets[AGPU_MAX_RENDER_TARGETS];
    bool good = true, any = false;
    for (uint32_t set = TARGET_SETS; set-- > 0;) {
        if (targets_of(draw, set, targets) == 0 && (set > 0 || any))
            continue;
        draw->pipelines[set] =
            make_pipeline(draw, module->wgsl, module->wgsl_length, module->entry_point, set);
        good = good && draw->pipelines[set] != NULL;
        any = true;
    }
    draw->probe_pipeline = make_pipeline(draw, draw->probe.data, draw->probe.length, "main", PROBE);
    return good && draw->probe_pipeline != NULL;
}

static bool prepare(struct draw *draw, struct ag_readback_pool *pool)
{
    const struct agpu_module *module = draw->job->module;
    bool good = make_pipelines(draw);
    for (uint32_t i = 0; i < module->binding_count && good; i++)
        good = gpu_bind(draw->gpu, draw->job, &module->bindings[i], &draw->bound[i]);
    if (!good) {
        draw->job->outcome = ORACLE_NOT_COMPILED;
        return false;
    }
    draw->readback = ag_readback_take(pool, READBACK_BYTES);
    return draw->readback != NULL;
}

bool stage_draw(struct agpu_gpu *gpu, struct oracle_job *job, uint64_t seed, struct stage_pixels *pixels)
{
    struct draw draw = {.gpu = gpu, .job = job};
    struct ag_readback_pool *pool = ag_readback_pool_create(gpu, 0);
    job->outcome = ORACLE_RAN;
    write_shaders(&draw, seed);
    make_targets(&draw);
    bool good = pool != NULL;
    if (good && prepare(&draw, pool)) {
        good = submit(&draw);
        if (good)
            take_pixels(&draw, pixels);
        else
            job->outcome = ORACLE_LOST;
    }
    ag_readback_release(pool, draw.readback);
    release(&draw);
    ag_readback_pool_destroy(pool);
    return good;
}
