/* SPDX-License-Identifier: MIT
 *
 * What one context may have of the budgets of memory, and who is charged for what.
 */
#include "../../support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aerogpu/abi/ext.h"
#include "host.h"

#define MEBIBYTE (UINT64_C(1) << 20)
#define GPU_BUDGET (64 * MEBIBYTE)
#define HOST_BUDGET (4 * MEBIBYTE)
#define PERCENT 75
#define PIPELINES 64
#define TOKEN UINT64_C(0x1234)

static struct host host;

static struct agpu_writer begin(uint32_t context)
{
    struct agpu_writer writer;
    agpu_writer_init_growing(&writer, NULL);
    host.context_id = context;
    return writer;
}

/* Runs what the writer has and ends it. */
static uint32_t end(struct agpu_writer *writer)
{
    const uint32_t error = host_run(&host, writer, NULL, 0);
    agpu_writer_fini(writer);
    return error;
}

/* Storage buffers keep no copy on the host. */
static void write_buffer(struct agpu_writer *writer, uint32_t handle, uint64_t mebibytes)
{
    agpu_write_create_buffer(writer, handle, AEROGPU_RESOURCE_USAGE_STORAGE, mebibytes * MEBIBYTE, 0, 0);
}

static uint32_t create(uint32_t context, uint32_t handle, uint64_t mebibytes)
{
    struct agpu_writer writer = begin(context);
    write_buffer(&writer, handle, mebibytes);
    return end(&writer);
}

static uint32_t destroy(uint32_t context, uint32_t handle)
{
    struct agpu_writer writer = begin(context);
    agpu_write_destroy_resource(&writer, handle);
    return end(&writer);
}

static void assert_refused(uint32_t error, const char *what)
{
    assert_int_equal(error, AEROGPU_ERROR_BACKEND);
    assert_int_equal(host.first_diag, AGPU_DIAG_EXEC_MEMORY);
    if (!strstr(host.first_message, what))
        print_message("%s\n", host.first_message);
    assert_non_null(strstr(host.first_message, what));
}

/* ---- Counters ------------------------------------------------------------------------------------------ */

struct seen {
    struct agpu_context_counters contexts[8];
    uint32_t count;
};

static void see(void *user, const struct agpu_context_counters *counters)
{
    struct seen *seen = user;
    assert_true(seen->count < sizeof seen->contexts / sizeof seen->contexts[0]);
    assert_int_equal(counters->size, sizeof *counters);
    seen->contexts[seen->count++] = *counters;
}

static struct seen look(void)
{
    struct seen seen = {.count = 0};
    agpu_executor_visit_contexts(host.executor, see, &seen);
    return seen;
}

static void contexts_are_counted(void **state)
{
    (void)state;
    host_reset(&host);
    assert_int_equal(create(7, 1, 2), AEROGPU_ERROR_NONE);
    assert_int_equal(create(3, 2, 4), AEROGPU_ERROR_NONE);
    assert_refused(create(3, 3, 60), "GPU memory");
    assert_refused(create(3, 3, 65), "GPU memory");
    assert_int_equal(destroy(7, 2), AEROGPU_ERROR_NONE);
    assert_int_equal(destroy(7, 1), AEROGPU_ERROR_NONE);
    assert_int_equal(create(3, 4, 1), AEROGPU_ERROR_NONE);
    const struct seen seen = look();
    assert_int_equal(seen.count, 2);
    const struct agpu_context_counters *three = &seen.contexts[0], *seven = &seen.contexts[1];
    assert_int_equal(three->context_id, 3);
    assert_int_equal(seven->context_id, 7);
    assert_int_equal(three->submissions, 4);
    assert_int_equal(seven->submissions, 3);
    assert_int_equal(three->refusals, 2);
    assert_int_equal(seven->refusals, 0);
    assert_true(three->most_gpu_bytes >= 4 * MEBIBYTE && three->most_gpu_bytes < 6 * MEBIBYTE);
    assert_true(seven->most_gpu_bytes >= 2 * MEBIBYTE && seven->most_gpu_bytes < 3 * MEBIBYTE);
    assert_true(three->gpu_bytes >= MEBIBYTE && three->gpu_bytes <= three->most_gpu_bytes);
    assert_true(three->host_bytes > 0 && three->host_bytes <= three->most_host_bytes);
    assert_true(three->longest_turn_ns > 0 && three->longest_turn_ns <= three->work_ns);
    assert_true(three->longest_latency_ns >= three->longest_turn_ns);
    assert_true(three->latency_ns >= three->longest_latency_ns);
    assert_int_equal(three->hangs, 0);
    host_reset(&host);
    for (uint32_t i = 0; i < look().count; i++)
        assert_int_equal(look().contexts[i].submissions, 0);
}

