/* SPDX-License-Identifier: MIT
 *
 * Draws with a geometry shader, or with a tessellator, beside draws of the same triangles without one.
 * Squares of a grid are painted with colours of their places.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aerogpu/abi/cmd.h"
#include "base/bytes.h"
#include "bench/compare/row.h"
#include "gpu/gpu.h"

#define SIDE 1024u /* of the target */
#define CORNERS 6u /* two triangles of a square */
#define SLOT_BYTES 256u

enum handle {
    HANDLE_TARGET = 1,
    HANDLE_CORNERS,
    HANDLE_LAYOUT,
    HANDLE_VERTEX_SHADER,
    HANDLE_HULL_SHADER,
    HANDLE_DOMAIN_SHADER,
    HANDLE_GEOMETRY_SHADER,
    HANDLE_PIXEL_SHADER,
    HANDLE_CONSTANTS,
};

enum trait {
    TESSELLATED = 1, /* a square is a patch of one control point, else two triangles of a geometry shader */
    WITH_DATA = 2,   /* the factors of patches come with the vertices */
    WITH_STATES = 4, /* draws have scissor rectangles of their own, with more than their squares */
    WITH_CONSTANTS =
        8, /* ... 64 bytes of constants of their own, of which domain shaders read where squares are */
};

/* What a frame draws. */
struct shape {
    uint32_t squares, columns, draws;
    uint32_t traits; /* enum trait */
};

static const struct shape shapes[] = {
    {512 * 1024, 1024, 1,   0                           },
    {2000,       64,   200, 0                           },
    {10000,      128,  1,   TESSELLATED                 },
    {2000,       64,   200, TESSELLATED                 },
    {500000,     1024, 1,   TESSELLATED                 },
    {10000,      128,  1,   TESSELLATED | WITH_DATA     },
    {2000,       64,   200, TESSELLATED | WITH_STATES   },
    {2000,       64,   200, TESSELLATED | WITH_CONSTANTS},
};

static const char vertex_listing[] = "vs_5_0\n"
                                     ".in POSITION0 v0.xy float\n"
                                     ".out SV_Position0 o0.xyzw float position\n"
                                     "dcl_input v0.xy\n"
                                     "dcl_output_siv o0.xyzw, position\n"
                                     "mov o0.xy, v0.xyxx\n"
                                     "mov o0.zw, l(0.0, 0.0, 0.0, 1.0)\n"
                                     "ret\n";
static const char geometry_listing[] = "gs_5_0\n"
                                       ".in SV_Position0 v0.xyzw float position\n"
                                       ".out SV_Position0 o0.xyzw float position\n"
                                       "dcl_input_siv v[3][0].xyzw, position\n"
                                       "dcl_inputprimitive triangle\n"
                                       "dcl_stream m0\n"
                                       "dcl_outputtopology trianglestrip\n"
                                       "dcl_output_siv o0.xyzw, position\n"
                                       "dcl_maxout 3\n"
                                       "mov o0.xyzw, v[0][0].xyzw\n"
                                       "emit_stream m0\n"
                                       "mov o0.xyzw, v[1][0].xyzw\n"
                                       "emit_stream m0\n"
                                       "mov o0.xyzw, v[2][0].xyzw\n"
                                       "emit_stream m0\n"
                                       "ret\n";
static const char corner_listing[] = "vs_5_0\n"
                                     ".in POSITION0 v0.xy float\n"
                                     ".out CORNER0 o0.xyzw float\n"
                                     "dcl_input v0.xy\n"
                                     "dcl_output o0.xyzw\n"
                                     "mov o0.xy, v0.xyxx\n"
                                     "mov o0.zw, l(0.0, 0.0, 1.0, 1.0)\n"
                                     "ret\n";
