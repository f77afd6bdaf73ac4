/* SPDX-License-Identifier: MIT
 *
 * On the GPU what ag_host_format_expand_row() and ag_host_format_pack_row() do on the processor, for
 * formats whose UNORM or SNORM components the host keeps as floats (AG_CONVERT_FLOATS).
 */
#ifndef AG_EXEC_TEXEL_CODEC_H
#define AG_EXEC_TEXEL_CODEC_H

#include "format/format.h"
#include "gpu/webgpu.h"

struct ag_exec;

/* Rows of texels in a buffer with the usage Storage. */
struct ag_texel_rows {
    WGPUBuffer buffer;
    uint64_t size;
    uint32_t pitch; /* bytes from row to row, a multiple of 4 */
};

/* Records it for `height` rows of `width` texels: from guest bytes to host texels (`expands`), or back. False
 * when memory is exhausted (reported). */
bool ag_texel_codec_record(struct ag_exec *exec, const struct ag_host_format *format, bool expands,
                           const struct ag_texel_rows *from, const struct ag_texel_rows *to, uint32_t width,
                           uint32_t height);

#endif
