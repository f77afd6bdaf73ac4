/* SPDX-License-Identifier: MIT
 *
 * agpu_translate(): a shader becomes IR, the IR becomes typed, and the typed IR becomes a WGSL module.
 */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/diag.h"
#include "base/table.h"
#include "wgsl/binding.h"
#include "wgsl/emit.h"
#include "wgsl/options.h"
#include "wgsl/overflow.h"

#define IR_BYTES_LIMIT ((size_t)256 << 20)
/* Of most programs; others grow. */
#define BODY_BYTES_OF_TOKEN 8
#define IR_BYTES_OF_TOKEN 80

static bool flavour_fits(enum agpu_stage stage, enum agpu_flavour flavour)
{
    static const enum agpu_stage stages[AGPU_FLAVOUR_COUNT] = {
        [AGPU_FLAVOUR_VERTEX] = AGPU_STAGE_VERTEX,     [AGPU_FLAVOUR_PIXEL] = AGPU_STAGE_PIXEL,
        [AGPU_FLAVOUR_COMPUTE] = AGPU_STAGE_COMPUTE,   [AGPU_FLAVOUR_VERTEX_AS_COMPUTE] = AGPU_STAGE_VERTEX,
        [AGPU_FLAVOUR_GEOMETRY] = AGPU_STAGE_GEOMETRY, [AGPU_FLAVOUR_HULL_POINTS] = AGPU_STAGE_HULL,
        [AGPU_FLAVOUR_HULL_PATCH] = AGPU_STAGE_HULL,   [AGPU_FLAVOUR_DOMAIN] = AGPU_STAGE_DOMAIN,
    };
    return flavour == AGPU_FLAVOUR_DEFAULT || (flavour < AGPU_FLAVOUR_COUNT && stages[flavour] == stage);
}

/* Records which kinds of texture each sampler is used with: WebGPU allows a filtering sampler only with float
 * textures. Whether a texture is declared as depth is known once all its uses have been seen. */
static void note_samplers(struct ag_ir_program *program, const struct ag_ir_expr *expr)
{
    for (uint32_t i = 0; i < expr->arg_count; i++)
        if (expr->args[i]->arg_count != 0)
            note_samplers(program, expr->args[i]);
    if (expr->access == NULL || expr->access->sampler == AG_IR_NONE)
        return;
    const struct ag_ir_resource *texture = &program->resources.data[expr->access->resource];
    struct ag_ir_resource *sampler = &program->resources.data[expr->access->sampler];
    if (texture->facts & AG_TEXTURE_UNFILTERABLE)
        return; /* the sampler is not used */
    sampler->filters |= !ag_wgsl_never_filters(texture, (enum ag_ir_op)expr->op);
}

static void note_root(void *user, struct ag_ir_stmt *stmt, struct ag_ir_expr **expr)
{
    (void)stmt;
    note_samplers(user, *expr);
}

static void note_statement(void *user, struct ag_ir_stmt *stmt)
{
    ag_ir_visit_roots(user, stmt, note_root, user);
}

static bool has_sampler(const struct ag_ir_program *program)
{
    for (size_t i = 0; i < program->resources.count; i++)
        if (program->resources.data[i].space == AGPU_SPACE_SAMPLER)
            return true;
    return false;
}

/* Refuses what single instructions do not show: conflicts between the uses of a resource, and group sizes. */
static void check_program(struct ag_ir_program *program)
{
    if (has_sampler(program))
        ag_ir_walk(program->body, note_statement, program);
    for (size_t i = 0; i < program->resources.count; i++) {
        const struct ag_ir_resource *resource = &program->resources.data[i];
        bool writes = resource->stored || resource->atomic || resource->counted;
        if (resource->compared && ag_ir_resource_type(resource) != AG_IR_F32)
            ag_ir_refuse(program, AGPU_DIAG_TRANSLATE_RESOURCE, resource->offset,
                         "t%u is compared with but holds integers", resource->slot);
        if (program->flavour == AGPU_FLAVOUR_VERTEX && resource->space == AGPU_SPACE_UAV && writes)
            ag_ir_refuse(program, AGPU_DIAG_TRANSLATE_RESOURCE, resource->offset,
                         "u%u is written by a vertex shader, which needs the compute path", resource->slot);
    }
    const uint32_t *group = program->thread_group;
    if (program->stage == AGPU_STAGE_COMPUTE &&
        (group[0] == 0 || group[1] == 0 || group[2] == 0 || group[0] > 1024 || group[1] > 1024 ||
         group[2] > 64 || (uint64_t)group[0] * group[1] * group[2] > 1024))
        ag_ir_refuse(program, AGPU_DIAG_TRANSLATE_LIMIT, AG_IR_NONE, "a thread group of %u by %u by %u",
                     group[0], group[1], group[2]);
}