static const char hull_listing[] = "hs_5_0\n"
                                   ".in CORNER0 v0.xyzw float\n"
                                   ".out CORNER0 o0.xyzw float\n"
                                   ".patch SV_TessFactor0 o0.x float quad_edge_tess_factor\n"
                                   ".patch SV_TessFactor1 o1.x float quad_edge_tess_factor\n"
                                   ".patch SV_TessFactor2 o2.x float quad_edge_tess_factor\n"
                                   ".patch SV_TessFactor3 o3.x float quad_edge_tess_factor\n"
                                   ".patch SV_InsideTessFactor0 o4.x float quad_inside_tess_factor\n"
                                   ".patch SV_InsideTessFactor1 o5.x float quad_inside_tess_factor\n"
                                   "hs_decls\n"
                                   "dcl_input_control_point_count 1\n"
                                   "dcl_output_control_point_count 1\n"
                                   "dcl_tessellator_domain domain_quad\n"
                                   "dcl_tessellator_partitioning partitioning_integer\n"
                                   "dcl_tessellator_output_primitive output_triangle_cw\n"
                                   "hs_fork_phase\n"
                                   "dcl_input vicp[1][0].xyzw\n"
                                   "dcl_output_siv o0.x, finalQuadUeq0EdgeTessFactor\n"
                                   "dcl_output_siv o1.x, finalQuadVeq0EdgeTessFactor\n"
                                   "dcl_output_siv o2.x, finalQuadUeq1EdgeTessFactor\n"
                                   "dcl_output_siv o3.x, finalQuadVeq1EdgeTessFactor\n"
                                   "dcl_output_siv o4.x, finalQuadUInsideTessFactor\n"
                                   "dcl_output_siv o5.x, finalQuadVInsideTessFactor\n"
                                   "mov o0.x, %s\n"
                                   "mov o1.x, %s\n"
                                   "mov o2.x, %s\n"
                                   "mov o3.x, %s\n"
                                   "mov o4.x, %s\n"
                                   "mov o5.x, %s\n"
                                   "ret\n";
static const char domain_listing[] =
    "ds_5_0\n"
    ".in CORNER0 v0.xyzw float\n"
    ".out SV_Position0 o0.xyzw float position\n"
    ".patch SV_TessFactor0 vpc0.x float quad_edge_tess_factor read=0x0\n"
    ".patch SV_TessFactor1 vpc1.x float quad_edge_tess_factor read=0x0\n"
    ".patch SV_TessFactor2 vpc2.x float quad_edge_tess_factor read=0x0\n"
    ".patch SV_TessFactor3 vpc3.x float quad_edge_tess_factor read=0x0\n"
    ".patch SV_InsideTessFactor0 vpc4.x float quad_inside_tess_factor read=0x0\n"
    ".patch SV_InsideTessFactor1 vpc5.x float quad_inside_tess_factor read=0x0\n"
    "dcl_input_control_point_count 1\n"
    "dcl_tessellator_domain domain_quad\n"
    "%s"
    "dcl_input vicp[1][0].xyzw\n"
    "dcl_input vDomain.xy\n"
    "dcl_output_siv o0.xyzw, position\n"
    "mad %s.xy, vDomain.xyxx, l(%.9f, -%.9f, 0.0, 0.0), vicp[0][0].xyxx\n"
    "%s"
    "mov o0.zw, l(0.0, 0.0, 0.0, 1.0)\n"
    "ret\n";
static const char pixel_listing[] = "ps_5_0\n"
                                    ".in SV_Position0 v0.xyzw float position\n"
                                    ".out SV_Target0 o0.xyzw float\n"
                                    "dcl_input_ps_siv linear noperspective v0.xy, position\n"
                                    "dcl_output o0.xyzw\n"
                                    "dcl_temps 1\n"
                                    "mov o0.zw, l(0.0, 0.0, 1.0, 1.0)\n"
                                    "mul o0.xy, v0.xyxx, l(0.0009765625, 0.0009765625, 0.0, 0.0)\n"
                                    "ret\n";
static const char wgsl[] =
    "@vertex fn vertex(@location(0) at: vec2f) -> @builtin(position) vec4f { return vec4f(at, 0, 1); }\n"
    "@group(0) @binding(0) var<uniform> constants: mat4x4f;\n"
    "@vertex fn moved(@location(0) at: vec2f) -> @builtin(position) vec4f {\n"
    "    return vec4f(at + constants[3].xy, 0, 1);\n"
    "}\n"
    "@fragment fn fragment(@builtin(position) at: vec4f) -> @location(0) vec4f {\n"
    "    return vec4f(at.xy * 0.0009765625, 1, 1);\n"
    "}\n";

