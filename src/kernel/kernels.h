/* SPDX-License-Identifier: MIT
 *
 * The kernels' WGSL text, which the build embeds from the .wgsl files beside this header.
 */
#ifndef AG_KERNEL_KERNELS_H
#define AG_KERNEL_KERNELS_H

#include <stddef.h>

#include "wgsl/expansion.h"

extern const char ag_assembly_wgsl[];
extern const size_t ag_assembly_wgsl_length;

extern const char ag_emission_wgsl[];
extern const size_t ag_emission_wgsl_length;

extern const char ag_lists_wgsl[];
extern const size_t ag_lists_wgsl_length;

extern const char ag_pieces_wgsl[];
extern const size_t ag_pieces_wgsl_length;

extern const char ag_stream_output_wgsl[];
extern const size_t ag_stream_output_wgsl_length;

extern const char ag_tessellator_wgsl[];
extern const size_t ag_tessellator_wgsl_length;

#endif
