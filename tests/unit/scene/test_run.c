/* SPDX-License-Identifier: MIT
 *
 * Running scenes without a GPU: fences, interrupts, guest memory, errors, presents, todo and skips.
 */
#include "support/test.h"

#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "scene/scene.h"
#include "support/fake_executor.h"

static const uint8_t pixels[16] = {255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 10, 20, 30, 40};
static const uint8_t content[16] = {0, 0, 128, 63, 0, 0, 0, 192, 7, 0, 0, 0, 9, 8, 7, 6};

struct outcome {
    enum ag_scene_result result;
    enum agpu_status status;
    size_t checks, failed, skipped, presents;
    char got[256], skip_reason[256];
    uint32_t first_failed_line;
    uint64_t submissions;
};

static void collect(const struct ag_scene_report *report, struct outcome *outcome)
{
    outcome->result = report->result;
    outcome->checks = report->checks.count;
    outcome->presents = report->presents.count;
    outcome->submissions = report->counters.submissions;
    if (report->skip_reason != NULL)
        snprintf(outcome->skip_reason, sizeof outcome->skip_reason, "%s", report->skip_reason);
    for (size_t i = 0; i < report->checks.count; i++) {
        const struct ag_scene_check *check = &report->checks.data[i];
        outcome->skipped += check->result == AG_SCENE_SKIPPED;
        if (check->result == AG_SCENE_FAILED && outcome->failed++ == 0) {
            outcome->first_failed_line = check->line;
            snprintf(outcome->got, sizeof outcome->got, "%s", check->got);
        }
    }
}

static struct outcome run_with(const char *text, const struct fake_executor_options *fake,
                               uint32_t timeout_ms)
{
    char full[4096];
    struct outcome outcome = {0};
    struct ag_scene *scene;
    struct ag_scene_report report;
    snprintf(full, sizeof full, "aerogpu-scene 1\n%s", text);
    assert_int_equal(ag_scene_load("test.scene", full, strlen(full), 0, NULL, &scene), AGPU_OK);
    struct agpu_executor *executor = fake_executor_create(fake);
    assert_non_null(executor);
    const struct ag_scene_options options = {.executor = executor, .timeout_ms = timeout_ms};
    outcome.status = ag_scene_run(scene, &options, NULL, &report);
    collect(&report, &outcome);
    ag_scene_destroy(scene);
    agpu_executor_destroy(executor);
    ag_scene_report_fini(&report);
    return outcome;
}

static struct outcome run(const char *text)
{
    static const struct fake_executor_options fake = {3, 2, 2, pixels, content, sizeof content};
    return run_with(text, &fake, 2000);
}

static void check_passes(const char *text)
{
    const struct outcome outcome = run(text);
    if (outcome.result != AG_SCENE_PASSED)
        print_error("line %u: %s\n%s\n", outcome.first_failed_line, outcome.got, text);
    assert_int_equal(outcome.result, AG_SCENE_PASSED);
    assert_int_equal(outcome.status, AGPU_OK);
}

static void check_fails(const char *text, const char *got)
{
    const struct outcome outcome = run(text);
    assert_int_equal(outcome.result, AG_SCENE_FAILED);
    assert_int_equal(outcome.status, AGPU_REFUSED);
    if (strstr(outcome.got, got) == NULL)
        print_error("%s: %s\n", text, outcome.got);
    assert_non_null(strstr(outcome.got, got));
}

static void fences_and_interrupts(void **state)
{
    (void)state;
    check_passes("expect fence 0\nexpect irq NONE\nsubmit fence=5\nexpect fence 5 ; expect irq FENCE\n"
                 "submit {\n NOP\n}\nexpect fence 6\nsubmit fence=0x100000007 {\n}\nexpect fence 4294967303\n"
                 "expect reg COMPLETED_FENCE_HI 1\n");
    check_passes("submit fence=1 flags=NO_IRQ {\n}\nexpect fence 1 ; expect irq NONE\n");
    check_fails("submit fence=1\nexpect fence 2\n", "1");
    check_fails("submit fence=1\nexpect irq ERROR\n", "FENCE");
}

static void more_submissions_than_slots(void **state)
{
    (void)state;
    char text[4096] = "";
    for (int i = 0; i < 150; i++)
        strcat(text, "submit nowait\n");
    strcat(text, "submit\nexpect fence 151\n");
    check_passes(text);
}

