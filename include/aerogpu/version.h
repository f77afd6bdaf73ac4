/* SPDX-License-Identifier: MIT
 *
 * The version of the library: that of the headers as macros, that of the library that runs as functions.
 *
 *     #if AGPU_VERSION >= AGPU_MAKE_VERSION(0, 2, 0)    what the headers have
 *     if (agpu_version() >= AGPU_MAKE_VERSION(0, 2, 0)) what the library has
 *
 * A program that was built with older headers runs with a newer library as long as the shared library's
 * number (libaerogpu.so.N) stays: functions, members at the ends of tables and numbers of enumerations are
 * added, never removed or changed. "Since" in a comment names the version that added something; what has no
 * such note was there before 0.2. Since 0.2.
 */
#ifndef AEROGPU_VERSION_H
#define AEROGPU_VERSION_H

#include <stdint.h>

#include "aerogpu/api.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AGPU_VERSION_MAJOR 0
#define AGPU_VERSION_MINOR 2
#define AGPU_VERSION_PATCH 0

/* A version as one number: later versions are greater. Each part is below 1000. For #if, too. */
#define AGPU_MAKE_VERSION(major, minor, patch) ((major)*1000000 + (minor)*1000 + (patch))
#define AGPU_VERSION AGPU_MAKE_VERSION(AGPU_VERSION_MAJOR, AGPU_VERSION_MINOR, AGPU_VERSION_PATCH)

/* AGPU_VERSION of the library that runs, which may be newer than the headers. Any thread. */
AGPU_API uint32_t agpu_version(void);

/* The same as "major.minor.patch"; belongs to the library. Any thread. */
AGPU_API const char *agpu_version_string(void);

#ifdef __cplusplus
}
#endif

#endif
