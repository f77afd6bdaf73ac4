/* SPDX-License-Identifier: MIT
 *
 * Runs the steps of a scene one after the other, and writes the report.
 */
#include "scene/run.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/bytes.h"
#include "scene/check.h"
#include "scene/requires.h"

/* ---- The report ---------------------------------------------------------------------------------------- */

void scene_abort(struct scene_run *run, enum agpu_diag_code code, const char *message)
{
    if (!run->aborted)
        ag_report(run->sink, code, AGPU_ERROR, ag_place_none(), "%s", message);
    run->aborted = true;
    run->report->status = code == AGPU_DIAG_OUT_OF_MEMORY ? AGPU_NO_MEMORY : AGPU_INTERNAL;
    run->report->result = AG_SCENE_FAILED;
}

const char *scene_keep_text(struct scene_run *run, const char *text)
{
    const char *copy = ag_arena_strdup(&run->report->arena, text);
    if (copy == NULL)
        scene_abort(run, AGPU_DIAG_OUT_OF_MEMORY, "out of memory for the report");
    return copy != NULL ? copy : "";
}

void scene_add_check(struct scene_run *run, const struct ag_scene_check *check)
{
    struct ag_scene_check kept = *check;
    kept.kind = scene_keep_text(run, check->kind);
    kept.want = scene_keep_text(run, check->want);
    kept.got = scene_keep_text(run, check->got);
    if (check->todo != NULL)
        kept.todo = scene_keep_text(run, check->todo);
    if (check->result == AG_SCENE_FAILED)
        run->report->result = AG_SCENE_FAILED;
    if (!ag_vec_push(&run->report->checks, kept))
        scene_abort(run, AGPU_DIAG_OUT_OF_MEMORY, "out of memory for the report");
}

/* ---- Steps --------------------------------------------------------------------------------------------- */

static void add_memory(struct scene_run *run, const struct scene_object *object)
{
    uint8_t *bytes = scene_memory_add(&run->memory, object->gpa, object->memory_size);
    if (bytes == NULL)
        scene_abort(run, AGPU_DIAG_OUT_OF_MEMORY, "out of memory for guest memory");
    else if (object->bytes.size != 0)
        memcpy(bytes, object->bytes.data, object->bytes.size);
}

static void store_memory(struct scene_run *run, const struct scene_store *store)
{
    scene_guest_settle(run);
    if (!scene_memory_write(&run->memory, store->gpa, store->bytes.data, store->bytes.size))
        scene_abort(run, AGPU_DIAG_SCENE_SETUP, "guest memory to be written is not there");
}

static void remove_allocation(struct scene_run *run, uint32_t id)
{
    for (size_t i = run->allocations.count; i-- > 0;) {
        if (run->allocations.data[i].id != id)
            continue;
        run->allocations.count--;
        memmove(&run->allocations.data[i], &run->allocations.data[i + 1],
                (run->allocations.count - i) * sizeof run->allocations.data[0]);
    }
}

static void add_allocation(struct scene_run *run, const struct scene_allocation *allocation)
{
    if (!ag_vec_push(&run->allocations, *allocation))
        scene_abort(run, AGPU_DIAG_OUT_OF_MEMORY, "out of memory");
}

static void write_registers(struct scene_run *run, const struct scene_step *step)
{
    scene_guest_settle(run);
    for (uint32_t i = 0; i < step->as.registers.count; i++)
        scene_guest_write(run, step->as.registers.writes[i].offset, step->as.registers.writes[i].value);
}

static void tick(struct scene_run *run, uint64_t ticks)
{
    for (uint64_t i = 0; i < ticks && scene_guest_settle(run); i++)
        scene_guest_tick(run);
    scene_guest_settle(run);
}

static bool is_snapshot_due(const struct scene_run *run)
{
    const uint32_t period = run->options->snapshot_period, first = run->options->snapshot_first;
    const uint64_t number = run->report->submissions;
    return period != 0 && number >= first && (number - first) % period == 0;
}

