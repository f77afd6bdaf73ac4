/* SPDX-License-Identifier: MIT
 *
 * Captures, played on a device of ours and compared with what they recorded.
 */
#ifndef AG_REPLAY_REPLAY_H
#define AG_REPLAY_REPLAY_H

#include "scene/scene.h"

struct ag_capture;

/* Plays a capture once, as ag_scene_run() runs a scene, with the same options and the same kind of report.
 * Its checks are `present` and `fence`, one for each that was recorded, and `writeback`, one for each
 * submission that wrote back; they pass when they are the same, or near enough for another driver
 * (docs/captures.md). What a guest did wrong is a note: that it happens again is part of the `fence` checks.
 * Failed checks are reported with capture.differs. */
enum agpu_status ag_replay_run(const struct ag_capture *capture, const struct ag_scene_options *options,
                               const struct agpu_diag_sink *sink, struct ag_scene_report *report);

#endif
