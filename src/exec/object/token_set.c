/* SPDX-License-Identifier: MIT */
#include "exec/object/token_set.h"

#include <string.h>

void ag_token_set_fini(struct ag_token_set *set)
{
    ag_vec_fini(&set->ranges);
}

/* The first range that ends at the token or behind it; or how many ranges there are. */
static size_t find(const struct ag_token_set *set, uint64_t token)
{
    size_t low = 0, high = set->ranges.count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (set->ranges.data[middle].last < token)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool ag_token_set_has(const struct ag_token_set *set, uint64_t token)
{
    const size_t at = find(set, token);
    return at < set->ranges.count && set->ranges.data[at].first <= token;
}

bool ag_token_set_reserve(struct ag_token_set *set, size_t count)
{
    return ag_vec_reserve(&set->ranges, set->ranges.count + count);
}

static void move(struct ag_token_set *set, size_t to, size_t from)
{
    memmove(set->ranges.data + to, set->ranges.data + from,
            (set->ranges.count - from) * sizeof *set->ranges.data);
    set->ranges.count = set->ranges.count + to - from;
}

void ag_token_set_add(struct ag_token_set *set, uint64_t token)
{
    const size_t at = find(set, token);
    struct ag_token_range *behind = at < set->ranges.count ? &set->ranges.data[at] : NULL;
    struct ag_token_range *before = at > 0 ? &set->ranges.data[at - 1] : NULL;
    if (behind != NULL && behind->first <= token)
        return;
    const bool joins_before = before != NULL && before->last + 1 == token;
    const bool joins_behind = behind != NULL && behind->first - 1 == token;
    if (joins_before && joins_behind) {
        before->last = behind->last;
        move(set, at, at + 1);
    } else if (joins_before) {
        before->last = token;
    } else if (joins_behind) {
        behind->first = token;
    } else {
        move(set, at + 1, at);
        set->ranges.data[at] = (struct ag_token_range){token, token};
    }
}
