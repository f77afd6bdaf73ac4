/* SPDX-License-Identifier: MIT
 *
 * Draws, with what real frames change between them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aerogpu/abi/cmd.h"
#include "base/bytes.h"
#include "bench/compare/row.h"
#include "gpu/gpu.h"

#define DRAWS 5000u
#define CONSTANT_FLOATS 16u
#define SLOT_BYTES 256u
#define TEXTURES 64u
#define MESHES 200u
#define PIPELINES 8u
#define PHASES 2u /* frames with other constants, in turn */

enum change {
    CHANGE_CONSTANTS = 1 << 0,
    CHANGE_TEXTURES = 1 << 1,
    CHANGE_STREAMS = 1 << 2,
    CHANGE_SHADERS = 1 << 3,
    CHANGE_STATES = 1 << 4,
    CHANGE_MESHES = 1 << 5,
    CHANGE_NOTHING_ODD = 1 << 6, /* the vertices of the stream have a stride that WebGPU does not fetch */
};

enum handle {
    HANDLE_VERTICES = 1,
    HANDLE_COLORS,
    HANDLE_CONSTANTS,
    HANDLE_TARGET,
    HANDLE_DEPTH,
    HANDLE_LAYOUT,
    HANDLE_ODD_VERTICES,
    HANDLE_VERTEX_SHADER,
    HANDLE_PIXEL_SHADERS = 20,
    HANDLE_SAMPLERS = 40,
    HANDLE_TEXTURES = 100,
    HANDLE_MESHES = 1000, /* vertices and indices of each */
};

static const float triangle[6] = {0, 0, 1, 0, 0, 1};
#define ODD_STRIDE 10u
static const float triangle_colors[12] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
static const uint32_t triangle_indices[3] = {0, 1, 2};

static const char vertex_listing[] = "vs_4_0\n"
                                     ".in POSITION0 v0.xy float\n"
                                     "%s"
                                     ".out SV_Position0 o0.xyzw float position\n"
                                     ".out COLOR0 o1.xyzw float\n"
                                     "dcl_constantbuffer CB0[4], immediateIndexed\n"
                                     "dcl_input v0.xy\n"
                                     "%s"
                                     "dcl_output_siv o0.xyzw, position\n"
                                     "dcl_output o1.xyzw\n"
                                     "mad o0.xy, v0.xyxx, cb0[0].zwzz, cb0[0].xyxx\n"
                                     "mov o0.zw, l(0.0, 0.0, 0.5, 1.0)\n"
                                     "%s"
                                     "ret\n";
static const char pixel_listing[] = "ps_4_0\n"
                                    ".in SV_Position0 v0.xyzw float position\n"
                                    ".in COLOR0 v1.xyzw float\n"
                                    ".out SV_Target0 o0.xyzw float\n"
                                    "%s"
                                    "dcl_input_ps linear v1.xyzw\n"
                                    "dcl_output o0.xyzw\n"
                                    "%s"
                                    "ret\n";
static const char wgsl[] =
    "@group(0) @binding(0) var<uniform> constants: array<vec4f, 4>;\n"
    "struct Varyings { @builtin(position) position: vec4f, @location(0) color: vec4f }\n"
    "@vertex fn vertex(@location(0) at: vec2f%s) -> Varyings {\n"
    "    return Varyings(vec4f(at * constants[0].zw + constants[0].xy, 0.5, 1), constants[1]%s);\n"
    "}\n"
    "%s"
    "@fragment fn fragment(in: Varyings) -> @location(0) vec4f { return %s; }\n";

struct draws {
    uint32_t changes;
    float constants[PHASES][DRAWS][CONSTANT_FLOATS];
    uint8_t slots[DRAWS][SLOT_BYTES]; /* the constants of a frame as the hand-written side uploads them */
    WGPUBuffer vertices, colors, uniforms;
    WGPUBuffer mesh_vertices[MESHES], mesh_indices[MESHES];
    WGPUTexture target;
    WGPUTextureView target_view, depth_view;
    WGPURenderPipeline pipelines[PIPELINES];
    WGPUBindGroup constant_group, texture_groups[TEXTURES];
};

