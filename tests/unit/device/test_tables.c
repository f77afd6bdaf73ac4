/* SPDX-License-Identifier: MIT
 *
 * Tables of programs that were built with older or later headers.
 */
#include "../../support/test.h"

#include <string.h>

#include "../../support/no_ram.h"
#include "aerogpu/abi/ext.h"
#include "aerogpu/device.h"

#define COMMAND_MEMORY_AND_MASTER 0x6u

static struct agpu_device_callbacks callbacks_of_0_2(void)
{
    return (struct agpu_device_callbacks){.memory = no_ram()};
}

static struct agpu_device *make(const struct agpu_device_options *options,
                                const struct agpu_device_callbacks *callbacks, struct agpu_executor *executor)
{
    struct agpu_device *device = NULL;
    assert_int_equal(agpu_device_create(options, callbacks, executor, 0, &device), AGPU_OK);
    assert_non_null(device);
    return device;
}

static uint32_t command_of(struct agpu_device *device)
{
    return agpu_device_config_read(device, 4, 2) & COMMAND_MEMORY_AND_MASTER;
}

static void options_end_with_their_size(void **state)
{
    (void)state;
    struct agpu_executor *executor = agpu_null_executor_create();
    const struct agpu_device_callbacks callbacks = callbacks_of_0_2();
    struct agpu_device_options options = {.pci_decode_off = true};
    struct agpu_device *device = make(&options, &callbacks, executor);
    assert_int_equal(command_of(device), 0);
    agpu_device_destroy(device);
    options.size = offsetof(struct agpu_device_options, pci_decode_off);
    device = make(&options, &callbacks, executor);
    assert_int_equal(command_of(device), COMMAND_MEMORY_AND_MASTER);
    agpu_device_destroy(device);
    agpu_executor_destroy(executor);
}

static void callbacks_end_with_their_size(void **state)
{
    (void)state;
    struct agpu_executor *executor = agpu_null_executor_create();
    struct agpu_device *device = NULL;
    struct agpu_device_callbacks callbacks = callbacks_of_0_2();
    callbacks.size = offsetof(struct agpu_device_callbacks, memory);
    assert_int_equal(agpu_device_create(NULL, &callbacks, executor, 0, &device), AGPU_REFUSED);
    callbacks.size = sizeof callbacks;
    callbacks.memory.size = offsetof(struct agpu_guest_memory, write);
    assert_int_equal(agpu_device_create(NULL, &callbacks, executor, 0, &device), AGPU_REFUSED);
    agpu_executor_destroy(executor);
}

static void later_callbacks_are_taken(void **state)
{
    (void)state;
    struct {
        struct agpu_device_callbacks callbacks;
        uint64_t later[8];
    } table = {.callbacks = callbacks_of_0_2()};
    struct agpu_executor *executor = agpu_null_executor_create();
    memset(table.later, 0xA5, sizeof table.later);
    table.callbacks.size = sizeof table;
    agpu_device_destroy(make(NULL, &table.callbacks, executor));
    agpu_executor_destroy(executor);
}

/* ---- Executors of a program --------------------------------------------------------------------------- */

static unsigned attached;

static void attach(struct agpu_executor *executor, const struct agpu_executor_events *events,
                   const struct agpu_guest_memory *memory)
{
    (void)executor;
    assert_int_equal(events->size, sizeof *events);
    assert_int_equal(memory->size, sizeof *memory);
    attached++;
}

static struct agpu_executor_events kept_events;
static struct agpu_guest_memory kept_memory;

static void keep_events(struct agpu_executor *executor, const struct agpu_executor_events *events,
                        const struct agpu_guest_memory *memory)
{
    (void)executor;
    kept_events = *events;
    kept_memory = *memory;
}

static void reset(struct agpu_executor *executor)
{
    (void)executor;
}

static bool offers_extension(struct agpu_device *device)
{
    const uint64_t features = agpu_device_mmio_read(device, AEROGPU_MMIO_REG_FEATURES_LO, 4) |
                              agpu_device_mmio_read(device, AEROGPU_MMIO_REG_FEATURES_HI, 4) << 32;
    return (features & AEROGPU_EXT_FEATURE) != 0;
}

