/* SPDX-License-Identifier: MIT
 *
 * Dispatches that store to a writable texture.
 */
#include <stdlib.h>
#include <string.h>

#include "aerogpu/abi/cmd.h"
#include "aerogpu/abi/ext.h"
#include "base/bytes.h"
#include "bench/compare/row.h"
#include "gpu/gpu.h"

#define GROUP_WIDTH 8u

enum handle { HANDLE_IMAGE = 1, HANDLE_VIEW, HANDLE_SHADER };

static const char listing[] = "cs_5_0\n"
                              "dcl_globalFlags refactoringAllowed\n"
                              "dcl_uav_typed_texture2d (unorm,unorm,unorm,unorm) u0\n"
                              "dcl_input vThreadID.xy\n"
                              "dcl_temps 1\n"
                              "dcl_thread_group 8, 8, 1\n"
                              "and r0.xy, vThreadID.xyxx, l(255, 255, 0, 0)\n"
                              "utof r0.xy, r0.xyxx\n"
                              "mul r0.xy, r0.xyxx, l(0.0039215689, 0.0039215689, 0.0, 0.0)\n"
                              "mov r0.zw, l(0.0, 0.0, 0.0, 1.0)\n"
                              "store_uav_typed u0.xyzw, vThreadID.xyyy, r0.xyzw\n"
                              "ret\n";
static const char wgsl[] =
    "@group(0) @binding(0) var image: texture_storage_2d<rgba8unorm, write>;\n"
    "@compute @workgroup_size(8, 8) fn fill(@builtin(global_invocation_id) p: vec3u) {\n"
    "    let color = vec2f(p.xy & vec2u(255)) * 0.0039215689;\n"
    "    textureStore(image, p.xy, vec4f(color, 0, 1));\n"
    "}\n";

struct image {
    uint32_t width;
    WGPUTexture texture;
    WGPUComputePipeline pipeline;
    WGPUBindGroup group;
};

static void open_stream(struct rig *rig, uint32_t width)
{
    const struct aerogpu_cmd_ext_create_texture texture = {
        .texture_handle = HANDLE_IMAGE,
        .dimension = AEROGPU_EXT_RESOURCE_TEXTURE2D,
        .format = AEROGPU_FORMAT_R8G8B8A8_UNORM,
        .width = width,
        .height = width,
        .depth = 1,
        .mip_levels = 1,
        .array_size = 1,
        .sample_count = 1,
        .bind_flags = AEROGPU_EXT_BIND_UNORDERED_ACCESS | AEROGPU_EXT_BIND_RENDER_TARGET,
    };
    const struct aerogpu_cmd_ext_create_view view = {
        .view_handle = HANDLE_VIEW,
        .resource_handle = HANDLE_IMAGE,
        .kind = AEROGPU_EXT_VIEW_UNORDERED_ACCESS,
        .format = AEROGPU_FORMAT_R8G8B8A8_UNORM,
        .dimension = AEROGPU_EXT_DIMENSION_TEXTURE2D,
        .mip_level_count = 1,
        .array_layer_count = 1,
    };
    const struct aerogpu_cmd_ext_set_unordered_access_views set = {
        .shader_stage = AEROGPU_SHADER_STAGE_COMPUTE, .uav_count = 1};
    const struct aerogpu_ext_unordered_access_binding binding = {.view = HANDLE_VIEW,
                                                                 .initial_count = UINT32_MAX};
    struct agpu_writer writer;
    agpu_writer_init_growing(&writer, NULL);
    agpu_write_packet(&writer, AEROGPU_CMD_EXT_CREATE_TEXTURE, &texture, sizeof texture, NULL, 0);
    agpu_write_packet(&writer, AEROGPU_CMD_EXT_CREATE_VIEW, &view, sizeof view, NULL, 0);
    rig_write_shader(&writer, HANDLE_SHADER, AGPU_STREAM_STAGE_COMPUTE, listing);
    agpu_write_bind_shaders(&writer, 0, 0, HANDLE_SHADER, 0);
    agpu_write_packet(&writer, AEROGPU_CMD_EXT_SET_UNORDERED_ACCESS_VIEWS, &set, sizeof set, &binding,
                      sizeof binding);
    rig_run(rig, &writer);
    agpu_writer_fini(&writer);
}

