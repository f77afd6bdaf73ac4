/* SPDX-License-Identifier: MIT
 *
 * What the output merger does in the pixel shader because WebGPU's does it otherwise: alpha to coverage.
 */
#include "wgsl/emit.h"
#include "wgsl/options.h"

/* ---- Alpha to coverage -------------------------------------------------------------------------------- */

/* Whether the output has an alpha to take coverage from. Integers have none. */
static bool has_alpha(const struct ag_ir_output *output)
{
    return output->kind == AG_IR_OUTPUT_REGISTER && output->number == 0 && (output->mask & 8) &&
           output->component_type != AGPU_COMPONENT_UINT && output->component_type != AGPU_COMPONENT_SINT;
}

/* A mask that the shader writes disables alpha to coverage (D3D11.3 17.18). */
void ag_wgsl_plan_alpha(struct ag_wgsl_emitter *emitter)
{
    struct ag_ir_program *program = emitter->program;
    struct ag_ir_output *alpha = NULL;
    uint32_t index = 0;
    if (program->stage != AGPU_STAGE_PIXEL || !emitter->options->alpha_to_coverage)
        return;
    for (uint32_t i = 0; i < program->outputs.count; i++) {
        if (program->outputs.data[i].kind == AG_IR_OUTPUT_COVERAGE)
            return;
        if (has_alpha(&program->outputs.data[i])) {
            alpha = &program->outputs.data[i];
            index = i;
        }
    }
    if (alpha == NULL)
        return;
    alpha->used = true; /* also where no target takes the output */
    struct ag_wgsl_member *member =
        ag_wgsl_add_output(emitter, index, "sample_mask", "@builtin(sample_mask)", "u32");
    if (member == NULL)
        return;
    member->is_alpha_mask = true;
    member->value.register_index = 0xff;
    member->value.component_type = AGPU_COMPONENT_UINT;
}

/* Alpha below half a step and NaN cover nothing, alpha within half a step of 1 and above covers all. Eight
 * samples are four on the host. */
static void write_alpha_mask(struct ag_strbuf *out)
{
    ag_strbuf_append(out, "fn alpha_mask(count: u32, alpha: f32) -> u32 {\n"
                          "    let steps = min(count, 4u);\n"
                          "    let covered = u32(clamp(number(alpha), 0.0, 1.0) * f32(steps) + 0.5);\n"
                          "    return host_mask(steps, (1u << covered) - 1u);\n"
                          "}\n\n");
}

void ag_wgsl_append_alpha_mask(struct ag_wgsl_emitter *emitter, struct ag_ir_expr *output)
{
    static const uint8_t lane[1] = {3};
    const struct ag_ir_expr *alpha = ag_ir_narrow(emitter->program, output, 1, lane);
    ag_wgsl_require(emitter, AG_WGSL_NUMBER, 1);
    ag_wgsl_require(emitter, AG_WGSL_HOST_MASK, 1);
    if (!emitter->uses_alpha_mask)
        write_alpha_mask(&emitter->functions);
    emitter->uses_alpha_mask = true;
    emitter->uses_draw_block = true;
    ag_strbuf_append(&emitter->body, "alpha_mask(draw.sample_count, ");
    ag_wgsl_expr(emitter, alpha, AG_IR_F32, false);
    ag_strbuf_append_char(&emitter->body, ')');
}
