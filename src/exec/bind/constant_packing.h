/* SPDX-License-Identifier: MIT
 *
 * Which constant buffers of a stage are packed (wgsl/constant_pack.c), and what was uploaded of them last.
 */
#ifndef AG_EXEC_BIND_CONSTANT_PACKING_H
#define AG_EXEC_BIND_CONSTANT_PACKING_H

#include <stdint.h>

#include "aerogpu/dxbc.h"
#include "exec/bind/binder.h"
#include "wgsl/binding.h"

struct ag_buffer;
struct ag_context;
struct agpu_module;

/* A constant buffer in the pack. */
struct ag_packed_part {
    uint32_t slot;         /* b# */
    uint32_t first, bytes; /* its place in the pack */
    /* As it was uploaded last: how many of its bytes are bound; where they come from, and how many the
     * processor knows; the id of the buffer. */
    uint32_t bound, known;
    const uint8_t *from;
    uint64_t id;
    struct ag_constant_source source;
};

/* What was uploaded last for a variant. */
struct ag_constant_pack {
    uint64_t epoch; /* of the upload ring, in which the range has what the parts say; 0: it has not */
    struct ag_bound_range range;
    uint64_t bytes; /* of the uniform buffer */
    /* With sets of constants (wgsl/binding.h), the most of them; those that there are, in the range that was
     * bound last; its bytes, null when no set can be added; and where set 0 begins, and how far the next one
     * is. */
    uint32_t most_sets, set_count;
    uint8_t *sets;
    uint32_t first_set, set_bytes;
    uint32_t count;
    struct ag_packed_part parts[AG_PACK_PARTS]; /* in the order of the module's */
};

/* What the translator is told to pack of a stage's constant buffers, where `apart` are not packed. */
struct ag_constant_packing ag_constant_packing_of(const struct ag_binder *binder, enum agpu_stage stage,
                                                  uint16_t apart);

/* Of the constant buffers in `slots` (bit n: b# n) those whose contents only the GPU knows: packed, they
 * would be copied for each draw. */
uint16_t ag_constants_apart(struct ag_binder *binder, const struct ag_context *context, enum agpu_stage stage,
                            uint16_t slots);

/* The pack of a new variant, whose module has one. Null when memory is exhausted (not reported). */
struct ag_constant_pack *ag_constant_pack_create(const struct agpu_module *module);

#endif
