/* SPDX-License-Identifier: MIT
 *
 * The contexts of a client wait for each other for as long as it takes: those of one program are not ended as
 * those of a guest's programs are (turn_ms).
 *
 *     test_turns TOOL DRIVER
 */
#include "../support/test.h"

#include <stdlib.h>
#include <string.h>

#include "aerogpu/executor.h"
#include "base/clock.h"
#include "program.h"

#define TURN_NS (AGPU_DEFAULT_TURN_MS * UINT64_C(1000000))

static const char *tool, *driver;

/* The work: 512 times a clear and a copy, in lists. */
static void prepare_work(struct client *worker)
{
#define EIGHT(text) text text text text text text text text
#define LIST(number, inner)                                                                                  \
    "EXT_CREATE_COMMAND_LIST object_handle=" number                                                          \
    " {\n" EIGHT("  EXT_EXECUTE_COMMAND_LIST list_handle=" inner "\n") "}\n"
    client_say(
        worker,
        "CREATE_TEXTURE2D texture_handle=20 usage_flags=RENDER_TARGET format=R8G8B8A8_UNORM width=4 height=4 "
        "mip_levels=1 array_layers=1\n"
        "CREATE_TEXTURE2D texture_handle=21 usage_flags=RENDER_TARGET format=R8G8B8A8_UNORM width=4 height=4 "
        "mip_levels=1 array_layers=1\n"
        "EXT_CREATE_COMMAND_LIST object_handle=30 {\n"
        "  SET_RENDER_TARGETS colors=[20]\n  CLEAR flags=COLOR color_rgba_f32=[1 0 0 1]\n"
        "  COPY_TEXTURE2D dst_texture=21 src_texture=20 width=4 height=4\n}\n" LIST("31", "30")
            LIST("32", "31") LIST("33", "32"));
}

/* Submits so much work, and a frame in another context, which is shown. Returns how long that took. */
static uint64_t work_and_draw(struct client *worker, struct client *other, uint64_t amount)
{
    uint64_t fence;
    struct guest_errors errors;
    for (uint64_t i = 0; i < amount; i++)
        client_say(worker, "EXT_EXECUTE_COMMAND_LIST list_handle=33\n");
    memset(other->picture.bytes, 0, SIDE * SIDE * 4);
    const uint64_t begin = ag_clock_ns();
    assert_int_equal(guest_stream_submit(&worker->stream, 0, &fence), GUEST_OK);
    assert_int_equal(client_draw(other, 0, &fence), GUEST_OK);
    assert_int_equal(guest_device_wait(worker->device, fence, UINT64_MAX), GUEST_OK);
    const uint64_t took = ag_clock_ns() - begin;
    guest_device_errors(worker->device, &errors);
    assert_int_equal(errors.count, 0);
    assert_true(client_sees_triangle(other));
    return took;
}

static void contexts_of_a_client_wait_for_each_other(void **state)
{
    (void)state;
    const char *arguments[] = {"--driver", driver, NULL};
    struct server server = {0};
    struct client worker, other;
    assert_true(server_start(&server, tool, arguments));
    assert_true(client_open(&worker, server.socket));
    other = worker;
    guest_stream_init(&other.stream, other.device, guest_device_new_context(other.device), 0);
    prepare_work(&worker);
    client_prepare(&other);
    uint64_t amount = 1, took = work_and_draw(&worker, &other, amount);
    while (took < TURN_NS + TURN_NS / 10) { /* as often as takes more than a turn */
        const uint64_t wanted = amount * (TURN_NS + TURN_NS / 2) / (took ? took : 1);
        amount = wanted > amount * 16 ? amount * 16 : wanted + 1;
        took = work_and_draw(&worker, &other, amount);
    }
    guest_stream_fini(&other.stream);
    client_close(&worker);
    assert_int_equal(server_end(&server), 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contexts_of_a_client_wait_for_each_other),
    };
    const int status = program_arguments(argc, argv, &tool, &driver);
    if (status != 0)
        return status;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
