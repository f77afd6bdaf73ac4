/* SPDX-License-Identifier: MIT
 *
 * A program that draws by the C API of WebGPU, built for Windows and for this machine: through Dawn on
 * Direct3D 11, the project's Direct3D, the ring and Dawn once more, and through the same calls on Vulkan.
 * Each case knows some pixels, which follow from WebGPU's specification; the pictures have to be equal.
 * CLIENT_BACKEND is `d3d11` or `vulkan`.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/webgpu.h"

#define SIZE 64
#define TEXT(text) ((WGPUStringView){text, WGPU_STRLEN})
#define PITCH (4 * SIZE) /* a multiple of 256 */

static WGPUInstance instance;
static WGPUDevice device;
static WGPUQueue queue;
static unsigned errors; /* of the case that runs */
static char first_error[400];

/* ---- The device --------------------------------------------------------------------------------------- */

static void note(const char *text, size_t length)
{
    if (errors++ == 0)
        snprintf(first_error, sizeof first_error, "%.*s", (int)(length < 300 ? length : 300), text);
}

static void on_error(WGPUDevice const *from, WGPUErrorType type, WGPUStringView message, void *a, void *b)
{
    (void)from, (void)type, (void)a, (void)b;
    note(message.data, message.length == WGPU_STRLEN ? strlen(message.data) : message.length);
}

static void on_adapter(WGPURequestAdapterStatus status, WGPUAdapter adapter, WGPUStringView message, void *to,
                       void *done)
{
    (void)message;
    *(WGPUAdapter *)to = status == WGPURequestAdapterStatus_Success ? adapter : NULL;
    *(bool *)done = true;
}

static void on_device(WGPURequestDeviceStatus status, WGPUDevice made, WGPUStringView message, void *to,
                      void *done)
{
    (void)message;
    *(WGPUDevice *)to = status == WGPURequestDeviceStatus_Success ? made : NULL;
    *(bool *)done = true;
}

static void wait_for(const bool *done)
{
    while (!*done)
        wgpuInstanceProcessEvents(instance);
}

static bool open_device(void)
{
    const char *const backend = getenv("CLIENT_BACKEND");
    const bool is_d3d11 = backend != NULL && strcmp(backend, "d3d11") == 0;
    const WGPUInstanceDescriptor description = {0};
    const WGPURequestAdapterOptions options = {
        .featureLevel = WGPUFeatureLevel_Compatibility,
        .backendType = is_d3d11 ? WGPUBackendType_D3D11 : WGPUBackendType_Vulkan,
    };
    const WGPUDeviceDescriptor wanted = {
        .label = TEXT(""), .defaultQueue.label = TEXT(""), .uncapturedErrorCallbackInfo.callback = on_error};
    WGPUAdapter adapter = NULL;
    WGPUAdapterInfo info = {0};
    bool done = false;
    instance = wgpuCreateInstance(&description);
    if (instance == NULL)
        return false;
    wgpuInstanceRequestAdapter(instance, &options,
                               (WGPURequestAdapterCallbackInfo){.mode = WGPUCallbackMode_AllowProcessEvents,
                                                                .callback = on_adapter,
                                                                .userdata1 = &adapter,
                                                                .userdata2 = &done});
    wait_for(&done);
    if (adapter == NULL || wgpuAdapterGetInfo(adapter, &info) != WGPUStatus_Success ||
        info.backendType != options.backendType)
        return false;
    printf("adapter %.*s\n", (int)info.device.length, info.device.data);
    done = false;
    wgpuAdapterRequestDevice(adapter, &wanted,
                             (WGPURequestDeviceCallbackInfo){.mode = WGPUCallbackMode_AllowProcessEvents,
                                                             .callback = on_device,
                                                             .userdata1 = &device,
                                                             .userdata2 = &done});
    wait_for(&done);
    wgpuAdapterRelease(adapter);
    if (device == NULL)
        return false;
    queue = wgpuDeviceGetQueue(device);
    return true;
}

