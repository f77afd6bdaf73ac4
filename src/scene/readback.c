/* SPDX-License-Identifier: MIT
 *
 * Reads resources back as a guest would: with a copy that writes back into a guest-backed staging resource.
 * The submission has a context of its own and no fence, so that nothing the scene can see changes.
 */
#include <stdlib.h>
#include <string.h>

#include "aerogpu/abi/ext.h"
#include "aerogpu/stream_writer.h"
#include "base/bytes.h"
#include "format/format.h"
#include "scene/run.h"

#define STAGING_GPA (SCENE_RUNNER_GPA + SCENE_RUNNER_BYTES / 2)
#define READBACK_CONTEXT UINT32_C(0xFFFFFFFF)
#define MAX_READBACK_BYTES ((uint64_t)256 << 20)

/* Returns a handle that the scene does not use. */
static uint32_t pick_handle(const struct scene_run *run)
{
    uint32_t handle = UINT32_C(0xFFFFFFFE);
    while (ag_map_get(&run->scene->handles.by_number, handle) != NULL ||
           ag_map_get(&run->resources, handle) != NULL)
        handle--;
    return handle;
}

static uint32_t pick_allocation_id(const struct scene_run *run)
{
    uint32_t id = UINT32_C(0x7FFFFFFE);
    for (size_t i = 0; i < run->allocations.count; i++) {
        if (run->allocations.data[i].id == id) {
            id--;
            i = (size_t)-1;
        }
    }
    return id;
}

static void read_counters(struct scene_run *run, struct agpu_counters *counters)
{
    struct agpu_executor *executor = run->executor;
    *counters = (struct agpu_counters){.size = sizeof *counters};
    if (executor->counters != NULL)
        executor->counters(executor, counters);
}

/* Adds what a submission of the runner counted to `run->own`, counter by counter. */
static void add_own(struct scene_run *run, const struct agpu_counters *before,
                    const struct agpu_counters *after)
{
    for (size_t at = offsetof(struct agpu_counters, submissions); at < sizeof *before;
         at += sizeof(uint64_t)) {
        const uint64_t grown = ag_load_u64((const char *)after + at) - ag_load_u64((const char *)before + at);
        char *to = (char *)&run->own + at;
        ag_store_u64(to, ag_load_u64(to) + grown);
    }
}

/* A stream of the runner's own that copies into staging memory. */
struct copy {
    struct scene_allocation staging;
    uint8_t *bytes; /* of the staging memory; null: memory is exhausted */
    struct agpu_writer writer;
};

static void begin_copy(struct scene_run *run, struct copy *copy, size_t size)
{
    copy->bytes = scene_memory_add(&run->memory, STAGING_GPA, size);
    copy->staging = (struct scene_allocation){pick_allocation_id(run), false, STAGING_GPA, size};
    agpu_writer_init_growing(&copy->writer, NULL);
}

/* Submits the stream with the staging memory in its allocation table, and waits for it. */
static bool run_copy(struct scene_run *run, struct copy *copy, struct ag_strbuf *problem)
{
    const uint32_t line_errors = run->error_count;
    struct agpu_counters before, after;
    if (copy->bytes == NULL || agpu_writer_finish(&copy->writer) != AGPU_OK) {
        ag_strbuf_append(problem, "the copy cannot be written");
        return false;
    }
    const struct scene_submit submit = {
        .context_id = READBACK_CONTEXT,
        .stream = {copy->writer.data, copy->writer.size},
    };
    read_counters(run, &before);
    run->quiet = problem;
    const bool good = scene_guest_submit(run, &submit, 0, &copy->staging) && scene_guest_finish(run);
    run->quiet = NULL;
    read_counters(run, &after);
    add_own(run, &before, &after);
    if (good && run->error_count != line_errors && problem->length == 0)
        ag_strbuf_append(problem, "the copy failed");
    return good && run->error_count == line_errors && problem->length == 0;
}

static bool end_copy(struct scene_run *run, struct copy *copy, void *to, struct ag_strbuf *problem)
{
    const bool good = run_copy(run, copy, problem);
    if (good)
        memcpy(to, copy->bytes, (size_t)copy->staging.size);
    agpu_writer_fini(&copy->writer);
    scene_memory_remove(&run->memory, STAGING_GPA);
    return good;
}

