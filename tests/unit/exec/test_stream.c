/* SPDX-License-Identifier: MIT
 *
 * Whole streams on a software driver.
 */
#include "../../support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aerogpu/dxbc.h"
#include "format/formats.h"
#include "gpu/gpu.h"
#include "host.h"

static struct host host;

#define COPY_BACK AEROGPU_COPY_FLAG_WRITEBACK_DST

static struct agpu_writer begin(void)
{
    struct agpu_writer writer;
    host_reset(&host);
    agpu_writer_init_growing(&writer, NULL);
    return writer;
}

static void run_ok(struct agpu_writer *writer)
{
    host_run_ok(&host, writer);
}

/* One texture both compared and read plainly: WGSL has no type for it. */
static const char refused_listing[] = "ps_4_0\n"
                                      ".in SV_Position0 v0.xyzw float position\n"
                                      ".out SV_Target0 o0.xyzw float\n"
                                      "dcl_sampler s1, mode_comparison\n"
                                      "dcl_resource_texture2d (uint,uint,uint,uint) t0\n"
                                      "dcl_output o0.xyzw\n"
                                      "dcl_temps 1\n"
                                      "sample_c_lz r0.x, l(0.5, 0.5, 0.0, 0.0), t0.xxxx, s1, l(0.5)\n"
                                      "mov o0.xyzw, r0.xxxx\n"
                                      "ret\n";

static void clears_and_presents(void **state)
{
    (void)state;
    static const struct {
        uint32_t format;
        uint32_t expected;
    } cases[] = {
        {AEROGPU_FORMAT_R8G8B8A8_UNORM,      0xFF804000},
        {AEROGPU_FORMAT_B8G8R8A8_UNORM,      0xFF804000},
        {AEROGPU_FORMAT_B8G8R8X8_UNORM,      0xFF8040FF},
        {AEROGPU_FORMAT_R8G8B8X8_UNORM,      0xFF8040FF},
        {AEROGPU_FORMAT_B5G6R5_UNORM,        0xFF8040FF},
        {AEROGPU_FORMAT_R8G8B8A8_UNORM_SRGB, 0xFFBC8900},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct agpu_writer writer = begin();
        const uint32_t target = 1;
        host_write_texture(&writer, target, AEROGPU_RESOURCE_USAGE_RENDER_TARGET, cases[i].format, 16, 8);
        agpu_write_set_render_targets(&writer, 1, &target, 0);
        agpu_write_clear(&writer, AEROGPU_CLEAR_COLOR, (const float[4]){1, 128 / 255.0f, 64 / 255.0f, 0}, 1,
                         0);
        agpu_write_present(&writer, 0, 0);
        run_ok(&writer);
        assert_int_equal(host.present_count, 1);
        assert_int_equal(host.present_width, 16);
        assert_int_equal(host.present_height, 8);
        assert_int_equal(host_pixel(&host, 15, 7), cases[i].expected);
        agpu_writer_fini(&writer);
    }
}

/* Three vertices of position, texture coordinate and colour that cover the target. */
static const float full_triangle[] = {
    0, 0, 0, 0, 1, 0, 0, 1, 128, 0, 0, 0, 1, 0, 0, 1, 0, 128, 0, 0, 1, 0, 0, 1,
};

static void write_ui_pipeline(struct agpu_writer *writer, uint32_t target)
{
    const struct aerogpu_input_layout_element_dxgi elements[] = {
        {agpu_semantic_hash("POSITION", 8), 0, AG_DXGI_R32G32_FLOAT,       0, 0,          0, 0},
        {agpu_semantic_hash("TEXCOORD", 8), 0, AG_DXGI_R32G32_FLOAT,       0, UINT32_MAX, 0, 0},
        {agpu_semantic_hash("COLOR",    5), 0, AG_DXGI_R32G32B32A32_FLOAT, 0, UINT32_MAX, 0, 0},
    };
    const float screen[4] = {2.0f / 64, 2.0f / 64, 0, 0};
    const uint8_t white[4] = {255, 255, 255, 255};
    const struct aerogpu_constant_buffer_binding constants = {.buffer = 4, .size_bytes = 16};
    const struct aerogpu_rasterizer_state raster = {.cull_mode = AEROGPU_CULL_NONE};
    const struct aerogpu_depth_stencil_state depth = {0};
    const uint32_t sampler = 6;
    host_create_shader(&host, writer, 2, AGPU_STREAM_STAGE_VERTEX, "demo_ui.vs_4_0.dxbc");
    host_create_shader(&host, writer, 3, AGPU_STREAM_STAGE_PIXEL, "demo_ui.ps_4_0.dxbc");
    agpu_write_create_buffer(writer, 4, AEROGPU_RESOURCE_USAGE_CONSTANT_BUFFER, 16, 0, 0);
    agpu_write_upload_resource(writer, 4, 0, screen, sizeof screen);
    host_write_texture(writer, 5, AEROGPU_RESOURCE_USAGE_TEXTURE, AEROGPU_FORMAT_R8G8B8A8_UNORM, 1, 1);
    agpu_write_upload_resource(writer, 5, 0, white, sizeof white);
    agpu_write_create_sampler(writer, sampler, AEROGPU_SAMPLER_FILTER_NEAREST, 0, 0, 0);
    agpu_write_create_input_layout_dxgi(writer, 7, elements, 3);
    host_write_texture(writer, target, AEROGPU_RESOURCE_USAGE_RENDER_TARGET, AEROGPU_FORMAT_R8G8B8A8_UNORM,
                       64, 64);
    agpu_write_set_render_targets(writer, 1, &target, 0);
    agpu_write_set_rasterizer_state(writer, &raster);
    agpu_write_set_depth_stencil_state(writer, &depth);
    agpu_write_bind_shaders(writer, 2, 3, 0, 0);
    agpu_write_set_input_layout(writer, 7);
    agpu_write_set_constant_buffers(writer, AGPU_STREAM_STAGE_VERTEX, 0, 1, &constants);
    agpu_write_set_texture(writer, AGPU_STREAM_STAGE_PIXEL, 0, 5);
    agpu_write_set_samplers(writer, AGPU_STREAM_STAGE_PIXEL, 0, 1, &sampler);
    agpu_write_set_viewport(writer, 0, 0, 64, 64, 0, 1);
    agpu_write_set_primitive_topology(writer, AEROGPU_TOPOLOGY_TRIANGLELIST);
}