/* ---- Objects ------------------------------------------------------------------------------------------ */

static WGPUShaderModule shader(const char *code)
{
    const WGPUShaderSourceWGSL source = {.chain.sType = WGPUSType_ShaderSourceWGSL, .code = TEXT(code)};
    return wgpuDeviceCreateShaderModule(
        device,
        &(WGPUShaderModuleDescriptor){.nextInChain = (WGPUChainedStruct *)&source, .label = TEXT("")});
}

static WGPUBuffer buffer(WGPUBufferUsage usage, size_t size, const void *data)
{
    const WGPUBuffer made = wgpuDeviceCreateBuffer(
        device,
        &(WGPUBufferDescriptor){.label = TEXT(""), .usage = usage | WGPUBufferUsage_CopyDst, .size = size});
    if (data != NULL)
        wgpuQueueWriteBuffer(queue, made, 0, data, size);
    return made;
}

static WGPUTexture texture(WGPUTextureFormat format, WGPUTextureUsage usage, uint32_t size, uint32_t mips,
                           uint32_t samples)
{
    return wgpuDeviceCreateTexture(device, &(WGPUTextureDescriptor){
                                               .label = TEXT(""),
                                               .usage = usage,
                                               .dimension = WGPUTextureDimension_2D,
                                               .size = {size, size, 1},
                                               .format = format,
                                               .mipLevelCount = mips,
                                               .sampleCount = samples
    });
}

static WGPUTexture target(uint32_t samples)
{
    return texture(WGPUTextureFormat_RGBA8Unorm,
                   WGPUTextureUsage_RenderAttachment |
                       (samples == 1 ? WGPUTextureUsage_CopySrc : WGPUTextureUsage_None),
                   SIZE, 1, samples);
}

static WGPUTextureView view(WGPUTexture of)
{
    return wgpuTextureCreateView(of, NULL);
}

/* What differs between the pipelines of the cases. */
struct drawing {
    const char *code;
    const WGPUVertexBufferLayout *layouts;
    size_t layout_count;
    const WGPUBlendState *blend;
    const WGPUDepthStencilState *depth;
    uint32_t samples;
    WGPUPrimitiveTopology topology;
};

static WGPURenderPipeline pipeline(const struct drawing *drawing)
{
    const WGPUShaderModule module = shader(drawing->code);
    const WGPUColorTargetState color = {
        .format = WGPUTextureFormat_RGBA8Unorm, .blend = drawing->blend, .writeMask = WGPUColorWriteMask_All};
    const WGPUFragmentState fragment = {
        .module = module, .entryPoint = TEXT("fs"), .targetCount = 1, .targets = &color};
    const WGPURenderPipeline made = wgpuDeviceCreateRenderPipeline(
        device,
        &(WGPURenderPipelineDescriptor){
            .label = TEXT(""),
            .vertex = {.module = module,
                       .entryPoint = TEXT("vs"),
                       .bufferCount = drawing->layout_count,
                       .buffers = drawing->layouts},
            .primitive.topology = drawing->topology ? drawing->topology : WGPUPrimitiveTopology_TriangleList,
            .depthStencil = drawing->depth,
            .multisample = {.count = drawing->samples ? drawing->samples : 1, .mask = UINT32_MAX},
            .fragment = &fragment
    });
    wgpuShaderModuleRelease(module);
    return made;
}

static WGPUBindGroup group(WGPUBindGroupLayout layout, const WGPUBindGroupEntry *entries, size_t count)
{
    const WGPUBindGroup made = wgpuDeviceCreateBindGroup(
        device, &(WGPUBindGroupDescriptor){
                    .label = TEXT(""), .layout = layout, .entryCount = count, .entries = entries});
    wgpuBindGroupLayoutRelease(layout);
    return made;
}

static WGPUCommandEncoder encoder(void)
{
    return wgpuDeviceCreateCommandEncoder(device, &(WGPUCommandEncoderDescriptor){.label = TEXT("")});
}

