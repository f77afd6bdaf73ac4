/* SPDX-License-Identifier: MIT
 *
 * The driver's draws on a software GPU: what they show, and which bytes of mapped buffers they see.
 */
#include <string.h>

#include "rig.h"
#include "tests/support/test.h"

#define TRIANGLELIST 4u
#define POINTLIST 1u

static struct rig rig;

/* What all tests draw with. */
static struct umd_shader *vs, *positions, *ps, *constant_ps;

static void begin(uint64_t memory_bytes)
{
    rig_begin(&rig, memory_bytes);
    vs = rig_shader(&rig, UMD_STAGE_VERTEX, full_screen_vs);
    positions = rig_shader(&rig, UMD_STAGE_VERTEX, position_vs);
    ps = rig_shader(&rig, UMD_STAGE_PIXEL, white_ps);
    constant_ps = rig_shader(&rig, UMD_STAGE_PIXEL, constant_color_ps);
}

static void end(struct rig_target *target)
{
    umd_clear_state(rig.context);
    rig_free_target(&rig, target);
    umd_destroy_shader(rig.device, vs);
    umd_destroy_shader(rig.device, positions);
    umd_destroy_shader(rig.device, ps);
    umd_destroy_shader(rig.device, constant_ps);
    rig_end(&rig);
}

static void bind(struct umd_context *context, struct umd_shader *vertex, struct umd_shader *pixel,
                 uint32_t topology)
{
    umd_set_shader(context, UMD_STAGE_VERTEX, vertex, NULL, 0);
    umd_set_shader(context, UMD_STAGE_PIXEL, pixel, NULL, 0);
    umd_ia_set_topology(context, topology);
}

static struct umd_input_layout *bind_layout(void)
{
    const struct aerogpu_ext_input_element element = {.format = R32G32B32A32_FLOAT};
    struct umd_input_layout *layout;
    assert_int_equal(umd_create_input_layout(rig.device, &element, 1, &layout), UMD_OK);
    umd_ia_set_input_layout(rig.context, layout);
    return layout;
}

static void bind_vertices(struct umd_resource *buffer)
{
    const uint32_t stride = 16, offset = 0;
    umd_ia_set_vertex_buffers(rig.context, 0, 1, &buffer, &stride, &offset);
}

/* Where a point has to be for texel (x, y) of a target of 16 by 16. */
static void put_point(float vertex[4], uint32_t x, uint32_t y)
{
    vertex[0] = ((float)x + 0.5f) / 8 - 1;
    vertex[1] = 1 - ((float)y + 0.5f) / 8;
    vertex[2] = 0;
    vertex[3] = 1;
}

static void a_triangle_is_shown(void **state)
{
    (void)state;
    static const float vertices[3][4] = {
        {-1, 1,  0, 1},
        {1,  1,  0, 1},
        {-1, -1, 0, 1}
    };
    begin(0);
    struct rig_target target = rig_target(&rig, rig.context, 16, 16, 1);
    struct umd_resource *buffer =
        rig_buffer(&rig, sizeof vertices, UMD_USAGE_IMMUTABLE, AEROGPU_EXT_BIND_VERTEX_BUFFER, vertices);
    struct umd_input_layout *layout = bind_layout();
    bind(rig.context, positions, ps, TRIANGLELIST);
    bind_vertices(buffer);
    umd_draw(rig.context, 3, 1, 0, 0);
    assert_int_equal(rig_texel(&rig, target.texture, 0, 0), 0xFFFFFFFF);
    assert_int_equal(rig_texel(&rig, target.texture, 3, 3), 0xFFFFFFFF);
    assert_int_equal(rig_texel(&rig, target.texture, 15, 15), BLACK);
    struct umd_picture *picture;
    const struct umd_present present = {.texture = target.texture, .swap_chain = 3, .picture = &picture};
    uint64_t fence;
    assert_int_equal(umd_present(rig.context, &present, &fence), UMD_OK);
    assert_int_equal(umd_wait_for_fence(rig.device, fence, UINT64_MAX), UMD_OK);
    assert_int_equal(rig.present_count, 1);
    assert_int_equal(rig.present_width, 16);
    assert_int_equal(rig.present_swap_chain, 3);
    assert_int_equal(rig.present_texel[1], 255);
    assert_int_equal(picture->width, 16);
    assert_true(picture->fence <= fence);
    assert_int_equal(picture->pixels[0], 255);
    assert_int_equal(picture->pixels[(15 * 16 + 15) * 4], 0);
    umd_release_picture(rig.device, picture);
    /* What was bound is bound still. */
    umd_clear_render_target_view(rig.context, target.view, (const float[4]){0, 0, 0, 1}, 0, NULL);
    umd_draw(rig.context, 3, 1, 0, 0);
    assert_int_equal(rig_texel(&rig, target.texture, 0, 0), 0xFFFFFFFF);
    umd_destroy_input_layout(rig.device, layout);
    umd_destroy_resource(rig.device, buffer);
    end(&target);
}

