/* SPDX-License-Identifier: MIT
 *
 * The WGSL of the kernels that convert numbers. The build makes each array of numbers.wgsl and a .wgsl file
 * of this folder.
 */
#ifndef AG_EXEC_BLIT_KERNELS_H
#define AG_EXEC_BLIT_KERNELS_H

#include <stddef.h>

extern const char ag_texel_codec_wgsl[];
extern const size_t ag_texel_codec_wgsl_length;

extern const char ag_texels_wgsl[];
extern const size_t ag_texels_wgsl_length;

extern const char ag_partial_upload_wgsl[];
extern const size_t ag_partial_upload_wgsl_length;

extern const char ag_texture_plane_wgsl[];
extern const size_t ag_texture_plane_wgsl_length;

extern const char ag_element_fetch_wgsl[];
extern const size_t ag_element_fetch_wgsl_length;

#endif
