/* SPDX-License-Identifier: MIT
 *
 * Messages of WebGPU name the guest's objects. Streams make the objects; then WebGPU is asked for what it
 * refuses.
 */
#include "../../support/test.h"

#include <stdio.h>
#include <string.h>

#include "base/map.h"
#include "exec/bind/pipeline.h"
#include "exec/bind/shader.h"
#include "exec/object/buffer.h"
#include "exec/object/handle.h"
#include "exec/object/sampler.h"
#include "exec/object/texture.h"
#include "exec/object/view.h"
#include "exec/submit/exec.h"
#include "gpu/gpu.h"
#include "host.h"

static struct host host;

static struct ag_exec *executor(void)
{
    return ag_exec_of(host.executor);
}

static char refusal[AG_WEBGPU_MESSAGE_SIZE];

static void take_refusal(void *user, WGPUErrorType type, const char *message)
{
    (void)user;
    assert_int_equal(type, WGPUErrorType_Validation);
    snprintf(refusal, sizeof refusal, "%s", message);
}

static void begin_refusal(void)
{
    refusal[0] = 0;
    ag_gpu_push_error_scope(host.gpu, WGPUErrorFilter_Validation);
}

static void assert_refusal_names(const char *label)
{
    assert_true(ag_gpu_pop_error_scope(host.gpu, take_refusal, NULL));
    for (uint32_t polls = 0; polls < 1000 && refusal[0] == 0; polls++)
        ag_gpu_poll(host.gpu);
    if (!strstr(refusal, label))
        print_message("no %s in: %s\n", label, refusal);
    assert_non_null(strstr(refusal, label));
}

/* ---- Objects ------------------------------------------------------------------------------------------ */

static void buffers_are_named(void **state)
{
    (void)state;
    host_reset(&host);
    assert_int_equal(
        host_run_text(&host, "CREATE_BUFFER buffer_handle=12 usage_flags=VERTEX_BUFFER size_bytes=64\n"), 0);
    struct ag_buffer *buffer = ag_handle_buffer(&executor()->objects, 12);
    begin_refusal();
    wgpuQueueWriteBuffer(executor()->host.queue, buffer->gpu, 1, "abcd", 4);
    assert_refusal_names("[Buffer \"buffer 12\"]");
    ag_buffer_rename(&executor()->objects, buffer);
    begin_refusal();
    wgpuQueueWriteBuffer(executor()->host.queue, buffer->gpu, 1, "abcd", 4);
    assert_refusal_names("[Buffer \"buffer 12\"]");
}

static const char textures[] =
    "EXT_CREATE_TEXTURE texture_handle=7 dimension=TEXTURE2D bind_flags=SHADER_RESOURCE "
    "format=DXGI_R8G8B8A8_UNORM width=16 height=8 depth=1 mip_levels=1 array_size=1 sample_count=1\n"
    "EXT_CREATE_VIEW view_handle=9 resource_handle=7 kind=SHADER_RESOURCE dimension=TEXTURE2D "
    "format=DXGI_R8G8B8A8_UNORM mip_level_count=1 array_layer_count=1\n"
    "CREATE_TEXTURE2D texture_handle=8 usage_flags=TEXTURE format=R8G8B8A8_UNORM width=4 height=4 "
    "mip_levels=1 array_layers=1\n"
    "CREATE_SAMPLER sampler_handle=3\n";

static void textures_are_named(void **state)
{
    (void)state;
    const WGPUTextureViewDescriptor deep = {.mipLevelCount = 9, .arrayLayerCount = 1};
    host_reset(&host);
    assert_int_equal(host_run_text(&host, textures), 0);
    begin_refusal();
    wgpuTextureViewRelease(wgpuTextureCreateView(ag_handle_texture(&executor()->objects, 7)->gpu, &deep));
    assert_refusal_names("[Texture \"texture 7 R8G8B8A8_UNORM 16x8\"]");
}

/* A group whose only entry is of another kind than its layout says. */
static void bind_wrongly(const WGPUBindGroupEntry *entry, const WGPUBindGroupLayoutEntry *wanted)
{
    const WGPUDevice device = executor()->host.device;
    const WGPUBindGroupLayoutDescriptor layout = {.entryCount = 1, .entries = wanted};
    WGPUBindGroupLayout made = wgpuDeviceCreateBindGroupLayout(device, &layout);
    const WGPUBindGroupDescriptor group = {.layout = made, .entryCount = 1, .entries = entry};
    begin_refusal();
    wgpuBindGroupRelease(wgpuDeviceCreateBindGroup(device, &group));
    wgpuBindGroupLayoutRelease(made);
}

static void views_and_samplers_are_named(void **state)
{
    (void)state;
    host_reset(&host);
    assert_int_equal(host_run_text(&host, textures), 0);
    struct ag_objects *objects = &executor()->objects;
    const WGPUBindGroupLayoutEntry volume = {
        .visibility = WGPUShaderStage_Fragment,
        .texture = {.sampleType = WGPUTextureSampleType_Float, .viewDimension = WGPUTextureViewDimension_3D},
    };
    const WGPUBindGroupLayoutEntry comparison = {
        .visibility = WGPUShaderStage_Fragment,
        .sampler = {.type = WGPUSamplerBindingType_Comparison},
    };
    WGPUBindGroupEntry entry = {
        .textureView = ag_view_of_dimension(objects, ag_handle_view(objects, 9), AG_VIEW_DIMENSION_2D, NULL)};
    bind_wrongly(&entry, &volume);
    assert_refusal_names("[TextureView \"view 9 of texture 7\"]");
    entry.textureView = ag_view_of_dimension(objects, ag_handle_view(objects, 8), AG_VIEW_DIMENSION_2D, NULL);
    bind_wrongly(&entry, &volume);
    assert_refusal_names("[TextureView \"view of texture 8\"]");
    struct ag_sampler *sampler = ag_map_get(&objects->samplers, 3);
    entry = (WGPUBindGroupEntry){.sampler = sampler->gpu};
    bind_wrongly(&entry, &comparison);
    assert_refusal_names("[Sampler \"sampler 3\"]");
}

