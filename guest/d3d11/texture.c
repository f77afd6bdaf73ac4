/* SPDX-License-Identifier: MIT
 *
 * ID3D11Texture1D, ID3D11Texture2D1 and ID3D11Texture3D1, and what may be created as one of them.
 */
#include "guest/d3d11/d3d10_faces.h"
#include "guest/d3d11/format.h"
#include "guest/d3d11/resource.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define KNOWN_MISC_FLAGS                                                                                     \
    ((UINT)D3D11_RESOURCE_MISC_GENERATE_MIPS | D3D11_RESOURCE_MISC_SHARED |                                  \
     D3D11_RESOURCE_MISC_TEXTURECUBE | D3D11_RESOURCE_MISC_RESOURCE_CLAMP |                                  \
     D3D11_RESOURCE_MISC_SHARED_KEYEDMUTEX | D3D11_RESOURCE_MISC_GDI_COMPATIBLE |                            \
     D3D11_RESOURCE_MISC_SHARED_NTHANDLE)

/* The older descriptions are the beginning of the newer ones, which have a layout at the end. */
_Static_assert(offsetof(D3D11_TEXTURE2D_DESC1, TextureLayout) == sizeof(D3D11_TEXTURE2D_DESC) &&
                   offsetof(D3D11_TEXTURE3D_DESC1, TextureLayout) == sizeof(D3D11_TEXTURE3D_DESC),
               "the newer description contains the older one");

/* ---- Methods ------------------------------------------------------------------------------------------- */

RT_RESOURCE_METHODS(ID3D11Texture1D)
RT_RESOURCE_METHODS(ID3D11Texture2D1)
RT_RESOURCE_METHODS(ID3D11Texture3D1)

RT_METHOD(void) get_desc_1d(ID3D11Texture1D *self, D3D11_TEXTURE1D_DESC *desc)
{
    const struct rt_resource *t = rt_resource_of(self);
    *desc = (D3D11_TEXTURE1D_DESC){t->width, t->mips,       t->layers,     t->format,
                                   t->usage, t->bind_flags, t->cpu_access, t->misc_flags};
}

RT_METHOD(void) get_desc1_2d(ID3D11Texture2D1 *self, D3D11_TEXTURE2D_DESC1 *desc)
{
    const struct rt_resource *t = rt_resource_of(self);
    *desc = (D3D11_TEXTURE2D_DESC1){t->width,
                                    t->height,
                                    t->mips,
                                    t->layers,
                                    t->format,
                                    t->samples,
                                    t->usage,
                                    t->bind_flags,
                                    t->cpu_access,
                                    t->misc_flags,
                                    D3D11_TEXTURE_LAYOUT_UNDEFINED};
}

RT_METHOD(void) get_desc_2d(ID3D11Texture2D1 *self, D3D11_TEXTURE2D_DESC *desc)
{
    D3D11_TEXTURE2D_DESC1 newer;
    get_desc1_2d(self, &newer);
    memcpy(desc, &newer, sizeof(*desc));
}

RT_METHOD(void) get_desc1_3d(ID3D11Texture3D1 *self, D3D11_TEXTURE3D_DESC1 *desc)
{
    const struct rt_resource *t = rt_resource_of(self);
    *desc = (D3D11_TEXTURE3D_DESC1){
        t->width, t->height,     t->depth,      t->mips,       t->format,
        t->usage, t->bind_flags, t->cpu_access, t->misc_flags, D3D11_TEXTURE_LAYOUT_UNDEFINED};
}

RT_METHOD(void) get_desc_3d(ID3D11Texture3D1 *self, D3D11_TEXTURE3D_DESC *desc)
{
    D3D11_TEXTURE3D_DESC1 newer;
    get_desc1_3d(self, &newer);
    memcpy(desc, &newer, sizeof(*desc));
}

static const ID3D11Texture1DVtbl methods_1d = {
    RT_RESOURCE_SLOTS(ID3D11Texture1D),
    .GetDesc = get_desc_1d,
};

static const ID3D11Texture2D1Vtbl methods_2d = {
    RT_RESOURCE_SLOTS(ID3D11Texture2D1),
    .GetDesc = get_desc_2d,
    .GetDesc1 = get_desc1_2d,
};

