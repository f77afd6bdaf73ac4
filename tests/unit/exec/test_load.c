/* SPDX-License-Identifier: MIT
 *
 * Submissions with very much in them: all of it happens, and what the host holds for it stays bounded.
 */
#include "../../support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aerogpu/abi/ext.h"
#include "format/formats.h"
#include "gpu/gpu.h"
#include "host.h"

static struct host host;
static const char *driver_name;

enum { TARGET = 1, VERTEX, GEOMETRY, PIXEL, WINDOWS, LAYOUT, COMPUTE, INDICES, COLOR, DEPTH, DEPTHS };

/* A triangle that covers the viewport. */
static const char vertex_listing[] = "vs_5_0\n"
                                     ".in SV_VertexID0 v0.x uint vertex_id\n"
                                     ".out SV_Position0 o0.xyzw float position\n"
                                     "dcl_input_sgv v0.x, vertex_id\n"
                                     "dcl_output_siv o0.xyzw, position\n"
                                     "dcl_temps 1\n"
                                     "and r0.x, v0.x, l(1)\n"
                                     "ushr r0.y, v0.x, l(1)\n"
                                     "utof r0.xy, r0.xyxx\n"
                                     "mad o0.xy, r0.xyxx, l(4.0, -4.0, 0.0, 0.0), l(-1.0, 1.0, 0.0, 0.0)\n"
                                     "mov o0.zw, l(0.0, 0.0, 0.0, 1.0)\n"
                                     "ret\n";

/* A point in the middle. */
static const char fetching_listing[] = "vs_5_0\n"
                                       ".in POSITION0 v0.xyzw float\n"
                                       ".out SV_Position0 o0.xyzw float position\n"
                                       "dcl_input v0.xyzw\n"
                                       "dcl_output_siv o0.xyzw, position\n"
                                       "add o0.xyzw, v0.xyzw, l(0.0, 0.0, 0.0, 1.0)\n"
                                       "ret\n";

/* Hands each triangle on. */
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

static const char red_listing[] = "ps_5_0\n"
                                  ".in SV_Position0 v0.xyzw float position read=0x0\n"
                                  ".out SV_Target0 o0.xyzw float\n"
                                  "dcl_output o0.xyzw\n"
                                  "mov o0.xyzw, l(1.0, 0.0, 0.0, 1.0)\n"
                                  "ret\n";

/* The first word of t0, as a float, everywhere. */
static const char window_listing[] = "ps_5_0\n"
                                     ".in SV_Position0 v0.xyzw float position read=0x0\n"
                                     ".out SV_Target0 o0.xyzw float\n"
                                     "dcl_resource_raw t0\n"
                                     "dcl_output o0.xyzw\n"
                                     "dcl_temps 1\n"
                                     "ld_raw r0.x, l(0), t0.xxxx\n"
                                     "mov o0.xyzw, r0.xxxx\n"
                                     "ret\n";

static const char constant_listing[] = "ps_5_0\n"
                                       ".in SV_Position0 v0.xyzw float position read=0x0\n"
                                       ".out SV_Target0 o0.xyzw float\n"
                                       "dcl_constantbuffer cb0[1], immediateIndexed\n"
                                       "dcl_output o0.xyzw\n"
                                       "mov o0.xyzw, cb0[0].xyzw\n"
                                       "ret\n";

/* The color of t0 with the depth of t1. */
static const char depth_listing[] = "ps_5_0\n"
                                    ".in SV_Position0 v0.xyzw float position read=0x0\n"
                                    ".out SV_Target0 o0.xyzw float\n"
                                    "dcl_resource_texture2d (float,float,float,float) t0\n"
                                    "dcl_resource_texture2d (float,float,float,float) t1\n"
                                    "dcl_output o0.xyzw\n"
                                    "dcl_temps 2\n"
                                    "ld r0.xyzw, l(0, 0, 0, 0), t0.xyzw\n"
                                    "ld r1.xyzw, l(0, 0, 0, 0), t1.xyzw\n"
                                    "mov o0.xyz, r0.xyzx\n"
                                    "mov o0.w, r1.x\n"
                                    "ret\n";

/* The indices 0, 1 and 2. */
static const char index_listing[] = "cs_5_0\n"
                                    "dcl_uav_raw u0\n"
                                    "dcl_thread_group 1, 1, 1\n"
                                    "store_raw u0.xyz, l(0), l(0, 1, 2, 0)\n"
                                    "ret\n";

