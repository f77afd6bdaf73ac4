/* SPDX-License-Identifier: MIT
 *
 *     oracle opcodes DRIVER [--seed N] [--only MNEMONIC] [--print]
 *     oracle random DRIVER [--seed N] [--count N] [--seconds N] [--save FOLDER] [--print]
 *
 * Exit status: 0 agreement, 1 a difference, 2 wrong usage, 77 the driver is not installed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle.h"

static int usage(void)
{
    fputs("usage: oracle opcodes DRIVER [--seed N] [--only MNEMONIC] [--print]\n"
          "       oracle random DRIVER [--seed N] [--count N] [--seconds N] [--save FOLDER] [--print]\n",
          stderr);
    return 2;
}

static bool read_options(int argc, char **argv, struct oracle_options *options)
{
    for (int i = 3; i < argc; i++) {
        if (strcmp(argv[i], "--print") == 0) {
            options->print = true;
            continue;
        }
        if (i + 1 == argc)
            return false;
        const char *name = argv[i], *value = argv[++i];
        if (strcmp(name, "--seed") == 0)
            options->seed = strtoull(value, NULL, 0);
        else if (strcmp(name, "--count") == 0)
            options->count = (uint32_t)strtoul(value, NULL, 0);
        else if (strcmp(name, "--seconds") == 0)
            options->seconds = (uint32_t)strtoul(value, NULL, 0);
        else if (strcmp(name, "--only") == 0)
            options->only = value;
        else if (strcmp(name, "--save") == 0)
            options->save = value;
        else
            return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    enum agpu_driver driver;
    struct agpu_gpu *gpu = NULL;
    struct diag_log log;
    struct oracle_options options = {.seed = 1};
    if (argc < 3 || !agpu_driver_from_name(argv[2], &driver) || !read_options(argc, argv, &options))
        return usage();
    const bool opcodes = strcmp(argv[1], "opcodes") == 0;
    if (!opcodes && strcmp(argv[1], "random") != 0)
        return usage();
    const int opened = fixture_open(driver, &log, &gpu);
    if (opened != 0)
        return opened;
    const int result = opcodes ? oracle_opcodes(gpu, &options) : oracle_programs(gpu, &options);
    if (log.count != 0)
        printf("%s\n", log.message);
    agpu_gpu_destroy(gpu);
    return result != 0 || log.count != 0;
}
