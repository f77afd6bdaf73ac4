/* SPDX-License-Identifier: MIT
 *
 * ID3D11BlendState1, ID3D11DepthStencilState, ID3D11RasterizerState2 and ID3D11SamplerState.
 */
#include "guest/d3d11/d3d10_faces.h"
#include "guest/d3d11/device.h"

#include <stdlib.h>
#include <string.h>

/* ---- The cache ----------------------------------------------------------------------------------------- */

void rt_state_cache_init(struct rt_state_cache *cache)
{
    memset(cache->buckets, 0, sizeof(cache->buckets));
    rt_mutex_init(&cache->mutex);
}

void rt_state_cache_fini(struct rt_state_cache *cache)
{
    rt_mutex_fini(&cache->mutex);
}

static struct rt_state **bucket_of(struct rt_state_cache *cache, enum rt_class_id class,
                                   const union rt_state_desc *desc)
{
    const unsigned char *bytes = (const unsigned char *)desc;
    uint32_t hash = 2166136261u ^ (uint32_t) class;
    for (size_t i = 0; i < sizeof(*desc); i++)
        hash = (hash ^ bytes[i]) * 16777619u;
    return &cache->buckets[(hash ^ hash >> 16) % RT_STATE_BUCKETS];
}

static void leave_cache(struct rt_state *state)
{
    struct rt_state_cache *cache = &state->object.device->states;
    struct rt_state **at;
    rt_mutex_lock(&cache->mutex);
    at = bucket_of(cache, state->object.class->id, &state->desc);
    while (*at && *at != state)
        at = &(*at)->next;
    if (*at)
        *at = state->next;
    rt_mutex_unlock(&cache->mutex);
}

/* An equal object with one public reference more, or NULL. */
static struct rt_state *find(struct rt_state_cache *cache, const struct rt_class *class,
                             const union rt_state_desc *desc)
{
    for (struct rt_state *state = *bucket_of(cache, class->id, desc); state; state = state->next) {
        if (state->object.class != class || memcmp(&state->desc, desc, sizeof(*desc)) != 0)
            continue;
        if (!rt_object_try_hold(&state->object))
            continue;
        rt_object_add_ref(&state->object);
        rt_object_let_go(&state->object);
        return state;
    }
    return NULL;
}

typedef enum umd_status make_umd(struct rt_device *device, struct rt_state *state);

static HRESULT find_or_make(struct rt_device *device, const struct rt_class *class,
                            const union rt_state_desc *desc, make_umd *make, void **out)
{
    struct rt_state_cache *cache = &device->states;
    struct rt_state *state, **bucket;
    HRESULT result = S_OK;
    if (!out)
        return S_FALSE;
    rt_mutex_lock(&cache->mutex);
    state = find(cache, class, desc);
    if (!state) {
        state = calloc(1, sizeof(*state));
        if (!state) {
            rt_mutex_unlock(&cache->mutex);
            return E_OUTOFMEMORY;
        }
        state->desc = *desc;
        result = rt_result(make(device, state));
        if (SUCCEEDED(result)) {
            rt_object_init(&state->object, class, device);
            bucket = bucket_of(cache, class->id, desc);
            state->next = *bucket;
            *bucket = state;
        } else {
            free(state);
        }
    }
    rt_mutex_unlock(&cache->mutex);
    if (SUCCEEDED(result))
        *out = &state->object.faces[0];
    return result;
}

static void end(struct rt_state *state)
{
    rt_object_fini(&state->object);
    free(state);
}

/* ---- Blending ------------------------------------------------------------------------------------------ */

RT_CHILD_METHODS(ID3D11BlendState1)

RT_METHOD(void) blend_get_desc1(ID3D11BlendState1 *self, D3D11_BLEND_DESC1 *desc)
{
    *desc = rt_state_of(self)->desc.blend;
}

