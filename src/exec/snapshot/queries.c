/* SPDX-License-Identifier: MIT */
#include "exec/snapshot/queries.h"

#include <inttypes.h>
#include <string.h>

#include "aerogpu/diag.h"
#include "base/archive.h"
#include "base/bytes.h"
#include "base/map.h"
#include "base/vec.h"
#include "exec/object/ext_object.h"
#include "exec/object/objects.h"
#include "exec/packet/execution.h"
#include "exec/record/query.h"
#include "exec/record/recorder.h"
#include "exec/snapshot/sections.h"

/* One use of a query, all of whose numbers are with the processor. */
struct run_state {
    bool exists;
    bool counts; /* between Begin and End, in a context that has not ended */
    uint32_t context_id;
    uint64_t counters[AG_QUERY_COUNTER_COUNT];
};

static const struct ag_field run_fields[] = {
    AG_FIELD(struct run_state, exists, 1),
    AG_FIELD(struct run_state, counts, 1),
    AG_FIELD(struct run_state, context_id, UINT32_MAX),
    AG_FIELD_ARRAY(struct run_state, counters, counters[0], UINT64_MAX),
};

static bool is_active(const struct ag_recorder *recorder, const struct ag_query_run *run)
{
    for (size_t i = 0; i < recorder->queries.active.count; i++)
        if (recorder->queries.active.data[i] == run)
            return true;
    return false;
}

static struct run_state state_of(const struct ag_recorder *recorder, const struct ag_query_run *run)
{
    struct run_state state = {0};
    if (!run)
        return state;
    state.exists = true;
    state.counts = is_active(recorder, run);
    state.context_id = run->context_id;
    ag_query_run_counters(run, state.counters);
    return state;
}

static bool save_query(const struct ag_recorder *recorder, struct ag_archive *archive,
                       const struct ag_query *query)
{
    uint32_t handle = query->object.handle;
    struct run_state active = state_of(recorder, query->active), last = state_of(recorder, query->last);
    ag_archive_begin(archive, AG_SECTION_QUERY, 1);
    ag_archive_u32(archive, &handle, UINT32_MAX);
    ag_archive_fields(archive, run_fields, AG_COUNT_OF(run_fields), &active);
    ag_archive_fields(archive, run_fields, AG_COUNT_OF(run_fields), &last);
    return ag_archive_end(archive);
}

bool ag_queries_save(const struct ag_execution *rooms, struct ag_archive *archive)
{
    size_t cursor = 0;
    uint64_t handle;
    void *value;
    while (ag_map_next(&rooms->objects->ext_objects, &cursor, &handle, &value)) {
        const struct ag_query *query = value;
        if (query->object.kind == AG_EXT_OBJECT_QUERY && (query->active || query->last) &&
            !save_query(rooms->recorder, archive, query))
            return false;
    }
    return ag_archive_is_ok(archive);
}

static struct ag_query_run *make_run(struct ag_execution *rooms, struct ag_archive *archive,
                                     const struct ag_query *query, const struct run_state *state)
{
    if (!state->exists || !ag_archive_is_ok(archive))
        return NULL;
    struct ag_query_run *run = ag_query_run_create(rooms->recorder, query, state->context_id);
    if (run)
        memcpy(run->counters, state->counters, sizeof run->counters);
    else
        ag_archive_fail(archive, AGPU_NO_MEMORY);
    return run;
}

static bool load_query(struct ag_execution *rooms, struct ag_archive *archive)
{
    uint32_t handle = 0;
    struct run_state active = {0}, last = {0};
    ag_archive_begin(archive, AG_SECTION_QUERY, 1);
    ag_archive_u32(archive, &handle, UINT32_MAX);
    ag_archive_fields(archive, run_fields, AG_COUNT_OF(run_fields), &active);
    ag_archive_fields(archive, run_fields, AG_COUNT_OF(run_fields), &last);
    if (!ag_archive_end(archive))
        return false;
    struct ag_query *query = ag_ext_object_find(rooms->objects, handle, AG_EXT_OBJECT_QUERY);
    if (!query || query->active || query->last || (active.exists && !ag_query_type_begins(query->type)) ||
        (active.counts && !(active.exists && ag_query_type_counts(query->type))) || last.counts)
        return ag_archive_refuse(archive, AGPU_DIAG_SNAPSHOT_FORMAT, "query %" PRIu32 " is impossible",
                                 handle);
    query->active = make_run(rooms, archive, query, &active);
    query->last = make_run(rooms, archive, query, &last);
    if (query->active && active.counts && !ag_vec_push(&rooms->recorder->queries.active, query->active))
        return ag_archive_no_memory(archive);
    return ag_archive_is_ok(archive);
}

bool ag_queries_load(struct ag_execution *rooms, struct ag_archive *archive)
{
    while (ag_archive_next_is(archive, AG_SECTION_QUERY))
        if (!load_query(rooms, archive))
            return false;
    return ag_archive_is_ok(archive);
}
