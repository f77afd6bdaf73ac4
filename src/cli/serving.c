/* SPDX-License-Identifier: MIT */
#include "cli/serving.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "cli/cache.h"
#include "cli/driver.h"
#include "cli/input.h"
#include "cli/picture.h"

/* A client can cause as many diagnostics as it likes. */
#define MOST_DIAGS 64u

/* ---- Clients ------------------------------------------------------------------------------------------ */

/* Under the lock. Null when out of memory. */
static struct cli_served_client *client_of(struct cli_serving *serving, uint32_t number)
{
    for (size_t i = 0; i < serving->clients.count; i++)
        if (serving->clients.data[i]->number == number)
            return serving->clients.data[i];
    struct cli_served_client *const client = calloc(1, sizeof *client);
    if (client == NULL || !ag_vec_push(&serving->clients, client)) {
        free(client);
        return NULL;
    }
    client->number = number;
    return client;
}

static void forget(struct cli_serving *serving, struct cli_served_client *client)
{
    for (size_t i = 0; i < serving->clients.count; i++)
        if (serving->clients.data[i] == client)
            serving->clients.data[i] = serving->clients.data[--serving->clients.count];
    ag_vec_fini(&client->windows);
    free(client->capture_path);
    free(client);
}

static void fail(struct cli_serving *serving, enum agpu_status status)
{
    if (status != AGPU_OK)
        serving->exit_status = cli_worse(serving->exit_status, cli_exit_of(status, &serving->diags));
}

static void say(const struct cli_serving *serving, uint32_t number, const char *text)
{
    if (serving->options->log)
        fprintf(stderr, "aerogpu: device %" PRIu32 ": %s\n", number, text);
}

/* ---- Files -------------------------------------------------------------------------------------------- */

/* FILE for the first device, FILE-2 and so on for others, in front of the extension. */
static char *capture_path(const char *path, uint32_t number)
{
    struct ag_strbuf text = {0};
    const char *const slash = strrchr(path, '/');
    const char *const dot = strrchr(slash != NULL ? slash : path, '.');
    const size_t length = dot != NULL ? (size_t)(dot - path) : strlen(path);
    ag_strbuf_append_bytes(&text, path, length);
    if (number != 1)
        ag_strbuf_printf(&text, "-%" PRIu32, number);
    ag_strbuf_append(&text, path + length);
    return ag_strbuf_steal(&text);
}

/* The number of a window of a device, from 1, and of its next picture, from 0. */
static bool count_frame(struct cli_served_client *client, uint32_t swap_chain, uint32_t *window,
                        uint32_t *frame)
{
    size_t i = 0;
    while (i < client->windows.count && client->windows.data[i].swap_chain != swap_chain)
        i++;
    if (i == client->windows.count && !ag_vec_push(&client->windows, ((struct cli_window){swap_chain, 0})))
        return false;
    *window = (uint32_t)i + 1;
    *frame = client->windows.data[i].frames++;
    return true;
}

static char *picture_path(const struct cli_serving *serving, uint32_t number, uint32_t window, uint32_t frame)
{
    struct ag_strbuf name = {0};
    if (number != 1)
        ag_strbuf_printf(&name, "-device%" PRIu32, number);
    if (window != 1)
        ag_strbuf_printf(&name, "-window%" PRIu32, window);
    ag_strbuf_printf(&name, "-%" PRIu32 ".png", frame);
    char *const path =
        name.failed ? NULL : cli_path(serving->options->output, serving->stem, ag_strbuf_text(&name));
    ag_strbuf_fini(&name);
    return path;
}

/* ---- What the server tells ---------------------------------------------------------------------------- */

static const struct agpu_device_tap *on_began(void *user, uint32_t number,
                                              const struct agpu_adapter_info *info)
{
    struct cli_serving *const serving = user;
    const struct agpu_device_tap *tap = NULL;
    pthread_mutex_lock(&serving->lock);
    struct cli_served_client *const client = client_of(serving, number);
    say(serving, number, info->name);
    if (client != NULL && serving->options->capture != NULL) {
        client->capture_path = capture_path(serving->options->capture, number);
        const enum agpu_status status =
            client->capture_path == NULL
                ? ag_report_no_memory(&serving->sink)
                : cli_recording_begin(&client->recording, client->capture_path, info, &serving->sink);
        fail(serving, status);
        tap = status == AGPU_OK ? cli_recording_tap(&client->recording) : NULL;
    }
    pthread_mutex_unlock(&serving->lock);
    return tap;
}

static bool looks(void *user, uint32_t number)
{
    const struct cli_serving *const serving = user;
    (void)number;
    return serving->options->output != NULL && !atomic_load(&serving->done);
}

/* Takes a present, and says where its picture goes: null for nowhere. Under the lock. */
static char *take_present(struct cli_serving *serving, uint32_t number, const struct agpu_present *present)
{
    const uint32_t most = serving->options->frames;
    struct cli_served_client *const client = client_of(serving, number);
    uint32_t window, frame;
    if (most != 0 && serving->presents >= most)
        return NULL;
    serving->presents++;
    if (most != 0 && serving->presents == most) {
        atomic_store(&serving->done, true);
        ag_server_wake(serving->server);
    }
    if (serving->options->output == NULL || present->pixels == NULL)
        return NULL;
    char *const path = client != NULL && count_frame(client, present->swap_chain, &window, &frame)
                           ? picture_path(serving, number, window, frame)
                           : NULL;
    if (path == NULL)
        fail(serving, ag_report_no_memory(&serving->sink));
    return path;
}

