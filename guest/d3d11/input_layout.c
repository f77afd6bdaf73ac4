/* SPDX-License-Identifier: MIT
 *
 * ID3D11InputLayout: elements by semantics become elements by the registers of a vertex shader's signature.
 */
#include "guest/d3d11/bytecode.h"
#include "guest/d3d11/d3d10_faces.h"
#include "guest/d3d11/format.h"
#include "guest/d3d11/shader.h"

#include <stdlib.h>

RT_CHILD_METHODS(ID3D11InputLayout)

static const ID3D11InputLayoutVtbl methods = {RT_CHILD_SLOTS(ID3D11InputLayout)};

static void destroy(struct rt_object *object)
{
    struct rt_input_layout *layout = (struct rt_input_layout *)object;
    umd_destroy_input_layout(object->device->umd, layout->umd);
    rt_object_fini(object);
    free(layout);
}

static const struct rt_class layout_class = {
    RT_CLASS_INPUT_LAYOUT, {&methods, [RT_FACE_D3D10] = &rt_d3d10_input_layout_methods},
     destroy, NULL
};

enum { MOST_ELEMENTS = UMD_VERTEX_BUFFER_SLOTS }; /* as many as there are registers */

/* System values that the input assembler makes itself. Signatures of other stages have them without their
 * numbers. */
static bool is_generated(const struct rt_signature_element *input)
{
    return input->system_value == D3D_NAME_VERTEX_ID || input->system_value == D3D_NAME_INSTANCE_ID ||
           input->system_value == D3D_NAME_PRIMITIVE_ID ||
           rt_semantics_equal(input->semantic, "SV_VertexID") ||
           rt_semantics_equal(input->semantic, "SV_InstanceID");
}

static bool is_element_allowed(struct rt_device *device, const D3D11_INPUT_ELEMENT_DESC *element)
{
    const UINT bytes = rt_format_block_bytes(element->Format), alignment = bytes < 4 ? bytes : 4;
    const UINT support = rt_device_format_support(device, element->Format);
    if (!element->SemanticName || !(support & D3D11_FORMAT_SUPPORT_IA_VERTEX_BUFFER) || bytes == 0 ||
        element->InputSlot >= UMD_VERTEX_BUFFER_SLOTS)
        return false;
    if (element->AlignedByteOffset != D3D11_APPEND_ALIGNED_ELEMENT && element->AlignedByteOffset % alignment)
        return false;
    return element->InputSlotClass == D3D11_INPUT_PER_INSTANCE_DATA ||
           (element->InputSlotClass == D3D11_INPUT_PER_VERTEX_DATA && element->InstanceDataStepRate == 0);
}

static bool are_elements_allowed(struct rt_device *device, const D3D11_INPUT_ELEMENT_DESC *elements,
                                 UINT count)
{
    for (UINT i = 0; i < count; i++) {
        if (!is_element_allowed(device, &elements[i]))
            return false;
        for (UINT other = 0; other < i; other++) {
            if (elements[other].InputSlot == elements[i].InputSlot &&
                elements[other].InputSlotClass != elements[i].InputSlotClass)
                return false;
            if (elements[other].SemanticIndex == elements[i].SemanticIndex &&
                rt_semantics_equal(elements[other].SemanticName, elements[i].SemanticName))
                return false;
        }
    }
    return true;
}

static UINT find_element(const D3D11_INPUT_ELEMENT_DESC *elements, UINT count,
                         const struct rt_signature_element *input)
{
    UINT i = 0;
    while (i < count && (elements[i].SemanticIndex != input->semantic_index ||
                         !rt_semantics_equal(elements[i].SemanticName, input->semantic)))
        i++;
    return i;
}

/* An offset that follows the element before it in its slot. */
static UINT appended_offset(const D3D11_INPUT_ELEMENT_DESC *elements, const UINT *offsets, UINT index)
{
    const UINT bytes = rt_format_block_bytes(elements[index].Format), alignment = bytes < 4 ? bytes : 4;
    for (UINT i = index; i-- > 0;)
        if (elements[i].InputSlot == elements[index].InputSlot)
            return (offsets[i] + rt_format_block_bytes(elements[i].Format) + alignment - 1) / alignment *
                   alignment;
    return 0;
}

/* One packet element for each input register of the signature that an element describes. Elements that the
 * shader does not read are allowed; inputs that no element describes are not. */
static HRESULT match(const struct rt_bytecode *code, const D3D11_INPUT_ELEMENT_DESC *elements, UINT count,
                     struct aerogpu_ext_input_element *made, UINT *made_count)
{
    const uint32_t inputs = rt_bytecode_element_count(code, RT_SIGNATURE_INPUT);
    UINT offsets[MOST_ELEMENTS];
    for (UINT i = 0; i < count; i++)
        offsets[i] = elements[i].AlignedByteOffset != D3D11_APPEND_ALIGNED_ELEMENT
                         ? elements[i].AlignedByteOffset
                         : appended_offset(elements, offsets, i);
    *made_count = 0;
    for (uint32_t i = 0; i < inputs; i++) {
        struct rt_signature_element input;
        UINT found;
        if (!rt_bytecode_element(code, RT_SIGNATURE_INPUT, i, &input))
            return E_INVALIDARG;
        if (is_generated(&input))
            continue;
        found = find_element(elements, count, &input);
        if (found == count || *made_count == MOST_ELEMENTS)
            return E_INVALIDARG;
        made[(*made_count)++] = (struct aerogpu_ext_input_element){
            .input_register = input.register_index,
            .format = elements[found].Format,
            .input_slot = elements[found].InputSlot,
            .aligned_byte_offset = offsets[found],
            .input_slot_class = elements[found].InputSlotClass,
            .instance_data_step_rate = elements[found].InstanceDataStepRate,
        };
    }
    return S_OK;
}

HRESULT STDMETHODCALLTYPE rt_device_create_input_layout(ID3D11Device5 *self,
                                                        const D3D11_INPUT_ELEMENT_DESC *elements, UINT count,
                                                        const void *bytes, SIZE_T size,
                                                        ID3D11InputLayout **out)
{
    struct rt_device *device = rt_device_of(self);
    struct aerogpu_ext_input_element made[MOST_ELEMENTS];
    struct rt_input_layout *layout;
    struct rt_bytecode code;
    UINT made_count;
    HRESULT result;
    if (out)
        *out = NULL;
    if (!elements || count > MOST_ELEMENTS || !rt_bytecode_open(&code, bytes, size) ||
        !are_elements_allowed(device, elements, count))
        return E_INVALIDARG;
    result = match(&code, elements, count, made, &made_count);
    if (FAILED(result))
        return result;
    if (!out)
        return S_FALSE;
    layout = calloc(1, sizeof(*layout));
    if (!layout)
        return E_OUTOFMEMORY;
    result = rt_result(umd_create_input_layout(device->umd, made, made_count, &layout->umd));
    if (FAILED(result)) {
        free(layout);
        return result;
    }
    rt_object_init(&layout->object, &layout_class, device);
    *out = (ID3D11InputLayout *)&layout->object.faces[0];
    return S_OK;
}
