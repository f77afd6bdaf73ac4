/* SPDX-License-Identifier: MIT
 *
 * Records the tessellator's kernels (tessellator.wgsl).
 */
#include "kernel/tessellator.h"

#include "aerogpu/translate.h"
#include "base/bytes.h"
#include "kernel/kernels.h"
#include "wgsl/expansion.h"

#define GROUP_PATCHES AG_EXPAND_WORKGROUP /* that have a start of their own */
#define MOST_GROUPS 256u                  /* whose counts are added up where patches are emitted */
#define FIXED_ONE 0x10000u
#define HIGHEST_FACTOR 64
#define HIGHEST_ODD_FACTOR 63

bool ag_tessellation_valid(const struct ag_tessellation *tessellation)
{
    const bool lines = tessellation->output == AG_TESSELLATOR_LINE;
    const bool points = tessellation->output == AG_TESSELLATOR_POINT;
    return points || lines == (tessellation->domain == AG_DOMAIN_ISOLINE);
}

static float highest_factor(const struct ag_tessellation *tessellation)
{
    if (!(tessellation->max_factor > 0) || tessellation->max_factor > HIGHEST_FACTOR)
        return HIGHEST_FACTOR;
    return tessellation->max_factor < 1 ? 1 : tessellation->max_factor;
}

/* ---- Capacity ----------------------------------------------------------------------------------------- */

/* The most segments of an axis; make_axis() in the kernels is its counterpart for any factor. */
static uint64_t highest_segments(const struct ag_tessellation *tessellation, bool whole_numbers)
{
    const float factor = highest_factor(tessellation);
    const bool odd = tessellation->partitioning == AG_PARTITIONING_FRACTIONAL_ODD;
    if (whole_numbers) {
        const uint64_t below = (uint64_t)factor;
        return below + ((float)below < factor);
    }
    float clamped = factor;
    if (odd && factor > HIGHEST_ODD_FACTOR)
        clamped = HIGHEST_ODD_FACTOR;
    if (!odd && factor < 2)
        clamped = 2;
    /* A fraction that the kernels round away may be counted here. The result is then one segment too many at
     * each end, which is harmless; it is never too small. */
    uint64_t fixed = (uint64_t)((double)clamped * FIXED_ONE);
    fixed += (double)fixed < (double)clamped * FIXED_ONE;
    const uint64_t half = (fixed + 1) / 2 + (odd ? FIXED_ONE / 2 : 0);
    return 2 * ((half + FIXED_ONE - 1) / FIXED_ONE) - odd;
}

/* The capacity of a triangle or quad patch whose axes all have `segments`: points and triangles. */
static void fill_capacity(uint64_t sides, uint64_t segments, struct ag_tessellation_capacity *capacity)
{
    const uint64_t rings = (segments + 1) / 2;
    if (segments == 1) {
        capacity->points = sides;
        capacity->primitives = sides - 2;
        return;
    }
    /* Ring n has sides * (segments - 2 n) points. A segment of a ring has one triangle on either side; in the
     * middle there is none inside. */
    const uint64_t outlines = sides * rings * (segments + 1 - rings);
    capacity->points = outlines + (segments % 2 == 0);
    capacity->primitives = 2 * outlines - sides * segments;
    if (segments % 2 != 0)
        capacity->primitives -= 2;
}

void ag_tessellation_capacity(const struct ag_tessellation *tessellation,
                              struct ag_tessellation_capacity *capacity)
{
    const bool whole_numbers = tessellation->partitioning == AG_PARTITIONING_INTEGER ||
                               tessellation->partitioning == AG_PARTITIONING_POW2;
    const uint64_t segments = highest_segments(tessellation, whole_numbers);
    switch (tessellation->domain) {
    case AG_DOMAIN_ISOLINE: {
        const uint64_t lines = highest_segments(tessellation, true);
        capacity->points = lines * (segments + 1);
        capacity->primitives = lines * segments;
        break;
    }
    case AG_DOMAIN_TRI:
        fill_capacity(3, segments, capacity);
        break;
    case AG_DOMAIN_QUAD:
        fill_capacity(4, segments, capacity);
        break;
    }
    if (tessellation->output == AG_TESSELLATOR_POINT)
        capacity->primitives = capacity->points;
    capacity->vertices =
        tessellation->output < AG_TESSELLATOR_TRIANGLE_CW ? (uint32_t)tessellation->output : 3;
}

/* ---- Kernels ------------------------------------------------------------------------------------------ */

/* Workgroups of the kernel that writes a step: enough to fill a GPU. Each takes patches in turn. */
#define MOST_STEP_WORKGROUPS 1024
#define MOST_CHUNK 32 /* patches that a workgroup takes at a time */

static uint32_t chunk_of(const struct ag_tessellator_part *part)
{
    const uint32_t each = part->patches / MOST_STEP_WORKGROUPS + 1;
    return each < MOST_CHUNK ? each : MOST_CHUNK;
}

static uint32_t step_workgroups(const struct ag_tessellator_part *part)
{
    const uint32_t chunks = part->patches / chunk_of(part) + 1;
    return chunks < MOST_STEP_WORKGROUPS ? chunks : MOST_STEP_WORKGROUPS;
}

void ag_tessellation_block(const struct ag_tessellation *tessellation, const struct ag_tessellator_part *part,
                           uint32_t step, uint32_t drawn, uint8_t block[AG_TESSELLATION_BLOCK_BYTES])
{
    const uint32_t words[AG_TESSELLATION_BLOCK_BYTES / 4] = {
        tessellation->domain,
        tessellation->partitioning,
        tessellation->output,
        ag_bits_from_float(highest_factor(tessellation)),
        tessellation->control_points + 1,
        drawn,
        part->patches,
        part->steps,
        step,
        chunk_of(part),
        part->points,
        part->primitives,
    };
    for (uint32_t i = 0; i < AG_COUNT_OF(words); i++)
        ag_store_u32(block + 4 * (size_t)i, words[i]);
}

