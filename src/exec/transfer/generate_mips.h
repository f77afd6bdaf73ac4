/* SPDX-License-Identifier: MIT */
#ifndef AG_EXEC_TRANSFER_GENERATE_MIPS_H
#define AG_EXEC_TRANSFER_GENERATE_MIPS_H

#include "aerogpu/diag.h"

struct ag_copier;
struct ag_texture_view;

/* Each mip of the view from the one before it: the mean of 2x2 texels, of volumes 2x2x2. Reported when not
 * AGPU_OK. */
enum agpu_status ag_generate_mips(struct ag_copier *copier, struct ag_texture_view *view);

#endif
