/* SPDX-License-Identifier: MIT
 *
 * ID3D10StateBlock, and the masks that say which state one keeps.
 */
#include "guest/d3d11/d3d10_faces.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- Masks --------------------------------------------------------------------------------------------- */

#define PART(type, member, most) [D3D10_DST_##type] = {offsetof(D3D10_STATE_BLOCK_MASK, member), most}
#define STAGE_PARTS(S)                                                                                       \
    PART(S, S, 1), PART(S##_SAMPLERS, S##Samplers, UMD_SAMPLER_SLOTS),                                       \
        PART(S##_SHADER_RESOURCES, S##ShaderResources, UMD_SHADER_RESOURCE_SLOTS),                           \
        PART(S##_CONSTANT_BUFFERS, S##ConstantBuffers, UMD_CONSTANT_BUFFER_SLOTS)

/* Where the bits of a kind of state are, and how many. */
static const struct part {
    size_t offset;
    UINT count;
} parts[] = {
    STAGE_PARTS(VS),
    STAGE_PARTS(GS),
    STAGE_PARTS(PS),
    PART(IA_VERTEX_BUFFERS, IAVertexBuffers, D3D10_IA_VERTEX_INPUT_RESOURCE_SLOT_COUNT),
    PART(IA_INDEX_BUFFER, IAIndexBuffer, 1),
    PART(IA_INPUT_LAYOUT, IAInputLayout, 1),
    PART(IA_PRIMITIVE_TOPOLOGY, IAPrimitiveTopology, 1),
    PART(OM_RENDER_TARGETS, OMRenderTargets, 1),
    PART(OM_DEPTH_STENCIL_STATE, OMDepthStencilState, 1),
    PART(OM_BLEND_STATE, OMBlendState, 1),
    PART(RS_VIEWPORTS, RSViewports, 1),
    PART(RS_SCISSOR_RECTS, RSScissorRects, 1),
    PART(RS_RASTERIZER_STATE, RSRasterizerState, 1),
    PART(SO_BUFFERS, SOBuffers, 1),
    PART(PREDICATION, Predication, 1),
};

static bool has_bit(const BYTE *bits, UINT index)
{
    return bits[index / 8] >> index % 8 & 1;
}

/* NULL if there is no such state. */
static BYTE *bits_of(D3D10_STATE_BLOCK_MASK *mask, D3D10_DEVICE_STATE_TYPES type, UINT start, UINT count)
{
    if (!mask || (unsigned)type >= sizeof(parts) / sizeof(parts[0]) || count > parts[type].count ||
        start > parts[type].count - count)
        return NULL;
    return (BYTE *)mask + parts[type].offset;
}

static HRESULT set_bits(D3D10_STATE_BLOCK_MASK *mask, D3D10_DEVICE_STATE_TYPES type, UINT start, UINT count,
                        bool value)
{
    BYTE *bits = bits_of(mask, type, start, count);
    if (!bits)
        return E_INVALIDARG;
    for (UINT i = start; i < start + count; i++) {
        const BYTE bit = (BYTE)(1u << i % 8);
        bits[i / 8] = (BYTE)(value ? bits[i / 8] | bit : bits[i / 8] & ~bit);
    }
    return S_OK;
}

HRESULT WINAPI D3D10StateBlockMaskEnableCapture(D3D10_STATE_BLOCK_MASK *mask, D3D10_DEVICE_STATE_TYPES type,
                                                UINT start, UINT count)
{
    return set_bits(mask, type, start, count, true);
}

HRESULT WINAPI D3D10StateBlockMaskDisableCapture(D3D10_STATE_BLOCK_MASK *mask, D3D10_DEVICE_STATE_TYPES type,
                                                 UINT start, UINT count)
{
    return set_bits(mask, type, start, count, false);
}

BOOL WINAPI D3D10StateBlockMaskGetSetting(D3D10_STATE_BLOCK_MASK *mask, D3D10_DEVICE_STATE_TYPES type,
                                          UINT index)
{
    const BYTE *bits = bits_of(mask, type, index, 1);
    return bits && has_bit(bits, index);
}

HRESULT WINAPI D3D10StateBlockMaskEnableAll(D3D10_STATE_BLOCK_MASK *mask)
{
    if (!mask)
        return E_INVALIDARG;
    memset(mask, 0xff, sizeof(*mask));
    return S_OK;
}

HRESULT WINAPI D3D10StateBlockMaskDisableAll(D3D10_STATE_BLOCK_MASK *mask)
{
    if (!mask)
        return E_INVALIDARG;
    memset(mask, 0, sizeof(*mask));
    return S_OK;
}

#define COMBINE(name, operator)                                                                              \
    HRESULT WINAPI name(D3D10_STATE_BLOCK_MASK *x, D3D10_STATE_BLOCK_MASK *y, D3D10_STATE_BLOCK_MASK *out)   \
    {                                                                                                        \
        if (!x || !y || !out)                                                                                \
            return E_INVALIDARG;                                                                             \
        for (size_t i = 0; i < sizeof(*out); i++)                                                            \
            ((BYTE *)out)[i] = (BYTE)(((const BYTE *)x)[i] operator((const BYTE *)y)[i]);                    \
        return S_OK;                                                                                         \
    }

COMBINE(D3D10StateBlockMaskDifference, ^)
COMBINE(D3D10StateBlockMaskIntersect, &)
COMBINE(D3D10StateBlockMaskUnion, |)

/* ---- What a block has captured ------------------------------------------------------------------------- */

/* Interface pointers alone, each with a reference, so that they are released as an array. */
struct stage {
    void *shader;
    void *samplers[UMD_SAMPLER_SLOTS];
    void *views[UMD_SHADER_RESOURCE_SLOTS];
    void *buffers[UMD_CONSTANT_BUFFER_SLOTS];
};

struct objects {
    struct stage VS, GS, PS;
    void *vertex_buffers[D3D10_IA_VERTEX_INPUT_RESOURCE_SLOT_COUNT];
    void *index_buffer, *layout;
    void *targets[UMD_RENDER_TARGET_SLOTS];
    void *depth, *depth_stencil, *blend, *rasterizer;
    void *stream_output[UMD_STREAM_OUTPUT_SLOTS];
    void *predicate;
};

struct values {
    UINT strides[D3D10_IA_VERTEX_INPUT_RESOURCE_SLOT_COUNT];
    UINT offsets[D3D10_IA_VERTEX_INPUT_RESOURCE_SLOT_COUNT];
    DXGI_FORMAT index_format;
    UINT index_offset;
    D3D10_PRIMITIVE_TOPOLOGY topology;
    UINT stencil_reference, sample_mask;
    FLOAT blend_factor[4];
    UINT viewport_count, scissor_count;
    D3D10_VIEWPORT viewports[UMD_VIEWPORTS];
    D3D10_RECT scissors[UMD_VIEWPORTS];
    UINT stream_offsets[UMD_STREAM_OUTPUT_SLOTS];
    BOOL predicate_value;
};

struct block {
    struct rt_object object;
    D3D10_STATE_BLOCK_MASK mask;
    struct objects objects;
    struct values values;
};

static struct block *block_of(ID3D10StateBlock *self)
{
    return (struct block *)RT_OBJECT(self);
}

static ID3D10Device1 *device_of(const struct block *block)
{
    return (ID3D10Device1 *)&block->object.device->object.faces[RT_FACE_D3D10];
}

static void release_objects(struct block *block)
{
    void **all = (void **)&block->objects;
    for (size_t i = 0; i < sizeof(block->objects) / sizeof(void *); i++)
        if (all[i])
            rt_object_release(RT_OBJECT(all[i]));
    memset(&block->objects, 0, sizeof(block->objects));
}

/* The next slots in a row that a mask names; begins with zeros, ends with false. */
struct range {
    UINT start, count;
};

static bool next_range(struct range *range, const BYTE *bits, UINT most)
{
    UINT start = range->start + range->count, end;
    while (start < most && !has_bit(bits, start))
        start++;
    for (end = start; end < most && has_bit(bits, end);)
        end++;
    *range = (struct range){start, end - start};
    return end > start;
}

/* One kind of slots of a stage: Get or Set. */
#define SLOTS(S, verb, what, bits, member, pointer, most)                                                    \
    for (struct range r = {0, 0}; next_range(&r, block->mask.S##bits, most);)                                \
    device->lpVtbl->S##verb##what(device, r.start, r.count,                                                  \
                                  (pointer)(void *)(block->objects.S.member + r.start))

#define STAGE(S, I)                                                                                          \
    static void capture_##S(struct block *block, ID3D10Device1 *device)                                      \
    {                                                                                                        \
        if (block->mask.S)                                                                                   \
            device->lpVtbl->S##GetShader(device, (I **)&block->objects.S.shader);                            \
        SLOTS(S, Get, Samplers, Samplers, samplers, ID3D10SamplerState **, UMD_SAMPLER_SLOTS);               \
        SLOTS(S, Get, ShaderResources, ShaderResources, views, ID3D10ShaderResourceView **,                  \
              UMD_SHADER_RESOURCE_SLOTS);                                                                    \
        SLOTS(S, Get, ConstantBuffers, ConstantBuffers, buffers, ID3D10Buffer **,                            \
              UMD_CONSTANT_BUFFER_SLOTS);                                                                    \
    }                                                                                                        \
    static void apply_##S(struct block *block, ID3D10Device1 *device)                                        \
    {                                                                                                        \
        if (block->mask.S)                                                                                   \
            device->lpVtbl->S##SetShader(device, block->objects.S.shader);                                   \
        SLOTS(S, Set, Samplers, Samplers, samplers, ID3D10SamplerState *const *, UMD_SAMPLER_SLOTS);         \
        SLOTS(S, Set, ShaderResources, ShaderResources, views, ID3D10ShaderResourceView *const *,            \
              UMD_SHADER_RESOURCE_SLOTS);                                                                    \
        SLOTS(S, Set, ConstantBuffers, ConstantBuffers, buffers, ID3D10Buffer *const *,                      \
              UMD_CONSTANT_BUFFER_SLOTS);                                                                    \
    }

STAGE(VS, ID3D10VertexShader)
STAGE(GS, ID3D10GeometryShader)
STAGE(PS, ID3D10PixelShader)

static void capture_input(struct block *block, ID3D10Device1 *device)
{
    const D3D10_STATE_BLOCK_MASK *mask = &block->mask;
    struct objects *o = &block->objects;
    struct values *v = &block->values;
    for (struct range r = {0, 0};
         next_range(&r, mask->IAVertexBuffers, D3D10_IA_VERTEX_INPUT_RESOURCE_SLOT_COUNT);)
        device->lpVtbl->IAGetVertexBuffers(device, r.start, r.count,
                                           (ID3D10Buffer **)(void *)(o->vertex_buffers + r.start),
                                           v->strides + r.start, v->offsets + r.start);
    if (mask->IAIndexBuffer)
        device->lpVtbl->IAGetIndexBuffer(device, (ID3D10Buffer **)&o->index_buffer, &v->index_format,
                                         &v->index_offset);
    if (mask->IAInputLayout)
        device->lpVtbl->IAGetInputLayout(device, (ID3D10InputLayout **)&o->layout);
    if (mask->IAPrimitiveTopology)
        device->lpVtbl->IAGetPrimitiveTopology(device, &v->topology);
    if (mask->SOBuffers)
        device->lpVtbl->SOGetTargets(device, UMD_STREAM_OUTPUT_SLOTS,
                                     (ID3D10Buffer **)(void *)o->stream_output, v->stream_offsets);
}

static void apply_input(struct block *block, ID3D10Device1 *device)
{
    const D3D10_STATE_BLOCK_MASK *mask = &block->mask;
    struct objects *o = &block->objects;
    struct values *v = &block->values;
    for (struct range r = {0, 0};
         next_range(&r, mask->IAVertexBuffers, D3D10_IA_VERTEX_INPUT_RESOURCE_SLOT_COUNT);)
        device->lpVtbl->IASetVertexBuffers(device, r.start, r.count,
                                           (ID3D10Buffer *const *)(void *)(o->vertex_buffers + r.start),
                                           v->strides + r.start, v->offsets + r.start);
    if (mask->IAIndexBuffer)
        device->lpVtbl->IASetIndexBuffer(device, o->index_buffer, v->index_format, v->index_offset);
    if (mask->IAInputLayout)
        device->lpVtbl->IASetInputLayout(device, o->layout);
    if (mask->IAPrimitiveTopology)
        device->lpVtbl->IASetPrimitiveTopology(device, v->topology);
    if (mask->SOBuffers)
        device->lpVtbl->SOSetTargets(device, UMD_STREAM_OUTPUT_SLOTS,
                                     (ID3D10Buffer *const *)(void *)o->stream_output, v->stream_offsets);
}

static void capture_output(struct block *block, ID3D10Device1 *device)
{
    const D3D10_STATE_BLOCK_MASK *mask = &block->mask;
    struct objects *o = &block->objects;
    struct values *v = &block->values;
    v->viewport_count = v->scissor_count = UMD_VIEWPORTS;
    if (mask->OMRenderTargets)
        device->lpVtbl->OMGetRenderTargets(device, UMD_RENDER_TARGET_SLOTS,
                                           (ID3D10RenderTargetView **)(void *)o->targets,
                                           (ID3D10DepthStencilView **)&o->depth);
    if (mask->OMDepthStencilState)
        device->lpVtbl->OMGetDepthStencilState(device, (ID3D10DepthStencilState **)&o->depth_stencil,
                                               &v->stencil_reference);
    if (mask->OMBlendState)
        device->lpVtbl->OMGetBlendState(device, (ID3D10BlendState **)&o->blend, v->blend_factor,
                                        &v->sample_mask);
    if (mask->RSViewports)
        device->lpVtbl->RSGetViewports(device, &v->viewport_count, v->viewports);
    if (mask->RSScissorRects)
        device->lpVtbl->RSGetScissorRects(device, &v->scissor_count, v->scissors);
    if (mask->RSRasterizerState)
        device->lpVtbl->RSGetState(device, (ID3D10RasterizerState **)&o->rasterizer);
    if (mask->Predication)
        device->lpVtbl->GetPredication(device, (ID3D10Predicate **)&o->predicate, &v->predicate_value);
}

static void apply_output(struct block *block, ID3D10Device1 *device)
{
    const D3D10_STATE_BLOCK_MASK *mask = &block->mask;
    struct objects *o = &block->objects;
    struct values *v = &block->values;
    if (mask->OMRenderTargets)
        device->lpVtbl->OMSetRenderTargets(device, UMD_RENDER_TARGET_SLOTS,
                                           (ID3D10RenderTargetView *const *)(void *)o->targets, o->depth);
    if (mask->OMDepthStencilState)
        device->lpVtbl->OMSetDepthStencilState(device, o->depth_stencil, v->stencil_reference);
    if (mask->OMBlendState)
        device->lpVtbl->OMSetBlendState(device, o->blend, v->blend_factor, v->sample_mask);
    if (mask->RSViewports)
        device->lpVtbl->RSSetViewports(device, v->viewport_count, v->viewports);
    if (mask->RSScissorRects)
        device->lpVtbl->RSSetScissorRects(device, v->scissor_count, v->scissors);
    if (mask->RSRasterizerState)
        device->lpVtbl->RSSetState(device, o->rasterizer);
    if (mask->Predication)
        device->lpVtbl->SetPredication(device, o->predicate, v->predicate_value);
}

/* ---- The object ---------------------------------------------------------------------------------------- */

RT_UNKNOWN_METHODS(ID3D10StateBlock)

RT_METHOD(HRESULT) capture(ID3D10StateBlock *self)
{
    struct block *block = block_of(self);
    ID3D10Device1 *device = device_of(block);
    release_objects(block);
    capture_VS(block, device);
    capture_GS(block, device);
    capture_PS(block, device);
    capture_input(block, device);
    capture_output(block, device);
    return S_OK;
}

RT_METHOD(HRESULT) apply(ID3D10StateBlock *self)
{
    struct block *block = block_of(self);
    ID3D10Device1 *device = device_of(block);
    apply_VS(block, device);
    apply_GS(block, device);
    apply_PS(block, device);
    apply_input(block, device);
    apply_output(block, device);
    return S_OK;
}

RT_METHOD(HRESULT) release_all(ID3D10StateBlock *self)
{
    release_objects(block_of(self));
    return S_OK;
}

RT_METHOD(HRESULT) get_device(ID3D10StateBlock *self, ID3D10Device **device)
{
    if (!device)
        return E_INVALIDARG;
    *device = rt_d3d10_face(rt_object_return(&RT_OBJECT(self)->device->object));
    return S_OK;
}

static const ID3D10StateBlockVtbl methods = {
    RT_UNKNOWN_SLOTS(ID3D10StateBlock),     .Capture = capture,      .Apply = apply,
    .ReleaseAllDeviceObjects = release_all, .GetDevice = get_device,
};

static void destroy(struct rt_object *object)
{
    release_objects((struct block *)object);
    rt_object_fini(object);
    free(object);
}

static const struct rt_class block_class = {RT_CLASS_STATE_BLOCK, {&methods}, destroy, NULL};

HRESULT WINAPI D3D10CreateStateBlock(ID3D10Device *device, D3D10_STATE_BLOCK_MASK *mask,
                                     ID3D10StateBlock **out)
{
    struct block *block;
    if (!device || !mask || !out)
        return E_INVALIDARG;
    block = calloc(1, sizeof(*block));
    if (!block)
        return E_OUTOFMEMORY;
    rt_object_init(&block->object, &block_class, rt_device_of(device));
    block->mask = *mask;
    block->values.sample_mask = D3D10_DEFAULT_SAMPLE_MASK;
    *out = (ID3D10StateBlock *)&block->object.faces[0];
    return S_OK;
}
