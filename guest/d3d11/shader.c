/* SPDX-License-Identifier: MIT
 *
 * ID3D11VertexShader to ID3D11ComputeShader, and stream output of geometry shaders.
 */
#include "guest/d3d11/shader.h"

#include "guest/d3d11/bytecode.h"
#include "guest/d3d11/class_linkage.h"
#include "guest/d3d11/d3d10_faces.h"

#include <stdlib.h>
#include <string.h>

RT_CHILD_METHODS(ID3D11VertexShader)
RT_CHILD_METHODS(ID3D11HullShader)
RT_CHILD_METHODS(ID3D11DomainShader)
RT_CHILD_METHODS(ID3D11GeometryShader)
RT_CHILD_METHODS(ID3D11PixelShader)
RT_CHILD_METHODS(ID3D11ComputeShader)

static const ID3D11VertexShaderVtbl vs_methods = {RT_CHILD_SLOTS(ID3D11VertexShader)};
static const ID3D11HullShaderVtbl hs_methods = {RT_CHILD_SLOTS(ID3D11HullShader)};
static const ID3D11DomainShaderVtbl ds_methods = {RT_CHILD_SLOTS(ID3D11DomainShader)};
static const ID3D11GeometryShaderVtbl gs_methods = {RT_CHILD_SLOTS(ID3D11GeometryShader)};
static const ID3D11PixelShaderVtbl ps_methods = {RT_CHILD_SLOTS(ID3D11PixelShader)};
static const ID3D11ComputeShaderVtbl cs_methods = {RT_CHILD_SLOTS(ID3D11ComputeShader)};

static void destroy(struct rt_object *object)
{
    struct rt_shader *shader = (struct rt_shader *)object;
    umd_destroy_shader(object->device->umd, shader->umd);
    rt_shader_linkage_free(shader->linkage);
    rt_object_fini(object);
    free(shader);
}

static const struct rt_class classes[] = {
    [UMD_STAGE_VERTEX] = {RT_CLASS_VERTEX_SHADER,
                          {&vs_methods, [RT_FACE_D3D10] = &rt_d3d10_vs_methods},
                          destroy,                                                        NULL},
    [UMD_STAGE_HULL] = {RT_CLASS_HULL_SHADER,     {&hs_methods},               destroy, NULL},
    [UMD_STAGE_DOMAIN] = {RT_CLASS_DOMAIN_SHADER,   {&ds_methods},               destroy, NULL},
    [UMD_STAGE_GEOMETRY] = {RT_CLASS_GEOMETRY_SHADER,
                          {&gs_methods, [RT_FACE_D3D10] = &rt_d3d10_gs_methods},
                          destroy,                                                        NULL},
    [UMD_STAGE_PIXEL] = {RT_CLASS_PIXEL_SHADER,
                          {&ps_methods, [RT_FACE_D3D10] = &rt_d3d10_ps_methods},
                          destroy,                                                        NULL},
    [UMD_STAGE_COMPUTE] = {RT_CLASS_COMPUTE_SHADER,  {&cs_methods},               destroy, NULL},
};

/* Whether the feature level has the shader model. */
static bool has_model(const struct rt_device *device, const struct rt_bytecode *code)
{
    if (code->major >= 5)
        return device->level >= D3D_FEATURE_LEVEL_11_0;
    return code->minor == 0 || device->level >= D3D_FEATURE_LEVEL_10_1;
}

static HRESULT make(struct rt_device *device, enum umd_stage stage, const struct umd_shader_desc *desc,
                    const struct rt_bytecode *code, ID3D11ClassLinkage *linkage, void **out)
{
    struct rt_shader *shader;
    HRESULT result;
    if (!out)
        return S_FALSE;
    shader = calloc(1, sizeof(*shader));
    if (!shader)
        return E_OUTOFMEMORY;
    shader->stage = stage;
    result = rt_result(umd_create_shader(device->umd, desc, &shader->umd));
    if (FAILED(result)) {
        free(shader);
        return result;
    }
    rt_object_init(&shader->object, &classes[stage], device);
    if (linkage) {
        result = rt_shader_linkage_read(linkage, code, &shader->linkage);
        if (FAILED(result)) {
            rt_object_release(&shader->object);
            return result;
        }
    }
    *out = &shader->object.faces[0];
    return S_OK;
}

