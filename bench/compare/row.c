/* SPDX-License-Identifier: MIT */
#include "bench/compare/row.h"

#include <stdlib.h>

bool row_show_textures(struct rig *rig, uint32_t stream, WGPUTexture raw, uint32_t width, uint32_t height,
                       struct row_pictures *pictures)
{
    pictures->bytes = (size_t)width * height * 4;
    pictures->stream = rig_show(rig, stream, pictures->bytes);
    pictures->raw = malloc(pictures->bytes);
    return pictures->stream != NULL && pictures->raw != NULL &&
           raw_read(rig, raw, width, height, pictures->raw);
}
