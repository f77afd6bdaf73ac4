/* SPDX-License-Identifier: MIT
 *
 * ID3D11Buffer.
 */
#include "guest/d3d11/d3d10_faces.h"
#include "guest/d3d11/resource.h"

#include <stdlib.h>

#define MOST_STRUCTURE_BYTES 2048u
#define CONSTANT_BYTES 16u
#define KNOWN_MISC_FLAGS                                                                                     \
    ((UINT)D3D11_RESOURCE_MISC_SHARED | D3D11_RESOURCE_MISC_SHARED_KEYEDMUTEX |                              \
     D3D11_RESOURCE_MISC_SHARED_NTHANDLE | D3D11_RESOURCE_MISC_DRAWINDIRECT_ARGS |                           \
     D3D11_RESOURCE_MISC_BUFFER_ALLOW_RAW_VIEWS | D3D11_RESOURCE_MISC_BUFFER_STRUCTURED)

RT_RESOURCE_METHODS(ID3D11Buffer)

RT_METHOD(void) get_desc(ID3D11Buffer *self, D3D11_BUFFER_DESC *desc)
{
    const struct rt_resource *buffer = rt_resource_of(self);
    *desc = (D3D11_BUFFER_DESC){buffer->width,      buffer->usage,      buffer->bind_flags,
                                buffer->cpu_access, buffer->misc_flags, buffer->structure_stride};
}

static const ID3D11BufferVtbl methods = {
    RT_RESOURCE_SLOTS(ID3D11Buffer),
    .GetDesc = get_desc,
};

static const struct rt_class buffer_class = {
    .id = RT_CLASS_BUFFER,
    .methods = {&methods, &rt_dxgi_resource_methods, [RT_FACE_MUTEX] = &rt_dxgi_mutex_methods,
                [RT_FACE_D3D10] = &rt_d3d10_buffer_methods},
    .destroy = rt_resource_destroy,
    .offers = rt_resource_offers,
};

static bool is_good_structure(const D3D11_BUFFER_DESC *desc)
{
    const UINT others = D3D11_BIND_VERTEX_BUFFER | D3D11_BIND_INDEX_BUFFER | D3D11_BIND_STREAM_OUTPUT |
                        D3D11_BIND_RENDER_TARGET;
    const UINT stride = desc->StructureByteStride;
    return !(desc->MiscFlags &
             (D3D11_RESOURCE_MISC_BUFFER_ALLOW_RAW_VIEWS | D3D11_RESOURCE_MISC_DRAWINDIRECT_ARGS)) &&
           !(desc->BindFlags & others) && stride > 0 && stride % 4 == 0 && stride <= MOST_STRUCTURE_BYTES &&
           desc->ByteWidth % stride == 0;
}

static HRESULT check(const D3D11_BUFFER_DESC *desc)
{
    const UINT viewed = D3D11_BIND_SHADER_RESOURCE | D3D11_BIND_UNORDERED_ACCESS;
    if (desc->ByteWidth == 0 || (desc->MiscFlags & ~KNOWN_MISC_FLAGS) ||
        (desc->BindFlags & D3D11_BIND_DEPTH_STENCIL))
        return E_INVALIDARG;
    if ((desc->BindFlags & D3D11_BIND_CONSTANT_BUFFER) &&
        (desc->BindFlags != D3D11_BIND_CONSTANT_BUFFER || desc->ByteWidth % CONSTANT_BYTES))
        return E_INVALIDARG;
    if ((desc->MiscFlags & D3D11_RESOURCE_MISC_BUFFER_ALLOW_RAW_VIEWS) && !(desc->BindFlags & viewed))
        return E_INVALIDARG;
    if ((desc->MiscFlags & D3D11_RESOURCE_MISC_BUFFER_STRUCTURED) && !is_good_structure(desc))
        return E_INVALIDARG;
    if ((desc->MiscFlags & D3D11_RESOURCE_MISC_DRAWINDIRECT_ARGS) && desc->Usage == D3D11_USAGE_STAGING)
        return E_INVALIDARG;
    return S_OK;
}

HRESULT STDMETHODCALLTYPE rt_device_create_buffer(ID3D11Device5 *self, const D3D11_BUFFER_DESC *desc,
                                                  const D3D11_SUBRESOURCE_DATA *data, ID3D11Buffer **out)
{
    struct rt_device *device = rt_device_of(self);
    struct rt_resource *buffer;
    HRESULT result;
    if (out)
        *out = NULL;
    if (!desc || FAILED(check(desc)) || (data && !data->pSysMem))
        return E_INVALIDARG;
    buffer = calloc(1, sizeof(*buffer));
    if (!buffer)
        return E_OUTOFMEMORY;
    rt_object_init(&buffer->object, &buffer_class, device);
    buffer->dimension = D3D11_RESOURCE_DIMENSION_BUFFER;
    buffer->width = desc->ByteWidth;
    buffer->height = buffer->depth = buffer->mips = buffer->layers = buffer->samples.Count = 1;
    buffer->usage = desc->Usage;
    buffer->bind_flags = desc->BindFlags;
    buffer->cpu_access = desc->CPUAccessFlags;
    buffer->misc_flags = desc->MiscFlags;
    if (desc->MiscFlags & D3D11_RESOURCE_MISC_BUFFER_STRUCTURED)
        buffer->structure_stride = desc->StructureByteStride;
    result = rt_resource_check_usage(buffer, data != NULL);
    if (SUCCEEDED(result))
        result = out ? rt_resource_make(buffer, data, 0) : S_FALSE;
    if (result != S_OK) {
        rt_object_release(&buffer->object);
        return result;
    }
    *out = (ID3D11Buffer *)&buffer->object.faces[0];
    return S_OK;
}
