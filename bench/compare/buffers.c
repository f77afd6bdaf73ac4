/* SPDX-License-Identifier: MIT
 *
 * Draws with all constant buffers that Direct3D 11 has in two stages, with new contents for each draw. By
 * hand, the constants of a stage are packed into one buffer.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aerogpu/abi/cmd.h"
#include "base/bytes.h"
#include "bench/compare/row.h"
#include "gpu/gpu.h"

#define BUFFERS 14u
#define DRAWS 500u
#define SLOT_BYTES 256u
#define BUFFER_BYTES 32u /* a register for the vertex shader, one for the pixel shader */

enum handle { HANDLE_TARGET = 1, HANDLE_VERTEX_SHADER, HANDLE_PIXEL_SHADER, HANDLE_CONSTANTS = 10 };

struct buffers {
    uint8_t slots[DRAWS][2][SLOT_BYTES];
    WGPUBuffer uniforms;
    WGPUTexture target;
    WGPUTextureView view;
    WGPURenderPipeline pipeline;
    WGPUBindGroup group;
};

/* The register of a stage in a buffer: places for the vertex shader, colours for the pixel shader. */
static void fill(float registers[2][4], uint32_t draw, uint32_t buffer, uint32_t frame)
{
    memset(registers, 0, 2 * sizeof registers[0]);
    if (buffer == 0) {
        registers[0][0] = -0.95f + 0.019f * (float)(draw % 100);
        registers[0][1] = -0.95f + 0.3f * (float)(draw / 100);
    }
    registers[1][0] = (float)((draw + frame + buffer) % 16) / 255;
    registers[1][1] = (float)(buffer % 4) / 255;
    registers[1][3] = buffer == 0 ? 1 : 0;
}

/* ---- The stream ---------------------------------------------------------------------------------------- */

/* The sum of a register of all buffers, in r1. */
static void add_sum(char *text, size_t size, uint32_t index)
{
    for (uint32_t i = 1; i < BUFFERS; i++) {
        const size_t length = strlen(text);
        char first[16] = "r1.xyzw";
        if (i == 1)
            snprintf(first, sizeof first, "cb0[%u].xyzw", index);
        snprintf(text + length, size - length, "add r1.xyzw, %s, cb%u[%u].xyzw\n", first, i, index);
    }
}

static void add_declarations(char *text, size_t size, uint32_t registers)
{
    for (uint32_t i = 0; i < BUFFERS; i++) {
        const size_t length = strlen(text);
        snprintf(text + length, size - length, "dcl_constantbuffer CB%u[%u], immediateIndexed\n", i,
                 registers);
    }
}

static void append(char *text, size_t size, const char *more)
{
    const size_t length = strlen(text);
    snprintf(text + length, size - length, "%s", more);
}

static void write_shaders(struct agpu_writer *writer)
{
    char text[4096] =
        "vs_4_0\n.in SV_VertexID0 v0.x uint vertex_id\n.out SV_Position0 o0.xyzw float position\n";
    add_declarations(text, sizeof text, 1);
    append(text, sizeof text,
           "dcl_input_sgv v0.x, vertex_id\ndcl_output_siv o0.xyzw, position\ndcl_temps 2\n"
           "ieq r0.xy, v0.xxxx, l(1, 2, 0, 0)\nand r0.xy, r0.xyxx, l(0.05, 0.05, 0.0, 0.0)\n");
    add_sum(text, sizeof text, 0);
    append(text, sizeof text, "add o0.xy, r0.xyxx, r1.xyxx\nmov o0.zw, l(0.0, 0.0, 0.5, 1.0)\nret\n");
    rig_write_shader(writer, HANDLE_VERTEX_SHADER, AGPU_STREAM_STAGE_VERTEX, text);
    text[0] = '\0';
    append(text, sizeof text,
           "ps_4_0\n.in SV_Position0 v0.xyzw float position\n.out SV_Target0 o0.xyzw float\n");
    add_declarations(text, sizeof text, 2);
    append(text, sizeof text, "dcl_output o0.xyzw\ndcl_temps 2\n");
    add_sum(text, sizeof text, 1);
    append(text, sizeof text, "mov o0.xyzw, r1.xyzw\nret\n");
    rig_write_shader(writer, HANDLE_PIXEL_SHADER, AGPU_STREAM_STAGE_PIXEL, text);
}