static void guest_memory(void **state)
{
    (void)state;
    check_passes("mem @m at=0x100000 size=64 : u32 1 2\nexpect mem @m u32 1 2 0\nexpect mem @m+4 u8 2 0 0 0\n"
                 "expect mem @m+1 u16 0\n");
    check_passes("mem @a at=0xFFC : u32 1\nmem @b at=0x1000 : u32 2\nexpect mem @a u32 1 2\n");
    check_fails("mem @m at=0x1000 : f32 1.5\nexpect mem @m f32 1.25\n", "f32 1.5");
    check_fails("mem @m at=0x1000 : u32 1\nexpect mem @m u32 1 2\n", "past the end");
    check_passes(
        "mem @m at=0x1000 : f32 1 f32:7FC12345\nexpect mem @m f32 f32:3F800002 f32:7FC00000 ulps=2\n");
    check_fails("mem @m at=0x1000 : f32 1\nexpect mem @m f32 f32:3F800003 ulps=2\n", "f32 1");
    check_passes("mem @m at=0x1000 : f32 -0.0\nexpect mem @m f32 f32:00000001 ulps=1\n");
}

static void presents_and_pixels(void **state)
{
    (void)state;
    check_passes(
        "submit flags=PRESENT {\n PRESENT\n}\nexpect pixel 0 0 255 0 0 255\nexpect pixel 1 1 10 20 30 40\n"
        "expect pixel 1 0 2 254 0 255 tol=2\nexpect rect 0 0 1 1 255 0 0 255\n"
        "expect count 0 0 255 255 == 1\nexpect count 0 0 255 255 < 2\nexpect counter presents == 1\n");
    check_fails("submit {\n PRESENT\n}\nexpect pixel 1 0 3 255 0 255 tol=2\n", "0 255 0 255");
    check_fails("submit {\n PRESENT\n}\nexpect pixel 2 0 0 0 0 0\n", "outside");
    check_fails("submit {\n PRESENT\n}\nexpect rect 0 0 2 2 255 0 0 255\n", "0 255 0 255 at 1 0, 3 of 4");
    check_fails("submit {\n PRESENT\n}\nexpect rect 1 0 2 1 255 0 0 255\n", "outside");
    check_fails("submit\nexpect pixel 0 0 0 0 0 0\n", "nothing was presented");
    assert_int_equal(run("submit {\n PRESENT ; PRESENT\n}\n").presents, 2);
}

/* The picture is the scanout's where that is on: here guest memory that the test filled, as the executor of
 * this test composes nothing the device would not copy. */
static void scanout_pictures(void **state)
{
    (void)state;
    check_passes("mem @fb at=0x200000 size=0x1000\n"
                 "scanout width=2 height=2 format=B8G8R8X8_UNORM pitch=256 fb=@fb\n"
                 "submit flags=PRESENT {\n PRESENT\n}\n"
                 "expect pixel 1 1 10 20 30 255\nexpect mem @fb u8 0 0 255 255 0 255 0 255\n"
                 "expect mem @fb+0x100 u8 255 0 0 255 30 20 10 255\n");
}

static void vblanks(void **state)
{
    (void)state;
    check_passes("mem @fb at=0x200000 size=0x1000\n"
                 "scanout width=2 height=2 format=B8G8R8X8_UNORM pitch=256 fb=@fb\n"
                 "expect reg SCANOUT0_VBLANK_SEQ_LO 0\n"
                 "submit {\n PRESENT flags=VSYNC\n}\nexpect fence 1 ; expect reg SCANOUT0_VBLANK_SEQ_LO 1\n"
                 "submit nowait {\n PRESENT flags=VSYNC\n}\nexpect fence 1\ntick\nexpect fence 2\n"
                 "expect irq FENCE SCANOUT_VBLANK\ntick 3\nexpect reg SCANOUT0_VBLANK_SEQ_LO 5\n"
                 "scanout enable=0\ntick 2\nexpect reg SCANOUT0_VBLANK_SEQ_LO 5\n");
}

