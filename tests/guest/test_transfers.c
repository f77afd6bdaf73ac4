/* SPDX-License-Identifier: MIT
 *
 * The driver's transfers on a software GPU: first bytes, updates, copies, maps of staging resources,
 * resolves.
 */
#include <stdlib.h>
#include <string.h>

#include "format/format.h"
#include "rig.h"
#include "tests/support/test.h"

static struct rig rig;

static void fill(uint8_t *bytes, size_t size, uint32_t seed)
{
    for (size_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)((i * 7 + i / 251 + seed) & 0xff);
}

static struct umd_resource_desc texture_of(uint32_t dimension, uint32_t width, uint32_t height,
                                           uint32_t depth)
{
    return (struct umd_resource_desc){
        .dimension = dimension,
        .format = R8G8B8A8_UNORM,
        .width = width,
        .height = height,
        .depth = depth,
        .mip_levels = 1,
        .array_size = 1,
        .sample_count = 1,
    };
}

/* Writes go to the host, and what the host copies comes back. */
static void staging_buffers_go_both_ways(void **state)
{
    (void)state;
    uint8_t bytes[3000], seen[3000];
    struct umd_mapped_subresource mapped;
    rig_begin(&rig, 0);
    struct umd_resource *staging = rig_buffer(&rig, sizeof bytes, UMD_USAGE_STAGING, 0, NULL);
    struct umd_resource *buffer =
        rig_buffer(&rig, sizeof bytes, UMD_USAGE_DEFAULT, AEROGPU_EXT_BIND_VERTEX_BUFFER, NULL);
    /* Nobody has written it. */
    assert_int_equal(umd_resource_map(rig.context, staging, 0, UMD_MAP_READ, 0, &mapped), UMD_OK);
    assert_int_equal(((const uint8_t *)mapped.data)[2999], 0);
    umd_resource_unmap(rig.context, staging, 0);
    for (uint32_t i = 0; i < 5; i++) {
        fill(bytes, sizeof bytes, i);
        rig_write(rig.context, staging, UMD_MAP_WRITE, 0, bytes, sizeof bytes);
        umd_resource_copy(rig.context, buffer, staging);
        rig_read_buffer(&rig, buffer, seen, sizeof seen);
        assert_memory_equal(seen, bytes, sizeof bytes);
    }
    /* One byte of it, read and written. */
    assert_int_equal(umd_resource_map(rig.context, staging, 0, UMD_MAP_READ_WRITE, 0, &mapped), UMD_OK);
    assert_memory_equal(mapped.data, bytes, sizeof bytes);
    ((uint8_t *)mapped.data)[77] ^= 0xff;
    umd_resource_unmap(rig.context, staging, 0);
    umd_resource_copy(rig.context, buffer, staging);
    rig_read_buffer(&rig, buffer, seen, sizeof seen);
    bytes[77] ^= 0xff;
    assert_memory_equal(seen, bytes, sizeof bytes);
    umd_destroy_resource(rig.device, staging);
    umd_destroy_resource(rig.device, buffer);
    rig_end(&rig);
}

/* DO_NOT_WAIT says so until the copy is done, and never waits. */
static void maps_do_not_wait(void **state)
{
    (void)state;
    uint8_t bytes[256];
    struct umd_mapped_subresource mapped;
    uint64_t fence;
    enum umd_status status;
    rig_begin(&rig, 0);
    fill(bytes, sizeof bytes, 3);
    struct umd_resource *buffer =
        rig_buffer(&rig, sizeof bytes, UMD_USAGE_DEFAULT, AEROGPU_EXT_BIND_VERTEX_BUFFER, bytes);
    struct umd_resource *staging = rig_buffer(&rig, sizeof bytes, UMD_USAGE_STAGING, 0, NULL);
    umd_resource_copy(rig.context, staging, buffer);
    while ((status = umd_resource_map(rig.context, staging, 0, UMD_MAP_READ, UMD_MAP_FLAG_DO_NOT_WAIT,
                                      &mapped)) == UMD_WAS_STILL_DRAWING) {
        assert_null(mapped.data);
        assert_int_equal(umd_flush(rig.context, &fence), UMD_OK);
        umd_wait_for_fence(rig.device, fence, 1000000);
    }
    assert_int_equal(status, UMD_OK);
    assert_memory_equal(mapped.data, bytes, sizeof bytes);
    umd_resource_unmap(rig.context, staging, 0);
    umd_destroy_resource(rig.device, staging);
    umd_destroy_resource(rig.device, buffer);
    rig_end(&rig);
}