struct expansion {
    const struct shape *shape;
    float (*corners)[2]; /* CORNERS of each square */
    WGPUBuffer buffer;
    WGPUTexture target;
    WGPUTextureView view;
    WGPURenderPipeline pipeline;
    uint8_t (*slots)[SLOT_BYTES]; /* the constants of each draw as the hand-written side uploads them */
    WGPUBuffer uniforms;
    WGPUBindGroup group;
};

/* ---- Both sides ---------------------------------------------------------------------------------------- */

static float size_of(const struct shape *shape)
{
    return 2.0f / (float)shape->columns;
}

static void fill_corners(struct expansion *expansion)
{
    static const float unit[CORNERS][2] = {
        {0, 0},
        {1, 0},
        {0, 1},
        {0, 1},
        {1, 0},
        {1, 1}
    };
    const struct shape *const shape = expansion->shape;
    const float size = size_of(shape);
    for (uint32_t i = 0; i < shape->squares; i++) {
        const float x = (float)(i % shape->columns), y = (float)(i / shape->columns);
        for (uint32_t c = 0; c < CORNERS; c++) {
            expansion->corners[CORNERS * i + c][0] = -1 + size * (x + unit[c][0]);
            expansion->corners[CORNERS * i + c][1] = 1 - size * (y + unit[c][1]);
        }
    }
}

/* What a draw adds to its places: some pixels. */
static void fill_constants(uint32_t draw, uint32_t frame, float constants[16])
{
    memset(constants, 0, 16 * sizeof constants[0]);
    constants[12] = (float)((draw + frame) % 5) * 2 / SIDE;
    constants[13] = (float)((draw + frame) % 3) * 2 / SIDE;
}

/* ---- The stream ---------------------------------------------------------------------------------------- */

static void write_shaders(struct agpu_writer *writer, const struct shape *shape)
{
    aerogpu_handle_t shaders[AGPU_STREAM_STAGE_COUNT] = {
        [AGPU_STREAM_STAGE_VERTEX] = HANDLE_VERTEX_SHADER, [AGPU_STREAM_STAGE_PIXEL] = HANDLE_PIXEL_SHADER};
    const char *const factor = (shape->traits & WITH_DATA) ? "vicp[0][0].z" : "l(1.0)";
    char text[4096];
    rig_write_shader(writer, HANDLE_VERTEX_SHADER, AGPU_STREAM_STAGE_VERTEX,
                     (shape->traits & TESSELLATED) ? corner_listing : vertex_listing);
    rig_write_shader(writer, HANDLE_PIXEL_SHADER, AGPU_STREAM_STAGE_PIXEL, pixel_listing);
    if (shape->traits & TESSELLATED) {
        const bool constants = shape->traits & WITH_CONSTANTS;
        snprintf(text, sizeof text, domain_listing,
                 constants ? "dcl_constantbuffer cb0[4], immediateIndexed\ndcl_temps 1\n" : "",
                 constants ? "r0" : "o0", (double)size_of(shape), (double)size_of(shape),
                 constants ? "add o0.xy, r0.xyxx, cb0[3].xyxx\n" : "");
        rig_write_shader(writer, HANDLE_DOMAIN_SHADER, AGPU_STREAM_STAGE_DOMAIN, text);
        snprintf(text, sizeof text, hull_listing, factor, factor, factor, factor, factor, factor);
        rig_write_shader(writer, HANDLE_HULL_SHADER, AGPU_STREAM_STAGE_HULL, text);
        shaders[AGPU_STREAM_STAGE_HULL] = HANDLE_HULL_SHADER;
        shaders[AGPU_STREAM_STAGE_DOMAIN] = HANDLE_DOMAIN_SHADER;
    } else {
        rig_write_shader(writer, HANDLE_GEOMETRY_SHADER, AGPU_STREAM_STAGE_GEOMETRY, geometry_listing);
        shaders[AGPU_STREAM_STAGE_GEOMETRY] = HANDLE_GEOMETRY_SHADER;
    }
    agpu_write_bind_shaders_ex(writer, shaders);
}