static struct agpu_writer begin(uint32_t width, uint32_t height, const char *pixel_listing)
{
    struct agpu_writer writer;
    const uint32_t target = TARGET;
    const struct aerogpu_rasterizer_state raster = {.cull_mode = AEROGPU_CULL_NONE};
    host_reset(&host);
    agpu_writer_init_growing(&writer, NULL);
    host_assemble_shader(&writer, VERTEX, AGPU_STREAM_STAGE_VERTEX, vertex_listing);
    host_assemble_shader(&writer, GEOMETRY, AGPU_STREAM_STAGE_GEOMETRY, geometry_listing);
    host_assemble_shader(&writer, PIXEL, AGPU_STREAM_STAGE_PIXEL, pixel_listing);
    host_write_texture(&writer, target, AEROGPU_RESOURCE_USAGE_RENDER_TARGET, AEROGPU_FORMAT_R8G8B8A8_UNORM,
                       width, height);
    agpu_write_set_render_targets(&writer, 1, &target, 0);
    agpu_write_set_rasterizer_state(&writer, &raster);
    agpu_write_set_primitive_topology(&writer, AEROGPU_TOPOLOGY_TRIANGLELIST);
    agpu_write_set_viewport(&writer, 0, 0, (float)width, (float)height, 0, 1);
    agpu_write_clear(&writer, AEROGPU_CLEAR_COLOR, (const float[4]){0, 0, 0, 0}, 1, 0);
    return writer;
}

/* For tests that count what is in flight: nothing is. */
static int reopen(void **state)
{
    (void)state;
    host_close(&host);
    return host_open(&host, driver_name, NULL);
}

static void write_depth_texture(struct agpu_writer *writer, uint32_t handle, uint32_t layers, uint32_t alloc)
{
    const struct aerogpu_cmd_create_texture2d texture = {
        .texture_handle = handle,
        .usage_flags = AEROGPU_RESOURCE_USAGE_DEPTH_STENCIL | AEROGPU_RESOURCE_USAGE_TEXTURE,
        .format = AEROGPU_FORMAT_D32_FLOAT,
        .width = 1,
        .height = 1,
        .mip_levels = 1,
        .array_layers = layers,
        .row_pitch_bytes = alloc ? 4 : 0,
        .backing_alloc_id = alloc,
    };
    agpu_write_create_texture2d(writer, &texture);
}

/* SwiftShader is given so few commands at a time that they end a piece of work before other bounds do. */
static bool has_few_commands(void)
{
    return ag_gpu_driver(host.gpu) == AGPU_DRIVER_SWIFTSHADER;
}

/* Depths are uploaded by drawing them. With 4096 groups much is to be submitted, here between
 * layers that a draw finds in guest memory. Its indices are prepared by then, and what is uploaded after it
 * stays behind it. */
