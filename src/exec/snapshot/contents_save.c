/* SPDX-License-Identifier: MIT */
#include "abi/texture_layout.h"
#include "aerogpu/diag.h"
#include "base/archive.h"
#include "base/bytes.h"
#include "base/vec.h"
#include "exec/blit/sample_image.h"
#include "exec/blit/texture_plane.h"
#include "exec/blit/texture_sync.h"
#include "exec/host/host.h"
#include "exec/object/buffer.h"
#include "exec/object/sample_count.h"
#include "exec/object/texture.h"
#include "exec/object/uav_counter.h"
#include "exec/object/view.h"
#include "exec/packet/execution.h"
#include "exec/record/encoder.h"
#include "exec/record/flush.h"
#include "exec/record/pass.h"
#include "exec/record/recorder.h"
#include "exec/snapshot/contents.h"
#include "exec/snapshot/objects.h"
#include "exec/snapshot/sections.h"
#include "format/format.h"
#include "gpu/gpu.h"
#include "gpu/readback.h"

#define IN_FLIGHT_BYTES (UINT64_C(32) << 20)
#define COUNTER_BYTES 4u

/* A part that is read, or several parts of one read. */
struct ag_content_read {
    struct ag_content content; /* of the first part */
    struct ag_resource *resource;
    struct ag_uav_counter *counter;
    struct ag_readback *readback; /* null: the CPU has the bytes */
    uint64_t bytes;               /* that are counted as in flight */
    uint32_t pitch;               /* from row to row there */
    uint64_t stencil_offset;      /* of DEPTH: where stencil begins there */
    uint32_t stencil_pitch;
};

/* ---- Planning ---------------------------------------------------------------------------------------- */

static void push(struct ag_contents_save *save, struct ag_content_read read)
{
    if (!ag_vec_push(&save->reads, read))
        ag_archive_no_memory(save->archive);
}

static void plan(struct ag_contents_save *save, struct ag_resource *resource, struct ag_content content)
{
    push(save, (struct ag_content_read){.content = content, .resource = resource});
}

/* A counter that nobody has used says nothing. */
static void plan_counter(struct ag_contents_save *save, struct ag_uav_counter *counter, uint32_t kind,
                         uint32_t handle)
{
    const struct ag_content content = {.kind = kind, .handle = handle, .offset = counter->value};
    if (counter->gpu || counter->is_set || counter->value != 0)
        push(save, (struct ag_content_read){.content = content, .counter = counter});
}

static void plan_bytes(struct ag_contents_save *save, struct ag_resource *resource, uint32_t kind,
                       uint64_t size)
{
    for (uint64_t at = 0; at < size && ag_archive_is_ok(save->archive); at += AG_CONTENT_PART_BYTES)
        plan(save, resource,
             (struct ag_content){
                 .kind = kind,
                 .handle = resource->handle,
                 .offset = at,
                 .size = size - at < AG_CONTENT_PART_BYTES ? size - at : AG_CONTENT_PART_BYTES,
             });
}

/* The rows of a subresource, or of a sample, so many at a time; 0: as many as a part has. */
static void plan_rows(struct ag_contents_save *save, struct ag_texture *texture, struct ag_content content,
                      bool at_once)
{
    const struct ag_content_shape shape = ag_content_shape_of(texture, &content);
    const uint64_t row_bytes = (uint64_t)shape.width * shape.unit_bytes;
    const uint64_t fitting = AG_CONTENT_PART_BYTES / row_bytes;
    const uint32_t step = at_once ? shape.height : fitting ? (uint32_t)fitting : 1;
    for (uint32_t row = 0; row < shape.height && ag_archive_is_ok(save->archive); row += step) {
        content.row = row;
        content.rows = shape.height - row < step ? shape.height - row : step;
        plan(save, &texture->resource, content);
    }
}

static void plan_samples(struct ag_contents_save *save, struct ag_texture *texture)
{
    struct ag_content content = {.kind = AG_CONTENT_SAMPLES, .handle = texture->resource.handle};
    for (content.slice = 0; content.slice < texture->layers; content.slice++)
        for (content.image = 0; content.image < ag_sample_image_count(texture); content.image++)
            for (content.sample = 0; content.sample < ag_samples_host(texture->sample_count);
                 content.sample++)
                plan_rows(save, texture, content, false);
}

