/* SPDX-License-Identifier: MIT
 *
 * Parts of real frames: a user interface, instances, targets in turn, very many shaders, and a shader that
 * was never seen before. All of them draw quads of one vertex buffer.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aerogpu/abi/cmd.h"
#include "base/bytes.h"
#include "bench/compare/row.h"
#include "gpu/gpu.h"

#define QUADS 1000u
#define CORNERS 4u
#define INDICES 6u
#define INSTANCES 1000u
#define TEXTURES 16u
#define QUADS_OF_TEXTURE 8u
#define TARGETS 2u

enum kind { KIND_INTERFACE, KIND_INSTANCES, KIND_PING_PONG, KIND_SHADERS, KIND_NEW };

static const uint32_t draw_counts[] = {
    [KIND_INTERFACE] = 1000, [KIND_INSTANCES] = 100, [KIND_PING_PONG] = 100,
    [KIND_SHADERS] = 1000,   [KIND_NEW] = 1,
};

enum handle {
    HANDLE_CORNERS = 1,
    HANDLE_INDICES,
    HANDLE_PLACES,
    HANDLE_LAYOUT,
    HANDLE_SAMPLER,
    HANDLE_VERTEX_SHADER,
    HANDLE_PIXEL_SHADER,
    HANDLE_TARGETS,
    HANDLE_TEXTURES = 20,
    HANDLE_PIXEL_SHADERS = 100,
};

struct corner {
    float x, y, u, v;
};

struct frames {
    enum kind kind;
    struct corner corners[QUADS][CORNERS];
    uint32_t indices[QUADS][INDICES];
    float places[INSTANCES][2];
    WGPUBuffer corner_buffer, index_buffer, place_buffer;
    WGPUTexture targets[TARGETS];
    WGPUTextureView views[TARGETS];
    WGPURenderPipeline pipelines[QUADS];
    WGPUBindGroup groups[TEXTURES], target_groups[TARGETS];
};

static const char vertex_listing[] = "vs_4_0\n"
                                     ".in POSITION0 v0.xy float\n"
                                     ".in TEXCOORD0 v1.xy float\n"
                                     ".in PLACE0 v2.xy float\n"
                                     ".out SV_Position0 o0.xyzw float position\n"
                                     ".out TEXCOORD0 o1.xy float\n"
                                     "dcl_input v0.xy\n"
                                     "dcl_input v1.xy\n"
                                     "dcl_input v2.xy\n"
                                     "dcl_output_siv o0.xyzw, position\n"
                                     "dcl_output o1.xy\n"
                                     "add o0.xy, v0.xyxx, v2.xyxx\n"
                                     "mov o0.zw, l(0.0, 0.0, 0.5, 1.0)\n"
                                     "mov o1.xy, v1.xyxx\n"
                                     "ret\n";
#define PIXEL_SIGNATURE                                                                                      \
    "ps_4_0\n"                                                                                               \
    ".in SV_Position0 v0.xyzw float position\n"                                                              \
    ".in TEXCOORD0 v1.xy float\n"                                                                            \
    ".out SV_Target0 o0.xyzw float\n"
static const char texture_listing[] = PIXEL_SIGNATURE "dcl_sampler s0, mode_default\n"
                                                      "dcl_resource_texture2d (float,float,float,float) t0\n"
                                                      "dcl_input_ps linear v1.xy\n"
                                                      "dcl_output o0.xyzw\n"
                                                      "dcl_temps 1\n"
                                                      "sample r0.xyzw, v1.xyxx, t0.xyzw, s0\n"
                                                      "add o0.xyzw, r0.xyzw, l(%s, 0.0, 0.0, 0.0)\n"
                                                      "ret\n";
static const char color_listing[] = PIXEL_SIGNATURE "dcl_output o0.xyzw\n"
                                                    "mov o0.xyzw, l(%.9f, %.9f, %.9f, 1.0)\n"
                                                    "ret\n";
static const char wgsl[] =
    "struct Varyings { @builtin(position) position: vec4f, @location(0) uv: vec2f }\n"
    "@vertex fn vertex(@location(0) at: vec2f, @location(1) uv: vec2f, @location(2) place: vec2f)\n"
    "        -> Varyings {\n"
    "    return Varyings(vec4f(at + place, 0.5, 1), uv);\n"
    "}\n";
static const char texture_wgsl[] =
    "@group(0) @binding(0) var image: texture_2d<f32>;\n"
    "@group(0) @binding(1) var image_sampler: sampler;\n"
    "@fragment fn fragment(in: Varyings) -> @location(0) vec4f {\n"
    "    return textureSample(image, image_sampler, in.uv) + vec4f(%s, 0, 0, 0);\n"
    "}\n";
static const char color_wgsl[] = "@fragment fn fragment(in: Varyings) -> @location(0) vec4f {\n"
                                 "    return vec4f(%.9f, %.9f, %.9f, 1);\n"
                                 "}\n";

/* ---- Both sides ---------------------------------------------------------------------------------------- */