/* ---- Both sides ---------------------------------------------------------------------------------------- */

static void fill_constants(struct draws *draws)
{
    for (uint32_t phase = 0; phase < PHASES; phase++) {
        for (uint32_t i = 0; i < DRAWS; i++) {
            float *const constants = draws->constants[phase][i];
            constants[0] = -0.95f + 0.019f * (float)(i % 100);
            constants[1] = -0.95f + 0.037f * (float)(i / 100);
            constants[2] = constants[3] = 0.05f;
            constants[4] = (float)((i * 7 + phase) % 255) / 255;
            constants[5] = (float)(i % 255) / 255;
            constants[6] = 0.5f;
            constants[7] = 1;
        }
    }
}

static bool has(const struct draws *draws, enum change change)
{
    return (draws->changes & change) != 0;
}

static uint32_t pipeline_of(const struct draws *draws, uint32_t draw)
{
    return has(draws, CHANGE_SHADERS) ? draw % PIPELINES : has(draws, CHANGE_STATES) ? draw % 4 : 0;
}

/* ---- The stream ---------------------------------------------------------------------------------------- */

static void write_shaders(struct agpu_writer *writer, const struct draws *draws)
{
    char text[2048], body[128];
    const bool streams = has(draws, CHANGE_STREAMS), textures = has(draws, CHANGE_TEXTURES);
    snprintf(text, sizeof text, vertex_listing, streams ? ".in COLOR0 v1.xyzw float\n" : "",
             streams ? "dcl_input v1.xyzw\n" : "",
             streams ? "mul o1.xyzw, cb0[1].xyzw, v1.xyzw\n" : "mov o1.xyzw, cb0[1].xyzw\n");
    rig_write_shader(writer, HANDLE_VERTEX_SHADER, AGPU_STREAM_STAGE_VERTEX, text);
    for (uint32_t i = 0; i < PIPELINES; i++) {
        snprintf(body, sizeof body, "mul o0.xyzw, v1.xyzw, l(%u.5, 1.0, 1.0, 1.0)\n", i);
        snprintf(text, sizeof text, pixel_listing,
                 textures ? "dcl_sampler s0, mode_default\n"
                            "dcl_resource_texture2d (float,float,float,float) t0\n"
                          : "",
                 textures                     ? "sample o0.xyzw, v1.xyxx, t0.xyzw, s0\n"
                 : has(draws, CHANGE_SHADERS) ? body
                                              : "mov o0.xyzw, v1.xyzw\n");
        rig_write_shader(writer, HANDLE_PIXEL_SHADERS + i, AGPU_STREAM_STAGE_PIXEL, text);
    }
}

static void write_buffer(struct agpu_writer *writer, uint32_t handle, uint32_t usage, const void *contents,
                         uint32_t size)
{
    agpu_write_create_buffer(writer, handle, usage, size, 0, 0);
    if (contents != NULL)
        agpu_write_upload_resource(writer, handle, 0, contents, size);
}

