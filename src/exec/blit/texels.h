/* SPDX-License-Identifier: MIT
 *
 * Texels of unordered access views. WebGPU has storage textures of few formats and no typed buffers. A view
 * that needs it has a buffer with its texels as four words each: the texels are loaded into that buffer
 * before a draw or dispatch and, when the shader writes, stored back afterwards. bind/uav.h binds the buffer;
 * clears of views use the kernel, too.
 */
#ifndef AG_EXEC_BLIT_TEXELS_H
#define AG_EXEC_BLIT_TEXELS_H

#include <stdbool.h>
#include <stdint.h>

#include "exec/host/outcome.h"
#include "gpu/webgpu.h"

struct ag_bind_item;
struct ag_blitter;
struct ag_host_format;
struct ag_scissor;
struct ag_view;

/* Whether the kernel can load and store texels of the format. */
bool ag_texels_can(const struct ag_host_format *format);

/* Whether the view needs the buffer of texels: a view of a texture, or a typed view of a buffer in a
 * format other than four 32-bit components. */
bool ag_texels_needed(const struct ag_view *view);

/* Width, height and slices of the view; a raw or structured view of a buffer has words as its texels. */
WGPUExtent3D ag_texels_extent(const struct ag_view *view);

/* Makes the buffer of texels on the first call and describes it in *item. Its texels lie row after row and
 * slice after slice. `narrow`, for formats of one 32-bit component: texels have one word and not four.
 * AG_SKIPPED: the buffer would be too large. */
enum ag_outcome ag_texels_bind(struct ag_blitter *blitter, struct ag_view *view, bool narrow,
                               struct ag_bind_item *item);

/* Record that texels are loaded from the view, which is up to date, into the buffer, or stored from the
 * buffer into the view. ag_texels_bind() was called before, and with the same `narrow`. An open render pass
 * is ended. Storing: false when memory is exhausted or the view is too large (reported). */
enum ag_outcome ag_texels_load(struct ag_blitter *blitter, struct ag_view *view, bool narrow);
bool ag_texels_store(struct ag_blitter *blitter, struct ag_view *view, bool narrow);

/* The value of a clear. */
struct ag_texel_fill {
    uint32_t values[4]; /* components as a shader would store them, or bits */
    bool bits;          /* each component is the lowest bits of its value, without conversion */
};

/* Records that every texel of the window is set, in all slices of a view, which may be a raw or structured
 * view. An open render pass is ended. False when memory is exhausted or the view is too large (reported). */
bool ag_texels_fill(struct ag_blitter *blitter, struct ag_view *view, const struct ag_texel_fill *fill,
                    const struct ag_scissor *window);

#endif
