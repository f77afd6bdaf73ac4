/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "cli/child.h"
#include "cli/command.h"
#include "cli/driver.h"
#include "cli/pipeline.h"
#include "cli/reflect.h"
#include "cli/shader.h"
#include "wgsl/primitive_index.h"

enum validation {
    VALIDATE_MODULE = 1 << 0,
    VALIDATE_PIPELINE = 1 << 1,
};

static const char *const validation_words[] = {"module", "pipeline", NULL};

/* A sink that turns places inside the program into places inside the file. */
struct relocation {
    const struct agpu_diag_sink *to;
    uint64_t program_offset;          /* of the token stream in the file */
    const struct agpu_module *module; /* places are WGSL lines; null: they are token stream offsets */
};

static uint64_t program_offset(const struct agpu_shader *shader)
{
    for (uint32_t i = 0; i < shader->chunk_count; i++) {
        const uint32_t fourcc = shader->chunks[i].fourcc;
        if (fourcc == AGPU_FOURCC('S', 'H', 'D', 'R') || fourcc == AGPU_FOURCC('S', 'H', 'E', 'X'))
            return shader->chunks[i].offset;
    }
    return 0;
}

static void report_relocated(void *user, const struct agpu_diag *diag)
{
    const struct relocation *const relocation = user;
    if (relocation->module == NULL || diag->place.line == 0) {
        struct agpu_place place = diag->place;
        if (place.offset != AGPU_DIAG_NO_OFFSET)
            place.offset += relocation->program_offset;
        ag_report(relocation->to, diag->code, diag->severity, place, "%s", diag->message);
        return;
    }
    const uint32_t line = diag->place.line;
    const uint32_t *const offsets = relocation->module->line_offsets;
    struct agpu_place place = ag_place_none();
    if (line <= relocation->module->line_count && offsets[line - 1] != UINT32_MAX)
        place = ag_place_offset(relocation->program_offset + sizeof(uint32_t) * (uint64_t)offsets[line - 1]);
    ag_report(relocation->to, diag->code, diag->severity, place, "WGSL line %u column %u: %s", line,
              diag->place.column, diag->message);
}

/* ---- Validation --------------------------------------------------------------------------------------- */

static enum cli_exit validate_module(struct cli_input *input, struct relocation *relocation,
                                     const struct agpu_module *module)
{
    const struct cli_session *const session = input->user;
    const struct agpu_diag_sink sink = {report_relocated, relocation};
    struct agpu_adapter_info info = {0};
    agpu_gpu_info(session->gpu, &info);
    const char *const missing = cli_missing_need(module->needs, &info);
    /* Which number a primitive has is for no compiler to know: any flat input is as good. */
    const uint32_t others = module->needs & ~(uint32_t)AGPU_NEED_PRIMITIVE_INDEX;
    const bool replaces = missing != NULL && cli_missing_need(others, &info) == NULL;
    if (missing != NULL && !replaces) {
        ag_report(&input->sink, AGPU_DIAG_GPU_FEATURE, AGPU_WARNING, ag_place_none(),
                  "not checked: the module needs the feature %s, which this WebGPU library lacks", missing);
        return CLI_EXIT_MISSING;
    }
    relocation->module = module;
    if (!replaces)
        return cli_exit_of(agpu_gpu_check_wgsl(session->gpu, module->wgsl, module->wgsl_length, &sink),
                           &input->diags);
    char *const text = ag_wgsl_replace_primitive_index(module);
    const enum agpu_status status = text == NULL
                                        ? ag_report_no_memory(&input->sink)
                                        : agpu_gpu_check_wgsl(session->gpu, text, strlen(text), &sink);
    free(text);
    return cli_exit_of(status, &input->diags);
}

static enum cli_exit validate_pipeline(struct cli_input *input, const struct agpu_module *module)
{
    enum agpu_driver driver;
    if (!cli_driver_wanted(&input->arguments->options, &input->sink, &driver))
        return CLI_EXIT_USAGE;
    return cli_pipeline_check(module, driver, &input->arguments->options, &input->sink);
}

static enum cli_exit validate(struct cli_input *input, struct relocation *relocation,
                              const struct agpu_module *module)
{
    const uint32_t wanted = input->arguments->options.validate;
    enum cli_exit exit_status = CLI_EXIT_GOOD;
    if ((wanted & VALIDATE_MODULE) != 0)
        exit_status = validate_module(input, relocation, module);
    if ((wanted & VALIDATE_PIPELINE) != 0 && exit_status == CLI_EXIT_GOOD)
        exit_status = validate_pipeline(input, module);
    return exit_status;
}

/* ---- Output ------------------------------------------------------------------------------------------- */

static enum cli_exit write_reflection(struct cli_input *input, const struct agpu_module *module)
{
    const char *const path = input->arguments->options.reflect;
    if (path == NULL)
        return CLI_EXIT_GOOD;
    json_t *const object = json_object();
    json_object_set_new(object, "file", cli_json_text(input->path));
    cli_reflect(object, module);
    char *const text = json_dumps(object, JSON_INDENT(2));
    json_decref(object);
    if (text == NULL)
        return cli_exit_of(ag_report_no_memory(&input->sink), &input->diags);
    const enum cli_exit exit_status = cli_write_result(input, path, ".json", text, strlen(text));
    free(text);
    return exit_status;
}

