/* SPDX-License-Identifier: MIT
 *
 * Resources under their handles, as packets make them.
 */
#ifndef AGPU_EXEC_RESOURCE_H
#define AGPU_EXEC_RESOURCE_H

#include "exec/object.h"

/* Checked, made and named, or bound to other guest memory when the handle is the original of an equal
 * resource (spec: ABI choice 5). Reported when not AGPU_OK. */
enum agpu_status agpu_resource_create_buffer(struct agpu_exec *exec, uint32_t handle,
                                             const struct agpu_buffer_desc *desc,
                                             struct agpu_backing backing);
enum agpu_status agpu_resource_create_texture(struct agpu_exec *exec, uint32_t handle,
                                              struct agpu_texture_desc *desc, struct agpu_backing backing);

#endif
