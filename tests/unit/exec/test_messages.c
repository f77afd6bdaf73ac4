/* SPDX-License-Identifier: MIT
 *
 * What diagnostics say beside their code: the packet's name and formats by name; and that refused creations
 * are told once.
 */
#include "../../support/test.h"

#include <string.h>

#include "exec/host/refused_handle.h"
#include "exec/submit/exec.h"
#include "host.h"

static struct host host;

static int start(void **state)
{
    (void)state;
    host_reset(&host);
    return 0;
}

static void assert_refused(const char *text, const char *message)
{
    assert_int_not_equal(host_run_text(&host, text), 0);
    assert_string_equal(host.first_message, message);
}

/* ---- Packets ------------------------------------------------------------------------------------------ */

static void diagnostics_have_the_name_of_their_packet(void **state)
{
    (void)state;
    assert_refused("NOP\nCREATE_TEXTURE_VIEW view_handle=9 texture_handle=7\n", "handle 7 names no texture");
    assert_int_equal(host.first_packet, 1);
    assert_string_equal(host.first_packet_name, "CREATE_TEXTURE_VIEW");
}

static void lists_have_the_name_of_the_packet_that_executes_them(void **state)
{
    (void)state;
    assert_refused("EXT_CREATE_COMMAND_LIST object_handle=1 {\n"
                   "  COPY_BUFFER flags=0x80000000\n"
                   "}\n"
                   "EXT_EXECUTE_COMMAND_LIST list_handle=1\n",
                   "unknown copy flags 0x80000000");
    assert_int_equal(host.first_packet, 1);
    assert_string_equal(host.first_packet_name, "EXT_EXECUTE_COMMAND_LIST");
}

static void malformed_packets_have_a_name(void **state)
{
    (void)state;
    struct agpu_writer writer;
    agpu_writer_init_growing(&writer, NULL);
    agpu_write_raw(&writer, AEROGPU_CMD_CREATE_BUFFER, "1234", 4);
    assert_int_equal(host_run(&host, &writer, NULL, 0), AEROGPU_ERROR_CMD_DECODE);
    agpu_writer_fini(&writer);
    assert_int_equal(host.first_packet, 0);
    assert_string_equal(host.first_packet_name, "CREATE_BUFFER");
}

/* ---- Formats ------------------------------------------------------------------------------------------ */

static void formats_are_named(void **state)
{
    (void)state;
    assert_int_equal(host_run_text(&host,
                                   "CREATE_TEXTURE2D texture_handle=7 usage_flags=TEXTURE "
                                   "format=R8G8B8A8_UNORM width=4 height=4 mip_levels=1 array_layers=1\n"),
                     0);
    assert_refused(
        "CREATE_TEXTURE_VIEW view_handle=9 texture_handle=7 format=BC1_RGBA_UNORM mip_level_count=1 "
        "array_layer_count=1\n",
        "a R8G8B8A8_UNORM texture cannot be seen as BC1_UNORM");
    assert_refused("EXT_CREATE_VIEW view_handle=9 resource_handle=7 kind=SHADER_RESOURCE dimension=TEXTURE2D "
                   "format=DXGI_R32_FLOAT mip_level_count=1 array_layer_count=1\n",
                   "a R8G8B8A8_UNORM texture has no shader resource view of R32_FLOAT");
    assert_refused("CREATE_TEXTURE2D texture_handle=8 usage_flags=TEXTURE format=999 width=4 height=4 "
                   "mip_levels=1 array_layers=1\n",
                   "format 999 is no texture format");
}

/* ---- Refused handles ---------------------------------------------------------------------------------- */

static const char refused_texture[] =
    "CREATE_TEXTURE2D texture_handle=7 usage_flags=TEXTURE format=999 width=4 height=4 mip_levels=1 "
    "array_layers=1\n"
    "NOP\n";
static const char good_texture[] = "CREATE_TEXTURE2D texture_handle=7 usage_flags=TEXTURE "
                                   "format=R8G8B8A8_UNORM width=4 height=4 mip_levels=1 "
                                   "array_layers=1\n";
static const char use[] = "CREATE_TEXTURE_VIEW view_handle=9 texture_handle=7 format=R8G8B8A8_UNORM\n";
static const char use_of_view[] = "EXT_GENERATE_MIPS view_handle=9\n";
static const char plain[] = "handle 7 names no texture";

static size_t refused_handles(void)
{
    return ag_exec_of(host.executor)->host.refused_handles.count;
}

static void assert_silent(const char *text)
{
    assert_int_equal(host_run_text(&host, text), 0);
    assert_string_equal(host.first_message, "");
}

