/* SPDX-License-Identifier: MIT
 *
 * The driver where memory runs out, and with many threads, on a device that executes nothing.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "guest/transport/in_process.h"
#include "guest/umd/umd.h"
#include "tests/support/test.h"

/* A bus whose allocator fails at one allocation, counted from 0, and at all behind it. */
struct machine {
    struct agpu_executor *executor;
    struct guest_in_process *transport;
    struct guest_bus bus;
    uint32_t allocations, fails_at;
    int32_t live;
};

static void *allocate(void *user, size_t size)
{
    struct machine *machine = user;
    if (machine->allocations++ >= machine->fails_at)
        return NULL;
    void *memory = malloc(size);
    machine->live += memory != NULL;
    return memory;
}

static void release(void *user, void *memory)
{
    struct machine *machine = user;
    machine->live -= memory != NULL;
    free(memory);
}

static void open_machine(struct machine *machine, uint64_t memory_bytes)
{
    *machine = (struct machine){.executor = agpu_null_executor_create()};
    assert_non_null(machine->executor);
    machine->executor->extension = AEROGPU_EXT_VERSION;
    const struct guest_in_process_options options = {.executor = machine->executor,
                                                     .memory_bytes = memory_bytes};
    machine->transport = guest_in_process_create(&options);
    assert_non_null(machine->transport);
    machine->bus = *guest_in_process_bus(machine->transport);
}

static void close_machine(struct machine *machine)
{
    guest_in_process_destroy(machine->transport);
    agpu_executor_destroy(machine->executor);
}

static struct umd_resource *make_buffer(struct umd_device *device, uint32_t size, uint32_t usage,
                                        uint32_t bind_flags)
{
    static const uint8_t bytes[16384];
    const struct umd_subresource_data data = {bytes, 0, 0};
    const struct umd_resource_desc desc = {
        .dimension = UMD_BUFFER,
        .width = size,
        .usage = usage,
        .bind_flags = bind_flags,
        .cpu_access = usage == UMD_USAGE_DYNAMIC   ? UMD_CPU_WRITE
                      : usage == UMD_USAGE_STAGING ? UMD_CPU_READ | UMD_CPU_WRITE
                                                   : 0,
    };
    struct umd_resource *resource;
    umd_create_resource(device, &desc, &data, &resource);
    return resource;
}

/* ---- Memory that runs out ---------------------------------------------------------------------------- */

static void write_buffer(struct umd_context *context, struct umd_resource *buffer, enum umd_map type)
{
    struct umd_mapped_subresource mapped;
    if (buffer != NULL && umd_resource_map(context, buffer, 0, type, 0, &mapped) == UMD_OK) {
        memset(mapped.data, 7, 64);
        umd_resource_unmap(context, buffer, 0);
    }
}

static void record_list(struct umd_device *device, struct umd_resource *buffer, struct umd_resource *staging,
                        struct umd_query *query)
{
    struct umd_context *deferred;
    struct umd_command_list *list = NULL;
    if (umd_create_deferred_context(device, &deferred) != UMD_OK)
        return;
    write_buffer(deferred, buffer, UMD_MAP_WRITE_DISCARD);
    if (query != NULL)
        umd_query_end(deferred, query);
    if (staging != NULL && buffer != NULL)
        umd_resource_copy(deferred, staging, buffer);
    umd_create_command_list(deferred, &list);
    if (list != NULL)
        umd_execute_command_list(umd_immediate_context(device), list, false);
    umd_destroy_command_list(device, list);
    umd_destroy_deferred_context(deferred);
}

static void use_device(struct umd_device *device)
{
    struct umd_context *context = umd_immediate_context(device);
    struct umd_shader *shader;
    struct umd_query *query;
    struct umd_sampler *sampler;
    const struct umd_shader_desc shader_desc = {.stage = UMD_STAGE_PIXEL, .code = "none", .size_bytes = 4};
    const struct umd_sampler_desc sampler_desc = {.max_anisotropy = 1};
    const uint32_t stride = 16, offset = 0;
    umd_create_shader(device, &shader_desc, &shader);
    umd_create_query(device, AEROGPU_EXT_QUERY_OCCLUSION, 0, &query);
    umd_create_sampler(device, &sampler_desc, &sampler);
    struct umd_resource *vertices =
        make_buffer(device, 16384, UMD_USAGE_DYNAMIC, AEROGPU_EXT_BIND_VERTEX_BUFFER);
    struct umd_resource *constants =
        make_buffer(device, 4096, UMD_USAGE_DYNAMIC, AEROGPU_EXT_BIND_CONSTANT_BUFFER);
    struct umd_resource *staging = make_buffer(device, 16384, UMD_USAGE_STAGING, 0);
    umd_ia_set_vertex_buffers(context, 0, 1, &vertices, &stride, &offset);
    for (uint32_t i = 0; i < 4; i++) {
        write_buffer(context, vertices, i == 0 ? UMD_MAP_WRITE_DISCARD : UMD_MAP_WRITE_NO_OVERWRITE);
        write_buffer(context, constants, UMD_MAP_WRITE_NO_OVERWRITE);
        umd_draw_auto(context);
    }
    if (staging != NULL && vertices != NULL)
        umd_resource_copy(context, staging, vertices);
    write_buffer(context, staging, UMD_MAP_READ_WRITE);
    record_list(device, constants, staging, query);
    umd_clear_state(context);
    umd_wait_idle(context);
    umd_destroy_resource(device, vertices);
    umd_destroy_resource(device, constants);
    umd_destroy_resource(device, staging);
    umd_destroy_shader(device, shader);
    umd_destroy_query(device, query);
    umd_destroy_sampler(device, sampler);
}

