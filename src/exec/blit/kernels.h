/* SPDX-License-Identifier: MIT
 *
 * The WGSL of the kernels that convert numbers: the .wgsl files beside this one, each behind numbers.wgsl,
 * which the build turns into arrays.
 */
#ifndef AG_EXEC_BLIT_KERNELS_H
#define AG_EXEC_BLIT_KERNELS_H

#include <stddef.h>

extern const char ag_texel_codec_wgsl[];
extern const size_t ag_texel_codec_wgsl_length;

extern const char ag_texels_wgsl[];
extern const size_t ag_texels_wgsl_length;

extern const char ag_texture_convert_wgsl[];
extern const size_t ag_texture_convert_wgsl_length;

extern const char ag_partial_upload_wgsl[];
extern const size_t ag_partial_upload_wgsl_length;

extern const char ag_texture_plane_wgsl[];
extern const size_t ag_texture_plane_wgsl_length;

extern const char ag_element_fetch_wgsl[];
extern const size_t ag_element_fetch_wgsl_length;

#endif
