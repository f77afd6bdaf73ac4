/* SPDX-License-Identifier: MIT
 *
 * Packed contexts: the state of a context that waits for its next stream, as the words in which it differs
 * from a new context. Contexts of guests that count their numbers up are some hundred bytes each.
 *
 * A packed context has pointers to objects, as every context has, and takes part when an object dies.
 */
#ifndef AG_EXEC_BIND_PACKED_CONTEXT_H
#define AG_EXEC_BIND_PACKED_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

struct ag_context;

struct ag_packed_context {
    uint64_t
        objects;    /* a bit for each object that is bound, by ag_packed_context_bit(); bits may be shared */
    uint64_t size;  /* bytes of this structure */
    uint32_t owned; /* which arrays of a context follow its words: private to packed_context.c */
    uint32_t words[];
};

/* The bit of an object, by its address, or of a query by its handle. */
uint64_t ag_packed_context_bit(uint64_t key);

/* Whether the context has the state of `fresh`, a new context. `image` is overwritten. */
bool ag_context_is_new(const struct ag_context *context, const struct ag_context *fresh,
                       struct ag_context *image);

/* Packs the state, but not the number, of a context, which stays as it is. Null when memory is exhausted (not
 * reported). */
struct ag_packed_context *ag_context_pack(const struct ag_context *context, const struct ag_context *fresh,
                                          struct ag_context *image);

/* Makes a context of it, with the number. Null when memory is exhausted (not reported). */
struct ag_context *ag_context_unpack(const struct ag_packed_context *packed, const struct ag_context *fresh,
                                     uint32_t id);

/* Calls `forget` for the state without its constants; the function may set words back to those of a new
 * context, or change words that differ already. Needs no memory but `image`. */
void ag_packed_context_visit(struct ag_packed_context *packed, const struct ag_context *fresh,
                             struct ag_context *image,
                             void (*forget)(struct ag_context *context, const void *object),
                             const void *object);

#endif