/* ---- Memory -------------------------------------------------------------------------------------------- */

/* Three quarters of the budget are 48 MiB. */
static void one_context_has_its_share(void **state)
{
    (void)state;
    host_reset(&host);
    assert_int_equal(create(1, 1, 47), AEROGPU_ERROR_NONE);
    assert_refused(create(1, 2, 2), "of context 1 leave other contexts less than");
    assert_int_equal(create(2, 3, 2), AEROGPU_ERROR_NONE);
    assert_refused(create(2, 4, 60), "exceed the budget of GPU memory");
    assert_int_equal(destroy(1, 1), AEROGPU_ERROR_NONE);
    assert_int_equal(create(1, 5, 40), AEROGPU_ERROR_NONE);
}

/* The stream goes on behind a creation that is refused. */
static void refused_creations_end_no_stream(void **state)
{
    (void)state;
    host_reset(&host);
    struct agpu_writer writer = begin(1);
    for (uint32_t i = 1; i <= 20; i++)
        write_buffer(&writer, i, 4);
    agpu_write_destroy_resource(&writer, 1);
    assert_refused(end(&writer), "of context 1 leave other contexts less than");
    assert_int_equal(host.diag_count, 9);
    assert_int_equal(create(1, 30, 4), AEROGPU_ERROR_NONE);
}

/* Each may have three times what remains free, so that there is always room for another one. */
static void many_contexts_never_have_all(void **state)
{
    (void)state;
    host_reset(&host);
    for (uint32_t context = 1; context <= 4; context++)
        for (uint32_t i = 0; i < 64; i++) {
            struct agpu_writer writer = begin(context);
            write_buffer(&writer, context * 100 + i, 1);
            end(&writer);
        }
    struct agpu_writer writer = begin(5);
    agpu_write_create_buffer(&writer, 1, AEROGPU_RESOURCE_USAGE_STORAGE, MEBIBYTE / 16, 0, 0);
    assert_int_equal(end(&writer), AEROGPU_ERROR_NONE);
}

/* What another context has by a share token, or destroys by its handle, stays charged to its maker. */
static void shared_resources_stay_with_their_maker(void **state)
{
    (void)state;
    host_reset(&host);
    struct agpu_writer writer = begin(1);
    write_buffer(&writer, 1, 40);
    agpu_write_export_shared_surface(&writer, 1, TOKEN);
    assert_int_equal(end(&writer), AEROGPU_ERROR_NONE);
    writer = begin(2);
    agpu_write_import_shared_surface(&writer, 2, TOKEN);
    assert_int_equal(end(&writer), AEROGPU_ERROR_NONE);
    assert_int_equal(destroy(1, 1), AEROGPU_ERROR_NONE);
    assert_refused(create(1, 3, 16), "of context 1 leave other contexts less than");
    assert_int_equal(create(2, 4, 16), AEROGPU_ERROR_NONE);
    assert_int_equal(destroy(2, 2), AEROGPU_ERROR_NONE);
    assert_int_equal(create(1, 3, 16), AEROGPU_ERROR_NONE);
}

/* Objects live on when their context ends, and so does what is charged for them. */
static void ended_contexts_pay_for_what_they_left(void **state)
{
    (void)state;
    const struct aerogpu_cmd_ext_destroy_context context = {.context_id = 1};
    host_reset(&host);
    assert_int_equal(create(1, 1, 40), AEROGPU_ERROR_NONE);
    struct agpu_writer writer = begin(2);
    agpu_write_packet(&writer, AEROGPU_CMD_EXT_DESTROY_CONTEXT, &context, sizeof context, NULL, 0);
    assert_int_equal(end(&writer), AEROGPU_ERROR_NONE);
    assert_refused(create(1, 2, 16), "of context 1 leave other contexts less than");
    assert_int_equal(destroy(2, 1), AEROGPU_ERROR_NONE);
    assert_int_equal(create(1, 2, 16), AEROGPU_ERROR_NONE);
}

static void write_samplers(struct agpu_writer *writer, uint32_t count)
{
    for (uint32_t i = 1; i <= count; i++)
        agpu_write_create_sampler(writer, i, 0, 0, 0, 0);
}

