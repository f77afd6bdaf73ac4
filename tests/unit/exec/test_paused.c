/* SPDX-License-Identifier: MIT
 *
 * A command list that waits for the GPU when the guest resets the device, or when the device is lost: the
 * state that it was to bring back goes with it.
 */
#include "../../support/test.h"

#include <stdlib.h>
#include <string.h>

#include "../../support/failing_memory.h"
#include "aerogpu/text.h"
#include "gpu/gpu.h"
#include "host.h"

static struct host host;

/* The list's draw waits for its arguments, which the GPU has written. What the context owns is in memory of
 * its own. */
static const char text[] =
    "CREATE_BUFFER buffer_handle=$args usage_flags=STORAGE size_bytes=64\n"
    "EXT_CREATE_VIEW view_handle=$v resource_handle=$args kind=UNORDERED_ACCESS dimension=BUFFER "
    "format=DXGI_R32_TYPELESS flags=RAW element_count=16\n"
    "EXT_CLEAR_UNORDERED_ACCESS_VIEW view_handle=$v\n"
    "EXT_CREATE_COMMAND_LIST object_handle=$inner {\n"
    "  SET_SHADER_CONSTANTS_F stage=VERTEX vec4_count=1 data=[1 1 1 1]\n"
    "  EXT_DRAW_INSTANCED_INDIRECT buffer=$args\n"
    "}\n"
    "EXT_CREATE_COMMAND_LIST object_handle=$outer {\n"
    "  SET_SHADER_CONSTANTS_F stage=COMPUTE vec4_count=1 data=[1 1 1 1]\n"
    "  EXT_EXECUTE_COMMAND_LIST list_handle=$inner flags=RESTORE_STATE\n"
    "}\n"
    "SET_SHADER_CONSTANTS_F stage=PIXEL vec4_count=1 data=[1 1 1 1]\n"
    "SET_SHADER_CONSTANTS_I stage=PIXEL data=[1 1 1 1]\n"
    "SET_SHADER_CONSTANTS_B stage=PIXEL data=[1 1 1 1]\n"
    "EXT_SET_CLASS_INSTANCES shader_stage=PIXEL instances=[{function_table=1}]\n"
    "EXT_EXECUTE_COMMAND_LIST list_handle=$outer flags=RESTORE_STATE\n";

/* Submits the stream, which does not come to its end. */
static void pause_list(void)
{
    uint8_t *stream;
    size_t size;
    struct agpu_writer writer;
    assert_int_equal(agpu_text_assemble(text, sizeof text - 1, NULL, NULL, &stream, &size), AGPU_OK);
    agpu_writer_init_growing(&writer, NULL);
    host.raw_stream = stream;
    host.raw_size = (uint32_t)size;
    host_submit(&host, &writer, NULL, 0);
    agpu_writer_fini(&writer);
    agpu_free(stream);
    assert_int_equal(host.diag_count, 0);
    assert_int_equal(host.completed_count, 0);
}

static void reset_forgets_saved_states(void **state)
{
    (void)state;
    host_reset(&host);
    const unsigned live = failing_memory_live();
    for (uint32_t times = 0; times < 3; times++) {
        pause_list();
        host_reset(&host);
    }
    host_wait(&host);
    host_reset(&host);
    assert_true(failing_memory_live() <= live + 8); /* pools may have grown, once */
}

static void loss_forgets_saved_states(void **state)
{
    (void)state;
    host_reset(&host);
    const unsigned live = failing_memory_live();
    for (uint32_t times = 0; times < 3; times++) {
        pause_list();
        wgpuDeviceForceLoss(ag_gpu_device(host.gpu), WGPUDeviceLostReason_Unknown,
                            ag_webgpu_string("a test"));
        host_wait(&host);
        assert_int_equal(host.completed_count, 1);
        assert_int_equal(host.last_error, AEROGPU_ERROR_BACKEND);
        host_reset(&host);
    }
    assert_true(failing_memory_live() <= live + 8);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reset_forgets_saved_states),
        cmocka_unit_test(loss_forgets_saved_states),
    };
    if (argc != 2)
        return 1;
    const int opened = host_open(&host, argv[1], NULL);
    const int failed = opened == 0 ? cmocka_run_group_tests(tests, NULL, NULL) : opened;
    host_close(&host);
    return failed;
}
