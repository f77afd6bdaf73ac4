/* SPDX-License-Identifier: MIT
 *
 * What a persistent cache saves: scenes on a new device and an empty cache, and on a new device and the cache
 * of that run, in turn. Medians of the time that translation, modules and pipelines take, and of the whole
 * run. The driver's own cache on disk is off.
 *
 *     bench_warm DRIVER FILE...
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "aerogpu/cache.h"
#include "aerogpu/executor.h"
#include "cli/driver.h"
#include "cli/input.h"
#include "scene/scene.h"

#define ROUNDS 7

struct figures {
    double translate_ms[ROUNDS], pipeline_ms[ROUNDS], total_ms[ROUNDS];
    uint64_t translated, compiled; /* in the last round: what the cache did not have */
};

static char folder[4096];

/* A run on a device of its own. */
static bool run(const struct ag_scene *scene, enum agpu_driver driver, struct figures *figures, size_t round)
{
    struct agpu_gpu_options gpu_options = {.size = sizeof gpu_options, .driver = driver};
    struct agpu_executor_options executor_options = {.size = sizeof executor_options};
    struct agpu_cache_statistics statistics = {.size = sizeof statistics};
    struct agpu_gpu *gpu = NULL;
    struct agpu_executor *executor = NULL;
    if (agpu_cache_create_folder(folder, 0, NULL, &gpu_options.cache) != AGPU_OK)
        return false;
    executor_options.cache = gpu_options.cache;
    bool good = agpu_gpu_create(&gpu_options, NULL, &gpu) == AGPU_OK &&
                agpu_webgpu_executor_create(gpu, &executor_options, NULL, &executor) == AGPU_OK;
    if (good) {
        struct agpu_adapter_info adapter = {.size = sizeof adapter};
        struct ag_scene_report report;
        agpu_gpu_info(gpu, &adapter);
        const struct ag_scene_options options = {.executor = executor, .adapter = &adapter};
        good = ag_scene_run(scene, &options, NULL, &report) == AGPU_OK && report.result == AG_SCENE_PASSED;
        figures->translate_ms[round] = (double)report.counters.translate_ns / 1e6;
        figures->pipeline_ms[round] = (double)report.counters.pipeline_ns / 1e6;
        figures->total_ms[round] = report.total_ms;
        figures->translated = report.counters.shaders_translated - report.counters.shaders_cached;
        ag_scene_report_fini(&report);
    }
    agpu_executor_destroy(executor);
    agpu_gpu_destroy(gpu);
    agpu_cache_statistics(gpu_options.cache, &statistics);
    figures->compiled = statistics.blobs.loads - statistics.blobs.hits;
    agpu_cache_destroy(gpu_options.cache);
    return good;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double values[ROUNDS])
{
    qsort(values, ROUNDS, sizeof values[0], by_value);
    return values[ROUNDS / 2];
}

static void print(const char *what, struct figures *figures)
{
    printf("  %s %8.2f ms translating, %8.2f ms for modules and pipelines, %8.1f ms in all; %" PRIu64
           " translations, %" PRIu64 " compilations\n",
           what, median(figures->translate_ms), median(figures->pipeline_ms), median(figures->total_ms),
           figures->translated, figures->compiled);
}

static bool measure(const char *path, enum agpu_driver driver, const struct agpu_diag_sink *sink)
{
    struct agpu_cache_folder_info cleared = {.size = sizeof cleared};
    struct ag_scene *scene = NULL;
    struct figures cold = {0}, warm = {0};
    uint8_t *data = NULL;
    size_t size;
    bool good = cli_read_file(path, sink, &data, &size) &&
                ag_scene_load(path, data, size, 0, sink, &scene) == AGPU_OK;
    for (size_t round = 0; good && round < ROUNDS; round++)
        good = agpu_cache_folder_clear(folder, sink, &cleared) == AGPU_OK &&
               run(scene, driver, &cold, round) && run(scene, driver, &warm, round);
    ag_scene_destroy(scene);
    free(data);
    if (!good) {
        printf("%s does not pass\n", path);
        return false;
    }
    printf("%s\n", path);
    print("cold", &cold);
    print("warm", &warm);
    return true;
}

int main(int argc, char **argv)
{
    struct agpu_cache_folder_info cleared = {.size = sizeof cleared};
    enum agpu_driver driver;
    struct cli_diags diags;
    if (argc < 3 || !agpu_driver_from_name(argv[1], &driver)) {
        fputs("usage: bench_warm DRIVER FILE...\n", stderr);
        return CLI_EXIT_USAGE;
    }
    const char *const parent = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/aerogpu-bench-XXXXXX", parent != NULL ? parent : P_tmpdir);
    if (mkdtemp(folder) == NULL)
        return CLI_EXIT_UNWRITABLE;
    setenv("MESA_SHADER_CACHE_DISABLE", "true", 1);
    cli_driver_select(driver);
    cli_diags_init(&diags, NULL);
    const struct agpu_diag_sink sink = cli_diags_sink(&diags);
    bool good = true;
    for (int i = 2; i < argc; i++)
        good = measure(argv[i], driver, &sink) && good;
    agpu_cache_folder_clear(folder, &sink, &cleared);
    rmdir(folder);
    cli_diags_fini(&diags);
    return good ? CLI_EXIT_GOOD : CLI_EXIT_REFUSED;
}
