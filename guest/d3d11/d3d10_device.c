/* SPDX-License-Identifier: MIT
 *
 * ID3D10Device1: the device and its immediate context at once.
 */
#include "guest/d3d11/context.h"
#include "guest/d3d11/d3d10_faces.h"
#include "guest/d3d11/resource.h"

#include <string.h>

RT_UNKNOWN_METHODS(ID3D10Device1)
RT_PRIVATE_DATA_METHODS(ID3D10Device1)

_Static_assert(sizeof(D3D10_BOX) == sizeof(D3D11_BOX) && sizeof(D3D10_RECT) == sizeof(D3D11_RECT),
               "boxes and rectangles are those of Direct3D 11");

static ID3D11DeviceContext4 *context_of(ID3D10Device1 *self)
{
    return rt_immediate_of(rt_device_of(self));
}

/* ---- Shaders and what they read ------------------------------------------------------------------------ */

/* The stages of Direct3D 10, and the interfaces of their shaders. */
#define STAGES(X)                                                                                            \
    X(vs, ID3D10VertexShader, ID3D11VertexShader)                                                            \
    X(gs, ID3D10GeometryShader, ID3D11GeometryShader)                                                        \
    X(ps, ID3D10PixelShader, ID3D11PixelShader)

#define STAGE(s, I10, I11)                                                                                   \
    RT_METHOD(void) s##_set_shader(ID3D10Device1 *self, I10 *shader)                                         \
    {                                                                                                        \
        rt_context_##s##_set_shader(context_of(self), (I11 *)shader, NULL, 0);                               \
    }                                                                                                        \
    RT_METHOD(void) s##_get_shader(ID3D10Device1 *self, I10 **shader)                                        \
    {                                                                                                        \
        rt_context_##s##_get_shader(context_of(self), (I11 **)shader, NULL, NULL);                           \
        rt_d3d10_turn((void **)shader, 1);                                                                   \
    }                                                                                                        \
    RT_METHOD(void)                                                                                          \
    s##_set_constants(ID3D10Device1 *self, UINT start, UINT count, ID3D10Buffer *const *buffers)             \
    {                                                                                                        \
        rt_context_##s##_set_constant_buffers(context_of(self), start, count,                                \
                                              (ID3D11Buffer *const *)buffers);                               \
    }                                                                                                        \
    RT_METHOD(void) s##_get_constants(ID3D10Device1 *self, UINT start, UINT count, ID3D10Buffer **buffers)   \
    {                                                                                                        \
        rt_context_##s##_get_constant_buffers(context_of(self), start, count, (ID3D11Buffer **)buffers);     \
        rt_d3d10_turn((void **)buffers, count);                                                              \
    }                                                                                                        \
    RT_METHOD(void)                                                                                          \
    s##_set_views(ID3D10Device1 *self, UINT start, UINT count, ID3D10ShaderResourceView *const *views)       \
    {                                                                                                        \
        rt_context_##s##_set_srvs(context_of(self), start, count, (ID3D11ShaderResourceView *const *)views); \
    }                                                                                                        \
    RT_METHOD(void)                                                                                          \
    s##_get_views(ID3D10Device1 *self, UINT start, UINT count, ID3D10ShaderResourceView **views)             \
    {                                                                                                        \
        rt_context_##s##_get_srvs(context_of(self), start, count, (ID3D11ShaderResourceView **)views);       \
        rt_d3d10_turn((void **)views, count);                                                                \
    }                                                                                                        \
    RT_METHOD(void)                                                                                          \
    s##_set_samplers(ID3D10Device1 *self, UINT start, UINT count, ID3D10SamplerState *const *samplers)       \
    {                                                                                                        \
        rt_context_##s##_set_samplers(context_of(self), start, count,                                        \
                                      (ID3D11SamplerState *const *)samplers);                                \
    }                                                                                                        \
    RT_METHOD(void)                                                                                          \
    s##_get_samplers(ID3D10Device1 *self, UINT start, UINT count, ID3D10SamplerState **samplers)             \
    {                                                                                                        \
        rt_context_##s##_get_samplers(context_of(self), start, count, (ID3D11SamplerState **)samplers);      \
        rt_d3d10_turn((void **)samplers, count);                                                             \
    }

