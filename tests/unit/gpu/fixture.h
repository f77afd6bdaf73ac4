/* SPDX-License-Identifier: MIT
 *
 * A gpu for a test program, and a sink that remembers the last diagnostic.
 */
#ifndef AG_TESTS_GPU_FIXTURE_H
#define AG_TESTS_GPU_FIXTURE_H

#include "aerogpu/gpu.h"

#define SKIPPED 77
#define SECOND_NS UINT64_C(1000000000)

struct diag_log {
    struct agpu_diag_sink sink;
    int count;
    enum agpu_diag_code code; /* of the last one, as are the fields below */
    struct agpu_place place;
    char message[1024];
};

void diag_log_init(struct diag_log *log);

/* Makes the gpu for a driver, with VK_DRIVER_FILES set to it. Returns 0, SKIPPED after saying what is not
 * installed, or 1 when what is installed does not work. */
int fixture_open(enum agpu_driver driver, struct diag_log *log, struct agpu_gpu **gpu);

#endif
