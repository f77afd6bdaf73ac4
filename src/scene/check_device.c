/* SPDX-License-Identifier: MIT
 *
 * Checks of fences, interrupts, registers, errors and counters.
 */
#include <string.h>

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
    struct agpu_executor *executor = run->options->executor;
    struct agpu_counters counters = {0};
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

/* ---- Errors -------------------------------------------------------------------------------------------- */

static void print_error_want(const struct scene_expectation *expectation, struct ag_strbuf *out)
{
    ag_text_print_names(out, &scene_error_names, expectation->word);
    if (expectation->has_fence)
        ag_strbuf_printf(out, " fence=%llu", (unsigned long long)expectation->fence);
    if (expectation->has_packet)
        ag_strbuf_printf(out, " packet=%u", expectation->packet);
    if (expectation->has_diag)
        ag_strbuf_printf(out, " diag=%s", agpu_diag_slug(expectation->diag));
}

static bool is_match(const struct scene_expectation *expectation, const struct scene_error *error)
{
    return error->error_register == expectation->word &&
           (!expectation->has_fence || error->fence == expectation->fence) &&
           (!expectation->has_packet || error->packet == expectation->packet) &&
           (!expectation->has_diag || error->code == expectation->diag);
}

/* The registers keep the last error: where that is this one's submission, they must agree. */
static bool registers_agree(struct scene_run *run, const struct scene_error *error, struct ag_strbuf *got)
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

/* One expectation answers for all errors of its submission with the same code: a single mistake of a guest
 * may be reported by several parts. */
static void mark_expected(struct scene_run *run, const struct scene_error *found)
{
    const uint32_t submission = found->submission, code = found->error_register;
    for (size_t i = 0; i < run->errors.count; i++) {
        struct scene_error *error = &run->errors.data[i];
        if (error->expected || error->submission != submission || error->error_register != code)
            continue;
        error->expected = true;
        scene_pass_on(run, error, AGPU_NOTE);
    }
}

static void print_error(const struct scene_error *error, struct ag_strbuf *out)
{
    ag_text_print_names(out, &scene_error_names, error->error_register);
    ag_strbuf_printf(out, " fence=%llu", (unsigned long long)error->fence);
    if (error->packet != AGPU_DIAG_NO_INDEX)
        ag_strbuf_printf(out, " packet=%u", error->packet);
    if (error->code != AGPU_DIAG_NONE)
        ag_strbuf_printf(out, " diag=%s", agpu_diag_slug(error->code));
}

void scene_check_error(struct scene_run *run, const struct scene_expectation *expectation,
                       struct scene_finding *finding)
{
    print_error_want(expectation, &finding->want);
    if (run->errors.count == 0)
        ag_strbuf_append(&finding->got, "no error");
    if (expectation->word == AEROGPU_ERROR_NONE)
        finding->passed = run->errors.count == 0;
    for (size_t i = 0; i < run->errors.count; i++) {
        const struct scene_error *error = &run->errors.data[i];
        if (!is_match(expectation, error))
            continue;
        ag_strbuf_clear(&finding->got);
        print_error(error, &finding->got);
        finding->passed = registers_agree(run, error, &finding->got);
        mark_expected(run, error);
        return;
    }
    for (size_t i = 0; i < run->errors.count && i < 4; i++) {
        if (i != 0)
            ag_strbuf_append(&finding->got, "; ");
        print_error(&run->errors.data[i], &finding->got);
    }
}
