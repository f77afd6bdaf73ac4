/* SPDX-License-Identifier: MIT
 *
 * Draws that reuse what the last draw prepared, and whose constant buffers are packed, show what draws that
 * prepare everything, with a binding for each constant buffer, show: random streams are executed both ways,
 * and their pictures, diagnostics, errors and bytes in guest memory are compared. Each step of a stream
 * changes one thing and then draws into a cell of its own, so that whatever a draw does not take in stays to
 * be seen.
 *
 *     test_kept_draws DRIVER [FIRST_SEED STREAMS]
 */
#include "../../support/test.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aerogpu/abi/cmd.h"
#include "aerogpu/abi/ext.h"
#include "aerogpu/dxbc.h"
#include "base/bytes.h"
#include "base/map.h"
#include "exec/submit/exec.h"
#include "format/formats.h"
#include "gpu/frame_ring.h"
#include "host.h"
#include "kept_draw_world.h"

enum {
    STEPS = 160,
    STREAMS_BY_DEFAULT = 24,
    STEPS_OF_CONSTANTS = 6000,        /* more constants than a buffer of the upload ring has room for */
    STEPS_OF_PACKED_CONSTANTS = 2000, /* these take more of it */
    LEAST_INLINED = 50,               /* of fifty draws at least one has its geometry shader inlined */
    LEAST_JOINED = 200,               /* and of so many one is joined to another one; slices part others */
    LEAST_USES = 5,                   /* of five draws at least one is not prepared in whole */
};

/* What a run of a stream shows. */
struct outcome {
    uint64_t hash; /* of everything that the guest and its owner are told */
    uint32_t presents;
    uint64_t draws, uses, inlined, joined;
    uint32_t ring_buffers;
};

static struct host host;
static struct outcome *told; /* of the run at hand */
static uint64_t first_seed, stream_count = STREAMS_BY_DEFAULT;

static struct ag_kept_draw *kept(void)
{
    return &ag_exec_of(host.executor)->kept;
}

static struct ag_inlined_draw *inlined(void)
{
    return &ag_exec_of(host.executor)->expander.inlined;
}

static void tell(const void *bytes, size_t size)
{
    told->hash = ag_hash_combine(told->hash, ag_hash_bytes(bytes, size));
}

static void on_presented(void *user, const struct agpu_present *present)
{
    (void)user;
    tell(present->pixels, (size_t)present->width * present->height * 4);
    told->presents++;
}

static void on_completed(void *user, uint32_t submission, uint32_t error)
{
    (void)user;
    (void)submission;
    tell(&error, sizeof error);
}

static void on_diag(void *user, const struct agpu_diag *diag)
{
    char text[640];
    (void)user;
    snprintf(text, sizeof text, "%s in packet %" PRIu32 ": %s", agpu_diag_slug(diag->code),
             diag->place.packet, diag->message);
    tell(text, strlen(text));
    if (getenv("AG_TEST_VERBOSE"))
        fprintf(stderr, "%s\n", text);
}

static bool read_guest(void *user, uint64_t gpa, void *to, size_t size)
{
    (void)user;
    if (gpa < GUEST_BASE || !ag_range_fits(gpa - GUEST_BASE, size, GUEST_BYTES))
        return false;
    memcpy(to, host.guest + (gpa - GUEST_BASE), size);
    return true;
}

static bool write_guest(void *user, uint64_t gpa, const void *from, size_t size)
{
    (void)user;
    if (gpa < GUEST_BASE || !ag_range_fits(gpa - GUEST_BASE, size, GUEST_BYTES))
        return false;
    memcpy(host.guest + (gpa - GUEST_BASE), from, size);
    return true;
}

static void listen(void)
{
    const struct agpu_executor_events events = {
        .size = sizeof events,
        .presented = on_presented,
        .completed = on_completed,
        .diagnostics = {.report = on_diag},
    };
    const struct agpu_guest_memory memory = {.size = sizeof memory, .read = read_guest, .write = write_guest};
    host.executor->attach(host.executor, &events, &memory);
}

