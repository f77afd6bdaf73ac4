/* SPDX-License-Identifier: MIT
 *
 * Contexts as objects: their table of methods, their making and end, state as a whole, submission.
 */
#include "guest/d3d11/context.h"

#include "guest/d3d11/exchange.h"
#include "guest/d3d11/fence.h"
#include "guest/d3d11/query.h"
#include "guest/d3d11/resource.h"
#include "guest/d3d11/view.h"

#include <stdlib.h>
#include <string.h>

RT_CHILD_METHODS(ID3D11DeviceContext4)

struct umd_resource *rt_umd_resource(const struct rt_context *context, struct rt_object *object)
{
    return rt_own(context, object) ? ((struct rt_resource *)object)->umd : NULL;
}

struct umd_view *rt_umd_view(const struct rt_context *context, struct rt_object *object)
{
    return rt_own(context, object) ? ((struct rt_view *)object)->umd : NULL;
}

struct umd_query *rt_umd_query(const struct rt_context *context, struct rt_object *object)
{
    return rt_own(context, object) ? ((struct rt_query *)object)->umd : NULL;
}

struct rt_object *rt_own_object(struct rt_context *context, void *interface_pointer)
{
    struct rt_object *given = interface_pointer ? RT_OBJECT(interface_pointer) : NULL;
    struct rt_object *own = rt_own(context, given);
    if (given && !own)
        rt_message(&context->object.device->messages, D3D11_MESSAGE_ID_CORRUPTED_PARAMETER1);
    return own;
}

struct rt_resource *rt_own_resource(struct rt_context *context, void *interface_pointer)
{
    return (struct rt_resource *)rt_own_object(context, interface_pointer);
}

struct rt_view *rt_own_view(struct rt_context *context, void *interface_pointer)
{
    return (struct rt_view *)rt_own_object(context, interface_pointer);
}

struct rt_query *rt_own_query(struct rt_context *context, void *interface_pointer)
{
    return (struct rt_query *)rt_own_object(context, interface_pointer);
}

/* ---- What command lists keep --------------------------------------------------------------------------- */

bool rt_uses_add(struct rt_uses *uses, struct rt_device *device, struct rt_object *object)
{
    if (uses->count == uses->room) {
        const size_t room = uses->room ? uses->room * 2 : 64;
        struct rt_object **grown = realloc(uses->objects, room * sizeof(struct rt_object *));
        if (!grown)
            return false;
        uses->objects = grown;
        uses->room = room;
    }
    rt_object_hold_for(device, object);
    uses->objects[uses->count++] = object;
    return true;
}

bool rt_uses_have(const struct rt_uses *uses, const struct rt_object *object)
{
    for (size_t i = 0; i < uses->count; i++)
        if (uses->objects[i] == object)
            return true;
    return false;
}

void rt_uses_clear(struct rt_uses *uses, struct rt_device *device)
{
    for (size_t i = 0; i < uses->count; i++)
        rt_object_let_go_for(device, uses->objects[i]);
    free(uses->objects);
    *uses = (struct rt_uses){0};
}

void rt_context_use(struct rt_context *context, struct rt_object *object)
{
    if (context->is_deferred && !rt_uses_add(&context->uses, context->object.device, object))
        context->is_out_of_memory = true;
}

bool rt_context_bind(struct rt_context *context, struct rt_object **slot, struct rt_object *object)
{
    if (!rt_bind(context->bindings, slot, object))
        return false;
    if (object)
        rt_context_use(context, object);
    return true;
}

/* ---- State as a whole ---------------------------------------------------------------------------------- */

void rt_context_apply(struct rt_context *context)
{
    const struct rt_bindings *b = context->bindings;
    umd_clear_state(context->umd);
    rt_context_apply_outputs(context);
    rt_context_apply_stages(context);
    rt_context_apply_input(context);
    rt_context_apply_raster(context);
    umd_set_predication(context->umd, rt_umd_query(context, b->predicate), b->predicate_value != FALSE);
}

