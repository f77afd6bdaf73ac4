/* SPDX-License-Identifier: MIT
 *
 * Clip distances on devices without WGSL's clip_distances: the stage before the rasterizer outputs them as
 * interpolated values, and the pixel shader discards pixels whose distance is negative.
 */
#include <string.h>

#include "base/diag.h"
#include "wgsl/emit.h"
#include "wgsl/linkage.h"
#include "wgsl/options.h"

uint32_t ag_wgsl_clip_parts(const struct ag_linkage *linkage)
{
    return linkage == NULL ? 0 : (linkage->clip_count + 3u) / 4;
}

uint32_t ag_wgsl_clip_width(const struct ag_linkage *linkage, uint32_t part)
{
    uint32_t rest = linkage->clip_count - part * 4;
    return rest < 4 ? rest : 4;
}

/* ---- Linking ------------------------------------------------------------------------------------------ */

uint32_t ag_wgsl_bits(uint32_t mask)
{
    uint32_t count = 0;
    for (; mask != 0; mask &= mask - 1)
        count++;
    return count;
}

/* How many components are declared as clip distances, all of which the stage outputs; of a geometry shader,
 * in the stream that is rasterized. */
static uint32_t declared_distances(const struct agpu_program *program, uint32_t drawn)
{
    uint8_t masks[AGPU_MAX_REGISTERS] = {0};
    uint32_t count = 0;
    uint64_t stream = 0;
    for (uint32_t i = 0; i < program->instruction_count; i++) {
        const struct agpu_instruction *dcl = &program->instructions[i];
        if (dcl->opcode == AGPU_OP_DCL_STREAM && dcl->operand_count > 0)
            stream = dcl->operands[0].index[0].immediate;
        if (stream == drawn && dcl->opcode == AGPU_OP_DCL_OUTPUT_SIV && dcl->operand_count > 0 &&
            dcl->operands[0].type == AGPU_OPERAND_OUTPUT && dcl->operands[0].index_count == 1 &&
            dcl->operands[0].index[0].immediate < AGPU_MAX_REGISTERS && dcl->data_count > 0 &&
            dcl->data[0] == AGPU_NAME_CLIP_DISTANCE)
            masks[dcl->operands[0].index[0].immediate] |= dcl->operands[0].mask & 15u;
    }
    for (uint32_t r = 0; r < AGPU_MAX_REGISTERS; r++)
        count += ag_wgsl_bits(masks[r]);
    return count;
}

enum agpu_status ag_link_clip_distances(const struct agpu_shader *producer, uint32_t max_locations,
                                        const struct agpu_diag_sink *sink, struct ag_linkage *linkage)
{
    uint32_t count = declared_distances(&producer->program, linkage->stream);
    if (count > AG_WGSL_MAX_CLIP_DISTANCES) {
        ag_report(sink, AGPU_DIAG_TRANSLATE_LIMIT, AGPU_ERROR, ag_place_none(), "more than %d clip distances",
                  AG_WGSL_MAX_CLIP_DISTANCES);
        return AGPU_REFUSED;
    }
    linkage->clip_count = (uint8_t)count;
    linkage->clip_location = linkage->location_count;
    linkage->location_count = (uint8_t)(linkage->location_count + ag_wgsl_clip_parts(linkage));
    if (linkage->location_count <= max_locations)
        return AGPU_OK;
    ag_report(sink, AGPU_DIAG_TRANSLATE_LIMIT, AGPU_ERROR, ag_place_none(),
              "%u locations cross between the stages with the clip distances, the device has room for %u",
              linkage->location_count, max_locations);
    memset(linkage, 0, sizeof *linkage);
    return AGPU_REFUSED;
}

/* ---- Text --------------------------------------------------------------------------------------------- */

void ag_wgsl_clip_member(const struct ag_linkage *linkage, uint32_t part, struct ag_strbuf *out)
{
    ag_strbuf_printf(out, "@location(%u) clip%u: %s", linkage->clip_location + part, part,
                     ag_wgsl_type(AG_IR_F32, ag_wgsl_clip_width(linkage, part)));
}

/* Negative distances and NaN are recognised by their bits, because drivers may turn `!(a >= b)` into `a <
 * b`. */
void ag_wgsl_clip_function(struct ag_strbuf *out)
{
    ag_strbuf_append(out, "fn is_clipped(distance: vec4f) -> bool {\n"
                          "\tlet bits = bitcast<vec4u>(distance);\n"
                          "\treturn any((bits > vec4u(0x7f800000u)) & (bits != vec4u(0x80000000u)));\n"
                          "}\n\n");
}

void ag_wgsl_clip_condition(const struct ag_linkage *linkage, struct ag_strbuf *out)
{
    static const char *const padding[] = {"", ", 0.0, 0.0, 0.0", ", 0.0, 0.0", ", 0.0", ""};
    for (uint32_t part = 0; part < ag_wgsl_clip_parts(linkage); part++)
        ag_strbuf_printf(out, "%sis_clipped(vec4f(clip%u%s))", part > 0 ? " || " : "", part,
                         padding[ag_wgsl_clip_width(linkage, part)]);
}

