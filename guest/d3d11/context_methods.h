/* SPDX-License-Identifier: MIT
 *
 * The methods of ID3D11DeviceContext4, which files by subject implement; context.c has the table.
 */
#ifndef RT_D3D11_CONTEXT_METHODS_H
#define RT_D3D11_CONTEXT_METHODS_H

#include "guest/d3d11/com.h"

/* The six stages, and the interfaces of their shaders. */
#define RT_STAGES(X)                                                                                         \
    X(vs, UMD_STAGE_VERTEX, ID3D11VertexShader)                                                              \
    X(hs, UMD_STAGE_HULL, ID3D11HullShader)                                                                  \
    X(ds, UMD_STAGE_DOMAIN, ID3D11DomainShader)                                                              \
    X(gs, UMD_STAGE_GEOMETRY, ID3D11GeometryShader)                                                          \
    X(ps, UMD_STAGE_PIXEL, ID3D11PixelShader)                                                                \
    X(cs, UMD_STAGE_COMPUTE, ID3D11ComputeShader)

#define RT_STAGE_METHODS(s, stage, I)                                                                        \
    void STDMETHODCALLTYPE rt_context_##s##_set_shader(ID3D11DeviceContext4 *self, I *shader,                \
                                                       ID3D11ClassInstance *const *instances, UINT count);   \
    void STDMETHODCALLTYPE rt_context_##s##_get_shader(ID3D11DeviceContext4 *self, I **shader,               \
                                                       ID3D11ClassInstance **instances, UINT *count);        \
    void STDMETHODCALLTYPE rt_context_##s##_set_constant_buffers(ID3D11DeviceContext4 *self, UINT start,     \
                                                                 UINT count, ID3D11Buffer *const *buffers);  \
    void STDMETHODCALLTYPE rt_context_##s##_set_constant_buffers1(ID3D11DeviceContext4 *self, UINT start,    \
                                                                  UINT count, ID3D11Buffer *const *buffers,  \
                                                                  const UINT *first, const UINT *constants); \
    void STDMETHODCALLTYPE rt_context_##s##_get_constant_buffers(ID3D11DeviceContext4 *self, UINT start,     \
                                                                 UINT count, ID3D11Buffer **buffers);        \
    void STDMETHODCALLTYPE rt_context_##s##_get_constant_buffers1(ID3D11DeviceContext4 *self, UINT start,    \
                                                                  UINT count, ID3D11Buffer **buffers,        \
                                                                  UINT *first, UINT *constants);             \
    void STDMETHODCALLTYPE rt_context_##s##_set_srvs(ID3D11DeviceContext4 *self, UINT start, UINT count,     \
                                                     ID3D11ShaderResourceView *const *views);                \
    void STDMETHODCALLTYPE rt_context_##s##_get_srvs(ID3D11DeviceContext4 *self, UINT start, UINT count,     \
                                                     ID3D11ShaderResourceView **views);                      \
    void STDMETHODCALLTYPE rt_context_##s##_set_samplers(ID3D11DeviceContext4 *self, UINT start, UINT count, \
                                                         ID3D11SamplerState *const *samplers);               \
    void STDMETHODCALLTYPE rt_context_##s##_get_samplers(ID3D11DeviceContext4 *self, UINT start, UINT count, \
                                                         ID3D11SamplerState **samplers);
RT_STAGES(RT_STAGE_METHODS)
#undef RT_STAGE_METHODS

void STDMETHODCALLTYPE rt_context_draw_indexed(ID3D11DeviceContext4 *self, UINT index_count,
                                               UINT start_index_location, INT base_vertex_location);
void STDMETHODCALLTYPE rt_context_draw(ID3D11DeviceContext4 *self, UINT vertex_count,
                                       UINT start_vertex_location);
HRESULT STDMETHODCALLTYPE rt_context_map(ID3D11DeviceContext4 *self, ID3D11Resource *resource,
                                         UINT subresource, D3D11_MAP map_type, UINT map_flags,
                                         D3D11_MAPPED_SUBRESOURCE *mapped_resource);
void STDMETHODCALLTYPE rt_context_unmap(ID3D11DeviceContext4 *self, ID3D11Resource *resource,
                                        UINT subresource);