static void plan_texture(struct ag_contents_save *save, struct ag_texture *texture)
{
    const bool depth = ag_host_format_has(texture->format, AG_FORMAT_DEPTH);
    struct ag_content content = {.kind = depth ? AG_CONTENT_DEPTH : AG_CONTENT_TEXELS,
                                 .handle = texture->resource.handle};
    if (texture->version == 1) /* as it was made */
        return;
    ag_pass_settle(save->rooms->recorder, texture);
    ag_texture_sync(save->rooms->blitter, texture);
    if (texture->blocks) {
        plan_bytes(save, &texture->resource, AG_CONTENT_BLOCKS, texture->layout.size_bytes);
        return;
    }
    if (texture->sample_count > 1) {
        plan_samples(save, texture);
        return;
    }
    for (content.mip = 0; content.mip < texture->mips; content.mip++)
        for (content.slice = 0; content.slice < ag_texture_slices(texture, content.mip); content.slice++)
            plan_rows(save, texture, content, depth);
}

static void plan_object(struct ag_contents_save *save, const struct ag_saved_object *object)
{
    if (object->view)
        plan_counter(save, &object->view->counter, AG_CONTENT_VIEW_COUNTER, object->view->handle);
    if (!object->resource)
        return;
    if (object->resource->kind == AG_RESOURCE_TEXTURE) {
        plan_texture(save, (struct ag_texture *)object->resource);
        return;
    }
    struct ag_buffer *buffer = (struct ag_buffer *)object->resource;
    plan_bytes(save, object->resource, AG_CONTENT_BYTES, ag_buffer_host_size(buffer));
    plan_counter(save, &buffer->counter, AG_CONTENT_BUFFER_COUNTER, object->resource->handle);
    plan_counter(save, &buffer->filled, AG_CONTENT_FILLED, object->resource->handle);
}

/* Plans the reads of further objects. False when there are none. */
static bool plan_more(struct ag_contents_save *save)
{
    if (save->written == save->reads.count)
        save->reads.count = save->written = save->recorded = 0;
    while (save->recorded == save->reads.count && save->next < save->objects->list.count &&
           ag_archive_is_ok(save->archive))
        plan_object(save, &save->objects->list.data[save->next++]);
    return save->recorded < save->reads.count && ag_archive_is_ok(save->archive);
}

/* ---- Recording --------------------------------------------------------------------------------------- */

/* Bounds what a poll writes. */
static void count(struct ag_contents_save *save, struct ag_content_read *read, uint64_t bytes)
{
    read->bytes = bytes;
    save->in_flight_bytes += bytes;
}

static bool take_readback(struct ag_contents_save *save, struct ag_content_read *read, uint64_t bytes)
{
    const uint64_t size = ag_align_up(bytes, 4);
    read->readback = ag_readback_take(save->rooms->host->readbacks, size);
    if (read->readback) {
        count(save, read, size);
        return true;
    }
    return ag_archive_refuse(save->archive, AGPU_DIAG_GPU_OUT_OF_MEMORY,
                             "no memory to read the GPU's bytes back");
}

static void copy_buffer(struct ag_contents_save *save, WGPUBuffer from, uint64_t offset, uint64_t size,
                        struct ag_content_read *read)
{
    if (take_readback(save, read, size))
        wgpuCommandEncoderCopyBufferToBuffer(ag_recorder_encoder(save->rooms->recorder), from, offset,
                                             ag_readback_buffer(read->readback), 0, size);
}

static void copy_texels(struct ag_contents_save *save, const WGPUTexelCopyTextureInfo *from, uint64_t offset,
                        uint32_t pitch, uint32_t rows, const WGPUExtent3D *extent,
                        const struct ag_content_read *read)
{
    const WGPUTexelCopyBufferInfo to = {
        .buffer = ag_readback_buffer(read->readback),
        .layout = {.offset = offset, .bytesPerRow = pitch, .rowsPerImage = rows},
    };
    ag_gpu_copy_to_buffer(save->rooms->host->gpu, ag_recorder_encoder(save->rooms->recorder), from, &to,
                          extent);
}

/* Reads the rows of a part, which are not those of depth. */
static void read_rows(struct ag_contents_save *save, const WGPUTexelCopyTextureInfo *from,
                      const struct ag_content_shape *shape, const WGPUExtent3D *extent,
                      struct ag_content_read *read)
{
    const uint32_t rows = read->content.rows;
    read->pitch = (uint32_t)ag_align_up((uint64_t)shape->width * shape->unit_bytes, 256);
    if (take_readback(save, read, (uint64_t)read->pitch * rows))
        copy_texels(save, from, 0, read->pitch, rows, extent, read);
}

static void read_texels(struct ag_contents_save *save, struct ag_texture *texture,
                        struct ag_content_read *read)
{
    const struct ag_content *content = &read->content;
    const struct ag_content_shape shape = ag_content_shape_of(texture, content);
    const uint32_t across = texture->format->block_width, down = texture->format->block_height;
    WGPUTexelCopyTextureInfo from = ag_texture_place(texture, content->mip, content->slice);
    from.origin.y = content->row * down;
    const WGPUExtent3D extent = {shape.width * across, content->rows * down, 1};
    read_rows(save, &from, &shape, &extent, read);
}

