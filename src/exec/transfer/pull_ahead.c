/* SPDX-License-Identifier: MIT */
#include "exec/transfer/pull_ahead.h"

#include <stddef.h>

#include "exec/host/account.h"
#include "exec/host/guest_memory.h"
#include "exec/host/host.h"
#include "exec/host/progress.h"
#include "exec/object/buffer.h"
#include "exec/object/dirty_resource.h"
#include "exec/object/resource.h"
#include "exec/object/texture.h"
#include "exec/transfer/buffer_upload.h"
#include "exec/transfer/copier.h"
#include "exec/transfer/texture_pull.h"
#include "exec/transfer/texture_upload.h"

static struct ag_interval *dirty_of(struct ag_resource *resource)
{
    return resource->kind == AG_RESOURCE_BUFFER ? &((struct ag_buffer *)resource)->guest_dirty
                                                : &((struct ag_texture *)resource)->guest_dirty;
}

static uint64_t part_bytes(const struct ag_resource *resource)
{
    return resource->kind == AG_RESOURCE_BUFFER ? AG_PART_UPLOADED_BYTES
                                                : ag_texture_part_bytes((const struct ag_texture *)resource);
}

static bool is_large(struct ag_resource *resource)
{
    const struct ag_interval *const dirty = dirty_of(resource);
    return !ag_interval_is_empty(*dirty) && dirty->end - dirty->begin > part_bytes(resource);
}

void ag_pull_note(struct ag_copier *copier, struct ag_resource *resource)
{
    if (resource->account != copier->host->accounts.current)
        ag_dirty_resource_forget(resource);
    else if (is_large(resource))
        ag_dirty_resource_note(resource);
}

/* Whether a packet that clears textures as a whole leaves this one to be brought in. */
static bool is_cleared(const struct ag_resource *resource)
{
    return resource->kind == AG_RESOURCE_TEXTURE &&
           ag_texture_subresources((const struct ag_texture *)resource) == 1;
}

static bool pull(struct ag_copier *copier, struct ag_resource *resource)
{
    return resource->kind == AG_RESOURCE_BUFFER ? ag_buffer_pull(copier, (struct ag_buffer *)resource)
                                                : ag_texture_pull(copier, (struct ag_texture *)resource);
}

/* Brings in the first part of the dirty bytes. AG_GUEST_ABSENT: a later submission may have the allocation.
 */
static enum ag_guest_range pull_part(struct ag_copier *copier, struct ag_resource *resource)
{
    struct ag_interval *const dirty = dirty_of(resource);
    const uint64_t bytes = part_bytes(resource);
    const struct ag_interval all = *dirty, part = {all.begin, all.begin + bytes};
    enum ag_guest_range range = ag_guest_probe(copier->host, resource->backing.alloc_id,
                                               resource->backing.offset + part.begin, bytes);
    if (range != AG_GUEST_READABLE)
        return range;
    *dirty = part;
    if (!pull(copier, resource)) {
        *dirty = all;
        return AG_GUEST_UNREADABLE;
    }
    *dirty = (struct ag_interval){part.end, all.end};
    return AG_GUEST_READABLE;
}

bool ag_pull_ahead(struct ag_copier *copier, bool clears)
{
    struct ag_resource *next;
    for (struct ag_resource *resource = copier->host->accounts.current->dirty; resource; resource = next) {
        next = resource->next_dirty;
        const bool is_wanted = is_large(resource);
        if (is_wanted && clears && is_cleared(resource))
            continue;
        const enum ag_guest_range range = is_wanted ? pull_part(copier, resource) : AG_GUEST_UNREADABLE;
        if (range == AG_GUEST_READABLE)
            return true;
        if (range == AG_GUEST_UNREADABLE)
            ag_dirty_resource_forget(resource);
    }
    return false;
}
