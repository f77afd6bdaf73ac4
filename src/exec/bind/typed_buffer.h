/* SPDX-License-Identifier: MIT
 *
 * Typed views of buffers for loads: WGSL has no typed buffers, so that elements are widened to four words
 * each (ag_buffer_view.widened).
 */
#ifndef AG_EXEC_BIND_TYPED_BUFFER_H
#define AG_EXEC_BIND_TYPED_BUFFER_H

#include "exec/host/outcome.h"

struct ag_binder;
struct ag_buffer_view;

/* Brings view->widened up to date. May end the open pass. */
enum ag_outcome ag_buffer_view_widen(struct ag_binder *binder, struct ag_buffer_view *view);

#endif
