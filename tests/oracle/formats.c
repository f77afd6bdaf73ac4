/* SPDX-License-Identifier: MIT
 *
 * Stores to typed views of every format that shaders can store to, in every dimension, and loads where
 * devices can load: a thread a texel, of values that the format holds, rounds and cannot hold.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "gpu_bind.h"
#include "oracle.h"

#define TEXELS 256u
#define TEXEL_WORDS 4u
#define THREADS_PER_GROUP 64u
#define MAX_REPORTS 3u

static const struct shape {
    const char *name;
    enum agpu_resource_dimension dimension;
    uint32_t width, height, depth, layers; /* TEXELS texels */
} shapes[] = {
    {"texture1d",      AGPU_DIMENSION_TEXTURE1D,      256, 1, 1, 1},
    {"texture1darray", AGPU_DIMENSION_TEXTURE1DARRAY, 64,  1, 1, 4},
    {"texture2d",      AGPU_DIMENSION_TEXTURE2D,      64,  4, 1, 1},
    {"texture2darray", AGPU_DIMENSION_TEXTURE2DARRAY, 16,  4, 1, 4},
    {"texture3d",      AGPU_DIMENSION_TEXTURE3D,      16,  4, 4, 1},
};

static const char *const kinds[] = {
    [AG_REF_UNORM] = "unorm", [AG_REF_SNORM] = "snorm", [AG_REF_UINT] = "uint",
    [AG_REF_SINT] = "sint",   [AG_REF_FLOAT] = "float",
};

struct trial {
    uint32_t storage_format;
    const struct shape *shape;
    const char *type; /* of a component, as declared */
    bool loses_infinity;
    struct ag_ref_format format;
    struct ag_strbuf text;
    uint32_t source[TEXELS][TEXEL_WORDS];
    uint8_t before[TEXELS * 16], after[TEXELS * 16]; /* texels: as the threads find them; the interpreter's */
    uint32_t loaded[2][TEXELS]
                   [TEXEL_WORDS]; /* what threads load: the device's buffer and the interpreter's */
    uint32_t nearest;             /* halves that the device rounded to nearest */
};

/* ---- The program -------------------------------------------------------------------------------------- */

/* Devices load from one channel of 32 bits only. */
static bool can_load(const struct trial *trial)
{
    return trial->format.bytes == 4 && trial->format.channel[0].bits == 32;
}

static void write_program(struct trial *trial)
{
    const struct shape *shape = trial->shape;
    const bool has_y = shape->height > 1 || shape->layers > 1;
    const uint32_t slices = shape->depth * shape->layers;
    char type[32];
    snprintf(type, sizeof type, "(%s,%s,%s,%s)", trial->type, trial->type, trial->type, trial->type);
    ag_strbuf_printf(&trial->text,
                     "cs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_resource_raw t0\n"
                     "dcl_uav_typed_%s %s u0\ndcl_uav_raw u1\ndcl_input vThreadID.x\ndcl_temps 4\n"
                     "dcl_thread_group %u, 1, 1\n",
                     shape->name, type, THREADS_PER_GROUP);
    ag_strbuf_printf(&trial->text,
                     "ishl r3.x, vThreadID.x, l(4)\n"
                     "ld_raw_indexable(raw_buffer)(mixed,mixed,mixed,mixed) r1.xyzw, r3.x, t0.xyzw\n"
                     "mov r0.xyzw, l(0, 0, 0, 0)\n"
                     "udiv r2.x, r0.x, vThreadID.x, l(%u)\n",
                     shape->width);
    if (shape->height > 1 && slices > 1)
        ag_strbuf_printf(&trial->text, "udiv r0.z, r0.y, r2.x, l(%u)\n", shape->height);
    else if (has_y)
        ag_strbuf_append(&trial->text, "mov r0.y, r2.x\n");
    if (can_load(trial))
        ag_strbuf_printf(&trial->text,
                         "ld_uav_typed_indexable(%s)%s r2.xyzw, r0.xyzw, u0.xyzw\n"
                         "store_raw u1.xyzw, r3.x, r2.xyzw\n",
                         shape->name, type);
    ag_strbuf_append(&trial->text, "store_uav_typed u0.xyzw, r0.xyzw, r1.xyzw\nret\n");
}

/* ---- Values ------------------------------------------------------------------------------------------- */

/* Where UNORM, SNORM and halves round, among the values of the opcodes' operands. */
static uint32_t pick_value(const struct trial *trial, struct oracle_random *random)
{
    const bool is_integer = trial->format.kind == AG_REF_UINT || trial->format.kind == AG_REF_SINT;
    const struct oracle_values values = oracle_values_of_kind(is_integer ? 'u' : 'f');
    if (oracle_chance(random, 50))
        return values.words[oracle_below(random, values.count)];
    if (is_integer)
        return oracle_next(random) >> oracle_below(random, 32);
    const int32_t steps = (int32_t)oracle_below(random, 2400) - 1200;
    return ag_bits_from_float((float)steps / (4.0f * (oracle_chance(random, 50) ? 255.0f : 127.0f)));
}

