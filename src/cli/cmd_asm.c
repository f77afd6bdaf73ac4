/* SPDX-License-Identifier: MIT */
#include "base/bytes.h"
#include "cli/command.h"
#include "cli/shader.h"

static enum cli_exit write_signatures(struct cli_input *input, const struct agpu_shader *shader)
{
    char *text = NULL;
    size_t length = 0;
    const enum agpu_status status = agpu_signatures_write(shader, &input->sink, &text, &length);
    const enum cli_exit exit_status =
        status == AGPU_OK
            ? cli_write_result(input, input->arguments->options.signatures, ".signatures", text, length)
            : cli_exit_of(status, &input->diags);
    agpu_free(text);
    return exit_status;
}

/* Parses what was made, for its stage and, with --tokens, for the program inside the container. */
static enum cli_exit write_shader(struct cli_input *input, const uint8_t *bytes, size_t size)
{
    const struct cli_options *const options = &input->arguments->options;
    struct agpu_shader *shader = NULL;
    const enum agpu_status status =
        agpu_shader_parse(bytes, size, AGPU_PARSE_IGNORE_CHECKSUM, &input->sink, &shader);
    if (status != AGPU_OK)
        return cli_exit_of(status, &input->diags);
    const void *result = options->tokens ? (const void *)shader->program.tokens : bytes;
    const size_t result_size = options->tokens ? sizeof(uint32_t) * shader->program.token_count : size;
    if (input->object != NULL) {
        cli_shader_stage_json(input->object, shader);
        json_object_set_new(input->object, "bytes", json_integer((json_int_t)result_size));
    }
    enum cli_exit exit_status = CLI_EXIT_GOOD;
    if (!options->json || options->output != NULL)
        exit_status = cli_write_result(input, options->output, ".dxbc", result, result_size);
    if (options->signatures != NULL)
        exit_status = cli_worse(exit_status, write_signatures(input, shader));
    agpu_shader_destroy(shader);
    return exit_status;
}

static enum cli_exit assemble(struct cli_input *input)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    const enum agpu_status status =
        agpu_assemble((const char *)input->data, input->size, &input->sink, &bytes, &size);
    enum cli_exit exit_status = cli_exit_of(status, &input->diags);
    if (status == AGPU_OK)
        exit_status = write_shader(input, bytes, size);
    if (input->object != NULL)
        json_object_set_new(input->object, "ok", json_boolean(exit_status == CLI_EXIT_GOOD));
    agpu_free(bytes);
    return exit_status;
}

static enum cli_exit run(const struct cli_arguments *arguments)
{
    return cli_for_each_input(arguments, assemble, NULL);
}

static const struct cli_option options[] = {
    CLI_OPTION_OUTPUT("write the shader to this file, or into this directory"),
    {"tokens",     0, CLI_FLAG, CLI_OPTION_VALUE(tokens),     NULL,   "write the bare token stream, without container",
                                                               NULL                                                                                                                   },
    {"signatures", 0, CLI_TEXT, CLI_OPTION_VALUE(signatures), "PATH",
                                                               "write the signatures as .in, .out and .patch lines to this file, or into this directory",                         NULL},
};

const struct cli_command cli_command_asm = {
    .name = "asm",
    .synopsis = "FILE...",
    .summary = "make a DXBC shader from its listing",
    .description =
        "Makes DXBC shaders from listings as 'aerogpu disasm' prints them. A listing made with --full gives "
        "back the same bytes.",
    .options = options,
    .option_count = AG_COUNT_OF(options),
    .least_inputs = 1,
    .most_inputs = UINT32_MAX,
    .run = run,
};