static const ID3D11Texture3D1Vtbl methods_3d = {
    RT_RESOURCE_SLOTS(ID3D11Texture3D1),
    .GetDesc = get_desc_3d,
    .GetDesc1 = get_desc1_3d,
};

static const struct rt_class class_1d = {
    .id = RT_CLASS_TEXTURE1D,
    .methods = {&methods_1d, &rt_dxgi_resource_methods, &rt_dxgi_surface_methods,
                &rt_dxgi_mutex_methods, [RT_FACE_D3D10] = &rt_d3d10_texture1d_methods},
    .destroy = rt_resource_destroy,
    .offers = rt_resource_offers,
};

static const struct rt_class class_2d = {
    .id = RT_CLASS_TEXTURE2D,
    .methods = {&methods_2d, &rt_dxgi_resource_methods, &rt_dxgi_surface_methods,
                &rt_dxgi_mutex_methods, [RT_FACE_D3D10] = &rt_d3d10_texture2d_methods},
    .destroy = rt_resource_destroy,
    .offers = rt_resource_offers,
};

static const struct rt_class class_3d = {
    .id = RT_CLASS_TEXTURE3D,
    .methods = {&methods_3d, &rt_dxgi_resource_methods, [RT_FACE_MUTEX] = &rt_dxgi_mutex_methods,
                [RT_FACE_D3D10] = &rt_d3d10_texture3d_methods},
    .destroy = rt_resource_destroy,
    .offers = rt_resource_offers,
};

/* ---- Checks -------------------------------------------------------------------------------------------- */

/* What some format of a family can. */
static UINT support_of_family(const struct rt_device *device, DXGI_FORMAT format)
{
    UINT support = 0;
    for (UINT other = 1; other <= DXGI_FORMAT_B4G4R4A4_UNORM; other++)
        if (rt_format((DXGI_FORMAT)other)->family == rt_format(format)->family)
            support |= rt_device_format_support(device, other);
    return support;
}

/* What textures of a format can be: of a typeless one, whatever its family can. Textures of the other formats
 * may have unordered access where their family has, without a view of their own format, and those of formats
 * that are shown may be targets, as R10G10B10_XR_BIAS_A2. */
static UINT support_of(const struct rt_device *device, DXGI_FORMAT format)
{
    const UINT support = rt_device_format_support(device, format), family = support_of_family(device, format);
    if (rt_format_has(format, RT_FORMAT_TYPELESS))
        return support | family;
    if (support & D3D11_FORMAT_SUPPORT_DISPLAY)
        return support | (family & (UINT)(D3D11_FORMAT_SUPPORT_TYPED_UNORDERED_ACCESS_VIEW |
                                          D3D11_FORMAT_SUPPORT_RENDER_TARGET));
    return support | (family & (UINT)D3D11_FORMAT_SUPPORT_TYPED_UNORDERED_ACCESS_VIEW);
}

static bool is_size_allowed(const struct rt_resource *texture)
{
    const struct aerogpu_ext_features *limits = umd_adapter_features(texture->object.device->adapter->umd);
    const bool is_volume = texture->dimension == D3D11_RESOURCE_DIMENSION_TEXTURE3D;
    const UINT most = is_volume ? limits->max_texture_dimension_3d : limits->max_texture_dimension_2d;
    if (!texture->width || !texture->height || !texture->depth || !texture->layers)
        return false;
    if (texture->width > most || texture->height > most || texture->depth > most ||
        texture->layers > limits->max_texture_array_layers)
        return false;
    return texture->width % rt_format_block_width(texture->format) == 0 &&
           texture->height % rt_format_block_height(texture->format) == 0;
}

static UINT full_mip_count(const struct rt_resource *texture)
{
    UINT largest = texture->width, count = 1;
    if (texture->height > largest)
        largest = texture->height;
    if (texture->depth > largest)
        largest = texture->depth;
    while (largest >>= 1)
        count++;
    return count;
}

