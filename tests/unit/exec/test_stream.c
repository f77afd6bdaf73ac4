/* SPDX-License-Identifier: MIT
 *
 * Whole streams on a software driver: errors, contexts, shared surfaces, completion, reset and loss.
 */
#include "../../support/test.h"

#include <string.h>

#include "aerogpu/abi/ext.h"
#include "base/bytes.h"
#include "gpu/gpu.h"
#include "host.h"

static struct host host;

#define COPY_BACK AEROGPU_COPY_FLAG_WRITEBACK_DST

static struct agpu_writer begin(void)
{
    struct agpu_writer writer;
    host_reset(&host);
    agpu_writer_init_growing(&writer, NULL);
    return writer;
}

static void run_ok(struct agpu_writer *writer)
{
    host_run_ok(&host, writer);
}

static void stops_at_errors(void **state)
{
    (void)state;
    struct agpu_writer writer = begin();
    const struct aerogpu_alloc_entry allocation = {.alloc_id = 7, .gpa = GUEST_BASE, .size_bytes = 4096};
    const uint32_t value = 0x01010101;
    agpu_write_create_buffer(&writer, 1, 0, 64, 7, 0);
    agpu_write_create_buffer(&writer, 2, 0, 64, 0, 0);
    agpu_write_upload_resource(&writer, 2, 0, &value, 4);
    agpu_write_copy_buffer(&writer, 1, 0, 2, 0, 4, COPY_BACK);
    agpu_write_copy_buffer(&writer, 1, 0, 2, 0, 4, 0x80000000); /* no such flag */
    agpu_write_destroy_resource(&writer, 1);
    assert_int_equal(host_run(&host, &writer, &allocation, 1), AEROGPU_ERROR_BACKEND);
    assert_int_equal(host.first_diag, AGPU_DIAG_EXEC_ARGUMENT);
    assert_int_equal(host.first_packet, 4);
    assert_int_equal(host.guest[0], 0); /* the write-back is dropped */

    /* Earlier effects stay, later packets did not run, the next submission works. */
    agpu_write_copy_buffer(&writer, 1, 0, 2, 0, 4, COPY_BACK);
    assert_int_equal(host_run(&host, &writer, &allocation, 1), AEROGPU_ERROR_NONE);
    assert_int_equal(host.guest[0], 1);
    assert_int_equal(host.completed_count, 2);

    /* What Direct3D's runtime drops is no error: an upload past the end, a draw without shaders. */
    agpu_write_upload_resource(&writer, 2, 64, &value, 4);
    assert_int_equal(host_run(&host, &writer, NULL, 0), AEROGPU_ERROR_NONE);
    agpu_write_create_buffer(&writer, 3, 0, 0, 0, 0);
    assert_int_equal(host_run(&host, &writer, NULL, 0), AEROGPU_ERROR_BACKEND);
    agpu_write_draw(&writer, 3, 1, 0, 0);
    assert_int_equal(host_run(&host, &writer, NULL, 0), AEROGPU_ERROR_NONE);
    agpu_write_create_shader_dxbc(&writer, 5, AGPU_STREAM_STAGE_VERTEX, "not a shader", 12);
    assert_int_equal(host_run(&host, &writer, NULL, 0), AEROGPU_ERROR_BACKEND);
    assert_int_equal(host.completed_count, 6);
    agpu_writer_fini(&writer);
}

/* An upload of no bytes whose header says that it has no bytes either, in front of others that are right. */
static void stops_at_uploads_without_a_size(void **state)
{
    (void)state;
    struct agpu_writer writer = begin();
    const uint32_t value = 0x01010101;
    const struct aerogpu_cmd_upload_resource empty = {.hdr.opcode = AEROGPU_CMD_UPLOAD_RESOURCE,
                                                      .resource_handle = 1};
    agpu_write_create_buffer(&writer, 1, AEROGPU_RESOURCE_USAGE_CONSTANT_BUFFER, 64, 0, 0);
    agpu_write_set_scissor(&writer, 0, 0, 1, 1);
    const size_t place = writer.size;
    agpu_write_upload_resource(&writer, 1, 0, &value, 4);
    agpu_write_upload_resource(&writer, 1, 0, &value, 4);
    memcpy(writer.data + place, &empty, sizeof empty);
    assert_int_equal(host_run(&host, &writer, NULL, 0), AEROGPU_ERROR_CMD_DECODE);
    assert_int_equal(host.first_packet, 2);
    agpu_writer_fini(&writer);
}

