/* SPDX-License-Identifier: MIT
 *
 * Creations: the packets that made the guest's objects, which the objects keep so that a snapshot can make
 * them again. packet/kept_creation.h takes them.
 */
#ifndef AG_EXEC_OBJECT_CREATION_H
#define AG_EXEC_OBJECT_CREATION_H

#include <stdint.h>

struct ag_host;
struct agpu_packet;

struct ag_creation {
    uint64_t serial;            /* creations are made again in the order of their serials */
    uint64_t host_bytes;        /* counted in the budget of host memory, beyond what each object counts as */
    struct ag_account *account; /* that is charged for them */
    uint32_t context_id;        /* of the context that made the object */
    uint32_t minor;             /* of the stream that had the packet */
    uint32_t size;              /* bytes of the packet that are kept: all, or those in front of the payload */
    uint8_t bytes[];
};

/* Keeps the first `size` bytes of a packet in *creation, with the serial of an older creation there. Without
 * memory for it, *creation becomes null, and there are no snapshots while the object lives. */
void ag_creation_set(struct ag_host *host, struct ag_creation **creation, const struct agpu_packet *packet,
                     uint32_t size);

/* Frees *creation, which may be null. */
void ag_creation_drop(struct ag_host *host, struct ag_creation **creation);

#endif
