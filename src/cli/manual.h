/* SPDX-License-Identifier: MIT
 *
 * Help texts and the man page, made from the command table and its option tables.
 */
#ifndef AG_CLI_MANUAL_H
#define AG_CLI_MANUAL_H

#include <stdio.h>

#include "cli/command.h"

void cli_print_overview(FILE *to);
void cli_print_help(FILE *to, const struct cli_command *command);

/* The whole manual as roff, for man(1). */
void cli_print_man_page(FILE *to);

#endif
