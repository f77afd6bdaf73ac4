/* SPDX-License-Identifier: MIT */
#include "base/bytes.h"
#include "cli/command.h"
#include "cli/output.h"

static enum cli_exit run(const struct cli_arguments *arguments)
{
    const struct agpu_diag diag = {AGPU_DIAG_CLI_UNSUPPORTED, AGPU_ERROR, AGPU_NO_PLACE,
                                   "this build does not read captures"};
    cli_print_diag(arguments->inputs[1], &diag);
    return CLI_EXIT_MISSING;
}

static const struct cli_option options[] = {
    CLI_OPTION_OUTPUT("write the result to this file"),
    {"from", 0, CLI_NUMBER, CLI_OPTION_VALUE(from), "N", "the first submission", NULL},
    {"to",   0, CLI_NUMBER, CLI_OPTION_VALUE(to),   "N", "the last submission",  NULL},
};

const struct cli_command cli_command_capture = {
    .name = "capture",
    .synopsis = "info|trim|extract FILE",
    .summary = "inspect and cut captures (not in this version)",
    .description =
        "Captures are recordings of whole runs. This version does not read them yet and says so with "
        "exit status 3.",
    .options = options,
    .option_count = AGPU_COUNT_OF(options),
    .least_inputs = 2,
    .most_inputs = 2,
    .run = run,
};