/* One step of a channel of eight bits. */
#define STEP "0.00392156886"

static bool has_textures(const struct frames *frames)
{
    return frames->kind < KIND_SHADERS;
}

static const char *added(const struct frames *frames)
{
    return frames->kind == KIND_PING_PONG ? STEP : "0.0";
}

static bool has_place(const struct frames *frames)
{
    return frames->kind == KIND_INSTANCES;
}

static void fill(struct frames *frames)
{
    static const uint32_t order[INDICES] = {0, 1, 2, 2, 1, 3};
    for (uint32_t i = 0; i < QUADS; i++) {
        const bool whole = frames->kind == KIND_PING_PONG;
        const float size = whole ? 2 : 0.25f, x = whole ? -1 : -1 + 0.05f * (float)(i % 32),
                    y = whole ? -1 : -1 + 0.05f * (float)(i / 32);
        for (uint32_t c = 0; c < CORNERS; c++)
            frames->corners[i][c] = (struct corner){x + size * (float)(c & 1), y + size * (float)(c >> 1),
                                                    (float)(c & 1), 1 - (float)(c >> 1)};
        for (uint32_t k = 0; k < INDICES; k++)
            frames->indices[i][k] = CORNERS * i + order[k];
    }
    for (uint32_t i = 0; i < INSTANCES && has_place(frames); i++) {
        frames->places[i][0] = 0.05f * (float)(i % 32);
        frames->places[i][1] = 0.05f * (float)(i / 32);
    }
}

static void fill_texels(uint32_t texture, uint32_t texels[4])
{
    for (uint32_t i = 0; i < 4; i++)
        texels[i] = 0x60000000 + texture * 0x070502 + i * 0x103010;
}

/* A color for each shader that there is. */
static void write_color(char *text, size_t size, const char *format, uint32_t number)
{
    snprintf(text, size, format, (double)(number % 251) / 255, (double)(number / 251 % 251) / 255,
             (double)(number % 7) / 255);
}

static uint32_t shader_count(const struct frames *frames)
{
    return frames->kind == KIND_SHADERS ? draw_counts[KIND_SHADERS] : 1;
}

/* What the draw paints into: the targets in turn. */
static uint32_t target_of(const struct frames *frames, uint32_t draw)
{
    return frames->kind == KIND_PING_PONG ? (draw + 1) % TARGETS : 0;
}

/* ---- The stream ---------------------------------------------------------------------------------------- */

static void write_buffer(struct agpu_writer *writer, uint32_t handle, uint32_t usage, const void *contents,
                         size_t size)
{
    agpu_write_create_buffer(writer, handle, usage, size, 0, 0);
    agpu_write_upload_resource(writer, handle, 0, contents, size);
}

static void write_color_shader(struct agpu_writer *writer, uint32_t handle, uint32_t number)
{
    char text[1024];
    write_color(text, sizeof text, color_listing, number);
    rig_write_shader(writer, handle, AGPU_STREAM_STAGE_PIXEL, text);
}

