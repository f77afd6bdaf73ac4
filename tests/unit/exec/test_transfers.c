/* SPDX-License-Identifier: MIT
 *
 * What clears, copies and uploads of whole streams leave in textures, buffers and guest memory.
 */
#include "../../support/test.h"

#include <stdlib.h>
#include <string.h>

#include "aerogpu/abi/ext.h"
#include "gpu/gpu.h"
#include "gpu/label.h"
#include "gpu/readback.h"
#include "gpu/wait.h"
#include "gpu/webgpu.h"
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
        {AEROGPU_FORMAT_B5G6R5_UNORM,        0xFF8242FF},
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

/* Owners that take pictures as the GPU keeps them get the same colours, whatever the pitch. */
static void hands_pictures_over_as_they_are(void **state)
{
    (void)state;
    static const struct {
        uint32_t format, order;
        uint8_t bytes[4];
    } cases[] = {
        {AEROGPU_FORMAT_R8G8B8A8_UNORM, AGPU_PIXELS_RGBA8, {255, 128, 64, 51}},
        {AEROGPU_FORMAT_B8G8R8A8_UNORM, AGPU_PIXELS_BGRA8, {64, 128, 255, 51}},
        {AEROGPU_FORMAT_B8G8R8X8_UNORM, AGPU_PIXELS_BGRA8, {64, 128, 255, 0} },
        {AEROGPU_FORMAT_B5G6R5_UNORM,   AGPU_PIXELS_RGBA8, {255, 130, 66, 0} },
    };
    host.takes_any_layout = true;
    host_attach(&host);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (uint32_t width = 16; width <= 64; width += 48) {
            struct agpu_writer writer = begin();
            const bool has_alpha = cases[i].bytes[3] != 0;
            host_write_texture(&writer, 1, AEROGPU_RESOURCE_USAGE_RENDER_TARGET, cases[i].format, width, 8);
            agpu_write_set_render_targets(&writer, 1, &(uint32_t){1}, 0);
            agpu_write_clear(&writer, AEROGPU_CLEAR_COLOR,
                             (const float[4]){1, 128 / 255.0f, 64 / 255.0f, 51 / 255.0f}, 1, 0);
            agpu_write_present(&writer, 0, 0);
            run_ok(&writer);
            assert_int_equal(host.pixel_order, cases[i].order);
            assert_memory_equal(host.pixels, cases[i].bytes, has_alpha ? 4 : 3);
            assert_memory_equal(host.pixels + (size_t)width * 8 * 4 - 4, cases[i].bytes, has_alpha ? 4 : 3);
            agpu_writer_fini(&writer);
        }
    host.takes_any_layout = false;
    host_attach(&host);
}

/* A window of the guest's, which is read back where somebody looks, or the guest itself does. */
static void shows_windows_to_who_looks(void **state)
{
    (void)state;
    const struct aerogpu_alloc_entry memory = {1, 0, GUEST_BASE, GUEST_BYTES, 0};
    struct aerogpu_cmd_ext_present present = {.texture_handle = 1, .swap_chain = 1};
    struct agpu_writer writer = begin();
    host_write_texture(&writer, 1, AEROGPU_RESOURCE_USAGE_RENDER_TARGET, AEROGPU_FORMAT_R8G8B8A8_UNORM, 16,
                       8);
    agpu_write_set_render_targets(&writer, 1, &(uint32_t){1}, 0);
    agpu_write_clear(&writer, AEROGPU_CLEAR_COLOR, (const float[4]){1, 0, 1, 0}, 1, 0);
    agpu_write_packet(&writer, AEROGPU_CMD_EXT_PRESENT, &present, sizeof present, NULL, 0);
    run_ok(&writer);
    assert_int_equal(host.present_count, 1);
    assert_int_equal(host_pixel(&host, 15, 7), 0xFF00FF00);
    const uint64_t before = host_counters(&host).readback_bytes;

    host.is_blind = true;
    agpu_write_packet(&writer, AEROGPU_CMD_EXT_PRESENT, &present, sizeof present, NULL, 0);
    run_ok(&writer);
    assert_int_equal(host.present_count, 2);
    assert_int_equal(host.present_width, 16);
    assert_null(host.pixels);
    assert_int_equal(host_counters(&host).readback_bytes, before);

    present.target_alloc_id = 1;
    present.target_offset_bytes = 64;
    agpu_write_packet(&writer, AEROGPU_CMD_EXT_PRESENT, &present, sizeof present, NULL, 0);
    assert_int_equal(host_run(&host, &writer, &memory, 1), AEROGPU_ERROR_NONE);
    assert_memory_equal(host.guest + 64 + 4 * (16 * 8 - 1), ((const uint8_t[]){255, 0, 255, 0, 0}), 5);
    assert_int_equal(host.guest[63], 0);
    host.is_blind = false;
    agpu_writer_fini(&writer);
}

