/* SPDX-License-Identifier: MIT
 *
 * One shader on a device and in the interpreter.
 */
#include "stage_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "wgsl/binding.h"
#include "wgsl/expansion.h"
#include "wgsl/options.h"

#define STEP_BUDGET 20000u
#define COMPUTE_GROUPS 2u
#define BACKWARDS_VARIANT 4 /* differs from the first in order alone, but for derivatives */

/* A coordinate between two texels or a comparison of near numbers may fall to the other side without a
 * variant showing it: so many numbers may hold one such. */
#define OUTLIERS 25u

/* Software drivers take levels of detail from an approximate logarithm: lavapipe reads that of a squared
 * length off the float, in which the mantissa is linear, and is up to 0.0431 below; SwiftShader up to 0.02.
 * Spans count three times. */
#define LOD_ERROR 0x1p-6f
/* lavapipe projects derivatives onto the face of one pixel of a quad. SwiftShader does not project them and
 * is half a level off and more: its cubes have one level, of which only magnification depends on that. */
#define CUBE_LOD_ERROR 0x1p-5f
#define FLAT_CUBE_LOD_ERROR 3.0f

struct stage {
    struct agpu_gpu *gpu;
    const struct agpu_shader *shader;
    struct ag_ref_program *program;
    struct stage_world world;
    struct oracle_job job;
    struct stage_content content;
    uint8_t uav_formats[AGPU_MAX_UAVS];
    struct oracle_error error;
    struct stage_report *report;
};

/* ---- Variants ----------------------------------------------------------------------------------------- */

/* The interpreter's choices, then its rounding moved, in another way for each vertex or quad `n`. */
static struct ag_ref_options variant(const struct stage *stage, uint32_t number, uint32_t n)
{
    static const uint32_t flags[8] = {
        AG_REF_DEFAULT,
        AG_REF_FUSE_MAD | AG_REF_FUSE_DOT | AG_REF_BACKWARDS | AG_REF_LOWER_ROW,
        AG_REF_KEEP_DENORMALS | AG_REF_RIGHT_COLUMN,
        AG_REF_DIVIDE_BY_RECIPROCAL | AG_REF_FUSE_MAD | AG_REF_BACKWARDS | AG_REF_LOWER_ROW |
            AG_REF_RIGHT_COLUMN,
        AG_REF_FINE_DERIVATIVES | AG_REF_BACKWARDS,
        AG_REF_FINE_DERIVATIVES | AG_REF_FUSE_MAD | AG_REF_FUSE_DOT,
        AG_REF_LOWER_ROW | AG_REF_BACKWARDS,
        AG_REF_FUSE_MAD | AG_REF_RIGHT_COLUMN,
    };
    return (struct ag_ref_options){
        .flags = flags[number % 8],
        .step_budget = STEP_BUDGET,
        .lod_error = LOD_ERROR,
        .cube_lod_error = stage->content.flat_cubes ? FLAT_CUBE_LOD_ERROR : CUBE_LOD_ERROR,
        .perturb =
            number < 5 ? 0 : ((stage->content.seed * STAGE_VARIANTS + number) * STAGE_PIXELS + n) * 2 + 1};
}

static bool skip(struct stage *stage, const char *reason)
{
    stage->report->outcome = STAGE_SKIPPED;
    snprintf(stage->report->text, sizeof stage->report->text, "%.300s", reason);
    return false;
}

static bool interpreted(struct stage *stage, enum agpu_status status)
{
    return status == AGPU_OK || skip(stage, stage->error.message);
}

/* ---- Comparing ---------------------------------------------------------------------------------------- */

static void judge(struct stage *stage, const struct stage_number *number, const char *what, uint32_t index,
                  uint32_t slot, uint32_t component)
{
    struct stage_report *report = stage->report;
    report->numbers++;
    switch (stage_judge(number)) {
    case STAGE_AGREES:
        return;
    case STAGE_WIDE:
        report->wide++;
        return;
    case STAGE_DIFFERS:
        break;
    }
    if (report->wrong++ != 0)
        return;
    float low = INFINITY, high = -INFINITY;
    for (uint32_t i = 0; i < STAGE_VARIANTS; i++) {
        low = fminf(low, ag_float_from_bits(number->want[i]));
        high = fmaxf(high, ag_float_from_bits(number->want[i]));
    }
    snprintf(report->text, sizeof report->text, "%s %u %u.%u is 0x%08x (%g), should be 0x%08x (%g to %g)",
             what, index, slot, component, number->got, (double)ag_float_from_bits(number->got),
             number->want[0], (double)low, (double)high);
}

