/* SPDX-License-Identifier: MIT */
#include "exec/object/buffer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "aerogpu/abi/cmd.h"
#include "exec/host/gpu_memory.h"
#include "exec/host/host.h"
#include "exec/host/host_memory.h"
#include "exec/host/spent_memory.h"
#include "exec/object/creation.h"
#include "exec/object/dirty_resource.h"
#include "exec/object/objects.h"
#include "exec/object/observer.h"
#include "exec/object/resource.h"
#include "exec/object/uav_counter.h"
#include "exec/object/view.h"
#include "gpu/label.h"
#include "gpu/webgpu.h"

/* What is copied, scanned or uploaded as a whole. */
#define MOST_SHADOW_BYTES (UINT64_C(64) << 20)

bool ag_buffer_keeps_shadow(uint64_t size, uint32_t usage)
{
    const uint32_t read_by_cpu = AEROGPU_RESOURCE_USAGE_CONSTANT_BUFFER | AEROGPU_RESOURCE_USAGE_INDEX_BUFFER;
    return size <= ((usage & read_by_cpu) != 0 ? MOST_SHADOW_BYTES : AG_SMALL_BUFFER_BYTES);
}

static WGPUBuffer create_gpu(struct ag_objects *objects, const struct ag_buffer *buffer)
{
    WGPUBufferUsage usage = WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst | WGPUBufferUsage_Vertex |
                            WGPUBufferUsage_Index | WGPUBufferUsage_Uniform | WGPUBufferUsage_Storage |
                            WGPUBufferUsage_Indirect;
    return ag_host_create_buffer(objects->host, ag_buffer_host_size(buffer), usage, buffer->label.text);
}

struct ag_buffer *ag_buffer_create(struct ag_objects *objects, const struct ag_buffer_desc *desc)
{
    struct ag_buffer *buffer = calloc(1, sizeof *buffer);
    if (!buffer)
        return NULL;
    buffer->size = desc->size;
    if (ag_buffer_keeps_shadow(desc->size, desc->usage)) {
        buffer->shadow = calloc(1, (size_t)ag_buffer_host_size(buffer));
        if (!buffer->shadow) {
            free(buffer);
            return NULL;
        }
    }
    buffer->resource.kind = AG_RESOURCE_BUFFER;
    buffer->resource.handle = desc->handle;
    ag_label_format(&buffer->label, "buffer %" PRIu32, desc->handle);
    buffer->resource.usage = desc->usage;
    buffer->resource.bind = desc->bind;
    buffer->resource.misc = desc->misc;
    buffer->stride = desc->stride;
    buffer->version = ag_host_id(objects->host);
    buffer->gpu = create_gpu(objects, buffer);
    buffer->id = ag_host_id(objects->host);
    return buffer;
}

/* With what is known of its indices. */
static void drop_shadow(struct ag_host *host, struct ag_buffer *buffer)
{
    if (buffer->shadow)
        ag_spent_memory_add(&host->spent, buffer->shadow, (size_t)ag_buffer_host_size(buffer));
    free(buffer->blocks);
    buffer->shadow = NULL;
    buffer->blocks = NULL;
}

void ag_buffer_destroy(struct ag_objects *objects, struct ag_buffer *buffer)
{
    if (!buffer)
        return;
    ag_dirty_resource_forget(&buffer->resource);
    ag_views_destroy(objects, &buffer->resource);
    ag_objects_gpu_object_dies(objects, buffer->id);
    ag_creation_drop(objects->host, &buffer->resource.creation);
    ag_uav_counter_fini(&buffer->counter);
    ag_uav_counter_fini(&buffer->filled);
    wgpuBufferRelease(buffer->gpu);
    ag_gpu_memory_give(objects->host, buffer->resource.account, buffer->resource.gpu_bytes);
    ag_host_memory_give(objects->host, buffer->resource.account, buffer->resource.host_bytes);
    drop_shadow(objects->host, buffer);
    free(buffer->scans);
    free(buffer);
}

void ag_buffer_rename(struct ag_objects *objects, struct ag_buffer *buffer)
{
    ag_objects_gpu_object_dies(objects, buffer->id);
    wgpuBufferRelease(buffer->gpu);
    buffer->gpu = create_gpu(objects, buffer);
    buffer->id = ag_host_id(objects->host);
    buffer->resource.used_in = 0;
}

void ag_buffer_shadow_changes(struct ag_buffer *buffer, uint64_t offset, uint64_t size)
{
    if (!buffer->blocks || size == 0)
        return;
    const uint64_t first = offset / AG_INDEX_BLOCK_BYTES, last = (offset + size - 1) / AG_INDEX_BLOCK_BYTES;
    memset(&buffer->blocks[first], 0, (size_t)(last - first + 1) * sizeof buffer->blocks[0]);
}

void ag_buffer_written(struct ag_host *host, struct ag_buffer *buffer)
{
    drop_shadow(host, buffer);
    buffer->gpu_stale = (struct ag_interval){0, 0};
    /* Not the next number, which may become the version of later contents (ag_host_id()). */
    buffer->version += UINT64_C(1) << 40;
}

void ag_buffer_copied(struct ag_objects *objects, struct ag_buffer *buffer, uint64_t offset,
                      const struct ag_buffer *source, uint64_t source_offset, uint64_t size)
{
    if (!buffer->shadow || !source->shadow) {
        ag_buffer_written(objects->host, buffer);
        return;
    }
    ag_buffer_shadow_changes(buffer, offset, size);
    memmove(buffer->shadow + offset, source->shadow + source_offset, (size_t)size); /* both may be one */
    buffer->version = ag_host_id(objects->host);
}
