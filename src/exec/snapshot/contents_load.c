/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <string.h>

#include "abi/texture_layout.h"
#include "aerogpu/diag.h"
#include "base/archive.h"
#include "base/bytes.h"
#include "exec/blit/depth_write.h"
#include "exec/blit/sample_image.h"
#include "exec/host/host.h"
#include "exec/object/buffer.h"
#include "exec/object/handle.h"
#include "exec/object/sample_count.h"
#include "exec/object/texture.h"
#include "exec/object/uav_counter.h"
#include "exec/object/view.h"
#include "exec/packet/execution.h"
#include "exec/record/flush.h"
#include "exec/record/recorder.h"
#include "exec/record/throttle.h"
#include "exec/snapshot/contents.h"
#include "exec/snapshot/sections.h"
#include "exec/transfer/texture_blocks.h"
#include "format/format.h"
#include "gpu/gpu.h"

/* The loading of contents. */
struct contents_load {
    struct ag_execution *rooms;
    struct ag_archive *archive;
    /* The samples of an image until all of its parts have come; or null. */
    WGPUTexture array;
    struct ag_texture *array_texture;
    uint32_t array_slice, array_image;
};

static bool refuse(struct contents_load *load, const struct ag_content *content)
{
    return ag_archive_refuse(load->archive, AGPU_DIAG_SNAPSHOT_FORMAT,
                             "contents of handle %" PRIu32 " do not fit what it names", content->handle);
}

/* ---- What a part is of ------------------------------------------------------------------------------- */

static struct ag_resource *find_resource(struct contents_load *load, const struct ag_content *content,
                                         enum ag_resource_kind kind)
{
    const struct ag_handle *entry = ag_handle_find(load->rooms->objects, content->handle);
    if (entry && entry->kind != AG_HANDLE_ALIAS && !entry->view && entry->resource->kind == kind)
        return entry->resource;
    refuse(load, content);
    return NULL;
}

static struct ag_buffer *find_buffer(struct contents_load *load, const struct ag_content *content)
{
    return (struct ag_buffer *)find_resource(load, content, AG_RESOURCE_BUFFER);
}

/* The texture of rows that it has: of which kind its contents are is known by its description. */
static struct ag_texture *find_texture(struct contents_load *load, const struct ag_content *content)
{
    struct ag_texture *texture = (struct ag_texture *)find_resource(load, content, AG_RESOURCE_TEXTURE);
    if (!texture)
        return NULL;
    const bool several = texture->sample_count > 1;
    const bool depth = ag_host_format_has(texture->format, AG_FORMAT_DEPTH);
    const uint32_t kind = texture->blocks ? AG_CONTENT_BLOCKS
                          : several       ? AG_CONTENT_SAMPLES
                          : depth         ? AG_CONTENT_DEPTH
                                          : AG_CONTENT_TEXELS;
    if (kind == content->kind && content->mip < texture->mips &&
        content->slice < ag_texture_slices(texture, content->mip) &&
        (!several || (content->image < ag_sample_image_count(texture) &&
                      content->sample < ag_samples_host(texture->sample_count))))
        return texture;
    refuse(load, content);
    return NULL;
}

/* The same for a part of rows, whose shape *shape gets. */
static struct ag_texture *find_rows(struct contents_load *load, const struct ag_content *content,
                                    struct ag_content_shape *shape)
{
    struct ag_texture *texture = find_texture(load, content);
    if (!texture)
        return NULL;
    *shape = ag_content_shape_of(texture, content);
    if (content->rows > 0 && ag_range_fits(content->row, content->rows, shape->height) &&
        content->size == (uint64_t)shape->width * shape->unit_bytes * content->rows)
        return texture;
    refuse(load, content);
    return NULL;
}

/* ---- Bytes ------------------------------------------------------------------------------------------- */

static void load_bytes(struct contents_load *load, const struct ag_content *content, const uint8_t *bytes)
{
    struct ag_host *host = load->rooms->host;
    struct ag_buffer *buffer = find_buffer(load, content);
    if (!buffer)
        return;
    if (content->offset % 4 != 0 || content->size % 4 != 0 || content->size == 0 ||
        !ag_range_fits(content->offset, content->size, ag_buffer_host_size(buffer))) {
        refuse(load, content);
        return;
    }
    buffer->version = ag_host_id(host);
    if (buffer->shadow) {
        memcpy(buffer->shadow + content->offset, bytes, (size_t)content->size);
        buffer->gpu_stale = (struct ag_interval){0, ag_buffer_host_size(buffer)};
        return;
    }
    ag_throttle_add_upload(load->rooms->recorder, content->size);
    wgpuQueueWriteBuffer(ag_gpu_writer(host->gpu), buffer->gpu, content->offset, bytes,
                         (size_t)content->size);
}

static void load_blocks(struct contents_load *load, const struct ag_content *content, const uint8_t *bytes)
{
    struct ag_texture *texture = find_texture(load, content);
    if (!texture)
        return;
    if (content->size == 0 || !ag_range_fits(content->offset, content->size, texture->layout.size_bytes))
        refuse(load, content);
    else if (!ag_texture_write_blocks(load->rooms->copier, texture, content->offset, bytes, content->size))
        ag_archive_fail(load->archive, AGPU_NO_MEMORY);
}

static void load_counter(struct contents_load *load, const struct ag_content *content, const uint8_t *bytes)
{
    (void)bytes;
    struct ag_uav_counter *counter = NULL;
    if (content->kind == AG_CONTENT_VIEW_COUNTER) {
        struct ag_view *view = ag_handle_any_view(load->rooms->objects, content->handle);
        counter = view ? &view->counter : NULL;
    } else {
        struct ag_buffer *buffer = find_buffer(load, content);
        counter = !buffer                                      ? NULL
                  : content->kind == AG_CONTENT_BUFFER_COUNTER ? &buffer->counter
                                                               : &buffer->filled;
    }
    if (!counter || content->offset > UINT32_MAX || content->size != 0) {
        refuse(load, content);
        return;
    }
    counter->value = (uint32_t)content->offset;
    counter->is_set = true;
}

