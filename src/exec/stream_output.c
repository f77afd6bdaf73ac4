/* SPDX-License-Identifier: MIT */
#include "exec/stream_output.h"

#include <inttypes.h>
#include <string.h>

#include "base/bytes.h"
#include "exec/exec.h"
#include "exec/indirect.h"
#include "exec/packets.h"

#define MAX_STREAM 3
#define MAX_STRIDE 2048
#define STATE_BYTES (4 * AG_STREAM_OUTPUT_STATE_WORDS)

/* ---- Declarations ------------------------------------------------------------------------------------- */

static enum agpu_status refuse(struct ag_exec *exec, uint32_t index, const char *what)
{
    return ag_exec_fail(exec, AGPU_DIAG_EXEC_ARGUMENT,
                        "element %" PRIu32 " of a stream-output declaration %s", index, what);
}

/* Appends one element's components behind what its buffer has. */
static enum agpu_status add_element(struct ag_exec *exec, uint32_t index,
                                    const struct aerogpu_ext_stream_output_element *element,
                                    uint32_t ends[AG_STREAM_OUTPUT_SLOTS],
                                    struct ag_stream_output_declaration *declaration)
{
    const uint32_t low = element->mask & (~element->mask + 1);
    const bool gap = element->register_index == AEROGPU_EXT_STREAM_OUTPUT_GAP;
    if (element->stream > MAX_STREAM || element->output_slot >= AG_STREAM_OUTPUT_SLOTS)
        return refuse(exec, index, "names no stream or no buffer");
    if (element->mask == 0 || element->mask > 0xF || (((element->mask + low) & element->mask) != 0))
        return refuse(exec, index, "names components that do not follow each other");
    if (!gap && element->register_index >= AGPU_MAX_REGISTERS)
        return refuse(exec, index, "names no register");
    for (uint32_t stream = 0; stream <= MAX_STREAM; stream++)
        if (stream != element->stream && (declaration->stream_slots[stream] >> element->output_slot & 1))
            return refuse(exec, index, "shares a buffer with another stream");
    declaration->streams |= UINT32_C(1) << element->stream;
    declaration->stream_slots[element->stream] |= UINT32_C(1) << element->output_slot;
    for (uint32_t component = 0; component < 4; component++) {
        if (!(element->mask >> component & 1))
            continue;
        const struct ag_stream_output_place place = {
            .stream = (uint8_t)element->stream,
            .source = (uint8_t)(4 * element->register_index + component),
            .slot = (uint8_t)element->output_slot,
            .offset = ends[element->output_slot],
        };
        ends[element->output_slot] += 4;
        if (gap)
            continue;
        if (declaration->place_count == AG_STREAM_OUTPUT_COMPONENTS)
            return refuse(exec, index, "is more than 128 components allow");
        declaration->places[declaration->place_count++] = place;
    }
    return AGPU_OK;
}

static enum agpu_status fill_declaration(struct ag_exec *exec, const struct agpu_packet *packet,
                                         struct ag_stream_output_declaration *declaration)
{
    const struct aerogpu_cmd_ext_create_stream_output *wire = AGPU_PACKET(packet, ext_create_stream_output);
    uint32_t ends[AG_STREAM_OUTPUT_SLOTS] = {0};
    declaration->rasterized_stream = wire->rasterized_stream;
    if (wire->rasterized_stream > MAX_STREAM &&
        wire->rasterized_stream != AEROGPU_EXT_STREAM_OUTPUT_NOT_RASTERIZED)
        return ag_exec_fail(exec, AGPU_DIAG_EXEC_ARGUMENT, "stream %" PRIu32 " cannot be rasterized",
                            wire->rasterized_stream);
    for (uint32_t i = 0; i < packet->payload_count; i++) {
        enum agpu_status status = add_element(exec, i, agpu_packet_element(packet, i), ends, declaration);
        if (status != AGPU_OK)
            return status;
    }
    for (uint32_t i = 0; i < AG_STREAM_OUTPUT_SLOTS; i++) {
        const uint32_t stride = wire->stride_bytes[i];
        if (stride % 4 != 0 || stride > MAX_STRIDE || ends[i] > MAX_STRIDE || (stride && stride < ends[i]))
            return ag_exec_fail(exec, AGPU_DIAG_EXEC_ARGUMENT,
                                "a stride of %" PRIu32 " bytes does not fit the %" PRIu32
                                " bytes that go to buffer %" PRIu32,
                                stride, ends[i], i);
        declaration->strides[i] = stride ? stride : ends[i];
    }
    return AGPU_OK;
}