static void write_resources(struct agpu_writer *writer)
{
    uint8_t odd[3 * ODD_STRIDE + 2] = {0};
    for (uint32_t i = 0; i < 3; i++)
        memcpy(odd + (size_t)i * ODD_STRIDE, &triangle[2 * (size_t)i], 8);
    write_buffer(writer, HANDLE_ODD_VERTICES, AEROGPU_RESOURCE_USAGE_VERTEX_BUFFER, odd, sizeof odd);
    write_buffer(writer, HANDLE_VERTICES, AEROGPU_RESOURCE_USAGE_VERTEX_BUFFER, triangle, sizeof triangle);
    write_buffer(writer, HANDLE_COLORS, AEROGPU_RESOURCE_USAGE_VERTEX_BUFFER, triangle_colors,
                 sizeof triangle_colors);
    write_buffer(writer, HANDLE_CONSTANTS, AEROGPU_RESOURCE_USAGE_CONSTANT_BUFFER, NULL, 64);
    rig_write_texture(writer, HANDLE_TARGET, AEROGPU_RESOURCE_USAGE_RENDER_TARGET,
                      AEROGPU_FORMAT_R8G8B8A8_UNORM, TARGET_WIDTH, TARGET_WIDTH);
    rig_write_texture(writer, HANDLE_DEPTH, AEROGPU_RESOURCE_USAGE_DEPTH_STENCIL, AEROGPU_FORMAT_D32_FLOAT,
                      TARGET_WIDTH, TARGET_WIDTH);
    for (uint32_t i = 0; i < TEXTURES; i++) {
        const uint32_t texels[4] = {0xFF000000 + i * 3, 0xFF00FF00 + i, 0xFFFF0000 + i, 0xFFFFFFFF - i};
        rig_write_texture(writer, HANDLE_TEXTURES + i, AEROGPU_RESOURCE_USAGE_TEXTURE,
                          AEROGPU_FORMAT_R8G8B8A8_UNORM, 2, 2);
        agpu_write_upload_resource(writer, HANDLE_TEXTURES + i, 0, texels, sizeof texels);
    }
    for (uint32_t i = 0; i < MESHES; i++) {
        write_buffer(writer, HANDLE_MESHES + 2 * i, AEROGPU_RESOURCE_USAGE_VERTEX_BUFFER, triangle,
                     sizeof triangle);
        write_buffer(writer, HANDLE_MESHES + 2 * i + 1, AEROGPU_RESOURCE_USAGE_INDEX_BUFFER, triangle_indices,
                     sizeof triangle_indices);
    }
    agpu_write_create_sampler(writer, HANDLE_SAMPLERS, 0, 0, 0, 0);
}

static void write_layout(struct agpu_writer *writer, const struct draws *draws)
{
    enum { R32G32_FLOAT = 16, R32G32B32A32_FLOAT = 2 };
    const struct aerogpu_input_layout_element_dxgi elements[2] = {
        {.semantic_name_hash = agpu_semantic_hash("POSITION", 8), .dxgi_format = R32G32_FLOAT},
        { .semantic_name_hash = agpu_semantic_hash("COLOR",                                                 5),
         .dxgi_format = R32G32B32A32_FLOAT,
         .input_slot = 1},
    };
    agpu_write_create_input_layout_dxgi(writer, HANDLE_LAYOUT, elements, has(draws, CHANGE_STREAMS) ? 2 : 1);
}

static void write_bindings(struct agpu_writer *writer, const struct draws *draws)
{
    const uint32_t target = HANDLE_TARGET, sampler = HANDLE_SAMPLERS;
    const struct aerogpu_vertex_buffer_binding streams[2] = {
        {.buffer = has(draws,                   CHANGE_NOTHING_ODD) ? HANDLE_ODD_VERTICES : HANDLE_VERTICES,
         .stride_bytes = has(draws, CHANGE_NOTHING_ODD) ? ODD_STRIDE : 8},
        {.buffer = HANDLE_COLORS, .stride_bytes = 16                                                           }
    };
    const struct aerogpu_rasterizer_state rasterizer = {.cull_mode = AEROGPU_CULL_NONE,
                                                        .scissor_enable = has(draws, CHANGE_STATES)};
    const struct aerogpu_constant_buffer_binding constants = {.buffer = HANDLE_CONSTANTS, .size_bytes = 64};
    agpu_write_bind_shaders(writer, HANDLE_VERTEX_SHADER, HANDLE_PIXEL_SHADERS, 0, 0);
    agpu_write_set_input_layout(writer, HANDLE_LAYOUT);
    agpu_write_set_vertex_buffers(writer, 0, 2, streams);
    agpu_write_set_primitive_topology(writer, AEROGPU_TOPOLOGY_TRIANGLELIST);
    agpu_write_set_render_targets(writer, 1, &target, has(draws, CHANGE_STATES) ? HANDLE_DEPTH : 0);
    agpu_write_set_viewport(writer, 0, 0, TARGET_WIDTH, TARGET_WIDTH, 0, 1);
    agpu_write_set_rasterizer_state(writer, &rasterizer);
    agpu_write_set_constant_buffers(writer, AGPU_STREAM_STAGE_VERTEX, 0, 1, &constants);
    agpu_write_set_texture(writer, AGPU_STREAM_STAGE_PIXEL, 0, HANDLE_TEXTURES);
    agpu_write_set_samplers(writer, AGPU_STREAM_STAGE_PIXEL, 0, 1, &sampler);
}

