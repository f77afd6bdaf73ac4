/* SPDX-License-Identifier: MIT
 *
 * Work in a child process with a time limit, so that a driver that crashes or hangs is a result of ours and
 * not our end.
 */
#ifndef AG_CLI_CHILD_H
#define AG_CLI_CHILD_H

#include <jansson.h>
#include <stdint.h>

enum cli_child_result {
    CLI_CHILD_DONE,
    CLI_CHILD_CRASHED,
    CLI_CHILD_TIMED_OUT,
    CLI_CHILD_NOT_STARTED,
};

/* Runs `work` in a child and hands over what it returns, which may be null. After anything but
 * CLI_CHILD_DONE *result is null; `signal_number` then tells what ended a crashed child (0: it exited).
 * The caller releases *result. */
enum cli_child_result cli_child_run(json_t *(*work)(void *user), void *user, uint32_t timeout_ms,
                                    json_t **result, int *signal_number);

#endif
