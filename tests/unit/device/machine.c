/* SPDX-License-Identifier: MIT */
#include "machine.h"

#include <stdlib.h>

/* ---- What the device calls ----------------------------------------------------------------------------- */

/* RAM answers at the bottom and, as some boards do it, again at the very top of the address space. */
static uint8_t *find_ram(struct machine *machine, uint64_t gpa, size_t size)
{
    const uint64_t offset = gpa > UINT64_MAX - RAM_SIZE ? gpa + RAM_SIZE : gpa;
    return offset <= RAM_SIZE && size <= RAM_SIZE - offset ? machine->ram + offset : NULL;
}

static bool read_ram(void *user, uint64_t gpa, void *to, size_t size)
{
    struct machine *machine = user;
    const uint8_t *from = find_ram(machine, gpa, size);
    machine->reads++;
    if (machine->before_read != NULL)
        machine->before_read(machine, gpa, size);
    if (from != NULL)
        memcpy(to, from, size);
    return from != NULL;
}

static bool write_ram(void *user, uint64_t gpa, const void *from, size_t size)
{
    uint8_t *to = find_ram(user, gpa, size);
    if (to != NULL)
        memcpy(to, from, size);
    return to != NULL;
}

static void set_irq(void *user, bool asserted)
{
    struct machine *machine = user;
    assert_int_not_equal(machine->irq, asserted);
    machine->irq = asserted;
    machine->irq_changes++;
    if (asserted)
        machine->page_fence_at_irq = ram_u64(machine, FENCE_PAGE + 8);
}

static void presented(void *user, const struct agpu_present *present)
{
    struct machine *machine = user;
    (void)present;
    machine->presents++;
    machine->completed_at_present = completed_fence(machine);
}

static void report(void *user, const struct agpu_diag *diag)
{
    struct machine *machine = user;
    assert_non_null(diag->message);
    machine->diag = diag->code;
    machine->diag_severity = diag->severity;
    machine->diag_submission = diag->place.submission;
    machine->diag_count++;
}

/* ---- The scripted executor ----------------------------------------------------------------------------- */

static struct machine *machine_of(struct agpu_executor *executor)
{
    return (struct machine *)(void *)((char *)executor - offsetof(struct machine, executor));
}

static void script_submit(struct agpu_executor *executor, const struct agpu_submission *submission)
{
    struct machine *machine = machine_of(executor);
    machine->received = realloc(machine->received, (machine->received_count + 1) * sizeof *machine->received);
    struct received *received = &machine->received[machine->received_count++];
    *received = (struct received){.submission = *submission};
    if (submission->stream != NULL) {
        received->stream = malloc(submission->stream_size);
        memcpy(received->stream, submission->stream, submission->stream_size);
    }
    if (submission->allocation_count != 0) {
        const size_t size = submission->allocation_count * sizeof *received->allocations;
        received->allocations = malloc(size);
        memcpy(received->allocations, submission->allocations, size);
    }
    if (!machine->manual)
        machine->events.completed(machine->events.user, submission->number, AEROGPU_ERROR_NONE);
}

static bool script_poll(struct agpu_executor *executor)
{
    (void)executor;
    return false;
}

static void script_reset(struct agpu_executor *executor)
{
    machine_of(executor)->resets++;
}

static void script_attach(struct agpu_executor *executor, const struct agpu_executor_events *events,
                          const struct agpu_guest_memory *memory)
{
    machine_of(executor)->events = *events;
    machine_of(executor)->dma = *memory;
}

static bool script_ready(struct agpu_executor *executor)
{
    return !machine_of(executor)->busy;
}

void machine_finish(struct machine *machine, uint32_t number, uint32_t error)
{
    machine->events.completed(machine->events.user, number, error);
}

void machine_show(struct machine *machine, const struct agpu_present *present)
{
    machine->events.presented(machine->events.user, present);
}

/* ---- Life ---------------------------------------------------------------------------------------------- */

static uint64_t machine_time(void *user)
{
    return ((const struct machine *)user)->now_ns;
}

void machine_start_bare(struct machine *machine, const struct agpu_device_options *options)
{
    *machine = (struct machine){.ram = calloc(1, RAM_SIZE), .now_ns = BOOT_NS, .diag = AGPU_DIAG_NONE};
    machine->executor = (struct agpu_executor){.submit = script_submit,
                                               .poll = script_poll,
                                               .reset = script_reset,
                                               .attach = script_attach,
                                               .ready = script_ready};
    const struct agpu_device_callbacks callbacks = {
        .memory = {.read = read_ram, .write = write_ram, .user = machine},
        .set_irq = set_irq,
        .presented = presented,
        .diagnostics = {report,                machine                            },
        .user = machine,
        .now_ns = machine_time,
    };
    assert_int_equal(agpu_device_create(options, &callbacks, &machine->executor, BOOT_NS, &machine->device),
                     AGPU_OK);
}

void machine_start(struct machine *machine, const struct agpu_device_options *options)
{
    machine_start_bare(machine, options);
    write_ring_header(machine, RING_ENTRIES, RING_STRIDE);
    set_reg(machine, AEROGPU_MMIO_REG_RING_GPA_LO, RING);
    set_reg(machine, AEROGPU_MMIO_REG_RING_SIZE_BYTES, RING_SIZE);
    set_reg(machine, AEROGPU_MMIO_REG_FENCE_GPA_LO, FENCE_PAGE);
    set_reg(machine, AEROGPU_MMIO_REG_RING_CONTROL, AEROGPU_RING_CONTROL_ENABLE);
}

void machine_stop(struct machine *machine)
{
    agpu_device_destroy(machine->device);
    for (uint32_t i = 0; i < machine->received_count; i++) {
        free(machine->received[i].stream);
        free(machine->received[i].allocations);
    }
    free(machine->received);
    free(machine->ram);
}

