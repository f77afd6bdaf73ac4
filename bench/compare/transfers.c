/* SPDX-License-Identifier: MIT
 *
 * Pictures that come back, and texels that go up.
 */
#include <stdlib.h>
#include <string.h>

#include "aerogpu/abi/cmd.h"
#include "base/bytes.h"
#include "bench/compare/row.h"
#include "gpu/wait.h"

#define SCREEN_WIDTH 1920u
#define SCREEN_HEIGHT 1080u
#define IMAGE_WIDTH 3840u
#define IMAGE_HEIGHT 2160u
#define IMAGE_BYTES ((size_t)IMAGE_WIDTH * IMAGE_HEIGHT * 4)
#define PART_AT ((size_t)IMAGE_WIDTH * 4 * 1000 + 256)
#define PART_BYTES 64u

enum handle { HANDLE_TARGET = 1, HANDLE_IMAGE, HANDLE_TEXEL };
enum part { PART_ALL, PART_OF_A_ROW };

/* ---- Presents ------------------------------------------------------------------------------------------ */

struct screen {
    WGPUTexture target;
    WGPUTextureView view;
    WGPUBuffer buffer;
    uint8_t *pixels;
};

static void *open_screen(struct rig *rig, const struct row *row)
{
    struct screen *const screen = calloc(1, sizeof *screen);
    struct agpu_writer writer;
    const uint32_t target = HANDLE_TARGET;
    (void)row;
    if (screen == NULL)
        return NULL;
    agpu_writer_init_growing(&writer, NULL);
    rig_write_texture(&writer, target, AEROGPU_RESOURCE_USAGE_RENDER_TARGET | AEROGPU_RESOURCE_USAGE_SCANOUT,
                      AEROGPU_FORMAT_B8G8R8A8_UNORM, SCREEN_WIDTH, SCREEN_HEIGHT);
    agpu_write_set_render_targets(&writer, 1, &target, 0);
    rig_run(rig, &writer);
    agpu_writer_fini(&writer);
    screen->target = raw_texture(rig, SCREEN_WIDTH, SCREEN_HEIGHT, WGPUTextureFormat_BGRA8Unorm,
                                 WGPUTextureUsage_RenderAttachment | WGPUTextureUsage_CopySrc);
    screen->view = wgpuTextureCreateView(screen->target, NULL);
    screen->buffer =
        raw_buffer(rig, (uint64_t)SCREEN_WIDTH * SCREEN_HEIGHT * 4, WGPUBufferUsage_MapRead, NULL);
    screen->pixels = malloc((size_t)SCREEN_WIDTH * SCREEN_HEIGHT * 4);
    return screen;
}

static void close_screen(struct rig *rig, void *state)
{
    struct screen *const screen = state;
    (void)rig;
    wgpuBufferRelease(screen->buffer);
    wgpuTextureViewRelease(screen->view);
    wgpuTextureRelease(screen->target);
    free(screen->pixels);
    free(screen);
}

static void write_screen(void *state, struct agpu_writer *writer, uint32_t frame)
{
    const float black[4] = {0, 0, 0, 1};
    (void)state;
    (void)frame;
    agpu_write_clear(writer, AEROGPU_CLEAR_COLOR, black, 1, 0);
    agpu_write_present(writer, 0, AEROGPU_PRESENT_FLAG_NONE);
}

static void on_mapped(WGPUMapAsyncStatus status, WGPUStringView message, void *user, void *unused)
{
    (void)message;
    (void)unused;
    *(bool *)user = status == WGPUMapAsyncStatus_Success;
}

