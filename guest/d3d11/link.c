/* SPDX-License-Identifier: MIT */
#include "guest/d3d11/link.h"

#define LINK_MAGIC 0x4b4e4c41u
#define LOOK_MS 10
#define ANSWER_MS 10000

static uint64_t own_id(void)
{
    uint64_t id;
    rt_process_lock();
    id = rt_process_id();
    rt_process_unlock();
    return id;
}

/* ---- Members ------------------------------------------------------------------------------------------- */

/* Under the lock: a place that is free, or that somebody had who has ended. Who is new owes no answers. */
static bool join(struct rt_link *link, uint64_t own)
{
    struct rt_link_header *const header = rt_link_header(link);
    for (link->place = 0; link->place < RT_LINK_MEMBERS; link->place++) {
        const uint64_t id = header->members[link->place];
        if (id && rt_process_lives(id))
            continue;
        atomic_store(&header->answers[link->place], atomic_load(&header->asked));
        header->members[link->place] = own;
        return true;
    }
    return false;
}

/* The ids of the others that live; those that do not leave their places. */
static unsigned others_of(struct rt_link *link, uint64_t others[RT_LINK_MEMBERS])
{
    const uint64_t own = own_id();
    unsigned count = 0;
    if (!rt_link_lock(link))
        return 0;
    for (unsigned i = 0; i < RT_LINK_MEMBERS; i++) {
        const uint64_t id = rt_link_header(link)->members[i];
        if (id && id != own && rt_process_lives(id))
            others[count++] = id;
        else if (id && id != own)
            rt_link_header(link)->members[i] = 0;
    }
    rt_link_unlock(link);
    return count;
}

/* Without the lock at first: nearly always nobody else is there. */
bool rt_link_has_others(struct rt_link *link)
{
    uint64_t others[RT_LINK_MEMBERS];
    const uint64_t own = own_id();
    bool may_be = false;
    for (unsigned i = 0; i < RT_LINK_MEMBERS; i++) {
        const uint64_t id = rt_link_header(link)->members[i];
        may_be |= id && id != own;
    }
    return may_be && others_of(link, others) > 0;
}

void rt_link_tell_others(struct rt_link *link)
{
    uint64_t others[RT_LINK_MEMBERS];
    const unsigned count = others_of(link, others);
    for (unsigned i = 0; i < count; i++)
        rt_process_tell(others[i]);
}

/* ---- Life ---------------------------------------------------------------------------------------------- */

bool rt_link_make(struct rt_link *link, enum rt_link_kind kind, uint32_t name, uint64_t size)
{
    *link = (struct rt_link){.name = name, .maker = own_id()};
    if (!link->maker || !rt_section_create(&link->section, name, size))
        return false;
    struct rt_link_header *const header = rt_link_header(link);
    header->kind = (uint32_t)kind;
    header->maker = link->maker;
    header->members[0] = link->maker; /* link->place is 0 */
    atomic_thread_fence(memory_order_seq_cst);
    header->magic = LINK_MAGIC;
    return true;
}

bool rt_link_open(struct rt_link *link, enum rt_link_kind kind, uint32_t name, uint64_t maker, uint64_t least)
{
    const uint64_t own = own_id();
    bool is_member = false;
    *link = (struct rt_link){.name = name};
    if (!own || !rt_section_open(&link->section, name))
        return false;
    if (least < sizeof(struct rt_link_header))
        least = sizeof(struct rt_link_header);
    if (link->section.size < least) {
        rt_section_close(&link->section);
        return false;
    }
    link->maker = rt_link_header(link)->maker;
    if (rt_link_header(link)->magic == LINK_MAGIC && rt_link_header(link)->kind == (uint32_t)kind &&
        (!maker || maker == link->maker) && rt_link_lock(link)) {
        is_member = join(link, own);
        rt_link_unlock(link);
    }
    if (!is_member)
        rt_section_close(&link->section);
    return is_member;
}

void rt_link_close(struct rt_link *link)
{
    if (link->section.bytes && rt_link_lock(link)) {
        rt_link_header(link)->members[link->place] = 0;
        rt_link_unlock(link);
    }
    rt_section_close(&link->section);
}

bool rt_link_lock(struct rt_link *link)
{
    if (atomic_load(&link->is_broken))
        return false;
    if (rt_section_lock(&link->section))
        return true;
    atomic_store(&link->is_broken, true);
    rt_debug_output("what a resource or a fence has in common with another process is locked by that process "
                    "for too long, and no more common");
    return false;
}

void rt_link_unlock(struct rt_link *link)
{
    rt_section_unlock(&link->section);
}

/* ---- Questions ----------------------------------------------------------------------------------------- */

/* Whether a member that lives has not answered yet. */
static bool is_owed(struct rt_link *link, uint32_t number)
{
    const struct rt_link_header *const header = rt_link_header(link);
    for (unsigned i = 0; i < RT_LINK_MEMBERS; i++) {
        const uint64_t id = header->members[i];
        if (i != link->place && id && (int32_t)(atomic_load(&header->answers[i]) - number) < 0 &&
            rt_process_lives(id))
            return true;
    }
    return false;
}

bool rt_link_ask(struct rt_link *link)
{
    struct rt_link_header *const header = rt_link_header(link);
    const int64_t end = rt_ticks() + ANSWER_MS * (rt_ticks_per_second() / 1000);
    const uint32_t number = atomic_fetch_add(&header->asked, 1) + 1;
    rt_link_tell_others(link);
    while (is_owed(link, number)) {
        if (rt_ticks() >= end)
            return false;
        rt_process_lock();
        rt_process_wait(LOOK_MS);
        rt_process_unlock();
    }
    return atomic_load(&header->is_answered) != 0;
}

bool rt_link_is_asked(struct rt_link *link, uint32_t *number)
{
    *number = atomic_load(&rt_link_header(link)->asked);
    return *number != atomic_load(&rt_link_header(link)->answers[link->place]);
}

void rt_link_answer(struct rt_link *link, uint32_t number)
{
    atomic_store(&rt_link_header(link)->is_answered, 1);
    atomic_store(&rt_link_header(link)->answers[link->place], number);
    rt_link_tell_others(link);
}
