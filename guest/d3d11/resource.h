/* SPDX-License-Identifier: MIT
 *
 * What buffers and textures have in common.
 */
#ifndef RT_D3D11_RESOURCE_H
#define RT_D3D11_RESOURCE_H

#include "guest/d3d11/device.h"

struct rt_gdi_surface;
struct rt_share;

struct rt_resource {
    struct rt_object object;
    struct umd_resource *umd;
    D3D11_RESOURCE_DIMENSION dimension;
    DXGI_FORMAT format; /* UNKNOWN of buffers */
    UINT width, height, depth;
    UINT mips, layers;
    DXGI_SAMPLE_DESC samples;
    D3D11_USAGE usage;
    UINT bind_flags, cpu_access, misc_flags;
    UINT structure_stride;
    UINT eviction_priority;
    float min_lod;
    UINT64 bytes;    /* of all subresources */
    uint8_t *mapped; /* for each subresource: D3D11_MAP of its mapping, 0 if it is not mapped; NULL without
                        CPU access */
    struct rt_share *share; /* what it has in common with those of other devices; NULL: it is not shared */
    struct rt_resource *next_member;
    struct rt_gdi_surface *gdi; /* between GetDC() and ReleaseDC() */
    DXGI_USAGE usage_of_dxgi;   /* beside what follows from the bind flags */
};

static inline struct rt_resource *rt_resource_of(void *interface_pointer)
{
    return interface_pointer ? (struct rt_resource *)RT_OBJECT(interface_pointer) : NULL;
}

#define RT_CUBE_FACES 6u
#define RT_OUTPUT_BINDS                                                                                      \
    ((UINT)D3D11_BIND_RENDER_TARGET | D3D11_BIND_DEPTH_STENCIL | D3D11_BIND_STREAM_OUTPUT |                  \
     D3D11_BIND_UNORDERED_ACCESS)
#define RT_KNOWN_BINDS ((UINT)0xff)
#define RT_CPU_ACCESS ((UINT)D3D11_CPU_ACCESS_READ | D3D11_CPU_ACCESS_WRITE)

static inline UINT rt_resource_subresources(const struct rt_resource *resource)
{
    return resource->mips * resource->layers;
}

static inline UINT rt_mip_size(UINT size, UINT mip)
{
    return size >> mip > 0 ? size >> mip : 1;
}

/* Usage, CPU access and bind flags against each other; E_INVALIDARG or S_OK. */
HRESULT rt_resource_check_usage(const struct rt_resource *resource, bool has_data);

/* Makes the driver's resource of what is described; `extra_binds` are the driver's own. Whether it succeeds
 * or not, the caller ends the object. */
HRESULT rt_resource_make(struct rt_resource *resource, const D3D11_SUBRESOURCE_DATA *data, UINT extra_binds);
void rt_resource_destroy(struct rt_object *object);
bool rt_resource_offers(const struct rt_object *object, REFIID iid);
/* The same for a resource that the host has already, under a token. */
HRESULT rt_resource_open(struct rt_resource *resource, uint64_t token);

/* What the driver is told of it. */
struct umd_resource_desc rt_resource_describe(const struct rt_resource *resource);

/* Methods of ID3D11Resource and of the faces that DXGI has. */
void rt_resource_get_type(struct rt_object *object, D3D11_RESOURCE_DIMENSION *dimension);
extern const IDXGIResource1Vtbl rt_dxgi_resource_methods;
extern const IDXGISurface2Vtbl rt_dxgi_surface_methods;
extern const IDXGIKeyedMutexVtbl rt_dxgi_mutex_methods;

#define RT_RESOURCE_METHODS(I)                                                                               \
    RT_CHILD_METHODS(I)                                                                                      \
    RT_METHOD(void) I##_get_type(I *self, D3D11_RESOURCE_DIMENSION *dimension)                               \
    {                                                                                                        \
        rt_resource_get_type(RT_OBJECT(self), dimension);                                                    \
    }                                                                                                        \
    RT_METHOD(void) I##_set_priority(I *self, UINT priority)                                                 \
    {                                                                                                        \
        rt_resource_of(self)->eviction_priority = priority;                                                  \
    }                                                                                                        \
    RT_METHOD(UINT) I##_get_priority(I *self)                                                                \
    {                                                                                                        \
        return rt_resource_of(self)->eviction_priority;                                                      \
    }
#define RT_RESOURCE_SLOTS(I)                                                                                 \
    RT_CHILD_SLOTS(I), .GetType = I##_get_type, .SetEvictionPriority = I##_set_priority,                     \
                       .GetEvictionPriority = I##_get_priority

/* ID3D11Device::CreateBuffer() and so on. */
HRESULT STDMETHODCALLTYPE rt_device_create_buffer(ID3D11Device5 *self, const D3D11_BUFFER_DESC *desc,
                                                  const D3D11_SUBRESOURCE_DATA *data, ID3D11Buffer **out);
HRESULT STDMETHODCALLTYPE rt_device_create_texture1d(ID3D11Device5 *self, const D3D11_TEXTURE1D_DESC *desc,
                                                     const D3D11_SUBRESOURCE_DATA *data,
                                                     ID3D11Texture1D **out);
HRESULT STDMETHODCALLTYPE rt_device_create_texture2d(ID3D11Device5 *self, const D3D11_TEXTURE2D_DESC *desc,
                                                     const D3D11_SUBRESOURCE_DATA *data,
                                                     ID3D11Texture2D **out);
HRESULT STDMETHODCALLTYPE rt_device_create_texture2d1(ID3D11Device5 *self, const D3D11_TEXTURE2D_DESC1 *desc,
                                                      const D3D11_SUBRESOURCE_DATA *data,
                                                      ID3D11Texture2D1 **out);
HRESULT STDMETHODCALLTYPE rt_device_create_texture3d(ID3D11Device5 *self, const D3D11_TEXTURE3D_DESC *desc,
                                                     const D3D11_SUBRESOURCE_DATA *data,
                                                     ID3D11Texture3D **out);
HRESULT STDMETHODCALLTYPE rt_device_create_texture3d1(ID3D11Device5 *self, const D3D11_TEXTURE3D_DESC1 *desc,
                                                      const D3D11_SUBRESOURCE_DATA *data,
                                                      ID3D11Texture3D1 **out);

/* A texture for a swap chain: one private reference. */
HRESULT rt_texture_create_back_buffer(struct rt_device *device, const D3D11_TEXTURE2D_DESC1 *desc,
                                      DXGI_USAGE usage, struct rt_resource **out);

#endif