/* WebGPU copies depth and stencil by whole subresources. */
static void read_depth(struct ag_contents_save *save, struct ag_texture *texture,
                       struct ag_content_read *read)
{
    const struct ag_content *content = &read->content;
    const struct ag_content_shape shape = ag_content_shape_of(texture, content);
    const struct ag_texture *plane = ag_texture_depth(save->rooms->blitter, texture);
    if (!plane) {
        ag_archive_fail(save->archive, AGPU_NO_MEMORY);
        return;
    }
    const WGPUTexelCopyTextureInfo depth = ag_texture_place(plane, content->mip, content->slice);
    WGPUTexelCopyTextureInfo stencil = ag_texture_place(texture, content->mip, content->slice);
    stencil.aspect = WGPUTextureAspect_StencilOnly;
    const WGPUExtent3D extent = {shape.width, shape.height, 1};
    read->pitch = (uint32_t)ag_align_up((uint64_t)shape.width * 4, 256);
    read->stencil_pitch =
        ag_host_format_has(texture->format, AG_FORMAT_STENCIL) ? (uint32_t)ag_align_up(shape.width, 256) : 0;
    read->stencil_offset = (uint64_t)read->pitch * shape.height;
    if (!take_readback(save, read, read->stencil_offset + (uint64_t)read->stencil_pitch * shape.height))
        return;
    copy_texels(save, &depth, 0, read->pitch, shape.height, &extent, read);
    if (read->stencil_pitch)
        copy_texels(save, &stencil, read->stencil_offset, read->stencil_pitch, shape.height, &extent, read);
}

static void drop_array(struct ag_contents_save *save)
{
    if (save->array)
        wgpuTextureRelease(save->array);
    save->array = NULL;
}

/* The first read of an image brings all of its samples into an array, of which later reads take rows. */
static void read_samples(struct ag_contents_save *save, struct ag_texture *texture,
                         struct ag_content_read *read)
{
    const struct ag_content *content = &read->content;
    const struct ag_content_shape shape = ag_content_shape_of(texture, content);
    if (content->sample == 0 && content->row == 0) {
        drop_array(save);
        save->array = ag_sample_image_array(save->rooms->blitter, texture, content->image);
        if (!ag_sample_image_read(save->rooms->blitter, texture, content->slice, content->image,
                                  save->array)) {
            ag_archive_fail(save->archive, AGPU_NO_MEMORY);
            return;
        }
    }
    const WGPUTexelCopyTextureInfo from = {
        .texture = save->array,
        .origin = {0, content->row, content->sample},
        .aspect = WGPUTextureAspect_All
    };
    const WGPUExtent3D extent = {shape.width, content->rows, 1};
    read_rows(save, &from, &shape, &extent, read);
}

static void record(struct ag_contents_save *save, struct ag_content_read *read)
{
    const struct ag_content *content = &read->content;
    struct ag_buffer *buffer = (struct ag_buffer *)read->resource;
    struct ag_texture *texture = (struct ag_texture *)read->resource;
    switch ((enum ag_content_kind)content->kind) {
    case AG_CONTENT_BYTES:
        if (buffer->shadow)
            count(save, read, content->size);
        else
            copy_buffer(save, buffer->gpu, content->offset, content->size, read);
        break;
    case AG_CONTENT_TEXELS:
        read_texels(save, texture, read);
        break;
    case AG_CONTENT_DEPTH:
        read_depth(save, texture, read);
        break;
    case AG_CONTENT_SAMPLES:
        read_samples(save, texture, read);
        break;
    case AG_CONTENT_VIEW_COUNTER:
    case AG_CONTENT_BUFFER_COUNTER:
    case AG_CONTENT_FILLED:
        if (read->counter->gpu && !read->counter->is_set)
            copy_buffer(save, read->counter->gpu, 0, COUNTER_BYTES, read);
        break;
    case AG_CONTENT_BLOCKS:
        count(save, read, content->size);
        break;
    case AG_CONTENT_KIND_COUNT:
        break;
    }
}

static void record_more(struct ag_contents_save *save)
{
    const size_t first = save->recorded;
    while (save->in_flight_bytes < IN_FLIGHT_BYTES &&
           !ag_readback_pool_is_full(save->rooms->host->readbacks) && save->recorded < save->reads.count &&
           ag_archive_is_ok(save->archive))
        record(save, &save->reads.data[save->recorded++]);
    ag_recorder_flush(save->rooms->recorder);
    for (size_t i = first; i < save->recorded; i++)
        if (save->reads.data[i].readback)
            ag_readback_begin(save->reads.data[i].readback);
}

/* ---- Writing ----------------------------------------------------------------------------------------- */

