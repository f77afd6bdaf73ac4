/* SPDX-License-Identifier: MIT
 *
 * A server of devices with what the command line wants of it: pictures and captures in files, a limit of
 * presents, messages about its clients.
 */
#ifndef AG_CLI_SERVING_H
#define AG_CLI_SERVING_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/vec.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/recording.h"
#include "serve/serve.h"

/* What a client of the server has: its windows, by their swap chains, and its capture. */
struct cli_window {
    uint32_t swap_chain, frames;
};

struct cli_served_client {
    uint32_t number;
    AG_VEC(struct cli_window) windows;
    struct cli_recording recording; /* no file: none */
    char *capture_path;
    uint32_t diag_count;
};

struct cli_serving {
    const struct cli_options *options;
    const char *stem;         /* of pictures: STEM-0.png, STEM-window2-0.png, STEM-device2-0.png */
    struct agpu_cache *cache; /* of all clients; or null */
    struct ag_server *server;
    struct cli_diags diags;     /* of the server and of files */
    struct agpu_diag_sink sink; /* feeds `diags`, under `lock` */
    pthread_mutex_t lock;       /* recursive; clients have threads of their own */
    AG_VEC(struct cli_served_client *) clients;
    uint64_t presents;
    enum cli_exit exit_status;
    atomic_bool done; /* as many presents came as were wanted */
};

/* Starts the server, for `stem`, which is borrowed. */
enum cli_exit cli_serving_open(struct cli_serving *serving, const struct cli_options *options,
                               const char *folder, const char *stem);

/* Serves for so long at most; returns early when enough presents came (--frames) or the server is woken. */
void cli_serving_step(struct cli_serving *serving, int timeout_ms);

/* Ends all clients, and says what came of everything. */
enum cli_exit cli_serving_close(struct cli_serving *serving);

#endif