static WGPURenderPassEncoder pass(WGPUCommandEncoder commands, WGPUTextureView color,
                                  WGPUTextureView resolved, WGPUTextureView depth)
{
    const WGPURenderPassColorAttachment attachment = {
        .view = color,
        .depthSlice = WGPU_DEPTH_SLICE_UNDEFINED,
        .resolveTarget = resolved,
        .loadOp = WGPULoadOp_Clear,
        .storeOp = WGPUStoreOp_Store,
        .clearValue = {0, 0, 1, 1}
    };
    const WGPURenderPassDepthStencilAttachment of_depth = {.view = depth,
                                                           .depthLoadOp = WGPULoadOp_Clear,
                                                           .depthStoreOp = WGPUStoreOp_Store,
                                                           .depthClearValue = 1};
    return wgpuCommandEncoderBeginRenderPass(
        commands, &(WGPURenderPassDescriptor){.label = TEXT(""),
                                              .colorAttachmentCount = 1,
                                              .colorAttachments = &attachment,
                                              .depthStencilAttachment = depth != NULL ? &of_depth : NULL});
}

static void submit(WGPUCommandEncoder commands)
{
    const WGPUCommandBuffer buffer_of = wgpuCommandEncoderFinish(commands, NULL);
    wgpuQueueSubmit(queue, 1, &buffer_of);
    wgpuCommandBufferRelease(buffer_of);
    wgpuCommandEncoderRelease(commands);
}

/* ---- What came out ------------------------------------------------------------------------------------ */

static unsigned char pixels[PITCH * SIZE];

static void on_map(WGPUMapAsyncStatus status, WGPUStringView message, void *good, void *done)
{
    (void)message;
    *(bool *)good = status == WGPUMapAsyncStatus_Success;
    *(bool *)done = true;
}

static void read_buffer(WGPUBuffer from, size_t size)
{
    bool good = false, done = false;
    wgpuBufferMapAsync(from, WGPUMapMode_Read, 0, size,
                       (WGPUBufferMapCallbackInfo){.mode = WGPUCallbackMode_AllowProcessEvents,
                                                   .callback = on_map,
                                                   .userdata1 = &good,
                                                   .userdata2 = &done});
    wait_for(&done);
    const void *const bytes = good ? wgpuBufferGetConstMappedRange(from, 0, size) : NULL;
    if (bytes == NULL)
        note("nothing is mapped", 17);
    else
        memcpy(pixels, bytes, size);
    wgpuBufferRelease(from);
}

/* Reads the picture back, by the commands that drew it. */
static void finish(WGPUCommandEncoder commands, WGPUTexture from)
{
    const WGPUBuffer read = buffer(WGPUBufferUsage_MapRead, sizeof pixels, NULL);
    const WGPUTexelCopyTextureInfo source = {.texture = from, .aspect = WGPUTextureAspect_All};
    const WGPUTexelCopyBufferInfo to = {
        .layout = {.bytesPerRow = PITCH, .rowsPerImage = SIZE},
          .buffer = read
    };
    wgpuCommandEncoderCopyTextureToBuffer(commands, &source, &to, &(WGPUExtent3D){SIZE, SIZE, 1});
    submit(commands);
    read_buffer(read, sizeof pixels);
}

static void expect(int x, int y, int r, int g, int b, int a)
{
    const unsigned char *const p = pixels + PITCH * y + 4 * x;
    const int want[4] = {r, g, b, a};
    char text[120];
    for (int i = 0; i < 4; i++) {
        if (abs(p[i] - want[i]) <= 1)
            continue;
        snprintf(text, sizeof text, "%d,%d is %d %d %d %d, not %d %d %d %d", x, y, p[0], p[1], p[2], p[3], r,
                 g, b, a);
        note(text, strlen(text));
        return;
    }
}

/* ---- Cases -------------------------------------------------------------------------------------------- */