/* Bind flags that the format cannot have, or that cannot be together. */
static bool are_binds_allowed(const struct rt_resource *texture, UINT support)
{
    const UINT bind = texture->bind_flags;
    const UINT sampled = D3D11_FORMAT_SUPPORT_SHADER_LOAD | D3D11_FORMAT_SUPPORT_SHADER_SAMPLE;
    const bool is_depth = rt_format_has(texture->format, RT_FORMAT_DEPTH);
    const bool is_typeless = rt_format_has(texture->format, RT_FORMAT_TYPELESS);
    if (bind & (D3D11_BIND_VERTEX_BUFFER | D3D11_BIND_INDEX_BUFFER | D3D11_BIND_CONSTANT_BUFFER |
                D3D11_BIND_STREAM_OUTPUT))
        return false;
    if ((bind & D3D11_BIND_DEPTH_STENCIL) &&
        (!(support & D3D11_FORMAT_SUPPORT_DEPTH_STENCIL) ||
         (bind & (D3D11_BIND_RENDER_TARGET | D3D11_BIND_UNORDERED_ACCESS)) ||
         texture->dimension == D3D11_RESOURCE_DIMENSION_TEXTURE3D))
        return false;
    if ((bind & D3D11_BIND_RENDER_TARGET) && !(support & D3D11_FORMAT_SUPPORT_RENDER_TARGET))
        return false;
    if ((bind & D3D11_BIND_UNORDERED_ACCESS) && !(support & D3D11_FORMAT_SUPPORT_TYPED_UNORDERED_ACCESS_VIEW))
        return false;
    return !(bind & D3D11_BIND_SHADER_RESOURCE) || (!is_depth && (is_typeless || (support & sampled)));
}

static bool are_samples_allowed(const struct rt_resource *texture, bool has_data)
{
    const DXGI_SAMPLE_DESC *samples = &texture->samples;
    const bool is_pattern = samples->Quality >= (UINT)D3D11_CENTER_MULTISAMPLE_PATTERN;
    UINT levels;
    if (samples->Count == 1)
        return samples->Quality == 0 || is_pattern;
    levels = samples->Count ? umd_check_multisample_quality_levels(texture->object.device->adapter->umd,
                                                                   texture->format, samples->Count)
                            : 0;
    if (levels == 0 || (samples->Quality >= levels && !is_pattern))
        return false;
    return texture->mips == 1 && texture->usage == D3D11_USAGE_DEFAULT && !has_data &&
           !(texture->bind_flags & D3D11_BIND_UNORDERED_ACCESS) &&
           !(texture->misc_flags & (D3D11_RESOURCE_MISC_TEXTURECUBE | D3D11_RESOURCE_MISC_GENERATE_MIPS));
}

/* GDI draws into targets of its own order of bytes. */
static bool is_gdi_compatible(const struct rt_resource *texture)
{
    return texture->usage == D3D11_USAGE_DEFAULT && (texture->bind_flags & D3D11_BIND_RENDER_TARGET) &&
           rt_format(texture->format)->family == DXGI_FORMAT_B8G8R8A8_TYPELESS;
}

static bool are_misc_flags_allowed(const struct rt_resource *texture)
{
    const UINT misc = texture->misc_flags;
    const UINT both = D3D11_BIND_RENDER_TARGET | D3D11_BIND_SHADER_RESOURCE;
    if (misc & ~KNOWN_MISC_FLAGS)
        return false;
    if ((misc & D3D11_RESOURCE_MISC_GENERATE_MIPS) && (texture->bind_flags & both) != both)
        return false;
    if ((misc & D3D11_RESOURCE_MISC_GDI_COMPATIBLE) && !is_gdi_compatible(texture))
        return false;
    if ((misc & D3D11_RESOURCE_MISC_RESOURCE_CLAMP) && texture->usage == D3D11_USAGE_STAGING)
        return false;
    if (!(misc & D3D11_RESOURCE_MISC_TEXTURECUBE))
        return true;
    /* Arrays of cubes came with feature level 10_1. */
    if (texture->object.device->level < D3D_FEATURE_LEVEL_10_1 && texture->layers != RT_CUBE_FACES)
        return false;
    return texture->dimension == D3D11_RESOURCE_DIMENSION_TEXTURE2D && texture->layers >= RT_CUBE_FACES &&
           texture->width == texture->height;
}

