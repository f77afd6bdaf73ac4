/* SPDX-License-Identifier: MIT
 *
 * usage: ref_corpus SEED [DIRECTORY...]
 *
 * Runs every vertex, pixel and compute shader below the directories, or of the shared corpus, with seeded
 * random inputs, constants, buffers and textures. Nothing may crash, and no shader may be refused. Loops that
 * run on such data past the budget, and calls through an interface index that such data made up, are counted
 * and may be few. Without the shared corpus the test is skipped.
 */
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ref/ref.h"
#include "support/corpus.h"

#define EXIT_SKIPPED 77
#define STEP_BUDGET 20000u
#define SLOTS 128u
#define CONSTANT_BYTES 4096u
#define VIEW_BYTES (64u * 1024u)

struct tally {
    uint64_t random;
    uint32_t run, over_budget, undefined, refused, other_stages, unreadable;
    enum agpu_diag_code last_code;
    char message[256];
    uint8_t *constants, *texels;
};

static uint32_t next_random(struct tally *tally)
{
    tally->random = tally->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(tally->random >> 32);
}

/* Small integers and floats near 1 alike, so that both readings make sense. */
static uint32_t random_word(struct tally *tally)
{
    const uint32_t random = next_random(tally);
    if (random & 1)
        return random >> 8 & 7;
    const float value = (float)(random >> 8 & 0xffff) / 32768.0f - 1.0f;
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void fill(struct tally *tally, uint8_t *memory, size_t size)
{
    for (size_t i = 0; i + 4 <= size; i += 4) {
        const uint32_t word = random_word(tally);
        memcpy(memory + i, &word, sizeof word);
    }
}

static void report(void *user, const struct agpu_diag *diag)
{
    struct tally *tally = user;
    if (diag->severity != AGPU_ERROR)
        return;
    tally->last_code = diag->code;
    snprintf(tally->message, sizeof tally->message, "%s: %s", agpu_diag_slug(diag->code), diag->message);
}

/* ---- What the shader sees ----------------------------------------------------------------------------- */

static struct ag_ref_view make_view(struct tally *tally, const struct agpu_instruction *dcl)
{
    struct ag_ref_view view = {
        .data = tally->texels, .size = VIEW_BYTES, .depth = 1, .layers = 1, .samples = 1};
    const bool is_raw = dcl->opcode == AGPU_OP_DCL_RESOURCE_RAW || dcl->opcode == AGPU_OP_DCL_UAV_RAW;
    const bool is_structured =
        dcl->opcode == AGPU_OP_DCL_RESOURCE_STRUCTURED || dcl->opcode == AGPU_OP_DCL_UAV_STRUCTURED;
    view.dimension = is_raw          ? AGPU_DIMENSION_RAW_BUFFER
                     : is_structured ? AGPU_DIMENSION_STRUCTURED_BUFFER
                                     : agpu_dcl_dimension(dcl);
    view.stride = is_structured && dcl->data_count > 0 ? dcl->data[0] : 0;
    const bool is_multisampled =
        view.dimension == AGPU_DIMENSION_TEXTURE2DMS || view.dimension == AGPU_DIMENSION_TEXTURE2DMSARRAY;
    const bool is_1d =
        view.dimension == AGPU_DIMENSION_TEXTURE1D || view.dimension == AGPU_DIMENSION_TEXTURE1DARRAY;
    view.width = view.height = 8;
    if (is_1d)
        view.height = 1;
    if (view.dimension == AGPU_DIMENSION_TEXTURE3D)
        view.depth = 4;
    if (view.dimension >= AGPU_DIMENSION_TEXTURECUBE && view.dimension <= AGPU_DIMENSION_TEXTURECUBEARRAY)
        view.layers = 6;
    view.samples = is_multisampled ? 4 : 1;
    view.mips = is_multisampled || dcl->operands[0].type == AGPU_OPERAND_UNORDERED_ACCESS_VIEW ? 1 : 3;
    const uint32_t type = dcl->data_count > 0 ? dcl->data[0] & 0xf : 0;
    const enum ag_ref_format_kind kind = type == AGPU_RETURN_UINT    ? AG_REF_UINT
                                         : type == AGPU_RETURN_SINT  ? AG_REF_SINT
                                         : type == AGPU_RETURN_UNORM ? AG_REF_UNORM
                                                                     : AG_REF_FLOAT;
    const bool is_unordered = dcl->operands[0].type == AGPU_OPERAND_UNORDERED_ACCESS_VIEW;
    view.format = ag_ref_format_make(kind, kind == AG_REF_UNORM ? 8 : 32, is_unordered ? 1 : 4);
    return view;
}

static bool declares_view(const struct agpu_instruction *dcl)
{
    switch (dcl->opcode) {
    case AGPU_OP_DCL_RESOURCE:
    case AGPU_OP_DCL_RESOURCE_RAW:
    case AGPU_OP_DCL_RESOURCE_STRUCTURED:
    case AGPU_OP_DCL_UAV_TYPED:
    case AGPU_OP_DCL_UAV_RAW:
    case AGPU_OP_DCL_UAV_STRUCTURED:
        return true;
    default:
        return false;
    }
}

/* The declared range of registers: one slot, or in shader model 5.1 a lower and an upper bound. */
static void bind_views(struct tally *tally, const struct agpu_program *program, struct ag_ref_view *resources,
                       struct ag_ref_view *unordered)
{
    for (uint32_t i = 0; i < program->instruction_count; i++) {
        const struct agpu_instruction *dcl = &program->instructions[i];
        if (!declares_view(dcl))
            continue;
        const struct agpu_operand *operand = &dcl->operands[0];
        const bool has_range = operand->index_count == 3;
        const uint64_t first = operand->index[has_range ? 1 : 0].immediate;
        const uint64_t last = has_range ? operand->index[2].immediate : first;
        struct ag_ref_view *views = operand->type == AGPU_OPERAND_RESOURCE ? resources : unordered;
        for (uint64_t slot = first; slot <= last && slot < SLOTS; slot++)
            views[slot] = make_view(tally, dcl);
    }
}

static struct ag_ref_sampler make_sampler(struct tally *tally)
{
    static const uint32_t filters[] = {0x00, 0x01, 0x14, 0x15, 0x55};
    struct ag_ref_sampler sampler = {
        .filter = filters[next_random(tally) % 5],
        .max_anisotropy = next_random(tally) % 17,
        .comparison = 1 + next_random(tally) % 8,
        .border_color = {0.25f, 0.5f, 0.75f, 1.0f},
        .min_lod = -FLT_MAX,
        .max_lod = FLT_MAX
    };
    for (uint32_t i = 0; i < 3; i++)
        sampler.address[i] = 1 + next_random(tally) % 5;
    return sampler;
}

/* ---- Running ------------------------------------------------------------------------------------------ */

static enum agpu_status run_program(struct tally *tally, const struct ag_ref_program *program,
                                    enum agpu_stage stage, const struct ag_ref_bindings *bindings,
                                    const struct agpu_diag_sink *sink)
{
    static const uint32_t groups[3] = {2, 1, 1};
    const struct ag_ref_options options = {.step_budget = STEP_BUDGET};
    struct ag_ref_invocation invocations[4] = {0};
    for (uint32_t i = 0; i < 4; i++) {
        fill(tally, (uint8_t *)invocations[i].input, sizeof invocations[i].input);
        invocations[i].coverage = 1;
        invocations[i].helper = i == 3;
    }
    if (stage == AGPU_STAGE_COMPUTE)
        return ag_ref_dispatch(program, bindings, &options, sink, groups);
    if (stage == AGPU_STAGE_PIXEL)
        return ag_ref_run_quad(program, bindings, &options, sink, invocations);
    return ag_ref_run_vertex(program, bindings, &options, sink, invocations);
}

static enum agpu_status run_shader(struct tally *tally, const struct agpu_shader *shader,
                                   const struct agpu_diag_sink *sink)
{
    static struct ag_ref_view resources[SLOTS], unordered[SLOTS];
    struct ag_ref_constant_buffer constants[16];
    struct ag_ref_sampler samplers[16];
    struct ag_ref_instance instances[16] = {0};
    struct ag_ref_program *program;
    const enum agpu_status status = ag_ref_program_create(shader, sink, &program);
    if (status != AGPU_OK)
        return status;
    memset(resources, 0, sizeof resources);
    memset(unordered, 0, sizeof unordered);
    fill(tally, tally->constants, CONSTANT_BYTES);
    fill(tally, tally->texels, VIEW_BYTES);
    bind_views(tally, &shader->program, resources, unordered);
    for (uint32_t i = 0; i < 16; i++) {
        constants[i] = (struct ag_ref_constant_buffer){tally->constants, CONSTANT_BYTES};
        samplers[i] = make_sampler(tally);
    }
    const struct ag_ref_bindings bindings = {.constant_buffers = constants,
                                             .resources = resources,
                                             .samplers = samplers,
                                             .unordered = unordered,
                                             .instances = instances,
                                             .constant_buffer_count = 16,
                                             .resource_count = SLOTS,
                                             .sampler_count = 16,
                                             .unordered_count = SLOTS,
                                             .instance_count = 16};
    const enum agpu_status result = run_program(tally, program, shader->program.stage, &bindings, sink);
    ag_ref_program_destroy(program);
    return result;
}

static bool visit(void *user, const struct ag_corpus_file *file)
{
    struct tally *tally = user;
    const struct agpu_diag_sink sink = {report, tally};
    struct agpu_shader *shader;
    if (agpu_shader_parse(file->data, file->size, AGPU_PARSE_IGNORE_CHECKSUM, &sink, &shader) != AGPU_OK) {
        tally->unreadable++;
        return true;
    }
    const enum agpu_stage stage = shader->program.stage;
    if (stage != AGPU_STAGE_VERTEX && stage != AGPU_STAGE_PIXEL && stage != AGPU_STAGE_COMPUTE) {
        tally->other_stages++;
    } else if (run_shader(tally, shader, &sink) == AGPU_OK) {
        tally->run++;
    } else if (tally->last_code == AGPU_DIAG_REF_BUDGET) {
        tally->over_budget++;
    } else if (tally->last_code == AGPU_DIAG_REF_INSTANCE) {
        tally->undefined++;
    } else {
        tally->refused++;
        printf("%s: %s\n", file->path, tally->message);
    }
    agpu_shader_destroy(shader);
    return true;
}

/* The number of files, or -1 when the shared corpus is not there. */
static long walk_shared(struct tally *tally)
{
    char directory[4096];
    const char *shared = ag_corpus_shared(SOURCE_ROOT);
    if (shared == NULL)
        return -1;
    snprintf(directory, sizeof directory, "%s/corpus/fxc", shared);
    return ag_corpus_walk(directory, ".dxbc", visit, tally);
}

int main(int argc, char **argv)
{
    struct tally tally = {.random = argc > 1 ? strtoull(argv[1], NULL, 0) : 1};
    tally.constants = malloc(CONSTANT_BYTES);
    tally.texels = malloc(VIEW_BYTES);
    if (tally.constants == NULL || tally.texels == NULL) {
        free(tally.constants);
        free(tally.texels);
        return EXIT_FAILURE;
    }
    long files = 0;
    for (int i = 2; i < argc && files >= 0; i++) {
        const long more = ag_corpus_walk(argv[i], ".dxbc", visit, &tally);
        files = more < 0 ? -1 : files + more;
    }
    if (argc <= 2)
        files = walk_shared(&tally);
    free(tally.constants);
    free(tally.texels);
    if (files < 0 && argc <= 2) {
        printf("skipped: there is no shared corpus (AGPU_SHARED names its folder)\n");
        return EXIT_SKIPPED;
    }
    printf("%ld files: %u run, %u past the budget, %u undefined calls, %u refused; %u of other stages, "
           "%u not SM4 or SM5\n",
           files, tally.run, tally.over_budget, tally.undefined, tally.refused, tally.other_stages,
           tally.unreadable);
    const bool few = (tally.over_budget + tally.undefined) * 10 <= tally.run;
    return files > 0 && tally.run > 0 && tally.refused == 0 && few ? EXIT_SUCCESS : EXIT_FAILURE;
}