STAGES(STAGE)
#undef STAGE

/* ---- Input and stream output --------------------------------------------------------------------------- */

RT_METHOD(void) set_input_layout(ID3D10Device1 *self, ID3D10InputLayout *layout)
{
    rt_context_ia_set_input_layout(context_of(self), (ID3D11InputLayout *)layout);
}

RT_METHOD(void) get_input_layout(ID3D10Device1 *self, ID3D10InputLayout **layout)
{
    rt_context_ia_get_input_layout(context_of(self), (ID3D11InputLayout **)layout);
    rt_d3d10_turn((void **)layout, 1);
}

RT_METHOD(void)
set_vertex_buffers(ID3D10Device1 *self, UINT start, UINT count, ID3D10Buffer *const *buffers,
                   const UINT *strides, const UINT *offsets)
{
    rt_context_ia_set_vertex_buffers(context_of(self), start, count, (ID3D11Buffer *const *)buffers, strides,
                                     offsets);
}

RT_METHOD(void)
get_vertex_buffers(ID3D10Device1 *self, UINT start, UINT count, ID3D10Buffer **buffers, UINT *strides,
                   UINT *offsets)
{
    rt_context_ia_get_vertex_buffers(context_of(self), start, count, (ID3D11Buffer **)buffers, strides,
                                     offsets);
    rt_d3d10_turn((void **)buffers, count);
}

RT_METHOD(void)
set_index_buffer(ID3D10Device1 *self, ID3D10Buffer *buffer, DXGI_FORMAT format, UINT offset)
{
    rt_context_ia_set_index_buffer(context_of(self), (ID3D11Buffer *)buffer, format, offset);
}

RT_METHOD(void)
get_index_buffer(ID3D10Device1 *self, ID3D10Buffer **buffer, DXGI_FORMAT *format, UINT *offset)
{
    rt_context_ia_get_index_buffer(context_of(self), (ID3D11Buffer **)buffer, format, offset);
    rt_d3d10_turn((void **)buffer, 1);
}

/* Both have numbers of Direct3D's common header; patches came with Direct3D 11. */
RT_METHOD(void) set_topology(ID3D10Device1 *self, D3D10_PRIMITIVE_TOPOLOGY topology)
{
    rt_context_ia_set_primitive_topology(context_of(self), (D3D11_PRIMITIVE_TOPOLOGY)topology);
}

RT_METHOD(void) get_topology(ID3D10Device1 *self, D3D10_PRIMITIVE_TOPOLOGY *topology)
{
    D3D11_PRIMITIVE_TOPOLOGY found;
    rt_context_ia_get_primitive_topology(context_of(self), &found);
    *topology = (D3D10_PRIMITIVE_TOPOLOGY)found;
}

RT_METHOD(void)
set_stream_output(ID3D10Device1 *self, UINT count, ID3D10Buffer *const *buffers, const UINT *offsets)
{
    rt_context_so_set_targets(context_of(self), count, (ID3D11Buffer *const *)buffers, offsets);
}

static bool is_stream_output(ID3D10Device1 *self, UINT slot)
{
    return slot < UMD_STREAM_OUTPUT_SLOTS &&
           rt_device_of(self)->immediate->bindings->stream_output[slot] != NULL;
}

/* Offsets are not kept: writing goes on where it ended. */
RT_METHOD(void) get_stream_output(ID3D10Device1 *self, UINT count, ID3D10Buffer **buffers, UINT *offsets)
{
    rt_context_so_get_targets(context_of(self), count, (ID3D11Buffer **)buffers);
    rt_d3d10_turn((void **)buffers, count);
    for (UINT i = 0; offsets && i < count; i++)
        offsets[i] = is_stream_output(self, i) ? AEROGPU_EXT_STREAM_OUTPUT_APPEND : 0;
}

/* ---- Outputs ------------------------------------------------------------------------------------------- */

RT_METHOD(void)
set_targets(ID3D10Device1 *self, UINT count, ID3D10RenderTargetView *const *targets,
            ID3D10DepthStencilView *depth)
{
    rt_context_om_set_render_targets(context_of(self), count, (ID3D11RenderTargetView *const *)targets,
                                     (ID3D11DepthStencilView *)depth);
}

