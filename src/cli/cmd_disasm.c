/* SPDX-License-Identifier: MIT */

#include "base/bytes.h"
#include "cli/command.h"
#include "cli/shader.h"

static enum cli_exit disassemble(struct cli_input *input)
{
    const struct cli_options *const options = &input->arguments->options;
    struct agpu_shader *shader = NULL;
    enum agpu_status status = cli_shader_load(input, AGPU_PARSE_IGNORE_CHECKSUM, &shader);
    if (status != AGPU_OK)
        return cli_exit_of(status, &input->diags);

    const uint32_t flags = (options->full ? (uint32_t)AGPU_DISASM_FULL : 0) |
                           (options->offsets ? (uint32_t)AGPU_DISASM_OFFSETS : 0) |
                           (options->raw ? (uint32_t)AGPU_DISASM_RAW : 0);
    char *text = NULL;
    size_t length = 0;
    status = agpu_disassemble(shader, flags, &input->sink, &text, &length);
    enum cli_exit exit_status = cli_exit_of(status, &input->diags);
    if (status == AGPU_OK && options->json)
        json_object_set_new(input->object, "text", cli_json_text(text));
    if (status == AGPU_OK && (!options->json || options->output != NULL))
        exit_status = cli_write_result(input, options->output, ".asm", text, length);
    agpu_free(text);
    agpu_shader_destroy(shader);
    return exit_status;
}

static enum cli_exit run(const struct cli_arguments *arguments)
{
    return cli_for_each_input(arguments, disassemble, NULL);
}

static const struct cli_option options[] = {
    CLI_OPTION_OUTPUT("write the listing to this file, or into this directory"),
    {"full",    0, CLI_FLAG, CLI_OPTION_VALUE(full),    NULL, "list everything that is needed to rebuild the file",
                                                                NULL                                                                                                               },
    {"offsets", 0, CLI_FLAG, CLI_OPTION_VALUE(offsets), NULL, "show token offsets",                                 NULL},
    {"raw",     0, CLI_FLAG, CLI_OPTION_VALUE(raw),     NULL, "show the tokens of each line",                       NULL},
    {"tokens",  0, CLI_FLAG, CLI_OPTION_VALUE(tokens),  NULL, "the input is a bare token stream",                   NULL},
    CLI_OPTION_SIGNATURES,
};

const struct cli_command cli_command_disasm = {
    .name = "disasm",
    .synopsis = "FILE...",
    .summary = "list the instructions of a DXBC shader",
    .description =
        "Lists the declarations and instructions of DXBC shaders, shader models 4.0 to 5.1. A wrong "
        "checksum is a warning.",
    .options = options,
    .option_count = AG_COUNT_OF(options),
    .least_inputs = 1,
    .most_inputs = UINT32_MAX,
    .run = run,
};
