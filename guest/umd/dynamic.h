/* SPDX-License-Identifier: MIT
 *
 * Dynamic buffers. Direct3D does not say which bytes a program has written while a buffer was mapped. Of
 * vertex and index buffers it says which bytes a draw reads: only these go to the host, when the draw does.
 * Until all bytes have gone, the buffer is pending. Where nothing says what is read, all bytes go that are
 * not the host's already.
 */
#ifndef GUEST_UMD_DYNAMIC_H
#define GUEST_UMD_DYNAMIC_H

#include "guest/umd/context.h"

/* After Unmap: of a new block (DISCARD), or of the same one. */
void umd_buffer_was_discarded(struct umd_context *context, struct umd_resource *buffer);
void umd_buffer_was_written(struct umd_context *context, struct umd_resource *buffer);

/* The host gets all bytes of a buffer that is pending, or of all such buffers. */
void umd_settle(struct umd_context *context, struct umd_resource *resource);
void umd_settle_all(struct umd_context *context);
void umd_forget_pending(struct umd_context *context, struct umd_resource *buffer);

/* What draws are about to read: nothing to do without pending slots. */
void umd_upload_vertices(struct umd_context *context, uint32_t vertex_count, uint32_t instance_count,
                         uint32_t first_vertex, uint32_t first_instance);
void umd_upload_indexed_vertices(struct umd_context *context, uint32_t index_count, uint32_t instance_count,
                                 uint32_t first_index, int32_t base_vertex, uint32_t first_instance);
void umd_settle_slots(struct umd_context *context); /* of draws whose arguments only the GPU knows */

/* After a set: which of the slots hold a pending buffer. */
void umd_note_vertex_slots(struct umd_context *context, uint32_t start, uint32_t count);
void umd_note_index_buffer(struct umd_context *context);

#endif
