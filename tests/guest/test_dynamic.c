/* SPDX-License-Identifier: MIT
 *
 * Random maps, draws and copies of dynamic buffers, against a model of what Direct3D promises: each draw
 * reads the bytes that the program had written when it called the draw, but for those that nothing defines.
 */
#include <stdlib.h>
#include <string.h>

#include "guest/transport/in_process.h"
#include "guest/umd/umd.h"
#include "late_executor.h"
#include "tests/support/test.h"

#define BUFFERS 4u
#define MOST_BYTES 40960u
#define STRIDE 16u
#define STEPS 4000u
#define MOST_EXPECTED (1u << 16)

/* A dynamic buffer as the program knows it. */
struct model {
    struct umd_resource *resource;
    uint32_t size;
    uint8_t bytes[MOST_BYTES];
    bool is_known[MOST_BYTES]; /* written since the last DISCARD */
    bool is_used[MOST_BYTES];  /* read by a draw that may be in flight */
};

/* The bytes of one vertex that a draw reads. */
struct expected {
    uint8_t bytes[STRIDE];
    bool is_known[STRIDE];
};

struct world {
    uint32_t random;
    struct umd_device *device;
    struct umd_context *context;
    struct model models[BUFFERS];
    struct umd_resource *index_buffer; /* dynamic, or immutable for the CPU to know nothing of */
    struct umd_resource *fixed_indices;
    uint16_t indices[8192];
    uint32_t bound, vertex_offset;
    bool binds_fixed;
    /* A ring. */
    struct expected *expected;
    uint32_t made, seen;
    uint32_t wrong;
};

static uint32_t next_random(struct world *world, uint32_t below)
{
    world->random = world->random * 1664525u + 1013904223u;
    return (world->random >> 8) % below;
}

/* ---- What draws see ------------------------------------------------------------------------------------ */

static void check_vertex(struct world *world, const struct late_draw *draw, int64_t vertex)
{
    const struct expected *expected = &world->expected[world->seen++ % MOST_EXPECTED];
    const int64_t begin = draw->vertex_offset + vertex * (int64_t)draw->stride;
    for (uint32_t i = 0; i < STRIDE; i++)
        if (expected->is_known[i] && begin + i < draw->vertices_size)
            world->wrong += draw->vertices[begin + i] != expected->bytes[i];
}

static void on_drawn(void *user, const struct late_draw *draw)
{
    struct world *world = user;
    for (uint32_t i = 0; i < draw->count; i++) {
        int64_t vertex = (int64_t)draw->first + i;
        if (draw->is_indexed) {
            uint16_t index;
            memcpy(&index, draw->indices + draw->index_offset + (size_t)vertex * 2, 2);
            vertex = (int64_t)index + draw->base_vertex;
        }
        check_vertex(world, draw, vertex);
    }
}

static void expect_vertex(struct world *world, int64_t vertex)
{
    struct expected *expected = &world->expected[world->made++ % MOST_EXPECTED];
    struct model *model = &world->models[world->bound];
    const int64_t begin = world->vertex_offset + vertex * (int64_t)STRIDE;
    memset(expected, 0, sizeof *expected);
    for (uint32_t i = 0; i < STRIDE; i++)
        if (begin + i < model->size) {
            expected->bytes[i] = model->bytes[begin + i];
            expected->is_known[i] = model->is_known[begin + i];
            model->is_used[begin + i] = true;
        }
}

/* ---- What the program does ----------------------------------------------------------------------------- */

static void finish(struct world *world)
{
    assert_int_equal(umd_wait_idle(world->context), UMD_OK);
    assert_int_equal(world->made, world->seen);
    for (uint32_t i = 0; i < BUFFERS; i++)
        memset(world->models[i].is_used, 0, sizeof world->models[i].is_used);
}

static void write_bytes(struct world *world, struct model *model, uint8_t *data)
{
    const uint32_t begin = next_random(world, model->size), most = model->size - begin;
    const uint32_t count = 1 + next_random(world, next_random(world, 8) == 0 ? most
                                                  : most < 900               ? most
                                                                             : 900);
    for (uint32_t i = begin; i < begin + count; i++) {
        if (model->is_used[i])
            continue;
        data[i] = model->bytes[i] = (uint8_t)next_random(world, 256);
        model->is_known[i] = true;
    }
}