/* Layers and viewports are chosen by geometry shaders alone: the device says so by its options. */
static bool chooses_target(const struct rt_bytecode *code)
{
    const uint32_t count = rt_bytecode_element_count(code, RT_SIGNATURE_OUTPUT);
    struct rt_signature_element element;
    if (code->program != UMD_STAGE_VERTEX && code->program != UMD_STAGE_DOMAIN)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (rt_bytecode_element(code, RT_SIGNATURE_OUTPUT, i, &element) &&
            (element.system_value == D3D_NAME_RENDER_TARGET_ARRAY_INDEX ||
             element.system_value == D3D_NAME_VIEWPORT_ARRAY_INDEX))
            return true;
    return false;
}

static HRESULT create(ID3D11Device5 *self, enum umd_stage stage, const void *bytes, SIZE_T size,
                      ID3D11ClassLinkage *linkage, void **out)
{
    struct rt_device *device = rt_device_of(self);
    struct rt_bytecode code;
    if (out)
        *out = NULL;
    if (!rt_bytecode_open(&code, bytes, size) || code.program != (uint32_t)stage ||
        !has_model(device, &code) || chooses_target(&code))
        return E_INVALIDARG;
    const struct umd_shader_desc desc = {.stage = stage, .code = code.bytes, .size_bytes = code.size};
    return make(device, stage, &desc, &code, linkage, out);
}

#define CREATE(name, stage, I)                                                                               \
    HRESULT STDMETHODCALLTYPE name(ID3D11Device5 *self, const void *code, SIZE_T size,                       \
                                   ID3D11ClassLinkage *linkage, I **out)                                     \
    {                                                                                                        \
        return create(self, stage, code, size, linkage, (void **)out);                                       \
    }

CREATE(rt_device_create_vs, UMD_STAGE_VERTEX, ID3D11VertexShader)
CREATE(rt_device_create_hs, UMD_STAGE_HULL, ID3D11HullShader)
CREATE(rt_device_create_ds, UMD_STAGE_DOMAIN, ID3D11DomainShader)
CREATE(rt_device_create_gs, UMD_STAGE_GEOMETRY, ID3D11GeometryShader)
CREATE(rt_device_create_ps, UMD_STAGE_PIXEL, ID3D11PixelShader)
CREATE(rt_device_create_cs, UMD_STAGE_COMPUTE, ID3D11ComputeShader)

/* ---- Stream output ------------------------------------------------------------------------------------- */

#define COMPONENTS 4u
#define MOST_SO_STRIDE_BYTES 2048u
#define MOST_SO_ENTRIES (D3D11_SO_STREAM_COUNT * D3D11_SO_OUTPUT_COMPONENT_COUNT)

static UINT count_bits(UINT mask)
{
    UINT count = 0;
    for (; mask; mask &= mask - 1)
        count++;
    return count;
}

static UINT first_bit(UINT mask)
{
    UINT bit = 0;
    while (mask && !(mask >> bit & 1))
        bit++;
    return bit;
}

/* The signature element that an entry of a declaration names. */
static bool find_output(const struct rt_bytecode *code, const D3D11_SO_DECLARATION_ENTRY *entry,
                        struct rt_signature_element *element)
{
    const uint32_t count = rt_bytecode_element_count(code, RT_SIGNATURE_OUTPUT);
    for (uint32_t i = 0; i < count; i++) {
        if (!rt_bytecode_element(code, RT_SIGNATURE_OUTPUT, i, element))
            return false;
        if (element->stream == entry->Stream && element->semantic_index == entry->SemanticIndex &&
            rt_semantics_equal(element->semantic, entry->SemanticName))
            return true;
    }
    return false;
}