struct agpu_stage_value ag_wgsl_clip_value(const struct ag_linkage *linkage, uint32_t part)
{
    return (struct agpu_stage_value){
        .register_index = 0xff,
        .mask = (uint8_t)((1u << ag_wgsl_clip_width(linkage, part)) - 1),
        .location = (uint8_t)(linkage->clip_location + part),
        .component_type = AGPU_COMPONENT_FLOAT,
        .system_value = AGPU_SV_CLIP_DISTANCE,
    };
}

uint32_t ag_wgsl_clip_values(const struct ag_linkage *linkage, struct agpu_stage_value *values)
{
    uint32_t count = ag_wgsl_clip_parts(linkage);
    for (uint32_t part = 0; part < count; part++)
        values[part] = ag_wgsl_clip_value(linkage, part);
    return count;
}

/* ---- Where no pixel shader is ------------------------------------------------------------------------- */

static void write_pixel(const struct ag_linkage *linkage, uint32_t pixel_depth, struct ag_strbuf *out)
{
    const bool biases = pixel_depth & AG_PIXEL_DEPTH_BIAS;
    if (biases)
        ag_wgsl_write_draw_block(out);
    if (pixel_depth != 0)
        ag_wgsl_write_depth_function(out, pixel_depth);
    if (linkage->clip_count > 0)
        ag_wgsl_clip_function(out);
    ag_strbuf_append(out, "@fragment\nfn main(");
    if (pixel_depth != 0)
        ag_strbuf_append(out, "@builtin(position) p: vec4f");
    for (uint32_t part = 0; part < ag_wgsl_clip_parts(linkage); part++) {
        ag_strbuf_append(out, part > 0 || pixel_depth != 0 ? ", " : "");
        ag_wgsl_clip_member(linkage, part, out);
    }
    ag_strbuf_append(out, pixel_depth != 0 ? ") -> @builtin(frag_depth) f32 {\n" : ") {\n");
    if (pixel_depth != 0)
        ag_strbuf_printf(out, "\tlet depth = drawn_depth(p.z%s);\n",
                         biases ? ", max(abs(dpdxFine(p.z)), abs(dpdyFine(p.z)))" : "");
    if (linkage->clip_count > 0) {
        ag_strbuf_append(out, "\tif (");
        ag_wgsl_clip_condition(linkage, out);
        ag_strbuf_append(out, ") { discard; }\n");
    }
    ag_strbuf_append(out, pixel_depth != 0 ? "\treturn depth;\n}\n" : "}\n");
}

static bool fill_pixel(const struct ag_linkage *linkage, uint32_t pixel_depth, const struct ag_strbuf *text,
                       struct agpu_module *module)
{
    struct ag_arena *arena = &module->memory->arena;
    struct agpu_stage_value *inputs =
        AG_ARENA_ARRAY(arena, struct agpu_stage_value, AG_WGSL_MAX_CLIP_DISTANCES / 4);
    module->wgsl = ag_arena_strndup(arena, ag_strbuf_text(text), text->length);
    module->wgsl_length = text->length;
    module->entry_point = "main";
    module->flavour = AGPU_FLAVOUR_PIXEL;
    module->stage = AGPU_STAGE_PIXEL;
    module->discards = linkage->clip_count > 0;
    module->uses_draw_block = (pixel_depth & AG_PIXEL_DEPTH_BIAS) != 0;
    module->line_offsets = ag_wgsl_no_offsets(arena, text, &module->line_count);
    if (text->failed || module->wgsl == NULL || inputs == NULL || module->line_offsets == NULL)
        return false;
    module->input_count = ag_wgsl_clip_values(linkage, inputs);
    module->inputs = inputs;
    return true;
}

enum agpu_status ag_translate_made_pixel(const struct ag_linkage *linkage, uint32_t pixel_depth,
                                         const struct agpu_diag_sink *sink, struct agpu_module **module)
{
    struct ag_strbuf text = {0};
    *module = NULL;
    if (linkage->clip_count > AG_WGSL_MAX_CLIP_DISTANCES) {
        ag_report(sink, AGPU_DIAG_TRANSLATE_LIMIT, AGPU_ERROR, ag_place_none(),
                  "a linkage of %u clip distances", linkage->clip_count);
        return AGPU_REFUSED;
    }
    write_pixel(linkage, pixel_depth, &text);
    struct agpu_module *made = ag_wgsl_module_new();
    bool good = made != NULL && fill_pixel(linkage, pixel_depth, &text, made);
    ag_strbuf_fini(&text);
    if (!good) {
        agpu_module_destroy(made);
        return ag_report_no_memory(sink);
    }
    *module = made;
    return AGPU_OK;
}
