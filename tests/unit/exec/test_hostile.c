/* SPDX-License-Identifier: MIT
 *
 * Random well-formed streams: nothing crashes, every submission completes, and WebGPU never has to object:
 * what it would refuse is found before.
 */
#include "../../support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../support/stream_generator.h"
#include "aerogpu/abi/ext.h"
#include "base/bytes.h"
#include "format/formats.h"
#include "host.h"

static struct host host;
static uint64_t first_seed = 1, seed_count = 300;

static void run_checked(struct agpu_writer *writer, uint64_t seed)
{
    const struct aerogpu_alloc_entry allocations[] = {
        {.alloc_id = 1, .gpa = GUEST_BASE,                   .size_bytes = GUEST_BYTES / 2  },
        {.alloc_id = 2, .gpa = GUEST_BASE + GUEST_BYTES / 2, .size_bytes = UINT64_C(1) << 40},
    };
    uint32_t before = host.completed_count;
    uint32_t error = host_run(&host, writer, allocations, 2);
    if (error == AEROGPU_ERROR_INTERNAL)
        print_message("seed %llu: %s\n", (unsigned long long)seed, host.error_message);
    assert_int_not_equal(error, AEROGPU_ERROR_INTERNAL);
    assert_int_equal(host.completed_count, before + 1);
}

static void takes_any_stream(void **state)
{
    (void)state;
    struct agpu_writer writer;
    host_reset(&host);
    agpu_writer_init_growing(&writer, NULL);
    for (uint64_t seed = first_seed; seed < first_seed + seed_count; seed++) {
        const struct stream_generator_options options = {.max_packets = 40};
        size_t size;
        uint8_t *stream = generate_stream(seed, &options, &size);
        assert_non_null(stream);
        agpu_writer_reset(&writer);
        host.raw_stream = stream;
        host.raw_size = ag_load_u32(stream + 8);
        run_checked(&writer, seed);
        free(stream);
        if (seed % 50 == 0)
            host_reset(&host);
    }
    agpu_writer_fini(&writer);
}

/* Sizes around the largest that the device has: lavapipe says 2^32 - 1, which is no number of words. */
static void takes_any_size(void **state)
{
    (void)state;
    struct agpu_writer writer;
    agpu_writer_init_growing(&writer, NULL);
    for (uint64_t size = (UINT64_C(1) << 32) - 3; size <= (UINT64_C(1) << 32) + 4; size++) {
        host_reset(&host);
        const struct aerogpu_cmd_ext_create_buffer create = {
            .buffer_handle = 1, .bind_flags = AEROGPU_EXT_BIND_SHADER_RESOURCE, .size_bytes = size};
        agpu_write_packet(&writer, AEROGPU_CMD_EXT_CREATE_BUFFER, &create, sizeof create, NULL, 0);
        assert_int_equal(host_run(&host, &writer, NULL, 0), AEROGPU_ERROR_BACKEND);
        assert_string_equal(agpu_diag_slug(host.first_diag), "gpu.limit");
    }
    agpu_writer_fini(&writer);
}

/* ---- Streams that make sense more often than not ------------------------------------------------------ */

#define BUFFERS 4  /* handles 1 to 4 */
#define TEXTURES 6 /* handles 5 to 10 */
#define VIEWS 3    /* handles 11 to 13 */
#define SHADERS 5  /* handles 20 to 24 */
#define SAMPLERS 2 /* handles 30, 31 */

static uint32_t pick(struct random_source *random, uint32_t first, uint32_t count)
{
    return random_chance(random, 12) ? random_below(random, 40) : first + random_below(random, count);
}

