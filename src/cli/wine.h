/* SPDX-License-Identifier: MIT
 *
 * Wine, and a prefix of our own in which Windows programs find our Direct3D.
 */
#ifndef AG_CLI_WINE_H
#define AG_CLI_WINE_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/diag.h"

struct cli_wine {
    char *loader;    /* the program that starts Windows programs */
    char *prefix;    /* the directory that is drive C and the registry */
    char *overrides; /* WINEDLLOVERRIDES: our DLLs before Wine's */
};

/* Finds Wine (AEROGPU_WINE, else the usual places) and the DLLs (`dlls`, else AEROGPU_DLLS, else beside the
 * tool), makes the prefix in the user's cache folder where there is none, and puts the DLLs into the prefix.
 * `has_32_bits`: for a program of 32 bits, too. Takes ten seconds the first time. AGPU_MISSING (cli.missing)
 * says which packages have what is not there. */
enum agpu_status cli_wine_prepare(struct cli_wine *wine, const char *dlls, bool has_32_bits,
                                  const struct agpu_diag_sink *sink);
void cli_wine_fini(struct cli_wine *wine);

/* Starts a Windows program whose Direct3D finds its server in `folder`. `arguments` end with a null pointer,
 * the first of them the program. It ends when this process does. -1 when there are no processes left. */
pid_t cli_wine_start(const struct cli_wine *wine, const char *const *arguments, const char *folder);

#endif