/* What a host that shows textures makes of the last one: a copy of its texels on the queue. */
static struct {
    struct agpu_shown what;
    struct ag_readback_pool *pool;
    struct ag_readback *readback;
    uint32_t count;
    bool reads;
} showing;

static bool take_texture(void *user, const struct agpu_shown *shown)
{
    (void)user;
    WGPUDevice device = shown->device;
    WGPUQueue queue = wgpuDeviceGetQueue(device);
    WGPUCommandEncoder encoder = ag_command_encoder_create(device, "test");
    const WGPUTexelCopyTextureInfo from = {
        .texture = shown->texture,
        .mipLevel = shown->mip,
        .origin = {0, 0, shown->layer},
        .aspect = WGPUTextureAspect_All
    };
    const WGPUTexelCopyBufferInfo to = {
        .buffer = ag_readback_buffer(showing.readback),
        .layout = {.bytesPerRow = 256, .rowsPerImage = shown->height}
    };
    const WGPUExtent3D extent = {shown->width, shown->height, 1};
    wgpuCommandEncoderCopyTextureToBuffer(encoder, &from, &to, &extent);
    WGPUCommandBuffer commands = ag_command_encoder_finish(encoder, "test");
    wgpuQueueSubmit(queue, 1, &commands);
    wgpuCommandBufferRelease(commands);
    wgpuCommandEncoderRelease(encoder);
    wgpuQueueRelease(queue);
    showing.what = *shown;
    showing.count++;
    return showing.reads;
}

/* Clears level 1 of layer 1, presents it, and clears it again: the texture that is shown is that of the
 * present. */
static void present_between_clears(struct agpu_writer *writer, uint32_t format)
{
    const struct aerogpu_cmd_create_texture2d texture = {.texture_handle = 1,
                                                         .usage_flags = AEROGPU_RESOURCE_USAGE_RENDER_TARGET,
                                                         .format = format,
                                                         .width = 32,
                                                         .height = 16,
                                                         .mip_levels = 2,
                                                         .array_layers = 2};
    const struct aerogpu_cmd_create_texture_view view = {.view_handle = 2,
                                                         .texture_handle = 1,
                                                         .format = format,
                                                         .base_mip_level = 1,
                                                         .mip_level_count = 1,
                                                         .base_array_layer = 1,
                                                         .array_layer_count = 1};
    agpu_write_create_texture2d(writer, &texture);
    agpu_write_create_texture_view(writer, &view);
    agpu_write_set_render_targets(writer, 1, &(uint32_t){2}, 0);
    agpu_write_clear(writer, AEROGPU_CLEAR_COLOR, (const float[4]){1, 0, 1, 0}, 1, 0);
    agpu_write_present(writer, 3, 0);
    agpu_write_clear(writer, AEROGPU_CLEAR_COLOR, (const float[4]){0, 1, 0, 1}, 1, 0);
    agpu_write_destroy_texture_view(writer, 2);
    agpu_write_destroy_resource(writer, 1);
}