/* ---- Shaders and pipelines ---------------------------------------------------------------------------- */

static void *only_value(const struct ag_map *map)
{
    size_t cursor = 0;
    uint64_t key;
    void *value = NULL;
    assert_int_equal(map->count, 1);
    assert_true(ag_map_next(map, &cursor, &key, &value));
    return value;
}

static void draw(void)
{
    struct agpu_writer writer;
    agpu_writer_init_growing(&writer, NULL);
    host_assemble_shader(&writer, 2, AGPU_STREAM_STAGE_VERTEX,
                         "vs_4_0\n.out SV_Position0 o0.xyzw float position\n"
                         "dcl_output_siv o0.xyzw, position\nmov o0.xyzw, l(0,0,0,1)\nret\n");
    host_assemble_shader(&writer, 4, AGPU_STREAM_STAGE_PIXEL,
                         "ps_4_0\n.out SV_Target0 o0.xyzw float\n"
                         "dcl_output o0.xyzw\nmov o0.xyzw, l(1,0,0,1)\nret\n");
    host_write_texture(&writer, 7, AEROGPU_RESOURCE_USAGE_RENDER_TARGET, AEROGPU_FORMAT_R8G8B8A8_UNORM, 8, 8);
    host_run_ok(&host, &writer);
    agpu_writer_fini(&writer);
    assert_int_equal(host_run_text(&host, "SET_RENDER_TARGETS colors=[7]\n"
                                          "BIND_SHADERS vs=2 ps=4\n"
                                          "SET_VIEWPORT width_f32=8 height_f32=8 max_depth_f32=1\n"
                                          "DRAW vertex_count=3 instance_count=1\n"),
                     0);
}

static void shaders_and_pipelines_are_named(void **state)
{
    (void)state;
    host_reset(&host);
    draw();
    const struct ag_pipeline *pipeline = only_value(&executor()->binder.pipelines);
    begin_refusal();
    wgpuBindGroupLayoutRelease(wgpuRenderPipelineGetBindGroupLayout(pipeline->gpu, 99));
    assert_refusal_names("[RenderPipeline \"pipeline vs 2 ps 4\"]");
    const WGPUComputePipelineDescriptor descriptor = {
        .compute = {.module = pipeline->pixel->gpu, .entryPoint = ag_webgpu_string("nothing")}
    };
    begin_refusal();
    wgpuComputePipelineRelease(wgpuDeviceCreateComputePipeline(executor()->host.device, &descriptor));
    assert_refusal_names("[ShaderModule \"pixel shader 4\"]");
}

/* ---- Diagnostics -------------------------------------------------------------------------------------- */

static const char small_textures[] = "CREATE_TEXTURE2D texture_handle=5 usage_flags=TEXTURE "
                                     "format=R8G8B8A8_UNORM width=1 height=1 "
                                     "mip_levels=1 array_layers=1\n"
                                     "CREATE_TEXTURE2D texture_handle=6 usage_flags=TEXTURE "
                                     "format=R8G8B8A8_UNORM width=1 height=1 "
                                     "mip_levels=1 array_layers=1\n";

static const char refused_copy[] = "CLEAR\n"
                                   "COPY_TEXTURE2D dst_texture=6 src_texture=5 width=2 height=1\n";

/* Runs a copy that WebGPU refuses, since the executor is made to believe that the textures are wider. */
static uint32_t run_refused_copy(void)
{
    host_reset(&host);
    assert_int_equal(host_run_text(&host, small_textures), 0);
    for (uint32_t handle = 5; handle <= 6; handle++)
        ag_handle_texture(&executor()->objects, handle)->width = 2;
    return host_run_text(&host, refused_copy);
}

static void diagnostics_name_objects(void **state)
{
    (void)state;
    assert_int_equal(run_refused_copy(), AEROGPU_ERROR_INTERNAL);
    assert_int_equal(host.first_diag, AGPU_DIAG_GPU_VALIDATION);
    assert_int_equal(host.first_packet, AGPU_DIAG_NO_INDEX);
    assert_non_null(strstr(host.first_message, "[Texture \"texture 5 R8G8B8A8_UNORM 1x1\"]"));
}

static void checked_packets_are_named(void **state)
{
    (void)state;
    executor()->check_packets = true;
    assert_int_equal(run_refused_copy(), AEROGPU_ERROR_INTERNAL);
    executor()->check_packets = false;
    assert_int_equal(host.first_packet, 1);
    assert_non_null(strstr(host.first_message, "[Texture \"texture 5 R8G8B8A8_UNORM 1x1\"]"));
    assert_string_equal(host.first_packet_name, "COPY_TEXTURE2D");
    assert_non_null(strstr(host.first_message, "[CommandEncoder \"COPY_TEXTURE2D, packet 1\"]"));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buffers_are_named),
        cmocka_unit_test(textures_are_named),
        cmocka_unit_test(views_and_samplers_are_named),
        cmocka_unit_test(shaders_and_pipelines_are_named),
        cmocka_unit_test(diagnostics_name_objects),
        cmocka_unit_test(checked_packets_are_named),
    };
    if (argc != 2)
        return 1;
    const int opened = host_open(&host, argv[1], NULL);
    const int failed = opened == 0 ? cmocka_run_group_tests(tests, NULL, NULL) : opened;
    host_close(&host);
    return failed;
}
