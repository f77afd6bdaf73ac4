/* SPDX-License-Identifier: MIT */
#include "world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"

/* ---- Data --------------------------------------------------------------------------------------------- */

static uint32_t any_word(struct oracle_random *random)
{
    const struct oracle_values values = oracle_values_of_kind('u');
    return oracle_chance(random, 50) ? values.words[oracle_below(random, values.count)] : oracle_next(random);
}

static uint32_t tame_word(struct oracle_random *random)
{
    const float value = (float)((int32_t)oracle_below(random, 64) - 32) * 0.25f;
    return ag_bits_from_float(value);
}

static void fill(struct oracle_random *random, void *data, uint64_t bytes, bool tame)
{
    for (uint64_t i = 0; i < bytes / 4; i++)
        ag_store_u32((uint8_t *)data + 4 * i, tame ? tame_word(random) : any_word(random));
}

enum texels { ANY_BITS, TAME, EIGHTHS };

static void fill_texels(struct oracle_random *random, const struct ag_ref_view *view, enum texels what)
{
    uint8_t *data = view->data;
    for (uint64_t at = 0; at < view->size; at += view->format.bytes) {
        uint32_t value[4];
        for (uint32_t i = 0; i < 4; i++)
            value[i] = what == ANY_BITS  ? any_word(random)
                       : what == EIGHTHS ? ag_bits_from_float((float)oracle_below(random, 9) * 0.125f)
                                         : tame_word(random);
        ag_ref_format_store(&view->format, value, data + at);
    }
}

static void make_textures(struct world *world, struct oracle_random *random)
{
    static const struct {
        enum agpu_resource_dimension dimension;
        uint32_t kind, bits, count, height, layers, mips, samples;
        enum texels texels;
    } table[] = {
        {AGPU_DIMENSION_TEXTURE2D,      AG_REF_UINT,  32, 4, 4, 1, 3, 1, ANY_BITS},
        {AGPU_DIMENSION_TEXTURE2DARRAY, AG_REF_FLOAT, 16, 4, 8, 3, 2, 1, TAME    },
        {AGPU_DIMENSION_TEXTURE2D,      AG_REF_FLOAT, 32, 1, 8, 1, 1, 1, EIGHTHS },
        {AGPU_DIMENSION_TEXTURE2DMS,    AG_REF_FLOAT, 16, 4, 8, 1, 1, 4, TAME    },
        {AGPU_DIMENSION_TEXTURE2D,      AG_REF_FLOAT, 16, 4, 8, 1, 1, 1, TAME    },
    };
    for (uint32_t i = 0; i < AG_COUNT_OF(table); i++) {
        struct ag_ref_view *view = &world->resources[3 + i];
        *view = (struct ag_ref_view){
            .dimension = table[i].dimension,
            .data = world->texels[i],
            .format =
                ag_ref_format_make((enum ag_ref_format_kind)table[i].kind, table[i].bits, table[i].count),
            .width = 8,
            .height = table[i].height,
            .depth = 1,
            .layers = table[i].layers,
            .mips = table[i].mips,
            .samples = table[i].samples,
        };
        view->size = ag_ref_texture_size(view);
        fill_texels(random, view, table[i].texels);
    }
    for (uint32_t i = 0; i < 2; i++)
        world->samplers[i] = (struct ag_ref_sampler){
            .address = {AG_REF_WRAP, AG_REF_WRAP, AG_REF_WRAP},
            .comparison = AG_REF_LESS_EQUAL,
            .max_lod = 32.0f
        };
}

