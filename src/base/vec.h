/* SPDX-License-Identifier: MIT
 *
 * A growing array of any element type.
 *
 *     AG_VEC(struct thing) things = {0};
 *     if (!ag_vec_push(&things, thing))
 *         return ag_report_no_memory(sink);
 *     for (size_t i = 0; i < things.count; i++)
 *         use(&things.data[i]);
 *     ag_vec_fini(&things);
 */
#ifndef AG_BASE_VEC_H
#define AG_BASE_VEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#define AG_VEC(type)                                                                                         \
    struct {                                                                                                 \
        type *data;                                                                                          \
        size_t count;                                                                                        \
        size_t capacity;                                                                                     \
    }

/* Grows `data` so that `*capacity >= need`. On failure returns `data` and leaves `*capacity` alone. */
void *ag_vec_grow(void *data, size_t *capacity, size_t need, size_t element_size);

/* True when there is room for `need` elements in all. */
#define ag_vec_reserve(vec, need)                                                                            \
    ((need) <= (vec)->capacity ||                                                                            \
     ((vec)->data = ag_vec_grow((vec)->data, &(vec)->capacity, (need), sizeof *(vec)->data),                 \
      (need) <= (vec)->capacity))

/* Appends a value (an expression or a compound literal); false when out of memory. */
#define ag_vec_push(vec, ...)                                                                                \
    (ag_vec_reserve((vec), (vec)->count + 1) && ((vec)->data[(vec)->count++] = (__VA_ARGS__), true))

#define ag_vec_last(vec) ((vec)->data[(vec)->count - 1])

#define ag_vec_fini(vec) (free((vec)->data), (vec)->data = NULL, (vec)->count = 0, (vec)->capacity = 0)

#endif
