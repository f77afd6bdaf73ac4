/* SPDX-License-Identifier: MIT */
#include "base/bytes.h"
#include "cli/command.h"
#include "cli/shader.h"

static enum cli_exit inform(struct cli_input *input)
{
    const struct cli_options *const options = &input->arguments->options;
    struct agpu_shader *shader = NULL;
    const enum agpu_status status = cli_shader_load(input, AGPU_PARSE_IGNORE_CHECKSUM, &shader);
    enum cli_exit exit_status = cli_exit_of(status, &input->diags);
    if (status == AGPU_OK && !options->json) {
        struct ag_strbuf text = {0};
        cli_shader_describe(shader, input->diags.file, &text);
        exit_status = cli_write_result(input, options->output, ".txt", ag_strbuf_text(&text), text.length);
        ag_strbuf_fini(&text);
    }
    agpu_shader_destroy(shader);
    return exit_status;
}

static enum cli_exit run(const struct cli_arguments *arguments)
{
    return cli_for_each_input(arguments, inform, NULL);
}

static const struct cli_option options[] = {
    CLI_OPTION_OUTPUT("write the summary to this file, or into this directory"),
    {"tokens", 0, CLI_FLAG, CLI_OPTION_VALUE(tokens), NULL, "the input is a bare token stream", NULL},
    CLI_OPTION_SIGNATURES,
};

const struct cli_command cli_command_info = {
    .name = "info",
    .synopsis = "FILE...",
    .summary = "summarise a DXBC shader",
    .description =
        "Tells stage, model, chunks, signatures, constant buffers with their variables, resources, flags and "
        "features, what the stage declares, and counts of instructions of DXBC shaders.",
    .options = options,
    .option_count = AG_COUNT_OF(options),
    .least_inputs = 1,
    .most_inputs = UINT32_MAX,
    .run = run,
};
