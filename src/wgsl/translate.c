/* SPDX-License-Identifier: MIT
 *
 * From a shader to a module: the whole way.
 */
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/diag.h"
#include "wgsl/emit.h"

#define IR_BYTES_LIMIT ((size_t)256 << 20)

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

/* WebGPU allows a filtering sampler only with float textures, and what a texture is depends on all its uses.
 */
static void note_samplers(struct agpu_ir_program *program, const struct agpu_ir_expr *expr)
{
    for (uint32_t i = 0; i < expr->arg_count; i++)
        note_samplers(program, expr->args[i]);
    if (expr->access == NULL || expr->access->sampler == AGPU_IR_NONE)
        return;
    const struct agpu_ir_resource *texture = &program->resources.data[expr->access->resource];
    struct agpu_ir_resource *sampler = &program->resources.data[expr->access->sampler];
    bool is_depth = texture->compared && !agpu_wgsl_samples_twin(texture, (enum agpu_ir_op)expr->op);
    if (is_depth || agpu_ir_resource_type(texture) != AGPU_IR_F32)
        sampler->never_filters = true;
    else
        sampler->filters = true;
}

static void note_root(void *user, struct agpu_ir_stmt *stmt, struct agpu_ir_expr **expr)
{
    (void)stmt;
    note_samplers(user, *expr);
}

static void note_statement(void *user, struct agpu_ir_stmt *stmt)
{
    agpu_ir_visit_roots(user, stmt, note_root, user);
}

/* What a whole program shows that single instructions do not. */
static void check_program(struct agpu_ir_program *program)
{
    agpu_ir_walk(program->body, note_statement, program);
    for (size_t i = 0; i < program->resources.count; i++) {
        const struct agpu_ir_resource *resource = &program->resources.data[i];
        bool writes = resource->stored || resource->atomic || resource->counted;
        if (resource->space == AGPU_SPACE_SAMPLER && !resource->is_comparison && resource->filters &&
            resource->never_filters && resource->slot >= AGPU_BINDING_INTERNAL - AGPU_BINDING_POINT_SAMPLERS)
            agpu_ir_refuse(program, AGPU_DIAG_TRANSLATE_LIMIT, resource->offset,
                           "s%u is used both with textures that are filtered and that cannot be",
                           resource->slot);
        if (resource->compared && agpu_ir_resource_type(resource) != AGPU_IR_F32)
            agpu_ir_refuse(program, AGPU_DIAG_TRANSLATE_RESOURCE, resource->offset,
                           "t%u is compared with but holds integers", resource->slot);
        if (program->flavour == AGPU_FLAVOUR_VERTEX && resource->space == AGPU_SPACE_UAV && writes)
            agpu_ir_refuse(program, AGPU_DIAG_TRANSLATE_RESOURCE, resource->offset,
                           "u%u is written by a vertex shader, which needs the compute path", resource->slot);
    }
    const uint32_t *group = program->thread_group;
    if (program->stage == AGPU_STAGE_COMPUTE &&
        (group[0] == 0 || group[1] == 0 || group[2] == 0 || group[0] > 1024 || group[1] > 1024 ||
         group[2] > 64 || (uint64_t)group[0] * group[1] * group[2] > 1024))
        agpu_ir_refuse(program, AGPU_DIAG_TRANSLATE_LIMIT, AGPU_IR_NONE, "a thread group of %u by %u by %u",
                       group[0], group[1], group[2]);
}

static void write_header(const struct agpu_wgsl_emitter *emitter, struct agpu_strbuf *out)
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
            agpu_strbuf_printf(out, "enable %s;\n", extensions[i].extension);
    agpu_strbuf_append(out, "diagnostic(off, derivative_uniformity);\n\n");
}

uint32_t agpu_wgsl_count_lines(const struct agpu_strbuf *text)
{
    uint32_t lines = 0;
    for (size_t i = 0; i < text->length; i++)
        lines += text->data[i] == '\n';
    return lines;
}

/* The parts, one behind the other. */
static bool join_text(struct agpu_module *module, const struct agpu_strbuf *const parts[], size_t count)
{
    size_t length = 0;
    for (size_t i = 0; i < count; i++)
        length += parts[i]->length;
    char *text = agpu_arena_alloc_raw(&module->memory->arena, length + 1, 1);
    if (text == NULL)
        return false;
    module->wgsl = text;
    module->wgsl_length = length;
    for (size_t i = 0; i < count; i++) {
        if (parts[i]->length != 0)
            memcpy(text, parts[i]->data, parts[i]->length);
        text += parts[i]->length;
    }
    *text = '\0';
    return true;
}

/* All lines before the entry function belong to no instruction. */
static bool map_lines(const struct agpu_wgsl_emitter *emitter, struct agpu_arena *arena, uint32_t lines,
                      struct agpu_module *module)
{
    size_t total = lines + emitter->body_lines.count;
    uint32_t *offsets = AGPU_ARENA_ARRAY(arena, uint32_t, total);
    if (offsets == NULL)
        return false;
    memset(offsets, 0xff, lines * sizeof offsets[0]);
    for (size_t i = 0; i < emitter->body_lines.count; i++)
        offsets[lines + i] = emitter->body_lines.data[i];
    module->line_offsets = offsets;
    module->line_count = (uint32_t)total;
    return true;
}

