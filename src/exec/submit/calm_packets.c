/* SPDX-License-Identifier: MIT */
#include "exec/submit/calm_packets.h"

#include <stddef.h>

#include "abi/packet.h"
#include "abi/packet_read.h"
#include "aerogpu/diag.h"
#include "aerogpu/stream.h"
#include "exec/bind/pipeline_wait.h"
#include "exec/draw/kept_draw.h"
#include "exec/expand/expander.h"
#include "exec/host/host.h"
#include "exec/packet/execution.h"
#include "exec/packet/handlers.h"
#include "exec/packet/plain_upload.h"
#include "exec/record/recorder.h"
#include "exec/submit/exec.h"
#include "exec/submit/packet_step.h"
#include "exec/submit/submission.h"

/* Diagnostics belong to the packet in front of the reader. */
static inline void note_place(struct ag_exec *exec, const struct agpu_stream_reader *reader, uint32_t size,
                              const struct agpu_packet_info *info)
{
    struct ag_reporter *const reports = &exec->host.reports;
    reports->place.packet = reader->index - 1;
    reports->place.offset = reader->offset - size;
    reports->packet_name = info->name;
}

/* An upload that only changes bytes in the host's memory. */
static inline bool upload(struct ag_exec *exec, struct ag_execution *execution,
                          struct agpu_stream_reader *reader)
{
    const uint32_t offset = reader->offset;
    if (!ag_plain_upload(execution, reader))
        return false;
    note_place(exec, reader, reader->offset - offset, exec->upload_info);
    ag_kept_draw_note(&exec->kept, exec->plans[exec->upload_info->row].changes, AGPU_STAGE_COUNT);
    return true;
}

/* Fetches the next packet if it is one that ag_packet_read_exact() fetches: of those that have one size, in
 * less time. */
static inline bool read(const struct ag_exec *exec, struct agpu_stream_reader *reader,
                        struct agpu_packet *packet)
{
    uint32_t opcode, size;
    const uint8_t *const data = ag_packet_peek(reader, &opcode, &size);
    if (data == NULL)
        return false;
    const uint32_t row = AG_PACKET_PLACE(ag_packet_places, opcode);
    const struct ag_packet_plan *const plan = &exec->plans[row];
    if (plan->only_size == 0 || plan->only_size != size || plan->opcode != opcode ||
        size > reader->header.size_bytes - reader->offset)
        return ag_packet_read_exact(reader, packet);
    ag_packet_fill(packet, reader, data, opcode, size, &ag_packet_rows[row]);
    if (plan->has_stage && !ag_packet_read_stage(packet))
        return false;
    ag_packet_pass(reader, size);
    return true;
}

static inline enum agpu_status execute(struct ag_exec *exec, struct ag_execution *execution,
                                       const struct ag_packet_plan *plan, const struct agpu_packet *packet)
{
    ag_packet_note_place(exec, packet);
    ag_packet_begin(exec);
    execution->changes_nothing = false;
    const enum agpu_status status = plan->handler(execution, packet);
    if (plan->changes && !execution->changes_nothing)
        ag_kept_draw_note(&exec->kept, plan->changes, packet->stage);
    return ag_packet_status(exec, status);
}

/* Executes the next packet, whose plan it returns. Null: it is not calm, and was left. */
static inline const struct ag_packet_plan *execute_next(struct ag_exec *exec, struct ag_execution *execution,
                                                        struct agpu_stream_reader *reader,
                                                        struct ag_calm_run *run)
{
    struct agpu_packet packet;
    if (!read(exec, reader, &packet))
        return NULL;
    const struct ag_packet_plan *const plan = &exec->plans[packet.info->row];
    if (!plan->is_calm || (!exec->has_scopes && !plan->is_inert)) {
        reader->offset = run->offset;
        reader->index = run->index;
        return NULL;
    }
    run->status = execute(exec, execution, plan, &packet);
    run->count++;
    return plan;
}

