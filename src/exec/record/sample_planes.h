/* SPDX-License-Identifier: MIT
 *
 * Colour targets whose samples are in planes (struct ag_sample_planes): where their attachments are, and what
 * clears them.
 */
#ifndef AG_EXEC_RECORD_SAMPLE_PLANES_H
#define AG_EXEC_RECORD_SAMPLE_PLANES_H

#include <stdint.h>

#include "aerogpu/translate.h"
#include "gpu/webgpu.h"

struct ag_attachments;
struct ag_texture_view;

/* Returns how many colour attachments a pass with these targets has, and finds the first attachment of each
 * target: the target's number, or, where some target has planes, the next one that is free. */
uint32_t ag_attachments_locate(const struct ag_attachments *attachments,
                               uint8_t first[AGPU_MAX_RENDER_TARGETS]);

/* The clear value of a plane of the view, whose own clear value is `color`. Without planes it is the same. */
WGPUColor ag_plane_color(const struct ag_texture_view *view, const WGPUColor *color, uint32_t plane);

#endif