static void open_raw(struct rig *rig, struct image *image)
{
    image->texture = raw_texture(rig, image->width, image->width, WGPUTextureFormat_RGBA8Unorm,
                                 WGPUTextureUsage_StorageBinding | WGPUTextureUsage_CopySrc);
    const WGPUShaderModule module = ag_gpu_create_shader(rig->gpu, wgsl, strlen(wgsl), "dispatches");
    const WGPUComputePipelineDescriptor pipeline = {
        .compute = {.module = module, .entryPoint = ag_webgpu_string("fill")}
    };
    const WGPUBindGroupLayoutEntry entry = {
        .binding = 0,
        .visibility = WGPUShaderStage_Compute,
        .storageTexture = {.access = WGPUStorageTextureAccess_WriteOnly,
                           .format = WGPUTextureFormat_RGBA8Unorm,
                           .viewDimension = WGPUTextureViewDimension_2D}
    };
    const WGPUBindGroupLayoutDescriptor layout_descriptor = {.entryCount = 1, .entries = &entry};
    const WGPUBindGroupLayout layout = wgpuDeviceCreateBindGroupLayout(rig->device, &layout_descriptor);
    const WGPUPipelineLayoutDescriptor layouts = {.bindGroupLayoutCount = 1, .bindGroupLayouts = &layout};
    WGPUComputePipelineDescriptor descriptor = pipeline;
    descriptor.layout = wgpuDeviceCreatePipelineLayout(rig->device, &layouts);
    image->pipeline = wgpuDeviceCreateComputePipeline(rig->device, &descriptor);
    const WGPUTextureView view = wgpuTextureCreateView(image->texture, NULL);
    const WGPUBindGroupEntry item = {.binding = 0, .textureView = view};
    const WGPUBindGroupDescriptor group = {.layout = layout, .entryCount = 1, .entries = &item};
    image->group = wgpuDeviceCreateBindGroup(rig->device, &group);
    wgpuTextureViewRelease(view);
    wgpuPipelineLayoutRelease(descriptor.layout);
    wgpuBindGroupLayoutRelease(layout);
    wgpuShaderModuleRelease(module);
}

static void *open_image(struct rig *rig, const struct row *row)
{
    struct image *const image = calloc(1, sizeof *image);
    if (image == NULL)
        return NULL;
    image->width = row->variant;
    open_stream(rig, image->width);
    open_raw(rig, image);
    return image;
}

static void close_image(struct rig *rig, void *state)
{
    struct image *const image = state;
    (void)rig;
    wgpuBindGroupRelease(image->group);
    wgpuComputePipelineRelease(image->pipeline);
    wgpuTextureRelease(image->texture);
    free(image);
}

static void write_image(void *state, struct agpu_writer *writer, uint32_t frame)
{
    const struct image *const image = state;
    const uint32_t groups = image->width / GROUP_WIDTH;
    (void)frame;
    agpu_write_dispatch(writer, AGPU_STREAM_STAGE_COMPUTE, groups, groups, 1);
}

static void record_image(struct rig *rig, void *state, uint32_t frame)
{
    const struct image *const image = state;
    const uint32_t groups = image->width / GROUP_WIDTH;
    const WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(rig->device, NULL);
    const WGPUComputePassEncoder pass = wgpuCommandEncoderBeginComputePass(encoder, NULL);
    (void)frame;
    wgpuComputePassEncoderSetPipeline(pass, image->pipeline);
    wgpuComputePassEncoderSetBindGroup(pass, 0, image->group, 0, NULL);
    wgpuComputePassEncoderDispatchWorkgroups(pass, groups, groups, 1);
    wgpuComputePassEncoderEnd(pass);
    wgpuComputePassEncoderRelease(pass);
    raw_submit(rig, encoder);
}

static bool show_image(struct rig *rig, void *state, struct row_pictures *pictures)
{
    const struct image *const image = state;
    return row_show_textures(rig, HANDLE_IMAGE, image->texture, image->width, image->width, pictures);
}

#define STORE_ROW(row_name, text, width)                                                                     \
    {                                                                                                        \
        .name = (row_name), .what = (text), .items = 1, .variant = (width), .open = open_image,              \
        .close = close_image, .write = write_image, .record = record_image, .show = show_image               \
    }

const struct row dispatch_rows[] = {
    STORE_ROW("store", "a dispatch stores 1024x1024 texels", 1024),
    STORE_ROW("store more", "a dispatch stores 4096x4096 texels", 4096),
};
const uint32_t dispatch_row_count = AG_COUNT_OF(dispatch_rows);
