/* SPDX-License-Identifier: MIT
 *
 * The memory that the server shares with one client (aerogpu/abi/shared.h): a sealed file in memory, so that
 * no client can cut it short, with the control page, the registers and the client's memory. The client may
 * write to all of it at any time: what is read here is copied first and checked then.
 */
#ifndef AG_SERVE_MAPPING_H
#define AG_SERVE_MAPPING_H

#include <stdbool.h>
#include <stdint.h>

#include "aerogpu/abi/shared.h"
#include "aerogpu/device.h"

struct ag_mapping {
    uint8_t *bytes; /* null: none */
    uint64_t size;
    int descriptor;
    /* The server's own copies of what it has told, which it never reads back. */
    uint32_t taken;
    uint32_t waits;      /* the last count that the interrupt was rung for */
    uint32_t seen_waits; /* the last count that was looked at, and the fence that came with it */
    uint64_t wait_fence;
};

/* Makes a mapping of `size` bytes, a multiple of the page size. False: no memory or descriptors. */
bool ag_mapping_init(struct ag_mapping *mapping, uint64_t size, uint32_t flags);
void ag_mapping_fini(struct ag_mapping *mapping);

/* The client's memory as a device sees it, `user` being the mapping. */
struct agpu_guest_memory ag_mapping_memory(struct ag_mapping *mapping);

/* Takes the register writes that the client has posted, into a device. *count: how many there were. False
 * when the client posted more than the queue has, which no client does that follows the rules. */
bool ag_mapping_take_writes(struct ag_mapping *mapping, struct agpu_device *device, uint32_t *count);

/* Whether there are writes that were not taken. */
bool ag_mapping_has_writes(const struct ag_mapping *mapping);

/* Stores the registers as they read, and how many writes are taken. `all`: those that change by themselves
 * are not enough. */
void ag_mapping_store_registers(struct ag_mapping *mapping, struct agpu_device *device, bool all);

/* Whether the client waits for a fence that is complete, and was not told so. */
bool ag_mapping_wants_interrupt(struct ag_mapping *mapping, struct agpu_device *device);

/* Says whether the host sleeps; a full barrier follows. */
void ag_mapping_set_sleeping(struct ag_mapping *mapping, bool sleeps);
/* The device is there, and its registers are stored. */
void ag_mapping_set_running(struct ag_mapping *mapping);
void ag_mapping_set_ended(struct ag_mapping *mapping);

#endif