/* Components of an entry are counted from the first one that the shader writes. */
static bool element_of_entry(const struct rt_bytecode *code, const D3D11_SO_DECLARATION_ENTRY *entry,
                             struct aerogpu_ext_stream_output_element *made)
{
    const UINT mask = ((1u << entry->ComponentCount) - 1) << entry->StartComponent;
    struct rt_signature_element output;
    if (entry->Stream >= D3D11_SO_STREAM_COUNT || entry->OutputSlot >= UMD_STREAM_OUTPUT_SLOTS ||
        entry->ComponentCount == 0)
        return false;
    *made =
        (struct aerogpu_ext_stream_output_element){.stream = entry->Stream, .output_slot = entry->OutputSlot};
    if (!entry->SemanticName) {
        made->register_index = AEROGPU_EXT_STREAM_OUTPUT_GAP;
        made->mask = entry->ComponentCount;
        return entry->SemanticIndex == 0 && entry->StartComponent == 0;
    }
    if (entry->StartComponent + entry->ComponentCount > COMPONENTS || !find_output(code, entry, &output) ||
        entry->StartComponent + entry->ComponentCount > count_bits(output.mask))
        return false;
    made->register_index = output.register_index;
    made->mask = mask << first_bit(output.mask);
    return true;
}

/* What a declaration puts into one slot. */
struct so_slot {
    UINT entries, outputs; /* the latter are not gaps */
    UINT bytes;
};

static void count_slots(const D3D11_SO_DECLARATION_ENTRY *entries, UINT count, struct so_slot *slots)
{
    memset(slots, 0, UMD_STREAM_OUTPUT_SLOTS * sizeof(*slots));
    for (UINT i = 0; i < count; i++) {
        struct so_slot *slot = &slots[entries[i].OutputSlot];
        slot->entries++;
        slot->outputs += entries[i].SemanticName != NULL;
        slot->bytes += entries[i].ComponentCount * (UINT)sizeof(float);
    }
}

/* No component goes out twice. */
static bool are_outputs_distinct(const struct aerogpu_ext_stream_output_element *elements, UINT count)
{
    for (UINT i = 0; i < count; i++)
        for (UINT other = 0; other < i; other++)
            if (elements[i].register_index != AEROGPU_EXT_STREAM_OUTPUT_GAP &&
                elements[i].register_index == elements[other].register_index &&
                elements[i].stream == elements[other].stream && (elements[i].mask & elements[other].mask))
                return false;
    return true;
}

/* A slot has more than gaps. Below feature level 11_0 several slots have one output each. */
static bool are_slots_allowed(const struct so_slot *slots, bool is_level_10)
{
    UINT used = 0, most = 0;
    for (UINT i = 0; i < UMD_STREAM_OUTPUT_SLOTS; i++) {
        if (slots[i].entries && !slots[i].outputs)
            return false;
        used += slots[i].entries > 0;
        most = slots[i].entries > most ? slots[i].entries : most;
    }
    return !is_level_10 || used <= 1 || most == 1;
}

/* Strides are given for all slots that are used, or for none, and have room for what is declared. */
static bool strides_of(const struct so_slot *slots, bool is_level_10, const UINT *strides, UINT stride_count,
                       struct umd_stream_output *output)
{
    for (UINT i = 0; stride_count && i < UMD_STREAM_OUTPUT_SLOTS; i++) {
        const bool is_used = slots[i].entries > 0;
        if (i >= stride_count) {
            if (is_used)
                return false;
            continue;
        }
        if ((is_used || is_level_10) && (strides[i] > MOST_SO_STRIDE_BYTES || strides[i] % sizeof(float)))
            return false;
        if (is_used && slots[i].bytes > strides[i])
            return false;
        output->stride_bytes[i] = is_used ? strides[i] : 0;
    }
    return true;
}