/* One triangle over the left half, split along the diagonal. */
#define TRIANGLE                                                                                             \
    "@vertex fn vs(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {\n"                           \
    "  var p = array(vec2f(-1, 1), vec2f(-1, -1), vec2f(1, -1));\n"                                          \
    "  return vec4f(p[i], 0.5, 1);\n"                                                                        \
    "}\n"

static void draw_plain(const struct drawing *drawing, uint32_t vertices)
{
    const WGPUTexture to = target(1);
    const WGPURenderPipeline made = pipeline(drawing);
    const WGPUCommandEncoder commands = encoder();
    const WGPURenderPassEncoder drawn = pass(commands, view(to), NULL, NULL);
    wgpuRenderPassEncoderSetPipeline(drawn, made);
    wgpuRenderPassEncoderDraw(drawn, vertices, 1, 0, 0);
    wgpuRenderPassEncoderEnd(drawn);
    finish(commands, to);
    wgpuRenderPipelineRelease(made);
    wgpuTextureRelease(to);
}

static void triangle(void)
{
    draw_plain(&(struct drawing){.code = TRIANGLE
                                 "@fragment fn fs() -> @location(0) vec4f { return vec4f(1, 0.5, 0, 1); }"},
               3);
    expect(3, 40, 255, 128, 0, 255);
    expect(60, 10, 0, 0, 255, 255);
}

static void positions_of_pixels(void)
{
    draw_plain(&(struct drawing){.code = TRIANGLE
                                 "@fragment fn fs(@builtin(position) p: vec4f) -> @location(0) vec4f {\n"
                                 "  return vec4f(floor(p.x) / 255, floor(p.y) / 255, p.z, 1);\n"
                                 "}"},
               3);
    expect(3, 40, 3, 40, 128, 255);
    expect(17, 63, 17, 63, 128, 255);
}

static void derivatives_and_discard(void)
{
    draw_plain(&(struct drawing){.code = TRIANGLE
                                 "@fragment fn fs(@builtin(position) p: vec4f) -> @location(0) vec4f {\n"
                                 "  let slope = dpdx(p.x * 0.25);\n"
                                 "  if (u32(p.x) % 4 == 3) { discard; }\n"
                                 "  return vec4f(slope, fwidth(p.y) * 0.5, 0, 1);\n"
                                 "}"},
               3);
    expect(4, 40, 64, 128, 0, 255);
    expect(7, 40, 0, 0, 255, 255);
}

