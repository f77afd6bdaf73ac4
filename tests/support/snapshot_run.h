/* SPDX-License-Identifier: MIT
 *
 * Runs of scenes whose device is saved and goes on elsewhere, and what compares their pictures.
 */
#ifndef AG_TESTS_SNAPSHOT_RUN_H
#define AG_TESTS_SNAPSHOT_RUN_H

#include "aerogpu/executor.h"
#include "scene/scene.h"
#include "snapshot_bytes.h"

struct snapshot_run {
    /* Makes the executor of the beginning (0), and the one after each snapshot (1, 2, ...). */
    struct agpu_executor *(*open)(struct snapshot_run *run, uint32_t renewal);
    uint32_t slice_us; /* of executors that open() makes */
    /* snapshot_first, snapshot_ahead, snapshot_period and snapshot_polls of scene/scene.h; period 0: none */
    uint32_t first, ahead, period, polls;
    struct snapshot_bytes last; /* snapshot; the run's until snapshot_run_fini() */

    struct agpu_executor *executor;
    uint32_t renewals;
};

/* Runs a scene, which has to pass. The report is the caller's, and filled again for each run. */
void snapshot_run_play(struct snapshot_run *run, const struct ag_scene *scene,
                       const struct agpu_adapter_info *adapter, struct ag_scene_report *report);
void snapshot_run_fini(struct snapshot_run *run);

/* Whether all pictures are the same. */
bool snapshot_run_is_same(const struct ag_scene_report *a, const struct ag_scene_report *b);
/* Whether pictures of two drivers are: few pixels differ by much. */
bool snapshot_run_is_close(const struct ag_scene_report *a, const struct ag_scene_report *b);

/* Scenes of a command line. */
#define SNAPSHOT_RUN_SCENES 16
struct snapshot_scenes {
    struct ag_scene *scenes[SNAPSHOT_RUN_SCENES];
    uint32_t count;
};
bool snapshot_scenes_load(struct snapshot_scenes *scenes, char **paths, int count);
void snapshot_scenes_fini(struct snapshot_scenes *scenes);

#endif
