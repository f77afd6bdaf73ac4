/* SPDX-License-Identifier: MIT */
#include "cache/folder_contents.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/vec.h"

/* What is still being written by a process is younger than that. */
#define TEMPORARY_SECONDS 3600

static const char suffix[] = ".entry";

void ag_cache_file_name(const uint8_t name[AGPU_CACHE_NAME_BYTES], char file[AG_CACHE_FILE_NAME_SIZE])
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < AGPU_CACHE_NAME_BYTES; i++) {
        file[2 * i] = digits[name[i] >> 4];
        file[2 * i + 1] = digits[name[i] & 15];
    }
    memcpy(file + 2 * AGPU_CACHE_NAME_BYTES, suffix, sizeof suffix);
}

static bool is_entry_name(const char *file)
{
    const size_t digits = 2 * AGPU_CACHE_NAME_BYTES;
    return strspn(file, "0123456789abcdef") == digits && strcmp(file + digits, suffix) == 0;
}

static bool is_temporary_name(const char *file)
{
    return strncmp(file, AG_CACHE_TEMPORARY_PREFIX, sizeof AG_CACHE_TEMPORARY_PREFIX - 1) == 0;
}

struct entry_file {
    char name[AG_CACHE_FILE_NAME_SIZE];
    uint64_t bytes;
    struct timespec used;
};

typedef AG_VEC(struct entry_file) entry_files;

/* Lists the entries. */
static bool list(int folder, entry_files *files)
{
    const int again = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *const directory = again >= 0 ? fdopendir(again) : NULL;
    const time_t now = time(NULL);
    bool good = directory != NULL;
    if (!good && again >= 0)
        close(again);
    for (const struct dirent *entry; good && (entry = readdir(directory)) != NULL;) {
        struct stat status;
        struct entry_file file;
        const bool is_temporary = is_temporary_name(entry->d_name);
        if ((!is_temporary && !is_entry_name(entry->d_name)) ||
            fstatat(folder, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(status.st_mode))
            continue;
        if (is_temporary) {
            if (now - status.st_mtime > TEMPORARY_SECONDS)
                unlinkat(folder, entry->d_name, 0);
            continue;
        }
        memcpy(file.name, entry->d_name, sizeof file.name);
        file.bytes = ag_cache_file_bytes((uint64_t)status.st_size);
        file.used = status.st_mtim;
        good = ag_vec_push(files, file);
    }
    if (directory != NULL)
        closedir(directory);
    return good;
}

static struct agpu_cache_folder_info sum(const entry_files *files)
{
    struct agpu_cache_folder_info info = {.entries = files->count};
    for (size_t i = 0; i < files->count; i++)
        info.bytes += files->data[i].bytes;
    return info;
}

bool ag_cache_folder_count(int folder, struct agpu_cache_folder_info *info)
{
    entry_files files = {0};
    const bool good = list(folder, &files);
    *info = sum(&files);
    ag_vec_fini(&files);
    return good;
}

static int by_last_use(const void *left, const void *right)
{
    const struct timespec *const a = &((const struct entry_file *)left)->used;
    const struct timespec *const b = &((const struct entry_file *)right)->used;
    if (a->tv_sec != b->tv_sec)
        return a->tv_sec < b->tv_sec ? -1 : 1;
    return (a->tv_nsec > b->tv_nsec) - (a->tv_nsec < b->tv_nsec);
}

bool ag_cache_folder_shrink(int folder, uint64_t bytes, struct agpu_cache_folder_info *left,
                            struct agpu_cache_folder_info *removed)
{
    entry_files files = {0};
    const bool good = list(folder, &files);
    *left = sum(&files);
    *removed = (struct agpu_cache_folder_info){0};
    if (good && left->bytes > bytes)
        qsort(files.data, files.count, sizeof files.data[0], by_last_use);
    for (size_t i = 0; good && i < files.count && left->bytes > bytes; i++) {
        if (unlinkat(folder, files.data[i].name, 0) != 0)
            continue;
        left->entries--;
        left->bytes -= files.data[i].bytes;
        removed->entries++;
        removed->bytes += files.data[i].bytes;
    }
    ag_vec_fini(&files);
    return good;
}