enum { COUNT, PLACE, EMIT_FEW, EMIT_ADDED, EMIT_PLACED, EMIT_FIXED };

void ag_tessellator_init(struct ag_tessellator *tessellator, struct agpu_gpu *gpu)
{
    const struct ag_kernel_desc desc = {
        .label = "tessellator",
        .wgsl = ag_tessellator_wgsl,
        .wgsl_length = ag_tessellator_wgsl_length,
        .binding_count = 7,
        .written = 1u << 3 | 1u << 4 | 1u << 5 | 1u << 6,
        .block_bytes = AG_TESSELLATION_BLOCK_BYTES,
        .entries = {[COUNT] = "count",
                    [PLACE] = "place",
                    [EMIT_FEW] = "emit_few",
                    [EMIT_ADDED] = "emit_added",
                    [EMIT_PLACED] = "emit_placed",
                    [EMIT_FIXED] = "emit_fixed"},
    };
    ag_kernel_init(&tessellator->kernel, gpu, &desc);
}

enum ag_tessellator_mode ag_tessellator_mode_of(const struct ag_tessellation *tessellation, uint64_t patches,
                                                uint64_t steps)
{
    if (steps == 1 && tessellation->has_fixed_places)
        return AG_TESSELLATOR_FIXED;
    if (steps == 1 && patches <= AG_TESSELLATOR_FEW_PATCHES)
        return AG_TESSELLATOR_FEW;
    return steps == 1 && patches <= UINT64_C(1) * MOST_GROUPS * GROUP_PATCHES ? AG_TESSELLATOR_ADDED
                                                                              : AG_TESSELLATOR_PLACED;
}

/* The kernels of each mode. */
static const struct {
    bool counts, places;
    uint8_t emit;
} modes[] = {
    [AG_TESSELLATOR_FEW] = {.emit = EMIT_FEW},
    [AG_TESSELLATOR_ADDED] = {.counts = true,   .emit = EMIT_ADDED},
    [AG_TESSELLATOR_PLACED] = {.counts = true,                .places = true, .emit = EMIT_PLACED},
    [AG_TESSELLATOR_FIXED] = {.emit = EMIT_FIXED},
};

bool ag_tessellator_begin(struct ag_tessellator *tessellator, enum ag_tessellator_mode mode)
{
    struct ag_kernel *kernel = &tessellator->kernel;
    return ag_kernel_begin(kernel, modes[mode].emit) &&
           (!modes[mode].counts || ag_kernel_begin(kernel, COUNT)) &&
           (!modes[mode].places || ag_kernel_begin(kernel, PLACE));
}

/* That of the kernel that takes the longest. */
struct ag_compilation *ag_tessellator_compilation(const struct ag_tessellator *tessellator,
                                                  enum ag_tessellator_mode mode)
{
    return ag_kernel_compilation(&tessellator->kernel, modes[mode].emit);
}

bool ag_tessellator_is_ready(const struct ag_tessellator *tessellator, enum ag_tessellator_mode mode)
{
    const struct ag_kernel *kernel = &tessellator->kernel;
    return ag_kernel_is_ready(kernel, modes[mode].emit) &&
           (!modes[mode].counts || ag_kernel_is_ready(kernel, COUNT)) &&
           (!modes[mode].places || ag_kernel_is_ready(kernel, PLACE));
}

void ag_tessellator_fini(struct ag_tessellator *tessellator)
{
    ag_kernel_fini(&tessellator->kernel);
}

static bool bind(struct ag_tessellator *tessellator, WGPUComputePassEncoder pass,
                 const struct ag_tessellator_buffers *buffers)
{
    const struct ag_buffer_range ranges[AG_KERNEL_BINDINGS] = {
        buffers->block,  buffers->patches,    buffers->factors,   buffers->starts,
        buffers->points, buffers->primitives, buffers->arguments,
    };
    return ag_kernel_bind(&tessellator->kernel, pass, ranges);
}

bool ag_tessellator_record_counts(struct ag_tessellator *tessellator, WGPUComputePassEncoder pass,
                                  const struct ag_tessellator_buffers *buffers,
                                  const struct ag_tessellation *tessellation,
                                  const struct ag_tessellator_part *part)
{
    const enum ag_tessellator_mode mode = ag_tessellator_mode_of(tessellation, part->patches, part->steps);
    if (part->patches == 0 || !modes[mode].counts)
        return true;
    if (!bind(tessellator, pass, buffers))
        return false;
    ag_kernel_dispatch(&tessellator->kernel, pass, COUNT, part->patches);
    if (modes[mode].places)
        ag_kernel_dispatch_one(&tessellator->kernel, pass, PLACE);
    return true;
}

bool ag_tessellator_record_step(struct ag_tessellator *tessellator, WGPUComputePassEncoder pass,
                                const struct ag_tessellator_buffers *buffers,
                                const struct ag_tessellation *tessellation,
                                const struct ag_tessellator_part *part)
{
    const enum ag_tessellator_mode mode = ag_tessellator_mode_of(tessellation, part->patches, part->steps);
    if (part->patches == 0)
        return true;
    if (!bind(tessellator, pass, buffers))
        return false;
    ag_kernel_dispatch(&tessellator->kernel, pass, modes[mode].emit,
                       (uint64_t)step_workgroups(part) * AG_EXPAND_WORKGROUP);
    return true;
}