static uint32_t pick_format(struct random_source *random)
{
    static const uint8_t formats[] = {AEROGPU_FORMAT_B8G8R8A8_UNORM,      AEROGPU_FORMAT_B8G8R8X8_UNORM,
                                      AEROGPU_FORMAT_R8G8B8A8_UNORM,      AEROGPU_FORMAT_R8G8B8X8_UNORM,
                                      AEROGPU_FORMAT_B5G6R5_UNORM,        AEROGPU_FORMAT_B5G5R5A1_UNORM,
                                      AEROGPU_FORMAT_B8G8R8A8_UNORM_SRGB, AEROGPU_FORMAT_B8G8R8X8_UNORM_SRGB,
                                      AEROGPU_FORMAT_R8G8B8A8_UNORM_SRGB, AEROGPU_FORMAT_R8G8B8X8_UNORM_SRGB,
                                      AEROGPU_FORMAT_D24_UNORM_S8_UINT,   AEROGPU_FORMAT_D32_FLOAT,
                                      AEROGPU_FORMAT_BC1_RGBA_UNORM,      AEROGPU_FORMAT_BC2_RGBA_UNORM,
                                      AEROGPU_FORMAT_BC7_RGBA_UNORM_SRGB, AEROGPU_FORMAT_R8G8B8A8_UNORM,
                                      AEROGPU_FORMAT_B8G8R8A8_UNORM};
    return formats[random_below(random, sizeof formats)];
}

static float pick_float(struct random_source *random)
{
    static const float values[] = {0, 1, -1, 0.5f, 16, 64, -8, 100000, 1e30f, -1e30f, 3.7f};
    return values[random_below(random, sizeof values / sizeof values[0])];
}

static void write_objects(struct agpu_writer *writer, struct random_source *random)
{
    for (uint32_t i = 0; i < BUFFERS; i++)
        agpu_write_create_buffer(writer, 1 + i, random_below(random, 256), 4 + 4 * random_below(random, 64),
                                 random_chance(random, 3), 4 * random_below(random, 16));
    for (uint32_t i = 0; i < TEXTURES; i++) {
        const struct aerogpu_cmd_create_texture2d texture = {
            .texture_handle = 5 + i,
            .usage_flags = random_chance(random, 2) ? 8 : 24,
            .format = i == 0   ? AEROGPU_FORMAT_R8G8B8A8_UNORM
                      : i == 1 ? AEROGPU_FORMAT_D24_UNORM_S8_UINT
                               : pick_format(random),
            .width = i < 2 ? 16 : 4u << random_below(random, 3),
            .height = i < 2 ? 16 : 4u << random_below(random, 3),
            .mip_levels = 1 + random_below(random, 3),
            .array_layers = random_chance(random, 3) ? 6 : 1,
            .row_pitch_bytes = 256,
            .backing_alloc_id = random_chance(random, 4),
            .backing_offset_bytes = random_below(random, 4096),
        };
        struct aerogpu_cmd_create_texture2d checked = texture;
        if (checked.format >= AEROGPU_FORMAT_BC1_RGBA_UNORM)
            checked.usage_flags = 8;
        agpu_write_create_texture2d(writer, &checked);
    }
}

static void write_shaders(struct agpu_writer *writer)
{
    const struct aerogpu_input_layout_element_dxgi elements[] = {
        {agpu_semantic_hash("POSITION", 8), 0, AG_DXGI_R32G32_FLOAT,   0, 0,          0, 0},
        {agpu_semantic_hash("TEXCOORD", 8), 0, AG_DXGI_R32G32_FLOAT,   1, UINT32_MAX, 1, 1},
        {agpu_semantic_hash("COLOR",    5), 0, AG_DXGI_R8G8B8A8_UNORM, 0, UINT32_MAX, 0, 0},
    };
    host_create_shader(&host, writer, 20, AGPU_STREAM_STAGE_VERTEX, "demo_ui.vs_4_0.dxbc");
    host_create_shader(&host, writer, 21, AGPU_STREAM_STAGE_PIXEL, "demo_ui.ps_4_0.dxbc");
    host_create_shader(&host, writer, 22, AGPU_STREAM_STAGE_VERTEX, "demo_post.vs_4_0.dxbc");
    host_create_shader(&host, writer, 23, AGPU_STREAM_STAGE_PIXEL, "demo_post.ps_4_0.dxbc");
    agpu_write_create_input_layout_dxgi(writer, 25, elements, 3);
    agpu_write_create_sampler(writer, 30, 0, 0, 1, 2);
    agpu_write_create_sampler(writer, 31, 1, 2, 1, 0);
}

