/* SPDX-License-Identifier: MIT */
#include "exec/packet/plain_upload.h"

#include <stdbool.h>

#include "aerogpu/abi/cmd.h"
#include "base/bytes.h"
#include "exec/host/effort.h"
#include "exec/host/host.h"
#include "exec/object/buffer.h"
#include "exec/object/handle.h"
#include "exec/object/objects.h"
#include "exec/object/resource.h"
#include "exec/packet/execution.h"
#include "exec/transfer/buffer_upload.h"

/* Larger uploads are in parts, and the clock is read behind some of them. */
#define MOST_BYTES (UINT64_C(16) << 10)

/* Whether the packet, of which the header is there, has the bytes that it uploads. */
static inline bool is_right(const struct aerogpu_cmd_upload_resource *wire)
{
    const uint32_t size = wire->hdr.size_bytes;
    return size >= sizeof *wire && size % 4 == 0 && wire->size_bytes != 0 &&
           wire->size_bytes <= size - sizeof *wire && wire->size_bytes <= MOST_BYTES;
}

/* The buffer that a handle names, which was found before as a rule. */
static inline struct ag_buffer *find_buffer(struct ag_objects *objects, uint32_t handle)
{
    struct ag_buffer *buffer = ag_recent_object_get(objects, handle, AG_RECENT_BUFFER);
    return buffer ? buffer : ag_handle_buffer(objects, handle);
}

/* Whether all of the range is newer in the shadow already, of a buffer that is never uploaded in parts: as a
 * rule, since no command reads the buffer itself. */
static inline bool is_stale(const struct ag_buffer *buffer, uint64_t offset, uint64_t size)
{
    const struct ag_interval stale = buffer->gpu_stale;
    return offset >= stale.begin && offset < stale.end && size <= stale.end - offset && !buffer->blocks &&
           buffer->size <= AG_PART_UPLOADED_BYTES;
}

/* Stores the bytes. False: more than that is to be done. */
static inline bool store(const struct ag_execution *execution, const struct aerogpu_cmd_upload_resource *wire)
{
    const uint64_t offset = wire->offset_bytes, size = wire->size_bytes;
    struct ag_buffer *buffer = find_buffer(execution->objects, wire->resource_handle);
    if (!buffer || !ag_buffer_is_shadowed(buffer))
        return false;
    if (is_stale(buffer, offset, size)) {
        ag_copy_few(buffer->shadow + offset, wire + 1, (size_t)size);
    } else {
        if (!ag_range_fits(offset, size, buffer->size) || ag_buffer_scatters(buffer, offset, size))
            return false;
        ag_buffer_store(buffer, offset, wire + 1, size);
    }
    buffer->version = ag_host_id(execution->host);
    return true;
}

struct ag_plain_uploads ag_plain_uploads_run(const struct ag_execution *execution, const uint8_t *data,
                                             uint32_t rest, uint32_t most)
{
    struct ag_plain_uploads run = {0};
    const uint8_t *at = data;
    const uint8_t *const end = data + rest;
    uint64_t alike = 0; /* bytes of the last packet, as alike packets have; 0: there is none yet */
    for (; run.count < most && run.uploaded < AG_EFFORT_OF_LOOK; run.count++) {
        const struct aerogpu_cmd_upload_resource *wire = (const void *)at;
        if ((size_t)(end - at) < sizeof *wire || wire->hdr.opcode != AEROGPU_CMD_UPLOAD_RESOURCE)
            break;
        const uint32_t size = wire->hdr.size_bytes;
        if ((alike == 0 || size != run.last_size || wire->size_bytes != alike) && !is_right(wire))
            break;
        if (size > (size_t)(end - at) || !store(execution, wire))
            break;
        alike = wire->size_bytes;
        run.uploaded += alike;
        run.last_size = size;
        at += size;
    }
    run.bytes = (uint32_t)(at - data);
    return run;
}
