/* SPDX-License-Identifier: MIT */
#include "base/bytes.h"
#include "cli/command.h"
#include "cli/shader.h"

static enum cli_exit validate(struct cli_input *input)
{
    struct agpu_shader *shader = NULL;
    enum agpu_status status = cli_shader_load(input, AGPU_PARSE_DEFAULT, &shader);
    if (status == AGPU_OK)
        status = agpu_validate(shader, &input->sink);
    if (input->object != NULL)
        json_object_set_new(input->object, "ok", json_boolean(status == AGPU_OK));
    agpu_shader_destroy(shader);
    return cli_exit_of(status, &input->diags);
}

static enum cli_exit run(const struct cli_arguments *arguments)
{
    return cli_for_each_input(arguments, validate, NULL);
}

static const struct cli_option options[] = {
    {"tokens", 0, CLI_FLAG, CLI_OPTION_VALUE(tokens), NULL, "the input is a bare token stream", NULL},
    CLI_OPTION_SIGNATURES,
};

const struct cli_command cli_command_validate = {
    .name = "validate",
    .synopsis = "FILE...",
    .summary = "check a DXBC shader",
    .description =
        "Checks containers, checksums, chunks, signatures and every token of DXBC shaders, and what the "
        "Direct3D runtime refuses: docs/validation.md. Prints nothing when all is well.",
    .options = options,
    .option_count = AG_COUNT_OF(options),
    .least_inputs = 1,
    .most_inputs = UINT32_MAX,
    .run = run,
};
