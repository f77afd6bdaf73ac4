/* SPDX-License-Identifier: MIT
 *
 * AGPU_API stands before every function of the public headers and nowhere else: the shared library exports
 * these and hides everything else. Nothing has to be defined to use the library, but on Windows AGPU_STATIC
 * with the static one. AGPU_BUILDING is for whoever builds a DLL of the library's sources.
 */
#ifndef AEROGPU_API_H
#define AEROGPU_API_H

#if defined(_WIN32) || defined(__CYGWIN__)
#if defined(AGPU_STATIC)
#define AGPU_API
#elif defined(AGPU_BUILDING)
#define AGPU_API __declspec(dllexport)
#else
#define AGPU_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define AGPU_API __attribute__((visibility("default")))
#else
#define AGPU_API
#endif

#endif