/* Each context has bindings of its own; objects are everyone's. */
static void keeps_contexts_apart(void **state)
{
    (void)state;
    struct agpu_writer writer = begin();
    const uint32_t first = 1, second = 2;
    host_write_texture(&writer, first, AEROGPU_RESOURCE_USAGE_RENDER_TARGET, AEROGPU_FORMAT_R8G8B8A8_UNORM, 4,
                       4);
    host_write_texture(&writer, second, AEROGPU_RESOURCE_USAGE_RENDER_TARGET, AEROGPU_FORMAT_R8G8B8A8_UNORM,
                       8, 8);
    agpu_write_set_render_targets(&writer, 1, &first, 0);
    agpu_write_clear(&writer, AEROGPU_CLEAR_COLOR, (const float[4]){1, 0, 0, 1}, 1, 0);
    run_ok(&writer);
    host.context_id = 2;
    agpu_write_set_render_targets(&writer, 1, &second, 0);
    agpu_write_present(&writer, 0, 0);
    run_ok(&writer);
    assert_int_equal(host.present_width, 8);
    host.context_id = 1;
    agpu_write_present(&writer, 0, 0);
    run_ok(&writer);
    assert_int_equal(host.present_width, 4);
    assert_int_equal(host_pixel(&host, 0, 0), 0xFF0000FF);
    agpu_writer_fini(&writer);
}

/* More contexts than are kept ready, each with a target and constants of its own. */
#define MANY_CONTEXTS 300

static void set_constant(struct agpu_writer *writer, uint32_t reg, float red)
{
    agpu_write_set_shader_constants_f(writer, AGPU_STREAM_STAGE_PIXEL, reg, 1,
                                      (const float[4]){red, 0, 0, 1});
}

static void draw_and_present(struct agpu_writer *writer)
{
    agpu_write_draw(writer, 3, 1, 0, 0);
    agpu_write_present(writer, 0, 0);
    run_ok(writer);
}

static void create_full_screen_shaders(struct agpu_writer *writer)
{
    host_assemble_shader(
        writer, 10, AGPU_STREAM_STAGE_VERTEX,
        "vs_4_0\n.in SV_VertexID0 v0.x uint vertex_id\n.out SV_Position0 o0.xyzw float position\n"
        "dcl_input_sgv v0.x, vertex_id\ndcl_output_siv o0.xyzw, position\ndcl_temps 1\n"
        "and r0.x, v0.x, l(1)\nushr r0.y, v0.x, l(1)\nutof r0.xy, r0.xyxx\n"
        "mad o0.xy, r0.xyxx, l(4.0, -4.0, 0.0, 0.0), l(-1.0, 1.0, 0.0, 0.0)\nmov o0.zw, l(0.0, 0.0, 0.0, "
        "1.0)\nret\n");
    host_assemble_shader(
        writer, 11, AGPU_STREAM_STAGE_PIXEL,
        "ps_4_0\n.out SV_Target0 o0.xyzw float\ndcl_constantbuffer cb0[5], immediateIndexed\n"
        "dcl_output o0.xyzw\nmov o0.xyzw, cb0[4].xyzw\nret\n");
}

static void keeps_many_contexts(void **state)
{
    (void)state;
    struct agpu_writer writer = begin();
    create_full_screen_shaders(&writer);
    run_ok(&writer);
    for (uint32_t id = 1; id <= MANY_CONTEXTS; id++) {
        const uint32_t target = 100 + id;
        host.context_id = id;
        host_write_texture(&writer, target, AEROGPU_RESOURCE_USAGE_RENDER_TARGET,
                           AEROGPU_FORMAT_R8G8B8A8_UNORM, 2, 2);
        agpu_write_set_render_targets(&writer, 1, &target, 0);
        agpu_write_bind_shaders(&writer, 10, 11, 0, 0);
        set_constant(&writer, 4, (float)(id % 256) / 255);
        run_ok(&writer);
    }
    host.context_id = 1000;
    agpu_write_destroy_resource(&writer, 101); /* bound in a context that waits */
    run_ok(&writer);
    for (uint32_t id = 2; id <= MANY_CONTEXTS; id += 7) {
        host.context_id = id;
        draw_and_present(&writer);
        assert_int_equal(host_pixel(&host, 0, 0), (id % 256) << 24 | 0xFF);
    }
    host.context_id = 1;
    const uint32_t again = 101;
    host_write_texture(&writer, again, AEROGPU_RESOURCE_USAGE_RENDER_TARGET, AEROGPU_FORMAT_R8G8B8A8_UNORM, 1,
                       1);
    agpu_write_set_render_targets(&writer, 1, &again, 0);
    draw_and_present(&writer);
    assert_int_equal(host.present_width, 1);
    assert_int_equal(host_pixel(&host, 0, 0), 0x010000FF);
    agpu_writer_fini(&writer);
}