/* What a draw or a clear wrote into a buffer of default usage is there when the buffer is mapped. */
static void default_buffers_are_mapped(void **state)
{
    (void)state;
    struct umd_mapped_subresource mapped;
    struct umd_view *view;
    enum umd_status status;
    rig_begin(&rig, 0);
    const struct umd_resource_desc desc = {
        .dimension = UMD_BUFFER,
        .width = 64,
        .bind_flags = AEROGPU_EXT_BIND_UNORDERED_ACCESS,
        .cpu_access = UMD_CPU_READ | UMD_CPU_WRITE,
    };
    const struct umd_view_desc view_desc = {
        .kind = AEROGPU_EXT_VIEW_UNORDERED_ACCESS,
        .format = R32_UINT,
        .dimension = AEROGPU_EXT_DIMENSION_BUFFER,
        .element_count = 16,
    };
    struct umd_resource *buffer = rig_resource(&rig, &desc, NULL, 0);
    assert_int_equal(umd_create_view(rig.device, buffer, &view_desc, &view), UMD_OK);
    for (uint32_t i = 1; i < 4; i++) {
        umd_clear_unordered_access_view_uint(rig.context, view, (const uint32_t[4]){i, i, i, i});
        while ((status = umd_resource_map(rig.context, buffer, 0, UMD_MAP_READ, UMD_MAP_FLAG_DO_NOT_WAIT,
                                          &mapped)) == UMD_WAS_STILL_DRAWING)
            umd_wait_for_fence(rig.device, UINT64_MAX, 1000000);
        assert_int_equal(status, UMD_OK);
        assert_int_equal(((const uint32_t *)mapped.data)[15], i);
        umd_resource_unmap(rig.context, buffer, 0);
    }
    umd_destroy_view(rig.device, view);
    umd_destroy_resource(rig.device, buffer);
    rig_end(&rig);
}

/* All subresources of a texture, there and back. */
static void check_texture(const struct umd_resource_desc *shape, uint32_t row_bytes, uint32_t rows)
{
    struct umd_subresource_data initial[16];
    struct umd_resource *texture, *staging;
    struct umd_resource_desc desc = *shape;
    struct umd_mapped_subresource mapped;
    const uint32_t count = shape->mip_levels * shape->array_size;
    const uint32_t size = (row_bytes + 12) * (rows + 1) * shape->depth;
    uint8_t *bytes = malloc((size_t)size * count);
    assert_true(count <= 16);
    fill(bytes, (size_t)size * count, 1);
    for (uint32_t i = 0; i < count; i++)
        initial[i] = (struct umd_subresource_data){bytes + (size_t)i * size, row_bytes + 12,
                                                   (row_bytes + 12) * (rows + 1)};
    desc.bind_flags = AEROGPU_EXT_BIND_SHADER_RESOURCE;
    assert_int_equal(umd_create_resource(rig.device, &desc, initial, &texture), UMD_OK);
    desc.bind_flags = 0;
    desc.usage = UMD_USAGE_STAGING;
    desc.cpu_access = UMD_CPU_READ;
    assert_int_equal(umd_create_resource(rig.device, &desc, NULL, &staging), UMD_OK);
    umd_resource_copy(rig.context, staging, texture);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t mip = i % shape->mip_levels;
        assert_int_equal(umd_resource_map(rig.context, staging, i, UMD_MAP_READ, 0, &mapped), UMD_OK);
        for (uint32_t slice = 0; slice < (shape->depth >> mip != 0 ? shape->depth >> mip : 1); slice++)
            for (uint32_t row = 0; row < (rows >> mip != 0 ? rows >> mip : 1); row++)
                assert_memory_equal((const uint8_t *)mapped.data + (size_t)slice * mapped.depth_pitch +
                                        (size_t)row * mapped.row_pitch,
                                    (const uint8_t *)initial[i].data +
                                        (size_t)slice * initial[i].depth_pitch +
                                        (size_t)row * initial[i].row_pitch,
                                    row_bytes >> mip);
        umd_resource_unmap(rig.context, staging, i);
    }
    umd_destroy_resource(rig.device, texture);
    umd_destroy_resource(rig.device, staging);
    free(bytes);
}