enum agpu_status ag_on_ext_create_stream_output(struct ag_exec *exec, const struct agpu_packet *packet)
{
    const uint32_t handle = AGPU_PACKET(packet, ext_create_stream_output)->object_handle;
    struct ag_stream_output_declaration declaration;
    memset(&declaration, 0, sizeof declaration);
    enum agpu_status status = fill_declaration(exec, packet, &declaration);
    if (status != AGPU_OK)
        return status;
    struct ag_stream_output_object *object =
        ag_ext_object_create(exec, handle, AG_EXT_OBJECT_STREAM_OUTPUT, sizeof *object, &status);
    if (object)
        memcpy(&object->declaration, &declaration, sizeof declaration);
    return status;
}

/* ---- Targets ------------------------------------------------------------------------------------------ */

enum agpu_status ag_on_ext_set_stream_output_targets(struct ag_exec *exec, const struct agpu_packet *packet)
{
    struct ag_context *context = exec->context;
    struct ag_stream_output_target targets[AG_STREAM_OUTPUT_SLOTS] = {{0}};
    if (packet->payload_count > AG_STREAM_OUTPUT_SLOTS)
        return ag_exec_fail(exec, AGPU_DIAG_EXEC_ARGUMENT,
                            "%" PRIu32 " stream-output buffers are more than %d", packet->payload_count,
                            AG_STREAM_OUTPUT_SLOTS);
    for (uint32_t i = 0; i < packet->payload_count; i++) {
        const struct aerogpu_ext_stream_output_target *wire = agpu_packet_element(packet, i);
        struct ag_buffer *buffer = wire->buffer ? ag_handle_buffer(exec, wire->buffer) : NULL;
        if (wire->buffer && !buffer)
            return ag_exec_fail(exec, AGPU_DIAG_EXEC_HANDLE, "handle %" PRIu32 " names no buffer",
                                wire->buffer);
        if (wire->offset_bytes % 4 != 0 && wire->offset_bytes != AEROGPU_EXT_STREAM_OUTPUT_APPEND)
            return ag_exec_fail(exec, AGPU_DIAG_EXEC_ARGUMENT,
                                "a stream-output offset of %" PRIu32 " is no multiple of 4",
                                wire->offset_bytes);
        for (uint32_t j = 0; buffer && j < i; j++)
            if (targets[j].buffer == buffer)
                return ag_exec_fail(exec, AGPU_DIAG_EXEC_ARGUMENT,
                                    "buffer %" PRIu32 " is there for stream output twice", wire->buffer);
        targets[i] = (struct ag_stream_output_target){wire->buffer, buffer};
    }
    for (uint32_t i = 0; i < packet->payload_count; i++) {
        const struct aerogpu_ext_stream_output_target *wire = agpu_packet_element(packet, i);
        if (!targets[i].buffer)
            continue;
        ag_context_bound_as_uav(context, targets[i].buffer);
        ag_counter_set(&targets[i].buffer->filled, wire->offset_bytes); /* all ones: goes on behind */
    }
    memcpy(context->stream_outputs, targets, sizeof targets);
    return AGPU_OK;
}

const struct ag_stream_output_declaration *ag_stream_output_active(struct ag_exec *exec,
                                                                   struct ag_context *context)
{
    const struct ag_shader_program *geometry = ag_shader_at(exec, context, AGPU_STAGE_GEOMETRY);
    if (!geometry || !geometry->stream_output || exec->queries.paused)
        return NULL;
    for (uint32_t stream = 0; stream <= MAX_STREAM; stream++)
        for (uint32_t slot = 0; slot < AG_STREAM_OUTPUT_SLOTS; slot++)
            if ((geometry->stream_output->stream_slots[stream] >> slot & 1) &&
                context->stream_outputs[slot].buffer)
                return geometry->stream_output;
    return NULL;
}

