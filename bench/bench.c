/* SPDX-License-Identifier: MIT
 *
 * Measures shaders (decoding, listing, translation) and whole scenes. Every figure is the best of the rounds
 * that fit into the time given to it. What runs on one thread is measured in that thread's own time, and also
 * said in copies: how many times as long it takes as copying the same bytes, here and now.
 *
 *     bench shaders FILE...
 *     bench shapes                  how translation grows with programs of many shapes
 *     bench scenes DRIVER FILE...
 *     bench once FIGURE FILE...     one round of a shader figure, for tools that count instructions
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "aerogpu/translate.h"
#include "base/arena.h"
#include "base/vec.h"
#include "bench/shapes.h"
#include "cli/driver.h"
#include "cli/input.h"
#include "scene/scene.h"
#include "wgsl/options.h"

#define SECONDS_PER_FIGURE 2.0

struct file {
    const char *path;
    uint8_t *data;
    size_t size;
};
typedef AG_VEC(struct file) files;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Of this thread alone: what else the machine does counts little. */
static double thread_time(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Work on all files; the return value is how many it accepted. */
typedef size_t (*work_function)(const files *input);

/* Seconds of the fastest round. */
static double fastest(work_function work, const files *input, size_t *accepted)
{
    const double end = now() + SECONDS_PER_FIGURE;
    double best = 0;
    do {
        const double start = thread_time();
        *accepted = work(input);
        const double seconds = thread_time() - start;
        if (best == 0 || seconds < best)
            best = seconds;
    } while (now() < end);
    return best;
}

static size_t copy_all(const files *input)
{
    size_t accepted = 0;
    for (size_t i = 0; i < input->count; i++) {
        uint8_t *copy = malloc(input->data[i].size + 1);
        if (copy == NULL)
            continue;
        memcpy(copy, input->data[i].data, input->data[i].size);
        copy[input->data[i].size] = 0;
        accepted += ((volatile uint8_t *)copy)[input->data[i].size] == 0;
        free(copy);
    }
    return accepted;
}

static size_t parse_all(const files *input)
{
    size_t accepted = 0;
    for (size_t i = 0; i < input->count; i++) {
        struct agpu_shader *shader = NULL;
        if (agpu_shader_parse(input->data[i].data, input->data[i].size, 0, NULL, &shader) == AGPU_OK)
            accepted++;
        agpu_shader_destroy(shader);
    }
    return accepted;
}

static size_t list_all(const files *input)
{
    size_t accepted = 0;
    for (size_t i = 0; i < input->count; i++) {
        struct agpu_shader *shader = NULL;
        char *text = NULL;
        size_t length = 0;
        if (agpu_shader_parse(input->data[i].data, input->data[i].size, 0, NULL, &shader) == AGPU_OK &&
            agpu_disassemble(shader, 0, NULL, &text, &length) == AGPU_OK)
            accepted++;
        agpu_free(text);
        agpu_shader_destroy(shader);
    }
    return accepted;
}

static size_t assemble_all(const files *input)
{
    size_t accepted = 0;
    for (size_t i = 0; i < input->count; i++) {
        struct agpu_shader *shader = NULL;
        char *text = NULL;
        size_t length = 0;
        uint8_t *bytes = NULL;
        size_t size = 0;
        if (agpu_shader_parse(input->data[i].data, input->data[i].size, 0, NULL, &shader) == AGPU_OK &&
            agpu_disassemble(shader, AGPU_DISASM_FULL, NULL, &text, &length) == AGPU_OK &&
            agpu_assemble(text, length, NULL, &bytes, &size) == AGPU_OK)
            accepted++;
        agpu_free(bytes);
        agpu_free(text);
        agpu_shader_destroy(shader);
    }
    return accepted;
}

static size_t validate_all(const files *input)
{
    size_t accepted = 0;
    for (size_t i = 0; i < input->count; i++) {
        struct agpu_shader *shader = NULL;
        if (agpu_shader_parse(input->data[i].data, input->data[i].size, 0, NULL, &shader) == AGPU_OK &&
            agpu_validate(shader, NULL) == AGPU_OK)
            accepted++;
        agpu_shader_destroy(shader);
    }
    return accepted;
}

/* As executors translate. */
static const struct ag_translate_options terse = {.is_terse = true};

/* As executors do, which keep the memory that they translate in. */
static bool translate_one(const struct file *file)
{
    static struct ag_arena arena;
    struct agpu_shader *shader = NULL;
    struct agpu_module *module = NULL;
    const bool good = agpu_shader_parse(file->data, file->size, 0, NULL, &shader) == AGPU_OK &&
                      ag_translate_in(&arena, shader, &terse, NULL, &module) == AGPU_OK;
    agpu_module_destroy(module);
    agpu_shader_destroy(shader);
    return good;
}

static size_t translate_all(const files *input)
{
    size_t accepted = 0;
    for (size_t i = 0; i < input->count; i++)
        accepted += translate_one(&input->data[i]);
    return accepted;
}

static bool load(const char *path, files *input)
{
    struct cli_diags diags;
    cli_diags_init(&diags, path);
    const struct agpu_diag_sink sink = cli_diags_sink(&diags);
    struct file file = {.path = path};
    const bool good = cli_read_file(path, &sink, &file.data, &file.size) && ag_vec_push(input, file);
    cli_diags_fini(&diags);
    return good;
}

static void print_figure(const char *what, double seconds, double copying, size_t accepted,
                         const files *input)
{
    size_t bytes = 0;
    for (size_t i = 0; i < input->count; i++)
        bytes += input->data[i].size;
    printf("%-22s %8.1f MB/s %10.0f shaders/s %8.1f copies %6zu of %zu accepted\n", what,
           (double)bytes / seconds / 1e6, (double)input->count / seconds, seconds / copying, accepted,
           input->count);
}

static const struct {
    const char *name, *what;
    work_function work;
} figures[] = {
    {"copy",      "copy",                 copy_all     },
    {"decode",    "decode",               parse_all    },
    {"list",      "decode and list",      list_all     },
    {"assemble",  "list fully, assemble", assemble_all },
    {"validate",  "decode and validate",  validate_all },
    {"translate", "decode and translate", translate_all},
};

static int compare_seconds(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* How long one shader takes: the best of a few rounds for each, then the middle and the slow end of all. */
static void bench_latency(const files *input)
{
    double *seconds = calloc(input->count, sizeof *seconds);
    if (seconds == NULL)
        return;
    const double end = now() + SECONDS_PER_FIGURE;
    do {
        for (size_t i = 0; i < input->count; i++) {
            const double start = thread_time();
            translate_one(&input->data[i]);
            const double one = thread_time() - start;
            if (seconds[i] == 0 || one < seconds[i])
                seconds[i] = one;
        }
    } while (now() < end);
    qsort(seconds, input->count, sizeof *seconds, compare_seconds);
    printf("%-22s median %.1f us, 99%% within %.1f us, longest %.1f us\n", "one shader",
           seconds[input->count / 2] * 1e6, seconds[input->count * 99 / 100] * 1e6,
           seconds[input->count - 1] * 1e6);
    free(seconds);
}

struct module_sums {
    uint64_t instructions, bytes;
    double translating, checking; /* seconds */
    size_t count;
};

static void add_module(const struct file *file, struct agpu_gpu *gpu, struct module_sums *sums)
{
    struct agpu_shader *shader = NULL;
    struct agpu_module *module = NULL;
    if (agpu_shader_parse(file->data, file->size, 0, NULL, &shader) == AGPU_OK) {
        const double start = thread_time();
        const bool good = ag_translate(shader, &terse, NULL, &module) == AGPU_OK;
        sums->translating += thread_time() - start;
        if (good) {
            const double translated = thread_time();
            struct agpu_module_statistics statistics;
            sums->count += agpu_gpu_check_wgsl(gpu, module->wgsl, module->wgsl_length, NULL) == AGPU_OK;
            sums->checking += thread_time() - translated;
            agpu_module_count(module, shader, &statistics);
            sums->instructions += statistics.instructions;
            sums->bytes += statistics.bytes;
        }
    }
    agpu_module_destroy(module);
    agpu_shader_destroy(shader);
}

/* How long the text is, and how long WebGPU's own compiler takes to accept it. */
static void bench_modules(const files *input)
{
    struct cli_session session = {0};
    struct agpu_gpu_options options = {.size = sizeof options, .driver = AGPU_DRIVER_NULL};
    struct module_sums sums = {0};
    if (cli_session_open(&session, &options) != AGPU_OK)
        return;
    for (size_t i = 0; i < input->count; i++)
        add_module(&input->data[i], session.gpu, &sums);
    cli_session_close(&session);
    if (sums.count > 0 && sums.instructions > 0)
        printf(
            "%-22s %8.1f bytes an instruction, %.3f ms a module, %.1f times the translation (%zu accepted)\n",
            "WGSL", (double)sums.bytes / (double)sums.instructions, sums.checking * 1e3 / (double)sums.count,
            sums.checking / sums.translating, sums.count);
}

static void bench_shaders(const files *input)
{
    double copying = 0;
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        size_t accepted = 0;
        const double seconds = fastest(figures[i].work, input, &accepted);
        if (i == 0)
            copying = seconds;
        print_figure(figures[i].what, seconds, copying, accepted, input);
    }
    bench_latency(input);
    bench_modules(input);
}

/* Seconds that the translation of so many units takes, or 0 when it is refused. */
static double time_shape(const struct bench_shape *shape, unsigned units)
{
    struct agpu_shader *const shader = bench_shape_shader(shape, units);
    double best = 0;
    for (unsigned round = 0; shader != NULL && round < 5; round++) {
        struct agpu_module *module = NULL;
        const double start = thread_time();
        const enum agpu_status status = agpu_translate(shader, NULL, NULL, &module);
        const double seconds = thread_time() - start;
        agpu_module_destroy(module);
        if (status != AGPU_OK)
            break;
        if (best == 0 || seconds < best)
            best = seconds;
    }
    agpu_shader_destroy(shader);
    return best;
}

/* Four times the length should take four times as long, or little more. */
static bool bench_shapes_grow(void)
{
    bool good = true;
    for (size_t i = 0; i < bench_shape_count; i++) {
        const struct bench_shape *const shape = &bench_shapes[i];
        const double few = time_shape(shape, shape->count), many = time_shape(shape, shape->count * 4);
        printf("%-20s %5u %8.2f ms, %5u %8.2f ms: %5.1f times  (%s)\n", shape->name, shape->count, few * 1e3,
               shape->count * 4, many * 1e3, few > 0 ? many / few : 0, shape->what);
        good = good && few > 0 && many > 0;
    }
    return good;
}

static bool bench_once(const files *input, const char *name)
{
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++)
        if (strcmp(figures[i].name, name) == 0) {
            const size_t accepted = figures[i].work(input);
            printf("%zu of %zu accepted\n", accepted, input->count);
            return true;
        }
    return false;
}

