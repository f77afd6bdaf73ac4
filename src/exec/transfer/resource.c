/* SPDX-License-Identifier: MIT */
#include "exec/transfer/resource.h"

#include <inttypes.h>

#include "aerogpu/diag.h"
#include "exec/host/gpu_memory.h"
#include "exec/host/guest_memory.h"
#include "exec/host/host.h"
#include "exec/host/host_memory.h"
#include "exec/host/progress.h"
#include "exec/host/report.h"
#include "exec/object/buffer.h"
#include "exec/object/handle.h"
#include "exec/object/resource.h"
#include "exec/object/texture.h"
#include "exec/object/texture_desc.h"
#include "exec/transfer/copier.h"
#include "exec/transfer/pull_ahead.h"
#include "exec/transfer/texture_contents.h"

/* The guest memory that backs a resource must be in the allocation table of the submission that sets it. */
static enum agpu_status check_backing(struct ag_copier *copier, struct ag_backing backing, uint64_t size)
{
    uint64_t gpa;
    if (backing.alloc_id == 0 || copier->host->loading ||
        ag_guest_resolve(copier->host, backing.alloc_id, backing.offset, size, false, &gpa))
        return AGPU_OK;
    return AGPU_REFUSED;
}

static enum agpu_status check_handle(struct ag_copier *copier, uint32_t handle, enum ag_resource_kind kind,
                                     struct ag_resource **existing)
{
    struct ag_handle *entry = ag_handle_find(copier->objects, handle);
    *existing = NULL;
    if (handle == 0)
        return ag_host_malformed(copier->host, AGPU_DIAG_EXEC_HANDLE, "handle 0 cannot name an object");
    if (!entry)
        return AGPU_OK;
    if (entry->kind != AG_HANDLE_RESOURCE || entry->resource->kind != kind)
        return ag_host_malformed(copier->host, AGPU_DIAG_EXEC_HANDLE, "handle %" PRIu32 " is taken", handle);
    *existing = entry->resource;
    return AGPU_OK;
}

static enum agpu_status differs(struct ag_copier *copier, uint32_t handle)
{
    return ag_host_malformed(copier->host, AGPU_DIAG_EXEC_HANDLE,
                             "handle %" PRIu32 " names a resource with other properties", handle);
}

static bool add(struct ag_copier *copier, uint32_t handle, struct ag_resource *resource)
{
    resource->handle = handle;
    resource->references = 1;
    return ag_handle_add(copier->objects, handle, AG_HANDLE_RESOURCE, resource, NULL);
}

static enum agpu_status take_memory(struct ag_copier *copier, uint64_t bytes, uint64_t host_bytes)
{
    struct ag_host *host = copier->host;
    struct ag_account *account = host->accounts.current;
    struct ag_budget_text text;
    const enum agpu_status status = ag_host_memory_charge(host, host_bytes);
    if (status != AGPU_OK || ag_gpu_memory_take(host, account, bytes))
        return status;
    ag_host_memory_give(host, account, host_bytes);
    return ag_host_fail(host, AGPU_DIAG_EXEC_MEMORY, "an object is not made: %s",
                        ag_budget_refusal(&host->accounts, &host->gpu_memory.budget, AG_MEMORY_OF_GPU,
                                          account, bytes, &text));
}

static void give_memory(struct ag_copier *copier, uint64_t bytes, uint64_t host_bytes)
{
    ag_gpu_memory_give(copier->host, copier->host->accounts.current, bytes);
    ag_host_memory_give(copier->host, copier->host->accounts.current, host_bytes);
}

static void bind_buffer_backing(struct ag_copier *copier, struct ag_buffer *buffer, struct ag_backing backing)
{
    buffer->resource.backing = backing;
    buffer->guest_dirty = (struct ag_interval){0, backing.alloc_id ? buffer->size : 0};
    ag_pull_note(copier, &buffer->resource);
}

static bool same_buffer(const struct ag_buffer *buffer, const struct ag_buffer_desc *desc)
{
    return buffer->size == desc->size && buffer->resource.usage == desc->usage &&
           buffer->resource.bind == desc->bind && buffer->resource.misc == desc->misc &&
           buffer->stride == desc->stride;
}

