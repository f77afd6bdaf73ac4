/* SPDX-License-Identifier: MIT
 *
 * The command line tool: picks the subcommand.
 */
#include <stdio.h>
#include <string.h>

#include "aerogpu/version.h"
#include "cli/command.h"
#include "cli/manual.h"
#include "cli/output.h"

const struct cli_command *const cli_commands[] = {
    &cli_command_run,         &cli_command_serve,    &cli_command_disasm,
    &cli_command_info,        &cli_command_validate, &cli_command_asm,
    &cli_command_translate,   &cli_command_dump,     &cli_command_assemble,
    &cli_command_capture,     &cli_command_cache,    &cli_command_adapters,
    &cli_command_gpu_process, &cli_command_help,     NULL,
};

const struct cli_command *cli_command_find(const char *name)
{
    for (uint32_t i = 0; cli_commands[i] != NULL; i++) {
        if (strcmp(cli_commands[i]->name, name) == 0)
            return cli_commands[i];
    }
    return NULL;
}

static enum cli_exit run(const struct cli_command *command, int argc, char **argv)
{
    struct cli_arguments arguments = {0};
    enum cli_exit exit_status = CLI_EXIT_USAGE;
    if (cli_parse(command, argc, argv, &arguments)) {
        if (arguments.options.help) {
            cli_print_help(stdout, command);
            exit_status = CLI_EXIT_GOOD;
        } else {
            exit_status = command->run(&arguments);
        }
    }
    cli_arguments_fini(&arguments);
    return exit_status;
}

/* What is printed without a check at each call, a listing on a full disk say, is known to be lost here. */
static enum cli_exit flush_output(enum cli_exit exit_status)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return exit_status;
    cli_print_diag(NULL, &(struct agpu_diag){AGPU_DIAG_FILE_UNWRITABLE, AGPU_ERROR, AGPU_NO_PLACE,
                                             "cannot write standard output"});
    return cli_worse(exit_status, CLI_EXIT_UNWRITABLE);
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        cli_print_overview(stderr);
        return CLI_EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        cli_print_overview(stdout);
        return CLI_EXIT_GOOD;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("aerogpu %s\n", agpu_version_string());
        return CLI_EXIT_GOOD;
    }
    const struct cli_command *const command = cli_command_find(argv[1]);
    if (command == NULL) {
        cli_usage_error("there is no command '%s'; 'aerogpu --help' lists them", argv[1]);
        return CLI_EXIT_USAGE;
    }
    return (int)flush_output(run(command, argc - 2, argv + 2));
}