RT_METHOD(void)
get_targets(ID3D10Device1 *self, UINT count, ID3D10RenderTargetView **targets, ID3D10DepthStencilView **depth)
{
    rt_context_om_get_render_targets(context_of(self), count, (ID3D11RenderTargetView **)targets,
                                     (ID3D11DepthStencilView **)depth);
    rt_d3d10_turn((void **)targets, count);
    rt_d3d10_turn((void **)depth, 1);
}

RT_METHOD(void)
set_blend(ID3D10Device1 *self, ID3D10BlendState *blend, const FLOAT factor[4], UINT sample_mask)
{
    rt_context_om_set_blend_state(context_of(self), (ID3D11BlendState *)blend, factor, sample_mask);
}

RT_METHOD(void)
get_blend(ID3D10Device1 *self, ID3D10BlendState **blend, FLOAT factor[4], UINT *sample_mask)
{
    rt_context_om_get_blend_state(context_of(self), (ID3D11BlendState **)blend, factor, sample_mask);
    rt_d3d10_turn((void **)blend, 1);
}

RT_METHOD(void) set_depth_stencil(ID3D10Device1 *self, ID3D10DepthStencilState *state, UINT reference)
{
    rt_context_om_set_depth_stencil_state(context_of(self), (ID3D11DepthStencilState *)state, reference);
}

RT_METHOD(void) get_depth_stencil(ID3D10Device1 *self, ID3D10DepthStencilState **state, UINT *reference)
{
    rt_context_om_get_depth_stencil_state(context_of(self), (ID3D11DepthStencilState **)state, reference);
    rt_d3d10_turn((void **)state, 1);
}

/* ---- The rasterizer ------------------------------------------------------------------------------------ */

RT_METHOD(void) set_rasterizer(ID3D10Device1 *self, ID3D10RasterizerState *state)
{
    rt_context_rs_set_state(context_of(self), (ID3D11RasterizerState *)state);
}

RT_METHOD(void) get_rasterizer(ID3D10Device1 *self, ID3D10RasterizerState **state)
{
    rt_context_rs_get_state(context_of(self), (ID3D11RasterizerState **)state);
    rt_d3d10_turn((void **)state, 1);
}

/* Viewports of Direct3D 10 are whole texels. More than there are go on as that many, so that the call is
 * refused as Direct3D 11's is. */
RT_METHOD(void) set_viewports(ID3D10Device1 *self, UINT count, const D3D10_VIEWPORT *viewports)
{
    D3D11_VIEWPORT made[UMD_VIEWPORTS];
    memset(made, 0, sizeof(made));
    for (UINT i = 0; viewports && i < count && i < UMD_VIEWPORTS; i++)
        made[i] = (D3D11_VIEWPORT){(FLOAT)viewports[i].TopLeftX, (FLOAT)viewports[i].TopLeftY,
                                   (FLOAT)viewports[i].Width,    (FLOAT)viewports[i].Height,
                                   viewports[i].MinDepth,        viewports[i].MaxDepth};
    rt_context_rs_set_viewports(context_of(self), count, viewports ? made : NULL);
}

RT_METHOD(void) get_viewports(ID3D10Device1 *self, UINT *count, D3D10_VIEWPORT *viewports)
{
    D3D11_VIEWPORT found[UMD_VIEWPORTS];
    const UINT asked = *count;
    UINT most = UMD_VIEWPORTS;
    rt_context_rs_get_viewports(context_of(self), &most, found);
    *count = most;
    for (UINT i = 0; viewports && i < asked; i++) {
        const D3D11_VIEWPORT none = {0}, *v = i < UMD_VIEWPORTS ? &found[i] : &none;
        viewports[i] = (D3D10_VIEWPORT){(INT)v->TopLeftX, (INT)v->TopLeftY, (UINT)v->Width,
                                        (UINT)v->Height,  v->MinDepth,      v->MaxDepth};
    }
}