static void write_states(struct agpu_writer *writer, uint32_t draw)
{
    const struct aerogpu_blend_state blend = {
        .enable = draw & 1,
        .src_factor = AEROGPU_BLEND_ONE,
        .dst_factor = AEROGPU_BLEND_ONE,
        .src_factor_alpha = AEROGPU_BLEND_ONE,
        .dst_factor_alpha = AEROGPU_BLEND_ONE,
        .color_write_mask = 15,
        .sample_mask = UINT32_MAX,
    };
    const struct aerogpu_depth_stencil_state depth = {
        .depth_enable = 1, .depth_write_enable = draw >> 1 & 1, .depth_func = AEROGPU_COMPARE_LESS_EQUAL};
    const uint32_t size = draw & 4 ? TARGET_WIDTH : TARGET_WIDTH / 2;
    agpu_write_set_blend_state(writer, &blend);
    agpu_write_set_depth_stencil_state(writer, &depth);
    agpu_write_set_viewport(writer, 0, 0, (float)size, (float)size, 0, 1);
    agpu_write_set_scissor(writer, 0, 0, (int32_t)(TARGET_WIDTH - draw % 3), TARGET_WIDTH);
}

static void write_frame(void *state, struct agpu_writer *writer, uint32_t frame)
{
    struct draws *const draws = state;
    const float black[4] = {0, 0, 0, 1};
    agpu_write_clear(writer, AEROGPU_CLEAR_COLOR | (has(draws, CHANGE_STATES) ? AEROGPU_CLEAR_DEPTH : 0),
                     black, 1, 0);
    for (uint32_t i = 0; i < DRAWS; i++) {
        if (i == 0 || has(draws, CHANGE_CONSTANTS))
            agpu_write_upload_resource(writer, HANDLE_CONSTANTS, 0, draws->constants[frame % PHASES][i], 64);
        if (has(draws, CHANGE_TEXTURES)) {
            const uint32_t sampler = HANDLE_SAMPLERS;
            agpu_write_set_texture(writer, AGPU_STREAM_STAGE_PIXEL, 0, HANDLE_TEXTURES + i % TEXTURES);
            agpu_write_set_samplers(writer, AGPU_STREAM_STAGE_PIXEL, 0, 1, &sampler);
        }
        if (has(draws, CHANGE_STREAMS)) {
            const struct aerogpu_vertex_buffer_binding streams[2] = {
                {.buffer = HANDLE_VERTICES, .stride_bytes = 8},
                { .buffer = HANDLE_COLORS,       .stride_bytes = 16, .offset_bytes = 0}
            };
            agpu_write_set_vertex_buffers(writer, 0, 2, streams);
        }
        if (has(draws, CHANGE_SHADERS))
            agpu_write_bind_shaders(writer, HANDLE_VERTEX_SHADER,
                                    HANDLE_PIXEL_SHADERS + pipeline_of(draws, i), 0, 0);
        if (has(draws, CHANGE_STATES))
            write_states(writer, i);
        if (!has(draws, CHANGE_MESHES)) {
            agpu_write_draw(writer, 3, 1, 0, 0);
            continue;
        }
        const uint32_t mesh = HANDLE_MESHES + 2 * (i % MESHES);
        const struct aerogpu_vertex_buffer_binding stream = {.buffer = mesh, .stride_bytes = 8};
        agpu_write_set_vertex_buffers(writer, 0, 1, &stream);
        agpu_write_set_index_buffer(writer, mesh + 1, AEROGPU_INDEX_FORMAT_UINT32, 0);
        agpu_write_draw_indexed(writer, 3, 1, 0, 0, 0);
    }
}

