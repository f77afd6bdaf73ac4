/* SPDX-License-Identifier: MIT */
#include "exec/command_list.h"

#include <inttypes.h>
#include <string.h>

#include "abi/packet.h"
#include "exec/exec.h"
#include "exec/packets.h"
#include "exec/stream.h"

/* Whole packets, and only those of a context: a list makes and destroys nothing, and shows nothing. */
static enum agpu_status check_packets(struct ag_exec *exec, uint32_t minor, const uint8_t *bytes,
                                      uint32_t size)
{
    struct agpu_stream_reader reader;
    struct agpu_packet packet;
    if (agpu_stream_reader_init_packets(&reader, minor, bytes, size, &exec->sink) != AGPU_OK)
        return AGPU_REFUSED;
    reader.submission = exec->job->number;
    while (agpu_stream_next(&reader, &packet))
        if (packet.info && packet.info->immediate)
            return ag_exec_fail(exec, AGPU_DIAG_EXEC_ARGUMENT, "%s cannot be in a command list",
                                packet.info->name);
    return reader.status;
}

enum agpu_status ag_on_ext_create_command_list(struct ag_exec *exec, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_ext_create_command_list *wire = AGPU_PACKET(packet, ext_create_command_list);
    enum agpu_status status = check_packets(exec, packet->minor, packet->payload, packet->payload_size);
    if (status != AGPU_OK)
        return status;
    struct ag_command_list *list = ag_ext_object_create(exec, wire->object_handle, AG_EXT_OBJECT_COMMAND_LIST,
                                                        sizeof *list + packet->payload_size, &status);
    if (!list)
        return status;
    list->minor = packet->minor;
    list->size = packet->payload_size;
    if (list->size)
        memcpy(list->bytes, packet->payload, list->size);
    return AGPU_OK;
}

enum agpu_status ag_on_ext_execute_command_list(struct ag_exec *exec, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_ext_execute_command_list *wire = AGPU_PACKET(packet, ext_execute_command_list);
    const struct ag_command_list *list =
        ag_ext_object_find(exec, wire->list_handle, AG_EXT_OBJECT_COMMAND_LIST);
    if (!list)
        return ag_exec_fail(exec, AGPU_DIAG_EXEC_HANDLE, "handle %" PRIu32 " names no command list",
                            wire->list_handle);
    return ag_stream_call(exec, list, (wire->flags & AEROGPU_EXT_EXECUTE_RESTORE_STATE) != 0);
}
