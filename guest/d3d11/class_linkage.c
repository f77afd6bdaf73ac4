/* SPDX-License-Identifier: MIT */
#include "guest/d3d11/class_linkage.h"

#include <stdlib.h>
#include <string.h>

#define HEADER_BYTES 36u
#define SLOTS_BYTES 16u
#define CLASS_BYTES 12u
#define INSTANCE_BYTES 16u
#define VECTOR_BYTES 16u
#define MOST_SLOTS 253u

/* A copy of a shader's chunk, whose records are read where they are asked for. Every offset in it was
 * checked. */
struct rt_shader_linkage {
    uint32_t size;
    uint32_t instances, classes, slots; /* how many records */
    uint32_t instances_at, classes_at, slots_at;
    uint8_t bytes[];
};

struct rt_class_linkage {
    struct rt_object object;
    struct rt_mutex mutex;
    struct rt_shader_linkage **shaders; /* copies of those of all shaders that were created with it */
    UINT shader_count;
};

/* ---- The chunk ----------------------------------------------------------------------------------------- */

static const char *text_at(const struct rt_shader_linkage *linkage, uint32_t at)
{
    return at < linkage->size && memchr(linkage->bytes + at, 0, linkage->size - at)
               ? (const char *)linkage->bytes + at
               : NULL;
}

static const uint8_t *class_at(const struct rt_shader_linkage *linkage, uint32_t index)
{
    return linkage->bytes + linkage->classes_at + (size_t)index * CLASS_BYTES;
}

static const uint8_t *instance_at(const struct rt_shader_linkage *linkage, uint32_t index)
{
    return linkage->bytes + linkage->instances_at + (size_t)index * INSTANCE_BYTES;
}

static const uint8_t *slots_at(const struct rt_shader_linkage *linkage, uint32_t index)
{
    return linkage->bytes + linkage->slots_at + (size_t)index * SLOTS_BYTES;
}

static bool fits(const struct rt_shader_linkage *linkage, uint32_t at, uint32_t count, uint32_t bytes)
{
    return at <= linkage->size && (uint64_t)count * bytes <= linkage->size - at;
}

static bool is_good(const struct rt_shader_linkage *linkage)
{
    if (!fits(linkage, linkage->instances_at, linkage->instances, INSTANCE_BYTES) ||
        !fits(linkage, linkage->classes_at, linkage->classes, CLASS_BYTES) ||
        !fits(linkage, linkage->slots_at, linkage->slots, SLOTS_BYTES))
        return false;
    for (uint32_t i = 0; i < linkage->classes; i++)
        if (!text_at(linkage, rt_bytecode_u32(class_at(linkage, i))))
            return false;
    for (uint32_t i = 0; i < linkage->instances; i++)
        if (!text_at(linkage, rt_bytecode_u32(instance_at(linkage, i))) ||
            rt_bytecode_u16(instance_at(linkage, i) + 4) >= linkage->classes)
            return false;
    for (uint32_t i = 0; i < linkage->slots; i++) {
        const uint8_t *record = slots_at(linkage, i);
        const uint32_t choices = rt_bytecode_u32(record + 4);
        if (!fits(linkage, rt_bytecode_u32(record + 8), choices, 2) ||
            !fits(linkage, rt_bytecode_u32(record + 12), choices, 4))
            return false;
    }
    return rt_shader_linkage_slots(linkage) <= MOST_SLOTS;
}

static struct rt_shader_linkage *copy(const uint8_t *bytes, uint32_t size)
{
    struct rt_shader_linkage *linkage = malloc(sizeof(*linkage) + size);
    if (!linkage)
        return NULL;
    *linkage = (struct rt_shader_linkage){
        .size = size,
        .instances = rt_bytecode_u32(bytes),
        .classes = rt_bytecode_u32(bytes + 4),
        .slots = rt_bytecode_u32(bytes + 8),
        .instances_at = rt_bytecode_u32(bytes + 16),
        .classes_at = rt_bytecode_u32(bytes + 20),
        .slots_at = rt_bytecode_u32(bytes + 24),
    };
    memcpy(linkage->bytes, bytes, size);
    return linkage;
}