static HRESULT check(struct rt_resource *texture, const D3D11_SUBRESOURCE_DATA *data)
{
    static const UINT dimension_support[] = {
        [D3D11_RESOURCE_DIMENSION_TEXTURE1D] = D3D11_FORMAT_SUPPORT_TEXTURE1D,
        [D3D11_RESOURCE_DIMENSION_TEXTURE2D] = D3D11_FORMAT_SUPPORT_TEXTURE2D,
        [D3D11_RESOURCE_DIMENSION_TEXTURE3D] = D3D11_FORMAT_SUPPORT_TEXTURE3D,
    };
    const UINT support = support_of(texture->object.device, texture->format);
    /* A format of one plane is a format of views alone. */
    if (!(support & dimension_support[texture->dimension]) || rt_format_is_plane(texture->format) ||
        !is_size_allowed(texture))
        return E_INVALIDARG;
    if (texture->mips == 0)
        texture->mips = full_mip_count(texture);
    if (texture->mips > full_mip_count(texture) || !are_binds_allowed(texture, support) ||
        !are_misc_flags_allowed(texture) || !are_samples_allowed(texture, data != NULL))
        return E_INVALIDARG;
    for (UINT i = 0; data && i < rt_resource_subresources(texture); i++)
        if (!data[i].pSysMem)
            return E_INVALIDARG;
    return rt_resource_check_usage(texture, data != NULL);
}

/* ---- Creation ------------------------------------------------------------------------------------------ */

/* `made` is a texture with its description, which this function takes over. */
static HRESULT finish(struct rt_resource *made, const D3D11_SUBRESOURCE_DATA *data, void **out)
{
    HRESULT result = check(made, data);
    if (SUCCEEDED(result))
        result = out ? rt_resource_make(made, data, 0) : S_FALSE;
    if (result != S_OK) {
        rt_object_release(&made->object);
        return result;
    }
    *out = &made->object.faces[0];
    return S_OK;
}

static struct rt_resource *allocate(ID3D11Device5 *self, const struct rt_class *class,
                                    D3D11_RESOURCE_DIMENSION dimension)
{
    struct rt_resource *texture = calloc(1, sizeof(*texture));
    if (!texture)
        return NULL;
    rt_object_init(&texture->object, class, rt_device_of(self));
    texture->dimension = dimension;
    texture->height = texture->depth = texture->layers = texture->samples.Count = 1;
    return texture;
}

HRESULT STDMETHODCALLTYPE rt_device_create_texture1d(ID3D11Device5 *self, const D3D11_TEXTURE1D_DESC *desc,
                                                     const D3D11_SUBRESOURCE_DATA *data,
                                                     ID3D11Texture1D **out)
{
    struct rt_resource *texture;
    if (out)
        *out = NULL;
    if (!desc)
        return E_INVALIDARG;
    texture = allocate(self, &class_1d, D3D11_RESOURCE_DIMENSION_TEXTURE1D);
    if (!texture)
        return E_OUTOFMEMORY;
    texture->width = desc->Width;
    texture->mips = desc->MipLevels;
    texture->layers = desc->ArraySize;
    texture->format = desc->Format;
    texture->usage = desc->Usage;
    texture->bind_flags = desc->BindFlags;
    texture->cpu_access = desc->CPUAccessFlags;
    texture->misc_flags = desc->MiscFlags;
    return finish(texture, data, (void **)out);
}

static void describe_2d(struct rt_resource *texture, const D3D11_TEXTURE2D_DESC1 *desc)
{
    texture->width = desc->Width;
    texture->height = desc->Height;
    texture->mips = desc->MipLevels;
    texture->layers = desc->ArraySize;
    texture->format = desc->Format;
    texture->samples = desc->SampleDesc;
    texture->usage = desc->Usage;
    texture->bind_flags = desc->BindFlags;
    texture->cpu_access = desc->CPUAccessFlags;
    texture->misc_flags = desc->MiscFlags;
}