/* ---- Compute ------------------------------------------------------------------------------------------ */

static void judge_texel(struct stage *stage, struct stage_world *after, uint32_t slot, uint64_t at)
{
    const struct ag_ref_view *view = &stage->world.unordered[slot];
    const bool is_small = view->format.kind == AG_REF_UNORM || view->format.kind == AG_REF_SNORM;
    const bool is_half = view->format.kind == AG_REF_FLOAT && view->format.channel[0].bits == 16;
    uint32_t got[4], want[STAGE_VARIANTS][4];
    ag_ref_format_load(&view->format, stage->job.result[slot] + at, got);
    for (uint32_t i = 0; i < STAGE_VARIANTS; i++)
        ag_ref_format_load(&view->format, (const uint8_t *)after[i].unordered[slot].data + at, want[i]);
    for (uint32_t c = 0; c < 4; c++) {
        struct stage_number number = {
            .got = got[c],
            .is_integer = view->format.kind == AG_REF_UINT || view->format.kind == AG_REF_SINT,
            .step = is_small ? 1.5 / 127 : 0,
        };
        if (is_half) /* rounded to zero or to nearest */
            number.step = fabs((double)ag_float_from_bits(want[0][c])) * 0x1p-10;
        for (uint32_t i = 0; i < STAGE_VARIANTS; i++)
            number.want[i] = want[i][c];
        judge(stage, &number, "texel of u", slot, (uint32_t)(at / view->format.bytes), c);
    }
}

static void judge_word(struct stage *stage, struct stage_world *after, uint32_t slot, uint64_t at)
{
    struct stage_number number = {.got = ag_load_u32(stage->job.result[slot] + at)};
    for (uint32_t i = 0; i < STAGE_VARIANTS; i++)
        number.want[i] = ag_load_u32((const uint8_t *)after[i].unordered[slot].data + at);
    judge(stage, &number, "word of u", slot, (uint32_t)at / 4, 0);
}

static void judge_memory(struct stage *stage, struct stage_world *after)
{
    for (uint32_t slot = 0; slot < AGPU_MAX_UAVS; slot++) {
        const struct ag_ref_view *view = &stage->world.unordered[slot];
        const uint32_t step = view->format.bytes != 0 ? view->format.bytes : 4;
        for (uint64_t at = 0; view->data != NULL && at < view->size; at += step)
            if (view->format.bytes != 0)
                judge_texel(stage, after, slot, at);
            else
                judge_word(stage, after, slot, at);
    }
}

/* What atomics and counters return depends on the order of threads; so does what pixels read of memory that
 * others write. */
static bool observes_order(const struct agpu_program *program)
{
    const bool is_pixel = program->stage == AGPU_STAGE_PIXEL;
    for (uint32_t i = 0; i < program->instruction_count; i++) {
        const struct agpu_instruction *instruction = &program->instructions[i];
        const struct agpu_opcode_info *info = agpu_opcode_info(instruction->opcode);
        if (instruction->opcode >= AGPU_OP_IMM_ATOMIC_ALLOC && instruction->opcode <= AGPU_OP_IMM_ATOMIC_UMIN)
            return true;
        for (uint32_t k = info->destination_count; is_pixel && k < instruction->operand_count; k++)
            if (instruction->operands[k].type == AGPU_OPERAND_UNORDERED_ACCESS_VIEW &&
                !(info->flags & AGPU_OPF_DECLARATION))
                return true;
    }
    return false;
}

/* Threads that write to the same words, or read others' without a barrier, leave something else when they run
 * the other way round. */
static bool is_racing(const struct stage_world *one, const struct stage_world *other)
{
    for (uint32_t slot = 0; slot < AGPU_MAX_UAVS; slot++)
        if (one->unordered[slot].data != NULL &&
            memcmp(one->unordered[slot].data, other->unordered[slot].data,
                   (size_t)one->unordered[slot].size) != 0)
            return true;
    return false;
}