static void make_values(struct trial *trial, struct oracle_random *random)
{
    for (uint32_t i = 0; i < TEXELS; i++) {
        uint32_t texel[TEXEL_WORDS];
        for (uint32_t c = 0; c < TEXEL_WORDS; c++) {
            trial->source[i][c] = pick_value(trial, random);
            texel[c] = pick_value(trial, random);
        }
        ag_ref_format_store(&trial->format, texel, trial->before + (size_t)i * trial->format.bytes);
    }
    memcpy(trial->after, trial->before, sizeof trial->after);
}

/* ---- Comparing ---------------------------------------------------------------------------------------- */

static bool is_nan(uint32_t bits)
{
    return (bits & 0x7fffffff) > 0x7f800000;
}

/* Sections 3.2.3.4 and 3.2.3.6: a code is right within 0.6 of itself. */
static bool allows_norm(const struct trial *trial, uint32_t source, uint32_t got)
{
    const bool is_signed = trial->format.kind == AG_REF_SNORM;
    const double scale = is_signed ? 127 : 255;
    const double least = is_signed ? -1 : 0;
    const double value = is_nan(source) ? 0 : (double)ag_float_from_bits(source);
    const double wanted = fmax(least, fmin(1, value)) * scale;
    return fabs((double)ag_float_from_bits(got) * scale - wanted) <= 0.6;
}

static bool is_special(uint32_t bits)
{
    return (bits & 0x7f800000) == 0x7f800000;
}

/* SwiftShader has no infinite halves: INF becomes a NaN. INF and NaN spoil what is above them in a word. */
static bool is_spoilt(const struct trial *trial, const uint32_t source[4], uint32_t component)
{
    const bool is_half = trial->format.kind == AG_REF_FLOAT && trial->format.channel[0].bits == 16;
    return trial->loses_infinity && is_half &&
           (is_special(source[component]) || is_special(source[component & 2]));
}

/* Section 3.2.2 rounds halves toward zero; devices may round to nearest, which is the next one. */
static bool allows_half(struct trial *trial, uint32_t source, uint32_t got, uint32_t want)
{
    const double value = (double)ag_float_from_bits(source), g = (double)ag_float_from_bits(got);
    const double w = (double)ag_float_from_bits(want), least = 0x1p-24;
    if (isinf(w))
        return false;
    const double step = fmax(ldexp(1, ilogb(w != 0 ? w : least) - 10), least);
    if (fabs(g) != fabs(w) + step || fabs(g - value) > step / 2 || ((got ^ want) & 0x80000000) != 0)
        return false;
    trial->nearest++;
    return true;
}

static bool allows(struct trial *trial, uint32_t source, uint32_t got, uint32_t want)
{
    if (got == want || (is_nan(got) && is_nan(want)))
        return true;
    switch (trial->format.kind) {
    case AG_REF_UNORM:
    case AG_REF_SNORM:
        return allows_norm(trial, source, got);
    case AG_REF_FLOAT:
        return trial->format.channel[0].bits == 16 && !is_nan(want) && allows_half(trial, source, got, want);
    default:
        return false;
    }
}

static uint32_t compare_stored(struct trial *trial, const uint8_t *result)
{
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < TEXELS; i++) {
        uint32_t got[4], want[4];
        ag_ref_format_load(&trial->format, result + (size_t)i * trial->format.bytes, got);
        ag_ref_format_load(&trial->format, trial->after + (size_t)i * trial->format.bytes, want);
        for (uint32_t c = 0; c < 4; c++) {
            const uint32_t source = trial->source[i][c];
            if (is_spoilt(trial, trial->source[i], c) || allows(trial, source, got[c], want[c]))
                continue;
            if (wrong++ < MAX_REPORTS)
                printf("format %u, %s, texel %u.%c of 0x%08x is 0x%08x, should be 0x%08x\n",
                       trial->storage_format, trial->shape->name, i, "xyzw"[c], source, got[c], want[c]);
        }
    }
    return wrong;
}

static uint32_t compare_loaded(const struct trial *trial, const uint8_t *result)
{
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < TEXELS; i++)
        for (uint32_t c = 0; c < 4; c++) {
            const uint32_t got = ag_load_u32(result + (size_t)16 * i + (size_t)4 * c),
                           want = trial->loaded[1][i][c];
            if (got != want && !(is_nan(got) && is_nan(want)) && wrong++ < MAX_REPORTS)
                printf("format %u, %s, texel %u.%c loads 0x%08x, should load 0x%08x\n", trial->storage_format,
                       trial->shape->name, i, "xyzw"[c], got, want);
        }
    return wrong;
}

/* ---- Running ------------------------------------------------------------------------------------------ */