/* A fan of instances from buffers of vertices, indices and offsets. */
static void indices_and_instances(void)
{
    static const float corners[] = {0, 0, 0.25F, 0, 0, 0.25F, 0.25F, 0.25F};
    static const uint16_t indices[] = {9, 0, 1, 2, 2, 1, 3, 9};
    static const float places[] = {-1, -1, 1, 0, 0, 0, 0, 0, 1, 0, 0.5F, 0.5F, 0, 1, 0};
    const WGPUVertexAttribute of_corner = {.format = WGPUVertexFormat_Float32x2};
    const WGPUVertexAttribute of_place[] = {
        {.format = WGPUVertexFormat_Float32x2, .shaderLocation = 1},
        { .format = WGPUVertexFormat_Float32x3,                         .offset = 8, .shaderLocation = 2}
    };
    const WGPUVertexBufferLayout layouts[] = {
        {.stepMode = WGPUVertexStepMode_Vertex,
         .arrayStride = 8,
         .attributeCount = 1,
         .attributes = &of_corner},
        {.stepMode = WGPUVertexStepMode_Instance,
         .arrayStride = 20,
         .attributeCount = 2,
         .attributes = of_place  }
    };
    const WGPUTexture to = target(1);
    const WGPURenderPipeline made = pipeline(&(struct drawing){
        .code = "struct V { @builtin(position) p: vec4f, @location(0) @interpolate(flat, either) c: vec3f }\n"
                "@vertex fn vs(@location(0) corner: vec2f, @location(1) place: vec2f, @location(2) c: vec3f) "
                "-> V {\n"
                "  return V(vec4f(corner + place, 0, 1), c);\n"
                "}\n"
                "@fragment fn fs(v: V) -> @location(0) vec4f { return vec4f(v.c, 1); }",
        .layouts = layouts,
        .layout_count = 2});
    const WGPUBuffer of_corners = buffer(WGPUBufferUsage_Vertex, sizeof corners, corners);
    const WGPUBuffer of_places = buffer(WGPUBufferUsage_Vertex, sizeof places, places);
    const WGPUBuffer of_indices = buffer(WGPUBufferUsage_Index, sizeof indices, indices);
    const WGPUCommandEncoder commands = encoder();
    const WGPURenderPassEncoder drawn = pass(commands, view(to), NULL, NULL);
    wgpuRenderPassEncoderSetPipeline(drawn, made);
    wgpuRenderPassEncoderSetVertexBuffer(drawn, 0, of_corners, 0, sizeof corners);
    wgpuRenderPassEncoderSetVertexBuffer(drawn, 1, of_places, 0, sizeof places);
    wgpuRenderPassEncoderSetIndexBuffer(drawn, of_indices, WGPUIndexFormat_Uint16, 0, sizeof indices);
    wgpuRenderPassEncoderDrawIndexed(drawn, 6, 3, 1, 0, 0);
    wgpuRenderPassEncoderEnd(drawn);
    finish(commands, to);
    expect(2, 61, 255, 0, 0, 255);
    expect(34, 30, 0, 255, 0, 255);
    expect(50, 14, 0, 255, 0, 255);
    expect(20, 20, 0, 0, 255, 255);
}

static void depth_keeps_the_nearer(void)
{
    const WGPUDepthStencilState depth = {.format = WGPUTextureFormat_Depth32Float,
                                         .depthWriteEnabled = WGPUOptionalBool_True,
                                         .depthCompare = WGPUCompareFunction_Less,
                                         .stencilFront.compare = WGPUCompareFunction_Always,
                                         .stencilBack.compare = WGPUCompareFunction_Always};
    const WGPUTexture to = target(1);
    const WGPUTexture depths =
        texture(WGPUTextureFormat_Depth32Float, WGPUTextureUsage_RenderAttachment, SIZE, 1, 1);
    const WGPURenderPipeline made = pipeline(&(struct drawing){
        .code = "struct V { @builtin(position) p: vec4f, @location(0) c: vec4f }\n"
                "@vertex fn vs(@builtin(vertex_index) i: u32, @builtin(instance_index) n: u32) -> V {\n"
                "  let p = vec2f(f32(i & 1) * 4 - 1, f32(i >> 1) * 4 - 1);\n"
                "  var z = select(p.x * 0.25 + 0.5, 0.5, n == 1);\n"
                "  return V(vec4f(p, z, 1), vec4f(f32(n), 1 - f32(n), 0, 1));\n"
                "}\n"
                "@fragment fn fs(v: V) -> @location(0) vec4f { return v.c; }",
        .depth = &depth});
    const WGPUCommandEncoder commands = encoder();
    const WGPURenderPassEncoder drawn = pass(commands, view(to), NULL, view(depths));
    wgpuRenderPassEncoderSetPipeline(drawn, made);
    wgpuRenderPassEncoderDraw(drawn, 3, 2, 0, 0);
    wgpuRenderPassEncoderEnd(drawn);
    finish(commands, to);
    expect(10, 32, 0, 255, 0, 255);
    expect(50, 32, 255, 0, 0, 255);
}