UINT rt_shader_linkage_slots(const struct rt_shader_linkage *linkage)
{
    uint64_t count = 0;
    for (uint32_t i = 0; linkage && i < linkage->slots; i++)
        count += rt_bytecode_u32(slots_at(linkage, i));
    return count < UINT32_MAX ? (UINT)count : UINT32_MAX;
}

void rt_shader_linkage_free(struct rt_shader_linkage *linkage)
{
    free(linkage);
}

static bool keep(struct rt_class_linkage *linkage, struct rt_shader_linkage *shader)
{
    struct rt_shader_linkage **grown;
    rt_mutex_lock(&linkage->mutex);
    grown = realloc(linkage->shaders, (linkage->shader_count + 1) * sizeof(*grown));
    if (grown) {
        linkage->shaders = grown;
        grown[linkage->shader_count++] = shader;
    }
    rt_mutex_unlock(&linkage->mutex);
    return grown != NULL;
}

HRESULT rt_shader_linkage_read(ID3D11ClassLinkage *of, const struct rt_bytecode *code,
                               struct rt_shader_linkage **out)
{
    struct rt_class_linkage *linkage = (struct rt_class_linkage *)RT_OBJECT(of);
    struct rt_shader_linkage *kept;
    const uint8_t *bytes;
    uint32_t size;
    *out = NULL;
    if (!rt_bytecode_linkage(code, &bytes, &size))
        return S_OK;
    if (size < HEADER_BYTES)
        return E_INVALIDARG;
    *out = copy(bytes, size);
    if (!*out)
        return E_OUTOFMEMORY;
    if (!is_good(*out))
        return E_INVALIDARG;
    kept = copy(bytes, size);
    if (!kept || !keep(linkage, kept)) {
        free(kept);
        return E_OUTOFMEMORY;
    }
    return S_OK;
}

bool rt_shader_linkage_resolve(const struct rt_shader_linkage *linkage, UINT slot,
                               const struct rt_class_instance *instance,
                               struct aerogpu_ext_class_instance *made)
{
    UINT first = 0;
    for (uint32_t i = 0; linkage && i < linkage->slots; i++) {
        const uint8_t *record = slots_at(linkage, i);
        const uint32_t count = rt_bytecode_u32(record), choices = rt_bytecode_u32(record + 4);
        const uint8_t *types = linkage->bytes + rt_bytecode_u32(record + 8);
        const uint8_t *tables = linkage->bytes + rt_bytecode_u32(record + 12);
        for (uint32_t choice = 0; slot - first < count && choice < choices; choice++) {
            const uint32_t type = rt_bytecode_u16(types + (size_t)choice * 2);
            if (type >= linkage->classes ||
                strcmp(text_at(linkage, rt_bytecode_u32(class_at(linkage, type))), instance->type_name) != 0)
                continue;
            *made = (struct aerogpu_ext_class_instance){
                .function_table = rt_bytecode_u32(tables + (size_t)choice * 4),
                .constant_buffer = instance->desc.ConstantBuffer,
                .constant_offset_bytes = instance->desc.BaseConstantBufferOffset * VECTOR_BYTES,
                .texture = instance->desc.BaseTexture,
                .sampler = instance->desc.BaseSampler,
            };
            return true;
        }
        first += count;
    }
    return false;
}

/* ---- Instances ----------------------------------------------------------------------------------------- */

static struct rt_class_instance *instance_of(ID3D11ClassInstance *self)
{
    return (struct rt_class_instance *)RT_OBJECT(self);
}

RT_CHILD_METHODS(ID3D11ClassInstance)

RT_METHOD(void) get_linkage(ID3D11ClassInstance *self, ID3D11ClassLinkage **out)
{
    *out = rt_object_return((struct rt_object *)instance_of(self)->linkage);
}

