/* SPDX-License-Identifier: MIT
 *
 * The lists that the kernels of input assembly and of emission write, against lists written by hand after
 * D3D11.3 8.10 to 8.17 and 13.5. Usage: test_assembly driver
 */
#include "../../support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../support/submit.h"
#include "../gpu/fixture.h"
#include "aerogpu/translate.h"
#include "base/bytes.h"
#include "gpu/readback.h"
#include "gpu/wait.h"
#include "kernel/plan.h"

#include "wgsl/expansion.h"

#define TIMEOUT (60 * SECOND_NS)
#define MOST_WORDS 20480
#define CUT 0xffffffffu

static struct diag_log log_;
static struct agpu_gpu *gpu;
static struct ag_assembly_kernels assembly_kernels;
static struct ag_emission_kernels emission_kernels;

/* ---- Memory ------------------------------------------------------------------------------------------- */

static struct ag_buffer_range make_range(WGPUBufferUsage usage, const void *data, uint64_t bytes)
{
    const uint64_t size = ag_align_up(bytes < 16 ? 16 : bytes, 4);
    const WGPUBufferDescriptor descriptor = {
        .usage = usage | WGPUBufferUsage_CopyDst | WGPUBufferUsage_CopySrc, .size = size};
    struct ag_buffer_range range = {wgpuDeviceCreateBuffer(ag_gpu_device(gpu), &descriptor), 0, size};
    if (bytes)
        wgpuQueueWriteBuffer(ag_gpu_queue(gpu), range.buffer, 0, data, (size_t)ag_align_up(bytes, 4));
    return range;
}

static struct ag_buffer_range make_empty(void)
{
    static const uint32_t zeros[MOST_WORDS];
    return make_range(WGPUBufferUsage_Storage, zeros, sizeof zeros);
}

static void read_words(const struct ag_buffer_range *range, uint32_t words[MOST_WORDS])
{
    struct ag_readback_pool *pool = ag_readback_pool_create(gpu, 1 << 16);
    struct ag_readback *readback = ag_readback_take(pool, MOST_WORDS * 4);
    assert_non_null(readback);
    const WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(ag_gpu_device(gpu), NULL);
    wgpuCommandEncoderCopyBufferToBuffer(encoder, range->buffer, 0, ag_readback_buffer(readback), 0,
                                         MOST_WORDS * 4);
    submit_encoder(gpu, encoder);
    ag_readback_begin(readback);
    assert_true(ag_gpu_wait_idle(gpu, TIMEOUT));
    assert_non_null(ag_readback_data(readback));
    memcpy(words, ag_readback_data(readback), MOST_WORDS * 4);
    ag_readback_release(pool, readback);
    ag_readback_pool_destroy(pool);
}

/* ---- Input assembly ----------------------------------------------------------------------------------- */

struct assembly_case {
    uint32_t topology;
    bool neighbours;
    const uint32_t *indices; /* 32 bits a piece; null: none */
    uint32_t vertices, instances;
    bool restarts;
};

/* Primitives with their vertex ids in place of record numbers. */
struct assembled {
    uint32_t count, corners;
    uint32_t ids[MOST_WORDS], vertices[MOST_WORDS], instances[MOST_WORDS];
};

static void append_lists(const struct ag_buffer_range *primitives, const struct ag_buffer_range *vertices,
                         struct assembled *to)
{
    static uint32_t list[MOST_WORDS], named[MOST_WORDS];
    read_words(primitives, list);
    read_words(vertices, named);
    assert_int_equal(named[0], list[0] * to->corners);
    for (uint32_t i = 0; i < list[0]; i++, to->count++) {
        const uint32_t *entry = list + AG_LIST_HEADER_WORDS + i * (to->corners + 1);
        to->ids[to->count] = entry[0];
        for (uint32_t c = 0; c < to->corners; c++) {
            assert_true(entry[1 + c] < named[0]);
            const uint32_t *vertex = named + AG_LIST_HEADER_WORDS + 2 * entry[1 + c];
            to->vertices[to->count * to->corners + c] = vertex[0];
            to->instances[to->count] = vertex[1];
        }
    }
}

