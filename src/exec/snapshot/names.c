/* SPDX-License-Identifier: MIT */
#include "exec/snapshot/names.h"

#include <inttypes.h>
#include <stddef.h>

#include "aerogpu/diag.h"
#include "aerogpu/executor.h"
#include "base/archive.h"
#include "base/bytes.h"
#include "base/map.h"
#include "base/vec.h"
#include "exec/bind/binder.h"
#include "exec/bind/context_set.h"
#include "exec/host/host.h"
#include "exec/host/host_memory.h"
#include "exec/host/refused_handle.h"
#include "exec/object/handle.h"
#include "exec/object/objects.h"
#include "exec/object/resource.h"
#include "exec/object/share.h"
#include "exec/object/token_set.h"
#include "exec/packet/execution.h"
#include "exec/snapshot/sections.h"

#define MOST_WARNINGS UINT32_C(0xFF)

static bool refuse(struct ag_archive *archive, const char *what, uint64_t name)
{
    return ag_archive_refuse(archive, AGPU_DIAG_SNAPSHOT_FORMAT, "%s 0x%" PRIx64 " is impossible", what,
                             name);
}

/* ---- Pairs of numbers -------------------------------------------------------------------------------- */

/* A name, and what it names. */
struct pair {
    uint64_t name, value;
};

struct pairs {
    AG_VEC(struct pair) list;
};

static const struct ag_field pair_fields[] = {
    AG_FIELD(struct pair, name, UINT64_MAX),
    AG_FIELD(struct pair, value, UINT64_MAX),
};

static void push(struct ag_archive *archive, struct pairs *pairs, uint64_t name, uint64_t value)
{
    const struct pair pair = {name, value};
    if (!ag_vec_push(&pairs->list, pair))
        ag_archive_no_memory(archive);
}

/* Writes pairs, or calls `take` for each that is read, until one is refused. */
static void archive_pairs(struct ag_execution *rooms, struct ag_archive *archive, struct pairs *pairs,
                          bool (*take)(struct ag_execution *rooms, struct ag_archive *archive,
                                       const struct pair *pair))
{
    uint32_t count = (uint32_t)pairs->list.count;
    ag_archive_count(archive, &count, sizeof(struct pair));
    for (uint32_t i = 0; i < count && ag_archive_is_ok(archive); i++) {
        struct pair read, *pair = archive->loads ? &read : &pairs->list.data[i];
        ag_archive_fields(archive, pair_fields, AG_COUNT_OF(pair_fields), pair);
        if (archive->loads && ag_archive_is_ok(archive))
            take(rooms, archive, pair);
    }
    ag_vec_fini(&pairs->list);
}

/* ---- Handles ----------------------------------------------------------------------------------------- */

static void collect_handles(struct ag_execution *rooms, struct ag_archive *archive, enum ag_handle_kind kind,
                            struct pairs *pairs)
{
    size_t cursor = 0;
    uint64_t handle;
    void *value;
    while (!archive->loads && ag_map_next(&rooms->objects->handles, &cursor, &handle, &value)) {
        const struct ag_handle *entry = value;
        if (entry->kind == kind)
            push(archive, pairs, handle, entry->resource->handle);
    }
}

static bool take_alias(struct ag_execution *rooms, struct ag_archive *archive, const struct pair *pair)
{
    const struct ag_handle *original = ag_handle_find(rooms->objects, (uint32_t)pair->value);
    if (pair->name == 0 || pair->name > UINT32_MAX || pair->value > UINT32_MAX || !original ||
        original->kind != AG_HANDLE_RESOURCE || ag_handle_find(rooms->objects, (uint32_t)pair->name))
        return refuse(archive, "alias", pair->name);
    /* A snapshot does not say who made an alias: what it takes is in no context's share. */
    const enum agpu_status status = ag_host_memory_charge(rooms->host, AG_HOST_ALIAS_BYTES);
    if (status != AGPU_OK)
        return ag_archive_fail(archive, status);
    if (!ag_handle_add(rooms->objects, (uint32_t)pair->name, AG_HANDLE_ALIAS, original->resource, NULL)) {
        ag_host_memory_give(rooms->host, rooms->host->accounts.current, AG_HOST_ALIAS_BYTES);
        return ag_archive_no_memory(archive);
    }
    original->resource->references++;
    return true;
}

/* Destroying the handle of a resource that has an alias reserves it. */
static bool take_reserved(struct ag_execution *rooms, struct ag_archive *archive, const struct pair *pair)
{
    const struct ag_handle *entry =
        pair->name <= UINT32_MAX ? ag_handle_find(rooms->objects, (uint32_t)pair->name) : NULL;
    if (!entry || entry->kind != AG_HANDLE_RESOURCE || entry->resource->references < 2)
        return refuse(archive, "reserved handle", pair->name);
    ag_handle_destroy_resource(rooms->objects, (uint32_t)pair->name);
    return true;
}

/* ---- Share tokens ------------------------------------------------------------------------------------ */

static void collect_tokens(struct ag_execution *rooms, struct ag_archive *archive, struct pairs *pairs)
{
    size_t cursor = 0;
    uint64_t token;
    void *value;
    while (!archive->loads && ag_map_next(&rooms->objects->share_tokens, &cursor, &token, &value))
        push(archive, pairs, token, ag_share_resource(rooms->objects, token)->handle);
}

static bool take_token(struct ag_execution *rooms, struct ag_archive *archive, const struct pair *pair)
{
    if (pair->name == 0 || pair->value > UINT32_MAX ||
        rooms->objects->share_tokens.count >= AG_MAX_SHARE_TOKENS ||
        ag_share_resource(rooms->objects, pair->name))
        return refuse(archive, "share token", pair->name);
    const enum agpu_status status = ag_share_export(rooms->objects, (uint32_t)pair->value, pair->name);
    return status == AGPU_OK || ag_archive_fail(archive, status);
}

