/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "base/bytes.h"
#include "cli/child.h"
#include "cli/command.h"
#include "cli/driver.h"
#include "cli/output.h"

#define LISTING_MS 60000

/* What one driver's child works on. */
struct listing {
    const struct cli_options *options;
    enum agpu_driver driver;
    json_t *adapters; /* array */
    const char *library;
};

static json_t *features_json(const struct agpu_adapter_info *info)
{
    json_t *const list = json_array();
    for (uint32_t i = 0; i < info->feature_count; i++)
        json_array_append_new(list, json_string(info->features[i]));
    return list;
}

static json_t *limits_json(const struct agpu_adapter_info *info)
{
    json_t *const limits = json_object();
    for (uint32_t i = 0; i < info->limit_count; i++)
        json_object_set_new(limits, info->limits[i].name, json_integer((json_int_t)info->limits[i].value));
    return limits;
}

static void visit(void *user, const struct agpu_adapter_info *info)
{
    json_t *const adapters = user;
    json_array_append_new(adapters,
                          json_pack("{s:o, s:s, s:s, s:s, s:o, s:o}", "name", cli_json_text(info->name),
                                    "driver", info->driver, "backend", info->backend, "library",
                                    info->library != NULL ? info->library : "", "features",
                                    features_json(info), "limits", limits_json(info)));
}

/* In the child: the adapters of one driver, or the status as a number. */
static json_t *list_driver(void *user)
{
    const struct listing *const listing = user;
    struct cli_diags diags;
    cli_diags_init(&diags, agpu_driver_name(listing->driver));
    const struct agpu_diag_sink sink = cli_diags_sink(&diags);
    json_t *const adapters = json_array();
    cli_driver_select(listing->driver);
    const struct agpu_gpu_options options = {.driver = listing->driver, .library = listing->options->library};
    const enum agpu_status status = agpu_gpu_list_adapters(&options, &sink, visit, adapters);
    return json_pack("{s:i, s:o, s:o}", "status", (int)status, "adapters", adapters, "diags", diags.list);
}

static enum cli_exit child_failed(enum cli_child_result result, enum agpu_driver driver)
{
    char message[128];
    snprintf(message, sizeof message, "listing its adapters %s",
             result == CLI_CHILD_TIMED_OUT ? "took too long" : "crashed");
    cli_print_diag(agpu_driver_name(driver),
                   &(struct agpu_diag){AGPU_DIAG_CLI_CHILD, AGPU_WARNING, AGPU_NO_PLACE, message});
    return CLI_EXIT_GOOD;
}

static void print_adapter(const json_t *adapter)
{
    printf("%-12s %s (%s)\n", json_string_value(json_object_get(adapter, "driver")),
           json_string_value(json_object_get(adapter, "name")),
           json_string_value(json_object_get(adapter, "backend")));
    const json_t *features = json_object_get(adapter, "features");
    if (json_array_size(features) == 0)
        printf("             no features");
    for (size_t i = 0; i < json_array_size(features); i++)
        printf("%s%s", i == 0 ? "             " : ", ", json_string_value(json_array_get(features, i)));
    fputc('\n', stdout);
}

/* Adds the adapters of one driver to `all`. */
static enum cli_exit list_in_child(struct listing *listing, json_t *all)
{
    json_t *result;
    int signal_number;
    const enum cli_child_result outcome =
        cli_child_run(list_driver, listing, LISTING_MS, &result, &signal_number);
    if (outcome != CLI_CHILD_DONE || result == NULL)
        return child_failed(outcome, listing->driver);
    const enum cli_exit exit_status =
        json_integer_value(json_object_get(result, "status")) == AGPU_OK ? CLI_EXIT_GOOD : CLI_EXIT_MISSING;
    json_array_extend(all, json_object_get(result, "adapters"));
    json_decref(result);
    return exit_status;
}

static enum cli_exit run(const struct cli_arguments *arguments)
{
    const struct cli_options *const options = &arguments->options;
    json_t *const adapters = json_array();
    enum cli_exit exit_status = CLI_EXIT_GOOD;
    for (int i = AGPU_DRIVER_DEFAULT + 1; i <= AGPU_DRIVER_NULL && exit_status == CLI_EXIT_GOOD; i++) {
        struct listing listing = {.options = options, .driver = (enum agpu_driver)i};
        if (options->driver == AGPU_DRIVER_DEFAULT || options->driver == listing.driver)
            exit_status = list_in_child(&listing, adapters);
    }
    const json_t *const library = json_object_get(json_array_get(adapters, 0), "library");
    if (options->json) {
        json_t *const name = library != NULL ? json_copy((json_t *)(uintptr_t)library) : json_null();
        cli_print_json(json_pack("{s:o, s:o}", "library", name, "adapters", adapters));
        return exit_status;
    }
    if (library != NULL)
        printf("library      %s\n", json_string_value(library));
    for (size_t i = 0; i < json_array_size(adapters); i++)
        print_adapter(json_array_get(adapters, i));
    json_decref(adapters);
    return exit_status;
}

static const struct cli_option options[] = {
    {"driver", 0, CLI_DRIVER, CLI_OPTION_VALUE(driver), "NAME", "list this driver only", NULL},
    CLI_OPTION_LIBRARY,
};

const struct cli_command cli_command_adapters = {
    .name = "adapters",
    .synopsis = "",
    .summary = "list the WebGPU adapters of this machine",
    .description =
        "Lists the WebGPU library that is found, and for every driver its adapters with the WebGPU "
        "features that AeroGPU can use. The driver null checks calls and executes none: it has no features.",
    .options = options,
    .option_count = AG_COUNT_OF(options),
    .least_inputs = 0,
    .most_inputs = 0,
    .run = run,
};
