/* SPDX-License-Identifier: MIT
 *
 * A context with a state that emulates Direct3D 10: the device of Direct3D 10 is what binds and draws, and
 * Direct3D 11's methods for that do nothing. Those that tell what is bound tell of nothing. Copies, maps,
 * clears and queries go on.
 */
#include "guest/d3d11/context.h"

#include <stdlib.h>
#include <string.h>

/* ---- Stages -------------------------------------------------------------------------------------------- */

#define SHADERS(s, stage, I)                                                                                 \
    RT_METHOD(void)                                                                                          \
    s##_set_shader(ID3D11DeviceContext4 *self, I *shader, ID3D11ClassInstance *const *instances, UINT count) \
    {                                                                                                        \
        (void)self, (void)shader, (void)instances, (void)count;                                              \
    }                                                                                                        \
    RT_METHOD(void)                                                                                          \
    s##_get_shader(ID3D11DeviceContext4 *self, I **shader, ID3D11ClassInstance **instances, UINT *count)     \
    {                                                                                                        \
        (void)self, (void)instances;                                                                         \
        if (shader)                                                                                          \
            *shader = NULL;                                                                                  \
        if (count)                                                                                           \
            *count = 0;                                                                                      \
    }
RT_STAGES(SHADERS)
#undef SHADERS

/* Setters and getters of a range of slots. */
#define SLOTS(name, I)                                                                                       \
    RT_METHOD(void) set_##name(ID3D11DeviceContext4 *self, UINT start, UINT count, I *const *objects)        \
    {                                                                                                        \
        (void)self, (void)start, (void)count, (void)objects;                                                 \
    }                                                                                                        \
    RT_METHOD(void) get_##name(ID3D11DeviceContext4 *self, UINT start, UINT count, I **objects)              \
    {                                                                                                        \
        (void)self, (void)start;                                                                             \
        if (objects)                                                                                         \
            memset(objects, 0, sizeof(*objects) * count);                                                    \
    }
SLOTS(buffers, ID3D11Buffer)
SLOTS(srvs, ID3D11ShaderResourceView)
SLOTS(samplers, ID3D11SamplerState)
SLOTS(views, ID3D11UnorderedAccessView)
#undef SLOTS

/* As on Windows, where the pixel shader's samplers are the exception. */
RT_METHOD(void)
keep_samplers(ID3D11DeviceContext4 *self, UINT start, UINT count, ID3D11SamplerState **objects)
{
    (void)self, (void)start, (void)count, (void)objects;
}

RT_METHOD(void)
set_buffers1(ID3D11DeviceContext4 *self, UINT start, UINT count, ID3D11Buffer *const *buffers,
             const UINT *first, const UINT *constants)
{
    (void)first, (void)constants;
    set_buffers(self, start, count, buffers);
}

RT_METHOD(void)
get_buffers1(ID3D11DeviceContext4 *self, UINT start, UINT count, ID3D11Buffer **buffers, UINT *first,
             UINT *constants)
{
    get_buffers(self, start, count, buffers);
    if (first)
        memset(first, 0, sizeof(*first) * count);
    if (constants)
        memset(constants, 0, sizeof(*constants) * count);
}

RT_METHOD(void)
set_views_with_counts(ID3D11DeviceContext4 *self, UINT start, UINT count,
                      ID3D11UnorderedAccessView *const *views, const UINT *initial_counts)
{
    (void)initial_counts;
    set_views(self, start, count, views);
}

/* ---- Input and stream output --------------------------------------------------------------------------- */

RT_METHOD(void) set_input_layout(ID3D11DeviceContext4 *self, ID3D11InputLayout *layout)
{
    (void)self, (void)layout;
}

RT_METHOD(void) get_input_layout(ID3D11DeviceContext4 *self, ID3D11InputLayout **layout)
{
    (void)self;
    *layout = NULL;
}

RT_METHOD(void)
set_vertex_buffers(ID3D11DeviceContext4 *self, UINT start, UINT count, ID3D11Buffer *const *buffers,
                   const UINT *strides, const UINT *offsets)
{
    (void)strides, (void)offsets;
    set_buffers(self, start, count, buffers);
}

RT_METHOD(void)
get_vertex_buffers(ID3D11DeviceContext4 *self, UINT start, UINT count, ID3D11Buffer **buffers, UINT *strides,
                   UINT *offsets)
{
    get_buffers1(self, start, count, buffers, strides, offsets);
}

RT_METHOD(void)
set_index_buffer(ID3D11DeviceContext4 *self, ID3D11Buffer *buffer, DXGI_FORMAT format, UINT offset)
{
    (void)self, (void)buffer, (void)format, (void)offset;
}

RT_METHOD(void)
get_index_buffer(ID3D11DeviceContext4 *self, ID3D11Buffer **buffer, DXGI_FORMAT *format, UINT *offset)
{
    (void)self;
    if (buffer)
        *buffer = NULL;
    if (format)
        *format = DXGI_FORMAT_UNKNOWN;
    if (offset)
        *offset = 0;
}

