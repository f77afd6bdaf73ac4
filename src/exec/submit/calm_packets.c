/* SPDX-License-Identifier: MIT */
#include "exec/submit/calm_packets.h"

#include <stddef.h>

#include "abi/packet.h"
#include "abi/packet_read.h"
#include "aerogpu/abi/cmd.h"
#include "aerogpu/diag.h"
#include "aerogpu/stream.h"
#include "base/bytes.h"
#include "exec/bind/pipeline_wait.h"
#include "exec/draw/kept_draw.h"
#include "exec/expand/expander.h"
#include "exec/host/effort.h"
#include "exec/host/host.h"
#include "exec/packet/execution.h"
#include "exec/packet/handlers.h"
#include "exec/packet/plain_upload.h"
#include "exec/record/recorder.h"
#include "exec/submit/exec.h"
#include "exec/submit/packet_step.h"
#include "exec/submit/submission.h"

/* Fetches the packet whose header says this, if it is one that ag_packet_read_exact() fetches: in less time
 * where only one number tells its size. */
static inline bool read(const struct ag_exec *exec, struct agpu_stream_reader *reader, const uint8_t *data,
                        uint32_t opcode, uint32_t size, struct agpu_packet *packet)
{
    const uint32_t row = AG_PACKET_PLACE(ag_packet_places, opcode);
    const struct ag_packet_plan *const plan = &exec->plans[row];
    const uint32_t fixed = plan->fixed_size;
    if (fixed == 0 || fixed > size || plan->opcode != opcode ||
        size > reader->header.size_bytes - reader->offset)
        return ag_packet_read_exact(reader, packet);
    const uint32_t count = plan->unit ? ag_load_u32(data + plan->count_offset) : 0;
    if ((uint64_t)count * plan->unit != size - fixed)
        return false;
    ag_packet_fill(packet, reader, data, opcode, size, &ag_packet_rows[row]);
    if (plan->has_stage && !ag_packet_read_stage(packet))
        return false;
    packet->payload = data + fixed;
    packet->payload_size = size - fixed;
    packet->payload_count = count;
    ag_packet_pass(reader, size);
    return true;
}

/* Diagnostics belong to the packet at a place of the stream, whose header is checked. */
static void note_place(struct ag_exec *exec, const struct agpu_stream_reader *reader, uint32_t offset,
                       uint32_t index)
{
    const struct agpu_packet packet = {
        .index = index, .offset = offset, .info = ag_packet_info(ag_load_u32(reader->data + offset))};
    ag_packet_note_place(exec, &packet);
}

/* Whether the packet at the reader's place has the size of its kind, and the stream has all of it. */
static inline bool is_whole(const struct agpu_stream_reader *reader, uint32_t size, size_t size_of_kind)
{
    return size == size_of_kind && size <= reader->header.size_bytes - reader->offset;
}

/* What the kept draw has to follow may be reported, and belongs to the packet at the reader's place. */
static inline void begin_changed(struct ag_exec *exec, const struct agpu_stream_reader *reader)
{
    if (!exec->kept.changed)
        return;
    note_place(exec, reader, reader->offset, reader->index);
    ag_packet_begin(exec);
}

/* Makes a draw with indices that needs little more than to be recorded. The reader is at its packet, of which
 * nobody knows the size yet. */
