/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "base/bytes.h"
#include "cli/command.h"
#include "cli/manual.h"
#include "cli/output.h"

static enum cli_exit run(const struct cli_arguments *arguments)
{
    if (arguments->options.man) {
        cli_print_man_page(stdout);
    } else if (arguments->input_count == 0) {
        cli_print_overview(stdout);
    } else {
        const struct cli_command *const command = cli_command_find(arguments->inputs[0]);
        if (command == NULL) {
            cli_usage_error("there is no command '%s'", arguments->inputs[0]);
            return CLI_EXIT_USAGE;
        }
        cli_print_help(stdout, command);
    }
    return CLI_EXIT_GOOD;
}

static const struct cli_option options[] = {
    {"man", 0, CLI_FLAG, CLI_OPTION_VALUE(man), NULL, "print the whole manual as a man page", NULL},
};

const struct cli_command cli_command_help = {
    .name = "help",
    .synopsis = "[COMMAND]",
    .summary = "tell about the commands",
    .description = "Prints the options of a command, or all commands.",
    .options = options,
    .option_count = AG_COUNT_OF(options),
    .least_inputs = 0,
    .most_inputs = 1,
    .run = run,
};
