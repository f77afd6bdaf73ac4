/* SPDX-License-Identifier: MIT */
#include "exec/record/bind_group.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/map.h"
#include "base/vec.h"
#include "exec/host/host.h"
#include "exec/host/recency.h"
#include "exec/host/report.h"
#include "exec/record/bind_group_layout.h"
#include "exec/record/recorder.h"
#include "exec/record/throttle.h"
#include "exec/record/upload_ring.h"
#include "gpu/gpu.h"
#include "gpu/label.h"
#include "gpu/webgpu.h"
#include "kernel/kernel.h"

#define MANY_GROUPS ((size_t)1024)
#define OLD_ENCODERS 8

/* The part of a struct ag_bind_item that is compared: an id stands for the buffer, view or sampler. */
struct group_item {
    uint64_t binding, id, offset, size;
};

/* A link in the list of all items that hold one WebGPU object. The first one is in ag_recorder.bound_objects.
 */
struct held {
    struct held *next, *previous;
    struct cached_group *group;
};

struct cached_group {
    WGPUBindGroup gpu;
    uint64_t layout_id;
    uint64_t hash;
    uint64_t used_in; /* number of the encoder that last used the group */
    struct ag_recency recency;
    struct held *links; /* `count` of them, behind the items */
    uint32_t recalls;   /* the first place in the table of recalled groups, counted from 1; 0: none */
    uint32_t count;
    struct group_item items[];
};

/* ---- Recalled groups ----------------------------------------------------------------------------------- */

#define RECALLED_GROUPS 8192u
#define CACHE_LINE 64u

/* A place of the table. A group may be in several, one for each user. What draws look at is here, in one line
 * of the processor's cache. */
struct ag_recalled_group {
    uint64_t user;
    uint64_t first_ids[3];      /* those of the first items */
    uint64_t used_in;           /* the last encoder that the place was found for */
    struct cached_group *group; /* null: the place is empty */
    WGPUBindGroup gpu;          /* of the group */
    uint32_t count;             /* items of the group */
    uint32_t next;              /* place of the group, counted from 1; 0: none */
};

static uint32_t place_of(uint64_t user, const uint64_t *ids, uint32_t count)
{
    uint64_t mix = user;
    for (uint32_t i = 0; i < count; i++)
        mix = (mix ^ ids[i]) * UINT64_C(0x9E3779B97F4A7C15);
    return (uint32_t)(mix * UINT64_C(0x9E3779B97F4A7C15) >> 32) % RECALLED_GROUPS;
}

static void empty_place(struct ag_recorder *recorder, uint32_t place)
{
    struct ag_recalled_group *const recalled = &recorder->recalled_groups[place];
    if (!recalled->group)
        return;
    uint32_t *link = &recalled->group->recalls;
    while (*link != place + 1)
        link = &recorder->recalled_groups[*link - 1].next;
    *link = recalled->next;
    *recalled = (struct ag_recalled_group){0};
}

/* False: there is no memory for the table. */
static bool make_table(struct ag_recorder *recorder)
{
    if (recorder->recalled_groups)
        return true;
    recorder->recalled_memory =
        calloc(1, RECALLED_GROUPS * sizeof *recorder->recalled_groups + CACHE_LINE - 1);
    const uintptr_t address = (uintptr_t)recorder->recalled_memory;
    if (address)
        recorder->recalled_groups =
            (void *)((uint8_t *)recorder->recalled_memory + (-address & (CACHE_LINE - 1)));
    return address != 0;
}