void STDMETHODCALLTYPE rt_context_clear_state(ID3D11DeviceContext4 *self)
{
    struct rt_context *context = rt_enter(self);
    umd_clear_state(context->umd);
    rt_bindings_clear(context->bindings);
    rt_leave(context);
}

static void exchange_state(struct rt_context *context, struct rt_context_state *state,
                           ID3DDeviceContextState **previous)
{
    struct rt_context_state *before = context->state;
    if (previous)
        *previous = rt_object_return(&before->object);
    if (state == before)
        return;
    rt_object_hold(&state->object);
    context->state = state;
    context->bindings = &state->bindings;
    context->object.faces[0].methods = state->methods ? state->methods : &rt_context_methods;
    rt_context_apply(context);
    rt_object_let_go(&before->object);
}

void STDMETHODCALLTYPE rt_context_swap_device_context_state(ID3D11DeviceContext4 *self,
                                                            ID3DDeviceContextState *state,
                                                            ID3DDeviceContextState **previous)
{
    struct rt_context *context = rt_enter(self);
    struct rt_object *given = rt_own_object(context, state);
    if (previous)
        *previous = NULL;
    if (given && !context->is_deferred)
        exchange_state(context, (struct rt_context_state *)given, previous);
    rt_leave(context);
}

/* ---- Submission ---------------------------------------------------------------------------------------- */

void STDMETHODCALLTYPE rt_context_flush(ID3D11DeviceContext4 *self)
{
    struct rt_context *context = rt_enter(self);
    if (!context->is_deferred) {
        umd_flush(context->umd, NULL);
        rt_exchange_publish();
    }
    rt_leave(context);
}

/* There is no thread of the runtime that could set the event later: the call waits. */
void STDMETHODCALLTYPE rt_context_flush1(ID3D11DeviceContext4 *self, D3D11_CONTEXT_TYPE type, HANDLE event)
{
    struct rt_context *context = rt_enter(self);
    uint64_t fence = 0;
    (void)type;
    if (!context->is_deferred) {
        umd_flush(context->umd, &fence);
        rt_exchange_publish();
        if (event) {
            umd_wait_for_fence(context->object.device->umd, fence, UINT64_MAX);
            rt_event_set(event);
        }
    }
    rt_leave(context);
}

HRESULT STDMETHODCALLTYPE rt_context_signal(ID3D11DeviceContext4 *self, ID3D11Fence *fence, UINT64 value)
{
    struct rt_context *context = rt_enter(self);
    struct rt_fence *own = (struct rt_fence *)rt_own_object(context, fence);
    HRESULT result = fence && !own ? E_INVALIDARG : DXGI_ERROR_INVALID_CALL;
    if (!context->is_deferred && own)
        result = rt_fence_signal(own, context->umd, value);
    rt_leave(context);
    return result;
}

HRESULT STDMETHODCALLTYPE rt_context_wait(ID3D11DeviceContext4 *self, ID3D11Fence *fence, UINT64 value)
{
    struct rt_context *context = rt_enter(self);
    struct rt_fence *own = (struct rt_fence *)rt_own_object(context, fence);
    HRESULT result = fence && !own ? E_INVALIDARG : DXGI_ERROR_INVALID_CALL;
    if (!context->is_deferred && own)
        result = rt_fence_wait(own, value);
    rt_leave(context);
    return result;
}

/* ---- What never changes -------------------------------------------------------------------------------- */

D3D11_DEVICE_CONTEXT_TYPE STDMETHODCALLTYPE rt_context_get_type(ID3D11DeviceContext4 *self)
{
    return ((struct rt_context *)RT_OBJECT(self))->is_deferred ? D3D11_DEVICE_CONTEXT_DEFERRED
                                                               : D3D11_DEVICE_CONTEXT_IMMEDIATE;
}

