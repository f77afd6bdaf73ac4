/* SPDX-License-Identifier: MIT */
#include "guest/d3d11/object.h"

#include "guest/d3d11/device.h"

static void init(struct rt_object *object, const struct rt_class *class, struct rt_device *device)
{
    for (unsigned face = 0; face < RT_FACE_COUNT; face++)
        object->faces[face] = (struct rt_face){class->methods[face], object};
    object->class = class;
    object->device = device;
    atomic_init(&object->private_count, 1);
    rt_private_data_init(&object->private_data);
}

void rt_object_init(struct rt_object *object, const struct rt_class *class, struct rt_device *device)
{
    init(object, class, device);
    atomic_init(&object->public_count, 1);
    if (device)
        rt_object_add_ref(&device->object);
}

void rt_object_init_private(struct rt_object *object, const struct rt_class *class, struct rt_device *device)
{
    init(object, class, device);
    atomic_init(&object->public_count, 0);
}

void rt_object_fini(struct rt_object *object)
{
    rt_private_data_fini(&object->private_data);
}

HRESULT rt_object_query(struct rt_object *object, REFIID iid, void **out)
{
    int face;
    if (!out)
        return E_POINTER;
    *out = NULL;
    face = rt_interface_face(object->class->id, iid);
    if (face == RT_NO_FACE || !object->class->methods[face] ||
        (object->class->offers && !object->class->offers(object, iid)))
        return E_NOINTERFACE;
    rt_object_add_ref(object);
    *out = &object->faces[face];
    return S_OK;
}

ULONG rt_object_add_ref(struct rt_object *object)
{
    const uint32_t before = atomic_fetch_add(&object->public_count, 1);
    if (before == 0) {
        rt_object_hold(object);
        if (object->device)
            rt_object_add_ref(&object->device->object);
    }
    return before + 1;
}

ULONG rt_object_release(struct rt_object *object)
{
    struct rt_device *device = object->device;
    const uint32_t before = atomic_fetch_sub(&object->public_count, 1);
    if (before == 1) {
        if (object->class->abandon)
            object->class->abandon(object);
        rt_object_let_go(object);
        if (device)
            rt_object_release(&device->object);
    }
    return before - 1;
}

void rt_object_hold(struct rt_object *object)
{
    atomic_fetch_add(&object->private_count, 1);
}

void rt_object_let_go(struct rt_object *object)
{
    if (atomic_fetch_sub(&object->private_count, 1) == 1)
        object->class->destroy(object);
}

void rt_object_hold_for(struct rt_device *device, struct rt_object *object)
{
    if (object->device != device)
        rt_object_hold(&object->device->object);
    rt_object_hold(object);
}

void rt_object_let_go_for(struct rt_device *device, struct rt_object *object)
{
    struct rt_device *other = object->device;
    rt_object_let_go(object);
    if (other != device)
        rt_object_let_go(&other->object);
}

bool rt_object_try_hold(struct rt_object *object)
{
    uint32_t count = atomic_load(&object->private_count);
    while (count > 0)
        if (atomic_compare_exchange_weak(&object->private_count, &count, count + 1))
            return true;
    return false;
}

void rt_object_get_device(struct rt_object *object, ID3D11Device **out)
{
    *out = rt_object_return(&object->device->object);
}

HRESULT rt_object_query_device(struct rt_object *object, REFIID iid, void **out)
{
    return rt_object_query(&object->device->object, iid, out);
}

void *rt_object_return(struct rt_object *object)
{
    if (!object)
        return NULL;
    rt_object_add_ref(object);
    return &object->faces[0];
}