RT_METHOD(void) set_topology(ID3D11DeviceContext4 *self, D3D11_PRIMITIVE_TOPOLOGY topology)
{
    (void)self, (void)topology;
}

RT_METHOD(void) get_topology(ID3D11DeviceContext4 *self, D3D11_PRIMITIVE_TOPOLOGY *topology)
{
    (void)self;
    *topology = D3D11_PRIMITIVE_TOPOLOGY_UNDEFINED;
}

RT_METHOD(void)
set_stream_output(ID3D11DeviceContext4 *self, UINT count, ID3D11Buffer *const *buffers, const UINT *offsets)
{
    (void)offsets;
    set_buffers(self, 0, count, buffers);
}

RT_METHOD(void) get_stream_output(ID3D11DeviceContext4 *self, UINT count, ID3D11Buffer **buffers)
{
    get_buffers(self, 0, count, buffers);
}

/* ---- Rasterizer and outputs ---------------------------------------------------------------------------- */

RT_METHOD(void) set_rasterizer(ID3D11DeviceContext4 *self, ID3D11RasterizerState *rasterizer)
{
    (void)self, (void)rasterizer;
}

RT_METHOD(void) get_rasterizer(ID3D11DeviceContext4 *self, ID3D11RasterizerState **rasterizer)
{
    (void)self;
    *rasterizer = NULL;
}

RT_METHOD(void) set_viewports(ID3D11DeviceContext4 *self, UINT count, const D3D11_VIEWPORT *viewports)
{
    (void)self, (void)count, (void)viewports;
}

RT_METHOD(void) get_viewports(ID3D11DeviceContext4 *self, UINT *count, D3D11_VIEWPORT *viewports)
{
    (void)self, (void)viewports;
    if (count)
        *count = 0;
}

RT_METHOD(void) set_scissors(ID3D11DeviceContext4 *self, UINT count, const D3D11_RECT *rects)
{
    (void)self, (void)count, (void)rects;
}

RT_METHOD(void) get_scissors(ID3D11DeviceContext4 *self, UINT *count, D3D11_RECT *rects)
{
    (void)self, (void)rects;
    if (count)
        *count = 0;
}

RT_METHOD(void)
set_targets(ID3D11DeviceContext4 *self, UINT count, ID3D11RenderTargetView *const *targets,
            ID3D11DepthStencilView *depth)
{
    (void)self, (void)count, (void)targets, (void)depth;
}

RT_METHOD(void)
get_targets(ID3D11DeviceContext4 *self, UINT count, ID3D11RenderTargetView **targets,
            ID3D11DepthStencilView **depth)
{
    (void)self;
    if (targets)
        memset(targets, 0, sizeof(*targets) * count);
    if (depth)
        *depth = NULL;
}

RT_METHOD(void)
set_targets_and_views(ID3D11DeviceContext4 *self, UINT count, ID3D11RenderTargetView *const *targets,
                      ID3D11DepthStencilView *depth, UINT view_start, UINT view_count,
                      ID3D11UnorderedAccessView *const *views, const UINT *initial_counts)
{
    set_targets(self, count, targets, depth);
    set_views_with_counts(self, view_start, view_count, views, initial_counts);
}

RT_METHOD(void)
get_targets_and_views(ID3D11DeviceContext4 *self, UINT count, ID3D11RenderTargetView **targets,
                      ID3D11DepthStencilView **depth, UINT view_start, UINT view_count,
                      ID3D11UnorderedAccessView **views)
{
    get_targets(self, count, targets, depth);
    get_views(self, view_start, view_count, views);
}

RT_METHOD(void)
set_blend(ID3D11DeviceContext4 *self, ID3D11BlendState *blend, const FLOAT factor[4], UINT sample_mask)
{
    (void)self, (void)blend, (void)factor, (void)sample_mask;
}

RT_METHOD(void)
get_blend(ID3D11DeviceContext4 *self, ID3D11BlendState **blend, FLOAT factor[4], UINT *sample_mask)
{
    (void)self;
    if (blend)
        *blend = NULL;
    for (int i = 0; factor && i < 4; i++)
        factor[i] = 1;
    if (sample_mask)
        *sample_mask = D3D11_DEFAULT_SAMPLE_MASK;
}

RT_METHOD(void)
set_depth_stencil(ID3D11DeviceContext4 *self, ID3D11DepthStencilState *depth_stencil, UINT reference)
{
    (void)self, (void)depth_stencil, (void)reference;
}

RT_METHOD(void)
get_depth_stencil(ID3D11DeviceContext4 *self, ID3D11DepthStencilState **depth_stencil, UINT *reference)
{
    (void)self;
    if (depth_stencil)
        *depth_stencil = NULL;
    if (reference)
        *reference = 0;
}