UINT STDMETHODCALLTYPE rt_context_get_context_flags(ID3D11DeviceContext4 *self)
{
    return ((struct rt_context *)RT_OBJECT(self))->flags;
}

void STDMETHODCALLTYPE rt_context_set_hardware_protection_state(ID3D11DeviceContext4 *self, BOOL enable)
{
    (void)self;
    (void)enable;
}

void STDMETHODCALLTYPE rt_context_get_hardware_protection_state(ID3D11DeviceContext4 *self, BOOL *enable)
{
    (void)self;
    *enable = FALSE;
}

/* ---- Tiled resources, which the device does not have ------------------------------------------------- */

HRESULT STDMETHODCALLTYPE rt_context_update_tile_mappings(
    ID3D11DeviceContext4 *self, ID3D11Resource *resource, UINT count,
    const D3D11_TILED_RESOURCE_COORDINATE *starts, const D3D11_TILE_REGION_SIZE *sizes, ID3D11Buffer *pool,
    UINT ranges, const UINT *range_flags, const UINT *pool_offsets, const UINT *tile_counts, UINT flags)
{
    (void)self;
    (void)resource;
    (void)count;
    (void)starts;
    (void)sizes;
    (void)pool;
    (void)ranges;
    (void)range_flags;
    (void)pool_offsets;
    (void)tile_counts;
    (void)flags;
    return E_INVALIDARG;
}

HRESULT STDMETHODCALLTYPE rt_context_copy_tile_mappings(ID3D11DeviceContext4 *self, ID3D11Resource *to,
                                                        const D3D11_TILED_RESOURCE_COORDINATE *to_start,
                                                        ID3D11Resource *from,
                                                        const D3D11_TILED_RESOURCE_COORDINATE *from_start,
                                                        const D3D11_TILE_REGION_SIZE *size, UINT flags)
{
    (void)self;
    (void)to;
    (void)to_start;
    (void)from;
    (void)from_start;
    (void)size;
    (void)flags;
    return E_INVALIDARG;
}

void STDMETHODCALLTYPE rt_context_copy_tiles(ID3D11DeviceContext4 *self, ID3D11Resource *resource,
                                             const D3D11_TILED_RESOURCE_COORDINATE *start,
                                             const D3D11_TILE_REGION_SIZE *size, ID3D11Buffer *buffer,
                                             UINT64 offset, UINT flags)
{
    (void)self;
    (void)resource;
    (void)start;
    (void)size;
    (void)buffer;
    (void)offset;
    (void)flags;
}

void STDMETHODCALLTYPE rt_context_update_tiles(ID3D11DeviceContext4 *self, ID3D11Resource *resource,
                                               const D3D11_TILED_RESOURCE_COORDINATE *start,
                                               const D3D11_TILE_REGION_SIZE *size, const void *data,
                                               UINT flags)
{
    (void)self;
    (void)resource;
    (void)start;
    (void)size;
    (void)data;
    (void)flags;
}

HRESULT STDMETHODCALLTYPE rt_context_resize_tile_pool(ID3D11DeviceContext4 *self, ID3D11Buffer *pool,
                                                      UINT64 size)
{
    (void)self;
    (void)pool;
    (void)size;
    return E_INVALIDARG;
}

void STDMETHODCALLTYPE rt_context_tiled_resource_barrier(ID3D11DeviceContext4 *self,
                                                         ID3D11DeviceChild *before, ID3D11DeviceChild *after)
{
    (void)self;
    (void)before;
    (void)after;
}

/* ---- The object ---------------------------------------------------------------------------------------- */

#define STAGE_SLOTS(S, s)                                                                                    \
    .S##SetShader = rt_context_##s##_set_shader, .S##GetShader = rt_context_##s##_get_shader,                \
    .S##SetConstantBuffers = rt_context_##s##_set_constant_buffers,                                          \
    .S##SetConstantBuffers1 = rt_context_##s##_set_constant_buffers1,                                        \
    .S##GetConstantBuffers = rt_context_##s##_get_constant_buffers,                                          \
    .S##GetConstantBuffers1 = rt_context_##s##_get_constant_buffers1,                                        \
    .S##SetShaderResources = rt_context_##s##_set_srvs, .S##GetShaderResources = rt_context_##s##_get_srvs,  \
    .S##SetSamplers = rt_context_##s##_set_samplers, .S##GetSamplers = rt_context_##s##_get_samplers