RT_METHOD(void) set_scissors(ID3D10Device1 *self, UINT count, const D3D10_RECT *rects)
{
    rt_context_rs_set_scissor_rects(context_of(self), count, rects);
}

RT_METHOD(void) get_scissors(ID3D10Device1 *self, UINT *count, D3D10_RECT *rects)
{
    rt_context_rs_get_scissor_rects(context_of(self), count, rects);
}

/* ---- Draws --------------------------------------------------------------------------------------------- */

RT_METHOD(void) draw(ID3D10Device1 *self, UINT count, UINT first)
{
    rt_context_draw(context_of(self), count, first);
}

RT_METHOD(void) draw_indexed(ID3D10Device1 *self, UINT count, UINT first, INT base)
{
    rt_context_draw_indexed(context_of(self), count, first, base);
}

RT_METHOD(void)
draw_instanced(ID3D10Device1 *self, UINT count, UINT instances, UINT first, UINT first_instance)
{
    rt_context_draw_instanced(context_of(self), count, instances, first, first_instance);
}

RT_METHOD(void)
draw_indexed_instanced(ID3D10Device1 *self, UINT count, UINT instances, UINT first, INT base,
                       UINT first_instance)
{
    rt_context_draw_indexed_instanced(context_of(self), count, instances, first, base, first_instance);
}

RT_METHOD(void) draw_auto(ID3D10Device1 *self)
{
    rt_context_draw_auto(context_of(self));
}

RT_METHOD(void) set_predication(ID3D10Device1 *self, ID3D10Predicate *predicate, BOOL value)
{
    rt_context_set_predication(context_of(self), (ID3D11Predicate *)predicate, value);
}

RT_METHOD(void) get_predication(ID3D10Device1 *self, ID3D10Predicate **predicate, BOOL *value)
{
    rt_context_get_predication(context_of(self), (ID3D11Predicate **)predicate, value);
    rt_d3d10_turn((void **)predicate, 1);
}

/* ---- Copies and clears --------------------------------------------------------------------------------- */

RT_METHOD(void)
copy_region(ID3D10Device1 *self, ID3D10Resource *to, UINT to_subresource, UINT x, UINT y, UINT z,
            ID3D10Resource *from, UINT from_subresource, const D3D10_BOX *box)
{
    rt_context_copy_subresource_region(context_of(self), (ID3D11Resource *)to, to_subresource, x, y, z,
                                       (ID3D11Resource *)from, from_subresource, (const D3D11_BOX *)box);
}

RT_METHOD(void) copy(ID3D10Device1 *self, ID3D10Resource *to, ID3D10Resource *from)
{
    rt_context_copy_resource(context_of(self), (ID3D11Resource *)to, (ID3D11Resource *)from);
}

RT_METHOD(void)
update(ID3D10Device1 *self, ID3D10Resource *to, UINT subresource, const D3D10_BOX *box, const void *data,
       UINT row_pitch, UINT depth_pitch)
{
    rt_context_update_subresource(context_of(self), (ID3D11Resource *)to, subresource, (const D3D11_BOX *)box,
                                  data, row_pitch, depth_pitch);
}

RT_METHOD(void) clear_target(ID3D10Device1 *self, ID3D10RenderTargetView *view, const FLOAT colour[4])
{
    rt_context_clear_render_target_view(context_of(self), (ID3D11RenderTargetView *)view, colour);
}

RT_METHOD(void)
clear_depth(ID3D10Device1 *self, ID3D10DepthStencilView *view, UINT flags, FLOAT depth, UINT8 stencil)
{
    rt_context_clear_depth_stencil_view(context_of(self), (ID3D11DepthStencilView *)view, flags, depth,
                                        stencil);
}

RT_METHOD(void) generate_mips(ID3D10Device1 *self, ID3D10ShaderResourceView *view)
{
    rt_context_generate_mips(context_of(self), (ID3D11ShaderResourceView *)view);
}

RT_METHOD(void)
resolve(ID3D10Device1 *self, ID3D10Resource *to, UINT to_subresource, ID3D10Resource *from,
        UINT from_subresource, DXGI_FORMAT format)
{
    rt_context_resolve_subresource(context_of(self), (ID3D11Resource *)to, to_subresource,
                                   (ID3D11Resource *)from, from_subresource, format);
}