static void write_shaders(struct agpu_writer *writer, const struct frames *frames)
{
    char text[1024];
    rig_write_shader(writer, HANDLE_VERTEX_SHADER, AGPU_STREAM_STAGE_VERTEX, vertex_listing);
    snprintf(text, sizeof text, texture_listing, added(frames));
    rig_write_shader(writer, HANDLE_PIXEL_SHADER, AGPU_STREAM_STAGE_PIXEL, text);
    for (uint32_t i = 0; i < shader_count(frames) && !has_textures(frames); i++)
        write_color_shader(writer, HANDLE_PIXEL_SHADERS + i, i);
}

static void write_layout(struct agpu_writer *writer)
{
    enum { R32G32_FLOAT = 16 };
    struct aerogpu_input_layout_element_dxgi elements[3] = {0};
    elements[0].semantic_name_hash = agpu_semantic_hash("POSITION", 8);
    elements[1].semantic_name_hash = agpu_semantic_hash("TEXCOORD", 8);
    elements[1].aligned_byte_offset = 8;
    elements[2].semantic_name_hash = agpu_semantic_hash("PLACE", 5);
    elements[2].input_slot = elements[2].input_slot_class = elements[2].instance_data_step_rate = 1;
    for (uint32_t i = 0; i < 3; i++)
        elements[i].dxgi_format = R32G32_FLOAT;
    agpu_write_create_input_layout_dxgi(writer, HANDLE_LAYOUT, elements, 3);
}

static void write_resources(struct agpu_writer *writer, const struct frames *frames)
{
    write_buffer(writer, HANDLE_CORNERS, AEROGPU_RESOURCE_USAGE_VERTEX_BUFFER, frames->corners,
                 sizeof frames->corners);
    write_buffer(writer, HANDLE_INDICES, AEROGPU_RESOURCE_USAGE_INDEX_BUFFER, frames->indices,
                 sizeof frames->indices);
    write_buffer(writer, HANDLE_PLACES, AEROGPU_RESOURCE_USAGE_VERTEX_BUFFER, frames->places,
                 sizeof frames->places);
    for (uint32_t i = 0; i < TARGETS; i++)
        rig_write_texture(writer, HANDLE_TARGETS + i,
                          AEROGPU_RESOURCE_USAGE_RENDER_TARGET | AEROGPU_RESOURCE_USAGE_TEXTURE,
                          AEROGPU_FORMAT_R8G8B8A8_UNORM, TARGET_WIDTH, TARGET_WIDTH);
    for (uint32_t i = 0; i < TEXTURES; i++) {
        uint32_t texels[4];
        fill_texels(i, texels);
        rig_write_texture(writer, HANDLE_TEXTURES + i, AEROGPU_RESOURCE_USAGE_TEXTURE,
                          AEROGPU_FORMAT_R8G8B8A8_UNORM, 2, 2);
        agpu_write_upload_resource(writer, HANDLE_TEXTURES + i, 0, texels, sizeof texels);
    }
    agpu_write_create_sampler(writer, HANDLE_SAMPLER, 0, 0, 0, 0);
}

static void write_target(struct agpu_writer *writer, uint32_t number)
{
    const uint32_t target = HANDLE_TARGETS + number;
    agpu_write_set_render_targets(writer, 1, &target, 0);
}