void STDMETHODCALLTYPE rt_context_ia_set_input_layout(ID3D11DeviceContext4 *self,
                                                      ID3D11InputLayout *input_layout);
void STDMETHODCALLTYPE rt_context_ia_set_vertex_buffers(ID3D11DeviceContext4 *self, UINT start_slot,
                                                        UINT num_buffers, ID3D11Buffer *const *vertex_buffers,
                                                        const UINT *strides, const UINT *offsets);
void STDMETHODCALLTYPE rt_context_ia_set_index_buffer(ID3D11DeviceContext4 *self, ID3D11Buffer *index_buffer,
                                                      DXGI_FORMAT format, UINT offset);
void STDMETHODCALLTYPE rt_context_draw_indexed_instanced(ID3D11DeviceContext4 *self,
                                                         UINT index_count_per_instance, UINT instance_count,
                                                         UINT start_index_location, INT base_vertex_location,
                                                         UINT start_instance_location);
void STDMETHODCALLTYPE rt_context_draw_instanced(ID3D11DeviceContext4 *self, UINT vertex_count_per_instance,
                                                 UINT instance_count, UINT start_vertex_location,
                                                 UINT start_instance_location);
void STDMETHODCALLTYPE rt_context_ia_set_primitive_topology(ID3D11DeviceContext4 *self,
                                                            D3D11_PRIMITIVE_TOPOLOGY topology);
void STDMETHODCALLTYPE rt_context_begin(ID3D11DeviceContext4 *self, ID3D11Asynchronous *async);
void STDMETHODCALLTYPE rt_context_end(ID3D11DeviceContext4 *self, ID3D11Asynchronous *async);
HRESULT STDMETHODCALLTYPE rt_context_get_data(ID3D11DeviceContext4 *self, ID3D11Asynchronous *async,
                                              void *data, UINT data_size, UINT get_data_flags);
void STDMETHODCALLTYPE rt_context_set_predication(ID3D11DeviceContext4 *self, ID3D11Predicate *predicate,
                                                  BOOL predicate_value);
void STDMETHODCALLTYPE rt_context_om_set_render_targets(ID3D11DeviceContext4 *self, UINT num_views,
                                                        ID3D11RenderTargetView *const *render_target_views,
                                                        ID3D11DepthStencilView *depth_stencil_view);
void STDMETHODCALLTYPE rt_context_om_set_render_targets_and_uavs(
    ID3D11DeviceContext4 *self, UINT num_rtvs, ID3D11RenderTargetView *const *render_target_views,
    ID3D11DepthStencilView *depth_stencil_view, UINT uavstart_slot, UINT num_uavs,
    ID3D11UnorderedAccessView *const *unordered_access_views, const UINT *uavinitial_counts);
void STDMETHODCALLTYPE rt_context_om_set_blend_state(ID3D11DeviceContext4 *self,
                                                     ID3D11BlendState *blend_state,
                                                     const FLOAT blend_factor[4], UINT sample_mask);
void STDMETHODCALLTYPE rt_context_om_set_depth_stencil_state(ID3D11DeviceContext4 *self,
                                                             ID3D11DepthStencilState *depth_stencil_state,
                                                             UINT stencil_ref);
void STDMETHODCALLTYPE rt_context_so_set_targets(ID3D11DeviceContext4 *self, UINT num_buffers,
                                                 ID3D11Buffer *const *targets, const UINT *offsets);
void STDMETHODCALLTYPE rt_context_draw_auto(ID3D11DeviceContext4 *self);
void STDMETHODCALLTYPE rt_context_draw_indexed_instanced_indirect(ID3D11DeviceContext4 *self,
                                                                  ID3D11Buffer *buffer_for_args,
                                                                  UINT aligned_byte_offset_for_args);
void STDMETHODCALLTYPE rt_context_draw_instanced_indirect(ID3D11DeviceContext4 *self,
                                                          ID3D11Buffer *buffer_for_args,
                                                          UINT aligned_byte_offset_for_args);
void STDMETHODCALLTYPE rt_context_dispatch(ID3D11DeviceContext4 *self, UINT thread_group_count_x,
                                           UINT thread_group_count_y, UINT thread_group_count_z);
void STDMETHODCALLTYPE rt_context_dispatch_indirect(ID3D11DeviceContext4 *self, ID3D11Buffer *buffer_for_args,
                                                    UINT aligned_byte_offset_for_args);