static void record_screen(struct rig *rig, void *state, uint32_t frame)
{
    struct screen *const screen = state;
    const size_t size = (size_t)SCREEN_WIDTH * SCREEN_HEIGHT * 4;
    const WGPUTexelCopyTextureInfo from = {.texture = screen->target, .aspect = WGPUTextureAspect_All};
    const WGPUTexelCopyBufferInfo to = {
        .buffer = screen->buffer, .layout = {.bytesPerRow = SCREEN_WIDTH * 4, .rowsPerImage = SCREEN_HEIGHT}
    };
    const WGPUExtent3D extent = {SCREEN_WIDTH, SCREEN_HEIGHT, 1};
    bool is_mapped = false;
    (void)frame;
    const WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(rig->device, NULL);
    const WGPURenderPassEncoder pass = raw_pass(encoder, screen->view);
    raw_pass_end(pass);
    wgpuCommandEncoderCopyTextureToBuffer(encoder, &from, &to, &extent);
    raw_submit(rig, encoder);
    const WGPUBufferMapCallbackInfo callback = {
        .mode = WGPUCallbackMode_AllowProcessEvents, .callback = on_mapped, .userdata1 = &is_mapped};
    wgpuBufferMapAsync(screen->buffer, WGPUMapMode_Read, 0, size, callback);
    if (!ag_gpu_wait_flag(rig->gpu, &is_mapped, UINT64_MAX))
        return;
    memcpy(screen->pixels, wgpuBufferGetConstMappedRange(screen->buffer, 0, size), size);
    wgpuBufferUnmap(screen->buffer);
}

static bool show_screen(struct rig *rig, void *state, struct row_pictures *pictures)
{
    struct screen *const screen = state;
    pictures->bytes = (size_t)SCREEN_WIDTH * SCREEN_HEIGHT * 4;
    pictures->stream = rig->shown;
    pictures->raw = malloc(pictures->bytes);
    if (pictures->raw != NULL)
        memcpy(pictures->raw, screen->pixels, pictures->bytes);
    return pictures->raw != NULL && rig->shown_bytes == pictures->bytes &&
           rig->shown_order == AGPU_PIXELS_BGRA8;
}

/* ---- Uploads ------------------------------------------------------------------------------------------- */

struct image {
    enum part part;
    uint8_t *guest;
    WGPUTexture texture, texel;
};

static void *open_image(struct rig *rig, const struct row *row)
{
    struct image *const image = calloc(1, sizeof *image);
    struct agpu_writer writer;
    if (image == NULL || rig->guest_bytes < IMAGE_BYTES) {
        free(image);
        return NULL;
    }
    image->part = (enum part)row->variant;
    image->guest = rig->guest;
    const struct aerogpu_cmd_create_texture2d texture = {
        .texture_handle = HANDLE_IMAGE,
        .usage_flags = AEROGPU_RESOURCE_USAGE_TEXTURE | AEROGPU_RESOURCE_USAGE_RENDER_TARGET,
        .format = AEROGPU_FORMAT_R8G8B8A8_UNORM,
        .width = IMAGE_WIDTH,
        .height = IMAGE_HEIGHT,
        .mip_levels = 1,
        .array_layers = 1,
        .row_pitch_bytes = IMAGE_WIDTH * 4,
        .backing_alloc_id = 1,
    };
    agpu_writer_init_growing(&writer, NULL);
    agpu_write_create_texture2d(&writer, &texture);
    rig_write_texture(&writer, HANDLE_TEXEL, AEROGPU_RESOURCE_USAGE_TEXTURE, AEROGPU_FORMAT_R8G8B8A8_UNORM, 1,
                      1);
    rig_run(rig, &writer);
    agpu_writer_fini(&writer);
    image->texture =
        raw_texture(rig, IMAGE_WIDTH, IMAGE_HEIGHT, WGPUTextureFormat_RGBA8Unorm,
                    WGPUTextureUsage_TextureBinding | WGPUTextureUsage_CopyDst | WGPUTextureUsage_CopySrc);
    image->texel = raw_texture(rig, 1, 1, WGPUTextureFormat_RGBA8Unorm, WGPUTextureUsage_CopyDst);
    return image;
}

static void close_image(struct rig *rig, void *state)
{
    struct image *const image = state;
    (void)rig;
    wgpuTextureRelease(image->texture);
    wgpuTextureRelease(image->texel);
    free(image);
}

/* A copy of one texel makes the executor read what is dirty; by hand it is copied, too. */
static void write_image(void *state, struct agpu_writer *writer, uint32_t frame)
{
    struct image *const image = state;
    const struct aerogpu_cmd_copy_texture2d copy = {
        .dst_texture = HANDLE_TEXEL, .src_texture = HANDLE_IMAGE, .width = 1, .height = 1};
    memset(image->guest + PART_AT, (int)(frame % 251), PART_BYTES);
    agpu_write_resource_dirty_range(writer, HANDLE_IMAGE, image->part == PART_ALL ? 0 : PART_AT,
                                    image->part == PART_ALL ? IMAGE_BYTES : PART_BYTES);
    agpu_write_copy_texture2d(writer, &copy);
}

