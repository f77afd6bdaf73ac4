/* SPDX-License-Identifier: MIT
 *
 * Every vertex, pixel and compute shader there is, in a pipeline on a software driver: a draw of one point or
 * a dispatch of one group makes the driver compile it.
 *
 *     corpus_pipelines [-j N] [--seconds N] DRIVER PATH...
 *
 * PATHs are shaders and folders of them. The work is done by N children (1), each of which is killed when a
 * shader takes longer than the limit (20 s); another one goes on behind it. One line for each shader that was
 * not drawn says why: `refused` by the executor, which names the cause; `slow`; `failed` when WebGPU objects
 * or the child crashes. The exit status is 1 when a shader failed, 77 when the driver is not installed.
 */
#define _GNU_SOURCE /* pipe2 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "aerogpu/dxbc.h"
#include "base/clock.h"
#include "base/vec.h"
#include "pipeline_draw.h"
#include "support/corpus.h"
#include "unit/gpu/fixture.h"

#define MOST_CHILDREN 64
#define LINE_BYTES 1024

struct shader_file {
    char *path;
    enum agpu_stage stage;
};
typedef AG_VEC(struct shader_file) shader_files;

struct child {
    pid_t pid;
    int results;  /* a pipe */
    size_t first; /* shaders first, first + step ... are its own */
    size_t next;  /* the one it works on */
    uint64_t since_ns;
    char line[LINE_BYTES];
    size_t length;
};

struct run {
    const char *program, *driver;
    shader_files files;
    uint64_t limit_ns;
    size_t children;
    unsigned drawn[AGPU_STAGE_COUNT], refused, slow, failed;
};

/* ---- A child: one line for each shader ---------------------------------------------------------------- */

static int work(struct run *run, size_t first, size_t step)
{
    enum agpu_driver driver;
    struct diag_log log;
    struct agpu_gpu *gpu;
    if (!agpu_driver_from_name(run->driver, &driver))
        return 1;
    const int opened = fixture_open(driver, &log, &gpu);
    if (opened != 0)
        return opened;
    for (size_t i = first; i < run->files.count; i += step) {
        char why[LINE_BYTES / 2];
        size_t size;
        uint8_t *bytes = ag_corpus_read_file(run->files.data[i].path, &size);
        const enum pipeline_result result = pipeline_draw(gpu, bytes, size, why, sizeof why);
        printf("%s %s\n", pipeline_result_name(result), why);
        fflush(stdout);
        free(bytes);
    }
    agpu_gpu_destroy(gpu);
    return 0;
}

/* ---- The parent --------------------------------------------------------------------------------------- */

static bool start(struct run *run, struct child *child)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    child->pid = fork();
    if (child->pid == 0) {
        dup2(ends[1], STDOUT_FILENO);
        _exit(work(run, child->next, run->children));
    }
    close(ends[1]);
    child->results = ends[0];
    child->length = 0;
    child->since_ns = ag_clock_ns();
    return child->pid > 0;
}

static void note(struct run *run, struct child *child, const char *result, const char *why)
{
    const struct shader_file *file = &run->files.data[child->next];
    if (strcmp(result, "drawn") == 0)
        run->drawn[file->stage]++;
    else if (strcmp(result, "refused") == 0)
        run->refused++;
    else if (strcmp(result, "slow") == 0)
        run->slow++;
    else
        run->failed++;
    if (strcmp(result, "drawn") != 0)
        printf("%-7s %s: %s\n", result, file->path, why);
    fflush(stdout);
    child->next += run->children;
    child->since_ns = ag_clock_ns();
}

static void take_lines(struct run *run, struct child *child)
{
    for (char *end; (end = memchr(child->line, '\n', child->length)) != NULL;) {
        *end = '\0';
        char *why = strchr(child->line, ' ');
        if (why != NULL)
            *why++ = '\0';
        if (child->next < run->files.count)
            note(run, child, child->line, why != NULL ? why : "");
        const size_t used = (size_t)(end + 1 - child->line);
        child->length -= used;
        memmove(child->line, end + 1, child->length);
    }
}

