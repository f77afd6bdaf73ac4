/* SPDX-License-Identifier: MIT
 *
 * What all COM objects of the runtime have in common: their interfaces, their references, their private data.
 * Names of the runtime begin with rt_.
 *
 * An interface pointer points to a face of its object. Faces of one object share its references; which
 * interface has which face is one table (interfaces.h).
 *
 * An object has public references, those of the program, and private ones, those of the runtime: of a context
 * that has it bound, of a view of it, of a command list that uses it. All public references together are one
 * private reference, and the object ends with its last private one. A child of a device whose public count is
 * not 0 keeps one public reference of the device, so that a device outlives what the program holds of it,
 * while what is bound outlives the program's references.
 */
#ifndef RT_D3D11_OBJECT_H
#define RT_D3D11_OBJECT_H

#include "guest/d3d11/com.h"
#include "guest/d3d11/interfaces.h"
#include "guest/d3d11/private_data.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct rt_object;
struct rt_device;

/* What an interface pointer points to; COM's part is the table of methods. */
struct rt_face {
    const void *methods;
    struct rt_object *object;
};

struct rt_class {
    enum rt_class_id id;
    const void *methods[RT_FACE_COUNT];
    void (*destroy)(struct rt_object *object);
    /* Whether this object has an interface that its class may have; NULL if it has all. */
    bool (*offers)(const struct rt_object *object, REFIID iid);
    /* What is done when the program gives its last reference back; NULL for nothing. */
    void (*abandon)(struct rt_object *object);
};

struct rt_object {
    struct rt_face faces[RT_FACE_COUNT];
    const struct rt_class *class;
    struct rt_device *device; /* NULL if it is no child of one; not counted */
    _Atomic uint32_t public_count;
    _Atomic uint32_t private_count;
    struct rt_private_data private_data;
};

/* The object of any interface pointer that the runtime has handed out. */
#define RT_OBJECT(interface_pointer) (((const struct rt_face *)(const void *)(interface_pointer))->object)

/* An object with one public reference, which is returned to the program. */
void rt_object_init(struct rt_object *object, const struct rt_class *class, struct rt_device *device);
/* An object that the program has no reference of yet: one private reference. */
void rt_object_init_private(struct rt_object *object, const struct rt_class *class, struct rt_device *device);
/* Ends what is in the object, for destroy() of a class. */
void rt_object_fini(struct rt_object *object);

HRESULT rt_object_query(struct rt_object *object, REFIID iid, void **out);
ULONG rt_object_add_ref(struct rt_object *object);
ULONG rt_object_release(struct rt_object *object);

void rt_object_hold(struct rt_object *object);
void rt_object_let_go(struct rt_object *object);
/* The same by what ends with a device: an object of another device keeps that device, too. */
void rt_object_hold_for(struct rt_device *device, struct rt_object *object);
void rt_object_let_go_for(struct rt_device *device, struct rt_object *object);
/* Takes a private reference of an object that a cache knows, unless it is ending at this moment. */
bool rt_object_try_hold(struct rt_object *object);

/* ID3D11DeviceChild::GetDevice() and IDXGIDeviceSubObject::GetDevice(). */
void rt_object_get_device(struct rt_object *object, ID3D11Device **out);
HRESULT rt_object_query_device(struct rt_object *object, REFIID iid, void **out);

/* The first face, with a public reference more: what getters return. NULL gives NULL. */
void *rt_object_return(struct rt_object *object);

#endif
