/* SPDX-License-Identifier: MIT
 *
 * The requirements of a scene: features, limits, the extension, drivers.
 */
#ifndef AG_SCENE_REQUIRES_H
#define AG_SCENE_REQUIRES_H

#include "scene/run.h"

/* Returns why the scene must be skipped, in the memory of the report, or null when every requirement is met.
 */
const char *scene_unmet_requirement(struct scene_run *run);

#endif
