/* SPDX-License-Identifier: MIT
 *
 * Draws and dispatches whose arguments are in a buffer. When the buffer has a shadow, the CPU knows the
 * arguments. Else a dispatch is recorded as WebGPU's indirect dispatch, and a draw waits for a read-back:
 * compute passes may have to make its vertices and primitives, in buffers whose size depends on the
 * arguments.
 */
#include "exec/packet/indirect.h"

#include <inttypes.h>
#include <string.h>

#include "aerogpu/abi/ext.h"
#include "aerogpu/diag.h"
#include "aerogpu/dxbc.h"
#include "aerogpu/stream.h"
#include "base/bytes.h"
#include "exec/bind/draw_call.h"
#include "exec/draw/dispatch.h"
#include "exec/expand/draw.h"
#include "exec/host/host.h"
#include "exec/host/outcome.h"
#include "exec/host/refused_handle.h"
#include "exec/host/report.h"
#include "exec/object/buffer.h"
#include "exec/object/handle.h"
#include "exec/packet/execution.h"
#include "exec/packet/handlers.h"
#include "exec/record/encoder.h"
#include "exec/record/flush.h"
#include "exec/record/query.h"
#include "exec/transfer/buffer_upload.h"
#include "gpu/readback.h"
#include "gpu/webgpu.h"

static struct ag_buffer *find_buffer(struct ag_execution *execution, uint32_t handle, uint32_t offset,
                                     uint32_t words, enum agpu_status *status)
{
    struct ag_buffer *buffer = ag_handle_buffer(execution->objects, handle);
    *status = AGPU_OK;
    if (!buffer)
        *status = ag_host_drop_handle(execution->host, AG_SPACE_RESOURCES, handle,
                                      "handle %" PRIu32 " names no buffer", handle);
    else if (offset % 4 != 0 || !ag_range_fits(offset, 4 * (uint64_t)words, buffer->size))
        *status = ag_host_drop(execution->host, AGPU_DIAG_EXEC_RANGE,
                               "%" PRIu32 " words of arguments at %" PRIu32 " are not in a buffer of %" PRIu64
                               " bytes",
                               words, offset, buffer->size);
    else if (!ag_buffer_pull(execution->copier, buffer))
        *status = AGPU_REFUSED;
    return *status == AGPU_OK ? buffer : NULL;
}

enum agpu_status ag_arguments_read(struct ag_execution *execution, WGPUBuffer buffer, uint64_t offset,
                                   uint32_t count, uint32_t *words, bool *known)
{
    *known = execution->arguments != NULL;
    if (execution->arguments) {
        const uint8_t *bytes = ag_readback_data(execution->arguments);
        if (bytes)
            memcpy(words, bytes, 4 * (size_t)count);
        ag_readback_release(execution->host->readbacks, execution->arguments);
        execution->arguments = NULL;
        return bytes ? AGPU_OK : ag_host_no_memory(execution->host);
    }
    execution->arguments = ag_readback_take(execution->host->readbacks, 4 * (uint64_t)count);
    if (!execution->arguments)
        return ag_host_no_memory(execution->host);
    wgpuCommandEncoderCopyBufferToBuffer(ag_recorder_encoder(execution->recorder), buffer, offset,
                                         ag_readback_buffer(execution->arguments), 0, 4 * (uint64_t)count);
    ag_recorder_flush(execution->recorder);
    ag_readback_begin(execution->arguments);
    ag_execution_wait_for_bytes(execution, execution->arguments);
    return AGPU_OK;
}

/* The arguments of a draw: out of the shadow, or like ag_arguments_read(). */
static enum agpu_status fetch(struct ag_execution *execution, uint32_t handle, uint32_t offset,
                              uint32_t words, uint32_t arguments[AG_MAX_ARGUMENTS], bool *known)
{
    enum agpu_status status;
    *known = true;
    struct ag_buffer *buffer = find_buffer(execution, handle, offset, words, &status);
    if (!buffer)
        return status;
    if (buffer->shadow) {
        memcpy(arguments, buffer->shadow + offset, 4 * (size_t)words);
        return AGPU_OK;
    }
    if (!ag_buffer_use(execution->copier, buffer))
        return AGPU_REFUSED;
    return ag_arguments_read(execution, buffer->gpu, offset, words, arguments, known);
}