RT_METHOD(void) blend_get_desc(ID3D11BlendState1 *self, D3D11_BLEND_DESC *desc)
{
    const D3D11_BLEND_DESC1 *newer = &rt_state_of(self)->desc.blend;
    desc->AlphaToCoverageEnable = newer->AlphaToCoverageEnable;
    desc->IndependentBlendEnable = newer->IndependentBlendEnable;
    for (unsigned i = 0; i < UMD_RENDER_TARGET_SLOTS; i++) {
        const D3D11_RENDER_TARGET_BLEND_DESC1 *t = &newer->RenderTarget[i];
        desc->RenderTarget[i] = (D3D11_RENDER_TARGET_BLEND_DESC){
            t->BlendEnable,   t->SrcBlend,       t->DestBlend,    t->BlendOp,
            t->SrcBlendAlpha, t->DestBlendAlpha, t->BlendOpAlpha, t->RenderTargetWriteMask};
    }
}

static const ID3D11BlendState1Vtbl blend_methods = {
    RT_CHILD_SLOTS(ID3D11BlendState1),
    .GetDesc = blend_get_desc,
    .GetDesc1 = blend_get_desc1,
};

static void destroy_blend(struct rt_object *object)
{
    struct rt_state *state = (struct rt_state *)object;
    leave_cache(state);
    umd_destroy_blend_state(object->device->umd, state->umd.blend);
    end(state);
}

static const struct rt_class blend_class = {
    RT_CLASS_BLEND_STATE, {&blend_methods, [RT_FACE_D3D10] = &rt_d3d10_blend_methods},
     destroy_blend, NULL
};

static enum umd_status make_blend(struct rt_device *device, struct rt_state *state)
{
    const D3D11_BLEND_DESC1 *desc = &state->desc.blend;
    struct umd_blend_desc umd = {
        .alpha_to_coverage_enable = desc->AlphaToCoverageEnable != 0,
        .independent_blend_enable = desc->IndependentBlendEnable != 0,
    };
    for (unsigned i = 0; i < UMD_RENDER_TARGET_SLOTS; i++) {
        const D3D11_RENDER_TARGET_BLEND_DESC1 *t = &desc->RenderTarget[i];
        umd.targets[i] = (struct aerogpu_ext_blend_target){
            .blend_enable = t->BlendEnable != 0,
            .logic_op_enable = t->LogicOpEnable != 0,
            .src_blend = t->SrcBlend,
            .dest_blend = t->DestBlend,
            .blend_op = t->BlendOp,
            .src_blend_alpha = t->SrcBlendAlpha,
            .dest_blend_alpha = t->DestBlendAlpha,
            .blend_op_alpha = t->BlendOpAlpha,
            .logic_op = t->LogicOp,
            .write_mask = t->RenderTargetWriteMask,
        };
    }
    return umd_create_blend_state(device->umd, &umd, &state->umd.blend);
}

static bool is_factor(D3D11_BLEND factor)
{
    return factor >= D3D11_BLEND_ZERO && factor <= D3D11_BLEND_INV_SRC1_ALPHA && factor != 12 && factor != 13;
}

static bool is_alpha_factor(D3D11_BLEND factor)
{
    return is_factor(factor) && factor != D3D11_BLEND_SRC_COLOR && factor != D3D11_BLEND_INV_SRC_COLOR &&
           factor != D3D11_BLEND_DEST_COLOR && factor != D3D11_BLEND_INV_DEST_COLOR &&
           factor != D3D11_BLEND_SRC1_COLOR && factor != D3D11_BLEND_INV_SRC1_COLOR;
}

static bool is_blend_op(D3D11_BLEND_OP op)
{
    return op >= D3D11_BLEND_OP_ADD && op <= D3D11_BLEND_OP_MAX;
}