static void uploads_depths_in_the_middle_of_a_draw(void **state)
{
    (void)state;
    enum { UPLOADS = 4000, LAYERS = 200 };
    const uint32_t red = 0xFF0000FF, green = 0xFF00FF00;
    const float one = 1;
    const struct aerogpu_alloc_entry allocation = {
        .alloc_id = 7, .gpa = GUEST_BASE, .size_bytes = 4 * LAYERS};
    const struct aerogpu_unordered_access_buffer_binding indices = {.buffer = INDICES, .size_bytes = 12};
    const struct aerogpu_unordered_access_buffer_binding nothing = {0};
    struct agpu_writer writer = begin(1, 1, depth_listing);
    for (uint32_t i = 0; i < LAYERS; i++)
        memcpy(host.guest + 4 * i, &one, sizeof one);
    host_assemble_shader(&writer, COMPUTE, AGPU_STREAM_STAGE_COMPUTE, index_listing);
    host_write_texture(&writer, COLOR, AEROGPU_RESOURCE_USAGE_TEXTURE, AEROGPU_FORMAT_R8G8B8A8_UNORM, 1, 1);
    write_depth_texture(&writer, DEPTH, 1, 0);
    write_depth_texture(&writer, DEPTHS, LAYERS, allocation.alloc_id);
    agpu_write_create_buffer(&writer, INDICES,
                             AEROGPU_RESOURCE_USAGE_INDEX_BUFFER | AEROGPU_RESOURCE_USAGE_STORAGE, 12, 0, 0);
    agpu_write_upload_resource(&writer, COLOR, 0, &red, sizeof red);
    agpu_write_bind_shaders(&writer, VERTEX, PIXEL, COMPUTE, 0);
    agpu_write_set_unordered_access_buffers(&writer, AGPU_STREAM_STAGE_COMPUTE, 0, 1, &indices);
    agpu_write_dispatch(&writer, AGPU_STREAM_STAGE_COMPUTE, 1, 1, 1);
    agpu_write_set_unordered_access_buffers(&writer, AGPU_STREAM_STAGE_COMPUTE, 0, 1, &nothing);
    agpu_write_set_index_buffer(&writer, INDICES, AEROGPU_INDEX_FORMAT_UINT32, 0);
    for (uint32_t i = 0; i < UPLOADS; i++)
        agpu_write_upload_resource(&writer, DEPTH, 0, &one, sizeof one);
    agpu_write_set_texture(&writer, AGPU_STREAM_STAGE_PIXEL, 0, COLOR);
    agpu_write_set_texture(&writer, AGPU_STREAM_STAGE_PIXEL, 1, DEPTHS);
    agpu_write_draw_indexed(&writer, 3, 1, 0, 0, 0);
    agpu_write_upload_resource(&writer, COLOR, 0, &green, sizeof green);
    agpu_write_present(&writer, 0, 0);
    assert_int_equal(host_run(&host, &writer, &allocation, 1), AEROGPU_ERROR_NONE);
    assert_int_equal(host_pixel(&host, 0, 0), 0xFF0000FF);
    assert_in_range(host_counters(&host).bind_groups_in_flight, has_few_commands() ? 1000 : UPLOADS + LAYERS,
                    8192);
    agpu_writer_fini(&writer);
}

/* A pixel each, in one submission. */
static void draws_through_many_geometry_shaders(void **state)
{
    (void)state;
    enum { WIDTH = 200, HEIGHT = 41, DRAWS = 8000 };
    struct agpu_writer writer = begin(WIDTH, HEIGHT, red_listing);
    agpu_write_bind_shaders(&writer, VERTEX, PIXEL, 0, GEOMETRY);
    for (uint32_t i = 0; i < DRAWS; i++) {
        agpu_write_set_viewport(&writer, (float)(i % WIDTH), (float)(i / WIDTH), 1, 1, 0, 1);
        agpu_write_draw(&writer, 3, 1, 0, 0);
    }
    agpu_write_present(&writer, 0, 0);
    host_run_ok(&host, &writer);
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++)
        assert_int_equal(host_pixel(&host, i % WIDTH, i / WIDTH), i < DRAWS ? 0xFF0000FF : 0);
    assert_int_equal(host_counters(&host).draws, DRAWS);
    assert_true(host_counters(&host).bind_groups_created < 512); /* draws share them */
    assert_true(host_counters(&host).render_passes < 1100);      /* and passes, eight of them one */
    agpu_writer_fini(&writer);
}

/* Each has constants of its own, which are another part of the same buffer. */
static void draws_with_many_constants(void **state)
{
    (void)state;
    enum { DRAWS = 20000 };
    const float one[4] = {1, 1, 1, 1}, nothing[4] = {0};
    const struct aerogpu_constant_buffer_binding constants = {.buffer = WINDOWS, .size_bytes = 16};
    struct agpu_writer writer = begin(1, 1, constant_listing);
    agpu_write_create_buffer(&writer, WINDOWS, AEROGPU_RESOURCE_USAGE_CONSTANT_BUFFER, 16, 0, 0);
    agpu_write_set_constant_buffers(&writer, AGPU_STREAM_STAGE_PIXEL, 0, 1, &constants);
    agpu_write_bind_shaders(&writer, VERTEX, PIXEL, 0, 0);
    for (uint32_t i = 0; i < DRAWS; i++) {
        agpu_write_upload_resource(&writer, WINDOWS, 0, i == DRAWS - 1 ? one : nothing, sizeof one);
        agpu_write_draw(&writer, 3, 1, 0, 0);
    }
    agpu_write_present(&writer, 0, 0);
    host_run_ok(&host, &writer);
    assert_int_equal(host_pixel(&host, 0, 0), 0xFFFFFFFF);
    assert_int_equal(host_counters(&host).draws, DRAWS);
    agpu_writer_fini(&writer);
}