static void open_stream(struct rig *rig, const struct draws *draws)
{
    struct agpu_writer writer;
    agpu_writer_init_growing(&writer, NULL);
    write_resources(&writer);
    write_shaders(&writer, draws);
    write_layout(&writer, draws);
    write_bindings(&writer, draws);
    rig_run(rig, &writer);
    agpu_writer_fini(&writer);
}

/* ---- By hand ------------------------------------------------------------------------------------------- */

static WGPUBindGroupLayout constant_layout(struct rig *rig)
{
    const WGPUBindGroupLayoutEntry entry = {
        .binding = 0,
        .visibility = WGPUShaderStage_Vertex,
        .buffer = {.type = WGPUBufferBindingType_Uniform, .hasDynamicOffset = true, .minBindingSize = 64},
    };
    const WGPUBindGroupLayoutDescriptor descriptor = {.entryCount = 1, .entries = &entry};
    return wgpuDeviceCreateBindGroupLayout(rig->device, &descriptor);
}

static WGPUBindGroupLayout texture_layout(struct rig *rig)
{
    const WGPUBindGroupLayoutEntry entries[2] = {
        {.binding = 0,
         .visibility = WGPUShaderStage_Fragment,
         .texture = {.sampleType = WGPUTextureSampleType_Float,
                     .viewDimension = WGPUTextureViewDimension_2D}},
        {.binding = 1,
         .visibility = WGPUShaderStage_Fragment,
         .sampler = {.type = WGPUSamplerBindingType_Filtering}    },
    };
    const WGPUBindGroupLayoutDescriptor descriptor = {.entryCount = 2, .entries = entries};
    return wgpuDeviceCreateBindGroupLayout(rig->device, &descriptor);
}

static WGPUShaderModule make_module(struct rig *rig, const struct draws *draws, uint32_t number)
{
    char text[2048], color[64];
    const bool streams = has(draws, CHANGE_STREAMS), textures = has(draws, CHANGE_TEXTURES);
    snprintf(color, sizeof color, "in.color * vec4f(%u.5, 1, 1, 1)", number);
    snprintf(text, sizeof text, wgsl, streams ? ", @location(1) tint: vec4f" : "", streams ? " * tint" : "",
             textures ? "@group(1) @binding(0) var image: texture_2d<f32>;\n"
                        "@group(1) @binding(1) var image_sampler: sampler;\n"
                      : "",
             textures                     ? "textureSample(image, image_sampler, in.color.xy)"
             : has(draws, CHANGE_SHADERS) ? color
                                          : "in.color");
    return ag_gpu_create_shader(rig->gpu, text, strlen(text), "draws");
}

