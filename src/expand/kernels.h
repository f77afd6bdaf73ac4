/* SPDX-License-Identifier: MIT
 *
 * The kernels' WGSL: the .wgsl files beside this one, which the build turns into arrays.
 */
#ifndef AGPU_EXPAND_KERNELS_H
#define AGPU_EXPAND_KERNELS_H

#include <stddef.h>

extern const char agpu_assembly_wgsl[];
extern const size_t agpu_assembly_wgsl_length;

extern const char agpu_emission_wgsl[];
extern const size_t agpu_emission_wgsl_length;

extern const char agpu_lists_wgsl[];
extern const size_t agpu_lists_wgsl_length;

extern const char agpu_stream_output_wgsl[];
extern const size_t agpu_stream_output_wgsl_length;

extern const char agpu_tessellator_wgsl[];
extern const size_t agpu_tessellator_wgsl_length;

#endif