void STDMETHODCALLTYPE rt_context_rs_set_state(ID3D11DeviceContext4 *self,
                                               ID3D11RasterizerState *rasterizer_state);
void STDMETHODCALLTYPE rt_context_rs_set_viewports(ID3D11DeviceContext4 *self, UINT num_viewports,
                                                   const D3D11_VIEWPORT *viewports);
void STDMETHODCALLTYPE rt_context_rs_set_scissor_rects(ID3D11DeviceContext4 *self, UINT num_rects,
                                                       const D3D11_RECT *rects);
void STDMETHODCALLTYPE rt_context_copy_subresource_region(ID3D11DeviceContext4 *self,
                                                          ID3D11Resource *dst_resource, UINT dst_subresource,
                                                          UINT dst_x, UINT dst_y, UINT dst_z,
                                                          ID3D11Resource *src_resource, UINT src_subresource,
                                                          const D3D11_BOX *src_box);
void STDMETHODCALLTYPE rt_context_copy_resource(ID3D11DeviceContext4 *self, ID3D11Resource *dst_resource,
                                                ID3D11Resource *src_resource);
void STDMETHODCALLTYPE rt_context_update_subresource(ID3D11DeviceContext4 *self, ID3D11Resource *dst_resource,
                                                     UINT dst_subresource, const D3D11_BOX *dst_box,
                                                     const void *src_data, UINT src_row_pitch,
                                                     UINT src_depth_pitch);
void STDMETHODCALLTYPE rt_context_copy_structure_count(ID3D11DeviceContext4 *self, ID3D11Buffer *dst_buffer,
                                                       UINT dst_aligned_byte_offset,
                                                       ID3D11UnorderedAccessView *src_view);
void STDMETHODCALLTYPE rt_context_clear_render_target_view(ID3D11DeviceContext4 *self,
                                                           ID3D11RenderTargetView *render_target_view,
                                                           const FLOAT color_rgba[4]);
void STDMETHODCALLTYPE rt_context_clear_uav_uint(ID3D11DeviceContext4 *self,
                                                 ID3D11UnorderedAccessView *unordered_access_view,
                                                 const UINT values[4]);
void STDMETHODCALLTYPE rt_context_clear_uav_float(ID3D11DeviceContext4 *self,
                                                  ID3D11UnorderedAccessView *unordered_access_view,
                                                  const FLOAT values[4]);
void STDMETHODCALLTYPE rt_context_clear_depth_stencil_view(ID3D11DeviceContext4 *self,
                                                           ID3D11DepthStencilView *depth_stencil_view,
                                                           UINT clear_flags, FLOAT depth, UINT8 stencil);
void STDMETHODCALLTYPE rt_context_generate_mips(ID3D11DeviceContext4 *self,
                                                ID3D11ShaderResourceView *shader_resource_view);
void STDMETHODCALLTYPE rt_context_set_min_lod(ID3D11DeviceContext4 *self, ID3D11Resource *resource,
                                              FLOAT min_lod);
FLOAT STDMETHODCALLTYPE rt_context_get_min_lod(ID3D11DeviceContext4 *self, ID3D11Resource *resource);
void STDMETHODCALLTYPE rt_context_resolve_subresource(ID3D11DeviceContext4 *self,
                                                      ID3D11Resource *dst_resource, UINT dst_subresource,
                                                      ID3D11Resource *src_resource, UINT src_subresource,
                                                      DXGI_FORMAT format);
void STDMETHODCALLTYPE rt_context_execute_command_list(ID3D11DeviceContext4 *self,
                                                       ID3D11CommandList *command_list,
                                                       BOOL restore_context_state);
void STDMETHODCALLTYPE rt_context_cs_set_uavs(ID3D11DeviceContext4 *self, UINT start_slot, UINT num_uavs,
                                              ID3D11UnorderedAccessView *const *unordered_access_views,
                                              const UINT *uavinitial_counts);
void STDMETHODCALLTYPE rt_context_ia_get_input_layout(ID3D11DeviceContext4 *self,
                                                      ID3D11InputLayout **input_layout);
