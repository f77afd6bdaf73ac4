/* SPDX-License-Identifier: MIT */
#include "serve/client.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "aerogpu/process_executor.h"
#include "base/bytes.h"
#include "base/clock.h"
#include "base/diag.h"

/* How long the thread looks for work before it sleeps, and how long it sleeps between looks at a GPU that
 * works: longer each time. */
#define SPIN_NS 20000
#define FIRST_PAUSE_NS 20000
#define LONGEST_PAUSE_NS 500000
/* The longest sleep of all, after which a client that never came is noticed. */
#define IDLE_NS 1000000000
/* How long the work of a client that is gone may take, whose last frames somebody may want to see. */
#define DRAIN_NS (UINT64_C(2) * 1000000000)

/* ---- What the device calls ---------------------------------------------------------------------------- */

static void on_presented(void *user, const struct agpu_present *present)
{
    struct ag_client *const client = user;
    const struct ag_server_events *const events = &client->options->events;
    client->served.presents++;
    if (events->presented != NULL)
        events->presented(events->user, client->number, present);
}

static bool looks(void *user)
{
    const struct ag_client *const client = user;
    const struct ag_server_events *const events = &client->options->events;
    return events->presented != NULL &&
           (events->looks == NULL || events->looks(events->user, client->number));
}

static void on_diag(void *user, const struct agpu_diag *diag)
{
    const struct ag_client *const client = user;
    const struct ag_server_events *const events = &client->options->events;
    events->report(events->user, client->number, diag);
}

static uint64_t now_ns(void *user)
{
    (void)user;
    return ag_clock_ns();
}

static struct agpu_diag_sink sink_of(struct ag_client *client)
{
    return (struct agpu_diag_sink){on_diag, client};
}

/* ---- Opening ------------------------------------------------------------------------------------------ */

static enum agpu_status open_process(struct ag_client *client, struct agpu_adapter_info *info)
{
    const struct ag_server_options *const options = client->options;
    const struct agpu_diag_sink sink = sink_of(client);
    const struct agpu_guest_region region = {
        .gpa = AEROGPU_SHARED_MEMORY_OFFSET,
        .size = client->mapping.size - AEROGPU_SHARED_MEMORY_OFFSET,
        .descriptor = client->mapping.descriptor,
        .offset = AEROGPU_SHARED_MEMORY_OFFSET,
    };
    const struct agpu_process_executor_options process = {
        .size = sizeof process,
        .program = options->program,
        .gpu = &options->gpu,
        .executor = &options->executor,
        .regions = &region,
        .region_count = options->events.began == NULL, /* a tap hears of no access there */
    };
    enum agpu_status status = agpu_process_executor_create(&process, &sink, &client->executor);
    if (status == AGPU_OK)
        status = agpu_process_executor_wait(client->executor, AGPU_NO_TIMEOUT);
    return status == AGPU_OK && !agpu_process_executor_info(client->executor, info) ? AGPU_INTERNAL : status;
}

static enum agpu_status open_here(struct ag_client *client, struct agpu_adapter_info *info)
{
    const struct agpu_diag_sink sink = sink_of(client);
    pthread_mutex_lock(client->gpu_lock);
    enum agpu_status status = agpu_gpu_create(&client->options->gpu, &sink, &client->gpu);
    if (status == AGPU_OK) {
        agpu_gpu_info(client->gpu, info);
        status =
            agpu_webgpu_executor_create(client->gpu, &client->options->executor, &sink, &client->executor);
    }
    pthread_mutex_unlock(client->gpu_lock);
    return status;
}

static bool open_device(struct ag_client *client)
{
    const struct ag_server_events *const events = &client->options->events;
    struct agpu_adapter_info info = {.size = sizeof info};
    const enum agpu_status status =
        client->options->process ? open_process(client, &info) : open_here(client, &info);
    if (status != AGPU_OK)
        return false;
    const struct agpu_device_callbacks callbacks = {
        .size = sizeof callbacks,
        .memory = ag_mapping_memory(&client->mapping),
        .presented = on_presented,
        .diagnostics = sink_of(client),
        .user = client,
        .now_ns = now_ns,
        .looks = looks,
    };
    const struct agpu_device_options device_options = {
        .size = sizeof device_options,
        .tap = events->began != NULL ? events->began(events->user, client->number, &info) : NULL,
    };
    if (agpu_device_create(&device_options, &callbacks, client->executor, ag_clock_ns(), &client->device) !=
        AGPU_OK)
        return false;
    ag_mapping_store_registers(&client->mapping, client->device, true);
    ag_mapping_set_running(&client->mapping);
    return true;
}

static void close_device(struct ag_client *client)
{
    pthread_mutex_lock(client->gpu_lock);
    agpu_device_destroy(client->device);
    agpu_executor_destroy(client->executor);
    agpu_gpu_destroy(client->gpu);
    pthread_mutex_unlock(client->gpu_lock);
}

/* ---- Serving ------------------------------------------------------------------------------------------ */

struct turn {
    bool broke_rules;
    bool worked; /* the client had posted something */
    bool busy;   /* submissions are outstanding */
};

static struct turn take_turn(struct ag_client *client)
{
    struct turn turn = {0};
    uint32_t count;
    turn.broke_rules = !ag_mapping_take_writes(&client->mapping, client->device, &count);
    turn.worked = count != 0;
    turn.busy = agpu_device_poll(client->device, ag_clock_ns());
    ag_mapping_store_registers(&client->mapping, client->device, turn.worked);
    if (ag_mapping_wants_interrupt(&client->mapping, client->device))
        ag_line_interrupt(&client->line);
    return turn;
}

