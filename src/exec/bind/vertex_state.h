/* SPDX-License-Identifier: MIT
 *
 * The vertex state: WebGPU's vertex buffers and attributes for an input layout, vertex buffer slots and a
 * vertex shader. Where WebGPU's fixed function does not fetch exactly what Direct3D does, the state is
 * "pulled": a kernel fetches all attributes before the draw (draw/vertex_pull.h), 16 bytes each, into one
 * buffer of vertices and one of instances.
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

/* A range of a buffer to bind as a vertex buffer. */
struct ag_vertex_source {
    WGPUBuffer buffer;
    uint64_t offset, size;
};

#define AG_MAX_VERTEX_BUFFERS 8

struct ag_vertex_attribute {
    uint16_t offset;
    uint8_t format; /* WGPUVertexFormat */
    uint8_t location;
    uint8_t buffer; /* index into ag_vertex_state.buffers */
};

#define AG_PULLED_BYTES 16 /* bytes of an attribute of a pulled state */

struct ag_vertex_buffer {
    uint32_t stride;
    uint8_t slot; /* Direct3D's slot; not used in a pulled state */
    uint8_t per_instance;
    uint16_t last_bytes; /* how many bytes of an element the attributes read */
};

/* Zeroed before it is filled, so that its bytes can be compared. */
struct ag_vertex_state {
    uint32_t pulled;
    uint32_t attribute_count, buffer_count;
    struct ag_vertex_attribute attributes[AGPU_MAX_REGISTERS];
    struct ag_vertex_buffer buffers[AG_MAX_VERTEX_BUFFERS];
};

/* Looks up the vertex buffers of a state that is not pulled and brings them up to date. */
enum ag_outcome ag_vertex_sources_init(struct ag_binder *binder, struct ag_context *context,
                                       const struct ag_vertex_state *state,
                                       struct ag_vertex_source sources[AG_MAX_VERTEX_BUFFERS]);

/* Describes the attributes that the shader reads in this draw. `location` is the input register until
 * ag_vertex_state_place(). `classes`: the translator's option for each register. */
enum ag_outcome ag_vertex_state_init(struct ag_binder *binder, struct ag_context *context,
                                     const struct ag_draw *draw, const struct ag_shader_program *program,
                                     struct ag_vertex_state *state, uint8_t classes[AGPU_MAX_REGISTERS]);

/* Gives attributes the module's locations and drops attributes that the module does not read. */
void ag_vertex_state_place(struct ag_vertex_state *state, const struct agpu_module *module);

#endif
