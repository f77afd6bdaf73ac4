/* SPDX-License-Identifier: MIT */
#include "exec/snapshot/contents.h"

#include "base/bytes.h"
#include "exec/blit/sample_image.h"
#include "exec/object/texture.h"
#include "format/format.h"

static const struct ag_field fields[] = {
    AG_FIELD(struct ag_content, kind, AG_CONTENT_KIND_COUNT - 1),
    AG_FIELD(struct ag_content, handle, UINT32_MAX),
    AG_FIELD(struct ag_content, mip, UINT32_MAX),
    AG_FIELD(struct ag_content, slice, UINT32_MAX),
    AG_FIELD(struct ag_content, image, UINT32_MAX),
    AG_FIELD(struct ag_content, sample, UINT32_MAX),
    AG_FIELD(struct ag_content, row, UINT32_MAX),
    AG_FIELD(struct ag_content, rows, UINT32_MAX),
    AG_FIELD(struct ag_content, offset, UINT64_MAX),
    AG_FIELD(struct ag_content, size, AG_ARCHIVE_SECTION_BYTES),
};

void ag_content_archive(struct ag_archive *archive, struct ag_content *content)
{
    ag_archive_fields(archive, fields, AG_COUNT_OF(fields), content);
}

struct ag_content_shape ag_content_shape_of(const struct ag_texture *texture,
                                            const struct ag_content *content)
{
    const struct ag_mip_layout *mip = &texture->layout.mips[content->mip];
    const struct ag_host_format *format = texture->format;
    struct ag_content_shape shape = {
        .width = (mip->width + format->block_width - 1) / format->block_width,
        .height = (mip->height + format->block_height - 1) / format->block_height,
        .unit_bytes = format->host_bytes,
    };
    if (content->kind == AG_CONTENT_DEPTH)
        shape.unit_bytes = ag_host_format_has(format, AG_FORMAT_STENCIL) ? 5 : 4;
    if (content->kind == AG_CONTENT_SAMPLES)
        shape.unit_bytes = ag_sample_image_format(texture, content->image)->host_bytes;
    return shape;
}
