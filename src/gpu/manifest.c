/* SPDX-License-Identifier: MIT
 *
 * Where the manifests of software Vulkan drivers are.
 */
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "aerogpu/gpu.h"
#include "base/bytes.h"

struct driver_manifests {
    const char *icd_variable;       /* environment variable with the path of the manifest */
    const char *const *icd_pattern; /* glob patterns of manifests; ends with null */
};

static const char *const lavapipe_manifests[] = {
    "/usr/local/share/vulkan/icd.d/lvp_icd*.json",
    "/usr/share/vulkan/icd.d/lvp_icd*.json",
    "/etc/vulkan/icd.d/lvp_icd*.json",
    NULL,
};

static const char *const swiftshader_manifests[] = {
#ifdef AG_SOURCE_ROOT
    AG_SOURCE_ROOT "/.cache/swiftshader/vk_swiftshader_icd.json",
#endif
    "/usr/lib/chromium/vk_swiftshader_icd.json",
    "/usr/share/vulkan/icd.d/vk_swiftshader_icd*.json",
    NULL,
};

/* Drivers that are not here have no manifest of their own. */
static const struct driver_manifests manifests[] = {
    [AGPU_DRIVER_LAVAPIPE] = {"AEROGPU_LAVAPIPE_ICD",    lavapipe_manifests   },
    [AGPU_DRIVER_SWIFTSHADER] = {"AEROGPU_SWIFTSHADER_ICD", swiftshader_manifests},
};

static bool copy_readable(const char *from, char *path, size_t size)
{
    const size_t length = strlen(from);
    if (length >= size || access(from, R_OK) != 0)
        return false;
    memcpy(path, from, length + 1);
    return true;
}

static bool copy_first_match(const char *pattern, char *path, size_t size)
{
    glob_t matches;
    if (glob(pattern, 0, NULL, &matches) != 0)
        return false;
    bool found = false;
    for (size_t i = 0; i < matches.gl_pathc && !found; i++)
        found = copy_readable(matches.gl_pathv[i], path, size);
    globfree(&matches);
    return found;
}

bool agpu_driver_icd_path(enum agpu_driver driver, char *path, size_t size)
{
    if ((size_t)driver >= AG_COUNT_OF(manifests) || manifests[driver].icd_variable == NULL)
        return false;
    const char *const given = getenv(manifests[driver].icd_variable);
    if (given != NULL && given[0] != '\0')
        return copy_readable(given, path, size);
    for (const char *const *pattern = manifests[driver].icd_pattern; *pattern != NULL; pattern++) {
        if (copy_first_match(*pattern, path, size))
            return true;
    }
    return false;
}
