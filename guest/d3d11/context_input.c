/* SPDX-License-Identifier: MIT
 *
 * The input assembler and stream output.
 */
#include "guest/d3d11/hazard.h"
#include "guest/d3d11/shader.h"

/* ---- Input layout and topology ------------------------------------------------------------------------- */

static void tell_layout(struct rt_context *context)
{
    const struct rt_input_layout *layout =
        (const struct rt_input_layout *)rt_own(context, context->bindings->layout);
    umd_ia_set_input_layout(context->umd, layout ? layout->umd : NULL);
}

void STDMETHODCALLTYPE rt_context_ia_set_input_layout(ID3D11DeviceContext4 *self, ID3D11InputLayout *layout)
{
    struct rt_context *context = rt_enter(self);
    if (rt_context_bind(context, &context->bindings->layout, layout ? RT_OBJECT(layout) : NULL))
        tell_layout(context);
    rt_leave(context);
}

void STDMETHODCALLTYPE rt_context_ia_get_input_layout(ID3D11DeviceContext4 *self, ID3D11InputLayout **layout)
{
    struct rt_context *context = rt_enter(self);
    *layout = rt_object_return(context->bindings->layout);
    rt_leave(context);
}

void STDMETHODCALLTYPE rt_context_ia_set_primitive_topology(ID3D11DeviceContext4 *self,
                                                            D3D11_PRIMITIVE_TOPOLOGY topology)
{
    struct rt_context *context = rt_enter(self);
    if (context->bindings->topology != topology) {
        context->bindings->topology = topology;
        umd_ia_set_topology(context->umd, topology);
    }
    rt_leave(context);
}

void STDMETHODCALLTYPE rt_context_ia_get_primitive_topology(ID3D11DeviceContext4 *self,
                                                            D3D11_PRIMITIVE_TOPOLOGY *topology)
{
    struct rt_context *context = rt_enter(self);
    *topology = context->bindings->topology;
    rt_leave(context);
}

/* ---- Vertex buffers ------------------------------------------------------------------------------------ */

static void tell_vertex_buffers(struct rt_context *context, UINT start, UINT count)
{
    const struct rt_vertex_buffer *bound = context->bindings->vertex_buffers + start;
    struct umd_resource *buffers[UMD_VERTEX_BUFFER_SLOTS];
    UINT strides[UMD_VERTEX_BUFFER_SLOTS], offsets[UMD_VERTEX_BUFFER_SLOTS];
    for (UINT i = 0; i < count; i++) {
        buffers[i] = rt_umd_resource(context, bound[i].buffer);
        strides[i] = bound[i].stride;
        offsets[i] = bound[i].offset;
    }
    umd_ia_set_vertex_buffers(context->umd, start, count, buffers, strides, offsets);
}

/* A buffer that is an output at the moment is not bound. */
static struct rt_object *input_buffer(struct rt_context *context, ID3D11Buffer *given,
                                      D3D11_MESSAGE_ID message)
{
    struct rt_resource *buffer = rt_resource_of(given);
    if (!buffer)
        return NULL;
    if (!rt_hazard_allows_buffer(context, buffer)) {
        rt_message(&context->object.device->messages, message);
        return NULL;
    }
    return &buffer->object;
}

void STDMETHODCALLTYPE rt_context_ia_set_vertex_buffers(ID3D11DeviceContext4 *self, UINT start, UINT count,
                                                        ID3D11Buffer *const *buffers, const UINT *strides,
                                                        const UINT *offsets)
{
    struct rt_context *context = rt_enter(self);
    bool changed = false;
    if (start < UMD_VERTEX_BUFFER_SLOTS && count <= UMD_VERTEX_BUFFER_SLOTS - start) {
        for (UINT i = 0; i < count; i++) {
            struct rt_vertex_buffer *slot = &context->bindings->vertex_buffers[start + i];
            const UINT stride = strides ? strides[i] : 0, offset = offsets ? offsets[i] : 0;
            changed |= slot->stride != stride || slot->offset != offset;
            slot->stride = stride;
            slot->offset = offset;
            changed |= rt_context_bind(context, &slot->buffer,
                                       input_buffer(context, buffers ? buffers[i] : NULL,
                                                    D3D11_MESSAGE_ID_DEVICE_IASETVERTEXBUFFERS_HAZARD));
        }
        if (changed)
            tell_vertex_buffers(context, start, count);
    }
    rt_leave(context);
}

void STDMETHODCALLTYPE rt_context_ia_get_vertex_buffers(ID3D11DeviceContext4 *self, UINT start, UINT count,
                                                        ID3D11Buffer **buffers, UINT *strides, UINT *offsets)
{
    const struct rt_vertex_buffer none = {0};
    struct rt_context *context = rt_enter(self);
    for (UINT i = 0; i < count; i++) {
        const struct rt_vertex_buffer *bound =
            start + i < UMD_VERTEX_BUFFER_SLOTS ? &context->bindings->vertex_buffers[start + i] : &none;
        if (buffers)
            buffers[i] = rt_object_return(bound->buffer);
        if (strides)
            strides[i] = bound->stride;
        if (offsets)
            offsets[i] = bound->offset;
    }
    rt_leave(context);
}

/* ---- The index buffer ---------------------------------------------------------------------------------- */

/* The driver knows 16 and 32 bits; with another format, which is stored for getters alone, there are no
 * indices. */
