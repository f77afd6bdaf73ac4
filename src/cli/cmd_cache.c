/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/diag.h"
#include "cli/cache.h"
#include "cli/command.h"
#include "cli/input.h"
#include "cli/output.h"

/* What can be done with a cache. */
static const struct action {
    const char *word;
    enum agpu_status (*run)(const char *path, const struct agpu_diag_sink *sink,
                            struct agpu_cache_folder_info *info);
    const char *result;
} actions[] = {
    {"info",  agpu_cache_folder_inspect, "entries"        },
    {"clear", agpu_cache_folder_clear,   "entries removed"},
};

static bool show(const struct cli_options *options, const char *folder, const struct action *action,
                 const struct agpu_cache_folder_info *info)
{
    if (!options->json)
        return printf("%s: %" PRIu64 " %s, %" PRIu64 " bytes\n", folder != NULL ? folder : "no cache",
                      info->entries, action->result, info->bytes) >= 0;
    json_t *const object = json_pack("{s:o, s:I, s:I}", "folder", cli_json_text(folder), "entries",
                                     (json_int_t)info->entries, "bytes", (json_int_t)info->bytes);
    return cli_print_json(object);
}

static enum cli_exit run(const struct cli_arguments *arguments)
{
    const struct cli_options *const options = &arguments->options;
    const struct action *action = NULL;
    struct agpu_cache_folder_info info = {0};
    struct cli_diags diags;
    char *folder = NULL;
    for (size_t i = 0; i < AG_COUNT_OF(actions); i++)
        if (strcmp(arguments->inputs[0], actions[i].word) == 0)
            action = &actions[i];
    if (action == NULL) {
        cli_usage_error("cache: '%s' is none of info and clear", arguments->inputs[0]);
        return CLI_EXIT_USAGE;
    }
    cli_diags_init(&diags, NULL);
    const struct agpu_diag_sink sink = cli_diags_sink(&diags);
    enum agpu_status status = cli_cache_folder(options, &sink, &folder);
    if (status == AGPU_OK && folder != NULL)
        status = action->run(folder, &sink, &info);
    enum cli_exit exit_status = status == AGPU_OK ? CLI_EXIT_GOOD : cli_exit_of(status, &diags);
    if (status == AGPU_OK && !show(options, folder, action, &info))
        exit_status = CLI_EXIT_UNWRITABLE;
    exit_status = cli_diags_exit(&diags, exit_status);
    cli_diags_fini(&diags);
    free(folder);
    return exit_status;
}

static const struct cli_option options[] = {CLI_OPTION_CACHE};

const struct cli_command cli_command_cache = {
    .name = "cache",
    .synopsis = "info|clear",
    .summary = "show or empty the persistent cache",
    .description =
        "The cache keeps translations of shaders, and what WebGPU and drivers have compiled, from one "
        "run to the next. Its folder is that of --cache, of the environment's AEROGPU_CACHE, or aerogpu "
        "in XDG_CACHE_HOME or ~/.cache; an empty --cache or AEROGPU_CACHE is no cache. info counts its "
        "entries, clear removes them, which is safe at any time.",
    .options = options,
    .option_count = AG_COUNT_OF(options),
    .least_inputs = 1,
    .most_inputs = 1,
    .run = run,
};
