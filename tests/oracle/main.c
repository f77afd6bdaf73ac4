/* SPDX-License-Identifier: MIT
 *
 *     oracle opcodes DRIVER [--seed N] [--only MNEMONIC] [--part N --parts N] [--print]
 *     oracle formats DRIVER [--print]
 *     oracle random DRIVER [--first N] [--count N] [--seconds N] [--invocations N] [--textures] [--states]
 *         [--save FOLDER] [--print]
 *     oracle replay DRIVER --file FILE [--invocations N] [--states] [--print]
 *     oracle shaders DRIVER [--seed N] [--only TEXT] [--known FILE] [--part N --parts N]
 *         [--invocations N] [--filters] [--print] PATH...|--shared SOURCE_ROOT
 *
 * Exit status: 0 agreement, 1 a difference, 2 wrong usage, 77 the driver is not installed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle.h"

static const struct {
    const char *name, *usage;
    int (*run)(struct agpu_gpu *gpu, const struct oracle_options *options);
} tests[] = {
    {"opcodes", "DRIVER [--seed N] [--only MNEMONIC] [--part N --parts N] [--print]", oracle_opcodes },
    {"formats", "DRIVER [--print]",                                                   oracle_formats },
    {"random",
     "DRIVER [--first N] [--count N] [--seconds N] [--invocations N] [--textures] [--states] [--save FOLDER] "
     "[--print]",                                                                     oracle_programs},
    {"replay",  "DRIVER --file FILE [--invocations N] [--states] [--print]",          oracle_replay  },
    {"shaders",
     "DRIVER [--seed N] [--only TEXT] [--known FILE] [--part N --parts N] [--invocations N] [--filters] "
     "[--print] "
     "PATH...|--shared "
     "SOURCE_ROOT",                                                                   NULL           }, /* has children */
};

static int usage(void)
{
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
        fprintf(stderr, "%s oracle %s %s\n", i == 0 ? "usage:" : "      ", tests[i].name, tests[i].usage);
    return 2;
}

static bool read_options(int argc, char **argv, struct oracle_options *options)
{
    for (int i = 3; i < argc; i++) {
        if (strcmp(argv[i], "--print") == 0) {
            options->print = true;
            continue;
        }
        if (strcmp(argv[i], "--states") == 0) {
            options->states = true;
            continue;
        }
        if (strcmp(argv[i], "--textures") == 0) {
            options->textures = true;
            continue;
        }
        if (strcmp(argv[i], "--filters") == 0) {
            options->filters = true;
            continue;
        }
        if (argv[i][0] != '-') { /* the rest */
            options->paths = (const char *const *)&argv[i];
            options->path_count = (uint32_t)(argc - i);
            break;
        }
        if (i + 1 == argc)
            return false;
        const char *name = argv[i], *value = argv[++i];
        if (strcmp(name, "--seed") == 0)
            options->seed = strtoull(value, NULL, 0);
        else if (strcmp(name, "--first") == 0)
            options->first = strtoull(value, NULL, 0);
        else if (strcmp(name, "--count") == 0)
            options->count = (uint32_t)strtoul(value, NULL, 0);
        else if (strcmp(name, "--seconds") == 0)
            options->seconds = (uint32_t)strtoul(value, NULL, 0);
        else if (strcmp(name, "--invocations") == 0)
            options->invocations = (uint32_t)strtoul(value, NULL, 0);
        else if (strcmp(name, "--only") == 0)
            options->only = value;
        else if (strcmp(name, "--known") == 0)
            options->known = value;
        else if (strcmp(name, "--shared") == 0)
            options->shared = value;
        else if (strcmp(name, "--part") == 0)
            options->part = (uint32_t)strtoul(value, NULL, 0);
        else if (strcmp(name, "--parts") == 0)
            options->parts = (uint32_t)strtoul(value, NULL, 0);
        else if (strcmp(name, "--file") == 0)
            options->file = value;
        else if (strcmp(name, "--save") == 0)
            options->save = value;
        else
            return false;
    }
    return options->parts != 0;
}

int main(int argc, char **argv)
{
    enum agpu_driver driver;
    struct agpu_gpu *gpu = NULL;
    struct diag_log log;
    struct oracle_options options = {.seed = 1, .parts = 1};
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    if (argc < 3 || !agpu_driver_from_name(argv[2], &driver) || !read_options(argc, argv, &options))
        return usage();
    size_t test = 0;
    while (test < sizeof tests / sizeof tests[0] && strcmp(argv[1], tests[test].name) != 0)
        test++;
    if (test == sizeof tests / sizeof tests[0] || (tests[test].run == oracle_replay && options.file == NULL))
        return usage();
    if (tests[test].run == NULL)
        return options.path_count == 0 && options.shared == NULL ? usage() : oracle_shaders(driver, &options);
    const int opened = fixture_open(driver, &log, &gpu);
    if (opened != 0)
        return opened;
    const int result = tests[test].run(gpu, &options);
    if (log.count != 0)
        printf("%s\n", log.message);
    agpu_gpu_destroy(gpu);
    return result != 0 || log.count != 0;
}