static void record_image(struct rig *rig, void *state, uint32_t frame)
{
    struct image *const image = state;
    const bool all = image->part == PART_ALL;
    const WGPUTexelCopyTextureInfo to = {
        .texture = image->texture,
        .origin = {0, all ? 0 : (uint32_t)(PART_AT / (IMAGE_WIDTH * 4)), 0},
        .aspect = WGPUTextureAspect_All
    };
    const uint32_t rows = all ? IMAGE_HEIGHT : 1;
    const WGPUTexelCopyBufferLayout layout = {.bytesPerRow = IMAGE_WIDTH * 4, .rowsPerImage = rows};
    const WGPUExtent3D extent = {IMAGE_WIDTH, rows, 1};
    const size_t at = (size_t)to.origin.y * IMAGE_WIDTH * 4;
    (void)frame;
    wgpuQueueWriteTexture(rig->queue, &to, image->guest + at, (size_t)IMAGE_WIDTH * 4 * rows, &layout,
                          &extent);
    const WGPUTexelCopyTextureInfo from = {.texture = image->texture, .aspect = WGPUTextureAspect_All};
    const WGPUTexelCopyTextureInfo texel = {.texture = image->texel, .aspect = WGPUTextureAspect_All};
    const WGPUExtent3D one = {1, 1, 1};
    const WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(rig->device, NULL);
    wgpuCommandEncoderCopyTextureToTexture(encoder, &from, &texel, &one);
    raw_submit(rig, encoder);
}

static bool show_image(struct rig *rig, void *state, struct row_pictures *pictures)
{
    const struct image *const image = state;
    return row_show_textures(rig, HANDLE_IMAGE, image->texture, IMAGE_WIDTH, IMAGE_HEIGHT, pictures);
}

/* ---- Copies -------------------------------------------------------------------------------------------- */

#define COPIES 10u

struct copies {
    WGPUTexture from, to;
};

enum { HANDLE_COPY = HANDLE_TEXEL + 1, HANDLE_SHOWN };

static void *open_copies(struct rig *rig, const struct row *row)
{
    struct copies *const copies = calloc(1, sizeof *copies);
    const uint32_t target = HANDLE_TARGET, format = AEROGPU_FORMAT_B5G6R5_UNORM;
    const float color[4] = {1, 0, 1, 1};
    struct agpu_writer writer;
    (void)row;
    if (copies == NULL)
        return NULL;
    agpu_writer_init_growing(&writer, NULL);
    rig_write_texture(&writer, target, AEROGPU_RESOURCE_USAGE_RENDER_TARGET, format, SCREEN_WIDTH,
                      SCREEN_HEIGHT);
    rig_write_texture(&writer, HANDLE_COPY, AEROGPU_RESOURCE_USAGE_TEXTURE, format, SCREEN_WIDTH,
                      SCREEN_HEIGHT);
    rig_write_texture(&writer, HANDLE_SHOWN, AEROGPU_RESOURCE_USAGE_RENDER_TARGET, format, SCREEN_WIDTH,
                      SCREEN_HEIGHT);
    agpu_write_set_render_targets(&writer, 1, &target, 0);
    agpu_write_clear(&writer, AEROGPU_CLEAR_COLOR, color, 1, 0);
    rig_run(rig, &writer);
    agpu_writer_fini(&writer);
    copies->from = raw_texture(rig, SCREEN_WIDTH, SCREEN_HEIGHT, WGPUTextureFormat_RGBA8Unorm,
                               WGPUTextureUsage_RenderAttachment | WGPUTextureUsage_CopySrc);
    copies->to = raw_texture(rig, SCREEN_WIDTH, SCREEN_HEIGHT, WGPUTextureFormat_RGBA8Unorm,
                             WGPUTextureUsage_CopyDst | WGPUTextureUsage_CopySrc);
    const WGPURenderPassColorAttachment attachment = {
        .depthSlice = WGPU_DEPTH_SLICE_UNDEFINED,
        .view = wgpuTextureCreateView(copies->from, NULL),
        .loadOp = WGPULoadOp_Clear,
        .storeOp = WGPUStoreOp_Store,
        .clearValue = {1, 0, 1, 1},
    };
    const WGPURenderPassDescriptor clear = {.colorAttachmentCount = 1, .colorAttachments = &attachment};
    const WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(rig->device, NULL);
    const WGPURenderPassEncoder pass = wgpuCommandEncoderBeginRenderPass(encoder, &clear);
    raw_pass_end(pass);
    wgpuTextureViewRelease(attachment.view);
    raw_submit(rig, encoder);
    return copies;
}

