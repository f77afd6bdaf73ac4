/* SPDX-License-Identifier: MIT
 *
 * A machine that shows a picture: RAM in an array, a display that keeps the last frame, and a device that
 * executes on WebGPU. Like embed_null.c it plays both sides. The guest clears a texture and presents it, the
 * emulator gets the picture and looks at its pixels.
 *
 *     cc present.c $(pkg-config --cflags --libs aerogpu)
 *
 * It compiles as C11 and as C++17. Exits with 77 when there is nothing to execute on.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <aerogpu/device.h>
#include <aerogpu/gpu.h>
#include <aerogpu/stream_writer.h>
#include <aerogpu/version.h>

enum {
    RAM_SIZE = 1 << 20,
    RING_ADDRESS = 0x10000,
    RING_ENTRIES = 16,
    STREAM_ADDRESS = 0x20000,
    WIDTH = 64,
    HEIGHT = 32,
    EXIT_NO_GPU = 77,
};

struct machine {
    uint8_t *ram;
    struct agpu_gpu *gpu;
    struct agpu_executor *executor;
    struct agpu_device *device;
    uint32_t frames;
    bool frame_is_right;
};

/* ---- The emulator's side: what the device calls -------------------------------------------------------- */

static bool in_ram(uint64_t gpa, size_t size)
{
    return gpa <= RAM_SIZE && size <= RAM_SIZE - gpa;
}

static bool read_ram(void *user, uint64_t gpa, void *to, size_t size)
{
    const struct machine *machine = (const struct machine *)user;
    if (!in_ram(gpa, size))
        return false;
    memcpy(to, machine->ram + gpa, size);
    return true;
}

static bool write_ram(void *user, uint64_t gpa, const void *from, size_t size)
{
    struct machine *machine = (struct machine *)user;
    if (!in_ram(gpa, size))
        return false;
    memcpy(machine->ram + gpa, from, size);
    return true;
}

/* A display would show the pixels, RGBA8. The guest cleared them to (1, 0.4, 0.2, 1). */
static void show(void *user, const struct agpu_present *present)
{
    struct machine *machine = (struct machine *)user;
    static const uint8_t expected[4] = {255, 102, 51, 255};
    machine->frames++;
    machine->frame_is_right = present->width == WIDTH && present->height == HEIGHT;
    for (size_t i = 0; machine->frame_is_right && i < (size_t)WIDTH * HEIGHT; i++)
        machine->frame_is_right = memcmp(present->pixels + 4 * i, expected, sizeof expected) == 0;
}

static void report(void *user, const struct agpu_diag *diag)
{
    (void)user;
    fprintf(stderr, "%s: %s\n", agpu_diag_slug(diag->code), diag->message);
}

/* A GPU, an executor on it, a device on that. */
static enum agpu_status machine_init(struct machine *machine)
{
    const struct agpu_diag_sink sink = {report, NULL};
    memset(machine, 0, sizeof *machine);
    machine->ram = (uint8_t *)calloc(1, RAM_SIZE);
    if (machine->ram == NULL)
        return AGPU_NO_MEMORY;
    enum agpu_status status = agpu_gpu_create(NULL, &sink, &machine->gpu);
    if (status == AGPU_OK)
        status = agpu_webgpu_executor_create(machine->gpu, NULL, &sink, &machine->executor);
    if (status != AGPU_OK)
        return status;

    struct agpu_device_callbacks callbacks;
    memset(&callbacks, 0, sizeof callbacks);
    callbacks.size = sizeof callbacks;
    callbacks.memory.read = read_ram;
    callbacks.memory.write = write_ram;
    callbacks.memory.user = machine;
    callbacks.presented = show;
    callbacks.diagnostics = sink;
    callbacks.user = machine;
    return agpu_device_create(NULL, &callbacks, machine->executor, 0, &machine->device);
}

static void machine_fini(struct machine *machine)
{
    agpu_device_destroy(machine->device);
    agpu_executor_destroy(machine->executor);
    agpu_gpu_destroy(machine->gpu);
    free(machine->ram);
}

/* ---- The guest's side: what a driver does -------------------------------------------------------------- */

