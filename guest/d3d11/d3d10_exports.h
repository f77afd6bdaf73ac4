/* SPDX-License-Identifier: MIT
 *
 * Functions of Direct3D 10's DLLs that the public headers do not declare.
 */
#ifndef RT_D3D11_D3D10_EXPORTS_H
#define RT_D3D11_D3D10_EXPORTS_H

#include "guest/d3d11/d3d10_faces.h"

/* What d3d10.dll calls of d3d10core.dll. */
HRESULT WINAPI D3D10CoreCreateDevice(IDXGIFactory *factory, IDXGIAdapter *adapter, UINT flags,
                                     D3D_FEATURE_LEVEL level, ID3D10Device **device);
HRESULT WINAPI D3D10CoreRegisterLayers(void);
HRESULT WINAPI D3D10RegisterLayers(void);

HRESULT WINAPI D3D10DisassembleEffect(ID3D10Effect *effect, BOOL color, ID3D10Blob **out);
HRESULT WINAPI D3D10PreprocessShader(const char *source, SIZE_T size, const char *file_name,
                                     const D3D10_SHADER_MACRO *defines, ID3D10Include *include,
                                     ID3D10Blob **text, ID3D10Blob **errors);

#endif