/* Each draw binds another window of a buffer; only the last one's has a 1. */
static void binds_many_windows(void **state)
{
    (void)state;
    enum { WINDOW = 256, DRAWS = 40000 };
    const float one = 1;
    struct agpu_writer writer = begin(1, 1, window_listing);
    agpu_write_create_buffer(&writer, WINDOWS, AEROGPU_RESOURCE_USAGE_STORAGE, DRAWS * WINDOW, 0, 0);
    agpu_write_upload_resource(&writer, WINDOWS, (DRAWS - 1) * WINDOW, &one, sizeof one);
    agpu_write_bind_shaders(&writer, VERTEX, PIXEL, 0, 0);
    for (uint32_t i = 0; i < DRAWS; i++) {
        const struct aerogpu_shader_resource_buffer_binding window = {WINDOWS, i * WINDOW, WINDOW, 0};
        agpu_write_set_shader_resource_buffers(&writer, AGPU_STREAM_STAGE_PIXEL, 0, 1, &window);
        agpu_write_draw(&writer, 3, 1, 0, 0);
    }
    agpu_write_present(&writer, 0, 0);
    host_run_ok(&host, &writer);
    assert_int_equal(host_pixel(&host, 0, 0), 0xFFFFFFFF);
    assert_int_equal(host_counters(&host).draws, DRAWS);
    assert_true(host_counters(&host).bind_groups_created >= DRAWS);
    assert_in_range(host_counters(&host).bind_groups_in_flight, has_few_commands() ? 1000 : 4096, 8192 + 64);
    agpu_writer_fini(&writer);
}

/* A stride of 5 is fetched by a kernel: 1 MiB of each draw, of which a pass may read 64. The buffer ends
 * before that, so that all but the first vertices are zeros. */
static void fetches_much(void **state)
{
    (void)state;
    enum { DRAWS = 200, VERTICES = 65536 };
    const struct aerogpu_input_layout_element_dxgi element = {
        agpu_semantic_hash("POSITION", 8), 0, AG_DXGI_R32_FLOAT, 0, 0, 0, 0};
    const struct aerogpu_vertex_buffer_binding binding = {.buffer = WINDOWS, .stride_bytes = 5};
    struct agpu_writer writer = begin(1, 1, red_listing);
    host_assemble_shader(&writer, LAYOUT + 1, AGPU_STREAM_STAGE_VERTEX, fetching_listing);
    agpu_write_create_buffer(&writer, WINDOWS, AEROGPU_RESOURCE_USAGE_VERTEX_BUFFER, 64, 0, 0);
    agpu_write_create_input_layout_dxgi(&writer, LAYOUT, &element, 1);
    agpu_write_set_input_layout(&writer, LAYOUT);
    agpu_write_set_vertex_buffers(&writer, 0, 1, &binding);
    agpu_write_set_primitive_topology(&writer, AEROGPU_TOPOLOGY_POINTLIST);
    agpu_write_bind_shaders(&writer, LAYOUT + 1, PIXEL, 0, 0);
    for (uint32_t i = 0; i < DRAWS; i++)
        agpu_write_draw(&writer, VERTICES, 1, i, 0); /* no two draws have the same vertices */
    agpu_write_present(&writer, 0, 0);
    host_run_ok(&host, &writer);
    assert_int_equal(host_pixel(&host, 0, 0), 0xFF0000FF);
    assert_int_equal(host_counters(&host).draws, DRAWS);
    /* Buffers of 1, 2, 4 to 64 MiB, one after the other, hold 63 and 64 draws in a pass; the rest takes two
     * more. Their vertices are more commands than SwiftShader is given at a time. */
    assert_int_equal(host_counters(&host).scratch_bytes_in_flight, 63 << 20);
    assert_int_equal(host_counters(&host).render_passes, has_few_commands() ? 6 : 3);
    agpu_writer_fini(&writer);
}

static int open_with_little_in_flight(void **state)
{
    const struct agpu_executor_options options = {
        .size = sizeof options,
        .slice_us = AGPU_NO_SLICE,
        .gpu_timeout_ms = AGPU_NO_GPU_TIMEOUT,
        .in_flight_bytes = 1 << 20,
    };
    (void)state;
    host_close(&host);
    return host_open_with(&host, driver_name, NULL, &options);
}