static void write_bindings(struct agpu_writer *writer, const struct frames *frames)
{
    const uint32_t sampler = HANDLE_SAMPLER;
    const bool is_interface = frames->kind == KIND_INTERFACE;
    const struct aerogpu_vertex_buffer_binding streams[2] = {
        {.buffer = HANDLE_CORNERS, .stride_bytes = sizeof(struct corner)},
        {.buffer = HANDLE_PLACES,  .stride_bytes = 8                    },
    };
    const struct aerogpu_rasterizer_state rasterizer = {.cull_mode = AEROGPU_CULL_NONE,
                                                        .scissor_enable = is_interface};
    const struct aerogpu_blend_state blend = {
        .enable = is_interface,
        .src_factor = AEROGPU_BLEND_SRC_ALPHA,
        .dst_factor = AEROGPU_BLEND_INV_SRC_ALPHA,
        .src_factor_alpha = AEROGPU_BLEND_ONE,
        .dst_factor_alpha = AEROGPU_BLEND_INV_SRC_ALPHA,
        .color_write_mask = 15,
        .sample_mask = UINT32_MAX,
    };
    agpu_write_bind_shaders(writer, HANDLE_VERTEX_SHADER,
                            has_textures(frames) ? HANDLE_PIXEL_SHADER : HANDLE_PIXEL_SHADERS, 0, 0);
    agpu_write_set_input_layout(writer, HANDLE_LAYOUT);
    agpu_write_set_vertex_buffers(writer, 0, 2, streams);
    agpu_write_set_index_buffer(writer, HANDLE_INDICES, AEROGPU_INDEX_FORMAT_UINT32, 0);
    agpu_write_set_primitive_topology(writer, AEROGPU_TOPOLOGY_TRIANGLELIST);
    write_target(writer, 0);
    agpu_write_set_viewport(writer, 0, 0, TARGET_WIDTH, TARGET_WIDTH, 0, 1);
    agpu_write_set_rasterizer_state(writer, &rasterizer);
    agpu_write_set_blend_state(writer, &blend);
    agpu_write_set_texture(writer, AGPU_STREAM_STAGE_PIXEL, 0, HANDLE_TEXTURES);
    agpu_write_set_samplers(writer, AGPU_STREAM_STAGE_PIXEL, 0, 1, &sampler);
}

static void open_stream(struct rig *rig, const struct frames *frames)
{
    struct agpu_writer writer;
    agpu_writer_init_growing(&writer, NULL);
    write_resources(&writer, frames);
    write_shaders(&writer, frames);
    write_layout(&writer);
    write_bindings(&writer, frames);
    rig_run(rig, &writer);
    agpu_writer_fini(&writer);
}

static void write_interface(struct agpu_writer *writer, uint32_t draw)
{
    if (draw % QUADS_OF_TEXTURE == 0)
        agpu_write_set_texture(writer, AGPU_STREAM_STAGE_PIXEL, 0,
                               HANDLE_TEXTURES + draw / QUADS_OF_TEXTURE % TEXTURES);
    agpu_write_set_scissor(writer, (int32_t)(draw % 8), 0, (int32_t)(TARGET_WIDTH - draw % 8), TARGET_WIDTH);
    agpu_write_draw_indexed(writer, INDICES, 1, INDICES * draw, 0, 0);
}

/* The old target is unbound by the new one before it is read. */
static void write_ping_pong(const struct frames *frames, struct agpu_writer *writer, uint32_t draw)
{
    write_target(writer, target_of(frames, draw));
    agpu_write_set_texture(writer, AGPU_STREAM_STAGE_PIXEL, 0, HANDLE_TARGETS + draw % TARGETS);
    agpu_write_draw_indexed(writer, INDICES, 1, 0, 0, 0);
}

static void write_new(struct agpu_writer *writer, uint32_t frame)
{
    agpu_write_destroy_shader(writer, HANDLE_PIXEL_SHADERS);
    write_color_shader(writer, HANDLE_PIXEL_SHADERS, frame + 1);
    agpu_write_bind_shaders(writer, HANDLE_VERTEX_SHADER, HANDLE_PIXEL_SHADERS, 0, 0);
    agpu_write_draw_indexed(writer, INDICES, 1, 0, 0, 0);
}

