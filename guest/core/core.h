/* SPDX-License-Identifier: MIT
 *
 * The guest's side of the device: its registers, the ring, submissions, fences, and the memory that guest and
 * host share. Freestanding: of a C library it needs memcpy and memset. What a guest has of an operating
 * system is handed in (struct guest_bus), so that the same code runs in a display driver, in a program
 * without an operating system, and over shared memory. (Spec: ABI sections 2 and 4.)
 *
 *     struct guest_device *device;
 *     if (guest_device_create(&bus, &device) != GUEST_OK)
 *         return;
 *     struct guest_stream stream;
 *     guest_stream_init(&stream, device, context_id, 0);
 *     struct aerogpu_cmd_draw *draw = guest_stream_packet(&stream, AEROGPU_CMD_DRAW, sizeof *draw);
 *     ...
 *     uint64_t fence;
 *     guest_stream_submit(&stream, 0, &fence);
 *     guest_device_wait(device, fence, UINT64_MAX);
 *
 * Threads: functions of one guest_device may be called from any thread where the bus has a lock, and from one
 * at a time where it has none. A stream belongs to one thread at a time.
 */
#ifndef GUEST_CORE_CORE_H
#define GUEST_CORE_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "aerogpu/abi/ext.h"
#include "aerogpu/abi/pci.h"
#include "aerogpu/abi/ring.h"

enum guest_status {
    GUEST_OK = 0,
    GUEST_NO_MEMORY,   /* of the allocator, or of the shared region */
    GUEST_TIMEOUT,     /* the fence is not complete yet */
    GUEST_DEVICE_LOST, /* the transport's other side is gone */
    GUEST_UNSUPPORTED, /* no AeroGPU device, another major version of its ABI, or none of the extension */
};

/* Private memory of the guest. Any thread may call where the bus has a lock. */
struct guest_allocator {
    void *(*allocate)(void *user, size_t size); /* aligned for every type; null: none left */
    void (*release)(void *user, void *memory);  /* accepts null */
    void *user;
};

/* Memory that both sides see: consecutive in the guest's addresses and in those of the device. Page-aligned.
 */
struct guest_region {
    uint8_t *bytes;
    uint64_t gpa;
    uint64_t size; /* at least GUEST_LEAST_REGION_BYTES */
};
#define GUEST_LEAST_REGION_BYTES (UINT64_C(1) << 20)

enum guest_lock {
    GUEST_LOCK_DEVICE = 0, /* the ring and the heap: taken last, for short times, never over `wait` */
    GUEST_LOCK_USER = 1,   /* for what is built on the core */
    GUEST_LOCK_COUNT,
};

/* What a transport provides. Functions get `user`. */
struct guest_bus {
    /* Registers of BAR0 (AEROGPU_MMIO_REG_*), 32 bits each. */
    uint32_t (*read)(void *user, uint32_t offset);
    void (*write)(void *user, uint32_t offset, uint32_t value);
    /* New descriptors are in the ring. The stores before it are visible first. */
    void (*doorbell)(void *user);
    /* Blocks until the device has completed `fence`, for `timeout_ns` at most (UINT64_MAX: no limit).
     * GUEST_OK: look at the fence, also when woken early; GUEST_TIMEOUT: the time is over; GUEST_DEVICE_LOST:
     * the other side is gone and completes nothing any more. */
    enum guest_status (*wait)(void *user, uint64_t fence, uint64_t timeout_ns);
    /* A register that changes by itself, without a wait for writes that the device has not taken. Who sees a
     * completed fence so sees what came with it in the other registers. May be null: `read` does. */
    uint32_t (*peek)(void *user, uint32_t offset);
    /* Whether the other side is gone. Cheap: asked at every submission. May be null: never. */
    bool (*is_lost)(void *user);
    /* Locks of the guest's, by enum guest_lock: not recursive. Null in guests of one thread. */
    void (*lock)(void *user, uint32_t lock);
    void (*unlock)(void *user, uint32_t lock);
    void *user;
    struct guest_allocator allocator;
    struct guest_region memory; /* wholly the device's from guest_device_create() to guest_device_destroy() */
};

struct guest_device;

/* Resets the device's ring, and starts one in the shared region. `bus` is copied; what it points to is
 * borrowed. Several may live in one process, each on a transport of its own. */
enum guest_status guest_device_create(const struct guest_bus *bus, struct guest_device **device);

/* Waits for nothing: what is in flight is lost with the ring. Streams and blocks are to be gone. Accepts
 * null. */
void guest_device_destroy(struct guest_device *device);

const struct guest_allocator *guest_device_allocator(const struct guest_device *device);
uint64_t
guest_device_features(const struct guest_device *device); /* AEROGPU_FEATURE_*, AEROGPU_EXT_FEATURE */
uint32_t guest_device_ext_version(const struct guest_device *device); /* 0: no extension */
uint32_t guest_device_read(struct guest_device *device, uint32_t offset);
void guest_device_write(struct guest_device *device, uint32_t offset, uint32_t value);

/* Handles and context numbers are counted for all users of one device; neither is given twice. */
aerogpu_handle_t guest_device_new_handle(struct guest_device *device);
uint32_t guest_device_new_context(struct guest_device *device);

/* GUEST_LOCK_USER of the bus, where there is one. */
void guest_device_lock_user(struct guest_device *device);
void guest_device_unlock_user(struct guest_device *device);

/* ---- Errors and loss ----------------------------------------------------------------------------------- */