static void open_stream(struct rig *rig, const struct expansion *expansion)
{
    enum { R32G32_FLOAT = 16 };
    const struct shape *const shape = expansion->shape;
    const uint32_t target = HANDLE_TARGET;
    const uint32_t bytes = shape->squares * CORNERS * 8;
    const struct aerogpu_input_layout_element_dxgi element = {
        .semantic_name_hash = agpu_semantic_hash("POSITION", 8), .dxgi_format = R32G32_FLOAT};
    const struct aerogpu_vertex_buffer_binding stream = {
        .buffer = HANDLE_CORNERS, .stride_bytes = (shape->traits & TESSELLATED) ? CORNERS * 8 : 8};
    const struct aerogpu_constant_buffer_binding constants = {.buffer = HANDLE_CONSTANTS, .size_bytes = 64};
    const struct aerogpu_rasterizer_state rasterizer = {.cull_mode = AEROGPU_CULL_NONE};
    struct agpu_writer writer;
    agpu_writer_init_growing(&writer, NULL);
    rig_write_texture(&writer, HANDLE_TARGET, AEROGPU_RESOURCE_USAGE_RENDER_TARGET,
                      AEROGPU_FORMAT_R8G8B8A8_UNORM, SIDE, SIDE);
    agpu_write_create_buffer(&writer, HANDLE_CORNERS, AEROGPU_RESOURCE_USAGE_VERTEX_BUFFER, bytes, 0, 0);
    agpu_write_upload_resource(&writer, HANDLE_CORNERS, 0, expansion->corners, bytes);
    agpu_write_create_input_layout_dxgi(&writer, HANDLE_LAYOUT, &element, 1);
    agpu_write_create_buffer(&writer, HANDLE_CONSTANTS, AEROGPU_RESOURCE_USAGE_CONSTANT_BUFFER, 64, 0, 0);
    agpu_write_set_constant_buffers(&writer, AGPU_STREAM_STAGE_DOMAIN, 0, 1, &constants);
    write_shaders(&writer, shape);
    agpu_write_set_input_layout(&writer, HANDLE_LAYOUT);
    agpu_write_set_vertex_buffers(&writer, 0, 1, &stream);
    agpu_write_set_primitive_topology(&writer, (shape->traits & TESSELLATED) ? AEROGPU_TOPOLOGY_PATCHLIST_1
                                                                             : AEROGPU_TOPOLOGY_TRIANGLELIST);
    agpu_write_set_render_targets(&writer, 1, &target, 0);
    agpu_write_set_viewport(&writer, 0, 0, SIDE, SIDE, 0, 1);
    agpu_write_set_rasterizer_state(&writer, &rasterizer);
    rig_run(rig, &writer);
    agpu_writer_fini(&writer);
}

static void write_frame(void *state, struct agpu_writer *writer, uint32_t frame)
{
    const struct shape *const shape = ((struct expansion *)state)->shape;
    const float black[4] = {0, 0, 0, 1};
    const uint32_t vertices = shape->squares / shape->draws * ((shape->traits & TESSELLATED) ? 1 : CORNERS);
    agpu_write_clear(writer, AEROGPU_CLEAR_COLOR, black, 1, 0);
    for (uint32_t i = 0; i < shape->draws; i++) {
        if (shape->traits & WITH_STATES)
            agpu_write_set_scissor(writer, 0, 0, SIDE, (int32_t)(SIDE - i));
        if (shape->traits & WITH_CONSTANTS) {
            float constants[16];
            fill_constants(i, frame, constants);
            agpu_write_upload_resource(writer, HANDLE_CONSTANTS, 0, constants, sizeof constants);
        }
        agpu_write_draw(writer, vertices, 1, i * vertices, 0);
    }
}

/* ---- By hand ------------------------------------------------------------------------------------------- */

