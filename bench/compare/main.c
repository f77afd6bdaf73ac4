/* SPDX-License-Identifier: MIT
 *
 * Compares frames as streams with the same frames as WebGPU called by hand, frame by frame in turn on one
 * device, and checks that the pictures are the same. A ratio of 1 means that the emulation costs nothing.
 *
 *     compare [--json] [--frames N] [--old FILE] DRIVER [ROW...]
 *     compare --bounds [--only with|without] [--frames N] DRIVER [ROW...]
 *
 * --json prints one object per row, --old shows the ratios of such a file beside today's. --bounds compares
 * the streams in an executor with the default budgets and slices with the same in one without any, in place
 * of WebGPU called by hand; --only runs one of both, for counting instructions.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aerogpu/gpu.h"
#include "base/bytes.h"
#include "bench/compare/row.h"

#define GUEST_BYTES ((size_t)48 << 20)
#define MOST_FRAMES 1000u
#define DEFAULT_FRAMES 20u
#define WARM_FRAMES 3u

struct settings {
    bool json, bounds;
    uint32_t first_rig, rigs_end; /* with --bounds: those that run */
    uint32_t frames;
    const char *driver;
    char **names; /* of the rows that are wanted; none: all */
    int name_count;
    json_t *old; /* ratios by name, or null */
};

struct result {
    struct cost stream, raw; /* medians of a frame */
    bool same_picture;
};