static void write_vertices(struct agpu_writer *writer, uint32_t handle, const void *data, uint32_t size)
{
    const struct aerogpu_vertex_buffer_binding binding = {.buffer = handle, .stride_bytes = 32};
    agpu_write_create_buffer(writer, handle, AEROGPU_RESOURCE_USAGE_VERTEX_BUFFER, size, 0, 0);
    agpu_write_upload_resource(writer, handle, 0, data, size);
    agpu_write_set_vertex_buffers(writer, 0, 1, &binding);
}

static void draws_a_triangle(void **state)
{
    (void)state;
    struct agpu_writer writer = begin();
    struct agpu_counters counters = {0};
    write_ui_pipeline(&writer, 1);
    write_vertices(&writer, 8, full_triangle, sizeof full_triangle);
    agpu_write_clear(&writer, AEROGPU_CLEAR_COLOR, (const float[4]){0, 0, 1, 1}, 1, 0);
    agpu_write_set_scissor(&writer, 8, 8, 16, 16);
    const struct aerogpu_rasterizer_state raster = {.cull_mode = AEROGPU_CULL_NONE, .scissor_enable = 1};
    agpu_write_set_rasterizer_state(&writer, &raster);
    agpu_write_draw(&writer, 3, 1, 0, 0);
    agpu_write_present(&writer, 0, 0);
    run_ok(&writer);
    assert_int_equal(host.diag_count, 0);
    assert_int_equal(host_pixel(&host, 8, 8), 0xFF0000FF);
    assert_int_equal(host_pixel(&host, 23, 23), 0xFF0000FF);
    assert_int_equal(host_pixel(&host, 24, 23), 0x0000FFFF);
    assert_int_equal(host_pixel(&host, 7, 8), 0x0000FFFF);
    host.executor->counters(host.executor, &counters);
    assert_int_equal(counters.draws, 1);
    assert_int_equal(counters.draws_skipped, 0);
    assert_int_equal(counters.pipelines, 1);
    assert_int_equal(counters.render_passes, 1); /* the clear became a load operation */
    agpu_writer_fini(&writer);
}

/* Constants written between draws of one pass: each draw sees its own. */
static void renames_constants(void **state)
{
    (void)state;
    struct agpu_writer writer = begin();
    struct agpu_counters counters = {0};
    write_ui_pipeline(&writer, 1);
    write_vertices(&writer, 8, full_triangle, sizeof full_triangle);
    agpu_write_clear(&writer, AEROGPU_CLEAR_COLOR, (const float[4]){0, 0, 1, 1}, 1, 0);
    agpu_write_draw(&writer, 3, 1, 0, 0);
    const float off_screen[4] = {100, 100, 0, 0}; /* the corner stays, the rest goes far away */
    agpu_write_upload_resource(&writer, 4, 0, off_screen, sizeof off_screen);
    agpu_write_draw(&writer, 3, 1, 0, 0);
    agpu_write_present(&writer, 0, 0);
    run_ok(&writer);
    assert_int_equal(host_pixel(&host, 3, 3), 0xFF0000FF);
    host.executor->counters(host.executor, &counters);
    assert_int_equal(counters.draws, 2);
    assert_int_equal(counters.render_passes, 1);
    assert_int_equal(counters.pipeline_hits, 1);
    agpu_writer_fini(&writer);
}

static uint64_t bind_groups_created(void)
{
    struct agpu_counters counters = {0};
    host.executor->counters(host.executor, &counters);
    return counters.bind_groups_created;
}