static void write_header(const struct ag_wgsl_emitter *emitter, struct ag_strbuf *out)
{
    static const struct {
        uint32_t need;
        const char *extension;
    } extensions[] = {
        {AGPU_NEED_CLIP_DISTANCES,       "clip_distances"      },
        {AGPU_NEED_DUAL_SOURCE_BLENDING, "dual_source_blending"},
        {AGPU_NEED_PRIMITIVE_INDEX,      "primitive_index"     },
    };
    for (size_t i = 0; i < sizeof extensions / sizeof extensions[0]; i++)
        if (emitter->needs & extensions[i].need)
            ag_strbuf_printf(out, "enable %s;\n", extensions[i].extension);
    ag_strbuf_append(out, "diagnostic(off, derivative_uniformity);\n\n");
}

uint32_t ag_wgsl_count_lines(const struct ag_strbuf *text)
{
    uint32_t lines = 0;
    for (size_t i = 0; i < text->length; i++)
        lines += text->data[i] == '\n';
    return lines;
}

/* Concatenates the parts into the module's text. `lines` is how many lines stand before the last part. */
static bool join_text(struct agpu_module *module, const struct ag_strbuf *const parts[], size_t count,
                      bool is_terse, uint32_t *lines)
{
    size_t length = 0;
    for (size_t i = 0; i < count; i++)
        length += parts[i]->length;
    char *text = ag_arena_alloc_raw(&module->memory->arena, length + 1, 1);
    if (text == NULL)
        return false;
    module->wgsl = text;
    *lines = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t begin = (size_t)(text - module->wgsl);
        if (!is_terse)
            text = (char *)memcpy(text, ag_strbuf_text(parts[i]), parts[i]->length) + parts[i]->length;
        else
            text = (i + 1 < count ? ag_wgsl_append_terse : ag_wgsl_append_terse_body)(text, parts[i]);
        for (size_t k = begin; i + 1 < count && module->wgsl + k < text; k++)
            *lines += module->wgsl[k] == '\n';
    }
    *text = '\0';
    module->wgsl_length = (size_t)(text - module->wgsl);
    return true;
}

/* The lines before the entry function have no instruction. */
static bool map_lines(const struct ag_wgsl_emitter *emitter, struct ag_arena *arena, uint32_t lines,
                      struct agpu_module *module)
{
    size_t total = lines + emitter->body_lines.count;
    uint32_t *offsets = AG_ARENA_ARRAY(arena, uint32_t, total);
    if (offsets == NULL)
        return false;
    memset(offsets, 0xff, lines * sizeof offsets[0]);
    for (size_t i = 0; i < emitter->body_lines.count; i++)
        offsets[lines + i] = emitter->body_lines.data[i];
    module->line_offsets = offsets;
    module->line_count = (uint32_t)total;
    return true;
}

struct agpu_module *ag_wgsl_module_new(void)
{
    struct agpu_module *module = calloc(1, sizeof *module);
    if (module != NULL)
        module->memory = calloc(1, sizeof *module->memory);
    if (module != NULL && module->memory == NULL) {
        free(module);
        module = NULL;
    }
    return module;
}

