/* SPDX-License-Identifier: MIT
 *
 * What the handlers of packets work with: the rooms below, the context whose stream is executed, and what the
 * stream does after the packet.
 */
#ifndef AG_EXEC_PACKET_EXECUTION_H
#define AG_EXEC_PACKET_EXECUTION_H

#include <stdbool.h>
#include <stdint.h>

struct ag_binder;
struct ag_blitter;
struct ag_command_list;
struct ag_context;
struct ag_copier;
struct ag_drawer;
struct ag_expander;
struct ag_host;
struct ag_objects;
struct ag_readback;
struct ag_recorder;

/* What a stream waits for before it goes on; zeroed: nothing. */
struct ag_wait {
    uint64_t serial;                    /* of the queue's timeline; 0: none */
    const struct ag_readback *readback; /* begun, or null */
    bool again;                         /* the packet that waits is executed once more */
};

/* The command list whose packets come next; zeroed: none. */
struct ag_list_call {
    const struct ag_command_list *list;
    bool restore; /* the context is afterwards as before, else cleared (D3D11 ExecuteCommandList) */
};

/* One stream being executed. */
struct ag_execution {
    struct ag_host *host;
    struct ag_objects *objects;
    struct ag_recorder *recorder;
    struct ag_blitter *blitter;
    struct ag_copier *copier;
    struct ag_binder *binder;
    struct ag_drawer *drawer;
    struct ag_expander *expander;

    struct ag_context *context;
    struct ag_wait wait;
    struct ag_list_call call;
    struct ag_readback *arguments; /* of the indirect draw that waits for them, or null */
};

/* For handlers: the packets after this one wait until the bytes of the read-back, which has been begun, are
 * there. The read-back stays the caller's. `again`: this packet is executed once more, so it must not have
 * had an effect. */
void ag_execution_wait_for_bytes(struct ag_execution *execution, const struct ag_readback *readback,
                                 bool again);

#endif
