/* SPDX-License-Identifier: MIT
 *
 * What processes have in common of a resource or of a fence: a section of memory that begins with who has it.
 * The section's lock guards what is in it.
 */
#ifndef RT_D3D11_LINK_H
#define RT_D3D11_LINK_H

#include "guest/d3d11/neighbour.h"
#include "guest/d3d11/platform.h"

#include <stdatomic.h>

enum rt_link_kind { RT_LINK_RESOURCE = 1, RT_LINK_FENCE };

#define RT_LINK_MEMBERS 16

/* At the beginning of the section, alike for programs of 32 and 64 bits. */
struct rt_link_header {
    uint32_t magic, kind;
    uint64_t maker;                    /* the id of the process that made it */
    uint64_t members[RT_LINK_MEMBERS]; /* ids of processes; 0: none */
    /* Who opens it asks all others to bring up to date what is in it, and waits for their answers. */
    _Atomic uint32_t asked, is_answered;       /* how often; whether anybody ever did */
    _Atomic uint32_t answers[RT_LINK_MEMBERS]; /* the question that a member has answered last */
};

struct rt_link {
    struct rt_section section;
    uint32_t name;
    unsigned place;         /* among the members */
    uint64_t maker;         /* as it was when the link was made or opened */
    _Atomic bool is_broken; /* somebody did not give the lock back in time: nothing is common any more */
};

/* The name of a section, in the bits of a token that every handle has. */
static inline uint32_t rt_link_name(uint64_t token)
{
    return (uint32_t)(token & ((UINT64_C(1) << (RT_SECTION_COUNT_BITS + RT_PROCESS_BITS)) - 1));
}

static inline struct rt_link_header *rt_link_header(const struct rt_link *link)
{
    return (struct rt_link_header *)(void *)link->section.bytes;
}

/* A link of this process, which is its first member; `size` bytes with the header. False: no memory, or the
 * name is taken. */
bool rt_link_make(struct rt_link *link, enum rt_link_kind kind, uint32_t name, uint64_t size);
/* That of another process, with at least `least` bytes. Its `maker` has to be this one; 0: whatever it is.
 * False: there is none. */
bool rt_link_open(struct rt_link *link, enum rt_link_kind kind, uint32_t name, uint64_t maker,
                  uint64_t least);
/* It is no member any more. */
void rt_link_close(struct rt_link *link);

/* False: the link is broken. */
bool rt_link_lock(struct rt_link *link);
void rt_link_unlock(struct rt_link *link);

/* Whether another process has it; those that have ended are forgotten. */
bool rt_link_has_others(struct rt_link *link);
void rt_link_tell_others(struct rt_link *link);

/* Asks the others, and waits: not for who has ended, and not for ever. Whether what is in the section is up
 * to date. No lock is held. */
bool rt_link_ask(struct rt_link *link);
/* Whether this process is asked; the number is for rt_link_answer(). */
bool rt_link_is_asked(struct rt_link *link, uint32_t *number);
void rt_link_answer(struct rt_link *link, uint32_t number);

#endif
