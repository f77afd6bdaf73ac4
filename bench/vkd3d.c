/* SPDX-License-Identifier: MIT
 *
 * Translates the same shaders by turns, to WGSL and, by Wine's vkd3d-shader, to SPIR-V. vkd3d-shader is no
 * dependency: where the machine has its library, it is loaded.
 *
 *     bench_vkd3d [--library PATH] FILE...
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "aerogpu/translate.h"
#include "base/arena.h"
#include "cli/driver.h"
#include "cli/input.h"
#include "wgsl/options.h"

#define LIBRARY "libvkd3d-shader.so.1"
#define ROUNDS 8

/* ---- The part of vkd3d-shader's interface that this needs --------------------------------------------- */

enum { VKD3D_COMPILE_INFO = 0, VKD3D_DXBC = 1, VKD3D_SPIRV = 1, VKD3D_NO_LOG = 0 };

struct vkd3d_code {
    const void *code;
    size_t size;
};

struct vkd3d_compile_info {
    int type;
    const void *next;
    struct vkd3d_code source;
    int source_type, target_type;
    const void *options;
    unsigned option_count;
    int log_level;
    const char *source_name;
};

struct vkd3d {
    int (*compile)(const struct vkd3d_compile_info *info, struct vkd3d_code *out, char **messages);
    void (*free_code)(struct vkd3d_code *code);
    const char *(*version)(unsigned *major, unsigned *minor);
};

static bool load_library(struct vkd3d *vkd3d, const char *path)
{
    setenv("VKD3D_SHADER_DEBUG", "none", 1); /* messages would count */
    setenv("VKD3D_DEBUG", "none", 1);
    void *const library = dlopen(path, RTLD_NOW);
    if (library == NULL)
        return false;
    *(void **)&vkd3d->compile = dlsym(library, "vkd3d_shader_compile");
    *(void **)&vkd3d->free_code = dlsym(library, "vkd3d_shader_free_shader_code");
    *(void **)&vkd3d->version = dlsym(library, "vkd3d_shader_get_version");
    return vkd3d->compile != NULL && vkd3d->free_code != NULL && vkd3d->version != NULL;
}

/* ---- Measuring ---------------------------------------------------------------------------------------- */

enum who { WHO_VKD3D, WHO_US, WHO_US_ALONE, WHO_COUNT };

struct file {
    uint8_t *data;
    size_t size;
    double seconds[WHO_COUNT]; /* of the fastest round */
};

static double thread_time(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static bool translate_by_vkd3d(const struct vkd3d *vkd3d, const struct file *file)
{
    const struct vkd3d_compile_info info = {
        .type = VKD3D_COMPILE_INFO,
        .source = {file->data, file->size},
        .source_type = VKD3D_DXBC,
        .target_type = VKD3D_SPIRV,
        .log_level = VKD3D_NO_LOG,
    };
    struct vkd3d_code out = {0};
    if (vkd3d->compile(&info, &out, NULL) < 0)
        return false;
    vkd3d->free_code(&out);
    return true;
}

/* Some shaders end the process by an assertion: whether this one does not, and is translated. */
static bool survives_vkd3d(const struct vkd3d *vkd3d, const struct file *file)
{
    const pid_t child = fork();
    if (child == 0) {
        if (freopen("/dev/null", "w", stderr) == NULL)
            _exit(1);
        _exit(translate_by_vkd3d(vkd3d, file) ? 0 : 1);
    }
    int status;
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* As executors do, which keep the arena; or with one of its own. */
static bool translate_by_us(struct ag_arena *arena, const struct file *file)
{
    static const struct ag_translate_options options = {.is_terse = true};
    struct agpu_shader *shader = NULL;
    struct agpu_module *module = NULL;
    const bool good = agpu_shader_parse(file->data, file->size, 0, NULL, &shader) == AGPU_OK &&
                      (arena == NULL ? ag_translate(shader, &options, NULL, &module)
                                     : ag_translate_in(arena, shader, &options, NULL, &module)) == AGPU_OK;
    agpu_module_destroy(module);
    agpu_shader_destroy(shader);
    return good;
}

static void measure(const struct vkd3d *vkd3d, struct ag_arena *arena, struct file *file, enum who who)
{
    const double start = thread_time();
    if (who == WHO_VKD3D)
        translate_by_vkd3d(vkd3d, file);
    else
        translate_by_us(who == WHO_US ? arena : NULL, file);
    const double seconds = thread_time() - start;
    if (file->seconds[who] == 0 || seconds < file->seconds[who])
        file->seconds[who] = seconds;
}

/* Keeps the files that all of them take. */
static size_t choose_files(const struct vkd3d *vkd3d, struct file *files, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (survives_vkd3d(vkd3d, &files[i]) && translate_by_us(NULL, &files[i]))
            files[kept++] = files[i];
        else
            free(files[i].data);
    return kept;
}

static void measure_all(const struct vkd3d *vkd3d, struct file *files, size_t count)
{
    struct ag_arena arena = {0};
    for (unsigned round = 0; round < ROUNDS; round++)
        for (int who = 0; who < WHO_COUNT; who++)
            for (size_t i = 0; i < count; i++)
                measure(vkd3d, &arena, &files[i], (enum who)who);
    ag_arena_fini(&arena);
}

static int compare_seconds(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print_row(const char *name, const struct file *files, size_t count, enum who who)
{
    double *const seconds = calloc(count, sizeof *seconds);
    double sum = 0, bytes = 0;
    if (seconds == NULL)
        return;
    for (size_t i = 0; i < count; i++) {
        seconds[i] = files[i].seconds[who];
        sum += seconds[i];
        bytes += (double)files[i].size;
    }
    qsort(seconds, count, sizeof *seconds, compare_seconds);
    printf("%-30s %6.1f MB/s, half within %6.1f us, 99 %% within %7.1f us\n", name, bytes / sum / 1e6,
           seconds[count / 2] * 1e6, seconds[count * 99 / 100] * 1e6);
    free(seconds);
}

int main(int argc, char **argv)
{
    const bool is_told = argc > 2 && strcmp(argv[1], "--library") == 0;
    const char *const path = is_told ? argv[2] : LIBRARY;
    const int first = is_told ? 3 : 1;
    struct vkd3d vkd3d;
    if (!load_library(&vkd3d, path)) {
        printf("vkd3d-shader: no comparison, %s is not there\n", path);
        return is_told ? CLI_EXIT_USAGE : CLI_EXIT_GOOD;
    }
    struct file *const files = calloc((size_t)argc, sizeof *files);
    size_t count = 0;
    struct cli_diags diags;
    cli_diags_init(&diags, argv[0]);
    const struct agpu_diag_sink sink = cli_diags_sink(&diags);
    for (int i = first; files != NULL && i < argc; i++)
        count += cli_read_file(argv[i], &sink, &files[count].data, &files[count].size);
    cli_diags_fini(&diags);
    count = choose_files(&vkd3d, files, count);
    measure_all(&vkd3d, files, count);
    unsigned major, minor;
    printf("%s, %zu of %d shaders that both take, by turns\n", vkd3d.version(&major, &minor), count,
           argc - first);
    if (count > 0) {
        print_row("vkd3d-shader, to SPIR-V", files, count, WHO_VKD3D);
        print_row("to WGSL", files, count, WHO_US);
        print_row("to WGSL, arenas made each time", files, count, WHO_US_ALONE);
    }
    for (size_t i = 0; i < count; i++)
        free(files[i].data);
    free(files);
    return CLI_EXIT_GOOD;
}