RT_METHOD(void) clear_state(ID3D10Device1 *self)
{
    rt_context_clear_state(context_of(self));
}

RT_METHOD(void) flush(ID3D10Device1 *self)
{
    rt_context_flush(context_of(self));
}

/* ---- What the device is and can ------------------------------------------------------------------------ */

RT_METHOD(HRESULT) get_removed_reason(ID3D10Device1 *self)
{
    return rt_device_removed_reason(rt_device_of(self), true);
}

RT_METHOD(HRESULT) set_exception_mode(ID3D10Device1 *self, UINT flags)
{
    ID3D11Device5 *device = rt_d3d10_device(self);
    return device->lpVtbl->SetExceptionMode(device, flags);
}

RT_METHOD(UINT) get_exception_mode(ID3D10Device1 *self)
{
    return rt_device_of(self)->exception_mode;
}

RT_METHOD(HRESULT) check_format(ID3D10Device1 *self, DXGI_FORMAT format, UINT *support)
{
    return rt_device_check_format_support(rt_d3d10_device(self), format, support);
}

RT_METHOD(HRESULT) check_samples(ID3D10Device1 *self, DXGI_FORMAT format, UINT count, UINT *levels)
{
    return rt_device_check_sample_levels(rt_d3d10_device(self), format, count, levels);
}

RT_METHOD(HRESULT)
create_counter(ID3D10Device1 *self, const D3D10_COUNTER_DESC *desc, ID3D10Counter **out)
{
    (void)self;
    (void)desc;
    if (out)
        *out = NULL;
    return E_INVALIDARG;
}

RT_METHOD(void) check_counter_info(ID3D10Device1 *self, D3D10_COUNTER_INFO *info)
{
    (void)self;
    memset(info, 0, sizeof(*info));
}

RT_METHOD(HRESULT)
check_counter(ID3D10Device1 *self, const D3D10_COUNTER_DESC *desc, D3D10_COUNTER_TYPE *type, UINT *active,
              char *name, UINT *name_length, char *units, UINT *units_length, char *description,
              UINT *description_length)
{
    (void)self;
    (void)desc;
    (void)type;
    (void)active;
    (void)name;
    (void)name_length;
    (void)units;
    (void)units_length;
    (void)description;
    (void)description_length;
    return E_INVALIDARG;
}

RT_METHOD(UINT) get_creation_flags(ID3D10Device1 *self)
{
    return rt_device_of(self)->flags;
}

RT_METHOD(D3D10_FEATURE_LEVEL1) get_feature_level(ID3D10Device1 *self)
{
    return rt_device_of(self)->level >= D3D_FEATURE_LEVEL_10_1 ? D3D10_FEATURE_LEVEL_10_1
                                                               : D3D10_FEATURE_LEVEL_10_0;
}

RT_METHOD(HRESULT) open_shared(ID3D10Device1 *self, HANDLE handle, REFIID iid, void **out)
{
    ID3D11Device5 *device = rt_d3d10_device(self);
    return device->lpVtbl->OpenSharedResource(device, handle, iid, out);
}

/* The filter of texts is a number that the program reads back: no format has texels of one bit here. */
RT_METHOD(void) set_text_filter(ID3D10Device1 *self, UINT width, UINT height)
{
    rt_device_of(self)->text_filter_width = width;
    rt_device_of(self)->text_filter_height = height;
}

RT_METHOD(void) get_text_filter(ID3D10Device1 *self, UINT *width, UINT *height)
{
    if (width)
        *width = rt_device_of(self)->text_filter_width;
    if (height)
        *height = rt_device_of(self)->text_filter_height;
}

#define STAGE_SLOTS(S, s)                                                                                    \
    .S##SetShader = s##_set_shader, .S##GetShader = s##_get_shader,                                          \
    .S##SetConstantBuffers = s##_set_constants, .S##GetConstantBuffers = s##_get_constants,                  \
    .S##SetShaderResources = s##_set_views, .S##GetShaderResources = s##_get_views,                          \
    .S##SetSamplers = s##_set_samplers, .S##GetSamplers = s##_get_samplers

