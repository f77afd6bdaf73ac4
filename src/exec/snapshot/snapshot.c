/* SPDX-License-Identifier: MIT */
#include "exec/snapshot/snapshot.h"

#include "base/archive.h"
#include "exec/packet/execution.h"
#include "exec/record/flush.h"
#include "exec/record/query_recording.h"
#include "exec/record/query_set.h"
#include "exec/record/recorder.h"
#include "exec/snapshot/contexts.h"
#include "exec/snapshot/names.h"
#include "exec/snapshot/queries.h"
#include "exec/snapshot/shaders.h"

/* Whether the processor has all numbers that queries count. */
static bool has_numbers(struct ag_recorder *recorder)
{
    ag_query_sets_settle(recorder);
    return !recorder->queries.reading;
}

static bool begin(struct ag_snapshot_save *save, struct ag_execution *rooms, struct ag_archive *archive)
{
    save->contents = (struct ag_contents_save){.rooms = rooms, .archive = archive, .objects = &save->objects};
    return ag_saved_objects_collect(rooms, archive, &save->objects) &&
           ag_objects_save(archive, &save->objects) && ag_names_archive(rooms, archive) &&
           ag_shaders_save(rooms, archive) && ag_queries_save(rooms, archive) &&
           ag_contexts_save(rooms, archive);
}

bool ag_snapshot_save(struct ag_snapshot_save *save, struct ag_execution *rooms, struct ag_archive *archive)
{
    if (!save->begun && !has_numbers(rooms->recorder))
        return false;
    if (!save->begun && !begin(save, rooms, archive))
        return true;
    save->begun = true;
    return ag_contents_save(&save->contents);
}

void ag_snapshot_save_fini(struct ag_snapshot_save *save)
{
    if (save->contents.rooms)
        ag_contents_save_fini(&save->contents);
    ag_saved_objects_fini(&save->objects);
    *save = (struct ag_snapshot_save){0};
}

bool ag_snapshot_load(struct ag_execution *rooms, struct ag_archive *archive)
{
    return ag_objects_load(rooms, archive) && ag_names_archive(rooms, archive) &&
           ag_shaders_load(rooms, archive) && ag_queries_load(rooms, archive) &&
           ag_contexts_load(rooms, archive) && ag_contents_load(rooms, archive);
}
