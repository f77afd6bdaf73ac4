/* SPDX-License-Identifier: MIT
 *
 * Copies between resources, with or without a write-back into guest memory (spec: ABI 8.5-8.7), and presents.
 */
#ifndef AGPU_EXEC_COPY_H
#define AGPU_EXEC_COPY_H

#include "aerogpu/abi/cmd.h"
#include "aerogpu/diag.h"

struct agpu_exec;

/* Not AGPU_OK (reported) stops the stream; nothing was recorded then. */
enum agpu_status agpu_copy_buffer(struct agpu_exec *exec, const struct aerogpu_cmd_copy_buffer *copy);
enum agpu_status agpu_copy_texture(struct agpu_exec *exec, const struct aerogpu_cmd_copy_texture2d *copy);

/* Hands the first colour target to the display once its pixels are there. */
enum agpu_status agpu_present(struct agpu_exec *exec, uint32_t scanout_id, uint32_t flags);

#endif