static WGPUPipelineLayout open_constants(struct rig *rig, struct expansion *expansion)
{
    const uint64_t bytes = (uint64_t)expansion->shape->draws * SLOT_BYTES;
    const WGPUBindGroupLayoutEntry entry = {
        .visibility = WGPUShaderStage_Vertex,
        .buffer = {.type = WGPUBufferBindingType_Uniform, .hasDynamicOffset = true, .minBindingSize = 64},
    };
    const WGPUBindGroupLayoutDescriptor groups = {.entryCount = 1, .entries = &entry};
    const WGPUBindGroupLayout layout = wgpuDeviceCreateBindGroupLayout(rig->device, &groups);
    const WGPUPipelineLayoutDescriptor pipelines = {.bindGroupLayoutCount = 1, .bindGroupLayouts = &layout};
    expansion->uniforms = raw_buffer(rig, bytes, WGPUBufferUsage_Uniform, NULL);
    const WGPUBindGroupEntry bound = {.buffer = expansion->uniforms, .size = 64};
    const WGPUBindGroupDescriptor group = {.layout = layout, .entryCount = 1, .entries = &bound};
    expansion->group = wgpuDeviceCreateBindGroup(rig->device, &group);
    const WGPUPipelineLayout made = wgpuDeviceCreatePipelineLayout(rig->device, &pipelines);
    wgpuBindGroupLayoutRelease(layout);
    return made;
}

static void open_raw(struct rig *rig, struct expansion *expansion)
{
    const bool constants = expansion->shape->traits & WITH_CONSTANTS;
    const WGPUShaderModule module = ag_gpu_create_shader(rig->gpu, wgsl, strlen(wgsl), "expansions");
    const WGPUVertexAttribute attribute = {.format = WGPUVertexFormat_Float32x2};
    const WGPUVertexBufferLayout layout = {.stepMode = WGPUVertexStepMode_Vertex,
                                           .arrayStride = 8,
                                           .attributeCount = 1,
                                           .attributes = &attribute};
    const WGPUColorTargetState target = {.format = WGPUTextureFormat_RGBA8Unorm,
                                         .writeMask = WGPUColorWriteMask_All};
    const WGPUFragmentState fragment = {
        .module = module, .entryPoint = ag_webgpu_string("fragment"), .targetCount = 1, .targets = &target};
    const WGPUPipelineLayout pipeline_layout = constants ? open_constants(rig, expansion) : NULL;
    const WGPURenderPipelineDescriptor descriptor = {
        .layout = pipeline_layout,
        .vertex = {.module = module,
                   .entryPoint = ag_webgpu_string(constants ? "moved" : "vertex"),
                   .bufferCount = 1,
                   .buffers = &layout},
        .primitive = {.topology = WGPUPrimitiveTopology_TriangleList,
                   .frontFace = WGPUFrontFace_CCW,
                   .cullMode = WGPUCullMode_None},
        .multisample = {.count = 1, .mask = UINT32_MAX                                 },
        .fragment = &fragment,
    };
    expansion->buffer = raw_buffer(rig, (uint64_t)expansion->shape->squares * CORNERS * 8,
                                   WGPUBufferUsage_Vertex, expansion->corners);
    expansion->target = raw_texture(rig, SIDE, SIDE, WGPUTextureFormat_RGBA8Unorm,
                                    WGPUTextureUsage_RenderAttachment | WGPUTextureUsage_CopySrc);
    expansion->view = wgpuTextureCreateView(expansion->target, NULL);
    expansion->pipeline = wgpuDeviceCreateRenderPipeline(rig->device, &descriptor);
    if (pipeline_layout)
        wgpuPipelineLayoutRelease(pipeline_layout);
    wgpuShaderModuleRelease(module);
}