/* The picture is compressed without the lock. */
static void on_presented(void *user, uint32_t number, const struct agpu_present *present)
{
    struct cli_serving *const serving = user;
    pthread_mutex_lock(&serving->lock);
    char *const path = take_present(serving, number, present);
    pthread_mutex_unlock(&serving->lock);
    if (path == NULL)
        return;
    const bool good = cli_write_png(path, present->pixels, present->width, present->height, &serving->sink);
    pthread_mutex_lock(&serving->lock);
    if (!good)
        serving->exit_status = cli_worse(serving->exit_status, CLI_EXIT_UNWRITABLE);
    pthread_mutex_unlock(&serving->lock);
    free(path);
}

static void on_report(void *user, uint32_t number, const struct agpu_diag *diag)
{
    struct cli_serving *const serving = user;
    char name[32];
    snprintf(name, sizeof name, "device %" PRIu32, number);
    pthread_mutex_lock(&serving->lock);
    struct cli_served_client *const client = client_of(serving, number);
    const uint32_t count = client != NULL ? client->diag_count++ : 0;
    if (count < MOST_DIAGS)
        cli_print_diag(name, diag);
    else if (count == MOST_DIAGS)
        fprintf(stderr, "aerogpu: %s: what it does wrong from now on is not printed\n", name);
    pthread_mutex_unlock(&serving->lock);
}

static void on_ended(void *user, uint32_t number, const struct ag_served *served)
{
    struct cli_serving *const serving = user;
    pthread_mutex_lock(&serving->lock);
    struct cli_served_client *const client = client_of(serving, number);
    if (serving->options->log)
        fprintf(stderr, "aerogpu: device %" PRIu32 ": gone after %" PRIu64 " presents\n", number,
                served->presents);
    if (client != NULL && client->recording.file != NULL)
        fail(serving, cli_recording_end(&client->recording, &serving->sink));
    if (client != NULL)
        forget(serving, client);
    pthread_mutex_unlock(&serving->lock);
}

/* ---- Life --------------------------------------------------------------------------------------------- */

/* What the server and the writers of files say, on any thread, with the lock or without. */
static void report(void *user, const struct agpu_diag *diag)
{
    struct cli_serving *const serving = user;
    const struct agpu_diag_sink sink = cli_diags_sink(&serving->diags);
    pthread_mutex_lock(&serving->lock);
    sink.report(sink.user, diag);
    pthread_mutex_unlock(&serving->lock);
}

static void init_lock(pthread_mutex_t *lock)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(lock, &attributes);
    pthread_mutexattr_destroy(&attributes);
}

enum cli_exit cli_serving_open(struct cli_serving *serving, const struct cli_options *options,
                               const char *folder, const char *stem)
{
    *serving = (struct cli_serving){.options = options, .stem = stem};
    cli_diags_init(&serving->diags, NULL);
    serving->sink = (struct agpu_diag_sink){report, serving};
    init_lock(&serving->lock);
    enum agpu_driver driver;
    if (!cli_driver_wanted(options, &serving->sink, &driver))
        return CLI_EXIT_USAGE;
    if (options->output != NULL && !cli_make_directory(options->output, &serving->sink))
        return CLI_EXIT_UNWRITABLE;
    enum agpu_status status = cli_cache_open(options, &serving->sink, &serving->cache);
    if (status != AGPU_OK)
        return cli_exit_of(status, &serving->diags);
    cli_driver_select(driver);
    const bool wants_tap = options->capture != NULL || options->log;
    struct agpu_gpu_options gpu = cli_gpu_options(options, driver);
    gpu.cache = serving->cache;
    const struct ag_server_options server = {
        .socket_path = options->socket,
        .folder = folder,
        .gpu = gpu,
        .executor = {.size = sizeof server.executor,
                     .check_packets = options->check_packets,
                     .gpu_timeout_ms = options->gpu_limit_ms,
                     .turn_ms = AGPU_NO_TURN, /* a client's contexts are those of one program */
                     .cache = serving->cache},
        .process = options->process,
        .program = "/proc/self/exe",
        .show_windows = options->window,
        .client_count = options->clients,
        .client_bytes = (uint64_t)options->client_memory << 20,
        .events = { .began = wants_tap ? on_began : NULL,
                     .presented = on_presented,
                     .looks = looks,
                     .report = on_report,
                     .ended = on_ended,
                     .user = serving},
    };
    status = ag_server_create(&server, &serving->sink, &serving->server);
    return status == AGPU_OK ? CLI_EXIT_GOOD : cli_exit_of(status, &serving->diags);
}

void cli_serving_step(struct cli_serving *serving, int timeout_ms)
{
    ag_server_step(serving->server, timeout_ms);
}

enum cli_exit cli_serving_close(struct cli_serving *serving)
{
    ag_server_destroy(serving->server);
    agpu_cache_destroy(serving->cache);
    const enum cli_exit exit_status = cli_diags_exit(&serving->diags, serving->exit_status);
    while (serving->clients.count != 0)
        forget(serving, serving->clients.data[0]);
    ag_vec_fini(&serving->clients);
    pthread_mutex_destroy(&serving->lock);
    cli_diags_fini(&serving->diags);
    return exit_status;
}