/* Each draw sees the constants that were mapped before it, though all are in flight together. */
static void constants_are_renamed(void **state)
{
    (void)state;
    begin(8 << 20);
    struct rig_target target = rig_target(&rig, rig.context, 16, 16, 1);
    struct umd_resource *constants =
        rig_buffer(&rig, 1024, UMD_USAGE_DYNAMIC, AEROGPU_EXT_BIND_CONSTANT_BUFFER, NULL);
    bind(rig.context, vs, constant_ps, TRIANGLELIST);
    umd_set_constant_buffers(rig.context, UMD_STAGE_PIXEL, 0, 1, &constants, NULL, NULL);
    struct umd_rasterizer_state *scissored;
    const struct umd_rasterizer_desc desc = {.fill_mode = AEROGPU_EXT_FILL_SOLID,
                                             .cull_mode = AEROGPU_EXT_CULL_NONE,
                                             .depth_clip_enable = 1,
                                             .scissor_enable = 1};
    assert_int_equal(umd_create_rasterizer_state(rig.device, &desc, &scissored), UMD_OK);
    umd_set_rasterizer_state(rig.context, scissored);
    for (int32_t i = 0; i < 2560; i++) {
        const float color[4] = {(float)(i % 256) / 255, (float)(i / 256) / 255, 1, 1};
        const struct aerogpu_ext_rect rect = {i % 16, i / 16 % 16, i % 16 + 1, i / 16 % 16 + 1};
        rig_write(rig.context, constants, UMD_MAP_WRITE_DISCARD, 0, color, sizeof color);
        umd_set_scissor_rects(rig.context, 1, &rect);
        umd_draw(rig.context, 3, 1, 0, 0);
    }
    for (uint32_t i = 0; i < 256; i += 37)
        assert_int_equal(rig_texel(&rig, target.texture, i % 16, i / 16), 0xFFFF0000 | 9 << 8 | i);
    umd_destroy_rasterizer_state(rig.device, scissored);
    umd_destroy_resource(rig.device, constants);
    end(&target);
}

/* A buffer as programs fill it that append: one map for each draw, and a new buffer when it is full. */
static void vertices_are_appended(void **state)
{
    (void)state;
    const uint32_t capacity = 1024;
    begin(0);
    struct rig_target target = rig_target(&rig, rig.context, 16, 16, 1);
    struct umd_resource *buffer =
        rig_buffer(&rig, capacity * 16, UMD_USAGE_DYNAMIC, AEROGPU_EXT_BIND_VERTEX_BUFFER, NULL);
    struct umd_input_layout *layout = bind_layout();
    bind(rig.context, positions, ps, POINTLIST);
    bind_vertices(buffer);
    uint32_t at = 0;
    for (uint32_t i = 0; i < 128; i++) {
        float vertices[16][4];
        /* Every second texel, one each time: the others repeat the first. */
        for (uint32_t k = 0; k < 16; k++)
            put_point(vertices[k], i % 8 * 2, i / 8);
        rig_write(rig.context, buffer, at == 0 ? UMD_MAP_WRITE_DISCARD : UMD_MAP_WRITE_NO_OVERWRITE, at * 16,
                  vertices, sizeof vertices);
        umd_draw(rig.context, 16, 1, at, 0);
        at = (at + 16) % capacity;
    }
    for (uint32_t y = 0; y < 16; y += 5)
        for (uint32_t x = 0; x < 16; x++)
            assert_int_equal(rig_texel(&rig, target.texture, x, y), x % 2 == 0 ? 0xFFFFFFFF : BLACK);
    umd_destroy_input_layout(rig.device, layout);
    umd_destroy_resource(rig.device, buffer);
    end(&target);
}

