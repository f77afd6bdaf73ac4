/* SPDX-License-Identifier: MIT
 *
 * Loads inputs: tells their kind by the first bytes, and reads files beside a scene.
 */
#include "scene/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "aerogpu/abi/cmd.h"
#include "base/bytes.h"
#include "scene/model.h"
#include "scene/png.h"
#include "scene/trace.h"

#define ARENA_BYTES ((size_t)2 << 30)
#define MAX_FILE_BYTES ((size_t)256 << 20)

/* ---- Files --------------------------------------------------------------------------------------------- */

static bool read_stream(FILE *file, struct ag_arena *arena, struct scene_bytes *bytes)
{
    size_t capacity = 1 << 16, size = 0;
    uint8_t *data = malloc(capacity);
    while (data != NULL) {
        size += fread(data + size, 1, capacity - size, file);
        if (size < capacity || size > MAX_FILE_BYTES)
            break;
        capacity *= 2;
        uint8_t *larger = realloc(data, capacity);
        if (larger == NULL)
            free(data);
        data = larger;
    }
    bytes->size = size;
    bytes->data = data == NULL || ferror(file) != 0 || size > MAX_FILE_BYTES
                      ? NULL
                      : ag_arena_memdup(arena, data, size, 16);
    free(data);
    return bytes->data != NULL;
}

static bool decode_picture(struct scene_parser *parser, struct agpu_place place, struct scene_bytes *bytes,
                           uint32_t *width, uint32_t *height)
{
    uint8_t *pixels;
    if (ag_png_decode(bytes->data, bytes->size, place, parser->sink, width, height, &pixels) != AGPU_OK) {
        parser->reader->status = AGPU_REFUSED;
        return false;
    }
    bytes->size = (size_t)*width * *height * 4;
    bytes->data = ag_arena_memdup(&parser->scene->arena, pixels, bytes->size, 4);
    free(pixels);
    if (bytes->data == NULL)
        parser->reader->status = ag_report_no_memory(parser->sink);
    return bytes->data != NULL;
}

/* Whether a path stays in the folder of its scene: a scene is an input like any other, and tells what it
 * reads. */
static bool is_beside(const char *path)
{
    if (path[0] == '/' || path[0] == '\0')
        return false;
    for (const char *part = path; part != NULL; part = strchr(part, '/')) {
        part += *part == '/';
        if (part[0] == '.' && part[1] == '.' && (part[2] == '/' || part[2] == '\0'))
            return false;
    }
    return true;
}

/* Opens a regular file in the folder of the scene or below. */
static FILE *open_beside(struct ag_scene *scene, const char *path)
{
    struct stat info;
    const char *const full =
        is_beside(path) ? ag_arena_printf(&scene->arena, "%s%s", scene->folder, path) : NULL;
    return full != NULL && stat(full, &info) == 0 && S_ISREG(info.st_mode) ? fopen(full, "rb") : NULL;
}

bool scene_read_file(struct scene_parser *parser, const char *path, bool picture, struct agpu_place place,
                     struct scene_bytes *bytes, uint32_t *width, uint32_t *height)
{
    struct ag_scene *scene = parser->scene;
    FILE *file = open_beside(scene, path);
    const bool good = file != NULL && read_stream(file, &scene->arena, bytes);
    if (file != NULL)
        fclose(file);
    if (!good) {
        ag_text_refuse(parser->reader, AGPU_DIAG_FILE_UNREADABLE, place.line, place.column,
                       is_beside(path) ? "cannot read %s"
                                       : "cannot read %s, which is not in the folder of the scene",
                       path);
        return false;
    }
    return !picture || decode_picture(parser, place, bytes, width, height);
}

/* ---- Inputs -------------------------------------------------------------------------------------------- */

static enum agpu_status load_text(struct ag_scene *scene, const void *data, size_t size, uint32_t flags,
                                  const struct agpu_diag_sink *sink)
{
    (void)flags;
    return scene_parse(scene, data, size, sink);
}

static enum agpu_status load_trace(struct ag_scene *scene, const void *data, size_t size, uint32_t flags,
                                   const struct agpu_diag_sink *sink)
{
    return scene_load_trace(scene, data, size, (flags & AG_SCENE_LOAD_AERO_DIALECT) != 0, sink);
}