/* The stream goes into guest memory; the result is its size, 0 when it does not fit. */
static uint32_t write_stream(struct machine *machine)
{
    const aerogpu_handle_t target = 1;
    const float color[4] = {1.0f, 0.4f, 0.2f, 1.0f};
    struct aerogpu_cmd_create_texture2d texture;
    memset(&texture, 0, sizeof texture);
    texture.texture_handle = target;
    texture.usage_flags = AEROGPU_RESOURCE_USAGE_RENDER_TARGET | AEROGPU_RESOURCE_USAGE_SCANOUT;
    texture.format = AEROGPU_FORMAT_R8G8B8A8_UNORM;
    texture.width = WIDTH;
    texture.height = HEIGHT;
    texture.mip_levels = 1;
    texture.array_layers = 1;

    struct agpu_writer writer;
    agpu_writer_init_span(&writer, machine->ram + STREAM_ADDRESS, RAM_SIZE - STREAM_ADDRESS, NULL);
    agpu_write_create_texture2d(&writer, &texture);
    agpu_write_set_render_targets(&writer, 1, &target, 0);
    agpu_write_clear(&writer, AEROGPU_CLEAR_COLOR, color, 1.0f, 0);
    agpu_write_present(&writer, 0, AEROGPU_PRESENT_FLAG_NONE);
    return agpu_writer_finish(&writer) == AGPU_OK ? (uint32_t)writer.size : 0;
}

static void write_register(struct machine *machine, uint32_t offset, uint32_t value)
{
    agpu_device_mmio_write(machine->device, offset, 4, value);
}

/* One descriptor in a new ring, and the doorbell. */
static void submit(struct machine *machine, uint32_t stream_size, uint64_t fence)
{
    struct aerogpu_ring_header ring;
    struct aerogpu_submit_desc desc;
    memset(&ring, 0, sizeof ring);
    memset(&desc, 0, sizeof desc);
    ring.magic = AEROGPU_RING_MAGIC;
    ring.abi_version = AEROGPU_ABI_VERSION_U32;
    ring.size_bytes = sizeof ring + RING_ENTRIES * sizeof desc;
    ring.entry_count = RING_ENTRIES;
    ring.entry_stride_bytes = sizeof desc;
    ring.tail = 1;
    desc.desc_size_bytes = sizeof desc;
    desc.flags = AEROGPU_SUBMIT_FLAG_PRESENT;
    desc.cmd_gpa = STREAM_ADDRESS;
    desc.cmd_size_bytes = stream_size;
    desc.signal_fence = fence;
    memcpy(machine->ram + RING_ADDRESS, &ring, sizeof ring);
    memcpy(machine->ram + RING_ADDRESS + sizeof ring, &desc, sizeof desc);
    write_register(machine, AEROGPU_MMIO_REG_RING_GPA_LO, RING_ADDRESS);
    write_register(machine, AEROGPU_MMIO_REG_RING_SIZE_BYTES, ring.size_bytes);
    write_register(machine, AEROGPU_MMIO_REG_RING_CONTROL, AEROGPU_RING_CONTROL_ENABLE);
    write_register(machine, AEROGPU_MMIO_REG_DOORBELL, 1);
}

int main(void)
{
    struct machine machine;
    int result = EXIT_FAILURE;
    const enum agpu_status status = machine_init(&machine);
    if (status == AGPU_OK && agpu_version() >= AGPU_MAKE_VERSION(0, 2, 0)) {
        const uint32_t size = write_stream(&machine);
        uint64_t now_ns = 0;
        submit(&machine, size, 1);
        /* An event loop calls this at the device's next event, and every millisecond while it returns true.
         */
        while (agpu_device_poll(machine.device, now_ns))
            now_ns += 1000000;
        printf("aerogpu %s: %u frame, %s\n", agpu_version_string(), (unsigned)machine.frames,
               machine.frame_is_right ? "as it should be" : "wrong");
        result = machine.frames == 1 && machine.frame_is_right ? EXIT_SUCCESS : EXIT_FAILURE;
    } else if (status == AGPU_MISSING) {
        result = EXIT_NO_GPU;
    }
    machine_fini(&machine);
    return result;
}