/* The interpreter on so many groups; false when it will not run. */
static bool dispatch(struct stage *stage, struct stage_world *after, const uint32_t groups[3])
{
    for (uint32_t i = 0; i < STAGE_VARIANTS; i++) {
        const struct ag_ref_options options = variant(stage, i, 0);
        stage_world_fini(&after[i], true);
        if (!stage_world_copy(&after[i], &stage->world) ||
            !interpreted(stage, ag_ref_dispatch(stage->program, &after[i].bindings, &options,
                                                &stage->error.sink, groups)))
            return false;
    }
    return true;
}

/* Several groups, or one where groups write to the same words. */
static void run_compute(struct stage *stage)
{
    struct stage_world *after = calloc(STAGE_VARIANTS, sizeof *after);
    bool good = after != NULL, racing = true;
    for (uint32_t groups = COMPUTE_GROUPS; groups > 0 && good && racing; groups--) {
        stage->job.groups[0] = groups;
        stage->job.groups[1] = stage->job.groups[2] = 1;
        good = dispatch(stage, after, stage->job.groups);
        racing = good && is_racing(&after[0], &after[BACKWARDS_VARIANT]);
    }
    if (good && racing)
        skip(stage, "depends on the order of its threads");
    else if (good && oracle_gpu_run(stage->gpu, &stage->job, 1) && stage->job.outcome == ORACLE_RAN)
        judge_memory(stage, after);
    for (uint32_t i = 0; i < STAGE_VARIANTS && after != NULL; i++)
        stage_world_fini(&after[i], true);
    free(after);
}

/* ---- Outputs of vertices and pixels ------------------------------------------------------------------- */

struct results {
    struct ag_ref_invocation of[STAGE_VARIANTS][STAGE_PIXELS]; /* or vertices */
};
_Static_assert(STAGE_PIXELS == STAGE_VERTICES, "results hold either");

/* One element of the output signature of one invocation; `got` has four words. */
static void judge_element(struct stage *stage, const struct results *results, uint32_t n,
                          const struct agpu_signature_element *element, const uint32_t *got, const char *what)
{
    const uint32_t r = element->register_index;
    for (uint32_t c = 0; c < 4; c++) {
        if (!(element->mask & results->of[0][n].written[r] & 1u << c))
            continue;
        struct stage_number number = {.got = got[c],
                                      .is_integer = element->component_type == AGPU_COMPONENT_UINT ||
                                                    element->component_type == AGPU_COMPONENT_SINT};
        for (uint32_t i = 0; i < STAGE_VARIANTS; i++)
            number.want[i] = results->of[i][n].output[r][c];
        judge(stage, &number, what, n, r, c);
    }
}

/* ---- Vertices ----------------------------------------------------------------------------------------- */

static void fill_vertex(struct oracle_random *random, const struct agpu_shader *shader, uint32_t n,
                        uint32_t input[AG_REF_REGISTERS][4])
{
    for (uint32_t i = 0; i < shader->input.count; i++) {
        const struct agpu_signature_element *element = &shader->input.elements[i];
        for (uint32_t c = 0; c < 4 && element->register_index < AG_REF_REGISTERS; c++) {
            if (!(element->mask >> c & 1))
                continue;
            input[element->register_index][c] = element->system_value == AGPU_SV_VERTEX_ID ? n
                                                : element->system_value == AGPU_SV_INSTANCE_ID
                                                    ? n % 3
                                                    : stage_word(random, element->component_type);
        }
    }
}

static void judge_vertices(struct stage *stage, const struct results *results)
{
    const uint32_t registers = stage->job.module->expansion.record_registers;
    const struct agpu_signature *output = &stage->shader->output;
    for (uint32_t n = 0; n < STAGE_VERTICES; n++)
        for (uint32_t i = 0; i < output->count; i++) {
            uint32_t got[4];
            if (output->elements[i].register_index >= registers)
                continue;
            memcpy(got,
                   stage->job.records->outputs +
                       ((size_t)n * registers + output->elements[i].register_index) * 16,
                   sizeof got);
            judge_element(stage, results, n, &output->elements[i], got, "vertex");
        }
}

