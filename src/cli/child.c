/* SPDX-License-Identifier: MIT */
#include "cli/child.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/strbuf.h"

static int64_t now_ms(void)
{
    return (int64_t)(ag_clock_ns() / 1000000);
}

static void child_main(json_t *(*work)(void *user), void *user, int to)
{
    FILE *const pipe_file = fdopen(to, "w");
    json_t *const result = work(user);
    const bool good = pipe_file != NULL &&
                      (result == NULL || json_dumpf(result, pipe_file, JSON_COMPACT) == 0) &&
                      fclose(pipe_file) == 0;
    /* Not exit(): the driver's and the library's exit handlers are none of our business here. */
    fflush(stderr);
    _Exit(good ? 0 : 1);
}

/* Reads until the child closes its end; false when the time is up first. */
static bool read_all(int from, int64_t deadline_ms, struct ag_strbuf *text)
{
    for (;;) {
        const int64_t left = deadline_ms - now_ms();
        if (left <= 0)
            return false;
        struct pollfd ready = {.fd = from, .events = POLLIN};
        const int count = poll(&ready, 1, left > INT32_MAX ? INT32_MAX : (int)left);
        if (count == 0)
            return false;
        if (count < 0)
            continue;
        char bytes[4096];
        const ssize_t got = read(from, bytes, sizeof bytes);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return true;
        ag_strbuf_append_bytes(text, bytes, (size_t)got);
    }
}

enum cli_child_result cli_child_run(json_t *(*work)(void *user), void *user, uint32_t timeout_ms,
                                    json_t **result, int *signal_number)
{
    int ends[2];
    *result = NULL;
    *signal_number = 0;
    fflush(NULL);
    if (pipe(ends) != 0)
        return CLI_CHILD_NOT_STARTED;
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        child_main(work, user, ends[1]);
    }
    close(ends[1]);
    if (child < 0) {
        close(ends[0]);
        return CLI_CHILD_NOT_STARTED;
    }

    struct ag_strbuf text = {0};
    const bool in_time = read_all(ends[0], now_ms() + timeout_ms, &text);
    close(ends[0]);
    if (!in_time)
        kill(child, SIGKILL);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;

    enum cli_child_result outcome = CLI_CHILD_DONE;
    if (!in_time) {
        outcome = CLI_CHILD_TIMED_OUT;
    } else if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        outcome = CLI_CHILD_CRASHED;
        *signal_number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    } else {
        *result = json_loadb(ag_strbuf_text(&text), text.length, JSON_DECODE_ANY, NULL);
    }
    ag_strbuf_fini(&text);
    return outcome;
}
