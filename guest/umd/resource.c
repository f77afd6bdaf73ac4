/* SPDX-License-Identifier: MIT
 *
 * Resources: created with their first bytes, shared, and ended.
 */
#include "guest/umd/resource.h"

#include "guest/core/memory.h"
#include "guest/umd/dynamic.h"
#include "guest/umd/map.h"
#include "guest/umd/spill.h"
#include "guest/umd/upload.h"

/* Buffers of fewer bytes are uploaded whole, which costs less than finding out what draws read. */
#define LEAST_BY_DRAW_BYTES 8192u

/* ---- Shapes -------------------------------------------------------------------------------------------- */

static uint32_t mip_size(uint32_t size, uint32_t mip)
{
    return size >> mip != 0 ? size >> mip : 1;
}

void umd_resource_extent(const struct umd_resource *resource, uint32_t subresource, struct umd_extent *extent)
{
    const struct umd_resource_desc *desc = &resource->desc;
    if (desc->dimension == UMD_BUFFER) {
        *extent = (struct umd_extent){desc->width, 1, 1, desc->width, 1};
        return;
    }
    const uint32_t mip = subresource % desc->mip_levels;
    uint32_t block_width, block_height;
    const uint32_t bytes = umd_format_bytes(desc->format, &block_width, &block_height);
    extent->width = mip_size(desc->width, mip);
    extent->height = mip_size(desc->height, mip);
    extent->depth = mip_size(desc->depth, mip);
    extent->row_bytes = (extent->width + block_width - 1) / block_width * bytes;
    extent->rows = (extent->height + block_height - 1) / block_height;
}

static uint32_t full_mip_count(const struct umd_resource_desc *desc)
{
    uint32_t largest = desc->width > desc->height ? desc->width : desc->height, count = 1;
    if (desc->dimension == UMD_TEXTURE3D && desc->depth > largest)
        largest = desc->depth;
    while (largest > 1) {
        largest >>= 1;
        count++;
    }
    return count;
}

/* A limit of 0 is none that the host told. */
static bool is_within(uint32_t size, uint32_t limit)
{
    return size != 0 && (limit == 0 || size <= limit);
}

static bool is_possible(const struct umd_adapter *adapter, const struct umd_resource_desc *desc)
{
    const struct aerogpu_ext_features *features = &adapter->features;
    uint32_t width, height;
    if (desc->dimension == UMD_BUFFER)
        return is_within(desc->width, features->max_buffer_bytes);
    if (umd_format_bytes(desc->format, &width, &height) == 0)
        return false;
    const uint32_t limit = desc->dimension == UMD_TEXTURE3D ? features->max_texture_dimension_3d
                                                            : features->max_texture_dimension_2d;
    return is_within(desc->width, limit) && is_within(desc->height, limit) && is_within(desc->depth, limit) &&
           is_within(desc->array_size, features->max_texture_array_layers);
}

/* ---- Making -------------------------------------------------------------------------------------------- */

static bool make_subresources(struct umd_device *device, struct umd_resource *resource)
{
    resource->subresources =
        umd_allocate(device, (uint64_t)resource->subresource_count * sizeof *resource->subresources);
    if (resource->subresources == NULL)
        return false;
    for (uint32_t i = 0; i < resource->subresource_count; i++) {
        struct umd_subresource *subresource = &resource->subresources[i];
        struct umd_extent extent;
        umd_resource_extent(resource, i, &extent);
        const uint64_t row_pitch = ((uint64_t)extent.row_bytes + 3) & ~UINT64_C(3);
        const uint64_t bytes = row_pitch * extent.rows * extent.depth;
        if (bytes > UINT32_MAX)
            return false;
        subresource->resource = resource;
        subresource->row_pitch = (uint32_t)row_pitch;
        subresource->depth_pitch = (uint32_t)(row_pitch * extent.rows);
        subresource->bytes = (uint32_t)bytes;
    }
    return true;
}

static void free_resource(struct umd_device *device, struct umd_resource *resource)
{
    umd_release(device, resource->host_bytes);
    umd_release(device, resource->subresources);
    umd_release(device, resource);
}