static void write_blend(struct agpu_writer *writer, struct random_source *random)
{
    const struct aerogpu_blend_state blend = {.enable = random_below(random, 2),
                                              .src_factor = random_below(random, 9),
                                              .dst_factor = random_below(random, 9),
                                              .blend_op = random_below(random, 6),
                                              .color_write_mask = 15,
                                              .src_factor_alpha = random_below(random, 9),
                                              .dst_factor_alpha = random_below(random, 9),
                                              .blend_op_alpha = random_below(random, 6),
                                              .sample_mask = ~random_below(random, 3)};
    agpu_write_set_blend_state(writer, &blend);
}

static void write_depth_stencil(struct agpu_writer *writer, struct random_source *random)
{
    const struct aerogpu_depth_stencil_state depth = {random_below(random, 2),
                                                      random_below(random, 2),
                                                      random_below(random, 9),
                                                      random_below(random, 2),
                                                      255,
                                                      15,
                                                      {0}};
    agpu_write_set_depth_stencil_state(writer, &depth);
}

static void write_rasterizer(struct agpu_writer *writer, struct random_source *random)
{
    const struct aerogpu_rasterizer_state raster = {random_below(random, 2),
                                                    random_below(random, 4),
                                                    random_below(random, 2),
                                                    random_below(random, 2),
                                                    (int32_t)random_below(random, 100) - 50,
                                                    random_below(random, 2)};
    agpu_write_set_rasterizer_state(writer, &raster);
}

static void write_viewport(struct agpu_writer *writer, struct random_source *random)
{
    agpu_write_set_viewport(writer, pick_float(random), pick_float(random), pick_float(random),
                            pick_float(random), pick_float(random), pick_float(random));
}

static void write_scissor(struct agpu_writer *writer, struct random_source *random)
{
    agpu_write_set_scissor(writer, (int32_t)random_below(random, 40) - 10,
                           (int32_t)random_below(random, 40) - 10, (int32_t)random_below(random, 40) - 5,
                           (int32_t)random_below(random, 40) - 5);
}

static void write_targets(struct agpu_writer *writer, struct random_source *random)
{
    const uint32_t colors[2] = {pick(random, 5, 2), random_chance(random, 3) ? pick(random, 5, 9) : 0};
    agpu_write_set_render_targets(writer, random_below(random, 3), colors, random_chance(random, 2) ? 6 : 0);
}

static void write_vertex_buffers(struct agpu_writer *writer, struct random_source *random)
{
    const struct aerogpu_vertex_buffer_binding bindings[2] = {
        {pick(random, 1, BUFFERS), 4 * random_below(random, 10), 4 * random_below(random, 80), 0},
        {pick(random, 1, BUFFERS), random_below(random,     40), 4 * random_below(random, 10), 0}
    };
    agpu_write_set_vertex_buffers(writer, 0, 2, bindings);
}

static void write_index_buffer(struct agpu_writer *writer, struct random_source *random)
{
    agpu_write_set_index_buffer(writer, pick(random, 1, BUFFERS), random_below(random, 2),
                                random_below(random, 300));
}

static void write_topology(struct agpu_writer *writer, struct random_source *random)
{
    agpu_write_set_primitive_topology(writer, 1 + random_below(random, 13));
}

static void write_texture(struct agpu_writer *writer, struct random_source *random)
{
    agpu_write_set_texture(writer, AGPU_STREAM_STAGE_PIXEL, random_below(random, 3), pick(random, 5, 9));
}

static void write_constant_buffer(struct agpu_writer *writer, struct random_source *random)
{
    const struct aerogpu_constant_buffer_binding binding = {
        pick(random, 1, BUFFERS), random_below(random, 300), random_below(random, 300), 0};
    agpu_write_set_constant_buffers(
        writer, random_chance(random, 2) ? AGPU_STREAM_STAGE_VERTEX : AGPU_STREAM_STAGE_PIXEL, 0, 1,
        &binding);
}

static void write_samplers(struct agpu_writer *writer, struct random_source *random)
{
    const uint32_t samplers[2] = {30 + random_below(random, 2), 30 + random_below(random, 2)};
    agpu_write_set_samplers(writer, AGPU_STREAM_STAGE_PIXEL, 0, 2, samplers);
}

