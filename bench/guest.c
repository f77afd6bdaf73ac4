/* SPDX-License-Identifier: MIT
 *
 * What the guest's user-mode driver takes from a call to its packet: nanoseconds a call in frames of 5,000
 * draws, on a device that executes nothing. What the device does with a doorbell does not count.
 *
 *     bench_guest
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "guest/transport/in_process.h"
#include "guest/umd/umd.h"

#define DRAWS 5000u
#define FRAMES 40u
#define SETS 4u

struct machine {
    const struct guest_bus *bus;
    uint64_t doorbell_ns;
    struct umd_adapter *adapter;
    struct umd_device *device;
    struct umd_context *context;
    struct umd_resource *buffer, *index_buffer, *constants, *dynamic, *vertices;
    struct umd_view *views[SETS];
    struct umd_sampler *sampler;
    struct umd_shader *shaders[SETS];
    struct umd_blend_state *blend;
    struct umd_input_layout *layout;
};

/* ---- The device ---------------------------------------------------------------------------------------- */

static void ring_doorbell(void *user)
{
    struct machine *machine = user;
    const uint64_t start = ag_clock_ns();
    machine->bus->doorbell(machine->bus->user);
    machine->doorbell_ns += ag_clock_ns() - start;
}

static uint32_t read_register(void *user, uint32_t offset)
{
    const struct machine *machine = user;
    return machine->bus->read(machine->bus->user, offset);
}

static void write_register(void *user, uint32_t offset, uint32_t value)
{
    const struct machine *machine = user;
    machine->bus->write(machine->bus->user, offset, value);
}

static enum guest_status wait_for_fence(void *user, uint64_t fence, uint64_t timeout_ns)
{
    const struct machine *machine = user;
    return machine->bus->wait(machine->bus->user, fence, timeout_ns);
}

static void lock(void *user, uint32_t number)
{
    const struct machine *machine = user;
    machine->bus->lock(machine->bus->user, number);
}

static void unlock(void *user, uint32_t number)
{
    const struct machine *machine = user;
    machine->bus->unlock(machine->bus->user, number);
}

/* ---- Objects ------------------------------------------------------------------------------------------- */

static struct umd_resource *make_buffer(struct machine *machine, uint32_t size, uint32_t bind_flags,
                                        bool is_dynamic)
{
    const struct umd_resource_desc desc = {
        .dimension = UMD_BUFFER,
        .width = size,
        .bind_flags = bind_flags,
        .usage = is_dynamic ? UMD_USAGE_DYNAMIC : UMD_USAGE_DEFAULT,
        .cpu_access = is_dynamic ? UMD_CPU_WRITE : 0,
    };
    struct umd_resource *resource = NULL;
    umd_create_resource(machine->device, &desc, NULL, &resource);
    return resource;
}

static void make_objects(struct machine *machine)
{
    const struct umd_view_desc view = {.kind = AEROGPU_EXT_VIEW_SHADER_RESOURCE,
                                       .format = 42,
                                       .dimension = AEROGPU_EXT_DIMENSION_BUFFER,
                                       .element_count = 16};
    const struct umd_shader_desc shader = {.stage = UMD_STAGE_PIXEL, .code = "none", .size_bytes = 4};
    const struct umd_sampler_desc sampler = {.max_anisotropy = 1};
    const struct umd_blend_desc blend = {0};
    const struct aerogpu_ext_input_element element = {.format = 2};
    machine->buffer = make_buffer(machine, 65536, AEROGPU_EXT_BIND_SHADER_RESOURCE, false);
    machine->index_buffer = make_buffer(machine, 65536, AEROGPU_EXT_BIND_INDEX_BUFFER, false);
    machine->constants = make_buffer(machine, 65536, AEROGPU_EXT_BIND_CONSTANT_BUFFER, false);
    machine->dynamic = make_buffer(machine, 256, AEROGPU_EXT_BIND_CONSTANT_BUFFER, true);
    machine->vertices = make_buffer(machine, 1 << 20, AEROGPU_EXT_BIND_VERTEX_BUFFER, true);
    for (uint32_t i = 0; i < SETS; i++) {
        umd_create_view(machine->device, machine->buffer, &view, &machine->views[i]);
        umd_create_shader(machine->device, &shader, &machine->shaders[i]);
    }
    umd_create_sampler(machine->device, &sampler, &machine->sampler);
    umd_create_blend_state(machine->device, &blend, &machine->blend);
    umd_create_input_layout(machine->device, &element, 1, &machine->layout);
}

/* ---- Rows ---------------------------------------------------------------------------------------------- */

static uint32_t draws(struct machine *machine, uint32_t i)
{
    umd_draw(machine->context, 3, 1, i, 0);
    return 1;
}

static uint32_t indexed_draws(struct machine *machine, uint32_t i)
{
    umd_draw_indexed(machine->context, 3, 1, i, 0, 0);
    return 1;
}

static uint32_t views(struct machine *machine, uint32_t i)
{
    umd_set_shader_resources(machine->context, UMD_STAGE_PIXEL, i % 8, 1, &machine->views[i % SETS]);
    return 1;
}

static uint32_t constant_buffers(struct machine *machine, uint32_t i)
{
    umd_set_constant_buffers(machine->context, UMD_STAGE_VERTEX, i % 8, 1, &machine->constants, NULL, NULL);
    return 1;
}

