/* SPDX-License-Identifier: MIT */
#include "../../support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "gpu/library.h"

/* Runs before any library is loaded. */
static void test_no_such_file(void **state)
{
    (void)state;
    struct diag_log log;
    diag_log_init(&log);
    const struct agpu_gpu_options options = {.library = "/nowhere/libwebgpu.so"};
    struct agpu_gpu *gpu;
    assert_int_equal(agpu_gpu_create(&options, &log.sink, &gpu), AGPU_MISSING);
    assert_null(gpu);
    assert_int_equal(log.count, 1);
    assert_int_equal(log.code, AGPU_DIAG_GPU_NO_LIBRARY);
    assert_non_null(strstr(log.message, "/nowhere/libwebgpu.so"));
    assert_null(ag_webgpu_library_path());
}

static void test_environment_names_the_only_candidate(void **state)
{
    (void)state;
    struct diag_log log;
    diag_log_init(&log);
    setenv("AEROGPU_WEBGPU_LIB", "/nowhere/from-environment.so", 1);
    assert_int_equal(ag_webgpu_load(NULL, &log.sink), AGPU_MISSING);
    assert_int_equal(log.code, AGPU_DIAG_GPU_NO_LIBRARY);
    assert_non_null(strstr(log.message, "/nowhere/from-environment.so"));
    assert_null(strstr(log.message, "libwebgpu_wrapper.so"));
    unsetenv("AEROGPU_WEBGPU_LIB");
}

static void test_library_without_the_functions(void **state)
{
    (void)state;
    struct diag_log log;
    diag_log_init(&log);
    assert_int_equal(ag_webgpu_load("libm.so.6", &log.sink), AGPU_MISSING);
    assert_int_equal(log.count, 1);
    assert_int_equal(log.code, AGPU_DIAG_GPU_SYMBOL);
    assert_non_null(strstr(log.message, "libm.so.6"));
    assert_non_null(strstr(log.message, "wgpuCreateInstance"));
    assert_null(ag_webgpu_library_path());
}

/* Keeps the library for good, so it comes last. */
static void test_one_library_per_process(void **state)
{
    const char *const environment = *state;
    struct diag_log log;
    diag_log_init(&log);
    if (ag_webgpu_load(environment, &log.sink) != AGPU_OK) {
        assert_int_equal(log.code, AGPU_DIAG_GPU_NO_LIBRARY);
        skip();
    }
    const char *const path = ag_webgpu_library_path();
    assert_non_null(path);
    assert_int_equal(ag_webgpu_load(NULL, &log.sink), AGPU_OK);
    assert_int_equal(ag_webgpu_load(path, &log.sink), AGPU_OK);
    assert_int_equal(log.count, 0);
    assert_int_equal(ag_webgpu_load("libm.so.6", &log.sink), AGPU_MISSING);
    assert_int_equal(log.code, AGPU_DIAG_GPU_NO_LIBRARY);
    assert_non_null(strstr(log.message, path));
}

int main(void)
{
    static char environment[4096];
    const char *const given = getenv("AEROGPU_WEBGPU_LIB");
    snprintf(environment, sizeof environment, "%s", given != NULL ? given : "");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_such_file),
        cmocka_unit_test(test_environment_names_the_only_candidate),
        cmocka_unit_test(test_library_without_the_functions),
        cmocka_unit_test_prestate(test_one_library_per_process, given != NULL ? environment : NULL),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
