/* SPDX-License-Identifier: MIT
 *
 * Typed views of buffers for loads: WGSL has no typed buffers, so that elements are widened to four words
 * each (ag_buffer_view.widened).
 */
#ifndef AG_EXEC_BIND_TYPED_BUFFER_H
#define AG_EXEC_BIND_TYPED_BUFFER_H

#include <stdint.h>

#include "gpu/webgpu.h"

struct ag_binder;
struct ag_buffer_view;

/* The buffer of widened elements, brought up to date. May end the open pass. Null when memory is exhausted
 * (reported). */
WGPUBuffer ag_buffer_view_widen(struct ag_binder *binder, struct ag_buffer_view *view, uint64_t *id);

#endif
