/* SPDX-License-Identifier: MIT
 *
 * Runs translated compute shaders.
 */
#ifndef AG_TESTS_COMPUTE_RUN_H
#define AG_TESTS_COMPUTE_RUN_H

#include "../gpu/fixture.h"
#include "aerogpu/translate.h"
#include "gpu/webgpu.h"

#define COMPUTE_MOST_BUFFERS 8

struct compute_buffer {
    uint32_t group, binding;
    const uint32_t *in; /* what it holds before; null: zeros */
    uint32_t *out;      /* gets what it holds afterwards, or null */
    size_t words;
    bool is_uniform;
    uint32_t texels;          /* not 0: a texture of one row */
    uint32_t layers;          /* of the texture; 0: one, which `out` can have. More: a 2D array */
    WGPUTextureFormat format; /* of the texture */
};

/* The draw block of AG_DRAW_BLOCK_BYTES. */
struct compute_buffer compute_draw_block(const uint32_t *block);

/* Dispatches `groups` groups with those of the buffers that the module binds. Asserts that there are all it
 * binds, and that all goes well. */
void compute_dispatch(struct agpu_gpu *gpu, const struct agpu_module *module,
                      const struct compute_buffer *buffers, size_t count, uint32_t groups);

/* A shader that reads the raw buffer t0 and writes the raw buffer u0. Dispatches `groups` groups and copies
 * `out_words` words of u0, which starts out zeroed. Asserts that all goes well. */
void compute_run(struct agpu_gpu *gpu, const struct agpu_module *module, const uint32_t *in, size_t in_words,
                 uint32_t *out, size_t out_words, uint32_t groups);

/* The gpu of a test program whose first argument names the driver. 0, or what main() returns at once. */
int compute_open(int argc, char **argv, struct diag_log *log, struct agpu_gpu **gpu);

#endif
