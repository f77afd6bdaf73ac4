/* SPDX-License-Identifier: MIT
 *
 * Typed views of buffers as shaders load them: each element as four words.
 */
#ifndef AG_EXEC_BIND_TYPED_BUFFER_H
#define AG_EXEC_BIND_TYPED_BUFFER_H

#include "exec/host/outcome.h"

struct ag_binder;
struct ag_buffer_view;

/* Brings the elements of a typed view into view->widened, as shaders load them. */
enum ag_outcome ag_buffer_view_widen(struct ag_binder *binder, struct ag_buffer_view *view);

#endif