static WGPURenderPipeline make_pipeline(struct rig *rig, const struct draws *draws, WGPUPipelineLayout layout,
                                        uint32_t number)
{
    const bool states = has(draws, CHANGE_STATES);
    const WGPUShaderModule module = make_module(rig, draws, number);
    const WGPUVertexAttribute attributes[2] = {
        {.format = WGPUVertexFormat_Float32x2, .shaderLocation = 0},
        {.format = WGPUVertexFormat_Float32x4, .shaderLocation = 1}
    };
    const WGPUVertexBufferLayout buffers[2] = {
        {.stepMode = WGPUVertexStepMode_Vertex,
         .arrayStride = 8,
         .attributeCount = 1,
         .attributes = &attributes[0]},
        {.stepMode = WGPUVertexStepMode_Vertex,
         .arrayStride = 16,
         .attributeCount = 1,
         .attributes = &attributes[1]}
    };
    const WGPUBlendComponent add = {.operation = WGPUBlendOperation_Add,
                                    .srcFactor = WGPUBlendFactor_One,
                                    .dstFactor = WGPUBlendFactor_One};
    const WGPUBlendState blend = {.color = add, .alpha = add};
    const WGPUColorTargetState target = {.format = WGPUTextureFormat_RGBA8Unorm,
                                         .blend = states && (number & 1) != 0 ? &blend : NULL,
                                         .writeMask = WGPUColorWriteMask_All};
    const WGPUStencilFaceState face = {.compare = WGPUCompareFunction_Always,
                                       .failOp = WGPUStencilOperation_Keep,
                                       .depthFailOp = WGPUStencilOperation_Keep,
                                       .passOp = WGPUStencilOperation_Keep};
    const WGPUDepthStencilState depth = {
        .format = WGPUTextureFormat_Depth32Float,
        .depthWriteEnabled = (number >> 1 & 1) != 0 ? WGPUOptionalBool_True : WGPUOptionalBool_False,
        .depthCompare = WGPUCompareFunction_LessEqual,
        .stencilFront = face,
        .stencilBack = face,
    };
    const WGPUFragmentState fragment = {
        .module = module, .entryPoint = ag_webgpu_string("fragment"), .targetCount = 1, .targets = &target};
    const WGPURenderPipelineDescriptor descriptor = {
        .layout = layout,
        .vertex = {.module = module,
                   .entryPoint = ag_webgpu_string("vertex"),
                   .bufferCount = has(draws, CHANGE_STREAMS) ? 2 : 1,
                   .buffers = buffers},
        .primitive = {.topology = WGPUPrimitiveTopology_TriangleList,
                   .frontFace = WGPUFrontFace_CCW,
                   .cullMode = WGPUCullMode_None},
        .depthStencil = states ? &depth : NULL,
        .multisample = {.count = 1, .mask = UINT32_MAX          },
        .fragment = &fragment,
    };
    const WGPURenderPipeline pipeline = wgpuDeviceCreateRenderPipeline(rig->device, &descriptor);
    wgpuShaderModuleRelease(module);
    return pipeline;
}

static void make_groups(struct rig *rig, struct draws *draws, WGPUBindGroupLayout constants,
                        WGPUBindGroupLayout textures)
{
    const WGPUBindGroupEntry uniform = {.binding = 0, .buffer = draws->uniforms, .size = 64};
    const WGPUBindGroupDescriptor descriptor = {.layout = constants, .entryCount = 1, .entries = &uniform};
    const WGPUSampler sampler = raw_nearest_sampler(rig);
    draws->constant_group = wgpuDeviceCreateBindGroup(rig->device, &descriptor);
    for (uint32_t i = 0; i < TEXTURES; i++) {
        const uint32_t texels[4] = {0xFF000000 + i * 3, 0xFF00FF00 + i, 0xFFFF0000 + i, 0xFFFFFFFF - i};
        const WGPUTexture texture = raw_texels(rig, texels);
        draws->texture_groups[i] = raw_texture_group(rig, textures, texture, sampler);
        wgpuTextureRelease(texture);
    }
    wgpuSamplerRelease(sampler);
}

static void open_raw(struct rig *rig, struct draws *draws)
{
    draws->vertices = raw_buffer(rig, sizeof triangle, WGPUBufferUsage_Vertex, triangle);
    draws->colors = raw_buffer(rig, sizeof triangle_colors, WGPUBufferUsage_Vertex, triangle_colors);
    draws->uniforms = raw_buffer(rig, sizeof draws->slots, WGPUBufferUsage_Uniform, NULL);
    for (uint32_t i = 0; i < MESHES; i++) {
        draws->mesh_vertices[i] = raw_buffer(rig, sizeof triangle, WGPUBufferUsage_Vertex, triangle);
        draws->mesh_indices[i] =
            raw_buffer(rig, sizeof triangle_indices, WGPUBufferUsage_Index, triangle_indices);
    }
    draws->target = raw_texture(rig, TARGET_WIDTH, TARGET_WIDTH, WGPUTextureFormat_RGBA8Unorm,
                                WGPUTextureUsage_RenderAttachment | WGPUTextureUsage_CopySrc);
    draws->target_view = wgpuTextureCreateView(draws->target, NULL);
    const WGPUTexture depth = raw_texture(rig, TARGET_WIDTH, TARGET_WIDTH, WGPUTextureFormat_Depth32Float,
                                          WGPUTextureUsage_RenderAttachment);
    draws->depth_view = wgpuTextureCreateView(depth, NULL);
    wgpuTextureRelease(depth);
    const WGPUBindGroupLayout layouts[2] = {constant_layout(rig), texture_layout(rig)};
    const WGPUPipelineLayoutDescriptor descriptor = {
        .bindGroupLayoutCount = has(draws, CHANGE_TEXTURES) ? 2 : 1, .bindGroupLayouts = layouts};
    const WGPUPipelineLayout layout = wgpuDeviceCreatePipelineLayout(rig->device, &descriptor);
    for (uint32_t i = 0; i < PIPELINES; i++)
        draws->pipelines[i] = make_pipeline(rig, draws, layout, i);
    make_groups(rig, draws, layouts[0], layouts[1]);
    wgpuPipelineLayoutRelease(layout);
    wgpuBindGroupLayoutRelease(layouts[0]);
    wgpuBindGroupLayoutRelease(layouts[1]);
}