/* A raw stream becomes a scene with one submission, which presents. */
static enum agpu_status load_stream(struct ag_scene *scene, const void *data, size_t size, uint32_t flags,
                                    const struct agpu_diag_sink *sink)
{
    struct scene_step step = {.kind = SCENE_STEP_SUBMIT};
    step.as.submit.flags = AEROGPU_SUBMIT_FLAG_PRESENT;
    step.as.submit.stream.data = ag_arena_memdup(&scene->arena, data, size, 16);
    step.as.submit.stream.size = size;
    if (size > UINT32_MAX || step.as.submit.stream.data == NULL)
        return ag_report_no_memory(sink);
    const enum agpu_status status = (flags & AG_SCENE_LOAD_AERO_DIALECT) != 0
                                        ? scene_transcode_stream(scene, &step.as.submit.stream, sink)
                                        : AGPU_OK;
    if (status == AGPU_OK && !ag_vec_push(&scene->steps, step))
        return ag_report_no_memory(sink);
    return status;
}

struct input_kind {
    const char *magic; /* the first bytes of the input */
    const char *name;
    /* Null: the kind is known by its magic, but no scene. */
    enum agpu_status (*load)(struct ag_scene *scene, const void *data, size_t size, uint32_t flags,
                             const struct agpu_diag_sink *sink);
};

/* The kinds of inputs by their first bytes. An input of no other kind is taken for the text of a scene. */
static const struct input_kind input_kinds[] = {
    {"ACMD",     "a command stream",                 load_stream},
    {"AGCAP",    "a capture",                        NULL       },
    {"AEROGPUT", "a trace of the reference project", load_trace },
    {"DXBC",     "a shader",                         NULL       },
    {"",         "a scene",                          load_text  },
};

static enum agpu_status load_input(struct ag_scene *scene, const void *data, size_t size, uint32_t flags,
                                   const struct agpu_diag_sink *sink)
{
    const struct input_kind *kind = input_kinds;
    while (size < strlen(kind->magic) || memcmp(data, kind->magic, strlen(kind->magic)) != 0)
        kind++;
    if (kind->load != NULL)
        return kind->load(scene, data, size, flags, sink);
    ag_report(sink, AGPU_DIAG_SCENE_UNSUPPORTED_INPUT, AGPU_ERROR, ag_place_offset(0),
              "the input is %s, which cannot be run", kind->name);
    return AGPU_REFUSED;
}

struct ag_scene *scene_create(const char *path)
{
    struct ag_scene *scene = calloc(1, sizeof *scene);
    if (scene == NULL)
        return NULL;
    ag_arena_init(&scene->arena, ARENA_BYTES);
    const char *slash = strrchr(path, '/');
    scene->path = ag_arena_strdup(&scene->arena, path);
    scene->folder = ag_arena_strndup(&scene->arena, path, slash != NULL ? (size_t)(slash - path) + 1 : 0);
    scene->title = "";
    if (scene->path != NULL && scene->folder != NULL)
        return scene;
    ag_scene_destroy(scene);
    return NULL;
}

enum agpu_status ag_scene_load(const char *path, const void *data, size_t size, uint32_t flags,
                               const struct agpu_diag_sink *sink, struct ag_scene **result)
{
    struct ag_scene *const scene = scene_create(path);
    *result = NULL;
    if (scene == NULL)
        return ag_report_no_memory(sink);
    const enum agpu_status status = load_input(scene, data, size, flags, sink);
    if (status != AGPU_OK)
        ag_scene_destroy(scene);
    else
        *result = scene;
    return status;
}

void ag_scene_destroy(struct ag_scene *scene)
{
    if (scene == NULL)
        return;
    ag_vec_fini(&scene->requirements);
    ag_vec_fini(&scene->without);
    ag_vec_fini(&scene->steps);
    ag_text_handles_fini(&scene->handles);
    ag_arena_fini(&scene->arena);
    free(scene);
}

const char *ag_scene_title(const struct ag_scene *scene)
{
    return scene->title;
}

const char *const *ag_scene_without(const struct ag_scene *scene, uint32_t *count)
{
    *count = (uint32_t)scene->without.count;
    return scene->without.data;
}

const char *ag_scene_result_name(enum ag_scene_result result)
{
    switch (result) {
    case AG_SCENE_PASSED:
        return "passed";
    case AG_SCENE_FAILED:
        return "failed";
    case AG_SCENE_SKIPPED:
        return "skipped";
    }
    return "failed";
}