static void shows_textures_without_reading_them(void **state)
{
    (void)state;
    static const struct {
        uint32_t format, encoding;
    } cases[] = {
        {AEROGPU_FORMAT_R8G8B8A8_UNORM,      AGPU_SHOWN_ENCODED},
        {AEROGPU_FORMAT_R8G8B8A8_UNORM_SRGB, AGPU_SHOWN_LINEAR }
    };
    showing.pool = ag_readback_pool_create(host.gpu, 1 << 16);
    host.shown = take_texture;
    host_attach(&host);
    for (uint32_t i = 0; i < 4; i++) {
        struct agpu_writer writer = begin();
        const uint64_t before = host_counters(&host).readback_bytes;
        showing.readback = ag_readback_take(showing.pool, 256 * 8);
        showing.count = 0;
        showing.reads = i >= 2;
        present_between_clears(&writer, cases[i % 2].format);
        run_ok(&writer);
        ag_readback_begin(showing.readback);
        assert_true(ag_gpu_wait_idle(host.gpu, UINT64_C(60000000000)));
        assert_int_equal(showing.count, 1);
        assert_int_equal(showing.what.scanout_id, 3);
        assert_int_equal(showing.what.width, 16);
        assert_int_equal(showing.what.height, 8);
        assert_int_equal(showing.what.mip, 1);
        assert_int_equal(showing.what.layer, 1);
        assert_int_equal(showing.what.encoding, cases[i % 2].encoding);
        assert_non_null(ag_readback_data(showing.readback));
        assert_memory_equal(ag_readback_data(showing.readback) + 7 * 256 + 15 * 4, "\xFF\x00\xFF\x00", 4);
        assert_int_equal(host.present_count, 1);
        assert_int_equal(host.pixels != NULL, showing.reads);
        assert_int_equal(host_counters(&host).readback_bytes > before, showing.reads);
        if (showing.reads)
            assert_int_equal(host_pixel(&host, 15, 7), 0xFF00FF00);
        ag_readback_release(showing.pool, showing.readback);
        agpu_writer_fini(&writer);
    }
    ag_readback_pool_destroy(showing.pool);
    host.shown = NULL;
    host_attach(&host);
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

struct texture_kind {
    uint32_t format, bytes, block;
};

/* Two textures of 16 by 16 texels in guest memory, and a copy of 8 by 4 of them from (4, 8) to (8, 0). */
static void copy_texture(const struct texture_kind *kind, uint32_t pitch)
{
    struct agpu_writer writer = begin();
    const struct aerogpu_alloc_entry allocation = {.alloc_id = 7, .gpa = GUEST_BASE, .size_bytes = 8192};
    struct aerogpu_cmd_create_texture2d texture = {
        .texture_handle = 1,
        .usage_flags = AEROGPU_RESOURCE_USAGE_TEXTURE,
        .format = kind->format,
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
    agpu_writer_fini(&writer);
}

static void check_copied_texture(const struct texture_kind *kind, uint32_t pitch)
{
    for (uint32_t y = 0; y < 4 / kind->block; y++) {
        const uint8_t *from = host.guest + (8 / kind->block + y) * pitch + 4 / kind->block * kind->bytes;
        const uint8_t *to = host.guest + 4096 + y * pitch + 8 / kind->block * kind->bytes;
        for (uint32_t i = 0; i < 8 / kind->block * kind->bytes; i++) {
            bool unused = kind->format == AEROGPU_FORMAT_B8G8R8X8_UNORM && i % 4 == 3;
            assert_int_equal(to[i], unused ? 255 : from[i]);
        }
    }
    assert_int_equal(host.guest[4096], 0); /* only the copied bytes are written */
}

static void copies_textures_of_every_kind(void **state)
{
    (void)state;
    static const struct texture_kind kinds[] = {
        {AEROGPU_FORMAT_R8G8B8A8_UNORM,      4,  1},
        {AEROGPU_FORMAT_B8G8R8A8_UNORM_SRGB, 4,  1},
        {AEROGPU_FORMAT_B8G8R8X8_UNORM,      4,  1},
        {AEROGPU_FORMAT_B5G6R5_UNORM,        2,  1},
        {AEROGPU_FORMAT_B5G5R5A1_UNORM,      2,  1},
        {AEROGPU_FORMAT_BC1_RGBA_UNORM,      8,  4},
        {AEROGPU_FORMAT_BC7_RGBA_UNORM,      16, 4},
    };
    const size_t count = sizeof kinds / sizeof kinds[0];
    for (size_t n = 0; n < 2 * count; n++) {
        const struct texture_kind *kind = &kinds[n % count];
        const uint32_t pitch = 16 / kind->block * kind->bytes + 12;
        host.maps = n >= count;
        host.read_count = 0;
        copy_texture(kind, pitch);
        check_copied_texture(kind, pitch);
        assert_int_equal(host.read_count == 0, host.maps);
    }
    host.maps = false;
}

/* Rows that hold dirty bytes are read, and no others. */
static void reads_what_is_dirty(void **state)
{
    (void)state;
    static const struct {
        uint32_t format, bytes, block;
    } cases[] = {
        {AEROGPU_FORMAT_R8G8B8A8_UNORM, 4,  1},
        {AEROGPU_FORMAT_B5G6R5_UNORM,   2,  1},
        {AEROGPU_FORMAT_BC1_RGBA_UNORM, 8,  4},
        {AEROGPU_FORMAT_BC7_RGBA_UNORM, 16, 4},
    };
    const size_t count = sizeof cases / sizeof cases[0];
    for (size_t n = 0; n < 2 * count; n++) {
        const uint32_t bytes = cases[n % count].bytes, units = 32 / cases[n % count].block;
        const uint32_t pitch = units * bytes, rows = 8 / cases[n % count].block, at = pitch + 2 * bytes + 1;
        const struct aerogpu_alloc_entry allocation = {.alloc_id = 7, .gpa = GUEST_BASE, .size_bytes = 8192};
        struct aerogpu_cmd_create_texture2d texture = {
            .texture_handle = 1,
            .usage_flags = AEROGPU_RESOURCE_USAGE_TEXTURE,
            .format = cases[n % count].format,
            .width = 32,
            .height = 8,
            .mip_levels = 1,
            .array_layers = 1,
            .row_pitch_bytes = pitch,
            .backing_alloc_id = 7,
        };
        struct agpu_writer writer = begin();
        host.maps = n >= count;
        for (uint32_t i = 0; i < pitch * rows; i++)
            host.guest[i] = (uint8_t)(i * 7 + 64);
        agpu_write_create_texture2d(&writer, &texture);
        texture.texture_handle = 2;
        texture.backing_offset_bytes = 4096;
        agpu_write_create_texture2d(&writer, &texture);
        const struct aerogpu_cmd_copy_texture2d copy = {
            .dst_texture = 2, .src_texture = 1, .width = 32, .height = 8, .flags = COPY_BACK};
        agpu_write_copy_texture2d(&writer, &copy);
        assert_int_equal(host_run(&host, &writer, &allocation, 1), AEROGPU_ERROR_NONE);
        assert_memory_equal(host.guest + 4096, host.guest, pitch * rows);

        uint8_t expected[2048];
        memcpy(expected, host.guest, pitch * rows);
        for (uint32_t i = 0; i < pitch * rows; i++)
            host.guest[i] ^= 0x55;
        memcpy(expected + pitch, host.guest + pitch, pitch);
        agpu_write_resource_dirty_range(&writer, 1, at, bytes);
        agpu_write_copy_texture2d(&writer, &copy);
        assert_int_equal(host_run(&host, &writer, &allocation, 1), AEROGPU_ERROR_NONE);
        assert_memory_equal(host.guest + 4096, expected, pitch * rows);
        agpu_writer_fini(&writer);
    }
    host.maps = false;
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

/* ---- Packets in parts ---------------------------------------------------------------------------------- */

static const struct aerogpu_alloc_entry whole_guest = {
    .alloc_id = 7, .gpa = GUEST_BASE, .size_bytes = GUEST_BYTES};

/* Byte `i` of what is uploaded, which no period of a power of two hides. */
static uint8_t byte_at(uint64_t i)
{
    return (uint8_t)(i % 251);
}

static uint8_t *make_bytes(size_t size)
{
    uint8_t *bytes = malloc(size);
    assert_non_null(bytes);
    for (size_t i = 0; i < size; i++)
        bytes[i] = byte_at(i);
    return bytes;
}

/* Reads `size` bytes of a buffer at an offset and compares them with bytes of the upload from `first` on. */
static void expect_bytes(uint32_t buffer, uint32_t offset, uint32_t size, uint64_t first)
{
    struct agpu_writer writer;
    const struct aerogpu_cmd_ext_read_subresource read = {
        .resource_handle = buffer,
        .flags = AEROGPU_EXT_UPDATE_BOX,
        .box = {.left = offset, .right = offset + size, .bottom = 1, .back = 1},
        .target_alloc_id = 7,
    };
    agpu_writer_init_growing(&writer, NULL);
    agpu_write_packet(&writer, AEROGPU_CMD_EXT_READ_SUBRESOURCE, &read, sizeof read, NULL, 0);
    assert_int_equal(host_run(&host, &writer, &whole_guest, 1), AEROGPU_ERROR_NONE);
    for (uint32_t i = 0; i < size; i++)
        assert_int_equal(host.guest[i], byte_at(first + i));
    agpu_writer_fini(&writer);
}

/* Of buffers whose bytes the processor knows and others, in use and not, from the second byte on; and copies
 * between them, also within one buffer. */
static void uploads_in_parts(void **state)
{
    (void)state;
    enum { BYTES = (7 << 19) + 5, SIZE = BYTES + 7 };
    static const uint32_t usages[] = {AEROGPU_RESOURCE_USAGE_STORAGE, AEROGPU_RESOURCE_USAGE_INDEX_BUFFER};
    uint8_t *bytes = make_bytes(BYTES);
    for (uint32_t i = 0; i < 4; i++) {
        struct agpu_writer writer = begin();
        const uint32_t offset = i / 2;
        for (uint32_t buffer = 1; buffer <= 2; buffer++)
            agpu_write_create_buffer(&writer, buffer, usages[i % 2], SIZE, 0, 0);
        agpu_write_copy_buffer(&writer, 2, 0, 1, 0, SIZE, 0);
        agpu_write_upload_resource(&writer, 1, offset, bytes, BYTES);
        agpu_write_copy_buffer(&writer, 2, 0, 1, 0, SIZE, 0);
        agpu_write_copy_buffer(&writer, 1, offset + 4, 1, offset, BYTES, 0);
        host_run_ok(&host, &writer);
        for (uint32_t at = 0; at < BYTES; at += BYTES - 512 * 1024) {
            const uint32_t size = BYTES - at < 512 * 1024 ? BYTES - at : 512 * 1024;
            expect_bytes(2, offset + at, size, at);
            expect_bytes(1, offset + 4 + at, size, at);
        }
        expect_bytes(2, (1 << 20) - 1024, 2048, (1 << 20) - 1024 - offset);
        expect_bytes(1, (1 << 20) - 1024, 2048, (1 << 20) - 1024 - offset - 4);
        agpu_writer_fini(&writer);
    }
    free(bytes);
}

/* Texels that the processor decodes move down by four rows within their texture, which is copied in strips.
 */
static void copies_decoded_texels_in_strips(void **state)
{
    (void)state;
    enum { WIDTH = 256, ROWS = 1100, PITCH = WIDTH * 2, BYTES = PITCH * ROWS };
    struct agpu_writer writer = begin();
    const struct aerogpu_cmd_ext_copy_subresource_region copy = {
        .dst_resource = 1,
        .dst_y = 4,
        .src_resource = 1,
        .box_flags = AEROGPU_EXT_UPDATE_BOX,
        .box = {.right = WIDTH, .bottom = ROWS - 4, .back = 1},
    };
    const struct aerogpu_cmd_ext_read_subresource read = {.resource_handle = 1, .target_alloc_id = 7};
    uint8_t *bytes = make_bytes(BYTES);
    /* DXGI_FORMAT_R8G8_B8G8_UNORM */
    host_write_ext_texture(&writer, 1, AEROGPU_EXT_FORMAT_BASE | 68, WIDTH, ROWS,
                           AEROGPU_EXT_BIND_SHADER_RESOURCE);
    agpu_write_upload_resource(&writer, 1, 0, bytes, BYTES);
    agpu_write_packet(&writer, AEROGPU_CMD_EXT_COPY_SUBRESOURCE_REGION, &copy, sizeof copy, NULL, 0);
    agpu_write_packet(&writer, AEROGPU_CMD_EXT_READ_SUBRESOURCE, &read, sizeof read, NULL, 0);
    assert_int_equal(host_run(&host, &writer, &whole_guest, 1), AEROGPU_ERROR_NONE);
    assert_memory_equal(host.guest, bytes, 4 * PITCH);
    assert_memory_equal(host.guest + 4 * PITCH, bytes, BYTES - 4 * PITCH);
    agpu_writer_fini(&writer);
    free(bytes);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clears_and_presents),
        cmocka_unit_test(hands_pictures_over_as_they_are),
        cmocka_unit_test(shows_windows_to_who_looks),
        cmocka_unit_test(shows_textures_without_reading_them),
        cmocka_unit_test(clears_views),
        cmocka_unit_test(copies_back_into_guest_memory),
        cmocka_unit_test(copies_textures_of_every_kind),
        cmocka_unit_test(reads_what_is_dirty),
        cmocka_unit_test(uploads_in_stream_order),
        cmocka_unit_test(uploads_in_parts),
        cmocka_unit_test(copies_decoded_texels_in_strips),
    };
    if (argc < 3)
        return 1;
    int opened = host_open(&host, argv[1], argv[2]);
    if (opened != 0)
        return opened;
    int failed = cmocka_run_group_tests_name("exec/transfers", tests, NULL, NULL);
    host_close(&host);
    return failed;
}
