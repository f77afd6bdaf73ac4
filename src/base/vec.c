/* SPDX-License-Identifier: MIT
 *
 * Growth of vectors.
 */
#include "base/vec.h"

#include <stdint.h>

#define FEW 1024

void *ag_vec_grow(void *data, size_t *capacity, size_t need, size_t element_size)
{
    size_t grown = *capacity < 8 ? 16 : *capacity < FEW ? *capacity * 4 : *capacity * 2;
    if (grown < need)
        grown = need;
    if (grown > SIZE_MAX / element_size)
        return data;
    void *moved = realloc(data, grown * element_size);
    if (moved == NULL)
        return data;
    *capacity = grown;
    return moved;
}