/* Frames that bind the same make no groups of their own, whatever their constants are. */
static void reuses_bind_groups(void **state)
{
    (void)state;
    struct agpu_writer writer = begin();
    uint64_t created = 0;
    write_ui_pipeline(&writer, 1);
    write_vertices(&writer, 8, full_triangle, sizeof full_triangle);
    for (uint32_t frame = 0; frame < 72; frame++) {
        agpu_write_clear(&writer, AEROGPU_CLEAR_COLOR, (const float[4]){0, 0, 1, 1}, 1, 0);
        for (uint32_t draw = 0; draw < 10; draw++) {
            const float offset[4] = {2.0f / 64, 2.0f / 64, (float)draw / 64, (float)frame / 64};
            agpu_write_upload_resource(&writer, 4, 0, offset, sizeof offset);
            agpu_write_draw(&writer, 3, 1, 0, 0);
        }
        run_ok(&writer);
        if (frame == 7)
            created = bind_groups_created();
    }
    assert_true(created > 0);
    assert_int_equal(bind_groups_created(), created);
    agpu_writer_fini(&writer);
}

/* A stride of 30 is fetched by a kernel, ahead of the pass: its groups are the same in every draw and frame,
 * and the pass goes on. */
static void reuses_bind_groups_of_fetches(void **state)
{
    (void)state;
    struct agpu_writer writer = begin();
    const struct aerogpu_vertex_buffer_binding binding = {.buffer = 8, .stride_bytes = 30};
    struct agpu_counters counters = {0};
    uint64_t created = 0;
    write_ui_pipeline(&writer, 1);
    write_vertices(&writer, 8, full_triangle, sizeof full_triangle);
    agpu_write_set_vertex_buffers(&writer, 0, 1, &binding);
    for (uint32_t frame = 0; frame < 60; frame++) {
        for (uint32_t draw = 0; draw < 100; draw++)
            agpu_write_draw(&writer, 3, 1, 0, 0);
        run_ok(&writer);
        if (frame == 29)
            created = bind_groups_created();
    }
    assert_true(created > 0 && created < 32);
    assert_int_equal(bind_groups_created(), created);
    host.executor->counters(host.executor, &counters);
    assert_int_equal(counters.draws, 6000);
    assert_int_equal(counters.render_passes, 60);
    agpu_writer_fini(&writer);
}

/* Drivers hold the groups of work in flight; a submission with very many is handed over in parts. */
static void bounds_bind_groups(void **state)
{
    (void)state;
    struct agpu_writer writer = begin();
    struct agpu_counters counters = {0};
    write_ui_pipeline(&writer, 1);
    write_vertices(&writer, 8, full_triangle, sizeof full_triangle);
    for (uint32_t sampler = 100; sampler < 9100; sampler++) {
        agpu_write_create_sampler(&writer, sampler, AEROGPU_SAMPLER_FILTER_NEAREST, 0, 0, 0);
        agpu_write_set_samplers(&writer, AGPU_STREAM_STAGE_PIXEL, 0, 1, &sampler);
        agpu_write_draw(&writer, 3, 1, 0, 0);
    }
    run_ok(&writer);
    host.executor->counters(host.executor, &counters);
    assert_int_equal(counters.draws, 9000);
    assert_int_equal(counters.render_passes, 5); /* 2,048 draws each: each binds with a dynamic offset */
    assert_true(counters.bind_groups_created > 9000);
    assert_true(counters.bind_groups_live < 4096);
    agpu_writer_fini(&writer);
}

/* The last vertex lies past the end of the buffer: it reads 0, which is the corner of the screen. */
static void reads_past_the_buffer(void **state)
{
    (void)state;
    struct agpu_writer writer = begin();
    write_ui_pipeline(&writer, 1);
    write_vertices(&writer, 8, full_triangle, 64);
    agpu_write_clear(&writer, AEROGPU_CLEAR_COLOR, (const float[4]){0, 1, 0, 1}, 1, 0);
    agpu_write_draw(&writer, 3, 1, 0, 0);
    agpu_write_draw(&writer, 6, 1, 3, 0);
    agpu_write_present(&writer, 0, 0);
    run_ok(&writer);
    assert_int_equal(host_pixel(&host, 20, 20), 0x00FF00FF);
    agpu_writer_fini(&writer);
}