static void a_refused_creation_is_told_once(void **state)
{
    (void)state;
    assert_refused(refused_texture, "format 999 is no texture format");
    assert_int_equal(refused_handles(), 1);
    assert_silent("RESOURCE_DIRTY_RANGE resource_handle=7 size_bytes=4\n");
    assert_silent("EXT_DISCARD_RESOURCE resource_handle=7\n");
}

static void what_is_made_of_it_is_refused_too(void **state)
{
    (void)state;
    assert_int_not_equal(host_run_text(&host, refused_texture), 0);
    assert_silent(use);
    assert_silent(use_of_view);
    assert_int_equal(refused_handles(), 2);
}

static void a_refusal_is_over_when_the_handle_is_destroyed(void **state)
{
    (void)state;
    assert_int_not_equal(host_run_text(&host, refused_texture), 0);
    assert_silent("DESTROY_RESOURCE resource_handle=7\n");
    assert_int_equal(refused_handles(), 0);
    assert_refused(use, plain);
}

static void a_refusal_is_over_when_the_handle_is_created(void **state)
{
    (void)state;
    assert_int_not_equal(host_run_text(&host, refused_texture), 0);
    assert_silent(good_texture);
    assert_int_equal(refused_handles(), 0);
}

static void a_reset_forgets_refusals(void **state)
{
    (void)state;
    assert_int_not_equal(host_run_text(&host, refused_texture), 0);
    host_reset(&host);
    assert_refused(use, plain);
}

static void handles_of_other_objects_are_told_apart(void **state)
{
    (void)state;
    assert_int_not_equal(host_run_text(&host, "EXT_CREATE_QUERY object_handle=7 type=99\n"), 0);
    assert_refused(use, plain);
    assert_silent("EXT_BEGIN_QUERY query_handle=7\n");
}

/* Submits a shader that is none. */
static void refuse_shader(uint32_t handle, enum agpu_stream_stage stage)
{
    struct agpu_writer writer;
    agpu_writer_init_growing(&writer, NULL);
    agpu_write_create_shader_dxbc(&writer, handle, stage, "none", 4);
    assert_int_not_equal(host_run(&host, &writer, NULL, 0), 0);
    agpu_writer_fini(&writer);
}

static void draws_without_their_shaders_are_skipped(void **state)
{
    (void)state;
    refuse_shader(2, AGPU_STREAM_STAGE_VERTEX);
    refuse_shader(4, AGPU_STREAM_STAGE_PIXEL);
    assert_silent("CREATE_TEXTURE2D texture_handle=7 usage_flags=RENDER_TARGET format=R8G8B8A8_UNORM width=4 "
                  "height=4 mip_levels=1 array_layers=1\n"
                  "SET_RENDER_TARGETS colors=[7]\n"
                  "BIND_SHADERS vs=2 ps=4\n"
                  "DRAW vertex_count=3 instance_count=1\n");
}

static void a_malformed_creation_stops_the_stream(void **state)
{
    (void)state;
    assert_refused("CREATE_BUFFER buffer_handle=0 size_bytes=16\n"
                   "CREATE_TEXTURE2D texture_handle=7 usage_flags=TEXTURE format=R8G8B8A8_UNORM width=4 "
                   "height=4 mip_levels=1 array_layers=1\n",
                   "handle 0 cannot name an object");
    assert_refused(use, plain);
    assert_int_equal(refused_handles(), 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(diagnostics_have_the_name_of_their_packet, start),
        cmocka_unit_test_setup(lists_have_the_name_of_the_packet_that_executes_them, start),
        cmocka_unit_test_setup(malformed_packets_have_a_name, start),
        cmocka_unit_test_setup(formats_are_named, start),
        cmocka_unit_test_setup(a_refused_creation_is_told_once, start),
        cmocka_unit_test_setup(what_is_made_of_it_is_refused_too, start),
        cmocka_unit_test_setup(a_refusal_is_over_when_the_handle_is_destroyed, start),
        cmocka_unit_test_setup(a_refusal_is_over_when_the_handle_is_created, start),
        cmocka_unit_test_setup(a_reset_forgets_refusals, start),
        cmocka_unit_test_setup(handles_of_other_objects_are_told_apart, start),
        cmocka_unit_test_setup(draws_without_their_shaders_are_skipped, start),
        cmocka_unit_test_setup(a_malformed_creation_stops_the_stream, start),
    };
    if (argc != 2)
        return 1;
    const int opened = host_open(&host, argv[1], NULL);
    const int failed = opened == 0 ? cmocka_run_group_tests(tests, NULL, NULL) : opened;
    host_close(&host);
    return failed;
}
