/* SPDX-License-Identifier: MIT
 *
 * Makes seeds for the target `snapshot` of scenes: the last snapshot of each, on a device without a driver.
 *
 *     snapshot_seeds OUT FOLDER...
 *
 * Snapshots that are larger than a seed may be are left out.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../support/corpus.h"
#include "../unit/gpu/fixture.h"
#include "aerogpu/executor.h"
#include "scene/scene.h"

#define MOST_BYTES 49152u

struct seed {
    struct agpu_gpu *gpu;
    struct agpu_executor *executor;
    uint8_t bytes[MOST_BYTES];
    size_t size; /* 0: none */
};

static struct seed seed;

static struct agpu_executor *renew(void *user)
{
    (void)user;
    agpu_executor_destroy(seed.executor);
    seed.executor = NULL;
    agpu_webgpu_executor_create(seed.gpu, NULL, NULL, &seed.executor);
    return seed.executor;
}

static void saved(void *user, const uint8_t *snapshot, size_t size)
{
    (void)user;
    if (size > sizeof seed.bytes)
        return;
    memcpy(seed.bytes, snapshot, size);
    seed.size = size;
}

/* The scene's checks fail for want of pictures. */
static void record(const struct ag_scene *scene)
{
    seed.size = 0;
    const struct ag_scene_options options = {.executor = renew(NULL),
                                             .timeout_ms = 5000,
                                             .max_presents = 1,
                                             .snapshot_period = 1,
                                             .renew = renew,
                                             .saved = saved};
    struct ag_scene_report report;
    if (seed.executor)
        ag_scene_run(scene, &options, NULL, &report);
    ag_scene_report_fini(&report);
}

static bool make_seed(void *user, const struct ag_corpus_file *file)
{
    char path[1024];
    const char *const slash = strrchr(file->path, '/');
    struct ag_scene *scene = NULL;
    if (ag_scene_load(file->path, file->data, file->size, AG_SCENE_LOAD_DEFAULT, NULL, &scene) != AGPU_OK)
        return true;
    record(scene);
    ag_scene_destroy(scene);
    snprintf(path, sizeof path, "%s/%s", (const char *)user, slash ? slash + 1 : file->path);
    FILE *const out = seed.size ? fopen(path, "wb") : NULL;
    if (!out)
        return seed.size == 0;
    const bool written = fwrite(seed.bytes, 1, seed.size, out) == seed.size;
    return fclose(out) == 0 && written;
}

int main(int argc, char **argv)
{
    struct diag_log log;
    diag_log_init(&log);
    bool good = argc > 2 && fixture_open(AGPU_DRIVER_NULL, &log, &seed.gpu) == 0;
    for (int i = 2; good && i < argc; i++)
        good = ag_corpus_walk(argv[i], ".scene", make_seed, argv[1]) >= 0;
    agpu_executor_destroy(seed.executor);
    agpu_gpu_destroy(seed.gpu);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