/* Whether a submission waits in the snapshot that comes next. */
static bool is_before_snapshot(const struct scene_run *run)
{
    const uint32_t first = run->options->snapshot_first;
    const uint64_t number = run->report->submissions;
    return run->options->snapshot_period != 0 && number < first &&
           first - number <= run->options->snapshot_ahead;
}

static void submit(struct scene_run *run, const struct scene_step *step)
{
    const struct scene_submit *what = &step->as.submit;
    const uint64_t fence = what->has_fence ? what->fence : run->last_fence + 1;
    if (fence > run->last_fence)
        run->last_fence = fence;
    scene_report_unexpected(run);
    scene_guest_write(run, AEROGPU_MMIO_REG_IRQ_ACK, UINT32_MAX);
    scene_note_resources(run, what->stream.data, what->stream.size);
    run->report->submissions++;
    const bool submitted = scene_guest_submit(run, what, fence, NULL);
    if (submitted && is_snapshot_due(run))
        scene_guest_replace(run);
    if (submitted && !run->aborted && !what->no_wait && !is_before_snapshot(run))
        scene_guest_finish(run);
}

static enum ag_scene_result judge(const struct scene_expectation *expectation, bool passed)
{
    if (expectation->todo == NULL)
        return passed ? AG_SCENE_PASSED : AG_SCENE_FAILED;
    return passed ? AG_SCENE_FAILED : AG_SCENE_SKIPPED;
}

static void expect(struct scene_run *run, const struct scene_step *step)
{
    const struct scene_expectation *expectation = &step->as.expectation;
    struct scene_finding finding = {0};
    if (!scene_guest_settle(run))
        return;
    /* Another executor makes its own pipelines and bind groups. */
    if (run->options->snapshot_period != 0 && strcmp(expectation->kind->word, "counter") == 0)
        return;
    expectation->kind->check(run, expectation, &finding);
    if (finding.want.failed || finding.got.failed)
        scene_abort(run, AGPU_DIAG_OUT_OF_MEMORY, "out of memory for the report");
    const struct ag_scene_check check = {
        .line = step->line,
        .kind = expectation->kind->word,
        .result = judge(expectation, finding.passed),
        .want = ag_strbuf_text(&finding.want),
        .got = ag_strbuf_text(&finding.got),
        .todo = expectation->todo,
    };
    scene_add_check(run, &check);
    const struct agpu_place place = ag_place_text(step->line, step->column);
    if (check.result == AG_SCENE_FAILED && expectation->todo != NULL)
        ag_report(run->sink, AGPU_DIAG_SCENE_TODO_PASSES, AGPU_ERROR, place,
                  "expect %s passes although it is marked todo: %s", check.kind, expectation->todo);
    else if (check.result == AG_SCENE_FAILED)
        ag_report(run->sink, AGPU_DIAG_SCENE_EXPECT, AGPU_ERROR, place, "expect %s: want %s, got %s",
                  check.kind, check.want, check.got);
    ag_strbuf_fini(&finding.want);
    ag_strbuf_fini(&finding.got);
}

void scene_run_step(struct scene_run *run, const struct scene_step *step)
{
    run->line = step->line;
    switch (step->kind) {
    case SCENE_STEP_MEMORY:
        add_memory(run, step->as.object);
        break;
    case SCENE_STEP_STORE:
        store_memory(run, &step->as.store);
        break;
    case SCENE_STEP_ALLOC:
        add_allocation(run, &step->as.allocation);
        break;
    case SCENE_STEP_UNALLOC:
        remove_allocation(run, step->as.allocation.id);
        break;
    case SCENE_STEP_REGISTERS:
        write_registers(run, step);
        break;
    case SCENE_STEP_TICK:
        tick(run, step->as.ticks);
        break;
    case SCENE_STEP_SUBMIT:
        submit(run, step);
        break;
    case SCENE_STEP_EXPECT:
        expect(run, step);
        break;
    }
}

