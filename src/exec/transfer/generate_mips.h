/* SPDX-License-Identifier: MIT
 *
 * GenerateMips.
 */
#ifndef AG_EXEC_TRANSFER_GENERATE_MIPS_H
#define AG_EXEC_TRANSFER_GENERATE_MIPS_H

#include "aerogpu/diag.h"

struct ag_copier;
struct ag_progress;
struct ag_texture_view;

/* Records blits that make each mip of the view from the mip above: means of 2x2 texels, in volumes of
 * 2x2x2. May flush. Reported when not AGPU_OK. */
enum agpu_status ag_generate_mips(struct ag_copier *copier, struct ag_texture_view *view,
                                  struct ag_progress *progress);

#endif
