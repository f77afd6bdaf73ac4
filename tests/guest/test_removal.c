/* SPDX-License-Identifier: MIT
 *
 * What a guest learns of a context that the host has ended by force: its device is removed, and no other.
 */
#include "rig.h"
#include "tests/support/test.h"

static struct rig rig;

#define EDGE 2048u
#define COPIES 400u
#define WORD 0xA5A5A5A5u

/* Much work of one context while another one waits. */
static void copy_for_long(struct umd_resource *from, struct umd_resource *to)
{
    for (uint32_t i = 0; i < COPIES; i++)
        umd_resource_copy(rig.context, to, from);
}

static void an_ended_context_removes_its_device(void **state)
{
    (void)state;
    const uint32_t word = WORD;
    struct umd_device *other;
    struct umd_mapped_subresource mapped;
    rig_begin(&rig, 0);
    assert_int_equal(umd_create_device(rig.adapter, &other), UMD_OK);
    struct umd_context *const waiting = umd_immediate_context(other);
    struct umd_resource *const from = rig_texture(&rig, EDGE, EDGE, 0, 1);
    struct umd_resource *const to = rig_texture(&rig, EDGE, EDGE, 0, 1);
    struct umd_resource *const buffer =
        rig_buffer(&rig, sizeof word, UMD_USAGE_DEFAULT, AEROGPU_EXT_BIND_VERTEX_BUFFER, &word);
    struct umd_resource *const staging = rig_buffer(&rig, sizeof word, UMD_USAGE_STAGING, 0, NULL);
    assert_int_equal(umd_wait_idle(rig.context), UMD_OK);
    assert_int_equal(umd_device_removed_reason(rig.device, true), UMD_NOT_REMOVED);

    copy_for_long(from, to);
    umd_resource_copy(rig.context, staging, buffer);
    assert_int_equal(umd_flush(rig.context, NULL), UMD_OK);
    umd_set_marker(waiting, "waits", 5);
    assert_int_equal(umd_flush(waiting, NULL), UMD_OK);
    /* The bytes never came. */
    assert_int_equal(umd_resource_map(rig.context, staging, 0, UMD_MAP_READ, 0, &mapped), UMD_DEVICE_REMOVED);
    assert_int_equal(umd_device_removed_reason(rig.device, true), UMD_REMOVED_HUNG);
    assert_int_equal(umd_device_removed_reason(other, true), UMD_NOT_REMOVED);
    umd_device_errors(rig.device, &rig.errors);
    assert_true(rig.errors.count != 0);

    umd_destroy_resource(rig.device, from);
    umd_destroy_resource(rig.device, to);
    umd_destroy_resource(rig.device, buffer);
    umd_destroy_resource(rig.device, staging);
    assert_int_equal(umd_wait_idle(waiting), UMD_OK);
    umd_destroy_device(rig.device);
    /* A device that is made now knows nothing of it. */
    assert_int_equal(umd_create_device(rig.adapter, &rig.device), UMD_OK);
    assert_int_equal(umd_device_removed_reason(rig.device, true), UMD_NOT_REMOVED);
    umd_destroy_device(rig.device);
    umd_destroy_device(other);
    umd_close_adapter(rig.adapter);
    guest_in_process_destroy(rig.transport);
}

/* A shader that the host refuses is an error, too. */
static void other_errors_remove_nothing(void **state)
{
    (void)state;
    static const uint8_t nothing[64] = "DXBC";
    const struct umd_shader_desc desc = {
        .stage = UMD_STAGE_PIXEL, .code = nothing, .size_bytes = sizeof nothing};
    const uint32_t word = WORD;
    uint32_t read = 0;
    rig_begin(&rig, 0);
    struct umd_resource *const buffer =
        rig_buffer(&rig, sizeof word, UMD_USAGE_DEFAULT, AEROGPU_EXT_BIND_VERTEX_BUFFER, &word);
    for (uint32_t i = 1; i <= 3; i++) {
        struct umd_shader *shader;
        assert_int_equal(umd_create_shader(rig.device, &desc, &shader), UMD_OK);
        umd_destroy_shader(rig.device, shader);
        assert_int_equal(umd_wait_idle(rig.context), UMD_OK);
        umd_device_errors(rig.device, &rig.errors);
        assert_int_equal(rig.errors.count, i);
        assert_int_equal(umd_device_removed_reason(rig.device, i != 2), UMD_NOT_REMOVED);
        rig_read_buffer(&rig, buffer, &read, sizeof read);
        assert_int_equal(read, word);
    }
    umd_destroy_resource(rig.device, buffer);
    umd_destroy_device(rig.device);
    umd_close_adapter(rig.adapter);
    guest_in_process_destroy(rig.transport);
}

/* An executor whose contexts have short turns, in short slices. */
static int open_with_turns(const char *driver)
{
    const struct agpu_executor_options options = {.size = sizeof options, .slice_us = 1000, .turn_ms = 30};
    const int opened = rig_open(&rig, driver);
    if (opened != 0)
        return opened;
    agpu_executor_destroy(rig.executor);
    return agpu_webgpu_executor_create(rig.gpu, &options, NULL, &rig.executor) == AGPU_OK ? 0 : 1;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_ended_context_removes_its_device),
        cmocka_unit_test(other_errors_remove_nothing),
    };
    if (argc < 2)
        return 1;
    const int opened = open_with_turns(argv[1]);
    if (opened != 0)
        return opened;
    const int failed = cmocka_run_group_tests_name("guest/removal", tests, NULL, NULL);
    rig_close(&rig);
    return failed;
}