void STDMETHODCALLTYPE rt_context_ia_get_vertex_buffers(ID3D11DeviceContext4 *self, UINT start_slot,
                                                        UINT num_buffers, ID3D11Buffer **vertex_buffers,
                                                        UINT *strides, UINT *offsets);
void STDMETHODCALLTYPE rt_context_ia_get_index_buffer(ID3D11DeviceContext4 *self, ID3D11Buffer **index_buffer,
                                                      DXGI_FORMAT *format, UINT *offset);
void STDMETHODCALLTYPE rt_context_ia_get_primitive_topology(ID3D11DeviceContext4 *self,
                                                            D3D11_PRIMITIVE_TOPOLOGY *topology);
void STDMETHODCALLTYPE rt_context_get_predication(ID3D11DeviceContext4 *self, ID3D11Predicate **predicate,
                                                  BOOL *predicate_value);
void STDMETHODCALLTYPE rt_context_om_get_render_targets(ID3D11DeviceContext4 *self, UINT num_views,
                                                        ID3D11RenderTargetView **render_target_views,
                                                        ID3D11DepthStencilView **depth_stencil_view);
void STDMETHODCALLTYPE rt_context_om_get_render_targets_and_uavs(
    ID3D11DeviceContext4 *self, UINT num_rtvs, ID3D11RenderTargetView **render_target_views,
    ID3D11DepthStencilView **depth_stencil_view, UINT uavstart_slot, UINT num_uavs,
    ID3D11UnorderedAccessView **unordered_access_views);
void STDMETHODCALLTYPE rt_context_om_get_blend_state(ID3D11DeviceContext4 *self,
                                                     ID3D11BlendState **blend_state, FLOAT blend_factor[4],
                                                     UINT *sample_mask);
void STDMETHODCALLTYPE rt_context_om_get_depth_stencil_state(ID3D11DeviceContext4 *self,
                                                             ID3D11DepthStencilState **depth_stencil_state,
                                                             UINT *stencil_ref);
void STDMETHODCALLTYPE rt_context_so_get_targets(ID3D11DeviceContext4 *self, UINT num_buffers,
                                                 ID3D11Buffer **targets);
void STDMETHODCALLTYPE rt_context_rs_get_state(ID3D11DeviceContext4 *self,
                                               ID3D11RasterizerState **rasterizer_state);
void STDMETHODCALLTYPE rt_context_rs_get_viewports(ID3D11DeviceContext4 *self, UINT *num_viewports,
                                                   D3D11_VIEWPORT *viewports);
void STDMETHODCALLTYPE rt_context_rs_get_scissor_rects(ID3D11DeviceContext4 *self, UINT *num_rects,
                                                       D3D11_RECT *rects);
void STDMETHODCALLTYPE rt_context_cs_get_uavs(ID3D11DeviceContext4 *self, UINT start_slot, UINT num_uavs,
                                              ID3D11UnorderedAccessView **unordered_access_views);
void STDMETHODCALLTYPE rt_context_clear_state(ID3D11DeviceContext4 *self);
void STDMETHODCALLTYPE rt_context_flush(ID3D11DeviceContext4 *self);
D3D11_DEVICE_CONTEXT_TYPE STDMETHODCALLTYPE rt_context_get_type(ID3D11DeviceContext4 *self);
UINT STDMETHODCALLTYPE rt_context_get_context_flags(ID3D11DeviceContext4 *self);
HRESULT STDMETHODCALLTYPE rt_context_finish_command_list(ID3D11DeviceContext4 *self,
                                                         BOOL restore_deferred_context_state,
                                                         ID3D11CommandList **command_list);
void STDMETHODCALLTYPE rt_context_copy_subresource_region1(ID3D11DeviceContext4 *self,
                                                           ID3D11Resource *dst_resource, UINT dst_subresource,
                                                           UINT dst_x, UINT dst_y, UINT dst_z,
                                                           ID3D11Resource *src_resource, UINT src_subresource,
                                                           const D3D11_BOX *src_box, UINT copy_flags);
void STDMETHODCALLTYPE rt_context_update_subresource1(ID3D11DeviceContext4 *self,
                                                      ID3D11Resource *dst_resource, UINT dst_subresource,
                                                      const D3D11_BOX *dst_box, const void *src_data,
                                                      UINT src_row_pitch, UINT src_depth_pitch,
                                                      UINT copy_flags);
