/* SPDX-License-Identifier: MIT
 *
 * Scenes when an allocation fails, each in turn: loading says so, a run does not pass, nothing is leaked.
 */
#include "support/test.h"

#include <string.h>

#include "scene/scene.h"
#include "support/failing_memory.h"

static const char text[] = "aerogpu-scene 1\n"
                           "title \"memory\"\n"
                           "requires driver!=lavapipe\n"
                           "mem @ram at=0x1000 size=64 : u32 1 2 3\n"
                           "blob @bytes : hex 01020304\n"
                           "alloc 7 @ram\n"
                           "scanout width=1 height=1 format=B8G8R8A8_UNORM pitch=4 fb=@ram\n"
                           "reg CURSOR_X 5\n"
                           "submit fence=3 {\n"
                           "    CREATE_BUFFER buffer_handle=$b size_bytes=16\n"
                           "    UPLOAD_RESOURCE resource_handle=$b : @bytes\n"
                           "}\n"
                           "unalloc 7\n"
                           "expect fence 3\n"
                           "expect mem @ram+4 u32 2 3\n"
                           "expect reg CURSOR_X 5\n"
                           "todo \"not yet\" expect fence 4\n";

static unsigned reports;

static void report(void *user, const struct agpu_diag *diag)
{
    (void)user;
    reports += diag->code == AGPU_DIAG_OUT_OF_MEMORY;
}

static const struct agpu_diag_sink sink = {.report = report};

static bool loads(void)
{
    struct ag_scene *scene;
    reports = 0;
    const enum agpu_status status = ag_scene_load("folder/x.scene", text, sizeof text - 1, 0, &sink, &scene);
    const bool failed = failing_memory_disarm();
    assert_int_equal(status, failed ? AGPU_NO_MEMORY : AGPU_OK);
    assert_true(failed == (reports != 0));
    assert_true(failed == (scene == NULL));
    ag_scene_destroy(scene);
    return failed;
}

static struct ag_scene *loaded;
static enum ag_scene_result expected; /* without a failure */

static bool runs(void)
{
    struct ag_scene_report outcome;
    struct agpu_executor *executor = agpu_null_executor_create();
    if (executor == NULL)
        return failing_memory_disarm();
    const struct ag_scene_options options = {.executor = executor};
    const enum agpu_status status = ag_scene_run(loaded, &options, NULL, &outcome);
    const bool failed = failing_memory_disarm();
    assert_int_equal(outcome.result, failed ? AG_SCENE_FAILED : expected);
    assert_true(failed == (status != AGPU_OK));
    ag_scene_report_fini(&outcome);
    agpu_executor_destroy(executor);
    return failed;
}

static void scenes_may_fail_to_load(void **state)
{
    (void)state;
    assert_true(failing_memory_each(loads) > 10);
}

static void try_runs(const char *scene, size_t length, enum ag_scene_result result)
{
    assert_int_equal(ag_scene_load("x.scene", scene, length, 0, NULL, &loaded), AGPU_OK);
    expected = result;
    assert_true(failing_memory_each(runs) > 10);
    ag_scene_destroy(loaded);
}

static void runs_may_fail(void **state)
{
    static const char other[] = "aerogpu-scene 1\nrequires depth-clip-control\n";
    (void)state;
    try_runs(text, sizeof text - 1, AG_SCENE_PASSED);
    try_runs(other, sizeof other - 1, AG_SCENE_SKIPPED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenes_may_fail_to_load),
        cmocka_unit_test(runs_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
