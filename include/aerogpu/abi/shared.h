/* SPDX-License-Identifier: MIT
 *
 * The device over shared memory: a program and a server that executes what the program submits map the same
 * file. It takes the place of BAR0 and of guest memory: registers are read from a page that the host keeps,
 * and written through a queue; guest-physical addresses are offsets into the file. (docs/serve.md)
 *
 *     0x0000  struct aerogpu_shared_control
 *     0x1000  registers 0x0000 to 0x0FFF of BAR0 as they read
 *     0x2000  the queue of register writes
 *     0x10000 the client's memory, to the end
 *
 * The client posts a write: it stores struct aerogpu_shared_write in slot `posted % 512`, then `posted + 1`.
 * The host takes writes in their order, then stores `taken`: a read that must see the effect of a write waits
 * until `taken` is `posted`. Only when `host_sleeps` is not 0 need the client ring: a byte into the doorbell.
 * A client that wants to sleep stores `wait_fence`, counts `waits` up, looks at the fence once more and reads
 * the interrupt, into which the host writes once for each count of `waits`, as soon as the fence is complete.
 * Both sides order "store mine, then load the other's" with a full barrier.
 *
 * Freestanding C99 and C++, little-endian. Nothing that the client can write is trusted by the host.
 */
#ifndef AEROGPU_ABI_SHARED_H
#define AEROGPU_ABI_SHARED_H

#include <stddef.h>
#include <stdint.h>

#include "aerogpu/abi/assert.h"

#define AEROGPU_SHARED_MAGIC 0x4D485341u /* "ASHM" */
#define AEROGPU_SHARED_VERSION 1u

#define AEROGPU_SHARED_REGISTERS_OFFSET 0x1000u
#define AEROGPU_SHARED_REGISTERS_BYTES 0x1000u
#define AEROGPU_SHARED_WRITES_OFFSET 0x2000u
#define AEROGPU_SHARED_WRITES 512u
#define AEROGPU_SHARED_MEMORY_OFFSET 0x10000u
#define AEROGPU_SHARED_LEAST_BYTES 0x200000u

enum aerogpu_shared_flags {
    /* Whoever has windows is asked to show them: EXT_PRESENT with memory for the picture. */
    AEROGPU_SHARED_FLAG_SHOW_WINDOWS = 1 << 0,
};

enum aerogpu_shared_state {
    AEROGPU_SHARED_STATE_STARTING = 0, /* the host opens its GPU; nothing else is to be read yet */
    AEROGPU_SHARED_STATE_RUNNING = 1,
    AEROGPU_SHARED_STATE_ENDED = 2, /* the host serves this client no more: the device is removed */
};

#pragma pack(push, 1)

/* At offset 0. The three parts are in cache lines of their own. */
struct aerogpu_shared_control {
    /* Set before the client sees the mapping. */
    uint32_t magic; /* AEROGPU_SHARED_MAGIC */
    uint32_t version;
    uint64_t size_bytes; /* of the mapping */
    uint32_t flags;      /* enum aerogpu_shared_flags */
    uint32_t reserved0[11];
    /* The host's. */
    volatile uint32_t state; /* enum aerogpu_shared_state */
    volatile uint32_t host_sleeps;
    volatile uint32_t taken; /* register writes so far, modulo 2^32 */
    uint32_t reserved1[13];
    /* The client's. */
    volatile uint32_t posted; /* register writes so far, modulo 2^32 */
    volatile uint32_t waits;
    volatile uint64_t wait_fence;
    uint32_t reserved2[12];
};

struct aerogpu_shared_write {
    uint32_t offset; /* AEROGPU_MMIO_REG_* */
    uint32_t value;
};

/* ---- Connecting through a socket of sequenced packets ------------------------------------------------ */

/* The client's first and only message. */
struct aerogpu_shared_hello {
    uint32_t magic; /* AEROGPU_SHARED_MAGIC */
    uint32_t version;
    uint64_t size_bytes; /* of the mapping that the client wants */
};

enum aerogpu_shared_result {
    AEROGPU_SHARED_RESULT_WELCOME = 0,
    AEROGPU_SHARED_RESULT_VERSION = 1, /* another version of this header */
    AEROGPU_SHARED_RESULT_QUOTA = 2,   /* more memory than a client may have, or less than it needs */
    AEROGPU_SHARED_RESULT_FULL = 3,    /* as many clients as the server takes */
    AEROGPU_SHARED_RESULT_FAILED = 4,  /* the server has no memory or no descriptors left */
};

