/* SPDX-License-Identifier: MIT
 *
 * The texel codec: a kernel that converts between the guest's UNORM or SNORM components and the floats that
 * the host keeps for some formats (AG_CONVERT_FLOATS), and between packed floats and halves
 * (AG_CONVERT_HALVES), and adds and drops a fourth component (AG_CONVERT_THREE). On the CPU,
 * ag_host_format_expand_row() and ag_host_format_pack_row() do the former.
 */
#ifndef AG_EXEC_BLIT_TEXEL_CODEC_H
#define AG_EXEC_BLIT_TEXEL_CODEC_H

#include <stdbool.h>
#include <stdint.h>

#include "gpu/webgpu.h"

struct ag_blitter;
struct ag_host_format;

/* Rows of texels in a buffer with the usage Storage. */
struct ag_texel_rows {
    WGPUBuffer buffer;
    uint64_t size;
    uint32_t pitch; /* bytes from row to row, a multiple of 4 */
};

/* Records the conversion of `height` rows of `width` texels: from the guest's bytes to the host's
 * (`expands`) or back. An open render pass is ended. False when memory is exhausted
 * (reported). */
bool ag_texel_codec_record(struct ag_blitter *blitter, const struct ag_host_format *format, bool expands,
                           const struct ag_texel_rows *from, const struct ag_texel_rows *to, uint32_t width,
                           uint32_t height);

#endif