static int compare_numbers(const void *a, const void *b)
{
    const double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

static double median(double *values, uint32_t count)
{
    qsort(values, count, sizeof *values, compare_numbers);
    return values[count / 2];
}

static struct cost run_stream(struct rig *rig, const struct row *row, void *state, struct agpu_writer *writer,
                              uint32_t frame)
{
    const double wall = rig_wall_seconds(), start = rig_thread_seconds();
    if (row->run) {
        row->run(rig, state);
        return (struct cost){rig_thread_seconds() - start, rig_wall_seconds() - wall};
    }
    row->write(state, writer, frame);
    const double cpu = rig_thread_seconds();
    struct cost cost = rig_run(rig, writer);
    if (row->with_polls)
        cost.cpu = rig_thread_seconds() - cpu;
    return cost;
}

static struct cost run_raw(struct rig *rig, const struct row *row, void *state, uint32_t frame)
{
    const double wall = rig_wall_seconds(), cpu = rig_thread_seconds();
    row->record(rig, state, frame);
    struct cost cost = {.cpu = rig_thread_seconds() - cpu};
    raw_wait(rig);
    cost.wall = rig_wall_seconds() - wall;
    return cost;
}

static bool same_pictures(struct rig *rig, const struct row *row, void *state)
{
    struct row_pictures pictures = {0};
    const bool same = row->show(rig, state, &pictures) &&
                      (pictures.bytes == 0 || memcmp(pictures.stream, pictures.raw, pictures.bytes) == 0);
    free(pictures.raw);
    return same;
}

static bool measure(struct rig *rig, const struct row *row, uint32_t frames, struct result *result)
{
    static double times[4][MOST_FRAMES];
    struct agpu_writer writer;
    void *const state = row->open(rig, row);
    if (state == NULL)
        return false;
    agpu_writer_init_growing(&writer, NULL);
    for (uint32_t frame = 0; frame < WARM_FRAMES + frames; frame++) {
        const struct cost stream = run_stream(rig, row, state, &writer, frame);
        const struct cost raw = run_raw(rig, row, state, frame);
        if (frame < WARM_FRAMES)
            continue;
        const double values[4] = {stream.cpu, stream.wall, raw.cpu, raw.wall};
        for (uint32_t i = 0; i < 4; i++)
            times[i][frame - WARM_FRAMES] = values[i];
    }
    *result = (struct result){
        .stream = {median(times[0], frames), median(times[1], frames)},
        .raw = {median(times[2], frames), median(times[3], frames)},
        .same_picture = same_pictures(rig, row, state),
    };
    agpu_writer_fini(&writer);
    row->close(rig, state);
    rig->executor->reset(rig->executor);
    rig->submissions = 0;
    return true;
}

/* ---- Bounds ------------------------------------------------------------------------------------------ */

static const struct agpu_executor_options with_bounds = {.size = sizeof with_bounds};
/* A program that counts instructions takes many times as long: its slices are to have as many steps. */
static const struct agpu_executor_options with_long_slices = {.size = sizeof with_long_slices,
                                                              .slice_us = 1000000};
/* What is in flight stays bounded: without, streams are slower, since more memory is in use. */
static const struct agpu_executor_options without_bounds = {
    .size = sizeof without_bounds,
    .loop_budget = AGPU_NO_LOOP_BUDGET,
    .work_budget = AGPU_NO_WORK_BUDGET,
    .slice_us = AGPU_NO_SLICE,
    .gpu_memory_bytes = UINT64_MAX,
    .host_memory_bytes = UINT64_MAX,
    .pipeline_count = UINT32_MAX,
    .gpu_timeout_ms = AGPU_NO_GPU_TIMEOUT,
    .pipeline_timeout_ms = AGPU_NO_PIPELINE_TIMEOUT,
    .turn_ms = AGPU_NO_TURN,
    .compile_cost_ms = AGPU_NO_COMPILE_COST,
    .private_bytes = AGPU_NO_PRIVATE_BYTES,
    .context_memory_percent = 100,
};

/* The medians of the thread's time for a frame of each rig, frame by frame in turn. */
static bool measure_bounds(struct rig rigs[2], const struct row *row, const struct settings *settings,
                           double medians[2])
{
    const uint32_t frames = settings->frames;
    static double times[2][MOST_FRAMES];
    struct agpu_writer writer;
    struct row polled = *row; /* a slice leaves the rest of a frame to polls */
    polled.with_polls = true;
    void *states[2] = {row->open(&rigs[0], row), row->open(&rigs[1], row)};
    if (states[0] == NULL || states[1] == NULL)
        return false;
    agpu_writer_init_growing(&writer, NULL);
    for (uint32_t frame = 0; frame < WARM_FRAMES + frames; frame++)
        for (uint32_t i = settings->first_rig; i < settings->rigs_end; i++) {
            const struct cost cost = run_stream(&rigs[i], &polled, states[i], &writer, frame);
            if (frame >= WARM_FRAMES)
                times[i][frame - WARM_FRAMES] = cost.cpu;
        }
    agpu_writer_fini(&writer);
    for (uint32_t i = 0; i < 2; i++) {
        const bool has_run = i >= settings->first_rig && i < settings->rigs_end;
        medians[i] = has_run ? median(times[i], frames) : 0;
        row->close(&rigs[i], states[i]);
        rigs[i].executor->reset(rigs[i].executor);
        rigs[i].submissions = 0;
    }
    return true;
}

/* ---- Output -------------------------------------------------------------------------------------------- */

static void print_text(const struct settings *settings, const struct row *row, const struct result *result)
{
    const double items = row->items / 1e6;
    printf("%-12s %9.3f %9.3f %6.2f x   %9.3f %9.3f %6.2f x", row->name, result->stream.cpu / items,
           result->raw.cpu / items, result->stream.cpu / result->raw.cpu, result->stream.wall / items,
           result->raw.wall / items, result->stream.wall / result->raw.wall);
    const json_t *const old = json_object_get(settings->old, row->name);
    if (old != NULL)
        printf("   was %6.2f x", json_number_value(old));
    printf("   %s%s\n", row->what, result->same_picture ? "" : "; THE PICTURES DIFFER");
    fflush(stdout);
}

static void print_json(const struct row *row, const struct result *result)
{
    json_t *const object =
        json_pack("{s:s, s:s, s:i, s:f, s:f, s:f, s:f, s:f, s:b}", "name", row->name, "what", row->what,
                  "items", (int)row->items, "stream_cpu_s", result->stream.cpu, "raw_cpu_s", result->raw.cpu,
                  "cpu_ratio", result->stream.cpu / result->raw.cpu, "stream_wall_s", result->stream.wall,
                  "raw_wall_s", result->raw.wall, "same_picture", result->same_picture);
    if (object != NULL && json_dumpf(object, stdout, JSON_COMPACT | JSON_REAL_PRECISION(6)) == 0)
        puts("");
    json_decref(object);
    fflush(stdout);
}

/* Ratios by name, out of what --json printed once. Null when there are none. */
static json_t *read_old(const char *path)
{
    FILE *const file = fopen(path, "r");
    json_t *const ratios = file != NULL ? json_object() : NULL;
    json_t *object;
    while (ratios != NULL && (object = json_loadf(file, JSON_DISABLE_EOF_CHECK, NULL)) != NULL) {
        const char *const name = json_string_value(json_object_get(object, "name"));
        if (name != NULL)
            json_object_set(ratios, name, json_object_get(object, "cpu_ratio"));
        json_decref(object);
    }
    if (file != NULL)
        fclose(file);
    return ratios;
}

/* ---- The command --------------------------------------------------------------------------------------- */

static bool is_wanted(const struct settings *settings, const char *name)
{
    bool wanted = settings->name_count == 0;
    for (int i = 0; i < settings->name_count; i++)
        wanted = wanted || strcmp(settings->names[i], name) == 0;
    return wanted;
}

static bool run_rows(struct rig *rig, const struct settings *settings, const struct row *rows, uint32_t count)
{
    bool good = true;
    for (uint32_t i = 0; i < count; i++) {
        struct result result;
        if (!is_wanted(settings, rows[i].name))
            continue;
        if (!measure(rig, &rows[i], settings->frames, &result)) {
            fprintf(stderr, "bench: %s cannot be set up\n", rows[i].name);
            good = false;
            continue;
        }
        if (settings->json)
            print_json(&rows[i], &result);
        else
            print_text(settings, &rows[i], &result);
        good = good && result.same_picture;
    }
    return good && rig->errors == 0;
}

static bool print_bounds(struct rig rigs[2], const struct settings *settings, const struct row *rows,
                         uint32_t count)
{
    bool good = true;
    for (uint32_t i = 0; i < count; i++) {
        double medians[2];
        if (!is_wanted(settings, rows[i].name))
            continue;
        if (!measure_bounds(rigs, &rows[i], settings, medians)) {
            good = false;
            continue;
        }
        if (settings->rigs_end - settings->first_rig == 2)
            printf("%-18s %8.4f us with bounds, %8.4f without: %+5.1f %%\n", rows[i].name,
                   medians[0] * 1e6 / rows[i].items, medians[1] * 1e6 / rows[i].items,
                   (medians[0] / medians[1] - 1) * 100);
    }
    return good;
}

static bool run_bounds(const struct settings *settings)
{
    struct rig rigs[2] = {0};
    const bool is_single = settings->rigs_end - settings->first_rig == 1;
    if (!rig_open(&rigs[0], settings->driver, GUEST_BYTES, is_single ? &with_long_slices : &with_bounds) ||
        !rig_open(&rigs[1], settings->driver, GUEST_BYTES, &without_bounds))
        return false;
    const bool good = print_bounds(rigs, settings, draw_rows, draw_row_count) &&
                      print_bounds(rigs, settings, submission_rows, submission_row_count);
    rig_close(&rigs[0]);
    rig_close(&rigs[1]);
    return good && rigs[0].errors + rigs[1].errors == 0;
}

static bool parse(int argc, char **argv, struct settings *settings)
{
    int at = 1;
    *settings = (struct settings){.frames = DEFAULT_FRAMES, .rigs_end = 2};
    for (; at < argc && strncmp(argv[at], "--", 2) == 0; at++) {
        if (strcmp(argv[at], "--json") == 0)
            settings->json = true;
        else if (strcmp(argv[at], "--bounds") == 0)
            settings->bounds = true;
        else if (strcmp(argv[at], "--only") == 0 && at + 1 < argc) {
            settings->first_rig = strcmp(argv[++at], "without") == 0;
            settings->rigs_end = settings->first_rig + 1;
        } else if (strcmp(argv[at], "--frames") == 0 && at + 1 < argc)
            settings->frames = (uint32_t)strtoul(argv[++at], NULL, 10);
        else if (strcmp(argv[at], "--old") == 0 && at + 1 < argc)
            settings->old = read_old(argv[++at]);
        else
            return false;
    }
    if (at == argc || settings->frames == 0 || settings->frames > MOST_FRAMES)
        return false;
    settings->driver = argv[at++];
    settings->names = argv + at;
    settings->name_count = argc - at;
    return true;
}

int main(int argc, char **argv)
{
    struct settings settings;
    struct rig rig = {0};
    /* Lavapipe compiles the shaders of 1,000 draws while it draws. */
    const struct agpu_executor_options options = {
        .size = sizeof options, .slice_us = AGPU_NO_SLICE, .gpu_timeout_ms = 300000};
    if (!parse(argc, argv, &settings)) {
        fputs("usage: compare [--json] [--bounds [--only with|without]] [--frames N] [--old FILE] DRIVER "
              "[ROW...]\n",
              stderr);
        return 2;
    }
    if (settings.bounds)
        return run_bounds(&settings) ? 0 : 1;
    bool good = rig_open(&rig, settings.driver, GUEST_BYTES, &options);
    if (good && !settings.json) {
        struct agpu_adapter_info info = {0};
        agpu_gpu_info(rig.gpu, &info);
        printf("on %s (%s); microseconds of an item: stream, WebGPU by hand, ratio\n%-12s %28s   %28s\n",
               info.name, info.driver, "", "CPU of the calls", "until the GPU is done");
    }
    if (good) {
        const struct {
            const struct row *rows;
            uint32_t count;
        } kinds[] = {
            {draw_rows,       draw_row_count      },
            {transfer_rows,   transfer_row_count  },
            {dispatch_rows,   dispatch_row_count  },
            {expansion_rows,  expansion_row_count },
            {submission_rows, submission_row_count},
            {buffer_rows,     buffer_row_count    },
            {frame_rows,      frame_row_count     },
            {chain_rows,      chain_row_count     },
        };
        for (uint32_t i = 0; i < AG_COUNT_OF(kinds); i++)
            good = run_rows(&rig, &settings, kinds[i].rows, kinds[i].count) && good;
        rig_close(&rig);
    }
    json_decref(settings.old);
    return good ? 0 : 1;
}
