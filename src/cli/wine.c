/* SPDX-License-Identifier: MIT */
#include "cli/wine.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/strbuf.h"
#include "cli/input.h"
#include "cli/output.h"

/* What Wine says: nothing but why a program does not start, since its DLLs are missing. */
#define MESSAGES "-all,err+module"

/* Ours, and whether a program can do without. */
static const struct {
    const char *name;
    bool is_needed;
} dlls[] = {
    {"d3d11",     true },
    {"dxgi",      true },
    {"d3d10core", false},
    {"d3d10",     false},
    {"d3d10_1",   false},
};

/* What is never wanted: a debugger that waits for somebody, and questions about packages. */
#define OTHER_OVERRIDES "winedbg.exe=d;mscoree,mshtml="

static char *AG_PRINTF(1, 2) text_of(const char *format, ...)
{
    struct ag_strbuf text = {0};
    va_list arguments;
    va_start(arguments, format);
    ag_strbuf_vprintf(&text, format, arguments);
    va_end(arguments);
    return ag_strbuf_steal(&text);
}

static enum agpu_status AG_PRINTF(2, 3) is_missing(const struct agpu_diag_sink *sink, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    ag_report_va(sink, AGPU_DIAG_CLI_MISSING, AGPU_ERROR, ag_place_none(), format, arguments);
    va_end(arguments);
    return AGPU_MISSING;
}

static bool is_set(const char *variable)
{
    return variable != NULL && *variable != '\0';
}

/* ---- What has to be there ----------------------------------------------------------------------------- */