static void draws_with_indices(void **state)
{
    (void)state;
    static const struct {
        uint32_t topology, format, count, first, offset, clear;
        const char *what;
    } cases[] = {
        {AEROGPU_TOPOLOGY_TRIANGLELIST,  AEROGPU_INDEX_FORMAT_UINT16, 3, 1, 0,  0, "16 bits from index 1"},
        {AEROGPU_TOPOLOGY_TRIANGLELIST,  AEROGPU_INDEX_FORMAT_UINT16, 3, 0, 2,  0, "16 bits at offset 2" },
        {AEROGPU_TOPOLOGY_TRIANGLELIST,  AEROGPU_INDEX_FORMAT_UINT16, 5, 0, 8,  0, "cut in a list"       },
        {AEROGPU_TOPOLOGY_TRIANGLESTRIP, AEROGPU_INDEX_FORMAT_UINT16, 3, 1, 0,  0, "strip"               },
        {AEROGPU_TOPOLOGY_TRIANGLEFAN,   AEROGPU_INDEX_FORMAT_UINT16, 3, 1, 0,  0, "fan"                 },
        {AEROGPU_TOPOLOGY_TRIANGLELIST,  AEROGPU_INDEX_FORMAT_UINT16, 3, 0, 40, 1,
         "past the end: all index 0"                                                                     },
        {AEROGPU_TOPOLOGY_TRIANGLELIST,  AEROGPU_INDEX_FORMAT_UINT32, 3, 5, 0,  0, "32 bits"             },
    };
    /* 16 bits: 9, 0, 1, 2, then 0, cut, 0, 1, 2; the 32-bit triangle begins at byte 20. */
    static const uint16_t indices[] = {9, 0, 1, 2, 0, 0xFFFF, 0, 1, 2, 0, 0, 0, 1, 0, 2, 0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct agpu_writer writer = begin();
        write_ui_pipeline(&writer, 1);
        write_vertices(&writer, 8, full_triangle, sizeof full_triangle);
        agpu_write_create_buffer(&writer, 9, AEROGPU_RESOURCE_USAGE_INDEX_BUFFER, sizeof indices, 0, 0);
        agpu_write_upload_resource(&writer, 9, 0, indices, sizeof indices);
        agpu_write_set_index_buffer(&writer, 9, cases[i].format, cases[i].offset);
        agpu_write_set_primitive_topology(&writer, cases[i].topology);
        agpu_write_clear(&writer, AEROGPU_CLEAR_COLOR, (const float[4]){0, 0, 1, 1}, 1, 0);
        agpu_write_draw_indexed(&writer, cases[i].count, 1, cases[i].first, 0, 0);
        agpu_write_present(&writer, 0, 0);
        run_ok(&writer);
        print_message("%s\n", cases[i].what);
        assert_int_equal(host.diag_count, 0);
        assert_int_equal(host_pixel(&host, 20, 20), cases[i].clear ? 0x0000FFFF : 0xFF0000FF);
        agpu_writer_fini(&writer);
    }
}

/* Without a geometry shader the neighbours are dropped: vertices 0, 2, 4 make the triangle. */
static void drops_adjacency(void **state)
{
    (void)state;
    static const uint32_t topologies[] = {AEROGPU_TOPOLOGY_TRIANGLELIST_ADJ,
                                          AEROGPU_TOPOLOGY_TRIANGLESTRIP_ADJ};
    float vertices[6 * 8];
    for (uint32_t i = 0; i < 6; i++)
        memcpy(vertices + 8 * (size_t)i, full_triangle + 8 * (size_t)(i / 2), 32);
    for (uint32_t i = 0; i < 3; i++) /* neighbours: nowhere near */
        vertices[8 * (2 * i + 1)] = vertices[8 * (2 * i + 1) + 1] = -1000;
    for (size_t i = 0; i < 2; i++) {
        struct agpu_writer writer = begin();
        write_ui_pipeline(&writer, 1);
        write_vertices(&writer, 8, vertices, sizeof vertices);
        agpu_write_set_primitive_topology(&writer, topologies[i]);
        agpu_write_clear(&writer, AEROGPU_CLEAR_COLOR, (const float[4]){0, 0, 1, 1}, 1, 0);
        agpu_write_draw(&writer, 6, 1, 0, 0);
        agpu_write_present(&writer, 0, 0);
        run_ok(&writer);
        assert_int_equal(host_pixel(&host, 20, 20), 0xFF0000FF);
        assert_int_equal(host.diag_count, 0);
        agpu_write_set_primitive_topology(&writer, AEROGPU_TOPOLOGY_PATCHLIST_3);
        agpu_write_draw(&writer, 6, 1, 0, 0);
        run_ok(&writer); /* skipped with a warning */
        assert_int_equal(host.first_diag, AGPU_DIAG_EXEC_UNDEFINED_DRAW);
        agpu_writer_fini(&writer);
    }
}

static void copies_back_into_guest_memory(void **state)
{
    (void)state;
    struct agpu_writer writer = begin();
    const struct aerogpu_alloc_entry allocations[] = {
        {.alloc_id = 7,                         .gpa = GUEST_BASE,        .size_bytes = 4096},
        { .alloc_id = 8, .flags = AEROGPU_ALLOC_FLAG_READONLY, .gpa = GUEST_BASE + 4096, .size_bytes = 4096},
    };
    for (uint32_t i = 0; i < 64; i++)
        host.guest[4096 + i] = (uint8_t)(i + 1);
    agpu_write_create_buffer(&writer, 1, 0, 64, 7, 256);
    agpu_write_create_buffer(&writer, 2, 0, 64, 8, 0);
    agpu_write_copy_buffer(&writer, 1, 8, 2, 4, 16, COPY_BACK);
    assert_int_equal(host_run(&host, &writer, allocations, 2), AEROGPU_ERROR_NONE);
    for (uint32_t i = 0; i < 64; i++)
        assert_int_equal(host.guest[256 + i], i >= 8 && i < 24 ? i - 8 + 4 + 1 : 0);

    /* What the guest changes is seen once it says so. */
    host.guest[4096 + 4] = 99;
    agpu_write_copy_buffer(&writer, 1, 0, 2, 4, 4, COPY_BACK);
    assert_int_equal(host_run(&host, &writer, allocations, 2), AEROGPU_ERROR_NONE);
    assert_int_equal(host.guest[256], 5);
    agpu_write_resource_dirty_range(&writer, 2, 4, 1);
    agpu_write_copy_buffer(&writer, 1, 0, 2, 4, 4, COPY_BACK);
    assert_int_equal(host_run(&host, &writer, allocations, 2), AEROGPU_ERROR_NONE);
    assert_int_equal(host.guest[256], 99);

    agpu_write_copy_buffer(&writer, 2, 0, 1, 0, 4, COPY_BACK);
    assert_int_equal(host_run(&host, &writer, allocations, 2), AEROGPU_ERROR_BACKEND);
    assert_int_equal(host.first_diag, AGPU_DIAG_EXEC_ALLOCATION);
    agpu_writer_fini(&writer);
}

