/* SPDX-License-Identifier: MIT */
#include "exec/expand/joined_draws.h"

#include "aerogpu/dxbc.h"
#include "aerogpu/translate.h"
#include "exec/bind/draw_call.h"
#include "exec/bind/pipeline.h"
#include "exec/bind/shader.h"
#include "exec/expand/expander.h"
#include "exec/expand/preparation.h"
#include "exec/expand/stages.h"
#include "exec/record/query.h"

#define MOST_JOINED_VERTICES 65536

/* Whether the module reads a number that begins at 0 in each draw. */
static bool reads_numbers(const struct ag_shader_variant *variant)
{
    for (uint32_t i = 0; variant && i < variant->module->input_count; i++) {
        const uint8_t value = variant->module->inputs[i].system_value;
        if (value == AGPU_SV_PRIMITIVE_ID || value == AGPU_SV_VERTEX_ID)
            return true;
    }
    return false;
}

static bool any_reads_numbers(const struct ag_prepared_expansion *draw)
{
    for (uint32_t i = 0; i < AG_EXPAND_STAGE_COUNT; i++)
        if (reads_numbers(draw->stages.stages[i].variant))
            return true;
    return draw->pipeline && reads_numbers(draw->pipeline->pixel);
}

/* The most vertices of one draw that are expanded in one step, so that a joined draw takes no more steps and
 * passes than each of its draws. */
static uint32_t most_vertices(const struct ag_prepared_expansion *draw)
{
    const uint64_t vertices =
        (uint64_t)draw->plan.most_step_units * draw->stages.shape.assembly.list_vertices;
    return vertices < MOST_JOINED_VERTICES ? (uint32_t)vertices : MOST_JOINED_VERTICES;
}

void ag_joined_draws_note(const struct ag_prepared_expansion *draw)
{
    const struct ag_assembly *assembly = &draw->stages.shape.assembly;
    const struct ag_draw *guest = draw->guest;
    draw->expander->joined.may_join =
        !guest->indexed && guest->instance_count == 1 && assembly->list_vertices &&
        guest->count % assembly->list_vertices == 0 && draw->writers.count == 0 &&
        !draw->stages.stream_output && !draw->by_primitive && !draw->is_split && !any_reads_numbers(draw) &&
        !ag_queries_want(draw->expander->recorder, AG_QUERY_COUNTER_IA_VERTICES);
    draw->expander->joined.vertices = assembly->list_vertices;
    draw->expander->joined.most_vertices = draw->expander->joined.may_join ? most_vertices(draw) : 0;
}

void ag_joined_draws_begin(struct ag_expander *expander, struct ag_context *context,
                           const struct ag_draw *draw)
{
    struct ag_joined_draws *joined = &expander->joined;
    joined->context = joined->may_join ? context : NULL;
    joined->draw = *draw;
    joined->wait = false;
}

bool ag_joined_draws_take(struct ag_expander *expander, const struct ag_context *context,
                          const struct ag_draw *draw)
{
    struct ag_joined_draws *joined = &expander->joined;
    const struct ag_draw *last = &joined->draw;
    if (!joined->context || joined->context != context || draw->indexed || draw->instance_count != 1 ||
        draw->first_instance != last->first_instance || draw->first < last->first ||
        draw->first - last->first != last->count || draw->count % joined->vertices != 0 ||
        draw->count > joined->most_vertices ||
        (joined->wait && last->count > joined->most_vertices - draw->count))
        return false;
    if (joined->wait)
        joined->draw.count += draw->count;
    else
        joined->draw = *draw;
    joined->wait = true;
    return true;
}