/* One target's part; false if Direct3D refuses it. */
static bool normalise_target(const D3D11_RENDER_TARGET_BLEND_DESC1 *given, bool has_logic_op,
                             D3D11_RENDER_TARGET_BLEND_DESC1 *made)
{
    *made = (D3D11_RENDER_TARGET_BLEND_DESC1){
        .SrcBlend = D3D11_BLEND_ONE,
        .DestBlend = D3D11_BLEND_ZERO,
        .BlendOp = D3D11_BLEND_OP_ADD,
        .SrcBlendAlpha = D3D11_BLEND_ONE,
        .DestBlendAlpha = D3D11_BLEND_ZERO,
        .BlendOpAlpha = D3D11_BLEND_OP_ADD,
        .LogicOp = D3D11_LOGIC_OP_NOOP,
        .RenderTargetWriteMask = given->RenderTargetWriteMask,
    };
    if (given->RenderTargetWriteMask > D3D11_COLOR_WRITE_ENABLE_ALL)
        return false;
    if (given->BlendEnable) {
        made->BlendEnable = TRUE;
        made->SrcBlend = given->SrcBlend;
        made->DestBlend = given->DestBlend;
        made->BlendOp = given->BlendOp;
        made->SrcBlendAlpha = given->SrcBlendAlpha;
        made->DestBlendAlpha = given->DestBlendAlpha;
        made->BlendOpAlpha = given->BlendOpAlpha;
        if (!is_factor(given->SrcBlend) || !is_factor(given->DestBlend) || !is_blend_op(given->BlendOp) ||
            !is_alpha_factor(given->SrcBlendAlpha) || !is_alpha_factor(given->DestBlendAlpha) ||
            !is_blend_op(given->BlendOpAlpha))
            return false;
    }
    if (given->LogicOpEnable) {
        made->LogicOpEnable = TRUE;
        made->LogicOp = given->LogicOp;
        return has_logic_op && !given->BlendEnable && given->LogicOp >= D3D11_LOGIC_OP_CLEAR &&
               given->LogicOp <= D3D11_LOGIC_OP_OR_INVERTED;
    }
    return true;
}

HRESULT STDMETHODCALLTYPE rt_device_create_blend1(ID3D11Device5 *self, const D3D11_BLEND_DESC1 *desc,
                                                  ID3D11BlendState1 **out)
{
    struct rt_device *device = rt_device_of(self);
    const bool has_logic_op = umd_adapter_features(device->adapter->umd)->logic_operations != 0;
    union rt_state_desc key;
    if (out)
        *out = NULL;
    if (!desc)
        return E_INVALIDARG;
    memset(&key, 0, sizeof(key));
    key.blend.AlphaToCoverageEnable = desc->AlphaToCoverageEnable != 0;
    key.blend.IndependentBlendEnable = desc->IndependentBlendEnable != 0;
    for (unsigned i = 0; i < UMD_RENDER_TARGET_SLOTS; i++) {
        const D3D11_RENDER_TARGET_BLEND_DESC1 *given =
            &desc->RenderTarget[desc->IndependentBlendEnable ? i : 0];
        D3D11_RENDER_TARGET_BLEND_DESC1 *made = &key.blend.RenderTarget[i], clean;
        if ((desc->IndependentBlendEnable && given->LogicOpEnable) ||
            !normalise_target(given, has_logic_op, &clean))
            return E_INVALIDARG;
        /* Field by field: what lies behind the mask of eight bits stays 0. */
        made->BlendEnable = clean.BlendEnable;
        made->LogicOpEnable = clean.LogicOpEnable;
        made->SrcBlend = clean.SrcBlend;
        made->DestBlend = clean.DestBlend;
        made->BlendOp = clean.BlendOp;
        made->SrcBlendAlpha = clean.SrcBlendAlpha;
        made->DestBlendAlpha = clean.DestBlendAlpha;
        made->BlendOpAlpha = clean.BlendOpAlpha;
        made->LogicOp = clean.LogicOp;
        made->RenderTargetWriteMask = clean.RenderTargetWriteMask;
    }
    return find_or_make(device, &blend_class, &key, make_blend, (void **)out);
}

