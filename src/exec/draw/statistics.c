/* SPDX-License-Identifier: MIT */
#include "exec/draw/statistics.h"

#include "aerogpu/dxbc.h"
#include "exec/bind/context.h"
#include "exec/bind/draw_call.h"
#include "exec/bind/shader.h"
#include "exec/draw/drawer.h"
#include "exec/draw/index.h"
#include "exec/draw/raster.h"
#include "exec/record/query.h"

void ag_queries_count_draw(struct ag_drawer *drawer, const struct ag_context *context,
                           const struct ag_draw *draw)
{
    if (!ag_queries_want(drawer->recorder, AG_QUERY_COUNTER_IA_VERTICES))
        return;
    const uint64_t instances = draw->instance_count;
    const uint64_t vertices = draw->count * instances;
    const uint64_t primitives = ag_topology_primitives(context->topology, draw->count) * instances;
    ag_queries_add(drawer->recorder, AG_QUERY_COUNTER_IA_VERTICES, vertices);
    ag_queries_add(drawer->recorder, AG_QUERY_COUNTER_IA_PRIMITIVES, primitives);
    ag_queries_add(drawer->recorder, AG_QUERY_COUNTER_VS_INVOCATIONS, vertices);
    const struct ag_shader_program *geometry = ag_shader_at(drawer->binder, context, AGPU_STAGE_GEOMETRY);
    if ((geometry && !geometry->passes_through) || ag_shader_at(drawer->binder, context, AGPU_STAGE_HULL))
        return; /* the GPU counts the primitives that such stages make */
    if (!ag_draw_rasterizes(drawer, context))
        return;
    ag_queries_add(drawer->recorder, AG_QUERY_COUNTER_C_INVOCATIONS, primitives);
    ag_queries_add(drawer->recorder, AG_QUERY_COUNTER_C_PRIMITIVES, primitives);
}

void ag_queries_count_dispatch(struct ag_drawer *drawer, const uint32_t groups[3], const uint32_t threads[3])
{
    uint64_t invocations = 1;
    for (uint32_t i = 0; i < 3; i++)
        invocations *= (uint64_t)groups[i] * threads[i];
    ag_queries_add(drawer->recorder, AG_QUERY_COUNTER_CS_INVOCATIONS, invocations);
}