static void blends(void)
{
    const WGPUBlendState blend = {
        .color = {WGPUBlendOperation_Add, WGPUBlendFactor_SrcAlpha, WGPUBlendFactor_OneMinusSrcAlpha},
        .alpha = {WGPUBlendOperation_Max, WGPUBlendFactor_One,      WGPUBlendFactor_One             }
    };
    draw_plain(&(struct drawing){.code = TRIANGLE
                                 "@fragment fn fs() -> @location(0) vec4f { return vec4f(1, 0, 0, 0.25); }",
                                 .blend = &blend},
               3);
    expect(3, 40, 64, 0, 191, 255);
}

static void samples_are_resolved(void)
{
    const WGPUTexture samples = target(4), to = target(1);
    const WGPURenderPipeline made = pipeline(&(struct drawing){
        .code = TRIANGLE "@fragment fn fs() -> @location(0) vec4f { return vec4f(1, 1, 0, 1); }",
        .samples = 4});
    const WGPUCommandEncoder commands = encoder();
    const WGPURenderPassEncoder drawn = pass(commands, view(samples), view(to), NULL);
    wgpuRenderPassEncoderSetPipeline(drawn, made);
    wgpuRenderPassEncoderDraw(drawn, 3, 1, 0, 0);
    wgpuRenderPassEncoderEnd(drawn);
    finish(commands, to);
    expect(3, 40, 255, 255, 0, 255);
    expect(60, 10, 0, 0, 255, 255);
}

static void textures_are_sampled(void)
{
    static const uint32_t texels[] = {0xff0000ff, 0xff00ff00, 0xff000000, 0xffffffff};
    const WGPUTexture image = texture(WGPUTextureFormat_RGBA8Unorm,
                                      WGPUTextureUsage_TextureBinding | WGPUTextureUsage_CopyDst, 2, 1, 1);
    const WGPUTexture to = target(1);
    const WGPUSampler sampler = wgpuDeviceCreateSampler(
        device,
        &(WGPUSamplerDescriptor){
            .label = TEXT(""), .magFilter = WGPUFilterMode_Nearest, .lodMaxClamp = 32, .maxAnisotropy = 1});
    const WGPURenderPipeline made = pipeline(&(struct drawing){
        .code = "@group(0) @binding(0) var image: texture_2d<f32>;\n"
                "@group(0) @binding(1) var nearest: sampler;\n"
                "@group(0) @binding(2) var<uniform> scale: vec4f;\n"
                "@vertex fn vs(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {\n"
                "  return vec4f(f32(i & 1) * 4 - 1, f32(i >> 1) * 4 - 1, 0, 1);\n"
                "}\n"
                "@fragment fn fs(@builtin(position) p: vec4f) -> @location(0) vec4f {\n"
                "  return textureSample(image, nearest, p.xy / 64) * scale;\n"
                "}"});
    const float scale[4] = {1, 0.5F, 1, 1};
    WGPUBindGroupEntry entries[3] = {0};
    entries[0].textureView = view(image);
    entries[1].binding = 1;
    entries[1].sampler = sampler;
    entries[2].binding = 2;
    entries[2].buffer = buffer(WGPUBufferUsage_Uniform, sizeof scale, scale);
    entries[2].size = sizeof scale;
    const WGPUTexelCopyTextureInfo destination = {.texture = image, .aspect = WGPUTextureAspect_All};
    wgpuQueueWriteTexture(queue, &destination, texels, sizeof texels, &(WGPUTexelCopyBufferLayout){0, 8, 2},
                          &(WGPUExtent3D){2, 2, 1});
    const WGPUBindGroup bound = group(wgpuRenderPipelineGetBindGroupLayout(made, 0), entries, 3);
    const WGPUCommandEncoder commands = encoder();
    const WGPURenderPassEncoder drawn = pass(commands, view(to), NULL, NULL);
    wgpuRenderPassEncoderSetPipeline(drawn, made);
    wgpuRenderPassEncoderSetBindGroup(drawn, 0, bound, 0, NULL);
    wgpuRenderPassEncoderDraw(drawn, 3, 1, 0, 0);
    wgpuRenderPassEncoderEnd(drawn);
    finish(commands, to);
    expect(10, 10, 255, 0, 0, 255);
    expect(50, 10, 0, 128, 0, 255);
    expect(10, 50, 0, 0, 0, 255);
    expect(50, 50, 255, 128, 255, 255);
}

