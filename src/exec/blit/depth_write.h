/* SPDX-License-Identifier: MIT
 *
 * Guest bytes into depth textures. WebGPU copies nothing into floats of depth and stencil by whole mips only,
 * so that these are draws: one for depth and one for each bit that any stencil value has.
 */
#ifndef AG_EXEC_BLIT_DEPTH_WRITE_H
#define AG_EXEC_BLIT_DEPTH_WRITE_H

#include <stdbool.h>
#include <stdint.h>

struct ag_blitter;
struct ag_depth_writer;
struct ag_texture;
struct ag_unit_rect;

/* A rectangle of texels from rows of guest bytes. Depth beyond [0, 1] is clamped. False when memory is
 * exhausted (reported). */
bool ag_depth_write(struct ag_blitter *blitter, struct ag_texture *texture, const struct ag_unit_rect *rect,
                    const uint8_t *guest, uint64_t pitch);
void ag_depth_writer_fini(struct ag_depth_writer *writer);

#endif
