/* SPDX-License-Identifier: MIT
 *
 * Reflection data: the RDEF chunk (dxbc-format 3.1 to 3.3).
 */
#ifndef AGPU_DXBC_RDEF_H
#define AGPU_DXBC_RDEF_H

#include "dxbc/container.h"

/* Null when the chunk is malformed, which is reported as a warning: programs do not depend on reflection.
 * Names and default values point into the chunk's data, everything else comes from the arena. */
const struct agpu_rdef *agpu_rdef_read(struct agpu_arena *arena, const struct agpu_dxbc_chunk *chunk,
                                       const struct agpu_diag_sink *sink);

#endif
