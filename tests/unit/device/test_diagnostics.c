/* SPDX-License-Identifier: MIT
 *
 * The rate of diagnostics: a burst goes to the embedder, what comes above is counted, and the count is told.
 */
#include "machine.h"

enum { ERRORS = 500, BURST = 4 };

static void cause_errors(struct machine *machine)
{
    struct aerogpu_submit_desc desc = empty_desc(0);
    desc.desc_size_bytes = 63;
    for (uint32_t i = 0; i < ERRORS; i++) {
        enqueue(machine, &desc);
        ring_doorbell(machine);
    }
}

static void rate_is_limited(void **state)
{
    (void)state;
    const struct agpu_device_options options = {.size = sizeof options, .diagnostics_per_second = 1};
    struct machine machine = {0};
    machine_start(&machine, &options);
    cause_errors(&machine);
    assert_int_equal(reg(&machine, AEROGPU_MMIO_REG_ERROR_COUNT), ERRORS);
    assert_in_range(machine.diag_count, BURST, ERRORS / 2);
    while (machine.diag != AGPU_DIAG_DEVICE_DIAGNOSTICS)
        machine_poll(&machine, 0);
    assert_int_equal(machine.diag_severity, AGPU_WARNING);
    machine_stop(&machine);
}

static void rate_is_free(void **state)
{
    (void)state;
    const struct agpu_device_options options = {.size = sizeof options,
                                                .diagnostics_per_second = AGPU_NO_DIAGNOSTICS_LIMIT};
    struct machine machine = {0};
    machine_start(&machine, &options);
    cause_errors(&machine);
    assert_int_equal(machine.diag_count, ERRORS);
    machine_stop(&machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rate_is_limited),
        cmocka_unit_test(rate_is_free),
    };
    return cmocka_run_group_tests_name("device/diagnostics", tests, NULL, NULL);
}
