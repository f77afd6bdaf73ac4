/* SPDX-License-Identifier: MIT
 *
 * A set of share tokens that only grows: ranges of numbers, so that tokens that a guest counts up take the
 * room of one.
 */
#ifndef AG_EXEC_OBJECT_TOKEN_SET_H
#define AG_EXEC_OBJECT_TOKEN_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

struct ag_token_range {
    uint64_t first, last;
};

/* Zeroed: empty. The ranges ascend and do not touch each other. */
struct ag_token_set {
    AG_VEC(struct ag_token_range) ranges;
};

void ag_token_set_fini(struct ag_token_set *set);

bool ag_token_set_has(const struct ag_token_set *set, uint64_t token);

/* Makes room for so many tokens more, whatever they are. False when memory is exhausted. */
bool ag_token_set_reserve(struct ag_token_set *set, size_t count);

/* Adds a token for which room was made. */
void ag_token_set_add(struct ag_token_set *set, uint64_t token);

#endif