void STDMETHODCALLTYPE rt_context_discard_resource(ID3D11DeviceContext4 *self, ID3D11Resource *resource);
void STDMETHODCALLTYPE rt_context_discard_view(ID3D11DeviceContext4 *self, ID3D11View *resource_view);
void STDMETHODCALLTYPE rt_context_swap_device_context_state(ID3D11DeviceContext4 *self,
                                                            ID3DDeviceContextState *state,
                                                            ID3DDeviceContextState **previous_state);
void STDMETHODCALLTYPE rt_context_clear_view(ID3D11DeviceContext4 *self, ID3D11View *view,
                                             const FLOAT color[4], const D3D11_RECT *rect, UINT num_rects);
void STDMETHODCALLTYPE rt_context_discard_view1(ID3D11DeviceContext4 *self, ID3D11View *resource_view,
                                                const D3D11_RECT *rects, UINT num_rects);
HRESULT STDMETHODCALLTYPE rt_context_update_tile_mappings(
    ID3D11DeviceContext4 *self, ID3D11Resource *resource, UINT region_count,
    const D3D11_TILED_RESOURCE_COORDINATE *region_start_coordinates,
    const D3D11_TILE_REGION_SIZE *region_sizes, ID3D11Buffer *pool, UINT range_count, const UINT *range_flags,
    const UINT *pool_start_offsets, const UINT *range_tile_counts, UINT flags);
HRESULT STDMETHODCALLTYPE rt_context_copy_tile_mappings(
    ID3D11DeviceContext4 *self, ID3D11Resource *dst_resource,
    const D3D11_TILED_RESOURCE_COORDINATE *dst_start_coordinate, ID3D11Resource *src_resource,
    const D3D11_TILED_RESOURCE_COORDINATE *src_start_coordinate, const D3D11_TILE_REGION_SIZE *region_size,
    UINT flags);
void STDMETHODCALLTYPE rt_context_copy_tiles(ID3D11DeviceContext4 *self, ID3D11Resource *resource,
                                             const D3D11_TILED_RESOURCE_COORDINATE *start_coordinate,
                                             const D3D11_TILE_REGION_SIZE *size, ID3D11Buffer *buffer,
                                             UINT64 start_offset, UINT flags);
void STDMETHODCALLTYPE rt_context_update_tiles(ID3D11DeviceContext4 *self, ID3D11Resource *dst_resource,
                                               const D3D11_TILED_RESOURCE_COORDINATE *dst_start_coordinate,
                                               const D3D11_TILE_REGION_SIZE *dst_region_size,
                                               const void *src_data, UINT flags);
HRESULT STDMETHODCALLTYPE rt_context_resize_tile_pool(ID3D11DeviceContext4 *self, ID3D11Buffer *pool,
                                                      UINT64 size);
void STDMETHODCALLTYPE rt_context_tiled_resource_barrier(ID3D11DeviceContext4 *self,
                                                         ID3D11DeviceChild *before_barrier,
                                                         ID3D11DeviceChild *after_barrier);
BOOL STDMETHODCALLTYPE rt_context_is_annotation_enabled(ID3D11DeviceContext4 *self);
void STDMETHODCALLTYPE rt_context_set_marker_int(ID3D11DeviceContext4 *self, const WCHAR *label, int data);
void STDMETHODCALLTYPE rt_context_begin_event_int(ID3D11DeviceContext4 *self, const WCHAR *label, int data);
void STDMETHODCALLTYPE rt_context_end_event(ID3D11DeviceContext4 *self);
void STDMETHODCALLTYPE rt_context_flush1(ID3D11DeviceContext4 *self, D3D11_CONTEXT_TYPE type, HANDLE event);
void STDMETHODCALLTYPE rt_context_set_hardware_protection_state(ID3D11DeviceContext4 *self, BOOL enable);
void STDMETHODCALLTYPE rt_context_get_hardware_protection_state(ID3D11DeviceContext4 *self, BOOL *enable);
HRESULT STDMETHODCALLTYPE rt_context_signal(ID3D11DeviceContext4 *self, ID3D11Fence *fence, UINT64 value);
HRESULT STDMETHODCALLTYPE rt_context_wait(ID3D11DeviceContext4 *self, ID3D11Fence *fence, UINT64 value);

#endif
