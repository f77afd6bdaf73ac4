/* SPDX-License-Identifier: MIT
 *
 * What persistent caches save: scenes in a new process with empty folders, and in another one with what the
 * first has left there, in turn. Medians of the time for translation, for modules and pipelines together
 * (several may be made at a time), and of the whole run. Mesa's cache of the driver is in a folder of its
 * own, too.
 *
 *     bench_warm DRIVER FILE...
 */
#include <ftw.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "aerogpu/cache.h"
#include "aerogpu/executor.h"
#include "cli/driver.h"
#include "cli/input.h"
#include "scene/scene.h"

#define ROUNDS 7

/* Of one run. */
struct figures {
    double translate_ms, pipeline_ms, total_ms;
    uint64_t translated, compiled; /* what the cache did not have */
};

static char folder[4096]; /* of this program */

/* A run on a device of its own. */
static bool run(const struct ag_scene *scene, enum agpu_driver driver, const char *cache_folder,
                struct figures *figures)
{
    struct agpu_gpu_options gpu_options = {.size = sizeof gpu_options, .driver = driver};
    struct agpu_executor_options executor_options = {.size = sizeof executor_options};
    struct agpu_cache_statistics statistics = {.size = sizeof statistics};
    struct agpu_gpu *gpu = NULL;
    struct agpu_executor *executor = NULL;
    if (agpu_cache_create_folder(cache_folder, 0, NULL, &gpu_options.cache) != AGPU_OK)
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
        figures->translate_ms = (double)report.counters.translate_ns / 1e6;
        figures->pipeline_ms = (double)report.counters.pipeline_ns / 1e6;
        figures->total_ms = report.total_ms;
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

/* The same in a process of its own. */
static bool run_apart(const struct ag_scene *scene, enum agpu_driver driver, const char *round_folder,
                      struct figures *figures)
{
    int ends[2], status = 1;
    if (pipe(ends) != 0)
        return false;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        char path[sizeof folder + 64];
        snprintf(path, sizeof path, "%s/driver", round_folder);
        setenv("MESA_SHADER_CACHE_DIR", path, 1);
        snprintf(path, sizeof path, "%s/cache", round_folder);
        const bool good = run(scene, driver, path, figures);
        _exit(good && write(ends[1], figures, sizeof *figures) == (ssize_t)sizeof *figures ? 0 : 1);
    }
    close(ends[1]);
    const bool is_read = child > 0 && read(ends[0], figures, sizeof *figures) == (ssize_t)sizeof *figures;
    close(ends[0]);
    return child > 0 && waitpid(child, &status, 0) == child && status == 0 && is_read;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *place)
{
    (void)status;
    (void)type;
    (void)place;
    return remove(path);
}

static void remove_all(const char *path)
{
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(const struct figures figures[ROUNDS], size_t member)
{
    double values[ROUNDS];
    for (size_t i = 0; i < ROUNDS; i++)
        memcpy(&values[i], (const char *)&figures[i] + member, sizeof values[i]);
    qsort(values, ROUNDS, sizeof values[0], by_value);
    return values[ROUNDS / 2];
}

static void print(const char *what, const struct figures figures[ROUNDS])
{
    printf("  %s %8.2f ms translating, %8.2f ms for modules and pipelines, %8.1f ms in all; %" PRIu64
           " translations, %" PRIu64 " compilations\n",
           what, median(figures, offsetof(struct figures, translate_ms)),
           median(figures, offsetof(struct figures, pipeline_ms)),
           median(figures, offsetof(struct figures, total_ms)), figures[ROUNDS - 1].translated,
           figures[ROUNDS - 1].compiled);
}

static bool measure(const char *path, enum agpu_driver driver, const struct agpu_diag_sink *sink)
{
    struct ag_scene *scene = NULL;
    struct figures cold[ROUNDS], warm[ROUNDS];
    char round_folder[sizeof folder + 16];
    uint8_t *data = NULL;
    size_t size;
    bool good = cli_read_file(path, sink, &data, &size) &&
                ag_scene_load(path, data, size, 0, sink, &scene) == AGPU_OK;
    snprintf(round_folder, sizeof round_folder, "%s/round", folder);
    for (size_t round = 0; good && round < ROUNDS; round++) {
        good = run_apart(scene, driver, round_folder, &cold[round]) &&
               run_apart(scene, driver, round_folder, &warm[round]);
        remove_all(round_folder);
    }
    ag_scene_destroy(scene);
    free(data);
    if (!good) {
        printf("%s does not pass\n", path);
        return false;
    }
    printf("%s\n", path);
    print("cold", cold);
    print("warm", warm);
    return true;
}

int main(int argc, char **argv)
{
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
    cli_driver_select(driver);
    cli_diags_init(&diags, NULL);
    const struct agpu_diag_sink sink = cli_diags_sink(&diags);
    bool good = true;
    for (int i = 2; i < argc; i++)
        good = measure(argv[i], driver, &sink) && good;
    remove_all(folder);
    cli_diags_fini(&diags);
    return good ? CLI_EXIT_GOOD : CLI_EXIT_REFUSED;
}