enum agpu_status ag_resource_create_buffer(struct ag_copier *copier, uint32_t handle,
                                           const struct ag_buffer_desc *desc, struct ag_backing backing)
{
    struct ag_resource *existing;
    enum agpu_status status = check_handle(copier, handle, AG_RESOURCE_BUFFER, &existing);
    if (status != AGPU_OK)
        return status;
    if (desc->size == 0)
        return ag_host_fail(copier->host, AGPU_DIAG_EXEC_ARGUMENT, "a buffer's size is not 0");
    if (desc->size > copier->host->limits.maxBufferSize)
        return ag_host_fail(copier->host, AGPU_DIAG_GPU_LIMIT,
                            "a buffer of %" PRIu64 " bytes exceeds the device's %" PRIu64, desc->size,
                            copier->host->limits.maxBufferSize);
    status = check_backing(copier, backing, desc->size);
    if (status != AGPU_OK)
        return status;
    struct ag_buffer *buffer = (struct ag_buffer *)existing;
    if (buffer) {
        if (!same_buffer(buffer, desc))
            return differs(copier, handle);
        bind_buffer_backing(copier, buffer, backing);
        return AGPU_OK;
    }
    const uint64_t bytes = AG_GPU_OBJECT_BYTES + desc->size;
    const uint64_t shadow = ag_buffer_keeps_shadow(desc->size, desc->usage) ? desc->size : 0;
    const uint64_t host_bytes = sizeof *buffer + shadow + shadow / AG_INDEX_BLOCK_BYTES * 32;
    status = take_memory(copier, bytes, host_bytes);
    if (status != AGPU_OK)
        return status;
    buffer = ag_buffer_create(copier->objects, desc);
    if (!buffer) {
        give_memory(copier, bytes, host_bytes);
        return ag_host_no_memory(copier->host);
    }
    buffer->resource.account = copier->host->accounts.current;
    buffer->resource.gpu_bytes = bytes;
    buffer->resource.host_bytes = host_bytes;
    bind_buffer_backing(copier, buffer, backing);
    if (!add(copier, handle, &buffer->resource)) {
        ag_buffer_destroy(copier->objects, buffer);
        return ag_host_no_memory(copier->host);
    }
    return AGPU_OK;
}

static void bind_texture_backing(struct ag_copier *copier, struct ag_texture *texture,
                                 struct ag_backing backing)
{
    texture->resource.backing = backing;
    texture->guest_dirty = (struct ag_interval){0, backing.alloc_id != 0 ? texture->layout.size_bytes : 0};
    ag_pull_note(copier, &texture->resource);
}

static enum agpu_status fill(struct ag_copier *copier, struct ag_texture *texture,
                             struct ag_progress *progress)
{
    if (ag_texture_fill(copier, texture, progress))
        return AGPU_OK;
    ag_handle_destroy_resource(copier->objects, texture->resource.handle);
    return AGPU_NO_MEMORY;
}

enum agpu_status ag_resource_create_texture(struct ag_copier *copier, uint32_t handle,
                                            struct ag_texture_desc *desc, struct ag_backing backing,
                                            struct ag_progress *progress)
{
    struct ag_resource *existing;
    enum agpu_status status = check_handle(copier, handle, AG_RESOURCE_TEXTURE, &existing);
    if (!ag_progress_is_new(progress))
        return fill(copier, (struct ag_texture *)existing, progress);
    desc->backed = backing.alloc_id != 0;
    if (status == AGPU_OK)
        status = ag_texture_desc_check(copier->objects, desc);
    if (status == AGPU_OK)
        status = check_backing(copier, backing, desc->layout.size_bytes);
    if (status != AGPU_OK)
        return status;
    struct ag_texture *texture = (struct ag_texture *)existing;
    if (texture) {
        if (!ag_texture_desc_equals(texture, desc))
            return differs(copier, handle);
        bind_texture_backing(copier, texture, backing);
        return AGPU_OK;
    }
    const uint64_t bytes = AG_GPU_OBJECT_BYTES + ag_texture_desc_host_bytes(desc);
    const uint64_t host_bytes = sizeof *texture + (desc->decoded ? desc->layout.size_bytes : 0);
    status = take_memory(copier, bytes, host_bytes);
    if (status != AGPU_OK)
        return status;
    texture = ag_texture_create(copier->objects, desc);
    if (!texture) {
        give_memory(copier, bytes, host_bytes);
        return ag_host_no_memory(copier->host);
    }
    texture->resource.account = copier->host->accounts.current;
    texture->resource.gpu_bytes = bytes;
    texture->resource.host_bytes = host_bytes;
    bind_texture_backing(copier, texture, backing);
    if (!add(copier, handle, &texture->resource)) {
        ag_texture_destroy(copier->objects, texture);
        return ag_host_no_memory(copier->host);
    }
    return fill(copier, texture, progress);
}