static void textures_go_both_ways(void **state)
{
    (void)state;
    struct umd_resource_desc desc;
    rig_begin(&rig, 0);
    desc = texture_of(UMD_TEXTURE2D, 32, 16, 1);
    desc.mip_levels = 3;
    desc.array_size = 2;
    check_texture(&desc, 128, 16);
    desc = texture_of(UMD_TEXTURE1D, 64, 1, 1);
    desc.array_size = 3;
    check_texture(&desc, 256, 1);
    desc = texture_of(UMD_TEXTURE3D, 16, 8, 4);
    desc.mip_levels = 2;
    check_texture(&desc, 64, 8);
    desc = texture_of(UMD_TEXTURE2D, 64, 64, 1);
    desc.format = 71; /* BC1_UNORM */
    desc.mip_levels = 2;
    check_texture(&desc, 128, 16);
    desc = texture_of(UMD_TEXTURE2D, 5, 3, 1);
    desc.format = 61; /* R8_UNORM: rows that no word divides */
    check_texture(&desc, 5, 3);
    rig_end(&rig);
}

/* More bytes than one part, and than all of the heap: they go in parts. */
static void long_uploads_go_in_parts(void **state)
{
    (void)state;
    rig_begin(&rig, 4 << 20);
    struct umd_resource_desc desc = texture_of(UMD_TEXTURE2D, 1024, 2048, 1);
    check_texture(&(struct umd_resource_desc){.dimension = UMD_TEXTURE2D,
                                              .format = R8G8B8A8_UNORM,
                                              .width = 256,
                                              .height = 1024,
                                              .depth = 1,
                                              .mip_levels = 1,
                                              .array_size = 1,
                                              .sample_count = 1},
                  1024, 1024);
    uint32_t *texels = malloc((size_t)1024 * 2048 * 4);
    for (uint32_t i = 0; i < 1024 * 2048; i++)
        texels[i] = i * 2654435761u;
    desc.bind_flags = AEROGPU_EXT_BIND_SHADER_RESOURCE;
    struct umd_resource *texture = rig_resource(&rig, &desc, texels, 4096);
    for (uint32_t y = 0; y < 2048; y += 409) {
        struct umd_resource *small = rig_texture(&rig, 16, 16, AEROGPU_EXT_BIND_SHADER_RESOURCE, 1);
        const struct aerogpu_ext_box box = {1000, y, 0, 1001, y + 1, 1};
        umd_resource_copy_region(rig.context, small, 0, 2, 3, 0, texture, 0, &box);
        assert_int_equal(rig_texel(&rig, small, 2, 3), texels[y * 1024 + 1000]);
        umd_destroy_resource(rig.device, small);
    }
    umd_destroy_resource(rig.device, texture);
    free(texels);
    rig_end(&rig);
}

/* Subresources of more bytes than the heap has are mapped all the same. */
static void the_heap_is_smaller_than_a_map(void **state)
{
    (void)state;
    struct umd_mapped_subresource mapped;
    rig_begin(&rig, 2 << 20);
    struct umd_resource_desc desc = texture_of(UMD_TEXTURE2D, 1000, 700, 1);
    desc.bind_flags = AEROGPU_EXT_BIND_SHADER_RESOURCE;
    struct umd_resource *texture = rig_resource(&rig, &desc, NULL, 0);
    desc.usage = UMD_USAGE_DYNAMIC;
    desc.cpu_access = UMD_CPU_WRITE;
    struct umd_resource *dynamic = rig_resource(&rig, &desc, NULL, 0);
    desc.usage = UMD_USAGE_STAGING;
    desc.bind_flags = 0;
    desc.cpu_access = UMD_CPU_READ | UMD_CPU_WRITE;
    struct umd_resource *staging = rig_resource(&rig, &desc, NULL, 0);
    for (uint32_t round = 0; round < 2; round++) {
        struct umd_resource *written = round == 0 ? staging : dynamic;
        const enum umd_map type = round == 0 ? UMD_MAP_WRITE : UMD_MAP_WRITE_DISCARD;
        assert_int_equal(umd_resource_map(rig.context, written, 0, type, 0, &mapped), UMD_OK);
        for (uint32_t y = 0; y < 700; y++)
            fill((uint8_t *)mapped.data + (size_t)y * mapped.row_pitch, 4000, y * 3 + round);
        umd_resource_unmap(rig.context, written, 0);
        umd_resource_copy(rig.context, texture, written);
        umd_resource_copy(rig.context, staging, texture);
        assert_int_equal(umd_resource_map(rig.context, staging, 0, UMD_MAP_READ, 0, &mapped), UMD_OK);
        for (uint32_t y = 0; y < 700; y++) {
            uint8_t row[4000];
            fill(row, sizeof row, y * 3 + round);
            assert_memory_equal((const uint8_t *)mapped.data + (size_t)y * mapped.row_pitch, row, sizeof row);
        }
        umd_resource_unmap(rig.context, staging, 0);
    }
    umd_destroy_resource(rig.device, texture);
    umd_destroy_resource(rig.device, dynamic);
    umd_destroy_resource(rig.device, staging);
    /* A buffer, with bytes of its creation, some more, and a read of all. */
    const uint32_t size = 3000001;
    uint8_t *bytes = malloc(size);
    uint8_t *seen = malloc(size);
    fill(bytes, size, 9);
    struct umd_resource *buffer =
        rig_buffer(&rig, size, UMD_USAGE_DYNAMIC, AEROGPU_EXT_BIND_VERTEX_BUFFER, bytes);
    memset(bytes + 2999990, 77, 11);
    rig_write(rig.context, buffer, UMD_MAP_WRITE_NO_OVERWRITE, 2999990, bytes + 2999990, 11);
    rig_read_buffer(&rig, buffer, seen, size);
    assert_memory_equal(seen, bytes, size);
    umd_destroy_resource(rig.device, buffer);
    free(bytes);
    free(seen);
    rig_end(&rig);
}

