/* SPDX-License-Identifier: MIT
 *
 * The checks of fences, interrupts, registers, counters, errors and warnings.
 */

#include "base/bytes.h"
#include "scene/check.h"
#include "scene/registers.h"
#include "scene/run.h"

void scene_check_fence(struct scene_run *run, const struct scene_expectation *expectation,
                       struct scene_finding *finding)
{
    const uint64_t completed = scene_guest_completed_fence(run);
    const uint64_t page_gpa = (uint64_t)scene_guest_read(run, AEROGPU_MMIO_REG_FENCE_GPA_HI) << 32 |
                              scene_guest_read(run, AEROGPU_MMIO_REG_FENCE_GPA_LO);
    uint8_t page[8];
    ag_strbuf_printf(&finding->want, "%llu", (unsigned long long)expectation->number);
    ag_strbuf_printf(&finding->got, "%llu", (unsigned long long)completed);
    finding->passed = completed == expectation->number;
    if (page_gpa == 0 || !scene_memory_read(&run->memory, page_gpa + 8, page, sizeof page) ||
        ag_load_u64(page) == completed)
        return;
    ag_strbuf_printf(&finding->got, ", but %llu in the fence page", (unsigned long long)ag_load_u64(page));
    finding->passed = false;
}

static void print_irqs(struct ag_strbuf *out, uint32_t causes)
{
    if (causes == 0)
        ag_strbuf_append(out, "NONE");
    else
        ag_text_print_names(out, &scene_irq_names, causes);
}

void scene_check_irq(struct scene_run *run, const struct scene_expectation *expectation,
                     struct scene_finding *finding)
{
    const uint32_t status = scene_guest_read(run, AEROGPU_MMIO_REG_IRQ_STATUS);
    const uint32_t enabled = scene_guest_read(run, AEROGPU_MMIO_REG_IRQ_ENABLE);
    print_irqs(&finding->want, expectation->word);
    print_irqs(&finding->got, status);
    finding->passed =
        expectation->word == 0 ? status == 0 : (status & expectation->word) == expectation->word;
    if (run->irq_line == ((status & enabled) != 0))
        return;
    ag_strbuf_append(&finding->got, run->irq_line ? ", the line is high" : ", the line is low");
    finding->passed = false;
}

void scene_check_reg(struct scene_run *run, const struct scene_expectation *expectation,
                     struct scene_finding *finding)
{
    const uint32_t value = scene_guest_read(run, expectation->word);
    ag_strbuf_printf(&finding->want, "0x%llX", (unsigned long long)expectation->number);
    ag_strbuf_printf(&finding->got, "0x%X", value);
    finding->passed = value == expectation->number;
}

void scene_check_counter(struct scene_run *run, const struct scene_expectation *expectation,
                         struct scene_finding *finding)
{
    struct agpu_executor *executor = run->executor;
    struct agpu_counters counters = {.size = sizeof counters};
    ag_strbuf_printf(&finding->want, "%s %s %llu", expectation->name,
                     scene_operator_text(expectation->comparison), (unsigned long long)expectation->number);
    if (executor->counters == NULL) {
        ag_strbuf_append(&finding->got, "the executor has no counters");
        return;
    }
    executor->counters(executor, &counters);
    const uint64_t value = ag_load_u64((const char *)&counters + expectation->offset) -
                           ag_load_u64((const char *)&run->own + expectation->offset);
    ag_strbuf_printf(&finding->got, "%llu", (unsigned long long)value);
    finding->passed = scene_compare(expectation->comparison, value, expectation->number);
}

/* ---- Errors and warnings ------------------------------------------------------------------------------- */

static void print_place(const struct scene_expectation *expectation, struct ag_strbuf *out)
{
    if (expectation->has_fence)
        ag_strbuf_printf(out, " fence=%llu", (unsigned long long)expectation->fence);
    if (expectation->has_packet)
        ag_strbuf_printf(out, " packet=%u", expectation->packet);
}

static bool is_match(const struct scene_expectation *expectation, const struct scene_problem *problem)
{
    return (!expectation->has_fence || problem->fence == expectation->fence) &&
           (!expectation->has_packet || problem->packet == expectation->packet) &&
           (!expectation->has_diag || problem->code == expectation->diag);
}