static enum agpu_status make_module(struct ag_wgsl_emitter *emitter, struct agpu_module **result)
{
    struct ag_ir_program *program = emitter->program;
    struct ag_strbuf text = {0};
    struct agpu_module *module = ag_wgsl_module_new();
    if (!emitter->options->is_inlined)
        write_header(emitter, &text);
    ag_wgsl_declarations(emitter, &text);
    ag_strbuf_append_char(&text, '\n');
    ag_wgsl_structs(emitter, &text);
    const struct ag_strbuf *const parts[] = {&text, &emitter->functions, &emitter->body};
    uint32_t lines = 0;
    /* Texts that found no memory stand for nothing in the module. */
    bool good = module != NULL && !text.failed && !emitter->functions.failed && !emitter->body.failed &&
                program->status == AGPU_OK && !program->arena->failed &&
                join_text(module, parts, AG_COUNT_OF(parts), emitter->is_terse, &lines) &&
                map_lines(emitter, &module->memory->arena, lines, module) &&
                ag_wgsl_reflect(emitter, &module->memory->arena, module);
    ag_strbuf_fini(&text);
    if (good) {
        module->compile_ms = (uint32_t)(emitter->cost / 10 < UINT32_MAX ? emitter->cost / 10 : UINT32_MAX);
        module->private_bytes = emitter->private_bytes;
        module->is_inlined = emitter->options->is_inlined;
        *result = module;
        return AGPU_OK;
    }
    agpu_module_destroy(module);
    if (program->status == AGPU_OK)
        ag_ir_no_memory(program);
    return program->status;
}

#define MAX_REGISTERS 4096

/* A constant buffer with computed indices is a uniform buffer of all registers that the shader declares. */
static void choose_cbuffer(struct ag_ir_resource *resource, const struct ag_translate_options *options)
{
    const bool known = resource->dynamic_declared && resource->count > 0 && resource->count <= MAX_REGISTERS;
    resource->in_storage = (resource->dynamic && !known) ||
                           (resource->slot < 16 && (options->storage_cbuffers >> resource->slot & 1));
    if (resource->dynamic && known && resource->registers_used < resource->count)
        resource->registers_used = resource->count;
}

/* Whether the options tell the format, so that the view is a storage texture or, where atomics access it, a
 * buffer of one word a texel. */
static bool has_own_format(const struct ag_ir_resource *resource, const struct ag_translate_options *options)
{
    return options->uav_formats != NULL && options->uav_formats[resource->slot] != AGPU_STORAGE_BY_TYPE &&
           (options->overflow == NULL || !ag_overflow_has(options->overflow, AGPU_SPACE_UAV, resource->slot));
}

static void choose_storage(struct ag_ir_program *program, const struct ag_translate_options *options)
{
    for (size_t i = 0; i < program->resources.count; i++) {
        struct ag_ir_resource *resource = &program->resources.data[i];
        if (resource->space == AGPU_SPACE_CBUFFER)
            choose_cbuffer(resource, options);
        resource->wide = options->wide_uavs && resource->space == AGPU_SPACE_UAV &&
                         ag_wgsl_is_texture(resource) && !has_own_format(resource, options);
    }
}

static enum agpu_status write_program(struct ag_wgsl_emitter *emitter, struct agpu_module **module)
{
    struct ag_ir_program *program = emitter->program;
    struct ag_arena *arena = program->arena;
    emitter->resources = AG_ARENA_ARRAY(arena, struct ag_wgsl_resource, program->resources.count);
    emitter->arrays_written = AG_ARENA_ARRAY(arena, bool, program->arrays.count);
    if (emitter->resources == NULL || emitter->arrays_written == NULL) {
        ag_ir_no_memory(program);
        return program->status;
    }
    program->keeps_statements = emitter->options->annotate;
    check_program(program);
    ag_ir_choose_workgroup(program, &emitter->options->workgroup);
    choose_storage(program, emitter->options);
    emitter->overflow_rows = ag_wgsl_choose_overflow(program, emitter->options);
    ag_wgsl_choose_pack(program, emitter->options);
    if (program->status == AGPU_OK)
        (ag_ir_uses_records(program->flavour) ? ag_wgsl_plan_records : ag_wgsl_plan_interface)(emitter);
    if (program->status == AGPU_OK)
        ag_ir_run_passes(program);
    if (program->status == AGPU_OK) {
        ag_wgsl_find_float_constants(program);
        ag_wgsl_name_everything(emitter);
    }
    if (program->status == AGPU_OK)
        ag_wgsl_entry(emitter);
    if (program->status == AGPU_OK)
        ag_wgsl_check_cost(emitter);
    return program->status == AGPU_OK ? make_module(emitter, module) : program->status;
}