enum agpu_status ag_on_ext_draw_instanced_indirect(struct ag_execution *execution,
                                                   const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_ext_draw_instanced_indirect *wire =
        AGPU_PACKET(packet, ext_draw_instanced_indirect);
    uint32_t words[AG_MAX_ARGUMENTS];
    bool known;
    enum agpu_status status = fetch(execution, wire->buffer, wire->offset_bytes, 4, words, &known);
    if (status != AGPU_OK || !known)
        return status;
    const struct ag_draw draw = {
        .count = words[0], .instance_count = words[1], .first = words[2], .first_instance = words[3]};
    return ag_outcome_status(ag_draw(execution->expander, execution->context, &draw));
}

enum agpu_status ag_on_ext_draw_indexed_instanced_indirect(struct ag_execution *execution,
                                                           const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_ext_draw_indexed_instanced_indirect *wire =
        AGPU_PACKET(packet, ext_draw_indexed_instanced_indirect);
    uint32_t words[AG_MAX_ARGUMENTS];
    bool known;
    if (ag_execution_scans_indices(execution))
        return AGPU_OK;
    enum agpu_status status = fetch(execution, wire->buffer, wire->offset_bytes, 5, words, &known);
    if (status != AGPU_OK || !known)
        return status;
    const struct ag_draw draw = {
        .indexed = true,
        .count = words[0],
        .instance_count = words[1],
        .first = words[2],
        .base_vertex = (int32_t)words[3],
        .first_instance = words[4],
    };
    return ag_execution_draw_indexed(execution, &draw);
}

/* Copies the arguments into a scratch buffer, since WebGPU refuses an indirect buffer that the dispatch
 * also writes. */
static WGPUBuffer copy_arguments(struct ag_execution *execution, struct ag_buffer *buffer, uint32_t offset)
{
    if (!ag_buffer_use(execution->copier, buffer))
        return NULL;
    WGPUBuffer copy = ag_recorder_scratch_buffer(execution->recorder, AG_DISPATCH_ARGUMENT_BYTES,
                                                 WGPUBufferUsage_CopyDst | WGPUBufferUsage_Indirect |
                                                     WGPUBufferUsage_Storage,
                                                 "arguments of a dispatch");
    if (copy)
        wgpuCommandEncoderCopyBufferToBuffer(ag_recorder_encoder(execution->recorder), buffer->gpu, offset,
                                             copy, 0, AG_DISPATCH_ARGUMENT_BYTES);
    return copy;
}

enum agpu_status ag_on_ext_dispatch_indirect(struct ag_execution *execution, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_ext_dispatch_indirect *wire = AGPU_PACKET(packet, ext_dispatch_indirect);
    struct ag_dispatch dispatch = {0};
    uint32_t words[AG_MAX_ARGUMENTS];
    bool known = true;
    enum agpu_status status;
    struct ag_buffer *buffer = find_buffer(execution, wire->buffer, wire->offset_bytes, 3, &status);
    if (!buffer)
        return status;
    if (buffer->shadow || ag_queries_want(execution->recorder, AG_QUERY_COUNTER_CS_INVOCATIONS)) {
        status = fetch(execution, wire->buffer, wire->offset_bytes, 3, words, &known);
        if (status == AGPU_OK && known)
            memcpy(dispatch.groups, words, sizeof dispatch.groups);
    } else {
        dispatch.arguments = copy_arguments(execution, buffer, wire->offset_bytes);
        status = dispatch.arguments ? AGPU_OK : AGPU_REFUSED;
    }
    if (status != AGPU_OK || !known)
        return status;
    return ag_outcome_status(
        ag_dispatch(execution->drawer, execution->context, AGPU_STAGE_COMPUTE, &dispatch));
}
