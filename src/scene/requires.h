/* SPDX-License-Identifier: MIT
 *
 * What a scene requires of adapter and device.
 */
#ifndef AG_SCENE_REQUIRES_H
#define AG_SCENE_REQUIRES_H

#include "scene/run.h"

/* The cause for which the scene is skipped, in the report's memory; null when nothing is missing. */
const char *scene_unmet_requirement(struct scene_run *run);

#endif
