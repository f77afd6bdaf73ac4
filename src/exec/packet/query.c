/* SPDX-License-Identifier: MIT */
#include <inttypes.h>

#include "aerogpu/abi/ext.h"
#include "aerogpu/diag.h"
#include "aerogpu/stream.h"
#include "exec/bind/binder.h"
#include "exec/bind/context.h"
#include "exec/host/guest_memory.h"
#include "exec/host/host.h"
#include "exec/host/refused_handle.h"
#include "exec/host/report.h"
#include "exec/object/ext_object.h"
#include "exec/packet/execution.h"
#include "exec/packet/handlers.h"
#include "exec/record/query.h"
#include "exec/record/query_recording.h"
#include "exec/record/query_set.h"
#include "exec/transfer/write_back.h"

/* Null when the handle is refused, or names no query (a warning). */
static struct ag_query *find(struct ag_execution *execution, uint32_t handle)
{
    struct ag_query *query = ag_ext_object_find(execution->objects, handle, AG_EXT_OBJECT_QUERY);
    if (!query)
        ag_host_warn_handle(execution->host, AG_SPACE_EXT_OBJECTS, handle,
                            "handle %" PRIu32 " names no query", handle);
    return query;
}

static void fini_query(struct ag_ext_object *object)
{
    ag_query_fini(object->user, (struct ag_query *)object);
}

enum agpu_status ag_on_ext_create_query(struct ag_execution *execution, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_ext_create_query *wire = AGPU_PACKET(packet, ext_create_query);
    enum agpu_status status;
    if (!ag_query_type_name(wire->type))
        return ag_host_fail(execution->host, AGPU_DIAG_EXEC_ARGUMENT, "%" PRIu32 " is no type of query",
                            wire->type);
    if ((wire->flags & AEROGPU_EXT_QUERY_FLAG_PREDICATE_HINT) && !ag_query_type_is_predicate(wire->type))
        return ag_host_fail(execution->host, AGPU_DIAG_EXEC_ARGUMENT, "a query of type %s is no predicate",
                            ag_query_type_name(wire->type));
    struct ag_query *query = ag_ext_object_create(execution->objects, wire->object_handle,
                                                  AG_EXT_OBJECT_QUERY, sizeof *query, &status);
    if (!query)
        return status;
    query->object.fini = fini_query;
    query->object.user = execution->recorder;
    query->type = wire->type;
    query->flags = wire->flags;
    if (wire->type == AEROGPU_EXT_QUERY_TIMESTAMP &&
        !ag_host_has(execution->host, AG_GPU_FEATURE_TIMESTAMP_QUERY))
        ag_host_warn(execution->host, AGPU_DIAG_GPU_FEATURE,
                     "this device lacks timestamp-query: times are the processor's, which TIMESTAMP_DISJOINT "
                     "tells");
    return AGPU_OK;
}

/* Whether the query is the context's predicate, which is neither begun nor ended (D3D11.3 20.3.6). */
static bool is_predicate(struct ag_execution *execution, uint32_t handle)
{
    if (execution->context->predicate != handle)
        return false;
    ag_host_warn(execution->host, AGPU_DIAG_EXEC_ARGUMENT,
                 "query %" PRIu32 " is neither begun nor ended while it is the predicate", handle);
    return true;
}

enum agpu_status ag_on_ext_begin_query(struct ag_execution *execution, const struct agpu_packet *packet)
{
    const uint32_t handle = AGPU_PACKET(packet, ext_begin_query)->query_handle;
    struct ag_query *query = find(execution, handle);
    if (!query || is_predicate(execution, handle))
        return AGPU_OK;
    if (!ag_query_type_begins(query->type))
        return ag_host_drop(execution->host, AGPU_DIAG_EXEC_ARGUMENT, "a query of type %s has no begin",
                            ag_query_type_name(query->type));
    return ag_query_begin(execution->recorder, query, execution->context->id);
}

