/* SPDX-License-Identifier: MIT */
#include "exec/blit/texel_codec.h"

#include "exec/blit/blitter.h"
#include "exec/blit/kernels.h"
#include "exec/record/bind_group.h"
#include "exec/record/encoder.h"
#include "format/format.h"
#include "kernel/kernel.h"

/* How the kernel converts: the way to the host, and behind it the way back. */
enum { NORMS = 0, PACKED = 2, THREE = 4 };

/* The uniform block of the kernel: struct Codec of texel_codec.wgsl. */
struct codec_block {
    uint32_t components; /* of a row; texels where the bits are not 8 or 16 */
    uint32_t height;
    uint32_t bits;                 /* bits of a component: 8 or 16 */
    uint32_t number;               /* enum ag_number */
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
        .entries = {"expand", "pack", "expand_packed", "pack_packed", "expand_three", "pack_three"},
    };
    return ag_bind_kernel_make(blitter->recorder, &blitter->texel_codec, &desc);
}

bool ag_texel_codec_record(struct ag_blitter *blitter, const struct ag_host_format *format, bool expands,
                           const struct ag_texel_rows *from, const struct ag_texel_rows *to, uint32_t width,
                           uint32_t height)
{
    const uint32_t kind = format->conversion == AG_CONVERT_HALVES  ? PACKED
                          : format->conversion == AG_CONVERT_THREE ? THREE
                                                                   : NORMS;
    const uint32_t components = kind == NORMS ? width * (format->bytes * 8u / format->component_bits) : width;
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
        .entry = kind + (expands ? 0 : 1),
        .block = &block,
        .block_bytes = sizeof block,
        .ranges = {[1] = {.buffer = from->buffer, .size = from->size},
                   {.buffer = to->buffer, .size = to->size}},
        .invocations = (uint64_t)(expands ? components : block.row_words) * height,
    };
    return ag_bind_kernel_run(blitter->recorder, ag_recorder_encoder(blitter->recorder), &run);
}
