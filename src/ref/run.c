/* SPDX-License-Identifier: MIT
 *
 * Runs threads: one vertex, the four pixels of a quad, the groups of a dispatch.
 */
#include "ref/machine.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- One thread --------------------------------------------------------------------------------------- */

size_t ag_ref_thread_words(const struct ag_ref_program *program)
{
    return 4 * ((size_t)program->temp_count + program->indexable_registers);
}

void ag_ref_thread_init(struct ag_ref_thread *thread, const struct ag_ref_run *run, uint32_t *words)
{
    thread->run = run;
    thread->temps = (uint32_t(*)[4])words;
    thread->indexables = thread->temps + run->program->temp_count;
}

bool ag_ref_is_inactive(const struct ag_ref_thread *thread)
{
    return thread->discarded || (thread->invocation != NULL && thread->invocation->helper);
}

enum ag_ref_step ag_ref_refuse(const struct ag_ref_thread *thread, const struct ag_ref_code *code,
                               enum agpu_diag_code diag, const char *problem)
{
    ag_report(thread->run->sink, diag, AGPU_ERROR, ag_place_offset((uint64_t)code->instruction->offset * 4),
              "%s %s", code->info->mnemonic, problem);
    return AG_REF_STEP_REFUSED;
}

static enum ag_ref_step step(struct ag_ref_thread *thread)
{
    const struct ag_ref_program *program = thread->run->program;
    if (thread->pc >= program->code_count)
        return AG_REF_STEP_ENDED;
    const struct ag_ref_code *code = &program->code[thread->pc];
    if (thread->steps++ >= thread->run->step_budget)
        return ag_ref_refuse(thread, code, AGPU_DIAG_REF_BUDGET, "is beyond the step budget");
    return code->run(thread, code);
}

void ag_ref_thread_advance(struct ag_ref_thread *thread)
{
    thread->state = AG_REF_READY;
    while (thread->state == AG_REF_READY) {
        switch (step(thread)) {
        case AG_REF_STEP_NEXT:
            thread->pc++;
            break;
        case AG_REF_STEP_JUMPED:
            break;
        case AG_REF_STEP_BARRIER:
            thread->state = AG_REF_AT_BARRIER;
            break;
        case AG_REF_STEP_GRADIENT:
            thread->state = AG_REF_AT_GRADIENT;
            break;
        case AG_REF_STEP_ENDED:
            thread->state = AG_REF_ENDED;
            break;
        case AG_REF_STEP_REFUSED:
            thread->state = AG_REF_FAILED;
            break;
        }
    }
}

static struct ag_ref_run make_run(const struct ag_ref_program *program,
                                  const struct ag_ref_bindings *bindings,
                                  const struct ag_ref_options *options, const struct agpu_diag_sink *sink)
{
    static const struct ag_ref_bindings nothing;
    const uint64_t budget = options != NULL ? options->step_budget : 0;
    return (struct ag_ref_run){.program = program,
                               .bindings = bindings != NULL ? bindings : &nothing,
                               .sink = sink,
                               .flags = options != NULL ? options->flags : 0,
                               .perturb = options != NULL ? options->perturb : 0,
                               .lod_error = options != NULL ? options->lod_error : 0,
                               .cube_lod_error = options != NULL ? options->cube_lod_error : 0,
                               .step_budget = budget != 0 ? budget : AG_REF_STEP_BUDGET};
}

static enum agpu_status check_stage(const struct ag_ref_run *run, enum agpu_stage wanted)
{
    const enum agpu_stage stage = run->program->shader->program.stage;
    if (stage == wanted)
        return AGPU_OK;
    ag_report(run->sink, AGPU_DIAG_REF_STAGE, AGPU_ERROR, ag_place_none(), "a %s cannot run as a %s",
              agpu_stage_name(stage), agpu_stage_name(wanted));
    return AGPU_REFUSED;
}

static void clear_results(struct ag_ref_invocation *invocation)
{
    memset(invocation->output, 0, sizeof invocation->output);
    memset(invocation->written, 0, sizeof invocation->written);
    memset(invocation->special, 0, sizeof invocation->special);
    memset(invocation->special_written, 0, sizeof invocation->special_written);
    invocation->discarded = false;
    invocation->steps = 0;
}

enum agpu_status ag_ref_run_vertex(const struct ag_ref_program *program,
                                   const struct ag_ref_bindings *bindings,
                                   const struct ag_ref_options *options, const struct agpu_diag_sink *sink,
                                   struct ag_ref_invocation *vertex)
{
    const struct ag_ref_run run = make_run(program, bindings, options, sink);
    const enum agpu_status status = check_stage(&run, AGPU_STAGE_VERTEX);
    if (status != AGPU_OK)
        return status;
    uint32_t *words = calloc(ag_ref_thread_words(program) + 1, sizeof *words);
    if (words == NULL)
        return ag_report_no_memory(sink);
    clear_results(vertex);
    struct ag_ref_thread thread = {.invocation = vertex};
    ag_ref_thread_init(&thread, &run, words);
    ag_ref_thread_advance(&thread);
    vertex->steps = thread.steps;
    free(words);
    return thread.state == AG_REF_ENDED ? AGPU_OK : AGPU_REFUSED;
}

