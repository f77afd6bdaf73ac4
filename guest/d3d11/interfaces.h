/* SPDX-License-Identifier: MIT
 *
 * The one list of interfaces: which class of objects has which, and on which face of the object its methods
 * are. A face has the methods of the newest interface of its line; older ones are its beginning.
 *
 *     X(CLASS, face, interface)
 */
#ifndef RT_D3D11_INTERFACES_H
#define RT_D3D11_INTERFACES_H

#include "guest/d3d11/com.h"

#include <stdint.h>

/* clang-format off */
#define RT_CLASSES(X)                                                                                        \
    X(FACTORY) X(ADAPTER) X(OUTPUT) X(SWAP_CHAIN) X(DEVICE) X(CONTEXT) X(COMMAND_LIST) X(CONTEXT_STATE)      \
    X(BUFFER) X(TEXTURE1D) X(TEXTURE2D) X(TEXTURE3D)                                                         \
    X(SHADER_RESOURCE_VIEW) X(RENDER_TARGET_VIEW) X(DEPTH_STENCIL_VIEW) X(UNORDERED_ACCESS_VIEW)             \
    X(INPUT_LAYOUT) X(VERTEX_SHADER) X(HULL_SHADER) X(DOMAIN_SHADER) X(GEOMETRY_SHADER) X(PIXEL_SHADER)      \
    X(COMPUTE_SHADER) X(CLASS_LINKAGE) X(CLASS_INSTANCE)                                                     \
    X(BLEND_STATE) X(DEPTH_STENCIL_STATE) X(RASTERIZER_STATE) X(SAMPLER_STATE) X(QUERY) X(FENCE)             \
    X(STATE_BLOCK) X(BLOB)
/* clang-format on */

enum rt_class_id {
#define RT_CLASS(name) RT_CLASS_##name,
    RT_CLASSES(RT_CLASS)
#undef RT_CLASS
};

/* Faces that are not the first. */
enum {
    RT_FACE_DXGI = 1,        /* IDXGIDevice of a device, IDXGIResource of a resource */
    RT_FACE_SURFACE = 2,     /* IDXGISurface of a texture */
    RT_FACE_MUTEX = 3,       /* IDXGIKeyedMutex of a texture */
    RT_FACE_MULTITHREAD = 2, /* ID3D11Multithread of a device or context */
    RT_FACE_INFO_QUEUE = 3,  /* ID3D11InfoQueue of a device */
    RT_FACE_DEBUG = 4,       /* ID3D11Debug of a device */
    RT_FACE_ANNOTATION = 1,  /* ID3DUserDefinedAnnotation of a context */
    RT_FACE_D3D10 = 5,       /* Direct3D 10's of a device and its children */
    RT_FACE_COUNT = 6,
};

/* clang-format off */
#define RT_RESOURCE_INTERFACES(X, CLASS)                                                                     \
    X(CLASS, 0, ID3D11DeviceChild) X(CLASS, 0, ID3D11Resource) X(CLASS, RT_FACE_D3D10, ID3D10DeviceChild)    \
    X(CLASS, RT_FACE_D3D10, ID3D10Resource)                                                                  \
    X(CLASS, RT_FACE_DXGI, IDXGIObject) X(CLASS, RT_FACE_DXGI, IDXGIDeviceSubObject)                         \
    X(CLASS, RT_FACE_DXGI, IDXGIResource) X(CLASS, RT_FACE_DXGI, IDXGIResource1)
#define RT_SURFACE_INTERFACES(X, CLASS)                                                                      \
    X(CLASS, RT_FACE_SURFACE, IDXGISurface) X(CLASS, RT_FACE_SURFACE, IDXGISurface1)                         \
    X(CLASS, RT_FACE_SURFACE, IDXGISurface2)
#define RT_D3D10_INTERFACES(X, CLASS, I)                                                                     \
    X(CLASS, RT_FACE_D3D10, ID3D10DeviceChild) X(CLASS, RT_FACE_D3D10, I)