/* The child is gone, or has to go: what it worked on counts, and another one goes on. */
static int replace(struct run *run, struct child *child, const char *result, const char *why)
{
    int status = 0;
    char text[128];
    kill(child->pid, SIGKILL);
    waitpid(child->pid, &status, 0);
    close(child->results);
    child->pid = 0;
    if (why == NULL && WIFEXITED(status) &&
        (WEXITSTATUS(status) == SKIPPED || child->next >= run->files.count))
        return WEXITSTATUS(status);
    if (why == NULL) {
        if (WIFSIGNALED(status))
            snprintf(text, sizeof text, "the process ended with signal %d", WTERMSIG(status));
        else
            snprintf(text, sizeof text, "the process ended with status %d", WEXITSTATUS(status));
        why = text;
    }
    if (child->next < run->files.count)
        note(run, child, result, why);
    return child->next < run->files.count && !start(run, child) ? 1 : 0;
}

static int serve(struct run *run, struct child *child, short events)
{
    if (events != 0) {
        const ssize_t got = read(child->results, child->line + child->length, LINE_BYTES - child->length);
        if (got > 0) {
            child->length += (size_t)got;
            take_lines(run, child);
            if (child->length == LINE_BYTES)
                child->length = 0;
            return 0;
        }
        return replace(run, child, "failed", NULL);
    }
    if (ag_clock_ns() - child->since_ns > run->limit_ns)
        return replace(run, child, "slow", "it takes longer than the limit");
    return 0;
}

static int supervise(struct run *run)
{
    static struct child children[MOST_CHILDREN];
    int status = 0;
    for (size_t i = 0; i < run->children; i++) {
        children[i].first = children[i].next = i;
        if (i < run->files.count && !start(run, &children[i]))
            return 1;
    }
    for (;;) {
        struct pollfd ready[MOST_CHILDREN];
        size_t which[MOST_CHILDREN], count = 0;
        for (size_t i = 0; i < run->children; i++) {
            if (children[i].pid == 0)
                continue;
            ready[count] = (struct pollfd){.fd = children[i].results, .events = POLLIN};
            which[count++] = i;
        }
        if (count == 0)
            return status;
        if (poll(ready, (nfds_t)count, 200) < 0 && errno != EINTR)
            return 1;
        for (size_t i = 0; i < count; i++) {
            const int ended = serve(run, &children[which[i]], ready[i].revents);
            status = ended != 0 ? ended : status;
        }
    }
}

static bool add_file(void *user, const struct ag_corpus_file *file)
{
    struct run *run = user;
    struct agpu_shader *shader;
    if (agpu_shader_parse(file->data, file->size, AGPU_PARSE_DEFAULT, NULL, &shader) != AGPU_OK)
        return true;
    const struct shader_file entry = {strdup(file->path), shader->program.stage};
    agpu_shader_destroy(shader);
    const bool wanted = pipeline_takes(entry.stage);
    if (wanted && entry.path != NULL && ag_vec_push(&run->files, entry))
        return true;
    free(entry.path);
    return !wanted;
}

static bool read_arguments(struct run *run, int argc, char **argv)
{
    *run = (struct run){.program = argv[0], .limit_ns = 20, .children = 1};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-j") == 0 && i + 1 < argc)
            run->children = strtoul(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--seconds") == 0 && i + 1 < argc)
            run->limit_ns = strtoul(argv[++i], NULL, 10);
        else if (run->driver == NULL)
            run->driver = argv[i];
        else if (ag_corpus_walk(argv[i], ".dxbc", add_file, run) < 0)
            printf("skip: %s cannot be read\n", argv[i]);
    }
    run->limit_ns *= UINT64_C(1000000000);
    return run->driver != NULL && run->children >= 1 && run->children <= MOST_CHILDREN;
}

int main(int argc, char **argv)
{
    struct run run;
    const uint64_t start_ns = ag_clock_ns();
    if (!read_arguments(&run, argc, argv))
        return EXIT_FAILURE;
    const int status = supervise(&run);
    printf("%s: %u vertex, %u pixel and %u compute shaders drawn, %u refused, %u slow, %u failed of %zu in "
           "%" PRIu64 " s\n",
           run.driver, run.drawn[AGPU_STAGE_VERTEX], run.drawn[AGPU_STAGE_PIXEL],
           run.drawn[AGPU_STAGE_COMPUTE], run.refused, run.slow, run.failed, run.files.count,
           (ag_clock_ns() - start_ns) / UINT64_C(1000000000));
    for (size_t i = 0; i < run.files.count; i++)
        free(run.files.data[i].path);
    ag_vec_fini(&run.files);
    return status != 0 ? status : run.failed != 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
