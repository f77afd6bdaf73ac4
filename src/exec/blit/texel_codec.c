/* SPDX-License-Identifier: MIT */
#include "exec/blit/texel_codec.h"

#include "exec/blit/blitter.h"
#include "exec/blit/kernels.h"
#include "exec/record/bind_group.h"
#include "exec/record/encoder.h"
#include "format/format.h"
#include "kernel/kernel.h"

enum { EXPAND, PACK, EXPAND_PACKED, PACK_PACKED };

/* The uniform block of the kernel: struct Codec of texel_codec.wgsl. */
struct codec_block {
    uint32_t components; /* of a row; of packed floats: texels */
    uint32_t height;
    uint32_t bits;                 /* bits of a component: 8 or 16 */
    uint32_t number;               /* enum ag_number: UNORM or SNORM */
    uint32_t from_pitch, to_pitch; /* words */
    uint32_t row_words;            /* words of a row of the guest's bytes */
    uint32_t padding;
};

static struct ag_kernel *get_kernel(struct ag_blitter *blitter)
{
    const struct ag_kernel_desc desc = {
        .label = "texel codec",
        .wgsl = ag_texel_codec_wgsl,
        .wgsl_length = ag_texel_codec_wgsl_length,
        .binding_count = 3,
        .written = 1u << 2,
        .block_bytes = sizeof(struct codec_block),
        .entries = {[EXPAND] = "expand",
                    [PACK] = "pack",
                    [EXPAND_PACKED] = "expand_packed",
                    [PACK_PACKED] = "pack_packed"},
    };
    return ag_bind_kernel_make(blitter->recorder, &blitter->texel_codec, &desc);
}

bool ag_texel_codec_record(struct ag_blitter *blitter, const struct ag_host_format *format, bool expands,
                           const struct ag_texel_rows *from, const struct ag_texel_rows *to, uint32_t width,
                           uint32_t height)
{
    const bool packed = format->conversion == AG_CONVERT_HALVES;
    const uint32_t components = packed ? width : width * (format->bytes * 8u / format->component_bits);
    const struct codec_block block = {
        .components = components,
        .height = height,
        .bits = format->component_bits,
        .number = format->number,
        .from_pitch = from->pitch / 4,
        .to_pitch = to->pitch / 4,
        .row_words = (width * format->bytes + 3) / 4,
    };
    struct ag_kernel_run run = {
        .kernel = get_kernel(blitter),
        .entry = packed    ? expands ? EXPAND_PACKED : PACK_PACKED
                 : expands ? EXPAND
                           : PACK,
        .block = &block,
        .block_bytes = sizeof block,
        .ranges = {[1] = {.buffer = from->buffer, .size = from->size},
                   {.buffer = to->buffer, .size = to->size}},
        .invocations = (uint64_t)(expands ? components : block.row_words) * height,
    };
    return ag_bind_kernel_run(blitter->recorder, ag_recorder_encoder(blitter->recorder), &run);
}
