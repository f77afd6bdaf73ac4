/* SPDX-License-Identifier: MIT
 *
 * UPLOAD_RESOURCE packets that only change bytes in the host's memory: of constant buffers, which guests
 * upload many of for each draw, and of other buffers whose bytes the processor knows. They are executed
 * without what other packets may need.
 */
#ifndef AG_EXEC_PACKET_PLAIN_UPLOAD_H
#define AG_EXEC_PACKET_PLAIN_UPLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "aerogpu/abi/cmd.h"
#include "base/bytes.h"
#include "exec/host/host.h"
#include "exec/object/buffer.h"
#include "exec/object/handle.h"
#include "exec/object/objects.h"
#include "exec/object/resource.h"
#include "exec/packet/execution.h"
#include "exec/transfer/buffer_upload.h"

/* Larger uploads are in parts, and the clock is read behind some of them. */
#define AG_PLAIN_UPLOAD_BYTES (UINT64_C(16) << 10)

/* The buffer that a handle names, which was found before as a rule. */
static inline struct ag_buffer *ag_plain_upload_buffer(struct ag_objects *objects, uint32_t handle)
{
    struct ag_buffer *buffer = ag_recent_object_get(objects, handle, AG_RECENT_BUFFER);
    return buffer ? buffer : ag_handle_buffer(objects, handle);
}

/* Executes the packet at `data`, where the stream has `rest` bytes, and returns it; nothing notes or counts
 * the packet. Null: it is no upload, is not right or needs more, and was left. */
static inline const struct aerogpu_cmd_upload_resource *ag_plain_upload(const struct ag_execution *execution,
                                                                        const uint8_t *data, uint32_t rest)
{
    const struct aerogpu_cmd_upload_resource *wire = (const void *)data;
    if (rest < sizeof *wire || wire->hdr.opcode != AEROGPU_CMD_UPLOAD_RESOURCE)
        return NULL;
    const uint32_t size = wire->hdr.size_bytes;
    if (size > rest || size < sizeof *wire || size % 4 != 0 || wire->size_bytes == 0 ||
        wire->size_bytes > size - sizeof *wire || wire->size_bytes > AG_PLAIN_UPLOAD_BYTES)
        return NULL;
    struct ag_buffer *buffer = ag_plain_upload_buffer(execution->objects, wire->resource_handle);
    if (!buffer || !ag_buffer_is_shadowed(buffer) ||
        !ag_range_fits(wire->offset_bytes, wire->size_bytes, buffer->size) ||
        ag_buffer_scatters(buffer, wire->offset_bytes, wire->size_bytes))
        return NULL;
    buffer->version = ag_host_id(execution->host);
    ag_buffer_store(buffer, wire->offset_bytes, wire + 1, wire->size_bytes);
    return wire;
}

#endif