HRESULT STDMETHODCALLTYPE rt_device_create_texture2d1(ID3D11Device5 *self, const D3D11_TEXTURE2D_DESC1 *desc,
                                                      const D3D11_SUBRESOURCE_DATA *data,
                                                      ID3D11Texture2D1 **out)
{
    struct rt_resource *texture;
    if (out)
        *out = NULL;
    if (!desc || desc->TextureLayout != D3D11_TEXTURE_LAYOUT_UNDEFINED)
        return E_INVALIDARG;
    texture = allocate(self, &class_2d, D3D11_RESOURCE_DIMENSION_TEXTURE2D);
    if (!texture)
        return E_OUTOFMEMORY;
    describe_2d(texture, desc);
    return finish(texture, data, (void **)out);
}

HRESULT STDMETHODCALLTYPE rt_device_create_texture2d(ID3D11Device5 *self, const D3D11_TEXTURE2D_DESC *desc,
                                                     const D3D11_SUBRESOURCE_DATA *data,
                                                     ID3D11Texture2D **out)
{
    D3D11_TEXTURE2D_DESC1 newer = {.TextureLayout = D3D11_TEXTURE_LAYOUT_UNDEFINED};
    if (desc)
        memcpy(&newer, desc, sizeof(*desc));
    return rt_device_create_texture2d1(self, desc ? &newer : NULL, data, (ID3D11Texture2D1 **)out);
}

HRESULT STDMETHODCALLTYPE rt_device_create_texture3d1(ID3D11Device5 *self, const D3D11_TEXTURE3D_DESC1 *desc,
                                                      const D3D11_SUBRESOURCE_DATA *data,
                                                      ID3D11Texture3D1 **out)
{
    struct rt_resource *texture;
    if (out)
        *out = NULL;
    if (!desc || desc->TextureLayout != D3D11_TEXTURE_LAYOUT_UNDEFINED)
        return E_INVALIDARG;
    texture = allocate(self, &class_3d, D3D11_RESOURCE_DIMENSION_TEXTURE3D);
    if (!texture)
        return E_OUTOFMEMORY;
    texture->width = desc->Width;
    texture->height = desc->Height;
    texture->depth = desc->Depth;
    texture->mips = desc->MipLevels;
    texture->format = desc->Format;
    texture->usage = desc->Usage;
    texture->bind_flags = desc->BindFlags;
    texture->cpu_access = desc->CPUAccessFlags;
    texture->misc_flags = desc->MiscFlags;
    return finish(texture, data, (void **)out);
}

HRESULT STDMETHODCALLTYPE rt_device_create_texture3d(ID3D11Device5 *self, const D3D11_TEXTURE3D_DESC *desc,
                                                     const D3D11_SUBRESOURCE_DATA *data,
                                                     ID3D11Texture3D **out)
{
    D3D11_TEXTURE3D_DESC1 newer = {.TextureLayout = D3D11_TEXTURE_LAYOUT_UNDEFINED};
    if (desc)
        memcpy(&newer, desc, sizeof(*desc));
    return rt_device_create_texture3d1(self, desc ? &newer : NULL, data, (ID3D11Texture3D1 **)out);
}

HRESULT rt_texture_create_back_buffer(struct rt_device *device, const D3D11_TEXTURE2D_DESC1 *desc,
                                      DXGI_USAGE usage, struct rt_resource **out)
{
    const bool has_samples = desc->SampleDesc.Count > 1; /* the driver shows their resolve */
    struct rt_resource *texture = calloc(1, sizeof(*texture));
    HRESULT result;
    if (!texture)
        return E_OUTOFMEMORY;
    rt_object_init_private(&texture->object, &class_2d, device);
    texture->dimension = D3D11_RESOURCE_DIMENSION_TEXTURE2D;
    texture->depth = 1;
    texture->usage_of_dxgi = usage;
    describe_2d(texture, desc);
    result = check(texture, NULL);
    if (SUCCEEDED(result))
        result = rt_resource_make(texture, NULL, has_samples ? 0 : AEROGPU_EXT_BIND_SCANOUT);
    if (FAILED(result)) {
        rt_object_let_go(&texture->object);
        return result;
    }
    *out = texture;
    return S_OK;
}