static void write_slice_copy(struct agpu_writer *writer, uint32_t to, uint32_t to_z, uint32_t from,
                             uint32_t from_z, uint32_t size, uint32_t slices)
{
    const struct aerogpu_cmd_ext_copy_subresource_region packet = {
        .dst_resource = to,
        .dst_z = to_z,
        .src_resource = from,
        .box_flags = AEROGPU_EXT_UPDATE_BOX,
        .box = {.front = from_z, .right = size, .bottom = size, .back = from_z + slices},
    };
    agpu_write_packet(writer, AEROGPU_CMD_EXT_COPY_SUBRESOURCE_REGION, &packet, sizeof packet, NULL, 0);
}

/* Slices of a volume move by one, each through a buffer of 256 KiB, of which four may be in flight. */
static void copies_within_a_volume(void **state)
{
    enum { SIZE = 256, SLICES = 64 };
    (void)state;
    const struct aerogpu_cmd_ext_create_texture volume = {
        .texture_handle = WINDOWS,
        .dimension = AEROGPU_EXT_RESOURCE_TEXTURE3D,
        .format = AEROGPU_FORMAT_R8G8B8A8_UNORM,
        .width = SIZE,
        .height = SIZE,
        .depth = SLICES,
        .mip_levels = 1,
        .array_size = 1,
        .sample_count = 1,
        .bind_flags = AEROGPU_EXT_BIND_SHADER_RESOURCE,
    };
    struct agpu_writer writer = begin(SIZE, SIZE, red_listing);
    agpu_write_packet(&writer, AEROGPU_CMD_EXT_CREATE_TEXTURE, &volume, sizeof volume, NULL, 0);
    agpu_write_clear(&writer, AEROGPU_CLEAR_COLOR, (const float[4]){1, 0, 0, 1}, 1, 0);
    write_slice_copy(&writer, WINDOWS, 0, TARGET, 0, SIZE, 1);
    agpu_write_clear(&writer, AEROGPU_CLEAR_COLOR, (const float[4]){0, 1, 0, 1}, 1, 0);
    write_slice_copy(&writer, WINDOWS, SLICES - 2, TARGET, 0, SIZE, 1);
    write_slice_copy(&writer, WINDOWS, 1, WINDOWS, 0, SIZE, SLICES - 1);
    write_slice_copy(&writer, TARGET, 0, WINDOWS, 1, SIZE, 1);
    agpu_write_present(&writer, 0, 0);
    host_run_ok(&host, &writer);
    assert_int_equal(host_pixel(&host, SIZE - 1, SIZE - 1), 0xFF0000FF);
    agpu_writer_fini(&writer);
    agpu_writer_init_growing(&writer, NULL);
    write_slice_copy(&writer, TARGET, 0, WINDOWS, SLICES - 1, SIZE, 1);
    agpu_write_present(&writer, 0, 0);
    host_run_ok(&host, &writer);
    assert_int_equal(host_pixel(&host, SIZE - 1, SIZE - 1), 0x00FF00FF);
    assert_in_range(host_counters(&host).scratch_bytes_in_flight, SIZE * SIZE * 4, 1 << 20);
    agpu_writer_fini(&writer);
}