/* Until when the thread may sleep. */
static uint64_t pause_of(const struct ag_client *client, bool busy, uint64_t pause_ns)
{
    const uint64_t next = agpu_device_next_event_ns(client->device), now = ag_clock_ns();
    uint64_t pause = busy ? pause_ns : IDLE_NS;
    if (next <= now)
        return 0;
    if (next != UINT64_MAX && next - now < pause)
        pause = next - now;
    return pause;
}

/* Sleeps until something happens. */
static void sleep_for(struct ag_client *client, uint64_t pause_ns)
{
    struct pollfd descriptors[AG_LINE_DESCRIPTORS + 2];
    nfds_t count = ag_line_descriptors(&client->line, descriptors);
    descriptors[count++] = (struct pollfd){.fd = client->stop, .events = POLLIN};
    if (client->options->process)
        descriptors[count++] =
            (struct pollfd){.fd = agpu_process_executor_descriptor(client->executor), .events = POLLIN};
    const struct timespec pause = {(time_t)(pause_ns / 1000000000), (long)(pause_ns % 1000000000)};
    ag_mapping_set_sleeping(&client->mapping, true);
    if (!ag_mapping_has_writes(&client->mapping) && !atomic_load(&client->stopping))
        ppoll(descriptors, count, &pause, NULL);
    ag_mapping_set_sleeping(&client->mapping, false);
}

/* Waits for outstanding work, though the client is gone. */
static void drain(struct ag_client *client)
{
    const uint64_t end = ag_clock_ns() + DRAIN_NS;
    uint32_t count;
    ag_mapping_take_writes(&client->mapping, client->device, &count);
    while (agpu_device_poll(client->device, ag_clock_ns()) && ag_clock_ns() < end) {
        const struct timespec pause = {0, LONGEST_PAUSE_NS};
        if (!agpu_executor_has_more(client->executor))
            nanosleep(&pause, NULL);
    }
}

static void serve(struct ag_client *client)
{
    uint64_t pause_ns = FIRST_PAUSE_NS, idle_since = ag_clock_ns();
    while (!atomic_load(&client->stopping)) {
        const struct turn turn = take_turn(client);
        const uint64_t now = ag_clock_ns();
        client->served.broke_rules |= turn.broke_rules;
        if (turn.broke_rules)
            return;
        if (turn.worked) {
            pause_ns = FIRST_PAUSE_NS;
            idle_since = now;
        }
        const bool may_spin = !turn.busy && now - idle_since < SPIN_NS;
        if (may_spin || ag_mapping_has_writes(&client->mapping))
            continue;
        const uint64_t pause = pause_of(client, turn.busy, pause_ns);
        pause_ns = pause_ns * 2 < LONGEST_PAUSE_NS ? pause_ns * 2 : LONGEST_PAUSE_NS;
        if (pause != 0)
            sleep_for(client, pause);
        const enum ag_line_state state = ag_line_look(&client->line, now);
        if (state == AG_LINE_GONE) {
            drain(client);
            return;
        }
        if (state == AG_LINE_RUNG)
            idle_since = ag_clock_ns();
    }
}

/* ---- The thread --------------------------------------------------------------------------------------- */

static void report_broken_rules(struct ag_client *client)
{
    const struct agpu_diag_sink sink = sink_of(client);
    ag_report(&sink, AGPU_DIAG_SERVE_CLIENT, AGPU_ERROR, ag_place_none(),
              "the client posted more register writes than the queue has, and is served no more");
}

void ag_wake(int event)
{
    const uint64_t one = 1;
    const ssize_t done = write(event, &one, sizeof one);
    (void)done; /* full: somebody has woken it already */
}

static void *run(void *user)
{
    struct ag_client *const client = user;
    const struct ag_server_events *const events = &client->options->events;
    if (open_device(client))
        serve(client);
    if (client->served.broke_rules)
        report_broken_rules(client);
    ag_mapping_set_ended(&client->mapping);
    ag_line_interrupt(&client->line);
    close_device(client);
    if (events->ended != NULL)
        events->ended(events->user, client->number, &client->served);
    atomic_store(&client->ended, true);
    ag_wake(client->wake);
    return NULL;
}

bool ag_client_start(struct ag_client *client)
{
    static const int servers[] = {SIGHUP, SIGINT, SIGTERM, SIGALRM, SIGCHLD, SIGPIPE};
    sigset_t blocked, before;
    client->stop = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (client->stop < 0)
        return false;
    /* Signals are the server's, and a FIFO without a reader is no reason to end. */
    sigemptyset(&blocked);
    for (size_t i = 0; i < AG_COUNT_OF(servers); i++)
        sigaddset(&blocked, servers[i]);
    pthread_sigmask(SIG_BLOCK, &blocked, &before);
    const bool started = pthread_create(&client->thread, NULL, run, client) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!started)
        close(client->stop);
    return started;
}

void ag_client_stop(struct ag_client *client)
{
    atomic_store(&client->stopping, true);
    ag_wake(client->stop);
}

void ag_client_join(struct ag_client *client)
{
    pthread_join(client->thread, NULL);
    close(client->stop);
    ag_line_fini(&client->line);
    ag_mapping_fini(&client->mapping);
    free(client);
}