static void map(struct world *world, enum umd_map type)
{
    struct model *model = &world->models[next_random(world, BUFFERS)];
    struct umd_mapped_subresource mapped;
    assert_int_equal(umd_resource_map(world->context, model->resource, 0, type, 0, &mapped), UMD_OK);
    if (type == UMD_MAP_WRITE_DISCARD) {
        memset(mapped.data, 0xEE, model->size);
        memset(model->is_known, 0, sizeof model->is_known);
        memset(model->is_used, 0, sizeof model->is_used);
    }
    for (uint32_t i = next_random(world, 4); i > 0; i--)
        write_bytes(world, model, mapped.data);
    umd_resource_unmap(world->context, model->resource, 0);
}

static void bind(struct world *world)
{
    const uint32_t stride = STRIDE;
    world->bound = next_random(world, BUFFERS);
    world->vertex_offset = next_random(world, 8) * 16;
    umd_ia_set_vertex_buffers(world->context, 0, 1, &world->models[world->bound].resource, &stride,
                              &world->vertex_offset);
    world->binds_fixed = next_random(world, 2) == 0;
    umd_ia_set_index_buffer(world->context, world->binds_fixed ? world->fixed_indices : world->index_buffer,
                            57, 0);
}

static void draw(struct world *world)
{
    const uint32_t vertices = world->models[world->bound].size / STRIDE;
    const uint32_t first = next_random(world, vertices), count = 1 + next_random(world, 40);
    for (uint32_t i = 0; i < count; i++)
        expect_vertex(world, (int64_t)first + i);
    umd_draw(world->context, count, 1, first, 0);
}

static void draw_indexed(struct world *world)
{
    const uint32_t first = next_random(world, 8192 - 40), count = 1 + next_random(world, 40);
    const int32_t base = (int32_t)next_random(world, 200);
    for (uint32_t i = 0; i < count; i++)
        expect_vertex(world, (int64_t)world->indices[first + i] + base);
    umd_draw_indexed(world->context, count, 1, first, base, 0);
}

/* Copies see all that is known, whatever draws have read. */
static void copy(struct world *world)
{
    struct model *model = &world->models[next_random(world, BUFFERS)];
    const struct umd_resource_desc desc = {.dimension = UMD_BUFFER,
                                           .width = model->size,
                                           .usage = UMD_USAGE_STAGING,
                                           .cpu_access = UMD_CPU_READ};
    struct umd_mapped_subresource mapped;
    struct umd_resource *staging;
    assert_int_equal(umd_create_resource(world->device, &desc, NULL, &staging), UMD_OK);
    umd_resource_copy(world->context, staging, model->resource);
    assert_int_equal(umd_resource_map(world->context, staging, 0, UMD_MAP_READ, 0, &mapped), UMD_OK);
    for (uint32_t i = 0; i < model->size; i++)
        if (model->is_known[i])
            assert_int_equal(((const uint8_t *)mapped.data)[i], model->bytes[i]);
    umd_resource_unmap(world->context, staging, 0);
    umd_destroy_resource(world->device, staging);
}

/* The dynamic indices change, and with them the fixed ones: another buffer that only the host knows. */
static void change_indices(struct world *world)
{
    struct umd_mapped_subresource mapped;
    for (uint32_t i = 0; i < 8192; i++)
        world->indices[i] = (uint16_t)(next_random(world, 3000) / (1 + i / 1024));
    assert_int_equal(
        umd_resource_map(world->context, world->index_buffer, 0, UMD_MAP_WRITE_DISCARD, 0, &mapped), UMD_OK);
    memcpy(mapped.data, world->indices, sizeof world->indices);
    umd_resource_unmap(world->context, world->index_buffer, 0);
    umd_resource_update_subresource(world->context, world->fixed_indices, 0, NULL, world->indices, 0, 0, 0);
}

static void step(struct world *world)
{
    switch (next_random(world, 16)) {
    case 0:
        map(world, UMD_MAP_WRITE_DISCARD);
        break;
    case 1:
    case 2:
    case 3:
    case 4:
        map(world, UMD_MAP_WRITE_NO_OVERWRITE);
        break;
    case 5:
    case 6:
        bind(world);
        break;
    case 7:
        if (next_random(world, 20) == 0)
            copy(world);
        break;
    case 8:
        if (next_random(world, 10) == 0)
            finish(world);
        else
            umd_flush(world->context, NULL);
        break;
    case 9:
        if (next_random(world, 10) == 0)
            change_indices(world);
        break;
    case 10:
    case 11:
        draw_indexed(world);
        break;
    default:
        draw(world);
        break;
    }
    if (world->made - world->seen > MOST_EXPECTED / 2)
        finish(world);
}