static void boxes_are_updated(void **state)
{
    (void)state;
    static const uint32_t texels[2][3] = {
        {RED,  GREEN, BLUE },
        {BLUE, RED,   GREEN}
    };
    uint8_t bytes[64], seen[64];
    rig_begin(&rig, 0);
    struct umd_resource *texture = rig_texture(&rig, 8, 8, AEROGPU_EXT_BIND_SHADER_RESOURCE, 1);
    const struct aerogpu_ext_box box = {2, 4, 0, 4, 6, 1};
    assert_int_equal(
        umd_resource_update_subresource(rig.context, texture, 0, &box, texels, sizeof texels[0], 0, 0),
        UMD_OK);
    assert_int_equal(rig_texel(&rig, texture, 2, 4), RED);
    assert_int_equal(rig_texel(&rig, texture, 3, 4), GREEN);
    assert_int_equal(rig_texel(&rig, texture, 4, 4), 0);
    assert_int_equal(rig_texel(&rig, texture, 3, 5), RED);
    assert_int_equal(rig_texel(&rig, texture, 2, 6), 0);
    memset(bytes, 0, sizeof bytes);
    struct umd_resource *buffer =
        rig_buffer(&rig, sizeof bytes, UMD_USAGE_DEFAULT, AEROGPU_EXT_BIND_VERTEX_BUFFER, bytes);
    const struct aerogpu_ext_box range = {.left = 8, .right = 20, .bottom = 1, .back = 1};
    umd_resource_update_subresource(rig.context, buffer, 0, &range, texels, 0, 0, 0);
    memcpy(bytes + 8, texels, 12);
    rig_read_buffer(&rig, buffer, seen, sizeof seen);
    assert_memory_equal(seen, bytes, sizeof bytes);
    umd_destroy_resource(rig.device, buffer);
    umd_destroy_resource(rig.device, texture);
    rig_end(&rig);
}

static void dynamic_textures_are_renamed(void **state)
{
    (void)state;
    static const uint32_t colors[] = {RED, GREEN, BLUE};
    struct umd_resource *copies[3];
    struct umd_mapped_subresource mapped;
    rig_begin(&rig, 0);
    struct umd_resource_desc desc = texture_of(UMD_TEXTURE2D, 5, 3, 1);
    desc.usage = UMD_USAGE_DYNAMIC;
    desc.cpu_access = UMD_CPU_WRITE;
    desc.bind_flags = AEROGPU_EXT_BIND_SHADER_RESOURCE;
    struct umd_resource *texture = rig_resource(&rig, &desc, NULL, 0);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(umd_resource_map(rig.context, texture, 0, UMD_MAP_WRITE_DISCARD, 0, &mapped),
                         UMD_OK);
        for (uint32_t y = 0; y < 3; y++)
            for (uint32_t x = 0; x < 5; x++)
                memcpy((uint8_t *)mapped.data + (size_t)y * mapped.row_pitch + (size_t)x * 4, &colors[i], 4);
        umd_resource_unmap(rig.context, texture, 0);
        copies[i] = rig_texture(&rig, 5, 3, AEROGPU_EXT_BIND_SHADER_RESOURCE, 1);
        umd_resource_copy(rig.context, copies[i], texture);
    }
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(rig_texel(&rig, copies[i], 4, 2), colors[i]);
        umd_destroy_resource(rig.device, copies[i]);
    }
    /* One texel, and the others as they were. */
    rig_write(rig.context, texture, UMD_MAP_WRITE_NO_OVERWRITE, 0, &colors[0], 4);
    assert_int_equal(rig_texel(&rig, texture, 0, 0), RED);
    assert_int_equal(rig_texel(&rig, texture, 4, 2), BLUE);
    umd_destroy_resource(rig.device, texture);
    rig_end(&rig);
}