static void run_steps(struct scene_run *run)
{
    const struct ag_scene *scene = run->scene;
    for (size_t i = 0; i < scene->steps.count && !run->aborted; i++)
        scene_run_step(run, &scene->steps.data[i]);
    if (!run->aborted && scene_guest_finish(run))
        scene_report_unexpected(run);
}

/* ---- Ends ---------------------------------------------------------------------------------------------- */

/* Without memory for it, a context is not in the report. */
static void add_context(void *user, const struct agpu_context_counters *counters)
{
    struct ag_scene_report *report = user;
    ag_vec_push(&report->contexts, *counters);
}

static void subtract_own(struct scene_run *run)
{
    struct agpu_executor *executor = run->executor;
    if (executor == NULL || executor->counters == NULL)
        return;
    run->report->counters.size = sizeof run->report->counters;
    executor->counters(executor, &run->report->counters);
    agpu_executor_visit_contexts(executor, add_context, run->report);
    for (size_t at = 0; at < sizeof run->own; at += sizeof(uint64_t)) {
        char *to = (char *)&run->report->counters + at;
        ag_store_u64(to, ag_load_u64(to) - ag_load_u64((const char *)&run->own + at));
    }
}

void scene_run_end(struct scene_run *run)
{
    struct ag_scene_report *report = run->report;
    /* After an abort, problems may be left that no step has looked at. */
    for (size_t i = 0; i < run->problems.count; i++) {
        const struct scene_problem *problem = &run->problems.data[i];
        if (!problem->expected)
            scene_pass_on(run, problem, problem->diag.severity);
    }
    subtract_own(run);
    for (size_t i = 0; i < report->presents.count; i++) {
        struct ag_scene_present *present = &report->presents.data[i];
        if (present->pixels != NULL)
            present->hash = XXH3_64bits(present->pixels, (size_t)present->width * present->height * 4);
    }
    report->wait_ms = run->wait_ms;
    scene_guest_fini(run);
    free(run->picture.pixels);
    ag_map_fini(&run->resources);
    ag_map_fini(&run->tokens);
    ag_vec_fini(&run->problems);
    ag_arena_fini(&run->arena);
    report->total_ms = scene_clock_ms() - run->start_ms;
}

bool scene_run_begin(struct scene_run *run, const struct ag_scene *scene,
                     const struct ag_scene_options *options, const struct agpu_diag_sink *sink,
                     struct ag_scene_report *report)
{
    *run = (struct scene_run){.scene = scene,
                              .options = options,
                              .sink = sink,
                              .report = report,
                              .executor = options->executor,
                              .start_ms = scene_clock_ms()};
    *report = (struct ag_scene_report){.result = AG_SCENE_PASSED};
    if (!scene_guest_init(run))
        return false;
    report->skip_reason = scene_unmet_requirement(run);
    if (report->skip_reason != NULL && !run->aborted)
        report->result = AG_SCENE_SKIPPED;
    return report->skip_reason == NULL;
}

enum agpu_status ag_scene_run(const struct ag_scene *scene, const struct ag_scene_options *options,
                              const struct agpu_diag_sink *sink, struct ag_scene_report *report)
{
    struct scene_run run;
    if (scene_run_begin(&run, scene, options, sink, report))
        run_steps(&run);
    scene_run_end(&run);
    if (report->status != AGPU_OK)
        return report->status;
    return report->result == AG_SCENE_FAILED ? AGPU_REFUSED : AGPU_OK;
}

static void present_fini(struct ag_scene_present *present)
{
    free(present->pixels);
    free(present->expected);
    free(present->known);
}

void ag_scene_report_fini(struct ag_scene_report *report)
{
    for (size_t i = 0; i < report->presents.count; i++)
        present_fini(&report->presents.data[i]);
    ag_vec_fini(&report->presents);
    ag_vec_fini(&report->checks);
    ag_vec_fini(&report->diags);
    ag_vec_fini(&report->contexts);
    ag_arena_fini(&report->arena);
}