/* ---- Texels ------------------------------------------------------------------------------------------ */

static void upload(struct contents_load *load, const WGPUTexelCopyTextureInfo *to, uint64_t row_bytes,
                   const struct ag_content *content, const WGPUExtent3D *extent, const uint8_t *bytes)
{
    const WGPUTexelCopyBufferLayout layout = {.bytesPerRow = (uint32_t)row_bytes,
                                              .rowsPerImage = content->rows};
    ag_throttle_add_upload(load->rooms->recorder, content->size);
    wgpuQueueWriteTexture(ag_gpu_writer(load->rooms->host->gpu), to, bytes, (size_t)content->size, &layout,
                          extent);
}

static void load_texels(struct contents_load *load, const struct ag_content *content, const uint8_t *bytes)
{
    struct ag_content_shape shape;
    struct ag_texture *texture = find_rows(load, content, &shape);
    if (!texture)
        return;
    const uint32_t across = texture->format->block_width, down = texture->format->block_height;
    WGPUTexelCopyTextureInfo to = ag_texture_place(texture, content->mip, content->slice);
    to.origin.y = content->row * down;
    const WGPUExtent3D extent = {shape.width * across, content->rows * down, 1};
    upload(load, &to, (uint64_t)shape.width * shape.unit_bytes, content, &extent, bytes);
    ag_texture_written(texture);
}

static void load_depth(struct contents_load *load, const struct ag_content *content, const uint8_t *bytes)
{
    struct ag_content_shape shape;
    struct ag_texture *texture = find_rows(load, content, &shape);
    if (!texture)
        return;
    const uint8_t *stencil = shape.unit_bytes > 4 ? bytes + (uint64_t)shape.width * content->rows * 4 : NULL;
    const struct ag_unit_rect rect = {content->mip, content->slice, 0,
                                      content->row, shape.width,    content->rows};
    if (!ag_depth_write_planes(load->rooms->blitter, texture, &rect, bytes, stencil))
        ag_archive_fail(load->archive, AGPU_NO_MEMORY);
    ag_texture_written(texture);
    ag_recorder_flush(load->rooms->recorder);
}

/* Writes the samples that have come. */
static void end_array(struct contents_load *load)
{
    if (!load->array)
        return;
    if (!ag_sample_image_write(load->rooms->blitter, load->array_texture, load->array_slice,
                               load->array_image, load->array))
        ag_archive_fail(load->archive, AGPU_NO_MEMORY);
    ag_texture_written(load->array_texture);
    ag_recorder_flush(load->rooms->recorder);
    wgpuTextureRelease(load->array);
    load->array = NULL;
}

static void begin_array(struct contents_load *load, struct ag_texture *texture,
                        const struct ag_content *content)
{
    if (load->array && load->array_texture == texture && load->array_slice == content->slice &&
        load->array_image == content->image)
        return;
    end_array(load);
    load->array = ag_sample_image_array(load->rooms->blitter, texture, content->image);
    load->array_texture = texture;
    load->array_slice = content->slice;
    load->array_image = content->image;
}

static void load_samples(struct contents_load *load, const struct ag_content *content, const uint8_t *bytes)
{
    struct ag_content_shape shape;
    struct ag_texture *texture = find_rows(load, content, &shape);
    if (!texture)
        return;
    begin_array(load, texture, content);
    const WGPUTexelCopyTextureInfo to = {
        .texture = load->array,
        .origin = {0, content->row, content->sample},
        .aspect = WGPUTextureAspect_All
    };
    const WGPUExtent3D extent = {shape.width, content->rows, 1};
    upload(load, &to, (uint64_t)shape.width * shape.unit_bytes, content, &extent, bytes);
}

/* ---- All --------------------------------------------------------------------------------------------- */

static void (*const loaders[AG_CONTENT_KIND_COUNT])(struct contents_load *load,
                                                    const struct ag_content *content,
                                                    const uint8_t *bytes) = {
    [AG_CONTENT_BYTES] = load_bytes,
    [AG_CONTENT_BLOCKS] = load_blocks,
    [AG_CONTENT_TEXELS] = load_texels,
    [AG_CONTENT_DEPTH] = load_depth,
    [AG_CONTENT_SAMPLES] = load_samples,
    [AG_CONTENT_VIEW_COUNTER] = load_counter,
    [AG_CONTENT_BUFFER_COUNTER] = load_counter,
    [AG_CONTENT_FILLED] = load_counter,
};

static void load_part(struct contents_load *load)
{
    struct ag_content content = {0};
    ag_archive_begin(load->archive, AG_SECTION_CONTENTS, 1);
    ag_content_archive(load->archive, &content);
    const uint8_t *bytes = ag_archive_take(load->archive, content.size);
    if (!bytes || !ag_archive_end(load->archive))
        return;
    loaders[content.kind](load, &content, bytes);
}

bool ag_contents_load(struct ag_execution *rooms, struct ag_archive *archive)
{
    struct contents_load load = {.rooms = rooms, .archive = archive};
    /* What the creation of objects has recorded comes before their contents. */
    ag_recorder_flush(rooms->recorder);
    while (ag_archive_next_is(archive, AG_SECTION_CONTENTS))
        load_part(&load);
    if (ag_archive_is_ok(archive))
        end_array(&load);
    else if (load.array)
        wgpuTextureRelease(load.array);
    ag_recorder_flush(rooms->recorder);
    return ag_archive_is_ok(archive);
}