/* The output signature of a vertex or domain shader that stands for a geometry shader. */
static HRESULT copy_signature(const struct rt_bytecode *code, struct aerogpu_ext_signature_element **out,
                              uint32_t *count)
{
    struct aerogpu_ext_signature_element *elements;
    *count = rt_bytecode_element_count(code, RT_SIGNATURE_OUTPUT);
    if (*count > D3D11_VS_OUTPUT_REGISTER_COUNT * COMPONENTS)
        return E_INVALIDARG;
    elements = calloc(*count + 1, sizeof(*elements));
    if (!elements)
        return E_OUTOFMEMORY;
    for (uint32_t i = 0; i < *count; i++) {
        struct rt_signature_element from;
        if (!rt_bytecode_element(code, RT_SIGNATURE_OUTPUT, i, &from)) {
            free(elements);
            return E_INVALIDARG;
        }
        elements[i] = (struct aerogpu_ext_signature_element){
            .system_value = from.system_value,
            .register_index = from.register_index,
            .mask = from.mask,
            .stream = from.stream,
            .component_type = from.component_type,
        };
    }
    *out = elements;
    return S_OK;
}

static HRESULT make_with_so(struct rt_device *device, const struct rt_bytecode *code,
                            const struct umd_stream_output *output, ID3D11ClassLinkage *linkage, void **out)
{
    struct umd_shader_desc desc = {.stage = UMD_STAGE_GEOMETRY, .stream_output = output};
    struct aerogpu_ext_signature_element *elements = NULL;
    HRESULT result = S_OK;
    if (code->program == UMD_STAGE_GEOMETRY) {
        desc.code = code->bytes;
        desc.size_bytes = code->size;
    } else {
        result = copy_signature(code, &elements, &desc.output.count);
        desc.output.elements = elements;
    }
    if (SUCCEEDED(result))
        result = make(device, UMD_STAGE_GEOMETRY, &desc, code, linkage, out);
    free(elements);
    return result;
}

HRESULT STDMETHODCALLTYPE rt_device_create_gs_with_so(ID3D11Device5 *self, const void *bytes, SIZE_T size,
                                                      const D3D11_SO_DECLARATION_ENTRY *entries, UINT count,
                                                      const UINT *strides, UINT stride_count, UINT rasterized,
                                                      ID3D11ClassLinkage *linkage, ID3D11GeometryShader **out)
{
    struct rt_device *device = rt_device_of(self);
    const bool is_level_10 = device->level < D3D_FEATURE_LEVEL_11_0;
    struct so_slot slots[UMD_STREAM_OUTPUT_SLOTS];
    struct umd_stream_output output = {.count = count, .rasterized_stream = rasterized};
    struct aerogpu_ext_stream_output_element *elements;
    struct rt_bytecode code;
    HRESULT result = S_OK;
    if (out)
        *out = NULL;
    if (!rt_bytecode_open(&code, bytes, size) || !has_model(device, &code) ||
        (code.program != UMD_STAGE_GEOMETRY && code.program != UMD_STAGE_VERTEX &&
         code.program != UMD_STAGE_DOMAIN))
        return E_INVALIDARG;
    if ((count > 0) != (entries != NULL) || count > MOST_SO_ENTRIES || (stride_count && !strides) ||
        stride_count > UMD_STREAM_OUTPUT_SLOTS)
        return E_INVALIDARG;
    if (is_level_10 ? rasterized != 0 || (stride_count && !count)
                    : rasterized >= D3D11_SO_STREAM_COUNT && rasterized != D3D11_SO_NO_RASTERIZED_STREAM)
        return E_INVALIDARG;
    /* A shader of another stage stands there for what it declares alone. */
    if (count == 0 && code.program != UMD_STAGE_GEOMETRY)
        return E_INVALIDARG;
    elements = calloc(count + 1, sizeof(*elements));
    if (!elements)
        return E_OUTOFMEMORY;
    for (UINT i = 0; i < count && result == S_OK; i++)
        if (!element_of_entry(&code, &entries[i], &elements[i]))
            result = E_INVALIDARG;
    if (result == S_OK) {
        count_slots(entries, count, slots);
        if (!are_outputs_distinct(elements, count) || !are_slots_allowed(slots, is_level_10) ||
            !strides_of(slots, is_level_10, strides, stride_count, &output))
            result = E_INVALIDARG;
    }
    output.elements = elements;
    if (result == S_OK)
        result = make_with_so(device, &code, &output, linkage, (void **)out);
    free(elements);
    return result;
}