/* A triangle over half of the samples: its edge is between the colours after the resolve. */
static void samples_are_resolved(void **state)
{
    (void)state;
    static const float vertices[3][4] = {
        {-1, 1,  0, 1},
        {1,  1,  0, 1},
        {-1, -1, 0, 1}
    };
    const struct aerogpu_ext_input_element element = {.format = R32G32B32A32_FLOAT};
    const uint32_t stride = 16, offset = 0;
    struct umd_input_layout *layout;
    rig_begin(&rig, 0);
    struct rig_target target = rig_target(&rig, rig.context, 8, 8, 4);
    struct umd_resource *resolved = rig_texture(&rig, 8, 8, AEROGPU_EXT_BIND_SHADER_RESOURCE, 1);
    struct umd_resource *buffer =
        rig_buffer(&rig, sizeof vertices, UMD_USAGE_IMMUTABLE, AEROGPU_EXT_BIND_VERTEX_BUFFER, vertices);
    struct umd_shader *vs = rig_shader(&rig, UMD_STAGE_VERTEX, position_vs);
    struct umd_shader *ps = rig_shader(&rig, UMD_STAGE_PIXEL, white_ps);
    assert_int_equal(umd_create_input_layout(rig.device, &element, 1, &layout), UMD_OK);
    umd_ia_set_input_layout(rig.context, layout);
    umd_ia_set_vertex_buffers(rig.context, 0, 1, &buffer, &stride, &offset);
    umd_ia_set_topology(rig.context, 4);
    umd_set_shader(rig.context, UMD_STAGE_VERTEX, vs, NULL, 0);
    umd_set_shader(rig.context, UMD_STAGE_PIXEL, ps, NULL, 0);
    umd_draw(rig.context, 3, 1, 0, 0);
    umd_resource_resolve_subresource(rig.context, resolved, 0, target.texture, 0, R8G8B8A8_UNORM);
    assert_int_equal(rig_texel(&rig, resolved, 0, 0), 0xFFFFFFFF);
    assert_int_equal(rig_texel(&rig, resolved, 7, 7), BLACK);
    const uint32_t edge = rig_texel(&rig, resolved, 3, 4) & 0xff;
    assert_true(edge > 0x30 && edge < 0xd0);
    umd_clear_state(rig.context);
    umd_destroy_shader(rig.device, vs);
    umd_destroy_shader(rig.device, ps);
    umd_destroy_input_layout(rig.device, layout);
    umd_destroy_resource(rig.device, buffer);
    umd_destroy_resource(rig.device, resolved);
    rig_free_target(&rig, &target);
    rig_end(&rig);
}

/* A resource of one device in another of the same adapter. */
static void resources_are_shared(void **state)
{
    (void)state;
    struct umd_device *other;
    struct umd_resource *alias;
    rig_begin(&rig, 0);
    struct umd_resource *texture = rig_texture(&rig, 8, 8, AEROGPU_EXT_BIND_RENDER_TARGET, 1);
    struct umd_view *view =
        rig_view(&rig, texture, AEROGPU_EXT_VIEW_RENDER_TARGET, AEROGPU_EXT_DIMENSION_TEXTURE2D);
    umd_clear_render_target_view(rig.context, view, (const float[4]){0, 1, 0, 1}, 0, NULL);
    assert_int_equal(umd_share_resource(rig.device, texture, 42), UMD_OK);
    assert_int_equal(umd_flush(rig.context, NULL), UMD_OK);
    assert_int_equal(umd_create_device(rig.adapter, &other), UMD_OK);
    assert_int_equal(umd_open_shared_resource(other, umd_resource_get_desc(texture), 42, &alias), UMD_OK);
    struct rig second = rig;
    second.device = other;
    second.context = umd_immediate_context(other);
    assert_int_equal(rig_texel(&second, alias, 4, 4), GREEN);
    umd_destroy_resource(other, alias);
    umd_destroy_device(other);
    umd_release_share_token(rig.device, 42);
    umd_destroy_view(rig.device, view);
    umd_destroy_resource(rig.device, texture);
    rig_end(&rig);
}

