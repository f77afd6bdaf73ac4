/* SPDX-License-Identifier: MIT
 *
 * What the tests of the server have in common: a server as a child, and a client that draws a triangle.
 */
#ifndef AG_TESTS_SERVE_PROGRAM_H
#define AG_TESTS_SERVE_PROGRAM_H

#include <sys/types.h>

#include "guest/core/core.h"
#include "guest/transport/socket.h"

#define SIDE 64u

/* A server of the tool, which has said that it serves, in a folder of its own. */
struct server {
    char folder[64];
    char socket[96];
    char output[96]; /* "": no pictures are written */
    pid_t pid;
    int says; /* its standard output */
};

/* `arguments` end with a null pointer. False: it did not begin to serve, for want of a driver say. */
bool server_start(struct server *server, const char *tool, const char *const *arguments);
/* Starts another at the place of one that ended. */
bool server_start_again(struct server *server, const char *tool, const char *const *arguments);
/* The same, without waiting until it serves. */
void server_launch(struct server *server, const char *tool, const char *const *arguments);
/* Waits for the end; its exit status, or minus the signal. */
int server_wait(struct server *server);
/* Ends the server by SIGTERM, checks that nothing stays, and removes the folder. Returns the exit status. */
int server_end(struct server *server);
/* How many files and folders a folder has. */
uint32_t entries_of(const char *path);
/* Open files of a process. */
uint32_t descriptors_of(pid_t pid);

/* Reads the arguments TOOL DRIVER of a test. 0, or the exit status of a test that cannot run. */
int program_arguments(int argc, char **argv, const char **tool, const char **driver);

/* A client with its device and a stream. */
struct client {
    struct guest_socket *socket;
    struct guest_device *device;
    struct guest_stream stream;
    struct guest_block picture; /* SIDE * SIDE pixels */
};

bool client_open(struct client *client, const char *path);
void client_close(struct client *client);

/* Packets in the text form, which names objects by numbers. */
void client_say(struct client *client, const char *text);

/* Creates what a triangle needs. */
void client_prepare(struct client *client);
/* Clears to a grey and draws the triangle, presents, and submits. The picture is stored for the client. */
enum guest_status client_draw(struct client *client, uint32_t sync_interval, uint64_t *fence);
/* Whether the picture is the triangle. */
bool client_sees_triangle(const struct client *client);
/* Draws, waits, and checks the picture. */
void client_draw_one(struct client *client);

#endif
