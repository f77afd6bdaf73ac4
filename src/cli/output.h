/* SPDX-License-Identifier: MIT
 *
 * Diagnostics on standard error and in JSON, and results on standard output or in files.
 */
#ifndef AG_CLI_OUTPUT_H
#define AG_CLI_OUTPUT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"
#include "cli/command.h"

/* Collects what is said about one input while it prints it. */
struct cli_diags {
    const char *file; /* as the messages name it */
    json_t *list;     /* array of diagnostic objects */
    uint32_t errors;
    bool fault;      /* an error that is our own fault was among them */
    bool unwritable; /* an output could not be written */
};

void cli_diags_init(struct cli_diags *diags, const char *file);
void cli_diags_fini(struct cli_diags *diags);

/* The exit status of work that ended with `status` and said what `diags` heard: CLI_EXIT_UNWRITABLE where an
 * output could not be written. */
enum cli_exit cli_diags_exit(const struct cli_diags *diags, enum cli_exit status);

/* The sink that feeds `diags`. */
struct agpu_diag_sink cli_diags_sink(struct cli_diags *diags);

/* Any text as a JSON string, null as JSON's null. */
json_t *cli_json_text(const char *text);

/* A diagnostic as JSON; null when out of memory. */
json_t *cli_diag_json(const struct agpu_diag *diag);

/* Prints one diagnostic as `file:line:col: severity: code: text`. `file` may be null. */
void cli_print_diag(const char *file, const struct agpu_diag *diag);

/* A message about the command line itself. Returns false, so that parsers can `return` it. */
bool cli_usage_error(const char *format, ...) AG_PRINTF(1, 2);

/* Prints one object, compactly, on one line of standard output, and releases it. False when it cannot be
 * written. */
bool cli_print_json(json_t *object);

/* A line that tells a person at a terminal how far we are; nothing when standard error is no terminal.
 * The next diagnostic, or null, wipes it. */
void cli_progress(const char *format, ...) AG_PRINTF(1, 2);

/* Writes a whole file; "-" is standard output. Reports base.file-unwritable. */
bool cli_write_file(const char *path, const void *data, size_t size, const struct agpu_diag_sink *sink);

/* Makes a directory and those above it. Reports base.file-unwritable. */
bool cli_make_directory(const char *path, const struct agpu_diag_sink *sink);

#endif
