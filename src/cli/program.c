/* SPDX-License-Identifier: MIT */
#include "cli/program.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "aerogpu/abi/shared.h"
#include "base/bytes.h"
#include "base/clock.h"
#include "base/diag.h"
#include "cli/input.h"
#include "cli/serving.h"
#include "cli/wine.h"

#define FOLDER_NAME "aerogpu-run-"
/* Between two looks at the program. */
#define LOOK_MS 20
/* How long devices may take to finish after the program has ended. */
#define FINISH_NS (UINT64_C(4) * 1000000000)

bool cli_is_program(const char *path)
{
    char magic[2] = "";
    struct stat status;
    /* What a pipe has said cannot be read again. */
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return false;
    FILE *const file = fopen(path, "rb");
    if (file == NULL)
        return false;
    const bool is = fread(magic, 1, sizeof magic, file) == sizeof magic && memcmp(magic, "MZ", 2) == 0;
    fclose(file);
    return is;
}

/* IMAGE_FILE_MACHINE_I386 */
#define MACHINE_I386 0x014Cu
/* Where the header of DOS says that the other header begins, which has the machine behind its magic. */
#define HEADER_OFFSET 0x3C

static bool has_32_bits(const char *path)
{
    uint8_t bytes[6] = {0};
    FILE *const file = fopen(path, "rb");
    if (file == NULL)
        return false;
    bool good = fseek(file, HEADER_OFFSET, SEEK_SET) == 0 && fread(bytes, 1, 4, file) == 4 &&
                fseek(file, (long)ag_load_u32(bytes), SEEK_SET) == 0 &&
                fread(bytes, 1, sizeof bytes, file) == sizeof bytes;
    fclose(file);
    return good && memcmp(bytes, "PE\0\0", 4) == 0 && ag_load_u16(bytes + 4) == MACHINE_I386;
}

/* ---- Where the program finds the server --------------------------------------------------------------- */

struct place {
    char base[512], folder[600];
};

static void find_base(struct place *place)
{
    struct stat status;
    const char *const runtime = getenv("XDG_RUNTIME_DIR");
    const char *const shared = "/dev/shm";
    const char *const found = runtime != NULL && stat(runtime, &status) == 0 ? runtime
                              : stat(shared, &status) == 0                   ? shared
                                                                             : "/tmp";
    snprintf(place->base, sizeof place->base, "%s", found);
    snprintf(place->folder, sizeof place->folder, "%s/" FOLDER_NAME "%ld", place->base, (long)getpid());
}

/* Removes the folder of a process that was killed: the FIFO, and names of clients that came at that moment.
 */
static void remove_folder(const char *path)
{
    DIR *const list = opendir(path);
    if (list == NULL)
        return;
    for (const struct dirent *entry = readdir(list); entry != NULL; entry = readdir(list))
        if (entry->d_name[0] != '.')
            unlinkat(dirfd(list), entry->d_name, 0);
    closedir(list);
    rmdir(path);
}

static void remove_old_folders(const struct place *place)
{
    DIR *const list = opendir(place->base);
    if (list == NULL)
        return;
    for (const struct dirent *entry = readdir(list); entry != NULL; entry = readdir(list)) {
        char *end = NULL, path[1024];
        if (strncmp(entry->d_name, FOLDER_NAME, strlen(FOLDER_NAME)) != 0)
            continue;
        const long pid = strtol(entry->d_name + strlen(FOLDER_NAME), &end, 10);
        snprintf(path, sizeof path, "%s/%.255s", place->base, entry->d_name);
        if (*end == '\0' && pid > 0 && kill((pid_t)pid, 0) != 0 && errno == ESRCH)
            remove_folder(path);
    }
    closedir(list);
}

/* ---- Running ------------------------------------------------------------------------------------------ */

/* How a program came to its end. */
struct ending {
    int status; /* of waitpid() */
    bool by_frames, by_time;
};