#define RT_VIEW_INTERFACES(X, CLASS) X(CLASS, 0, ID3D11DeviceChild) X(CLASS, 0, ID3D11View)

#define RT_INTERFACES(X)                                                                                     \
    X(FACTORY, 0, IDXGIObject) X(FACTORY, 0, IDXGIFactory) X(FACTORY, 0, IDXGIFactory1)                      \
    X(FACTORY, 0, IDXGIFactory2) X(FACTORY, 0, IDXGIFactory3) X(FACTORY, 0, IDXGIFactory4)                   \
    X(FACTORY, 0, IDXGIFactory5) X(FACTORY, 0, IDXGIFactory6)                                                \
    X(ADAPTER, 0, IDXGIObject) X(ADAPTER, 0, IDXGIAdapter) X(ADAPTER, 0, IDXGIAdapter1)                      \
    X(ADAPTER, 0, IDXGIAdapter2) X(ADAPTER, 0, IDXGIAdapter3) X(ADAPTER, 0, IDXGIAdapter4)                   \
    X(OUTPUT, 0, IDXGIObject) X(OUTPUT, 0, IDXGIOutput) X(OUTPUT, 0, IDXGIOutput1)                           \
    X(OUTPUT, 0, IDXGIOutput2) X(OUTPUT, 0, IDXGIOutput3) X(OUTPUT, 0, IDXGIOutput4)                         \
    X(OUTPUT, 0, IDXGIOutput5) X(OUTPUT, 0, IDXGIOutput6)                                                    \
    X(SWAP_CHAIN, 0, IDXGIObject) X(SWAP_CHAIN, 0, IDXGIDeviceSubObject)                                     \
    X(SWAP_CHAIN, 0, IDXGISwapChain) X(SWAP_CHAIN, 0, IDXGISwapChain1) X(SWAP_CHAIN, 0, IDXGISwapChain2)     \
    X(SWAP_CHAIN, 0, IDXGISwapChain3) X(SWAP_CHAIN, 0, IDXGISwapChain4)                                      \
    X(DEVICE, 0, ID3D11Device) X(DEVICE, 0, ID3D11Device1) X(DEVICE, 0, ID3D11Device2)                       \
    X(DEVICE, 0, ID3D11Device3) X(DEVICE, 0, ID3D11Device4) X(DEVICE, 0, ID3D11Device5)                      \
    X(DEVICE, RT_FACE_DXGI, IDXGIObject) X(DEVICE, RT_FACE_DXGI, IDXGIDevice)                                \
    X(DEVICE, RT_FACE_DXGI, IDXGIDevice1) X(DEVICE, RT_FACE_DXGI, IDXGIDevice2)                              \
    X(DEVICE, RT_FACE_DXGI, IDXGIDevice3)                                                                    \
    X(DEVICE, RT_FACE_MULTITHREAD, ID3D11Multithread) X(DEVICE, RT_FACE_MULTITHREAD, ID3D10Multithread)      \
    X(DEVICE, RT_FACE_INFO_QUEUE, ID3D11InfoQueue) X(DEVICE, RT_FACE_DEBUG, ID3D11Debug)                     \
    X(DEVICE, RT_FACE_D3D10, ID3D10Device) X(DEVICE, RT_FACE_D3D10, ID3D10Device1)                           \
    X(CONTEXT, 0, ID3D11DeviceChild) X(CONTEXT, 0, ID3D11DeviceContext)                                      \
    X(CONTEXT, 0, ID3D11DeviceContext1)                                                                      \
    X(CONTEXT, 0, ID3D11DeviceContext2) X(CONTEXT, 0, ID3D11DeviceContext3)                                  \
    X(CONTEXT, 0, ID3D11DeviceContext4)                                                                      \
    X(CONTEXT, RT_FACE_ANNOTATION, ID3DUserDefinedAnnotation)                                                \
    X(CONTEXT, RT_FACE_MULTITHREAD, ID3D11Multithread)                                                       \
    X(COMMAND_LIST, 0, ID3D11DeviceChild) X(COMMAND_LIST, 0, ID3D11CommandList)                              \
    X(CONTEXT_STATE, 0, ID3D11DeviceChild) X(CONTEXT_STATE, 0, ID3DDeviceContextState)                       \
    RT_RESOURCE_INTERFACES(X, BUFFER) X(BUFFER, 0, ID3D11Buffer) X(BUFFER, RT_FACE_D3D10, ID3D10Buffer)      \
    X(BUFFER, RT_FACE_MUTEX, IDXGIKeyedMutex)                                                                \
    RT_RESOURCE_INTERFACES(X, TEXTURE1D) X(TEXTURE1D, 0, ID3D11Texture1D)                                    \
    X(TEXTURE1D, RT_FACE_D3D10, ID3D10Texture1D) X(TEXTURE1D, RT_FACE_MUTEX, IDXGIKeyedMutex)                \
    RT_SURFACE_INTERFACES(X, TEXTURE1D)                                                                      \
    RT_RESOURCE_INTERFACES(X, TEXTURE2D) X(TEXTURE2D, 0, ID3D11Texture2D)                                    \
    X(TEXTURE2D, RT_FACE_D3D10, ID3D10Texture2D) X(TEXTURE2D, 0, ID3D11Texture2D1)                           \
    RT_SURFACE_INTERFACES(X, TEXTURE2D) X(TEXTURE2D, RT_FACE_MUTEX, IDXGIKeyedMutex)                         \
    RT_RESOURCE_INTERFACES(X, TEXTURE3D) X(TEXTURE3D, 0, ID3D11Texture3D)                                    \
    X(TEXTURE3D, RT_FACE_D3D10, ID3D10Texture3D) X(TEXTURE3D, 0, ID3D11Texture3D1)                           \
    X(TEXTURE3D, RT_FACE_MUTEX, IDXGIKeyedMutex)                                                             \
    RT_VIEW_INTERFACES(X, SHADER_RESOURCE_VIEW)                                                              \
    X(SHADER_RESOURCE_VIEW, 0, ID3D11ShaderResourceView)                                                     \
    RT_D3D10_INTERFACES(X, SHADER_RESOURCE_VIEW, ID3D10View)                                                 \
    X(SHADER_RESOURCE_VIEW, RT_FACE_D3D10, ID3D10ShaderResourceView)                                         \
    X(SHADER_RESOURCE_VIEW, RT_FACE_D3D10, ID3D10ShaderResourceView1)                                        \
    X(SHADER_RESOURCE_VIEW, 0, ID3D11ShaderResourceView1)                                                    \
    RT_VIEW_INTERFACES(X, RENDER_TARGET_VIEW)                                                                \
    X(RENDER_TARGET_VIEW, 0, ID3D11RenderTargetView)                                                         \
    RT_D3D10_INTERFACES(X, RENDER_TARGET_VIEW, ID3D10View)                                                   \
    X(RENDER_TARGET_VIEW, RT_FACE_D3D10, ID3D10RenderTargetView)                                             \
    X(RENDER_TARGET_VIEW, 0, ID3D11RenderTargetView1)                                                        \
    RT_VIEW_INTERFACES(X, DEPTH_STENCIL_VIEW) X(DEPTH_STENCIL_VIEW, 0, ID3D11DepthStencilView)               \
    RT_D3D10_INTERFACES(X, DEPTH_STENCIL_VIEW, ID3D10View)                                                   \
    X(DEPTH_STENCIL_VIEW, RT_FACE_D3D10, ID3D10DepthStencilView)                                             \
    RT_VIEW_INTERFACES(X, UNORDERED_ACCESS_VIEW)                                                             \
    X(UNORDERED_ACCESS_VIEW, 0, ID3D11UnorderedAccessView)                                                   \
    X(UNORDERED_ACCESS_VIEW, 0, ID3D11UnorderedAccessView1)                                                  \
    X(INPUT_LAYOUT, 0, ID3D11DeviceChild) X(INPUT_LAYOUT, 0, ID3D11InputLayout)                              \
    RT_D3D10_INTERFACES(X, INPUT_LAYOUT, ID3D10InputLayout)                                                  \
    X(VERTEX_SHADER, 0, ID3D11DeviceChild) X(VERTEX_SHADER, 0, ID3D11VertexShader)                           \
    RT_D3D10_INTERFACES(X, VERTEX_SHADER, ID3D10VertexShader)                                                \
    X(HULL_SHADER, 0, ID3D11DeviceChild) X(HULL_SHADER, 0, ID3D11HullShader)                                 \
    X(DOMAIN_SHADER, 0, ID3D11DeviceChild) X(DOMAIN_SHADER, 0, ID3D11DomainShader)                           \
    X(GEOMETRY_SHADER, 0, ID3D11DeviceChild) X(GEOMETRY_SHADER, 0, ID3D11GeometryShader)                     \
    RT_D3D10_INTERFACES(X, GEOMETRY_SHADER, ID3D10GeometryShader)                                            \
    X(PIXEL_SHADER, 0, ID3D11DeviceChild) X(PIXEL_SHADER, 0, ID3D11PixelShader)                              \
    RT_D3D10_INTERFACES(X, PIXEL_SHADER, ID3D10PixelShader)                                                  \
    X(COMPUTE_SHADER, 0, ID3D11DeviceChild) X(COMPUTE_SHADER, 0, ID3D11ComputeShader)                        \
    X(CLASS_LINKAGE, 0, ID3D11DeviceChild) X(CLASS_LINKAGE, 0, ID3D11ClassLinkage)                           \
    X(CLASS_INSTANCE, 0, ID3D11DeviceChild) X(CLASS_INSTANCE, 0, ID3D11ClassInstance)                        \
    X(BLEND_STATE, 0, ID3D11DeviceChild) X(BLEND_STATE, 0, ID3D11BlendState)                                 \
    RT_D3D10_INTERFACES(X, BLEND_STATE, ID3D10BlendState)                                                    \
    X(BLEND_STATE, 0, ID3D11BlendState1) X(BLEND_STATE, RT_FACE_D3D10, ID3D10BlendState1)                    \
    X(DEPTH_STENCIL_STATE, 0, ID3D11DeviceChild) X(DEPTH_STENCIL_STATE, 0, ID3D11DepthStencilState)          \
    RT_D3D10_INTERFACES(X, DEPTH_STENCIL_STATE, ID3D10DepthStencilState)                                     \
    X(RASTERIZER_STATE, 0, ID3D11DeviceChild) X(RASTERIZER_STATE, 0, ID3D11RasterizerState)                  \
    RT_D3D10_INTERFACES(X, RASTERIZER_STATE, ID3D10RasterizerState)                                          \
    X(RASTERIZER_STATE, 0, ID3D11RasterizerState1) X(RASTERIZER_STATE, 0, ID3D11RasterizerState2)            \
    X(SAMPLER_STATE, 0, ID3D11DeviceChild) X(SAMPLER_STATE, 0, ID3D11SamplerState)                           \
    RT_D3D10_INTERFACES(X, SAMPLER_STATE, ID3D10SamplerState)                                                \
    X(QUERY, 0, ID3D11DeviceChild) X(QUERY, 0, ID3D11Asynchronous) X(QUERY, 0, ID3D11Query)                  \
    X(QUERY, 0, ID3D11Query1) X(QUERY, 0, ID3D11Predicate)                                                   \
    RT_D3D10_INTERFACES(X, QUERY, ID3D10Asynchronous) X(QUERY, RT_FACE_D3D10, ID3D10Query)                   \
    X(QUERY, RT_FACE_D3D10, ID3D10Predicate)                                                                 \
    X(FENCE, 0, ID3D11DeviceChild) X(FENCE, 0, ID3D11Fence) X(STATE_BLOCK, 0, ID3D10StateBlock)              \
    X(BLOB, 0, ID3D10Blob)
/* clang-format on */

enum { RT_NO_FACE = -1 };

/* The face of a class that has an interface, or RT_NO_FACE. IUnknown is the first face of every class. */
int rt_interface_face(enum rt_class_id class, REFIID iid);

#endif