int machine_setup(void **state)
{
    struct machine *machine = malloc(sizeof *machine);
    machine_start(machine, NULL);
    *state = machine;
    return 0;
}

int machine_teardown(void **state)
{
    machine_stop(*state);
    free(*state);
    return 0;
}

/* ---- Registers and RAM --------------------------------------------------------------------------------- */

uint32_t reg(struct machine *machine, uint32_t offset)
{
    return (uint32_t)agpu_device_mmio_read(machine->device, offset, 4);
}

void set_reg(struct machine *machine, uint32_t offset, uint32_t value)
{
    agpu_device_mmio_write(machine->device, offset, 4, value);
}

uint64_t reg64(struct machine *machine, uint32_t offset)
{
    return agpu_device_mmio_read(machine->device, offset, 8);
}

uint64_t completed_fence(struct machine *machine)
{
    return reg64(machine, AEROGPU_MMIO_REG_COMPLETED_FENCE_LO);
}

uint32_t ram_u32(struct machine *machine, uint64_t gpa)
{
    uint32_t value;
    memcpy(&value, machine->ram + gpa, sizeof value);
    return value;
}

void set_ram_u32(struct machine *machine, uint64_t gpa, uint32_t value)
{
    memcpy(machine->ram + gpa, &value, sizeof value);
}

uint64_t ram_u64(struct machine *machine, uint64_t gpa)
{
    uint64_t value;
    memcpy(&value, machine->ram + gpa, sizeof value);
    return value;
}

/* ---- The driver's half --------------------------------------------------------------------------------- */

void write_ring_header(struct machine *machine, uint32_t entries, uint32_t stride)
{
    const struct aerogpu_ring_header header = {.magic = AEROGPU_RING_MAGIC,
                                               .abi_version = AEROGPU_ABI_VERSION_U32,
                                               .size_bytes = 64 + entries * stride,
                                               .entry_count = entries,
                                               .entry_stride_bytes = stride};
    memcpy(machine->ram + RING, &header, sizeof header);
}

uint32_t ring_head(struct machine *machine)
{
    return ram_u32(machine, RING + 24);
}

uint32_t ring_tail(struct machine *machine)
{
    return ram_u32(machine, RING + 28);
}

void enqueue(struct machine *machine, const struct aerogpu_submit_desc *desc)
{
    const uint32_t tail = ring_tail(machine);
    const uint32_t entries = ram_u32(machine, RING + 12);
    const uint32_t stride = ram_u32(machine, RING + 16);
    memcpy(machine->ram + RING + 64 + tail % entries * stride, desc, sizeof *desc);
    set_ram_u32(machine, RING + 28, tail + 1);
}

void ring_doorbell(struct machine *machine)
{
    set_reg(machine, AEROGPU_MMIO_REG_DOORBELL, 1);
}

struct aerogpu_submit_desc empty_desc(uint64_t fence)
{
    return (struct aerogpu_submit_desc){.desc_size_bytes = 64, .signal_fence = fence};
}

void submit_fence(struct machine *machine, uint64_t fence, uint32_t flags)
{
    struct aerogpu_submit_desc desc = empty_desc(fence);
    desc.flags = flags;
    enqueue(machine, &desc);
    ring_doorbell(machine);
}

struct aerogpu_submit_desc stream_desc(struct machine *machine, uint64_t fence, const uint32_t *packets,
                                       uint32_t words)
{
    const struct aerogpu_cmd_stream_header header = {.magic = AEROGPU_CMD_STREAM_MAGIC,
                                                     .abi_version = AEROGPU_ABI_VERSION_U32,
                                                     .size_bytes = 24 + words * 4};
    memcpy(machine->ram + COMMANDS, &header, sizeof header);
    if (words != 0)
        memcpy(machine->ram + COMMANDS + 24, packets, words * 4);
    struct aerogpu_submit_desc desc = empty_desc(fence);
    desc.cmd_gpa = COMMANDS;
    desc.cmd_size_bytes = 24 + words * 4;
    return desc;
}

struct aerogpu_submit_desc present_desc(struct machine *machine, uint64_t fence, uint32_t present_flags)
{
    const uint32_t packet[] = {AEROGPU_CMD_PRESENT, 16, 0, present_flags};
    return stream_desc(machine, fence, packet, 4);
}

void machine_poll(struct machine *machine, uint64_t advance_ns)
{
    machine->now_ns += advance_ns;
    agpu_device_poll(machine->device, machine->now_ns);
}

void assert_error(struct machine *machine, uint32_t code, uint64_t fence, enum agpu_diag_code diag)
{
    assert_int_equal(machine->diag_count, 1);
    assert_string_equal(agpu_diag_slug(machine->diag), agpu_diag_slug(diag));
    assert_int_equal(machine->diag_severity, AGPU_ERROR);
    assert_int_equal(reg(machine, AEROGPU_MMIO_REG_ERROR_CODE), code);
    assert_int_equal(reg64(machine, AEROGPU_MMIO_REG_ERROR_FENCE_LO), fence);
    assert_true((reg(machine, AEROGPU_MMIO_REG_IRQ_STATUS) & AEROGPU_IRQ_ERROR) != 0);
    set_reg(machine, AEROGPU_MMIO_REG_IRQ_ACK, AEROGPU_IRQ_ERROR);
    machine->diag_count = 0;
}

void assert_no_error(struct machine *machine)
{
    assert_int_equal(machine->diag_count, 0);
    assert_int_equal(reg(machine, AEROGPU_MMIO_REG_IRQ_STATUS) & AEROGPU_IRQ_ERROR, 0);
}
