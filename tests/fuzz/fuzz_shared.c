/* SPDX-License-Identifier: MIT
 *
 * Any bytes as what a client does to the memory that it shares with a server: words and bytes anywhere,
 * register writes that are posted, turns of the server between; and a second thread of the client that writes
 * to the whole mapping meanwhile. Fences never go back except by a reset.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "../support/fake_executor.h"
#include "aerogpu/device.h"
#include "serve/mapping.h"

#define MAPPING_BYTES AEROGPU_SHARED_LEAST_BYTES
/* Where control page, registers, queue, and ring and streams of the seeds are. */
#define NEAR_BYTES 0x20000u
#define MOST_POLLS 4096
#define PICTURE_EDGE 4

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ---- The client's second thread ----------------------------------------------------------------------- */

/* The thread lives as long as the program; between two inputs it rests. */
static struct {
    pthread_once_t once;
    _Atomic(uint8_t *) target;
    atomic_uint seed;
    atomic_bool works;
} scribbler = {.once = PTHREAD_ONCE_INIT};

static void scribble(uint8_t *target, uint32_t *random)
{
    for (uint32_t i = 0; i < 64; i++) {
        *random = *random * 1664525u + 1013904223u;
        const uint32_t bits = *random >> 8, span = bits % 8 != 0 ? NEAR_BYTES : MAPPING_BYTES;
        atomic_store_explicit((_Atomic uint32_t *)(void *)(target + bits * 4 % span),
                              bits % 3 ? bits % 64 : bits, memory_order_relaxed);
    }
}

static void *run_scribbler(void *user)
{
    uint32_t random = 1;
    (void)user;
    for (;;) {
        atomic_store(&scribbler.works, true);
        uint8_t *const target = atomic_load(&scribbler.target);
        random ^= atomic_load(&scribbler.seed);
        if (target != NULL)
            scribble(target, &random);
        atomic_store(&scribbler.works, false);
        if (target == NULL)
            sched_yield();
    }
    return NULL;
}

static void start_scribbler(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, run_scribbler, NULL) == 0)
        pthread_detach(thread);
}

static void aim(uint8_t *target, uint32_t seed)
{
    pthread_once(&scribbler.once, start_scribbler);
    atomic_store(&scribbler.seed, seed);
    atomic_store(&scribbler.target, target);
}

static void rest(void)
{
    atomic_store(&scribbler.target, NULL);
    while (atomic_load(&scribbler.works))
        sched_yield();
}

/* ---- The input ---------------------------------------------------------------------------------------- */

struct client {
    const uint8_t *data;
    size_t left;
    struct ag_mapping mapping;
    struct agpu_device *device;
    uint64_t now_ns, last_fence;
    uint32_t posted;
    bool ended;
};

static uint32_t take(struct client *client, size_t bytes)
{
    uint32_t value = 0;
    bytes = bytes < client->left ? bytes : client->left;
    memcpy(&value, client->data, bytes);
    client->data += bytes;
    client->left -= bytes;
    return value;
}

static _Atomic uint32_t *word_at(struct client *client, uint64_t offset)
{
    return (_Atomic uint32_t *)(void *)(client->mapping.bytes + (offset % MAPPING_BYTES & ~UINT64_C(3)));
}

static void store_word(struct client *client)
{
    const uint32_t offset = take(client, 4);
    atomic_store(word_at(client, offset), take(client, 4));
}

static void store_bytes(struct client *client)
{
    const uint32_t offset = take(client, 4) % (MAPPING_BYTES - 256), most = take(client, 1);
    const size_t size = most < client->left ? most : client->left;
    memcpy(client->mapping.bytes + offset, client->data, size);
    client->data += size;
    client->left -= size;
}

static void post(struct client *client)
{
    const uint64_t slot = AEROGPU_SHARED_WRITES_OFFSET + (uint64_t)(client->posted % AEROGPU_SHARED_WRITES) *
                                                             sizeof(struct aerogpu_shared_write);
    const uint32_t offset = take(client, 2);
    atomic_store(word_at(client, slot), offset);
    atomic_store(word_at(client, slot + 4), take(client, 4));
    atomic_store(word_at(client, offsetof(struct aerogpu_shared_control, posted)), ++client->posted);
}

/* ---- The server --------------------------------------------------------------------------------------- */

static void turn(struct client *client)
{
    uint32_t count;
    client->ended = !ag_mapping_take_writes(&client->mapping, client->device, &count);
    client->posted = client->mapping.taken;
    agpu_device_poll(client->device, client->now_ns);
    ag_mapping_store_registers(&client->mapping, client->device, count != 0);
    ag_mapping_wants_interrupt(&client->mapping, client->device);
    ag_mapping_set_sleeping(&client->mapping, !ag_mapping_has_writes(&client->mapping));
    const uint64_t fence = agpu_device_mmio_read(client->device, AEROGPU_MMIO_REG_COMPLETED_FENCE_LO, 8);
    if (fence != 0 && fence < client->last_fence)
        abort();
    client->last_fence = fence;
}

static void act(struct client *client)
{
    switch (take(client, 1) % 7) {
    case 0:
        store_word(client);
        break;
    case 1:
    case 2:
        post(client);
        break;
    case 3:
        store_bytes(client);
        break;
    case 4:
        client->now_ns += (uint64_t)take(client, 2) * 1000000;
        break;
    case 5:
        aim(client->mapping.bytes, take(client, 2));
        break;
    default:
        turn(client);
        break;
    }
}

static void finish(struct client *client)
{
    rest();
    for (int i = 0; agpu_device_poll(client->device, client->now_ns); i++) {
        client->now_ns += UINT64_C(16666667);
        if (i == MOST_POLLS)
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint8_t pixels[PICTURE_EDGE * PICTURE_EDGE * 4];
    struct client client = {.data = data, .left = size};
    const struct fake_executor_options fake = {.polls = take(&client, 1) & 3,
                                               .width = PICTURE_EDGE,
                                               .height = PICTURE_EDGE,
                                               .pixels = pixels,
                                               .plain = true};
    if (!ag_mapping_init(&client.mapping, MAPPING_BYTES, 0))
        return 0;
    const struct agpu_device_callbacks callbacks = {.size = sizeof callbacks,
                                                    .memory = ag_mapping_memory(&client.mapping)};
    struct agpu_executor *executor = fake_executor_create(&fake);
    if (executor != NULL && agpu_device_create(NULL, &callbacks, executor, 0, &client.device) == AGPU_OK) {
        ag_mapping_store_registers(&client.mapping, client.device, true);
        ag_mapping_set_running(&client.mapping);
        while (client.left != 0 && !client.ended)
            act(&client);
        finish(&client);
        agpu_device_destroy(client.device);
    }
    agpu_executor_destroy(executor);
    ag_mapping_fini(&client.mapping);
    return 0;
}
