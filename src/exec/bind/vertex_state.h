/* SPDX-License-Identifier: MIT
 *
 * Vertex fetch: which attributes of which buffers feed a vertex shader.
 */
#ifndef AG_EXEC_BIND_VERTEX_STATE_H
#define AG_EXEC_BIND_VERTEX_STATE_H

#include <stdint.h>

#include "aerogpu/translate.h"
#include "exec/host/outcome.h"
#include "gpu/webgpu.h"

struct ag_binder;
struct ag_context;
struct ag_draw;
struct ag_shader_program;

struct ag_vertex_source {
    WGPUBuffer buffer;
    uint64_t offset, size;
};

#define AG_MAX_VERTEX_BUFFERS 8

struct ag_vertex_attribute {
    uint16_t offset;
    uint8_t format; /* WGPUVertexFormat */
    uint8_t location;
    uint8_t buffer; /* index into `buffers` */
};

#define AG_PULLED_BYTES 16 /* of an attribute of a pulled state */

struct ag_vertex_buffer {
    uint32_t stride;
    uint8_t slot; /* Direct3D's; unused when pulled */
    uint8_t per_instance;
    uint16_t last_bytes; /* the least that must be there of the last element */
};

/* Slots compacted to WebGPU's. Zeroed before it is filled. What fixed function cannot fetch is pulled: a
 * kernel lays all attributes out in 16 bytes each, in one buffer of vertices and one of instances. */
struct ag_vertex_state {
    uint32_t pulled;
    uint32_t attribute_count, buffer_count;
    struct ag_vertex_attribute attributes[AGPU_MAX_REGISTERS];
    struct ag_vertex_buffer buffers[AG_MAX_VERTEX_BUFFERS];
};

/* Buffers of a vertex state that is not pulled. */
enum ag_outcome ag_vertex_sources_init(struct ag_binder *binder, struct ag_context *context,
                                       const struct ag_vertex_state *state,
                                       struct ag_vertex_source sources[AG_MAX_VERTEX_BUFFERS]);
/* Attributes for what the shader reads in this draw; `location` is the input register until
 * ag_vertex_state_place(). `classes` is what the translator wants to know of each register. */
enum ag_outcome ag_vertex_state_init(struct ag_binder *binder, struct ag_context *context,
                                     const struct ag_draw *draw, const struct ag_shader_program *program,
                                     struct ag_vertex_state *state, uint8_t classes[AGPU_MAX_REGISTERS]);
/* Moves attributes to the module's locations and drops those that it does not have. */
void ag_vertex_state_place(struct ag_vertex_state *state, const struct agpu_module *module);

#endif