static bool interpret_vertices(struct stage *stage, struct results *results)
{
    for (uint32_t i = 0; i < STAGE_VARIANTS; i++) {
        for (uint32_t n = 0; n < STAGE_VERTICES; n++) {
            const struct ag_ref_options options = variant(stage, i, n);
            memcpy(results->of[i][n].input, results->of[0][n].input, sizeof results->of[i][n].input);
            if (!interpreted(stage, ag_ref_run_vertex(stage->program, &stage->world.bindings, &options,
                                                      &stage->error.sink, &results->of[i][n])))
                return false;
        }
    }
    return true;
}

static void run_vertices(struct stage *stage, struct results *results)
{
    struct oracle_random random = {stage->content.seed ^ 0x7e27};
    const uint32_t registers = stage->job.module->expansion.input_registers;
    uint32_t list[AG_LIST_HEADER_WORDS + 2 * STAGE_VERTICES] = {STAGE_VERTICES};
    uint32_t *inputs = calloc((size_t)STAGE_VERTICES * (registers + 1), 16);
    struct oracle_records records = {.vertices = list,
                                     .vertex_count = STAGE_VERTICES,
                                     .inputs = inputs,
                                     .input_bytes = (uint64_t)STAGE_VERTICES * registers * 16};
    for (uint32_t n = 0; n < STAGE_VERTICES && inputs != NULL; n++) {
        fill_vertex(&random, stage->shader, n, results->of[0][n].input);
        list[AG_LIST_HEADER_WORDS + 2 * n] = n;
        list[AG_LIST_HEADER_WORDS + 2 * n + 1] = n % 3;
        memcpy(inputs + (size_t)4 * n * registers, results->of[0][n].input, (size_t)16 * registers);
    }
    stage->job.records = &records;
    stage->job.groups[0] = (STAGE_VERTICES + AG_EXPAND_WORKGROUP - 1) / AG_EXPAND_WORKGROUP;
    stage->job.groups[1] = stage->job.groups[2] = 1;
    if (inputs != NULL && interpret_vertices(stage, results) && oracle_gpu_run(stage->gpu, &stage->job, 1) &&
        stage->job.outcome == ORACLE_RAN)
        judge_vertices(stage, results);
    free(records.outputs);
    free(inputs);
    stage->job.records = NULL;
}

/* ---- Pixels ------------------------------------------------------------------------------------------- */

static void fill_pixel(const struct stage *stage, const struct stage_pixels *pixels, uint32_t at,
                       struct ag_ref_invocation *pixel)
{
    const struct agpu_module *module = stage->job.module;
    pixel->coverage = pixel->inner_coverage = 1;
    const uint32_t column = at % STAGE_WIDTH, row = at / STAGE_WIDTH;
    for (uint32_t i = 0; i < module->input_count; i++) {
        const struct agpu_stage_value *input = &module->inputs[i];
        uint32_t *to = input->register_index < AG_REF_REGISTERS ? pixel->input[input->register_index] : NULL;
        if (to == NULL)
            continue;
        if (input->location < AGPU_MAX_REGISTERS) {
            memcpy(to, pixels->input[at][input->location], 16);
        } else if (input->system_value == AGPU_SV_POSITION) {
            to[0] = ag_bits_from_float((float)column + 0.5f);
            to[1] = ag_bits_from_float((float)row + 0.5f);
            to[2] = ag_bits_from_float(0.5f);
            to[3] = ag_bits_from_float(1.0f);
        } else if (input->system_value == AGPU_SV_IS_FRONT_FACE) {
            for (uint32_t c = 0; c < 4; c++)
                to[c] = input->mask >> c & 1 ? UINT32_MAX : 0;
        }
    }
}

/* Pixel `k` of quad `quad` in the target. */
static uint32_t pixel_at(uint32_t quad, uint32_t k)
{
    const uint32_t quads = STAGE_WIDTH / 2;
    return (quad / quads * 2 + k / 2) * STAGE_WIDTH + quad % quads * 2 + k % 2;
}

