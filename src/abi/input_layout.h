/* SPDX-License-Identifier: MIT
 *
 * Input-layout blobs, the DXGI form (spec: ABI 9.1).
 */
#ifndef AG_ABI_INPUT_LAYOUT_H
#define AG_ABI_INPUT_LAYOUT_H

#include "aerogpu/abi/cmd.h"
#include "base/diag.h"

#define AG_INPUT_LAYOUT_MAX_ELEMENTS 32u
#define AG_INPUT_LAYOUT_MAX_SLOTS 32u
#define AG_INPUT_LAYOUT_APPEND UINT32_MAX /* aligned_byte_offset: after the slot's previous element */

/* input_slot_class */
enum ag_input_class {
    AG_INPUT_PER_VERTEX = 0,
    AG_INPUT_PER_INSTANCE = 1,
};

struct ag_input_layout {
    struct aerogpu_input_layout_element_dxgi elements[AG_INPUT_LAYOUT_MAX_ELEMENTS]; /* as in the blob */
    uint32_t element_count;
};

/* Parses a blob of `size` bytes; bytes behind the last element are ignored. Magic, version, element count,
 * length, slots, classes and the rule that all elements of a slot have one class are checked. Formats,
 * offsets and step rates are not; a step rate of 0 means that the element never advances. Errors are
 * AGPU_REFUSED with abi.input-layout; the Direct3D 9 form of blobs is an error. `place` is where the
 * diagnostic points; if it has an offset, the offset is advanced to the byte in question. */
enum agpu_status ag_input_layout_parse(struct ag_input_layout *layout, const void *blob, size_t size,
                                       struct agpu_place place, const struct agpu_diag_sink *sink);

/* Checks slots and classes of a layout that was not parsed from a blob. */
enum agpu_status ag_input_layout_check(const struct ag_input_layout *layout, struct agpu_place place,
                                       const struct agpu_diag_sink *sink);

/* Replaces AG_INPUT_LAYOUT_APPEND by real offsets: the end of the slot's previous element, rounded up to the
 * element's alignment: the next power of two of its size, at most 4. `element_sizes` holds the bytes of each
 * element's format. Refused, with abi.input-layout, when an element would end past 4 GiB. */
enum agpu_status ag_input_layout_resolve(struct ag_input_layout *layout, const uint32_t *element_sizes,
                                         struct agpu_place place, const struct agpu_diag_sink *sink);

#endif