/* The same stream for the same seed. */
static struct outcome run(uint64_t seed, void (*write_step)(struct kept_draw_world *world), uint32_t steps,
                          bool is_off)
{
    struct outcome outcome = {0};
    struct kept_draw_world world;
    struct agpu_writer writer;
    const struct aerogpu_alloc_entry allocation = {
        .alloc_id = WORLD_ALLOCATION, .gpa = GUEST_BASE, .size_bytes = GUEST_BYTES};
    told = &outcome;
    host_reset(&host);
    struct ag_exec *const exec = ag_exec_of(host.executor);
    kept()->is_off = exec->drawer.vertices.is_off = exec->binder.packs_nothing = is_off;
    inlined()->is_off = exec->batch.is_off = is_off;
    inlined()->least_patches = 1;
    kept()->uses = inlined()->uses = exec->batch.uses = 0;
    agpu_writer_init_growing(&writer, NULL);
    world_open(&world, seed, &writer, host.guest);
    for (uint32_t step = 0; step < steps; step++)
        write_step(&world);
    world_close(&world);
    host_submit(&host, &writer, &allocation, 1);
    host_wait(&host);
    agpu_writer_fini(&writer);
    tell(host.guest, GUEST_BYTES);
    assert_int_equal(outcome.presents, world.presents); /* the stream came to its end */
    outcome.uses = kept()->uses;
    outcome.inlined = inlined()->uses;
    outcome.joined = exec->batch.uses;
    outcome.draws = host_counters(&host).draws;
    outcome.ring_buffers = ag_frame_ring_chunk_count(exec->recorder.ring.frames);
    return outcome;
}

/* Runs a stream both ways. */
static struct outcome compare(uint64_t seed, void (*write_step)(struct kept_draw_world *world),
                              uint32_t steps)
{
    const struct outcome whole = run(seed, write_step, steps, true);
    const struct outcome reused = run(seed, write_step, steps, false);
    if (whole.hash != reused.hash || whole.draws != reused.draws)
        print_message("seed %" PRIu64 ": %" PRIu64 " of %" PRIu64 " draws reuse\n", seed, reused.uses,
                      reused.draws);
    assert_int_equal(whole.uses, 0);
    assert_int_equal(whole.inlined, 0);
    assert_int_equal(whole.joined, 0);
    assert_int_equal(reused.hash, whole.hash);
    assert_int_equal(reused.draws, whole.draws);
    return reused;
}

static void fill_the_ring(void (*write_step)(struct kept_draw_world *world), uint32_t steps)
{
    listen();
    const struct outcome reused = compare(0, write_step, steps);
    assert_true(reused.uses > steps / 2);
    assert_true(reused.ring_buffers > 1);
}

static void constants_fill_the_ring(void **state)
{
    (void)state;
    fill_the_ring(world_step_of_constants, STEPS_OF_CONSTANTS);
}

static void packed_constants_fill_the_ring(void **state)
{
    (void)state;
    fill_the_ring(world_step_of_packed_constants, STEPS_OF_PACKED_CONSTANTS);
}

static void bound_constants_fill_the_ring(void **state)
{
    (void)state;
    fill_the_ring(world_step_of_bound_constants, STEPS_OF_PACKED_CONSTANTS);
}

static void shows_the_same_both_ways(void **state)
{
    uint64_t draws = 0, uses = 0, inlines = 0, joins = 0;
    (void)state;
    listen();
    for (uint64_t seed = first_seed; seed < first_seed + stream_count; seed++) {
        const struct outcome reused = compare(seed, world_step, STEPS);
        draws += reused.draws;
        uses += reused.uses;
        inlines += reused.inlined;
        joins += reused.joined;
    }
    print_message("%" PRIu64 " of %" PRIu64 " draws reuse, %" PRIu64 " are inlined, %" PRIu64 " are joined\n",
                  uses, draws, inlines, joins);
    assert_true(joins * LEAST_JOINED > draws);
    assert_true(inlines * LEAST_INLINED > draws);
    assert_true(uses * LEAST_USES > draws);
}

