/* SPDX-License-Identifier: MIT
 *
 * What else d3d10.dll and d3d10_1.dll export: blobs, names of profiles, and the names of what needs a
 * compiler, a disassembler or the framework of effects, which is refused.
 */
#include "guest/d3d11/d3d10_exports.h"

#include <stdlib.h>

/* ---- Blobs --------------------------------------------------------------------------------------------- */

struct blob {
    struct rt_object object;
    SIZE_T size;
    max_align_t bytes[];
};

RT_UNKNOWN_METHODS(ID3D10Blob)

static struct blob *blob_of(ID3D10Blob *self)
{
    return (struct blob *)RT_OBJECT(self);
}

RT_METHOD(void *) get_pointer(ID3D10Blob *self)
{
    return blob_of(self)->bytes;
}

RT_METHOD(SIZE_T) get_size(ID3D10Blob *self)
{
    return blob_of(self)->size;
}

static const ID3D10BlobVtbl blob_methods = {
    RT_UNKNOWN_SLOTS(ID3D10Blob),
    .GetBufferPointer = get_pointer,
    .GetBufferSize = get_size,
};

static void destroy(struct rt_object *object)
{
    rt_object_fini(object);
    free(object);
}

static const struct rt_class blob_class = {RT_CLASS_BLOB, {&blob_methods}, destroy, NULL};

HRESULT WINAPI D3D10CreateBlob(SIZE_T size, ID3D10Blob **out)
{
    struct blob *blob;
    if (!out)
        return E_INVALIDARG;
    *out = NULL;
    if (size > SIZE_MAX - sizeof(*blob))
        return E_OUTOFMEMORY;
    blob = calloc(1, sizeof(*blob) + size);
    if (!blob)
        return E_OUTOFMEMORY;
    rt_object_init(&blob->object, &blob_class, NULL);
    blob->size = size;
    *out = (ID3D10Blob *)&blob->object.faces[0];
    return S_OK;
}

/* ---- Profiles ------------------------------------------------------------------------------------------ */

/* The newest that the device takes; NULL without a device. */
static const char *profile(ID3D10Device *device, const char *level_10_0, const char *level_10_1)
{
    if (!device)
        return NULL;
    return rt_device_of(device)->level >= D3D_FEATURE_LEVEL_10_1 ? level_10_1 : level_10_0;
}

const char *WINAPI D3D10GetVertexShaderProfile(ID3D10Device *device)
{
    return profile(device, "vs_4_0", "vs_4_1");
}

const char *WINAPI D3D10GetGeometryShaderProfile(ID3D10Device *device)
{
    return profile(device, "gs_4_0", "gs_4_1");
}

const char *WINAPI D3D10GetPixelShaderProfile(ID3D10Device *device)
{
    return profile(device, "ps_4_0", "ps_4_1");
}

/* ---- What is refused ----------------------------------------------------------------------------------- */

/* The program learns which function it was: by the text, if it has a debugger. */
static HRESULT refuse(const char *text, void *out, void *other)
{
    if (out)
        *(void **)out = NULL;
    if (other)
        *(void **)other = NULL;
    rt_debug_output(text);
    return E_NOTIMPL;
}

#define COMPILER(name) name " needs a compiler, which d3d10.dll of AeroGPU does not have"
#define EFFECTS(name) name " needs effects, which d3d10.dll of AeroGPU does not have"
#define READER(name) name " needs a reader of shaders, which d3d10.dll of AeroGPU does not have"

HRESULT WINAPI D3D10CompileShader(const char *source, SIZE_T size, const char *file_name,
                                  const D3D10_SHADER_MACRO *defines, ID3D10Include *include,
                                  const char *entry, const char *target, UINT flags, ID3D10Blob **shader,
                                  ID3D10Blob **errors)
{
    (void)source;
    (void)size;
    (void)file_name;
    (void)defines;
    (void)include;
    (void)entry;
    (void)target;
    (void)flags;
    return refuse(COMPILER("D3D10CompileShader"), shader, errors);
}

HRESULT WINAPI D3D10PreprocessShader(const char *source, SIZE_T size, const char *file_name,
                                     const D3D10_SHADER_MACRO *defines, ID3D10Include *include,
                                     ID3D10Blob **text, ID3D10Blob **errors)
{
    (void)source;
    (void)size;
    (void)file_name;
    (void)defines;
    (void)include;
    return refuse(COMPILER("D3D10PreprocessShader"), text, errors);
}

HRESULT WINAPI D3D10CompileEffectFromMemory(void *source, SIZE_T size, const char *file_name,
                                            const D3D10_SHADER_MACRO *defines, ID3D10Include *include,
                                            UINT shader_flags, UINT effect_flags, ID3D10Blob **effect,
                                            ID3D10Blob **errors)
{
    (void)source;
    (void)size;
    (void)file_name;
    (void)defines;
    (void)include;
    (void)shader_flags;
    (void)effect_flags;
    return refuse(COMPILER("D3D10CompileEffectFromMemory"), effect, errors);
}

HRESULT WINAPI D3D10CreateEffectFromMemory(void *bytes, SIZE_T size, UINT flags, ID3D10Device *device,
                                           ID3D10EffectPool *pool, ID3D10Effect **effect)
{
    (void)bytes;
    (void)size;
    (void)flags;
    (void)device;
    (void)pool;
    return refuse(EFFECTS("D3D10CreateEffectFromMemory"), effect, NULL);
}

HRESULT WINAPI D3D10CreateEffectPoolFromMemory(void *bytes, SIZE_T size, UINT flags, ID3D10Device *device,
                                               ID3D10EffectPool **pool)
{
    (void)bytes;
    (void)size;
    (void)flags;
    (void)device;
    return refuse(EFFECTS("D3D10CreateEffectPoolFromMemory"), pool, NULL);
}

HRESULT WINAPI D3D10DisassembleEffect(ID3D10Effect *effect, BOOL color, ID3D10Blob **out)
{
    (void)effect;
    (void)color;
    return refuse(EFFECTS("D3D10DisassembleEffect"), out, NULL);
}

HRESULT WINAPI D3D10DisassembleShader(const void *code, SIZE_T size, BOOL color, const char *comments,
                                      ID3D10Blob **out)
{
    (void)code;
    (void)size;
    (void)color;
    (void)comments;
    return refuse(READER("D3D10DisassembleShader"), out, NULL);
}

HRESULT WINAPI D3D10ReflectShader(const void *code, SIZE_T size, ID3D10ShaderReflection **out)
{
    (void)code;
    (void)size;
    return refuse(READER("D3D10ReflectShader"), out, NULL);
}

#define REFUSED_BLOB(name)                                                                                   \
    HRESULT WINAPI name(const void *code, SIZE_T size, ID3D10Blob **out)                                     \
    {                                                                                                        \
        (void)code;                                                                                          \
        (void)size;                                                                                          \
        return refuse(READER(#name), out, NULL);                                                             \
    }

REFUSED_BLOB(D3D10GetInputSignatureBlob)
REFUSED_BLOB(D3D10GetOutputSignatureBlob)
REFUSED_BLOB(D3D10GetInputAndOutputSignatureBlob)
REFUSED_BLOB(D3D10GetShaderDebugInfo)
