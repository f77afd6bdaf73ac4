/* SPDX-License-Identifier: MIT
 *
 * What is bound to the six shader stages: shaders, constant buffers, shader resources, samplers.
 */
#include "guest/d3d11/class_linkage.h"
#include "guest/d3d11/hazard.h"
#include "guest/d3d11/shader.h"

#define MOST_CONSTANTS 4096u
#define CONSTANT_GRANULARITY 16u
#define CONSTANT_BYTES 16u

static struct rt_object *object_or_null(void *interface_pointer)
{
    return interface_pointer ? RT_OBJECT(interface_pointer) : NULL;
}

static bool is_range(UINT start, UINT count, UINT slots)
{
    return start < slots && count <= slots - start;
}

/* ---- Shaders ------------------------------------------------------------------------------------------- */

static void tell_shader(struct rt_context *context, enum umd_stage stage)
{
    const struct rt_stage_bindings *bound = &context->bindings->stages[stage];
    struct aerogpu_ext_class_instance instances[RT_CLASS_INSTANCES];
    struct rt_shader *shader = (struct rt_shader *)rt_own(context, bound->shader);
    const UINT count = shader ? bound->instance_count : 0;
    for (UINT i = 0; i < count; i++)
        if (!bound->instances[i] ||
            !rt_shader_linkage_resolve(shader->linkage, i, (struct rt_class_instance *)bound->instances[i],
                                       &instances[i]))
            instances[i] = (struct aerogpu_ext_class_instance){.function_table = AEROGPU_EXT_ALL};
    umd_set_shader(context->umd, stage, shader ? shader->umd : NULL, instances, count);
}

/* A shader with interfaces is bound with an instance for each of its slots, another with none; else the call
 * leaves the stage without a shader. */
static void set_shader(struct rt_context *context, enum umd_stage stage, void *given,
                       ID3D11ClassInstance *const *instances, UINT count)
{
    struct rt_stage_bindings *bound = &context->bindings->stages[stage];
    struct rt_shader *shader = rt_shader_of(given);
    bool changed;
    if (shader && rt_shader_linkage_slots(shader->linkage) != (instances ? count : 0))
        shader = NULL;
    if (!shader || !instances)
        count = 0;
    changed = rt_context_bind(context, &bound->shader, shader ? &shader->object : NULL);
    for (UINT i = 0; i < count; i++)
        changed |= rt_context_bind(context, &bound->instances[i], object_or_null(instances[i]));
    for (UINT i = count; i < bound->instance_count; i++)
        changed |= rt_bind(context->bindings, &bound->instances[i], NULL);
    bound->instance_count = count;
    if (changed)
        tell_shader(context, stage);
}

static void get_shader(struct rt_context *context, enum umd_stage stage, void **shader,
                       ID3D11ClassInstance **instances, UINT *count)
{
    const struct rt_stage_bindings *bound = &context->bindings->stages[stage];
    if (shader)
        *shader = rt_object_return(bound->shader);
    if (!count)
        return;
    for (UINT i = 0; instances && i < *count; i++)
        instances[i] = i < bound->instance_count ? rt_object_return(bound->instances[i]) : NULL;
    *count = bound->instance_count;
}

/* ---- Constant buffers ---------------------------------------------------------------------------------- */

/* Of a buffer that is bound without a range. */
static UINT constants_of(const struct rt_object *object)
{
    const struct rt_resource *buffer = (const struct rt_resource *)object;
    const UINT count = buffer ? (buffer->width + CONSTANT_BYTES - 1) / CONSTANT_BYTES : 0;
    return count < MOST_CONSTANTS ? count : MOST_CONSTANTS;
}

static void tell_constants(struct rt_context *context, enum umd_stage stage, UINT start, UINT count)
{
    const struct rt_constants *bound = context->bindings->stages[stage].constants + start;
    struct umd_resource *buffers[UMD_CONSTANT_BUFFER_SLOTS];
    UINT first[UMD_CONSTANT_BUFFER_SLOTS], constants[UMD_CONSTANT_BUFFER_SLOTS];
    bool has_ranges = false;
    for (UINT i = 0; i < count; i++) {
        buffers[i] = rt_umd_resource(context, bound[i].buffer);
        first[i] = bound[i].first;
        constants[i] = bound[i].is_whole ? constants_of(bound[i].buffer) : bound[i].count;
        has_ranges |= bound[i].buffer && !bound[i].is_whole;
    }
    umd_set_constant_buffers(context->umd, stage, start, count, buffers, has_ranges ? first : NULL,
                             has_ranges ? constants : NULL);
}

