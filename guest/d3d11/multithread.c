/* SPDX-License-Identifier: MIT
 *
 * ID3D11Multithread of a device and of its immediate context.
 */
#include "guest/d3d11/context.h"

void rt_device_lock(struct rt_device *device)
{
    const uintptr_t thread = rt_thread();
    if (!atomic_load(&device->is_protected) && atomic_load(&device->mutex_owner) != thread)
        return;
    rt_mutex_lock(&device->context_mutex);
    atomic_store(&device->mutex_owner, thread);
    device->mutex_depth++;
}

void rt_device_unlock(struct rt_device *device)
{
    if (atomic_load(&device->mutex_owner) != rt_thread())
        return;
    if (--device->mutex_depth == 0)
        atomic_store(&device->mutex_owner, 0);
    rt_mutex_unlock(&device->context_mutex);
}

RT_UNKNOWN_METHODS(ID3D11Multithread)

static struct rt_device *device_of(ID3D11Multithread *self)
{
    struct rt_object *object = RT_OBJECT(self);
    return object->class->id == RT_CLASS_DEVICE ? (struct rt_device *)object : object->device;
}

/* Enter() excludes other threads only while the program has asked for protection. */
RT_METHOD(void) enter(ID3D11Multithread *self)
{
    rt_device_lock(device_of(self));
}

RT_METHOD(void) leave(ID3D11Multithread *self)
{
    rt_device_unlock(device_of(self));
}

RT_METHOD(BOOL) set_protected(ID3D11Multithread *self, BOOL enable)
{
    struct rt_device *device = device_of(self);
    /* A device for one thread has no protection. */
    if (device->flags & D3D11_CREATE_DEVICE_SINGLETHREADED)
        return FALSE;
    return atomic_exchange(&device->is_protected, enable != FALSE);
}

RT_METHOD(BOOL) get_protected(ID3D11Multithread *self)
{
    return atomic_load(&device_of(self)->is_protected);
}

const ID3D11MultithreadVtbl rt_multithread_methods = {
    RT_UNKNOWN_SLOTS(ID3D11Multithread),
    .Enter = enter,
    .Leave = leave,
    .SetMultithreadProtected = set_protected,
    .GetMultithreadProtected = get_protected,
};
