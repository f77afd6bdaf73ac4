/* SPDX-License-Identifier: MIT */
#include "exec/object/creation.h"

#include <stdlib.h>
#include <string.h>

#include "aerogpu/stream.h"
#include "exec/host/account.h"
#include "exec/host/host.h"
#include "exec/host/host_memory.h"

/* What a creation may take of the 4 KiB that an object counts as. */
#define FREE_BYTES 1024u

void ag_creation_drop(struct ag_host *host, struct ag_creation **creation)
{
    if (!*creation)
        return;
    ag_host_memory_give(host, (*creation)->account, (*creation)->host_bytes);
    free(*creation);
    *creation = NULL;
}

void ag_creation_set(struct ag_host *host, struct ag_creation **creation, const struct agpu_packet *packet,
                     uint32_t size)
{
    const uint64_t serial = *creation ? (*creation)->serial : ag_host_id(host);
    const uint64_t host_bytes = size > FREE_BYTES ? size : 0;
    struct ag_account *account = host->accounts.current;
    const uint32_t context_id = *creation ? (*creation)->context_id : account ? account->context_id : 0;
    ag_creation_drop(host, creation);
    if (!ag_host_memory_take(host, account, host_bytes))
        return;
    struct ag_creation *kept = malloc(sizeof *kept + size);
    if (!kept) {
        ag_host_memory_give(host, account, host_bytes);
        return;
    }
    *kept = (struct ag_creation){serial, host_bytes, account, context_id, packet->minor, size};
    memcpy(kept->bytes, packet->data, size);
    *creation = kept;
}
