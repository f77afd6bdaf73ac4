/* SPDX-License-Identifier: MIT
 *
 * Block-compressed textures in compute passes on SwiftShader, which decodes blocks when a draw has the
 * texture bound and never for a dispatch: a shader in a compute pass would read zeros.
 */
#ifndef AG_EXEC_BLIT_DECODED_BLOCKS_H
#define AG_EXEC_BLIT_DECODED_BLOCKS_H

#include <stdbool.h>

struct ag_blitter;
struct ag_texture_view;

/* Called for a view, which is up to date, that a compute pass will read: records a draw with the texture,
 * where the driver needs one and the contents are newer than the last such draw. An open render pass is
 * ended. False when memory is exhausted (reported). */
bool ag_view_decode_blocks(struct ag_blitter *blitter, const struct ag_texture_view *view);

#endif