static void end_context(struct agpu_writer *writer, uint32_t id)
{
    const struct aerogpu_cmd_ext_destroy_context packet = {.context_id = id};
    agpu_write_packet(writer, AEROGPU_CMD_EXT_DESTROY_CONTEXT, &packet, sizeof packet, NULL, 0);
}

/* Guest drivers count contexts up. Those that wait have so many bytes of state; a packet ends them (decision
 * A37). */
static void bounds_contexts(void **state)
{
    (void)state;
    struct agpu_writer writer = begin();
    static float registers[4096 * 4];
    for (uint32_t i = 0; i < AG_COUNT_OF(registers); i++)
        registers[i] = 1;
    for (uint32_t id = 1; id <= 5000; id++) {
        host.context_id = id;
        run_ok(&writer);
    }
    uint32_t id = 10000;
    for (; id < 11000; id++) {
        host.context_id = id;
        agpu_write_set_shader_constants_f(&writer, AGPU_STREAM_STAGE_PIXEL, 0, 4096, registers);
        if (host_run(&host, &writer, NULL, 0) != AEROGPU_ERROR_NONE)
            break;
    }
    assert_int_equal(host.first_diag, AGPU_DIAG_GPU_LIMIT);
    assert_in_range(id, 10500, 10700); /* 32 MiB of contexts with 64 KiB each wait */
    host.context_id = id - 1;
    for (uint32_t ended = 10000; ended < 10100; ended++)
        end_context(&writer, ended);
    end_context(&writer, 77777);
    run_ok(&writer);
    for (; id < 10700; id++) {
        host.context_id = id;
        agpu_write_set_shader_constants_f(&writer, AGPU_STREAM_STAGE_PIXEL, 0, 4096, registers);
        if (id < 10600)
            run_ok(&writer);
        else
            host_run(&host, &writer, NULL, 0);
    }
    host_reset(&host);
    host.context_id = 10000;
    run_ok(&writer);
    agpu_writer_fini(&writer);
}

/* Retired tokens that follow each other take the room of one; others are counted. */
static void bounds_share_tokens(void **state)
{
    (void)state;
    struct agpu_writer writer = begin();
    host_write_texture(&writer, 1, AEROGPU_RESOURCE_USAGE_RENDER_TARGET, AEROGPU_FORMAT_R8G8B8A8_UNORM, 4, 4);
    for (uint64_t token = 1; token <= 300000; token++) {
        agpu_write_export_shared_surface(&writer, 1, token);
        agpu_write_release_shared_surface(&writer, token);
    }
    run_ok(&writer);
    agpu_write_export_shared_surface(&writer, 1, 299999);
    assert_int_equal(host_run(&host, &writer, NULL, 0), AEROGPU_ERROR_NONE);
    assert_int_equal(host.first_diag, AGPU_DIAG_EXEC_SHARED_SURFACE); /* ignored */
    for (uint64_t token = 1; token < 1 << 18; token++)
        agpu_write_export_shared_surface(&writer, 1, 300000 + 2 * token);
    run_ok(&writer);
    agpu_write_export_shared_surface(&writer, 1, 1 << 30);
    assert_int_equal(host_run(&host, &writer, NULL, 0), AEROGPU_ERROR_NONE);
    assert_int_equal(host.first_diag, AGPU_DIAG_GPU_LIMIT);
    agpu_write_destroy_resource(&writer, 1);
    run_ok(&writer);
    agpu_write_import_shared_surface(&writer, 2, 300002);
    assert_int_equal(host_run(&host, &writer, NULL, 0), AEROGPU_ERROR_BACKEND);
    agpu_writer_fini(&writer);
}