static struct umd_resource *make_resource(struct umd_device *device, const struct umd_resource_desc *desc)
{
    struct umd_resource *resource = umd_allocate(device, sizeof *resource);
    if (resource == NULL)
        return NULL;
    resource->desc = *desc;
    if (desc->dimension == UMD_BUFFER) {
        resource->desc.mip_levels = resource->desc.array_size = 1;
        resource->desc.height = resource->desc.depth = 1;
    } else if (desc->mip_levels == 0) {
        resource->desc.mip_levels = full_mip_count(desc);
    }
    resource->subresource_count = resource->desc.mip_levels * resource->desc.array_size;
    const uint32_t by_draw = AEROGPU_EXT_BIND_VERTEX_BUFFER | AEROGPU_EXT_BIND_INDEX_BUFFER;
    resource->uploads_by_draw = desc->dimension == UMD_BUFFER && desc->usage == UMD_USAGE_DYNAMIC &&
                                (desc->bind_flags & ~by_draw) == 0 && desc->misc_flags == 0 &&
                                desc->width >= LEAST_BY_DRAW_BYTES;
    if (desc->cpu_access == 0 || make_subresources(device, resource))
        resource->object.handle = umd_new_object_handle(device);
    if (resource->object.handle != 0)
        return resource;
    free_resource(device, resource);
    return NULL;
}

static void create_buffer(struct umd_device *device, const struct umd_resource *resource)
{
    struct aerogpu_cmd_ext_create_buffer *packet =
        umd_begin_creation(device, AEROGPU_CMD_EXT_CREATE_BUFFER, sizeof *packet);
    *packet = (struct aerogpu_cmd_ext_create_buffer){
        .hdr = UMD_HEADER(AEROGPU_CMD_EXT_CREATE_BUFFER, packet),
        .buffer_handle = resource->object.handle,
        .bind_flags = resource->desc.bind_flags,
        .misc_flags = resource->desc.misc_flags,
        .structure_stride_bytes = resource->desc.structure_stride,
        .size_bytes = resource->desc.width,
    };
    umd_end_creation(device);
}

static void create_texture(struct umd_device *device, const struct umd_resource *resource)
{
    const struct umd_resource_desc *desc = &resource->desc;
    struct aerogpu_cmd_ext_create_texture *packet =
        umd_begin_creation(device, AEROGPU_CMD_EXT_CREATE_TEXTURE, sizeof *packet);
    *packet = (struct aerogpu_cmd_ext_create_texture){
        .hdr = UMD_HEADER(AEROGPU_CMD_EXT_CREATE_TEXTURE, packet),
        .texture_handle = resource->object.handle,
        .dimension = desc->dimension,
        .format = AEROGPU_EXT_FORMAT(desc->format),
        .width = desc->width,
        .height = desc->height,
        .depth = desc->depth,
        .mip_levels = desc->mip_levels,
        .array_size = desc->array_size,
        .sample_count = desc->sample_count,
        .sample_quality = desc->sample_quality,
        .bind_flags = desc->bind_flags,
        .misc_flags = desc->misc_flags,
    };
    umd_end_creation(device);
}

/* ---- First bytes --------------------------------------------------------------------------------------- */

/* What the CPU maps later begins with the same bytes. */
static enum umd_status keep_bytes(struct umd_device *device, struct umd_subresource *subresource,
                                  const struct umd_subresource_data *data)
{
    struct umd_extent extent;
    const enum guest_status status =
        guest_block_allocate(device->guest, subresource->bytes, &subresource->block);
    if (status != GUEST_OK && umd_spill(device, subresource) != UMD_OK)
        return umd_status_from(status);
    umd_resource_extent(subresource->resource, umd_subresource_index(subresource), &extent);
    for (uint32_t slice = 0; slice < extent.depth; slice++)
        for (uint32_t row = 0; row < extent.rows; row++)
            memcpy(umd_subresource_bytes(subresource) + (size_t)slice * subresource->depth_pitch +
                       (size_t)row * subresource->row_pitch,
                   (const uint8_t *)data->data + (size_t)slice * data->depth_pitch +
                       (size_t)row * data->row_pitch,
                   extent.row_bytes);
    return UMD_OK;
}