static void host_memory_is_shared_out(void **state)
{
    (void)state;
    struct agpu_writer writer = begin(1);
    host_reset(&host);
    write_samplers(&writer, 2000);
    assert_refused(end(&writer), "of the budget of host memory");
    assert_int_equal(create(2, 1, 1), AEROGPU_ERROR_NONE);
    host_reset(&host);
    writer = begin(1);
    write_samplers(&writer, 600);
    assert_int_equal(end(&writer), AEROGPU_ERROR_NONE);
}

/* Further handles of a resource count for the context that has them. */
static void aliases_are_charged(void **state)
{
    (void)state;
    host_reset(&host);
    struct agpu_writer writer = begin(1);
    write_buffer(&writer, 1, 1);
    agpu_write_export_shared_surface(&writer, 1, TOKEN);
    assert_int_equal(end(&writer), AEROGPU_ERROR_NONE);
    for (uint32_t round = 0; round < 2; round++) {
        writer = begin(2);
        for (uint32_t i = 2; i <= 20000; i++)
            agpu_write_import_shared_surface(&writer, i, TOKEN);
        assert_refused(end(&writer), "of context 2 leave other contexts less than");
        assert_int_equal(create(1, 30000, 1), AEROGPU_ERROR_NONE);
        writer = begin(1);
        for (uint32_t i = 2; i <= 20000; i++)
            agpu_write_destroy_resource(&writer, i);
        agpu_write_destroy_resource(&writer, 30000);
        assert_int_equal(end(&writer), AEROGPU_ERROR_NONE);
    }
}

static uint64_t host_bytes_of(uint32_t context)
{
    const struct seen seen = look();
    for (uint32_t i = 0; i < seen.count; i++)
        if (seen.contexts[i].context_id == context)
            return seen.contexts[i].host_bytes;
    return 0;
}

static uint32_t define_objects(uint32_t context)
{
    const struct aerogpu_input_layout_element_dxgi element = {.dxgi_format = 2 /* R32G32B32A32_FLOAT */};
    struct agpu_writer writer = begin(context);
    agpu_write_create_input_layout_dxgi(&writer, 1, &element, 1);
    agpu_write_create_sampler(&writer, 2, AEROGPU_SAMPLER_FILTER_NEAREST, 0, 0, 0);
    return end(&writer);
}

/* Who defines an input layout or a sampler again pays for it from then on, and who defined it before does
 * not. */
static void who_defines_again_is_charged(void **state)
{
    (void)state;
    host_reset(&host);
    assert_int_equal(define_objects(1), AEROGPU_ERROR_NONE);
    const uint64_t bytes = host_bytes_of(1);
    assert_true(bytes >= 8192);
    assert_int_equal(define_objects(2), AEROGPU_ERROR_NONE);
    assert_int_equal(host_bytes_of(1), 0);
    assert_int_equal(host_bytes_of(2), bytes);
    struct agpu_writer writer = begin(1);
    agpu_write_destroy_input_layout(&writer, 1);
    agpu_write_destroy_sampler(&writer, 2);
    assert_int_equal(end(&writer), AEROGPU_ERROR_NONE);
    assert_int_equal(host_bytes_of(1), 0);
    assert_int_equal(host_bytes_of(2), 0);
}

/* A submission that is too long for its context completes with an error, and the next one is executed. */
static void submissions_are_charged(void **state)
{
    (void)state;
    struct agpu_writer writer = begin(1);
    uint8_t *bytes = calloc(1, HOST_BUDGET);
    assert_non_null(bytes);
    host_reset(&host);
    write_buffer(&writer, 1, 4);
    agpu_write_upload_resource(&writer, 1, 0, bytes, (uint32_t)(HOST_BUDGET / 8 * 7));
    assert_int_equal(host_run(&host, &writer, NULL, 0), AEROGPU_ERROR_INTERNAL);
    assert_int_equal(host.first_diag, AGPU_DIAG_EXEC_MEMORY);
    assert_non_null(strstr(host.first_message, "a submission is not executed: "));
    write_buffer(&writer, 1, 4);
    agpu_write_upload_resource(&writer, 1, 0, bytes, (uint32_t)(HOST_BUDGET / 2));
    assert_int_equal(end(&writer), AEROGPU_ERROR_NONE);
    free(bytes);
}

/* ---- Caches -------------------------------------------------------------------------------------------- */

