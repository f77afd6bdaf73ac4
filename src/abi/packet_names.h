/* SPDX-License-Identifier: MIT
 *
 * The symbolic values of packet fields. A set of flags has no entry for 0.
 */
#ifndef AGPU_ABI_PACKET_NAMES_H
#define AGPU_ABI_PACKET_NAMES_H

#include "abi/packet.h"
#include "aerogpu/abi/pci.h"

extern const struct agpu_name_set agpu_names_format;
extern const struct agpu_name_set agpu_names_resource_usage;
extern const struct agpu_name_set agpu_names_copy_flags;
extern const struct agpu_name_set agpu_names_shader_stage;
extern const struct agpu_name_set agpu_names_stage_ex;
extern const struct agpu_name_set agpu_names_index_format;
extern const struct agpu_name_set agpu_names_sampler_filter;
extern const struct agpu_name_set agpu_names_sampler_address;
extern const struct agpu_name_set agpu_names_topology;
extern const struct agpu_name_set agpu_names_blend_factor;
extern const struct agpu_name_set agpu_names_blend_op;
extern const struct agpu_name_set agpu_names_compare_func;
extern const struct agpu_name_set agpu_names_fill_mode;
extern const struct agpu_name_set agpu_names_cull_mode;
extern const struct agpu_name_set agpu_names_rasterizer_flags;
extern const struct agpu_name_set agpu_names_clear_flags;
extern const struct agpu_name_set agpu_names_present_flags;

#endif
