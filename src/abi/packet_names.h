/* SPDX-License-Identifier: MIT
 *
 * The symbolic values of packet fields. A set of flags has no entry for 0.
 */
#ifndef AG_ABI_PACKET_NAMES_H
#define AG_ABI_PACKET_NAMES_H

#include "abi/packet.h"
#include "aerogpu/abi/pci.h"

extern const struct ag_name_set ag_names_format;
extern const struct ag_name_set ag_names_input_format;
extern const struct ag_name_set ag_names_resource_usage;
extern const struct ag_name_set ag_names_copy_flags;
extern const struct ag_name_set ag_names_shader_stage;
extern const struct ag_name_set ag_names_stage_ex;
extern const struct ag_name_set ag_names_index_format;
extern const struct ag_name_set ag_names_sampler_filter;
extern const struct ag_name_set ag_names_sampler_address;
extern const struct ag_name_set ag_names_topology;
extern const struct ag_name_set ag_names_blend_factor;
extern const struct ag_name_set ag_names_blend_op;
extern const struct ag_name_set ag_names_compare_func;
extern const struct ag_name_set ag_names_fill_mode;
extern const struct ag_name_set ag_names_cull_mode;
extern const struct ag_name_set ag_names_rasterizer_flags;
extern const struct ag_name_set ag_names_clear_flags;
extern const struct ag_name_set ag_names_present_flags;

/* Of the extension (packet_names_ext.c) */
extern const struct ag_name_set ag_names_ext_bind_flags;
extern const struct ag_name_set ag_names_ext_misc_flags;
extern const struct ag_name_set ag_names_ext_resource_dimension;
extern const struct ag_name_set ag_names_ext_view_kind;
extern const struct ag_name_set ag_names_ext_view_dimension;
extern const struct ag_name_set ag_names_ext_view_flags;
extern const struct ag_name_set ag_names_ext_update_flags;
extern const struct ag_name_set ag_names_ext_blend;
extern const struct ag_name_set ag_names_ext_blend_op;
extern const struct ag_name_set ag_names_ext_logic_op;
extern const struct ag_name_set ag_names_ext_comparison;
extern const struct ag_name_set ag_names_ext_stencil_op;
extern const struct ag_name_set ag_names_ext_fill;
extern const struct ag_name_set ag_names_ext_cull;
extern const struct ag_name_set ag_names_ext_filter;
extern const struct ag_name_set ag_names_ext_address;
extern const struct ag_name_set ag_names_ext_clear_flags;
extern const struct ag_name_set ag_names_ext_target_flags;
extern const struct ag_name_set ag_names_ext_program;
extern const struct ag_name_set ag_names_ext_query;
extern const struct ag_name_set ag_names_ext_query_flags;
extern const struct ag_name_set ag_names_ext_execute_flags;
extern const struct ag_name_set ag_names_ext_caps;

#endif
