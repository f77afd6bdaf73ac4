/* SPDX-License-Identifier: MIT
 *
 * A cache in a folder. Entries are written under a temporary name and renamed, so that other processes see an
 * entry whole or not at all; of two that write the same entry, the last counts.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/table.h"
#include "cache/cache.h"
#include "cache/folder_contents.h"

/* An entry that is used gets a new time, but no more often than that. */
#define USED_SECONDS 3600
/* What is left of the bound when entries are removed, and how much is written before the folder is looked at
 * again, since other processes write, too: in sixteenths. */
#define KEPT_SIXTEENTHS 12
#define LOOK_SIXTEENTHS 1

struct folder {
    int descriptor;
    uint64_t most_bytes;
    pthread_mutex_t lock; /* for what follows */
    bool is_counted;      /* the folder was looked at */
    uint64_t written;     /* since then, in bytes as the folder counts them */
    uint32_t writes;      /* numbers of temporary files */
    bool is_read_only;
};

/* ---- Reading ------------------------------------------------------------------------------------------ */

static bool read_all(int file, uint8_t *bytes, size_t size)
{
    while (size != 0) {
        const ssize_t got = read(file, bytes, size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        bytes += got;
        size -= (size_t)got;
    }
    return true;
}

/* Eviction goes by the time of the file, which says when the entry was used. */
static void note_use(int file, const struct stat *status)
{
    if (time(NULL) - status->st_mtime > USED_SECONDS)
        futimens(file, NULL);
}

static void load(void *user, const uint8_t name[AGPU_CACHE_NAME_BYTES],
                 void (*take)(void *taker, const void *bytes, size_t size), void *taker)
{
    const struct folder *const folder = user;
    char file_name[AG_CACHE_FILE_NAME_SIZE];
    struct stat status;
    ag_cache_file_name(name, file_name);
    const int file = openat(folder->descriptor, file_name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return;
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0 &&
        (uint64_t)status.st_size <= 2 * AG_CACHE_ENTRY_BYTES) {
        const size_t size = (size_t)status.st_size;
        uint8_t *const bytes = malloc(size);
        if (bytes != NULL && read_all(file, bytes, size)) {
            note_use(file, &status);
            take(taker, bytes, size);
        }
        free(bytes);
    }
    close(file);
}

/* ---- Writing ------------------------------------------------------------------------------------------ */

static bool write_all(int file, const uint8_t *bytes, size_t size)
{
    while (size != 0) {
        const ssize_t put = write(file, bytes, size);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        bytes += put;
        size -= (size_t)put;
    }
    return true;
}

static void keep_bound(struct folder *folder, size_t more)
{
    struct agpu_cache_folder_info left, removed;
    pthread_mutex_lock(&folder->lock);
    folder->written += ag_cache_file_bytes(more);
    const bool looks = !folder->is_counted || folder->written > folder->most_bytes / 16 * LOOK_SIXTEENTHS;
    if (looks && ag_cache_folder_count(folder->descriptor, &left)) {
        folder->is_counted = true;
        folder->written = 0;
        if (left.bytes > folder->most_bytes)
            ag_cache_folder_shrink(folder->descriptor, folder->most_bytes / 16 * KEPT_SIXTEENTHS, &left,
                                   &removed);
    }
    pthread_mutex_unlock(&folder->lock);
}

/* A name that no other process, and no other cache of this one, writes at the same time. */
static bool begin_write(struct folder *folder, char temporary[64], int *file)
{
    pthread_mutex_lock(&folder->lock);
    const uint32_t number = folder->writes++;
    const bool is_read_only = folder->is_read_only;
    pthread_mutex_unlock(&folder->lock);
    if (is_read_only)
        return false;
    snprintf(temporary, 64, AG_CACHE_TEMPORARY_PREFIX "%ld-%" PRIxPTR "-%" PRIu32, (long)getpid(),
             (uintptr_t)folder, number);
    *file = openat(folder->descriptor, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (*file < 0 && (errno == EACCES || errno == EROFS || errno == EPERM || errno == ENOENT)) {
        pthread_mutex_lock(&folder->lock);
        folder->is_read_only = true;
        pthread_mutex_unlock(&folder->lock);
    }
    return *file >= 0;
}

static void store(void *user, const uint8_t name[AGPU_CACHE_NAME_BYTES], const void *bytes, size_t size)
{
    struct folder *const folder = user;
    char temporary[64], file_name[AG_CACHE_FILE_NAME_SIZE];
    int file;
    if (size > folder->most_bytes / 16 || !begin_write(folder, temporary, &file))
        return;
    ag_cache_file_name(name, file_name);
    const bool is_written = write_all(file, bytes, size);
    const bool is_closed = close(file) == 0;
    if (!is_written || !is_closed ||
        renameat(folder->descriptor, temporary, folder->descriptor, file_name) != 0) {
        unlinkat(folder->descriptor, temporary, 0);
        return;
    }
    keep_bound(folder, size);
}

/* ---- Life --------------------------------------------------------------------------------------------- */

static void end(void *user)
{
    struct folder *const folder = user;
    close(folder->descriptor);
    pthread_mutex_destroy(&folder->lock);
    free(folder);
}

/* Makes the folder and those around it. */
static void make_folders(const char *path)
{
    char *const part = strdup(path);
    for (char *end_of_part = part; part != NULL && end_of_part != NULL;) {
        end_of_part = strchr(end_of_part + 1, '/');
        if (end_of_part != NULL)
            *end_of_part = '\0';
        mkdir(part, 0700);
        if (end_of_part != NULL)
            *end_of_part = '/';
    }
    free(part);
}

static enum agpu_status refuse(const struct agpu_diag_sink *sink, const char *path)
{
    ag_report(sink, AGPU_DIAG_CACHE_FOLDER, AGPU_ERROR, ag_place_none(), "the cache's folder %s: %s", path,
              strerror(errno));
    return AGPU_REFUSED;
}

static int open_folder(const char *path)
{
    return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

enum agpu_status agpu_cache_create_folder(const char *path, uint64_t most_bytes,
                                          const struct agpu_diag_sink *sink, struct agpu_cache **cache)
{
    *cache = NULL;
    if (path[0] == '\0') {
        ag_report(sink, AGPU_DIAG_CACHE_FOLDER, AGPU_ERROR, ag_place_none(),
                  "the path of the cache's folder is empty");
        return AGPU_REFUSED;
    }
    int descriptor = open_folder(path);
    if (descriptor < 0 && errno == ENOENT) {
        make_folders(path);
        descriptor = open_folder(path);
    }
    if (descriptor < 0)
        return refuse(sink, path);
    struct folder *const folder = calloc(1, sizeof *folder);
    if (folder == NULL) {
        close(descriptor);
        return ag_report_no_memory(sink);
    }
    folder->descriptor = descriptor;
    folder->most_bytes = most_bytes != 0 ? most_bytes : AGPU_DEFAULT_CACHE_BYTES;
    pthread_mutex_init(&folder->lock, NULL);
    const struct agpu_cache_store callbacks = {
        .size = sizeof callbacks, .load = load, .store = store, .user = folder};
    const enum agpu_status status = ag_cache_create(&callbacks, end, sink, cache);
    if (status != AGPU_OK)
        end(folder);
    return status;
}

/* ---- Contents ----------------------------------------------------------------------------------------- */

static enum agpu_status look(const char *path, bool removes, const struct agpu_diag_sink *sink,
                             struct agpu_cache_folder_info *info)
{
    struct agpu_cache_folder_info all = {0}, left;
    const int folder = open_folder(path);
    bool good = true;
    if (folder < 0 && errno != ENOENT)
        return refuse(sink, path);
    if (folder >= 0) {
        good = removes ? ag_cache_folder_shrink(folder, 0, &left, &all) : ag_cache_folder_count(folder, &all);
        close(folder);
    }
    if (!good)
        return refuse(sink, path);
    ag_table_write(info, sizeof all, AG_MEMBER_END(struct agpu_cache_folder_info, bytes), &all);
    return AGPU_OK;
}

enum agpu_status agpu_cache_folder_inspect(const char *path, const struct agpu_diag_sink *sink,
                                           struct agpu_cache_folder_info *info)
{
    return look(path, false, sink, info);
}

enum agpu_status agpu_cache_folder_clear(const char *path, const struct agpu_diag_sink *sink,
                                         struct agpu_cache_folder_info *info)
{
    return look(path, true, sink, info);
}
