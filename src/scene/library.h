/* SPDX-License-Identifier: MIT
 *
 * The shaders that many scenes share: the listings in the folder `library`, which the build puts into the
 * tool, so that scenes anywhere can use them.
 */
#ifndef AG_SCENE_LIBRARY_H
#define AG_SCENE_LIBRARY_H

#include <stddef.h>

struct scene_library_shader {
    const char *name; /* the file's, without .asm */
    const char *text; /* a listing; not NUL-terminated */
    size_t size;
};

/* The shaders in the order of their names. */
extern const struct scene_library_shader scene_library[];
extern const size_t scene_library_count;

/* Returns the shader with this name, or null. */
const struct scene_library_shader *scene_library_find(const char *name, size_t length);

#endif