HRESULT STDMETHODCALLTYPE rt_device_create_blend(ID3D11Device5 *self, const D3D11_BLEND_DESC *desc,
                                                 ID3D11BlendState **out)
{
    D3D11_BLEND_DESC1 newer;
    if (out)
        *out = NULL;
    if (!desc)
        return E_INVALIDARG;
    newer.AlphaToCoverageEnable = desc->AlphaToCoverageEnable;
    newer.IndependentBlendEnable = desc->IndependentBlendEnable;
    for (unsigned i = 0; i < UMD_RENDER_TARGET_SLOTS; i++) {
        const D3D11_RENDER_TARGET_BLEND_DESC *t = &desc->RenderTarget[i];
        newer.RenderTarget[i] =
            (D3D11_RENDER_TARGET_BLEND_DESC1){t->BlendEnable,      FALSE,
                                              t->SrcBlend,         t->DestBlend,
                                              t->BlendOp,          t->SrcBlendAlpha,
                                              t->DestBlendAlpha,   t->BlendOpAlpha,
                                              D3D11_LOGIC_OP_NOOP, t->RenderTargetWriteMask};
    }
    return rt_device_create_blend1(self, &newer, (ID3D11BlendState1 **)out);
}

/* ---- Depth and stencil --------------------------------------------------------------------------------- */

RT_CHILD_METHODS(ID3D11DepthStencilState)

RT_METHOD(void) depth_get_desc(ID3D11DepthStencilState *self, D3D11_DEPTH_STENCIL_DESC *desc)
{
    *desc = rt_state_of(self)->desc.depth_stencil;
}

static const ID3D11DepthStencilStateVtbl depth_methods = {
    RT_CHILD_SLOTS(ID3D11DepthStencilState),
    .GetDesc = depth_get_desc,
};

static void destroy_depth(struct rt_object *object)
{
    struct rt_state *state = (struct rt_state *)object;
    leave_cache(state);
    umd_destroy_depth_stencil_state(object->device->umd, state->umd.depth_stencil);
    end(state);
}

static const struct rt_class depth_class = {
    RT_CLASS_DEPTH_STENCIL_STATE,
    {&depth_methods, [RT_FACE_D3D10] = &rt_d3d10_depth_stencil_methods},
    destroy_depth,
    NULL
};

static struct aerogpu_ext_stencil_face packet_face(const D3D11_DEPTH_STENCILOP_DESC *face)
{
    return (struct aerogpu_ext_stencil_face){
        .fail_op = face->StencilFailOp,
        .depth_fail_op = face->StencilDepthFailOp,
        .pass_op = face->StencilPassOp,
        .func = face->StencilFunc,
    };
}

static enum umd_status make_depth(struct rt_device *device, struct rt_state *state)
{
    const D3D11_DEPTH_STENCIL_DESC *desc = &state->desc.depth_stencil;
    const struct umd_depth_stencil_desc umd = {
        .depth_enable = desc->DepthEnable != 0,
        .depth_write_enable = desc->DepthEnable && desc->DepthWriteMask == D3D11_DEPTH_WRITE_MASK_ALL,
        .depth_func = desc->DepthFunc,
        .stencil_enable = desc->StencilEnable != 0,
        .stencil_read_mask = desc->StencilReadMask,
        .stencil_write_mask = desc->StencilWriteMask,
        .front_face = packet_face(&desc->FrontFace),
        .back_face = packet_face(&desc->BackFace),
    };
    return umd_create_depth_stencil_state(device->umd, &umd, &state->umd.depth_stencil);
}

static bool is_comparison(D3D11_COMPARISON_FUNC func)
{
    return func >= D3D11_COMPARISON_NEVER && func <= D3D11_COMPARISON_ALWAYS;
}

static bool is_stencil_op(D3D11_STENCIL_OP op)
{
    return op >= D3D11_STENCIL_OP_KEEP && op <= D3D11_STENCIL_OP_DECR;
}

static bool is_face(const D3D11_DEPTH_STENCILOP_DESC *face)
{
    return is_stencil_op(face->StencilFailOp) && is_stencil_op(face->StencilDepthFailOp) &&
           is_stencil_op(face->StencilPassOp) && is_comparison(face->StencilFunc);
}

