/* SPDX-License-Identifier: MIT
 *
 * Every shader there is: translated for each use it has, and the WGSL shown to a WebGPU implementation.
 *
 *     corpus_translate [--least N | --least-if-any N] [--verbose] [--shared SOURCE_ROOT] DIRECTORY...
 *
 * Prints what was translated by stage, and what was refused by code and reason. Fails when a module of ours
 * does not compile or is too large for its program, when the translator reports a fault of its own, or when
 * fewer than N shaders translate.
 * Modules that need the feature primitive-index are counted and compiled without it. Without a WebGPU library
 * the compiling is skipped by name.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aerogpu/executor.h"
#include "aerogpu/gpu.h"
#include "aerogpu/translate.h"
#include "support/corpus.h"
#include "support/module_size.h"
#include "wgsl/expansion.h"
#include "wgsl/linkage.h"
#include "wgsl/options.h"
#include "wgsl/primitive_index.h"

#define MAX_REASONS 400
#define MAX_SOURCES 64

struct reason {
    enum agpu_diag_code code;
    char text[200];
    char example[200];
    unsigned count;
};

struct tally {
    unsigned seen, translated, refused, compiled, feature, broken;
    unsigned long long instructions, bitcasts, bytes; /* of natural uses */
};

/* A directory of shaders. */
struct source {
    char name[64];
    struct tally tally;
};

struct run {
    struct agpu_gpu *gpu;
    bool verbose;
    const char *path;
    uint32_t most_compile_ms;
    uint64_t most_private_bytes;
    struct tally stages[AGPU_STAGE_COUNT];
    struct source sources[MAX_SOURCES];
    unsigned source_count;
    struct reason reasons[MAX_REASONS];
    unsigned reason_count;
    bool first; /* only the first problem of a shader counts as its reason */
    unsigned faults;
    struct agpu_shader *last_vertex; /* partner of the pixel shaders that follow */
    struct agpu_shader *last_pixel;  /* and of what an expansion makes */
};

/* Digits fall away, so that one reason is one line whatever register it names. */
static void note_reason(struct run *run, const struct agpu_diag *diag)
{
    char text[200];
    size_t length = 0;
    for (const char *c = diag->message; *c != '\0' && length + 1 < sizeof text; c++)
        if (!(*c >= '0' && *c <= '9'))
            text[length++] = *c;
        else if (length == 0 || text[length - 1] != '#')
            text[length++] = '#';
    text[length] = '\0';
    for (unsigned i = 0; i < run->reason_count; i++) {
        if (run->reasons[i].code == diag->code && strcmp(run->reasons[i].text, text) == 0) {
            run->reasons[i].count++;
            return;
        }
    }
    if (run->reason_count == MAX_REASONS)
        return;
    struct reason *reason = &run->reasons[run->reason_count++];
    reason->code = diag->code;
    reason->count = 1;
    snprintf(reason->text, sizeof reason->text, "%s", text);
    snprintf(reason->example, sizeof reason->example, "%s", run->path);
}

static void report(void *user, const struct agpu_diag *diag)
{
    struct run *run = user;
    if (diag->severity != AGPU_ERROR)
        return;
    if (run->first)
        note_reason(run, diag);
    run->first = false;
    if (run->verbose || diag->code == AGPU_DIAG_TRANSLATE_INVALID_WGSL ||
        diag->code == AGPU_DIAG_TRANSLATE_INVALID_IR)
        fprintf(stderr, "%s:+%llu:%u:%u: %s: %s\n", run->path, (unsigned long long)diag->place.offset,
                diag->place.line, diag->place.column, agpu_diag_slug(diag->code), diag->message);
}

/* Dawn of the pinned build does not know the extension primitive_index. */
static bool compiles(struct run *run, const struct agpu_module *module, const struct agpu_diag_sink *sink)
{
    if (!(module->needs & AGPU_NEED_PRIMITIVE_INDEX))
        return agpu_gpu_check_wgsl(run->gpu, module->wgsl, module->wgsl_length, sink) == AGPU_OK;
    char *const text = ag_wgsl_replace_primitive_index(module);
    const bool good = text != NULL && agpu_gpu_check_wgsl(run->gpu, text, strlen(text), sink) == AGPU_OK;
    free(text);
    return good;
}

/* The same program for another use must translate and compile as well. */
static void check_variant(struct run *run, const struct agpu_shader *shader,
                          const struct ag_translate_options *options, struct tally *tally,
                          const struct agpu_diag_sink *sink)
{
    struct agpu_module *module;
    bool good = ag_translate(shader, options, sink, &module) == AGPU_OK;
    if (good && run->gpu != NULL)
        good = compiles(run, module, sink);
    agpu_module_destroy(module);
    tally->broken += !good;
}