static void errors(void **state)
{
    (void)state;
    char text[512];
    snprintf(
        text, sizeof text,
        "submit fence=3 {\n NOP\n packet 0x7F0 : u32 %d\n}\n"
        "expect error BACKEND fence=3 packet=1 diag=exec.handle\nexpect irq FENCE ERROR\nexpect fence 3\n"
        "expect reg ERROR_COUNT 1\nsubmit\nexpect error NONE\n",
        AGPU_DIAG_EXEC_HANDLE);
    check_passes(text);
    snprintf(text, sizeof text, "submit {\n packet 0x7F0 : u32 %d\n}\nsubmit\n", AGPU_DIAG_EXEC_HANDLE);
    check_fails(text, "diag=exec.handle");
    snprintf(text, sizeof text, "submit {\n packet 0x7F0 : u32 %d\n}\n", AGPU_DIAG_EXEC_HANDLE);
    check_fails(text, "BACKEND fence=1 packet=0");
    snprintf(text, sizeof text, "submit {\n packet 0x7F0 : u32 %d\n}\nexpect error OOB\n",
             AGPU_DIAG_EXEC_HANDLE);
    check_fails(text, "BACKEND");
    check_fails("submit\nexpect error BACKEND\n", "no error");
    /* The device's own checks: a stream that is longer than its buffer. */
    check_passes("submit {\n stream size_bytes=100\n}\nexpect error OOB fence=1 diag=abi.stream-size\n");
    check_passes("submit abi=2.0 {\n NOP\n}\nexpect error CMD_DECODE fence=1\n");
    /* An allocation table with an id twice. */
    check_passes("mem @m at=0x1000 size=64\nalloc 1 @m\nalloc 1 @m readonly\nsubmit\n"
                 "expect error CMD_DECODE diag=device.alloc-table\nsubmit alloc=none\nunalloc 1\nsubmit\n");
}

static void todo_turns_results_around(void **state)
{
    (void)state;
    const struct outcome skipped = run("submit\ntodo \"later\" expect fence 2\n");
    assert_int_equal(skipped.result, AG_SCENE_PASSED);
    assert_int_equal(skipped.skipped, 1);
    const struct outcome failed = run("submit\ntodo \"later\" expect fence 1\n");
    assert_int_equal(failed.result, AG_SCENE_FAILED);
}

static void requirements(void **state)
{
    (void)state;
    const struct outcome feature = run("requires depth-clip-control\nsubmit\nexpect fence 9\n");
    assert_int_equal(feature.result, AG_SCENE_SKIPPED);
    assert_int_equal(feature.status, AGPU_OK);
    assert_non_null(strstr(feature.skip_reason, "depth-clip-control"));
    assert_int_equal(feature.checks, 0);
    const struct outcome limit = run("requires limit.maxTextureDimension2D>=4096\n");
    assert_non_null(strstr(limit.skip_reason, "maxTextureDimension2D"));
    assert_int_equal(run("requires driver!=none\n").result, AG_SCENE_SKIPPED);
    check_passes("requires driver!=lavapipe\nsubmit\nexpect fence 1\n");
    assert_non_null(strstr(run("requires ext\n").skip_reason, "extension"));
}

static void buffers_are_read_back(void **state)
{
    (void)state;
    static const char setup[] = "submit fence=1 {\n CREATE_BUFFER buffer_handle=$b size_bytes=16\n}\n";
    char text[512];
    snprintf(text, sizeof text,
             "%sexpect buffer $b 0 f32 1 -2\nexpect buffer $b 8 u32 7\nexpect buffer $b 13 u8 8 7\n"
             "expect buffer $b 12 u8 6 7 8 9 unordered\nexpect fence 1\nexpect irq FENCE\n"
             "expect counter submissions == 1\nexpect counter copies == 0\nexpect counter packets == 1\n",
             setup);
    check_passes(text);
    snprintf(text, sizeof text, "%sexpect buffer $b 8 u32 8\n", setup);
    check_fails(text, "u32 7");
    snprintf(text, sizeof text, "%sexpect buffer $b 12 u32 0 0\n", setup);
    check_fails(text, "past the end");
    snprintf(text, sizeof text, "%sexpect buffer $c 0 u32 0\n", setup);
    check_fails(text, "no buffer");
}

static void zeros_may_be_equal(void **state)
{
    (void)state;
    check_passes("mem @m at=0x1000 : f32 -0.0 0 -1\nexpect mem @m f32 0 -0.0 -1 equal\n"
                 "expect mem @m f32 -0.0 0 -1\n");
    check_fails("mem @m at=0x1000 : f32 -0.0\nexpect mem @m f32 0\n", "f32 -0");
    check_fails("mem @m at=0x1000 : f32 -1\nexpect mem @m f32 1 equal\n", "f32 -1");
    check_passes("mem @m at=0x1000 : f16 -0.0 2\nexpect mem @m f16 0 2 equal ulps=1\n");
}

