/* SPDX-License-Identifier: MIT
 *
 * Input layouts, and how their elements meet the inputs of a vertex shader.
 */
#ifndef AG_EXEC_OBJECT_INPUT_LAYOUT_H
#define AG_EXEC_OBJECT_INPUT_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/input_layout.h"
#include "aerogpu/diag.h"
#include "aerogpu/translate.h"

struct ag_host_format;
struct ag_objects;
struct agpu_shader;

struct ag_input_element {
    uint32_t semantic_hash, semantic_index;
    uint32_t dxgi;
    const struct ag_host_format *format; /* null: no vertex format of this number */
    uint32_t slot, offset;
    bool per_instance;
    uint32_t step_rate;
};

struct ag_input_layout_object {
    uint64_t id;
    bool by_register; /* elements name input registers, in semantic_index */
    uint32_t count;
    struct ag_input_element elements[AG_INPUT_LAYOUT_MAX_ELEMENTS];
};

/* Gives the handle an object made of the layout, whose offsets need not be resolved. `by_register`: semantic
 * indices are input registers. Reported when not AGPU_OK. */
enum agpu_status ag_input_layout_object_add(struct ag_objects *objects, uint32_t handle,
                                            struct ag_input_layout *wire, bool by_register);
/* Which element, if any, feeds each input register of a vertex shader: -1 for none. False when it was
 * reported (two elements for one register). */
bool ag_input_layout_object_match(struct ag_objects *objects, const struct ag_input_layout_object *layout,
                                  const struct agpu_shader *shader, int8_t elements[AGPU_MAX_REGISTERS]);

#endif
