/* SPDX-License-Identifier: MIT
 *
 * Reading a resource as a guest would: a copy with write-back into a guest-backed staging resource, in a
 * context of the runner's own and without a fence, so that nothing the scene can see changes.
 */
#include <string.h>

#include "aerogpu/abi/ext.h"
#include "aerogpu/stream_writer.h"
#include "base/bytes.h"
#include "format/format.h"
#include "scene/run.h"

#define STAGING_GPA (SCENE_RUNNER_GPA + SCENE_RUNNER_BYTES / 2)
#define READBACK_CONTEXT UINT32_C(0xFFFFFFFF)
#define MAX_READBACK_BYTES ((uint64_t)256 << 20)

/* A number that no handle of the scene has. */
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
    struct agpu_executor *executor = run->options->executor;
    memset(counters, 0, sizeof *counters);
    if (executor->counters != NULL)
        executor->counters(executor, counters);
}

/* own += after - before, counter by counter. */
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

/* Runs the writer's stream with the staging memory in its table. */
static bool run_copy(struct scene_run *run, struct agpu_writer *writer,
                     const struct scene_allocation *staging, struct ag_strbuf *problem)
{
    const uint32_t line_errors = run->error_count;
    struct agpu_counters before, after;
    if (agpu_writer_finish(writer) != AGPU_OK) {
        ag_strbuf_append(problem, "the copy cannot be written");
        return false;
    }
    const struct scene_submit submit = {
        .context_id = READBACK_CONTEXT,
        .stream = {writer->data, writer->size},
    };
    read_counters(run, &before);
    run->quiet = problem;
    const bool good = scene_guest_submit(run, &submit, 0, staging) && scene_guest_finish(run);
    run->quiet = NULL;
    read_counters(run, &after);
    add_own(run, &before, &after);
    if (good && run->error_count != line_errors && problem->length == 0)
        ag_strbuf_append(problem, "the copy failed");
    return good && run->error_count == line_errors && problem->length == 0;
}

/* A box of one of the extension's resources, of `size` bytes, through the packet that Map sends. */
static bool read_box(struct scene_run *run, struct aerogpu_cmd_ext_read_subresource *read, void *to,
                     size_t size, struct ag_strbuf *problem)
{
    uint8_t *bytes = scene_memory_add(&run->memory, STAGING_GPA, size);
    const struct scene_allocation staging = {pick_allocation_id(run), false, STAGING_GPA, size};
    struct agpu_writer writer;
    read->flags = AEROGPU_EXT_UPDATE_BOX;
    read->target_alloc_id = staging.id;
    agpu_writer_init_growing(&writer, NULL);
    agpu_write_raw(&writer, AEROGPU_CMD_EXT_READ_SUBRESOURCE, (const char *)read + sizeof read->hdr,
                   sizeof *read - sizeof read->hdr);
    const bool good = bytes != NULL && run_copy(run, &writer, &staging, problem);
    if (good)
        memcpy(to, bytes, size);
    agpu_writer_fini(&writer);
    scene_memory_remove(&run->memory, STAGING_GPA);
    return good;
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
    const uint64_t start = offset & ~UINT64_C(3), end = ag_align_up(offset + size, 4);
    const struct scene_resource *buffer = scene_find_resource(run, handle);
    if (buffer == NULL || buffer->is_texture) {
        ag_strbuf_append(problem, "no buffer has this handle");
        return false;
    }
    if (buffer->is_ext)
        return read_ext_buffer(run, buffer, offset, to, size, problem);
    if (end < offset || !ag_range_fits(start, end - start, buffer->size_bytes) ||
        end - start > MAX_READBACK_BYTES) {
        ag_strbuf_append(problem, "past the end of the buffer");
        return false;
    }
    uint8_t *bytes = scene_memory_add(&run->memory, STAGING_GPA, (size_t)(end - start));
    const struct scene_allocation staging = {pick_allocation_id(run), false, STAGING_GPA, end - start};
    const uint32_t copy = pick_handle(run);
    struct agpu_writer writer;
    agpu_writer_init_growing(&writer, NULL);
    agpu_write_create_buffer(&writer, copy, AEROGPU_RESOURCE_USAGE_NONE, end - start, staging.id, 0);
    agpu_write_copy_buffer(&writer, copy, 0, handle, start, end - start, AEROGPU_COPY_FLAG_WRITEBACK_DST);
    agpu_write_destroy_resource(&writer, copy);
    const bool good = bytes != NULL && run_copy(run, &writer, &staging, problem);
    if (good)
        memcpy(to, bytes + (offset - start), size);
    agpu_writer_fini(&writer);
    scene_memory_remove(&run->memory, STAGING_GPA);
    return good;
}