bool world_init(struct world *world, uint64_t seed)
{
    static const uint32_t sizes[GENERATED_SLOTS] = {U0_BYTES, U1_BYTES, U2_BYTES, U3_BYTES, U4_BYTES};
    static const uint8_t dimensions[GENERATED_SLOTS] = {
        AGPU_DIMENSION_RAW_BUFFER, AGPU_DIMENSION_STRUCTURED_BUFFER, AGPU_DIMENSION_BUFFER,
        AGPU_DIMENSION_RAW_BUFFER, AGPU_DIMENSION_TEXTURE2D};
    struct oracle_random random = {seed ^ 0x5eed};
    *world = (struct world){0};
    fill(&random, world->t0, sizeof world->t0, false);
    fill(&random, world->t1, sizeof world->t1, true);
    for (uint32_t i = 0; i < 2; i++) {
        fill(&random, world->constants[i], sizeof world->constants[i], i == 1);
        world->constant_buffers[i] =
            (struct ag_ref_constant_buffer){world->constants[i], sizeof world->constants[i]};
    }
    world->resources[0] = (struct ag_ref_view){
        .dimension = AGPU_DIMENSION_RAW_BUFFER, .data = world->t0, .size = sizeof world->t0};
    world->resources[1] = (struct ag_ref_view){.dimension = AGPU_DIMENSION_STRUCTURED_BUFFER,
                                               .data = world->t1,
                                               .size = sizeof world->t1,
                                               .stride = 16};
    world->resources[2] = (struct ag_ref_view){.dimension = AGPU_DIMENSION_BUFFER,
                                               .data = world->t0,
                                               .size = sizeof world->t0,
                                               .format = ag_ref_format_make(AG_REF_UINT, 32, 4)};
    make_textures(world, &random);
    for (uint32_t i = 0; i < GENERATED_SLOTS; i++) {
        world->unordered[i] = malloc(sizes[i]);
        if (world->unordered[i] == NULL)
            return false;
        fill(&random, world->unordered[i], sizes[i], i == 1);
        world->views[i] = (struct ag_ref_view){
            .dimension = (enum agpu_resource_dimension)dimensions[i],
            .data = world->unordered[i],
            .size = sizes[i],
            .stride = 16,
            .counter = i == 1 ? 1000 : 0,
            .format = ag_ref_format_make(AG_REF_UINT, 32, 4),
        };
    }
    struct ag_ref_view *texture = &world->views[4];
    texture->format = ag_ref_format_make(AG_REF_UINT, 32, 1);
    texture->width = PROGRAM_THREADS;
    texture->height = MODULE_PROGRAMS;
    texture->depth = texture->layers = texture->mips = texture->samples = 1;
    world->bindings = (struct ag_ref_bindings){
        .constant_buffers = world->constant_buffers,
        .constant_buffer_count = 2,
        .resources = world->resources,
        .resource_count = AG_COUNT_OF(world->resources),
        .samplers = world->samplers,
        .sampler_count = AG_COUNT_OF(world->samplers),
        .unordered = world->views,
        .unordered_count = GENERATED_SLOTS,
    };
    return true;
}

void world_fini(struct world *world)
{
    for (uint32_t i = 0; i < GENERATED_SLOTS; i++)
        free(world->unordered[i]);
}

/* ---- Attempts ----------------------------------------------------------------------------------------- */

static bool interpret(struct attempt *attempt, const struct agpu_diag_sink *sink)
{
    static const uint32_t groups[3] = {GENERATED_GROUPS, MODULE_PROGRAMS, 1};
    const struct ag_ref_options options = {.step_budget = 100000};
    struct ag_ref_program *program;
    if (ag_ref_program_create(attempt->shader, sink, &program) != AGPU_OK)
        return false;
    const bool good = ag_ref_dispatch(program, &attempt->after.bindings, &options, sink, groups) == AGPU_OK;
    ag_ref_program_destroy(program);
    return good;
}