/* A view of more than the device binds draws nothing; one of the last bytes of the same buffer is right. */
static void refuses_views_of_too_much(void **state)
{
    (void)state;
    const uint64_t most = ag_gpu_limits(host.gpu)->maxStorageBufferBindingSize;
    const uint32_t size = (uint32_t)most + 1024;
    const float one = 1;
    if (most + 1024 > ag_gpu_limits(host.gpu)->maxBufferSize) {
        print_message("this device binds every buffer as a whole\n");
        return;
    }
    const struct aerogpu_shader_resource_buffer_binding whole = {WINDOWS, 0, 0, 0};
    const struct aerogpu_shader_resource_buffer_binding largest = {WINDOWS, 1024, (uint32_t)most, 0};
    const struct aerogpu_shader_resource_buffer_binding last = {WINDOWS, size - 16, 16, 0};
    struct agpu_writer writer = begin(1, 1, window_listing);
    agpu_write_create_buffer(&writer, WINDOWS, AEROGPU_RESOURCE_USAGE_STORAGE, size, 0, 0);
    agpu_write_upload_resource(&writer, WINDOWS, 0, &one, sizeof one);
    agpu_write_upload_resource(&writer, WINDOWS, size - 16, &one, sizeof one);
    agpu_write_bind_shaders(&writer, VERTEX, PIXEL, 0, 0);
    agpu_write_set_shader_resource_buffers(&writer, AGPU_STREAM_STAGE_PIXEL, 0, 1, &whole);
    agpu_write_draw(&writer, 3, 1, 0, 0);
    agpu_write_present(&writer, 0, 0);
    assert_int_equal(host_run(&host, &writer, NULL, 0), AEROGPU_ERROR_BACKEND);
    assert_int_equal(host.first_diag, AGPU_DIAG_GPU_LIMIT);
    assert_int_equal(host_pixel(&host, 0, 0), 0);
    agpu_write_set_shader_resource_buffers(&writer, AGPU_STREAM_STAGE_PIXEL, 0, 1, &last);
    agpu_write_draw(&writer, 3, 1, 0, 0);
    agpu_write_present(&writer, 0, 0);
    host_run_ok(&host, &writer);
    assert_int_equal(host_pixel(&host, 0, 0), 0xFFFFFFFF);
    agpu_write_set_shader_resource_buffers(&writer, AGPU_STREAM_STAGE_PIXEL, 0, 1, &largest);
    agpu_write_draw(&writer, 3, 1, 0, 0);
    agpu_write_present(&writer, 0, 0);
    host_run_ok(&host, &writer);
    assert_int_equal(host_pixel(&host, 0, 0), 0);
    assert_int_equal(host_counters(&host).draws, 2);
    assert_int_equal(host_counters(&host).draws_skipped, 1);
    agpu_writer_fini(&writer);
}

/* The streams behind one that waits for the GPU wait with it; all complete, in order. A reset ends a wait. */
static void waits_in_order(void **state)
{
    (void)state;
    enum { WINDOW = 256, DRAWS = 10000, STREAMS = 3 };
    struct agpu_writer writer = begin(1, 1, window_listing);
    agpu_write_create_buffer(&writer, WINDOWS, AEROGPU_RESOURCE_USAGE_STORAGE, DRAWS * WINDOW, 0, 0);
    agpu_write_bind_shaders(&writer, VERTEX, PIXEL, 0, 0);
    host_run_ok(&host, &writer);
    for (uint32_t times = 0; times < 2; times++) {
        const uint32_t before = host.completed_count;
        for (uint32_t stream = 0; stream < STREAMS; stream++) {
            for (uint32_t i = 0; i < DRAWS; i++) {
                const struct aerogpu_shader_resource_buffer_binding window = {WINDOWS, i * WINDOW, WINDOW, 0};
                agpu_write_set_shader_resource_buffers(&writer, AGPU_STREAM_STAGE_PIXEL, 0, 1, &window);
                agpu_write_draw(&writer, 3, 1, 0, 0);
            }
            host_submit(&host, &writer, NULL, 0);
        }
        if (times == 1)
            break;
        host_wait(&host);
        assert_true(host_counters(&host).streams_paused > 0);
        assert_int_equal(host.completed_count, before + STREAMS);
        assert_int_equal(host.last_completed, STREAMS);
        assert_int_equal(host.last_error, AEROGPU_ERROR_NONE);
        assert_int_equal(host_counters(&host).draws, STREAMS * DRAWS);
    }
    host_reset(&host);
    assert_false(host.executor->poll(host.executor));
    assert_int_equal(host.completed_count, 0);
    agpu_writer_fini(&writer);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(uploads_depths_in_the_middle_of_a_draw, reopen),
        cmocka_unit_test(draws_through_many_geometry_shaders),
        cmocka_unit_test(draws_with_many_constants),
        cmocka_unit_test(binds_many_windows),
        cmocka_unit_test_setup(fetches_much, reopen),
        cmocka_unit_test_setup(copies_within_a_volume, open_with_little_in_flight),
        cmocka_unit_test_setup(refuses_views_of_too_much, reopen),
        cmocka_unit_test(waits_in_order),
    };
    if (argc < 2)
        return 1;
    driver_name = argv[1];
    int opened = host_open(&host, driver_name, NULL);
    if (opened != 0)
        return opened;
    int failed = cmocka_run_group_tests_name("exec/load", tests, NULL, NULL);
    host_close(&host);
    return failed;
}