static void open_stream(struct rig *rig)
{
    struct agpu_writer writer;
    const uint32_t target = HANDLE_TARGET;
    const struct aerogpu_rasterizer_state rasterizer = {.cull_mode = AEROGPU_CULL_NONE};
    agpu_writer_init_growing(&writer, NULL);
    rig_write_texture(&writer, HANDLE_TARGET, AEROGPU_RESOURCE_USAGE_RENDER_TARGET,
                      AEROGPU_FORMAT_R8G8B8A8_UNORM, TARGET_WIDTH, TARGET_WIDTH);
    write_shaders(&writer);
    agpu_write_bind_shaders(&writer, HANDLE_VERTEX_SHADER, HANDLE_PIXEL_SHADER, 0, 0);
    agpu_write_set_render_targets(&writer, 1, &target, 0);
    agpu_write_set_viewport(&writer, 0, 0, TARGET_WIDTH, TARGET_WIDTH, 0, 1);
    agpu_write_set_primitive_topology(&writer, AEROGPU_TOPOLOGY_TRIANGLELIST);
    agpu_write_set_rasterizer_state(&writer, &rasterizer);
    for (uint32_t i = 0; i < BUFFERS; i++) {
        const struct aerogpu_constant_buffer_binding binding = {.buffer = HANDLE_CONSTANTS + i};
        agpu_write_create_buffer(&writer, HANDLE_CONSTANTS + i, AEROGPU_RESOURCE_USAGE_CONSTANT_BUFFER,
                                 BUFFER_BYTES, 0, 0);
        agpu_write_set_constant_buffers(&writer, AGPU_STREAM_STAGE_VERTEX, i, 1, &binding);
        agpu_write_set_constant_buffers(&writer, AGPU_STREAM_STAGE_PIXEL, i, 1, &binding);
    }
    rig_run(rig, &writer);
    agpu_writer_fini(&writer);
}

static void write_frame(void *state, struct agpu_writer *writer, uint32_t frame)
{
    const float black[4] = {0, 0, 0, 1};
    (void)state;
    agpu_write_clear(writer, AEROGPU_CLEAR_COLOR, black, 1, 0);
    for (uint32_t draw = 0; draw < DRAWS; draw++) {
        for (uint32_t i = 0; i < BUFFERS; i++) {
            float registers[2][4];
            fill(registers, draw, i, frame);
            agpu_write_upload_resource(writer, HANDLE_CONSTANTS + i, 0, registers, sizeof registers);
        }
        agpu_write_draw(writer, 3, 1, 0, 0);
    }
}

/* ---- By hand ------------------------------------------------------------------------------------------- */

static const char wgsl[] =
    "@group(0) @binding(0) var<uniform> places: array<vec4f, 14>;\n"
    "@group(0) @binding(1) var<uniform> colors: array<vec4f, 14>;\n"
    "@vertex fn vertex(@builtin(vertex_index) index: u32) -> @builtin(position) vec4f {\n"
    "    var sum = places[0];\n"
    "    for (var i = 1; i < 14; i++) { sum += places[i]; }\n"
    "    let corner = vec2f(select(0, 0.05, index == 1), select(0, 0.05, index == 2));\n"
    "    return vec4f(corner + sum.xy, 0.5, 1);\n"
    "}\n"
    "@fragment fn fragment() -> @location(0) vec4f {\n"
    "    var sum = colors[0];\n"
    "    for (var i = 1; i < 14; i++) { sum += colors[i]; }\n"
    "    return sum;\n"
    "}\n";

