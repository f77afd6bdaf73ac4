/* SPDX-License-Identifier: MIT
 *
 * Immediate and deferred contexts: ID3D11DeviceContext to ID3D11DeviceContext4.
 */
#ifndef RT_D3D11_CONTEXT_H
#define RT_D3D11_CONTEXT_H

#include "guest/d3d11/bindings.h"
#include "guest/d3d11/context_methods.h"
#include "guest/d3d11/device.h"

/* ID3DDeviceContextState: bindings that a context uses, or used before. */
struct rt_context_state {
    struct rt_object object;
    struct rt_bindings bindings;
    ID3D11DeviceContext4Vtbl *methods; /* of a context with a state for Direct3D 10; otherwise NULL */
};

/* Objects that a command list keeps, and their device if it is another than the list's. */
struct rt_uses {
    struct rt_object **objects;
    size_t count, room;
};

struct rt_context {
    struct rt_object object;
    struct umd_context *umd;
    struct rt_context_state *state; /* a private reference */
    struct rt_bindings *bindings;   /* those of the state */
    bool is_deferred;
    UINT flags;
    struct rt_uses uses;      /* deferred: what the list that is being recorded needs */
    bool is_out_of_memory;    /* deferred: the list that is being recorded is not whole */
    struct rt_uses discarded; /* deferred: what was mapped with WRITE_DISCARD since the list began */
};

struct rt_command_list {
    struct rt_object object;
    struct umd_command_list *umd;
    struct rt_uses uses;
    UINT flags;
};

/* Begins a method: other threads wait if the program asked for it. */
static inline struct rt_context *rt_enter(ID3D11DeviceContext4 *self)
{
    struct rt_context *context = (struct rt_context *)RT_OBJECT(self);
    struct rt_device *device = context->object.device;
    if (atomic_load_explicit(&device->is_protected, memory_order_relaxed) ||
        atomic_load_explicit(&device->mutex_owner, memory_order_relaxed))
        rt_device_lock(device);
    return context;
}

static inline void rt_leave(struct rt_context *context)
{
    struct rt_device *device = context->object.device;
    if (atomic_load_explicit(&device->mutex_owner, memory_order_relaxed))
        rt_device_unlock(device);
}

/* The first face of the immediate context, without a reference. */
static inline ID3D11DeviceContext4 *rt_immediate_of(struct rt_device *device)
{
    return (ID3D11DeviceContext4 *)&device->immediate->object.faces[0];
}

/* One private reference; the caller makes it a public one. */
HRESULT rt_context_create(struct rt_device *device, bool is_deferred, UINT flags, struct rt_context **out);

/* The object is named by what is recorded: a command list keeps it. Immediate contexts need no more than the
 * driver does. */
void rt_context_use(struct rt_context *context, struct rt_object *object);
bool rt_context_bind(struct rt_context *context, struct rt_object **slot, struct rt_object *object);

bool rt_uses_add(struct rt_uses *uses, struct rt_device *device, struct rt_object *object);
bool rt_uses_have(const struct rt_uses *uses, const struct rt_object *object);
void rt_uses_clear(struct rt_uses *uses, struct rt_device *device);

/* Tells the driver all bindings anew, after it has cleared its own. */
void rt_context_apply(struct rt_context *context);

/* Parts of rt_context_apply(), in the files that bind them. */
void rt_context_apply_stages(struct rt_context *context);
void rt_context_apply_input(struct rt_context *context);
void rt_context_apply_outputs(struct rt_context *context);
void rt_context_apply_raster(struct rt_context *context);

/* Tells the driver what is bound: targets and unordered access views, without those that `keep` names;
 * targets of stream output, whose writing goes on where it ended unless there are offsets. */
void rt_context_tell_outputs(struct rt_context *context, UINT keep, UINT uav_start, UINT uav_count,
                             const UINT *initial_counts);
void rt_context_tell_stream_output(struct rt_context *context, const UINT *offsets);

/* An object of another device may be in a slot, and is as good as none. */
static inline struct rt_object *rt_own(const struct rt_context *context, struct rt_object *object)
{
    return object && object->device == context->object.device ? object : NULL;
}

/* What a call names. Objects of another device are as good as none here, too, and a debug device says so. */
struct rt_object *rt_own_object(struct rt_context *context, void *interface_pointer);
struct rt_resource *rt_own_resource(struct rt_context *context, void *interface_pointer);
struct rt_view *rt_own_view(struct rt_context *context, void *interface_pointer);
struct rt_query *rt_own_query(struct rt_context *context, void *interface_pointer);

/* The driver's objects behind slots; NULL stays NULL. */
struct umd_resource *rt_umd_resource(const struct rt_context *context, struct rt_object *object);
struct umd_view *rt_umd_view(const struct rt_context *context, struct rt_object *object);
struct umd_query *rt_umd_query(const struct rt_context *context, struct rt_object *object);

HRESULT rt_context_map_resource(struct rt_context *context, struct rt_resource *resource, UINT subresource,
                                D3D11_MAP type, UINT flags, D3D11_MAPPED_SUBRESOURCE *mapped);
void rt_context_unmap_resource(struct rt_context *context, struct rt_resource *resource, UINT subresource);

extern const ID3DUserDefinedAnnotationVtbl rt_annotation_methods;

/* ID3D11Device::CreateDeferredContext() and so on. */
HRESULT STDMETHODCALLTYPE rt_device_create_context_state(ID3D11Device5 *self, UINT flags,
                                                         const D3D_FEATURE_LEVEL *levels, UINT level_count,
                                                         UINT sdk_version, REFIID emulated,
                                                         D3D_FEATURE_LEVEL *chosen,
                                                         ID3DDeviceContextState **out);
HRESULT rt_context_state_create(struct rt_device *device, struct rt_context_state **out);

/* The methods of a context with a usual state, and what a state for Direct3D 10 turns off among them. */
extern const ID3D11DeviceContext4Vtbl rt_context_methods;
void rt_context_turn_off(ID3D11DeviceContext4Vtbl *methods);

#endif
