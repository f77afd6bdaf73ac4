/* SPDX-License-Identifier: MIT
 *
 * Snapshots in the middle of a run: the device is saved, and a device on another executor goes on.
 */
#include <string.h>
#include <time.h>

#include "aerogpu/snapshot.h"
#include "base/vec.h"
#include "scene/run.h"

#define PAUSE_NS 50000

struct snapshot {
    AG_VEC(uint8_t) bytes;
    size_t at; /* where the reader is */
};

static bool write_bytes(void *user, const void *bytes, size_t size)
{
    struct snapshot *snapshot = user;
    if (!ag_vec_reserve(&snapshot->bytes, snapshot->bytes.count + size))
        return false;
    memcpy(snapshot->bytes.data + snapshot->bytes.count, bytes, size);
    snapshot->bytes.count += size;
    return true;
}

static bool read_bytes(void *user, void *bytes, size_t size)
{
    struct snapshot *snapshot = user;
    if (size > snapshot->bytes.count - snapshot->at)
        return false;
    memcpy(bytes, snapshot->bytes.data + snapshot->at, size);
    snapshot->at += size;
    return true;
}

static bool save(struct scene_run *run, struct snapshot *snapshot)
{
    const struct agpu_snapshot_writer writer = {sizeof writer, write_bytes, snapshot};
    const double start = scene_clock_ms();
    enum agpu_save_state state = AGPU_SAVE_FAILED;
    for (uint32_t i = 0; i < run->options->snapshot_polls; i++)
        agpu_device_poll(run->device, run->now_ns);
    if (agpu_device_save_begin(run->device, &writer) == AGPU_OK)
        while ((state = agpu_device_save_poll(run->device)) == AGPU_SAVE_BUSY &&
               !scene_guest_is_past_limit(run, start)) {
            const struct timespec pause = {0, PAUSE_NS};
            nanosleep(&pause, NULL);
        }
    run->wait_ms += scene_clock_ms() - start;
    return state == AGPU_SAVE_DONE;
}

static bool load(struct scene_run *run, struct snapshot *snapshot)
{
    const struct agpu_snapshot_reader reader = {sizeof reader, read_bytes, snapshot};
    run->executor = run->options->renew ? run->options->renew(run->options->user) : NULL;
    return run->executor && scene_guest_create_device(run) == AGPU_OK &&
           agpu_device_load(run->device, &reader, run->now_ns) == AGPU_OK &&
           snapshot->at == snapshot->bytes.count;
}

void scene_guest_replace(struct scene_run *run)
{
    struct snapshot snapshot = {0};
    if (!save(run, &snapshot)) {
        scene_abort(run, AGPU_DIAG_SCENE_SETUP, "the device cannot be saved");
    } else {
        if (run->options->saved)
            run->options->saved(run->options->user, snapshot.bytes.data, snapshot.bytes.count);
        agpu_device_destroy(run->device);
        run->device = NULL;
        run->irq_line = false;
        if (!load(run, &snapshot))
            scene_abort(run, AGPU_DIAG_SCENE_SETUP, "the device cannot be loaded");
    }
    ag_vec_fini(&snapshot.bytes);
}
