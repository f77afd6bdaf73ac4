/* SPDX-License-Identifier: MIT
 *
 * Shaders as they are, on random data: vertex, pixel and compute shaders run in the interpreter and on a
 * device. Floats may round in many ways, so the interpreter runs many times with its rounding moved; what the
 * device gives must lie in the span of those results.
 */
#ifndef AG_TESTS_ORACLE_STAGE_H
#define AG_TESTS_ORACLE_STAGE_H

#include "oracle.h"
#include "wgsl/options.h"

#define STAGE_CBUFFERS 14u
#define STAGE_TEXTURES 128u
#define STAGE_SAMPLERS 16u
#define STAGE_VERTICES 64u
#define STAGE_WIDTH 16u /* of the render target: rows of 256 bytes */
#define STAGE_HEIGHT 4u
#define STAGE_PIXELS (STAGE_WIDTH * STAGE_HEIGHT)
#define STAGE_VARIANTS 20u

/* What one shader sees: memory of random content for every binding that its module mentions. */
struct stage_world {
    struct ag_ref_constant_buffer constant_buffers[STAGE_CBUFFERS];
    struct ag_ref_view resources[STAGE_TEXTURES], unordered[AGPU_MAX_UAVS];
    struct ag_ref_sampler samplers[STAGE_SAMPLERS];
    struct ag_ref_bindings bindings;
};

/* Which content. With filters textures have levels, their texels are near each other so that filters may
 * round, and samplers have filters, biases and ranges of levels; the render target has four samples. */
struct stage_content {
    uint64_t seed;
    bool filters;
    uint16_t comparing;   /* samplers that compare; stage_world_options() tells */
    uint32_t invocations; /* compute: of a workgroup, at most; 0: as many as threads */
    bool flat_cubes;      /* cubes have one level all the same: the device is bad at theirs */
};

/* False when the module has a binding that cannot be filled; `problem` then says which. */
bool stage_world_init(struct stage_world *world, const struct agpu_shader *shader,
                      const struct agpu_module *module, const struct stage_content *content,
                      const char **problem);
/* What depends on the content and goes into a translation: sampler biases and formats of typed views, from a
 * module that was translated without. False when there is neither. */
bool stage_world_options(struct stage_content *content, const struct agpu_module *module,
                         uint8_t uav_formats[AGPU_MAX_UAVS], struct ag_translate_options *options);
/* A copy of what shaders write. */
bool stage_world_copy(struct stage_world *to, const struct stage_world *from);
void stage_world_fini(struct stage_world *world, bool is_copy);

/* A float between -4 and 4 with all its bits, now and then a round one. */
uint32_t stage_float(struct oracle_random *random);
/* A word for an input of the type (enum agpu_component_type). */
uint32_t stage_word(struct oracle_random *random, uint32_t component_type);

/* ---- Pixels ------------------------------------------------------------------------------------------- */

/* What a device made of one draw over the whole target. */
struct stage_pixels {
    uint32_t input[STAGE_PIXELS][AGPU_MAX_REGISTERS][4]; /* as the shader saw them, by location */
    uint32_t target[AGPU_MAX_RENDER_TARGETS][STAGE_PIXELS][4];
    float depth[STAGE_PIXELS];
};

/* Targets start with this word in every component: no shader writes it. */
#define STAGE_UNTOUCHED 0x4f1d2c3bu

/* Draws; the job has its module. False when the device is gone. */
bool stage_draw(struct agpu_gpu *gpu, struct oracle_job *job, uint64_t seed, struct stage_pixels *pixels);

/* ---- Results ------------------------------------------------------------------------------------------ */

/* One number as all variants of the interpreter gave it, and the device's. */
struct stage_number {
    uint32_t got, want[STAGE_VARIANTS];
    bool is_integer; /* known to be none of arithmetic on floats */
    double step;     /* of a format that rounds; 0 for floats */
};
enum stage_verdict {
    STAGE_AGREES,
    STAGE_DIFFERS,
    STAGE_WIDE, /* the variants are too far apart to say */
};
enum stage_verdict stage_judge(const struct stage_number *number);

#endif