static bool take_no_pixels(void *user, const struct agpu_shown *shown)
{
    ++*(unsigned *)user;
    assert_int_equal(shown->width, 8);
    return false;
}

/* The frame buffer of an enabled scanout is guest memory: its pictures are read back whatever the embedder
 * says. */
static void textures_are_read_for_scanouts(void **state)
{
    (void)state;
    unsigned count = 0;
    struct agpu_device_callbacks callbacks = callbacks_of_0_2();
    struct agpu_executor executor = {.attach = keep_events, .reset = reset};
    struct agpu_device *device = make(NULL, &callbacks, &executor);
    assert_null(kept_events.shown);
    agpu_device_destroy(device);

    callbacks.size = sizeof callbacks;
    callbacks.shown = take_no_pixels;
    callbacks.user = &count;
    device = make(NULL, &callbacks, &executor);
    struct agpu_shown shown = {.width = 8, .height = 8};
    assert_false(kept_events.shown(kept_events.user, &shown));
    agpu_device_mmio_write(device, AEROGPU_MMIO_REG_SCANOUT0_ENABLE, 4, 1);
    assert_true(kept_events.shown(kept_events.user, &shown));
    shown.scanout_id = 1;
    assert_false(kept_events.shown(kept_events.user, &shown));
    assert_int_equal(count, 3);
    agpu_device_destroy(device);
}

static void present_nothing(void *user, const struct agpu_present *present)
{
    (void)user, (void)present;
}

/* Embedders and taps that know RGBA8 alone get pictures that are converted. */
static void pictures_have_a_layout_that_is_taken(void **state)
{
    (void)state;
    static const struct agpu_device_tap tap = {.size = sizeof tap, .presented = present_nothing};
    const struct agpu_device_options tapped = {.size = sizeof tapped, .tap = &tap};
    struct agpu_device_callbacks callbacks = callbacks_of_0_2();
    struct agpu_executor executor = {.attach = keep_events, .reset = reset};
    callbacks.size = sizeof callbacks;
    agpu_device_destroy(make(NULL, &callbacks, &executor));
    assert_true(kept_events.takes_any_layout); /* for the scanout alone */
    callbacks.presented = present_nothing;
    agpu_device_destroy(make(NULL, &callbacks, &executor));
    assert_false(kept_events.takes_any_layout);
    callbacks.takes_any_layout = true;
    agpu_device_destroy(make(NULL, &callbacks, &executor));
    assert_true(kept_events.takes_any_layout);
    agpu_device_destroy(make(&tapped, &callbacks, &executor));
    assert_false(kept_events.takes_any_layout);
}

static uint8_t mapped_ram[16];

static const void *map_ram(void *user, uint64_t gpa, size_t size)
{
    (void)user;
    return gpa <= sizeof mapped_ram && size <= sizeof mapped_ram - gpa ? mapped_ram + gpa : NULL;
}

static void ignore_access(void *user, const struct agpu_device_access *access)
{
    (void)user, (void)access;
}

static const void *executor_map(uint64_t gpa, size_t size)
{
    return kept_memory.map(kept_memory.user, gpa, size);
}

/* RAM is where the embedder says, VRAM in the device; registers are nowhere, and what a tap hears of is
 * copied. */
static void executors_see_where_memory_is(void **state)
{
    (void)state;
    static const struct agpu_device_tap tap = {.size = sizeof tap, .memory_read = ignore_access};
    const struct agpu_device_options tapped = {.size = sizeof tapped, .tap = &tap};
    struct agpu_device_callbacks callbacks = callbacks_of_0_2();
    struct agpu_executor executor = {.attach = keep_events, .reset = reset};
    struct agpu_device *device = make(NULL, &callbacks, &executor);
    assert_null(executor_map(0, 4));
    agpu_device_destroy(device);

    callbacks.memory.map = map_ram;
    device = make(NULL, &callbacks, &executor);
    assert_ptr_equal(executor_map(4, 12), mapped_ram + 4);
    assert_null(executor_map(4, 13));
    assert_null(executor_map(UINT64_MAX, 2));
    agpu_device_config_write(device, 0x10, 4, 0xD0000000);
    agpu_device_config_write(device, 0x14, 4, 0xE0000000);
    assert_null(executor_map(0xE0000000, 4)); /* zeros that were never written */
    assert_true(agpu_device_vram_write(device, 8, "vram", 4));
    assert_memory_equal(executor_map(0xE0000008, 4), "vram", 4);
    assert_null(executor_map(0xE0000000 + AEROGPU_PCI_BAR1_SIZE_BYTES - 2, 4));
    assert_null(executor_map(0xD0000000, 4));
    agpu_device_destroy(device);

    device = make(&tapped, &callbacks, &executor);
    assert_null(executor_map(4, 12));
    agpu_device_destroy(device);
}

