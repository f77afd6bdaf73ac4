/* SPDX-License-Identifier: MIT
 *
 * The handles of a text: `$7` is handle 7, and `$name` is the number that the name got at its first mention.
 */
#ifndef AG_ABI_TEXT_HANDLES_H
#define AG_ABI_TEXT_HANDLES_H

#include "base/arena.h"
#include "base/map.h"

#include <stdint.h>

/* A zeroed table is valid and empty. */
struct ag_text_handles {
    struct ag_map by_name, by_number;
    struct ag_arena arena;
    uint32_t last; /* the number that the last name got */
};

enum ag_text_handle_result {
    AG_TEXT_HANDLE_OK,
    AG_TEXT_HANDLE_TAKEN, /* the number already belongs to a name */
    AG_TEXT_HANDLE_RANGE, /* the number does not fit 32 bits */
    AG_TEXT_HANDLE_NO_MEMORY,
};

void ag_text_handles_fini(struct ag_text_handles *handles);

/* The number of `$text`. Names get 1, 2, 3 and so on, except for numbers that were mentioned before. */
enum ag_text_handle_result ag_text_handle(struct ag_text_handles *handles, const char *text, size_t length,
                                          uint32_t *number);

#endif
