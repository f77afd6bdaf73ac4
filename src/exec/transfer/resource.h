/* SPDX-License-Identifier: MIT
 *
 * Creating buffers and textures for the packet handlers.
 */
#ifndef AG_EXEC_TRANSFER_RESOURCE_H
#define AG_EXEC_TRANSFER_RESOURCE_H

#include <stdint.h>

#include "aerogpu/diag.h"
#include "exec/object/resource.h"

struct ag_buffer_desc;
struct ag_copier;
struct ag_progress;
struct ag_texture_desc;

/* Check the description and create the resource under the handle. When the handle already names a resource
 * with an equal description, only the backing guest memory changes (spec: ABI choice 5). Reported when not
 * AGPU_OK. A texture gets its initial contents in parts. */
enum agpu_status ag_resource_create_buffer(struct ag_copier *copier, uint32_t handle,
                                           const struct ag_buffer_desc *desc, struct ag_backing backing);
enum agpu_status ag_resource_create_texture(struct ag_copier *copier, uint32_t handle,
                                            struct ag_texture_desc *desc, struct ag_backing backing,
                                            struct ag_progress *progress);

#endif
