/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "aerogpu/text.h"
#include "base/bytes.h"
#include "cli/command.h"
#include "cli/input.h"
#include "cli/picture.h"

/* Files that the text names; they live until the stream is made. */
struct files {
    const struct cli_input *input;
    AG_VEC(void *) blocks;
};

/* `path` beside the text that names it; the caller frees it. */
static char *beside(const char *text_path, const char *path)
{
    const char *const slash = strrchr(text_path, '/');
    if (path[0] == '/' || slash == NULL)
        return strdup(path);
    const size_t folder = (size_t)(slash - text_path) + 1;
    char *const result = malloc(folder + strlen(path) + 1);
    if (result != NULL) {
        memcpy(result, text_path, folder);
        memcpy(result + folder, path, strlen(path) + 1);
    }
    return result;
}

static bool load(struct files *files, const char *path, bool picture, const uint8_t **data, size_t *size)
{
    void *block = NULL;
    if (picture) {
        struct cli_picture decoded;
        if (!cli_read_png(path, &decoded, &files->input->sink))
            return false;
        block = decoded.pixels;
        *size = (size_t)4 * decoded.width * decoded.height;
    } else {
        uint8_t *bytes;
        if (!cli_read_file(path, &files->input->sink, &bytes, size))
            return false;
        block = bytes;
    }
    if (!ag_vec_push(&files->blocks, block)) {
        free(block);
        ag_report_no_memory(&files->input->sink);
        return false;
    }
    *data = block;
    return true;
}

static bool read_named(void *user, const char *path, bool picture, struct agpu_place place,
                       const uint8_t **data, size_t *size)
{
    struct files *const files = user;
    (void)place; /* the assembler names the line that asked */
    char *const full = beside(files->input->path, path);
    const bool good = full != NULL && load(files, full, picture, data, size);
    free(full);
    return good;
}

static enum cli_exit assemble(struct cli_input *input)
{
    const struct cli_options *const options = &input->arguments->options;
    struct files files = {.input = input};
    const struct agpu_text_sources sources = {.file = read_named, .user = &files};
    uint8_t *data = NULL;
    size_t size = 0;
    const enum agpu_status status =
        agpu_text_assemble((const char *)input->data, input->size, &sources, &input->sink, &data, &size);
    enum cli_exit exit_status = cli_exit_of(status, &input->diags);
    if (input->object != NULL) {
        json_object_set_new(input->object, "ok", json_boolean(status == AGPU_OK));
        json_object_set_new(input->object, "bytes", json_integer((json_int_t)size));
    }
    if (status == AGPU_OK && (!options->json || options->output != NULL))
        exit_status = cli_write_result(input, options->output, ".acmd", data, size);
    agpu_free(data);
    for (size_t i = 0; i < files.blocks.count; i++)
        free(files.blocks.data[i]);
    ag_vec_fini(&files.blocks);
    return exit_status;
}

static enum cli_exit run(const struct cli_arguments *arguments)
{
    return cli_for_each_input(arguments, assemble, NULL);
}

static const struct cli_option options[] = {
    CLI_OPTION_OUTPUT("write the stream to this file, or into this directory"),
};

const struct cli_command cli_command_assemble = {
    .name = "assemble",
    .synopsis = "FILE...",
    .summary = "make a command stream from text",
    .description =
        "Makes raw ACMD streams from the text that 'aerogpu dump' prints. Files that the text names are "
        "looked for beside it.",
    .options = options,
    .option_count = AG_COUNT_OF(options),
    .least_inputs = 1,
    .most_inputs = UINT32_MAX,
    .run = run,
};
