/* SPDX-License-Identifier: MIT */
#include <inttypes.h>

#include "base/bytes.h"
#include "cli/shader_parts.h"
#include "dxbc/names.h"

#define FEATURE_BITS 64
#define FLAG_BITS 13

static const char *word(const struct ag_name_list *names, uint32_t value)
{
    const char *const name = ag_name_of(names, value);
    return name != NULL ? name : "unknown";
}

/* ---- JSON --------------------------------------------------------------------------------------------- */

static json_t *features_json(uint64_t bits)
{
    json_t *const names = json_array();
    for (uint32_t i = 0; i < FEATURE_BITS; i++)
        if (bits >> i & 1)
            json_array_append_new(names, agpu_feature_name(i) != NULL ? json_string(agpu_feature_name(i))
                                                                      : json_integer(i));
    return names;
}

static json_t *flags_json(uint32_t flags)
{
    json_t *const names = json_array();
    for (uint32_t i = 0; i < FLAG_BITS; i++)
        if (flags >> i & 1)
            json_array_append_new(names, json_string(word(&ag_names_global_flag, i)));
    return names;
}

static json_t *statistics_json(const struct agpu_shader_facts *facts)
{
    json_t *const object =
        json_pack("{s:I, s:I, s:I, s:I, s:I}", "instructions", (json_int_t)facts->instructions,
                  "declarations", (json_int_t)facts->declarations, "temps", (json_int_t)facts->temps,
                  "array_temps", (json_int_t)facts->array_temps, "constants", (json_int_t)facts->constants);
    json_t *const classes = json_object();
    for (uint32_t i = 0; i < AGPU_INSTRUCTION_COUNT; i++)
        json_object_set_new(classes, agpu_instruction_class_name((enum agpu_instruction_class)i),
                            json_integer(facts->classes[i]));
    json_object_set_new(object, "classes", classes);
    return object;
}

static json_t *geometry_json(const struct agpu_shader_facts *facts)
{
    json_t *const streams = json_array();
    for (uint32_t i = 0; i < 32; i++)
        if (facts->streams >> i & 1)
            json_array_append_new(streams, json_integer(i));
    return json_pack(
        "{s:s, s:s, s:I, s:I, s:o}", "input_primitive", word(&ag_names_primitive, facts->input_primitive),
        "output_topology", word(&ag_names_output_topology, facts->output_topology), "max_vertices",
        (json_int_t)facts->max_vertices, "instances", (json_int_t)facts->gs_instances, "streams", streams);
}

static json_t *tessellation_json(const struct agpu_shader *shader, const struct agpu_shader_facts *facts)
{
    json_t *const object = json_pack("{s:s, s:I}", "domain", word(&ag_names_domain, facts->domain),
                                     "input_control_points", (json_int_t)facts->input_control_points);
    if (shader->program.stage == AGPU_STAGE_DOMAIN)
        return object;
    json_object_set_new(object, "output_control_points", json_integer(facts->output_control_points));
    json_object_set_new(object, "partitioning",
                        json_string(word(&ag_names_partitioning, facts->partitioning)));
    json_object_set_new(object, "output_primitive",
                        json_string(word(&ag_names_tessellator_output, facts->output_primitive)));
    json_object_set_new(object, "max_tess_factor", json_real((double)facts->max_tess_factor));
    json_object_set_new(object, "phases",
                        json_pack("{s:I, s:I, s:I}", "control_point", (json_int_t)facts->control_point_phases,
                                  "fork", (json_int_t)facts->fork_phases, "join",
                                  (json_int_t)facts->join_phases));
    return object;
}

void cli_facts_json(json_t *object, const struct agpu_shader *shader)
{
    struct agpu_shader_facts facts;
    agpu_shader_facts(shader, &facts);
    json_object_set_new(object, "features", features_json(facts.feature_bits));
    json_object_set_new(object, "global_flags", flags_json(shader->program.global_flags));
    json_object_set_new(object, "statistics", statistics_json(&facts));
    switch (shader->program.stage) {
    case AGPU_STAGE_COMPUTE:
        json_object_set_new(object, "thread_group",
                            json_pack("[I, I, I]", (json_int_t)facts.thread_group[0],
                                      (json_int_t)facts.thread_group[1], (json_int_t)facts.thread_group[2]));
        json_object_set_new(object, "shared_bytes", json_integer((json_int_t)facts.shared_bytes));
        break;
    case AGPU_STAGE_GEOMETRY:
        json_object_set_new(object, "geometry", geometry_json(&facts));
        break;
    case AGPU_STAGE_HULL:
    case AGPU_STAGE_DOMAIN:
        json_object_set_new(object, "tessellation", tessellation_json(shader, &facts));
        break;
    case AGPU_STAGE_PIXEL:
    case AGPU_STAGE_VERTEX:
    case AGPU_STAGE_COUNT:
        break;
    }
}

