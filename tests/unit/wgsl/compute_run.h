/* SPDX-License-Identifier: MIT
 *
 * Runs a translated compute shader that reads the raw buffer t0 and writes the raw buffer u0.
 */
#ifndef AGPU_TESTS_COMPUTE_RUN_H
#define AGPU_TESTS_COMPUTE_RUN_H

#include "../gpu/fixture.h"
#include "aerogpu/translate.h"

/* Dispatches `groups` groups and copies `out_words` words of u0, which starts out zeroed. Asserts that all
 * goes well. */
void compute_run(struct agpu_gpu *gpu, const struct agpu_module *module, const uint32_t *in, size_t in_words,
                 uint32_t *out, size_t out_words, uint32_t groups);

/* The gpu of a test program whose first argument names the driver. 0, or what main() returns at once. */
int compute_open(int argc, char **argv, struct diag_log *log, struct agpu_gpu **gpu);

#endif