static void make_views(struct trial *trial, uint8_t *texels, uint32_t *loaded, struct ag_ref_view views[2])
{
    views[0] = (struct ag_ref_view){.dimension = trial->shape->dimension,
                                    .data = texels,
                                    .size = (uint64_t)TEXELS * trial->format.bytes,
                                    .format = trial->format,
                                    .width = trial->shape->width,
                                    .height = trial->shape->height,
                                    .depth = trial->shape->depth,
                                    .layers = trial->shape->layers,
                                    .mips = 1,
                                    .samples = 1};
    views[1] = (struct ag_ref_view){
        .dimension = AGPU_DIMENSION_RAW_BUFFER, .data = loaded, .size = sizeof trial->loaded[0]};
}

static bool interpret(const struct agpu_shader *shader, const struct ag_ref_bindings *bindings,
                      const uint32_t groups[3], const struct agpu_diag_sink *sink)
{
    struct ag_ref_program *program;
    const struct ag_ref_options options = {0};
    if (ag_ref_program_create(shader, sink, &program) != AGPU_OK)
        return false;
    const bool good = ag_ref_dispatch(program, bindings, &options, sink, groups) == AGPU_OK;
    ag_ref_program_destroy(program);
    return good;
}

static bool run_trial(struct agpu_gpu *gpu, struct trial *trial, const struct agpu_shader *shader,
                      const struct oracle_options *options, struct oracle_error *error)
{
    uint8_t formats[AGPU_MAX_UAVS] = {(uint8_t)trial->storage_format};
    struct ag_ref_view before[2], after[2];
    const struct ag_ref_view source = {
        .dimension = AGPU_DIMENSION_RAW_BUFFER, .data = trial->source, .size = sizeof trial->source};
    make_views(trial, trial->before, trial->loaded[0][0], before);
    make_views(trial, trial->after, trial->loaded[1][0], after);
    const struct ag_ref_bindings bindings = {
        .resources = &source, .resource_count = 1, .unordered = before, .unordered_count = 2};
    struct ag_ref_bindings own = bindings;
    own.unordered = after;
    struct oracle_job job = {
        .shader = shader,
        .bindings = &bindings,
        .groups = {TEXELS / THREADS_PER_GROUP, 1, 1},
        .uav_formats = formats
    };
    uint32_t wrong = 1;
    if (!interpret(shader, &own, job.groups, &error->sink))
        printf("%s\n", error->message);
    else if (!oracle_gpu_run(gpu, &job, 1) || job.outcome != ORACLE_RAN || job.result[0] == NULL)
        printf("format %u, %s: %s\n", trial->storage_format, trial->shape->name, job.message);
    else
        wrong = compare_stored(trial, job.result[0]) + compare_loaded(trial, job.result[1]);
    if (options->print && job.module != NULL)
        printf("%s\n%s\n", ag_strbuf_text(&trial->text), job.module->wgsl);
    oracle_job_fini(&job);
    return wrong == 0;
}

/* False when the device and the interpreter differ. */
static bool try_format(struct agpu_gpu *gpu, uint32_t storage_format, const char *type,
                       const struct shape *shape, const struct oracle_options *options, uint32_t *nearest)
{
    struct agpu_adapter_info info = {0};
    struct oracle_random random = {options->seed + storage_format};
    struct oracle_error error;
    struct trial *trial = calloc(1, sizeof *trial);
    if (trial == NULL)
        return false;
    trial->storage_format = storage_format;
    trial->shape = shape;
    trial->type = type;
    agpu_gpu_info(gpu, &info);
    trial->loses_infinity = strcmp(info.driver, agpu_driver_name(AGPU_DRIVER_SWIFTSHADER)) == 0;
    trial->format = gpu_storage_format(storage_format);
    oracle_error_init(&error);
    write_program(trial);
    make_values(trial, &random);
    struct agpu_shader *shader = oracle_assemble(trial->text.data, trial->text.length, &error.sink);
    if (shader == NULL)
        printf("%s\n%s\n", error.message, ag_strbuf_text(&trial->text));
    const bool good = shader != NULL && run_trial(gpu, trial, shader, options, &error);
    *nearest += trial->nearest;
    agpu_shader_destroy(shader);
    ag_strbuf_fini(&trial->text);
    free(trial);
    return good;
}

int oracle_formats(struct agpu_gpu *gpu, const struct oracle_options *options)
{
    uint32_t tried = 0, wrong = 0, nearest = 0;
    for (uint32_t i = 0; i < (AGPU_STORAGE_FORMAT_COUNT - 1) * AG_COUNT_OF(shapes); i++) {
        const uint32_t format = 1 + i / AG_COUNT_OF(shapes);
        const struct shape *shape = &shapes[i % AG_COUNT_OF(shapes)];
        const uint32_t kind = gpu_storage_format(format).kind;
        wrong += !try_format(gpu, format, kinds[kind], shape, options, &nearest);
        tried++;
        if (kind != AG_REF_UNORM && kind != AG_REF_SNORM)
            continue;
        wrong += !try_format(gpu, format, "float", shape, options, &nearest); /* HLSL's default */
        tried++;
    }
    printf("%u formats, types and dimensions tried, %u differ, %u halves rounded to nearest\n", tried, wrong,
           nearest);
    return wrong != 0;
}
