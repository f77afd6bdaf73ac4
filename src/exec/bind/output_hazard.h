/* SPDX-License-Identifier: MIT
 *
 * Resources that are bound as an output while they are bound as another one, or as an input: the older
 * binding ends (D3D11.3 5.3.9.4). Textures count by subresource, unordered access views of buffers
 * by bytes. Packet handlers call these functions before they fill the slots of the new binding.
 */
#ifndef AG_EXEC_BIND_OUTPUT_HAZARD_H
#define AG_EXEC_BIND_OUTPUT_HAZARD_H

#include <stdbool.h>

struct ag_buffer;
struct ag_context;
struct ag_texture_view;
struct ag_view;

/* The view becomes a render target or depth target. */
void ag_context_becomes_target(struct ag_context *context, const struct ag_texture_view *view);

/* The view becomes an unordered access view. */
void ag_context_becomes_uav(struct ag_context *context, const struct ag_view *view);

/* The buffer becomes a stream-output target. */
void ag_context_becomes_stream_output(struct ag_context *context, const struct ag_buffer *buffer);

/* Whether two unordered access views have a subresource or a byte in common. */
bool ag_uav_views_overlap(const struct ag_view *a, const struct ag_view *b);

/* Whether two views that are bound as targets have a subresource in common. */
bool ag_targets_overlap(const struct ag_texture_view *a, const struct ag_texture_view *b);

#endif
