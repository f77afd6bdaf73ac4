/* SPDX-License-Identifier: MIT
 *
 * A resource is an input or an output, not both. What is bound as an output leaves the slots in which it is
 * an input or another output; what is an output already cannot be bound as an input. (Spec: D3D11.3 5.3.9.4.)
 */
#ifndef RT_D3D11_HAZARD_H
#define RT_D3D11_HAZARD_H

#include "guest/d3d11/context.h"
#include "guest/d3d11/view.h"

/* Whether a view, or a buffer, may be bound as an input now. */
bool rt_hazard_allows_view(const struct rt_context *context, const struct rt_view *view);
bool rt_hazard_allows_buffer(const struct rt_context *context, const struct rt_resource *buffer);

/* Takes what a view writes out of the slots of inputs. */
void rt_hazard_end_inputs(struct rt_context *context, const struct rt_view *output);
/* The same for a buffer as a target of stream output. */
void rt_hazard_end_buffer_inputs(struct rt_context *context, const struct rt_resource *buffer);

enum rt_output_slots {
    RT_OUTPUTS_TARGETS = 1 << 0,     /* render targets and depth-stencil */
    RT_OUTPUTS_OUTPUT_UAVS = 1 << 1, /* of the output merger */
    RT_OUTPUTS_COMPUTE_UAVS = 1 << 2,
    RT_OUTPUTS_STREAM = 1 << 3,
};
/* Takes what a view writes out of other slots of outputs. */
void rt_hazard_end_outputs(struct rt_context *context, const struct rt_view *output, UINT slots);
void rt_hazard_end_buffer_outputs(struct rt_context *context, const struct rt_resource *buffer, UINT slots);
/* Takes a resource out of all slots. */
void rt_hazard_end_bindings(struct rt_context *context, const struct rt_resource *resource);

#endif
