/* SPDX-License-Identifier: MIT
 *
 * Subresources for whose bytes the heap has no room: the program maps private memory, whose bytes travel in
 * parts.
 */
#ifndef GUEST_UMD_SPILL_H
#define GUEST_UMD_SPILL_H

#include "guest/umd/context.h"

/* What the program has mapped or may map again; null: nothing yet. */
static inline uint8_t *umd_subresource_bytes(const struct umd_subresource *subresource)
{
    return subresource->block.bytes != NULL ? subresource->block.bytes : subresource->memory;
}

/* Private memory of zeros, if there is none yet. */
enum umd_status umd_spill(struct umd_device *device, struct umd_subresource *subresource);
void umd_unspill(struct umd_device *device, struct umd_subresource *subresource);

/* Reads what the host has, waiting for each part. */
enum umd_status umd_read_spilled(struct umd_context *context, struct umd_subresource *subresource);

/* The bytes go to the host, copied. `flags` is enum aerogpu_ext_update_flags. */
void umd_upload_spilled(struct umd_context *context, const struct umd_subresource *subresource,
                        uint32_t flags);

#endif