static void collect_retired(struct ag_execution *rooms, struct ag_archive *archive, struct pairs *pairs)
{
    const struct ag_token_set *set = &rooms->objects->retired_tokens;
    for (size_t i = 0; !archive->loads && i < set->ranges.count; i++)
        push(archive, pairs, set->ranges.data[i].first, set->ranges.data[i].last);
}

static bool take_retired(struct ag_execution *rooms, struct ag_archive *archive, const struct pair *pair)
{
    struct ag_token_set *set = &rooms->objects->retired_tokens;
    const struct ag_token_range range = {pair->name, pair->value};
    const bool follows = set->ranges.count == 0 || (ag_vec_last(&set->ranges).last < UINT64_MAX - 1 &&
                                                    ag_vec_last(&set->ranges).last + 1 < range.first);
    if (range.first == 0 || range.first > range.last || !follows || set->ranges.count >= AG_MAX_SHARE_TOKENS)
        return refuse(archive, "retired share token", pair->name);
    return ag_vec_push(&set->ranges, range) || ag_archive_no_memory(archive);
}

/* ---- Refused handles, contexts that ended ------------------------------------------------------------ */

static void collect_refused(struct ag_execution *rooms, struct ag_archive *archive, struct pairs *pairs)
{
    size_t cursor = 0;
    uint64_t key;
    void *value;
    while (!archive->loads && ag_map_next(&rooms->host->refused_handles, &cursor, &key, &value))
        push(archive, pairs, key, 0);
}

static bool take_refused(struct ag_execution *rooms, struct ag_archive *archive, const struct pair *pair)
{
    const uint64_t space = pair->name >> 32;
    if (space > AG_SPACE_EXT_OBJECTS)
        return refuse(archive, "refused handle", pair->name);
    ag_refused_handle_add(rooms->host, (enum ag_handle_space)space, (uint32_t)pair->name);
    return true;
}

static void collect_ended(struct ag_execution *rooms, struct ag_archive *archive, struct pairs *pairs)
{
    size_t cursor = 0;
    uint64_t id;
    void *value;
    while (!archive->loads && ag_map_next(&rooms->binder->contexts.ended, &cursor, &id, &value))
        push(archive, pairs, id, ag_context_ended(rooms->binder, (uint32_t)id));
}

static bool take_ended(struct ag_execution *rooms, struct ag_archive *archive, const struct pair *pair)
{
    if (pair->name > UINT32_MAX || pair->value == AG_CONTEXT_LIVES || pair->value >= AG_CONTEXT_ENDS)
        return refuse(archive, "ended context", pair->name);
    return ag_context_end_put(&rooms->binder->contexts.ended, (uint32_t)pair->name,
                              (enum ag_context_end)pair->value) ||
           ag_archive_no_memory(archive);
}

/* ---- Counters ---------------------------------------------------------------------------------------- */

/* The members behind `size` are numbers of 64 bits, and later versions have more of them. */
#define FIRST_COUNTER offsetof(struct agpu_counters, submissions)
#define COUNTER_COUNT ((uint32_t)((sizeof(struct agpu_counters) - FIRST_COUNTER) / sizeof(uint64_t)))

static void archive_counters(struct ag_host *host, struct ag_archive *archive)
{
    const uint64_t live = host->counts.bind_groups_live;
    uint32_t count = COUNTER_COUNT;
    ag_archive_count(archive, &count, sizeof(uint64_t));
    for (uint32_t i = 0; i < count && ag_archive_is_ok(archive); i++) {
        uint64_t value = 0;
        uint8_t *at = (uint8_t *)&host->counts + FIRST_COUNTER + i * sizeof value;
        if (i < COUNTER_COUNT)
            value = ag_load_u64(at);
        ag_archive_u64(archive, &value, UINT64_MAX);
        if (i < COUNTER_COUNT)
            ag_store_u64(at, value);
    }
    host->counts.bind_groups_live = live; /* of this executor */
}

/* ---- All --------------------------------------------------------------------------------------------- */

bool ag_names_archive(struct ag_execution *rooms, struct ag_archive *archive)
{
    struct pairs pairs = {0};
    ag_archive_begin(archive, AG_SECTION_NAMES, 1);
    collect_handles(rooms, archive, AG_HANDLE_ALIAS, &pairs);
    archive_pairs(rooms, archive, &pairs, take_alias);
    /* Tokens are exported by the handles that made their resources, before these handles are reserved. */
    collect_tokens(rooms, archive, &pairs);
    archive_pairs(rooms, archive, &pairs, take_token);
    collect_retired(rooms, archive, &pairs);
    archive_pairs(rooms, archive, &pairs, take_retired);
    if (archive->loads &&
        !ag_token_set_reserve(&rooms->objects->retired_tokens, rooms->objects->share_tokens.count + 1))
        ag_archive_no_memory(archive);
    collect_handles(rooms, archive, AG_HANDLE_RESERVED, &pairs);
    archive_pairs(rooms, archive, &pairs, take_reserved);
    collect_refused(rooms, archive, &pairs);
    archive_pairs(rooms, archive, &pairs, take_refused);
    collect_ended(rooms, archive, &pairs);
    archive_pairs(rooms, archive, &pairs, take_ended);
    ag_archive_u32(archive, &rooms->host->reports.warned, MOST_WARNINGS);
    archive_counters(rooms->host, archive);
    return ag_archive_end(archive);
}