static inline bool repeat_indexed(struct ag_exec *exec, struct ag_execution *execution,
                                  const struct agpu_stream_reader *reader, const uint8_t *data, uint32_t size)
{
    const struct aerogpu_cmd_draw_indexed *const wire = (const void *)data;
    if (!is_whole(reader, size, sizeof *wire))
        return false;
    begin_changed(exec, reader);
    return ag_kept_draw_repeat_indexed(&exec->drawer, execution->context, wire->index_count,
                                       wire->instance_count, wire->first_index, wire->base_vertex,
                                       wire->first_instance);
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

static bool calls_for_look(const struct ag_exec *exec)
{
    return exec->recorder.throttle.grew || exec->host.gpu_memory.gave || ag_effort_is_due(&exec->host.effort);
}

/* A run, and what is counted of it at its end. */
struct run {
    struct ag_calm_run told;
    uint32_t uploads;
    bool has_place; /* the last packet has noted its place */
};

/* Executes uploads that follow one another in short, up to `most` packets of the run. False: there is none.
 */
static inline bool execute_uploads(struct ag_exec *exec, struct ag_execution *execution,
                                   struct agpu_stream_reader *reader, uint32_t most, struct run *run)
{
    const struct ag_plain_uploads uploads =
        ag_plain_uploads_run(execution, reader->data + reader->offset,
                             reader->header.size_bytes - reader->offset, most - run->told.count);
    if (uploads.count == 0)
        return false;
    reader->offset += uploads.bytes;
    reader->index += uploads.count;
    ag_kept_draw_note(&exec->kept, exec->plans[exec->upload_info->row].changes, AGPU_STAGE_COUNT);
    exec->host.counts.upload_bytes += uploads.uploaded;
    ag_effort_add(&exec->host.effort, uploads.uploaded);
    run->uploads += uploads.count;
    run->told.count += uploads.count;
    run->told.offset = reader->offset - uploads.last_size;
    run->told.index = reader->index - 1;
    run->has_place = false;
    return true;
}

/* Executes a packet that was read. False: no other packet is executed in turn behind it. */
static inline bool execute_next(struct ag_exec *exec, struct ag_execution *execution,
                                const struct ag_packet_plan *plan, const struct agpu_packet *packet,
                                struct run *run)
{
    run->told.status = execute(exec, execution, plan, packet);
    run->told.count++;
    run->has_place = true;
    if (run->told.status == AGPU_OK && plan->is_inert)
        return true;
    ag_pipeline_wait_end_packet(&exec->binder);
    run->told.has_sequel = ag_packet_has_sequel(exec, execution);
    return !run->told.has_sequel && run->told.status == AGPU_OK && !calls_for_look(exec);
}

/* Binds to slots in short, if the packet does and needs no more. */
static inline bool bind_in_short(const struct ag_exec *exec, struct ag_execution *execution,
                                 const struct agpu_stream_reader *reader, const uint8_t *data,
                                 uint32_t opcode, uint32_t size)
{
    const struct ag_packet_plan *const plan = &exec->plans[AG_PACKET_PLACE(ag_packet_places, opcode)];
    return plan->in_short && plan->opcode == opcode && size <= reader->header.size_bytes - reader->offset &&
           size >= plan->fixed_size && plan->in_short(execution, data, size, plan->changes);
}

static inline void pass_in_short(struct agpu_stream_reader *reader, uint32_t size, struct run *run)
{
    run->told.offset = reader->offset;
    run->told.index = reader->index;
    run->told.count++;
    run->has_place = false;
    ag_packet_pass(reader, size);
}

static void count(struct ag_exec *exec, const struct agpu_stream_reader *reader, const struct run *run)
{
    const uint32_t packets = run->told.count;
    ag_pipeline_wait_end_packet(&exec->binder);
    if (!run->has_place)
        note_place(exec, reader, run->told.offset, run->told.index);
    exec->host.counts.packets += packets;
    exec->host.counts.uploads += run->uploads;
    exec->recorder.throttle.open.commands += packets;
    exec->next_look = exec->next_look > packets ? exec->next_look - packets : 0;
}

/* The DRAW at the reader's place; null where another packet is. */
static inline const struct aerogpu_cmd_draw *find_draw(const struct agpu_stream_reader *reader)
{
    uint32_t opcode, size;
    const struct aerogpu_cmd_draw *const draw = (const void *)ag_packet_peek(reader, &opcode, &size);
    return draw && opcode == AEROGPU_CMD_DRAW && is_whole(reader, size, sizeof *draw) ? draw : NULL;
}

/* Makes draws without indices that need little more than to be recorded, as long as one follows another, up
 * to `most` packets of the run. False: there is none. */
static inline bool repeat_draws(struct ag_exec *exec, struct ag_context *context,
                                struct agpu_stream_reader *reader, uint32_t most, struct run *run)
{
    const uint32_t before = run->told.count;
    const struct aerogpu_cmd_draw *draw;
    while (run->told.count < most && (draw = find_draw(reader)) != NULL) {
        begin_changed(exec, reader);
        if (!ag_kept_draw_repeat(&exec->drawer, context, draw->vertex_count, draw->instance_count,
                                 draw->first_vertex, draw->first_instance))
            break;
        pass_in_short(reader, sizeof *draw, run);
        if (calls_for_look(exec))
            break;
    }
    return run->told.count != before;
}

struct ag_calm_run ag_calm_packets_run(struct ag_exec *exec, struct ag_submission *submission,
                                       struct agpu_stream_reader *reader, uint32_t most)
{
    struct ag_execution *const execution = &submission->execution;
    const bool has_scopes = exec->has_scopes;
    struct run run = {.told.status = AGPU_OK, .has_place = true};
    struct agpu_packet packet;
    while (run.told.count < most) {
        uint32_t opcode, size;
        const uint32_t offset = reader->offset, index = reader->index;
        const uint8_t *const data = ag_packet_peek(reader, &opcode, &size);
        if (data == NULL)
            break;
        if (has_scopes && opcode == AEROGPU_CMD_UPLOAD_RESOURCE) {
            if (execute_uploads(exec, execution, reader, most, &run)) {
                if (ag_effort_is_due(&exec->host.effort))
                    break;
                continue;
            }
        } else if (has_scopes && opcode == AEROGPU_CMD_DRAW) {
            if (repeat_draws(exec, execution->context, reader, most, &run)) {
                if (calls_for_look(exec))
                    break;
                continue;
            }
        } else if (has_scopes && opcode == AEROGPU_CMD_DRAW_INDEXED) {
            if (repeat_indexed(exec, execution, reader, data, size)) {
                pass_in_short(reader, size, &run);
                if (calls_for_look(exec))
                    break;
                continue;
            }
        } else if (bind_in_short(exec, execution, reader, data, opcode, size)) {
            pass_in_short(reader, size, &run);
            continue;
        }
        if (!read(exec, reader, data, opcode, size, &packet))
            break;
        const struct ag_packet_plan *const plan = &exec->plans[packet.info->row];
        if (!plan->is_calm || (!has_scopes && !plan->is_inert)) {
            reader->offset = offset;
            reader->index = index;
            break;
        }
        run.told.offset = offset;
        run.told.index = index;
        if (!execute_next(exec, execution, plan, &packet, &run))
            break;
    }
    count(exec, reader, &run);
    return run.told;
}