/* A group that is not remembered for want of memory is found in the cache. */
static void remember(struct ag_recorder *recorder, uint64_t user, struct cached_group *group)
{
    uint64_t ids[AG_MAX_STAGE_BINDINGS];
    if (!make_table(recorder))
        return;
    for (uint32_t i = 0; i < group->count; i++)
        ids[i] = group->items[i].id;
    const uint32_t place = place_of(user, ids, group->count);
    struct ag_recalled_group *const recalled = &recorder->recalled_groups[place];
    if (recalled->user == user && recalled->group == group)
        return; /* a group of many users has many places, and emptying one looks at them */
    empty_place(recorder, place);
    *recalled = (struct ag_recalled_group){
        .user = user, .group = group, .gpu = group->gpu, .count = group->count, .next = group->recalls};
    for (uint32_t i = 0; i < AG_COUNT_OF(recalled->first_ids) && i < group->count; i++)
        recalled->first_ids[i] = ids[i];
    group->recalls = place + 1;
}

/* ---- The cache ----------------------------------------------------------------------------------------- */

static void unlink_item(struct ag_recorder *recorder, struct cached_group *group, uint32_t i)
{
    struct held *link = &group->links[i];
    if (!link->group) /* was not linked */
        return;
    if (link->next)
        link->next->previous = link->previous;
    if (link->previous)
        link->previous->next = link->next;
    else if (link->next) /* replacing needs no memory */
        ag_map_put(&recorder->bound_objects, group->items[i].id, link->next);
    else
        ag_map_remove(&recorder->bound_objects, group->items[i].id);
}

static void destroy_group(struct ag_recorder *recorder, struct cached_group *group)
{
    while (group->recalls)
        empty_place(recorder, group->recalls - 1);
    for (uint32_t i = 0; i < group->count; i++)
        unlink_item(recorder, group, i);
    ag_recency_remove(&recorder->recent_groups, &group->recency);
    wgpuBindGroupRelease(group->gpu);
    free(group);
    recorder->groups_destroyed++;
    recorder->host->counts.bind_groups_live--;
}

/* Links the items of a new group. False when memory is exhausted. */
static bool link_items(struct ag_recorder *recorder, struct cached_group *group)
{
    for (uint32_t i = 0; i < group->count; i++) {
        struct held *link = &group->links[i];
        struct held *first = ag_map_get(&recorder->bound_objects, group->items[i].id);
        if (!ag_map_put(&recorder->bound_objects, group->items[i].id, link))
            return false;
        *link = (struct held){.next = first, .group = group};
        if (first)
            first->previous = link;
    }
    return true;
}

static bool same_group(const struct cached_group *group, uint64_t layout_id, const struct group_item *items,
                       uint32_t count)
{
    return group->layout_id == layout_id && group->count == count &&
           (count == 0 || memcmp(group->items, items, count * sizeof *items) == 0);
}

WGPUBindGroup ag_bind_group_create(struct ag_recorder *recorder, const WGPUBindGroupDescriptor *descriptor)
{
    ag_throttle_add_group(recorder);
    return wgpuDeviceCreateBindGroup(ag_gpu_maker(recorder->host->gpu), descriptor);
}

static WGPUBindGroup create_gpu(struct ag_recorder *recorder, const struct ag_bind_group_layout *layout,
                                const struct ag_bind_item *items, uint32_t count)
{
    WGPUBindGroupEntry entries[AG_MAX_STAGE_BINDINGS];
    for (uint32_t i = 0; i < count; i++) {
        entries[i] = (WGPUBindGroupEntry){
            .binding = items[i].binding,
            .buffer = items[i].buffer,
            .offset = items[i].offset,
            .size = items[i].size,
            .sampler = items[i].sampler,
            .textureView = items[i].view,
        };
    }
    const WGPUBindGroupDescriptor descriptor = {
        .label = ag_webgpu_string(layout->label),
        .layout = layout->gpu,
        .entryCount = count,
        .entries = entries,
    };
    return ag_bind_group_create(recorder, &descriptor);
}

/* Groups of one encoder go together, in whatever order it used them. */
static void use(struct ag_recorder *recorder, struct cached_group *group)
{
    if (group->recency.member && group->used_in == recorder->encoder_number)
        return;
    group->used_in = recorder->encoder_number;
    ag_recency_use(&recorder->recent_groups, &group->recency, group);
}