static WGPURenderPassEncoder begin_pass(WGPUCommandEncoder encoder, const struct draws *draws)
{
    if (!has(draws, CHANGE_STATES))
        return raw_pass(encoder, draws->target_view);
    const WGPURenderPassColorAttachment color = {
        .view = draws->target_view,
        .depthSlice = WGPU_DEPTH_SLICE_UNDEFINED,
        .loadOp = WGPULoadOp_Clear,
        .storeOp = WGPUStoreOp_Store,
        .clearValue = {0, 0, 0, 1}
    };
    const WGPURenderPassDepthStencilAttachment depth = {.view = draws->depth_view,
                                                        .depthLoadOp = WGPULoadOp_Clear,
                                                        .depthStoreOp = WGPUStoreOp_Store,
                                                        .depthClearValue = 1};
    const WGPURenderPassDescriptor descriptor = {
        .colorAttachmentCount = 1, .colorAttachments = &color, .depthStencilAttachment = &depth};
    return wgpuCommandEncoderBeginRenderPass(encoder, &descriptor);
}

static void record_draw(WGPURenderPassEncoder pass, const struct draws *draws, uint32_t draw)
{
    const uint32_t offset = has(draws, CHANGE_CONSTANTS) ? draw * SLOT_BYTES : 0;
    if (draw == 0 || has(draws, CHANGE_CONSTANTS))
        wgpuRenderPassEncoderSetBindGroup(pass, 0, draws->constant_group, 1, &offset);
    if (has(draws, CHANGE_TEXTURES))
        wgpuRenderPassEncoderSetBindGroup(pass, 1, draws->texture_groups[draw % TEXTURES], 0, NULL);
    if (draw == 0 || has(draws, CHANGE_SHADERS) || has(draws, CHANGE_STATES))
        wgpuRenderPassEncoderSetPipeline(pass, draws->pipelines[pipeline_of(draws, draw)]);
    if (has(draws, CHANGE_STATES)) {
        const uint32_t size = draw & 4 ? TARGET_WIDTH : TARGET_WIDTH / 2;
        wgpuRenderPassEncoderSetViewport(pass, 0, 0, (float)size, (float)size, 0, 1);
        wgpuRenderPassEncoderSetScissorRect(pass, 0, 0, TARGET_WIDTH - draw % 3, TARGET_WIDTH);
    }
    if (has(draws, CHANGE_MESHES)) {
        const uint32_t mesh = draw % MESHES;
        wgpuRenderPassEncoderSetVertexBuffer(pass, 0, draws->mesh_vertices[mesh], 0, WGPU_WHOLE_SIZE);
        wgpuRenderPassEncoderSetIndexBuffer(pass, draws->mesh_indices[mesh], WGPUIndexFormat_Uint32, 0,
                                            WGPU_WHOLE_SIZE);
        wgpuRenderPassEncoderDrawIndexed(pass, 3, 1, 0, 0, 0);
        return;
    }
    if (draw == 0 || has(draws, CHANGE_STREAMS))
        wgpuRenderPassEncoderSetVertexBuffer(pass, 0, draws->vertices, 0, WGPU_WHOLE_SIZE);
    if (has(draws, CHANGE_STREAMS))
        wgpuRenderPassEncoderSetVertexBuffer(pass, 1, draws->colors, 0, WGPU_WHOLE_SIZE);
    wgpuRenderPassEncoderDraw(pass, 3, 1, 0, 0);
}