static void shares_surfaces(void **state)
{
    (void)state;
    struct agpu_writer writer = begin();
    const uint32_t alias = 2;
    host_write_texture(&writer, 1, AEROGPU_RESOURCE_USAGE_RENDER_TARGET, AEROGPU_FORMAT_R8G8B8A8_UNORM, 4, 4);
    agpu_write_export_shared_surface(&writer, 1, 55);
    agpu_write_import_shared_surface(&writer, alias, 55);
    agpu_write_destroy_resource(&writer, 1);
    agpu_write_set_render_targets(&writer, 1, &alias, 0);
    agpu_write_clear(&writer, AEROGPU_CLEAR_COLOR, (const float[4]){1, 1, 0, 1}, 1, 0);
    agpu_write_present(&writer, 0, 0);
    run_ok(&writer);
    assert_int_equal(host_pixel(&host, 0, 0), 0xFFFF00FF);
    host_write_texture(&writer, 1, AEROGPU_RESOURCE_USAGE_RENDER_TARGET, AEROGPU_FORMAT_R8G8B8A8_UNORM, 4, 4);
    assert_int_equal(host_run(&host, &writer, NULL, 0), AEROGPU_ERROR_BACKEND); /* reserved by the alias */
    agpu_write_destroy_resource(&writer, alias);
    host_write_texture(&writer, 1, AEROGPU_RESOURCE_USAGE_RENDER_TARGET, AEROGPU_FORMAT_R8G8B8A8_UNORM, 4, 4);
    run_ok(&writer);
    agpu_write_import_shared_surface(&writer, 3, 55);
    assert_int_equal(host_run(&host, &writer, NULL, 0), AEROGPU_ERROR_BACKEND); /* retired with the texture */
    agpu_write_export_shared_surface(&writer, 1, 55);
    run_ok(&writer); /* ignored with a warning */
    assert_int_equal(host.first_diag, AGPU_DIAG_EXEC_SHARED_SURFACE);
    agpu_write_release_shared_surface(&writer, 1234); /* unknown: nothing happens, and it stays usable */
    agpu_write_export_shared_surface(&writer, 1, 1234);
    run_ok(&writer);
    agpu_writer_fini(&writer);
}

static void completes_in_order_and_resets(void **state)
{
    (void)state;
    struct agpu_writer writer = begin();
    const uint32_t target = 1;
    host_write_texture(&writer, target, AEROGPU_RESOURCE_USAGE_RENDER_TARGET, AEROGPU_FORMAT_R8G8B8A8_UNORM,
                       256, 256);
    agpu_write_set_render_targets(&writer, 1, &target, 0);
    for (uint32_t i = 0; i < 5; i++) {
        agpu_write_clear(&writer, AEROGPU_CLEAR_COLOR, (const float[4]){(float)i / 255, 0, 0, 1}, 1, 0);
        agpu_write_present(&writer, 0, 0);
        host_submit(&host, &writer, NULL, 0);
    }
    host_wait(&host);
    assert_int_equal(host.completed_count, 5);
    assert_int_equal(host.last_completed, 4);
    assert_int_equal(host.present_count, 5);
    assert_int_equal(host_pixel(&host, 0, 0), 0x040000FF);
    agpu_write_present(&writer, 0, 0);
    host_submit(&host, &writer, NULL, 0);
    host_reset(&host);
    host_wait(&host);
    assert_int_equal(host.completed_count, 0);
    assert_int_equal(host.present_count, 0);
    host_write_texture(&writer, target, AEROGPU_RESOURCE_USAGE_RENDER_TARGET, AEROGPU_FORMAT_B5G6R5_UNORM, 4,
                       4);
    run_ok(&writer); /* the handle is free again */
    agpu_writer_fini(&writer);
}