static void texels_are_read_back(void **state)
{
    (void)state;
    static const char setup[] =
        "submit {\n CREATE_TEXTURE2D texture_handle=$t format=R8G8B8A8_UNORM width=4 height=2 "
        "mip_levels=1 array_layers=1\n"
        " CREATE_TEXTURE_VIEW view_handle=$v texture_handle=$t format=R8G8B8A8_UNORM "
        "mip_level_count=1 array_layer_count=1\n}\n";
    char text[768];
    snprintf(text, sizeof text, "%sexpect texel $t 3 1 u8 9 8 7 6\nexpect texel $v[0,0] 0 0 f32 1\n", setup);
    check_passes(text);
    snprintf(text, sizeof text, "%sexpect texel $t 4 0 u8 0\n", setup);
    check_fails(text, "outside the 4x2");
    snprintf(text, sizeof text, "%sexpect texel $t 0 0 u8 0 0 0 0 0\n", setup);
    check_fails(text, "a texel has 4 bytes");
    snprintf(text, sizeof text,
             "%sexpect texels $t 3 1 1 1 u8 9 8 7 6\nexpect texels $t 0 0 4 1 f32 1 -2 f32:7 f32:06070809\n"
             "expect texels $t 1 1 2 1 u32 0xC0000000 7\n",
             setup);
    check_passes(text);
    snprintf(text, sizeof text, "%sexpect texels $t 0 0 4 1 f32 1 -2 f32:7 1\n", setup);
    check_fails(text, "in column 3 of row 0, 1 of 4 differ");
    snprintf(text, sizeof text, "%sexpect texels $t 0 0 4 1 f32 1\n", setup);
    check_fails(text, "in column 1 of row 0, 3 of 4 differ");
    snprintf(text, sizeof text, "%sexpect texels $t 0 0 4 1 u16 0 1 2\n", setup);
    check_fails(text, "4 texels of 4 bytes");
    snprintf(text, sizeof text, "%sexpect texels $t 1 1 4 1 u8 0\n", setup);
    check_fails(text, "outside the 4x2");
}

static void registers_and_reset(void **state)
{
    (void)state;
    check_passes("expect reg MAGIC 0x55504741\nexpect reg RING_CONTROL 1\nsubmit fence=4\nexpect fence 4\n"
                 "reg RING_CONTROL 3\nexpect fence 0\nsubmit fence=1\nexpect fence 1\n");
}

static void registers_hold_formats(void **state)
{
    (void)state;
    check_passes("reg SCANOUT0_FORMAT B5G6R5_UNORM\nexpect reg SCANOUT0_FORMAT 5\n"
                 "reg CURSOR_FORMAT 3\nexpect reg CURSOR_FORMAT R8G8B8A8_UNORM\n");
}

static void time_limit(void **state)
{
    (void)state;
    static const struct fake_executor_options fake = {0};
    const struct outcome outcome = run_with("submit {\n packet 0x7F1\n}\nexpect fence 1\n", &fake, 30);
    assert_int_equal(outcome.result, AG_SCENE_FAILED);
    assert_int_equal(outcome.status, AGPU_INTERNAL);
}

static void raw_streams(void **state)
{
    (void)state;
    static const struct fake_executor_options fake = {1, 2, 2, pixels, content, sizeof content};
    uint8_t stream[40] = "ACMD";
    struct ag_scene *scene;
    struct ag_scene_report report;
    ag_store_u32(stream + 4, 0x00010004);
    ag_store_u32(stream + 8, 40);
    ag_store_u32(stream + 24, 0x700);
    ag_store_u32(stream + 28, 16);
    assert_int_equal(ag_scene_load("x.acmd", stream, sizeof stream, 0, NULL, &scene), AGPU_OK);
    struct agpu_executor *executor = fake_executor_create(&fake);
    const struct ag_scene_options options = {.executor = executor};
    assert_int_equal(ag_scene_run(scene, &options, NULL, &report), AGPU_OK);
    assert_int_equal(report.presents.count, 1);
    assert_int_equal(report.presents.data[0].width, 2);
    assert_memory_equal(report.presents.data[0].pixels, pixels, sizeof pixels);
    ag_scene_report_fini(&report);
    ag_scene_destroy(scene);
    agpu_executor_destroy(executor);
    assert_int_equal(ag_scene_load("x.agcap", "AGCAP...", 8, 0, NULL, &scene), AGPU_REFUSED);
    assert_null(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fences_and_interrupts),
        cmocka_unit_test(more_submissions_than_slots),
        cmocka_unit_test(guest_memory),
        cmocka_unit_test(presents_and_pixels),
        cmocka_unit_test(scanout_pictures),
        cmocka_unit_test(vblanks),
        cmocka_unit_test(errors),
        cmocka_unit_test(todo_turns_results_around),
        cmocka_unit_test(requirements),
        cmocka_unit_test(buffers_are_read_back),
        cmocka_unit_test(zeros_may_be_equal),
        cmocka_unit_test(texels_are_read_back),
        cmocka_unit_test(registers_and_reset),
        cmocka_unit_test(registers_hold_formats),
        cmocka_unit_test(time_limit),
        cmocka_unit_test(raw_streams),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