/* The answer. With WELCOME come three descriptors: the memory, the doorbell and the interrupt (eventfd). The
 * socket stays open as long as both live. */
struct aerogpu_shared_answer {
    uint32_t magic;
    uint32_t version;
    uint32_t result; /* enum aerogpu_shared_result */
    uint32_t reserved0;
    uint64_t size_bytes;
};

/* ---- Connecting through a folder --------------------------------------------------------------------- */

/* The client writes this record into the FIFO AEROGPU_SHARED_FOLDER_CONNECT of the server's folder, in one
 * write. The server makes NAME.doorbell, NAME.interrupt (FIFOs) and then NAME.memory, where NAME is `name` as
 * 16 lower-case hexadecimal digits; a server that takes no such client makes nothing. The client opens
 * doorbell and interrupt, maps the memory and writes a byte into the doorbell, upon which the names go. Each
 * side knows by a FIFO that the other is gone. */
struct aerogpu_shared_request {
    uint32_t magic; /* AEROGPU_SHARED_MAGIC */
    uint32_t version;
    uint64_t size_bytes;
    uint64_t name; /* a number of the client's that nobody else has: a process number and a time */
};

#pragma pack(pop)

#define AEROGPU_SHARED_FOLDER_CONNECT "connect"

AEROGPU_ASSERT_SIZE(struct aerogpu_shared_control, 192);
AEROGPU_ASSERT_OFFSET(struct aerogpu_shared_control, magic, 0);
AEROGPU_ASSERT_OFFSET(struct aerogpu_shared_control, version, 4);
AEROGPU_ASSERT_OFFSET(struct aerogpu_shared_control, size_bytes, 8);
AEROGPU_ASSERT_OFFSET(struct aerogpu_shared_control, flags, 16);
AEROGPU_ASSERT_OFFSET(struct aerogpu_shared_control, reserved0, 20);
AEROGPU_ASSERT_OFFSET(struct aerogpu_shared_control, state, 64);
AEROGPU_ASSERT_OFFSET(struct aerogpu_shared_control, host_sleeps, 68);
AEROGPU_ASSERT_OFFSET(struct aerogpu_shared_control, taken, 72);
AEROGPU_ASSERT_OFFSET(struct aerogpu_shared_control, reserved1, 76);
AEROGPU_ASSERT_OFFSET(struct aerogpu_shared_control, posted, 128);
AEROGPU_ASSERT_OFFSET(struct aerogpu_shared_control, waits, 132);
AEROGPU_ASSERT_OFFSET(struct aerogpu_shared_control, wait_fence, 136);
AEROGPU_ASSERT_OFFSET(struct aerogpu_shared_control, reserved2, 144);
AEROGPU_ASSERT_SIZE(struct aerogpu_shared_write, 8);
AEROGPU_ASSERT_OFFSET(struct aerogpu_shared_write, offset, 0);
AEROGPU_ASSERT_OFFSET(struct aerogpu_shared_write, value, 4);
AEROGPU_ASSERT_SIZE(struct aerogpu_shared_hello, 16);
AEROGPU_ASSERT_OFFSET(struct aerogpu_shared_hello, magic, 0);
AEROGPU_ASSERT_OFFSET(struct aerogpu_shared_hello, version, 4);
AEROGPU_ASSERT_OFFSET(struct aerogpu_shared_hello, size_bytes, 8);
AEROGPU_ASSERT_SIZE(struct aerogpu_shared_answer, 24);
AEROGPU_ASSERT_OFFSET(struct aerogpu_shared_answer, magic, 0);
AEROGPU_ASSERT_OFFSET(struct aerogpu_shared_answer, version, 4);
AEROGPU_ASSERT_OFFSET(struct aerogpu_shared_answer, result, 8);
AEROGPU_ASSERT_OFFSET(struct aerogpu_shared_answer, reserved0, 12);
AEROGPU_ASSERT_OFFSET(struct aerogpu_shared_answer, size_bytes, 16);
AEROGPU_ASSERT_SIZE(struct aerogpu_shared_request, 24);
AEROGPU_ASSERT_OFFSET(struct aerogpu_shared_request, magic, 0);
AEROGPU_ASSERT_OFFSET(struct aerogpu_shared_request, version, 4);
AEROGPU_ASSERT_OFFSET(struct aerogpu_shared_request, size_bytes, 8);
AEROGPU_ASSERT_OFFSET(struct aerogpu_shared_request, name, 16);

#endif
