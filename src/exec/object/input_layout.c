/* SPDX-License-Identifier: MIT */
#include "exec/object/input_layout.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "abi/input_layout.h"
#include "aerogpu/abi/cmd.h"
#include "aerogpu/diag.h"
#include "aerogpu/dxbc.h"
#include "aerogpu/stream.h"
#include "aerogpu/translate.h"
#include "base/map.h"
#include "exec/host/host.h"
#include "exec/host/host_memory.h"
#include "exec/host/report.h"
#include "exec/object/creation.h"
#include "exec/object/objects.h"
#include "format/format.h"

static void resolve_element(const struct aerogpu_input_layout_element_dxgi *wire,
                            struct ag_input_element *element)
{
    const struct ag_host_format *format = ag_dxgi_format(wire->dxgi_format);
    *element = (struct ag_input_element){
        .semantic_hash = wire->semantic_name_hash,
        .semantic_index = wire->semantic_index,
        .dxgi = wire->dxgi_format,
        .format = format && format->vertex_bytes ? format : NULL,
        .slot = wire->input_slot,
        .offset = wire->aligned_byte_offset,
        .per_instance = wire->input_slot_class == AG_INPUT_PER_INSTANCE,
        .step_rate = wire->instance_data_step_rate,
    };
}

/* Whether an element before `index` is for the same input of the vertex shader (D3D11.3 8.1.3). */
static bool is_repeated(const struct ag_input_layout *wire, uint32_t index)
{
    const struct aerogpu_input_layout_element_dxgi *element = &wire->elements[index];
    for (uint32_t i = 0; i < index; i++)
        if (wire->elements[i].semantic_name_hash == element->semantic_name_hash &&
            wire->elements[i].semantic_index == element->semantic_index)
            return true;
    return false;
}

/* Null when the wire's layout is none or memory is exhausted (reported; *status says which). */
static struct ag_input_layout_object *create(struct ag_objects *objects, struct ag_input_layout *wire,
                                             bool by_register, enum agpu_status *status)
{
    uint32_t sizes[AG_INPUT_LAYOUT_MAX_ELEMENTS] = {0};
    for (uint32_t i = 0; i < wire->element_count; i++) {
        const struct ag_host_format *format = ag_dxgi_format(wire->elements[i].dxgi_format);
        sizes[i] = format ? format->bytes : 0;
        if (is_repeated(wire, i)) {
            *status = ag_host_fail(objects->host, AGPU_DIAG_EXEC_ARGUMENT,
                                   "element %" PRIu32 " of an input layout feeds what another one does", i);
            return NULL;
        }
    }
    *status =
        ag_input_layout_resolve(wire, sizes, objects->host->reports.place, &objects->host->reports.sink);
    if (*status != AGPU_OK)
        return NULL;
    *status = ag_host_memory_charge(objects->host, AG_HOST_OBJECT_BYTES);
    if (*status != AGPU_OK)
        return NULL;
    struct ag_input_layout_object *layout = calloc(1, sizeof *layout);
    if (!layout) {
        ag_host_memory_give(objects->host, objects->host->accounts.current, AG_HOST_OBJECT_BYTES);
        *status = ag_host_no_memory(objects->host);
        return NULL;
    }
    layout->account = objects->host->accounts.current;
    layout->id = ag_host_id(objects->host);
    layout->by_register = by_register;
    layout->count = wire->element_count;
    for (uint32_t i = 0; i < wire->element_count; i++)
        resolve_element(&wire->elements[i], &layout->elements[i]);
    return layout;
}

void ag_input_layout_destroy(struct ag_objects *objects, struct ag_input_layout_object *layout)
{
    if (layout) {
        ag_creation_drop(objects->host, &layout->creation);
        ag_host_memory_give(objects->host, layout->account, AG_HOST_OBJECT_BYTES);
    }
    free(layout);
}

enum agpu_status ag_input_layout_object_add(struct ag_objects *objects, uint32_t handle,
                                            struct ag_input_layout *wire, bool by_register)
{
    if (handle == 0)
        return ag_host_malformed(objects->host, AGPU_DIAG_EXEC_HANDLE,
                                 "handle 0 cannot name an input layout");
    enum agpu_status status;
    struct ag_input_layout_object *layout = create(objects, wire, by_register, &status);
    if (!layout)
        return status;
    struct ag_input_layout_object *old = ag_map_get(&objects->input_layouts, handle);
    if (old) { /* contexts that have the input layout bound keep their pointer */
        struct ag_input_layout_object swapped = *old;
        *old = *layout;
        *layout = swapped;
        ag_input_layout_destroy(objects, layout);
        return AGPU_OK;
    }
    if (!ag_map_put(&objects->input_layouts, handle, layout)) {
        ag_input_layout_destroy(objects, layout);
        return ag_host_no_memory(objects->host);
    }
    return AGPU_OK;
}

static bool feeds(const struct ag_input_layout_object *layout, const struct ag_input_element *element,
                  const struct agpu_signature_element *input, uint32_t hash)
{
    if (layout->by_register)
        return element->semantic_index == input->register_index;
    return element->semantic_hash == hash && element->semantic_index == input->semantic_index;
}

static bool is_generated(uint32_t system_value)
{
    return system_value == AGPU_SV_VERTEX_ID || system_value == AGPU_SV_INSTANCE_ID ||
           system_value == AGPU_SV_PRIMITIVE_ID;
}

bool ag_input_layout_object_match(struct ag_objects *objects, const struct ag_input_layout_object *layout,
                                  const struct agpu_shader *shader, int8_t elements[AGPU_MAX_REGISTERS])
{
    for (uint32_t i = 0; i < AGPU_MAX_REGISTERS; i++)
        elements[i] = -1;
    for (uint32_t i = 0; i < shader->input.count; i++) {
        const struct agpu_signature_element *input = &shader->input.elements[i];
        if (is_generated(input->system_value) || input->register_index >= AGPU_MAX_REGISTERS)
            continue;
        uint32_t hash = agpu_semantic_hash(input->semantic_name, strlen(input->semantic_name));
        for (uint32_t e = 0; layout && e < layout->count; e++) {
            if (!feeds(layout, &layout->elements[e], input, hash))
                continue;
            if (elements[input->register_index] >= 0 && elements[input->register_index] != (int8_t)e) {
                ag_host_warn(objects->host, AGPU_DIAG_EXEC_UNDEFINED_DRAW,
                             "two elements of the input layout feed %s%" PRIu32 "; the draw is skipped",
                             input->semantic_name, input->semantic_index);
                return false;
            }
            elements[input->register_index] = (int8_t)e;
        }
    }
    return true;
}