/* Results go by place in the target; a quad is run by itself. */
static bool interpret_pixels(struct stage *stage, const struct stage_pixels *pixels, struct results *results)
{
    for (uint32_t i = 0; i < STAGE_VARIANTS; i++) {
        for (uint32_t quad = 0; quad < STAGE_PIXELS / 4; quad++) {
            const struct ag_ref_options options = variant(stage, i, quad);
            struct ag_ref_invocation four[4] = {0};
            struct stage_world after;
            for (uint32_t k = 0; k < 4; k++)
                fill_pixel(stage, pixels, pixel_at(quad, k), &four[k]);
            const bool good = stage_world_copy(&after, &stage->world) &&
                              interpreted(stage, ag_ref_run_quad(stage->program, &after.bindings, &options,
                                                                 &stage->error.sink, four));
            stage_world_fini(&after, true);
            for (uint32_t k = 0; k < 4; k++)
                results->of[i][pixel_at(quad, k)] = four[k];
            if (!good)
                return false;
        }
    }
    return true;
}

static bool is_dropped(const struct ag_ref_invocation *pixel)
{
    return pixel->discarded ||
           (pixel->special_written[AG_REF_OUTPUT_COVERAGE] && !(pixel->special[AG_REF_OUTPUT_COVERAGE] & 1));
}

/* Whether the variants agree on a pixel's existence. */
static bool same_fate(const struct results *results, uint32_t n)
{
    for (uint32_t i = 1; i < STAGE_VARIANTS; i++)
        if (is_dropped(&results->of[i][n]) != is_dropped(&results->of[0][n]))
            return false;
    return true;
}

static void judge_depth(struct stage *stage, const struct stage_pixels *pixels, const struct results *results,
                        uint32_t n)
{
    struct stage_number number = {.got = ag_bits_from_float(pixels->depth[n])};
    for (uint32_t i = 0; i < STAGE_VARIANTS; i++) {
        const float depth = ag_float_from_bits(results->of[i][n].special[AG_REF_OUTPUT_DEPTH]);
        if (!(depth >= 0.0f && depth <= 1.0f)) /* the viewport's business */
            return;
        number.want[i] = ag_bits_from_float(depth);
    }
    judge(stage, &number, "depth of pixel", n, 0, 0);
}

static void judge_dropped(struct stage *stage, const uint32_t got[4], uint32_t n, uint32_t target)
{
    struct stage_number number = {.got = got[0], .is_integer = true};
    for (uint32_t i = 0; i < STAGE_VARIANTS; i++)
        number.want[i] = STAGE_UNTOUCHED;
    judge(stage, &number, "discarded pixel", n, target, 0);
}

static void judge_pixels(struct stage *stage, const struct stage_pixels *pixels,
                         const struct results *results)
{
    const struct agpu_signature *output = &stage->shader->output;
    for (uint32_t n = 0; n < STAGE_PIXELS; n++) {
        if (!same_fate(results, n)) {
            stage->report->numbers++, stage->report->wide++;
            continue;
        }
        const bool dropped = is_dropped(&results->of[0][n]);
        for (uint32_t i = 0; i < output->count; i++) {
            const uint32_t target = output->elements[i].register_index;
            if (target >= AGPU_MAX_RENDER_TARGETS)
                continue;
            if (dropped)
                judge_dropped(stage, pixels->target[target][n], n, target);
            else
                judge_element(stage, results, n, &output->elements[i], pixels->target[target][n], "pixel");
        }
        if (!dropped && results->of[0][n].special_written[AG_REF_OUTPUT_DEPTH])
            judge_depth(stage, pixels, results, n);
    }
}

static void run_pixels(struct stage *stage, struct results *results)
{
    struct stage_pixels *pixels = calloc(1, sizeof *pixels);
    if (pixels != NULL && stage_draw(stage->gpu, &stage->job, stage->content.seed, pixels) &&
        stage->job.outcome == ORACLE_RAN && interpret_pixels(stage, pixels, results))
        judge_pixels(stage, pixels, results);
    free(pixels);
}

/* ---- One shader --------------------------------------------------------------------------------------- */