bool ag_stream_output_only(struct ag_exec *exec, const struct ag_context *context)
{
    const struct ag_shader_program *geometry = ag_shader_at(exec, context, AGPU_STAGE_GEOMETRY);
    return geometry && geometry->stream_output &&
           geometry->stream_output->rasterized_stream == AEROGPU_EXT_STREAM_OUTPUT_NOT_RASTERIZED;
}

/* ---- Draws -------------------------------------------------------------------------------------------- */

static uint32_t all_slots(const struct ag_stream_output_declaration *declaration)
{
    uint32_t slots = 0;
    for (uint32_t stream = 0; stream <= MAX_STREAM; stream++)
        slots |= declaration->stream_slots[stream];
    return slots;
}

static bool load_filled(struct ag_exec *exec, const struct ag_buffer *buffer, uint32_t slot)
{
    struct ag_ring_slice slice;
    const uint64_t to = 4 * ((uint64_t)AG_STREAM_OUTPUT_FILLED + slot);
    WGPUCommandEncoder encoder = ag_exec_encoder(exec);
    if (buffer->filled.is_set) {
        if (!ag_ring_alloc(exec, 4, &slice))
            return false;
        ag_store_u32(slice.bytes, buffer->filled.value);
        wgpuCommandEncoderCopyBufferToBuffer(encoder, slice.gpu, slice.offset, exec->stream_output_state, to,
                                             4);
    } else if (buffer->filled.gpu) {
        wgpuCommandEncoderCopyBufferToBuffer(encoder, buffer->filled.gpu, 0, exec->stream_output_state, to,
                                             4);
    }
    return true;
}

bool ag_stream_output_begin(struct ag_exec *exec, struct ag_context *context,
                            const struct ag_stream_output_declaration *declaration, bool *failed)
{
    if (!exec->stream_output_state) {
        exec->stream_output_state = ag_exec_create_buffer(
            exec, STATE_BYTES, WGPUBufferUsage_Storage | WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst);
        exec->stream_output_state_id = ag_exec_id(exec);
    }
    if (!exec->stream_output.kernel.device) {
        ag_stream_output_kernels_init(&exec->stream_output, exec->gpu);
        exec->stream_output.kernel.groups = ag_bind_kernel_groups(exec);
    }
    wgpuCommandEncoderClearBuffer(ag_exec_encoder(exec), exec->stream_output_state, 0, STATE_BYTES);
    for (uint32_t slot = 0; slot < AG_STREAM_OUTPUT_SLOTS; slot++) {
        struct ag_buffer *buffer = context->stream_outputs[slot].buffer;
        if (!buffer || !(all_slots(declaration) >> slot & 1))
            continue;
        if (buffer->size > exec->limits.maxStorageBufferBindingSize || buffer->size > UINT32_MAX) {
            ag_exec_skip_refused(exec, AGPU_DIAG_GPU_LIMIT,
                                 "a stream-output buffer of %" PRIu64 " bytes is more than the device binds",
                                 buffer->size);
            return false;
        }
        if (!ag_buffer_use(exec, buffer)) {
            *failed = true;
            return false;
        }
        if (!load_filled(exec, buffer, slot))
            return false;
    }
    return true;
}