/* One run on a fresh executor; false when it did not pass. */
static bool run_once(const struct ag_scene *scene, struct agpu_gpu *gpu, struct ag_scene_report *report)
{
    struct agpu_executor *executor = NULL;
    if (agpu_webgpu_executor_create(gpu, NULL, NULL, &executor) != AGPU_OK)
        return false;
    struct agpu_adapter_info adapter = {.size = sizeof adapter};
    agpu_gpu_info(gpu, &adapter);
    const struct ag_scene_options options = {.executor = executor, .adapter = &adapter};
    const enum agpu_status status = ag_scene_run(scene, &options, NULL, report);
    agpu_executor_destroy(executor);
    if (status == AGPU_OK && report->result == AG_SCENE_PASSED)
        return true;
    ag_scene_report_fini(report);
    return false;
}

static bool bench_scene(const struct file *file, struct agpu_gpu *gpu)
{
    struct ag_scene *scene = NULL;
    if (ag_scene_load(file->path, file->data, file->size, 0, NULL, &scene) != AGPU_OK)
        return false;
    const double end = now() + SECONDS_PER_FIGURE;
    double best = 0;
    struct agpu_counters counters = {0};
    do {
        struct ag_scene_report report;
        if (!run_once(scene, gpu, &report)) {
            ag_scene_destroy(scene);
            return false;
        }
        if (best == 0 || report.total_ms < best) {
            best = report.total_ms;
            counters = report.counters;
        }
        ag_scene_report_fini(&report);
    } while (now() < end);
    printf("%-40s %8.1f ms: %6" PRIu64 " packets, %5" PRIu64 " draws, %3" PRIu64
           " presents, translating %.1f ms, pipelines %.1f ms\n",
           file->path, best, counters.packets, counters.draws, counters.presents,
           (double)counters.translate_ns / 1e6, (double)counters.pipeline_ns / 1e6);
    ag_scene_destroy(scene);
    return true;
}