static void write_pipeline(struct agpu_writer *writer, struct random_source *random)
{
    agpu_write_bind_shaders(writer, random_chance(random, 2) ? 20 : 22, random_chance(random, 2) ? 21 : 23, 0,
                            0);
    agpu_write_set_input_layout(writer, random_chance(random, 8) ? 0 : 25);
}

static void write_state(struct agpu_writer *writer, struct random_source *random)
{
    static void (*const states[])(struct agpu_writer *, struct random_source *) = {
        write_blend,           write_depth_stencil,  write_rasterizer,   write_viewport, write_scissor,
        write_targets,         write_vertex_buffers, write_index_buffer, write_topology, write_texture,
        write_constant_buffer, write_samplers,       write_pipeline,
    };
    states[random_below(random, AG_COUNT_OF(states))](writer, random);
}

static void write_work(struct agpu_writer *writer, struct random_source *random)
{
    uint8_t bytes[256];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)random_bits(random);
    switch (random_below(random, 10)) {
    case 0:
        agpu_write_clear(writer, random_below(random, 8), (const float[4]){pick_float(random), 1, 0, 1},
                         pick_float(random), random_below(random, 300));
        break;
    case 1:
    case 2:
        agpu_write_draw(writer, random_below(random, 12), random_below(random, 3), random_below(random, 20),
                        random_below(random, 3));
        break;
    case 3:
    case 4:
        agpu_write_draw_indexed(writer, random_below(random, 12), random_below(random, 3),
                                random_below(random, 40), (int32_t)random_below(random, 9) - 4,
                                random_below(random, 3));
        break;
    case 5:
        agpu_write_upload_resource(writer, pick(random, 1, BUFFERS), 0, bytes, 4);
        break;
    case 6:
        agpu_write_upload_resource(writer, pick(random, 7, TEXTURES - 2), 256 * random_below(random, 3),
                                   bytes, 16);
        break;
    case 7:
        agpu_write_copy_buffer(writer, pick(random, 1, BUFFERS), 0, pick(random, 1, BUFFERS), 0, 4,
                               random_below(random, 2));
        break;
    case 8: {
        const struct aerogpu_cmd_copy_texture2d copy = {.dst_texture = pick(random, 5, TEXTURES),
                                                        .src_texture = pick(random, 5, TEXTURES),
                                                        .src_mip_level = random_below(random, 2),
                                                        .dst_array_layer = random_below(random, 2),
                                                        .width = 4,
                                                        .height = 4,
                                                        .flags = random_below(random, 2)};
        agpu_write_copy_texture2d(writer, &copy);
        break;
    }
    default:
        agpu_write_present(writer, 0, 0);
        break;
    }
}

static void draws_whatever_is_bound(void **state)
{
    (void)state;
    struct agpu_writer writer;
    host_reset(&host);
    agpu_writer_init_growing(&writer, NULL);
    for (uint64_t seed = first_seed; seed < first_seed + seed_count; seed++) {
        struct random_source random = {seed};
        host_reset(&host);
        write_objects(&writer, &random);
        run_checked(&writer, seed);
        write_shaders(&writer);
        agpu_write_bind_shaders(&writer, 20, 21, 0, 0);
        agpu_write_set_input_layout(&writer, 25);
        const uint32_t target = 5;
        agpu_write_set_render_targets(&writer, 1, &target, 6);
        run_checked(&writer, seed);
        for (uint32_t i = 0; i < 30; i++) {
            for (uint32_t j = random_below(&random, 4); j > 0; j--)
                write_state(&writer, &random);
            write_work(&writer, &random);
            if (random_chance(&random, 3))
                run_checked(&writer, seed);
        }
        run_checked(&writer, seed);
    }
    agpu_writer_fini(&writer);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_any_stream),
        cmocka_unit_test(takes_any_size),
        cmocka_unit_test(draws_whatever_is_bound),
    };
    if (argc < 3)
        return 1;
    if (argc > 4) {
        first_seed = strtoull(argv[3], NULL, 0);
        seed_count = strtoull(argv[4], NULL, 0);
    }
    int opened = host_open(&host, argv[1], argv[2]);
    if (opened != 0)
        return opened;
    int failed = cmocka_run_group_tests_name("exec/hostile", tests, NULL, NULL);
    host_close(&host);
    return failed;
}
