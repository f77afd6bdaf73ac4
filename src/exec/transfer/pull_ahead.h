/* SPDX-License-Identifier: MIT
 *
 * Large resources out of guest memory, in parts. What a packet uses is brought in when it is used, all at
 * once; of resources of which much is newer in guest memory, that is done before, a part between two packets,
 * so that the embedder gets its thread back and the stream waits for what is in flight. What cannot be read
 * is left to the packet that uses it, which reports it. Numbers of allocations mean something to one context
 * alone: only its own streams bring in what it has made.
 */
#ifndef AG_EXEC_TRANSFER_PULL_AHEAD_H
#define AG_EXEC_TRANSFER_PULL_AHEAD_H

#include <stdbool.h>

struct ag_copier;
struct ag_resource;

/* Notes that bytes of the resource became newer in guest memory. */
void ag_pull_note(struct ag_copier *copier, struct ag_resource *resource);

/* Brings in the next part of what was noted of the context whose stream is executed. `clears`: for a packet
 * that overwrites textures as a whole, as most textures are that are drawn to. Returns whether there was a
 * part. */
bool ag_pull_ahead(struct ag_copier *copier, bool clears);

#endif
