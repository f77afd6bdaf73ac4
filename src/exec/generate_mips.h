/* SPDX-License-Identifier: MIT */
#ifndef AGPU_EXEC_GENERATE_MIPS_H
#define AGPU_EXEC_GENERATE_MIPS_H

#include "exec/object.h"

/* Each mip of the view from the one before it: the mean of 2x2 texels, of volumes 2x2x2. Reported when not
 * AGPU_OK. */
enum agpu_status agpu_generate_mips(struct agpu_exec *exec, struct agpu_texture_view *view);

#endif