HRESULT STDMETHODCALLTYPE rt_device_create_depth_stencil(ID3D11Device5 *self,
                                                         const D3D11_DEPTH_STENCIL_DESC *desc,
                                                         ID3D11DepthStencilState **out)
{
    const D3D11_DEPTH_STENCILOP_DESC unused = {D3D11_STENCIL_OP_KEEP, D3D11_STENCIL_OP_KEEP,
                                               D3D11_STENCIL_OP_KEEP, D3D11_COMPARISON_ALWAYS};
    union rt_state_desc key;
    if (out)
        *out = NULL;
    if (!desc)
        return E_INVALIDARG;
    memset(&key, 0, sizeof(key));
    key.depth_stencil.DepthEnable = desc->DepthEnable != 0;
    key.depth_stencil.DepthWriteMask = desc->DepthEnable ? desc->DepthWriteMask : D3D11_DEPTH_WRITE_MASK_ALL;
    key.depth_stencil.DepthFunc = desc->DepthEnable ? desc->DepthFunc : D3D11_COMPARISON_LESS;
    key.depth_stencil.StencilEnable = desc->StencilEnable != 0;
    key.depth_stencil.StencilReadMask =
        desc->StencilEnable ? desc->StencilReadMask : D3D11_DEFAULT_STENCIL_READ_MASK;
    key.depth_stencil.StencilWriteMask =
        desc->StencilEnable ? desc->StencilWriteMask : D3D11_DEFAULT_STENCIL_WRITE_MASK;
    key.depth_stencil.FrontFace = desc->StencilEnable ? desc->FrontFace : unused;
    key.depth_stencil.BackFace = desc->StencilEnable ? desc->BackFace : unused;
    if ((unsigned)key.depth_stencil.DepthWriteMask > D3D11_DEPTH_WRITE_MASK_ALL ||
        !is_comparison(key.depth_stencil.DepthFunc) || !is_face(&key.depth_stencil.FrontFace) ||
        !is_face(&key.depth_stencil.BackFace))
        return E_INVALIDARG;
    return find_or_make(rt_device_of(self), &depth_class, &key, make_depth, (void **)out);
}

/* ---- Rasterizer ---------------------------------------------------------------------------------------- */

RT_CHILD_METHODS(ID3D11RasterizerState2)

RT_METHOD(void) rasterizer_get_desc2(ID3D11RasterizerState2 *self, D3D11_RASTERIZER_DESC2 *desc)
{
    *desc = rt_state_of(self)->desc.rasterizer;
}

/* The older descriptions are the beginning of the newer ones. */
RT_METHOD(void) rasterizer_get_desc1(ID3D11RasterizerState2 *self, D3D11_RASTERIZER_DESC1 *desc)
{
    memcpy(desc, &rt_state_of(self)->desc.rasterizer, sizeof(*desc));
}

RT_METHOD(void) rasterizer_get_desc(ID3D11RasterizerState2 *self, D3D11_RASTERIZER_DESC *desc)
{
    memcpy(desc, &rt_state_of(self)->desc.rasterizer, sizeof(*desc));
}

static const ID3D11RasterizerState2Vtbl rasterizer_methods = {
    RT_CHILD_SLOTS(ID3D11RasterizerState2),
    .GetDesc = rasterizer_get_desc,
    .GetDesc1 = rasterizer_get_desc1,
    .GetDesc2 = rasterizer_get_desc2,
};

static void destroy_rasterizer(struct rt_object *object)
{
    struct rt_state *state = (struct rt_state *)object;
    leave_cache(state);
    umd_destroy_rasterizer_state(object->device->umd, state->umd.rasterizer);
    end(state);
}

static const struct rt_class rasterizer_class = {
    RT_CLASS_RASTERIZER_STATE,
    {&rasterizer_methods, [RT_FACE_D3D10] = &rt_d3d10_rasterizer_methods},
    destroy_rasterizer,
    NULL
};