static struct ending serve_program(struct cli_serving *serving, pid_t child)
{
    const uint32_t timeout_ms = serving->options->timeout_ms;
    const uint64_t end = timeout_ms != 0 ? ag_clock_ns() + UINT64_C(1000000) * timeout_ms : UINT64_MAX;
    struct ending ending = {0};
    while (waitpid(child, &ending.status, WNOHANG) == 0) {
        cli_serving_step(serving, LOOK_MS);
        ending.by_frames = atomic_load(&serving->done);
        ending.by_time = !ending.by_frames && ag_clock_ns() >= end;
        if (ending.by_frames || ending.by_time)
            kill(child, SIGKILL);
    }
    /* Wine closes what the program had open some moments later. */
    const uint64_t last = ag_clock_ns() + FINISH_NS;
    while (ag_server_clients(serving->server) != 0 && ag_clock_ns() < last)
        cli_serving_step(serving, LOOK_MS);
    return ending;
}

static int status_of(const struct ending *ending, const struct cli_serving *serving)
{
    if (ending->by_frames)
        return CLI_EXIT_GOOD;
    if (ending->by_time) {
        ag_report(&serving->sink, AGPU_DIAG_SCENE_TIMEOUT, AGPU_ERROR, ag_place_none(),
                  "the program is not done in time");
        return CLI_EXIT_FAULT;
    }
    return WIFSIGNALED(ending->status) ? 128 + WTERMSIG(ending->status) : WEXITSTATUS(ending->status);
}

static bool print_report(const struct cli_arguments *arguments, const struct cli_serving *serving, int status)
{
    if (!arguments->options.json)
        return true;
    return cli_print_json(json_pack("{s:o, s:s, s:i, s:I, s:I, s:O}", "file",
                                    cli_json_text(arguments->inputs[0]), "result",
                                    status == 0 ? "passed" : "failed", "exit_status", status, "devices",
                                    (json_int_t)ag_server_served(serving->server), "presents",
                                    (json_int_t)serving->presents, "diags", serving->diags.list));
}

/* The server is there before the program, which ends before the server. */
static int run_with(const struct cli_arguments *arguments, const struct cli_wine *wine, const char *stem)
{
    struct place place;
    struct cli_serving serving;
    struct cli_options options = arguments->options;
    const char *const display = getenv("DISPLAY");
    options.window |= display != NULL && *display != '\0';
    find_base(&place);
    remove_old_folders(&place);
    const char **const words = calloc(arguments->input_count + 2, sizeof *words);
    int status = (int)cli_serving_open(&serving, &options, place.folder, stem);
    if (words == NULL) {
        ag_report_no_memory(&serving.sink);
        status = CLI_EXIT_FAULT;
    } else if (status == CLI_EXIT_GOOD) {
        words[0] = wine->loader;
        memcpy(words + 1, arguments->inputs, arguments->input_count * sizeof *words);
        const pid_t child = cli_wine_start(wine, words, place.folder);
        struct ending ending = {0};
        if (child > 0)
            ending = serve_program(&serving, child);
        else
            ag_report(&serving.sink, AGPU_DIAG_CLI_MISSING, AGPU_ERROR, ag_place_none(),
                      "%s cannot be started", wine->loader);
        status = child > 0 ? status_of(&ending, &serving) : CLI_EXIT_FAULT;
        if (!print_report(arguments, &serving, status))
            status = CLI_EXIT_UNWRITABLE;
    }
    free(words);
    const enum cli_exit closed = cli_serving_close(&serving);
    return status != 0 ? status : (int)closed;
}

enum cli_exit cli_run_program(const struct cli_arguments *arguments)
{
    struct cli_wine wine;
    struct cli_diags diags;
    cli_diags_init(&diags, NULL);
    const struct agpu_diag_sink sink = cli_diags_sink(&diags);
    const enum agpu_status prepared =
        cli_wine_prepare(&wine, arguments->options.dlls, has_32_bits(arguments->inputs[0]), &sink);
    char *const stem = cli_stem(arguments->inputs[0]);
    if (stem == NULL)
        ag_report_no_memory(&sink);
    int status = stem != NULL ? (int)cli_exit_of(prepared, &diags) : CLI_EXIT_FAULT;
    if (prepared == AGPU_OK && stem != NULL)
        status = run_with(arguments, &wine, stem);
    free(stem);
    cli_wine_fini(&wine);
    cli_diags_fini(&diags);
    return (enum cli_exit)status;
}
