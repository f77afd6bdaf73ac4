/* SPDX-License-Identifier: MIT
 *
 * Draws of whole streams on a software driver: what they bind, fetch and assemble.
 */
#include "../../support/test.h"

#include <string.h>

#include "aerogpu/dxbc.h"
#include "format/formats.h"
#include "gpu/gpu.h"
#include "host.h"

static struct host host;

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
    const enum agpu_driver driver = ag_gpu_driver(host.gpu);
    /* Of 8,192 commands each on lavapipe and of 1,024 on SwiftShader, elsewhere of 4,096 groups. */
    const uint32_t passes = driver == AGPU_DRIVER_LAVAPIPE ? 4 : driver == AGPU_DRIVER_SWIFTSHADER ? 27 : 3;
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
    assert_int_equal(counters.render_passes, passes);
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

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_a_triangle),   cmocka_unit_test(renames_constants),
        cmocka_unit_test(reuses_bind_groups), cmocka_unit_test(reuses_bind_groups_of_fetches),
        cmocka_unit_test(bounds_bind_groups), cmocka_unit_test(reads_past_the_buffer),
        cmocka_unit_test(draws_with_indices), cmocka_unit_test(drops_adjacency),
        cmocka_unit_test(refuses_shaders),
    };
    if (argc < 3)
        return 1;
    int opened = host_open(&host, argv[1], argv[2]);
    if (opened != 0)
        return opened;
    int failed = cmocka_run_group_tests_name("exec/draws", tests, NULL, NULL);
    host_close(&host);
    return failed;
}
