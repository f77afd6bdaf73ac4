/* SPDX-License-Identifier: MIT
 *
 * Typed views of buffers as shaders load them: each element as four words.
 */
#ifndef AG_EXEC_BIND_TYPED_BUFFER_H
#define AG_EXEC_BIND_TYPED_BUFFER_H

#include <stdint.h>

#include "gpu/webgpu.h"

struct ag_binder;
struct ag_buffer_view;

/* The elements of a typed view as shaders load them; null when it was reported. */
WGPUBuffer ag_buffer_view_widen(struct ag_binder *binder, struct ag_buffer_view *view, uint64_t *id);

#endif
