/* SPDX-License-Identifier: MIT */
#include "guest/d3d11/resource.h"

#include "guest/d3d11/d3d10_faces.h"
#include "guest/d3d11/format.h"
#include "guest/d3d11/gdi_surface.h"
#include "guest/d3d11/gpu.h"
#include "guest/d3d11/share.h"

#include <stdlib.h>

#define INPUT_BINDS ((UINT)RT_KNOWN_BINDS & ~RT_OUTPUT_BINDS)

/* Buffers that shaders see are mapped without a copy by the program: option MapOnDefaultBuffers. */
static bool maps_by_default(const struct rt_resource *resource)
{
    const UINT viewed = D3D11_BIND_SHADER_RESOURCE | D3D11_BIND_UNORDERED_ACCESS;
    return resource->dimension == D3D11_RESOURCE_DIMENSION_BUFFER && resource->bind_flags &&
           !(resource->bind_flags & ~viewed) && resource->object.device->level >= D3D_FEATURE_LEVEL_11_0;
}

/* Shared with a keyed mutex or without one, and by handles only if at all. */
static bool is_sharing_allowed(const struct rt_resource *resource)
{
    const UINT shared = resource->misc_flags & RT_SHARED_FLAGS;
    if (!shared)
        return !(resource->misc_flags & D3D11_RESOURCE_MISC_SHARED_NTHANDLE);
    return shared != RT_SHARED_FLAGS && resource->usage == D3D11_USAGE_DEFAULT;
}

HRESULT rt_resource_check_usage(const struct rt_resource *resource, bool has_data)
{
    const UINT cpu = resource->cpu_access, bind = resource->bind_flags;
    if ((cpu & ~RT_CPU_ACCESS) || (bind & ~RT_KNOWN_BINDS) || !is_sharing_allowed(resource))
        return E_INVALIDARG;
    switch (resource->usage) {
    case D3D11_USAGE_DEFAULT:
        return cpu && !maps_by_default(resource) ? E_INVALIDARG : S_OK;
    case D3D11_USAGE_IMMUTABLE:
        return cpu || !has_data || !bind || (bind & RT_OUTPUT_BINDS) ? E_INVALIDARG : S_OK;
    case D3D11_USAGE_DYNAMIC:
        return cpu != D3D11_CPU_ACCESS_WRITE || !bind || (bind & RT_OUTPUT_BINDS) ||
                       rt_resource_subresources(resource) != 1
                   ? E_INVALIDARG
                   : S_OK;
    case D3D11_USAGE_STAGING:
        return !cpu || bind ? E_INVALIDARG : S_OK;
    default:
        return E_INVALIDARG;
    }
}

static UINT64 count_bytes(const struct rt_resource *resource)
{
    const UINT block_width = rt_format_block_width(resource->format);
    const UINT block_height = rt_format_block_height(resource->format);
    const UINT block_bytes = rt_format_block_bytes(resource->format);
    UINT64 bytes = 0;
    if (resource->dimension == D3D11_RESOURCE_DIMENSION_BUFFER)
        return resource->width;
    for (UINT mip = 0; mip < resource->mips; mip++) {
        const UINT64 columns = (rt_mip_size(resource->width, mip) + block_width - 1) / block_width;
        const UINT64 rows = (rt_mip_size(resource->height, mip) + block_height - 1) / block_height;
        bytes += columns * rows * rt_mip_size(resource->depth, mip) * block_bytes;
    }
    return bytes * resource->layers * resource->samples.Count;
}

/* Flags of the packets; the others are between the program and the runtime. */
#define PACKET_MISC_FLAGS                                                                                    \
    ((UINT)AEROGPU_EXT_MISC_GENERATE_MIPS | AEROGPU_EXT_MISC_TEXTURECUBE |                                   \
     AEROGPU_EXT_MISC_DRAWINDIRECT_ARGS | AEROGPU_EXT_MISC_BUFFER_ALLOW_RAW_VIEWS |                          \
     AEROGPU_EXT_MISC_BUFFER_STRUCTURED | AEROGPU_EXT_MISC_RESOURCE_CLAMP)