/* Reads a box of one of the extension's resources with the packet that drivers send for Map. */
static bool read_box(struct scene_run *run, struct aerogpu_cmd_ext_read_subresource *read, void *to,
                     size_t size, struct ag_strbuf *problem)
{
    struct copy copy;
    begin_copy(run, &copy, size);
    read->flags = AEROGPU_EXT_UPDATE_BOX;
    read->target_alloc_id = copy.staging.id;
    agpu_write_raw(&copy.writer, AEROGPU_CMD_EXT_READ_SUBRESOURCE, (const char *)read + sizeof read->hdr,
                   sizeof *read - sizeof read->hdr);
    return end_copy(run, &copy, to, problem);
}

static bool read_ext_buffer(struct scene_run *run, const struct scene_resource *buffer, uint64_t offset,
                            void *to, size_t size, struct ag_strbuf *problem)
{
    struct aerogpu_cmd_ext_read_subresource read = {
        .resource_handle = buffer->handle,
        .box = {(uint32_t)offset, 0, 0, (uint32_t)(offset + size), 1, 1},
    };
    if (!ag_range_fits(offset, size, buffer->size_bytes) || offset + size > UINT32_MAX) {
        ag_strbuf_append(problem, "past the end of the buffer");
        return false;
    }
    return read_box(run, &read, to, size, problem);
}

bool scene_read_buffer(struct scene_run *run, uint32_t handle, uint64_t offset, void *to, size_t size,
                       struct ag_strbuf *problem)
{
    const struct scene_resource *buffer = scene_find_resource(run, handle);
    if (buffer == NULL || buffer->is_texture) {
        ag_strbuf_append(problem, "no buffer has this handle");
        return false;
    }
    if (buffer->is_ext)
        return read_ext_buffer(run, buffer, offset, to, size, problem);
    if (!ag_range_fits(offset, size, buffer->size_bytes) || size > MAX_READBACK_BYTES) {
        ag_strbuf_append(problem, "past the end of the buffer");
        return false;
    }
    struct copy copy;
    begin_copy(run, &copy, size);
    const uint32_t target = pick_handle(run);
    agpu_write_create_buffer(&copy.writer, target, AEROGPU_RESOURCE_USAGE_NONE, size, copy.staging.id, 0);
    agpu_write_copy_buffer(&copy.writer, target, 0, handle, offset, size, AEROGPU_COPY_FLAG_WRITEBACK_DST);
    agpu_write_destroy_resource(&copy.writer, target);
    return end_copy(run, &copy, to, problem);
}

/* Returns the row of a format in the format table, or null when its texels have no bytes. */
static const struct ag_host_format *find_format(uint32_t format)
{
    const struct ag_host_format *found = AEROGPU_EXT_IS_FORMAT(format)
                                             ? ag_dxgi_format(AEROGPU_EXT_FORMAT_DXGI(format))
                                             : ag_abi_format(format);
    return found != NULL && found->bytes != 0 ? found : NULL;
}

static uint32_t mip_size(uint32_t size, uint32_t mip)
{
    const uint32_t shifted = mip < 32 ? size >> mip : 0;
    return shifted != 0 ? shifted : 1;
}

/* A rectangle to be read, widened to whole units of the texture's format, with its place in the resource. */
struct texel_copy {
    const struct scene_resource *texture;
    uint32_t mip, slice;
    uint32_t x, y, width, height; /* whole blocks, except at the far edges */
    uint32_t unit, columns, rows;
};

