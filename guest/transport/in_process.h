/* SPDX-License-Identifier: MIT
 *
 * A transport within one process: the guest's memory is a buffer, its registers are those of a device that
 * lives here, and waiting means polling that device. For tests and for programs that bring their own host.
 */
#ifndef GUEST_TRANSPORT_IN_PROCESS_H
#define GUEST_TRANSPORT_IN_PROCESS_H

#include "aerogpu/device.h"
#include "aerogpu/executor.h"
#include "guest/core/core.h"

struct guest_in_process_options {
    struct agpu_executor *executor;                                    /* borrowed */
    uint64_t memory_bytes;                                             /* of the shared region; 0: 64 MiB */
    void (*presented)(void *user, const struct agpu_present *present); /* may be null */
    struct agpu_diag_sink diagnostics;                                 /* what the guest did wrong */
    const struct agpu_device_tap *tap;                                 /* may be null */
    void *user;                                                        /* of `presented` */
};

struct guest_in_process;

/* Null: no memory. */
struct guest_in_process *guest_in_process_create(const struct guest_in_process_options *options);

/* The guest's device is gone by then. Accepts null. */
void guest_in_process_destroy(struct guest_in_process *transport);

const struct guest_bus *guest_in_process_bus(struct guest_in_process *transport);
struct agpu_device *guest_in_process_device(struct guest_in_process *transport);

/* From now on the other side is gone, as after the end of a server. */
void guest_in_process_lose(struct guest_in_process *transport);

#endif