enum agpu_status ag_translate_in(struct ag_arena *arena, const struct agpu_shader *shader,
                                 const struct ag_translate_options *options,
                                 const struct agpu_diag_sink *sink, struct agpu_module **module)
{
    static const struct ag_translate_options defaults;
    *module = NULL;
    if (options == NULL)
        options = &defaults;
    if (!flavour_fits(shader->program.stage, options->flavour)) {
        ag_report(sink, AGPU_DIAG_TRANSLATE_STAGE, AGPU_ERROR, ag_place_offset(0),
                  "a %s program cannot be translated for this use", agpu_stage_name(shader->program.stage));
        return AGPU_REFUSED;
    }
    struct ag_ir_program program;
    arena->limit_bytes = IR_BYTES_LIMIT;
    enum agpu_status status = ag_ir_build(shader, options, arena, sink, &program);
    if (status == AGPU_OK) {
        struct ag_wgsl_emitter emitter = {
            .program = &program,
            .shader = shader,
            .options = options,
            .is_terse = options->is_terse && !options->annotate,
        };
        ag_strbuf_reserve(&emitter.body, (size_t)shader->program.token_count * BODY_BYTES_OF_TOKEN);
        status = write_program(&emitter, module);
        ag_strbuf_fini(&emitter.body);
        ag_strbuf_fini(&emitter.functions);
        ag_vec_fini(&emitter.body_lines);
        ag_vec_fini(&emitter.inputs);
        ag_vec_fini(&emitter.outputs);
    }
    ag_ir_fini(&program);
    ag_arena_reset(arena);
    return status;
}

enum agpu_status ag_translate(const struct agpu_shader *shader, const struct ag_translate_options *options,
                              const struct agpu_diag_sink *sink, struct agpu_module **module)
{
    struct ag_arena arena = {0};
    ag_arena_expect(&arena, (size_t)shader->program.token_count * IR_BYTES_OF_TOKEN);
    const enum agpu_status status = ag_translate_in(&arena, shader, options, sink, module);
    ag_arena_fini(&arena);
    return status;
}

/* ---- What everybody may use ---------------------------------------------------------------------------- */

#define DEFAULT_MAX_LOCATIONS 16 /* WebGPU's least limit */

static enum agpu_status link_shaders(const struct agpu_shader *shader,
                                     const struct agpu_translate_options *options,
                                     const struct agpu_diag_sink *sink, struct ag_linkage *linkage)
{
    const bool is_pixel = shader->program.stage == AGPU_STAGE_PIXEL;
    const struct agpu_shader *const producer = is_pixel ? options->linked : shader;
    const struct agpu_shader *const pixel = is_pixel ? shader : options->linked;
    if (producer->program.stage != AGPU_STAGE_VERTEX || pixel->program.stage != AGPU_STAGE_PIXEL) {
        ag_report(sink, AGPU_DIAG_TRANSLATE_STAGE, AGPU_ERROR, ag_place_offset(0),
                  "a %s and a %s program cannot be linked: only a vertex and a pixel program can",
                  agpu_stage_name(shader->program.stage), agpu_stage_name(options->linked->program.stage));
        return AGPU_REFUSED;
    }
    return ag_link(producer, pixel, options->max_locations ? options->max_locations : DEFAULT_MAX_LOCATIONS,
                   sink, linkage);
}

enum agpu_status agpu_translate(const struct agpu_shader *shader,
                                const struct agpu_translate_options *options,
                                const struct agpu_diag_sink *sink, struct agpu_module **module)
{
    struct agpu_translate_options given;
    struct ag_linkage linkage = {0};
    *module = NULL;
    ag_table_read(&given, sizeof given, AG_MEMBER_END(struct agpu_translate_options, uav_formats), options);
    struct ag_translate_options all = {
        .flavour = given.flavour,
        .annotate = given.annotate,
        .loop_budget = given.loop_budget,
        .linkage = given.linked != NULL ? &linkage : NULL,
        .attribute_classes = given.attribute_classes,
        .target_mask = given.target_mask,
        .dual_source = given.dual_source,
        .uav_formats = given.uav_formats,
        .most_compile_ms = given.most_compile_ms,
        .most_private_bytes = given.most_private_bytes,
    };
    memcpy(all.target_classes, given.target_classes, sizeof all.target_classes);
    if (given.linked != NULL) {
        const enum agpu_status status = link_shaders(shader, &given, sink, &linkage);
        if (status != AGPU_OK)
            return status;
    }
    return ag_translate(shader, &all, sink, module);
}

void agpu_module_destroy(struct agpu_module *module)
{
    if (module == NULL)
        return;
    if (module->memory != NULL)
        ag_arena_fini(&module->memory->arena);
    free(module->memory);
    free(module);
}