static bool plan_copy(const struct scene_resource *texture, const struct scene_texel_rect *rect,
                      struct texel_copy *copy, struct ag_strbuf *problem)
{
    const struct ag_host_format *format =
        texture != NULL && texture->is_texture ? find_format(texture->format) : NULL;
    if (format == NULL || format->bytes > SCENE_MAX_TEXEL_BYTES) {
        ag_strbuf_append(problem, "no texture of a known format has this handle");
        return false;
    }
    const uint32_t across = format->block_width, down = format->block_height;
    copy->unit = format->bytes;
    copy->texture = texture;
    copy->mip = texture->base_mip + rect->mip;
    copy->slice = texture->base_layer + rect->layer;
    const uint32_t width = mip_size(texture->width, copy->mip), height = mip_size(texture->height, copy->mip);
    if (rect->x >= width || rect->width > width - rect->x || rect->y >= height ||
        rect->height > height - rect->y) {
        ag_strbuf_printf(problem, "outside the %ux%u texels of the subresource", width, height);
        return false;
    }
    const uint64_t right = ag_align_up(rect->x + (uint64_t)rect->width, across);
    const uint64_t bottom = ag_align_up(rect->y + (uint64_t)rect->height, down);
    copy->x = rect->x / across * across;
    copy->y = rect->y / down * down;
    copy->width = (uint32_t)(right < width ? right : width) - copy->x;
    copy->height = (uint32_t)(bottom < height ? bottom : height) - copy->y;
    copy->columns = (copy->width + across - 1) / across;
    copy->rows = (copy->height + down - 1) / down;
    if ((uint64_t)copy->columns * copy->rows * copy->unit <= MAX_READBACK_BYTES)
        return true;
    ag_strbuf_append(problem, "the rectangle has too many bytes");
    return false;
}

/* Reads the rectangle with the extension's own packet, which takes boxes of every texture. */
static bool copy_ext_texels(struct scene_run *run, const struct texel_copy *copy, void *to, size_t size,
                            struct ag_strbuf *problem)
{
    const struct scene_resource *texture = copy->texture;
    struct aerogpu_cmd_ext_read_subresource read = {
        .resource_handle = texture->handle,
        .subresource = copy->mip + (texture->is_volume ? 0 : copy->slice * texture->mips),
        .box = {copy->x, copy->y, 0, copy->x + copy->width, copy->y + copy->height, 1},
    };
    if (texture->is_volume) {
        read.box.front = copy->slice;
        read.box.back = copy->slice + 1;
    }
    return read_box(run, &read, to, size, problem);
}

/* Reads the rectangle with a copy into a guest-backed texture of the same size. */
static bool copy_texels(struct scene_run *run, const struct texel_copy *what, void *to, size_t size,
                        struct ag_strbuf *problem)
{
    struct copy copy;
    begin_copy(run, &copy, size);
    const struct aerogpu_cmd_create_texture2d create = {
        .texture_handle = pick_handle(run),
        .usage_flags = AEROGPU_RESOURCE_USAGE_TEXTURE,
        .format = what->texture->format,
        .width = what->width,
        .height = what->height,
        .mip_levels = 1,
        .array_layers = 1,
        .row_pitch_bytes = what->columns * what->unit,
        .backing_alloc_id = copy.staging.id,
    };
    const struct aerogpu_cmd_copy_texture2d command = {
        .dst_texture = create.texture_handle,
        .src_texture = what->texture->handle,
        .src_mip_level = what->mip,
        .src_array_layer = what->slice,
        .src_x = what->x,
        .src_y = what->y,
        .width = what->width,
        .height = what->height,
        .flags = AEROGPU_COPY_FLAG_WRITEBACK_DST,
    };
    agpu_write_create_texture2d(&copy.writer, &create);
    agpu_write_copy_texture2d(&copy.writer, &command);
    agpu_write_destroy_resource(&copy.writer, create.texture_handle);
    return end_copy(run, &copy, to, problem);
}

bool scene_read_texels(struct scene_run *run, uint32_t handle, const struct scene_texel_rect *rect,
                       struct scene_texels *texels, struct ag_strbuf *problem)
{
    struct texel_copy copy;
    *texels = (struct scene_texels){0};
    if (!plan_copy(scene_find_resource(run, handle), rect, &copy, problem))
        return false;
    const size_t size = (size_t)copy.columns * copy.rows * copy.unit;
    uint8_t *bytes = malloc(size);
    if (bytes == NULL) {
        ag_strbuf_append(problem, "out of memory");
        return false;
    }
    const bool good = copy.texture->is_ext ? copy_ext_texels(run, &copy, bytes, size, problem)
                                           : copy_texels(run, &copy, bytes, size, problem);
    if (!good) {
        free(bytes);
        return false;
    }
    *texels = (struct scene_texels){bytes, copy.unit, copy.columns, copy.rows};
    return true;
}
