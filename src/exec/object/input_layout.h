/* SPDX-License-Identifier: MIT
 *
 * Input layouts, and which of their elements feed which inputs of a vertex shader. The guest's handles own
 * input layouts; the draws of draw/ read them.
 */
#ifndef AG_EXEC_OBJECT_INPUT_LAYOUT_H
#define AG_EXEC_OBJECT_INPUT_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "abi/input_layout.h"
#include "aerogpu/diag.h"
#include "aerogpu/translate.h"

struct ag_creation;
struct ag_host_format;
struct ag_objects;
struct agpu_shader;

struct ag_input_element {
    uint32_t semantic_hash, semantic_index;
    uint32_t dxgi;
    const struct ag_host_format *format; /* null when `dxgi` is no format of vertex elements */
    uint32_t slot, offset;               /* bytes from the start of a vertex */
    bool per_instance;
    uint32_t step_rate; /* instances for each step; 0: every instance reads the first element */
};

struct ag_input_layout_object {
    uint64_t id;
    struct ag_account *account;   /* of the context that made the layout, which is charged for it */
    struct ag_creation *creation; /* the packet; null: there was no memory to keep it */
    bool by_register;             /* semantic_index of an element is the number of an input register */
    uint32_t count;
    struct ag_input_element elements[AG_INPUT_LAYOUT_MAX_ELEMENTS];
};

/* Makes an input layout under the handle, in place of an older one, and resolves the offsets of `wire`.
 * `by_register`: semantic indices are numbers of input registers. Reported when not AGPU_OK. */
enum agpu_status ag_input_layout_object_add(struct ag_objects *objects, uint32_t handle,
                                            struct ag_input_layout *wire, bool by_register);

/* `layout` may be null. */
void ag_input_layout_destroy(struct ag_objects *objects, struct ag_input_layout_object *layout);

/* Finds the element that feeds each input register of a vertex shader; -1 where none does. `layout` may be
 * null. False when two elements feed one register, so that the draw is skipped (reported). */
bool ag_input_layout_object_match(struct ag_objects *objects, const struct ag_input_layout_object *layout,
                                  const struct agpu_shader *shader, int8_t elements[AGPU_MAX_REGISTERS]);

#endif