static void tell_index_buffer(struct rt_context *context)
{
    const struct rt_bindings *b = context->bindings;
    const bool is_known = b->index_format == DXGI_FORMAT_R16_UINT || b->index_format == DXGI_FORMAT_R32_UINT;
    umd_ia_set_index_buffer(context->umd, is_known ? rt_umd_resource(context, b->index_buffer) : NULL,
                            is_known ? b->index_format : DXGI_FORMAT_R16_UINT, b->index_offset);
}

void STDMETHODCALLTYPE rt_context_ia_set_index_buffer(ID3D11DeviceContext4 *self, ID3D11Buffer *buffer,
                                                      DXGI_FORMAT format, UINT offset)
{
    struct rt_context *context = rt_enter(self);
    struct rt_bindings *b = context->bindings;
    bool changed = b->index_format != format || b->index_offset != offset;
    b->index_format = format;
    b->index_offset = offset;
    changed |=
        rt_context_bind(context, &b->index_buffer,
                        input_buffer(context, buffer, D3D11_MESSAGE_ID_DEVICE_IASETINDEXBUFFER_HAZARD));
    if (changed)
        tell_index_buffer(context);
    rt_leave(context);
}

void STDMETHODCALLTYPE rt_context_ia_get_index_buffer(ID3D11DeviceContext4 *self, ID3D11Buffer **buffer,
                                                      DXGI_FORMAT *format, UINT *offset)
{
    struct rt_context *context = rt_enter(self);
    if (buffer)
        *buffer = rt_object_return(context->bindings->index_buffer);
    if (format)
        *format = context->bindings->index_format;
    if (offset)
        *offset = context->bindings->index_offset;
    rt_leave(context);
}

/* ---- Stream output ------------------------------------------------------------------------------------- */

void rt_context_tell_stream_output(struct rt_context *context, const UINT *given)
{
    struct umd_resource *buffers[UMD_STREAM_OUTPUT_SLOTS];
    UINT offsets[UMD_STREAM_OUTPUT_SLOTS];
    for (UINT i = 0; i < UMD_STREAM_OUTPUT_SLOTS; i++) {
        buffers[i] = rt_umd_resource(context, context->bindings->stream_output[i]);
        offsets[i] = given ? given[i] : AEROGPU_EXT_STREAM_OUTPUT_APPEND;
    }
    umd_so_set_targets(context->umd, UMD_STREAM_OUTPUT_SLOTS, buffers, offsets);
}

/* A buffer is in one slot, and what is appended to begins at a word. (Spec: D3D11.3 14.3.1.) */
static bool are_targets_allowed(UINT count, ID3D11Buffer *const *buffers, const UINT *offsets)
{
    if (count > UMD_STREAM_OUTPUT_SLOTS)
        return false;
    for (UINT i = 0; buffers && i < count; i++) {
        if (buffers[i] && offsets && offsets[i] != AEROGPU_EXT_STREAM_OUTPUT_APPEND && offsets[i] % 4)
            return false;
        for (UINT other = 0; other < i; other++)
            if (buffers[i] && buffers[i] == buffers[other])
                return false;
    }
    return true;
}

void STDMETHODCALLTYPE rt_context_so_set_targets(ID3D11DeviceContext4 *self, UINT count,
                                                 ID3D11Buffer *const *buffers, const UINT *given)
{
    struct rt_context *context = rt_enter(self);
    UINT offsets[UMD_STREAM_OUTPUT_SLOTS];
    if (!are_targets_allowed(count, buffers, given)) {
        rt_message(&context->object.device->messages, D3D11_MESSAGE_ID_DEVICE_SOSETTARGETS_OFFSET_UNALIGNED);
    } else {
        for (UINT i = 0; i < UMD_STREAM_OUTPUT_SLOTS; i++) {
            struct rt_resource *buffer = rt_resource_of(i < count && buffers ? buffers[i] : NULL);
            if (buffer && !(buffer->bind_flags & D3D11_BIND_STREAM_OUTPUT))
                buffer = NULL;
            offsets[i] = i < count && given ? given[i] : AEROGPU_EXT_STREAM_OUTPUT_APPEND;
            if (buffer) {
                rt_hazard_end_buffer_inputs(context, buffer);
                rt_hazard_end_buffer_outputs(
                    context, buffer, RT_OUTPUTS_TARGETS | RT_OUTPUTS_OUTPUT_UAVS | RT_OUTPUTS_COMPUTE_UAVS);
            }
            rt_context_bind(context, &context->bindings->stream_output[i], buffer ? &buffer->object : NULL);
        }
        rt_context_tell_stream_output(context, offsets);
    }
    rt_leave(context);
}

void STDMETHODCALLTYPE rt_context_so_get_targets(ID3D11DeviceContext4 *self, UINT count,
                                                 ID3D11Buffer **buffers)
{
    struct rt_context *context = rt_enter(self);
    for (UINT i = 0; buffers && i < count; i++)
        buffers[i] =
            i < UMD_STREAM_OUTPUT_SLOTS ? rt_object_return(context->bindings->stream_output[i]) : NULL;
    rt_leave(context);
}

void rt_context_apply_input(struct rt_context *context)
{
    tell_layout(context);
    tell_vertex_buffers(context, 0, UMD_VERTEX_BUFFER_SLOTS);
    tell_index_buffer(context);
    umd_ia_set_topology(context->umd, context->bindings->topology);
    rt_context_tell_stream_output(context, NULL);
}