static struct cached_group *get(struct ag_recorder *recorder, const struct ag_bind_group_layout *layout,
                                const struct ag_bind_item *items, uint32_t count)
{
    struct group_item key[AG_MAX_STAGE_BINDINGS];
    for (uint32_t i = 0; i < count; i++)
        key[i] = (struct group_item){items[i].binding, items[i].id, items[i].offset, items[i].size};
    const uint64_t hash = ag_hash_combine(layout->id, count ? ag_hash_bytes(key, count * sizeof *key) : 0);
    struct cached_group *group = ag_map_get(&recorder->bind_groups, hash);
    if (group && same_group(group, layout->id, key, count)) {
        use(recorder, group);
        return group;
    }
    if (group) { /* a group with the same hash and other contents, which the new group replaces */
        ag_map_remove(&recorder->bind_groups, hash);
        destroy_group(recorder, group);
    }
    group = calloc(1, sizeof *group + count * (sizeof *key + sizeof(struct held)));
    if (!group) {
        ag_host_no_memory(recorder->host);
        return NULL;
    }
    group->gpu = create_gpu(recorder, layout, items, count);
    group->layout_id = layout->id;
    group->hash = hash;
    group->links = (struct held *)(void *)(group->items + count);
    use(recorder, group);
    group->count = count;
    if (count)
        memcpy(group->items, key, count * sizeof *key);
    recorder->host->counts.bind_groups_live++;
    if (!link_items(recorder, group) || !ag_map_put(&recorder->bind_groups, hash, group)) {
        destroy_group(recorder, group);
        ag_host_no_memory(recorder->host);
        return NULL;
    }
    return group;
}

WGPUBindGroup ag_bind_group_get(struct ag_recorder *recorder, const struct ag_bind_group_layout *layout,
                                const struct ag_bind_item *items, uint32_t count)
{
    const struct cached_group *const group = get(recorder, layout, items, count);
    return group ? group->gpu : NULL;
}

WGPUBindGroup ag_bind_group_get_for(struct ag_recorder *recorder, uint64_t user,
                                    const struct ag_bind_group_layout *layout,
                                    const struct ag_bind_item *items, uint32_t count)
{
    struct cached_group *const group = get(recorder, layout, items, count);
    if (group)
        remember(recorder, user, group);
    return group ? group->gpu : NULL;
}

WGPUBindGroup ag_bind_group_recall(struct ag_recorder *recorder, uint64_t user, const uint64_t *ids,
                                   uint32_t count)
{
    if (!recorder->recalled_groups)
        return NULL;
    struct ag_recalled_group *const recalled = &recorder->recalled_groups[place_of(user, ids, count)];
    const uint32_t first = AG_COUNT_OF(recalled->first_ids);
    if (!recalled->group || recalled->user != user || recalled->count != count)
        return NULL;
    for (uint32_t i = 0; i < count && i < first; i++)
        if (recalled->first_ids[i] != ids[i])
            return NULL;
    for (uint32_t i = first; i < count; i++)
        if (recalled->group->items[i].id != ids[i])
            return NULL;
    if (recalled->used_in != recorder->encoder_number)
        use(recorder, recalled->group);
    recalled->used_in = recorder->encoder_number;
    return recalled->gpu;
}

/* ---- Kernels ------------------------------------------------------------------------------------------- */

/* A kernel's bind group layout has its address as its id. This bit tells such ids from those of ag_host_id().
 * Cached groups keep their layout alive, so that no other layout gets the address while they exist. */
#define KERNEL_ID (UINT64_C(1) << 63)

