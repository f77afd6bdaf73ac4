/* SPDX-License-Identifier: MIT */
#include "exec/bind/context_set.h"

#include <inttypes.h>
#include <stdlib.h>

#include "aerogpu/diag.h"
#include "base/map.h"
#include "exec/bind/binder.h"
#include "exec/bind/context.h"
#include "exec/bind/packed_context.h"
#include "exec/host/report.h"
#include "exec/record/query_recording.h"
#include "exec/state/slots.h"

/* ---- New contexts ------------------------------------------------------------------------------------- */

static void begin_state(struct ag_context *context)
{
    ag_context_clear_state(context);
    /* In the initial state of the ABI, the viewport is the whole target, nothing is scissored, and there is a
     * topology. */
    context->viewport_count = context->scissor_count = 0;
    context->topology = AG_TOPOLOGY_TRIANGLE_LIST;
}

static struct ag_context *make(uint32_t id)
{
    struct ag_context *context = calloc(1, sizeof *context);
    if (!context)
        return NULL;
    context->id = id;
    begin_state(context);
    return context;
}

static bool make_images(struct ag_context_set *set)
{
    if (!set->fresh)
        set->fresh = make(0);
    if (!set->image)
        set->image = make(0);
    return set->fresh && set->image;
}

/* ---- Packing ------------------------------------------------------------------------------------------ */

static struct ag_context *used_longest_ago(const struct ag_context_set *set)
{
    struct ag_context *oldest = NULL;
    size_t cursor = 0;
    uint64_t key;
    void *value;
    while (ag_map_next(&set->live, &cursor, &key, &value)) {
        struct ag_context *context = value;
        if (!oldest || context->used < oldest->used)
            oldest = context;
    }
    return oldest;
}

static void drop_live(struct ag_context_set *set, struct ag_context *context)
{
    ag_map_remove(&set->live, context->id);
    ag_context_destroy(context);
}

static void drop_packed(struct ag_context_set *set, uint32_t id)
{
    struct ag_packed_context *packed = ag_map_remove(&set->packed, id);
    if (!packed)
        return;
    set->packed_bytes -= packed->size;
    free(packed);
}

/* Drops a context that nobody could tell from one that was never used. */
static bool drop_new(struct ag_context_set *set)
{
    size_t cursor = 0;
    uint64_t key;
    void *value;
    while (ag_map_next(&set->live, &cursor, &key, &value)) {
        const struct ag_context *context = value;
        if (context->used == set->clock || !ag_context_is_new(context, set->fresh, set->image))
            continue;
        drop_live(set, value);
        return true;
    }
    return false;
}

static bool refuse(struct ag_binder *binder, uint32_t id)
{
    ag_host_report(binder->host, AGPU_DIAG_GPU_LIMIT, AGPU_ERROR,
                   "no room for context %" PRIu32 ": the contexts that wait have more than %" PRIu64
                   " bytes of state, and EXT_DESTROY_CONTEXT has not ended them",
                   id, AG_PACKED_CONTEXTS_BYTES);
    return false;
}

static bool pack_oldest(struct ag_binder *binder, uint64_t room, uint32_t id)
{
    struct ag_context_set *set = &binder->contexts;
    struct ag_context *oldest = used_longest_ago(set);
    if (ag_context_is_new(oldest, set->fresh, set->image)) {
        drop_live(set, oldest);
        return true;
    }
    struct ag_packed_context *packed = ag_context_pack(oldest, set->fresh, set->image);
    if (!packed) {
        ag_host_no_memory(binder->host);
        return false;
    }
    if (packed->size > room) {
        free(packed);
        return drop_new(set) || refuse(binder, id);
    }
    if (!ag_map_put(&set->packed, oldest->id, packed)) {
        free(packed);
        ag_host_no_memory(binder->host);
        return false;
    }
    set->packed_bytes += packed->size;
    drop_live(set, oldest);
    return true;
}

/* Makes room among the live contexts for the context of an id, whose packed state goes then; null: it has
 * none. */
static bool make_room(struct ag_binder *binder, const struct ag_packed_context *packed, uint32_t id)
{
    struct ag_context_set *set = &binder->contexts;
    if (!make_images(set)) {
        ag_host_no_memory(binder->host);
        return false;
    }
    if (set->live.count < AG_LIVE_CONTEXTS)
        return true;
    return pack_oldest(binder, AG_PACKED_CONTEXTS_BYTES - set->packed_bytes + (packed ? packed->size : 0),
                       id);
}

/* ---- Contexts by their ids ---------------------------------------------------------------------------- */

static struct ag_context *bring(struct ag_binder *binder, uint32_t id)
{
    struct ag_context_set *set = &binder->contexts;
    const struct ag_packed_context *packed = ag_map_get(&set->packed, id);
    if (!make_room(binder, packed, id))
        return NULL;
    struct ag_context *context = packed ? ag_context_unpack(packed, set->fresh, id) : make(id);
    if (!context || !ag_map_put(&set->live, id, context)) {
        ag_context_destroy(context);
        ag_host_no_memory(binder->host);
        return NULL;
    }
    drop_packed(set, id);
    return context;
}

