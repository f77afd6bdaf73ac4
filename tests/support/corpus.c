/* SPDX-License-Identifier: MIT */
#include "support/corpus.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/vec.h"

struct path_list {
    AG_VEC(char *) paths;
};

uint8_t *ag_corpus_read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return NULL;
    uint8_t *data = NULL;
    long length = -1;
    if (fseek(file, 0, SEEK_END) == 0)
        length = ftell(file);
    if (length >= 0 && fseek(file, 0, SEEK_SET) == 0)
        data = malloc((size_t)length + 1);
    if (data != NULL && fread(data, 1, (size_t)length, file) != (size_t)length) {
        free(data);
        data = NULL;
    }
    fclose(file);
    if (data != NULL)
        *size = (size_t)length;
    return data;
}

static bool has_suffix(const char *text, const char *suffix)
{
    const size_t length = strlen(text), tail = strlen(suffix);
    return length >= tail && strcmp(text + length - tail, suffix) == 0;
}

static char *join(const char *directory, const char *name)
{
    const size_t length = strlen(directory) + strlen(name) + 2;
    char *path = malloc(length);
    if (path != NULL)
        snprintf(path, length, "%s/%s", directory, name);
    return path;
}

static bool collect(struct path_list *list, char *path, const char *suffix);

static bool collect_directory(struct path_list *list, const char *path, const char *suffix)
{
    DIR *directory = opendir(path);
    if (directory == NULL)
        return false;
    bool good = true;
    const struct dirent *entry;
    while (good && (entry = readdir(directory)) != NULL) {
        if (entry->d_name[0] == '.')
            continue;
        char *child = join(path, entry->d_name);
        good = child != NULL && collect(list, child, suffix);
    }
    closedir(directory);
    return good;
}

/* Takes `path` over: it ends in the list or is freed. */
static bool collect(struct path_list *list, char *path, const char *suffix)
{
    struct stat info;
    bool good = stat(path, &info) == 0;
    if (good && S_ISDIR(info.st_mode))
        good = collect_directory(list, path, suffix);
    else if (good && S_ISREG(info.st_mode) && has_suffix(path, suffix) && ag_vec_push(&list->paths, path))
        return true;
    free(path);
    return good;
}

static int compare_paths(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static long visit_all(const struct path_list *list,
                      bool (*visit)(void *user, const struct ag_corpus_file *file), void *user)
{
    for (size_t i = 0; i < list->paths.count; i++) {
        struct ag_corpus_file file = {.path = list->paths.data[i]};
        file.data = ag_corpus_read_file(file.path, &file.size);
        const bool go_on = file.data != NULL && visit(user, &file);
        const bool unreadable = file.data == NULL;
        free(file.data);
        if (!go_on)
            return unreadable ? -1 : (long)i + 1;
    }
    return (long)list->paths.count;
}

long ag_corpus_walk(const char *directory, const char *suffix,
                    bool (*visit)(void *user, const struct ag_corpus_file *file), void *user)
{
    struct path_list list = {0};
    const size_t length = strlen(directory) + 1;
    char *path = malloc(length);
    bool good = path != NULL;
    if (good) {
        memcpy(path, directory, length);
        good = collect(&list, path, suffix);
    }
    long count = -1;
    if (good && list.paths.count != 0) {
        qsort(list.paths.data, list.paths.count, sizeof *list.paths.data, compare_paths);
        count = visit_all(&list, visit, user);
    } else if (good) {
        count = 0;
    }
    for (size_t i = 0; i < list.paths.count; i++)
        free(list.paths.data[i]);
    ag_vec_fini(&list.paths);
    return count;
}

const char *ag_corpus_shared(const char *source_root)
{
    static char path[4096];
    struct stat info;
    const char *named = getenv("AGPU_SHARED");
    if (named != NULL && named[0] != '\0')
        return stat(named, &info) == 0 ? named : NULL;
    snprintf(path, sizeof path, "%s/../shared", source_root);
    return stat(path, &info) == 0 ? path : NULL;
}