/* In parts of that many units. */
static void assemble(const struct assembly_case *c, uint32_t units, struct assembled *to)
{
    struct ag_assembly assembly;
    struct ag_assembly_part part = {0};
    assert_true(ag_assembly_init(&assembly, c->topology, c->neighbours));
    const struct ag_assembly_indices indices = {c->indices ? 4u : 0u, 0, c->vertices * 4};
    struct ag_expand_plan plan = {
        .part_units = units,
        .unit_positions = assembly.list_vertices ? assembly.list_vertices : assembly.step,
        .vertices = c->vertices,
        .instances = c->instances,
    };
    plan.unit_count = c->restarts ? (c->vertices + plan.unit_positions - 1) / plan.unit_positions
                                  : ag_assembly_primitives(&assembly, c->vertices);
    struct ag_assembly_buffers buffers = {
        .indices = make_range(WGPUBufferUsage_Storage, c->indices, c->indices ? c->vertices * 4u : 0),
        .runs = make_empty(),
        .vertices = make_empty(),
        .primitives = make_empty(),
    };
    *to = (struct assembled){.corners = assembly.corners};
    while (ag_expand_plan_next(&plan, &part)) {
        uint8_t block[AG_ASSEMBLY_BLOCK_BYTES];
        ag_assembly_block(&assembly, &indices, c->vertices, c->restarts, &part, block);
        buffers.block = make_range(WGPUBufferUsage_Uniform, block, sizeof block);
        const WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(ag_gpu_device(gpu), NULL);
        const WGPUComputePassEncoder pass = wgpuCommandEncoderBeginComputePass(encoder, NULL);
        assert_true(ag_assembly_record(&assembly_kernels, pass, &buffers, &part, c->restarts));
        wgpuComputePassEncoderEnd(pass);
        wgpuComputePassEncoderRelease(pass);
        submit_encoder(gpu, encoder);
        append_lists(&buffers.primitives, &buffers.vertices, to);
        wgpuBufferRelease(buffers.block.buffer);
    }
    wgpuBufferRelease(buffers.indices.buffer);
    wgpuBufferRelease(buffers.runs.buffer);
    wgpuBufferRelease(buffers.vertices.buffer);
    wgpuBufferRelease(buffers.primitives.buffer);
    assert_int_equal(log_.count, 0);
}

/* One instance, whatever the size of parts. */
static void expect_assembled(const struct assembly_case *c, const uint32_t *vertices, uint32_t count)
{
    static const uint32_t sizes[] = {1, 2, 3, 1000};
    static struct assembled got;
    for (size_t i = 0; i < AG_COUNT_OF(sizes); i++) {
        assemble(c, sizes[i], &got);
        assert_int_equal(got.count, count);
        for (uint32_t n = 0; n < count; n++)
            assert_int_equal(got.ids[n], n);
        assert_memory_equal(got.vertices, vertices, count * got.corners * sizeof vertices[0]);
    }
}

static void strips_turn_every_second_triangle(void **state)
{
    static const uint32_t triangles[] = {0, 1, 2, 1, 3, 2, 2, 3, 4, 3, 5, 4};
    const struct assembly_case strip = {.topology = 5, .vertices = 6, .instances = 1};
    (void)state;
    expect_assembled(&strip, triangles, 4);
}

static void fans_keep_their_first_vertex(void **state)
{
    static const uint32_t indices[] = {9, 8, 7, 6, CUT, 5, 4, CUT, 3, 2, 1};
    static const uint32_t triangles[] = {9, 8, 7, 9, 7, 6, 3, 2, 1};
    const struct assembly_case fan = {
        .topology = 6, .indices = indices, .vertices = 11, .instances = 1, .restarts = true};
    (void)state;
    expect_assembled(&fan, triangles, 3);
}