static WGPUBindGroup get_kernel_group(void *user, const struct ag_kernel *kernel,
                                      const struct ag_buffer_range ranges[AG_KERNEL_BINDINGS])
{
    const struct ag_bind_group_layout layout = {
        .id = KERNEL_ID | (uint64_t)(uintptr_t)kernel->layout, .gpu = kernel->layout, .label = kernel->label};
    struct ag_bind_item items[AG_KERNEL_BINDINGS];
    memset(items, 0, sizeof items);
    ag_throttle_add_binding(user, 1);
    for (uint32_t i = 0; i < kernel->binding_count; i++) {
        if (!ranges[i].id) {
            ag_throttle_add_group(user);
            return ag_kernel_create_group(kernel, ranges);
        }
        items[i].binding = i;
        items[i].id = ranges[i].id;
        items[i].buffer = ranges[i].buffer;
        items[i].offset = ranges[i].offset;
        items[i].size = ranges[i].size;
    }
    WGPUBindGroup group = ag_bind_group_get(user, &layout, items, kernel->binding_count);
    if (group)
        wgpuBindGroupAddRef(group);
    return group;
}

struct ag_kernel_groups ag_bind_kernel_groups(struct ag_recorder *recorder)
{
    return (struct ag_kernel_groups){get_kernel_group, recorder};
}

struct ag_kernel *ag_bind_kernel_make(struct ag_recorder *recorder, struct ag_kernel *kernel,
                                      const struct ag_kernel_desc *desc)
{
    if (kernel->layout)
        return kernel;
    ag_kernel_init(kernel, recorder->host->gpu, desc);
    kernel->groups = ag_bind_kernel_groups(recorder);
    return kernel;
}

bool ag_bind_kernel_run(struct ag_recorder *recorder, WGPUCommandEncoder encoder, struct ag_kernel_run *run)
{
    struct ag_upload_slice slice;
    if (!ag_upload_ring_alloc(recorder, run->block_bytes, &slice))
        return false;
    memcpy(slice.bytes, run->block, run->block_bytes);
    run->ranges[0] = (struct ag_buffer_range){slice.gpu, slice.offset, run->block_bytes, slice.id};
    WGPUComputePassEncoder pass = ag_compute_pass_begin(encoder, run->kernel->label);
    const bool bound = ag_kernel_bind(run->kernel, pass, run->ranges);
    if (bound)
        ag_kernel_dispatch(run->kernel, pass, run->entry, run->invocations);
    wgpuComputePassEncoderEnd(pass);
    wgpuComputePassEncoderRelease(pass);
    return bound;
}

/* Removes the groups that no encoder from this number on has used. */
static void remove_older(struct ag_recorder *recorder, uint64_t encoder_number)
{
    while (recorder->recent_groups.oldest) {
        struct cached_group *group = recorder->recent_groups.oldest->member;
        if (group->used_in >= encoder_number)
            break;
        ag_map_remove(&recorder->bind_groups, group->hash);
        destroy_group(recorder, group);
    }
}

void ag_bind_groups_forget(struct ag_recorder *recorder, uint64_t id)
{
    struct held *link;
    while ((link = ag_map_get(&recorder->bound_objects, id)) != NULL) {
        ag_map_remove(&recorder->bind_groups, link->group->hash);
        destroy_group(recorder, link->group);
    }
}

void ag_bind_groups_trim(struct ag_recorder *recorder)
{
    if (recorder->bind_groups.count > MANY_GROUPS && recorder->encoder_number > OLD_ENCODERS)
        remove_older(recorder, recorder->encoder_number - OLD_ENCODERS);
    if (recorder->bind_groups.count > 4 * MANY_GROUPS)
        remove_older(recorder, recorder->encoder_number);
}

void ag_bind_groups_clear(struct ag_recorder *recorder)
{
    remove_older(recorder, UINT64_MAX);
    free(recorder->recalled_memory);
    recorder->recalled_memory = NULL;
    recorder->recalled_groups = NULL;
    ag_map_fini(&recorder->bind_groups);
    ag_map_fini(&recorder->bound_objects);
}

WGPUBindGroup ag_bind_group_empty(struct ag_recorder *recorder)
{
    struct ag_bind_group_layout *layout = ag_bind_group_layout_empty(recorder);
    return layout ? ag_bind_group_get(recorder, layout, NULL, 0) : NULL;
}