struct umd_resource_desc rt_resource_describe(const struct rt_resource *resource)
{
    return (struct umd_resource_desc){
        .dimension = resource->dimension,
        .format = resource->format,
        .width = resource->width,
        .height = resource->height,
        .depth = resource->depth,
        .mip_levels = resource->mips,
        .array_size = resource->layers,
        .sample_count = resource->samples.Count,
        .sample_quality = resource->samples.Quality,
        .usage = resource->usage,
        .bind_flags = resource->bind_flags,
        .cpu_access = resource->cpu_access,
        .misc_flags = resource->misc_flags & PACKET_MISC_FLAGS,
        .structure_stride = resource->structure_stride,
    };
}

static HRESULT make_umd(struct rt_resource *resource, const D3D11_SUBRESOURCE_DATA *data, UINT extra_binds)
{
    struct umd_resource_desc desc = rt_resource_describe(resource);
    const UINT count = rt_resource_subresources(resource);
    struct umd_subresource_data *initial = NULL;
    HRESULT result;
    desc.bind_flags |= extra_binds;
    if (data) {
        initial = calloc(count, sizeof(*initial));
        if (!initial)
            return E_OUTOFMEMORY;
        for (UINT i = 0; i < count; i++)
            initial[i] =
                (struct umd_subresource_data){data[i].pSysMem, data[i].SysMemPitch, data[i].SysMemSlicePitch};
    }
    result = rt_result(umd_create_resource(resource->object.device->umd, &desc, initial, &resource->umd));
    free(initial);
    return result;
}

/* What the program sees beside the description, whoever made the driver's resource. */
static HRESULT begin(struct rt_resource *resource)
{
    resource->eviction_priority = DXGI_RESOURCE_PRIORITY_NORMAL;
    if (!resource->cpu_access)
        return S_OK;
    resource->mapped = calloc(rt_resource_subresources(resource), 1);
    return resource->mapped ? S_OK : E_OUTOFMEMORY;
}

HRESULT rt_resource_make(struct rt_resource *resource, const D3D11_SUBRESOURCE_DATA *data, UINT extra_binds)
{
    HRESULT result = begin(resource);
    if (SUCCEEDED(result))
        result = make_umd(resource, data, extra_binds);
    if (FAILED(result))
        return result;
    resource->bytes = count_bytes(resource);
    rt_gpu_count_bytes((int64_t)resource->bytes);
    return resource->misc_flags & RT_SHARED_FLAGS ? rt_share_create(resource) : S_OK;
}

/* Its bytes are counted where it was made. */
HRESULT rt_resource_open(struct rt_resource *resource, uint64_t token)
{
    const struct umd_resource_desc desc = rt_resource_describe(resource);
    const HRESULT result = begin(resource);
    if (FAILED(result))
        return result;
    return rt_result(umd_open_shared_resource(resource->object.device->umd, &desc, token, &resource->umd));
}

void rt_resource_destroy(struct rt_object *object)
{
    struct rt_resource *resource = (struct rt_resource *)object;
    rt_gdi_surface_drop(resource);
    rt_share_leave(resource);
    umd_destroy_resource(object->device->umd, resource->umd);
    rt_gpu_count_bytes(-(int64_t)resource->bytes);
    free(resource->mapped);
    rt_object_fini(object);
    free(resource);
}

void rt_resource_get_type(struct rt_object *object, D3D11_RESOURCE_DIMENSION *dimension)
{
    *dimension = ((struct rt_resource *)object)->dimension;
}

/* A surface is a texture of one subresource; a keyed mutex is asked for at the creation. */
bool rt_resource_offers(const struct rt_object *object, REFIID iid)
{
    const struct rt_resource *resource = (const struct rt_resource *)object;
    switch (rt_interface_face(object->class->id, iid)) {
    case RT_FACE_SURFACE:
        return rt_resource_subresources(resource) == 1;
    case RT_FACE_MUTEX:
        return (resource->misc_flags & D3D11_RESOURCE_MISC_SHARED_KEYEDMUTEX) != 0;
    case RT_FACE_D3D10:
        return rt_d3d10_has_resource(resource);
    default:
        return true;
    }
}