static void copies_textures_of_every_kind(void **state)
{
    (void)state;
    static const struct {
        uint32_t format, bytes, block;
    } cases[] = {
        {AEROGPU_FORMAT_R8G8B8A8_UNORM,      4,  1},
        {AEROGPU_FORMAT_B8G8R8A8_UNORM_SRGB, 4,  1},
        {AEROGPU_FORMAT_B8G8R8X8_UNORM,      4,  1},
        {AEROGPU_FORMAT_B5G6R5_UNORM,        2,  1},
        {AEROGPU_FORMAT_B5G5R5A1_UNORM,      2,  1},
        {AEROGPU_FORMAT_BC1_RGBA_UNORM,      8,  4},
        {AEROGPU_FORMAT_BC7_RGBA_UNORM,      16, 4},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct agpu_writer writer = begin();
        const struct aerogpu_alloc_entry allocation = {.alloc_id = 7, .gpa = GUEST_BASE, .size_bytes = 8192};
        const uint32_t units = 16 / cases[c].block, pitch = units * cases[c].bytes + 12;
        struct aerogpu_cmd_create_texture2d texture = {
            .texture_handle = 1,
            .usage_flags = AEROGPU_RESOURCE_USAGE_TEXTURE,
            .format = cases[c].format,
            .width = 16,
            .height = 16,
            .mip_levels = 2,
            .array_layers = 1,
            .row_pitch_bytes = pitch,
            .backing_alloc_id = 7,
        };
        for (uint32_t i = 0; i < 4096; i++)
            host.guest[i] = (uint8_t)(i * 7 + 3);
        agpu_write_create_texture2d(&writer, &texture);
        texture.texture_handle = 2;
        texture.backing_offset_bytes = 4096;
        agpu_write_create_texture2d(&writer, &texture);
        const struct aerogpu_cmd_copy_texture2d copy = {.dst_texture = 2,
                                                        .src_texture = 1,
                                                        .src_x = 4,
                                                        .src_y = 8,
                                                        .dst_x = 8,
                                                        .width = 8,
                                                        .height = 4,
                                                        .flags = COPY_BACK};
        agpu_write_copy_texture2d(&writer, &copy);
        assert_int_equal(host_run(&host, &writer, &allocation, 1), AEROGPU_ERROR_NONE);
        for (uint32_t y = 0; y < 4 / cases[c].block; y++) {
            const uint8_t *from =
                host.guest + (8 / cases[c].block + y) * pitch + 4 / cases[c].block * cases[c].bytes;
            const uint8_t *to = host.guest + 4096 + y * pitch + 8 / cases[c].block * cases[c].bytes;
            for (uint32_t i = 0; i < 8 / cases[c].block * cases[c].bytes; i++) {
                bool unused = cases[c].format == AEROGPU_FORMAT_B8G8R8X8_UNORM && i % 4 == 3;
                assert_int_equal(to[i], unused ? 255 : from[i]);
            }
        }
        assert_int_equal(host.guest[4096], 0); /* only the copied bytes are written */
        agpu_writer_fini(&writer);
    }
}

static void uploads_in_stream_order(void **state)
{
    (void)state;
    struct agpu_writer writer = begin();
    const struct aerogpu_alloc_entry allocation = {.alloc_id = 7, .gpa = GUEST_BASE, .size_bytes = 4096};
    const uint32_t one = 1, two = 2;
    agpu_write_create_buffer(&writer, 1, 0, 65540, 0, 0); /* large enough to have no CPU copy */
    agpu_write_create_buffer(&writer, 2, 0, 8, 7, 0);
    agpu_write_upload_resource(&writer, 1, 0, &one, 4);
    agpu_write_copy_buffer(&writer, 2, 0, 1, 0, 4, COPY_BACK);
    agpu_write_upload_resource(&writer, 1, 0, &two, 4);
    agpu_write_copy_buffer(&writer, 2, 4, 1, 0, 4, COPY_BACK);
    assert_int_equal(host_run(&host, &writer, &allocation, 1), AEROGPU_ERROR_NONE);
    assert_int_equal(host.guest[0], 1);
    assert_int_equal(host.guest[4], 2);
    agpu_writer_fini(&writer);
}