/* The row of a format whose texels have bytes, or null. */
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

bool scene_read_texel(struct scene_run *run, uint32_t handle, uint32_t mip, uint32_t layer, uint32_t x,
                      uint32_t y, void *to, size_t capacity, size_t *size, struct ag_strbuf *problem)
{
    const struct scene_resource *texture = scene_find_resource(run, handle);
    const struct ag_host_format *format =
        texture != NULL && texture->is_texture ? find_format(texture->format) : NULL;
    if (format == NULL || format->bytes > capacity) {
        ag_strbuf_append(problem, "no texture of a known format has this handle");
        return false;
    }
    const uint32_t unit = format->bytes, across = format->block_width, down = format->block_height;
    const uint32_t source_mip = texture->base_mip + mip;
    const uint32_t width = mip_size(texture->width, source_mip),
                   height = mip_size(texture->height, source_mip);
    if (x >= width || y >= height) {
        ag_strbuf_printf(problem, "outside the %ux%u texels of the subresource", width, height);
        return false;
    }
    const uint32_t block_x = x / across * across, block_y = y / down * down;
    const uint32_t copy_width = width - block_x < across ? width - block_x : across;
    const uint32_t copy_height = height - block_y < down ? height - block_y : down;
    *size = unit;
    if (texture->is_ext) {
        const uint32_t slice = texture->base_layer + layer;
        struct aerogpu_cmd_ext_read_subresource read = {
            .resource_handle = texture->handle,
            .subresource = source_mip + (texture->is_volume ? 0 : slice * texture->mips),
            .box = {block_x, block_y, 0, block_x + copy_width, block_y + copy_height, 1},
        };
        if (texture->is_volume) {
            read.box.front = slice;
            read.box.back = slice + 1;
        }
        return read_box(run, &read, to, unit, problem);
    }
    uint8_t *bytes = scene_memory_add(&run->memory, STAGING_GPA, unit);
    const struct scene_allocation staging = {pick_allocation_id(run), false, STAGING_GPA, unit};
    const struct aerogpu_cmd_create_texture2d create = {
        .texture_handle = pick_handle(run),
        .usage_flags = AEROGPU_RESOURCE_USAGE_TEXTURE,
        .format = texture->format,
        .width = copy_width,
        .height = copy_height,
        .mip_levels = 1,
        .array_layers = 1,
        .row_pitch_bytes = unit,
        .backing_alloc_id = staging.id,
    };
    const struct aerogpu_cmd_copy_texture2d copy = {
        .dst_texture = create.texture_handle,
        .src_texture = texture->handle,
        .src_mip_level = source_mip,
        .src_array_layer = texture->base_layer + layer,
        .src_x = block_x,
        .src_y = block_y,
        .width = copy_width,
        .height = copy_height,
        .flags = AEROGPU_COPY_FLAG_WRITEBACK_DST,
    };
    struct agpu_writer writer;
    agpu_writer_init_growing(&writer, NULL);
    agpu_write_create_texture2d(&writer, &create);
    agpu_write_copy_texture2d(&writer, &copy);
    agpu_write_destroy_resource(&writer, create.texture_handle);
    const bool good = bytes != NULL && run_copy(run, &writer, &staging, problem);
    if (good)
        memcpy(to, bytes, unit);
    agpu_writer_fini(&writer);
    scene_memory_remove(&run->memory, STAGING_GPA);
    return good;
}
