/* SPDX-License-Identifier: MIT */
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/bytes.h"
#include "serve/client.h"
#include "serve/endpoint.h"

#define PAGE_BYTES 4096u

struct ag_server {
    struct ag_server_options options;
    struct agpu_diag_sink sink;
    struct ag_socket_endpoint socket;
    struct ag_folder_endpoint folder;
    int wake;
    pthread_mutex_t gpu_lock;
    struct ag_client *clients;
    uint32_t count, served;
};

/* ---- Clients ------------------------------------------------------------------------------------------ */

static bool make_line(struct ag_server *server, struct ag_client *client, int socket, uint64_t name)
{
    if (socket < 0)
        return ag_line_init_folder(&client->line, server->folder.folder, name, client->mapping.descriptor);
    const int kept = fcntl(socket, F_DUPFD_CLOEXEC, 0);
    if (kept < 0 || !ag_line_init_socket(&client->line, kept))
        return false;
    const int descriptors[3] = {client->mapping.descriptor, client->line.doorbell, client->line.interrupt};
    return ag_socket_answer(socket, AEROGPU_SHARED_RESULT_WELCOME, client->mapping.size, descriptors);
}

static bool start(struct ag_server *server, struct ag_client *client, uint64_t size, int socket,
                  uint64_t name)
{
    const uint32_t flags = server->options.show_windows ? AEROGPU_SHARED_FLAG_SHOW_WINDOWS : 0;
    return ag_mapping_init(&client->mapping, size, flags) && make_line(server, client, socket, name) &&
           ag_client_start(client);
}

static void refuse(struct ag_server *server, const char *why)
{
    ag_report(&server->sink, AGPU_DIAG_SERVE_CLIENT, AGPU_WARNING, ag_place_none(), "a client is refused: %s",
              why);
}

static enum aerogpu_shared_result take(void *user, uint64_t size, int socket, uint64_t name)
{
    struct ag_server *const server = user;
    if (size < AEROGPU_SHARED_LEAST_BYTES || size > server->options.client_bytes || size % PAGE_BYTES != 0) {
        refuse(server, "the memory that it wants is not what a client may have");
        return AEROGPU_SHARED_RESULT_QUOTA;
    }
    if (server->count >= server->options.client_count) {
        refuse(server, "there are as many as may be");
        return AEROGPU_SHARED_RESULT_FULL;
    }
    struct ag_client *const client = calloc(1, sizeof *client);
    if (client == NULL)
        return AEROGPU_SHARED_RESULT_FAILED;
    client->number = server->served + 1;
    client->options = &server->options;
    client->gpu_lock = &server->gpu_lock;
    client->wake = server->wake;
    client->line = (struct ag_line){.doorbell = -1, .interrupt = -1, .socket = -1, .folder = -1};
    if (!start(server, client, size, socket, name)) {
        ag_line_fini(&client->line);
        ag_mapping_fini(&client->mapping);
        free(client);
        refuse(server, "it has gone, or there are no descriptors, threads or names left for it");
        return AEROGPU_SHARED_RESULT_FAILED;
    }
    if (socket >= 0)
        close(socket);
    client->next = server->clients;
    server->clients = client;
    server->count++;
    server->served++;
    return AEROGPU_SHARED_RESULT_WELCOME;
}

/* Lets clients go that have ended. */
static void reap(struct ag_server *server)
{
    for (struct ag_client **at = &server->clients; *at != NULL;) {
        struct ag_client *const client = *at;
        if (!atomic_load(&client->ended)) {
            at = &client->next;
            continue;
        }
        *at = client->next;
        server->count--;
        ag_client_join(client);
    }
}

/* ---- Life --------------------------------------------------------------------------------------------- */

enum agpu_status ag_server_create(const struct ag_server_options *options, const struct agpu_diag_sink *sink,
                                  struct ag_server **server)
{
    struct ag_server *const made = calloc(1, sizeof *made);
    *server = NULL;
    if (made == NULL)
        return ag_report_no_memory(sink);
    made->options = *options;
    made->sink = *sink;
    if (made->options.client_count == 0)
        made->options.client_count = AG_SERVER_CLIENTS;
    if (made->options.client_count > AG_SERVER_MOST_CLIENTS)
        made->options.client_count = AG_SERVER_MOST_CLIENTS;
    if (made->options.client_bytes == 0)
        made->options.client_bytes = AG_SERVER_CLIENT_BYTES;
    pthread_mutex_init(&made->gpu_lock, NULL);
    made->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    made->socket.listener = made->folder.folder = made->folder.requests = -1;
    enum agpu_status status = made->wake >= 0 ? AGPU_OK : ag_report_no_memory(sink);
    if (status == AGPU_OK)
        status = ag_socket_endpoint_open(&made->socket, options->socket_path, sink);
    if (status == AGPU_OK)
        status = ag_folder_endpoint_open(&made->folder, options->folder, sink);
    if (status == AGPU_OK)
        *server = made;
    else
        ag_server_destroy(made);
    return status;
}

void ag_server_step(struct ag_server *server, int timeout_ms)
{
    struct pollfd descriptors[3 + AG_SOCKET_CALLERS];
    nfds_t count = 0;
    uint64_t value;
    descriptors[count++] = (struct pollfd){.fd = server->wake, .events = POLLIN};
    /* poll() passes over what is -1. */
    descriptors[count++] = (struct pollfd){.fd = server->folder.requests, .events = POLLIN};
    count += ag_socket_endpoint_wait(&server->socket, descriptors + count, &timeout_ms);
    poll(descriptors, count, timeout_ms);
    while (read(server->wake, &value, sizeof value) > 0)
        continue;
    reap(server);
    ag_socket_endpoint_look(&server->socket, take, server);
    ag_folder_endpoint_look(&server->folder, take, server);
}

void ag_server_wake(struct ag_server *server)
{
    ag_wake(server->wake);
}

uint32_t ag_server_clients(const struct ag_server *server)
{
    return server->count;
}

uint32_t ag_server_served(const struct ag_server *server)
{
    return server->served;
}

void ag_server_destroy(struct ag_server *server)
{
    if (server == NULL)
        return;
    for (struct ag_client *client = server->clients; client != NULL; client = client->next)
        ag_client_stop(client);
    while (server->clients != NULL) {
        struct ag_client *const client = server->clients;
        server->clients = client->next;
        ag_client_join(client);
    }
    ag_socket_endpoint_close(&server->socket);
    ag_folder_endpoint_close(&server->folder);
    if (server->wake >= 0)
        close(server->wake);
    pthread_mutex_destroy(&server->gpu_lock);
    free(server);
}