static void write_frame(void *state, struct agpu_writer *writer, uint32_t frame)
{
    const struct frames *const frames = state;
    const float black[4] = {0, 0, 0, 1};
    agpu_write_clear(writer, AEROGPU_CLEAR_COLOR, black, 1, 0);
    for (uint32_t i = 0; i < draw_counts[frames->kind]; i++)
        switch (frames->kind) {
        case KIND_INTERFACE:
            write_interface(writer, i);
            break;
        case KIND_INSTANCES:
            agpu_write_draw_indexed(writer, INDICES, INSTANCES, INDICES * i, 0, 0);
            break;
        case KIND_PING_PONG:
            write_ping_pong(frames, writer, i);
            break;
        case KIND_SHADERS:
            agpu_write_bind_shaders(writer, HANDLE_VERTEX_SHADER, HANDLE_PIXEL_SHADERS + i, 0, 0);
            agpu_write_draw_indexed(writer, INDICES, 1, INDICES * i, 0, 0);
            break;
        case KIND_NEW:
            write_new(writer, frame);
            break;
        }
}

/* ---- By hand ------------------------------------------------------------------------------------------- */

static WGPURenderPipeline make_pipeline(struct rig *rig, const struct frames *frames, uint32_t number)
{
    char text[2048];
    strcpy(text, wgsl);
    const size_t length = strlen(text);
    if (has_textures(frames))
        snprintf(text + length, sizeof text - length, texture_wgsl, added(frames));
    else
        write_color(text + length, sizeof text - length, color_wgsl, number);
    const WGPUShaderModule module = ag_gpu_create_shader(rig->gpu, text, strlen(text), "frames");
    const WGPUVertexAttribute attributes[3] = {
        {.format = WGPUVertexFormat_Float32x2, .shaderLocation = 0},
        {.format = WGPUVertexFormat_Float32x2, .shaderLocation = 1, .offset = 8},
        {.format = WGPUVertexFormat_Float32x2,                                    .shaderLocation = 2                   },
    };
    const WGPUVertexBufferLayout buffers[2] = {
        {.stepMode = WGPUVertexStepMode_Vertex,
         .arrayStride = sizeof(struct corner),
         .attributeCount = 2,
         .attributes = attributes    },
        {.stepMode = WGPUVertexStepMode_Instance,
         .arrayStride = 8,
         .attributeCount = 1,
         .attributes = &attributes[2]},
    };
    const WGPUBlendState blend = {
        .color = {.operation = WGPUBlendOperation_Add,
                  .srcFactor = WGPUBlendFactor_SrcAlpha,
                  .dstFactor = WGPUBlendFactor_OneMinusSrcAlpha},
        .alpha = {.operation = WGPUBlendOperation_Add,
                  .srcFactor = WGPUBlendFactor_One,
                  .dstFactor = WGPUBlendFactor_OneMinusSrcAlpha},
    };
    const WGPUColorTargetState target = {.format = WGPUTextureFormat_RGBA8Unorm,
                                         .blend = frames->kind == KIND_INTERFACE ? &blend : NULL,
                                         .writeMask = WGPUColorWriteMask_All};
    const WGPUFragmentState fragment = {
        .module = module, .entryPoint = ag_webgpu_string("fragment"), .targetCount = 1, .targets = &target};
    const WGPURenderPipelineDescriptor descriptor = {
        .vertex = {.module = module,
                   .entryPoint = ag_webgpu_string("vertex"),
                   .bufferCount = 2,
                   .buffers = buffers},
        .primitive = {.topology = WGPUPrimitiveTopology_TriangleList,
                   .frontFace = WGPUFrontFace_CCW,
                   .cullMode = WGPUCullMode_None},
        .multisample = {.count = 1, .mask = UINT32_MAX           },
        .fragment = &fragment,
    };
    const WGPURenderPipeline pipeline = wgpuDeviceCreateRenderPipeline(rig->device, &descriptor);
    wgpuShaderModuleRelease(module);
    return pipeline;
}

