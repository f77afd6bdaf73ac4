/* SPDX-License-Identifier: MIT
 *
 * Bind group layouts, made from the reflection of translated shaders ("modules") and cached by their
 * contents. The recorder owns them; shaders, pipelines and bind groups point at them.
 */
#ifndef AG_EXEC_RECORD_BIND_GROUP_LAYOUT_H
#define AG_EXEC_RECORD_BIND_GROUP_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "aerogpu/translate.h"
#include "exec/host/outcome.h"
#include "gpu/webgpu.h"

struct ag_bind_group_layout_key;
struct ag_recorder;
struct ag_refusal;

#define AG_MAX_STAGE_BINDINGS 256

/* The bind group layout of one group index. All modules with equal bindings share it. */
struct ag_bind_group_layout {
    uint64_t id;
    WGPUBindGroupLayout gpu;
    const char *label;                    /* a string literal */
    struct ag_bind_group_layout_key *key; /* the contents; private to bind_group_layout.c */
    size_t key_size;
    /* So many uniform buffers, the first ones, have dynamic offsets, and so have AG_BINDING_CONSTANT_PACK and
     * AG_BINDING_OVERFLOW. */
    uint32_t dynamic_uniforms;
};

/* How many uniform buffers of a stage have dynamic offsets, so that buffers which change from draw to draw
 * need no bind groups of their own. Together with the draw block, the stages of a pipeline have no more than
 * the device allows, eight at least. */
uint32_t ag_dynamic_uniforms(const WGPULimits *limits, enum agpu_stage stage);

/* The layout of the group of a module's stage. AG_SKIPPED: WebGPU or the device cannot express a binding,
 * and *refusal has the reason. */
enum ag_outcome ag_bind_group_layout_get(struct ag_recorder *recorder, const struct agpu_module *module,
                                         struct ag_bind_group_layout **layout, struct ag_refusal *refusal);

/* Whether a module of this flavour is a part of an expanded draw, where shaders run as compute passes. */
bool ag_flavour_expands(enum agpu_flavour flavour);

/* The layout of group 3 of a module of an expanded draw: lists and records, the resources of a geometry,
 * hull or domain shader, and the draw block. AG_SKIPPED as with the group of a stage. */
enum ag_outcome ag_bind_group_layout_of_expansion(struct ag_recorder *recorder,
                                                  const struct agpu_module *module,
                                                  struct ag_bind_group_layout **layout,
                                                  struct ag_refusal *refusal);

/* The layout of group 3 of all other modules, which has the draw block alone, and the layout of a group
 * without bindings. Null when memory is exhausted (reported). */
struct ag_bind_group_layout *ag_bind_group_layout_of_draw_block(struct ag_recorder *recorder);
struct ag_bind_group_layout *ag_bind_group_layout_empty(struct ag_recorder *recorder);

/* Describes one binding of the module as an entry of a layout, without a dynamic offset. */
void ag_binding_layout_entry(const struct agpu_module *module, const struct agpu_binding *binding,
                             WGPUBindGroupLayoutEntry *out);

/* WebGPU's binding type of a sampler. `filtered`: the shader filters with it. */
WGPUSamplerBindingType ag_sampler_binding_type(enum agpu_binding_kind kind, bool filtered);

void ag_bind_group_layouts_clear(struct ag_recorder *recorder);

/* WebGPU's view dimension of a binding; cubes that are read by face are arrays. Undefined when WebGPU has
 * none. */
WGPUTextureViewDimension ag_binding_view_dimension(const struct agpu_binding *binding);

/* A pipeline layout of the groups from 0 on; the caller releases it. */
WGPUPipelineLayout ag_pipeline_layout_create(struct ag_recorder *recorder,
                                             const struct ag_bind_group_layout *const layouts[4],
                                             uint32_t count, const char *label);

#endif
