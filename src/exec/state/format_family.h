/* SPDX-License-Identifier: MIT
 *
 * Families of formats: a typeless format and the typed ones that views of it may have (D3D11.3 19.1.2).
 */
#ifndef AG_EXEC_STATE_FORMAT_FAMILY_H
#define AG_EXEC_STATE_FORMAT_FAMILY_H

#include <stdbool.h>
#include <stdint.h>

/* The typeless format of the family, itself included; 0 for formats that are in none. */
uint32_t ag_format_typeless(uint32_t dxgi);
/* What the host keeps texels of a typeless format as, a typed format itself: in the one, depth texels. 0:
 * there is no such format. (R10G10B10_XR_BIAS_A2 is kept as R10G10B10A2_UNORM.) */
uint32_t ag_format_host(uint32_t dxgi);
uint32_t ag_format_host_depth(uint32_t dxgi);
/* Whether textures of the format are seen as others of their family: typeless ones, and those with a bias. */
bool ag_format_is_cast(uint32_t dxgi);
/* What a shader sees of a depth texel: the depth format for its colour twin (R32_FLOAT), itself for a format
 * that names one of the planes; 0 for others. */
uint32_t ag_format_depth_seen(uint32_t dxgi);

#endif
