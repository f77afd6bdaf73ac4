/* SPDX-License-Identifier: MIT
 *
 * Between which formats textures are copied.
 */
#ifndef AG_EXEC_TRANSFER_COPY_FORMATS_H
#define AG_EXEC_TRANSFER_COPY_FORMATS_H

#include "aerogpu/diag.h"

struct ag_copier;
struct ag_texture;

/* Drops copies that Direct3D drops, and such as the host cannot make (reported). */
enum agpu_status ag_copy_check_formats(struct ag_copier *copier, const struct ag_texture *to,
                                       const struct ag_texture *from);

#endif