static json_t *statistics_of(const struct agpu_module *module, const struct agpu_shader *shader)
{
    struct agpu_module_statistics statistics;
    agpu_module_count(module, shader, &statistics);
    json_t *const object = json_object();
    json_object_set_new(object, "instructions", json_integer(statistics.instructions));
    json_object_set_new(object, "lines", json_integer(statistics.lines));
    json_object_set_new(object, "bitcasts", json_integer(statistics.bitcasts));
    json_object_set_new(object, "bytes", json_integer((json_int_t)statistics.bytes));
    return object;
}

static enum cli_exit write_module(struct cli_input *input, const struct agpu_module *module,
                                  const struct agpu_shader *shader)
{
    const struct cli_options *const options = &input->arguments->options;
    if (options->json) {
        cli_reflect(input->object, module);
        json_object_set_new(input->object, "statistics", statistics_of(module, shader));
        json_object_set_new(input->object, "wgsl", cli_json_text(module->wgsl));
    }
    enum cli_exit exit_status = CLI_EXIT_GOOD;
    if (options->output != NULL || !options->json)
        exit_status = cli_write_result(input, options->output, ".wgsl", module->wgsl, module->wgsl_length);
    return cli_worse(exit_status, write_reflection(input, module));
}

/* ---- Translation -------------------------------------------------------------------------------------- */

static enum cli_exit translate_shader(struct cli_input *input, const struct agpu_shader *shader)
{
    const struct cli_options *const options = &input->arguments->options;
    struct relocation relocation = {.to = &input->sink, .program_offset = program_offset(shader)};
    const struct agpu_diag_sink sink = {report_relocated, &relocation};
    const struct agpu_translate_options translate_options = {
        .flavour = (enum agpu_flavour)options->flavour,
        .annotate = options->annotate,
    };
    struct agpu_module *module = NULL;
    const enum agpu_status status = agpu_translate(shader, &translate_options, &sink, &module);
    enum cli_exit exit_status = cli_exit_of(status, &input->diags);
    if (status == AGPU_OK) {
        exit_status = write_module(input, module, shader);
        exit_status = cli_worse(exit_status, validate(input, &relocation, module));
    }
    agpu_module_destroy(module);
    return exit_status;
}

static enum cli_exit translate(struct cli_input *input)
{
    struct cli_session *const session = input->user;
    const uint32_t flags = input->arguments->options.tokens ? AGPU_PARSE_TOKENS : AGPU_PARSE_DEFAULT;
    struct agpu_shader *shader = NULL;
    session->current = &input->sink;
    const enum agpu_status status = agpu_shader_parse(input->data, input->size, flags, &input->sink, &shader);
    enum cli_exit exit_status = cli_exit_of(status, &input->diags);
    if (status == AGPU_OK)
        exit_status = translate_shader(input, shader);
    agpu_shader_destroy(shader);
    if (input->object != NULL)
        json_object_set_new(input->object, "ok", json_boolean(input->diags.errors == 0));
    session->current = NULL;
    return exit_status;
}

static enum cli_exit run(const struct cli_arguments *arguments)
{
    struct cli_session session = {0};
    const struct agpu_gpu_options checker = {.driver = AGPU_DRIVER_NULL,
                                             .library = arguments->options.library};
    if ((arguments->options.validate & VALIDATE_MODULE) != 0 &&
        cli_session_open(&session, &checker) != AGPU_OK)
        return CLI_EXIT_MISSING;
    const enum cli_exit exit_status = cli_for_each_input(arguments, translate, &session);
    cli_session_close(&session);
    return exit_status;
}

static const struct cli_option options[] = {
    CLI_OPTION_OUTPUT("write the WGSL to this file, or into this directory"),
    {"reflect",  0, CLI_TEXT,  CLI_OPTION_VALUE(reflect),  "PATH",
                                                             "write what pipelines need to know as JSON to this file, or into this directory",                       NULL            },
    {"annotate", 0, CLI_FLAG,  CLI_OPTION_VALUE(annotate), NULL,   "comment the WGSL with the instructions",
                                                             NULL                                                                                                                    },
    {"flavour",  0, CLI_WORD,  CLI_OPTION_VALUE(flavour),  "NAME", "what the entry point is used as",
                                                             cli_flavour_names                                                                                                       },
    {"validate", 0, CLI_WORDS, CLI_OPTION_VALUE(validate), "WHAT",
                                                             "let Dawn check the module, or create a pipeline on a driver",                                          validation_words},
    {"tokens",   0, CLI_FLAG,  CLI_OPTION_VALUE(tokens),   NULL,   "the input is a bare token stream",       NULL            },
    CLI_OPTION_DRIVER,
    CLI_OPTION_LIBRARY,
};

const struct cli_command cli_command_translate = {
    .name = "translate",
    .synopsis = "FILE...",
    .summary = "translate DXBC shaders to WGSL",
    .description = "Translates DXBC shaders to WGSL, one module per shader. A shader that cannot be "
                   "expressed is refused "
                   "with the offset of the instruction in its way.",
    .options = options,
    .option_count = AG_COUNT_OF(options),
    .least_inputs = 1,
    .most_inputs = UINT32_MAX,
    .run = run,
};
