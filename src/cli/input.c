/* SPDX-License-Identifier: MIT */
#include "cli/input.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/vec.h"

#define READ_BYTES ((size_t)1 << 16)
#define MOST_INPUT_BYTES ((size_t)1 << 30)

static bool read_stream(FILE *file, uint8_t **data, size_t *size)
{
    AG_VEC(uint8_t) bytes = {0};
    for (;;) {
        if (!ag_vec_reserve(&bytes, bytes.count + READ_BYTES + 1)) {
            errno = ENOMEM;
            break;
        }
        const size_t got = fread(bytes.data + bytes.count, 1, READ_BYTES, file);
        bytes.count += got;
        if (bytes.count > MOST_INPUT_BYTES) {
            errno = EFBIG;
            ag_vec_fini(&bytes);
            return false;
        }
        if (got < READ_BYTES)
            break;
    }
    if (bytes.data == NULL || ferror(file)) {
        ag_vec_fini(&bytes);
        return false;
    }
    bytes.data[bytes.count] = 0;
    *data = bytes.data;
    *size = bytes.count;
    return true;
}

bool cli_read_file(const char *path, const struct agpu_diag_sink *sink, uint8_t **data, size_t *size)
{
    const bool standard = strcmp(path, "-") == 0;
    errno = 0;
    FILE *const file = standard ? stdin : fopen(path, "rb");
    const bool good = file != NULL && read_stream(file, data, size);
    if (!good)
        ag_report(sink, AGPU_DIAG_FILE_UNREADABLE, AGPU_ERROR, ag_place_none(), "cannot read %s: %s",
                  standard ? "standard input" : path, strerror(errno));
    if (file != NULL && !standard)
        fclose(file);
    return good;
}

enum cli_exit cli_exit_of(enum agpu_status status, const struct cli_diags *diags)
{
    static const enum cli_exit exits[] = {
        [AGPU_OK] = CLI_EXIT_GOOD,         [AGPU_REFUSED] = CLI_EXIT_REFUSED,
        [AGPU_MISSING] = CLI_EXIT_MISSING, [AGPU_NO_MEMORY] = CLI_EXIT_FAULT,
        [AGPU_INTERNAL] = CLI_EXIT_FAULT,
    };
    if (status == AGPU_REFUSED && diags->fault)
        return CLI_EXIT_FAULT;
    return exits[status];
}

static enum cli_exit run_input(struct cli_input *input, cli_input_function work)
{
    const bool json = input->arguments->options.json;
    cli_diags_init(&input->diags, strcmp(input->path, "-") == 0 ? "<stdin>" : input->path);
    input->sink = cli_diags_sink(&input->diags);
    if (json)
        input->object = json_pack("{s:o}", "file", cli_json_text(input->path));

    enum cli_exit exit_status = CLI_EXIT_REFUSED;
    if (cli_read_file(input->path, &input->sink, &input->data, &input->size))
        exit_status = work(input);
    else if (json)
        json_object_set_new(input->object, "ok", json_false());

    if (json) {
        json_object_set(input->object, "diags", input->diags.list);
        if (!cli_print_json(input->object))
            exit_status = CLI_EXIT_UNWRITABLE;
    }
    exit_status = cli_diags_exit(&input->diags, exit_status);
    free(input->data);
    cli_diags_fini(&input->diags);
    return exit_status;
}

enum cli_exit cli_for_each_input(const struct cli_arguments *arguments, cli_input_function work, void *user)
{
    enum cli_exit worst = CLI_EXIT_GOOD;
    for (uint32_t i = 0; i < arguments->input_count; i++) {
        struct cli_input input = {.path = arguments->inputs[i], .arguments = arguments, .user = user};
        worst = cli_worse(worst, run_input(&input, work));
    }
    return worst;
}

char *cli_stem(const char *path)
{
    if (strcmp(path, "-") == 0)
        path = "stdin";
    const char *const slash = strrchr(path, '/');
    const char *const name = slash != NULL ? slash + 1 : path;
    const char *const dot = strrchr(name, '.');
    return strndup(name, dot != NULL && dot != name ? (size_t)(dot - name) : strlen(name));
}

char *cli_path(const char *folder, const char *stem, const char *suffix)
{
    const size_t length = strlen(folder);
    const char *const slash = length > 0 && folder[length - 1] == '/' ? "" : "/";
    const size_t size = length + strlen(stem) + strlen(suffix) + 2;
    char *const path = malloc(size);
    if (path != NULL)
        snprintf(path, size, "%s%s%s%s", folder, slash, stem, suffix);
    return path;
}

static bool is_directory(const char *path)
{
    struct stat info;
    const size_t length = strlen(path);
    return (length > 0 && path[length - 1] == '/') || (stat(path, &info) == 0 && S_ISDIR(info.st_mode));
}

char *cli_output_path(struct cli_input *input, const char *path, const char *extension)
{
    const bool several = input->arguments->input_count > 1;
    if (path == NULL || strcmp(path, "-") == 0)
        return strdup("-");
    if (!several && !is_directory(path))
        return strdup(path);
    if (!cli_make_directory(path, &input->sink))
        return NULL;
    char *const stem = cli_stem(input->path);
    char *const result = stem != NULL ? cli_path(path, stem, extension) : NULL;
    free(stem);
    return result;
}

enum cli_exit cli_write_result(struct cli_input *input, const char *path, const char *extension,
                               const void *data, size_t size)
{
    char *const target = cli_output_path(input, path, extension);
    const bool good = target != NULL && cli_write_file(target, data, size, &input->sink);
    free(target);
    return good ? CLI_EXIT_GOOD : CLI_EXIT_REFUSED;
}
