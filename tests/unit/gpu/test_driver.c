/* SPDX-License-Identifier: MIT */
#include "../../support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "aerogpu/gpu.h"

static void test_names(void **state)
{
    (void)state;
    static const char *const names[] = {"default", "lavapipe", "swiftshader", "native", "null"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        enum agpu_driver driver;
        assert_true(agpu_driver_from_name(names[i], &driver));
        assert_string_equal(agpu_driver_name(driver), names[i]);
    }
    enum agpu_driver driver = AGPU_DRIVER_NULL;
    assert_false(agpu_driver_from_name("vulkan", &driver));
    assert_int_equal(driver, AGPU_DRIVER_NULL);
}

static void test_manifest_of_the_environment(void **state)
{
    (void)state;
    char file[] = "aerogpu-icd-XXXXXX", path[64];
    const int descriptor = mkstemp(file);
    assert_true(descriptor >= 0);
    close(descriptor);

    setenv("AEROGPU_SWIFTSHADER_ICD", file, 1);
    assert_true(agpu_driver_icd_path(AGPU_DRIVER_SWIFTSHADER, path, sizeof path));
    assert_string_equal(path, file);
    assert_false(agpu_driver_icd_path(AGPU_DRIVER_SWIFTSHADER, path, strlen(file)));

    unlink(file);
    assert_false(agpu_driver_icd_path(AGPU_DRIVER_SWIFTSHADER, path, sizeof path));
    unsetenv("AEROGPU_SWIFTSHADER_ICD");
}

static void test_drivers_without_manifest(void **state)
{
    (void)state;
    char path[64];
    assert_false(agpu_driver_icd_path(AGPU_DRIVER_DEFAULT, path, sizeof path));
    assert_false(agpu_driver_icd_path(AGPU_DRIVER_NATIVE, path, sizeof path));
    assert_false(agpu_driver_icd_path(AGPU_DRIVER_NULL, path, sizeof path));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_manifest_of_the_environment),
        cmocka_unit_test(test_drivers_without_manifest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
