/* SPDX-License-Identifier: MIT
 *
 * What a subcommand of the tool is: a row that parser, help and man page read, and the function behind it.
 */
#ifndef AG_CLI_COMMAND_H
#define AG_CLI_COMMAND_H

#include "cli/options.h"

/* Exit statuses: a contract with scripts. With several inputs the largest wins. */
enum cli_exit {
    CLI_EXIT_GOOD = 0,
    CLI_EXIT_REFUSED = 1, /* an input was refused or a check failed */
    CLI_EXIT_USAGE = 2,
    CLI_EXIT_MISSING = 3,    /* a library, a driver or a feature is not there */
    CLI_EXIT_FAULT = 4,      /* our fault: WGSL that Dawn refuses, a lost device, a time limit */
    CLI_EXIT_UNWRITABLE = 5, /* an output could not be written in full */
};

struct cli_arguments {
    struct cli_options options;
    const char **inputs; /* point into argv */
    uint32_t input_count;
    uint32_t first_behind; /* the first input that stands behind "--" */
};

struct cli_command {
    const char *name;
    const char *synopsis;    /* the inputs, as the usage line shows them */
    const char *summary;     /* completes "aerogpu NAME: ..." */
    const char *description; /* a paragraph for help and man page */
    const struct cli_option *options;
    uint32_t option_count;
    uint32_t least_inputs, most_inputs;
    enum cli_exit (*run)(const struct cli_arguments *arguments);
};

/* Every command, in the order of the manual; the last entry is null. */
extern const struct cli_command *const cli_commands[];

const struct cli_command *cli_command_find(const char *name);

extern const struct cli_command cli_command_disasm, cli_command_info, cli_command_validate, cli_command_asm,
    cli_command_translate, cli_command_dump, cli_command_assemble, cli_command_run, cli_command_capture,
    cli_command_adapters, cli_command_gpu_process, cli_command_help, cli_command_serve, cli_command_cache;

static inline enum cli_exit cli_worse(enum cli_exit a, enum cli_exit b)
{
    return a > b ? a : b;
}

#endif