/* What was in flight and what comes later completes with an error; after a reset all works again. */
static void survives_the_loss_of_the_device(void **state)
{
    (void)state;
    struct agpu_writer writer = begin();
    const uint32_t target = 1;
    host_write_texture(&writer, target, AEROGPU_RESOURCE_USAGE_RENDER_TARGET, AEROGPU_FORMAT_R8G8B8A8_UNORM,
                       64, 64);
    agpu_write_set_render_targets(&writer, 1, &target, 0);
    run_ok(&writer);
    agpu_write_clear(&writer, AEROGPU_CLEAR_COLOR, (const float[4]){1, 0, 0, 1}, 1, 0);
    agpu_write_present(&writer, 0, 0);
    host_submit(&host, &writer, NULL, 0);
    wgpuDeviceForceLoss(ag_gpu_device(host.gpu), WGPUDeviceLostReason_Unknown, ag_webgpu_string("a test"));
    host_wait(&host);
    assert_int_equal(host.completed_count, 2);
    agpu_write_clear(&writer, AEROGPU_CLEAR_COLOR, (const float[4]){1, 0, 0, 1}, 1, 0);
    agpu_write_present(&writer, 0, 0);
    assert_int_equal(host_run(&host, &writer, NULL, 0), AEROGPU_ERROR_BACKEND);
    assert_int_equal(host.first_diag, AGPU_DIAG_GPU_LOST);
    assert_int_equal(host.completed_count, 3);
    for (uint32_t times = 0; times < 2; times++) {
        host_reset(&host);
        host_write_texture(&writer, target, AEROGPU_RESOURCE_USAGE_RENDER_TARGET,
                           AEROGPU_FORMAT_R8G8B8A8_UNORM, 64, 64);
        agpu_write_set_render_targets(&writer, 1, &target, 0);
        agpu_write_clear(&writer, AEROGPU_CLEAR_COLOR, (const float[4]){0, 1, 0, 1}, 1, 0);
        agpu_write_present(&writer, 0, 0);
        run_ok(&writer);
        assert_int_equal(host_pixel(&host, 0, 0), 0x00FF00FF);
        wgpuDeviceForceLoss(ag_gpu_device(host.gpu), WGPUDeviceLostReason_Unknown,
                            ag_webgpu_string("another test"));
    }
    host_reset(&host);
    agpu_writer_fini(&writer);
    writer = begin();
    agpu_writer_fini(&writer);
}

/* ---- Devices of embedders ----------------------------------------------------------------------------- */

struct lent {
    struct agpu_gpu *owner, *gpu;
    struct agpu_executor *executor;
    uint32_t completed, error;
};

static struct agpu_gpu *open_owner(void)
{
    struct agpu_gpu *gpu;
    const struct agpu_gpu_options options = {.driver = ag_gpu_driver(host.gpu)};
    assert_int_equal(agpu_gpu_create(&options, NULL, &gpu), AGPU_OK);
    return gpu;
}

static void keep_error(void *user, uint32_t submission, uint32_t error)
{
    struct lent *const lent = user;
    (void)submission;
    lent->completed++;
    lent->error = error;
}

static void open_lent(struct lent *lent)
{
    *lent = (struct lent){.owner = open_owner()};
    const struct agpu_gpu_options options = {.instance = (void *)ag_gpu_instance(lent->owner),
                                             .device = (void *)ag_gpu_device(lent->owner)};
    assert_int_equal(agpu_gpu_create(&options, NULL, &lent->gpu), AGPU_OK);
    assert_int_equal(agpu_webgpu_executor_create(lent->gpu, NULL, NULL, &lent->executor), AGPU_OK);
    const struct agpu_executor_events events = {.completed = keep_error, .user = lent};
    lent->executor->attach(lent->executor, &events, NULL);
}

static void submit_lent(struct lent *lent, struct agpu_writer *writer)
{
    assert_int_equal(agpu_writer_finish(writer), AGPU_OK);
    const struct agpu_submission submission = {
        .number = lent->completed, .stream = writer->data, .stream_size = (uint32_t)writer->size};
    lent->executor->submit(lent->executor, &submission);
    agpu_writer_reset(writer);
}

static uint32_t run_lent(struct lent *lent, struct agpu_writer *writer)
{
    const uint32_t before = lent->completed;
    submit_lent(lent, writer);
    while (lent->executor->poll(lent->executor))
        continue;
    assert_int_equal(lent->completed, before + 1);
    return lent->error;
}

static void write_clear(struct agpu_writer *writer)
{
    const uint32_t target = 1;
    host_write_texture(writer, target, AEROGPU_RESOURCE_USAGE_RENDER_TARGET, AEROGPU_FORMAT_R8G8B8A8_UNORM,
                       64, 64);
    agpu_write_set_render_targets(writer, 1, &target, 0);
    agpu_write_clear(writer, AEROGPU_CLEAR_COLOR, (const float[4]){1, 0, 0, 1}, 1, 0);
    agpu_write_present(writer, 0, 0);
}

