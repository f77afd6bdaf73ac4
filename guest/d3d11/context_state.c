/* SPDX-License-Identifier: MIT
 *
 * ID3DDeviceContextState: the bindings of a context as an object.
 */
#include "guest/d3d11/context.h"
#include "guest/d3d11/d3d10_faces.h"

#include <stdlib.h>
#include <string.h>

RT_CHILD_METHODS(ID3DDeviceContextState)

static const ID3DDeviceContextStateVtbl methods = {RT_CHILD_SLOTS(ID3DDeviceContextState)};

static void destroy(struct rt_object *object)
{
    struct rt_context_state *state = (struct rt_context_state *)object;
    rt_bindings_clear(&state->bindings);
    rt_object_fini(object);
    free(state->methods);
    free(state);
}

static const struct rt_class state_class = {RT_CLASS_CONTEXT_STATE, {&methods}, destroy, NULL};

HRESULT rt_context_state_create(struct rt_device *device, struct rt_context_state **out)
{
    struct rt_context_state *state = calloc(1, sizeof(*state));
    if (!state)
        return E_OUTOFMEMORY;
    rt_object_init_private(&state->object, &state_class, device);
    rt_bindings_init(&state->bindings, device);
    *out = state;
    return S_OK;
}

/* Most of Direct3D 11's methods are turned off in a context that has the state. */
static HRESULT emulate_d3d10(struct rt_context_state *state)
{
    state->methods = malloc(sizeof(*state->methods));
    if (!state->methods)
        return E_OUTOFMEMORY;
    memcpy(state->methods, &rt_context_methods, sizeof(*state->methods));
    rt_context_turn_off(state->methods);
    return S_OK;
}

/* Any of Direct3D 11's device interfaces. */
static bool is_device_interface(REFIID iid)
{
    static const IID *const interfaces[] = {&IID_ID3D11Device,  &IID_ID3D11Device1, &IID_ID3D11Device2,
                                            &IID_ID3D11Device3, &IID_ID3D11Device4, &IID_ID3D11Device5};
    for (size_t i = 0; i < sizeof(interfaces) / sizeof(*interfaces); i++)
        if (IsEqualGUID(iid, interfaces[i]))
            return true;
    return false;
}

HRESULT STDMETHODCALLTYPE rt_device_create_context_state(ID3D11Device5 *self, UINT flags,
                                                         const D3D_FEATURE_LEVEL *levels, UINT level_count,
                                                         UINT sdk_version, REFIID emulated,
                                                         D3D_FEATURE_LEVEL *chosen,
                                                         ID3DDeviceContextState **out)
{
    struct rt_device *device = rt_device_of(self);
    struct rt_context_state *state;
    UINT i = 0;
    HRESULT result;
    if (out)
        *out = NULL;
    if (chosen)
        *chosen = (D3D_FEATURE_LEVEL)0;
    if (sdk_version != D3D11_SDK_VERSION || !levels || level_count == 0 ||
        (flags & ~(UINT)D3D11_1_CREATE_DEVICE_CONTEXT_STATE_SINGLETHREADED))
        return E_INVALIDARG;
    const bool is_d3d10 =
        IsEqualGUID(emulated, &IID_ID3D10Device) || IsEqualGUID(emulated, &IID_ID3D10Device1);
    if (!is_d3d10 && !is_device_interface(emulated))
        return E_INVALIDARG;
    while (i < level_count && (levels[i] > device->level || levels[i] < D3D_FEATURE_LEVEL_10_0))
        i++;
    if (i == level_count)
        return E_INVALIDARG;
    if (chosen)
        *chosen = levels[i];
    if (!out)
        return S_FALSE;
    result = rt_context_state_create(device, &state);
    if (FAILED(result))
        return result;
    if (is_d3d10) {
        result = emulate_d3d10(state);
        if (FAILED(result)) {
            rt_object_let_go(&state->object);
            return result;
        }
    }
    /* From now on the device has the interfaces of Direct3D 10, too. */
    atomic_store(&device->is_d3d10, true);
    *out = rt_object_return(&state->object);
    rt_object_let_go(&state->object);
    return S_OK;
}