/* The error registers (ABI 2.4). */
struct guest_errors {
    uint32_t count; /* since the device was made */
    uint32_t code;  /* enum aerogpu_error_code of the last one */
    uint64_t fence; /* of the submission that failed, 0: unknown */
};
void guest_device_errors(struct guest_device *device, struct guest_errors *errors);

/* How often the host's GPU was lost since the device was made (AEROGPU_MMIO_REG_EXT_GPU_LOSSES): whoever has
 * contexts and objects of before that has lost them. */
uint32_t guest_device_gpu_losses(struct guest_device *device);
bool guest_device_is_lost(struct guest_device *device); /* the transport's other side is gone */

/* ---- Fences -------------------------------------------------------------------------------------------- */

/* Fences count from 1 in the order of submissions; fence 0 is complete. */
uint64_t guest_device_completed_fence(struct guest_device *device);
uint64_t guest_device_submitted_fence(struct guest_device *device); /* of the newest submission */

/* GUEST_OK, GUEST_TIMEOUT or GUEST_DEVICE_LOST. `timeout_ns` 0 looks without waiting, UINT64_MAX waits on. */
enum guest_status guest_device_wait(struct guest_device *device, uint64_t fence, uint64_t timeout_ns);

/* ---- Memory that both sides see ---------------------------------------------------------------------- */

/* The whole heap is one allocation of every submission's table: packets name bytes of the heap by this id and
 * an offset. */
#define GUEST_HEAP_ALLOC_ID 1u

/* A piece of the heap. `bytes` is null in a block that names nothing. */
struct guest_block {
    uint8_t *bytes;
    uint32_t offset; /* from the heap's begin, in packets with GUEST_HEAP_ALLOC_ID; a multiple of 128 */
    uint32_t size;   /* what was asked for, or more */
};

/* A block of at least `size` bytes, undefined contents. Where the heap has none, it waits for the fences of
 * retired blocks; GUEST_NO_MEMORY: none will come free by waiting (submit what you have, then try again). */
enum guest_status guest_block_allocate(struct guest_device *device, uint64_t size, struct guest_block *block);

/* Gives a block back that no packet names, or whose packets are complete. Sets it to nothing. */
void guest_block_free(struct guest_device *device, struct guest_block *block);

/* Gives it back when `fence` completes, which is submitted; maybe later. */
void guest_block_free_after(struct guest_device *device, struct guest_block *block, uint64_t fence);

/* ---- Streams ------------------------------------------------------------------------------------------- */

/* Packets up to this size find room always; longer ones are made by guest_stream_long_packet(). */
#define GUEST_PACKET_BYTES 8192u

/* How many of its newest submissions a stream knows the fences of. */
#define GUEST_STREAM_FENCES 64u

/* Packets for one context on their way to the device, written where the device reads them. A stream that is
 * full is submitted by itself; the next packet begins another. */
struct guest_stream {
    /* For guest_stream_packet(). */
    uint8_t *at;
    uint8_t *end;
    /* For reading. */
    struct guest_device *device;
    uint32_t context_id;
    enum guest_status status; /* the first failure: packets go nowhere from then on */
    uint64_t submissions;     /* how many were made, those of full streams too */
    /* The stream's own. */
    struct guest_block block;
    uint32_t block_bytes;
    struct guest_block *retired; /* blocks that its packets name, which it frees after its fence */
    uint32_t retired_count, retired_capacity;
    uint64_t fences[GUEST_STREAM_FENCES]; /* of submission n at n % GUEST_STREAM_FENCES */
    uint8_t sink[GUEST_PACKET_BYTES];     /* where packets go after a failure */
};

/* `block_bytes`: of one command buffer; 0: 256 KiB. Nothing is allocated before the first packet. */
void guest_stream_init(struct guest_stream *stream, struct guest_device *device, uint32_t context_id,
                       uint32_t block_bytes);

/* Drops what was not submitted. */
void guest_stream_fini(struct guest_stream *stream);

/* Whether packets wait to be submitted. */
bool guest_stream_has_packets(const struct guest_stream *stream);

/* For guest_stream_packet(): room where the stream has none left. */
void *guest_stream_extend(struct guest_stream *stream, uint32_t size);

/* A packet with its header written and the rest undefined: `size` is its structure and its payload, a
 * multiple of 4 and at most GUEST_PACKET_BYTES. Never null. */
static inline void *guest_stream_packet(struct guest_stream *stream, uint32_t opcode, uint32_t size)
{
    uint8_t *packet = stream->at;
    if ((size_t)(stream->end - packet) < size)
        packet = (uint8_t *)guest_stream_extend(stream, size);
    else
        stream->at = packet + size;
    struct aerogpu_cmd_hdr *header = (struct aerogpu_cmd_hdr *)(void *)packet;
    header->opcode = opcode;
    header->size_bytes = size;
    return packet;
}

/* The same for packets of any size. Null: there is no such room, and the stream goes on without the packet.
 */
void *guest_stream_long_packet(struct guest_stream *stream, uint32_t opcode, uint64_t size);

/* The block belongs to the stream from now on, which frees it when its packets so far are complete. */
void guest_stream_retire(struct guest_stream *stream, struct guest_block *block);

/* Hands the packets to the device. `flags` is enum aerogpu_submit_flags. *fence (may be null) is the fence
 * after which they are done, or that of its newest submission where there are none. Waits while the ring is
 * full. */
enum guest_status guest_stream_submit(struct guest_stream *stream, uint32_t flags, uint64_t *fence);

/* The fence after which the packets are done that were written when `submissions` was `number`; 0: they are
 * not submitted yet. Of old submissions it may be a later fence. */
uint64_t guest_stream_fence(const struct guest_stream *stream, uint64_t number);

#endif
