/* SPDX-License-Identifier: MIT
 *
 * Multisampling. WebGPU has one sample and four: targets of two and of eight have four on the host, where
 * each sample of the guest is the host's nearest one (decision X40).
 */
#ifndef AG_EXEC_SAMPLES_H
#define AG_EXEC_SAMPLES_H

#include "exec/object.h"

/* What targets of so many samples have on the host. */
uint32_t ag_samples_host(uint32_t count);
/* The host's sample that is sample `index` of the guest's `count`. */
uint32_t ag_samples_host_index(uint32_t count, uint32_t index);
/* The host's samples that a mask of the guest lets through; bits beyond the target's samples mean nothing. */
uint32_t ag_samples_host_mask(uint32_t count, uint32_t mask);

/* What a shader that declares an array of multisampled textures reads: all samples of the view's slices,
 * which is up to date, as layers of a texture with one sample. Null when it was reported. */
struct ag_texture_view *ag_view_samples(struct ag_exec *exec, struct ag_texture_view *view);

/* ResolveSubresource: the mean of the samples. Reported when not AGPU_OK. */
struct aerogpu_cmd_ext_resolve_subresource;
enum agpu_status ag_samples_resolve(struct ag_exec *exec,
                                    const struct aerogpu_cmd_ext_resolve_subresource *wire);

#endif