void attempt_prepare(struct attempt *attempt, const struct listing *listing, const bool *keep, uint64_t seed)
{
    struct oracle_error error;
    *attempt = (struct attempt){.verdict = VERDICT_NO_PROGRAM};
    oracle_error_init(&error);
    for (size_t i = 0; i < listing->lines.count; i++)
        if (keep == NULL || keep[i])
            ag_strbuf_printf(&attempt->text, "%s\n", listing->lines.data[i].text);
    if (world_init(&attempt->before, seed) && world_init(&attempt->after, seed) && !attempt->text.failed)
        attempt->shader = oracle_assemble(attempt->text.data, attempt->text.length, &error.sink);
    if (attempt->shader != NULL && interpret(attempt, &error.sink))
        attempt->verdict = VERDICT_AGREES;
    snprintf(attempt->message, sizeof attempt->message, "%s", error.message);
    static const uint8_t formats[AGPU_MAX_UAVS] = {[4] = AGPU_STORAGE_R32_UINT};
    attempt->job = (struct oracle_job){
        .uav_formats = formats,
        .most_nesting = listing->most_nesting,
        .most_invocations = listing->most_invocations,
        .shader = attempt->shader,
        .bindings = &attempt->before.bindings,
        .groups = {GENERATED_GROUPS, MODULE_PROGRAMS, 1}
    };
}

/* The program that owns a byte of u[slot]. */
static uint32_t program_of(uint32_t slot, uint64_t byte)
{
    static const uint32_t thread_bytes[GENERATED_SLOTS] = {64, 64, 16, 64 / PROGRAM_THREADS, 4};
    if (slot == 0 && byte >= GENERATED_ALL * 64)
        return (uint32_t)(byte - GENERATED_ALL * 64) / (16 * PROGRAM_THREADS);
    return (uint32_t)byte / (thread_bytes[slot] * PROGRAM_THREADS);
}

static void judge(struct attempt *attempt)
{
    if (attempt->job.outcome != ORACLE_RAN) {
        attempt->verdict = VERDICT_DIFFERS;
        snprintf(attempt->message, sizeof attempt->message, "%s", attempt->job.message);
        return;
    }
    for (uint32_t slot = 0; slot < GENERATED_SLOTS; slot++) {
        const struct ag_ref_view *view = &attempt->after.views[slot];
        if (attempt->job.counters[slot] != view->counter) {
            attempt->verdict = VERDICT_DIFFERS;
            snprintf(attempt->message, sizeof attempt->message, "the counter of u%u is %u, should be %u",
                     slot, attempt->job.counters[slot], view->counter);
            return;
        }
        for (uint64_t i = 0; i < view->size; i += 4) {
            const uint32_t got = ag_load_u32(attempt->job.result[slot] + i);
            const uint32_t want = ag_load_u32(attempt->after.unordered[slot] + i);
            if (got == want)
                continue;
            attempt->verdict = VERDICT_DIFFERS;
            snprintf(attempt->message, sizeof attempt->message,
                     "program %u: u%u byte %u is 0x%08x, should be 0x%08x", program_of(slot, i), slot,
                     (uint32_t)i, got, want);
            return;
        }
    }
}

bool attempts_run(struct agpu_gpu *gpu, struct attempt *attempts, uint32_t count)
{
    struct oracle_job *jobs = calloc(count, sizeof *jobs);
    uint32_t used = 0;
    for (uint32_t i = 0; i < count && jobs != NULL; i++)
        if (attempts[i].verdict != VERDICT_NO_PROGRAM)
            jobs[used++] = attempts[i].job;
    const bool good = jobs != NULL && (used == 0 || oracle_gpu_run(gpu, jobs, used));
    used = 0;
    for (uint32_t i = 0; i < count && jobs != NULL; i++) {
        if (attempts[i].verdict == VERDICT_NO_PROGRAM)
            continue;
        attempts[i].job = jobs[used++];
        judge(&attempts[i]);
    }
    free(jobs);
    return good;
}

void attempt_fini(struct attempt *attempt)
{
    oracle_job_fini(&attempt->job);
    agpu_shader_destroy(attempt->shader);
    ag_strbuf_fini(&attempt->text);
    world_fini(&attempt->before);
    world_fini(&attempt->after);
}
