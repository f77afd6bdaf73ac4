/* SPDX-License-Identifier: MIT
 *
 * Bytes of the CPU on their way into resources.
 */
#ifndef GUEST_UMD_UPLOAD_H
#define GUEST_UMD_UPLOAD_H

#include "guest/umd/context.h"

/* Where the packets go: a context, or the stream of creations, whose lock is held. */
struct umd_uploader {
    struct umd_device *device;
    struct umd_context *context; /* null: creations */
};

/* Bytes of a subresource with their pitches; without a box of all of it. They are copied, in parts if need
 * be. `flags` is enum aerogpu_ext_update_flags without BOX. */
struct umd_upload {
    struct umd_resource *resource;
    uint32_t subresource;
    const struct aerogpu_ext_box *box;
    const uint8_t *data;
    uint32_t row_pitch, depth_pitch;
    uint32_t flags;
};
enum umd_status umd_upload_bytes(const struct umd_uploader *uploader, const struct umd_upload *upload);

/* Bytes that were mapped, of all of a subresource, with its pitches: copied, whatever the predicate says. */
enum umd_status umd_upload_mapped(struct umd_context *context, const struct umd_subresource *subresource,
                                  const uint8_t *bytes, uint32_t flags);

/* Bytes that lie in the heap, where they stay until the packet is done. */
void umd_upload_block(struct umd_context *context, const struct umd_subresource *subresource, uint32_t flags);
void umd_upload_range(struct umd_context *context, const struct umd_resource *buffer,
                      const struct umd_range *range, uint32_t flags);

#endif