RT_METHOD(void) get_desc(ID3D11ClassInstance *self, D3D11_CLASS_INSTANCE_DESC *desc)
{
    *desc = instance_of(self)->desc;
}

/* The length that is told includes the terminator. */
static void give_text(const char *text, LPSTR out, SIZE_T *length)
{
    const SIZE_T size = strlen(text ? text : "") + 1;
    if (out && *length > 0) {
        const SIZE_T copied = size < *length ? size : *length;
        memcpy(out, text ? text : "", copied);
        out[copied - 1] = 0;
    }
    *length = size;
}

RT_METHOD(void) get_instance_name(ID3D11ClassInstance *self, LPSTR name, SIZE_T *length)
{
    give_text(instance_of(self)->instance_name, name, length);
}

RT_METHOD(void) get_type_name(ID3D11ClassInstance *self, LPSTR name, SIZE_T *length)
{
    give_text(instance_of(self)->type_name, name, length);
}

static const ID3D11ClassInstanceVtbl instance_methods = {
    RT_CHILD_SLOTS(ID3D11ClassInstance),  .GetClassLinkage = get_linkage, .GetDesc = get_desc,
    .GetInstanceName = get_instance_name, .GetTypeName = get_type_name,
};

static void destroy_instance(struct rt_object *object)
{
    struct rt_class_instance *instance = (struct rt_class_instance *)object;
    rt_object_let_go((struct rt_object *)instance->linkage);
    free(instance->instance_name);
    free(instance->type_name);
    rt_object_fini(object);
    free(instance);
}

static const struct rt_class instance_class = {
    RT_CLASS_CLASS_INSTANCE, {&instance_methods}, destroy_instance, NULL};

static char *duplicate(const char *text)
{
    const size_t size = strlen(text) + 1;
    char *made = malloc(size);
    return made ? memcpy(made, text, size) : NULL;
}

static HRESULT make_instance(struct rt_class_linkage *linkage, const char *name, const char *type,
                             const D3D11_CLASS_INSTANCE_DESC *desc, ID3D11ClassInstance **out)
{
    struct rt_class_instance *instance = calloc(1, sizeof(*instance));
    if (!instance)
        return E_OUTOFMEMORY;
    rt_object_init(&instance->object, &instance_class, linkage->object.device);
    instance->linkage = linkage;
    rt_object_hold(&linkage->object);
    instance->desc = *desc;
    instance->type_name = duplicate(type);
    instance->instance_name = name ? duplicate(name) : NULL;
    if (!instance->type_name || (name && !instance->instance_name)) {
        rt_object_release(&instance->object);
        return E_OUTOFMEMORY;
    }
    *out = (ID3D11ClassInstance *)&instance->object.faces[0];
    return S_OK;
}

/* ---- Linkages ------------------------------------------------------------------------------------------ */

static struct rt_class_linkage *linkage_of(ID3D11ClassLinkage *self)
{
    return (struct rt_class_linkage *)RT_OBJECT(self);
}

RT_CHILD_METHODS(ID3D11ClassLinkage)

static bool find_instance(const struct rt_shader_linkage *shader, LPCSTR name, UINT index,
                          D3D11_CLASS_INSTANCE_DESC *desc, const char **type)
{
    for (uint32_t i = 0; i < shader->instances; i++) {
        const uint8_t *record = instance_at(shader, i);
        const uint32_t number = rt_bytecode_u16(record + 4);
        const uint32_t stride = rt_bytecode_u16(class_at(shader, number) + 6);
        if (strcmp(text_at(shader, rt_bytecode_u32(record)), name) != 0 ||
            index >= rt_bytecode_u16(record + 6))
            continue;
        *desc = (D3D11_CLASS_INSTANCE_DESC){
            .InstanceId = i,
            .InstanceIndex = index,
            .TypeId = number,
            .ConstantBuffer = rt_bytecode_u16(record + 8),
            .BaseConstantBufferOffset = rt_bytecode_u16(record + 10) + index * stride,
            .BaseTexture = rt_bytecode_u16(record + 12),
            .BaseSampler = rt_bytecode_u16(record + 14),
            .Created = FALSE,
        };
        *type = text_at(shader, rt_bytecode_u32(class_at(shader, number)));
        return true;
    }
    return false;
}

