/* SPDX-License-Identifier: MIT */
#include "exec/packet/plain_upload.h"

#include <string.h>

#include "aerogpu/abi/cmd.h"
#include "aerogpu/stream.h"
#include "base/bytes.h"
#include "exec/host/host.h"
#include "exec/object/buffer.h"
#include "exec/object/handle.h"
#include "exec/packet/execution.h"
#include "exec/record/recorder.h"
#include "exec/transfer/buffer_upload.h"

/* Whether the packet at the reader's place is a whole upload of some bytes. */
static bool is_upload(const struct agpu_stream_reader *reader)
{
    const uint32_t left = reader->header.size_bytes - reader->offset;
    if (left < sizeof(struct aerogpu_cmd_upload_resource))
        return false;
    const struct aerogpu_cmd_upload_resource *wire = (const void *)(reader->data + reader->offset);
    const uint32_t size = wire->hdr.size_bytes;
    return wire->hdr.opcode == AEROGPU_CMD_UPLOAD_RESOURCE && size >= sizeof *wire && size % 4 == 0 &&
           size <= left && wire->size_bytes != 0 && wire->size_bytes <= size - sizeof *wire;
}

bool ag_plain_upload(struct ag_execution *execution, struct agpu_stream_reader *reader)
{
    if (!is_upload(reader))
        return false;
    const uint8_t *data = reader->data + reader->offset;
    const struct aerogpu_cmd_upload_resource *wire = (const void *)data;
    struct ag_buffer *buffer = ag_handle_buffer(execution->objects, wire->resource_handle);
    if (!buffer || !ag_buffer_is_shadowed(buffer) ||
        !ag_range_fits(wire->offset_bytes, wire->size_bytes, buffer->size))
        return false;
    struct agpu_counters *counts = &execution->host->counts;
    counts->packets++;
    counts->uploads++;
    execution->recorder->throttle.open.commands++;
    ag_buffer_write_shadow(execution->copier, buffer, wire->offset_bytes, data + sizeof *wire,
                           wire->size_bytes);
    reader->offset += wire->hdr.size_bytes;
    reader->index++;
    return true;
}
