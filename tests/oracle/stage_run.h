/* SPDX-License-Identifier: MIT
 *
 * The verdict on one shader.
 */
#ifndef AG_TESTS_ORACLE_STAGE_RUN_H
#define AG_TESTS_ORACLE_STAGE_RUN_H

#include "stage.h"

enum stage_outcome {
    STAGE_RIGHT,
    STAGE_WRONG,   /* `text` has the first number that is */
    STAGE_SKIPPED, /* `text` says why */
    STAGE_IDLE,    /* with filters: does not see them */
    STAGE_LOST,    /* the device is gone */
    STAGE_OUTCOME_COUNT
};

struct stage_report {
    uint32_t outcome; /* enum stage_outcome */
    uint32_t numbers, wide, wrong;
    char text[400];
};

/* Runs a vertex, pixel or compute shader on random data. */
void stage_run(struct agpu_gpu *gpu, const struct agpu_shader *shader, const struct stage_content *content,
               struct stage_report *report);

#endif