/* ---- Quads -------------------------------------------------------------------------------------------- */

static bool waits_at(const struct ag_ref_thread *thread, uint32_t pc)
{
    return thread->state == AG_REF_AT_GRADIENT && thread->pc == pc;
}

/* The difference of two neighbours; 0 when one of them does not wait at `pc`. */
static void differ(const struct ag_ref_thread *low, const struct ag_ref_thread *high, uint32_t pc,
                   float delta[4])
{
    for (uint32_t i = 0; i < 4; i++)
        delta[i] =
            waits_at(low, pc) && waits_at(high, pc) ? high->gradient.value[i] - low->gradient.value[i] : 0.0f;
}

static bool is_coarse(const struct ag_ref_code *code, uint32_t flags)
{
    const uint32_t opcode = code->instruction->opcode;
    if (opcode == AGPU_OP_DERIV_RTX_COARSE || opcode == AGPU_OP_DERIV_RTY_COARSE)
        return true;
    return opcode != AGPU_OP_DERIV_RTX_FINE && opcode != AGPU_OP_DERIV_RTY_FINE &&
           !(flags & AG_REF_FINE_DERIVATIVES);
}

/* Computes the derivatives for the pixels that wait at `pc`. */
static void make_gradients(struct ag_ref_thread threads[4], uint32_t pc)
{
    const uint32_t flags = threads[0].run->flags;
    const bool coarse = is_coarse(&threads[0].run->program->code[pc], flags);
    for (uint32_t lane = 0; lane < 4; lane++) {
        const uint32_t row = !coarse ? lane & 2 : flags & AG_REF_LOWER_ROW ? 2 : 0;
        const uint32_t column = !coarse ? lane & 1 : flags & AG_REF_RIGHT_COLUMN ? 1 : 0;
        differ(&threads[row], &threads[row + 1], pc, threads[lane].gradient.dx);
        differ(&threads[column], &threads[column + 2], pc, threads[lane].gradient.dy);
    }
    for (uint32_t lane = 0; lane < 4; lane++)
        threads[lane].gradient.ready = waits_at(&threads[lane], pc);
}

/* The earliest instruction at which a pixel waits; UINT32_MAX when none waits. */
static uint32_t earliest_wait(const struct ag_ref_thread threads[4])
{
    uint32_t pc = UINT32_MAX;
    for (uint32_t lane = 0; lane < 4; lane++) {
        if (threads[lane].state == AG_REF_AT_GRADIENT && threads[lane].pc < pc)
            pc = threads[lane].pc;
    }
    return pc;
}

static enum agpu_status advance_quad(struct ag_ref_thread threads[4])
{
    for (uint32_t lane = 0; lane < 4; lane++) {
        if (threads[lane].state == AG_REF_READY || threads[lane].gradient.ready)
            ag_ref_thread_advance(&threads[lane]);
        if (threads[lane].state == AG_REF_FAILED)
            return AGPU_REFUSED;
    }
    return AGPU_OK;
}

static enum agpu_status run_threads(struct ag_ref_thread threads[4])
{
    for (;;) {
        const enum agpu_status status = advance_quad(threads);
        const uint32_t pc = earliest_wait(threads);
        if (status != AGPU_OK || pc == UINT32_MAX)
            return status;
        make_gradients(threads, pc);
    }
}

enum agpu_status ag_ref_run_quad(const struct ag_ref_program *program, const struct ag_ref_bindings *bindings,
                                 const struct ag_ref_options *options, const struct agpu_diag_sink *sink,
                                 struct ag_ref_invocation pixels[4])
{
    const struct ag_ref_run run = make_run(program, bindings, options, sink);
    enum agpu_status status = check_stage(&run, AGPU_STAGE_PIXEL);
    if (status != AGPU_OK)
        return status;
    const size_t words_each = ag_ref_thread_words(program);
    uint32_t *words = calloc(4 * words_each + 1, sizeof *words);
    if (words == NULL)
        return ag_report_no_memory(sink);
    struct ag_ref_thread threads[4] = {0};
    for (uint32_t lane = 0; lane < 4; lane++) {
        clear_results(&pixels[lane]);
        threads[lane].invocation = &pixels[lane];
        threads[lane].quad = pixels;
        threads[lane].lane = lane;
        ag_ref_thread_init(&threads[lane], &run, words + lane * words_each);
    }
    status = run_threads(threads);
    for (uint32_t lane = 0; lane < 4; lane++) {
        pixels[lane].discarded = threads[lane].discarded;
        pixels[lane].steps = threads[lane].steps;
    }
    free(words);
    return status;
}

