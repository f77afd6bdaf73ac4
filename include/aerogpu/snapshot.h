/* SPDX-License-Identifier: MIT
 *
 * Where the bytes of a snapshot go, and where they come from. aerogpu/device.h saves and loads a device;
 * docs/snapshots.md has the format.
 */
#ifndef AEROGPU_SNAPSHOT_H
#define AEROGPU_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "aerogpu/api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Takes the bytes of a snapshot in their order. Called on the thread and inside the calls of the save. */
struct agpu_snapshot_writer {
    uint32_t size; /* sizeof of this structure, or 0 (see aerogpu/diag.h). Since 0.2 */
    /* Takes all `size` bytes, or returns false, which ends the save with snapshot.unwritable. */
    bool (*write)(void *user, const void *bytes, size_t size);
    void *user;
};

/* Gives the bytes of a snapshot in their order. Nobody vouches for them. */
struct agpu_snapshot_reader {
    uint32_t size; /* sizeof of this structure, or 0 (see aerogpu/diag.h). Since 0.2 */
    /* Gives exactly `size` bytes, or returns false where there are not so many. Asked for no byte behind the
     * snapshot, so that the embedder may keep more in the same file. */
    bool (*read)(void *user, void *bytes, size_t size);
    void *user;
};

/* How far a save is. */
enum agpu_save_state {
    AGPU_SAVE_BUSY,
    AGPU_SAVE_DONE,
    AGPU_SAVE_FAILED, /* reported */
};

#ifdef __cplusplus
}
#endif

#endif
