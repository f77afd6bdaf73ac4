/* SPDX-License-Identifier: MIT
 *
 * The handles of a text: `$7` is handle 7, `$name` the number that the name got where it was first mentioned.
 */
#ifndef AGPU_ABI_TEXT_HANDLES_H
#define AGPU_ABI_TEXT_HANDLES_H

#include "base/arena.h"
#include "base/map.h"

#include <stdint.h>

/* A zeroed table is an empty one. */
struct agpu_text_handles {
    struct agpu_map by_name, by_number;
    struct agpu_arena arena;
    uint32_t last; /* number given to the last name */
};

enum agpu_text_handle_result {
    AGPU_TEXT_HANDLE_OK,
    AGPU_TEXT_HANDLE_TAKEN, /* the number already belongs to a name */
    AGPU_TEXT_HANDLE_RANGE, /* the number does not fit 32 bits */
    AGPU_TEXT_HANDLE_NO_MEMORY,
};

void agpu_text_handles_fini(struct agpu_text_handles *handles);

/* The number of `$text`. Names get 1, 2, 3 ..., without the numbers that were mentioned before. */
enum agpu_text_handle_result agpu_text_handle(struct agpu_text_handles *handles, const char *text,
                                              size_t length, uint32_t *number);

#endif