static void check_variants(struct run *run, const struct agpu_shader *shader, struct tally *tally,
                           const struct agpu_diag_sink *sink)
{
    uint8_t classes[AGPU_MAX_REGISTERS];
    for (unsigned i = 0; i < AGPU_MAX_REGISTERS; i++)
        classes[i] = (uint8_t)(i % (AGPU_ATTRIBUTE_ABSENT + 1));
    struct ag_translate_options options = {.annotate = true, .attribute_classes = classes, .view_base = 40};
    for (unsigned i = 0; i < AGPU_MAX_RENDER_TARGETS; i++)
        options.target_classes[i] = (uint8_t)(i % 3 + 1) % 3;
    check_variant(run, shader, &options, tally, sink);
    if (shader->program.stage == AGPU_STAGE_PIXEL) {
        options.dual_source = true;
        check_variant(run, shader, &options, tally, sink);
    }
    for (uint32_t i = 0; i < 2 && shader->program.stage == AGPU_STAGE_COMPUTE; i++) {
        options.workgroup.invocations = i == 0 ? 2 : 13;
        check_variant(run, shader, &options, tally, sink);
    }
}

/* Any vertex shader may meet any pixel shader: what does not match is dropped or reads 0. */
static void check_pair(struct run *run, const struct agpu_shader *pixel, struct tally *tally,
                       const struct agpu_diag_sink *sink)
{
    struct ag_linkage linkage;
    const struct ag_translate_options options = {.linkage = &linkage, .is_terse = true};
    if (run->last_vertex == NULL)
        return;
    if (ag_link(run->last_vertex, pixel, AGPU_MAX_REGISTERS, sink, &linkage) != AGPU_OK) {
        tally->broken++;
        return;
    }
    check_variant(run, run->last_vertex, &options, tally, sink);
    check_variant(run, pixel, &options, tally, sink);
}

/* The vertex shader that draws what a shader made, and the pixel shader behind it. */
static void check_expanded(struct run *run, const struct agpu_shader *producer, uint32_t registers,
                           struct tally *tally, const struct agpu_diag_sink *sink)
{
    struct ag_linkage linkage;
    const struct ag_translate_options options = {.linkage = &linkage, .is_terse = true};
    if (run->last_pixel == NULL)
        return;
    if (ag_link_expanded(producer, 0, run->last_pixel, AGPU_MAX_REGISTERS, sink, &linkage) != AGPU_OK) {
        tally->broken++;
        return;
    }
    check_variant(run, run->last_pixel, &options, tally, sink);
    for (unsigned i = 0; i < 4; i++) {
        const struct ag_expanded_options expanded = {
            .linkage = i == 3 ? NULL : &linkage,
            .vertices = (uint8_t)(i % 3 + 1),
            .edges = i == 2,
            .culled = i == 2 ? AG_CULLED_CLOCKWISE : AG_CULLED_NONE,
            .record_registers = (uint8_t)registers,
            .layers = i & 1 ? 3 : 0,
            .selects_viewport = i > 1,
        };
        struct agpu_module *module;
        bool good = ag_translate_expanded_vertex(producer, &expanded, sink, &module) == AGPU_OK;
        if (good && run->gpu != NULL)
            good = agpu_gpu_check_wgsl(run->gpu, module->wgsl, module->wgsl_length, sink) == AGPU_OK;
        agpu_module_destroy(module);
        tally->broken += !good;
    }
}

/* The compute passes that the stage is besides its natural use, and what follows them. */
static void check_expansion(struct run *run, const struct agpu_shader *shader,
                            const struct agpu_module *natural, struct tally *tally,
                            const struct agpu_diag_sink *sink)
{
    struct ag_translate_options options = {.annotate = true, .input_registers = 3, .patch_registers = 2};
    struct agpu_module *module = NULL;
    uint32_t registers = natural->expansion.record_registers;
    switch (shader->program.stage) {
    case AGPU_STAGE_VERTEX:
        options.flavour = AGPU_FLAVOUR_VERTEX_AS_COMPUTE;
        if (ag_translate(shader, &options, sink, &module) == AGPU_OK)
            registers = module->expansion.record_registers;
        break;
    case AGPU_STAGE_HULL:
        options.flavour = AGPU_FLAVOUR_HULL_POINTS;
        break;
    case AGPU_STAGE_GEOMETRY:
    case AGPU_STAGE_DOMAIN:
        break;
    case AGPU_STAGE_PIXEL:
    case AGPU_STAGE_COMPUTE:
    case AGPU_STAGE_COUNT:
        return;
    }
    agpu_module_destroy(module);
    check_variant(run, shader, &options, tally, sink);
    options.input_registers = 0;
    options.patch_registers = 0;
    check_variant(run, shader, &options, tally, sink);
    if (shader->program.stage != AGPU_STAGE_HULL)
        check_expanded(run, shader, registers, tally, sink);
}