static void set_constants(struct rt_context *context, enum umd_stage stage, UINT start, UINT count,
                          ID3D11Buffer *const *buffers, const UINT *first, const UINT *constants)
{
    struct rt_constants *bound = context->bindings->stages[stage].constants;
    const bool has_ranges = first && constants;
    bool changed = false;
    /* Offsets and counts come together. */
    if (!is_range(start, count, UMD_CONSTANT_BUFFER_SLOTS) || !first != !constants)
        return;
    for (UINT i = 0; has_ranges && i < count; i++)
        if (first[i] % CONSTANT_GRANULARITY || constants[i] % CONSTANT_GRANULARITY ||
            constants[i] > MOST_CONSTANTS)
            return;
    for (UINT i = 0; i < count; i++) {
        struct rt_resource *buffer = rt_resource_of(buffers ? buffers[i] : NULL);
        struct rt_constants *slot = &bound[start + i];
        const UINT from = has_ranges && buffer ? first[i] : 0;
        const UINT size = has_ranges && buffer ? constants[i] : MOST_CONSTANTS;
        changed |= slot->first != from || slot->count != size || slot->is_whole != !has_ranges;
        slot->first = from;
        slot->count = size;
        slot->is_whole = !has_ranges;
        changed |= rt_context_bind(context, &slot->buffer, buffer ? &buffer->object : NULL);
    }
    if (changed)
        tell_constants(context, stage, start, count);
}

static void get_constants(struct rt_context *context, enum umd_stage stage, UINT start, UINT count,
                          ID3D11Buffer **buffers, UINT *first, UINT *constants)
{
    const struct rt_constants none = {0};
    for (UINT i = 0; i < count; i++) {
        const UINT slot = start + i;
        const struct rt_constants *bound =
            slot < UMD_CONSTANT_BUFFER_SLOTS ? &context->bindings->stages[stage].constants[slot] : &none;
        if (buffers)
            buffers[i] = rt_object_return(bound->buffer);
        if (first)
            first[i] = bound->first;
        if (constants)
            constants[i] = bound->buffer ? bound->count : MOST_CONSTANTS;
    }
}

/* ---- Shader resources ---------------------------------------------------------------------------------- */

static void tell_views(struct rt_context *context, enum umd_stage stage, UINT start, UINT count)
{
    struct umd_view *views[UMD_SHADER_RESOURCE_SLOTS];
    for (UINT i = 0; i < count; i++)
        views[i] = rt_umd_view(context, context->bindings->stages[stage].views[start + i]);
    umd_set_shader_resources(context->umd, stage, start, count, views);
}

static const D3D11_MESSAGE_ID hazard_messages[] = {
    [UMD_STAGE_PIXEL] = D3D11_MESSAGE_ID_DEVICE_PSSETSHADERRESOURCES_HAZARD,
    [UMD_STAGE_VERTEX] = D3D11_MESSAGE_ID_DEVICE_VSSETSHADERRESOURCES_HAZARD,
    [UMD_STAGE_GEOMETRY] = D3D11_MESSAGE_ID_DEVICE_GSSETSHADERRESOURCES_HAZARD,
    [UMD_STAGE_HULL] = D3D11_MESSAGE_ID_DEVICE_HSSETSHADERRESOURCES_HAZARD,
    [UMD_STAGE_DOMAIN] = D3D11_MESSAGE_ID_DEVICE_DSSETSHADERRESOURCES_HAZARD,
    [UMD_STAGE_COMPUTE] = D3D11_MESSAGE_ID_DEVICE_CSSETSHADERRESOURCES_HAZARD,
};

static void shrink_views(struct rt_stage_bindings *bound)
{
    while (bound->view_count > 0 && !bound->views[bound->view_count - 1])
        bound->view_count--;
}