struct agpu_module *agpu_wgsl_module_new(void)
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

static enum agpu_status make_module(struct agpu_wgsl_emitter *emitter, struct agpu_module **result)
{
    struct agpu_ir_program *program = emitter->program;
    struct agpu_strbuf text = {0};
    struct agpu_module *module = agpu_wgsl_module_new();
    write_header(emitter, &text);
    agpu_wgsl_declarations(emitter, &text);
    agpu_strbuf_append_char(&text, '\n');
    agpu_wgsl_structs(emitter, &text);
    const struct agpu_strbuf *const parts[] = {&text, &emitter->functions, &emitter->body};
    uint32_t lines = agpu_wgsl_count_lines(&text) + agpu_wgsl_count_lines(&emitter->functions);
    bool good = module != NULL && !text.failed && !emitter->functions.failed && !emitter->body.failed &&
                join_text(module, parts, AGPU_COUNT_OF(parts)) &&
                map_lines(emitter, &module->memory->arena, lines, module) &&
                agpu_wgsl_reflect(emitter, &module->memory->arena, module);
    agpu_strbuf_fini(&text);
    if (good) {
        *result = module;
        return AGPU_OK;
    }
    agpu_module_destroy(module);
    return agpu_report_no_memory(program->sink);
}

static void choose_storage(struct agpu_ir_program *program, const struct agpu_translate_options *options)
{
    for (size_t i = 0; i < program->resources.count; i++) {
        struct agpu_ir_resource *resource = &program->resources.data[i];
        if (resource->space == AGPU_SPACE_CBUFFER && resource->slot < 16)
            resource->dynamic |= options->storage_cbuffers >> resource->slot & 1;
        resource->wide =
            options->wide_uavs && resource->space == AGPU_SPACE_UAV && agpu_wgsl_is_texture(resource);
    }
}

static enum agpu_status write_program(struct agpu_wgsl_emitter *emitter, struct agpu_module **module)
{
    struct agpu_ir_program *program = emitter->program;
    struct agpu_arena *arena = program->arena;
    emitter->resources = AGPU_ARENA_ARRAY(arena, struct agpu_wgsl_resource, program->resources.count);
    emitter->arrays_written = AGPU_ARENA_ARRAY(arena, bool, program->arrays.count);
    if (emitter->resources == NULL || emitter->arrays_written == NULL) {
        agpu_ir_no_memory(program);
        return program->status;
    }
    check_program(program);
    choose_storage(program, emitter->options);
    if (program->status == AGPU_OK)
        (agpu_ir_uses_records(program->flavour) ? agpu_wgsl_plan_records : agpu_wgsl_plan_interface)(emitter);
    if (program->status == AGPU_OK)
        agpu_ir_run_passes(program);
    if (program->status == AGPU_OK) {
        agpu_wgsl_find_float_constants(program);
        agpu_wgsl_name_everything(emitter);
    }
    if (program->status == AGPU_OK)
        agpu_wgsl_entry(emitter);
    return program->status == AGPU_OK ? make_module(emitter, module) : program->status;
}

enum agpu_status agpu_translate(const struct agpu_shader *shader,
                                const struct agpu_translate_options *options,
                                const struct agpu_diag_sink *sink, struct agpu_module **module)
{
    static const struct agpu_translate_options defaults;
    *module = NULL;
    if (options == NULL)
        options = &defaults;
    if (!flavour_fits(shader->program.stage, options->flavour)) {
        agpu_report(sink, AGPU_DIAG_TRANSLATE_STAGE, AGPU_ERROR, agpu_place_offset(0),
                    "a %s program cannot be translated for this use", agpu_stage_name(shader->program.stage));
        return AGPU_REFUSED;
    }
    struct agpu_arena arena;
    struct agpu_ir_program program;
    agpu_arena_init(&arena, IR_BYTES_LIMIT);
    enum agpu_status status = agpu_ir_build(shader, options, &arena, sink, &program);
    if (status == AGPU_OK) {
        struct agpu_wgsl_emitter emitter = {.program = &program, .shader = shader, .options = options};
        status = write_program(&emitter, module);
        agpu_strbuf_fini(&emitter.body);
        agpu_strbuf_fini(&emitter.functions);
        agpu_vec_fini(&emitter.body_lines);
        agpu_vec_fini(&emitter.inputs);
        agpu_vec_fini(&emitter.outputs);
    }
    agpu_ir_fini(&program);
    agpu_arena_fini(&arena);
    return status;
}

void agpu_module_destroy(struct agpu_module *module)
{
    if (module == NULL)
        return;
    if (module->memory != NULL)
        agpu_arena_fini(&module->memory->arena);
    free(module->memory);
    free(module);
}