static void make_groups(struct rig *rig, struct frames *frames)
{
    const WGPUBindGroupLayout layout = wgpuRenderPipelineGetBindGroupLayout(frames->pipelines[0], 0);
    const WGPUSampler sampler = raw_nearest_sampler(rig);
    for (uint32_t i = 0; i < TEXTURES; i++) {
        uint32_t texels[4];
        fill_texels(i, texels);
        const WGPUTexture texture = raw_texels(rig, texels);
        frames->groups[i] = raw_texture_group(rig, layout, texture, sampler);
        wgpuTextureRelease(texture);
    }
    for (uint32_t i = 0; i < TARGETS; i++)
        frames->target_groups[i] = raw_texture_group(rig, layout, frames->targets[i], sampler);
    wgpuSamplerRelease(sampler);
    wgpuBindGroupLayoutRelease(layout);
}

static void open_raw(struct rig *rig, struct frames *frames)
{
    frames->corner_buffer = raw_buffer(rig, sizeof frames->corners, WGPUBufferUsage_Vertex, frames->corners);
    frames->index_buffer = raw_buffer(rig, sizeof frames->indices, WGPUBufferUsage_Index, frames->indices);
    frames->place_buffer = raw_buffer(rig, sizeof frames->places, WGPUBufferUsage_Vertex, frames->places);
    for (uint32_t i = 0; i < TARGETS; i++) {
        frames->targets[i] = raw_texture(rig, TARGET_WIDTH, TARGET_WIDTH, WGPUTextureFormat_RGBA8Unorm,
                                         WGPUTextureUsage_RenderAttachment | WGPUTextureUsage_TextureBinding |
                                             WGPUTextureUsage_CopySrc);
        frames->views[i] = wgpuTextureCreateView(frames->targets[i], NULL);
    }
    for (uint32_t i = 0; i < shader_count(frames); i++)
        frames->pipelines[i] = make_pipeline(rig, frames, i);
    if (has_textures(frames))
        make_groups(rig, frames);
}

static WGPURenderPassEncoder begin_pass(WGPUCommandEncoder encoder, const struct frames *frames,
                                        uint32_t target, WGPULoadOp load)
{
    const WGPURenderPassColorAttachment color = {
        .view = frames->views[target],
        .depthSlice = WGPU_DEPTH_SLICE_UNDEFINED,
        .loadOp = load,
        .storeOp = WGPUStoreOp_Store,
        .clearValue = {0, 0, 0, 1}
    };
    const WGPURenderPassDescriptor descriptor = {.colorAttachmentCount = 1, .colorAttachments = &color};
    const WGPURenderPassEncoder pass = wgpuCommandEncoderBeginRenderPass(encoder, &descriptor);
    wgpuRenderPassEncoderSetPipeline(pass, frames->pipelines[0]);
    wgpuRenderPassEncoderSetVertexBuffer(pass, 0, frames->corner_buffer, 0, WGPU_WHOLE_SIZE);
    wgpuRenderPassEncoderSetVertexBuffer(pass, 1, frames->place_buffer, 0, WGPU_WHOLE_SIZE);
    wgpuRenderPassEncoderSetIndexBuffer(pass, frames->index_buffer, WGPUIndexFormat_Uint32, 0,
                                        WGPU_WHOLE_SIZE);
    if (has_textures(frames))
        wgpuRenderPassEncoderSetBindGroup(pass, 0, frames->groups[0], 0, NULL);
    return pass;
}

static void record_draw(const struct frames *frames, WGPURenderPassEncoder pass, uint32_t draw)
{
    if (frames->kind == KIND_INTERFACE) {
        if (draw % QUADS_OF_TEXTURE == 0)
            wgpuRenderPassEncoderSetBindGroup(pass, 0, frames->groups[draw / QUADS_OF_TEXTURE % TEXTURES], 0,
                                              NULL);
        wgpuRenderPassEncoderSetScissorRect(pass, draw % 8, 0, TARGET_WIDTH - draw % 8, TARGET_WIDTH);
    } else if (frames->kind == KIND_SHADERS) {
        wgpuRenderPassEncoderSetPipeline(pass, frames->pipelines[draw]);
    }
    wgpuRenderPassEncoderDrawIndexed(pass, INDICES, has_place(frames) ? INSTANCES : 1, INDICES * draw, 0, 0);
}

