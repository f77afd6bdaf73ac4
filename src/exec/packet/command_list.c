/* SPDX-License-Identifier: MIT */
#include "exec/packet/command_list.h"

#include <inttypes.h>
#include <string.h>

#include "abi/packet.h"
#include "aerogpu/abi/ext.h"
#include "aerogpu/diag.h"
#include "aerogpu/stream.h"
#include "base/bytes.h"
#include "exec/host/host.h"
#include "exec/host/progress.h"
#include "exec/host/refused_handle.h"
#include "exec/host/report.h"
#include "exec/object/ext_object.h"
#include "exec/packet/execution.h"
#include "exec/packet/handlers.h"

/* The stage of a creation that copies the packets. Until then it is the number of packets that are checked.
 */
#define COPIES UINT64_MAX
#define CHECKED_AT_ONCE (UINT32_C(1) << 14)

/* Checks a part of the packets. A list has whole packets, and only packets that change or use a context: none
 * that create or destroy objects or present. */
static enum agpu_status check_packets(struct ag_execution *execution, const struct agpu_packet *list)
{
    struct ag_progress *const progress = &execution->progress;
    struct agpu_stream_reader reader;
    struct agpu_packet packet;
    if (agpu_stream_reader_init_packets(&reader, list->minor, list->payload, list->payload_size,
                                        &execution->host->reports.sink) != AGPU_OK)
        return ag_host_packet_is_malformed(execution->host);
    reader.submission = execution->host->reports.place.submission;
    reader.offset = (uint32_t)progress->done;
    reader.index = (uint32_t)progress->stage;
    for (uint32_t i = 0; i < CHECKED_AT_ONCE; i++) {
        if (!agpu_stream_next(&reader, &packet)) {
            *progress = (struct ag_progress){.stage = COPIES};
            return reader.status == AGPU_OK ? AGPU_OK : ag_host_packet_is_malformed(execution->host);
        }
        if (packet.info && packet.info->immediate)
            return ag_host_fail(execution->host, AGPU_DIAG_EXEC_ARGUMENT, "%s cannot be in a command list",
                                packet.info->name);
    }
    progress->stage = reader.index;
    ag_progress_pause(progress, reader.offset);
    return AGPU_OK;
}

/* Copies a part of the packets into the list, which is empty until all are there. */
static void copy_packets(struct ag_progress *progress, const struct agpu_packet *packet,
                         struct ag_command_list *list)
{
    const uint64_t left = packet->payload_size - progress->done;
    const uint64_t bytes = ag_lesser(left, AG_PART_UPLOADED_BYTES);
    if (bytes != 0)
        memcpy(list->bytes + progress->done, packet->payload + progress->done, (size_t)bytes);
    if (bytes < left)
        ag_progress_pause(progress, progress->done + bytes);
    else
        list->size = packet->payload_size;
}

enum agpu_status ag_on_ext_create_command_list(struct ag_execution *execution,
                                               const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_ext_create_command_list *wire = AGPU_PACKET(packet, ext_create_command_list);
    enum agpu_status status = AGPU_OK;
    if (execution->progress.stage != COPIES)
        status = check_packets(execution, packet);
    if (status != AGPU_OK || execution->progress.more)
        return status;
    struct ag_command_list *list =
        execution->progress.done == 0
            ? ag_ext_object_create(execution->objects, wire->object_handle, AG_EXT_OBJECT_COMMAND_LIST,
                                   sizeof *list + packet->payload_size, &status)
            : ag_ext_object_find(execution->objects, wire->object_handle, AG_EXT_OBJECT_COMMAND_LIST);
    if (!list)
        return status;
    list->minor = packet->minor;
    copy_packets(&execution->progress, packet, list);
    return AGPU_OK;
}

enum agpu_status ag_on_ext_execute_command_list(struct ag_execution *execution,
                                                const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_ext_execute_command_list *wire = AGPU_PACKET(packet, ext_execute_command_list);
    const struct ag_command_list *list =
        ag_ext_object_find(execution->objects, wire->list_handle, AG_EXT_OBJECT_COMMAND_LIST);
    if (!list)
        return ag_host_fail_handle(execution->host, AG_SPACE_EXT_OBJECTS, wire->list_handle,
                                   "handle %" PRIu32 " names no command list", wire->list_handle);
    execution->call = (struct ag_list_call){list, (wire->flags & AEROGPU_EXT_EXECUTE_RESTORE_STATE) != 0};
    return AGPU_OK;
}
