/* SPDX-License-Identifier: MIT
 *
 * Bind group layouts made from a module's reflection, cached by their contents.
 */
#ifndef AG_EXEC_RECORD_BIND_GROUP_LAYOUT_H
#define AG_EXEC_RECORD_BIND_GROUP_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "aerogpu/translate.h"
#include "exec/host/outcome.h"
#include "gpu/webgpu.h"

struct ag_layout_key;
struct ag_recorder;
struct ag_refusal;

#define AG_MAX_STAGE_BINDINGS 256

/* Layout of one group; shared by all modules that need the same. */
struct ag_stage_layout {
    uint64_t id;
    WGPUBindGroupLayout gpu;
    const char *label;         /* static */
    struct ag_layout_key *key; /* private */
    size_t key_size;
    uint32_t dynamic_count; /* the first uniform buffers have dynamic offsets */
};

/* The layout of a module's own group. AG_SKIPPED: something in it cannot be expressed, which *refusal says.
 */
enum ag_outcome ag_stage_layout_get(struct ag_recorder *recorder, const struct agpu_module *module,
                                    struct ag_stage_layout **layout, struct ag_refusal *refusal);
/* The constant buffers, bit n for slot n, that are more uniform buffers than the device binds in a stage,
 * while it takes them as storage buffers. 0: none. */
uint16_t ag_stage_layout_excess(const struct ag_recorder *recorder, const struct agpu_module *module);
/* Flavours that run as compute passes in front of a draw. */
bool ag_flavour_expands(enum agpu_flavour flavour);
/* Group 3 of a module of an expansion: its lists and records, the draw block if it uses it (the vertex shader
 * of the draw always: its pixel shader may), and the resources of a geometry, hull or domain shader. */
enum ag_outcome ag_expansion_layout_get(struct ag_recorder *recorder, const struct agpu_module *module,
                                        struct ag_stage_layout **layout, struct ag_refusal *refusal);
/* The layout of group 3, which holds the draw block; and the one of a group that nothing uses. Null when
 * memory is exhausted (reported). */
struct ag_stage_layout *ag_internal_layout_get(struct ag_recorder *recorder);
struct ag_stage_layout *ag_empty_layout_get(struct ag_recorder *recorder);
/* One binding of the module as an entry of a layout, without a dynamic offset. */
void ag_binding_layout_entry(const struct agpu_module *module, const struct agpu_binding *binding,
                             WGPUBindGroupLayoutEntry *out);
/* What WebGPU calls a sampler of that kind. */
WGPUSamplerBindingType ag_sampler_binding_type(enum agpu_binding_kind kind, bool filtered);
void ag_stage_layouts_clear(struct ag_recorder *recorder);
WGPUTextureViewDimension ag_view_dimension(uint8_t resource_dimension);

#endif
