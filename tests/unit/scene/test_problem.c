/* SPDX-License-Identifier: MIT
 *
 * Errors and warnings of a run: the line, packet and fence that they name, and what happens when no `expect`
 * names them.
 */
#include "support/test.h"

#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "scene/scene.h"
#include "support/fake_executor.h"

static const uint8_t bytes[16];

struct outcome {
    enum ag_scene_result result;
    struct ag_scene_check failed; /* the first check that failed; its texts are gone */
    char got[256];
    struct ag_strbuf messages; /* LINE:COLUMN SEVERITY CODE: TEXT, one a line */
};

static void write_message(void *user, const struct agpu_diag *diag)
{
    static const char *const severities[] = {"note", "warning", "error"};
    ag_strbuf_printf(user, "%u:%u %s %s: %s\n", diag->place.line, diag->place.column,
                     severities[diag->severity], agpu_diag_slug(diag->code), diag->message);
}

/* Runs a scene whose first line is line 2. */
static struct outcome run(const char *text, bool strict)
{
    static const struct fake_executor_options fake = {1, 1, 1, bytes, bytes, sizeof bytes};
    char full[2048];
    struct outcome outcome = {0};
    struct ag_scene *scene;
    struct ag_scene_report report;
    const struct agpu_diag_sink sink = {write_message, &outcome.messages};
    snprintf(full, sizeof full, "aerogpu-scene 1\n%s", text);
    assert_int_equal(ag_scene_load("test.scene", full, strlen(full), 0, &sink, &scene), AGPU_OK);
    struct agpu_executor *executor = fake_executor_create(&fake);
    assert_non_null(executor);
    const struct ag_scene_options options = {.executor = executor, .strict = strict};
    ag_scene_run(scene, &options, &sink, &report);
    outcome.result = report.result;
    for (size_t i = report.checks.count; i-- > 0;) {
        if (report.checks.data[i].result != AG_SCENE_FAILED)
            continue;
        outcome.failed = report.checks.data[i];
        snprintf(outcome.got, sizeof outcome.got, "%s", outcome.failed.got);
    }
    ag_scene_report_fini(&report);
    ag_scene_destroy(scene);
    agpu_executor_destroy(executor);
    return outcome;
}

static void check_messages(const char *text, bool strict, enum ag_scene_result result, const char *messages)
{
    struct outcome outcome = run(text, strict);
    assert_int_equal(outcome.result, result);
    assert_string_equal(ag_strbuf_text(&outcome.messages), messages);
    ag_strbuf_fini(&outcome.messages);
}

static const char *with_code(const char *format, enum agpu_diag_code code)
{
    static char text[1024];
    snprintf(text, sizeof text, format, (unsigned)code);
    return text;
}

static void an_error_has_the_line_of_its_packet(void **state)
{
    (void)state;
    struct outcome outcome = run(with_code("submit {\n"
                                           " NOP\n"
                                           "}\n"
                                           "submit {\n"
                                           " NOP ; NOP\n"
                                           "  packet 0x7F0 : u32 %u\n"
                                           "}\n"
                                           "submit\n",
                                           AGPU_DIAG_EXEC_HANDLE),
                                 false);
    assert_int_equal(outcome.result, AG_SCENE_FAILED);
    assert_int_equal(outcome.failed.line, 7);
    assert_non_null(strstr(outcome.got, "BACKEND fence=2 packet=2 diag=exec.handle"));
    assert_string_equal(ag_strbuf_text(&outcome.messages),
                        "7:3 error exec.handle: the test asked for it (fence 2, packet 2)\n"
                        "7:3 error scene.unexpected-error: an error that no expect names: BACKEND fence=2 "
                        "packet=2 diag=exec.handle: the test asked for it (fence 2, packet 2)\n");
    ag_strbuf_fini(&outcome.messages);
}

static void messages_name_the_packet(void **state)
{
    (void)state;
    check_messages(
        "submit {\n"
        " NOP ; DEBUG_MARKER text=\"exec.undefined-draw\" ; NOP\n"
        "}\n",
        false, AG_SCENE_PASSED,
        "3:8 warning exec.undefined-draw: the test asked for it (fence 1, packet 1 DEBUG_MARKER)\n");
}

