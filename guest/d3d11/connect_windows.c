/* SPDX-License-Identifier: MIT
 *
 * The DLLs' way to the device: the folder of a server.
 */
#include "guest/d3d11/gpu.h"
#include "guest/d3d11/platform.h"

#include <stdlib.h>

#include "guest/transport/folder.h"

/* That of the process, as the adapter is (gpu.c): under its lock. */
static struct guest_folder *folder;

bool rt_gpu_connect(struct guest_bus *bus)
{
    const char *path = getenv(GUEST_FOLDER_VARIABLE), *problem = NULL;
    folder = path ? guest_folder_open(path, 0, &problem) : NULL;
    if (!folder) {
        rt_debug_output(problem ? problem : GUEST_FOLDER_VARIABLE " names no server");
        return false;
    }
    *bus = *guest_folder_bus(folder);
    return true;
}

void rt_gpu_disconnect(struct guest_bus *bus)
{
    (void)bus;
    guest_folder_close(folder);
    folder = NULL;
}

bool rt_gpu_shows_windows(void)
{
    return folder && guest_folder_shows_windows(folder);
}
