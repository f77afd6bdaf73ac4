/* SPDX-License-Identifier: MIT
 *
 * What refuses an object and what does not, and who hears of it. No GPU.
 */
#include "../../support/test.h"

#include <stdio.h>
#include <string.h>

#include "aerogpu/abi/pci.h"
#include "aerogpu/diag.h"
#include "base/diag.h"
#include "exec/host/host.h"
#include "exec/host/outcome.h"
#include "exec/host/recorded_reports.h"
#include "exec/host/report.h"

#define SUBMISSION 7

static struct ag_host host;
static struct ag_submission_errors errors;
static struct agpu_diag last;
static char last_message[256];
static unsigned heard;

static void hear(void *user, const struct agpu_diag *diag)
{
    (void)user;
    last = *diag;
    snprintf(last_message, sizeof last_message, "%s", diag->message);
    heard++;
}

static int set_up(void **state)
{
    (void)state;
    memset(&host, 0, sizeof host);
    memset(&errors, 0, sizeof errors);
    heard = 0;
    ag_reporter_init(&host);
    host.reports.embedder = (struct agpu_diag_sink){.report = hear};
    ag_reporter_enter(&host, SUBMISSION, &errors);
    return 0;
}

/* ---- A layer below ------------------------------------------------------------------------------------- */

static enum ag_outcome run_below(const enum agpu_diag_code *codes, size_t count, enum agpu_status status,
                                 struct ag_refusal *refusal)
{
    struct ag_refusal_catcher catcher;
    ag_refusal_catcher_init(&catcher, &host.reports.sink, refusal);
    for (size_t i = 0; i < count; i++)
        ag_report(&catcher.sink, codes[i], AGPU_ERROR, ag_place_none(), "error %u", (unsigned)i);
    ag_report(&catcher.sink, AGPU_DIAG_EXEC_UNSUPPORTED, AGPU_WARNING, ag_place_none(), "a warning");
    return ag_refusal_catcher_outcome(&catcher, status);
}

static void the_last_error_is_the_reason(void **state)
{
    static const enum agpu_diag_code codes[] = {AGPU_DIAG_GPU_LIMIT, AGPU_DIAG_TRANSLATE_LIMIT};
    struct ag_refusal refusal;
    (void)state;
    assert_int_equal(run_below(codes, 2, AGPU_REFUSED, &refusal), AG_SKIPPED);
    assert_int_equal(refusal.code, AGPU_DIAG_TRANSLATE_LIMIT);
    assert_string_equal(refusal.message, "error 1");
    assert_int_equal(heard, 3); /* all of it goes on to the embedder, with its place */
    assert_int_equal(last.severity, AGPU_WARNING);
    assert_int_equal(last.place.submission, SUBMISSION);
    assert_int_equal(errors.error, agpu_diag_error_register(AGPU_DIAG_GPU_LIMIT));
}

static void a_warning_refuses_nothing(void **state)
{
    struct ag_refusal refusal;
    (void)state;
    assert_int_equal(run_below(NULL, 0, AGPU_OK, &refusal), AG_DONE);
    assert_string_equal(refusal.message, "");
    assert_int_equal(errors.error, AEROGPU_ERROR_NONE);
}

static void a_shortage_refuses_nothing_for_good(void **state)
{
    static const enum agpu_diag_code host_memory[] = {AGPU_DIAG_OUT_OF_MEMORY};
    static const enum agpu_diag_code gpu_memory[] = {AGPU_DIAG_GPU_OUT_OF_MEMORY, AGPU_DIAG_GPU_LIMIT};
    struct ag_refusal refusal;
    (void)state;
    assert_int_equal(run_below(host_memory, 1, AGPU_NO_MEMORY, &refusal), AG_OUT_OF_MEMORY);
    assert_int_equal(run_below(gpu_memory, 2, AGPU_REFUSED, &refusal), AG_OUT_OF_MEMORY);
}

