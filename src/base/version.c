/* SPDX-License-Identifier: MIT */
#include "aerogpu/version.h"

/* The build file passes its own number, so that the two cannot differ. */
_Static_assert(AGPU_VERSION == AGPU_MAKE_VERSION(AG_PROJECT_MAJOR, AG_PROJECT_MINOR, AG_PROJECT_PATCH),
               "meson.build and aerogpu/version.h name different versions");

#define TEXT(x) #x
#define JOINED(major, minor, patch) TEXT(major) "." TEXT(minor) "." TEXT(patch)

uint32_t agpu_version(void)
{
    return AGPU_VERSION;
}

const char *agpu_version_string(void)
{
    return JOINED(AGPU_VERSION_MAJOR, AGPU_VERSION_MINOR, AGPU_VERSION_PATCH);
}
