/* SPDX-License-Identifier: MIT */
#include "cli/output.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "aerogpu/abi/pci.h"
#include "base/strbuf.h"

static const struct {
    const char *name;
    const char *colour;
} severities[] = {
    [AGPU_NOTE] = {"note",    "\033[36m"  },
    [AGPU_WARNING] = {"warning", "\033[35m"  },
    [AGPU_ERROR] = {"error",   "\033[1;31m"},
};

static bool terminal(void)
{
    return isatty(STDERR_FILENO) == 1;
}

static void wipe_progress(void)
{
    if (terminal())
        fputs("\r\033[K", stderr);
}

void cli_progress(const char *format, ...)
{
    if (!terminal())
        return;
    wipe_progress();
    if (format != NULL) {
        va_list arguments;
        va_start(arguments, format);
        vfprintf(stderr, format, arguments);
        va_end(arguments);
    }
    fflush(stderr);
}

static void print_place(const char *file, const struct agpu_place *place)
{
    if (file != NULL)
        fprintf(stderr, "%s:", file);
    if (place->line != 0)
        fprintf(stderr, "%" PRIu32 ":%" PRIu32 ":", place->line, place->column);
    else if (place->offset != AGPU_DIAG_NO_OFFSET)
        fprintf(stderr, "+%" PRIu64 ":", place->offset);
    fputc(' ', stderr);
}

/* A problem of a scene has the line of its packet; its message tells the packet and the fence. */
static void print_packet(const struct agpu_diag *diag)
{
    const struct agpu_place *place = &diag->place;
    if (place->line != 0)
        return;
    if (place->submission != AGPU_DIAG_NO_INDEX)
        fprintf(stderr, " (submission %" PRIu32, place->submission);
    if (place->packet != AGPU_DIAG_NO_INDEX)
        fprintf(stderr, "%s packet %" PRIu32, place->submission != AGPU_DIAG_NO_INDEX ? "," : " (",
                place->packet);
    if (place->packet != AGPU_DIAG_NO_INDEX && diag->packet_name != NULL)
        fprintf(stderr, " %s", diag->packet_name);
    if (place->submission != AGPU_DIAG_NO_INDEX || place->packet != AGPU_DIAG_NO_INDEX)
        fputc(')', stderr);
}

void cli_print_diag(const char *file, const struct agpu_diag *diag)
{
    const bool colours = terminal();
    wipe_progress();
    print_place(file != NULL ? file : "aerogpu", &diag->place);
    fprintf(stderr, "%s%s%s: %s: %s", colours ? severities[diag->severity].colour : "",
            severities[diag->severity].name, colours ? "\033[0m" : "", agpu_diag_slug(diag->code),
            diag->message);
    print_packet(diag);
    fputc('\n', stderr);
}

bool cli_usage_error(const char *format, ...)
{
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    cli_print_diag(NULL, &(struct agpu_diag){AGPU_DIAG_CLI_USAGE, AGPU_ERROR, AGPU_NO_PLACE, message});
    return false;
}

static json_t *index_json(uint32_t index)
{
    return index == AGPU_DIAG_NO_INDEX ? json_null() : json_integer(index);
}

json_t *cli_json_text(const char *text)
{
    if (text == NULL)
        return json_null();
    json_t *const string = json_string(text);
    if (string != NULL)
        return string;
    /* Not UTF-8: names in shaders are bytes. Each byte becomes the character of its number. */
    struct ag_strbuf utf8 = {0};
    for (const unsigned char *byte = (const unsigned char *)text; *byte != 0; byte++) {
        if (*byte >= 0x80)
            ag_strbuf_append_char(&utf8, (char)(0xc0 | *byte >> 6));
        ag_strbuf_append_char(&utf8, (char)(*byte < 0x80 ? *byte : 0x80 | (*byte & 0x3f)));
    }
    json_t *const latin = json_string(ag_strbuf_text(&utf8));
    ag_strbuf_fini(&utf8);
    return latin;
}