static void record_frame(struct rig *rig, void *state, uint32_t frame)
{
    struct draws *const draws = state;
    const uint32_t slots = has(draws, CHANGE_CONSTANTS) ? DRAWS : 1;
    for (uint32_t i = 0; i < slots; i++)
        memcpy(draws->slots[i], draws->constants[frame % PHASES][i], 64);
    wgpuQueueWriteBuffer(rig->queue, draws->uniforms, 0, draws->slots, (size_t)slots * SLOT_BYTES);
    const WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(rig->device, NULL);
    const WGPURenderPassEncoder pass = begin_pass(encoder, draws);
    for (uint32_t i = 0; i < DRAWS; i++)
        record_draw(pass, draws, i);
    raw_pass_end(pass);
    raw_submit(rig, encoder);
}

/* ---- Rows ---------------------------------------------------------------------------------------------- */

static void *open_draws(struct rig *rig, const struct row *row)
{
    struct draws *const draws = calloc(1, sizeof *draws);
    if (draws == NULL)
        return NULL;
    draws->changes = row->variant;
    fill_constants(draws);
    open_stream(rig, draws);
    open_raw(rig, draws);
    return draws;
}

static void close_draws(struct rig *rig, void *state)
{
    struct draws *const draws = state;
    (void)rig;
    for (uint32_t i = 0; i < MESHES; i++) {
        wgpuBufferRelease(draws->mesh_vertices[i]);
        wgpuBufferRelease(draws->mesh_indices[i]);
    }
    for (uint32_t i = 0; i < PIPELINES; i++)
        wgpuRenderPipelineRelease(draws->pipelines[i]);
    for (uint32_t i = 0; i < TEXTURES; i++)
        wgpuBindGroupRelease(draws->texture_groups[i]);
    wgpuBindGroupRelease(draws->constant_group);
    wgpuTextureViewRelease(draws->depth_view);
    wgpuTextureViewRelease(draws->target_view);
    wgpuTextureRelease(draws->target);
    wgpuBufferRelease(draws->uniforms);
    wgpuBufferRelease(draws->colors);
    wgpuBufferRelease(draws->vertices);
    free(draws);
}

static bool show_draws(struct rig *rig, void *state, struct row_pictures *pictures)
{
    const struct draws *const draws = state;
    return row_show_textures(rig, HANDLE_TARGET, draws->target, TARGET_WIDTH, TARGET_WIDTH, pictures);
}

#define DRAW_ROW(row_name, text, changes)                                                                    \
    {                                                                                                        \
        .name = (row_name), .what = (text), .items = DRAWS, .variant = (changes), .open = open_draws,        \
        .close = close_draws, .write = write_frame, .record = record_frame, .show = show_draws               \
    }

const struct row draw_rows[] = {
    DRAW_ROW("draws", "nothing changes between draws", 0),
    DRAW_ROW("constants", "64 bytes of new constants for each draw", CHANGE_CONSTANTS),
    DRAW_ROW("textures", "new constants, a texture and a sampler for each draw",
             CHANGE_CONSTANTS | CHANGE_TEXTURES),
    DRAW_ROW("streams", "new constants and two vertex buffers for each draw",
             CHANGE_CONSTANTS | CHANGE_STREAMS),
    DRAW_ROW("shaders", "new constants for each draw, eight pixel shaders in turn",
             CHANGE_CONSTANTS | CHANGE_SHADERS),
    DRAW_ROW("states", "new constants, blend and depth state, viewport and scissor for each draw",
             CHANGE_CONSTANTS | CHANGE_STATES),
    DRAW_ROW("meshes", "new constants, vertex and index buffer for each draw, of 200 meshes in turn",
             CHANGE_CONSTANTS | CHANGE_MESHES),
    DRAW_ROW("odd strides", "nothing changes, vertices of ten bytes", CHANGE_NOTHING_ODD),
};
const uint32_t draw_row_count = AG_COUNT_OF(draw_rows);