/* Two runs: three triangles with a vertex left over, and one. */
static void strips_with_adjacency_know_their_last_triangle(void **state)
{
    static const uint32_t indices[] = {10, 11, 12,  13, 14, 15, 16, 17, 18,
                                       19, 20, CUT, 30, 31, 32, 33, 34, 35};
    static const uint32_t with[] = {10, 11, 12, 16, 14, 13, 12, 15, 16, 18, 14, 10,
                                    14, 12, 16, 19, 18, 17, 30, 31, 32, 35, 34, 33};
    static const uint32_t without[] = {10, 12, 14, 12, 16, 14, 14, 16, 18, 30, 32, 34};
    struct assembly_case strip = {.topology = 13,
                                  .neighbours = true,
                                  .indices = indices,
                                  .vertices = 18,
                                  .instances = 1,
                                  .restarts = true};
    (void)state;
    expect_assembled(&strip, with, 4);
    strip.neighbours = false;
    expect_assembled(&strip, without, 4);
}

static void cuts_begin_lists_anew(void **state)
{
    static const uint32_t indices[] = {0, 1, CUT, 2, 3, 4, 5, CUT, CUT, 6, 7, 8, 9, 10, 11};
    static const uint32_t triangles[] = {2, 3, 4, 6, 7, 8, 9, 10, 11};
    const struct assembly_case list = {
        .topology = 4, .indices = indices, .vertices = 15, .instances = 1, .restarts = true};
    (void)state;
    expect_assembled(&list, triangles, 3);
}