static void submissions_of_the_runner_do_not_shift_the_lines(void **state)
{
    (void)state;
    check_messages(
        "submit {\n"
        " CREATE_BUFFER buffer_handle=$b size_bytes=16\n"
        "}\n"
        "expect buffer $b 0 u32 0\n"
        "submit {\n"
        " DEBUG_MARKER text=\"exec.undefined-draw\"\n"
        "}\n",
        false, AG_SCENE_PASSED,
        "7:2 warning exec.undefined-draw: the test asked for it (fence 2, packet 0 DEBUG_MARKER)\n");
}

static void a_problem_without_a_packet_has_the_line_of_the_submission(void **state)
{
    (void)state;
    check_messages("submit {\n"
                   " stream size_bytes=100\n"
                   "}\n"
                   "expect error OOB\n",
                   false, AG_SCENE_PASSED,
                   "2:1 note abi.stream-size: stream of 100 bytes in a command buffer of 24 "
                   "(fence 1)\n");
}

static void a_strict_run_fails_for_a_warning(void **state)
{
    (void)state;
    const char *text = "submit {\n"
                       " DEBUG_MARKER text=\"exec.undefined-draw\"\n"
                       "}\n";
    struct outcome outcome = run(text, true);
    assert_int_equal(outcome.result, AG_SCENE_FAILED);
    assert_int_equal(outcome.failed.line, 3);
    assert_non_null(strstr(outcome.got, "fence=1 packet=0 diag=exec.undefined-draw: "));
    assert_non_null(strstr(ag_strbuf_text(&outcome.messages), "3:2 error scene.unexpected-warning: "));
    ag_strbuf_fini(&outcome.messages);
    outcome = run(text, false);
    assert_int_equal(outcome.result, AG_SCENE_PASSED);
    ag_strbuf_fini(&outcome.messages);
}

static void an_expected_warning_is_a_note(void **state)
{
    (void)state;
    const char *text = "submit {\n"
                       " DEBUG_MARKER text=\"exec.undefined-draw\"\n"
                       " DEBUG_MARKER text=\"exec.undefined-draw\"\n"
                       "}\n"
                       "expect warning exec.undefined-draw fence=1 packet=1\n"
                       "expect error NONE\n";
    check_messages(text, true, AG_SCENE_PASSED,
                   "3:2 note exec.undefined-draw: the test asked for it (fence 1, packet 0 DEBUG_MARKER)\n"
                   "4:2 note exec.undefined-draw: the test asked for it (fence 1, packet 1 DEBUG_MARKER)\n");
}

static void a_warning_of_another_code_is_not_expected(void **state)
{
    (void)state;
    struct outcome outcome = run("submit {\n"
                                 " DEBUG_MARKER text=\"exec.undefined-draw\"\n"
                                 "}\n"
                                 "expect warning exec.unsupported\n",
                                 false);
    assert_int_equal(outcome.result, AG_SCENE_FAILED);
    assert_string_equal(outcome.got, "exec.undefined-draw fence=1 packet=0");
    ag_strbuf_fini(&outcome.messages);
    outcome = run("submit\nexpect warning exec.unsupported\n", false);
    assert_string_equal(outcome.got, "no warning");
    ag_strbuf_fini(&outcome.messages);
}

static void no_warning_can_be_expected(void **state)
{
    (void)state;
    check_messages("submit\nexpect warning NONE\n", true, AG_SCENE_PASSED, "");
    struct outcome outcome = run("submit {\n"
                                 " DEBUG_MARKER text=\"exec.undefined-draw\"\n"
                                 "}\n"
                                 "expect warning NONE\n",
                                 false);
    assert_int_equal(outcome.result, AG_SCENE_FAILED);
    ag_strbuf_fini(&outcome.messages);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_error_has_the_line_of_its_packet),
        cmocka_unit_test(messages_name_the_packet),
        cmocka_unit_test(submissions_of_the_runner_do_not_shift_the_lines),
        cmocka_unit_test(a_problem_without_a_packet_has_the_line_of_the_submission),
        cmocka_unit_test(a_strict_run_fails_for_a_warning),
        cmocka_unit_test(an_expected_warning_is_a_note),
        cmocka_unit_test(a_warning_of_another_code_is_not_expected),
        cmocka_unit_test(no_warning_can_be_expected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
