/* SPDX-License-Identifier: MIT
 *
 * Textures that GDI draws into.
 */
#ifndef RT_D3D11_GDI_SURFACE_H
#define RT_D3D11_GDI_SURFACE_H

#include "guest/d3d11/resource.h"

/* IDXGISurface1::GetDC() and ReleaseDC() of a texture of GDI's order of bytes; no rectangle: all of it. */
HRESULT rt_gdi_surface_begin(struct rt_resource *texture, bool discard, HDC *dc);
HRESULT rt_gdi_surface_end(struct rt_resource *texture, const RECT *dirty);

/* What GDI has drawn and the program has not released is lost. */
void rt_gdi_surface_drop(struct rt_resource *texture);

#endif
