/* SPDX-License-Identifier: MIT
 *
 * ResolveSubresource: the mean of the samples of each pixel (D3D11.3 18.4).
 */
#ifndef AG_EXEC_TRANSFER_RESOLVE_H
#define AG_EXEC_TRANSFER_RESOLVE_H

#include "aerogpu/diag.h"

struct aerogpu_cmd_ext_resolve_subresource;
struct ag_copier;

/* Checks the packet and records a blit. May flush. Reported when not AGPU_OK. */
enum agpu_status ag_samples_resolve(struct ag_copier *copier,
                                    const struct aerogpu_cmd_ext_resolve_subresource *wire);

#endif
