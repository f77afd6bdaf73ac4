/* SPDX-License-Identifier: MIT */
#include "exec/packet/command_list.h"

#include <inttypes.h>
#include <string.h>

#include "abi/packet.h"
#include "aerogpu/abi/ext.h"
#include "aerogpu/diag.h"
#include "aerogpu/stream.h"
#include "exec/host/host.h"
#include "exec/host/refused_handle.h"
#include "exec/host/report.h"
#include "exec/object/ext_object.h"
#include "exec/packet/execution.h"
#include "exec/packet/handlers.h"

/* A list has whole packets, and only packets that change or use a context: none that create or destroy
 * objects or present. */
static enum agpu_status check_packets(struct ag_execution *execution, uint32_t minor, const uint8_t *bytes,
                                      uint32_t size)
{
    struct agpu_stream_reader reader;
    struct agpu_packet packet;
    if (agpu_stream_reader_init_packets(&reader, minor, bytes, size, &execution->host->reports.sink) !=
        AGPU_OK)
        return ag_host_packet_is_malformed(execution->host);
    reader.submission = execution->host->reports.place.submission;
    while (agpu_stream_next(&reader, &packet))
        if (packet.info && packet.info->immediate)
            return ag_host_fail(execution->host, AGPU_DIAG_EXEC_ARGUMENT, "%s cannot be in a command list",
                                packet.info->name);
    return reader.status == AGPU_OK ? AGPU_OK : ag_host_packet_is_malformed(execution->host);
}

enum agpu_status ag_on_ext_create_command_list(struct ag_execution *execution,
                                               const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_ext_create_command_list *wire = AGPU_PACKET(packet, ext_create_command_list);
    enum agpu_status status = check_packets(execution, packet->minor, packet->payload, packet->payload_size);
    if (status != AGPU_OK)
        return status;
    struct ag_command_list *list =
        ag_ext_object_create(execution->objects, wire->object_handle, AG_EXT_OBJECT_COMMAND_LIST,
                             sizeof *list + packet->payload_size, &status);
    if (!list)
        return status;
    list->minor = packet->minor;
    list->size = packet->payload_size;
    if (list->size)
        memcpy(list->bytes, packet->payload, list->size);
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