/* Bytes that were written one map before are there for later draws, with others in between. */
static void draws_see_older_bytes(void **state)
{
    (void)state;
    begin(0);
    struct rig_target target = rig_target(&rig, rig.context, 16, 16, 1);
    float vertices[1024][4];
    for (uint32_t i = 0; i < 1024; i++)
        put_point(vertices[i], i % 16, i / 16 % 16);
    struct umd_resource *buffer =
        rig_buffer(&rig, sizeof vertices, UMD_USAGE_DYNAMIC, AEROGPU_EXT_BIND_VERTEX_BUFFER, vertices);
    struct umd_input_layout *layout = bind_layout();
    bind(rig.context, positions, ps, POINTLIST);
    bind_vertices(buffer);
    /* The bytes of the creation, and one vertex in their middle that is new. */
    put_point(vertices[0], 9, 3);
    rig_write(rig.context, buffer, UMD_MAP_WRITE_NO_OVERWRITE, 100 * 16, vertices[0], 16);
    umd_draw(rig.context, 3, 1, 99, 0);
    assert_int_equal(rig_texel(&rig, target.texture, 3, 6), 0xFFFFFFFF);
    assert_int_equal(rig_texel(&rig, target.texture, 4, 6), BLACK);
    assert_int_equal(rig_texel(&rig, target.texture, 9, 3), 0xFFFFFFFF);
    assert_int_equal(rig_texel(&rig, target.texture, 5, 6), 0xFFFFFFFF);
    /* A copy reads what no draw has read. */
    put_point(vertices[1], 1, 2);
    rig_write(rig.context, buffer, UMD_MAP_WRITE_NO_OVERWRITE, 900 * 16, vertices[1], 16);
    float copied[901][4];
    rig_read_buffer(&rig, buffer, copied, sizeof copied);
    assert_memory_equal(copied[900], vertices[1], 16);
    assert_memory_equal(copied[100], vertices[0], 16);
    assert_memory_equal(copied[899], vertices[899], 16);
    umd_destroy_input_layout(rig.device, layout);
    umd_destroy_resource(rig.device, buffer);
    end(&target);
}

static void bind_indices(struct umd_resource *buffer, uint32_t format)
{
    umd_ia_set_index_buffer(rig.context, buffer, format, 0);
}

/* Indices that the CPU has say which vertices are read; of others all are. */
static void indexed_draws_see_their_vertices(void **state)
{
    (void)state;
    begin(0);
    struct rig_target target = rig_target(&rig, rig.context, 16, 16, 1);
    float points[256][4];
    uint16_t indices[8192] = {0};
    for (uint32_t i = 0; i < 256; i++)
        put_point(points[i], i % 16, i / 16);
    for (uint32_t i = 0; i < 16; i++)
        indices[1000 + i] = (uint16_t)(i + 3);
    struct umd_resource *vertices =
        rig_buffer(&rig, 4096 * 16, UMD_USAGE_DYNAMIC, AEROGPU_EXT_BIND_VERTEX_BUFFER, NULL);
    struct umd_resource *dynamic =
        rig_buffer(&rig, sizeof indices, UMD_USAGE_DYNAMIC, AEROGPU_EXT_BIND_INDEX_BUFFER, NULL);
    struct umd_resource *fixed =
        rig_buffer(&rig, sizeof indices, UMD_USAGE_IMMUTABLE, AEROGPU_EXT_BIND_INDEX_BUFFER, indices);
    struct umd_input_layout *layout = bind_layout();
    bind(rig.context, positions, ps, POINTLIST);
    bind_vertices(vertices);
    rig_write(rig.context, vertices, UMD_MAP_WRITE_DISCARD, 2000 * 16, points, sizeof points);
    rig_write(rig.context, dynamic, UMD_MAP_WRITE_DISCARD, 0, indices, sizeof indices);
    bind_indices(dynamic, R16_UINT);
    umd_draw_indexed(rig.context, 16, 1, 1000, 2000, 0);
    assert_int_equal(rig_texel(&rig, target.texture, 2, 0), BLACK);
    assert_int_equal(rig_texel(&rig, target.texture, 3, 0), 0xFFFFFFFF);
    assert_int_equal(rig_texel(&rig, target.texture, 2, 1), 0xFFFFFFFF);
    assert_int_equal(rig_texel(&rig, target.texture, 3, 1), BLACK);
    bind_indices(fixed, R16_UINT);
    umd_draw_indexed(rig.context, 16, 1, 1000, 2032, 0);
    assert_int_equal(rig_texel(&rig, target.texture, 3, 2), 0xFFFFFFFF);
    /* Once more, twice: now only what differs goes to the host. */
    for (uint32_t i = 0; i < 2; i++) {
        rig_write(rig.context, vertices, UMD_MAP_WRITE_NO_OVERWRITE, (3 + i) * 16, points[128 + i * 32], 16);
        umd_draw_indexed(rig.context, 1, 1, 1000 + i, 0, 0);
        assert_int_equal(rig_texel(&rig, target.texture, 0, 8 + i * 2), 0xFFFFFFFF);
    }
    umd_destroy_input_layout(rig.device, layout);
    umd_destroy_resource(rig.device, vertices);
    umd_destroy_resource(rig.device, dynamic);
    umd_destroy_resource(rig.device, fixed);
    end(&target);
}