/* ---- Groups ------------------------------------------------------------------------------------------- */

struct group {
    struct ag_ref_run run;
    struct ag_ref_thread *threads;
    uint32_t thread_count;
    uint32_t *words;
    uint8_t *shared;
    bool parted; /* a barrier in divergent control flow was reported */
};

static void start_group(struct group *group, const uint32_t id[3])
{
    const struct ag_ref_program *program = group->run.program;
    const uint32_t *size = program->thread_group;
    const size_t words_each = ag_ref_thread_words(program);
    memset(group->words, 0, group->thread_count * words_each * sizeof *group->words);
    memset(group->shared, 0, program->shared_size);
    for (uint32_t i = 0; i < group->thread_count; i++) {
        struct ag_ref_thread *thread = &group->threads[i];
        *thread = (struct ag_ref_thread){.flattened_id = i, .shared = group->shared};
        const uint32_t in_group[3] = {i % size[0], i / size[0] % size[1], i / size[0] / size[1]};
        for (uint32_t axis = 0; axis < 3; axis++) {
            thread->group_id[axis] = id[axis];
            thread->id_in_group[axis] = in_group[axis];
            thread->thread_id[axis] = id[axis] * size[axis] + in_group[axis];
        }
        ag_ref_thread_init(thread, &group->run, group->words + i * words_each);
    }
}

/* A barrier that not every thread reaches is undefined; this is reported once, and the threads continue. */
static void check_barrier(struct group *group)
{
    const struct ag_ref_thread *first = &group->threads[0];
    for (uint32_t i = 1; i < group->thread_count && !group->parted; i++) {
        const struct ag_ref_thread *thread = &group->threads[i];
        if (thread->state == first->state && (thread->state != AG_REF_AT_BARRIER || thread->pc == first->pc))
            continue;
        const struct ag_ref_thread *waiting = first->state == AG_REF_AT_BARRIER ? first : thread;
        const struct ag_ref_code *code = &group->run.program->code[waiting->pc];
        ag_report(group->run.sink, AGPU_DIAG_REF_BARRIER, AGPU_WARNING,
                  ag_place_offset((uint64_t)code->instruction->offset * 4),
                  "threads %" PRIu32 " and %" PRIu32 " of a group do not meet at the same barrier",
                  first->flattened_id, thread->flattened_id);
        group->parted = true;
    }
}

static enum agpu_status run_group(struct group *group, const uint32_t id[3])
{
    start_group(group, id);
    for (bool running = true; running;) {
        running = false;
        for (uint32_t i = 0; i < group->thread_count; i++) {
            const bool backwards = group->run.flags & AG_REF_BACKWARDS;
            struct ag_ref_thread *thread = &group->threads[backwards ? group->thread_count - 1 - i : i];
            if (thread->state == AG_REF_ENDED)
                continue;
            if (thread->state == AG_REF_AT_BARRIER)
                thread->pc++;
            ag_ref_thread_advance(thread);
            if (thread->state == AG_REF_FAILED)
                return AGPU_REFUSED;
            running |= thread->state != AG_REF_ENDED;
        }
        check_barrier(group);
    }
    return AGPU_OK;
}

static enum agpu_status run_groups(struct group *group, const uint32_t groups[3])
{
    const bool backwards = group->run.flags & AG_REF_BACKWARDS;
    const uint64_t row = groups[0], slice = row * groups[1], count = slice * groups[2];
    enum agpu_status status = AGPU_OK;
    for (uint64_t i = 0; i < count && status == AGPU_OK; i++) {
        const uint64_t n = backwards ? count - 1 - i : i;
        status = run_group(group, (const uint32_t[3]){(uint32_t)(n % row), (uint32_t)(n % slice / row),
                                                      (uint32_t)(n / slice)});
    }
    return status;
}

enum agpu_status ag_ref_dispatch(const struct ag_ref_program *program, const struct ag_ref_bindings *bindings,
                                 const struct ag_ref_options *options, const struct agpu_diag_sink *sink,
                                 const uint32_t groups[3])
{
    struct group group = {.run = make_run(program, bindings, options, sink)};
    enum agpu_status status = check_stage(&group.run, AGPU_STAGE_COMPUTE);
    if (status != AGPU_OK)
        return status;
    const uint32_t *size = program->thread_group;
    group.thread_count = size[0] * size[1] * size[2];
    group.threads = calloc(group.thread_count, sizeof *group.threads);
    group.words = calloc(group.thread_count * ag_ref_thread_words(program) + 1, sizeof *group.words);
    group.shared = calloc(program->shared_size + 1u, 1);
    if (group.threads != NULL && group.words != NULL && group.shared != NULL)
        status = run_groups(&group, groups);
    else
        status = ag_report_no_memory(sink);
    free(group.threads);
    free(group.words);
    free(group.shared);
    return status;
}
