/* SPDX-License-Identifier: MIT
 *
 * Signatures that a driver gets beside a bare token stream (dxbc-format 7).
 */
#ifndef AG_DXBC_DRIVER_SIGNATURE_H
#define AG_DXBC_DRIVER_SIGNATURE_H

#include "aerogpu/dxbc.h"
#include "base/arena.h"

/* Copies a signature set into the shader; false when memory runs out. */
bool ag_signature_set_copy(struct ag_arena *arena, const struct agpu_signature_set *set,
                           struct agpu_shader *shader);

/* Converts the system value of a declaration (enum agpu_name_token, below AGPU_NAME_COUNT) to that of a
 * signature (enum agpu_system_value). */
uint32_t ag_system_value_of_name(uint32_t name);

/* Fills in the shader's signatures from those of a driver. The program must have been decoded. */
enum agpu_status ag_driver_signatures_convert(struct ag_arena *arena,
                                              const struct agpu_driver_signatures *signatures,
                                              const struct agpu_diag_sink *sink, struct agpu_shader *shader);

#endif
