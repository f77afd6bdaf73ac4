/* SPDX-License-Identifier: MIT
 *
 * Input files, and the loop over them that the commands share.
 */
#ifndef AG_CLI_INPUT_H
#define AG_CLI_INPUT_H

#include "cli/command.h"
#include "cli/output.h"

/* One input of a command and what came of it. */
struct cli_input {
    const char *path; /* as given; "-" is standard input */
    const struct cli_arguments *arguments;
    void *user;    /* what the command shares between its inputs */
    uint8_t *data; /* `size` bytes and a NUL behind them */
    size_t size;
    struct cli_diags diags;
    struct agpu_diag_sink sink; /* feeds diags */
    json_t *object; /* with --json: the command adds its fields; file and diags are there already */
};

/* Works on one input; data has been read. */
typedef enum cli_exit (*cli_input_function)(struct cli_input *input);

/* Reads every input, calls `work` for it, prints its JSON object and gives the worst exit status. */
enum cli_exit cli_for_each_input(const struct cli_arguments *arguments, cli_input_function work, void *user);

/* What a status of the library means for the exit status, given what was reported. */
enum cli_exit cli_exit_of(enum agpu_status status, const struct cli_diags *diags);

/* Reads a whole file; "-" is standard input. The caller frees *data with free(). */
bool cli_read_file(const char *path, const struct agpu_diag_sink *sink, uint8_t **data, size_t *size);

/* The name of a file without folders and last extension; the caller frees it. Null when out of memory. */
char *cli_stem(const char *path);

/* FOLDER/STEMSUFFIX; the caller frees it. Null when out of memory. */
char *cli_path(const char *folder, const char *stem, const char *suffix);

/* Where the result of `input` goes: `path` itself, or a file named after the input with `extension` when
 * `path` is a directory, ends with a slash or stands for several inputs. Null stands for standard output. The
 * caller frees it. Null when out of memory or when the directory cannot be made (reported). */
char *cli_output_path(struct cli_input *input, const char *path, const char *extension);

/* Writes a result to where cli_output_path() says. */
enum cli_exit cli_write_result(struct cli_input *input, const char *path, const char *extension,
                               const void *data, size_t size);

#endif