static enum umd_status make_rasterizer(struct rt_device *device, struct rt_state *state)
{
    const D3D11_RASTERIZER_DESC2 *desc = &state->desc.rasterizer;
    const struct umd_rasterizer_desc umd = {
        .fill_mode = desc->FillMode,
        .cull_mode = desc->CullMode,
        .front_counter_clockwise = desc->FrontCounterClockwise != 0,
        .depth_bias = desc->DepthBias,
        .depth_bias_clamp = desc->DepthBiasClamp,
        .slope_scaled_depth_bias = desc->SlopeScaledDepthBias,
        .depth_clip_enable = desc->DepthClipEnable != 0,
        .scissor_enable = desc->ScissorEnable != 0,
        .multisample_enable = desc->MultisampleEnable != 0,
        .antialiased_line_enable = desc->AntialiasedLineEnable != 0,
        .forced_sample_count = desc->ForcedSampleCount,
    };
    return umd_create_rasterizer_state(device->umd, &umd, &state->umd.rasterizer);
}

HRESULT STDMETHODCALLTYPE rt_device_create_rasterizer2(ID3D11Device5 *self,
                                                       const D3D11_RASTERIZER_DESC2 *desc,
                                                       ID3D11RasterizerState2 **out)
{
    struct rt_device *device = rt_device_of(self);
    union rt_state_desc key;
    UINT forced;
    if (out)
        *out = NULL;
    if (!desc)
        return E_INVALIDARG;
    forced = desc->ForcedSampleCount;
    if (desc->FillMode < D3D11_FILL_WIREFRAME || desc->FillMode > D3D11_FILL_SOLID ||
        desc->CullMode < D3D11_CULL_NONE || desc->CullMode > D3D11_CULL_BACK ||
        desc->ConservativeRaster != D3D11_CONSERVATIVE_RASTERIZATION_MODE_OFF)
        return E_INVALIDARG;
    if (forced && (!umd_adapter_features(device->adapter->umd)->forced_sample_count || forced > 16 ||
                   (forced & (forced - 1))))
        return E_INVALIDARG;
    memset(&key, 0, sizeof(key));
    key.rasterizer = *desc;
    key.rasterizer.FrontCounterClockwise = desc->FrontCounterClockwise != 0;
    key.rasterizer.DepthClipEnable = desc->DepthClipEnable != 0;
    key.rasterizer.ScissorEnable = desc->ScissorEnable != 0;
    key.rasterizer.MultisampleEnable = desc->MultisampleEnable != 0;
    key.rasterizer.AntialiasedLineEnable = desc->AntialiasedLineEnable != 0;
    return find_or_make(device, &rasterizer_class, &key, make_rasterizer, (void **)out);
}

HRESULT STDMETHODCALLTYPE rt_device_create_rasterizer1(ID3D11Device5 *self,
                                                       const D3D11_RASTERIZER_DESC1 *desc,
                                                       ID3D11RasterizerState1 **out)
{
    D3D11_RASTERIZER_DESC2 newer = {0};
    if (desc)
        memcpy(&newer, desc, sizeof(*desc));
    return rt_device_create_rasterizer2(self, desc ? &newer : NULL, (ID3D11RasterizerState2 **)out);
}

HRESULT STDMETHODCALLTYPE rt_device_create_rasterizer(ID3D11Device5 *self, const D3D11_RASTERIZER_DESC *desc,
                                                      ID3D11RasterizerState **out)
{
    D3D11_RASTERIZER_DESC2 newer = {0};
    if (desc)
        memcpy(&newer, desc, sizeof(*desc));
    return rt_device_create_rasterizer2(self, desc ? &newer : NULL, (ID3D11RasterizerState2 **)out);
}

/* ---- Samplers ------------------------------------------------------------------------------------------ */

RT_CHILD_METHODS(ID3D11SamplerState)