static void check_module(struct run *run, const struct agpu_module *module, struct tally *tally,
                         const struct agpu_diag_sink *sink)
{
    const char *source = getenv("AEROGPU_CORPUS_WGSL");
    if (source != NULL && strstr(run->path, source) != NULL)
        fputs(module->wgsl, stdout);
    tally->feature += (module->needs & AGPU_NEED_PRIMITIVE_INDEX) != 0;
    if (run->gpu == NULL)
        return;
    if (compiles(run, module, sink))
        tally->compiled++;
    else
        tally->broken++;
}

/* The tally of the directory that the shader is in. */
static struct tally *source_of(struct run *run)
{
    const char *const end = strrchr(run->path, '/');
    const char *start = end;
    while (start != NULL && start > run->path && start[-1] != '/')
        start--;
    char name[sizeof run->sources[0].name];
    snprintf(name, sizeof name, "%.*s", end == NULL ? 1 : (int)(end - start), end == NULL ? "." : start);
    for (unsigned i = 0; i < run->source_count; i++)
        if (strcmp(run->sources[i].name, name) == 0)
            return &run->sources[i].tally;
    struct source *const source = &run->sources[run->source_count < MAX_SOURCES ? run->source_count++ : 0];
    snprintf(source->name, sizeof source->name, "%s", name);
    return &source->tally;
}

static void add_tally(struct tally *to, const struct tally *before, const struct tally *after)
{
    to->seen += after->seen - before->seen;
    to->translated += after->translated - before->translated;
    to->refused += after->refused - before->refused;
    to->compiled += after->compiled - before->compiled;
    to->feature += after->feature - before->feature;
    to->broken += after->broken - before->broken;
    to->instructions += after->instructions - before->instructions;
    to->bitcasts += after->bitcasts - before->bitcasts;
    to->bytes += after->bytes - before->bytes;
}

static void count_module(const struct agpu_module *module, const struct agpu_shader *shader,
                         struct tally *tally)
{
    struct agpu_module_statistics statistics;
    agpu_module_count(module, shader, &statistics);
    tally->instructions += statistics.instructions;
    tally->bitcasts += statistics.bitcasts;
    tally->bytes += statistics.bytes;
}

/* Executors refuse what costs more than their defaults: four times what any shader here does. */
static void check_cost(struct run *run, const struct agpu_module *module, struct tally *tally)
{
    if (module->compile_ms > AGPU_DEFAULT_COMPILE_COST_MS / 4 ||
        module->private_bytes > AGPU_DEFAULT_PRIVATE_BYTES / 4) {
        fprintf(stderr, "%s: %u ms to compile, %llu private bytes\n", run->path, module->compile_ms,
                (unsigned long long)module->private_bytes);
        tally->broken++;
    }
    if (run->most_compile_ms < module->compile_ms)
        run->most_compile_ms = module->compile_ms;
    if (run->most_private_bytes < module->private_bytes)
        run->most_private_bytes = module->private_bytes;
}

static void check_shader(struct run *run, struct agpu_shader *shader);

static bool visit(void *user, const struct ag_corpus_file *file)
{
    struct run *run = user;
    const struct agpu_diag_sink silent = {0};
    struct agpu_shader *shader;
    if (agpu_shader_parse(file->data, file->size, AGPU_PARSE_IGNORE_CHECKSUM, &silent, &shader) != AGPU_OK)
        return true;
    run->path = file->path;
    run->first = true;
    struct tally *const stage = &run->stages[shader->program.stage];
    const struct tally before = *stage;
    check_shader(run, shader);
    add_tally(source_of(run), &before, stage);
    return true;
}