static enum agpu_status send_result(struct ag_execution *execution, struct ag_query_run *run,
                                    const struct aerogpu_cmd_ext_end_query *wire)
{
    struct aerogpu_ext_query_result result;
    uint64_t gpa;
    if (!ag_guest_resolve(execution->host, wire->result_alloc_id, wire->result_offset_bytes,
                          ag_query_run_result(run, &result), true, &gpa))
        return AGPU_REFUSED;
    struct ag_write_back *write_back = ag_write_back_add(execution->copier, AG_WRITE_BACK_QUERY, 0);
    if (!write_back)
        return AGPU_NO_MEMORY;
    write_back->gpa = gpa;
    write_back->query = run;
    run->references++;
    return AGPU_OK;
}

/* The result of an End that is dropped, which the guest may wait for: that of the End before, or else 0. */
static enum agpu_status send_old_result(struct ag_execution *execution, const struct ag_query *query,
                                        const struct aerogpu_cmd_ext_end_query *wire)
{
    const struct ag_query nothing = {.type = query ? query->type : AEROGPU_EXT_QUERY_OCCLUSION};
    if (query && query->last)
        return send_result(execution, query->last, wire);
    struct ag_query_run *zero = ag_query_run_create(execution->recorder, &nothing, execution->context->id);
    if (!zero)
        return AGPU_NO_MEMORY;
    const enum agpu_status status = send_result(execution, zero, wire);
    ag_query_run_release(execution->recorder, zero);
    return status;
}

/* An End without a Begin is both, so that nothing is counted (D3D11.3 20.3.4). */
enum agpu_status ag_on_ext_end_query(struct ag_execution *execution, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_ext_end_query *wire = AGPU_PACKET(packet, ext_end_query);
    struct ag_query *query = find(execution, wire->query_handle);
    if (!query || is_predicate(execution, wire->query_handle))
        return wire->result_alloc_id ? send_old_result(execution, query, wire) : AGPU_OK;
    struct ag_query_run *run = ag_query_end(execution->recorder, query, execution->context->id);
    if (!run)
        return AGPU_NO_MEMORY;
    return wire->result_alloc_id ? send_result(execution, run, wire) : AGPU_OK;
}

/* ---- Predication -------------------------------------------------------------------------------------- */

enum agpu_status ag_on_ext_set_predication(struct ag_execution *execution, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_ext_set_predication *wire = AGPU_PACKET(packet, ext_set_predication);
    struct ag_context *context = execution->context;
    struct aerogpu_ext_query_result result;
    context->predicate = 0;
    context->predicate_skips = false;
    if (wire->query_handle == 0)
        return AGPU_OK;
    const struct ag_query *query = find(execution, wire->query_handle);
    if (!query)
        return AGPU_OK;
    if (!ag_query_type_is_predicate(query->type))
        return ag_host_drop(execution->host, AGPU_DIAG_EXEC_ARGUMENT,
                            "a query of type %s is no predicate: nothing is predicated",
                            ag_query_type_name(query->type));
    context->predicate = wire->query_handle;
    if (query->active || !query->last) {
        ag_host_warn(execution->host, AGPU_DIAG_EXEC_UNDEFINED_DRAW,
                     "predicate %" PRIu32 " has no result, so that everything is drawn", wire->query_handle);
        return AGPU_OK;
    }
    const struct ag_query_set *missing = ag_query_run_missing_set(execution->recorder, query->last);
    if (!missing) {
        ag_query_run_result(query->last, &result);
        context->predicate_skips = (result.data[0] != 0) == (wire->value != 0);
    } else if (!(query->flags & AEROGPU_EXT_QUERY_FLAG_PREDICATE_HINT)) {
        /* A predicate with the hint flag may be ignored, which costs less than waiting. */
        if (!missing->begun)
            ag_query_sets_read(execution->recorder);
        if (!missing->readback)
            return AGPU_NO_MEMORY; /* ag_query_sets_read() had no memory and has reported */
        /* The set may let go of the read-back meanwhile, so that the stream waits for the queue. */
        ag_execution_wait_for_work(execution);
    }
    return AGPU_OK;
}