/* The driver's sizes of formats are those of the host. */
static void formats_have_the_sizes_of_the_host(void **state)
{
    (void)state;
    for (uint32_t number = 1; number < 133; number++) {
        const struct ag_host_format *format = ag_host_format(number);
        uint32_t width, height;
        const uint32_t bytes = umd_format_bytes(number, &width, &height);
        if (format == NULL || format->class == AG_CLASS_VIDEO || format->bytes == 0) {
            assert_int_equal(bytes, 0);
            continue;
        }
        assert_int_equal(bytes, format->bytes);
        assert_int_equal(width, format->block_width);
        assert_int_equal(height, format->block_height);
    }
}

static void capabilities_are_the_hosts(void **state)
{
    (void)state;
    uint32_t support, support2;
    rig_begin(&rig, 0);
    assert_true(umd_adapter_features(rig.adapter)->feature_level >= 0xb000);
    umd_check_format_support(rig.adapter, R8G8B8A8_UNORM, &support, &support2);
    assert_true((support & AEROGPU_EXT_FORMAT_SUPPORT_RENDER_TARGET) != 0);
    umd_check_format_support(rig.adapter, 1000, &support, &support2);
    assert_int_equal(support | support2, 0);
    assert_true(umd_check_multisample_quality_levels(rig.adapter, R8G8B8A8_UNORM, 4) >= 1);
    assert_int_equal(umd_check_multisample_quality_levels(rig.adapter, R8G8B8A8_UNORM, 3), 0);
    struct umd_resource_desc desc = texture_of(UMD_TEXTURE2D, 1 << 20, 4, 1);
    struct umd_resource *texture;
    assert_int_equal(umd_create_resource(rig.device, &desc, NULL, &texture), UMD_INVALID);
    assert_null(texture);
    rig_end(&rig);
}

/* The other side is gone: nothing waits, and the device says why. */
static void a_lost_device_is_removed(void **state)
{
    (void)state;
    struct umd_mapped_subresource mapped;
    rig_begin(&rig, 0);
    struct umd_resource *staging = rig_buffer(&rig, 64, UMD_USAGE_STAGING, 0, NULL);
    struct umd_resource *buffer =
        rig_buffer(&rig, 64, UMD_USAGE_DEFAULT, AEROGPU_EXT_BIND_VERTEX_BUFFER, NULL);
    umd_resource_copy(rig.context, staging, buffer);
    guest_in_process_lose(rig.transport);
    assert_int_equal(umd_resource_map(rig.context, staging, 0, UMD_MAP_READ, 0, &mapped), UMD_DEVICE_REMOVED);
    assert_int_equal(umd_device_removed_reason(rig.device, true), UMD_REMOVED_GONE);
    assert_int_equal(umd_wait_idle(rig.context), UMD_DEVICE_REMOVED);
    umd_destroy_resource(rig.device, staging);
    umd_destroy_resource(rig.device, buffer);
    umd_destroy_device(rig.device);
    umd_close_adapter(rig.adapter);
    guest_in_process_destroy(rig.transport);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(staging_buffers_go_both_ways),
        cmocka_unit_test(maps_do_not_wait),
        cmocka_unit_test(textures_go_both_ways),
        cmocka_unit_test(default_buffers_are_mapped),
        cmocka_unit_test(the_heap_is_smaller_than_a_map),
        cmocka_unit_test(long_uploads_go_in_parts),
        cmocka_unit_test(boxes_are_updated),
        cmocka_unit_test(dynamic_textures_are_renamed),
        cmocka_unit_test(samples_are_resolved),
        cmocka_unit_test(resources_are_shared),
        cmocka_unit_test(formats_have_the_sizes_of_the_host),
        cmocka_unit_test(capabilities_are_the_hosts),
        cmocka_unit_test(a_lost_device_is_removed),
    };
    if (argc < 2)
        return 1;
    const int opened = rig_open(&rig, argv[1]);
    if (opened != 0)
        return opened;
    const int failed = cmocka_run_group_tests_name("guest/transfers", tests, NULL, NULL);
    rig_close(&rig);
    return failed;
}
