/* SPDX-License-Identifier: MIT */
#include "exec/packet/target_set.h"

#include <string.h>

#include "aerogpu/diag.h"
#include "exec/bind/context.h"
#include "exec/bind/output_hazard.h"
#include "exec/host/report.h"
#include "exec/object/texture.h"
#include "exec/object/texture_desc.h"
#include "exec/object/view.h"
#include "exec/packet/execution.h"
#include "gpu/webgpu.h"

/* What is wrong with two targets of one call; null when nothing is. */
static const char *check_pair(const struct ag_texture_view *a, const struct ag_texture_view *b, bool depth)
{
    const WGPUExtent3D one = ag_view_extent(a), other = ag_view_extent(b);
    if (ag_targets_overlap(a, b))
        return "one subresource is bound as two targets";
    if (a->texture->dimension != b->texture->dimension ||
        (a->all_layers && b->all_layers && a->layer_count != b->layer_count))
        return "targets differ in dimension or array size";
    if (a->texture->sample_count != b->texture->sample_count)
        return "targets differ in samples";
    if (depth ? other.width < one.width || other.height < one.height
              : other.width != one.width || other.height != one.height)
        return "targets differ in size";
    return NULL;
}

static const char *check(const struct ag_target_slot *colors, uint32_t count,
                         const struct ag_target_slot *depth)
{
    for (uint32_t i = 0; i < count; i++) {
        const char *problem = NULL;
        if (!colors[i].view)
            continue;
        for (uint32_t j = 0; j < i && !problem; j++)
            problem = colors[j].view ? check_pair(colors[j].view, colors[i].view, false) : NULL;
        if (!problem && depth->view)
            problem = check_pair(colors[i].view, depth->view, true);
        if (problem)
            return problem;
    }
    return NULL;
}

enum agpu_status ag_target_set_check(struct ag_execution *execution, const struct ag_target_slot *colors,
                                     uint32_t count, const struct ag_target_slot *depth)
{
    const char *problem = check(colors, count, depth);
    return problem
               ? ag_host_drop(execution->host, AGPU_DIAG_EXEC_ARGUMENT, "%s: the bound targets stay", problem)
               : AGPU_OK;
}

void ag_target_set_bind(struct ag_context *context, const struct ag_target_slot *colors, uint32_t count,
                        const struct ag_target_slot *depth)
{
    memset(context->targets, 0, sizeof context->targets);
    while (count && colors[count - 1].handle == 0)
        count--;
    context->target_count = count;
    for (uint32_t i = 0; i < count; i++) {
        context->targets[i] = colors[i];
        if (colors[i].view)
            ag_context_becomes_target(context, colors[i].view);
    }
    context->depth_target = *depth;
    if (depth->view)
        ag_context_becomes_target(context, depth->view);
}