/* The embedder's instance lives on, and what WebGPU still has to answer goes with its answer. */
static void ends_with_work_in_flight(void **state)
{
    (void)state;
    struct lent lent;
    struct agpu_writer writer;
    agpu_writer_init_growing(&writer, NULL);
    open_lent(&lent);
    write_clear(&writer);
    submit_lent(&lent, &writer);
    assert_int_equal(lent.completed, 0);
    lent.executor->destroy(lent.executor);
    agpu_gpu_destroy(lent.gpu);
    ag_gpu_poll(lent.owner);
    agpu_gpu_destroy(lent.owner);
    assert_int_equal(lent.completed, 0);
    agpu_writer_fini(&writer);
}

static void takes_another_device_of_the_embedder(void **state)
{
    (void)state;
    struct lent lent;
    struct agpu_writer writer;
    struct agpu_gpu *others[2] = {open_owner(), open_owner()};
    agpu_writer_init_growing(&writer, NULL);
    open_lent(&lent);
    write_clear(&writer);
    assert_int_equal(run_lent(&lent, &writer), AEROGPU_ERROR_NONE);
    wgpuDeviceForceLoss(ag_gpu_device(lent.owner), WGPUDeviceLostReason_Unknown, ag_webgpu_string("a test"));
    write_clear(&writer);
    assert_int_equal(run_lent(&lent, &writer), AEROGPU_ERROR_BACKEND);

    /* The guest resets the device before the embedder has another. */
    lent.executor->reset(lent.executor);
    write_clear(&writer);
    assert_int_equal(run_lent(&lent, &writer), AEROGPU_ERROR_BACKEND);
    assert_int_equal(agpu_gpu_replace_device(lent.gpu, (void *)ag_gpu_instance(others[0]),
                                             (void *)ag_gpu_device(others[0])),
                     AGPU_OK);
    assert_false(lent.executor->poll(lent.executor));
    write_clear(&writer);
    assert_int_equal(run_lent(&lent, &writer), AEROGPU_ERROR_NONE);

    /* And after that. */
    wgpuDeviceForceLoss(ag_gpu_device(others[0]), WGPUDeviceLostReason_Unknown, ag_webgpu_string("a test"));
    write_clear(&writer);
    assert_int_equal(run_lent(&lent, &writer), AEROGPU_ERROR_BACKEND);
    assert_int_equal(agpu_gpu_replace_device(lent.gpu, (void *)ag_gpu_instance(others[1]),
                                             (void *)ag_gpu_device(others[1])),
                     AGPU_OK);
    write_clear(&writer);
    assert_int_equal(run_lent(&lent, &writer), AEROGPU_ERROR_BACKEND); /* its objects are gone */
    lent.executor->reset(lent.executor);
    write_clear(&writer);
    assert_int_equal(run_lent(&lent, &writer), AEROGPU_ERROR_NONE);

    lent.executor->destroy(lent.executor);
    agpu_gpu_destroy(lent.gpu);
    agpu_gpu_destroy(lent.owner);
    for (uint32_t i = 0; i < 2; i++)
        agpu_gpu_destroy(others[i]);
    agpu_writer_fini(&writer);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stops_at_errors),
        cmocka_unit_test(stops_at_uploads_without_a_size),
        cmocka_unit_test(keeps_contexts_apart),
        cmocka_unit_test(keeps_many_contexts),
        cmocka_unit_test(bounds_contexts),
        cmocka_unit_test(bounds_share_tokens),
        cmocka_unit_test(shares_surfaces),
        cmocka_unit_test(completes_in_order_and_resets),
        cmocka_unit_test(survives_the_loss_of_the_device),
        cmocka_unit_test(ends_with_work_in_flight),
        cmocka_unit_test(takes_another_device_of_the_embedder),
    };
    if (argc < 3)
        return 1;
    int opened = host_open(&host, argv[1], argv[2]);
    if (opened != 0)
        return opened;
    int failed = cmocka_run_group_tests_name("exec/stream", tests, NULL, NULL);
    host_close(&host);
    return failed;
}