bool ag_stream_output_feed(struct ag_exec *exec, const struct ag_context *context,
                           const struct ag_stream_output_declaration *declaration, uint32_t stream,
                           WGPUComputePassEncoder pass, const struct ag_buffer_range *primitives,
                           const struct ag_buffer_range *records, uint32_t vertices, uint32_t registers,
                           uint64_t most)
{
    struct ag_ring_slice block;
    struct ag_stream_output output = {
        .stream = stream,
        .vertices = vertices,
        .registers = registers,
        .places = declaration->places,
        .place_count = declaration->place_count,
    };
    if (!ag_ring_alloc(exec, AG_STREAM_OUTPUT_BLOCK_BYTES, &block))
        return false;
    struct ag_stream_output_buffers buffers = {
        .block = {block.gpu,                 block.offset, AG_STREAM_OUTPUT_BLOCK_BYTES, block.id                    },
        .primitives = *primitives,
        .records = *records,
        .state = {exec->stream_output_state, 0,            STATE_BYTES,                  exec->stream_output_state_id},
    };
    for (uint32_t slot = 0; slot < AG_STREAM_OUTPUT_SLOTS; slot++) {
        const struct ag_buffer *buffer = context->stream_outputs[slot].buffer;
        if (buffer && (declaration->stream_slots[stream] >> slot & 1)) {
            output.slots |= UINT32_C(1) << slot;
            output.strides[slot] = declaration->strides[slot];
            output.sizes[slot] = (uint32_t)buffer->size;
            buffers.targets[slot] = (struct ag_buffer_range){
                .buffer = buffer->gpu, .size = ag_align_up(buffer->size, 4), .id = buffer->id};
        } else {
            buffers.targets[slot].size = AG_DUMMY_SINK_BYTES;
            buffers.targets[slot].buffer = ag_dummy_sink(exec, slot, &buffers.targets[slot].id);
        }
    }
    ag_stream_output_block(&output, block.bytes);
    ag_stream_output_record(&exec->stream_output, pass, &buffers, &output, most);
    return true;
}

void ag_stream_output_end(struct ag_exec *exec, struct ag_context *context,
                          const struct ag_stream_output_declaration *declaration)
{
    for (uint32_t slot = 0; slot < AG_STREAM_OUTPUT_SLOTS; slot++) {
        struct ag_buffer *buffer = context->stream_outputs[slot].buffer;
        if (!buffer || !(all_slots(declaration) >> slot & 1))
            continue;
        if (!buffer->filled.gpu)
            buffer->filled.gpu =
                ag_exec_create_buffer(exec, 4, WGPUBufferUsage_CopySrc | WGPUBufferUsage_CopyDst);
        wgpuCommandEncoderCopyBufferToBuffer(ag_exec_encoder(exec), exec->stream_output_state,
                                             4 * ((uint64_t)AG_STREAM_OUTPUT_FILLED + slot),
                                             buffer->filled.gpu, 0, 4);
        buffer->filled.is_set = false;
        ag_buffer_written(buffer);
    }
    for (uint32_t stream = 0; stream <= MAX_STREAM; stream++) {
        if (!(declaration->streams >> stream & 1))
            continue;
        ag_queries_add_from(exec, (enum ag_query_counter)(AG_COUNTER_SO_WRITTEN + stream), 1,
                            exec->stream_output_state, 4 * ((uint64_t)AG_STREAM_OUTPUT_WRITTEN + stream));
        ag_queries_add_from(exec, (enum ag_query_counter)(AG_COUNTER_SO_NEEDED + stream), 1,
                            exec->stream_output_state, 4 * ((uint64_t)AG_STREAM_OUTPUT_NEEDED + stream));
    }
}

/* ---- DrawAuto ----------------------------------------------------------------------------------------- */

enum agpu_status ag_on_ext_draw_auto(struct ag_exec *exec, const struct agpu_packet *packet)
{
    const struct ag_vertex_buffer_slot *slot = &exec->context->vertex_buffers[0];
    struct ag_buffer *buffer = slot->handle ? ag_handle_buffer(exec, slot->handle) : NULL;
    uint32_t filled = 0;
    bool known = true;
    (void)packet;
    if (!buffer || slot->stride == 0) {
        ag_exec_report(exec, AGPU_DIAG_EXEC_UNDEFINED_DRAW, AGPU_WARNING,
                       "DrawAuto without a buffer or a stride in slot 0: the draw is skipped");
        return AGPU_OK;
    }
    if (buffer->filled.is_set || !buffer->filled.gpu) {
        filled = buffer->filled.value;
    } else {
        enum agpu_status status = ag_arguments_read(exec, buffer->filled.gpu, 0, 1, &filled, &known);
        if (status != AGPU_OK || !known)
            return status;
    }
    const struct ag_draw draw = {.count = filled > slot->offset ? (filled - slot->offset) / slot->stride : 0,
                                 .instance_count = 1};
    return ag_draw(exec, &draw);
}