static void record_ping_pong(const struct frames *frames, WGPUCommandEncoder encoder)
{
    raw_pass_end(begin_pass(encoder, frames, 0, WGPULoadOp_Clear));
    for (uint32_t i = 0; i < draw_counts[KIND_PING_PONG]; i++) {
        const WGPURenderPassEncoder pass = begin_pass(encoder, frames, target_of(frames, i), WGPULoadOp_Load);
        wgpuRenderPassEncoderSetBindGroup(pass, 0, frames->target_groups[i % TARGETS], 0, NULL);
        wgpuRenderPassEncoderDrawIndexed(pass, INDICES, 1, 0, 0, 0);
        raw_pass_end(pass);
    }
}

static void record_frame(struct rig *rig, void *state, uint32_t frame)
{
    struct frames *const frames = state;
    if (frames->kind == KIND_NEW) {
        wgpuRenderPipelineRelease(frames->pipelines[0]);
        frames->pipelines[0] = make_pipeline(rig, frames, frame + 1);
    }
    const WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(rig->device, NULL);
    if (frames->kind == KIND_PING_PONG) {
        record_ping_pong(frames, encoder);
    } else {
        const WGPURenderPassEncoder pass = begin_pass(encoder, frames, 0, WGPULoadOp_Clear);
        for (uint32_t i = 0; i < draw_counts[frames->kind]; i++)
            record_draw(frames, pass, i);
        raw_pass_end(pass);
    }
    raw_submit(rig, encoder);
}

/* ---- Rows ---------------------------------------------------------------------------------------------- */

static void *open_frames(struct rig *rig, const struct row *row)
{
    struct frames *const frames = calloc(1, sizeof *frames);
    if (frames == NULL)
        return NULL;
    frames->kind = (enum kind)row->variant;
    fill(frames);
    open_stream(rig, frames);
    open_raw(rig, frames);
    return frames;
}

static void close_frames(struct rig *rig, void *state)
{
    struct frames *const frames = state;
    (void)rig;
    for (uint32_t i = 0; i < shader_count(frames); i++)
        wgpuRenderPipelineRelease(frames->pipelines[i]);
    for (uint32_t i = 0; i < TEXTURES && has_textures(frames); i++)
        wgpuBindGroupRelease(frames->groups[i]);
    for (uint32_t i = 0; i < TARGETS; i++) {
        if (has_textures(frames))
            wgpuBindGroupRelease(frames->target_groups[i]);
        wgpuTextureViewRelease(frames->views[i]);
        wgpuTextureRelease(frames->targets[i]);
    }
    wgpuBufferRelease(frames->corner_buffer);
    wgpuBufferRelease(frames->index_buffer);
    wgpuBufferRelease(frames->place_buffer);
    free(frames);
}

static bool show_frames(struct rig *rig, void *state, struct row_pictures *pictures)
{
    const struct frames *const frames = state;
    return row_show_textures(rig, HANDLE_TARGETS, frames->targets[0], TARGET_WIDTH, TARGET_WIDTH, pictures);
}

#define FRAME_ROW(row_name, text, count, kind)                                                               \
    {                                                                                                        \
        .name = (row_name), .what = (text), .items = (count), .variant = (kind), .open = open_frames,        \
        .close = close_frames, .write = write_frame, .record = record_frame, .show = show_frames             \
    }

const struct row frame_rows[] = {
    FRAME_ROW("interface", "blended quads with a scissor rectangle each, 16 textures", 1000, KIND_INTERFACE),
    FRAME_ROW("instances", "draws of 1,000 instances each", 100, KIND_INSTANCES),
    FRAME_ROW("ping-pong", "two targets in turn, each read for the other", 100, KIND_PING_PONG),
    FRAME_ROW("1,000 shaders", "a pixel shader of its own for each draw", 1000, KIND_SHADERS),
    FRAME_ROW("new pipeline", "a draw with a shader that was never seen", 1, KIND_NEW),
};
const uint32_t frame_row_count = AG_COUNT_OF(frame_rows);