/* The error registers keep the last error of the device. When the fence in them is the error's, their code
 * must be the error's, too. */
static bool registers_agree(struct scene_run *run, const struct scene_problem *error, struct ag_strbuf *got)
{
    const uint64_t fence = (uint64_t)scene_guest_read(run, AEROGPU_MMIO_REG_ERROR_FENCE_HI) << 32 |
                           scene_guest_read(run, AEROGPU_MMIO_REG_ERROR_FENCE_LO);
    const uint32_t code = scene_guest_read(run, AEROGPU_MMIO_REG_ERROR_CODE);
    if (fence != error->fence || code == error->error_register)
        return true;
    ag_strbuf_append(got, ", but ERROR_CODE reads ");
    ag_text_print_names(got, &scene_error_names, code);
    return false;
}

/* Prints a problem in the words of the `expect` that would match. */
static void print_problem(const struct scene_problem *problem, struct ag_strbuf *out)
{
    const bool is_error = problem->diag.severity == AGPU_ERROR;
    if (is_error)
        ag_text_print_names(out, &scene_error_names, problem->error_register);
    else
        ag_strbuf_append(out, agpu_diag_slug(problem->code));
    ag_strbuf_printf(out, " fence=%llu", (unsigned long long)problem->fence);
    if (problem->packet != AGPU_DIAG_NO_INDEX)
        ag_strbuf_printf(out, " packet=%u", problem->packet);
    if (is_error && problem->code != AGPU_DIAG_NONE)
        ag_strbuf_printf(out, " diag=%s", agpu_diag_slug(problem->code));
}

/* Prints up to four problems of this severity, or that there is none. */
static void print_problems(const struct scene_run *run, enum agpu_severity severity, struct ag_strbuf *out)
{
    uint32_t printed = 0;
    for (size_t i = 0; i < run->problems.count && printed < 4; i++) {
        if (run->problems.data[i].diag.severity != severity)
            continue;
        if (printed++ != 0)
            ag_strbuf_append(out, "; ");
        print_problem(&run->problems.data[i], out);
    }
    if (printed == 0)
        ag_strbuf_append(out, severity == AGPU_ERROR ? "no error" : "no warning");
}

void scene_check_error(struct scene_run *run, const struct scene_expectation *expectation,
                       struct scene_finding *finding)
{
    ag_text_print_names(&finding->want, &scene_error_names, expectation->word);
    print_place(expectation, &finding->want);
    if (expectation->has_diag)
        ag_strbuf_printf(&finding->want, " diag=%s", agpu_diag_slug(expectation->diag));
    if (expectation->word == AEROGPU_ERROR_NONE)
        finding->passed = !scene_has_problem(run, AGPU_ERROR);
    for (size_t i = 0; i < run->problems.count; i++) {
        const struct scene_problem *error = &run->problems.data[i];
        if (error->diag.severity != AGPU_ERROR || error->error_register != expectation->word ||
            !is_match(expectation, error))
            continue;
        print_problem(error, &finding->got);
        finding->passed = registers_agree(run, error, &finding->got);
        scene_mark_expected(run, error);
        return;
    }
    print_problems(run, AGPU_ERROR, &finding->got);
}

void scene_check_warning(struct scene_run *run, const struct scene_expectation *expectation,
                         struct scene_finding *finding)
{
    ag_strbuf_append(&finding->want, expectation->has_diag ? agpu_diag_slug(expectation->diag) : "NONE");
    print_place(expectation, &finding->want);
    if (!expectation->has_diag)
        finding->passed = !scene_has_problem(run, AGPU_WARNING);
    for (size_t i = 0; i < run->problems.count && expectation->has_diag; i++) {
        const struct scene_problem *warning = &run->problems.data[i];
        if (warning->diag.severity != AGPU_WARNING || !is_match(expectation, warning))
            continue;
        print_problem(warning, &finding->got);
        finding->passed = true;
        scene_mark_expected(run, warning);
        return;
    }
    print_problems(run, AGPU_WARNING, &finding->got);
}
