/* SPDX-License-Identifier: MIT
 *
 * The Vulkan drivers that AeroGPU knows, and how to select one.
 */
#include "aerogpu/gpu.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct driver_info {
    const char *name;
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

/* clang-format off */
static const struct driver_info drivers[] = {
    [AGPU_DRIVER_DEFAULT]     = {"default", NULL, NULL},
    [AGPU_DRIVER_LAVAPIPE]    = {"lavapipe", "AEROGPU_LAVAPIPE_ICD", lavapipe_manifests},
    [AGPU_DRIVER_SWIFTSHADER] = {"swiftshader", "AEROGPU_SWIFTSHADER_ICD", swiftshader_manifests},
    [AGPU_DRIVER_NATIVE]      = {"native", NULL, NULL},
    [AGPU_DRIVER_NULL]        = {"null", NULL, NULL},
};
/* clang-format on */

#define DRIVER_COUNT (sizeof drivers / sizeof drivers[0])

const char *agpu_driver_name(enum agpu_driver driver)
{
    return (size_t)driver < DRIVER_COUNT ? drivers[driver].name : "unknown";
}

bool agpu_driver_from_name(const char *name, enum agpu_driver *driver)
{
    for (size_t i = 0; i < DRIVER_COUNT; i++) {
        if (strcmp(drivers[i].name, name) == 0) {
            *driver = (enum agpu_driver)i;
            return true;
        }
    }
    return false;
}

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
    if ((size_t)driver >= DRIVER_COUNT || drivers[driver].icd_variable == NULL)
        return false;
    const char *const given = getenv(drivers[driver].icd_variable);
    if (given != NULL && given[0] != '\0')
        return copy_readable(given, path, size);
    for (const char *const *pattern = drivers[driver].icd_pattern; *pattern != NULL; pattern++) {
        if (copy_first_match(*pattern, path, size))
            return true;
    }
    return false;
}
