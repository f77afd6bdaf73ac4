/* SPDX-License-Identifier: MIT
 *
 * Constant buffers and other bytes that shaders read as uniforms. Bytes that the CPU knows are copied into
 * the upload ring, so that a constant buffer that changes between draws does not end the render pass.
 */
#ifndef AG_EXEC_BIND_CONSTANT_BUFFER_H
#define AG_EXEC_BIND_CONSTANT_BUFFER_H

#include <stdbool.h>
#include <stdint.h>

#include "aerogpu/dxbc.h"
#include "exec/host/outcome.h"

struct ag_binder;
struct ag_bound_range;
struct ag_constant_source;
struct ag_context;
struct agpu_binding;

/* Finds the bytes of the constant buffer in the binding's slot of a stage. */
enum ag_outcome ag_constants_find(struct ag_binder *binder, struct ag_context *context, enum agpu_stage stage,
                                  const struct agpu_binding *binding, struct ag_constant_source *source);

/* Whether two sources have the same contents at the same place. */
bool ag_constants_same(const struct ag_constant_source *a, const struct ag_constant_source *b);

/* Binds bytes of a source that the CPU knows: what was uploaded already, or a new slice of the ring. */
enum ag_outcome ag_constants_upload(struct ag_binder *binder, const struct agpu_binding *binding,
                                    const struct ag_constant_source *source, struct ag_bound_range *range);

/* How many bytes of it the shader sees. 0 when no buffer is bound. */
uint64_t ag_constants_bound(struct ag_binder *binder, const struct ag_context *context, enum agpu_stage stage,
                            uint32_t index);

/* Finds or uploads the bytes of the constant buffer in the binding's slot of a stage. */
enum ag_outcome ag_bind_constants(struct ag_binder *binder, struct ag_context *context, enum agpu_stage stage,
                                  const struct agpu_binding *binding, struct ag_bound_range *range);
/* Uploads bytes that never change, such as an immediate constant buffer, padded with zeros to `need`
 * bytes. */
enum ag_outcome ag_bind_bytes(struct ag_binder *binder, const void *data, uint64_t size, uint64_t need,
                              struct ag_bound_range *range);

#endif
