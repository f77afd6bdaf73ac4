/* SPDX-License-Identifier: MIT
 *
 * Objects of which the driver knows little more than their handles.
 */
#ifndef GUEST_UMD_OBJECTS_H
#define GUEST_UMD_OBJECTS_H

#include "guest/core/core.h"
#include "guest/umd/umd.h"

/* All of these begin with their handle; null objects have handle 0. */
struct umd_object {
    aerogpu_handle_t handle;
};

static inline aerogpu_handle_t umd_handle(const void *object)
{
    return object != NULL ? ((const struct umd_object *)object)->handle : 0;
}

struct umd_view {
    struct umd_object object;
    struct umd_resource *resource;
};

struct umd_shader {
    struct umd_object object;
};

/* What the elements read of a vertex buffer slot. */
struct umd_layout_slot {
    uint32_t extent; /* bytes behind the vertex's first one; 0: nothing */
    bool is_per_instance;
    uint32_t step_rate;
};

struct umd_input_layout {
    struct umd_object object;
    struct umd_layout_slot slots[UMD_VERTEX_BUFFER_SLOTS];
};

struct umd_sampler {
    struct umd_object object;
};

struct umd_blend_state {
    struct umd_object object;
};

struct umd_depth_stencil_state {
    struct umd_object object;
};

struct umd_rasterizer_state {
    struct umd_object object;
};

struct umd_query {
    struct umd_object object;
    uint32_t type;
    bool was_ended;
    uint64_t ticket;           /* of the immediate context's packets that end it */
    struct guest_block result; /* struct aerogpu_ext_query_result */
};

/* Objects that packets of a command list name, each once. */
struct umd_noted {
    void **objects;
    uint32_t count, capacity;
};

struct umd_command_list {
    struct umd_object object;
    struct umd_noted ended;   /* queries that the list ends */
    struct umd_noted written; /* resources that it writes, of those that may be mapped */
};

#endif