/* The picture is what a compute shader writes to a buffer. */
static void compute_fills_a_buffer(void)
{
    const WGPUShaderModule module =
        shader("@group(0) @binding(0) var<storage, read_write> out: array<u32>;\n"
               "@compute @workgroup_size(8, 8) fn cs(@builtin(global_invocation_id) id: vec3u) {\n"
               "  out[id.y * 64 + id.x] = pack4x8unorm(vec4f(vec2f(id.xy * id.xy % 256) / 255, 0, 1));\n"
               "}");
    const WGPUComputePipeline made = wgpuDeviceCreateComputePipeline(
        device, &(WGPUComputePipelineDescriptor){
                    .label = TEXT(""), .compute = {.module = module, .entryPoint = TEXT("cs")}
    });
    const WGPUBuffer out = buffer(WGPUBufferUsage_Storage | WGPUBufferUsage_CopySrc, sizeof pixels, NULL);
    const WGPUBuffer read = buffer(WGPUBufferUsage_MapRead, sizeof pixels, NULL);
    const WGPUBindGroupEntry entry = {.buffer = out, .size = sizeof pixels};
    const WGPUBindGroup bound = group(wgpuComputePipelineGetBindGroupLayout(made, 0), &entry, 1);
    const WGPUCommandEncoder commands = encoder();
    const WGPUComputePassEncoder run =
        wgpuCommandEncoderBeginComputePass(commands, &(WGPUComputePassDescriptor){.label = TEXT("")});
    wgpuComputePassEncoderSetPipeline(run, made);
    wgpuComputePassEncoderSetBindGroup(run, 0, bound, 0, NULL);
    wgpuComputePassEncoderDispatchWorkgroups(run, SIZE / 8, SIZE / 8, 1);
    wgpuComputePassEncoderEnd(run);
    wgpuCommandEncoderCopyBufferToBuffer(commands, out, 0, read, 0, sizeof pixels);
    submit(commands);
    read_buffer(read, sizeof pixels);
    expect(9, 5, 81, 25, 0, 255);
    expect(63, 20, 129, 144, 0, 255);
}

/* ---- The program -------------------------------------------------------------------------------------- */

#define CASE(name)                                                                                           \
    {                                                                                                        \
#name, name                                                                                          \
    }
static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {
    CASE(triangle),
    CASE(positions_of_pixels),
    CASE(derivatives_and_discard),
    CASE(indices_and_instances),
    CASE(depth_keeps_the_nearer),
    CASE(blends),
    CASE(samples_are_resolved),
    CASE(textures_are_sampled),
    CASE(compute_fills_a_buffer),
};

static void write_picture(const char *name)
{
    char path[500];
    const char *const folder = getenv("CLIENT_FOLDER");
    snprintf(path, sizeof path, "%s/%s.pam", folder != NULL ? folder : ".", name);
    FILE *const file = fopen(path, "wb");
    if (file == NULL)
        return;
    fprintf(file, "P7\nWIDTH %d\nHEIGHT %d\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n", SIZE, SIZE);
    fwrite(pixels, 1, sizeof pixels, file);
    fclose(file);
}

int main(void)
{
    if (!open_device()) {
        printf("no device\n");
        return 1;
    }
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        errors = 0;
        memset(pixels, 0, sizeof pixels);
        cases[i].run();
        write_picture(cases[i].name);
        if (errors == 0)
            printf("pass %s\n", cases[i].name);
        else
            printf("fail %s: %s\n", cases[i].name, first_error);
    }
    wgpuQueueRelease(queue);
    wgpuDeviceRelease(device);
    wgpuInstanceRelease(instance);
    printf("done\n");
    fflush(stdout);
    return 0;
}