static uint32_t vertex_buffers(struct machine *machine, uint32_t i)
{
    const uint32_t stride = 16, offset = i;
    umd_ia_set_vertex_buffers(machine->context, i % 8, 1, &machine->buffer, &stride, &offset);
    return 1;
}

static uint32_t shaders(struct machine *machine, uint32_t i)
{
    umd_set_shader(machine->context, UMD_STAGE_PIXEL, machine->shaders[i % SETS], NULL, 0);
    umd_draw(machine->context, 3, 1, 0, 0);
    return 2;
}

static uint32_t states(struct machine *machine, uint32_t i)
{
    static const float factor[4] = {1, 1, 1, 1};
    umd_set_blend_state(machine->context, machine->blend, factor, i);
    return 1;
}

/* What games do for each of their draws. */
static uint32_t mixed(struct machine *machine, uint32_t i)
{
    const uint32_t stride = 16, offset = i;
    umd_set_shader(machine->context, UMD_STAGE_PIXEL, machine->shaders[i % SETS], NULL, 0);
    umd_ia_set_vertex_buffers(machine->context, 0, 1, &machine->buffer, &stride, &offset);
    umd_ia_set_index_buffer(machine->context, machine->index_buffer, 57, 0);
    umd_set_constant_buffers(machine->context, UMD_STAGE_VERTEX, 0, 1, &machine->constants, NULL, NULL);
    umd_set_shader_resources(machine->context, UMD_STAGE_PIXEL, 0, SETS, machine->views);
    umd_set_samplers(machine->context, UMD_STAGE_PIXEL, 0, 1, &machine->sampler);
    umd_draw_indexed(machine->context, 3, 1, 0, 0, 0);
    return 7;
}

static uint32_t discards(struct machine *machine, uint32_t i)
{
    struct umd_mapped_subresource mapped;
    if (umd_resource_map(machine->context, machine->dynamic, 0, UMD_MAP_WRITE_DISCARD, 0, &mapped) == UMD_OK)
        memset(mapped.data, (int)i, 64);
    umd_resource_unmap(machine->context, machine->dynamic, 0);
    return 2;
}

/* A map, 96 bytes more of a buffer of 1 MiB, and the draw of them. */
static uint32_t appends(struct machine *machine, uint32_t i)
{
    struct umd_mapped_subresource mapped;
    const enum umd_map type = i == 0 ? UMD_MAP_WRITE_DISCARD : UMD_MAP_WRITE_NO_OVERWRITE;
    const uint32_t stride = 16, offset = 0;
    if (i == 0)
        umd_ia_set_vertex_buffers(machine->context, 0, 1, &machine->vertices, &stride, &offset);
    if (umd_resource_map(machine->context, machine->vertices, 0, type, 0, &mapped) == UMD_OK)
        memset((uint8_t *)mapped.data + (size_t)i * 96, (int)i, 96);
    umd_resource_unmap(machine->context, machine->vertices, 0);
    umd_draw(machine->context, 6, 1, i * 6, 0);
    return 3;
}

static void measure(struct machine *machine, const char *name, uint32_t (*row)(struct machine *, uint32_t))
{
    double best = 0;
    umd_clear_state(machine->context);
    umd_ia_set_input_layout(machine->context, machine->layout);
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        uint64_t calls = 0;
        machine->doorbell_ns = 0;
        const uint64_t start = ag_clock_ns();
        for (uint32_t i = 0; i < DRAWS; i++)
            calls += row(machine, i);
        umd_flush(machine->context, NULL);
        const double ns = (double)(ag_clock_ns() - start - machine->doorbell_ns) / (double)calls;
        best = frame == 0 || ns < best ? ns : best;
    }
    printf("%-40s %8.1f ns a call\n", name, best);
}

static void measure_all(struct machine *machine)
{
    measure(machine, "guest draws", draws);
    measure(machine, "guest indexed draws", indexed_draws);
    measure(machine, "guest shader resource views", views);
    measure(machine, "guest constant buffers", constant_buffers);
    measure(machine, "guest vertex buffers", vertex_buffers);
    measure(machine, "guest shaders, with a draw each", shaders);
    measure(machine, "guest blend states", states);
    measure(machine, "guest all of a draw's sets", mixed);
    measure(machine, "guest maps that discard", discards);
    measure(machine, "guest maps that append, with a draw each", appends);
}

int main(void)
{
    struct agpu_executor *executor = agpu_null_executor_create();
    if (executor == NULL)
        return 1;
    executor->extension = AEROGPU_EXT_VERSION;
    const struct guest_in_process_options options = {.executor = executor};
    struct guest_in_process *transport = guest_in_process_create(&options);
    struct machine machine = {0};
    if (transport == NULL)
        return 1;
    machine.bus = guest_in_process_bus(transport);
    struct guest_bus bus = *machine.bus;
    bus.read = read_register;
    bus.write = write_register;
    bus.doorbell = ring_doorbell;
    bus.wait = wait_for_fence;
    bus.is_lost = NULL;
    bus.lock = lock;
    bus.unlock = unlock;
    bus.user = &machine;
    if (umd_open_adapter(&bus, &machine.adapter) != UMD_OK ||
        umd_create_device(machine.adapter, &machine.device) != UMD_OK)
        return 1;
    machine.context = umd_immediate_context(machine.device);
    make_objects(&machine);
    measure_all(&machine);
    umd_destroy_device(machine.device);
    umd_close_adapter(machine.adapter);
    guest_in_process_destroy(transport);
    agpu_executor_destroy(executor);
    return 0;
}