RT_METHOD(HRESULT)
get_class_instance(ID3D11ClassLinkage *self, LPCSTR name, UINT index, ID3D11ClassInstance **out)
{
    struct rt_class_linkage *linkage = linkage_of(self);
    HRESULT result = E_INVALIDARG;
    if (!out)
        return E_INVALIDARG;
    *out = NULL;
    if (!name)
        return E_INVALIDARG;
    rt_mutex_lock(&linkage->mutex);
    for (UINT i = 0; i < linkage->shader_count; i++) {
        D3D11_CLASS_INSTANCE_DESC desc;
        const char *type;
        if (!find_instance(linkage->shaders[i], name, index, &desc, &type))
            continue;
        result = make_instance(linkage, name, type, &desc, out);
        break;
    }
    rt_mutex_unlock(&linkage->mutex);
    return result;
}

static bool find_type(const struct rt_class_linkage *linkage, LPCSTR name, UINT *type)
{
    for (UINT i = 0; i < linkage->shader_count; i++)
        for (*type = 0; *type < linkage->shaders[i]->classes; (*type)++)
            if (strcmp(text_at(linkage->shaders[i], rt_bytecode_u32(class_at(linkage->shaders[i], *type))),
                       name) == 0)
                return true;
    return false;
}

RT_METHOD(HRESULT)
create_class_instance(ID3D11ClassLinkage *self, LPCSTR name, UINT buffer, UINT vector, UINT texture,
                      UINT sampler, ID3D11ClassInstance **out)
{
    struct rt_class_linkage *linkage = linkage_of(self);
    D3D11_CLASS_INSTANCE_DESC desc = {.ConstantBuffer = buffer,
                                      .BaseConstantBufferOffset = vector,
                                      .BaseTexture = texture,
                                      .BaseSampler = sampler,
                                      .Created = TRUE};
    HRESULT result;
    if (!out)
        return E_INVALIDARG;
    *out = NULL;
    if (!name)
        return E_INVALIDARG;
    rt_mutex_lock(&linkage->mutex);
    result = find_type(linkage, name, &desc.TypeId) ? make_instance(linkage, NULL, name, &desc, out)
                                                    : E_INVALIDARG;
    rt_mutex_unlock(&linkage->mutex);
    return result;
}

static const ID3D11ClassLinkageVtbl linkage_methods = {
    RT_CHILD_SLOTS(ID3D11ClassLinkage),
    .GetClassInstance = get_class_instance,
    .CreateClassInstance = create_class_instance,
};

static void destroy_linkage(struct rt_object *object)
{
    struct rt_class_linkage *linkage = (struct rt_class_linkage *)object;
    for (UINT i = 0; i < linkage->shader_count; i++)
        free(linkage->shaders[i]);
    free(linkage->shaders);
    rt_mutex_fini(&linkage->mutex);
    rt_object_fini(object);
    free(linkage);
}

static const struct rt_class linkage_class = {
    RT_CLASS_CLASS_LINKAGE, {&linkage_methods}, destroy_linkage, NULL};

HRESULT STDMETHODCALLTYPE rt_device_create_class_linkage(ID3D11Device5 *self, ID3D11ClassLinkage **out)
{
    struct rt_class_linkage *linkage;
    if (!out)
        return E_INVALIDARG;
    *out = NULL;
    linkage = calloc(1, sizeof(*linkage));
    if (!linkage)
        return E_OUTOFMEMORY;
    rt_object_init(&linkage->object, &linkage_class, rt_device_of(self));
    rt_mutex_init(&linkage->mutex);
    *out = (ID3D11ClassLinkage *)&linkage->object.faces[0];
    return S_OK;
}