static void executors_end_with_their_size(void **state)
{
    (void)state;
    const struct agpu_device_callbacks callbacks = callbacks_of_0_2();
    struct agpu_executor executor = {.attach = attach, .reset = reset, .extension = AEROGPU_EXT_VERSION};
    struct agpu_device *device = make(NULL, &callbacks, &executor);
    assert_true(offers_extension(device));
    agpu_device_destroy(device);
    executor.size = offsetof(struct agpu_executor, extension);
    device = make(NULL, &callbacks, &executor);
    assert_false(offers_extension(device));
    agpu_device_destroy(device);
    assert_int_equal(attached, 2);
}

/* The register counts what the executor says, and a reset of the ring does not begin anew. */
static void losses_are_counted(void **state)
{
    (void)state;
    const struct agpu_device_callbacks callbacks = callbacks_of_0_2();
    struct agpu_executor executor = {.attach = keep_events, .reset = reset, .extension = AEROGPU_EXT_VERSION};
    struct agpu_device *device = make(NULL, &callbacks, &executor);
    assert_int_equal(agpu_device_mmio_read(device, AEROGPU_MMIO_REG_EXT_GPU_LOSSES, 4), 0);
    kept_events.device_lost(kept_events.user);
    kept_events.device_lost(kept_events.user);
    assert_int_equal(agpu_device_mmio_read(device, AEROGPU_MMIO_REG_EXT_GPU_LOSSES, 4), 2);
    agpu_device_mmio_write(device, AEROGPU_MMIO_REG_RING_CONTROL, 4, AEROGPU_RING_CONTROL_RESET);
    assert_int_equal(agpu_device_mmio_read(device, AEROGPU_MMIO_REG_EXT_GPU_LOSSES, 4), 2);
    agpu_device_destroy(device);
}

static unsigned completed;

static void on_completed(void *user, uint32_t submission, uint32_t error)
{
    (void)user, (void)submission, (void)error;
    completed++;
}

static void events_and_counters_end_with_their_size(void **state)
{
    (void)state;
    struct agpu_executor *executor = agpu_null_executor_create();
    struct agpu_executor_events events = {.completed = on_completed};
    const struct agpu_submission submission = {.number = 0};
    executor->attach(executor, &events, NULL);
    executor->submit(executor, &submission);
    assert_int_equal(completed, 1);
    events.size = offsetof(struct agpu_executor_events, completed);
    executor->attach(executor, &events, NULL);
    executor->submit(executor, &submission);
    assert_int_equal(completed, 1);

    struct agpu_counters counters = {.packets = 77};
    executor->counters(executor, &counters);
    assert_int_equal(counters.submissions, 2);
    assert_int_equal(counters.packets, 0);
    counters = (struct agpu_counters){.size = offsetof(struct agpu_counters, packets), .packets = 77};
    executor->counters(executor, &counters);
    assert_int_equal(counters.submissions, 2);
    assert_int_equal(counters.packets, 77);
    agpu_executor_destroy(executor);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_end_with_their_size),
        cmocka_unit_test(callbacks_end_with_their_size),
        cmocka_unit_test(later_callbacks_are_taken),
        cmocka_unit_test(textures_are_read_for_scanouts),
        cmocka_unit_test(pictures_have_a_layout_that_is_taken),
        cmocka_unit_test(executors_see_where_memory_is),
        cmocka_unit_test(executors_end_with_their_size),
        cmocka_unit_test(losses_are_counted),
        cmocka_unit_test(events_and_counters_end_with_their_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
