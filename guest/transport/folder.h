/* SPDX-License-Identifier: MIT
 *
 * The transport of Windows programs under Wine: FIFOs and shared memory in a directory of the host
 * (`aerogpu serve --shm`), which Wine shows on its drive Z.
 */
#ifndef GUEST_TRANSPORT_FOLDER_H
#define GUEST_TRANSPORT_FOLDER_H

#include "guest/core/core.h"

struct guest_folder;

/* The directory that the environment names, in the host's spelling. */
#define GUEST_FOLDER_VARIABLE "AEROGPU_SHM"

/* Connects. `path` is the host's ("/dev/shm/aerogpu") or Windows's ("Z:\\dev\\shm\\aerogpu"); `memory_bytes`
 * of the mapping, 0: 512 MiB. Null: there is no server, or the server does not take this client; *problem
 * (may be null) then says why, a constant. */
struct guest_folder *guest_folder_open(const char *path, uint64_t memory_bytes, const char **problem);

/* The guest's device is gone by then. Accepts null. */
void guest_folder_close(struct guest_folder *folder);

const struct guest_bus *guest_folder_bus(const struct guest_folder *folder);

/* Whether the server asks for windows to be shown. */
bool guest_folder_shows_windows(const struct guest_folder *folder);

#endif