static void patches_have_all_their_points(void **state)
{
    static const uint32_t patches[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    const struct assembly_case list = {.topology = 37, .vertices = 13, .instances = 1};
    (void)state;
    expect_assembled(&list, patches, 2);
}

/* The stripped indices of a list, behind the five words of the draw's arguments. */
static void strip(uint32_t topology, const uint32_t *indices, const struct ag_assembly_draw *draw,
                  uint32_t arguments[5], uint32_t stripped[MOST_WORDS])
{
    static uint32_t words[MOST_WORDS];
    uint8_t block[AG_ASSEMBLY_BLOCK_BYTES];
    struct ag_assembly assembly;
    assert_true(ag_assembly_init(&assembly, topology, false));
    const struct ag_assembly_indices where = {4, 0, draw->vertices * 4};
    ag_assembly_strip_block(&assembly, &where, draw, block);
    const struct ag_assembly_buffers buffers = {
        .block = make_range(WGPUBufferUsage_Uniform, block, sizeof block),
        .indices = make_range(WGPUBufferUsage_Storage, indices, draw->vertices * 4u),
        .runs = make_empty(),
        .vertices = make_empty(),
        .primitives = make_empty(),
    };
    const WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(ag_gpu_device(gpu), NULL);
    const WGPUComputePassEncoder pass = wgpuCommandEncoderBeginComputePass(encoder, NULL);
    assert_true(ag_assembly_record_strip(&assembly_kernels, pass, &buffers, draw->vertices));
    wgpuComputePassEncoderEnd(pass);
    wgpuComputePassEncoderRelease(pass);
    submit_encoder(gpu, encoder);
    read_words(&buffers.primitives, words);
    memcpy(arguments, words, 5 * sizeof words[0]);
    read_words(&buffers.vertices, stripped);
    wgpuBufferRelease(buffers.block.buffer);
    wgpuBufferRelease(buffers.indices.buffer);
    wgpuBufferRelease(buffers.runs.buffer);
    wgpuBufferRelease(buffers.vertices.buffer);
    wgpuBufferRelease(buffers.primitives.buffer);
    assert_int_equal(log_.count, 0);
}

static void lists_are_stripped_of_cuts(void **state)
{
    static const uint32_t indices[] = {0, 1, CUT, 2, 3, 4, 5, CUT, CUT, 6, 7, 8, 9, 10, 11, 12};
    static const uint32_t triangles[] = {2, 3, 4, 6, 7, 8, 9, 10, 11};
    static const uint32_t lines[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    static const uint32_t points[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    static uint32_t stripped[MOST_WORDS];
    const struct ag_assembly_draw draw = {16, 3, 2, -5};
    uint32_t arguments[5];
    (void)state;
    strip(4, indices, &draw, arguments, stripped);
    assert_int_equal(arguments[0], 9);
    assert_int_equal(arguments[1], 3);
    assert_int_equal(arguments[2], 0);
    assert_int_equal(arguments[3], (uint32_t)-5);
    assert_int_equal(arguments[4], 2);
    assert_memory_equal(stripped, triangles, sizeof triangles);
    strip(2, indices, &draw, arguments, stripped);
    assert_int_equal(arguments[0], 12);
    assert_memory_equal(stripped, lines, sizeof lines);
    strip(1, indices, &draw, arguments, stripped);
    assert_int_equal(arguments[0], 13);
    assert_memory_equal(stripped, points, sizeof points);
}

static void lists_without_cuts_stay(void **state)
{
    static const uint32_t indices[] = {7, 0xffff, 0, 3, 2, 0xfffffffe, 1, 1};
    static uint32_t stripped[MOST_WORDS];
    const struct ag_assembly_draw draw = {8, 1, 0, 0};
    uint32_t arguments[5];
    (void)state;
    strip(4, indices, &draw, arguments, stripped);
    assert_int_equal(arguments[0], 6); /* the last two make no triangle */
    assert_memory_equal(stripped, indices, 6 * sizeof indices[0]);
}

/* Runs that cross the kernel's steps: 50 lines to the cut at 100, 99 and a vertex to 300, 299 and a vertex.
 */
static void long_lists_are_stripped(void **state)
{
    static uint32_t indices[900], stripped[MOST_WORDS];
    const struct ag_assembly_draw draw = {900, 1, 0, 0};
    uint32_t arguments[5];
    (void)state;
    for (uint32_t i = 0; i < 900; i++)
        indices[i] = i == 100 || i == 300 ? CUT : i;
    strip(2, indices, &draw, arguments, stripped);
    assert_int_equal(arguments[0], 896);
    for (uint32_t i = 0; i < 100; i++)
        assert_int_equal(stripped[i], i);
    for (uint32_t i = 0; i < 198; i++)
        assert_int_equal(stripped[100 + i], 101 + i);
    for (uint32_t i = 0; i < 598; i++)
        assert_int_equal(stripped[298 + i], 301 + i);
}

/* Longer than the kernel looks at in one go, with runs that cross its steps: cuts at 100, 300 and 700. */
static void long_strips_are_found(void **state)
{
    static uint32_t indices[900];
    static struct assembled got;
    const struct assembly_case strip = {
        .topology = 3, .indices = indices, .vertices = 900, .instances = 1, .restarts = true};
    uint32_t n = 0;
    (void)state;
    for (uint32_t i = 0; i < 900; i++)
        indices[i] = i == 100 || i == 300 || i == 700 ? CUT : i;
    assemble(&strip, 1000, &got);
    assert_int_equal(got.count, 99 + 198 + 398 + 198);
    for (uint32_t i = 1; i < 900; i++) {
        if (indices[i] == CUT || indices[i - 1] == CUT)
            continue;
        assert_int_equal(got.ids[n], n);
        assert_int_equal(got.vertices[2 * n], i - 1);
        assert_int_equal(got.vertices[2 * n + 1], i);
        n++;
    }
}

static void instances_number_anew(void **state)
{
    static const uint32_t indices[] = {5, 6, CUT, 7, 8};
    static struct assembled got;
    const struct assembly_case strip = {
        .topology = 3, .indices = indices, .vertices = 5, .instances = 3, .restarts = true};
    (void)state;
    for (uint32_t units = 1; units < 20; units += 3) {
        assemble(&strip, units, &got);
        assert_int_equal(got.count, 6);
        for (uint32_t i = 0; i < 6; i++) {
            assert_int_equal(got.ids[i], i % 2);
            assert_int_equal(got.instances[i], i / 2);
            assert_int_equal(got.vertices[2 * i], i % 2 ? 7 : 5);
        }
    }
}

/* ---- Emission ----------------------------------------------------------------------------------------- */

enum { V = AG_EMIT_VERTEX, S = AG_EMIT_VERTEX | AG_EMIT_STRIP };
#define OTHER (AG_EMIT_VERTEX | 1u << AG_EMIT_STREAM_SHIFT)

/* `more`: invocations that are recorded beyond those that there are. */
static void expect_emitted_of(const struct ag_emission *emission, const uint32_t *emits, uint32_t inputs,
                              const uint32_t *records, uint32_t count, uint32_t more)
{
    static uint32_t words[MOST_WORDS];
    const uint32_t list[AG_LIST_HEADER_WORDS] = {inputs};
    const uint32_t invocations = inputs * emission->instances;
    uint8_t block[AG_EMISSION_BLOCK_BYTES];
    ag_emission_block(emission, 2, block);
    const struct ag_emission_buffers buffers = {
        .block = make_range(WGPUBufferUsage_Uniform, block, sizeof block),
        .inputs = make_range(WGPUBufferUsage_Storage, list, sizeof list),
        .emits = make_range(WGPUBufferUsage_Storage, emits, 4u * invocations * emission->max_vertices),
        .counts = make_empty(),
        .primitives = make_empty(),
        .arguments = make_empty(),
    };
    const WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(ag_gpu_device(gpu), NULL);
    const WGPUComputePassEncoder pass = wgpuCommandEncoderBeginComputePass(encoder, NULL);
    assert_true(ag_emission_record(&emission_kernels, pass, &buffers, invocations + more));
    wgpuComputePassEncoderEnd(pass);
    wgpuComputePassEncoderRelease(pass);
    submit_encoder(gpu, encoder);
    read_words(&buffers.primitives, words);
    assert_int_equal(words[0], count);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t c = 0; c < emission->vertices; c++)
            assert_int_equal(words[AG_LIST_HEADER_WORDS + i * (emission->vertices + 1) + 1 + c],
                             records[i * emission->vertices + c]);
    read_words(&buffers.arguments, words);
    assert_int_equal(words[0], count * 2);
    assert_int_equal(words[1], 1);
    assert_int_equal(words[2], 0);
    assert_int_equal(words[3], 0);
    wgpuBufferRelease(buffers.block.buffer);
    wgpuBufferRelease(buffers.inputs.buffer);
    wgpuBufferRelease(buffers.emits.buffer);
    wgpuBufferRelease(buffers.counts.buffer);
    wgpuBufferRelease(buffers.primitives.buffer);
    wgpuBufferRelease(buffers.arguments.buffer);
    assert_int_equal(log_.count, 0);
}

/* By one workgroup where that is enough, and by all kernels. */
static void expect_emitted(const struct ag_emission *emission, const uint32_t *emits, uint32_t inputs,
                           const uint32_t *records, uint32_t count)
{
    expect_emitted_of(emission, emits, inputs, records, count, 0);
    expect_emitted_of(emission, emits, inputs, records, count, 100);
}

/* Three invocations: a strip of four, nothing, two strips of which the first is too short. */
static void emitted_strips_become_lists(void **state)
{
    static const uint32_t emits[] = {S, V, V, V, 0, 7, 0, V, V, V, V, V, S, V, S, V, V, 7};
    static const uint32_t triangles[] = {0, 1, 2, 1, 3, 2, 14, 15, 16};
    static const uint32_t lines[] = {0, 1, 1, 2, 2, 3, 12, 13, 14, 15, 15, 16};
    struct ag_emission emission = {.max_vertices = 6, .instances = 1, .vertices = 3};
    uint32_t words[AG_COUNT_OF(emits)];
    (void)state;
    memcpy(words, emits, sizeof words);
    words[17] = 0;
    expect_emitted(&emission, words, 3, triangles, 3);
    emission.vertices = 2;
    expect_emitted(&emission, words, 3, lines, 6);
}

static void other_streams_are_not_drawn(void **state)
{
    static const uint32_t emits[] = {S, OTHER, V, OTHER, S, V};
    static const uint32_t lines[] = {0, 2, 4, 5};
    const struct ag_emission emission = {.max_vertices = 3, .instances = 2, .vertices = 2};
    (void)state;
    expect_emitted(&emission, emits, 1, lines, 2);
}

/* More workgroups than `place` has threads: number n emits a point when n is a multiple of 3. */
static void points_keep_their_order(void **state)
{
    enum { INPUTS = 2500, INVOCATIONS = INPUTS * 7 };
    static uint32_t emits[INVOCATIONS], records[INVOCATIONS];
    const struct ag_emission emission = {.max_vertices = 1, .instances = 7, .vertices = 1};
    uint32_t count = 0;
    (void)state;
    for (uint32_t i = 0; i < INVOCATIONS; i++) {
        emits[i] = i % 3 ? 0 : S;
        if (i % 3 == 0)
            records[count++] = i;
    }
    expect_emitted(&emission, emits, INPUTS, records, count);
}

/* ---- Without memory ------------------------------------------------------------------------------------ */

static WGPUBindGroup get_nothing(void *user, const struct ag_kernel *kernel,
                                 const struct ag_buffer_range ranges[AG_KERNEL_BINDINGS])
{
    (void)user;
    (void)kernel;
    (void)ranges;
    return NULL;
}

/* Lists that nothing was written into are not taken for lists. */
static void without_bind_groups_nothing_is_recorded(void **state)
{
    (void)state;
    const struct ag_kernel_groups none = {.get = get_nothing}, before[2] = {assembly_kernels.kernel.groups,
                                                                            emission_kernels.kernel.groups};
    const struct ag_assembly_buffers buffers = {0};
    const struct ag_emission_buffers emitted = {0};
    const struct ag_assembly_part part = {.primitives = 1, .instances = 1};
    const WGPUCommandEncoder encoder = wgpuDeviceCreateCommandEncoder(ag_gpu_device(gpu), NULL);
    const WGPUComputePassEncoder pass = wgpuCommandEncoderBeginComputePass(encoder, NULL);
    assembly_kernels.kernel.groups = emission_kernels.kernel.groups = none;
    assert_false(ag_assembly_record(&assembly_kernels, pass, &buffers, &part, true));
    assert_false(ag_assembly_record_strip(&assembly_kernels, pass, &buffers, 3));
    assert_false(ag_emission_record(&emission_kernels, pass, &emitted, 1));
    assembly_kernels.kernel.groups = before[0];
    emission_kernels.kernel.groups = before[1];
    wgpuComputePassEncoderEnd(pass);
    wgpuComputePassEncoderRelease(pass);
    submit_encoder(gpu, encoder);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strips_turn_every_second_triangle),
        cmocka_unit_test(fans_keep_their_first_vertex),
        cmocka_unit_test(strips_with_adjacency_know_their_last_triangle),
        cmocka_unit_test(cuts_begin_lists_anew),
        cmocka_unit_test(patches_have_all_their_points),
        cmocka_unit_test(lists_are_stripped_of_cuts),
        cmocka_unit_test(lists_without_cuts_stay),
        cmocka_unit_test(long_lists_are_stripped),
        cmocka_unit_test(long_strips_are_found),
        cmocka_unit_test(instances_number_anew),
        cmocka_unit_test(emitted_strips_become_lists),
        cmocka_unit_test(other_streams_are_not_drawn),
        cmocka_unit_test(points_keep_their_order),
        cmocka_unit_test(without_bind_groups_nothing_is_recorded),
    };
    enum agpu_driver name;
    if (argc != 2 || !agpu_driver_from_name(argv[1], &name)) {
        printf("usage: %s driver\n", argv[0]);
        return 2;
    }
    const int opened = fixture_open(name, &log_, &gpu);
    if (opened != 0)
        return opened;
    ag_gpu_set_sink(gpu, &log_.sink);
    ag_assembly_kernels_init(&assembly_kernels, gpu);
    ag_emission_kernels_init(&emission_kernels, gpu);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    ag_assembly_kernels_fini(&assembly_kernels);
    ag_emission_kernels_fini(&emission_kernels);
    agpu_gpu_destroy(gpu);
    return failed;
}
