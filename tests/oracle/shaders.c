/* SPDX-License-Identifier: MIT
 *
 * Every vertex, pixel and compute shader of some folders. A child process has the device and runs them one
 * after the other; where it takes too long or dies, the next child goes on behind.
 */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/vec.h"
#include "stage_run.h"
#include "support/corpus.h"

#define SHADER_MILLISECONDS 20000
#define DEVICE_MILLISECONDS 60000
/* A greater part of numbers that cannot be compared is an error. */
#define MOST_WIDE_PERCENT 5
/* So are more outliers than one in so many numbers. */
#define OUTLIERS_ALL 1000

struct list {
    AG_VEC(char *) paths;
    const struct oracle_options *options;
    uint64_t seen;
};

static bool note_path(void *user, const struct ag_corpus_file *file)
{
    struct list *list = user;
    const char *only = list->options->only;
    if (only != NULL && strstr(file->path, only) == NULL)
        return true;
    if (list->seen++ % list->options->parts != list->options->part)
        return true;
    char *copy = strdup(file->path);
    if (copy != NULL && ag_vec_push(&list->paths, copy))
        return true; /* cppcheck-suppress memleak ; the vector has the copy */
    free(copy);
    return false;
}

/* ---- The child ---------------------------------------------------------------------------------------- */

static void run_path(struct agpu_gpu *gpu, const char *path, const struct oracle_options *options,
                     struct stage_report *report)
{
    size_t size;
    struct oracle_error error;
    struct agpu_shader *shader = NULL;
    uint8_t *data = ag_corpus_read_file(path, &size);
    oracle_error_init(&error);
    *report = (struct stage_report){.outcome = STAGE_SKIPPED};
    if (data == NULL || agpu_shader_parse(data, size, AGPU_PARSE_DEFAULT, &error.sink, &shader) != AGPU_OK)
        snprintf(report->text, sizeof report->text, "%.300s",
                 data == NULL ? "cannot be read" : error.message);
    else if (shader->program.stage != AGPU_STAGE_VERTEX && shader->program.stage != AGPU_STAGE_PIXEL &&
             shader->program.stage != AGPU_STAGE_COMPUTE)
        snprintf(report->text, sizeof report->text, "%s shader", agpu_stage_name(shader->program.stage));
    else
        stage_run(gpu, shader,
                  &(struct stage_content){.seed = options->seed,
                                          .filters = options->filters,
                                          .invocations = options->invocations},
                  report);
    agpu_shader_destroy(shader);
    free(data);
}

static bool send_report(int to, const struct stage_report *report)
{
    return write(to, report, sizeof *report) == (ssize_t)sizeof *report;
}

/* A first report says that there is a device. */
static _Noreturn void child(enum agpu_driver driver, const struct oracle_options *options,
                            const struct list *list, size_t first, int to)
{
    struct diag_log log;
    struct agpu_gpu *gpu = NULL;
    struct stage_report report = {.outcome = STAGE_RIGHT};
    const int opened = fixture_open(driver, &log, &gpu);
    if (opened != 0)
        _exit(opened);
    send_report(to, &report);
    for (size_t i = first; i < list->paths.count; i++) {
        run_path(gpu, list->paths.data[i], options, &report);
        if (log.count != 0 && report.outcome != STAGE_WRONG) {
            report.outcome = STAGE_WRONG;
            snprintf(report.text, sizeof report.text, "%.300s", log.message);
        }
        log.count = 0;
        if (!send_report(to, &report) || report.outcome == STAGE_LOST)
            break;
    }
    fflush(stdout);
    _exit(0);
}

/* ---- The parent --------------------------------------------------------------------------------------- */

struct worker {
    pid_t pid;
    int from;
};

/* False when the child is gone or took too long; it is no more then. */
static bool receive(struct worker *worker, struct stage_report *report, int milliseconds, bool *late)
{
    struct pollfd ready = {.fd = worker->from, .events = POLLIN};
    const int polled = poll(&ready, 1, milliseconds);
    *late = polled == 0;
    return polled == 1 && read(worker->from, report, sizeof *report) == (ssize_t)sizeof *report;
}

