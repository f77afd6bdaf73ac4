/* SPDX-License-Identifier: MIT
 *
 * Any bytes as an input of `aerogpu run`: a scene, a command stream, or what else the loader takes. What
 * loads runs on an executor without a GPU.
 */
#include <stdlib.h>
#include <string.h>

#include "../support/fake_executor.h"
#include "scene/scene.h"

#define PICTURE_EDGE 4

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Files outside the folder, which does not exist: devices would never end. */
static bool names_files(const uint8_t *data, size_t size)
{
    for (size_t i = 0; i + 5 <= size; i++) {
        if (memcmp(data + i, "/dev/", 5) == 0 || memcmp(data + i, "/proc", 5) == 0)
            return true;
    }
    return false;
}

static void run(const struct ag_scene *scene)
{
    static const uint8_t pixels[PICTURE_EDGE * PICTURE_EDGE * 4];
    const struct fake_executor_options fake = {.polls = 1,
                                               .width = PICTURE_EDGE,
                                               .height = PICTURE_EDGE,
                                               .pixels = pixels,
                                               .content = pixels,
                                               .content_size = sizeof pixels,
                                               .plain = true};
    struct agpu_executor *executor = fake_executor_create(&fake);
    const struct ag_scene_options options = {.executor = executor, .timeout_ms = 200, .max_presents = 4};
    struct ag_scene_report report;
    if (executor == NULL)
        return;
    const enum agpu_status status = ag_scene_run(scene, &options, NULL, &report);
    if (status == AGPU_OK && report.result == AG_SCENE_FAILED)
        abort();
    ag_scene_report_fini(&report);
    agpu_executor_destroy(executor);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ag_scene *scene = NULL;
    if (names_files(data, size))
        return 0;
    /* Every other size, so that shaders of both encodings get through. */
    const uint32_t flags = size % 2 != 0 ? AG_SCENE_LOAD_AERO_DIALECT : AG_SCENE_LOAD_DEFAULT;
    if (ag_scene_load("no such folder/input.scene", data, size, flags, NULL, &scene) == AGPU_OK) {
        run(scene);
        ag_scene_destroy(scene);
    } else if (scene != NULL)
        abort();
    return 0;
}
