/* SPDX-License-Identifier: MIT
 *
 * The contexts of the guest, by their ids. A guest may use any number of ids, and guest drivers count them
 * up: AG_LIVE_CONTEXTS are ready for a stream, those that were used longest ago are packed
 * (packed_context.h), and of contexts that have the state of a new one nothing is kept. Nothing that a guest
 * could see is lost.
 */
#ifndef AG_EXEC_BIND_CONTEXT_SET_H
#define AG_EXEC_BIND_CONTEXT_SET_H

#include <stdbool.h>
#include <stdint.h>

struct ag_binder;
struct ag_context;
struct ag_map;

/* The context of an id, which begins with the ABI's initial state. Null when memory is exhausted, or when
 * waiting contexts have more state than AG_PACKED_CONTEXTS_BYTES (reported); nothing changes then. The
 * context stays where it is while it is one of the AG_LIVE_CONTEXTS that were used last. */
struct ag_context *ag_context_get(struct ag_binder *binder, uint32_t id);

/* Ends the context of an id: its next stream begins with the ABI's initial state. `current`, the context at
 * work, may be that context, and has the initial state then. */
void ag_context_end(struct ag_binder *binder, struct ag_context *current, uint32_t id);

/* Calls `forget` for every context in which the object that is about to be destroyed may be bound: those that
 * wait from *done on, of which there may be very many, so many in each call. True when there are more, and
 * the call is repeated. `key` is the object's address (of a view: that of its resource), or the handle of a
 * query. */
bool ag_contexts_visit(struct ag_binder *binder, uint64_t key,
                       void (*forget)(struct ag_context *context, const void *object), const void *object,
                       uint64_t *done);

/* Why the streams of a context are not executed. */
enum ag_context_end {
    AG_CONTEXT_LIVES,
    AG_CONTEXT_LOST_DEVICE,
    AG_CONTEXT_TOOK_TOO_LONG,
    AG_CONTEXT_ENDS,
};

/* Ends contexts against their will, all that there are or one: the ids stay taken until ag_context_end() or
 * ag_contexts_leave(). */
void ag_contexts_lose_device(struct ag_binder *binder);
void ag_context_end_by_force(struct ag_binder *binder, uint32_t id, enum ag_context_end end);
enum ag_context_end ag_context_ended(const struct ag_binder *binder, uint32_t id);

/* Notes in a map of ended contexts why one has ended. False when memory is exhausted (not reported). */
bool ag_context_end_put(struct ag_map *ended, uint32_t id, enum ag_context_end end);

/* From here on there are no contexts. Those that waited are left to be freed. */
void ag_contexts_leave(struct ag_binder *binder);

/* Frees some of what was left. False when nothing is left. */
bool ag_contexts_free_part(struct ag_binder *binder);

#endif