struct ag_context *ag_context_get(struct ag_binder *binder, uint32_t id)
{
    struct ag_context *context = ag_map_get(&binder->contexts.live, id);
    if (!context)
        context = bring(binder, id);
    if (context)
        context->used = ++binder->contexts.clock;
    return context;
}

void ag_context_end(struct ag_binder *binder, struct ag_context *current, uint32_t id)
{
    struct ag_context_set *set = &binder->contexts;
    struct ag_context *context = ag_map_get(&set->live, id);
    ag_queries_end_context(binder->recorder, id);
    drop_packed(set, id);
    ag_map_remove(&set->ended, id);
    if (context && context == current)
        begin_state(context);
    else if (context)
        drop_live(set, context);
}

/* Half a microsecond each. */
#define VISITED_AT_ONCE 1024u

/* Between two parts the stream has not gone on, so that all contexts are where they were. */
bool ag_contexts_visit(struct ag_binder *binder, uint64_t key,
                       void (*forget)(struct ag_context *context, const void *object), const void *object,
                       uint64_t *done)
{
    struct ag_context_set *set = &binder->contexts;
    const uint64_t bit = ag_packed_context_bit(key);
    size_t cursor = (size_t)*done;
    uint32_t visited = 0;
    uint64_t id;
    void *value;
    while (visited < VISITED_AT_ONCE && ag_map_next(&set->packed, &cursor, &id, &value)) {
        struct ag_packed_context *packed = value;
        if (!(packed->objects & bit))
            continue;
        ag_packed_context_visit(packed, set->fresh, set->image, forget, object);
        visited++;
    }
    *done = cursor;
    if (visited == VISITED_AT_ONCE)
        return true;
    for (cursor = 0; ag_map_next(&set->live, &cursor, &id, &value);)
        forget(value, object);
    return false;
}

bool ag_context_end_put(struct ag_map *ended, uint32_t id, enum ag_context_end end)
{
    return ag_map_put(ended, id, (void *)(uintptr_t)end);
}

/* Takes the ids of a map of contexts. False when memory is exhausted. */
static bool take_ids(struct ag_map *ended, const struct ag_map *contexts)
{
    size_t cursor = 0;
    uint64_t id;
    void *value;
    while (ag_map_next(contexts, &cursor, &id, &value))
        if (!ag_context_end_put(ended, (uint32_t)id, AG_CONTEXT_LOST_DEVICE))
            return false;
    return true;
}

void ag_contexts_lose_device(struct ag_binder *binder)
{
    struct ag_context_set *set = &binder->contexts;
    struct ag_map ended = set->ended;
    const bool is_complete = take_ids(&ended, &set->live) && take_ids(&ended, &set->packed);
    set->ended = (struct ag_map){0};
    ag_contexts_leave(binder);
    binder->contexts.ended = ended;
    if (!is_complete)
        ag_host_no_memory(binder->host);
}

void ag_context_end_by_force(struct ag_binder *binder, uint32_t id, enum ag_context_end end)
{
    ag_context_end(binder, NULL, id);
    if (!ag_context_end_put(&binder->contexts.ended, id, end))
        ag_host_no_memory(binder->host);
}

enum ag_context_end ag_context_ended(const struct ag_binder *binder, uint32_t id)
{
    return (enum ag_context_end)(uintptr_t)ag_map_get(&binder->contexts.ended, id);
}

#define FREED_AT_ONCE 64u

bool ag_contexts_free_part(struct ag_binder *binder)
{
    struct ag_context_set *const set = &binder->contexts;
    uint64_t key;
    void *value;
    for (uint32_t i = 0; i < FREED_AT_ONCE; i++) {
        if (!ag_map_next(&set->left, &set->left_cursor, &key, &value)) {
            ag_map_fini(&set->left);
            set->left_cursor = 0;
            return false;
        }
        free(value);
    }
    return true;
}

void ag_contexts_leave(struct ag_binder *binder)
{
    struct ag_context_set *set = &binder->contexts;
    size_t cursor = 0;
    uint64_t key;
    void *value;
    while (ag_map_next(&set->live, &cursor, &key, &value))
        ag_context_destroy(value);
    while (set->packed.capacity != 0 && ag_contexts_free_part(binder))
        continue;
    ag_map_fini(&set->live);
    ag_map_fini(&set->ended);
    ag_context_destroy(set->fresh);
    ag_context_destroy(set->image);
    *set = set->packed.capacity != 0
               ? (struct ag_context_set){.left = set->packed}
               : (struct ag_context_set){.left = set->left, .left_cursor = set->left_cursor};
}