/* One that differs by its number. */
static void write_pixel_shader(struct agpu_writer *writer, uint32_t handle, uint32_t number)
{
    char listing[160];
    snprintf(listing, sizeof listing,
             "ps_4_0\n.out SV_Target0 o0.xyzw float\ndcl_output o0.xyzw\n"
             "mov o0.xyzw, l(%u.0, 0.0, 0.0, 1.0)\nret\n",
             number);
    host_assemble_shader(writer, handle, AGPU_STREAM_STAGE_PIXEL, listing);
}

/* Makes shaders that no handle names any more. */
static void leave_shaders(uint32_t context, uint32_t first, uint32_t count)
{
    struct agpu_writer writer = begin(context);
    for (uint32_t i = 0; i < count; i++) {
        write_pixel_shader(&writer, first + i, first + i);
        agpu_write_destroy_shader(&writer, first + i);
    }
    assert_int_equal(end(&writer), AEROGPU_ERROR_NONE);
}

/* A context that is at its share loses its own shaders that it uses no more, and then makes none. */
static void shaders_that_are_kept_stay_with_their_context(void **state)
{
    (void)state;
    enum { FEW = 8, MANY = 400 };
    host_reset(&host);
    leave_shaders(2, 1, FEW);
    leave_shaders(1, 1000, MANY);
    assert_int_equal(host_counters(&host).shaders_translated, FEW + MANY);
    struct agpu_writer writer = begin(1);
    for (uint32_t i = 0; i < MANY; i++)
        write_pixel_shader(&writer, 2000 + i, 2000 + i);
    assert_refused(end(&writer), "of context 1 leave other contexts less than");
    const uint64_t translated = host_counters(&host).shaders_translated;
    leave_shaders(2, 1, FEW);
    assert_int_equal(host_counters(&host).shaders_translated, translated);
}

/* Draws with a pipeline of its own for each depth bias. */
static void draw_with_biases(uint32_t context, uint32_t first, uint32_t count)
{
    struct agpu_writer writer = begin(context);
    const uint32_t target = context;
    host_write_texture(&writer, target, AEROGPU_RESOURCE_USAGE_RENDER_TARGET, AEROGPU_FORMAT_R8G8B8A8_UNORM,
                       1, 1);
    agpu_write_set_render_targets(&writer, 1, &target, 0);
    host_assemble_shader(&writer, 1, AGPU_STREAM_STAGE_VERTEX,
                         "vs_4_0\n.out SV_Position0 o0.xyzw float position\n"
                         "dcl_output_siv o0.xyzw, position\nmov o0.xyzw, l(0.0, 0.0, 0.0, 1.0)\nret\n");
    write_pixel_shader(&writer, 2, 2);
    agpu_write_bind_shaders(&writer, 1, 2, 0, 0);
    agpu_write_set_primitive_topology(&writer, AEROGPU_TOPOLOGY_TRIANGLELIST);
    for (uint32_t i = 0; i < count; i++) {
        const struct aerogpu_rasterizer_state raster = {.depth_bias = (int32_t)(first + i)};
        agpu_write_set_rasterizer_state(&writer, &raster);
        agpu_write_draw(&writer, 3, 1, 0, 0);
    }
    agpu_write_destroy_resource(&writer, target);
    assert_int_equal(end(&writer), AEROGPU_ERROR_NONE);
}

/* A context that makes very many drops its own. */
static void pipelines_stay_with_their_context(void **state)
{
    (void)state;
    enum { FEW = 20 };
    host_reset(&host);
    draw_with_biases(2, 0, FEW);
    draw_with_biases(1, 1000, 4 * PIPELINES);
    const uint64_t made = host_counters(&host).pipelines;
    assert_int_equal(made, FEW + 4 * PIPELINES);
    draw_with_biases(2, 0, FEW);
    assert_int_equal(host_counters(&host).pipelines, made);
    /* Of a context that was alone, those that others need room for go. */
    for (uint32_t context = 3; context <= 6; context++)
        draw_with_biases(context, context * 1000, PIPELINES / 8);
    const uint64_t before = host_counters(&host).pipelines;
    for (uint32_t context = 3; context <= 6; context++)
        draw_with_biases(context, context * 1000, PIPELINES / 8);
    assert_int_equal(host_counters(&host).pipelines, before);
}