static int end_worker(struct worker *worker)
{
    int status = 0;
    kill(worker->pid, SIGKILL);
    waitpid(worker->pid, &status, 0);
    close(worker->from);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static bool start_worker(struct worker *worker, enum agpu_driver driver, const struct oracle_options *options,
                         const struct list *list, size_t first)
{
    int ends[2];
    fflush(stdout);
    if (pipe(ends) != 0)
        return false;
    worker->pid = fork();
    if (worker->pid == 0) {
        close(ends[0]);
        child(driver, options, list, first, ends[1]);
    }
    close(ends[1]);
    worker->from = ends[0];
    return worker->pid > 0;
}

/* The reason why a shader may differ, or null. */
static const char *find_known(const struct oracle_options *options, const char *path, char line[256])
{
    FILE *file = options->known != NULL ? fopen(options->known, "r") : NULL;
    const char *reason = NULL;
    while (file != NULL && reason == NULL && fgets(line, 256, file) != NULL) {
        char *end = line + strcspn(line, " \n");
        if (line[0] == '#' || *end != ' ')
            continue;
        *end = '\0';
        if (strstr(path, line) == NULL)
            continue;
        reason = end + 1 + strspn(end + 1, " ");
        end[1 + strcspn(end + 1, "\n")] = '\0';
    }
    if (file != NULL)
        fclose(file);
    return reason;
}

struct totals {
    uint64_t outcomes[STAGE_OUTCOME_COUNT], late, died, numbers, wide, outliers, known;
};

static void note_report(struct totals *totals, const struct oracle_options *options, const char *path,
                        const struct stage_report *report)
{
    char line[256];
    const char *known = find_known(options, path, line);
    if (known != NULL && report->outcome == STAGE_WRONG) {
        printf("known %s: %s\n", path, known);
        totals->known++;
        return;
    }
    if (known != NULL && report->outcome == STAGE_RIGHT && report->wrong == 0)
        printf("agrees %s, which is not expected\n", path);
    totals->outcomes[report->outcome]++;
    totals->numbers += report->numbers;
    totals->wide += report->wide;
    totals->outliers += report->outcome == STAGE_RIGHT ? report->wrong : 0;
    if (report->outcome == STAGE_WRONG)
        printf("DIFFERS %s: %u of %u: %s\n", path, report->wrong, report->numbers, report->text);
    else if (report->outcome == STAGE_SKIPPED)
        printf("skipped %s: %s\n", path, report->text);
    else if (report->wrong != 0)
        printf("agrees %s, but for %u of %u: %s\n", path, report->wrong, report->numbers, report->text);
    else if (options->print && report->outcome != STAGE_IDLE)
        printf("agrees %s: %u numbers, %u not comparable\n", path, report->numbers, report->wide);
}

/* Runs shaders from `first` on in one child; gives the next to run, or -1 with *status. */
static long run_some(struct totals *totals, enum agpu_driver driver, const struct oracle_options *options,
                     const struct list *list, size_t first, int *status)
{
    struct worker worker;
    struct stage_report report;
    bool late;
    if (!start_worker(&worker, driver, options, list, first)) {
        *status = 1;
        return -1;
    }
    if (!receive(&worker, &report, DEVICE_MILLISECONDS, &late)) {
        waitpid(worker.pid, status, late ? WNOHANG : 0);
        *status = WIFEXITED(*status) ? WEXITSTATUS(*status) : 1;
        kill(worker.pid, SIGKILL);
        close(worker.from);
        return -1;
    }
    while (first < list->paths.count) {
        if (!receive(&worker, &report, SHADER_MILLISECONDS, &late)) {
            printf("%s %s\n", late ? "skipped, takes more than 20 s:" : "DIED", list->paths.data[first]);
            totals->late += late;
            totals->died += !late;
            first++;
            break;
        }
        note_report(totals, options, list->paths.data[first++], &report);
        if (report.outcome == STAGE_LOST)
            break;
    }
    end_worker(&worker);
    return (long)first;
}

static bool find_paths(struct list *list)
{
    const struct oracle_options *options = list->options;
    const char *shared = options->shared != NULL ? ag_corpus_shared(options->shared) : NULL;
    char folder[1024];
    snprintf(folder, sizeof folder, "%s/corpus/fxc", shared != NULL ? shared : "");
    if (shared != NULL && ag_corpus_walk(folder, ".dxbc", note_path, list) < 0)
        return false;
    for (uint32_t i = 0; i < options->path_count; i++)
        if (ag_corpus_walk(options->paths[i], ".dxbc", note_path, list) < 0)
            return false;
    return list->paths.count != 0;
}

static void print_totals(const struct totals *totals)
{
    printf(
        "%llu shaders agree, %llu differ, %llu known to, %llu skipped, %llu take too long, %llu died; %llu "
        "numbers, %llu not comparable, %llu outliers\n",
        (unsigned long long)totals->outcomes[STAGE_RIGHT], (unsigned long long)totals->outcomes[STAGE_WRONG],
        (unsigned long long)totals->known, (unsigned long long)totals->outcomes[STAGE_SKIPPED],
        (unsigned long long)totals->late, (unsigned long long)(totals->died + totals->outcomes[STAGE_LOST]),
        (unsigned long long)totals->numbers, (unsigned long long)totals->wide,
        (unsigned long long)totals->outliers);
}

int oracle_shaders(enum agpu_driver driver, const struct oracle_options *options)
{
    struct list list = {.options = options};
    struct totals totals = {0};
    int status = 0;
    long next = 0;
    if (!find_paths(&list)) {
        printf("no shaders there\n");
        return options->shared != NULL ? SKIPPED : 1;
    }
    while (next >= 0 && (size_t)next < list.paths.count)
        next = run_some(&totals, driver, options, &list, (size_t)next, &status);
    for (size_t i = 0; i < list.paths.count; i++)
        free(list.paths.data[i]);
    ag_vec_fini(&list.paths);
    if (next < 0)
        return status != 0 ? status : 1;
    print_totals(&totals);
    return totals.outcomes[STAGE_WRONG] != 0 || totals.outcomes[STAGE_LOST] != 0 || totals.died != 0 ||
           totals.wide * 100 > totals.numbers * MOST_WIDE_PERCENT ||
           totals.outliers * OUTLIERS_ALL > totals.numbers;
}
