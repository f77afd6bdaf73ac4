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
static inline bool is_upload(const struct aerogpu_cmd_upload_resource *wire, uint32_t left)
{
    if (left < sizeof *wire || wire->hdr.opcode != AEROGPU_CMD_UPLOAD_RESOURCE)
        return false;
    const uint32_t size = wire->hdr.size_bytes;
    return size >= sizeof *wire && size % 4 == 0 && size <= left && wire->size_bytes != 0 &&
           wire->size_bytes <= size - sizeof *wire;
}

uint32_t ag_plain_uploads(struct ag_execution *execution, struct agpu_stream_reader *reader, uint32_t most,
                          uint64_t *last)
{
    uint32_t count = 0, offset = reader->offset;
    while (count < most) {
        const struct aerogpu_cmd_upload_resource *wire = (const void *)(reader->data + offset);
        if (!is_upload(wire, reader->header.size_bytes - offset))
            break;
        struct ag_buffer *buffer = ag_handle_buffer(execution->objects, wire->resource_handle);
        if (!buffer || !ag_buffer_is_shadowed(buffer) ||
            !ag_range_fits(wire->offset_bytes, wire->size_bytes, buffer->size))
            break;
        ag_buffer_write_shadow(execution->copier, buffer, wire->offset_bytes, wire + 1, wire->size_bytes);
        *last = offset;
        offset += wire->hdr.size_bytes;
        count++;
    }
    reader->offset = offset;
    reader->index += count;
    execution->host->counts.packets += count;
    execution->host->counts.uploads += count;
    execution->recorder->throttle.open.commands += count;
    return count;
}