const ID3D10Device1Vtbl rt_d3d10_device_methods = {
    RT_UNKNOWN_SLOTS(ID3D10Device1),
    RT_PRIVATE_DATA_SLOTS(ID3D10Device1),
    STAGE_SLOTS(VS, vs),
    STAGE_SLOTS(GS, gs),
    STAGE_SLOTS(PS, ps),
    .IASetInputLayout = set_input_layout,
    .IAGetInputLayout = get_input_layout,
    .IASetVertexBuffers = set_vertex_buffers,
    .IAGetVertexBuffers = get_vertex_buffers,
    .IASetIndexBuffer = set_index_buffer,
    .IAGetIndexBuffer = get_index_buffer,
    .IASetPrimitiveTopology = set_topology,
    .IAGetPrimitiveTopology = get_topology,
    .SOSetTargets = set_stream_output,
    .SOGetTargets = get_stream_output,
    .OMSetRenderTargets = set_targets,
    .OMGetRenderTargets = get_targets,
    .OMSetBlendState = set_blend,
    .OMGetBlendState = get_blend,
    .OMSetDepthStencilState = set_depth_stencil,
    .OMGetDepthStencilState = get_depth_stencil,
    .RSSetState = set_rasterizer,
    .RSGetState = get_rasterizer,
    .RSSetViewports = set_viewports,
    .RSGetViewports = get_viewports,
    .RSSetScissorRects = set_scissors,
    .RSGetScissorRects = get_scissors,
    .Draw = draw,
    .DrawIndexed = draw_indexed,
    .DrawInstanced = draw_instanced,
    .DrawIndexedInstanced = draw_indexed_instanced,
    .DrawAuto = draw_auto,
    .SetPredication = set_predication,
    .GetPredication = get_predication,
    .CopySubresourceRegion = copy_region,
    .CopyResource = copy,
    .UpdateSubresource = update,
    .ClearRenderTargetView = clear_target,
    .ClearDepthStencilView = clear_depth,
    .GenerateMips = generate_mips,
    .ResolveSubresource = resolve,
    .ClearState = clear_state,
    .Flush = flush,
    .GetDeviceRemovedReason = get_removed_reason,
    .SetExceptionMode = set_exception_mode,
    .GetExceptionMode = get_exception_mode,
    .CreateBuffer = rt_d3d10_create_buffer,
    .CreateTexture1D = rt_d3d10_create_texture1d,
    .CreateTexture2D = rt_d3d10_create_texture2d,
    .CreateTexture3D = rt_d3d10_create_texture3d,
    .CreateShaderResourceView = rt_d3d10_create_srv,
    .CreateShaderResourceView1 = rt_d3d10_create_srv1,
    .CreateRenderTargetView = rt_d3d10_create_rtv,
    .CreateDepthStencilView = rt_d3d10_create_dsv,
    .CreateInputLayout = rt_d3d10_create_input_layout,
    .CreateVertexShader = rt_d3d10_create_vs,
    .CreateGeometryShader = rt_d3d10_create_gs,
    .CreateGeometryShaderWithStreamOutput = rt_d3d10_create_gs_with_so,
    .CreatePixelShader = rt_d3d10_create_ps,
    .CreateBlendState = rt_d3d10_create_blend,
    .CreateBlendState1 = rt_d3d10_create_blend1,
    .CreateDepthStencilState = rt_d3d10_create_depth_stencil,
    .CreateRasterizerState = rt_d3d10_create_rasterizer,
    .CreateSamplerState = rt_d3d10_create_sampler,
    .CreateQuery = rt_d3d10_create_query,
    .CreatePredicate = rt_d3d10_create_predicate,
    .CreateCounter = create_counter,
    .CheckCounterInfo = check_counter_info,
    .CheckCounter = check_counter,
    .CheckFormatSupport = check_format,
    .CheckMultisampleQualityLevels = check_samples,
    .GetCreationFlags = get_creation_flags,
    .GetFeatureLevel = get_feature_level,
    .OpenSharedResource = open_shared,
    .SetTextFilterSize = set_text_filter,
    .GetTextFilterSize = get_text_filter,
};