const ID3D11DeviceContext4Vtbl rt_context_methods = {
    RT_CHILD_SLOTS(ID3D11DeviceContext4),
    STAGE_SLOTS(VS, vs),
    STAGE_SLOTS(HS, hs),
    STAGE_SLOTS(DS, ds),
    STAGE_SLOTS(GS, gs),
    STAGE_SLOTS(PS, ps),
    STAGE_SLOTS(CS, cs),
    .DrawIndexed = rt_context_draw_indexed,
    .Draw = rt_context_draw,
    .Map = rt_context_map,
    .Unmap = rt_context_unmap,
    .IASetInputLayout = rt_context_ia_set_input_layout,
    .IASetVertexBuffers = rt_context_ia_set_vertex_buffers,
    .IASetIndexBuffer = rt_context_ia_set_index_buffer,
    .DrawIndexedInstanced = rt_context_draw_indexed_instanced,
    .DrawInstanced = rt_context_draw_instanced,
    .IASetPrimitiveTopology = rt_context_ia_set_primitive_topology,
    .Begin = rt_context_begin,
    .End = rt_context_end,
    .GetData = rt_context_get_data,
    .SetPredication = rt_context_set_predication,
    .OMSetRenderTargets = rt_context_om_set_render_targets,
    .OMSetRenderTargetsAndUnorderedAccessViews = rt_context_om_set_render_targets_and_uavs,
    .OMSetBlendState = rt_context_om_set_blend_state,
    .OMSetDepthStencilState = rt_context_om_set_depth_stencil_state,
    .SOSetTargets = rt_context_so_set_targets,
    .DrawAuto = rt_context_draw_auto,
    .DrawIndexedInstancedIndirect = rt_context_draw_indexed_instanced_indirect,
    .DrawInstancedIndirect = rt_context_draw_instanced_indirect,
    .Dispatch = rt_context_dispatch,
    .DispatchIndirect = rt_context_dispatch_indirect,
    .RSSetState = rt_context_rs_set_state,
    .RSSetViewports = rt_context_rs_set_viewports,
    .RSSetScissorRects = rt_context_rs_set_scissor_rects,
    .CopySubresourceRegion = rt_context_copy_subresource_region,
    .CopyResource = rt_context_copy_resource,
    .UpdateSubresource = rt_context_update_subresource,
    .CopyStructureCount = rt_context_copy_structure_count,
    .ClearRenderTargetView = rt_context_clear_render_target_view,
    .ClearUnorderedAccessViewUint = rt_context_clear_uav_uint,
    .ClearUnorderedAccessViewFloat = rt_context_clear_uav_float,
    .ClearDepthStencilView = rt_context_clear_depth_stencil_view,
    .GenerateMips = rt_context_generate_mips,
    .SetResourceMinLOD = rt_context_set_min_lod,
    .GetResourceMinLOD = rt_context_get_min_lod,
    .ResolveSubresource = rt_context_resolve_subresource,
    .ExecuteCommandList = rt_context_execute_command_list,
    .CSSetUnorderedAccessViews = rt_context_cs_set_uavs,
    .IAGetInputLayout = rt_context_ia_get_input_layout,
    .IAGetVertexBuffers = rt_context_ia_get_vertex_buffers,
    .IAGetIndexBuffer = rt_context_ia_get_index_buffer,
    .IAGetPrimitiveTopology = rt_context_ia_get_primitive_topology,
    .GetPredication = rt_context_get_predication,
    .OMGetRenderTargets = rt_context_om_get_render_targets,
    .OMGetRenderTargetsAndUnorderedAccessViews = rt_context_om_get_render_targets_and_uavs,
    .OMGetBlendState = rt_context_om_get_blend_state,
    .OMGetDepthStencilState = rt_context_om_get_depth_stencil_state,
    .SOGetTargets = rt_context_so_get_targets,
    .RSGetState = rt_context_rs_get_state,
    .RSGetViewports = rt_context_rs_get_viewports,
    .RSGetScissorRects = rt_context_rs_get_scissor_rects,
    .CSGetUnorderedAccessViews = rt_context_cs_get_uavs,
    .ClearState = rt_context_clear_state,
    .Flush = rt_context_flush,
    .GetType = rt_context_get_type,
    .GetContextFlags = rt_context_get_context_flags,
    .FinishCommandList = rt_context_finish_command_list,
    .CopySubresourceRegion1 = rt_context_copy_subresource_region1,
    .UpdateSubresource1 = rt_context_update_subresource1,
    .DiscardResource = rt_context_discard_resource,
    .DiscardView = rt_context_discard_view,
    .SwapDeviceContextState = rt_context_swap_device_context_state,
    .ClearView = rt_context_clear_view,
    .DiscardView1 = rt_context_discard_view1,
    .UpdateTileMappings = rt_context_update_tile_mappings,
    .CopyTileMappings = rt_context_copy_tile_mappings,
    .CopyTiles = rt_context_copy_tiles,
    .UpdateTiles = rt_context_update_tiles,
    .ResizeTilePool = rt_context_resize_tile_pool,
    .TiledResourceBarrier = rt_context_tiled_resource_barrier,
    .IsAnnotationEnabled = rt_context_is_annotation_enabled,
    .SetMarkerInt = rt_context_set_marker_int,
    .BeginEventInt = rt_context_begin_event_int,
    .EndEvent = rt_context_end_event,
    .Flush1 = rt_context_flush1,
    .SetHardwareProtectionState = rt_context_set_hardware_protection_state,
    .GetHardwareProtectionState = rt_context_get_hardware_protection_state,
    .Signal = rt_context_signal,
    .Wait = rt_context_wait,
};