/* Each of these points becomes six triangles. */
static void write_fans(struct agpu_writer *writer, uint32_t instances)
{
    const uint32_t target = 1;
    char geometry[640];
    int length = snprintf(geometry, sizeof geometry,
                          "gs_4_0\n.in SV_Position0 v0.xyzw float position\n"
                          ".out SV_Position0 o0.xyzw float position\ndcl_input_siv v[1][0].xyzw, position\n"
                          "dcl_inputprimitive point\ndcl_outputtopology trianglestrip\n"
                          "dcl_output_siv o0.xyzw, position\ndcl_maxout 8\n");
    for (uint32_t i = 0; i < 8; i++)
        length += snprintf(geometry + length, sizeof geometry - (size_t)length,
                           "mov o0.xyzw, v[0][0].xyzw\nemit\n");
    snprintf(geometry + length, sizeof geometry - (size_t)length, "ret\n");
    host_write_texture(writer, target, AEROGPU_RESOURCE_USAGE_RENDER_TARGET, AEROGPU_FORMAT_R8G8B8A8_UNORM, 1,
                       1);
    host_assemble_shader(writer, 1, AGPU_STREAM_STAGE_VERTEX,
                         "vs_4_0\n.out SV_Position0 o0.xyzw float position\n"
                         "dcl_output_siv o0.xyzw, position\nmov o0.xyzw, l(0.0, 0.0, 0.0, 1.0)\nret\n");
    host_assemble_shader(writer, 2, AGPU_STREAM_STAGE_GEOMETRY, geometry);
    host_assemble_shader(writer, 3, AGPU_STREAM_STAGE_PIXEL,
                         "ps_4_0\n.out SV_Target0 o0.xyzw float\ndcl_output o0.xyzw\n"
                         "mov o0.xyzw, l(1.0, 0.0, 0.0, 1.0)\nret\n");
    agpu_write_set_render_targets(writer, 1, &target, 0);
    agpu_write_set_viewport(writer, 0, 0, 1, 1, 0, 1);
    agpu_write_bind_shaders(writer, 1, 3, 0, 2);
    agpu_write_set_primitive_topology(writer, AEROGPU_TOPOLOGY_POINTLIST);
    agpu_write_draw(writer, 1, instances, 0, 0);
}

/* What would draw more vertices than the budget of work is drawn in parts. */
static void large_draws_are_not_inlined(void **state)
{
    enum { MOST_INSTANCES = 4, VERTICES_OF_POINT = 6 * 3 };
    struct agpu_writer writer;
    (void)state;
    host_attach(&host);
    for (uint32_t instances = MOST_INSTANCES; instances <= MOST_INSTANCES + 1; instances++) {
        host_reset(&host);
        struct ag_drawer *drawer = &ag_exec_of(host.executor)->drawer;
        const uint32_t budget = drawer->work_budget;
        drawer->work_budget = MOST_INSTANCES * VERTICES_OF_POINT;
        inlined()->is_off = false;
        inlined()->uses = 0;
        agpu_writer_init_growing(&writer, NULL);
        write_fans(&writer, instances);
        assert_int_equal(host_run(&host, &writer, NULL, 0), AEROGPU_ERROR_NONE);
        agpu_writer_fini(&writer);
        drawer->work_budget = budget;
        assert_int_equal(inlined()->uses, instances <= MOST_INSTANCES);
        assert_int_equal(host_counters(&host).draws, 1);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constants_fill_the_ring),       cmocka_unit_test(packed_constants_fill_the_ring),
        cmocka_unit_test(bound_constants_fill_the_ring), cmocka_unit_test(large_draws_are_not_inlined),
        cmocka_unit_test(shows_the_same_both_ways),
    };
    if (argc < 2)
        return 2;
    if (argc > 3) {
        first_seed = strtoull(argv[2], NULL, 10);
        stream_count = strtoull(argv[3], NULL, 10);
    }
    int result = host_open(&host, argv[1], NULL);
    if (result == 0)
        result = cmocka_run_group_tests(tests, NULL, NULL);
    host_close(&host);
    return result;
}