static enum umd_status upload_first_bytes(struct umd_device *device, struct umd_resource *resource,
                                          const struct umd_subresource_data *initial)
{
    const struct umd_uploader uploader = {device, NULL};
    enum umd_status status = UMD_OK;
    for (uint32_t i = 0; i < resource->subresource_count && status == UMD_OK; i++) {
        const struct umd_upload upload = {
            .resource = resource,
            .subresource = i,
            .data = initial[i].data,
            .row_pitch = initial[i].row_pitch,
            .depth_pitch = initial[i].depth_pitch,
            .flags = AEROGPU_EXT_UPDATE_INITIAL,
        };
        guest_device_lock_user(device->guest);
        status = umd_upload_bytes(&uploader, &upload);
        umd_end_creation(device);
        if (status == UMD_OK && umd_is_mappable(resource))
            status = keep_bytes(device, &resource->subresources[i], &initial[i]);
    }
    return status;
}

enum umd_status umd_create_resource(struct umd_device *device, const struct umd_resource_desc *desc,
                                    const struct umd_subresource_data *initial, struct umd_resource **result)
{
    *result = NULL;
    if (!is_possible(device->adapter, desc))
        return UMD_INVALID;
    struct umd_resource *resource = make_resource(device, desc);
    if (resource == NULL)
        return UMD_NO_MEMORY;
    if (desc->dimension == UMD_BUFFER)
        create_buffer(device, resource);
    else
        create_texture(device, resource);
    const enum umd_status status = initial != NULL ? upload_first_bytes(device, resource, initial) : UMD_OK;
    if (status != UMD_OK) {
        umd_destroy_resource(device, resource);
        return status;
    }
    resource->was_uploaded_whole = initial != NULL;
    *result = resource;
    return UMD_OK;
}

/* ---- Ending -------------------------------------------------------------------------------------------- */

void umd_resource_release(struct umd_device *device, struct umd_resource *resource,
                          struct guest_stream *stream)
{
    umd_forget_pending(device->immediate, resource);
    for (uint32_t i = 0; umd_is_mappable(resource) && i < resource->subresource_count; i++) {
        umd_forget_newer(device->immediate, &resource->subresources[i]);
        guest_stream_retire(stream, &resource->subresources[i].block);
        umd_unspill(device, &resource->subresources[i]);
    }
    free_resource(device, resource);
}

void umd_destroy_resource(struct umd_device *device, struct umd_resource *resource)
{
    if (resource == NULL)
        return;
    umd_destroy_resource(device, resource->resolved);
    const struct umd_ending ending = {
        .opcode = AEROGPU_CMD_DESTROY_RESOURCE, .handle = resource->object.handle, .resource = resource};
    umd_end_object(device, &ending, resource->uploads_by_draw);
}

const struct umd_resource_desc *umd_resource_get_desc(const struct umd_resource *resource)
{
    return &resource->desc;
}

bool umd_resource_is_written(const struct umd_resource *resource)
{
    return atomic_load_explicit(&resource->is_written, memory_order_relaxed);
}

/* ---- Sharing ------------------------------------------------------------------------------------------- */

enum umd_status umd_share_resource(struct umd_device *device, struct umd_resource *resource, uint64_t token)
{
    struct aerogpu_cmd_export_shared_surface *packet =
        umd_begin_creation(device, AEROGPU_CMD_EXPORT_SHARED_SURFACE, sizeof *packet);
    packet->resource_handle = resource->object.handle;
    packet->reserved0 = 0;
    packet->share_token = token;
    umd_end_creation(device);
    /* Whoever opens the token finds it there. */
    return umd_submit_creations(device) == GUEST_OK ? UMD_OK : UMD_DEVICE_REMOVED;
}

enum umd_status umd_open_shared_resource(struct umd_device *device, const struct umd_resource_desc *desc,
                                         uint64_t token, struct umd_resource **result)
{
    *result = make_resource(device, desc);
    if (*result == NULL)
        return UMD_NO_MEMORY;
    struct aerogpu_cmd_import_shared_surface *packet =
        umd_begin_creation(device, AEROGPU_CMD_IMPORT_SHARED_SURFACE, sizeof *packet);
    packet->out_resource_handle = (*result)->object.handle;
    packet->reserved0 = 0;
    packet->share_token = token;
    umd_end_creation(device);
    /* The token names the resource no more when its other handles end. */
    return umd_submit_creations(device) == GUEST_OK ? UMD_OK : UMD_DEVICE_REMOVED;
}

void umd_release_share_token(struct umd_device *device, uint64_t token)
{
    struct aerogpu_cmd_release_shared_surface *packet =
        umd_begin_creation(device, AEROGPU_CMD_RELEASE_SHARED_SURFACE, sizeof *packet);
    packet->share_token = token;
    packet->reserved0 = 0;
    umd_end_creation(device);
}