/* ---- Worlds -------------------------------------------------------------------------------------------- */

static struct umd_resource *make_buffer(struct world *world, uint32_t size, uint32_t bind_flags,
                                        bool is_dynamic, const void *data)
{
    const struct umd_resource_desc desc = {
        .dimension = UMD_BUFFER,
        .width = size,
        .bind_flags = bind_flags,
        .usage = is_dynamic ? UMD_USAGE_DYNAMIC : UMD_USAGE_DEFAULT,
        .cpu_access = is_dynamic ? UMD_CPU_WRITE : 0,
    };
    const struct umd_subresource_data initial = {data, 0, 0};
    struct umd_resource *resource;
    assert_int_equal(umd_create_resource(world->device, &desc, data != NULL ? &initial : NULL, &resource),
                     UMD_OK);
    return resource;
}

static void make_models(struct world *world)
{
    static const uint32_t sizes[BUFFERS] = {MOST_BYTES, 12345, 8192, 2000};
    for (uint32_t i = 0; i < BUFFERS; i++) {
        struct model *model = &world->models[i];
        /* Buffers begin with bytes of their creation, or with zeros. */
        for (uint32_t k = 0; k < sizes[i]; k++)
            model->bytes[k] = i % 2 == 0 ? (uint8_t)next_random(world, 256) : 0;
        memset(model->is_known, 1, sizeof model->is_known);
        model->size = sizes[i];
        model->resource = make_buffer(world, sizes[i], AEROGPU_EXT_BIND_VERTEX_BUFFER, true,
                                      i % 2 == 0 ? model->bytes : NULL);
    }
    world->index_buffer =
        make_buffer(world, sizeof world->indices, AEROGPU_EXT_BIND_INDEX_BUFFER, true, world->indices);
    world->fixed_indices =
        make_buffer(world, sizeof world->indices, AEROGPU_EXT_BIND_INDEX_BUFFER, false, world->indices);
}

static void run(struct world *world, uint32_t seed)
{
    const struct aerogpu_ext_input_element element = {.format = 2};
    struct umd_input_layout *layout;
    assert_int_equal(umd_create_input_layout(world->device, &element, 1, &layout), UMD_OK);
    world->random = seed;
    make_models(world);
    umd_ia_set_input_layout(world->context, layout);
    umd_ia_set_topology(world->context, 4);
    bind(world);
    for (uint32_t i = 0; i < STEPS; i++)
        step(world);
    finish(world);
    umd_clear_state(world->context);
    for (uint32_t i = 0; i < BUFFERS; i++)
        umd_destroy_resource(world->device, world->models[i].resource);
    umd_destroy_resource(world->device, world->index_buffer);
    umd_destroy_resource(world->device, world->fixed_indices);
    umd_destroy_input_layout(world->device, layout);
    assert_int_equal(world->wrong, 0);
}

static void draws_read_what_was_written(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed <= 12; seed++) {
        struct world *world = calloc(1, sizeof *world);
        const struct late_executor_options executor_options = {on_drawn, world, seed};
        struct agpu_executor *executor = late_executor_create(&executor_options);
        /* A heap that is often full. */
        const struct guest_in_process_options options = {.executor = executor, .memory_bytes = 3 << 20};
        struct guest_in_process *transport = guest_in_process_create(&options);
        struct umd_adapter *adapter;
        assert_non_null(transport);
        world->expected = calloc(MOST_EXPECTED, sizeof *world->expected);
        assert_non_null(world->expected);
        assert_int_equal(umd_open_adapter(guest_in_process_bus(transport), &adapter), UMD_OK);
        assert_int_equal(umd_create_device(adapter, &world->device), UMD_OK);
        world->context = umd_immediate_context(world->device);
        run(world, seed);
        umd_destroy_device(world->device);
        umd_close_adapter(adapter);
        guest_in_process_destroy(transport);
        agpu_executor_destroy(executor);
        free(world->expected);
        free(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_read_what_was_written),
    };
    return cmocka_run_group_tests_name("guest/dynamic", tests, NULL, NULL);
}
