/* SPDX-License-Identifier: MIT
 *
 * Loading the WebGPU library. A process has one: loaded code is process-wide anyway, so the table of its
 * functions is the one exception to "no global state". It is written once, under a lock, and never unloaded.
 */
#ifndef AG_GPU_LIBRARY_H
#define AG_GPU_LIBRARY_H

#include "aerogpu/diag.h"

/* Loads the library: `path`, else the environment variable AEROGPU_WEBGPU_LIB, and nothing else when one of
 * them is given; else the pinned npm package of the source tree, the places next to the running program, the
 * system's search path. When one is loaded already it is kept, and asking for another by path is an error.
 * AGPU_MISSING: gpu.no-library names all that was tried, gpu.symbol the function that is not in it. */
enum agpu_status ag_webgpu_load(const char *path, const struct agpu_diag_sink *sink);

/* Path of the library in use; null before one was loaded. */
const char *ag_webgpu_library_path(void);

/* Looks up every function of gpu/webgpu.h; the name of the first that is missing, or null. Generated. */
const char *ag_webgpu_bind(void *library);

#endif