/* Very many contexts leave nothing behind. */
static void contexts_without_memory_are_forgotten(void **state)
{
    (void)state;
    host_reset(&host);
    for (uint32_t context = 1; context <= 5000; context++) {
        struct agpu_writer writer = begin(context);
        write_buffer(&writer, 1, 1);
        agpu_write_destroy_resource(&writer, 1);
        assert_int_equal(end(&writer), AEROGPU_ERROR_NONE);
    }
    assert_int_equal(create(1, 1, 40), AEROGPU_ERROR_NONE);
}

/* Submissions that follow one another at once are executed behind the last, also when that is refused. */
static void a_refused_submission_leaves_none_behind(void **state)
{
    (void)state;
    host_reset(&host);
    assert_int_equal(create(1, 1, 1), AEROGPU_ERROR_NONE); /* nothing of earlier work is waited for */
    const uint64_t packets = host_counters(&host).packets;
    struct agpu_writer writer = begin(1);
    write_buffer(&writer, 2, 1);
    struct agpu_submission submission = host_prepare(&host, &writer, NULL, 0);
    submission.has_next = true;
    host.executor->submit(host.executor, &submission);
    assert_int_equal(host_counters(&host).packets, packets);
    submission.number = host.next_submission++;
    submission.has_next = false;
    submission.stream_size = UINT32_MAX; /* refused before anything reads so much */
    host.executor->submit(host.executor, &submission);
    assert_int_equal(host.last_error, AEROGPU_ERROR_INTERNAL);
    assert_int_equal(host_counters(&host).packets, packets + 1);
    host_wait(&host);
    agpu_writer_fini(&writer);
}

/* A search for what a context has counted. */
struct search {
    uint32_t context_id;
    uint64_t submissions; /* 0: it is forgotten */
};

static void find(void *user, const struct agpu_context_counters *counters)
{
    struct search *search = user;
    if (counters->context_id == search->context_id)
        search->submissions = counters->submissions;
}

static uint64_t submissions_of(uint32_t context)
{
    struct search search = {.context_id = context};
    agpu_executor_visit_contexts(host.executor, find, &search);
    return search.submissions;
}

/* Draws of another context's objects leave a context nothing but their pipeline. */
static void contexts_with_pipelines_are_remembered(void **state)
{
    (void)state;
    const uint32_t target = 1;
    host_reset(&host);
    struct agpu_writer writer = begin(1);
    host_write_texture(&writer, target, AEROGPU_RESOURCE_USAGE_RENDER_TARGET, AEROGPU_FORMAT_R8G8B8A8_UNORM,
                       1, 1);
    host_assemble_shader(&writer, 1, AGPU_STREAM_STAGE_VERTEX,
                         "vs_4_0\n.out SV_Position0 o0.xyzw float position\n"
                         "dcl_output_siv o0.xyzw, position\nmov o0.xyzw, l(0.0, 0.0, 0.0, 1.0)\nret\n");
    write_pixel_shader(&writer, 2, 2);
    assert_int_equal(end(&writer), AEROGPU_ERROR_NONE);
    for (uint32_t context = 2; context <= 3; context++) {
        writer = begin(context);
        agpu_write_set_render_targets(&writer, 1, &target, 0);
        agpu_write_bind_shaders(&writer, 1, 2, 0, 0);
        agpu_write_set_primitive_topology(&writer, AEROGPU_TOPOLOGY_TRIANGLELIST);
        if (context == 3)
            agpu_write_draw(&writer, 3, 1, 0, 0);
        assert_int_equal(end(&writer), AEROGPU_ERROR_NONE);
        assert_int_equal(host_bytes_of(context), 0);
    }
    for (uint32_t context = 4; context <= 2000; context++) {
        writer = begin(context);
        agpu_write_flush(&writer);
        assert_int_equal(end(&writer), AEROGPU_ERROR_NONE);
    }
    assert_int_equal(submissions_of(2), 0);
    assert_int_equal(submissions_of(3), 1);
}

/* ---- What draws need ----------------------------------------------------------------------------------- */