static void destroy(struct rt_object *object)
{
    struct rt_context *context = (struct rt_context *)object;
    rt_uses_clear(&context->uses, object->device);
    rt_uses_clear(&context->discarded, object->device);
    rt_object_let_go(&context->state->object);
    if (context->is_deferred)
        umd_destroy_deferred_context(context->umd);
    rt_object_fini(object);
    free(context);
}

/* A deferred context belongs to one thread: there is nothing to protect. */
static bool offers(const struct rt_object *object, REFIID iid)
{
    return rt_interface_face(RT_CLASS_CONTEXT, iid) != RT_FACE_MULTITHREAD ||
           !((const struct rt_context *)object)->is_deferred;
}

static const struct rt_class context_class = {
    .id = RT_CLASS_CONTEXT,
    .methods = {&rt_context_methods, &rt_annotation_methods, &rt_multithread_methods},
    .destroy = destroy,
    .offers = offers,
};

HRESULT rt_context_create(struct rt_device *device, bool is_deferred, UINT flags, struct rt_context **out)
{
    struct rt_context *context = calloc(1, sizeof(*context));
    HRESULT result;
    if (!context)
        return E_OUTOFMEMORY;
    result = rt_context_state_create(device, &context->state);
    if (FAILED(result)) {
        free(context);
        return result;
    }
    context->umd = umd_immediate_context(device->umd);
    if (is_deferred) {
        result = rt_result(umd_create_deferred_context(device->umd, &context->umd));
        if (FAILED(result)) {
            rt_object_let_go(&context->state->object);
            free(context);
            return result;
        }
    }
    rt_object_init_private(&context->object, &context_class, device);
    context->bindings = &context->state->bindings;
    context->is_deferred = is_deferred;
    context->flags = flags;
    *out = context;
    return S_OK;
}