/* ---- Text --------------------------------------------------------------------------------------------- */

static void stage_text(struct ag_strbuf *text, const struct agpu_shader *shader,
                       const struct agpu_shader_facts *facts)
{
    switch (shader->program.stage) {
    case AGPU_STAGE_COMPUTE:
        ag_strbuf_printf(
            text,
            "  thread group %" PRIu32 " x %" PRIu32 " x %" PRIu32 ", %" PRIu64 " bytes of shared memory\n",
            facts->thread_group[0], facts->thread_group[1], facts->thread_group[2], facts->shared_bytes);
        break;
    case AGPU_STAGE_GEOMETRY:
        ag_strbuf_printf(text, "  from %s to %s, at most %" PRIu32 " vertices, %" PRIu32 " instances\n",
                         word(&ag_names_primitive, facts->input_primitive),
                         word(&ag_names_output_topology, facts->output_topology), facts->max_vertices,
                         facts->gs_instances);
        break;
    case AGPU_STAGE_HULL:
        ag_strbuf_printf(text, "  %s, %s, %s, %" PRIu32 " control points in, %" PRIu32 " out\n",
                         word(&ag_names_domain, facts->domain),
                         word(&ag_names_partitioning, facts->partitioning),
                         word(&ag_names_tessellator_output, facts->output_primitive),
                         facts->input_control_points, facts->output_control_points);
        ag_strbuf_printf(text, "  phases: %" PRIu32 " control point, %" PRIu32 " fork, %" PRIu32 " join\n",
                         facts->control_point_phases, facts->fork_phases, facts->join_phases);
        break;
    case AGPU_STAGE_DOMAIN:
        ag_strbuf_printf(text, "  %s, %" PRIu32 " control points\n", word(&ag_names_domain, facts->domain),
                         facts->input_control_points);
        break;
    case AGPU_STAGE_PIXEL:
    case AGPU_STAGE_VERTEX:
    case AGPU_STAGE_COUNT:
        break;
    }
}

static void flags_text(struct ag_strbuf *text, uint32_t flags)
{
    if (flags == 0)
        return;
    ag_strbuf_append(text, "  flags");
    for (uint32_t i = 0; i < FLAG_BITS; i++)
        if (flags >> i & 1)
            ag_strbuf_printf(text, " %s", word(&ag_names_global_flag, i));
    ag_strbuf_append_char(text, '\n');
}

static void features_text(struct ag_strbuf *text, uint64_t bits)
{
    if (bits == 0)
        return;
    ag_strbuf_append(text, "  features");
    for (uint32_t i = 0; i < FEATURE_BITS; i++) {
        if ((bits >> i & 1) == 0)
            continue;
        if (agpu_feature_name(i) != NULL)
            ag_strbuf_printf(text, " %s", agpu_feature_name(i));
        else
            ag_strbuf_printf(text, " bit%" PRIu32, i);
    }
    ag_strbuf_append_char(text, '\n');
}

void cli_facts_text(struct ag_strbuf *text, const struct agpu_shader *shader)
{
    struct agpu_shader_facts facts;
    agpu_shader_facts(shader, &facts);
    stage_text(text, shader, &facts);
    flags_text(text, shader->program.global_flags);
    features_text(text, facts.feature_bits);
    ag_strbuf_printf(text, "  %" PRIu32 " instruction slots:", facts.instructions);
    for (uint32_t i = 0; i < AGPU_INSTRUCTION_COUNT; i++)
        if (facts.classes[i] != 0)
            ag_strbuf_printf(text, " %s %" PRIu32,
                             agpu_instruction_class_name((enum agpu_instruction_class)i), facts.classes[i]);
    ag_strbuf_printf(text,
                     "\n  %" PRIu32 " temporaries, %" PRIu32 " in arrays, %" PRIu32 " immediate constants\n",
                     facts.temps, facts.array_temps, facts.constants);
}
