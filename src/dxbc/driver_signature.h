/* SPDX-License-Identifier: MIT
 *
 * Signatures that come beside a bare token stream (dxbc-format 7).
 */
#ifndef AG_DXBC_DRIVER_SIGNATURE_H
#define AG_DXBC_DRIVER_SIGNATURE_H

#include "aerogpu/dxbc.h"
#include "base/arena.h"

/* Copies a set into the shader's signatures; false when out of memory. */
bool ag_signature_set_copy(struct ag_arena *arena, const struct agpu_signature_set *set,
                           struct agpu_shader *shader);

/* The system value (enum agpu_system_value) of signatures for one of declarations (enum agpu_name_token),
 * which is below AGPU_NAME_COUNT. */
uint32_t ag_system_value_of_name(uint32_t name);

/* Fills in the shader's signatures from those of a driver; its program has been decoded. */
enum agpu_status ag_driver_signatures_convert(struct ag_arena *arena,
                                              const struct agpu_driver_signatures *signatures,
                                              const struct agpu_diag_sink *sink, struct agpu_shader *shader);

#endif