/* The DRAW at the reader's place; null where another packet is. */
static inline const struct aerogpu_cmd_draw *find_draw(const struct agpu_stream_reader *reader)
{
    const struct aerogpu_cmd_draw *draw;
    uint32_t opcode, size;
    draw = (const void *)ag_packet_peek(reader, &opcode, &size);
    return draw && opcode == AEROGPU_CMD_DRAW && size == sizeof *draw &&
                   size <= reader->header.size_bytes - reader->offset
               ? draw
               : NULL;
}

static inline bool repeats(struct ag_exec *exec, struct ag_context *context,
                           const struct aerogpu_cmd_draw *draw)
{
    return ag_kept_draw_repeat(&exec->drawer, context, draw->vertex_count, draw->instance_count,
                               draw->first_vertex, draw->first_instance);
}

static inline enum agpu_status execute_draw(struct ag_exec *exec, struct ag_execution *execution,
                                            struct agpu_stream_reader *reader,
                                            const struct aerogpu_cmd_draw *draw)
{
    ag_packet_pass(reader, sizeof *draw);
    note_place(exec, reader, sizeof *draw, exec->draw_info);
    ag_packet_begin(exec);
    if (repeats(exec, execution->context, draw))
        return AGPU_OK;
    return ag_packet_status(exec, ag_execution_draw(execution, draw));
}

static bool calls_for_look(const struct ag_exec *exec)
{
    return exec->recorder.throttle.grew || exec->host.gpu_memory.gave;
}

/* Executes up to `most` draws that are the kept one again, between which nothing changes. Returns how many
 * there were. */
static uint32_t repeat_draws(struct ag_exec *exec, struct ag_context *context,
                             struct agpu_stream_reader *reader, uint32_t most)
{
    const struct aerogpu_cmd_draw *draw;
    uint32_t count = 0;
    while (count < most && !calls_for_look(exec) && (draw = find_draw(reader)) != NULL &&
           !exec->kept.changed && repeats(exec, context, draw)) {
        ag_packet_pass(reader, sizeof *draw);
        count++;
    }
    if (count != 0)
        note_place(exec, reader, sizeof *draw, exec->draw_info);
    return count;
}

static void count(struct ag_exec *exec, const struct ag_calm_run *run, uint32_t uploads)
{
    ag_pipeline_wait_end_packet(&exec->binder);
    exec->host.counts.packets += run->count;
    exec->host.counts.uploads += uploads;
    exec->recorder.throttle.open.commands += run->count;
    exec->next_look = exec->next_look > run->count ? exec->next_look - run->count : 0;
}

struct ag_calm_run ag_calm_packets_run(struct ag_exec *exec, struct ag_submission *submission,
                                       struct agpu_stream_reader *reader, uint32_t most)
{
    struct ag_execution *const execution = &submission->execution;
    const bool has_scopes = exec->has_scopes;
    struct ag_calm_run run = {.status = AGPU_OK};
    uint32_t uploads = 0;
    while (run.count < most) {
        run.offset = reader->offset;
        run.index = reader->index;
        if (has_scopes && upload(exec, execution, reader)) {
            run.count++;
            uploads++;
            continue;
        }
        const struct aerogpu_cmd_draw *const draw = has_scopes ? find_draw(reader) : NULL;
        if (draw != NULL) {
            run.status = execute_draw(exec, execution, reader, draw);
            run.count++;
        } else {
            const struct ag_packet_plan *const plan = execute_next(exec, execution, reader, &run);
            if (plan == NULL)
                break;
            if (run.status == AGPU_OK && plan->is_inert)
                continue;
        }
        ag_pipeline_wait_end_packet(&exec->binder);
        run.has_sequel = ag_packet_has_sequel(exec, execution);
        if (run.has_sequel || run.status != AGPU_OK)
            break;
        if (draw != NULL)
            run.count += repeat_draws(exec, execution->context, reader, most - run.count);
        if (calls_for_look(exec))
            break;
    }
    count(exec, &run, uploads);
    return run;
}
