/* SPDX-License-Identifier: MIT */
#include <unistd.h>

#include "aerogpu/process_executor.h"
#include "base/diag.h"
#include "cli/command.h"
#include "cli/output.h"

static enum cli_exit run(const struct cli_arguments *arguments)
{
    char message[256];
    (void)arguments;
    if (agpu_gpu_process_main(message, sizeof message) == 0)
        _exit(CLI_EXIT_GOOD); /* threads of the driver are at work, so that exit handlers could crash */
    const struct agpu_diag diag = {
        .code = AGPU_DIAG_GPU_PROCESS, .severity = AGPU_ERROR, .place = AGPU_NO_PLACE, .message = message};
    if (message[0] != '\0')
        cli_print_diag(NULL, &diag);
    _exit(CLI_EXIT_FAULT);
}

const struct cli_command cli_command_gpu_process = {
    .name = "gpu-process",
    .synopsis = "",
    .summary = "execute for another program, which starts this itself",
    .description =
        "The process in which run --process and programs that embed the library let the executor work. It "
        "takes commands from the program that started it, over a socket that it inherits, gives up all "
        "privileges once the driver is open, and ends with that program. It does nothing when called by "
        "hand.",
    .least_inputs = 0,
    .most_inputs = 0,
    .run = run,
};
