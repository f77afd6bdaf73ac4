/* SPDX-License-Identifier: MIT
 *
 * Descriptions of state objects out of the extension's packets, with the checks of Direct3D 11's runtime. All
 * functions are pure; the packet handlers call them.
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

/* Each fills *desc. Null on success, else what Direct3D's runtime would refuse, as the end of a message; the
 * caller reports. */
const char *ag_blend_from_ext(const struct aerogpu_cmd_ext_create_blend_state *wire,
                              const struct aerogpu_ext_blend_target *targets, struct ag_blend_desc *desc);
const char *ag_depth_stencil_from_ext(const struct aerogpu_cmd_ext_create_depth_stencil_state *wire,
                                      struct ag_depth_stencil_desc *desc);
const char *ag_rasterizer_from_ext(const struct aerogpu_cmd_ext_create_rasterizer_state *wire,
                                   struct ag_rasterizer_desc *desc);
const char *ag_sampler_from_ext(const struct aerogpu_cmd_ext_create_sampler *wire,
                                struct ag_sampler_desc *desc);

#endif