RT_METHOD(void) sampler_get_desc(ID3D11SamplerState *self, D3D11_SAMPLER_DESC *desc)
{
    *desc = rt_state_of(self)->desc.sampler;
}

static const ID3D11SamplerStateVtbl sampler_methods = {
    RT_CHILD_SLOTS(ID3D11SamplerState),
    .GetDesc = sampler_get_desc,
};

static void destroy_sampler(struct rt_object *object)
{
    struct rt_state *state = (struct rt_state *)object;
    leave_cache(state);
    umd_destroy_sampler(object->device->umd, state->umd.sampler);
    end(state);
}

static const struct rt_class sampler_class = {
    RT_CLASS_SAMPLER_STATE,
    {&sampler_methods, [RT_FACE_D3D10] = &rt_d3d10_sampler_methods},
    destroy_sampler,
    NULL
};

static enum umd_status make_sampler(struct rt_device *device, struct rt_state *state)
{
    const D3D11_SAMPLER_DESC *desc = &state->desc.sampler;
    struct umd_sampler_desc umd = {
        .filter = desc->Filter,
        .address_u = desc->AddressU,
        .address_v = desc->AddressV,
        .address_w = desc->AddressW,
        .mip_lod_bias = desc->MipLODBias,
        .max_anisotropy = desc->MaxAnisotropy,
        .comparison_func = desc->ComparisonFunc,
        .min_lod = desc->MinLOD,
        .max_lod = desc->MaxLOD,
    };
    memcpy(umd.border_color, desc->BorderColor, sizeof(umd.border_color));
    return umd_create_sampler(device->umd, &umd, &state->umd.sampler);
}

#define FILTER_MODES 0x55u /* minification, magnification, mips, and anisotropy */
#define FILTER_COMPARES 0x80u
#define MOST_ANISOTROPY 16u

/* Minimum and maximum filters are an option of Direct3D 11.2 that the device does not have. */
static bool is_filter(UINT filter)
{
    const UINT modes = filter & ~FILTER_COMPARES;
    return !(modes & ~FILTER_MODES) && (!(modes & 0x40) || modes == (UINT)D3D11_FILTER_ANISOTROPIC);
}

static bool is_address_mode(D3D11_TEXTURE_ADDRESS_MODE mode)
{
    return mode >= D3D11_TEXTURE_ADDRESS_WRAP && mode <= D3D11_TEXTURE_ADDRESS_MIRROR_ONCE;
}

HRESULT STDMETHODCALLTYPE rt_device_create_sampler(ID3D11Device5 *self, const D3D11_SAMPLER_DESC *desc,
                                                   ID3D11SamplerState **out)
{
    union rt_state_desc key;
    D3D11_SAMPLER_DESC *made = &key.sampler;
    if (out)
        *out = NULL;
    if (!desc || !is_filter((UINT)desc->Filter) || !is_address_mode(desc->AddressU) ||
        !is_address_mode(desc->AddressV) || !is_address_mode(desc->AddressW) ||
        desc->MaxAnisotropy > MOST_ANISOTROPY)
        return E_INVALIDARG;
    memset(&key, 0, sizeof(key));
    *made = *desc;
    if (!D3D11_DECODE_IS_ANISOTROPIC_FILTER(desc->Filter))
        made->MaxAnisotropy = 0;
    if (!((UINT)desc->Filter & FILTER_COMPARES))
        made->ComparisonFunc = D3D11_COMPARISON_NEVER;
    else if (!is_comparison(desc->ComparisonFunc))
        return E_INVALIDARG;
    if (desc->AddressU != D3D11_TEXTURE_ADDRESS_BORDER && desc->AddressV != D3D11_TEXTURE_ADDRESS_BORDER &&
        desc->AddressW != D3D11_TEXTURE_ADDRESS_BORDER)
        memset(made->BorderColor, 0, sizeof(made->BorderColor));
    return find_or_make(rt_device_of(self), &sampler_class, &key, make_sampler, (void **)out);
}
