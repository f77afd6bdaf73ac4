/* SPDX-License-Identifier: MIT */
#ifndef AG_EXEC_GENERATE_MIPS_H
#define AG_EXEC_GENERATE_MIPS_H

#include "exec/object.h"

/* Each mip of the view from the one before it: the mean of 2x2 texels, of volumes 2x2x2. Reported when not
 * AGPU_OK. */
enum agpu_status ag_generate_mips(struct ag_exec *exec, struct ag_texture_view *view);

#endif
