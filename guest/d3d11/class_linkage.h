/* SPDX-License-Identifier: MIT
 *
 * Dynamic linkage of shaders: ID3D11ClassLinkage, ID3D11ClassInstance, and what a shader's bytecode says of
 * its interfaces, classes and instances.
 */
#ifndef RT_D3D11_CLASS_LINKAGE_H
#define RT_D3D11_CLASS_LINKAGE_H

#include "guest/d3d11/bytecode.h"
#include "guest/d3d11/device.h"

struct rt_shader;
struct rt_shader_linkage;

struct rt_class_instance {
    struct rt_object object;
    struct rt_class_linkage *linkage; /* a private reference */
    D3D11_CLASS_INSTANCE_DESC desc;
    char *instance_name; /* NULL of one that CreateClassInstance() made */
    char *type_name;
};

/* Reads the interfaces of a shader that is created with a linkage, whose types and instances they become. A
 * shader without any is no error: *out is NULL. */
HRESULT rt_shader_linkage_read(ID3D11ClassLinkage *linkage, const struct rt_bytecode *code,
                               struct rt_shader_linkage **out);
void rt_shader_linkage_free(struct rt_shader_linkage *linkage);

/* What stands in an interface slot of a shader for an instance: false if the slot does not take its type. */
bool rt_shader_linkage_resolve(const struct rt_shader_linkage *linkage, UINT slot,
                               const struct rt_class_instance *instance,
                               struct aerogpu_ext_class_instance *made);
UINT rt_shader_linkage_slots(const struct rt_shader_linkage *linkage);

HRESULT STDMETHODCALLTYPE rt_device_create_class_linkage(ID3D11Device5 *self, ID3D11ClassLinkage **out);

#endif
