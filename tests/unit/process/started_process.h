/* SPDX-License-Identifier: MIT
 *
 * An executor in a GPU process that has started, and that no time limit ends however slow the machine is.
 */
#ifndef AG_TESTS_PROCESS_STARTED_PROCESS_H
#define AG_TESTS_PROCESS_STARTED_PROCESS_H

#include "../../support/test.h"

#include "aerogpu/process_executor.h"

/* The options of the executor, which else has no time limits either, and the region may be null. */
static inline struct agpu_executor *started_process(const char *program, enum agpu_driver driver,
                                                    const struct agpu_executor_options *executor_options,
                                                    const struct agpu_guest_region *region)
{
    const struct agpu_gpu_options gpu = {.size = sizeof gpu, .driver = driver};
    const struct agpu_executor_options patient = {
        .size = sizeof patient,
        .gpu_timeout_ms = AGPU_NO_GPU_TIMEOUT,
        .pipeline_timeout_ms = AGPU_NO_PIPELINE_TIMEOUT,
        .turn_ms = AGPU_NO_TURN,
    };
    const struct agpu_process_executor_options options = {
        .size = sizeof options,
        .program = program,
        .gpu = &gpu,
        .executor = executor_options ? executor_options : &patient,
        .regions = region,
        .region_count = region != NULL,
        .start_timeout_ms = AGPU_NO_TIMEOUT,
        .hang_timeout_ms = AGPU_NO_TIMEOUT,
        .submission_timeout_ms = AGPU_NO_TIMEOUT,
    };
    struct agpu_executor *executor = NULL;
    assert_int_equal(agpu_process_executor_create(&options, NULL, &executor), AGPU_OK);
    assert_int_equal(agpu_process_executor_wait(executor, AGPU_NO_TIMEOUT), AGPU_OK);
    return executor;
}

#endif
