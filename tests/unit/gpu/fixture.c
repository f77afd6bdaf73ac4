/* SPDX-License-Identifier: MIT */
#include "fixture.h"

#include <stdio.h>
#include <stdlib.h>

static void remember(void *user, const struct agpu_diag *diag)
{
    struct diag_log *const log = user;
    log->count++;
    log->code = diag->code;
    log->place = diag->place;
    snprintf(log->message, sizeof log->message, "%s", diag->message);
}

void diag_log_init(struct diag_log *log)
{
    *log = (struct diag_log){.code = AGPU_DIAG_NONE};
    log->sink = (struct agpu_diag_sink){.report = remember, .user = log};
}

int fixture_open(enum agpu_driver driver, struct diag_log *log, struct agpu_gpu **gpu)
{
    char icd[512];
    diag_log_init(log);
    if (driver == AGPU_DRIVER_LAVAPIPE || driver == AGPU_DRIVER_SWIFTSHADER) {
        if (!agpu_driver_icd_path(driver, icd, sizeof icd)) {
            printf("skipped: the Vulkan driver %s is not installed\n", agpu_driver_name(driver));
            return SKIPPED;
        }
        setenv("VK_DRIVER_FILES", icd, 1);
    }
    const struct agpu_gpu_options options = {.driver = driver};
    if (agpu_gpu_create(&options, &log->sink, gpu) == AGPU_OK)
        return 0;
    const bool no_library = log->code == AGPU_DIAG_GPU_NO_LIBRARY && getenv("AEROGPU_WEBGPU_LIB") == NULL;
    printf("%s: %s\n", no_library ? "skipped" : "failed", log->message);
    return no_library ? SKIPPED : 1;
}
