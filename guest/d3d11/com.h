/* SPDX-License-Identifier: MIT
 *
 * The public headers of Direct3D 11 and DXGI as C sees them: mingw-w64's for the DLLs, Wine's for the native
 * build. And the methods that many interfaces share, written once: their functions (RT_..._METHODS) and their
 * slots in a table of methods (RT_..._SLOTS).
 */
#ifndef RT_D3D11_COM_H
#define RT_D3D11_COM_H

#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#define CINTERFACE
#include <windows.h>

#include <d3d11_4.h>
#include <d3d11sdklayers.h>
#include <dxgi1_6.h>

#define RT_METHOD(type) static type STDMETHODCALLTYPE

/* Methods of IUnknown. */
#define RT_UNKNOWN_METHODS(I)                                                                                \
    RT_METHOD(HRESULT) I##_query_interface(I *self, REFIID iid, void **out)                                  \
    {                                                                                                        \
        return rt_object_query(RT_OBJECT(self), iid, out);                                                   \
    }                                                                                                        \
    RT_METHOD(ULONG) I##_add_ref(I *self)                                                                    \
    {                                                                                                        \
        return rt_object_add_ref(RT_OBJECT(self));                                                           \
    }                                                                                                        \
    RT_METHOD(ULONG) I##_release(I *self)                                                                    \
    {                                                                                                        \
        return rt_object_release(RT_OBJECT(self));                                                           \
    }
#define RT_UNKNOWN_SLOTS(I)                                                                                  \
    .QueryInterface = I##_query_interface, .AddRef = I##_add_ref, .Release = I##_release

/* Private data, as children of a Direct3D device, the device itself and DXGI's objects have them. */
#define RT_PRIVATE_DATA_METHODS(I)                                                                           \
    RT_METHOD(HRESULT) I##_get_private_data(I *self, REFGUID guid, UINT *size, void *data)                   \
    {                                                                                                        \
        return rt_private_data_get(&RT_OBJECT(self)->private_data, guid, size, data);                        \
    }                                                                                                        \
    RT_METHOD(HRESULT) I##_set_private_data(I *self, REFGUID guid, UINT size, const void *data)              \
    {                                                                                                        \
        return rt_private_data_set(&RT_OBJECT(self)->private_data, guid, size, data);                        \
    }                                                                                                        \
    RT_METHOD(HRESULT) I##_set_private_interface(I *self, REFGUID guid, const IUnknown *unknown)             \
    {                                                                                                        \
        return rt_private_data_set_interface(&RT_OBJECT(self)->private_data, guid, unknown);                 \
    }
#define RT_PRIVATE_DATA_SLOTS(I)                                                                             \
    .GetPrivateData = I##_get_private_data, .SetPrivateData = I##_set_private_data,                          \
    .SetPrivateDataInterface = I##_set_private_interface

/* Methods of ID3D11DeviceChild. */
#define RT_CHILD_METHODS(I)                                                                                  \
    RT_UNKNOWN_METHODS(I)                                                                                    \
    RT_PRIVATE_DATA_METHODS(I)                                                                               \
    RT_METHOD(void) I##_get_device(I *self, ID3D11Device **device)                                           \
    {                                                                                                        \
        rt_object_get_device(RT_OBJECT(self), device);                                                       \
    }
#define RT_CHILD_SLOTS(I) RT_UNKNOWN_SLOTS(I), RT_PRIVATE_DATA_SLOTS(I), .GetDevice = I##_get_device

/* Methods of IDXGIObject; parent() is a function of (struct rt_object *, REFIID, void **). */
#define RT_DXGI_OBJECT_METHODS(I, parent)                                                                    \
    RT_UNKNOWN_METHODS(I)                                                                                    \
    RT_PRIVATE_DATA_METHODS(I)                                                                               \
    RT_METHOD(HRESULT) I##_get_parent(I *self, REFIID iid, void **out)                                       \
    {                                                                                                        \
        return parent(RT_OBJECT(self), iid, out);                                                            \
    }
#define RT_DXGI_OBJECT_SLOTS(I) RT_UNKNOWN_SLOTS(I), RT_PRIVATE_DATA_SLOTS(I), .GetParent = I##_get_parent

/* Methods of IDXGIDeviceSubObject of an object that is a child of a Direct3D device. */
#define RT_DXGI_CHILD_METHODS(I, parent)                                                                     \
    RT_DXGI_OBJECT_METHODS(I, parent)                                                                        \
    RT_METHOD(HRESULT) I##_get_dxgi_device(I *self, REFIID iid, void **out)                                  \
    {                                                                                                        \
        return rt_object_query_device(RT_OBJECT(self), iid, out);                                            \
    }
#define RT_DXGI_CHILD_SLOTS(I) RT_DXGI_OBJECT_SLOTS(I), .GetDevice = I##_get_dxgi_device

#endif
