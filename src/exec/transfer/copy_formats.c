/* SPDX-License-Identifier: MIT */
#include "exec/transfer/copy_formats.h"

#include <stdbool.h>

#include "exec/host/refused_handle.h"
#include "exec/host/report.h"
#include "exec/object/texture.h"
#include "exec/object/texture_cast.h"
#include "exec/transfer/copier.h"
#include "format/format.h"

/* Families whose texels are as large as blocks. */
static bool is_copied_with_blocks(uint32_t family)
{
    return family == AG_DXGI_R32G32B32A32_TYPELESS || family == AG_DXGI_R16G16B16A16_TYPELESS ||
           family == AG_DXGI_R32G32_TYPELESS;
}

/* Direct3D copies between formats of one family, and between blocks and texels of one size (D3D11.3
 * 5.9.3.3). */
static bool formats_fit(const struct ag_texture *to, const struct ag_texture *from)
{
    uint32_t to_family = ag_format_typeless(to->dxgi), from_family = ag_format_typeless(from->dxgi);
    if (to->dxgi == from->dxgi || (to_family && to_family == from_family))
        return true;
    if (from->dxgi == AG_DXGI_R9G9B9E5_SHAREDEXP && to_family == AG_DXGI_R32_TYPELESS)
        return true;
    const struct ag_texture *blocks = to->format->block_height > 1 ? to : from;
    const struct ag_texture *texels = blocks == to ? from : to;
    if (blocks->format->block_height == 1 || texels->format->block_width != 1 ||
        blocks->format->bytes != texels->format->bytes)
        return false;
    return is_copied_with_blocks(ag_format_typeless(texels->dxgi));
}

/* Whether the host can copy the guest's bytes: it keeps the same bytes on both sides, or bytes that can be
 * recoded. Bytes become depth of 16 bits in WebGPU's copies and depth of 32 bits in a draw of the host; none
 * are copied into or out of multisampled textures. */
static bool host_fits(const struct ag_texture *to, const struct ag_texture *from)
{
    if (to->blocks && !from->blocks)
        return false;
    if (to->host_dxgi == from->host_dxgi || to->format->srgb_counterpart == from->host_dxgi)
        return true;
    return to->sample_count == 1 && ag_texture_can_recode(to->format) && ag_texture_can_recode(from->format);
}

enum agpu_status ag_copy_check_formats(struct ag_copier *copier, const struct ag_texture *to,
                                       const struct ag_texture *from)
{
    if (!formats_fit(to, from))
        return ag_host_drop(copier->host, AGPU_DIAG_EXEC_FORMAT,
                            "a copy from %s to %s converts nothing and is refused",
                            ag_host_format(from->dxgi)->name, ag_host_format(to->dxgi)->name);
    if (to->sample_count != from->sample_count)
        return ag_host_drop(copier->host, AGPU_DIAG_EXEC_ARGUMENT,
                            "a copy does not change the number of samples");
    if (!host_fits(to, from))
        return ag_host_drop_refused(copier->host, AGPU_DIAG_EXEC_UNSUPPORTED,
                                    "a copy from %s to %s is not supported", ag_host_format(from->dxgi)->name,
                                    ag_host_format(to->dxgi)->name);
    return AGPU_OK;
}
