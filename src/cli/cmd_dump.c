/* SPDX-License-Identifier: MIT */

#include "aerogpu/text.h"
#include "base/bytes.h"
#include "cli/command.h"
#include "cli/dump_ring.h"
#include "cli/input.h"

static enum cli_exit dump_structures(struct cli_input *input)
{
    const struct cli_options *const options = &input->arguments->options;
    struct ag_strbuf text = {0};
    enum cli_exit exit_status = cli_dump_ring_data(input, &text);
    if (options->json) {
        json_object_set_new(input->object, "ok", json_boolean(exit_status == CLI_EXIT_GOOD));
        json_object_set_new(input->object, "text", cli_json_text(ag_strbuf_text(&text)));
    }
    if (!options->json || options->output != NULL) {
        const enum cli_exit written =
            cli_write_result(input, options->output, ".txt", ag_strbuf_text(&text), text.length);
        exit_status = exit_status > written ? exit_status : written;
    }
    ag_strbuf_fini(&text);
    return exit_status;
}

static enum cli_exit dump(struct cli_input *input)
{
    if (cli_is_ring_data(input))
        return dump_structures(input);
    const struct cli_options *const options = &input->arguments->options;
    const struct cli_range range = options->packets;
    const struct agpu_text_dump_options dump_options = {
        .first_packet = range.first,
        .packet_count = range.last == UINT32_MAX ? 0 : range.last - range.first + 1,
        .offsets = options->offsets,
    };
    char *text = NULL;
    size_t length = 0;
    const enum agpu_status status =
        agpu_text_dump(input->data, input->size, &dump_options, &input->sink, &text, &length);
    enum cli_exit exit_status = cli_exit_of(status, &input->diags);
    if (options->json) {
        json_object_set_new(input->object, "ok", json_boolean(status == AGPU_OK));
        json_object_set_new(input->object, "text", cli_json_text(text));
    }
    if (status == AGPU_OK && (!options->json || options->output != NULL))
        exit_status = cli_write_result(input, options->output, ".txt", text, length);
    agpu_free(text);
    return exit_status;
}

static enum cli_exit run(const struct cli_arguments *arguments)
{
    return cli_for_each_input(arguments, dump, NULL);
}

static const struct cli_option options[] = {
    CLI_OPTION_OUTPUT("write the text to this file, or into this directory"),
    {"packets", 0, CLI_RANGE, CLI_OPTION_VALUE(packets), "A..B", "print only these packets, counted from 0",
                                                             NULL                                                                                                        },
    {"offsets", 0, CLI_FLAG,  CLI_OPTION_VALUE(offsets), NULL,
                                                             "comment each packet with its number and offset",                                                       NULL},
};

const struct cli_command cli_command_dump = {
    .name = "dump",
    .synopsis = "FILE...",
    .summary = "print a command stream, descriptor or allocation table as text",
    .description =
        "Prints raw ACMD streams as text, one packet a line. 'aerogpu assemble' turns the text back into "
        "the same bytes. Allocation tables and rings, told by their magic, and submission descriptors, "
        "which begin with their size, are printed as one line for each structure.",
    .options = options,
    .option_count = AG_COUNT_OF(options),
    .least_inputs = 1,
    .most_inputs = UINT32_MAX,
    .run = run,
};