json_t *cli_diag_json(const struct agpu_diag *diag)
{
    const struct agpu_place *const place = &diag->place;
    return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "code", agpu_diag_slug(diag->code),
                     "severity", severities[diag->severity].name, "message", cli_json_text(diag->message),
                     "line", place->line == 0 ? json_null() : json_integer(place->line), "col",
                     place->column == 0 ? json_null() : json_integer(place->column), "offset",
                     place->offset == AGPU_DIAG_NO_OFFSET ? json_null()
                                                          : json_integer((json_int_t)place->offset),
                     "submission", index_json(place->submission), "packet", index_json(place->packet),
                     "packet_name", cli_json_text(diag->packet_name));
}

static void collect(void *user, const struct agpu_diag *diag)
{
    struct cli_diags *const diags = user;
    cli_print_diag(diags->file, diag);
    json_array_append_new(diags->list, cli_diag_json(diag));
    if (diag->severity != AGPU_ERROR)
        return;
    diags->errors++;
    if (agpu_diag_error_register(diag->code) == AEROGPU_ERROR_INTERNAL || diag->code == AGPU_DIAG_GPU_LOST ||
        diag->code == AGPU_DIAG_SCENE_TIMEOUT)
        diags->fault = true;
    if (diag->code == AGPU_DIAG_FILE_UNWRITABLE || diag->code == AGPU_DIAG_CAPTURE_UNWRITABLE)
        diags->unwritable = true;
}

void cli_diags_init(struct cli_diags *diags, const char *file)
{
    *diags = (struct cli_diags){.file = file, .list = json_array()};
}

void cli_diags_fini(struct cli_diags *diags)
{
    json_decref(diags->list);
}

enum cli_exit cli_diags_exit(const struct cli_diags *diags, enum cli_exit status)
{
    return diags->unwritable ? cli_worse(status, CLI_EXIT_UNWRITABLE) : status;
}

struct agpu_diag_sink cli_diags_sink(struct cli_diags *diags)
{
    return (struct agpu_diag_sink){collect, diags};
}

bool cli_print_json(json_t *object)
{
    const bool good = object != NULL &&
                      json_dumpf(object, stdout, JSON_COMPACT | JSON_REAL_PRECISION(9)) == 0 &&
                      fputc('\n', stdout) != EOF && fflush(stdout) == 0;
    json_decref(object);
    return good;
}

static bool unwritable(const char *path, const struct agpu_diag_sink *sink)
{
    ag_report(sink, AGPU_DIAG_FILE_UNWRITABLE, AGPU_ERROR, ag_place_none(), "cannot write %s: %s", path,
              strerror(errno));
    return false;
}

bool cli_write_file(const char *path, const void *data, size_t size, const struct agpu_diag_sink *sink)
{
    const bool standard = strcmp(path, "-") == 0;
    FILE *const file = standard ? stdout : fopen(path, "wb");
    if (file == NULL)
        return unwritable(path, sink);
    bool good = size == 0 || fwrite(data, 1, size, file) == size;
    good = (standard ? fflush(file) : fclose(file)) == 0 && good;
    return good || unwritable(standard ? "standard output" : path, sink);
}

bool cli_make_directory(const char *path, const struct agpu_diag_sink *sink)
{
    struct stat info;
    if (stat(path, &info) == 0 && S_ISDIR(info.st_mode))
        return true;
    char *const copy = strdup(path);
    if (copy == NULL)
        return ag_report_no_memory(sink) == AGPU_OK;
    bool good = true;
    for (char *slash = copy + 1; good && *slash != '\0'; slash++) {
        if (*slash != '/')
            continue;
        *slash = '\0';
        good = mkdir(copy, 0777) == 0 || errno == EEXIST;
        *slash = '/';
    }
    good = good && (mkdir(copy, 0777) == 0 || errno == EEXIST);
    free(copy);
    return good || unwritable(path, sink);
}