static void close_copies(struct rig *rig, void *state)
{
    struct copies *const copies = state;
    (void)rig;
    wgpuTextureRelease(copies->from);
    wgpuTextureRelease(copies->to);
    free(copies);
}

static void write_copies(void *state, struct agpu_writer *writer, uint32_t frame)
{
    const struct aerogpu_cmd_copy_texture2d copy = {.dst_texture = HANDLE_COPY,
                                                    .src_texture = HANDLE_TARGET,
                                                    .width = SCREEN_WIDTH,
                                                    .height = SCREEN_HEIGHT};
    (void)state;
    (void)frame;
    for (uint32_t i = 0; i < COPIES; i++)
        agpu_write_copy_texture2d(writer, &copy);
}

static void record_copies(struct rig *rig, void *state, uint32_t frame)
{
    const struct copies *const copies = state;
    const WGPUTexelCopyTextureInfo from = {.texture = copies->from, .aspect = WGPUTextureAspect_All};
    const WGPUTexelCopyTextureInfo to = {.texture = copies->to, .aspect = WGPUTextureAspect_All};
    const WGPUExtent3D extent = {SCREEN_WIDTH, SCREEN_HEIGHT, 1};
    const WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(rig->device, NULL);
    (void)frame;
    for (uint32_t i = 0; i < COPIES; i++)
        wgpuCommandEncoderCopyTextureToTexture(encoder, &from, &to, &extent);
    raw_submit(rig, encoder);
}

/* A texture that is no target is shown by a copy of it that is one. */
static bool show_copies(struct rig *rig, void *state, struct row_pictures *pictures)
{
    const struct copies *const copies = state;
    const struct aerogpu_cmd_copy_texture2d copy = {.dst_texture = HANDLE_SHOWN,
                                                    .src_texture = HANDLE_COPY,
                                                    .width = SCREEN_WIDTH,
                                                    .height = SCREEN_HEIGHT};
    struct agpu_writer writer;
    agpu_writer_init_growing(&writer, NULL);
    agpu_write_copy_texture2d(&writer, &copy);
    rig_run(rig, &writer);
    agpu_writer_fini(&writer);
    return row_show_textures(rig, HANDLE_SHOWN, copies->to, SCREEN_WIDTH, SCREEN_HEIGHT, pictures);
}

const struct row transfer_rows[] = {
    {.name = "present",
     .what = "a picture of 1920x1080 comes back",
     .items = 1,
     .with_polls = true,
     .open = open_screen,
     .close = close_screen,
     .write = write_screen,
     .record = record_screen,
     .show = show_screen},
    {.name = "upload",
     .what = "3840x2160 texels of guest memory",
     .items = 1,
     .variant = PART_ALL,
     .open = open_image,
     .close = close_image,
     .write = write_image,
     .record = record_image,
     .show = show_image},
    {.name = "upload part",
     .what = "64 dirty bytes of 3840x2160 texels",
     .items = 1,
     .variant = PART_OF_A_ROW,
     .open = open_image,
     .close = close_image,
     .write = write_image,
     .record = record_image,
     .show = show_image},
    {.name = "copies",
     .what = "copies of 1920x1080 texels of B5G6R5",
     .items = COPIES,
     .open = open_copies,
     .close = close_copies,
     .write = write_copies,
     .record = record_copies,
     .show = show_copies  },
};
const uint32_t transfer_row_count = AG_COUNT_OF(transfer_rows);