RT_METHOD(void) set_predication(ID3D11DeviceContext4 *self, ID3D11Predicate *predicate, BOOL value)
{
    (void)self, (void)predicate, (void)value;
}

RT_METHOD(void) get_predication(ID3D11DeviceContext4 *self, ID3D11Predicate **predicate, BOOL *value)
{
    (void)self;
    if (predicate)
        *predicate = NULL;
    if (value)
        *value = FALSE;
}

/* ---- Draws --------------------------------------------------------------------------------------------- */

RT_METHOD(void) draw(ID3D11DeviceContext4 *self, UINT count, UINT first)
{
    (void)self, (void)count, (void)first;
}

RT_METHOD(void) draw_indexed(ID3D11DeviceContext4 *self, UINT count, UINT first, INT base)
{
    (void)self, (void)count, (void)first, (void)base;
}

RT_METHOD(void)
draw_instanced(ID3D11DeviceContext4 *self, UINT count, UINT instances, UINT first, UINT first_instance)
{
    (void)self, (void)count, (void)instances, (void)first, (void)first_instance;
}

RT_METHOD(void)
draw_indexed_instanced(ID3D11DeviceContext4 *self, UINT count, UINT instances, UINT first, INT base,
                       UINT first_instance)
{
    (void)self, (void)count, (void)instances, (void)first, (void)base, (void)first_instance;
}

RT_METHOD(void) draw_indirect(ID3D11DeviceContext4 *self, ID3D11Buffer *arguments, UINT offset)
{
    (void)self, (void)arguments, (void)offset;
}

RT_METHOD(void) dispatch(ID3D11DeviceContext4 *self, UINT x, UINT y, UINT z)
{
    (void)self, (void)x, (void)y, (void)z;
}

RT_METHOD(void) do_nothing(ID3D11DeviceContext4 *self)
{
    (void)self;
}

/* ---- The table ----------------------------------------------------------------------------------------- */

void rt_context_turn_off(ID3D11DeviceContext4Vtbl *methods)
{
#define STAGE(S, s)                                                                                          \
    methods->S##SetShader = s##_set_shader, methods->S##GetShader = s##_get_shader;                          \
    methods->S##SetConstantBuffers = set_buffers, methods->S##GetConstantBuffers = get_buffers;              \
    methods->S##SetConstantBuffers1 = set_buffers1, methods->S##GetConstantBuffers1 = get_buffers1;          \
    methods->S##SetShaderResources = set_srvs, methods->S##GetShaderResources = get_srvs;                    \
    methods->S##SetSamplers = set_samplers, methods->S##GetSamplers = get_samplers
    STAGE(VS, vs);
    STAGE(HS, hs);
    STAGE(DS, ds);
    STAGE(GS, gs);
    STAGE(PS, ps);
    STAGE(CS, cs);
#undef STAGE
    methods->PSGetSamplers = keep_samplers;
    methods->CSSetUnorderedAccessViews = set_views_with_counts;
    methods->CSGetUnorderedAccessViews = get_views;
    methods->IASetInputLayout = set_input_layout;
    methods->IAGetInputLayout = get_input_layout;
    methods->IASetVertexBuffers = set_vertex_buffers;
    methods->IAGetVertexBuffers = get_vertex_buffers;
    methods->IASetIndexBuffer = set_index_buffer;
    methods->IAGetIndexBuffer = get_index_buffer;
    methods->IASetPrimitiveTopology = set_topology;
    methods->IAGetPrimitiveTopology = get_topology;
    methods->SOSetTargets = set_stream_output;
    methods->SOGetTargets = get_stream_output;
    methods->RSSetState = set_rasterizer;
    methods->RSGetState = get_rasterizer;
    methods->RSSetViewports = set_viewports;
    methods->RSGetViewports = get_viewports;
    methods->RSSetScissorRects = set_scissors;
    methods->RSGetScissorRects = get_scissors;
    methods->OMSetRenderTargets = set_targets;
    methods->OMGetRenderTargets = get_targets;
    methods->OMSetRenderTargetsAndUnorderedAccessViews = set_targets_and_views;
    methods->OMGetRenderTargetsAndUnorderedAccessViews = get_targets_and_views;
    methods->OMSetBlendState = set_blend;
    methods->OMGetBlendState = get_blend;
    methods->OMSetDepthStencilState = set_depth_stencil;
    methods->OMGetDepthStencilState = get_depth_stencil;
    methods->SetPredication = set_predication;
    methods->GetPredication = get_predication;
    methods->Draw = draw;
    methods->DrawIndexed = draw_indexed;
    methods->DrawInstanced = draw_instanced;
    methods->DrawIndexedInstanced = draw_indexed_instanced;
    methods->DrawInstancedIndirect = draw_indirect;
    methods->DrawIndexedInstancedIndirect = draw_indirect;
    methods->DrawAuto = do_nothing;
    methods->Dispatch = dispatch;
    methods->DispatchIndirect = draw_indirect;
    methods->ClearState = do_nothing;
}