static void stops_at_errors(void **state)
{
    (void)state;
    struct agpu_writer writer = begin();
    const struct aerogpu_alloc_entry allocation = {.alloc_id = 7, .gpa = GUEST_BASE, .size_bytes = 4096};
    const uint32_t value = 0x01010101;
    agpu_write_create_buffer(&writer, 1, 0, 64, 7, 0);
    agpu_write_create_buffer(&writer, 2, 0, 64, 0, 0);
    agpu_write_upload_resource(&writer, 2, 0, &value, 4);
    agpu_write_copy_buffer(&writer, 1, 0, 2, 0, 4, COPY_BACK);
    agpu_write_copy_buffer(&writer, 1, 0, 99, 0, 4, 0); /* no such buffer */
    agpu_write_destroy_resource(&writer, 1);
    assert_int_equal(host_run(&host, &writer, &allocation, 1), AEROGPU_ERROR_BACKEND);
    assert_int_equal(host.first_diag, AGPU_DIAG_EXEC_HANDLE);
    assert_int_equal(host.first_packet, 4);
    assert_int_equal(host.guest[0], 0); /* the write-back is dropped */

    /* Earlier effects stay, later packets did not run, the next submission works. */
    agpu_write_copy_buffer(&writer, 1, 0, 2, 0, 4, COPY_BACK);
    assert_int_equal(host_run(&host, &writer, &allocation, 1), AEROGPU_ERROR_NONE);
    assert_int_equal(host.guest[0], 1);
    assert_int_equal(host.completed_count, 2);

    agpu_write_upload_resource(&writer, 2, 64, &value, 4);
    assert_int_equal(host_run(&host, &writer, NULL, 0), AEROGPU_ERROR_BACKEND);
    assert_int_equal(host.first_diag, AGPU_DIAG_EXEC_RANGE);
    agpu_write_create_buffer(&writer, 3, 0, 6, 0, 0);
    assert_int_equal(host_run(&host, &writer, NULL, 0), AEROGPU_ERROR_BACKEND);
    agpu_write_draw(&writer, 3, 1, 0, 0);
    assert_int_equal(host_run(&host, &writer, NULL, 0), AEROGPU_ERROR_BACKEND);
    agpu_write_create_shader_dxbc(&writer, 5, AGPU_STREAM_STAGE_VERTEX, "not a shader", 12);
    assert_int_equal(host_run(&host, &writer, NULL, 0), AEROGPU_ERROR_BACKEND);
    assert_int_equal(host.completed_count, 6);
    agpu_writer_fini(&writer);
}

/* A shader that cannot be expressed: an error, but the stream goes on; draws with it are skipped. */
static void refuses_shaders(void **state)
{
    (void)state;
    struct agpu_writer writer = begin();
    struct agpu_counters counters = {0};
    write_ui_pipeline(&writer, 1);
    write_vertices(&writer, 8, full_triangle, sizeof full_triangle);
    run_ok(&writer);
    host_assemble_shader(&writer, 20, AGPU_STREAM_STAGE_PIXEL, refused_listing);
    agpu_write_clear(&writer, AEROGPU_CLEAR_COLOR, (const float[4]){1, 1, 1, 1}, 1, 0);
    agpu_write_present(&writer, 0, 0);
    assert_int_equal(host_run(&host, &writer, NULL, 0), AEROGPU_ERROR_BACKEND);
    assert_int_equal(host.present_count, 1);
    agpu_write_bind_shaders(&writer, 2, 20, 0, 0);
    agpu_write_draw(&writer, 3, 1, 0, 0);
    agpu_write_draw(&writer, 3, 1, 0, 0);
    agpu_write_present(&writer, 0, 0);
    assert_int_equal(host_run(&host, &writer, NULL, 0), AEROGPU_ERROR_BACKEND);
    assert_int_equal(host.first_diag, AGPU_DIAG_EXEC_REFUSED_OBJECT);
    assert_int_equal(host.diag_count, 1); /* once per submission */
    assert_int_equal(host.present_count, 2);
    assert_int_equal(host_pixel(&host, 4, 4), 0xFFFFFFFF);
    host.executor->counters(host.executor, &counters);
    assert_int_equal(counters.draws_skipped, 2);
    agpu_writer_fini(&writer);
}

/* Each context has bindings of its own; objects are everyone's. */
static void keeps_contexts_apart(void **state)
{
    (void)state;
    struct agpu_writer writer = begin();
    const uint32_t first = 1, second = 2;
    host_write_texture(&writer, first, AEROGPU_RESOURCE_USAGE_RENDER_TARGET, AEROGPU_FORMAT_R8G8B8A8_UNORM, 4,
                       4);
    host_write_texture(&writer, second, AEROGPU_RESOURCE_USAGE_RENDER_TARGET, AEROGPU_FORMAT_R8G8B8A8_UNORM,
                       8, 8);
    agpu_write_set_render_targets(&writer, 1, &first, 0);
    agpu_write_clear(&writer, AEROGPU_CLEAR_COLOR, (const float[4]){1, 0, 0, 1}, 1, 0);
    run_ok(&writer);
    host.context_id = 2;
    agpu_write_set_render_targets(&writer, 1, &second, 0);
    agpu_write_present(&writer, 0, 0);
    run_ok(&writer);
    assert_int_equal(host.present_width, 8);
    host.context_id = 1;
    agpu_write_present(&writer, 0, 0);
    run_ok(&writer);
    assert_int_equal(host.present_width, 4);
    assert_int_equal(host_pixel(&host, 0, 0), 0xFF0000FF);
    agpu_writer_fini(&writer);
}

