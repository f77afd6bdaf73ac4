/* SPDX-License-Identifier: MIT
 *
 * The contents of a resource that several processes share. Each process has a device of its own at the host,
 * and so a copy of its own; what is between them is a section of memory (link.h) with the description, the
 * keyed mutex and all texels. Who has written publishes: of its copy, what is other than it was. Who comes
 * after takes. Both go through a driver's device that the process has for that alone, so that any thread
 * does it, whatever the program's contexts record meanwhile.
 */
#ifndef RT_D3D11_CONTENTS_H
#define RT_D3D11_CONTENTS_H

#include "guest/d3d11/resource.h"

struct rt_contents;

/* What the section says of the resource; that of another process is not checked yet. */
struct rt_contents_desc {
    uint32_t dimension, format, width, height, depth, mips, layers;
    uint32_t usage, bind_flags, cpu_access, misc_flags, structure_stride;
};

/* The keyed mutex, in the section. */
struct rt_contents_mutex {
    uint64_t key;    /* with which it can be acquired */
    uint64_t holder; /* the id of the process that has it; 0: none */
    uint32_t is_abandoned;
};

/* For a resource of this process that the host has under its token, whose low bits are the name. Contents
 * have one user. DXGI_ERROR_UNSUPPORTED of what has samples, E_OUTOFMEMORY. */
HRESULT rt_contents_make(const struct rt_resource *resource, uint64_t token, struct rt_contents **out);
/* Those of another process, with all of its published texels. E_INVALIDARG: there are none. */
HRESULT rt_contents_open(const struct rt_token *token, struct rt_contents **out);
/* Of opened ones: a resource that was made by the description, under its token at this process's device. */
HRESULT rt_contents_bind(struct rt_contents *contents, const struct rt_resource *resource, uint64_t token);

void rt_contents_hold(struct rt_contents *contents); /* under the lock of the process */
/* Accepts NULL. */
void rt_contents_let_go(struct rt_contents *contents);

const struct rt_contents_desc *rt_contents_desc(const struct rt_contents *contents);
struct rt_link *rt_contents_link(struct rt_contents *contents);
/* Under the lock of the link. */
struct rt_contents_mutex *rt_contents_mutex(struct rt_contents *contents);

/* Gives the other processes what this one has submitted so far; waits for it. False: the GPU is gone. */
bool rt_contents_publish(struct rt_contents *contents);
/* Whether others have published since; without a lock. */
bool rt_contents_are_newer(const struct rt_contents *contents);
/* What is submitted after the call sees what others have published. `keeps`: what this process has written
 * and not published is published first. */
void rt_contents_take(struct rt_contents *contents, bool keeps);

#endif
