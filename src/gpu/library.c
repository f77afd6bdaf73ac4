/* SPDX-License-Identifier: MIT */
#define _XOPEN_SOURCE 700 /* realpath */
#include "gpu/library.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/strbuf.h"

#define LIBRARY_NAME "libwebgpu_wrapper.so"
#define PACKAGE_PATH "node_modules/bun-webgpu-linux-x64/" LIBRARY_NAME

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char loaded_path[PATH_MAX]; /* empty until a library is loaded */

/* Where the library may be, in order of preference. Paths that start with '/' are absolute, a bare name is
 * searched by the system, and other paths are relative to the folder of the running program. */
static const char *const default_places[] = {
#ifdef AG_SOURCE_ROOT
    AG_SOURCE_ROOT "/" PACKAGE_PATH,
#endif
    "./" LIBRARY_NAME,
    "../lib/aerogpu/" LIBRARY_NAME,
    "../" PACKAGE_PATH,
    LIBRARY_NAME,
};

static bool program_folder(char *folder, size_t size)
{
    const ssize_t length = readlink("/proc/self/exe", folder, size - 1);
    if (length <= 0)
        return false;
    folder[length] = '\0';
    char *const slash = strrchr(folder, '/');
    if (slash == NULL)
        return false;
    *slash = '\0';
    return true;
}

/* False when there is no folder to start from, or no memory: the path has failed. */
static bool place_path(const char *place, struct ag_strbuf *path)
{
    ag_strbuf_clear(path);
    if (place[0] != '/' && strchr(place, '/') != NULL) {
        char folder[PATH_MAX];
        if (!program_folder(folder, sizeof folder))
            return false;
        ag_strbuf_printf(path, "%s/", folder);
    }
    ag_strbuf_append(path, place);
    return !path->failed;
}

static void remember_path(const char *path)
{
    if (strchr(path, '/') != NULL && realpath(path, loaded_path) != NULL)
        return;
    const size_t length = strnlen(path, sizeof loaded_path - 1);
    memcpy(loaded_path, path, length);
    loaded_path[length] = '\0';
}

/* Tries to load a library. AGPU_OK: it is in use. AGPU_REFUSED: it cannot be loaded, which is noted in
 * `tried`. */
static enum agpu_status try_path(const char *path, struct ag_strbuf *tried, const struct agpu_diag_sink *sink)
{
    void *const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        const char *const reason = dlerror();
        ag_strbuf_printf(tried, "%s%s", tried->length > 0 ? "; " : "", reason != NULL ? reason : path);
        return AGPU_REFUSED;
    }
    const char *const missing = ag_webgpu_bind(library);
    if (missing != NULL) {
        ag_report(sink, AGPU_DIAG_GPU_SYMBOL, AGPU_ERROR, ag_place_none(),
                  "the WebGPU library %s has no function %s: it is another version than the pinned one", path,
                  missing);
        dlclose(library);
        return AGPU_MISSING;
    }
    remember_path(path);
    return AGPU_OK;
}

static enum agpu_status search(const char *given, struct ag_strbuf *tried, const struct agpu_diag_sink *sink)
{
    if (given != NULL)
        return try_path(given, tried, sink);
    enum agpu_status status = AGPU_REFUSED;
    struct ag_strbuf path = {0};
    for (size_t i = 0; status == AGPU_REFUSED && i < sizeof default_places / sizeof default_places[0]; i++) {
        if (place_path(default_places[i], &path))
            status = try_path(ag_strbuf_text(&path), tried, sink);
        else if (path.failed)
            status = ag_report_no_memory(sink);
    }
    ag_strbuf_fini(&path);
    return status;
}

static enum agpu_status check_same(const char *given, const struct agpu_diag_sink *sink)
{
    char resolved[PATH_MAX];
    if (given == NULL || strcmp(given, loaded_path) == 0)
        return AGPU_OK;
    if (realpath(given, resolved) != NULL && strcmp(resolved, loaded_path) == 0)
        return AGPU_OK;
    ag_report(sink, AGPU_DIAG_GPU_NO_LIBRARY, AGPU_ERROR, ag_place_none(),
              "cannot load the WebGPU library %s: this process already uses %s", given, loaded_path);
    return AGPU_MISSING;
}

static enum agpu_status load_locked(const char *given, const struct agpu_diag_sink *sink)
{
    if (loaded_path[0] != '\0')
        return check_same(given, sink);
    struct ag_strbuf tried = {0};
    enum agpu_status status = search(given, &tried, sink);
    if (status == AGPU_REFUSED) {
        ag_report(sink, AGPU_DIAG_GPU_NO_LIBRARY, AGPU_ERROR, ag_place_none(),
                  "no WebGPU library can be loaded (%s)", ag_strbuf_text(&tried));
        status = AGPU_MISSING;
    }
    ag_strbuf_fini(&tried);
    return status;
}

enum agpu_status ag_webgpu_load(const char *path, const struct agpu_diag_sink *sink)
{
    const char *given = path;
    if (given == NULL || given[0] == '\0')
        given = getenv("AEROGPU_WEBGPU_LIB");
    if (given != NULL && given[0] == '\0')
        given = NULL;
    pthread_mutex_lock(&lock);
    const enum agpu_status status = load_locked(given, sink);
    pthread_mutex_unlock(&lock);
    return status;
}

const char *ag_webgpu_library_path(void)
{
    pthread_mutex_lock(&lock);
    const char *const path = loaded_path[0] != '\0' ? loaded_path : NULL;
    pthread_mutex_unlock(&lock);
    return path;
}