static void open_raw(struct rig *rig, struct buffers *buffers)
{
    const WGPUShaderModule module = ag_gpu_create_shader(rig->gpu, wgsl, sizeof wgsl - 1, "buffers");
    WGPUBindGroupLayoutEntry layout_entries[2];
    WGPUBindGroupEntry entries[2];
    buffers->uniforms = raw_buffer(rig, sizeof buffers->slots, WGPUBufferUsage_Uniform, NULL);
    buffers->target = raw_texture(rig, TARGET_WIDTH, TARGET_WIDTH, WGPUTextureFormat_RGBA8Unorm,
                                  WGPUTextureUsage_RenderAttachment | WGPUTextureUsage_CopySrc);
    buffers->view = wgpuTextureCreateView(buffers->target, NULL);
    for (uint32_t i = 0; i < 2; i++) {
        layout_entries[i] = (WGPUBindGroupLayoutEntry){
            .binding = i,
            .visibility = i == 0 ? WGPUShaderStage_Vertex : WGPUShaderStage_Fragment,
            .buffer = {.type = WGPUBufferBindingType_Uniform,
                       .hasDynamicOffset = true,
                       .minBindingSize = (uint64_t)BUFFERS * 16},
        };
        entries[i] =
            (WGPUBindGroupEntry){.binding = i, .buffer = buffers->uniforms, .size = (uint64_t)BUFFERS * 16};
    }
    const WGPUBindGroupLayoutDescriptor layout_descriptor = {.entryCount = 2, .entries = layout_entries};
    const WGPUBindGroupLayout layout = wgpuDeviceCreateBindGroupLayout(rig->device, &layout_descriptor);
    const WGPUPipelineLayoutDescriptor pipeline_layout_descriptor = {.bindGroupLayoutCount = 1,
                                                                     .bindGroupLayouts = &layout};
    const WGPUPipelineLayout pipeline_layout =
        wgpuDeviceCreatePipelineLayout(rig->device, &pipeline_layout_descriptor);
    const WGPUColorTargetState target = {.format = WGPUTextureFormat_RGBA8Unorm,
                                         .writeMask = WGPUColorWriteMask_All};
    const WGPUFragmentState fragment = {
        .module = module, .entryPoint = ag_webgpu_string("fragment"), .targetCount = 1, .targets = &target};
    const WGPURenderPipelineDescriptor descriptor = {
        .layout = pipeline_layout,
        .vertex = {.module = module,                               .entryPoint = ag_webgpu_string("vertex")},
        .primitive = {.topology = WGPUPrimitiveTopology_TriangleList,
                   .frontFace = WGPUFrontFace_CCW,
                   .cullMode = WGPUCullMode_None},
        .multisample = {.count = 1,                                              .mask = UINT32_MAX                                                                            },
        .fragment = &fragment,
    };
    const WGPUBindGroupDescriptor group = {.layout = layout, .entryCount = 2, .entries = entries};
    buffers->pipeline = wgpuDeviceCreateRenderPipeline(rig->device, &descriptor);
    buffers->group = wgpuDeviceCreateBindGroup(rig->device, &group);
    wgpuPipelineLayoutRelease(pipeline_layout);
    wgpuBindGroupLayoutRelease(layout);
    wgpuShaderModuleRelease(module);
}

static void record_frame(struct rig *rig, void *state, uint32_t frame)
{
    struct buffers *const buffers = state;
    for (uint32_t draw = 0; draw < DRAWS; draw++) {
        for (uint32_t i = 0; i < BUFFERS; i++) {
            float registers[2][4];
            fill(registers, draw, i, frame);
            for (uint32_t stage = 0; stage < 2; stage++)
                memcpy(buffers->slots[draw][stage] + (size_t)16 * i, registers[stage], 16);
        }
    }
    wgpuQueueWriteBuffer(rig->queue, buffers->uniforms, 0, buffers->slots, sizeof buffers->slots);
    const WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(rig->device, NULL);
    const WGPURenderPassEncoder pass = raw_pass(encoder, buffers->view);
    wgpuRenderPassEncoderSetPipeline(pass, buffers->pipeline);
    for (uint32_t draw = 0; draw < DRAWS; draw++) {
        const uint32_t offsets[2] = {2 * draw * SLOT_BYTES, (2 * draw + 1) * SLOT_BYTES};
        wgpuRenderPassEncoderSetBindGroup(pass, 0, buffers->group, 2, offsets);
        wgpuRenderPassEncoderDraw(pass, 3, 1, 0, 0);
    }
    raw_pass_end(pass);
    raw_submit(rig, encoder);
}

/* ---- The row ------------------------------------------------------------------------------------------- */

static void *open_buffers(struct rig *rig, const struct row *row)
{
    struct buffers *const buffers = calloc(1, sizeof *buffers);
    (void)row;
    if (buffers == NULL)
        return NULL;
    open_stream(rig);
    open_raw(rig, buffers);
    return buffers;
}

static void close_buffers(struct rig *rig, void *state)
{
    struct buffers *const buffers = state;
    (void)rig;
    wgpuBindGroupRelease(buffers->group);
    wgpuRenderPipelineRelease(buffers->pipeline);
    wgpuTextureViewRelease(buffers->view);
    wgpuTextureRelease(buffers->target);
    wgpuBufferRelease(buffers->uniforms);
    free(buffers);
}

static bool show_buffers(struct rig *rig, void *state, struct row_pictures *pictures)
{
    const struct buffers *const buffers = state;
    return row_show_textures(rig, HANDLE_TARGET, buffers->target, TARGET_WIDTH, TARGET_WIDTH, pictures);
}

const struct row buffer_rows[] = {
    {.name = "constant buffers",
     .what = "14 constant buffers in two stages, all new for each draw",
     .items = DRAWS,
     .open = open_buffers,
     .close = close_buffers,
     .write = write_frame,
     .record = record_frame,
     .show = show_buffers},
};
const uint32_t buffer_row_count = AG_COUNT_OF(buffer_rows);
