/* SPDX-License-Identifier: MIT
 *
 * Lists of the members of a cache by their last use, so that a full cache drops what was not used for the
 * longest time. A member of a cache has a struct ag_recency; who has the cache has the list.
 */
#ifndef AG_EXEC_HOST_RECENCY_H
#define AG_EXEC_HOST_RECENCY_H

#include <stddef.h>
#include <stdint.h>

struct ag_recency {
    struct ag_recency *older, *newer;
    void *member; /* that has the struct; null while it is in no list */
};

struct ag_recency_list {
    struct ag_recency *oldest, *newest;
    uint32_t count;
};

static inline void ag_recency_remove(struct ag_recency_list *list, struct ag_recency *recency)
{
    if (!recency->member)
        return;
    if (recency->older)
        recency->older->newer = recency->newer;
    else
        list->oldest = recency->newer;
    if (recency->newer)
        recency->newer->older = recency->older;
    else
        list->newest = recency->older;
    *recency = (struct ag_recency){0};
    list->count--;
}

/* The member was used just now; a new member joins the list. */
static inline void ag_recency_use(struct ag_recency_list *list, struct ag_recency *recency, void *member)
{
    if (list->newest == recency)
        return;
    ag_recency_remove(list, recency);
    *recency = (struct ag_recency){.older = list->newest, .member = member};
    if (list->newest)
        list->newest->newer = recency;
    else
        list->oldest = recency;
    list->newest = recency;
    list->count++;
}

#endif