static void write_bytes(struct ag_archive *archive, struct ag_content content, const uint8_t *bytes)
{
    if (content.kind == AG_CONTENT_BYTES &&
        ag_archive_is_zero(bytes, (size_t)content.size)) /* as in a new buffer */
        return;
    ag_archive_begin(archive, AG_SECTION_CONTENTS, 1);
    ag_content_archive(archive, &content);
    ag_archive_bytes(archive, (void *)(uintptr_t)bytes, (size_t)content.size);
    ag_archive_end(archive);
}

static void write_plane(struct ag_archive *archive, const uint8_t *data, uint32_t pitch, uint32_t row,
                        uint32_t rows, uint64_t row_bytes)
{
    for (uint32_t y = 0; y < rows; y++)
        ag_archive_bytes(archive, (void *)(uintptr_t)(data + (uint64_t)(row + y) * pitch), (size_t)row_bytes);
}

/* Rows of a read-back, whose first row is that of the content. */
static void write_rows(struct ag_archive *archive, const struct ag_content_read *read, const uint8_t *data)
{
    const struct ag_texture *texture = (const struct ag_texture *)read->resource;
    const struct ag_content_shape shape = ag_content_shape_of(texture, &read->content);
    const bool depth = read->content.kind == AG_CONTENT_DEPTH;
    const uint64_t fitting = AG_CONTENT_PART_BYTES / ((uint64_t)shape.width * shape.unit_bytes);
    const uint32_t step = fitting ? (uint32_t)fitting : 1;
    for (uint32_t row = 0; row < read->content.rows; row += step) {
        struct ag_content part = read->content;
        part.row += row;
        part.rows = read->content.rows - row < step ? read->content.rows - row : step;
        part.size = (uint64_t)shape.width * shape.unit_bytes * part.rows;
        ag_archive_begin(archive, AG_SECTION_CONTENTS, 1);
        ag_content_archive(archive, &part);
        write_plane(archive, data, read->pitch, row, part.rows,
                    (uint64_t)shape.width * (depth ? 4 : shape.unit_bytes));
        if (read->stencil_pitch)
            write_plane(archive, data + read->stencil_offset, read->stencil_pitch, row, part.rows,
                        shape.width);
        if (!ag_archive_end(archive))
            return;
    }
}

static void write_counter(struct ag_archive *archive, struct ag_content content, const uint8_t *data)
{
    if (data)
        content.offset = ag_load_u32(data);
    ag_archive_begin(archive, AG_SECTION_CONTENTS, 1);
    ag_content_archive(archive, &content);
    ag_archive_end(archive);
}

static void write_read(struct ag_contents_save *save, struct ag_content_read *read)
{
    const struct ag_content content = read->content;
    const uint8_t *data = read->readback ? ag_readback_data(read->readback) : NULL;
    const struct ag_buffer *buffer = (const struct ag_buffer *)read->resource;
    const struct ag_texture *texture = (const struct ag_texture *)read->resource;
    if (read->readback && !data)
        ag_archive_refuse(save->archive, AGPU_DIAG_GPU_OUT_OF_MEMORY,
                          "the GPU's bytes could not be read back");
    else if (content.kind >= AG_CONTENT_VIEW_COUNTER)
        write_counter(save->archive, content, data);
    else if (content.kind == AG_CONTENT_BYTES)
        write_bytes(save->archive, content, data ? data : buffer->shadow + content.offset);
    else if (content.kind == AG_CONTENT_BLOCKS)
        write_bytes(save->archive, content, texture->blocks + content.offset);
    else if (data)
        write_rows(save->archive, read, data);
    ag_readback_release(save->rooms->host->readbacks, read->readback);
    save->in_flight_bytes -= read->bytes;
    read->readback = NULL;
}

/* Writes what has arrived. True when nothing is under way. */
static bool write_more(struct ag_contents_save *save)
{
    while (save->written < save->recorded && ag_archive_is_ok(save->archive)) {
        struct ag_content_read *read = &save->reads.data[save->written];
        if (read->readback && ag_readback_state(read->readback) == AG_READBACK_PENDING)
            return false;
        write_read(save, read);
        save->written++;
    }
    return true;
}

bool ag_contents_save(struct ag_contents_save *save)
{
    for (;;) {
        const bool idle = write_more(save);
        const bool more = plan_more(save);
        if (!ag_archive_is_ok(save->archive) || (!more && idle))
            return true;
        if (!more || save->in_flight_bytes >= IN_FLIGHT_BYTES ||
            ag_readback_pool_is_full(save->rooms->host->readbacks))
            return false;
        record_more(save);
        if (save->in_flight_bytes)
            return false;
    }
}

void ag_contents_save_fini(struct ag_contents_save *save)
{
    for (size_t i = save->written; i < save->recorded; i++)
        ag_readback_release(save->rooms->host->readbacks, save->reads.data[i].readback);
    drop_array(save);
    ag_vec_fini(&save->reads);
}
