/* SPDX-License-Identifier: MIT
 *
 * Buffers that shaders read: raw, structured and typed views.
 */
#ifndef AG_EXEC_BIND_BUFFER_BINDING_H
#define AG_EXEC_BIND_BUFFER_BINDING_H

#include <stdint.h>

#include "exec/host/outcome.h"

struct ag_bind_item;
struct ag_buffer;
struct ag_group_builder;
struct agpu_binding;

/* Bytes of an element as the shader counts them: a structure, or a word. */
uint32_t ag_binding_element_bytes(const struct agpu_binding *binding);
/* Cuts a range to what the buffer has. */
void ag_binding_clamp_range(const struct ag_buffer *buffer, uint64_t *offset, uint64_t *size);
/* Binds from an aligned offset at or below `offset`; the draw block tells the shader the difference. */
enum ag_outcome ag_bind_buffer_range(struct ag_group_builder *builder, const struct agpu_binding *binding,
                                     struct ag_buffer *buffer, uint64_t offset, uint64_t size,
                                     struct ag_bind_item *item);
enum ag_outcome ag_bind_srv_buffer(struct ag_group_builder *builder, const struct agpu_binding *binding,
                                   struct ag_bind_item *item);

#endif