/* More than is recorded: the error that ends it is heard all the same. */
static void the_last_error_is_recorded(void **state)
{
    enum { WARNINGS = 50000 };
    struct ag_recorded_reports reports;
    (void)state;
    ag_recorded_reports_init(&reports);
    for (uint32_t i = 0; i < WARNINGS; i++)
        ag_report(&reports.sink, AGPU_DIAG_TRANSLATE_IGNORED, AGPU_WARNING, ag_place_none(), "warning %u", i);
    ag_report(&reports.sink, AGPU_DIAG_TRANSLATE_LIMIT, AGPU_ERROR, ag_place_none(), "the end");
    assert_true(ag_recorded_reports_send(&reports, &host.reports.sink));
    ag_recorded_reports_fini(&reports);
    assert_in_range(heard, 1000, WARNINGS - 1);
    assert_int_equal(last.code, AGPU_DIAG_TRANSLATE_LIMIT);
    assert_string_equal(last_message, "the end");
    assert_int_equal(errors.error, agpu_diag_error_register(AGPU_DIAG_TRANSLATE_LIMIT));
}

/* ---- Objects ------------------------------------------------------------------------------------------- */

/* A submission hears of its first refusal alone, and every object has a reason of its own. */
static void every_object_keeps_its_own_reason(void **state)
{
    struct ag_refusal first = {0}, second = {0};
    (void)state;
    assert_int_equal(ag_host_refuse(&host, &first, AGPU_DIAG_EXEC_UNSUPPORTED, "a reason"), AG_SKIPPED);
    assert_int_equal(ag_host_refuse(&host, &second, AGPU_DIAG_GPU_LIMIT, "reason %d", 2), AG_SKIPPED);
    assert_int_equal(ag_host_skip_refused(&host, AGPU_DIAG_GPU_LIMIT, "a draw"), AG_SKIPPED);
    assert_int_equal(ag_host_refuse(&host, NULL, AGPU_DIAG_GPU_LIMIT, "a draw"), AG_SKIPPED);
    assert_int_equal(heard, 1);
    assert_string_equal(last_message, "a reason");
    assert_int_equal(first.code, AGPU_DIAG_EXEC_UNSUPPORTED);
    assert_string_equal(first.message, "a reason");
    assert_int_equal(second.code, AGPU_DIAG_GPU_LIMIT);
    assert_string_equal(second.message, "reason 2");
    memset(&errors, 0, sizeof errors); /* another submission */
    ag_host_skip_refused(&host, second.code, "%s", second.message);
    assert_int_equal(heard, 2);
    assert_string_equal(last_message, "reason 2");
}

/* ---- Streams ------------------------------------------------------------------------------------------- */

static void left_out_calls_are_told_once(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 3; i++) {
        host.reports.dropped = false;
        assert_int_equal(ag_host_leave_out(&host, AGPU_DIAG_EXEC_ALLOCATION, "allocation %u", i),
                         AGPU_REFUSED);
        assert_true(host.reports.dropped);
        assert_int_equal(heard, 1);
    }
    assert_int_equal(last.severity, AGPU_ERROR);
    assert_string_equal(last_message, "allocation 0");
    assert_int_equal(errors.error, agpu_diag_error_register(AGPU_DIAG_EXEC_ALLOCATION));
}

static void what_is_undefined_is_a_warning(void **state)
{
    (void)state;
    assert_int_equal(ag_host_skip_undefined(&host, "a draw of %d", 3), AG_SKIPPED);
    assert_int_equal(last.severity, AGPU_WARNING);
    assert_int_equal(last.code, AGPU_DIAG_EXEC_UNDEFINED_DRAW);
    assert_int_equal(errors.error, AEROGPU_ERROR_NONE);
}

static void only_what_is_stopped_stops_the_stream(void **state)
{
    (void)state;
    assert_int_equal(ag_outcome_status(AG_DONE), AGPU_OK);
    assert_int_equal(ag_outcome_status(AG_SKIPPED), AGPU_OK);
    assert_int_equal(ag_outcome_status(AG_OUT_OF_MEMORY), AGPU_OK);
    assert_int_not_equal(ag_outcome_status(AG_STOPPED), AGPU_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(the_last_error_is_the_reason, set_up),
        cmocka_unit_test_setup(a_warning_refuses_nothing, set_up),
        cmocka_unit_test_setup(a_shortage_refuses_nothing_for_good, set_up),
        cmocka_unit_test_setup(the_last_error_is_recorded, set_up),
        cmocka_unit_test_setup(every_object_keeps_its_own_reason, set_up),
        cmocka_unit_test_setup(left_out_calls_are_told_once, set_up),
        cmocka_unit_test_setup(what_is_undefined_is_a_warning, set_up),
        cmocka_unit_test_setup(only_what_is_stopped_stops_the_stream, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
