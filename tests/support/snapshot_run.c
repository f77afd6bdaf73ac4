/* SPDX-License-Identifier: MIT */
#include "snapshot_run.h"

#include <stdlib.h>

#include "corpus.h"
#include "test.h"

#define CLOSE 8            /* of 255 */
#define MOST_OUTLIERS 0.02 /* pixels whose drivers disagree by more: edges of triangles */

static struct agpu_executor *renew(void *user)
{
    struct snapshot_run *run = user;
    agpu_executor_destroy(run->executor);
    run->executor = run->open(run, run->renewals++);
    return run->executor;
}

static void saved(void *user, const uint8_t *snapshot, size_t size)
{
    struct snapshot_run *run = user;
    run->last.size = 0;
    snapshot_bytes_write(&run->last, snapshot, size);
}

void snapshot_run_play(struct snapshot_run *run, const struct ag_scene *scene,
                       const struct agpu_adapter_info *adapter, struct ag_scene_report *report)
{
    run->renewals = 0;
    const struct ag_scene_options options = {
        .executor = renew(run),
        .adapter = adapter,
        .timeout_ms = UINT32_MAX,
        .snapshot_period = run->period,
        .snapshot_first = run->first,
        .snapshot_ahead = run->ahead,
        .snapshot_polls = run->polls,
        .renew = renew,
        .saved = saved,
        .user = run,
    };
    assert_non_null(options.executor);
    ag_scene_run(scene, &options, NULL, report);
    agpu_executor_destroy(run->executor);
    run->executor = NULL;
    assert_int_equal(report->result, AG_SCENE_PASSED);
}

void snapshot_run_fini(struct snapshot_run *run)
{
    free(run->last.data);
    run->last = (struct snapshot_bytes){0};
}

/* ---- Pictures ------------------------------------------------------------------------------------------ */

static double outliers(const struct ag_scene_present *a, const struct ag_scene_present *b)
{
    const size_t pixels = (size_t)a->width * a->height;
    size_t count = 0;
    for (size_t i = 0; i < pixels; i++) {
        bool differs = false;
        for (size_t c = 4 * i; c < 4 * i + 4; c++)
            differs |= abs(a->pixels[c] - b->pixels[c]) > CLOSE;
        count += differs;
    }
    return (double)count / (double)pixels;
}

bool snapshot_run_is_same(const struct ag_scene_report *a, const struct ag_scene_report *b)
{
    bool is_same = a->presents.count == b->presents.count;
    for (size_t i = 0; is_same && i < a->presents.count; i++)
        is_same = a->presents.data[i].hash == b->presents.data[i].hash;
    return is_same;
}

bool snapshot_run_is_close(const struct ag_scene_report *a, const struct ag_scene_report *b)
{
    bool is_close = a->presents.count == b->presents.count;
    for (size_t i = 0; is_close && i < a->presents.count; i++) {
        const struct ag_scene_present *x = &a->presents.data[i], *y = &b->presents.data[i];
        is_close = x->width == y->width && x->height == y->height && outliers(x, y) < MOST_OUTLIERS;
    }
    return is_close;
}

/* ---- Scenes -------------------------------------------------------------------------------------------- */

bool snapshot_scenes_load(struct snapshot_scenes *scenes, char **paths, int count)
{
    for (int i = 0; i < count; i++) {
        size_t size;
        uint8_t *data = ag_corpus_read_file(paths[i], &size);
        const bool loaded = data && scenes->count < SNAPSHOT_RUN_SCENES &&
                            ag_scene_load(paths[i], data, size, AG_SCENE_LOAD_DEFAULT, NULL,
                                          &scenes->scenes[scenes->count]) == AGPU_OK;
        free(data);
        if (!loaded)
            return false;
        scenes->count++;
    }
    return true;
}

void snapshot_scenes_fini(struct snapshot_scenes *scenes)
{
    for (uint32_t i = 0; i < scenes->count; i++)
        ag_scene_destroy(scenes->scenes[i]);
    scenes->count = 0;
}