/* No packet ends a context, so there are 1024 at most, until the device is reset (decision A37). */
static void bounds_contexts(void **state)
{
    (void)state;
    struct agpu_writer writer = begin();
    for (uint32_t id = 1; id <= 1024; id++) {
        host.context_id = id;
        run_ok(&writer);
    }
    host.context_id = 1025;
    assert_int_equal(host_run(&host, &writer, NULL, 0), AEROGPU_ERROR_BACKEND);
    assert_int_equal(host.first_diag, AGPU_DIAG_EXEC_ARGUMENT);
    host_reset(&host);
    host.context_id = 1025;
    run_ok(&writer);
    agpu_writer_fini(&writer);
}

/* Draws that differ in their targets' layer: a clear of one does not touch the other. */
static void clears_views(void **state)
{
    (void)state;
    struct agpu_writer writer = begin();
    const struct aerogpu_cmd_create_texture2d texture = {
        .texture_handle = 1,
        .usage_flags = AEROGPU_RESOURCE_USAGE_RENDER_TARGET | AEROGPU_RESOURCE_USAGE_TEXTURE,
        .format = AEROGPU_FORMAT_B8G8R8X8_UNORM,
        .width = 8,
        .height = 8,
        .mip_levels = 2,
        .array_layers = 2,
    };
    const struct aerogpu_cmd_create_texture_view view = {
        .view_handle = 2,
        .texture_handle = 1,
        .format = AEROGPU_FORMAT_B8G8R8X8_UNORM_SRGB,
        .base_mip_level = 1,
        .mip_level_count = 1,
        .base_array_layer = 1,
        .array_layer_count = 1,
    };
    const uint32_t view_handle = 2, whole = 1;
    agpu_write_create_texture2d(&writer, &texture);
    agpu_write_create_texture_view(&writer, &view);
    agpu_write_set_render_targets(&writer, 1, &view_handle, 0);
    agpu_write_clear(&writer, AEROGPU_CLEAR_COLOR, (const float[4]){1, 1, 0, 0}, 1, 0);
    agpu_write_present(&writer, 0, 0);
    run_ok(&writer);
    assert_int_equal(host.present_width, 4);
    assert_int_equal(host_pixel(&host, 3, 3), 0xFFFF00FF);
    agpu_write_set_render_targets(&writer, 1, &whole, 0);
    agpu_write_present(&writer, 0, 0);
    run_ok(&writer);
    assert_int_equal(host.present_width, 8);
    assert_int_equal(host_pixel(&host, 3, 3), 0x000000FF); /* never written, and opaque all the same */
    agpu_write_destroy_resource(&writer, 1);
    agpu_write_present(&writer, 0, 0);
    run_ok(&writer);
    assert_int_equal(host.present_count, 2); /* the target died with its texture */
    agpu_writer_fini(&writer);
}

static void shares_surfaces(void **state)
{
    (void)state;
    struct agpu_writer writer = begin();
    const uint32_t alias = 2;
    host_write_texture(&writer, 1, AEROGPU_RESOURCE_USAGE_RENDER_TARGET, AEROGPU_FORMAT_R8G8B8A8_UNORM, 4, 4);
    agpu_write_export_shared_surface(&writer, 1, 55);
    agpu_write_import_shared_surface(&writer, alias, 55);
    agpu_write_destroy_resource(&writer, 1);
    agpu_write_set_render_targets(&writer, 1, &alias, 0);
    agpu_write_clear(&writer, AEROGPU_CLEAR_COLOR, (const float[4]){1, 1, 0, 1}, 1, 0);
    agpu_write_present(&writer, 0, 0);
    run_ok(&writer);
    assert_int_equal(host_pixel(&host, 0, 0), 0xFFFF00FF);
    host_write_texture(&writer, 1, AEROGPU_RESOURCE_USAGE_RENDER_TARGET, AEROGPU_FORMAT_R8G8B8A8_UNORM, 4, 4);
    assert_int_equal(host_run(&host, &writer, NULL, 0), AEROGPU_ERROR_BACKEND); /* reserved by the alias */
    agpu_write_destroy_resource(&writer, alias);
    host_write_texture(&writer, 1, AEROGPU_RESOURCE_USAGE_RENDER_TARGET, AEROGPU_FORMAT_R8G8B8A8_UNORM, 4, 4);
    run_ok(&writer);
    agpu_write_import_shared_surface(&writer, 3, 55);
    assert_int_equal(host_run(&host, &writer, NULL, 0), AEROGPU_ERROR_BACKEND); /* retired with the texture */
    agpu_write_export_shared_surface(&writer, 1, 55);
    assert_int_equal(host_run(&host, &writer, NULL, 0), AEROGPU_ERROR_BACKEND);
    agpu_write_release_shared_surface(&writer, 1234); /* unknown: nothing happens, and it stays usable */
    agpu_write_export_shared_surface(&writer, 1, 1234);
    run_ok(&writer);
    agpu_writer_fini(&writer);
}