static void set_views(struct rt_context *context, enum umd_stage stage, UINT start, UINT count,
                      ID3D11ShaderResourceView *const *given)
{
    struct rt_stage_bindings *bound = &context->bindings->stages[stage];
    UINT from = start + count, to = start;
    if (!is_range(start, count, UMD_SHADER_RESOURCE_SLOTS))
        return;
    for (UINT slot = start; slot < start + count; slot++) {
        struct rt_view *view = rt_view_of(given ? given[slot - start] : NULL);
        if (view && !rt_hazard_allows_view(context, view)) {
            rt_message(&context->object.device->messages, hazard_messages[stage]);
            view = NULL;
        }
        if (!rt_context_bind(context, &bound->views[slot], view ? &view->object : NULL))
            continue;
        from = slot < from ? slot : from;
        to = slot + 1;
    }
    if (start + count > bound->view_count)
        bound->view_count = start + count;
    shrink_views(bound);
    if (from < to)
        tell_views(context, stage, from, to - from);
}

static void get_views(struct rt_context *context, enum umd_stage stage, UINT start, UINT count,
                      ID3D11ShaderResourceView **views)
{
    for (UINT i = 0; views && i < count; i++)
        views[i] = start + i < UMD_SHADER_RESOURCE_SLOTS
                       ? rt_object_return(context->bindings->stages[stage].views[start + i])
                       : NULL;
}

/* ---- Samplers ------------------------------------------------------------------------------------------ */

static void tell_samplers(struct rt_context *context, enum umd_stage stage, UINT start, UINT count)
{
    struct umd_sampler *samplers[UMD_SAMPLER_SLOTS];
    for (UINT i = 0; i < count; i++) {
        const struct rt_state *state =
            (const struct rt_state *)rt_own(context, context->bindings->stages[stage].samplers[start + i]);
        samplers[i] = state ? state->umd.sampler : NULL;
    }
    umd_set_samplers(context->umd, stage, start, count, samplers);
}

static void set_samplers(struct rt_context *context, enum umd_stage stage, UINT start, UINT count,
                         ID3D11SamplerState *const *samplers)
{
    struct rt_object **bound = context->bindings->stages[stage].samplers;
    bool changed = false;
    if (!is_range(start, count, UMD_SAMPLER_SLOTS))
        return;
    for (UINT i = 0; i < count; i++)
        changed |= rt_context_bind(context, &bound[start + i], object_or_null(samplers ? samplers[i] : NULL));
    if (changed)
        tell_samplers(context, stage, start, count);
}

static void get_samplers(struct rt_context *context, enum umd_stage stage, UINT start, UINT count,
                         ID3D11SamplerState **samplers)
{
    for (UINT i = 0; samplers && i < count; i++)
        samplers[i] = start + i < UMD_SAMPLER_SLOTS
                          ? rt_object_return(context->bindings->stages[stage].samplers[start + i])
                          : NULL;
}

/* ---- All again ----------------------------------------------------------------------------------------- */

void rt_context_apply_stages(struct rt_context *context)
{
    for (UINT i = 0; i < UMD_STAGE_COUNT; i++) {
        const struct rt_stage_bindings *bound = &context->bindings->stages[i];
        const enum umd_stage stage = (enum umd_stage)i;
        if (bound->shader)
            tell_shader(context, stage);
        tell_constants(context, stage, 0, UMD_CONSTANT_BUFFER_SLOTS);
        if (bound->view_count)
            tell_views(context, stage, 0, bound->view_count);
        tell_samplers(context, stage, 0, UMD_SAMPLER_SLOTS);
    }
}

/* ---- The methods of each stage ------------------------------------------------------------------------- */

