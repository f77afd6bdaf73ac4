/* SPDX-License-Identifier: MIT */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "serve/endpoint.h"
#include "serve/line.h"

static enum agpu_status refuse(struct ag_folder_endpoint *endpoint, const struct agpu_diag_sink *sink,
                               const char *problem)
{
    ag_report(sink, AGPU_DIAG_SERVE_ADDRESS, AGPU_ERROR, ag_place_none(), "%s: %s", endpoint->path, problem);
    ag_folder_endpoint_close(endpoint);
    return AGPU_REFUSED;
}

/* The most requests of one look, so that nobody keeps the server by writing more. */
#define MOST_REQUESTS 16

/* A FIFO that somebody reads is a server's; one that nobody reads is what a server left that was killed. */
static bool is_taken(int folder)
{
    const int probe =
        openat(folder, AEROGPU_SHARED_FOLDER_CONNECT, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW);
    if (probe < 0)
        return errno != ENXIO && errno != ENOENT;
    close(probe);
    return true;
}

/* What a server that was killed has left. */
static void remove_names(int folder)
{
    const int copy = fcntl(folder, F_DUPFD_CLOEXEC, 0);
    DIR *const list = copy >= 0 ? fdopendir(copy) : NULL;
    if (list == NULL)
        return;
    for (const struct dirent *entry = readdir(list); entry != NULL; entry = readdir(list))
        if (ag_line_is_name(entry->d_name))
            unlinkat(folder, entry->d_name, 0);
    closedir(list);
}

enum agpu_status ag_folder_endpoint_open(struct ag_folder_endpoint *endpoint, const char *path,
                                         const struct agpu_diag_sink *sink)
{
    *endpoint = (struct ag_folder_endpoint){.path = path, .folder = -1, .requests = -1};
    if (path == NULL)
        return AGPU_OK;
    const bool is_made = mkdir(path, S_IRWXU) == 0;
    const int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return refuse(endpoint, sink, strerror(errno));
    if (is_taken(folder)) {
        close(folder);
        return refuse(endpoint, sink, "another server, or a file, is there");
    }
    endpoint->folder = folder;
    endpoint->is_made = is_made;
    unlinkat(folder, AEROGPU_SHARED_FOLDER_CONNECT, 0);
    remove_names(folder);
    if (mkfifoat(folder, AEROGPU_SHARED_FOLDER_CONNECT, S_IRUSR | S_IWUSR) != 0)
        return refuse(endpoint, sink, strerror(errno));
    /* Both ends, so that the FIFO has no end when a client closes. */
    endpoint->requests =
        openat(folder, AEROGPU_SHARED_FOLDER_CONNECT, O_RDWR | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW);
    return endpoint->requests >= 0 ? AGPU_OK : refuse(endpoint, sink, strerror(errno));
}

void ag_folder_endpoint_close(struct ag_folder_endpoint *endpoint)
{
    if (endpoint->requests >= 0)
        close(endpoint->requests);
    if (endpoint->folder >= 0) {
        unlinkat(endpoint->folder, AEROGPU_SHARED_FOLDER_CONNECT, 0);
        close(endpoint->folder);
        if (endpoint->is_made)
            rmdir(endpoint->path);
    }
    endpoint->folder = endpoint->requests = -1;
}

void ag_folder_endpoint_look(struct ag_folder_endpoint *endpoint, ag_endpoint_take take, void *user)
{
    struct aerogpu_shared_request request;
    if (endpoint->requests < 0)
        return;
    /* Requests are written whole; whoever writes something else of this length writes no magic. */
    for (uint32_t i = 0;
         i < MOST_REQUESTS && read(endpoint->requests, &request, sizeof request) == (ssize_t)sizeof request;
         i++)
        if (request.magic == AEROGPU_SHARED_MAGIC && request.version == AEROGPU_SHARED_VERSION)
            take(user, request.size_bytes, -1, request.name);
}
