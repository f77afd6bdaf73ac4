/* SPDX-License-Identifier: MIT
 *
 * Resources of which much is newer in guest memory, so that bringing all of it in takes long
 * (transfer/pull_ahead.h).
 */
#ifndef AG_EXEC_OBJECT_DIRTY_RESOURCE_H
#define AG_EXEC_OBJECT_DIRTY_RESOURCE_H

struct ag_resource;

/* Notes the resource for the context that made it, if it is not noted. */
void ag_dirty_resource_note(struct ag_resource *resource);
/* Forgets it; does nothing for one that is not noted. */
void ag_dirty_resource_forget(struct ag_resource *resource);

#endif