/* The target of draws that have none is as large as their viewport. */
static uint32_t draw_without_targets(uint32_t context, float width, float height)
{
    const struct aerogpu_unordered_access_buffer_binding stored = {.buffer = 1};
    struct agpu_writer writer = begin(context);
    agpu_write_create_buffer(&writer, 1, AEROGPU_RESOURCE_USAGE_STORAGE, 16, 0, 0);
    host_assemble_shader(&writer, 2, AGPU_STREAM_STAGE_VERTEX,
                         "vs_5_0\n.out SV_Position0 o0.xyzw float position\n"
                         "dcl_output_siv o0.xyzw, position\nmov o0.xyzw, l(0.0, 0.0, 0.0, 1.0)\nret\n");
    host_assemble_shader(&writer, 3, AGPU_STREAM_STAGE_PIXEL,
                         "ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_uav_raw u0\n"
                         "store_raw u0.x, l(0), l(1)\nret\n");
    agpu_write_set_unordered_access_buffers(&writer, AGPU_STREAM_STAGE_PIXEL, 0, 1, &stored);
    agpu_write_bind_shaders(&writer, 2, 3, 0, 0);
    agpu_write_set_viewport(&writer, 0, 0, width, height, 0, 1);
    agpu_write_set_primitive_topology(&writer, AEROGPU_TOPOLOGY_POINTLIST);
    agpu_write_draw(&writer, 1, 1, 0, 0);
    agpu_write_destroy_resource(&writer, 1);
    return end(&writer);
}

static void targets_of_draws_without_one_are_charged(void **state)
{
    (void)state;
    host_reset(&host);
    assert_refused(draw_without_targets(1, 8192, 8192), "GPU memory");
    assert_int_equal(draw_without_targets(1, 4096, 4096), AEROGPU_ERROR_NONE);
    const struct seen seen = look();
    assert_int_equal(seen.count, 1);
    assert_true(seen.contexts[0].gpu_bytes >= 16 * MEBIBYTE && seen.contexts[0].gpu_bytes < 18 * MEBIBYTE);
    assert_int_equal(draw_without_targets(1, 4096, 4096), AEROGPU_ERROR_NONE); /* the same target */
    assert_true(look().contexts[0].gpu_bytes < 18 * MEBIBYTE);
    host_reset(&host);
    assert_int_equal(create(1, 1, 1), AEROGPU_ERROR_NONE); /* until the GPU has let the target go */
    assert_int_equal(create(1, 2, 40), AEROGPU_ERROR_NONE);
}

/* Nobody pays for the width of one context times the height of another, which the budget does not have. */
static void targets_of_other_shapes_cost_nothing(void **state)
{
    (void)state;
    host_reset(&host);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(draw_without_targets(1, 8192, 8), AEROGPU_ERROR_NONE);
        assert_int_equal(draw_without_targets(2, 8, 8192), AEROGPU_ERROR_NONE);
    }
    assert_int_equal(draw_without_targets(2, 16, 8192), AEROGPU_ERROR_NONE);
    assert_int_equal(draw_without_targets(1, 4096, 2048), AEROGPU_ERROR_NONE);
    assert_int_equal(draw_without_targets(2, 2048, 4096), AEROGPU_ERROR_NONE); /* one target for both */
    assert_int_equal(draw_without_targets(1, 4096, 2048), AEROGPU_ERROR_NONE);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contexts_are_counted),
        cmocka_unit_test(one_context_has_its_share),
        cmocka_unit_test(refused_creations_end_no_stream),
        cmocka_unit_test(many_contexts_never_have_all),
        cmocka_unit_test(shared_resources_stay_with_their_maker),
        cmocka_unit_test(ended_contexts_pay_for_what_they_left),
        cmocka_unit_test(host_memory_is_shared_out),
        cmocka_unit_test(aliases_are_charged),
        cmocka_unit_test(who_defines_again_is_charged),
        cmocka_unit_test(submissions_are_charged),
        cmocka_unit_test(shaders_that_are_kept_stay_with_their_context),
        cmocka_unit_test(pipelines_stay_with_their_context),
        cmocka_unit_test(contexts_without_memory_are_forgotten),
        cmocka_unit_test(a_refused_submission_leaves_none_behind),
        cmocka_unit_test(contexts_with_pipelines_are_remembered),
        cmocka_unit_test(targets_of_draws_without_one_are_charged),
        cmocka_unit_test(targets_of_other_shapes_cost_nothing),
    };
    if (argc != 2)
        return 1;
    const struct agpu_executor_options options = {
        .size = sizeof options,
        .slice_us = AGPU_NO_SLICE,
        .gpu_memory_bytes = GPU_BUDGET,
        .host_memory_bytes = HOST_BUDGET,
        .context_memory_percent = PERCENT,
        .pipeline_count = PIPELINES,
    };
    const int opened = host_open_with(&host, argv[1], NULL, &options);
    if (opened != 0)
        return opened;
    const int failed = cmocka_run_group_tests_name("exec/accounts", tests, NULL, NULL);
    host_close(&host);
    return failed;
}