static void completes_in_order_and_resets(void **state)
{
    (void)state;
    struct agpu_writer writer = begin();
    const uint32_t target = 1;
    host_write_texture(&writer, target, AEROGPU_RESOURCE_USAGE_RENDER_TARGET, AEROGPU_FORMAT_R8G8B8A8_UNORM,
                       256, 256);
    agpu_write_set_render_targets(&writer, 1, &target, 0);
    for (uint32_t i = 0; i < 5; i++) {
        agpu_write_clear(&writer, AEROGPU_CLEAR_COLOR, (const float[4]){(float)i / 255, 0, 0, 1}, 1, 0);
        agpu_write_present(&writer, 0, 0);
        host_submit(&host, &writer, NULL, 0);
    }
    host_wait(&host);
    assert_int_equal(host.completed_count, 5);
    assert_int_equal(host.last_completed, 4);
    assert_int_equal(host.present_count, 5);
    assert_int_equal(host_pixel(&host, 0, 0), 0x040000FF);
    agpu_write_present(&writer, 0, 0);
    host_submit(&host, &writer, NULL, 0);
    host_reset(&host);
    host_wait(&host);
    assert_int_equal(host.completed_count, 0);
    assert_int_equal(host.present_count, 0);
    host_write_texture(&writer, target, AEROGPU_RESOURCE_USAGE_RENDER_TARGET, AEROGPU_FORMAT_B5G6R5_UNORM, 4,
                       4);
    run_ok(&writer); /* the handle is free again */
    agpu_writer_fini(&writer);
}

/* What was in flight and what comes later completes with an error; after a reset all works again. */
static void survives_the_loss_of_the_device(void **state)
{
    (void)state;
    struct agpu_writer writer = begin();
    const uint32_t target = 1;
    host_write_texture(&writer, target, AEROGPU_RESOURCE_USAGE_RENDER_TARGET, AEROGPU_FORMAT_R8G8B8A8_UNORM,
                       64, 64);
    agpu_write_set_render_targets(&writer, 1, &target, 0);
    run_ok(&writer);
    agpu_write_clear(&writer, AEROGPU_CLEAR_COLOR, (const float[4]){1, 0, 0, 1}, 1, 0);
    agpu_write_present(&writer, 0, 0);
    host_submit(&host, &writer, NULL, 0);
    wgpuDeviceForceLoss(ag_gpu_device(host.gpu), WGPUDeviceLostReason_Unknown, ag_webgpu_string("a test"));
    host_wait(&host);
    assert_int_equal(host.completed_count, 2);
    agpu_write_clear(&writer, AEROGPU_CLEAR_COLOR, (const float[4]){1, 0, 0, 1}, 1, 0);
    agpu_write_present(&writer, 0, 0);
    assert_int_equal(host_run(&host, &writer, NULL, 0), AEROGPU_ERROR_BACKEND);
    assert_int_equal(host.first_diag, AGPU_DIAG_GPU_LOST);
    assert_int_equal(host.completed_count, 3);
    for (uint32_t times = 0; times < 2; times++) {
        host_reset(&host);
        host_write_texture(&writer, target, AEROGPU_RESOURCE_USAGE_RENDER_TARGET,
                           AEROGPU_FORMAT_R8G8B8A8_UNORM, 64, 64);
        agpu_write_set_render_targets(&writer, 1, &target, 0);
        agpu_write_clear(&writer, AEROGPU_CLEAR_COLOR, (const float[4]){0, 1, 0, 1}, 1, 0);
        agpu_write_present(&writer, 0, 0);
        run_ok(&writer);
        assert_int_equal(host_pixel(&host, 0, 0), 0x00FF00FF);
        wgpuDeviceForceLoss(ag_gpu_device(host.gpu), WGPUDeviceLostReason_Unknown,
                            ag_webgpu_string("another test"));
    }
    host_reset(&host);
    agpu_writer_fini(&writer);
    writer = begin();
    agpu_writer_fini(&writer);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clears_and_presents),
        cmocka_unit_test(draws_a_triangle),
        cmocka_unit_test(renames_constants),
        cmocka_unit_test(reuses_bind_groups),
        cmocka_unit_test(reuses_bind_groups_of_fetches),
        cmocka_unit_test(bounds_bind_groups),
        cmocka_unit_test(reads_past_the_buffer),
        cmocka_unit_test(draws_with_indices),
        cmocka_unit_test(drops_adjacency),
        cmocka_unit_test(copies_back_into_guest_memory),
        cmocka_unit_test(copies_textures_of_every_kind),
        cmocka_unit_test(uploads_in_stream_order),
        cmocka_unit_test(stops_at_errors),
        cmocka_unit_test(refuses_shaders),
        cmocka_unit_test(keeps_contexts_apart),
        cmocka_unit_test(bounds_contexts),
        cmocka_unit_test(clears_views),
        cmocka_unit_test(shares_surfaces),
        cmocka_unit_test(completes_in_order_and_resets),
        cmocka_unit_test(survives_the_loss_of_the_device),
    };
    if (argc < 3)
        return 1;
    int opened = host_open(&host, argv[1], argv[2]);
    if (opened != 0)
        return opened;
    int failed = cmocka_run_group_tests_name("exec/stream", tests, NULL, NULL);
    host_close(&host);
    return failed;
}