static bool bench_scenes(const files *input, const char *driver_name)
{
    struct cli_session session = {0};
    struct agpu_gpu_options options = {.size = sizeof options};
    if (!agpu_driver_from_name(driver_name, &options.driver) ||
        cli_session_open(&session, &options) != AGPU_OK)
        return false;
    struct agpu_adapter_info info = {0};
    agpu_gpu_info(session.gpu, &info);
    printf("on %s (%s)\n", info.name, info.driver);
    bool good = true;
    for (size_t i = 0; i < input->count; i++) {
        if (!bench_scene(&input->data[i], session.gpu)) {
            printf("%-40s does not pass\n", input->data[i].path);
            good = false;
        }
    }
    cli_session_close(&session);
    return good;
}

int main(int argc, char **argv)
{
    const bool shaders = argc > 2 && strcmp(argv[1], "shaders") == 0;
    const bool scenes = argc > 3 && strcmp(argv[1], "scenes") == 0;
    const bool once = argc > 3 && strcmp(argv[1], "once") == 0;
    if (argc == 2 && strcmp(argv[1], "shapes") == 0)
        return bench_shapes_grow() ? CLI_EXIT_GOOD : CLI_EXIT_REFUSED;
    if (!shaders && !scenes && !once) {
        fputs("usage: bench shaders FILE...\n       bench shapes\n       bench scenes DRIVER FILE...\n"
              "       bench once FIGURE FILE...\n",
              stderr);
        return CLI_EXIT_USAGE;
    }
    files input = {0};
    bool good = true;
    for (int i = shaders ? 2 : 3; good && i < argc; i++)
        good = load(argv[i], &input);
    if (good && shaders)
        bench_shaders(&input);
    else if (good && once)
        good = bench_once(&input, argv[2]);
    else if (good)
        good = bench_scenes(&input, argv[2]);
    for (size_t i = 0; i < input.count; i++)
        free(input.data[i].data);
    ag_vec_fini(&input);
    return good ? CLI_EXIT_GOOD : CLI_EXIT_REFUSED;
}
