/* SPDX-License-Identifier: MIT
 *
 * State objects of the extension's packets, checked as Direct3D's runtime does.
 */
#ifndef AG_EXEC_STATE_STATE_EXT_H
#define AG_EXEC_STATE_STATE_EXT_H

struct aerogpu_cmd_ext_create_blend_state;
struct aerogpu_cmd_ext_create_depth_stencil_state;
struct aerogpu_cmd_ext_create_rasterizer_state;
struct aerogpu_cmd_ext_create_sampler;
struct aerogpu_ext_blend_target;
struct ag_blend_desc;
struct ag_depth_stencil_desc;
struct ag_rasterizer_desc;
struct ag_sampler_desc;

/* From the extension: null, or what Direct3D's runtime refuses about it. */
const char *ag_blend_from_ext(const struct aerogpu_cmd_ext_create_blend_state *wire,
                              const struct aerogpu_ext_blend_target *targets, struct ag_blend_desc *desc);
const char *ag_depth_stencil_from_ext(const struct aerogpu_cmd_ext_create_depth_stencil_state *wire,
                                      struct ag_depth_stencil_desc *desc);
const char *ag_rasterizer_from_ext(const struct aerogpu_cmd_ext_create_rasterizer_state *wire,
                                   struct ag_rasterizer_desc *desc);
const char *ag_sampler_from_ext(const struct aerogpu_cmd_ext_create_sampler *wire,
                                struct ag_sampler_desc *desc);

#endif