/* Takes the shader over. */
static void check_shader(struct run *run, struct agpu_shader *shader)
{
    const struct agpu_diag_sink sink = {report, run};
    struct tally *tally = &run->stages[shader->program.stage];
    tally->seen++;
    struct agpu_module *module;
    const struct ag_translate_options plain = {.is_terse = true};
    enum agpu_status status = ag_translate(shader, &plain, &sink, &module);
    if (status != AGPU_OK) {
        tally->refused++;
        run->faults += status == AGPU_INTERNAL;
        agpu_shader_destroy(shader);
        return;
    }
    tally->translated++;
    count_module(module, shader, tally);
    if (!module_is_bounded(shader, module)) {
        fprintf(stderr, "%s: %zu bytes of WGSL for %u tokens\n", run->path, module->wgsl_length,
                shader->program.token_count);
        tally->broken++;
    }
    check_cost(run, module, tally);
    check_module(run, module, tally, &sink);
    check_variants(run, shader, tally, &sink);
    check_expansion(run, shader, module, tally, &sink);
    agpu_module_destroy(module);
    struct agpu_shader **partner = NULL;
    if (shader->program.stage == AGPU_STAGE_PIXEL) {
        check_pair(run, shader, tally, &sink);
        partner = &run->last_pixel;
    } else if (shader->program.stage == AGPU_STAGE_VERTEX) {
        partner = &run->last_vertex;
    }
    if (partner != NULL) {
        agpu_shader_destroy(*partner);
        *partner = shader;
    } else {
        agpu_shader_destroy(shader);
    }
}

static int compare_reasons(const void *a, const void *b)
{
    const struct reason *x = a, *y = b;
    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    return strcmp(x->text, y->text);
}

static void print_tally(const char *name, const struct tally *t)
{
    const double instructions = t->instructions == 0 ? 1 : (double)t->instructions;
    printf("%-20s %6u %11u %8u %9u %8u %7u %9.2f %7.0f\n", name, t->seen, t->translated, t->refused,
           t->compiled, t->feature, t->broken, (double)t->bitcasts / instructions,
           (double)t->bytes / instructions);
}

static unsigned print(struct run *run)
{
    static const struct tally nothing;
    struct tally all = {0};
    printf("%-20s %6s %11s %8s %9s %8s %7s %9s %7s\n", "", "seen", "translated", "refused", "compiled",
           "feature", "broken", "bitcasts/", "bytes/ instruction");
    for (int s = 0; s < AGPU_STAGE_COUNT; s++) {
        print_tally(agpu_stage_name((enum agpu_stage)s), &run->stages[s]);
        add_tally(&all, &nothing, &run->stages[s]);
    }
    for (unsigned i = 0; i < run->source_count; i++)
        print_tally(run->sources[i].name, &run->sources[i].tally);
    print_tally("all", &all);
    qsort(run->reasons, run->reason_count, sizeof run->reasons[0], compare_reasons);
    for (unsigned i = 0; i < run->reason_count; i++)
        printf("%5u %s: %s (%s)\n", run->reasons[i].count, agpu_diag_slug(run->reasons[i].code),
               run->reasons[i].text, run->reasons[i].example);
    return all.translated;
}

static unsigned broken_modules(const struct run *run)
{
    unsigned broken = 0;
    for (int s = 0; s < AGPU_STAGE_COUNT; s++)
        broken += run->stages[s].broken;
    return broken;
}

static void walk_shared(struct run *run, const char *source_root)
{
    const char *shared = ag_corpus_shared(source_root);
    char directory[1024];
    snprintf(directory, sizeof directory, "%s/corpus/fxc", shared == NULL ? "" : shared);
    if (shared == NULL || ag_corpus_walk(directory, ".dxbc", visit, run) < 0)
        printf("skip: the shared corpus is not there\n");
}

int main(int argc, char **argv)
{
    static struct run run;
    unsigned least = 0;
    bool if_any = false;
    const struct agpu_gpu_options options = {.driver = AGPU_DRIVER_NULL};
    const struct agpu_diag_sink silent = {0};
    if (agpu_gpu_create(&options, &silent, &run.gpu) != AGPU_OK)
        printf("skip: no WebGPU library, modules are not compiled\n");
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--verbose") == 0)
            run.verbose = true;
        else if (strncmp(argv[i], "--least", 7) == 0 && i + 1 < argc) {
            if_any = strcmp(argv[i], "--least-if-any") == 0;
            least = (unsigned)strtoul(argv[++i], NULL, 10);
        } else if (strcmp(argv[i], "--shared") == 0 && i + 1 < argc)
            walk_shared(&run, argv[++i]);
        else if (ag_corpus_walk(argv[i], ".dxbc", visit, &run) < 0)
            printf("skip: %s cannot be read\n", argv[i]);
    }
    unsigned translated = print(&run);
    printf("at most %u ms to compile and %llu private bytes\n", run.most_compile_ms,
           (unsigned long long)run.most_private_bytes);
    agpu_shader_destroy(run.last_vertex);
    agpu_shader_destroy(run.last_pixel);
    agpu_gpu_destroy(run.gpu);
    if (if_any && translated == 0)
        least = 0;
    if (translated < least)
        printf("only %u of at least %u shaders translate\n", translated, least);
    return translated < least || broken_modules(&run) > 0 || run.faults > 0 ? 1 : 0;
}
