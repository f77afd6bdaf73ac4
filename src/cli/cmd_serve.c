/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>

#include "base/bytes.h"
#include "cli/command.h"
#include "cli/serving.h"

/* The server that signals end: handlers have no other way to find it. */
static struct ag_server *signalled;
static volatile sig_atomic_t is_over;

static void end(int number)
{
    (void)number;
    is_over = 1;
    ag_server_wake(signalled);
}

static void catch_signals(struct ag_server *server)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    const struct sigaction action = {.sa_handler = end};
    signalled = server;
    for (size_t i = 0; i < AG_COUNT_OF(numbers); i++)
        sigaction(numbers[i], &action, NULL);
}

static enum cli_exit serve(const struct cli_arguments *arguments)
{
    const struct cli_options *const options = &arguments->options;
    struct cli_serving serving;
    if (options->socket == NULL && options->shm == NULL) {
        cli_usage_error("serve: --socket or --shm is needed, where clients find the server");
        return CLI_EXIT_USAGE;
    }
    const enum cli_exit opened = cli_serving_open(&serving, options, options->shm, "client");
    if (opened == CLI_EXIT_GOOD) {
        catch_signals(serving.server);
        printf("serving%s%s%s%s\n", options->socket != NULL ? " socket " : "",
               options->socket != NULL ? options->socket : "", options->shm != NULL ? " folder " : "",
               options->shm != NULL ? options->shm : "");
        fflush(stdout);
        while (!is_over && !atomic_load(&serving.done))
            cli_serving_step(&serving, -1);
        printf("%" PRIu32 " clients, %" PRIu64 " presents\n", ag_server_served(serving.server),
               serving.presents);
    }
    return cli_worse(opened, cli_serving_close(&serving));
}

static const struct cli_option options[] = {
    {"socket",        0, CLI_TEXT,    CLI_OPTION_VALUE(socket),        "PATH", "take native clients at this socket",         NULL},
    {"shm",           0, CLI_TEXT,    CLI_OPTION_VALUE(shm),           "DIR",
     "take clients, such as programs under Wine, through files in this directory",                                           NULL},
    CLI_OPTION_OUTPUT("write every present into this directory as client-N.png"),
    CLI_OPTION_DRIVER,
    CLI_OPTION_LIBRARY,
    CLI_OPTION_CACHE,
    CLI_OPTION_NO_CACHE,
    {"capture",       0, CLI_TEXT,    CLI_OPTION_VALUE(capture),       "FILE",
     "record the first client into this file, others beside the file",                                                       NULL},
    {"window",        0, CLI_FLAG,    CLI_OPTION_VALUE(window),        NULL,   "ask clients to show their windows",          NULL},
    {"frames",        0, CLI_NUMBER,  CLI_OPTION_VALUE(frames),        "N",    "end after so many presents",                 NULL},
    {"process",       0, CLI_FLAG,    CLI_OPTION_VALUE(process),       NULL,
     "execute each client in a GPU process of its own",                                                                      NULL},
    {"clients",       0, CLI_NUMBER,  CLI_OPTION_VALUE(clients),       "N",    "the most clients at a time, by default 16",
     NULL                                                                                                                        },
    {"client-memory", 0, CLI_NUMBER,  CLI_OPTION_VALUE(client_memory), "MIB",
     "the most memory that a client shares with the server, by default 1024",                                                NULL},
    {"gpu-timeout",   0, CLI_SECONDS, CLI_OPTION_VALUE(gpu_limit_ms),  "S",
     "take a GPU that stands still for so long for lost, by default 10 seconds",                                             NULL},
    {"check-packets", 0, CLI_FLAG,    CLI_OPTION_VALUE(check_packets), NULL,
     "name the packet of every WebGPU error; slow",                                                                          NULL},
    {"log",           0, CLI_FLAG,    CLI_OPTION_VALUE(log),           NULL,   "tell of each client when it comes and goes", NULL},
};

const struct cli_command cli_command_serve = {
    .name = "serve",
    .synopsis = "",
    .summary = "execute what other programs submit through shared memory",
    .description =
        "Serves devices: each client that comes through the socket or the directory has a device of its own, "
        "with quotas, until it goes. Presents are written as pictures, recorded, shown by the client, or "
        "counted. Ends with a signal, or after --frames.",
    .options = options,
    .option_count = AG_COUNT_OF(options),
    .least_inputs = 0,
    .most_inputs = 0,
    .run = serve,
};
