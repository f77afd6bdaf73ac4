/* SPDX-License-Identifier: MIT */
#include "exec/resource.h"

#include <inttypes.h>

#include "exec/exec.h"

/* The range of guest memory that a new or rebound resource mirrors must be there now. */
static enum agpu_status check_backing(struct ag_exec *exec, struct ag_backing backing, uint64_t size)
{
    uint64_t gpa;
    if (backing.alloc_id == 0 || ag_guest_resolve(exec, backing.alloc_id, backing.offset, size, false, &gpa))
        return AGPU_OK;
    return AGPU_REFUSED;
}

static enum agpu_status check_handle(struct ag_exec *exec, uint32_t handle, enum ag_resource_kind kind,
                                     struct ag_resource **existing)
{
    struct ag_handle *entry = ag_handle_find(exec, handle);
    *existing = NULL;
    if (handle == 0)
        return ag_exec_fail(exec, AGPU_DIAG_EXEC_HANDLE, "handle 0 cannot name an object");
    if (!entry)
        return AGPU_OK;
    if (entry->kind != AG_HANDLE_RESOURCE || entry->resource->kind != kind)
        return ag_exec_fail(exec, AGPU_DIAG_EXEC_HANDLE, "handle %" PRIu32 " is taken", handle);
    *existing = entry->resource;
    return AGPU_OK;
}

static enum agpu_status differs(struct ag_exec *exec, uint32_t handle)
{
    return ag_exec_fail(exec, AGPU_DIAG_EXEC_HANDLE,
                        "handle %" PRIu32 " names a resource with other properties", handle);
}

static bool add(struct ag_exec *exec, uint32_t handle, struct ag_resource *resource)
{
    resource->handle = handle;
    resource->references = 1;
    return ag_handle_add(exec, handle, AG_HANDLE_RESOURCE, resource, NULL);
}

static void bind_buffer_backing(struct ag_buffer *buffer, struct ag_backing backing)
{
    buffer->resource.backing = backing;
    buffer->guest_dirty = (struct ag_interval){0, backing.alloc_id ? buffer->size : 0};
}

static bool same_buffer(const struct ag_buffer *buffer, const struct ag_buffer_desc *desc)
{
    return buffer->size == desc->size && buffer->resource.usage == desc->usage &&
           buffer->resource.bind == desc->bind && buffer->resource.misc == desc->misc &&
           buffer->stride == desc->stride;
}

enum agpu_status ag_resource_create_buffer(struct ag_exec *exec, uint32_t handle,
                                           const struct ag_buffer_desc *desc, struct ag_backing backing)
{
    struct ag_resource *existing;
    enum agpu_status status = check_handle(exec, handle, AG_RESOURCE_BUFFER, &existing);
    if (status != AGPU_OK)
        return status;
    if (desc->size == 0)
        return ag_exec_fail(exec, AGPU_DIAG_EXEC_ARGUMENT, "a buffer's size is not 0");
    if (desc->size > exec->limits.maxBufferSize)
        return ag_exec_fail(exec, AGPU_DIAG_GPU_LIMIT,
                            "a buffer of %" PRIu64 " bytes exceeds the device's %" PRIu64, desc->size,
                            exec->limits.maxBufferSize);
    status = check_backing(exec, backing, desc->size);
    if (status != AGPU_OK)
        return status;
    struct ag_buffer *buffer = (struct ag_buffer *)existing;
    if (buffer) {
        if (!same_buffer(buffer, desc))
            return differs(exec, handle);
        bind_buffer_backing(buffer, backing);
        return AGPU_OK;
    }
    buffer = ag_buffer_create(exec, desc);
    if (!buffer)
        return ag_exec_no_memory(exec);
    bind_buffer_backing(buffer, backing);
    if (!add(exec, handle, &buffer->resource)) {
        ag_buffer_destroy(exec, buffer);
        return ag_exec_no_memory(exec);
    }
    return AGPU_OK;
}

static void bind_texture_backing(struct ag_texture *texture, struct ag_backing backing)
{
    texture->resource.backing = backing;
    texture->guest_dirty = backing.alloc_id != 0;
}

enum agpu_status ag_resource_create_texture(struct ag_exec *exec, uint32_t handle,
                                            struct ag_texture_desc *desc, struct ag_backing backing)
{
    struct ag_resource *existing;
    enum agpu_status status = check_handle(exec, handle, AG_RESOURCE_TEXTURE, &existing);
    desc->backed = backing.alloc_id != 0;
    if (status == AGPU_OK)
        status = ag_texture_desc_check(exec, desc);
    if (status == AGPU_OK)
        status = check_backing(exec, backing, desc->layout.size_bytes);
    if (status != AGPU_OK)
        return status;
    struct ag_texture *texture = (struct ag_texture *)existing;
    if (texture) {
        if (!ag_texture_desc_equals(texture, desc))
            return differs(exec, handle);
        bind_texture_backing(texture, backing);
        return AGPU_OK;
    }
    texture = ag_texture_create(exec, desc);
    if (!texture)
        return ag_exec_no_memory(exec);
    bind_texture_backing(texture, backing);
    if (!add(exec, handle, &texture->resource)) {
        ag_texture_destroy(exec, texture);
        return ag_exec_no_memory(exec);
    }
    return AGPU_OK;
}
