/* SPDX-License-Identifier: MIT
 *
 * Finds shaders of the library by name.
 */
#include "scene/library.h"

#include <string.h>

const struct scene_library_shader *scene_library_find(const char *name, size_t length)
{
    for (size_t i = 0; i < scene_library_count; i++) {
        const struct scene_library_shader *shader = &scene_library[i];
        if (strlen(shader->name) == length && memcmp(shader->name, name, length) == 0)
            return shader;
    }
    return NULL;
}
