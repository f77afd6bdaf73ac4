/* SPDX-License-Identifier: MIT
 *
 * Runs scenes in a browser. The runner waits by sleeping, for which the page suspends the module.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aerogpu/executor.h"
#include "aerogpu/gpu.h"
#include "base/diag.h"
#include "gpu/feature.h"
#include "scene/scene.h"

#define EXPORT(name) __attribute__((export_name(#name)))
#define LOG_BYTES 65536
#define TIMEOUT_MS 300000

/* One scene after the other; the page has one runner in a module. */
struct runner {
    struct agpu_gpu *gpu;
    struct ag_scene_report report;
    bool has_report;
    char log[LOG_BYTES];
    size_t log_length;
};

static void append(struct runner *runner, const char *slug, const char *message)
{
    const size_t room = sizeof runner->log - runner->log_length;
    const int length = snprintf(runner->log + runner->log_length, room, "%s: %s\n", slug, message);
    if (length > 0 && (size_t)length < room)
        runner->log_length += (size_t)length;
    runner->log[runner->log_length] = '\0';
}

static void note(void *user, const struct agpu_diag *diag)
{
    if (diag->severity == AGPU_ERROR || diag->severity == AGPU_WARNING)
        append(user, agpu_diag_slug(diag->code), diag->message);
}

/* ---- The device that the page asks for ---------------------------------------------------------------- */

/* The features of devices with the limits of browsers, with blanks between. */
EXPORT(runner_features) const char *runner_features(void)
{
    static char text[2048];
    const char *names[AG_GPU_FEATURE_COUNT];
    const uint32_t count = ag_feature_set_spellings(ag_limits_features(AGPU_LIMITS_BROWSER), names);
    text[0] = '\0';
    for (uint32_t i = 0; i < count && strlen(text) + strlen(names[i]) + 2 < sizeof text; i++)
        strcat(strcat(text, names[i]), " ");
    return text;
}

EXPORT(runner_lower_limits) void runner_lower_limits(WGPULimits *limits)
{
    ag_limits_lower(AGPU_LIMITS_BROWSER, limits);
}

/* ---- Scenes ------------------------------------------------------------------------------------------- */

EXPORT(runner_create) struct runner *runner_create(void *instance, void *device)
{
    struct runner *const runner = calloc(1, sizeof *runner);
    if (runner == NULL)
        return NULL;
    const struct agpu_gpu_options options = {.size = sizeof options, .instance = instance, .device = device};
    const struct agpu_diag_sink sink = {note, runner};
    if (agpu_gpu_create(&options, &sink, &runner->gpu) == AGPU_OK)
        return runner;
    free(runner);
    return NULL;
}

static void forget_report(struct runner *runner)
{
    if (runner->has_report)
        ag_scene_report_fini(&runner->report);
    runner->has_report = false;
    runner->log_length = 0;
    runner->log[0] = '\0';
}

EXPORT(runner_destroy) void runner_destroy(struct runner *runner)
{
    forget_report(runner);
    agpu_gpu_destroy(runner->gpu);
    free(runner);
}

static void run(struct runner *runner, const struct ag_scene *scene, const struct agpu_diag_sink *sink)
{
    struct agpu_executor *executor;
    struct agpu_executor_options options = {.size = sizeof options};
    options.without = ag_scene_without(scene, &options.without_count);
    if (agpu_webgpu_executor_create(runner->gpu, &options, sink, &executor) != AGPU_OK)
        return;
    struct agpu_adapter_info adapter = {.size = sizeof adapter};
    agpu_gpu_info(runner->gpu, &adapter);
    const struct ag_scene_options run_options = {
        .executor = executor, .adapter = &adapter, .timeout_ms = TIMEOUT_MS, .strict = true};
    ag_scene_run(scene, &run_options, sink, &runner->report);
    runner->has_report = true;
    agpu_executor_destroy(executor);
}

/* "passed", "failed" or "skipped", or "not loaded". */
EXPORT(runner_run)
const char *runner_run(struct runner *runner, const char *path, const void *data, size_t size)
{
    struct ag_scene *scene;
    const struct agpu_diag_sink sink = {note, runner};
    forget_report(runner);
    if (ag_scene_load(path, data, size, 0, &sink, &scene) != AGPU_OK)
        return "not loaded";
    run(runner, scene, &sink);
    ag_scene_destroy(scene);
    if (!runner->has_report)
        return "failed";
    if (runner->report.skip_reason != NULL)
        append(runner, "skipped", runner->report.skip_reason);
    return ag_scene_result_name(runner->report.result);
}

EXPORT(runner_log) const char *runner_log(const struct runner *runner)
{
    return runner->log;
}

EXPORT(runner_presents) uint32_t runner_presents(const struct runner *runner)
{
    return runner->has_report ? (uint32_t)runner->report.presents.count : 0;
}

EXPORT(runner_hash) uint64_t runner_hash(const struct runner *runner, uint32_t present)
{
    return runner->report.presents.data[present].hash;
}

EXPORT(runner_width) uint32_t runner_width(const struct runner *runner, uint32_t present)
{
    return runner->report.presents.data[present].width;
}

EXPORT(runner_height) uint32_t runner_height(const struct runner *runner, uint32_t present)
{
    return runner->report.presents.data[present].height;
}

EXPORT(runner_pixels) const uint8_t *runner_pixels(const struct runner *runner, uint32_t present)
{
    return runner->report.presents.data[present].pixels;
}