/* Draws that repeat much of a buffer after each map make all of it go, and see the right bytes all the same.
 */
static void many_ranges_of_one_buffer(void **state)
{
    (void)state;
    begin(0);
    struct rig_target target = rig_target(&rig, rig.context, 16, 16, 1);
    float points[1024][4];
    for (uint32_t i = 0; i < 1024; i++)
        put_point(points[i], i % 16, i / 16 % 16);
    struct umd_resource *buffer =
        rig_buffer(&rig, sizeof points, UMD_USAGE_DYNAMIC, AEROGPU_EXT_BIND_VERTEX_BUFFER, NULL);
    struct umd_input_layout *layout = bind_layout();
    bind(rig.context, positions, ps, POINTLIST);
    bind_vertices(buffer);
    rig_write(rig.context, buffer, UMD_MAP_WRITE_DISCARD, 0, points, sizeof points);
    for (uint32_t i = 0; i < 100; i++)
        umd_draw(rig.context, 100, 1, i % 2 == 0 ? 0 : 156, 0);
    for (uint32_t i = 0; i < 256; i += 5) {
        const bool is_drawn = i < 100 || i >= 156;
        assert_int_equal(rig_texel(&rig, target.texture, i % 16, i / 16), is_drawn ? 0xFFFFFFFF : BLACK);
    }
    umd_destroy_input_layout(rig.device, layout);
    umd_destroy_resource(rig.device, buffer);
    end(&target);
}

/* A heap that is much smaller than what a frame maps: draws wait for older ones. */
static void a_small_heap_is_enough(void **state)
{
    (void)state;
    begin(2 << 20);
    struct rig_target target = rig_target(&rig, rig.context, 16, 16, 1);
    struct umd_resource *constants =
        rig_buffer(&rig, 65536, UMD_USAGE_DYNAMIC, AEROGPU_EXT_BIND_CONSTANT_BUFFER, NULL);
    bind(rig.context, vs, constant_ps, TRIANGLELIST);
    umd_set_constant_buffers(rig.context, UMD_STAGE_PIXEL, 0, 1, &constants, NULL, NULL);
    for (uint32_t i = 0; i < 200; i++) {
        const float color[4] = {0, (float)i / 255, 0, 1};
        rig_write(rig.context, constants, UMD_MAP_WRITE_DISCARD, 0, color, sizeof color);
        umd_draw(rig.context, 3, 1, 0, 0);
    }
    assert_int_equal(rig_texel(&rig, target.texture, 5, 5), 0xFF000000 | 199 << 8);
    umd_destroy_resource(rig.device, constants);
    end(&target);
}

/* Back buffers with samples are resolved on their way to the window. */
static void samples_are_presented(void **state)
{
    (void)state;
    begin(0);
    struct rig_target target = rig_target(&rig, rig.context, 16, 8, 4);
    bind(rig.context, vs, ps, TRIANGLELIST);
    umd_draw(rig.context, 3, 1, 0, 0);
    const struct umd_present present = {.texture = target.texture, .swap_chain = 1, .sync_interval = 1};
    for (uint32_t i = 1; i < 4; i++) {
        assert_int_equal(umd_present(rig.context, &present, NULL), UMD_OK);
        assert_int_equal(umd_wait_idle(rig.context), UMD_OK);
        assert_int_equal(rig.present_count, i);
        assert_int_equal(rig.present_height, 8);
        assert_int_equal(rig.present_texel[0], 255);
    }
    end(&target);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_triangle_is_shown),
        cmocka_unit_test(constants_are_renamed),
        cmocka_unit_test(vertices_are_appended),
        cmocka_unit_test(draws_see_older_bytes),
        cmocka_unit_test(indexed_draws_see_their_vertices),
        cmocka_unit_test(many_ranges_of_one_buffer),
        cmocka_unit_test(a_small_heap_is_enough),
        cmocka_unit_test(samples_are_presented),
    };
    if (argc < 2)
        return 1;
    const int opened = rig_open(&rig, argv[1]);
    if (opened != 0)
        return opened;
    const int failed = cmocka_run_group_tests_name("guest/draws", tests, NULL, NULL);
    rig_close(&rig);
    return failed;
}