/* Fails at each allocation in turn: nothing is left behind, and nothing is used that is not there. */
static void memory_runs_out(void **state)
{
    (void)state;
    bool went_well = false;
    for (uint32_t i = 0; !went_well; i++) {
        struct machine machine;
        struct umd_adapter *adapter;
        struct umd_device *device;
        open_machine(&machine, 4 << 20);
        machine.bus.allocator = (struct guest_allocator){allocate, release, &machine};
        machine.fails_at = i;
        if (umd_open_adapter(&machine.bus, &adapter) == UMD_OK) {
            if (umd_create_device(adapter, &device) == UMD_OK)
                use_device(device);
            umd_destroy_device(device);
            went_well = machine.allocations <= i;
        }
        umd_close_adapter(adapter);
        assert_int_equal(machine.live, 0);
        close_machine(&machine);
        assert_true(i < 1000);
    }
}

/* ---- Threads ----------------------------------------------------------------------------------------- */

#define CREATED 3000u

/* Both return null, or their argument after a failure. */
static void *create_and_destroy(void *user)
{
    struct umd_device *device = user;
    struct umd_resource *resources[16] = {NULL};
    for (uint32_t i = 0; i < CREATED; i++) {
        umd_destroy_resource(device, resources[i % 16]);
        resources[i % 16] = make_buffer(device, 2048 + i % 16, i % 3, AEROGPU_EXT_BIND_VERTEX_BUFFER);
        if (resources[i % 16] == NULL)
            return user;
    }
    for (uint32_t i = 0; i < 16; i++)
        umd_destroy_resource(device, resources[i]);
    return NULL;
}

static void *record_lists(void *user)
{
    struct umd_device *device = user;
    for (uint32_t i = 0; i < 200; i++) {
        struct umd_context *deferred;
        struct umd_command_list *list;
        if (umd_create_deferred_context(device, &deferred) != UMD_OK)
            return user;
        for (uint32_t k = 0; k < 100; k++)
            umd_draw(deferred, 3, 1, 0, 0);
        if (umd_create_command_list(deferred, &list) != UMD_OK)
            return user;
        umd_destroy_command_list(device, list);
        umd_destroy_deferred_context(deferred);
    }
    return NULL;
}

static void threads_create_while_one_draws(void **state)
{
    (void)state;
    struct machine machine;
    struct umd_adapter *adapter;
    struct umd_device *device;
    pthread_t threads[3];
    open_machine(&machine, 64 << 20);
    assert_int_equal(umd_open_adapter(&machine.bus, &adapter), UMD_OK);
    assert_int_equal(umd_create_device(adapter, &device), UMD_OK);
    struct umd_context *context = umd_immediate_context(device);
    struct umd_resource *constants =
        make_buffer(device, 1024, UMD_USAGE_DYNAMIC, AEROGPU_EXT_BIND_CONSTANT_BUFFER);
    pthread_create(&threads[0], NULL, create_and_destroy, device);
    pthread_create(&threads[1], NULL, create_and_destroy, device);
    pthread_create(&threads[2], NULL, record_lists, device);
    for (uint32_t i = 0; i < 20000; i++) {
        write_buffer(context, constants, UMD_MAP_WRITE_DISCARD);
        umd_draw(context, 3, 1, 0, 0);
        if (i % 1000 == 0)
            umd_flush(context, NULL);
    }
    for (uint32_t i = 0; i < 3; i++) {
        void *failed;
        pthread_join(threads[i], &failed);
        assert_null(failed);
    }
    assert_int_equal(umd_device_removed_reason(device, true), UMD_NOT_REMOVED);
    umd_destroy_resource(device, constants);
    umd_destroy_device(device);
    umd_close_adapter(adapter);
    close_machine(&machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_runs_out),
        cmocka_unit_test(threads_create_while_one_draws),
    };
    return cmocka_run_group_tests_name("guest/memory", tests, NULL, NULL);
}