static void record_frame(struct rig *rig, void *state, uint32_t frame)
{
    const struct expansion *const expansion = state;
    const uint32_t vertices = expansion->shape->squares / expansion->shape->draws * CORNERS;
    const bool constants = expansion->shape->traits & WITH_CONSTANTS;
    for (uint32_t i = 0; constants && i < expansion->shape->draws; i++)
        fill_constants(i, frame, (float *)(void *)expansion->slots[i]);
    if (constants)
        wgpuQueueWriteBuffer(rig->queue, expansion->uniforms, 0, expansion->slots,
                             (size_t)expansion->shape->draws * SLOT_BYTES);
    const WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(rig->device, NULL);
    const WGPURenderPassEncoder pass = raw_pass(encoder, expansion->view);
    wgpuRenderPassEncoderSetPipeline(pass, expansion->pipeline);
    wgpuRenderPassEncoderSetVertexBuffer(pass, 0, expansion->buffer, 0, WGPU_WHOLE_SIZE);
    for (uint32_t i = 0; i < expansion->shape->draws; i++) {
        if (expansion->shape->traits & WITH_STATES)
            wgpuRenderPassEncoderSetScissorRect(pass, 0, 0, SIDE, SIDE - i);
        const uint32_t offset = i * SLOT_BYTES;
        if (constants)
            wgpuRenderPassEncoderSetBindGroup(pass, 0, expansion->group, 1, &offset);
        wgpuRenderPassEncoderDraw(pass, vertices, 1, i * vertices, 0);
    }
    raw_pass_end(pass);
    raw_submit(rig, encoder);
}

/* ---- Rows ---------------------------------------------------------------------------------------------- */

static void *open_expansion(struct rig *rig, const struct row *row)
{
    struct expansion *const expansion = calloc(1, sizeof *expansion);
    const struct shape *const shape = &shapes[row->variant];
    float(*const corners)[2] = malloc((size_t)shape->squares * CORNERS * sizeof *corners);
    uint8_t(*const slots)[SLOT_BYTES] = calloc(shape->draws, sizeof *slots);
    if (expansion == NULL || corners == NULL || slots == NULL) {
        free(expansion);
        free(corners);
        free(slots);
        return NULL;
    }
    *expansion = (struct expansion){.shape = shape, .corners = corners, .slots = slots};
    fill_corners(expansion);
    open_stream(rig, expansion);
    open_raw(rig, expansion);
    return expansion;
}

static void close_expansion(struct rig *rig, void *state)
{
    struct expansion *const expansion = state;
    (void)rig;
    wgpuRenderPipelineRelease(expansion->pipeline);
    wgpuTextureViewRelease(expansion->view);
    wgpuTextureRelease(expansion->target);
    wgpuBufferRelease(expansion->buffer);
    if (expansion->group) {
        wgpuBindGroupRelease(expansion->group);
        wgpuBufferRelease(expansion->uniforms);
    }
    free(expansion->slots);
    free(expansion->corners);
    free(expansion);
}

static bool show_expansion(struct rig *rig, void *state, struct row_pictures *pictures)
{
    const struct expansion *const expansion = state;
    return row_show_textures(rig, HANDLE_TARGET, expansion->target, SIDE, SIDE, pictures);
}

#define EXPANSION_ROW(row_name, text, shape, count)                                                          \
    {                                                                                                        \
        .name = (row_name), .what = (text), .items = (count), .variant = (shape), .open = open_expansion,    \
        .close = close_expansion, .write = write_frame, .record = record_frame, .show = show_expansion       \
    }

const struct row expansion_rows[] = {
    EXPANSION_ROW("geometry", "1,048,576 triangles through a geometry shader", 0, 1),
    EXPANSION_ROW("geometries", "200 draws of 20 triangles through a geometry shader", 1, 200),
    EXPANSION_ROW("patches", "10,000 patches with factors of 1", 2, 1),
    EXPANSION_ROW("patch draws", "200 draws of 10 patches with factors of 1", 3, 200),
    EXPANSION_ROW("many patches", "500,000 patches with factors of 1", 4, 1),
    EXPANSION_ROW("patches of data", "10,000 patches whose factors, 1, come with their vertices", 5, 1),
    EXPANSION_ROW("patch states", "200 draws of 10 patches with a scissor rectangle each", 6, 200),
    EXPANSION_ROW("patch constants", "200 draws of 10 patches with 64 bytes of new constants each", 7, 200),
};
const uint32_t expansion_row_count = AG_COUNT_OF(expansion_rows);
