/* SPDX-License-Identifier: MIT
 *
 * `aerogpu run PROGRAM.exe`: a Windows program under Wine, and a server for its devices in this process.
 */
#ifndef AG_CLI_PROGRAM_H
#define AG_CLI_PROGRAM_H

#include "cli/command.h"

/* Whether a file is a program for Windows. */
bool cli_is_program(const char *path);

/* Runs it; all inputs but the first are its arguments. Returns the status with which the program ended. */
enum cli_exit cli_run_program(const struct cli_arguments *arguments);

#endif
