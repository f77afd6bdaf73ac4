/* SPDX-License-Identifier: MIT */
#include "exec/packet/handlers.h"

#include "abi/packet.h"
#include "abi/packet_effect.h"
#include "abi/packet_read.h"
#include "aerogpu/abi/cmd.h"
#include "aerogpu/abi/ext.h"
#include "aerogpu/diag.h"
#include "aerogpu/dxbc.h"
#include "aerogpu/stream.h"
#include "base/diag.h"
#include "exec/bind/draw_call.h"
#include "exec/bind/index_scan.h"
#include "exec/draw/dispatch.h"
#include "exec/draw/kept_draw.h"
#include "exec/expand/draw.h"
#include "exec/host/outcome.h"
#include "exec/host/progress.h"
#include "exec/object/ext_object.h"
#include "exec/packet/clear.h"
#include "exec/packet/execution.h"
#include "exec/packet/plain_binding.h"
#include "exec/packet/present.h"
#include "exec/record/flush.h"
#include "exec/transfer/buffer_copy.h"
#include "exec/transfer/copy.h"

/* ---- Work --------------------------------------------------------------------------------------------- */

enum agpu_status ag_on_nop(struct ag_execution *execution, const struct agpu_packet *packet)
{
    (void)execution;
    (void)packet;
    return AGPU_OK;
}

/* A marker is text for people who read a dump of the stream. */
enum agpu_status ag_on_debug_marker(struct ag_execution *execution, const struct agpu_packet *packet)
{
    return ag_on_nop(execution, packet);
}

enum agpu_status ag_on_ext_destroy_object(struct ag_execution *execution, const struct agpu_packet *packet)
{
    const uint32_t handle = AGPU_PACKET(packet, ext_destroy_object)->object_handle;
    struct ag_progress *const progress = &execution->progress;
    progress->more = ag_ext_object_find(execution->objects, handle, AG_EXT_OBJECT_QUERY) &&
                     ag_contexts_forget_predicate(execution->binder, handle, &progress->done);
    if (!progress->more)
        ag_ext_object_destroy(execution->objects, handle);
    return AGPU_OK;
}

enum agpu_status ag_on_copy_buffer(struct ag_execution *execution, const struct agpu_packet *packet)
{
    return ag_copy_buffer(execution->copier, AGPU_PACKET(packet, copy_buffer), &execution->progress);
}

enum agpu_status ag_on_copy_texture2d(struct ag_execution *execution, const struct agpu_packet *packet)
{
    return ag_copy_texture(execution->copier, AGPU_PACKET(packet, copy_texture2d), &execution->progress);
}

enum agpu_status ag_on_clear(struct ag_execution *execution, const struct agpu_packet *packet)
{
    return ag_clear(execution, AGPU_PACKET(packet, clear));
}

enum agpu_status ag_on_draw(struct ag_execution *execution, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_draw *wire = AGPU_PACKET(packet, draw);
    return ag_kept_draw_repeat(execution->drawer, execution->context, wire->vertex_count,
                               wire->instance_count, wire->first_vertex, wire->first_instance)
               ? AGPU_OK
               : ag_execution_draw(execution, wire);
}

enum agpu_status ag_on_draw_indexed(struct ag_execution *execution, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_draw_indexed *wire = AGPU_PACKET(packet, draw_indexed);
    if (ag_kept_draw_repeat_indexed(execution->drawer, execution->context, wire->index_count,
                                    wire->instance_count, wire->first_index, wire->base_vertex,
                                    wire->first_instance))
        return AGPU_OK;
    const struct ag_draw draw = {
        .indexed = true,
        .count = wire->index_count,
        .instance_count = wire->instance_count,
        .first = wire->first_index,
        .base_vertex = wire->base_vertex,
        .first_instance = wire->first_instance,
    };
    return ag_execution_scans_indices(execution) ? AGPU_OK : ag_execution_draw_indexed(execution, &draw);
}

enum agpu_status ag_on_dispatch(struct ag_execution *execution, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_dispatch *wire = AGPU_PACKET(packet, dispatch);
    const struct ag_dispatch dispatch = {
        .groups = {wire->group_count_x, wire->group_count_y, wire->group_count_z}
    };
    return ag_outcome_status(
        ag_dispatch(execution->drawer, execution->context, (enum agpu_stage)packet->stage, &dispatch));
}

enum agpu_status ag_on_present(struct ag_execution *execution, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_present *wire = AGPU_PACKET(packet, present);
    return ag_present(execution, wire->scanout_id, wire->flags);
}

enum agpu_status ag_on_present_ex(struct ag_execution *execution, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_present_ex *wire = AGPU_PACKET(packet, present_ex);
    return ag_present(execution, wire->scanout_id, wire->flags);
}

enum agpu_status ag_on_ext_present(struct ag_execution *execution, const struct agpu_packet *packet)
{
    return ag_present_window(execution, AGPU_PACKET(packet, ext_present));
}

enum agpu_status ag_on_flush(struct ag_execution *execution, const struct agpu_packet *packet)
{
    (void)packet;
    ag_recorder_flush(execution->recorder);
    return AGPU_OK;
}

/* ---- The table ---------------------------------------------------------------------------------------- */

/* The handlers in the order of the packet table. */
#define HANDLER(symbol, name, ...) ag_on_##name,
static const ag_packet_handler handlers[] = {AG_PACKET_LIST(HANDLER, HANDLER)};
#undef HANDLER

ag_packet_handler ag_packet_handler_of(const struct agpu_packet_info *info)
{
    return handlers[info->row];
}

/* Notes the sizes of packets that have no other bytes than their row tells of, all of them in words. */
static void note_sizes(const struct agpu_packet_info *info, struct ag_packet_plan *plan)
{
    const uint32_t unit = ag_payload_unit(&info->payload);
    if (info->extended || unit % 4 != 0 || (unit == 0 && info->payload.kind != AG_PAYLOAD_NONE))
        return;
    plan->fixed_size = info->fixed.size;
    plan->unit = (uint16_t)unit;
    plan->count_offset = unit ? (uint16_t)info->payload.count_offset : 0;
}

void ag_packet_plans_init(struct ag_packet_plan plans[AG_PACKET_ROWS])
{
    const uint32_t light = AG_EFFECT_NOTHING | AG_EFFECT_SETS | AG_EFFECT_DRAWS | AG_EFFECT_UPLOADS;
    const uint32_t inert = AG_EFFECT_NOTHING | AG_EFFECT_SETS, shaders = AG_STATE_BIT(AG_STATE_SHADERS);
    const uint32_t predicates = AG_STATE_BIT(AG_STATE_PREDICATION);
    size_t count;
    const struct agpu_packet_info *table = ag_packet_table(&count);
    for (size_t i = 0; i < count; i++) {
        plans[table[i].row] = (struct ag_packet_plan){
            .handler = handlers[table[i].row],
            .in_short = ag_plain_binding(table[i].opcode),
            .changes = ag_packet_changes(&table[i]),
            .opcode = table[i].opcode,
            .has_stage = table[i].stage_offset || table[i].stage_ex_offset,
            .makes_objects = (table[i].effects & AG_EFFECT_OBJECTS) != 0,
            .is_predicated = table[i].predicated,
            .is_light = (table[i].effects & ~light) == 0,
            .is_inert = (table[i].effects & ~inert) == 0 && !(table[i].sets & shaders),
            .is_calm = (table[i].effects & ~(inert | AG_EFFECT_DRAWS)) == 0 && !(table[i].sets & predicates),
        };
        note_sizes(&table[i], &plans[table[i].row]);
    }
}