#define STAGE(s, stage, I)                                                                                   \
    void STDMETHODCALLTYPE rt_context_##s##_set_shader(ID3D11DeviceContext4 *self, I *shader,                \
                                                       ID3D11ClassInstance *const *instances, UINT count)    \
    {                                                                                                        \
        struct rt_context *context = rt_enter(self);                                                         \
        set_shader(context, stage, shader, instances, count);                                                \
        rt_leave(context);                                                                                   \
    }                                                                                                        \
    void STDMETHODCALLTYPE rt_context_##s##_get_shader(ID3D11DeviceContext4 *self, I **shader,               \
                                                       ID3D11ClassInstance **instances, UINT *count)         \
    {                                                                                                        \
        struct rt_context *context = rt_enter(self);                                                         \
        get_shader(context, stage, (void **)shader, instances, count);                                       \
        rt_leave(context);                                                                                   \
    }                                                                                                        \
    void STDMETHODCALLTYPE rt_context_##s##_set_constant_buffers(ID3D11DeviceContext4 *self, UINT start,     \
                                                                 UINT count, ID3D11Buffer *const *buffers)   \
    {                                                                                                        \
        struct rt_context *context = rt_enter(self);                                                         \
        set_constants(context, stage, start, count, buffers, NULL, NULL);                                    \
        rt_leave(context);                                                                                   \
    }                                                                                                        \
    void STDMETHODCALLTYPE rt_context_##s##_set_constant_buffers1(ID3D11DeviceContext4 *self, UINT start,    \
                                                                  UINT count, ID3D11Buffer *const *buffers,  \
                                                                  const UINT *first, const UINT *constants)  \
    {                                                                                                        \
        struct rt_context *context = rt_enter(self);                                                         \
        set_constants(context, stage, start, count, buffers, first, constants);                              \
        rt_leave(context);                                                                                   \
    }                                                                                                        \
    void STDMETHODCALLTYPE rt_context_##s##_get_constant_buffers(ID3D11DeviceContext4 *self, UINT start,     \
                                                                 UINT count, ID3D11Buffer **buffers)         \
    {                                                                                                        \
        struct rt_context *context = rt_enter(self);                                                         \
        get_constants(context, stage, start, count, buffers, NULL, NULL);                                    \
        rt_leave(context);                                                                                   \
    }                                                                                                        \
    void STDMETHODCALLTYPE rt_context_##s##_get_constant_buffers1(ID3D11DeviceContext4 *self, UINT start,    \
                                                                  UINT count, ID3D11Buffer **buffers,        \
                                                                  UINT *first, UINT *constants)              \
    {                                                                                                        \
        struct rt_context *context = rt_enter(self);                                                         \
        get_constants(context, stage, start, count, buffers, first, constants);                              \
        rt_leave(context);                                                                                   \
    }                                                                                                        \
    void STDMETHODCALLTYPE rt_context_##s##_set_srvs(ID3D11DeviceContext4 *self, UINT start, UINT count,     \
                                                     ID3D11ShaderResourceView *const *views)                 \
    {                                                                                                        \
        struct rt_context *context = rt_enter(self);                                                         \
        set_views(context, stage, start, count, views);                                                      \
        rt_leave(context);                                                                                   \
    }                                                                                                        \
    void STDMETHODCALLTYPE rt_context_##s##_get_srvs(ID3D11DeviceContext4 *self, UINT start, UINT count,     \
                                                     ID3D11ShaderResourceView **views)                       \
    {                                                                                                        \
        struct rt_context *context = rt_enter(self);                                                         \
        get_views(context, stage, start, count, views);                                                      \
        rt_leave(context);                                                                                   \
    }                                                                                                        \
    void STDMETHODCALLTYPE rt_context_##s##_set_samplers(ID3D11DeviceContext4 *self, UINT start, UINT count, \
                                                         ID3D11SamplerState *const *samplers)                \
    {                                                                                                        \
        struct rt_context *context = rt_enter(self);                                                         \
        set_samplers(context, stage, start, count, samplers);                                                \
        rt_leave(context);                                                                                   \
    }                                                                                                        \
    void STDMETHODCALLTYPE rt_context_##s##_get_samplers(ID3D11DeviceContext4 *self, UINT start, UINT count, \
                                                         ID3D11SamplerState **samplers)                      \
    {                                                                                                        \
        struct rt_context *context = rt_enter(self);                                                         \
        get_samplers(context, stage, start, count, samplers);                                                \
        rt_leave(context);                                                                                   \
    }

RT_STAGES(STAGE)
