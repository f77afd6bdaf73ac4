/* SPDX-License-Identifier: MIT
 *
 * A capture as a scene, which can be run packet by packet: it has what the guest submitted, and the guest
 * memory that the executor read for that.
 */
#ifndef AG_REPLAY_CAPTURED_SCENE_H
#define AG_REPLAY_CAPTURED_SCENE_H

#include "scene/scene.h"

struct ag_capture;

/* Makes a scene of the submissions that were executed, and of those that were not when the capture ends.
 * Times, vblanks, scanouts and fences of the guest are not part of it, nor is anything expected. The capture
 * is not needed afterwards. AGPU_REFUSED: capture.limit (more guest memory than scenes have) or capture.chunk
 * (a stream is not in the capture) at the offset of the chunk; or AGPU_NO_MEMORY. *scene is then null. */
enum agpu_status ag_captured_scene_create(const struct ag_capture *capture, const char *path,
                                          const struct agpu_diag_sink *sink, struct ag_scene **scene);

#endif
