/* SPDX-License-Identifier: MIT
 *
 * The names of the drivers that AeroGPU knows.
 */
#include <string.h>

#include "aerogpu/gpu.h"
#include "base/bytes.h"

static const char *const names[] = {
    [AGPU_DRIVER_DEFAULT] = "default", [AGPU_DRIVER_LAVAPIPE] = "lavapipe",
    [AGPU_DRIVER_NATIVE] = "native",   [AGPU_DRIVER_SWIFTSHADER] = "swiftshader",
    [AGPU_DRIVER_NULL] = "null",
};

const char *agpu_driver_name(enum agpu_driver driver)
{
    return (size_t)driver < AG_COUNT_OF(names) ? names[driver] : "unknown";
}

bool agpu_driver_from_name(const char *name, enum agpu_driver *driver)
{
    for (size_t i = 0; i < AG_COUNT_OF(names); i++) {
        if (strcmp(names[i], name) == 0) {
            *driver = (enum agpu_driver)i;
            return true;
        }
    }
    return false;
}