static void run_stage(struct stage *stage)
{
    struct results *results = calloc(1, sizeof *results);
    switch (stage->shader->program.stage) {
    case AGPU_STAGE_COMPUTE:
        run_compute(stage);
        break;
    case AGPU_STAGE_VERTEX:
        if (results != NULL)
            run_vertices(stage, results);
        break;
    default:
        if (results != NULL)
            run_pixels(stage, results);
        break;
    }
    free(results);
    if (stage->report->wrong * OUTLIERS > stage->report->numbers)
        stage->report->outcome = STAGE_WRONG;
    if (stage->job.outcome == ORACLE_NOT_COMPILED)
        skip(stage, stage->job.message[0] != '\0' ? stage->job.message : "the device has no such format");
    else if (stage->job.outcome == ORACLE_LOST)
        stage->report->outcome = STAGE_LOST;
}

static bool has_feature(const struct agpu_gpu *gpu, const char *name)
{
    struct agpu_adapter_info info = {0};
    agpu_gpu_info(gpu, &info);
    for (uint32_t i = 0; i < info.feature_count; i++)
        if (strcmp(info.features[i], name) == 0)
            return true;
    return false;
}

/* Once for what the shader binds, and once more where that asks for options. */
static bool translate(struct stage *stage)
{
    const bool is_vertex = stage->shader->program.stage == AGPU_STAGE_VERTEX;
    struct ag_translate_options options = {.flavour = is_vertex ? AGPU_FLAVOUR_VERTEX_AS_COMPUTE : 0,
                                           .is_terse = true,
                                           .workgroup.invocations = stage->content.invocations};
    if (ag_translate(stage->shader, &options, &stage->error.sink, &stage->job.module) != AGPU_OK)
        return false;
    if (!stage_world_options(&stage->content, stage->job.module, stage->uav_formats, &options))
        return true;
    agpu_module_destroy(stage->job.module);
    stage->job.module = NULL;
    return ag_translate(stage->shader, &options, &stage->error.sink, &stage->job.module) == AGPU_OK;
}

/* Whether filters, levels or the samples of the target can be seen. */
static bool sees_filters(const struct agpu_shader *shader, const struct agpu_module *module)
{
    static const bool seeing[AGPU_OPCODE_LIMIT] = {
        [AGPU_OP_SAMPLEINFO] = true,        [AGPU_OP_SAMPLEPOS] = true,     [AGPU_OP_RESINFO] = true,
        [AGPU_OP_EVAL_SAMPLE_INDEX] = true, [AGPU_OP_EVAL_CENTROID] = true, [AGPU_OP_EVAL_SNAPPED] = true,
    };
    for (uint32_t i = 0; i < module->binding_count; i++)
        if (module->bindings[i].space == AGPU_SPACE_SAMPLER ||
            module->bindings[i].binding == AG_BINDING_SAMPLER_STATES)
            return true;
    for (uint32_t i = 0; i < shader->program.instruction_count; i++)
        if (seeing[shader->program.instructions[i].opcode])
            return true;
    return false;
}

void stage_run(struct agpu_gpu *gpu, const struct agpu_shader *shader, const struct stage_content *content,
               struct stage_report *report)
{
    struct stage stage = {.gpu = gpu, .shader = shader, .content = *content, .report = report};
    struct agpu_adapter_info info = {0};
    const char *problem;
    *report = (struct stage_report){.outcome = STAGE_RIGHT};
    agpu_gpu_info(gpu, &info);
    stage.content.flat_cubes = strcmp(info.driver, agpu_driver_name(AGPU_DRIVER_SWIFTSHADER)) == 0;
    oracle_error_init(&stage.error);
    if (!translate(&stage) || ag_ref_program_create(shader, &stage.error.sink, &stage.program) != AGPU_OK)
        skip(&stage, stage.error.message);
    else if (content->filters && !sees_filters(shader, stage.job.module))
        report->outcome = STAGE_IDLE;
    else if (stage.job.module->needs & AGPU_NEED_PRIMITIVE_INDEX && !has_feature(gpu, "primitive-index"))
        skip(&stage, "needs primitive-index");
    else if (observes_order(&shader->program))
        skip(&stage, "depends on the order of its threads");
    else if (!stage_world_init(&stage.world, shader, stage.job.module, &stage.content, &problem))
        skip(&stage, problem);
    else {
        stage.job.shader = shader;
        stage.job.bindings = &stage.world.bindings;
        run_stage(&stage);
    }
    stage_world_fini(&stage.world, false);
    oracle_job_fini(&stage.job);
    ag_ref_program_destroy(stage.program);
}
