/* SPDX-License-Identifier: MIT */
#include "exec/object/creation.h"

#include <stdlib.h>
#include <string.h>

#include "aerogpu/stream.h"
#include "exec/host/host.h"
#include "exec/host/host_memory.h"

/* What a creation may take of the 4 KiB that an object counts as. */
#define FREE_BYTES 1024u

void ag_creation_drop(struct ag_host *host, struct ag_creation **creation)
{
    if (!*creation)
        return;
    ag_host_memory_give(host, (*creation)->host_bytes);
    free(*creation);
    *creation = NULL;
}

void ag_creation_set(struct ag_host *host, struct ag_creation **creation, const struct agpu_packet *packet,
                     uint32_t size)
{
    const uint64_t serial = *creation ? (*creation)->serial : ag_host_id(host);
    const uint64_t host_bytes = size > FREE_BYTES ? size : 0;
    ag_creation_drop(host, creation);
    if (!ag_host_memory_take(host, host_bytes))
        return;
    struct ag_creation *kept = malloc(sizeof *kept + size);
    if (!kept) {
        ag_host_memory_give(host, host_bytes);
        return;
    }
    *kept = (struct ag_creation){serial, host_bytes, packet->minor, size};
    memcpy(kept->bytes, packet->data, size);
    *creation = kept;
}
