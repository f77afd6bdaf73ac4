/* SPDX-License-Identifier: MIT
 *
 * Copies between resources, with or without a write-back into guest memory (spec: ABI 8.5-8.7), and presents.
 */
#ifndef AG_EXEC_COPY_H
#define AG_EXEC_COPY_H

#include "aerogpu/abi/cmd.h"
#include "aerogpu/diag.h"

struct ag_buffer;
struct ag_exec;
struct ag_resource;
struct ag_texture;

/* Not AGPU_OK (reported) stops the stream; nothing was recorded then. */
enum agpu_status ag_copy_buffer(struct ag_exec *exec, const struct aerogpu_cmd_copy_buffer *copy);
enum agpu_status ag_copy_texture(struct ag_exec *exec, const struct aerogpu_cmd_copy_texture2d *copy);

/* One side of a copy between textures: where a rectangle begins, in texels. */
struct ag_copy_side {
    struct ag_texture *texture;
    uint32_t mip, slice, x, y;
};

/* A rectangle that was checked, in texels of the source, between textures that are in use. The bytes of a
 * texel or block are as many on both sides; the host can make those of one side from those of the other. */
enum agpu_status ag_copy_rect(struct ag_exec *exec, const struct ag_copy_side *destination,
                              const struct ag_copy_side *source, uint32_t width, uint32_t height);
/* Stores a rectangle, or bytes, of what is in use in guest memory, before the submission's fence. */
enum agpu_status ag_copy_read_rect(struct ag_exec *exec, const struct ag_copy_side *side, uint32_t width,
                                   uint32_t height, uint64_t gpa, uint64_t pitch);
enum agpu_status ag_copy_read_buffer(struct ag_exec *exec, const struct ag_buffer *buffer, uint64_t offset,
                                     uint64_t size, uint64_t gpa);

/* The flags of a copy, and where a write-back goes: bytes of the destination, or a rectangle. */
enum agpu_status ag_copy_check_flags(struct ag_exec *exec, uint32_t flags);
enum agpu_status ag_copy_check_write_back(struct ag_exec *exec, const struct ag_resource *destination,
                                          uint64_t offset, uint64_t size, uint64_t *gpa);
enum agpu_status ag_copy_check_rect(struct ag_exec *exec, const struct ag_copy_side *side, uint32_t width,
                                    uint32_t height, uint64_t *gpa);

/* Hands the first colour target to the display once its pixels are there. */
enum agpu_status ag_present(struct ag_exec *exec, uint32_t scanout_id, uint32_t flags);

#endif