static bool is_program(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

/* A program on PATH; the caller frees it. Null: there is none. */
static char *find_on_path(const char *name)
{
    const char *folders = getenv("PATH");
    while (is_set(folders)) {
        const size_t length = strcspn(folders, ":");
        char *const path = text_of("%.*s/%s", (int)length, folders, name);
        if (path != NULL && length != 0 && is_program(path))
            return path;
        free(path);
        folders += length + (folders[length] == ':');
    }
    return NULL;
}

/* One of several names on PATH, else one of several places; both lists end with a null pointer. The caller
 * frees it. Null: there is none. */
static char *find_program(const char *const *names, const char *const *places)
{
    char *found = NULL;
    for (; found == NULL && *names != NULL; names++)
        found = find_on_path(*names);
    for (; found == NULL && *places != NULL; places++)
        found = is_program(*places) ? strdup(*places) : NULL;
    return found;
}

static enum agpu_status find_loader(struct cli_wine *wine, const struct agpu_diag_sink *sink)
{
    static const char *const names[] = {"wine64", "wine", NULL};
    static const char *const places[] = {"/usr/lib/wine/wine64", "/opt/wine-stable/bin/wine64", NULL};
    const char *const given = getenv("AEROGPU_WINE");
    if (is_set(given))
        wine->loader = strdup(given);
    if (wine->loader == NULL)
        wine->loader = find_program(names, places);
    if (wine->loader != NULL)
        return AGPU_OK;
    return is_missing(
        sink, "Windows programs need Wine, of which there is none on PATH: install the package wine64 "
              "(Debian, Ubuntu) or wine (others), or set AEROGPU_WINE");
}

/* The folder of the tool itself. */
static char *own_folder(void)
{
    char path[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0)
        return NULL;
    path[length] = '\0';
    char *const slash = strrchr(path, '/');
    if (slash != NULL)
        *slash = '\0';
    return strdup(path);
}

static bool has_dlls(const char *folder, const char *suffix)
{
    for (size_t i = 0; i < AG_COUNT_OF(dlls); i++) {
        char *const path = text_of("%s/%s%s.dll", folder, dlls[i].name, suffix);
        const bool there = path != NULL && access(path, R_OK) == 0;
        free(path);
        if (!there && dlls[i].is_needed)
            return false;
    }
    return true;
}

/* The folder with our DLLs; the caller frees it. */
static enum agpu_status find_dlls(const char *given, char **folder, const struct agpu_diag_sink *sink)
{
    /* Where they are installed, and in a build. */
    static const char *const places[] = {"/../lib/aerogpu/x86_64-windows", "/../../guest/windows"};
    if (given == NULL && is_set(getenv("AEROGPU_DLLS")))
        given = getenv("AEROGPU_DLLS");
    if (given != NULL) {
        *folder = strdup(given);
        if (*folder == NULL)
            return ag_report_no_memory(sink);
        return has_dlls(given, "")
                   ? AGPU_OK
                   : is_missing(sink, "%s has no d3d11.dll and dxgi.dll of this project", given);
    }
    char *const own = own_folder();
    for (size_t i = 0; own != NULL && i < AG_COUNT_OF(places); i++) {
        *folder = text_of("%s%s", own, places[i]);
        if (*folder != NULL && has_dlls(*folder, "")) {
            free(own);
            return AGPU_OK;
        }
        free(*folder);
        *folder = NULL;
    }
    free(own);
    return is_missing(sink,
                      "the project's d3d11.dll and dxgi.dll are not beside the tool: build them with "
                      "gcc-mingw-w64-x86-64 installed (Debian, Ubuntu), or name their folder with --dlls or "
                      "AEROGPU_DLLS");
}

/* ---- Running Wine ------------------------------------------------------------------------------------- */

static void become(const struct cli_wine *wine, const char *const *arguments)
{
    setenv("WINEPREFIX", wine->prefix, 1);
    setenv("WINEDLLOVERRIDES", wine->overrides, 1);
    setenv("WINEDEBUG", MESSAGES, 0);
    execv(arguments[0], (char *const *)(uintptr_t)arguments);
    _exit(127);
}

/* Runs one of Wine's own programs to its end, without a word of it. */
static bool run_tool(const struct cli_wine *wine, const char *const *arguments)
{
    int status = 0;
    const pid_t child = fork();
    if (child == 0) {
        const int nothing = open("/dev/null", O_RDWR);
        for (int i = 0; i < 3; i++)
            dup2(nothing, i);
        become(wine, arguments);
    }
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* ---- The prefix --------------------------------------------------------------------------------------- */

static enum agpu_status find_prefix(struct cli_wine *wine, const struct agpu_diag_sink *sink)
{
    const char *const cache = getenv("XDG_CACHE_HOME"), *const home = getenv("HOME");
    if (is_set(cache))
        wine->prefix = text_of("%s/aerogpu/wine", cache);
    else if (is_set(home))
        wine->prefix = text_of("%s/.cache/aerogpu/wine", home);
    else
        return is_missing(sink, "neither HOME nor XDG_CACHE_HOME says where the Wine prefix could be");
    if (wine->prefix == NULL)
        return ag_report_no_memory(sink);
    return cli_make_directory(wine->prefix, sink) ? AGPU_OK : AGPU_REFUSED;
}

static bool file_says(const char *path, const char *text)
{
    char content[64] = "";
    FILE *const file = fopen(path, "r");
    if (file == NULL)
        return false;
    const size_t length = fread(content, 1, sizeof content - 1, file);
    fclose(file);
    return length == strlen(text) && memcmp(content, text, length) == 0;
}

/* Waits until the server of the prefix has ended, with the desktop that it keeps, where Wine has the program
 * for that. Debian's libwine alone has one that always fails. */
static void wait_for_server(const struct cli_wine *wine)
{
    static const char *const names[] = {"wineserver", NULL};
    static const char *const places[] = {"/usr/lib/wine/wineserver64", "/usr/lib/wine/wineserver",
                                         "/opt/wine-stable/bin/wineserver", NULL};
    char *const server = find_program(names, places);
    const char *const wait[] = {server, "-w", NULL};
    if (server != NULL)
        run_tool(wine, wait);
    free(server);
}

/* Boots the prefix, and chooses the display driver: without an X server one that needs none, with which
 * windows, messages and timers work all the same. The file beside remembers the choice. */
static enum agpu_status boot(const struct cli_wine *wine, const struct agpu_diag_sink *sink)
{
    const char *const graphics = is_set(getenv("DISPLAY")) ? "x11" : "null";
    const char *const init[] = {wine->loader, "wineboot.exe", "-i", NULL};
    const char *const choose[] = {wine->loader, "reg",      "add", "HKCU\\Software\\Wine\\Drivers",
                                  "/v",         "Graphics", "/t",  "REG_SZ",
                                  "/d",         graphics,   "/f",  NULL};
    /* The desktop of the boot has looked for a driver already: programs get another one, once it is gone. */
    const char *const end[] = {wine->loader, "wineboot.exe", "-k", NULL};
    char *const memory = text_of("%s/aerogpu-graphics", wine->prefix);
    enum agpu_status status = memory != NULL ? AGPU_OK : ag_report_no_memory(sink);
    if (status == AGPU_OK && !file_says(memory, graphics)) {
        cli_progress("making a Wine prefix in %s", wine->prefix);
        const bool good = run_tool(wine, init) && run_tool(wine, choose) && run_tool(wine, end);
        wait_for_server(wine);
        cli_progress(NULL);
        if (!good)
            status = is_missing(sink, "%s cannot make a prefix in %s", wine->loader, wine->prefix);
        else if (!cli_write_file(memory, graphics, strlen(graphics), sink))
            status = AGPU_REFUSED;
    }
    free(memory);
    return status;
}

/* Copies a DLL, unless it is there already. */
static bool copy_dll(const char *from, const char *to, const struct agpu_diag_sink *sink)
{
    uint8_t *bytes = NULL, *old = NULL;
    size_t size = 0, old_size = 0;
    if (!cli_read_file(from, sink, &bytes, &size))
        return false;
    bool good = access(to, R_OK) == 0 && cli_read_file(to, NULL, &old, &old_size) && old_size == size &&
                memcmp(old, bytes, size) == 0;
    if (!good) {
        char *const fresh = text_of("%s.new", to);
        good = fresh != NULL && cli_write_file(fresh, bytes, size, sink) && rename(fresh, to) == 0;
        free(fresh);
    }
    free(bytes);
    free(old);
    return good;
}

/* Where programs of 64 and of 32 bits find the DLLs of Windows, and what the names of ours end with. */
static const struct {
    const char *folder, *suffix;
} systems[] = {
    {"system32", ""  },
    {"syswow64", "32"},
};

/* One DLL. *there: we have it. */
static enum agpu_status install_dll(const struct cli_wine *wine, const char *folder, size_t system,
                                    size_t dll, bool *there, const struct agpu_diag_sink *sink)
{
    char *const from = text_of("%s/%s%s.dll", folder, dlls[dll].name, systems[system].suffix);
    char *const to =
        text_of("%s/drive_c/windows/%s/%s.dll", wine->prefix, systems[system].folder, dlls[dll].name);
    enum agpu_status status = from != NULL && to != NULL ? AGPU_OK : ag_report_no_memory(sink);
    *there = status == AGPU_OK && access(from, R_OK) == 0;
    if (*there)
        status = copy_dll(from, to, sink) ? AGPU_OK : AGPU_REFUSED;
    free(from);
    free(to);
    return status;
}

/* Wine may have come without its DLLs of 32 bits, with which it does not say why a program does not start. */
static enum agpu_status check_system(const struct cli_wine *wine, const char *folder,
                                     const struct agpu_diag_sink *sink)
{
    char *const path = text_of("%s/drive_c/windows/syswow64/ntdll.dll", wine->prefix);
    const bool there = path != NULL && access(path, R_OK) == 0;
    free(path);
    if (!there)
        return is_missing(
            sink,
            "programs of 32 bits need Wine's DLLs of 32 bits, which the prefix %s was made without: "
            "install the package wine32 (Debian, Ubuntu: for the architecture i386), and remove the prefix",
            wine->prefix);
    if (has_dlls(folder, systems[1].suffix))
        return AGPU_OK;
    return is_missing(sink,
                      "%s has no d3d1132.dll and dxgi32.dll, which programs of 32 bits need: build them with "
                      "gcc-mingw-w64-i686 installed (Debian, Ubuntu) by `ninja dlls32`",
                      folder);
}

/* Modern programs load Direct3D from the system's folder alone. */
static enum agpu_status install(struct cli_wine *wine, const char *folder, bool has_32_bits,
                                const struct agpu_diag_sink *sink)
{
    struct ag_strbuf names = {0};
    enum agpu_status status = has_32_bits ? check_system(wine, folder, sink) : AGPU_OK;
    for (size_t system = 0; system <= has_32_bits; system++)
        for (size_t i = 0; i < AG_COUNT_OF(dlls) && status == AGPU_OK; i++) {
            bool there;
            status = install_dll(wine, folder, system, i, &there, sink);
            if (there && system == has_32_bits)
                ag_strbuf_printf(&names, "%s%s", names.length != 0 ? "," : "", dlls[i].name);
        }
    const char *const given = getenv("WINEDLLOVERRIDES");
    free(wine->overrides);
    wine->overrides = names.failed ? NULL
                                   : text_of("%s=n;" OTHER_OVERRIDES "%s%s", ag_strbuf_text(&names),
                                             is_set(given) ? ";" : "", is_set(given) ? given : "");
    ag_strbuf_fini(&names);
    return status == AGPU_OK && wine->overrides == NULL ? ag_report_no_memory(sink) : status;
}

/* One of us at a time makes or changes the prefix. */
static enum agpu_status prepare_prefix(struct cli_wine *wine, const char *folder, bool has_32_bits,
                                       const struct agpu_diag_sink *sink)
{
    char *const path = text_of("%s.lock", wine->prefix);
    const int lock = path != NULL ? open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600) : -1;
    if (lock >= 0)
        flock(lock, LOCK_EX);
    enum agpu_status status = boot(wine, sink);
    if (status == AGPU_OK)
        status = install(wine, folder, has_32_bits, sink);
    if (lock >= 0)
        close(lock);
    free(path);
    return status;
}

enum agpu_status cli_wine_prepare(struct cli_wine *wine, const char *given, bool has_32_bits,
                                  const struct agpu_diag_sink *sink)
{
    char *folder = NULL;
    *wine = (struct cli_wine){.overrides = strdup(OTHER_OVERRIDES)};
    if (wine->overrides == NULL)
        return ag_report_no_memory(sink);
    enum agpu_status status = find_loader(wine, sink);
    if (status == AGPU_OK)
        status = find_dlls(given, &folder, sink);
    if (status == AGPU_OK)
        status = find_prefix(wine, sink);
    if (status == AGPU_OK)
        status = prepare_prefix(wine, folder, has_32_bits, sink);
    free(folder);
    return status;
}

void cli_wine_fini(struct cli_wine *wine)
{
    free(wine->loader);
    free(wine->prefix);
    free(wine->overrides);
}

pid_t cli_wine_start(const struct cli_wine *wine, const char *const *arguments, const char *folder)
{
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        setenv("AEROGPU_SHM", folder, 1);
        become(wine, arguments);
    }
    return child;
}
