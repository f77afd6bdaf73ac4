/* SPDX-License-Identifier: MIT
 *
 * Loads the WebGPU library. Loaded code belongs to the whole process, so the table of its functions is the
 * single exception to "no global state". The table is written once, under a lock, and the library is never
 * unloaded.
 */
#ifndef AG_GPU_LIBRARY_H
#define AG_GPU_LIBRARY_H

#include "aerogpu/diag.h"

/* Loads the library. If `path` or the environment variable AEROGPU_WEBGPU_LIB is given, only that is tried,
 * `path` first. Otherwise the pinned npm package of the source tree, the folders beside the running program
 * and the system's search path are tried in this order. A library that is already loaded is kept; asking for
 * a different path is then an error. AGPU_MISSING: gpu.no-library lists all attempts, gpu.symbol names a
 * function that the library lacks. */
enum agpu_status ag_webgpu_load(const char *path, const struct agpu_diag_sink *sink);

/* The path of the library in use; null before a library was loaded. */
const char *ag_webgpu_library_path(void);

/* Looks up every function of gpu/webgpu.h; returns the name of the first missing function, or null.
 * Generated. */
const char *ag_webgpu_bind(void *library);

#endif
