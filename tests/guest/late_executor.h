/* SPDX-License-Identifier: MIT
 *
 * An executor that has buffers on the processor and executes submissions late: some when it is polled, in
 * order. What guests do to memory that a submission names shows, since the bytes are read then. What a
 * DISCARD leaves undefined is garbage.
 */
#ifndef AG_TESTS_GUEST_LATE_EXECUTOR_H
#define AG_TESTS_GUEST_LATE_EXECUTOR_H

#include "aerogpu/executor.h"

/* A draw that is executed, with the buffers that it reads; null: none is bound. */
struct late_draw {
    bool is_indexed;
    uint32_t first, count; /* vertices, or indices of 16 bits */
    int32_t base_vertex;
    const uint8_t *vertices, *indices;
    uint32_t vertices_size, indices_size;
    uint32_t stride, vertex_offset, index_offset;
};

struct late_executor_options {
    void (*drawn)(void *user, const struct late_draw *draw);
    void *user;
    uint32_t seed;
};

/* `options` is borrowed. Null: no memory. Free with agpu_executor_destroy. */
struct agpu_executor *late_executor_create(const struct late_executor_options *options);

#endif
