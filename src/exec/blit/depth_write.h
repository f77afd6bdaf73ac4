/* SPDX-License-Identifier: MIT
 *
 * Writes of the guest's bytes, and of texels of other textures, into depth textures. WebGPU has no copies
 * into float depth, and copies stencil in whole mips only, so that draws write both: one draw for depth, and
 * one for each bit of stencil that is set somewhere.
 */
#ifndef AG_EXEC_BLIT_DEPTH_WRITE_H
#define AG_EXEC_BLIT_DEPTH_WRITE_H

#include <stdbool.h>
#include <stdint.h>

struct ag_blitter;
struct ag_depth_writer;
struct ag_texel_rect;
struct ag_texture;
struct ag_unit_rect;

/* Records draws that write a rectangle of texels. `guest` has rows of the guest's bytes, `pitch` bytes
 * apart. Depth is clamped to [0, 1]. An open render pass is ended; nothing is submitted. False when memory
 * is exhausted (reported). */
bool ag_depth_write(struct ag_blitter *blitter, struct ag_texture *texture, const struct ag_unit_rect *rect,
                    const uint8_t *guest, uint64_t pitch);

/* The same for rows of floats, and of bytes of stencil (null: there is none), without padding. */
bool ag_depth_write_planes(struct ag_blitter *blitter, struct ag_texture *texture,
                           const struct ag_unit_rect *rect, const uint8_t *depth, const uint8_t *stencil);

/* Records draws that copy a whole subresource of 32 bits a texel, whose bits are floats, into one of float
 * depth, clamped to [0, 1]. Both begin at 0, 0, have one size and are up to date. An open render pass is
 * ended. False when memory is exhausted (reported). */
bool ag_depth_copy(struct ag_blitter *blitter, const struct ag_texel_rect *to,
                   const struct ag_texel_rect *from);

/* Releases the shader module, layout and pipelines. */
void ag_depth_writer_fini(struct ag_depth_writer *writer);

#endif
