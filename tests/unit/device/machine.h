/* SPDX-License-Identifier: MIT
 *
 * A machine around one device for tests: RAM in an array, an interrupt line that is watched, a scripted
 * executor that does what the test says and remembers what it was given.
 */
#ifndef AG_TESTS_MACHINE_H
#define AG_TESTS_MACHINE_H

#include "../../support/test.h"

#include <stdbool.h>
#include <string.h>

#include "aerogpu/abi/cmd.h"
#include "aerogpu/device.h"

/* The machine's memory map. */
enum {
    RAM_SIZE = 1 << 20,
    FENCE_PAGE = 0x8000,
    RING = 0x10000,
    RING_SIZE = 0x8000,
    COMMANDS = 0x20000,
    TABLE = 0x30000,
    FRAME_BUFFER = 0x40000,
};

enum { RING_ENTRIES = 8, RING_STRIDE = 64 };

#define PERIOD_NS UINT64_C(16666667)
#define BOOT_NS UINT64_C(5000)

struct received {
    struct agpu_submission submission; /* stream and allocations are copies */
    uint8_t *stream;
    struct aerogpu_alloc_entry *allocations;
};

struct machine {
    uint8_t *ram;
    struct agpu_device *device;
    uint64_t now_ns;

    bool irq;
    unsigned irq_changes;
    uint64_t page_fence_at_irq; /* what the fence page held when the line last rose */

    enum agpu_diag_code diag;
    enum agpu_severity diag_severity;
    uint32_t diag_submission;
    unsigned diag_count;

    unsigned presents;
    uint64_t completed_at_present;

    unsigned reads;
    void (*before_read)(struct machine *machine, uint64_t gpa, size_t size);

    struct agpu_executor executor;
    struct agpu_executor_events events;
    struct agpu_guest_memory dma;
    bool manual; /* completes at machine_finish instead of inside submit */
    bool busy;   /* not ready */
    struct received *received;
    uint32_t received_count;
    unsigned resets;
};

/* Ring and fence page programmed and enabled, all interrupts masked. */
void machine_start(struct machine *machine, const struct agpu_device_options *options);
/* The device alone. */
void machine_start_bare(struct machine *machine, const struct agpu_device_options *options);
void machine_stop(struct machine *machine);
int machine_setup(void **state);
int machine_teardown(void **state);

uint32_t reg(struct machine *machine, uint32_t offset);
void set_reg(struct machine *machine, uint32_t offset, uint32_t value);
uint64_t reg64(struct machine *machine, uint32_t offset);
uint32_t ram_u32(struct machine *machine, uint64_t gpa);
void set_ram_u32(struct machine *machine, uint64_t gpa, uint32_t value);
uint64_t ram_u64(struct machine *machine, uint64_t gpa);
uint64_t completed_fence(struct machine *machine);

void write_ring_header(struct machine *machine, uint32_t entries, uint32_t stride);
uint32_t ring_head(struct machine *machine);
uint32_t ring_tail(struct machine *machine);

/* Puts a descriptor into the next slot; `ring_doorbell` makes the device look. */
void enqueue(struct machine *machine, const struct aerogpu_submit_desc *desc);
void ring_doorbell(struct machine *machine);
struct aerogpu_submit_desc empty_desc(uint64_t fence);
void submit_fence(struct machine *machine, uint64_t fence, uint32_t flags);

/* A stream at COMMANDS and a descriptor for it. */
struct aerogpu_submit_desc stream_desc(struct machine *machine, uint64_t fence, const uint32_t *packets,
                                       uint32_t words);
struct aerogpu_submit_desc present_desc(struct machine *machine, uint64_t fence, uint32_t present_flags);

/* The executor's half. */
void machine_finish(struct machine *machine, uint32_t number, uint32_t error);
void machine_show(struct machine *machine, const struct agpu_present *present);
void machine_poll(struct machine *machine, uint64_t advance_ns);

/* The next error: code, fence and diagnostic; forgets it. */
void assert_error(struct machine *machine, uint32_t code, uint64_t fence, enum agpu_diag_code diag);
void assert_no_error(struct machine *machine);

#define WITH_MACHINE(test) cmocka_unit_test_setup_teardown(test, machine_setup, machine_teardown)

#endif
