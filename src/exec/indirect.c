/* SPDX-License-Identifier: MIT
 *
 * Draws and dispatches whose arguments are in a buffer. What the processor wrote there it knows. What the GPU
 * wrote a dispatch takes as it is; a draw waits for it, since its vertices and primitives may have to be made
 * before, in memory whose size depends on how many there are.
 */
#include "exec/indirect.h"

#include <inttypes.h>
#include <string.h>

#include "base/bytes.h"
#include "exec/exec.h"
#include "exec/packets.h"
#include "exec/stream.h"

static struct ag_buffer *find_buffer(struct ag_exec *exec, uint32_t handle, uint32_t offset, uint32_t words,
                                     enum agpu_status *status)
{
    struct ag_buffer *buffer = ag_handle_buffer(exec, handle);
    *status = AGPU_OK;
    if (!buffer)
        *status = ag_exec_fail(exec, AGPU_DIAG_EXEC_HANDLE, "handle %" PRIu32 " names no buffer", handle);
    else if (offset % 4 != 0 || !ag_range_fits(offset, 4 * (uint64_t)words, buffer->size))
        *status = ag_exec_fail(exec, AGPU_DIAG_EXEC_RANGE,
                               "%" PRIu32 " words of arguments at %" PRIu32 " are not in a buffer of %" PRIu64
                               " bytes",
                               words, offset, buffer->size);
    else if (!ag_buffer_pull(exec, buffer))
        *status = AGPU_REFUSED;
    return *status == AGPU_OK ? buffer : NULL;
}

enum agpu_status ag_arguments_read(struct ag_exec *exec, WGPUBuffer buffer, uint64_t offset, uint32_t count,
                                   uint32_t *words, bool *known)
{
    struct ag_job *job = exec->job;
    *known = job->arguments != NULL;
    if (job->arguments) {
        const uint8_t *bytes = ag_readback_data(job->arguments);
        if (bytes)
            memcpy(words, bytes, 4 * (size_t)count);
        ag_readback_release(exec->readbacks, job->arguments);
        job->arguments = NULL;
        return bytes ? AGPU_OK : ag_exec_no_memory(exec);
    }
    job->arguments = ag_readback_take(exec->readbacks, 4 * (uint64_t)count);
    if (!job->arguments)
        return ag_exec_no_memory(exec);
    wgpuCommandEncoderCopyBufferToBuffer(ag_exec_encoder(exec), buffer, offset,
                                         ag_readback_buffer(job->arguments), 0, 4 * (uint64_t)count);
    ag_exec_flush(exec);
    ag_readback_begin(job->arguments);
    ag_stream_wait_for_bytes(exec, job->arguments, true);
    return AGPU_OK;
}

/* The arguments of a packet, as above. */
static enum agpu_status fetch(struct ag_exec *exec, uint32_t handle, uint32_t offset, uint32_t words,
                              uint32_t arguments[AG_MAX_ARGUMENTS], bool *known)
{
    enum agpu_status status;
    *known = true;
    struct ag_buffer *buffer = find_buffer(exec, handle, offset, words, &status);
    if (!buffer)
        return status;
    if (buffer->shadow) {
        memcpy(arguments, buffer->shadow + offset, 4 * (size_t)words);
        return AGPU_OK;
    }
    if (!ag_buffer_use(exec, buffer))
        return AGPU_REFUSED;
    return ag_arguments_read(exec, buffer->gpu, offset, words, arguments, known);
}

enum agpu_status ag_on_ext_draw_instanced_indirect(struct ag_exec *exec, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_ext_draw_instanced_indirect *wire =
        AGPU_PACKET(packet, ext_draw_instanced_indirect);
    uint32_t words[AG_MAX_ARGUMENTS];
    bool known;
    enum agpu_status status = fetch(exec, wire->buffer, wire->offset_bytes, 4, words, &known);
    if (status != AGPU_OK || !known)
        return status;
    const struct ag_draw draw = {
        .count = words[0], .instance_count = words[1], .first = words[2], .first_instance = words[3]};
    return ag_draw(exec, &draw);
}

enum agpu_status ag_on_ext_draw_indexed_instanced_indirect(struct ag_exec *exec,
                                                           const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_ext_draw_indexed_instanced_indirect *wire =
        AGPU_PACKET(packet, ext_draw_indexed_instanced_indirect);
    uint32_t words[AG_MAX_ARGUMENTS];
    bool known;
    enum agpu_status status = fetch(exec, wire->buffer, wire->offset_bytes, 5, words, &known);
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
    return ag_draw(exec, &draw);
}

/* A copy of the arguments that nothing else uses: WebGPU reads them from no buffer that the dispatch writes.
 */
static WGPUBuffer copy_arguments(struct ag_exec *exec, struct ag_buffer *buffer, uint32_t offset)
{
    if (!ag_buffer_use(exec, buffer))
        return NULL;
    WGPUBuffer copy =
        ag_exec_create_buffer(exec, AG_DISPATCH_ARGUMENT_BYTES,
                              WGPUBufferUsage_CopyDst | WGPUBufferUsage_Indirect | WGPUBufferUsage_Storage);
    wgpuCommandEncoderCopyBufferToBuffer(ag_exec_encoder(exec), buffer->gpu, offset, copy, 0,
                                         AG_DISPATCH_ARGUMENT_BYTES);
    ag_exec_keep_until_flush(exec, copy);
    return copy;
}

enum agpu_status ag_on_ext_dispatch_indirect(struct ag_exec *exec, const struct agpu_packet *packet)
{
    const struct aerogpu_cmd_ext_dispatch_indirect *wire = AGPU_PACKET(packet, ext_dispatch_indirect);
    struct ag_dispatch dispatch = {0};
    uint32_t words[AG_MAX_ARGUMENTS];
    bool known = true;
    enum agpu_status status;
    struct ag_buffer *buffer = find_buffer(exec, wire->buffer, wire->offset_bytes, 3, &status);
    if (!buffer)
        return status;
    if (buffer->shadow || ag_queries_want(exec, AG_COUNTER_CS_INVOCATIONS)) {
        status = fetch(exec, wire->buffer, wire->offset_bytes, 3, words, &known);
        if (status == AGPU_OK && known)
            memcpy(dispatch.groups, words, sizeof dispatch.groups);
    } else {
        dispatch.arguments = copy_arguments(exec, buffer, wire->offset_bytes);
        status = dispatch.arguments ? AGPU_OK : AGPU_REFUSED;
    }
    return status == AGPU_OK && known ? ag_dispatch(exec, AGPU_STAGE_COMPUTE, &dispatch) : status;
}
